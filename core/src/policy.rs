//! The block policy: facts in, verdict out. Pure and total; it knows no clock,
//! no store and no text.

use crate::message::{Disposition, Mode, Priority, Receipt, Status};

/// When a Stop blocks, and when a block must end. From the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Priorities that go on blocking after they were shown.
    pub block_until_resolved: Vec<Priority>,
    /// Consecutive blocks without a tool call after which a Stop lets go; 0 never does.
    pub stall_after: u32,
    /// Blocks in one turn after which a Stop lets go; 0 is no limit.
    pub max_blocks_per_turn: u32,
    /// Unread messages of one reader beyond which a send is refused; 0 is no limit.
    pub max_unread: u32,
    /// The client's own cap on consecutive blocks, where it has one.
    pub client_cap: Option<u32>,
}

impl Rules {
    /// Consecutive blocks that are allowed, or none when a block never ends by itself.
    /// Always one less than the client's own cap, so that it is us who let go and tell.
    #[must_use]
    pub fn stall_limit(&self) -> Option<u32> {
        let cap = self.client_cap.map_or(u32::MAX, |cap| cap.saturating_sub(1).max(1));
        (self.stall_after > 0).then(|| self.stall_after.min(cap))
    }
}

/// What the policy must know of one message owed to one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// The message's own status.
    pub status: Status,
    /// Its disposition; a missing one counts as actionable.
    pub disposition: Option<Disposition>,
    /// Its priority.
    pub priority: Priority,
    /// How far it got with this reader.
    pub receipt: Receipt,
    /// Whether an earlier turn ended without handling it, and whether it has blocked this turn.
    pub stall: Stall,
}

/// Where one message stands with the block budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stall {
    /// No turn was let go because of it.
    None,
    /// A turn was let go; this turn it has not blocked yet.
    Armed,
    /// A turn was let go, and it has blocked this turn.
    Spent,
}

/// How far the running turn has used up its blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    /// Blocks in a row without a tool call between them.
    pub without_tool: u32,
    /// Blocks in this turn.
    pub in_turn: u32,
}

/// Why one message holds a Stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It was never shown; showing it is what the block is for.
    Unread,
    /// It was shown, and blocks until it is resolved.
    Unresolved,
    /// An earlier turn ended without handling it; it blocks once a turn.
    Stalled,
}

/// What a Stop does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The turn may end.
    LetGo,
    /// The turn goes on, because of these, by their place in the facts.
    Block(Vec<(usize, Reason)>),
    /// The turn may end although these were not handled: the budget is used up.
    Stall(Vec<usize>),
}

/// Whether a message, by itself, holds a Stop.
#[must_use]
pub fn blocks(rules: &Rules, facts: &Facts) -> Option<Reason> {
    let actionable = facts.disposition != Some(Disposition::Acknowledgement);
    if facts.status != Status::Pending || !actionable {
        return None;
    }
    match (facts.receipt, facts.stall) {
        (Receipt::Unread, _) => Some(Reason::Unread),
        _ if !rules.block_until_resolved.contains(&facts.priority) => None,
        (_, Stall::None) => Some(Reason::Unresolved),
        (_, Stall::Armed) => Some(Reason::Stalled),
        (_, Stall::Spent) => None,
    }
}

/// Decides a Stop from everything that is owed to the session.
#[must_use]
pub fn at_stop(rules: &Rules, owed: &[Facts], budget: Budget) -> Verdict {
    let holding: Vec<(usize, Reason)> = owed
        .iter()
        .enumerate()
        .filter_map(|(place, facts)| blocks(rules, facts).map(|reason| (place, reason)))
        .collect();
    if holding.is_empty() {
        return Verdict::LetGo;
    }
    if !exhausted(rules, budget) {
        return Verdict::Block(holding);
    }
    let ignored = holding.into_iter().filter(|(_, reason)| *reason != Reason::Unread);
    Verdict::Stall(ignored.map(|(place, _)| place).collect())
}

fn exhausted(rules: &Rules, budget: Budget) -> bool {
    rules.stall_limit().is_some_and(|limit| {
        let turn_full =
            rules.max_blocks_per_turn > 0 && budget.in_turn >= rules.max_blocks_per_turn;
        budget.without_tool >= limit || turn_full
    })
}

/// The events after which text may reach the model, from the narrowest to the widest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// At a tool call, at Stop and at a prompt.
    Steer,
    /// At Stop and at a prompt.
    Stop,
    /// Only at a prompt or a start.
    Prompt,
}

impl Lane {
    /// Every lane that the events of this one may show.
    #[must_use]
    pub fn shown(self) -> &'static [Lane] {
        match self {
            Lane::Steer => &[Lane::Steer],
            Lane::Stop => &[Lane::Steer, Lane::Stop],
            Lane::Prompt => &[Lane::Steer, Lane::Stop, Lane::Prompt],
        }
    }
}

/// The lane an unread message waits in.
#[must_use]
pub fn lane(status: Status, disposition: Option<Disposition>, mode: Mode) -> Lane {
    match (status, disposition, mode) {
        (Status::Pending, Some(Disposition::Acknowledgement), _) => Lane::Prompt,
        (Status::Pending, _, Mode::Queue) => Lane::Stop,
        (Status::Pending, _, Mode::Auto | Mode::Steer | Mode::Start) => Lane::Steer,
        (Status::Resolved | Status::Withdrawn | Status::Expired, _, _) => Lane::Prompt,
    }
}

#[cfg(test)]
mod tests;
