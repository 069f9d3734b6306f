//! `mailstop log`.

use std::thread::sleep;
use std::time::Duration;

use jiff::Timestamp;
use mailstop_core::store::{Activity, What};
use mailstop_core::text;
use serde_json::{Value, json};

use crate::args::LogArgs;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;

/// How often a followed log asks whether anybody wrote the mailbox.
const PACE: Duration = Duration::from_millis(200);

/// Prints what happened, and with `--follow` what happens.
pub(crate) fn run(args: &LogArgs, printer: &mut Printer) -> Result<(), CliError> {
    let mut mailbox = Mailbox::open_to_read()?;
    let past = mailbox.look(|work, _| Ok(work.latest_activities(args.limit)?))?;
    if !args.follow {
        let documents: Vec<_> = past.iter().map(document).collect();
        printer.document(&json!({ "activities": documents }))?;
        return past.iter().try_for_each(|one| printer.line(line(one)));
    }
    let mut last = match past.last() {
        Some(one) => one.id,
        None => mailbox.look(|work, _| Ok(work.latest_activities(1)?))?.last().map_or(0, |a| a.id),
    };
    past.iter().try_for_each(|one| print(one, printer))?;
    loop {
        printer.flush()?;
        let version = mailbox.version()?;
        let news = mailbox.look(|work, _| Ok(work.activities_after(last)?))?;
        last = news.last().map_or(last, |one| one.id);
        news.iter().try_for_each(|one| print(one, printer))?;
        printer.flush()?;
        while mailbox.version()? == version {
            sleep(PACE);
        }
    }
}

/// One activity of a followed log, as a line in either form.
fn print(one: &Activity, printer: &mut Printer) -> Result<(), CliError> {
    if printer.is_json() {
        return printer.raw(&format!("{}\n", document(one)));
    }
    printer.line(line(one))
}

fn document(one: &Activity) -> Value {
    json!({
        "at": one.at,
        "what": one.what.as_str(),
        "id": one.message,
        "who": one.who,
        "detail": one.detail,
    })
}

fn line(one: &Activity) -> String {
    let id = one.message.as_deref().unwrap_or("-");
    let link = match one.what {
        What::Stored => " to ",
        What::Offered | What::Seen => " by ",
        What::Started | What::Renamed => " as ",
        _ => ": ",
    };
    let detail = one.detail.as_deref().map_or(String::new(), |detail| link.to_owned() + detail);
    let told = text::line(&format!("{}{detail}", one.who));
    format!("{} {id:<8} {:<9} {told}", clock(one.at), one.what)
}

/// A time, UTC, to the second.
fn clock(at: i64) -> String {
    let at = Timestamp::from_millisecond(at.div_euclid(1000) * 1000);
    at.map_or_else(|_| "-".to_owned(), |at| at.to_string())
}
