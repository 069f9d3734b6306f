//! Dialogs out of the ordinary, and modes that have none.

use serde_json::json;

use crate::holds::{ENTER, asking, asks_leave};
use crate::support::agent::Agent;
use crate::support::client::Client;
use crate::support::script::{call, say};
use crate::{Story, any, claude};

pub(crate) const STORIES: &[Story] = &[
    any("nothing is held where nobody can be asked", headless),
    claude("mail waits for a word on a plan", plan),
];

/// A message sent into an open dialog is in the last request after its answer.
fn waits_for_the_answer(agent: &Agent, (what, shows): (&str, &str), requests: usize) {
    let terminal = asking(agent, shows);
    assert_eq!(agent.mail.ask(&["sessions"])["sessions"][0]["awaiting"][0]["what"], what);
    agent.mail.send("bob", "PARCEL", &[]);
    assert_eq!(agent.mail.outcome("PARCEL"), "deferred");
    terminal.answer(ENTER, requests);
    let run = terminal.leave();
    let last = run.requests.last().expect("the model was asked");
    assert!(run.requests.len() == requests && last.shows("PARCEL"), "{run:#?}");
}

fn headless(client: &Client) {
    let agent = Agent::new(client);
    let mail = agent.mail.clone();
    let sent = say("Done.").after(move || {
        let words = ["send", "--to", "bob", "--subject", "PARCEL", "--body", "x"];
        assert_eq!(mail.ask(&words)["delivery"], "sent");
    });
    agent.script([asks_leave(client), sent, say("Seen.")]);
    agent.prompt("Work.").run().shows_in("PARCEL", [2]);
}

fn plan(client: &Client) {
    let agent = Agent::new(client).options(["--permission-mode", "plan"]);
    agent.script([call("ExitPlanMode", json!({ "plan": "1. Work." })), say("Done.")]);
    waits_for_the_answer(&agent, ("plan", "Exit plan mode?"), 2);
}
