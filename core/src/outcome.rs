//! The one truthful answer for a message and a recipient. Pure.

use crate::message::{Disposition, Outcome, Priority, Receipt, Status};
use crate::policy::Lane;

/// What decides an outcome.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The message's own status.
    pub status: Status,
    /// Its disposition; none counts as actionable.
    pub disposition: Option<Disposition>,
    /// Its priority.
    pub priority: Priority,
    /// How far it got with this reader.
    pub receipt: Receipt,
    /// Where it waits.
    pub lane: Lane,
    /// Whether a turn was let go because of it.
    pub stalled: bool,
    /// Whether this delivery was given up.
    pub dead: bool,
    /// Whether the recipient is in a turn now.
    pub running: bool,
    /// Whether it asks its user something.
    pub awaiting: bool,
    /// The priorities that block until they are resolved.
    pub blocking: &'a [Priority],
}

/// Tells the outcome.
#[must_use]
pub fn of(facts: &Facts<'_>) -> Outcome {
    match facts.status {
        Status::Resolved => return Outcome::Resolved,
        Status::Withdrawn => return Outcome::Withdrawn,
        Status::Pending | Status::Expired if facts.dead => return Outcome::Dead,
        Status::Expired => return Outcome::Expired,
        Status::Pending => {}
    }
    let actionable = facts.disposition != Some(Disposition::Acknowledgement);
    let holds = actionable && facts.blocking.contains(&facts.priority);
    match facts.receipt {
        _ if facts.stalled => Outcome::Stalled,
        Receipt::Seen if holds => Outcome::Blocking,
        Receipt::Seen => Outcome::Seen,
        Receipt::Offered => Outcome::Offered,
        Receipt::Unread if facts.awaiting && facts.lane == Lane::Steer => Outcome::Deferred,
        Receipt::Unread if facts.running && facts.lane == Lane::Steer => Outcome::Sent,
        Receipt::Unread => Outcome::Queued,
    }
}

/// The outcome of a message with several recipients: its slowest one's.
#[must_use]
pub fn slowest(outcomes: impl IntoIterator<Item = Outcome>) -> Option<Outcome> {
    outcomes.into_iter().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_told_from_the_facts() {
        let unread = Facts {
            status: Status::Pending,
            disposition: Some(Disposition::Actionable),
            priority: Priority::High,
            receipt: Receipt::Unread,
            lane: Lane::Steer,
            stalled: false,
            dead: false,
            running: false,
            awaiting: false,
            blocking: &[Priority::High],
        };
        assert_eq!(of(&unread), Outcome::Queued);
        assert_eq!(of(&Facts { running: true, ..unread }), Outcome::Sent);
        assert_eq!(of(&Facts { running: true, lane: Lane::Stop, ..unread }), Outcome::Queued);
        let parked = Facts { awaiting: true, ..unread };
        assert_eq!(of(&parked), Outcome::Deferred);
        assert_eq!(of(&Facts { lane: Lane::Stop, ..parked }), Outcome::Queued);
        let seen = Facts { receipt: Receipt::Seen, ..unread };
        assert_eq!(of(&seen), Outcome::Blocking);
        assert_eq!(of(&Facts { priority: Priority::Low, ..seen }), Outcome::Seen);
        assert_eq!(of(&Facts { stalled: true, ..seen }), Outcome::Stalled);
        assert_eq!(of(&Facts { status: Status::Withdrawn, ..seen }), Outcome::Withdrawn);
        let dead = Facts { dead: true, ..unread };
        assert_eq!(of(&dead), Outcome::Dead);
        assert_eq!(of(&Facts { status: Status::Expired, ..dead }), Outcome::Dead);
        assert_eq!(of(&Facts { status: Status::Resolved, ..dead }), Outcome::Resolved);
        assert_eq!(slowest([Outcome::Dead, Outcome::Seen]), Some(Outcome::Seen));
        assert_eq!(slowest([Outcome::Seen, Outcome::Queued]), Some(Outcome::Queued));
    }
}
