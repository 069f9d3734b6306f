//! What the doctor finds in a mailbox, and whether its remedies help.

use std::fs;

use rusqlite::Connection;

use crate::world::World;

const DAY: i64 = 24 * 60 * 60 * 1000;

pub(crate) fn sql(world: &World, text: &str) {
    let connection = Connection::open(world.path("mail/mailstop.db")).unwrap();
    connection.execute_batch(text).unwrap();
}

/// The findings of one check: level, what was found, and the remedy.
pub(crate) fn found(world: &World, check: &str) -> Vec<String> {
    let document = world.json(&["doctor"]);
    let findings = document["findings"].as_array().unwrap().iter();
    let of_check = findings.filter(|finding| finding["check"] == check);
    let word = |value: &serde_json::Value| world.redact(value.as_str().unwrap_or_default());
    let told = |finding: &serde_json::Value| {
        let [level, message, remedy] =
            ["level", "message", "remedy"].map(|key| word(&finding[key]));
        if remedy.is_empty() {
            format!("{level} {message}")
        } else {
            format!("{level} {message} | {remedy}")
        }
    };
    of_check.map(told).collect()
}

/// Runs the first command of a remedy, with its ids, and expects it to work.
pub(crate) fn follow(world: &World, command: &str) -> String {
    let words: Vec<&str> = command.split(' ').collect();
    let said = world.mailstop(&words);
    assert_eq!((said.status, said.stderr.as_str()), (0, ""), "{command}");
    said.stdout
}

#[test]
fn a_mailbox_in_good_health_has_nothing_but_ok() {
    let world = World::new();
    let _ = world.session("s1").start();
    assert_eq!(world.mailstop(&["resolve", &world.send("user", &[])]).status, 0);
    let document = world.json(&["doctor"]);
    let levels: Vec<String> = document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| {
            format!("{} {}", finding["level"].as_str().unwrap(), finding["check"].as_str().unwrap())
        })
        .collect();
    assert_eq!(
        levels.join(", "),
        "ok config, ok store, ok integrity, ok orphans, ok unread, ok blocking, ok dead, ok endless, ok clock, \
         ok size, ok permissions, ok filesystem, ok errors, ok rehearsal"
    );
}

#[test]
fn rows_that_lead_nowhere_are_found_and_removed() {
    let world = World::new();
    let _ = world.session("s1").named("bob").start();
    world.send("bob", &[]);
    sql(
        &world,
        "INSERT INTO deliveries (message, reader, owed, lane, rank) VALUES (99, 1, 1, 0, 2), (1, 99, 1, 0, 2);
         INSERT INTO names VALUES ('ghost', 99, 0);
         INSERT INTO processes VALUES (99, 1, 'x', 'x', 0);
         INSERT INTO turns (session, started_at) VALUES (99, 0);
         INSERT INTO aliases VALUES ('gone', 99)",
    );
    assert_eq!(
        found(&world, "orphans"),
        [
            "note rows that lead nowhere: 2 of deliveries, 1 of names, 1 of processes, 1 of turns, 1 of \
          aliases | mailstop migrate removes them; no message is among them"
        ]
    );
    let planned = world.json(&["migrate", "--dry-run"])["orphans"].clone();
    assert_eq!(planned["deliveries"], 2);
    assert_eq!(world.json(&["migrate"])["orphans"], planned);
    assert_eq!(found(&world, "orphans"), ["ok every row leads to a message, mailbox or session"]);
    assert_eq!(world.session("s1").prompt().brief(), "context 1");
}

fn make_old(world: &World) {
    sql(world, &format!("UPDATE messages SET created_at = created_at - {}", 40 * DAY));
}

#[test]
fn old_open_mail_without_a_reader_is_found_and_can_be_closed() {
    let world = World::new();
    let (bob, eve) = (world.session("s1").named("bob"), world.session("s2").named("eve"));
    let (_, _) = (bob.start(), eve.start());
    for to in ["bob", "bob", "eve", "session/s1", "project/.", "user"] {
        world.send(to, &[]);
    }
    let _ = bob.end();
    make_old(&world);
    assert_eq!(
        found(&world, "endless"),
        [
            "note 2 open for agent/bob, which nobody reads any more, the oldest <1>, sent 40d ago | \
             mailstop inbox --for agent/bob lists it; mailstop resolve <1> closes the oldest",
            "note 1 open for session/s1, which nobody reads any more, the oldest <4>, sent 40d ago | \
             mailstop inbox --for session/s1 lists it; mailstop resolve <4> closes the oldest",
        ]
    );
    assert_eq!(follow(&world, "inbox --for agent/bob").lines().count(), 3);
    assert_eq!(world.mailstop(&["sessions", "forget", "s1"]).status, 0);
    assert_eq!(follow(&world, "inbox --for session/s1").lines().count(), 2);
    let _ = eve.end();
    assert_eq!(found(&world, "endless").len(), 5);
}

#[test]
fn old_mail_to_a_project_that_is_gone_can_still_be_listed() {
    let world = World::new();
    let folder = world.path("gone");
    fs::create_dir(&folder).unwrap();
    let bob = world.session("s1").named("bob").within(folder.clone());
    let _ = bob.start();
    world.send(&format!("project/{}", folder.display()), &[]);
    let _ = bob.end();
    assert_eq!(world.mailstop(&["sessions", "forget", "s1"]).status, 0);
    fs::remove_dir(folder).unwrap();
    make_old(&world);
    assert_eq!(
        found(&world, "endless"),
        [
            "note 1 open for project/~/gone, which nobody reads any more, the oldest <1>, sent 40d ago | \
          mailstop inbox --for project/~/gone lists it; mailstop resolve <1> closes the oldest"
        ]
    );
    let address = world.json(&["inbox"])["messages"][0]["recipient"].as_str().unwrap().to_owned();
    assert_eq!(follow(&world, &format!("inbox --for {address}")).lines().count(), 2);
}

#[test]
fn the_oldest_unread_and_the_oldest_blocking_mail_are_named() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let (_, _) = (bob.start(), bob.prompt());
    world.send("bob", &["--priority", "urgent"]);
    let _ = bob.tool("t1");
    world.send("bob", &["--priority", "high"]);
    world.send("user", &[]);
    assert_eq!(
        (found(&world, "unread"), found(&world, "blocking")),
        (
            vec!["note 2 unread, the oldest <2> for agent/bob, sent now | mailstop status <2> tells \
                  where it is; mailstop inbox --unread lists all".to_owned()],
            vec!["note 1 hold a Stop, the oldest <1> for agent/bob, sent now | mailstop read <1> shows \
                  it; mailstop resolve <1> closes it".to_owned()],
        )
    );
}
