//! Answers on their way to who asked: claimed, checked, and put into the asker's mailbox in
//! one transaction with the note that this is done.

use super::target::readers_of_sender;
use super::{Presence, holds, notice, presence};
use crate::message::MAX_SUBJECT_CHARS;
use crate::message::{
    Address, Disposition, Kind, Millis, Mode, Priority, Status, cut_subject, reply_subject,
};
use crate::policy::Lane;
use crate::question::{self, Answer, QuestionSet};
use crate::store::{
    Asked, Claim, Due, Error, Key, NewMessage, Result, Session, Store, Stored, Went, What, Work,
};

/// How many answers are looked at in one go.
const BATCH: usize = 50;
/// An answer that another process has just now is looked at again after this time.
const LOOK_AGAIN: Millis = 1000;

/// What came of one answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It is in the asker's mailbox.
    Delivered(Went),
    /// Nobody is there who could get it, which is no failure.
    Nobody,
    /// Delivering failed, and is tried again.
    Erred(String),
    /// It cannot be delivered, for this reason.
    Failed(String),
    /// Somebody else claimed it meanwhile, and this attempt changed nothing.
    Duplicate,
}

/// One answer that was handled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handled {
    /// The question's id.
    pub id: String,
    /// Who asked.
    pub asker: String,
    /// What came of it.
    pub fate: Fate,
}

/// What one round of delivering came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Round {
    /// What was handled, the oldest first.
    pub handled: Vec<Handled>,
    /// When time may have helped what is left; none when only a start of its asker can.
    pub next: Option<Millis>,
}

/// Why an answer was not handed over.
enum Stuck {
    Nobody,
    Never(&'static str),
}

/// Delivers every answer that can be delivered now.
///
/// # Errors
/// When the store fails.
pub fn deliver_answers(store: &mut Store, clock: fn() -> Millis) -> Result<Round> {
    let mut round = Round::default();
    let mut last: Option<Due> = None;
    loop {
        let now = clock();
        let work = store.read()?;
        let page = work.answers_due(now, last.as_ref(), BATCH)?;
        let mut there = Vec::new();
        for due in &page {
            if due.free_at > now {
                round.wait_until(due.free_at);
            } else if is_anybody_there(&work, due, now)? {
                there.push(due.question);
            }
        }
        drop(work);
        for question in there {
            deliver(store, question, clock, &mut round)?;
        }
        if page.len() < BATCH {
            return Ok(round);
        }
        last = page.last().copied();
    }
}

impl Round {
    fn wait_until(&mut self, at: Millis) {
        self.next = Some(self.next.map_or(at, |next| next.min(at)));
    }
}

/// Claims one answer, and only then delivers it: what a delivery does may take its time.
fn deliver(
    store: &mut Store,
    question: Key,
    clock: fn() -> Millis,
    round: &mut Round,
) -> Result<()> {
    let work = store.begin()?;
    let claim = work.claim_answer(question, false, clock())?;
    work.commit()?;
    let Some(claim) = claim else {
        round.wait_until(clock() + LOOK_AGAIN);
        return Ok(());
    };
    let work = store.begin()?;
    let now = clock();
    if let Some(handled) = finish(&work, claim, now)? {
        if matches!(handled.fate, Fate::Erred(_)) {
            round.wait_until(now);
        }
        round.handled.push(handled);
    }
    work.commit()
}

/// Delivers what a session that starts now is owed, within the transaction of its hook.
pub(super) fn deliver_to(work: &Work<'_>, session: &Session, now: Millis) -> Result<()> {
    if !work.is_any_answer_due()? {
        return Ok(());
    }
    for due in work.answers_due_to(session.id, session.agent_mailbox, now, BATCH)? {
        if let Some(claim) = work.claim_answer(due.question, false, now)? {
            finish(work, claim, now)?;
        }
    }
    Ok(())
}

/// Does what a claim is for, and notes how it ended, as long as the claim holds.
fn finish(work: &Work<'_>, claim: Claim, now: Millis) -> Result<Option<Handled>> {
    let Some(asked) = work.question(claim.question)? else {
        return Ok(None);
    };
    let handled = |fate| Some(Handled { id: asked.id.clone(), asker: asked.asker.clone(), fate });
    if !work.renew_claim(claim, now)? {
        return Ok(handled(Fate::Duplicate));
    }
    let fate = match work.attempt(|| hand_over(work, &asked, now))? {
        Ok(Ok(went)) => {
            work.answer_delivered(claim, went, now)?;
            record(work, What::Delivered, &asked, went.as_str(), now)?;
            Fate::Delivered(went)
        }
        Ok(Err(Stuck::Nobody)) => {
            work.release_claim(claim, now)?;
            Fate::Nobody
        }
        Ok(Err(Stuck::Never(code))) => {
            work.answer_failed(claim, code, now)?;
            give_up(work, &asked, code, now)?
        }
        Err(error) => {
            let code = code_of(&error);
            let failed = work.answer_erred(claim, code, now)?;
            if failed { give_up(work, &asked, code, now)? } else { Fate::Erred(code.to_owned()) }
        }
    };
    Ok(handled(fate))
}

/// An error in one word: its text might tell of what was said.
fn code_of(error: &Error) -> &'static str {
    if error.is_read_only() { "store_read_only" } else { "store_error" }
}

