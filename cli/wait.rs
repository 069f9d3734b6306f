//! Waiting until a message has come as far as its sender wants to know.

use std::thread::sleep;
use std::time::{Duration, Instant};

use mailstop_core::delivery::{self, Report};
use mailstop_core::hook;
use mailstop_core::message::Outcome;
use mailstop_core::refusal::{Class, Refusal};

use crate::args::Goal;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;
use crate::progress::Progress;

/// How often the mailbox is asked whether anybody wrote it, which touches no disk.
const PACE: Duration = Duration::from_millis(50);
/// What no write tells, such as a process that is gone, is looked at so often.
const LOOK_ANYWAY: Duration = Duration::from_secs(2);

/// How a wait ended, with the last answer.
pub(crate) struct Waited {
    /// Where the message is now.
    pub(crate) report: Report,
    /// Why it did not get as far as was wanted.
    pub(crate) refusal: Option<Refusal>,
}

/// Waits until every recipient of a message has come to the goal, or never will.
pub(crate) fn wait_for(
    id: &str,
    goal: Goal,
    timeout: Option<Duration>,
    printer: &Printer,
) -> Result<Waited, CliError> {
    let mut mailbox = Mailbox::open_to_read()?;
    let blocking = mailbox.blocking();
    let progress = Progress::waiting("waiting", printer);
    let began = Instant::now();
    let (mut looked, mut version) = (began, mailbox.version()?);
    loop {
        let now = hook::now();
        let report = mailbox.look(|work, _| delivery::report(work, id, &blocking, now))?;
        if goal.is_reached(report.outcome) {
            return Ok(Waited { report, refusal: None });
        }
        if let Some(refusal) = hopeless(&report) {
            return Ok(Waited { report, refusal: Some(refusal) });
        }
        progress.say(format!("{id} is {}; waiting until it is {}", report.outcome, goal.word()));
        loop {
            if timeout.is_some_and(|timeout| began.elapsed() >= timeout) {
                let refusal = late(&report, goal);
                return Ok(Waited { report, refusal: Some(refusal) });
            }
            sleep(PACE);
            let found = mailbox.version()?;
            if found != version || looked.elapsed() >= LOOK_ANYWAY {
                (version, looked) = (found, Instant::now());
                break;
            }
        }
    }
}

/// Ends from which no message goes on.
fn hopeless(report: &Report) -> Option<Refusal> {
    let id = &report.message.id;
    match report.outcome {
        Outcome::Withdrawn => {
            Some(Refusal::failed(format!("{id} was withdrawn"), "`mailstop status` tells by whom"))
        }
        Outcome::Dead => Some(Refusal::failed(
            format!("{id} was given up: {}", last_error(report)),
            format!("`mailstop dead retry {id}` has it tried again"),
        )),
        Outcome::Expired => Some(Refusal::failed(
            format!("{id} expired first"),
            "send it again, with a longer --expires or none",
        )),
        _ => None,
    }
}

fn last_error(report: &Report) -> &str {
    report.recipients.iter().find_map(|one| one.last_error.as_deref()).unwrap_or_default()
}

fn late(report: &Report, goal: Goal) -> Refusal {
    let (id, outcome) = (&report.message.id, report.outcome);
    Refusal::new(
        Class::TimedOut,
        Class::TimedOut.code(),
        format!("{id} is {outcome}, not {} yet", goal.word()),
        format!("it stays as it is; `mailstop status {id}` tells how far it is"),
    )
}
