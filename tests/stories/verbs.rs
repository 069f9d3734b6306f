//! The verbs of the command line.

use serde_json::json;

use crate::session::Shown;
use crate::world::{MAILSTOP, Said, World};

fn failed(status: i32, stderr: &str) -> Said {
    Said {
        status,
        stdout: String::new(),
        stderr: stderr.to_owned(),
    }
}

#[test]
fn the_disposition_is_declared_or_the_first_rule_that_fits() {
    let world = World::new();
    let rules: [(&[&str], &str); 13] = [
        (&["--body", "x"], "actionable"),
        (&["--body", "x", "--status", "resolved"], "acknowledgement"),
        (&["--body", "x", "--status", "pending"], "actionable"),
        (
            &["--body", "x", "--subject", "consent_grant"],
            "acknowledgement",
        ),
        (
            &["--body", "x", "--subject", "consent_grant "],
            "actionable",
        ),
        (
            &["--body", "x", "--tag", "a", "--tag", "consent-callback"],
            "acknowledgement",
        ),
        (&["--body", "x", "--tag", "consent"], "actionable"),
        (
            &["--body", r#"{"title":"Consent: yes"}"#],
            "acknowledgement",
        ),
        (&["--body", r#"{"title":"consent: yes"}"#], "actionable"),
        (&["--body", r#"{"title":["Consent:"]}"#], "actionable"),
        (&["--body", r#"[{"title":"Consent:"}]"#], "actionable"),
        (
            &[
                "--body",
                "x",
                "--status",
                "resolved",
                "--disposition",
                "actionable",
            ],
            "actionable",
        ),
        (
            &["--body", "x", "--disposition", "acknowledgement"],
            "acknowledgement",
        ),
    ];
    for (words, disposition) in rules {
        let all: Vec<&str> = ["send", "--to", "user"]
            .iter()
            .chain(words)
            .copied()
            .collect();
        assert_eq!(world.json(&all)["disposition"], disposition, "{words:?}");
    }
}

/// B24.
#[test]
fn an_unknown_recipient_is_refused_with_close_matches() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let send = |to: &str| world.mailstop(&["send", "--to", to, "--body", "x"]);
    let near = "error: nobody is or was called `bbo`\nhint: did you mean bob? --allow-unknown stores it anyway\n";
    assert_eq!(send("bbo"), failed(3, near));
    let statuses: Vec<i32> = [
        "bob ",
        "",
        "$TO",
        "*",
        "zoe",
        "session/s9",
        "project/none",
        "project/./none",
    ]
    .iter()
    .map(|to| send(to).status)
    .collect();
    assert_eq!(statuses, [2, 2, 2, 2, 3, 3, 3, 3]);
    assert_eq!(world.json(&["inbox", "--all"])["messages"], json!([]));
    assert_eq!(send("Bob").status, 0);
    assert_eq!(
        world
            .mailstop(&["send", "--to", "zoe", "--body", "x", "--allow-unknown"])
            .status,
        0
    );
}

#[test]
fn mail_to_one_that_ended_is_queued_with_a_warning() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let (_, _) = (bob.start(), bob.prompt());
    let id = world.send("bob", &[]);
    let _ = bob.end();
    assert_eq!(world.outcome(&id), "queued");
    let sent = world.json(&["send", "--to", "bob", "--body", "x"]);
    let warning = "agent/bob is not running; it gets the message when it starts";
    assert_eq!(
        (&sent["delivery"], &sent["warnings"]),
        (&json!("queued"), &json!([warning]))
    );
    let said = world.mailstop(&["send", "--to", "bob", "--body", "x"]);
    assert_eq!(
        (said.status, said.stderr),
        (0, format!("warning: {warning}\n"))
    );
}

#[test]
fn a_beginning_of_an_id_names_it_and_an_ambiguous_one_is_refused() {
    let world = World::new();
    let id = world.send("user", &[]);
    assert_eq!(world.json(&["read", &id[..6]])["id"], json!(id));
    for _ in 0..60 {
        world.send("user", &["--status", "resolved"]);
    }
    let same = world.json(&["inbox", "--all", "--limit", "100"]);
    let ids: Vec<&str> = same["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["id"].as_str())
        .collect();
    let first = ids
        .iter()
        .find(|one| {
            ids.iter()
                .any(|other| other != *one && other[..1] == one[..1])
        })
        .unwrap();
    let refused = world.mailstop(&["resolve", &first[..1]]);
    assert_eq!(refused.status, 3);
    assert!(refused.stderr.contains("\nhint: one of: "), "{refused:?}");
    assert_eq!(world.json(&["read", ""])["error"]["code"], "not_found");
    assert_eq!(
        world.mailstop(&["read", "nothing"]),
        failed(
            3,
            "error: no message `nothing`\nhint: `mailstop inbox --all` lists them\n"
        )
    );
}

#[test]
fn a_reply_goes_to_the_sender_in_the_thread_with_one_re() {
    let world = World::new();
    let (bob, amy) = (
        world.session("s1").named("bob"),
        world.session("s2").named("amy"),
    );
    let (_, _) = (bob.start(), amy.start());
    let first = amy.send("bob", &["--subject", "Hi", "--kind", "question"]);
    let second = bob.id_of(&["reply", "--json", &first, "--body", "ok"]);
    let third = amy.id_of(&["reply", "--json", &second, "--body", "fine"]);
    let thread = world.json(&["thread", &second]);
    let of = |name: &str| -> Vec<String> {
        thread["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one[name].as_str().unwrap_or("-").to_owned())
            .collect()
    };
    assert_eq!(of("id"), [first.as_str(), &second, &third]);
    assert_eq!(of("subject"), ["Hi", "Re: Hi", "Re: Hi"]);
    assert_eq!(
        of("disposition"),
        ["actionable", "actionable", "acknowledgement"]
    );
    assert_eq!(of("recipient"), ["agent/bob", "agent/amy", "agent/bob"]);
    assert_eq!(of("reply_to"), ["-", &first, &second]);
}

/// B33.
#[test]
fn polite_agents_do_not_keep_each_other_from_stopping() {
    let world = World::new();
    let (bob, amy) = (
        world.session("s1").named("bob"),
        world.session("s2").named("amy"),
    );
    let (_, _) = (bob.start(), amy.start());
    let mut id = amy.send("bob", &[]);
    let _ = bob.stop();
    for round in 0..4 {
        let (one, other) = if round % 2 == 0 {
            (&bob, &amy)
        } else {
            (&amy, &bob)
        };
        id = one.id_of(&["reply", "--json", &id, "--body", "ok"]);
        assert_eq!(other.stop(), Shown::Nothing);
    }
    assert_eq!(bob.mailstop(&["resolve", &id]).status, 0);
    assert_eq!(
        world.json(&["inbox", "--all"])["messages"]
            .as_array()
            .map(Vec::len),
        Some(5)
    );
}

#[test]
fn only_its_sender_can_withdraw_a_message() {
    let world = World::new();
    let (bob, amy) = (
        world.session("s1").named("bob"),
        world.session("s2").named("amy"),
    );
    let (_, _) = (bob.start(), amy.start());
    let id = amy.send("bob", &[]);
    let refused = "error: <1> was sent by agent/amy, and only its sender can withdraw it\nhint: use `resolve` to close it\n";
    assert_eq!(bob.mailstop(&["withdraw", &id]), failed(2, refused));
    assert_eq!(world.mailstop(&["withdraw", &id]), failed(2, refused));
    assert_eq!(amy.mailstop(&["withdraw", &id]).stdout, "withdrawn <1>\n");
    assert_eq!(
        amy.mailstop(&["withdraw", &id]).stdout,
        "already withdrawn <1>\n"
    );
    assert_eq!(
        (bob.stop(), world.outcome(&id)),
        (Shown::Nothing, "withdrawn".into())
    );
}

#[test]
fn resolving_takes_several_ids_and_may_be_repeated() {
    let world = World::new();
    let (one, two) = (world.send("user", &[]), world.send("user", &[]));
    let said = world.resolve(&["--id", &one, "--id", "none", "--id", &two]);
    assert_eq!(
        (said.status, said.stdout.as_str()),
        (3, "resolved <1>\nresolved <2>\n")
    );
    assert_eq!(
        said.stderr,
        "error: no message `none`\nhint: `mailstop inbox --all` lists them\n"
    );
    assert_eq!(
        world
            .resolve(&["--id", &one, "--status", "resolved"])
            .stdout,
        "already resolved <1>\n"
    );
    assert_eq!(
        world.mailstop(&["resolve", &one, &two]).stdout,
        "already resolved <1>\nalready resolved <2>\n"
    );
    assert_eq!(world.resolve(&[]).status, 2);
}

#[test]
fn the_log_has_no_text_of_any_message() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let id = world.send(
        "bob",
        &["--subject", "secret-subject", "--tag", "secret-tag"],
    );
    let _ = bob.stop();
    assert_eq!(
        bob.mailstop(&["resolve", &id, "--note", "secret-note"])
            .status,
        0
    );
    let log = world.mailstop(&["log"]).stdout;
    let what: Vec<&str> = log
        .lines()
        .filter_map(|line| line.split_whitespace().nth(2))
        .collect();
    assert_eq!(
        (what[0], what.len(), log.contains("secret")),
        ("stored", 4, false),
        "{log}"
    );
    assert!(!log.contains("text"), "{log}");
}

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
    assert_eq!(
        bob.mailstop(&["reply", &ids[1], "--body", "ok", "--status", "resolved"])
            .status,
        0
    );
    assert_eq!(world.mailstop(&["resolve", &ids[2]]).status, 0);
    assert_eq!(
        world.json(&["inbox", "--for", "bob", "--unread"])["messages"]
            .as_array()
            .unwrap()
            .len(),
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
    assert_eq!(
        world.json(&["inbox", "--unread"])["messages"]
            .as_array()
            .unwrap()
            .len(),
        7
    );
    assert_eq!(bob.stop().brief(), "block 1 2 3 4 5 6 7");
}

#[test]
fn an_inbox_can_be_narrowed() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    world.send("bob", &["--priority", "high"]);
    world.send(
        "bob",
        &["--disposition", "acknowledgement", "--from", "amy"],
    );
    world.send("bob", &["--status", "resolved"]);
    let count = |words: &[&str]| {
        let all: Vec<&str> = ["inbox"].iter().chain(words).copied().collect();
        world.json(&all)["messages"].as_array().unwrap().len()
    };
    let _ = bob.stop();
    assert_eq!(
        (count(&[]), count(&["--all"]), count(&["--unread"])),
        (2, 3, 2)
    );
    assert_eq!(
        (count(&["--blocking"]), count(&["--priority", "high"])),
        (0, 1)
    );
    let _ = bob.stop();
    assert_eq!(
        (count(&["--blocking"]), count(&["--sender", "amy"])),
        (1, 1)
    );
    assert_eq!(
        (
            count(&["--disposition", "acknowledgement"]),
            count(&["--for", "user"])
        ),
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
        (
            said.status,
            document["error"]["code"].as_str().unwrap().to_owned(),
            said.stderr,
        )
    };
    let is = |status: i32, code: &str| (status, code.to_owned(), String::new());
    assert_eq!(code(&["send"]), is(2, "usage"));
    assert_eq!(code(&["status", "none"]), is(3, "not_found"));
    assert_eq!(
        code(&["send", "--to", "user", "--body", "x", "--from", "amy"]),
        is(2, "refused_claim")
    );
    assert_eq!(
        code(&["send", "--to", "user", "--body", "x", "--priority", "hot"]),
        is(2, "usage")
    );
    assert_eq!(code(&["nonsense"]), is(2, "usage"));
    let _ = bob.prompt();
    assert_eq!(
        code(&["send", "--to", "bob", "--body", "x", "--mode", "start"]),
        is(4, "already_active")
    );
    for side in ["mail/mailstop.db-wal", "mail/mailstop.db-shm"] {
        std::fs::remove_file(world.path(side)).unwrap();
    }
    std::fs::write(
        world.path("mail/mailstop.db"),
        b"not a database at all, but some text",
    )
    .unwrap();
    assert_eq!(code(&["inbox"]), is(6, "store_unavailable"));
    let resolved: serde_json::Value =
        serde_json::from_str(&world.resolve(&["--id", "x", "--json"]).stdout).unwrap();
    assert_eq!(resolved["error"]["code"], "store_unavailable");
}
