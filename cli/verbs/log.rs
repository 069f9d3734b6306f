//! `mailstop log`.

use std::thread::sleep;
use std::time::Duration;

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

/// A time of day, UTC.
fn clock(at: i64) -> String {
    let seconds = at.div_euclid(1000);
    let (day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = date(day);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

/// The civil date of a day since 1970, after the era algorithm of ISO 8601 calendars.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day = days.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_utc() {
        assert_eq!(clock(0), "1970-01-01T00:00:00Z");
        assert_eq!(clock(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(clock(1_796_083_199_000), "2026-11-30T23:59:59Z");
    }
}
