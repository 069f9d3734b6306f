//! Mail for a session that asks its user something, in a terminal, with the client's own
//! dialogs.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::agent::Agent;
use crate::support::client::{Client, Kind};
use crate::support::script::{Step, Tool, call, say, shell};
use crate::support::terminal::Terminal;
use crate::{Story, any, claude};

pub(crate) const STORIES: &[Story] = &[
    any("mail waits for a permission, and comes in order", permission),
    any("a permission that is left holds nothing any more", left),
    claude("a permission that is refused holds nothing any more", refused),
    claude("mail waits for the answer to a question", question),
    claude("a question that is left holds nothing any more", question_left),
    any("mail waits for each of two dialogs", two_dialogs),
];

const ESCAPE: &str = "\x1b";
pub(crate) const ENTER: &str = "\r";
/// How long a person looks at a dialog.
const LOOK: Duration = Duration::from_secs(3);

/// A command that its client does not run without asking.
pub(crate) fn asks_leave(client: &Client) -> Step {
    match client.kind {
        Kind::Claude => shell("touch one"),
        Kind::Codex => Step::Call(vec![escalated("touch one")]),
    }
}

fn escalated(command: &str) -> Tool {
    let input = json!({ "cmd": command, "sandbox_permissions": "require_escalated",
        "justification": "May I?" });
    Tool::Named("exec_command".into(), input)
}

/// Claude Code's own question to its user.
fn asks_colour() -> Step {
    let options: Vec<Value> =
        ["Red", "Blue"].map(|label| json!({ "label": label, "description": "x" })).into();
    let one = json!({ "question": "Which colour?", "header": "Colour", "multiSelect": false,
        "options": options });
    call("AskUserQuestion", json!({ "questions": [one] }))
}

/// An agent in a turn whose client has opened a dialog.
pub(crate) fn asking<'a>(agent: &'a Agent, dialog: &str) -> Terminal<'a> {
    agent.home.write(".config/mailstop/config.toml", "block_until_resolved = []\n");
    let terminal = agent.terminal();
    terminal.begin("Work.");
    terminal.wait_until("awaiting");
    terminal.wait_for(dialog);
    terminal
}

pub(crate) fn dialog(client: &Client) -> &'static str {
    match client.kind {
        Kind::Claude => "Do you want to",
        Kind::Codex => "Would you like to run",
    }
}

/// Sends two messages into an open dialog, which stays open.
fn send_two(agent: &Agent, terminal: &Terminal<'_>) {
    for (subject, priority) in [("PARCEL", "normal"), ("LETTER", "urgent")] {
        let words = ["send", "--to", "bob", "--subject", subject, "--body", "x"];
        let sent = agent.mail.ask(&[&words[..], &["--priority", priority]].concat());
        assert_eq!(sent["delivery"], "deferred");
    }
    let start = ["send", "--to", "bob", "--body", "x", "--mode", "start"];
    assert_eq!(agent.mail.refused(&start), (4, "awaiting_user_interaction".into()));
    terminal.wait_until("awaiting");
    assert!(!agent.home.project().join("one").exists());
}

/// Answers the dialog: both messages are in the next request, in order, and in no other.
fn both_come(terminal: Terminal<'_>) {
    terminal.answer(ENTER, 2);
    let run = terminal.leave();
    run.shows_in("PARCEL", [1]);
    run.shows_in("LETTER", [1]);
    let news = &run.requests[1].news;
    assert!(news.find("PARCEL") < news.find("LETTER"), "{news}");
}

fn permission(client: &Client) {
    let agent = Agent::new(client);
    agent.script([asks_leave(client), say("Done.")]);
    let terminal = asking(&agent, dialog(client));
    send_two(&agent, &terminal);
    both_come(terminal);
}

fn question(client: &Client) {
    let agent = Agent::new(client);
    agent.script([asks_colour(), say("Done.")]);
    let terminal = asking(&agent, "Which colour?");
    send_two(&agent, &terminal);
    both_come(terminal);
}

fn left(client: &Client) {
    goes_on_after(client, asks_leave(client), dialog(client), |open| open.press(ESCAPE));
}

fn refused(client: &Client) {
    goes_on_after(client, asks_leave(client), dialog(client), |open| open.choose("No"));
}

fn question_left(client: &Client) {
    goes_on_after(client, asks_colour(), "Which colour?", |open| open.press(ESCAPE));
}

/// A dialog ends in a way that no hook hears of.
fn goes_on_after(client: &Client, asks: Step, dialog: &str, end: impl Fn(&Terminal<'_>)) {
    let agent = Agent::new(client);
    agent.script([asks, say("Seen.")]);
    let terminal = asking(&agent, dialog);
    agent.mail.send("bob", "PARCEL", &[]);
    end(&terminal);
    terminal.wait_until("idle");
    assert_eq!(agent.mail.outcome("PARCEL"), "queued");
    terminal.ask("Go on.", 1);
    terminal.leave().shows_in("PARCEL", [1]);
}

fn two_dialogs(client: &Client) {
    let agent = Agent::new(client);
    let read = |file| Tool::Named("Read".into(), json!({ "file_path": file }));
    // Codex runs neither command, and tells of neither, before both have been allowed.
    let (calls, open) = match client.kind {
        Kind::Claude => (["/etc/hostname", "/etc/hosts"].map(read), 1),
        Kind::Codex => (["touch one", "touch two"].map(escalated), 2),
    };
    agent.script([Step::Call(calls.into()), say("Done.")]);
    let terminal = asking(&agent, dialog(client));
    terminal.wait_until_open(2);
    agent.mail.send("bob", "PARCEL", &[]);
    thread::sleep(LOOK);
    terminal.press(ENTER);
    terminal.wait_until_open(open);
    assert_eq!(agent.mail.outcome("PARCEL"), "deferred");
    terminal.answer(ENTER, 2);
    terminal.leave().shows_in("PARCEL", [1]);
}
