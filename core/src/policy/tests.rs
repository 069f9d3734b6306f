//! The whole table: every status, disposition, priority, receipt, stall and budget.

use super::*;

fn rules() -> Rules {
    Rules {
        block_until_resolved: vec![Priority::High, Priority::Urgent],
        stall_after: 6,
        max_blocks_per_turn: 20,
        max_unread: 0,
        client_cap: Some(8),
    }
}

const DISPOSITIONS: [Option<Disposition>; 3] =
    [None, Some(Disposition::Actionable), Some(Disposition::Acknowledgement)];
const STALLS: [Stall; 3] = [Stall::None, Stall::Armed, Stall::Spent];
const BUDGETS: [(Budget, bool); 5] = [
    (Budget { without_tool: 0, in_turn: 0 }, false),
    (Budget { without_tool: 5, in_turn: 5 }, false),
    (Budget { without_tool: 6, in_turn: 6 }, true),
    (Budget { without_tool: 0, in_turn: 19 }, false),
    (Budget { without_tool: 0, in_turn: 20 }, true),
];

/// The table of the design, said a second way: rows of words rather than rules.
fn expected(facts: Facts, exhausted: bool) -> Verdict {
    let row = (
        facts.status.as_str(),
        facts.disposition.map_or("missing", Disposition::as_str),
        facts.priority.as_str(),
        facts.receipt.as_str(),
    );
    let reason = match row {
        ("resolved" | "withdrawn" | "expired", ..) | (_, "acknowledgement", ..) => None,
        (_, _, _, "unread") => Some(Reason::Unread),
        (_, _, "low" | "normal", _) => None,
        _ => match facts.stall {
            Stall::None => Some(Reason::Unresolved),
            Stall::Armed => Some(Reason::Stalled),
            Stall::Spent => None,
        },
    };
    match (reason, exhausted) {
        (None, _) => Verdict::LetGo,
        (Some(reason), false) => Verdict::Block(vec![(0, reason)]),
        (Some(Reason::Unread), true) => Verdict::Stall(vec![]),
        (Some(_), true) => Verdict::Stall(vec![0]),
    }
}

#[test]
fn every_combination_gives_the_verdict_of_the_table() {
    let mut rows = 0;
    for &status in Status::ALL {
        for disposition in DISPOSITIONS {
            for &priority in Priority::ALL {
                for &receipt in Receipt::ALL {
                    for stall in STALLS {
                        for (budget, exhausted) in BUDGETS {
                            let facts = Facts { status, disposition, priority, receipt, stall };
                            let verdict = at_stop(&rules(), &[facts], budget);
                            assert_eq!(verdict, expected(facts, exhausted), "{facts:?} {budget:?}");
                            rows += 1;
                        }
                    }
                }
            }
        }
    }
    assert_eq!(rows, 4 * 3 * 4 * 3 * 3 * 5);
}

#[test]
fn an_empty_set_makes_every_priority_surface_once() {
    let rules = Rules { block_until_resolved: vec![], ..rules() };
    for &priority in Priority::ALL {
        let mut facts = Facts {
            status: Status::Pending,
            disposition: Some(Disposition::Actionable),
            priority,
            receipt: Receipt::Unread,
            stall: Stall::None,
        };
        assert_eq!(blocks(&rules, &facts), Some(Reason::Unread));
        for receipt in [Receipt::Offered, Receipt::Seen] {
            facts.receipt = receipt;
            assert_eq!(blocks(&rules, &facts), None);
        }
    }
}

#[test]
fn no_stall_limit_blocks_until_resolved_whatever_the_client_does() {
    let rules = Rules { stall_after: 0, ..rules() };
    let facts = Facts {
        status: Status::Pending,
        disposition: None,
        priority: Priority::High,
        receipt: Receipt::Seen,
        stall: Stall::None,
    };
    let budget = Budget { without_tool: 1000, in_turn: 1000 };
    assert_eq!(at_stop(&rules, &[facts], budget), Verdict::Block(vec![(0, Reason::Unresolved)]));
}

#[test]
fn the_stall_limit_stays_below_the_clients_own_cap() {
    for (stall_after, cap, limit) in
        [(6, Some(8), 6), (6, Some(4), 3), (6, Some(1), 1), (9, None, 9)]
    {
        let rules = Rules { stall_after, client_cap: cap, ..rules() };
        assert_eq!(rules.stall_limit(), Some(limit));
    }
}

#[test]
fn one_message_among_many_is_told_by_its_place() {
    let quiet = Facts {
        status: Status::Resolved,
        disposition: None,
        priority: Priority::High,
        receipt: Receipt::Unread,
        stall: Stall::None,
    };
    let loud = Facts { status: Status::Pending, ..quiet };
    let verdict = at_stop(&rules(), &[quiet, loud, quiet], Budget::default());
    assert_eq!(verdict, Verdict::Block(vec![(1, Reason::Unread)]));
}

#[test]
fn lanes_say_which_events_may_show_a_message() {
    let ack = Some(Disposition::Acknowledgement);
    assert_eq!(lane(Status::Pending, None, Mode::Auto), Lane::Steer);
    assert_eq!(lane(Status::Pending, None, Mode::Queue), Lane::Stop);
    assert_eq!(lane(Status::Pending, ack, Mode::Steer), Lane::Prompt);
    assert_eq!(lane(Status::Resolved, None, Mode::Auto), Lane::Prompt);
}
