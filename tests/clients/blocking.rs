//! A message holds the agent's Stop until it is handled.

use crate::support::agent::Agent;
use crate::support::client::Client;
use crate::support::script::{Step, resolve_as_told, say};
use crate::{Story, any, claude};

pub(crate) const STORIES: &[Story] = &[
    any("a normal message blocks once", normal),
    any("an urgent message blocks until it is resolved", urgent),
    any("a missing resolve is asked for again", asked_again),
    any("an acknowledgement does not block", acknowledgement),
    any("an ignored message is let go, and its sender is told", ignored),
    claude("a block in plan mode ends", plan_mode),
];

/// Mail with this subject, sent just before the model says that it is done.
fn done_when_sent(agent: &Agent, subject: &'static str, options: &'static [&str]) -> Step {
    let mail = agent.mail.clone();
    say("Done.").after(move || {
        mail.send("bob", subject, options);
    })
}

fn normal(client: &Client) {
    let agent = Agent::new(client);
    agent.script([done_when_sent(&agent, "PARCEL", &[]), say("Seen.")]);
    let run = agent.prompt("Work.").run();
    run.shows_in("PARCEL", [1]);
    assert_eq!(agent.mail.outcome("PARCEL"), "seen");
}

fn urgent(client: &Client) {
    let agent = Agent::new(client);
    let sent = done_when_sent(&agent, "PARCEL", &["--priority", "urgent"]);
    agent.script([sent, resolve_as_told(), say("Handled.")]);
    let run = agent.prompt("Work.").run();
    run.shows_in("PARCEL", [1]);
    assert_eq!(agent.mail.outcome("PARCEL"), "resolved", "{:?}", run.requests[2].outputs);
}

fn asked_again(client: &Client) {
    let agent = Agent::new(client);
    let sent = done_when_sent(&agent, "PARCEL", &["--priority", "high"]);
    agent.script([sent, say("No."), say("Still no."), resolve_as_told(), say("Handled.")]);
    let run = agent.prompt("Work.").run();
    run.shows_in("PARCEL", [1, 2, 3]);
    assert_eq!(agent.mail.outcome("PARCEL"), "resolved");
}

fn acknowledgement(client: &Client) {
    let agent = Agent::new(client);
    let options = &["--disposition", "acknowledgement", "--priority", "urgent"];
    agent.script([done_when_sent(&agent, "PARCEL", options)]);
    let run = agent.prompt("Work.").run();
    run.shows_in("PARCEL", []);
    agent.script([say("Seen.")]);
    let next = agent.prompt("More work.").resume(&run.session).run();
    next.shows_in("PARCEL", [0]);
}

fn ignored(client: &Client) {
    let agent = Agent::new(client);
    agent.script([done_when_sent(&agent, "PARCEL", &["--priority", "urgent"])]);
    agent.always_say("No.");
    let run = agent.prompt("Work.").run();
    run.shows_in("PARCEL", [1, 2, 3, 4, 5, 6]);
    assert_eq!(agent.mail.outcome("PARCEL"), "stalled");
    let notices = agent.mail.subjects("user");
    assert_eq!(notices.len(), 1, "{notices:?}");
}

fn plan_mode(client: &Client) {
    let agent = Agent::new(client);
    let sent = done_when_sent(&agent, "PARCEL", &["--priority", "urgent"]);
    agent.script([sent, resolve_as_told(), say("Handled.")]);
    let run = agent.prompt("Plan.").args(["--permission-mode", "plan"]).run();
    run.shows_in("PARCEL", [1]);
    assert_eq!(agent.mail.outcome("PARCEL"), "resolved");
}
