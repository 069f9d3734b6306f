//! `mailstop ask`.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use mailstop_core::delivery::{self, AwaitedAnswer, Inquiry, Received, Sent};
use mailstop_core::hook;
use mailstop_core::question::{Choice, Question, QuestionSet};
use mailstop_core::refusal::{Class, Refusal};
use serde_json::json;

use super::send;
use crate::args::AskArgs;
use crate::documents;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;
use crate::progress::Progress;

/// How often the mailbox is asked whether anybody wrote it, which touches no disk.
const PACE: Duration = Duration::from_millis(50);
/// How often it is noted that somebody goes on waiting, well before that would end.
const RENEW: Duration = Duration::from_secs(10);

/// Asks, and with `--wait` prints the answer.
pub(crate) fn run(args: &AskArgs, printer: &mut Printer) -> Result<(), CliError> {
    let inquiry = Inquiry {
        to: args.to.clone(),
        from: args.from.clone(),
        set: questions(args)?,
        waits: args.wait,
        allow_unknown: args.allow_unknown,
    };
    let mailbox = Mailbox::open()?;
    let now = mailbox.now;
    let mailstop = hook::commands().mailstop;
    let sent = mailbox
        .act(|work, actor, rules| delivery::ask(work, &inquiry, &mailstop, actor, rules, now))?;
    if !args.wait {
        return send::tell(&sent, printer);
    }
    // A person who gives up waiting knows the id by then.
    if !printer.is_json() {
        send::tell(&sent, printer)?;
        printer.flush()?;
    }
    wait(&sent, args.timeout.map(Duration::from_secs), printer)
}

fn questions(args: &AskArgs) -> Result<QuestionSet, CliError> {
    if let Some(path) = &args.file {
        let text = fs::read_to_string(path);
        let text = text.map_err(|error| CliError::io("read", path.display(), &error))?;
        return Ok(QuestionSet::parse(&text)?);
    }
    let choice = |text: &String| match text.split_once('=') {
        Some((label, description)) => Choice {
            label: label.to_owned(),
            description: Some(description.to_owned()),
            ..Choice::default()
        },
        None => Choice { label: text.clone(), ..Choice::default() },
    };
    Ok(QuestionSet::of_one(Question {
        header: args.header.clone(),
        prompt: args.question.clone().unwrap_or_default(),
        options: args.options.iter().map(choice).collect(),
        multi: args.multi,
        free_text: args.free_text,
        ..Question::default()
    })?)
}

/// Waits for the answer. It is printed first and noted then: should this process die
/// between the two it is told again, and never lost.
fn wait(sent: &Sent, timeout: Option<Duration>, printer: &mut Printer) -> Result<(), CliError> {
    let id = sent.report.message.id.as_str();
    let mut mailbox = Mailbox::open()?;
    let progress = Progress::waiting("waiting", printer);
    progress.say(format!("waiting for the answer to {id}"));
    let began = Instant::now();
    loop {
        let version = mailbox.version()?;
        // Two that wait must not wake each other with their notes.
        let awaited = mailbox.look(|work, _| delivery::is_awaited(work, id, hook::now()))?;
        let found = if awaited { AwaitedAnswer::Nothing } else { look_closer(&mut mailbox, id)? };
        match found {
            AwaitedAnswer::Answered(received) => {
                progress.finish();
                return print(sent, &received, &mut mailbox, printer);
            }
            AwaitedAnswer::Cancelled => {
                let hint = format!("`mailstop status {id}` tells by whom");
                let refusal = Refusal::failed(format!("{id} was cancelled"), hint);
                return refuse(sent, refusal, printer);
            }
            AwaitedAnswer::Failed(code) => {
                let message = format!("the answer to {id} cannot be told ({code})");
                return refuse(sent, Refusal::failed(message, "ask again"), printer);
            }
            AwaitedAnswer::Nothing => {}
        }
        let noted = Instant::now();
        while mailbox.version()? == version && noted.elapsed() < RENEW {
            if timeout.is_some_and(|timeout| began.elapsed() >= timeout) {
                return give_up(sent, &mut mailbox, printer);
            }
            sleep(PACE);
        }
    }
}

fn look_closer(mailbox: &mut Mailbox, id: &str) -> Result<AwaitedAnswer, CliError> {
    mailbox.note(|work| delivery::await_answer(work, id, hook::now()))
}

fn give_up(sent: &Sent, mailbox: &mut Mailbox, printer: &mut Printer) -> Result<(), CliError> {
    let id = sent.report.message.id.as_str();
    mailbox.note(|work| delivery::stop_waiting(work, id))?;
    let (message, hint) = (
        format!("{id} is not answered yet"),
        "the answer comes as mail; `mailstop cancel` ends it",
    );
    let refusal = Refusal::new(Class::TimedOut, Class::TimedOut.code(), message, hint);
    refuse(sent, refusal, printer)
}

fn print(
    sent: &Sent,
    received: &Received,
    mailbox: &mut Mailbox,
    printer: &mut Printer,
) -> Result<(), CliError> {
    let mut document = send::document(sent);
    let question = documents::question(&received.asked, None);
    for name in ["status", "answer", "answered_at", "answered_by"] {
        document[name] = question[name].clone();
    }
    document["answer_text"] = json!(received.text);
    printer.document(&document)?;
    printer.line(mailstop_core::text::lines(&received.text))?;
    printer.flush()?;
    mailbox.note(|work| delivery::received(work, received, hook::now()))?;
    Ok(())
}

fn refuse(sent: &Sent, refusal: Refusal, printer: &mut Printer) -> Result<(), CliError> {
    if !printer.is_json() {
        return Err(refusal.into());
    }
    let mut document = send::document(sent);
    document["error"] = refusal.document();
    printer.document(&document)?;
    Err(CliError::from(refusal).told())
}
