//! Listings, counts, the log and the codes of errors.

use serde_json::json;

use crate::shown::Shown;
use crate::world::{MAILSTOP, World};

/// B18.
#[test]
fn everybody_counts_the_same() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let counted = || {
        let listed = bob.mailstop(&["inbox", "--unread", "--json"]).stdout;
        let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
        let listed = listed["messages"].as_array().unwrap().len();
        let sessions = world.json(&["sessions"])["sessions"][0]["unread"].clone();
        (json!(listed), sessions, world.json(&[])["unread"].clone())
    };
    let all = |count: i64| (json!(count), json!(count), json!(count));
    let ids: Vec<String> = (0..5).map(|_| world.send("bob", &[])).collect();
    assert_eq!(counted(), all(5));
    assert_eq!(bob.mailstop(&["read", &ids[0]]).status, 0);
    assert_eq!(counted(), all(4));
    assert_eq!(bob.mailstop(&["reply", &ids[1], "--body", "ok", "--status", "resolved"]).status, 0);
    assert_eq!(world.mailstop(&["resolve", &ids[2]]).status, 0);
    assert_eq!(
        world.json(&["inbox", "--for", "bob", "--unread"])["messages"].as_array().unwrap().len(),
        2
    );
    let _ = bob.stop();
    assert_eq!(world.json(&["sessions"])["sessions"][0]["unread"], 0);
    assert_eq!((bob.stop(), bob.prompt()), (Shown::Nothing, Shown::Nothing));
}

/// B19.
#[test]
fn listing_changes_nothing() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    for _ in 0..7 {
        world.send("bob", &[]);
    }
    let first = bob.mailstop(&["inbox", "--limit", "2"]);
    assert_eq!(first.stdout.lines().count(), 4);
    assert_eq!(bob.mailstop(&["inbox", "--limit", "2"]), first);
    let mut pipe = world.command("/bin/sh");
    pipe.args(["-c", &format!("{MAILSTOP} inbox | head -1")]);
    let said = world.said(&mut pipe, b"");
    assert_eq!((said.status, said.stderr.as_str()), (0, ""));
    assert_eq!(world.json(&["inbox", "--unread"])["messages"].as_array().unwrap().len(), 7);
    assert_eq!(bob.stop().brief(), "block 1 2 3 4 5 6 7");
}

#[test]
fn an_inbox_can_be_narrowed() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    world.send("bob", &["--priority", "high"]);
    world.send("bob", &["--disposition", "acknowledgement", "--from", "amy"]);
    world.send("bob", &["--status", "resolved"]);
    let count = |words: &[&str]| {
        let all: Vec<&str> = ["inbox"].iter().chain(words).copied().collect();
        world.json(&all)["messages"].as_array().unwrap().len()
    };
    let _ = bob.stop();
    assert_eq!((count(&[]), count(&["--all"]), count(&["--unread"])), (2, 3, 2));
    assert_eq!((count(&["--blocking"]), count(&["--priority", "high"])), (0, 1));
    let _ = bob.stop();
    assert_eq!((count(&["--blocking"]), count(&["--sender", "amy"])), (1, 1));
    assert_eq!(
        (count(&["--disposition", "acknowledgement"]), count(&["--for", "user"])),
        (2 - 1, 0)
    );
}

#[test]
fn errors_have_stable_codes() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let code = |words: &[&str]| {
        let all: Vec<&str> = words.iter().chain(&["--json"]).copied().collect();
        let said = bob.mailstop(&all);
        let document: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
        (said.status, document["error"]["code"].as_str().unwrap().to_owned(), said.stderr)
    };
    let is = |status: i32, code: &str| (status, code.to_owned(), String::new());
    assert_eq!(code(&["send"]), is(2, "usage"));
    assert_eq!(code(&["status", "none"]), is(3, "not_found"));
    assert_eq!(
        code(&["send", "--to", "user", "--body", "x", "--from", "amy"]),
        is(2, "refused_claim")
    );
    assert_eq!(code(&["send", "--to", "user", "--body", "x", "--priority", "hot"]), is(2, "usage"));
    assert_eq!(code(&["nonsense"]), is(2, "usage"));
    let _ = bob.prompt();
    assert_eq!(
        code(&["send", "--to", "bob", "--body", "x", "--mode", "start"]),
        is(4, "already_active")
    );
    for side in ["mail/mailstop.db-wal", "mail/mailstop.db-shm"] {
        std::fs::remove_file(world.path(side)).unwrap();
    }
    std::fs::write(world.path("mail/mailstop.db"), b"not a database at all, but some text")
        .unwrap();
    assert_eq!(code(&["inbox"]), is(6, "store_unavailable"));
    let resolved: serde_json::Value =
        serde_json::from_str(&world.resolve(&["--id", "x", "--json"]).stdout).unwrap();
    assert_eq!(resolved["error"]["code"], "store_unavailable");
}
