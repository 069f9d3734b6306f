//! Which messages a sweep may empty. Pure and total.

use std::fmt;
use std::str::FromStr;

use crate::message::{Disposition, Invalid, Millis, Status, words};

/// A day, in milliseconds.
pub const DAY: Millis = 24 * 60 * 60 * 1000;

words! {
    /// Why the content of a message is removed.
    Reason, "reason" {
        /// It was resolved long ago.
        Resolved = "resolved",
        /// It was withdrawn long ago.
        Withdrawn = "withdrawn",
        /// Its term ended long ago.
        Expired = "expired",
        /// It only informs, and nobody closed it; it expires now.
        Acknowledgement = "acknowledgement",
    }
}

/// What retention must know of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Its status.
    pub status: Status,
    /// Its disposition; a missing one counts as actionable.
    pub disposition: Option<Disposition>,
    /// The later of its creation and its closing.
    pub since: Millis,
}

/// Tells why a message's content may go now, or nothing when it stays. Work that is still
/// open stays, whatever its age.
#[must_use]
pub fn verdict(facts: Facts, now: Millis, ttl: Millis) -> Option<Reason> {
    if facts.since > now.saturating_sub(ttl) {
        return None;
    }
    match (facts.status, facts.disposition) {
        (Status::Resolved, _) => Some(Reason::Resolved),
        (Status::Withdrawn, _) => Some(Reason::Withdrawn),
        (Status::Expired, _) => Some(Reason::Expired),
        (Status::Pending, Some(Disposition::Acknowledgement)) => Some(Reason::Acknowledgement),
        (Status::Pending, Some(Disposition::Actionable) | None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_work_stays_and_the_rest_goes_at_its_age() {
        let ttl = 30 * DAY;
        let at = |status, disposition, age| {
            verdict(Facts { status, disposition, since: 100 * DAY - age }, 100 * DAY, ttl)
        };
        let actionable = Some(Disposition::Actionable);
        let informs = Some(Disposition::Acknowledgement);
        for age in [0, 30 * DAY, 90 * DAY, -5 * DAY] {
            assert_eq!(at(Status::Pending, actionable, age), None);
            assert_eq!(at(Status::Pending, None, age), None);
        }
        for (status, reason) in [
            (Status::Resolved, Reason::Resolved),
            (Status::Withdrawn, Reason::Withdrawn),
            (Status::Expired, Reason::Expired),
        ] {
            for disposition in [None, actionable, informs] {
                assert_eq!(at(status, disposition, 30 * DAY), Some(reason));
                assert_eq!(at(status, disposition, 30 * DAY - 1), None);
            }
        }
        assert_eq!(at(Status::Pending, informs, 30 * DAY), Some(Reason::Acknowledgement));
        assert_eq!(at(Status::Pending, informs, 29 * DAY), None);
    }
}
