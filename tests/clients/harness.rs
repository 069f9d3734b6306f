//! The harness proves itself, without the product: hooks of a few shell lines.

use crate::support::agent::Agent;
use crate::support::client::Client;
use crate::support::script::{resolve_as_told, say, shell, shells};
use crate::{Story, any, codex};

pub(crate) const STORIES: &[Story] = &[
    any("a Stop reason reaches the model", stop_reason),
    any("a context reaches the model once", context),
    any("three siblings run from one answer", siblings),
    any("the printed command is run", printed_command),
    codex("the sandbox keeps commands out of the home", sandbox),
];

/// Blocks the first Stop and lets go of the next.
const BLOCK_ONCE: &str = r#"cat >/dev/null
[ -e "$HOME/blocked" ] || echo '{"decision":"block","reason":"Look at \"PARCEL\" & <then> go on."}'
: >"$HOME/blocked""#;

fn stop_reason(client: &Client) {
    let agent = Agent::with_scripts(client, &[("Stop", BLOCK_ONCE)]);
    agent.script([say("Done."), say("Seen.")]);
    let run = agent.prompt("Work.").run();
    run.shows_in("Look at \"PARCEL\" & <then> go on.", [1]);
    assert!(!run.session.is_empty(), "{}", run.output);
}

fn context(client: &Client) {
    let output = r#"{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"PARCEL"}}"#;
    let agent = Agent::with_scripts(client, &[("UserPromptSubmit", &format!("echo '{output}'"))]);
    agent.script([shell("ls"), say("Done.")]);
    let run = agent.prompt("Work.").run();
    run.shows_in("PARCEL", [0]);
    assert!(run.requests[1].remembers("PARCEL"));
}

fn siblings(client: &Client) {
    let agent = Agent::with_scripts(
        client,
        &[("PostToolUse", r#"cat >>"$HOME/calls"; echo >>"$HOME/calls""#)],
    );
    agent.script([shells(["echo one", "echo two", "echo three"]), say("Done.")]);
    let run = agent.prompt("Work.").run();
    assert_eq!(run.requests[1].outputs.len(), 3);
    assert_eq!(agent.home.read("calls").matches("PostToolUse").count(), 3);
}

fn printed_command(client: &Client) {
    let block = BLOCK_ONCE.replace("go on.", r"run: '\''/a b/resolve'\'' --id k3y");
    let agent = Agent::with_scripts(client, &[("Stop", &block)]);
    agent.script([say("Done."), resolve_as_told(), say("Tried.")]);
    let run = agent.prompt("Work.").run();
    assert!(run.requests[2].remembers("'/a b/resolve' --id k3y"));
}

fn sandbox(client: &Client) {
    let agent = Agent::with_scripts(client, &[("Stop", "cat >/dev/null")]);
    agent.script([shell("touch ~/outside; touch inside"), say("Done.")]);
    let run = agent.prompt("Work.").run();
    assert!(run.requests[1].outputs[0].contains("Read-only file system"), "{}", run.output);
    assert!(agent.home.project().join("inside").exists());
}
