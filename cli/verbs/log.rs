//! `mailstop log`.

use std::thread::sleep;
use std::time::Duration;

use jiff::Timestamp;
use mailstop_core::text;
use serde_json::json;

use crate::args::LogArgs;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;

/// How often a followed log looks for news.
const PACE: Duration = Duration::from_millis(500);

/// How much of the past a followed log compares with.
const FOLLOWED: usize = 1000;

type Activity = (i64, String, String, String);

/// Prints what happened, and with `--follow` what happens.
pub(crate) fn run(args: &LogArgs, printer: &mut Printer) -> Result<(), CliError> {
    let mut shown = recent(if args.follow { FOLLOWED } else { args.limit })?;
    let past = shown.len().saturating_sub(args.limit);
    if !args.follow {
        let documents: Vec<_> = shown.iter().map(document).collect();
        printer.document(&json!({ "activities": documents }))?;
    }
    print(&shown[past..], args.follow, printer)?;
    if !args.follow {
        return Ok(());
    }
    loop {
        printer.flush()?;
        sleep(PACE);
        let recent = recent(FOLLOWED)?;
        let news: Vec<Activity> =
            recent.iter().filter(|one| !shown.contains(one)).cloned().collect();
        print(&news, true, printer)?;
        shown = recent;
    }
}

fn recent(limit: usize) -> Result<Vec<Activity>, CliError> {
    Mailbox::open_to_read()?.look(|work, _| Ok(work.activity(limit)?))
}

fn document((at, what, id, who): &Activity) -> serde_json::Value {
    json!({ "at": at, "what": what, "id": id, "who": who })
}

fn print(news: &[Activity], follow: bool, printer: &mut Printer) -> Result<(), CliError> {
    for one in news {
        let (at, what, id, who) = one;
        if printer.is_json() && follow {
            printer.raw(&format!("{}\n", document(one)))?;
        }
        printer.line(format!("{} {id} {what:<9} {}", clock(*at), text::line(who)))?;
    }
    Ok(())
}

/// A time, UTC, to the second.
fn clock(at: i64) -> String {
    let at = Timestamp::from_millisecond(at.div_euclid(1000) * 1000);
    at.map_or_else(|_| "-".to_owned(), |at| at.to_string())
}
