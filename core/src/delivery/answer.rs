//! Answering a question, and taking one back.

use super::{Actor, close, listing};
use crate::message::{Address, Millis, Status};
use crate::question::{self, Given, QuestionSet};
use crate::refusal::Refusal;
use crate::store::{Asked, Message, Standing, What, Work};

/// A question that somebody wanted to end.
#[derive(Debug, Clone)]
pub struct Ended {
    /// The question.
    pub id: String,
    /// Whether it was open until now.
    pub changed: bool,
}

/// Stores the answer to a question, closes its message, and leaves the answer to be
/// delivered. Gives the question as it is then.
///
/// # Errors
/// When it is no open question, was not asked of this actor, or the answer does not fit.
pub fn answer(
    work: &Work<'_>,
    id: &str,
    given: &Given,
    actor: &Actor,
    now: Millis,
) -> Result<Asked, Refusal> {
    let (message, asked) = find(work, id)?;
    check_actor(work, &message, actor)?;
    check_open(&asked)?;
    let id = &message.id;
    let set = QuestionSet::stored(&asked.question_set);
    let set = set.ok_or_else(|| Refusal::failed(format!("{id} cannot be read any more"), ""))?;
    let answer = question::canonical(&serde_json::json!(set.check_answer(given)?));
    let digest = question::digest(id, &asked.question_set, &answer).unwrap_or_default();
    let (seq, by, truly) = (message.seq, actor.address.as_str(), actor.truly());
    work.answer_question(seq, &answer, (by, truly.as_str()), now)?;
    for reader in actor.readers(work)? {
        work.prove(seq, reader, "answer", now)?;
    }
    close::end(work, &message, Status::Resolved, None, actor, now)?;
    work.add_answer_delivery(seq, &format!("answer:{id}"), &digest, now)?;
    work.record(What::Answered, Some(id), by, Some(&digest), now)?;
    Ok(work.question(seq)?.unwrap_or(asked))
}

/// Ends a question without an answer. Only who asked may, and the person at the keyboard.
///
/// # Errors
/// When it is no question, somebody else's, or answered.
pub fn cancel(work: &Work<'_>, id: &str, actor: &Actor, now: Millis) -> Result<Ended, Refusal> {
    let (message, asked) = find(work, id)?;
    let is_own = close::is_own(&message, actor);
    if !is_own && actor.session.is_some() {
        return Err(Refusal::claim(
            format!(
                "{} was asked by {}, and only its asker can cancel it",
                message.id, asked.asker
            ),
            "`mailstop questions` lists what can be answered",
        ));
    }
    if asked.standing == Standing::Answered {
        return Err(already_answered(&asked));
    }
    let changed = asked.standing == Standing::Open;
    if changed {
        let status = if is_own { Status::Withdrawn } else { Status::Resolved };
        close::end(work, &message, status, None, actor, now)?;
    }
    Ok(Ended { id: message.id, changed })
}

/// The question that an id, or the beginning of one, names.
pub(super) fn find(work: &Work<'_>, id: &str) -> Result<(Message, Asked), Refusal> {
    let message = listing::find(work, id)?;
    match work.question(message.seq)? {
        Some(asked) => Ok((message, asked)),
        None => Err(Refusal::usage(
            format!("{} is not a question that was asked with `mailstop ask`", message.id),
            format!("answer it with `mailstop reply {}`", message.id),
        )),
    }
}

/// An agent answers what was asked of it, and the person what was asked of `user`.
fn check_actor(work: &Work<'_>, message: &Message, actor: &Actor) -> Result<(), Refusal> {
    let may = match &actor.session {
        Some(session) => {
            let readers = session.readers();
            let deliveries = work.deliveries(message.seq)?;
            deliveries.iter().any(|delivery| readers.contains(&delivery.reader))
        }
        None => message.recipient == Address::User.to_string(),
    };
    if may {
        return Ok(());
    }
    Err(Refusal::claim(
        format!(
            "{} was asked of {}, and {} cannot answer for it",
            message.id, message.recipient, actor.address
        ),
        "`mailstop questions` lists what can be answered",
    ))
}

fn check_open(asked: &Asked) -> Result<(), Refusal> {
    match asked.standing {
        Standing::Open => Ok(()),
        Standing::Answered => Err(already_answered(asked)),
        Standing::Cancelled => Err(Refusal::state(
            "cancelled",
            format!("{} was cancelled before it was answered", asked.id),
            format!("`mailstop status {}` tells by whom", asked.id),
        )),
    }
}

fn already_answered(asked: &Asked) -> Refusal {
    let at = asked.answered_at.and_then(|at| jiff::Timestamp::from_millisecond(at).ok());
    let at = at.map_or_else(String::new, |at| format!(" at {at}"));
    let by = asked.answered_by.as_deref().unwrap_or("somebody");
    Refusal::state(
        "already_answered",
        format!("{} was answered{at} by {by}", asked.id),
        format!(
            "`mailstop questions --all` has the answer; `mailstop reply {}` adds to it",
            asked.id
        ),
    )
}
