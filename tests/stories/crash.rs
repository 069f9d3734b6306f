//! Death at any moment, and clients that do not take what is written: no message is
//! lost, and one is shown twice only if a hook died between flushing and committing.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::session::Session;
use crate::shown::Shown;
use crate::world::{PROMPT, START, STOP, TOOL, World};

/// What a client does with an output: it goes into the transcript.
fn take(session: &Session<'_>, text: &str) {
    let mut file = OpenOptions::new().append(true).create(true).open(&session.transcript).unwrap();
    writeln!(file, "{text}").unwrap();
}

fn spawn(session: &Session<'_>, program: &str, name: &str, stdout: Stdio) -> Child {
    let mut hook: Command = session.hook(program);
    let mut child =
        hook.stdin(Stdio::piped()).stdout(stdout).stderr(Stdio::null()).spawn().unwrap();
    let payload =
        session.payload(name, &json!({ "tool_use_id": "t", "duration_ms": 0 })).to_string();
    let _ = child.stdin.take().unwrap().write_all(payload.as_bytes());
    child
}

/// Microseconds below a limit, spread by the round's number.
pub(crate) fn delay(round: u64, limit: u64) -> Duration {
    Duration::from_micros(round.wrapping_mul(2_654_435_761) % limit)
}

fn kill_at_random(program: &str, name: &str) {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let (mut killed, mut twice) = (0, 0);
    for round in 0..75 {
        let id =
            world.json(&["send", "--to", "bob", "--body", "x"])["id"].as_str().unwrap().to_owned();
        let mut child = spawn(&bob, program, name, Stdio::piped());
        std::thread::sleep(delay(round, 12_000));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        let died = output.status.code().is_none();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.is_empty() || text.ends_with('\n'), "half a line: {text}");
        take(&bob, &text);
        // A prompt so soon after a prompt would be its twin.
        let again = if name == "UserPromptSubmit" { bob.tool("t") } else { bob.prompt() };
        take(&bob, again.text());
        let shown = usize::from(text.contains(&id))
            + usize::from(again.text().contains(&format!("[{id}]")));
        assert!(
            shown == 1 || (shown == 2 && died),
            "round {round}: shown {shown} times, killed: {died}"
        );
        killed += usize::from(died);
        twice += usize::from(shown == 2);
    }
    assert_eq!(
        (bob.prompt(), world.json(&["inbox", "--unread"])["messages"].clone()),
        (Shown::Nothing, json!([]))
    );
    eprintln!("{name}: 75 rounds, {killed} killed, {twice} shown twice");
}

/// B02.
#[test]
fn a_killed_start_loses_nothing() {
    kill_at_random(START, "SessionStart");
}

/// B02.
#[test]
fn a_killed_prompt_loses_nothing() {
    kill_at_random(PROMPT, "UserPromptSubmit");
}

/// B02.
#[test]
fn a_killed_tool_hook_loses_nothing() {
    kill_at_random(TOOL, "PostToolUse");
}

/// B02.
#[test]
fn a_killed_stop_loses_nothing() {
    kill_at_random(STOP, "Stop");
}

/// B26: the first processes of all die while they make the mailbox.
#[test]
fn a_mailbox_that_was_never_finished_is_finished_by_the_next() {
    for round in 0..60 {
        let world = World::new();
        let bob = world.session("s1").named("bob");
        let mut child = spawn(&bob, START, "SessionStart", Stdio::piped());
        std::thread::sleep(delay(round, 10_000));
        child.kill().unwrap();
        let told = child.wait_with_output().unwrap().stdout;
        // What the first one told, the next need not tell again.
        let again = bob.start();
        assert!(again != Shown::Nothing || !told.is_empty(), "round {round}");
        world.send("bob", &[]);
        assert_eq!(bob.prompt().brief(), "context 1");
    }
}

/// B02. None of these has shown anything to anybody.
#[test]
fn an_output_that_cannot_be_written_is_no_offer() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let mut count = 0;
    for (program, name) in [
        (PROMPT, "UserPromptSubmit"),
        (TOOL, "PostToolUse"),
        (STOP, "Stop"),
        (START, "SessionStart"),
    ] {
        let closed = || {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            Stdio::from(writer)
        };
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let (mut unread, mut stuffed) = std::io::pipe().unwrap();
        stuffed.write_all(&vec![b'x'; 65_536]).unwrap();
        let id = world.send("bob", &[]);
        count += 1;
        for stdout in [
            closed(),
            full.into(),
            File::open("/dev/null").unwrap().into(),
            stuffed.into(),
            Stdio::null(),
        ] {
            let status = spawn(&bob, program, name, stdout).wait().unwrap();
            assert!(status.success());
            let outcome = world.outcome(&id);
            assert!(outcome == "sent" || outcome == "queued", "{name}: {outcome}");
        }
        let mut left = Vec::new();
        unread.read_to_end(&mut left).unwrap();
        assert_eq!(left.len(), 65_536, "{name}: half a line");
        assert_eq!(bob.stop().brief(), format!("block {count}"));
        let _ = bob.stop();
    }
    assert!(
        world.errors().lines().all(|line| line.contains("the client did not take the output")),
        "{}",
        world.errors()
    );
}

/// A client that never reads was only offered the message, and gets it again.
#[test]
fn an_output_that_nobody_read_is_shown_again() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let (_, _) = (bob.start(), bob.prompt());
    let id = world.send("bob", &[]);
    let mut child = spawn(&bob, TOOL, "PostToolUse", Stdio::piped());
    assert!(child.wait().unwrap().success());
    drop(child);
    assert_eq!(world.outcome(&id), "offered");
    fs::write(&bob.transcript, "{}\n").unwrap();
    assert_eq!(bob.prompt().brief(), "context 1");
}
