//! Whether the clock was set, and whether mail is dated in times to come.

use mailstop_core::clock::Reading;
use mailstop_core::message::Millis;
use mailstop_core::store::{Result, Work};

use super::Finding;

const HOUR: Millis = 60 * 60 * 1000;
/// Others may send while this looks.
const SOON: Millis = 60 * 1000;

/// Looks at the clock, and at what was stored by it.
pub(crate) fn check(work: &Work<'_>, now: Millis) -> Result<Vec<Finding>> {
    let first = work.first_reading()?;
    let set = first.and_then(|first| Reading::with_wall(now).set_since(&first)).unwrap_or(0);
    let mut findings = vec![if set.abs() <= HOUR {
        Finding::fine("clock", "the clock was not set since the machine started")
    } else {
        Finding::note(
            "clock",
            format!("the clock was set {} since the machine started", shift(set)),
            "compare it with date; until the machine starts again, terms are not ended early by it",
        )
    }];
    if let Some((count, last, at)) = work.sent_after(now + SOON)? {
        findings.push(Finding::note(
            "clock",
            format!("{count} dated in the future, the last of them {last} by {}", length(at - now)),
            "compare the clock with date; if it is right now, it ran ahead when they were sent: \
             they are delivered all the same",
        ));
    }
    Ok(findings)
}

fn shift(by: Millis) -> String {
    let direction = if by > 0 { "forward" } else { "back" };
    format!("{direction} by {}", length(by.abs()))
}

/// A length of time in its largest unit.
fn length(time: Millis) -> String {
    match time / HOUR {
        0 => format!("{}m", time / 60_000),
        hours @ 1..48 => format!("{hours}h"),
        hours => format!("{}d", hours / 24),
    }
}
