//! The verbs of the command line.

use serde_json::json;

use crate::world::{Said, World};

pub(crate) fn failed(status: i32, stderr: &str) -> Said {
    Said { status, stdout: String::new(), stderr: stderr.to_owned() }
}

#[test]
fn the_disposition_is_declared_or_the_first_rule_that_fits() {
    let world = World::new();
    let rules: [(&[&str], &str); 13] = [
        (&["--body", "x"], "actionable"),
        (&["--body", "x", "--status", "resolved"], "acknowledgement"),
        (&["--body", "x", "--status", "pending"], "actionable"),
        (&["--body", "x", "--subject", "consent_grant"], "acknowledgement"),
        (&["--body", "x", "--subject", "consent_grant "], "actionable"),
        (&["--body", "x", "--tag", "a", "--tag", "consent-callback"], "acknowledgement"),
        (&["--body", "x", "--tag", "consent"], "actionable"),
        (&["--body", r#"{"title":"Consent: yes"}"#], "acknowledgement"),
        (&["--body", r#"{"title":"consent: yes"}"#], "actionable"),
        (&["--body", r#"{"title":["Consent:"]}"#], "actionable"),
        (&["--body", r#"[{"title":"Consent:"}]"#], "actionable"),
        (&["--body", "x", "--status", "resolved", "--disposition", "actionable"], "actionable"),
        (&["--body", "x", "--disposition", "acknowledgement"], "acknowledgement"),
    ];
    for (words, disposition) in rules {
        let all: Vec<&str> = ["send", "--to", "user"].iter().chain(words).copied().collect();
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
    let statuses: Vec<i32> =
        ["bob ", "", "$TO", "*", "zoe", "session/s9", "project/none", "project/./none"]
            .iter()
            .map(|to| send(to).status)
            .collect();
    assert_eq!(statuses, [2, 2, 2, 2, 3, 3, 3, 3]);
    assert_eq!(world.json(&["inbox", "--all"])["messages"], json!([]));
    assert_eq!(send("Bob").status, 0);
    assert_eq!(
        world.mailstop(&["send", "--to", "zoe", "--body", "x", "--allow-unknown"]).status,
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
    assert_eq!((&sent["delivery"], &sent["warnings"]), (&json!("queued"), &json!([warning])));
    let said = world.mailstop(&["send", "--to", "bob", "--body", "x"]);
    assert_eq!((said.status, said.stderr), (0, format!("warning: {warning}\n")));
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
    let ids: Vec<&str> =
        same["messages"].as_array().unwrap().iter().filter_map(|one| one["id"].as_str()).collect();
    let first = ids
        .iter()
        .find(|one| ids.iter().any(|other| other != *one && other[..1] == one[..1]))
        .unwrap();
    let refused = world.mailstop(&["resolve", &first[..1]]);
    assert_eq!(refused.status, 3);
    assert!(refused.stderr.contains("\nhint: one of: "), "{refused:?}");
    assert_eq!(world.json(&["read", ""])["error"]["code"], "not_found");
    assert_eq!(
        world.mailstop(&["read", "nothing"]),
        failed(3, "error: no message `nothing`\nhint: `mailstop inbox --all` lists them\n")
    );
}
