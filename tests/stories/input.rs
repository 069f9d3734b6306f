//! Whatever comes on standard input: exit 0, and a valid output or none. B12, B36.

use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::session::Session;
use crate::shown::Shown;
use crate::world::{OBSERVE, PROMPT, STOP, TOOL, World};

fn spawn(session: &Session<'_>, program: &str) -> Child {
    let mut hook = session.hook(program);
    hook.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The most memory a process has had, in kibibytes.
fn peak(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Writes an event whose tool output has so many bytes, every one of which is taken.
fn write_big(session: &Session<'_>, program: &str, name: &str, bytes: usize) -> Shown {
    let mut child = spawn(session, program);
    let mut stdin = child.stdin.take().unwrap();
    let mut payload = session.payload(name, &json!({ "tool_use_id": "t1" })).to_string();
    assert_eq!(payload.pop(), Some('}'));
    stdin.write_all(format!("{payload},\"tool_response\":\"").as_bytes()).unwrap();
    let piece = vec![b'x'; 65_536];
    let mut left = bytes;
    while left > 0 {
        let length = left.min(piece.len());
        stdin.write_all(&piece[..length]).expect("the hook reads on");
        left -= length;
    }
    let memory = peak(&child);
    stdin.write_all(b"\"}\n").expect("the hook reads to the end");
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert!(memory.is_none_or(|kibibytes| kibibytes < 16 * 1024), "{memory:?} KiB");
    Shown::parse(name, &output.stdout)
}

#[test]
fn a_big_input_is_read_to_its_end_on_every_path() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let off = world.session("s2").with("MAILSTOP", "off");
    let nowhere = world.session("s3").with("MAILSTOP_HOME", "/proc/none");
    for bytes in [65_535, 65_536, 1 << 20, 50 << 20] {
        world.send("bob", &[]);
        assert!(
            matches!(write_big(&bob, TOOL, "PostToolUse", bytes), Shown::Context(_)),
            "{bytes}"
        );
        assert_eq!(write_big(&off, TOOL, "PostToolUse", bytes), Shown::Nothing);
        assert_eq!(write_big(&nowhere, STOP, "Stop", bytes), Shown::Nothing);
        assert_eq!(write_big(&bob, TOOL, "Moon", bytes), Shown::Nothing);
        assert_eq!(write_big(&bob, OBSERVE, "Stop", bytes), Shown::Nothing);
        let fresh = World::new();
        let _ = write_big(&fresh.session("s1").named("bob"), PROMPT, "UserPromptSubmit", bytes);
    }
}

#[test]
fn what_is_no_object_is_read_to_its_end_too() {
    let world = World::new();
    let bob = world.session("s1");
    for first in ["x", "[", "\"", "null"] {
        let mut child = spawn(&bob, STOP);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(first.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        stdin.write_all(&vec![b'x'; 1 << 20]).expect("the hook reads on");
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty());
    }
}

#[test]
fn an_input_that_never_ends_is_not_waited_for() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    for written in
        ["", "{\"session_id\":\"s1\"", "{\"hook_event_name\":\"Stop\",\"session_id\":\"s1\"}"]
    {
        let mut child = spawn(&bob, STOP);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(written.as_bytes()).unwrap();
        let patience = Instant::now() + Duration::from_secs(60);
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None => assert!(Instant::now() < patience, "still waiting for {written}"),
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let mut printed = Vec::new();
        let _ = child.stdout.take().unwrap().read_to_end(&mut printed);
        assert!(status.success() && printed.is_empty());
    }
}

/// B36: an ignored member is skipped, not decoded.
#[test]
fn broken_members_do_not_keep_mail_back() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    let broken: [&[u8]; 8] = [
        b"\"\\ud83d\"",
        b"\"\xff\xfe\"",
        deep.as_bytes(),
        b"\"\\u0000\"",
        b"1e400",
        b"\"a\0b\"",
        b"{\"session_id\":\"s9\"}",
        b"-",
    ];
    for value in broken {
        world.send("bob", &[]);
        let mut payload = bob.payload("PostToolUse", &json!({})).to_string().into_bytes();
        payload.pop();
        let payload =
            [b"\xef\xbb\xbf", payload.as_slice(), b",\"tool_response\":", value, b"} trailing"]
                .concat();
        assert!(
            matches!(bob.fire(TOOL, "PostToolUse", &payload), Shown::Context(_)),
            "{payload:?}"
        );
    }
}

#[test]
fn what_cannot_be_understood_is_passed_over_and_noted() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    world.send("bob", &["--priority", "urgent"]);
    let whole = bob.payload("Stop", &json!({})).to_string();
    for length in 0..whole.len() {
        assert_eq!(bob.fire(STOP, "Stop", &whole.as_bytes()[..length]), Shown::Nothing);
    }
    assert_eq!(world.errors().lines().count(), whole.len());
    assert_eq!(bob.stop().brief(), "block 1");
}
