//! Dialogs out of the ordinary: of a subagent, in modes that ask rarely or never, and in
//! a session that has something else going on.

use serde_json::{Value, json};

use crate::holds::{ENTER, asking, asks_leave, dialog};
use crate::support::agent::Agent;
use crate::support::client::Client;
use crate::support::received::Received;
use crate::support::script::{Step, call, look, say, shell};
use crate::{Story, any, claude, codex};

pub(crate) const STORIES: &[Story] = &[
    any("nothing is held where nobody can be asked", headless),
    claude("mail waits for a word on a plan", plan),
    claude("mail waits for the dialog of a subagent", subagent),
    claude("mail waits for what is asked although permissions are bypassed", bypass),
    claude("a command in the background hides no idle session", background),
    codex("mail waits for the answer to a question of Codex", question),
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

/// The agent goes on meanwhile and ends its turn; that its subagent is done it hears in a
/// prompt of the client's.
fn subagent(client: &Client) {
    let agent = Agent::new(client);
    let task = json!({ "description": "A part", "prompt": "Do the part.",
        "subagent_type": "general-purpose", "run_in_background": true });
    let both = |request: &Received| {
        if request.shows("Do the part.") { shell("touch one") } else { say("I wait for it.") }
    };
    let ends = ["The part is done.", "All is done."].map(say);
    let steps = [call("Agent", task), look(both), look(both)].into_iter().chain(ends);
    agent.script(steps);
    waits_for_the_answer(&agent, ("permission", dialog(client)), 5);
}

fn bypass(client: &Client) {
    let agent = Agent::new(client).options(["--permission-mode", "bypassPermissions"]);
    // The client refuses the mode to an administrator outside of a sandbox.
    let agent = agent.env("IS_SANDBOX", "1");
    let settings = json!({ "permissions": { "ask": ["Bash(touch:*)"] } });
    agent.home.write("project/.claude/settings.json", &settings.to_string());
    agent.script([asks_leave(client), say("Done.")]);
    waits_for_the_answer(&agent, ("permission", dialog(client)), 2);
}

fn background(client: &Client) {
    let agent = Agent::new(client);
    let waits = json!({ "command": "tail -f .git/HEAD", "description": "Waits",
        "run_in_background": true });
    agent.script([call("Bash", waits), say("Started."), asks_leave(client), say("Seen.")]);
    let terminal = agent.terminal();
    terminal.ask("Wait.", 2);
    terminal.begin("Work.");
    terminal.wait_until("awaiting");
    terminal.wait_for(dialog(client));
    agent.mail.send("bob", "PARCEL", &[]);
    terminal.choose("No");
    terminal.wait_until("idle");
    assert_eq!(agent.mail.outcome("PARCEL"), "queued");
    terminal.ask("Go on.", 1);
    assert_eq!(agent.mail.outcome("PARCEL"), "seen");
}

/// Codex asks its user only while it plans.
fn question(client: &Client) {
    let agent = Agent::new(client);
    let options: Vec<Value> =
        ["Red", "Blue"].map(|label| json!({ "label": label, "description": "x" })).into();
    let one = json!({ "id": "colour", "question": "Which colour?", "header": "Colour",
        "options": options });
    let asks: Step = call("request_user_input", json!({ "questions": [one] }));
    agent.script([asks, say("Done.")]);
    let terminal = agent.terminal();
    terminal.enter("/plan");
    terminal.begin("Work.");
    terminal.wait_until("awaiting");
    terminal.wait_for("Which colour?");
    agent.mail.send("bob", "PARCEL", &[]);
    assert_eq!(agent.mail.outcome("PARCEL"), "deferred");
    terminal.answer(ENTER, 2);
    terminal.leave().shows_in("PARCEL", [1]);
}