/// Puts an answer into the mailbox of who asked.
fn hand_over(
    work: &Work<'_>,
    asked: &Asked,
    now: Millis,
) -> Result<std::result::Result<Went, Stuck>> {
    let body = match text(work, asked)? {
        Ok(body) => body,
        Err(code) => return Ok(Err(Stuck::Never(code))),
    };
    let Some((reader, went)) = place(work, &asked.asker, now)? else {
        return Ok(Err(Stuck::Nobody));
    };
    let stored = store(work, asked, &body, now)?;
    holds::owe(work, stored.seq, reader, Lane::Steer, Priority::Normal.rank(), now)?;
    Ok(Ok(went))
}

/// An answer as its asker reads it, or why it cannot be told.
pub(super) fn text(
    work: &Work<'_>,
    asked: &Asked,
) -> Result<std::result::Result<String, &'static str>> {
    let (Some(json), Some(delivery)) = (&asked.answer, work.answer_delivery(asked.message)?) else {
        return Ok(Err("not_answered"));
    };
    if question::digest(&asked.id, &asked.question_set, json) != Some(delivery.digest) {
        return Ok(Err("payload_digest_mismatch"));
    }
    let set = QuestionSet::stored(&asked.question_set);
    let answer: Option<Answer> = serde_json::from_str(json).ok();
    let texts = set.zip(answer).map(|(set, answer)| question::answer_text(&set, &answer));
    Ok(texts.ok_or("question_invalid"))
}

/// Stores the message that carries an answer.
pub(super) fn store(work: &Work<'_>, asked: &Asked, body: &str, now: Millis) -> Result<Stored> {
    let question = work.message(&asked.id)?;
    let subject = reply_subject(question.as_ref().map_or("", |question| &question.subject));
    let is_long = subject.chars().count() > MAX_SUBJECT_CHARS;
    let subject = if is_long { cut_subject(&subject) } else { subject };
    let by = asked.answered_by.as_deref().unwrap_or("user");
    work.add_message(&NewMessage {
        sender: by,
        sent_by: asked.sent_by.as_deref().unwrap_or(by),
        recipient: &asked.asker,
        kind: Kind::answer(),
        priority: Priority::Normal,
        disposition: Disposition::Actionable,
        mode: Mode::Auto,
        status: Status::Pending,
        subject: &subject,
        body,
        tags: &[],
        thread: question.as_ref().map(|question| question.thread.as_str()),
        reply_to: Some(&asked.id),
        about: None,
        correlation: Some(&format!("answer:{}", asked.id)),
        created_at: now,
        closed: None,
        expires_at: None,
    })
}

/// The mailbox of who asked, and how an answer gets there; none while nobody is there.
fn place(work: &Work<'_>, asker: &str, now: Millis) -> Result<Option<(Key, Went)>> {
    let Some(reader) = readers_of_sender(work, asker)?.into_iter().next() else {
        return Ok(None);
    };
    let runs = match presence::of_reader(work, reader, now)? {
        Presence::Away if is_agent(asker) => return Ok(None),
        Presence::Running => true,
        Presence::Away | Presence::Idle | Presence::Awaiting => false,
    };
    if runs {
        return Ok(Some((reader, Went::Steered)));
    }
    let mut unread = 0;
    for lane in [Lane::Steer, Lane::Stop, Lane::Prompt] {
        unread += work.count_unread(reader, lane)?;
    }
    Ok(Some((reader, if unread > 0 { Went::Joined } else { Went::Waiting })))
}

/// A person is always there, and so is a project's next session.
fn is_agent(asker: &str) -> bool {
    matches!(asker.parse(), Ok(Address::Agent(_) | Address::Session(_)))
}

fn is_anybody_there(work: &Work<'_>, due: &Due, now: Millis) -> Result<bool> {
    let Some(asked) = work.question(due.question)? else {
        return Ok(false);
    };
    // Looking must not make a mailbox, which a mere reader could not.
    if !is_agent(&asked.asker) {
        return Ok(true);
    }
    let readers = match asked.asker.parse() {
        Ok(Address::Agent(name)) => work.mailbox_named(&name)?.is_some(),
        Ok(Address::Session(key)) => work.session_with_key(&key)?.is_some(),
        Ok(Address::Project(_) | Address::User) | Err(_) => true,
    };
    Ok(readers && place(work, &asked.asker, now)?.is_some())
}

/// Tells who asked that the answer is there and cannot be delivered. It stays given up,
/// whether that could be told or not.
fn give_up(work: &Work<'_>, asked: &Asked, code: &str, now: Millis) -> Result<Fate> {
    record(work, What::Failed, asked, code, now)?;
    if let Some(question) = work.message(&asked.id)? {
        let id = &asked.id;
        let about = asked.answered_by.as_deref().unwrap_or("user");
        let subject = format!("The answer to {id} cannot be delivered");
        let body = format!(
            "Your question {id} was answered by {about}, and the answer cannot be delivered \
             ({code}). `mailstop questions --all` tells what is left of it; ask again if it matters."
        );
        let told = notice::Notice { about, event: "answer_failed", subject: &subject, body: &body };
        let _ = work.attempt(|| notice::tell_sender(work, &question, told, now))?;
    }
    Ok(Fate::Failed(code.to_owned()))
}

/// Notes what happened: ids, states and codes, and no word of the answer.
pub(super) fn record(
    work: &Work<'_>,
    what: What,
    asked: &Asked,
    detail: &str,
    now: Millis,
) -> Result<()> {
    work.record(what, Some(&asked.id), &asked.asker, Some(detail), now)
}
