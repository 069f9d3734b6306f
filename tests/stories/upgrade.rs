//! A mailbox that an older build made is brought up to date by whoever comes first, with
//! its mail, whoever else comes and whoever dies meanwhile. B26.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::time::Duration;

use rusqlite::Connection;

use crate::shown::Shown;
use crate::world::{SCHEMA, START, World, begin};

/// Every migration, in order.
const MIGRATIONS: [&str; 7] = [
    include_str!("../../migrations/0001_mailbox.sql"),
    include_str!("../../migrations/0002_care.sql"),
    include_str!("../../migrations/0003_activity.sql"),
    include_str!("../../migrations/0004_holds.sql"),
    include_str!("../../migrations/0005_questions.sql"),
    include_str!("../../migrations/0006_dead.sql"),
    include_str!("../../migrations/0007_agents.sql"),
];

/// The schema as its first version was.
fn first_version() -> World {
    old_version(1)
}

/// The schema as an old version was, with two messages for bob, who is not running.
fn old_version(version: usize) -> World {
    let world = World::new();
    let file = world.path("mail/mailstop.db");
    fs::create_dir(world.path("mail")).unwrap();
    fs::set_permissions(world.path("mail"), fs::Permissions::from_mode(0o700)).unwrap();
    let connection = Connection::open(&file).unwrap();
    connection
        .execute_batch("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
        .unwrap();
    MIGRATIONS[..version].iter().for_each(|sql| connection.execute_batch(sql).unwrap());
    connection
        .execute_batch(
            "INSERT INTO mailboxes (id, address) VALUES (1, 'agent/bob'), (2, 'session/s1'), (3, 'user');
             INSERT INTO names VALUES ('bob', 1, 1000);
             INSERT INTO sessions (id, client, key, own_mailbox, agent_mailbox, asked_name, project, state,
               attended, transcript, turn, started_at, last_event_at, continued_by) VALUES
               (1, 'claude', 's1', 2, 1, 'bob', '/', 'ended', 1, NULL, 1, 1000, 1000, NULL);
             INSERT INTO turns (session, started_at, finished_at) VALUES (1, 1000, 1001);
             INSERT INTO messages (id, sender, sent_by, recipient, kind, priority, disposition, mode, status,
               subject, body, thread, created_at) VALUES
               ('old1', 'user', 'user', 'agent/bob', 'message', 'normal', NULL, 'auto', 'pending', 'one', 'ONE', 'old1', 1000),
               ('old2', 'user', 'user', 'agent/bob', 'message', 'urgent', 'actionable', 'auto', 'pending', 'two', 'TWO', 'old2', 1000);
             INSERT INTO deliveries (message, reader, owed, lane, rank) VALUES (1, 1, 1, 0, 2), (2, 1, 1, 0, 0);
             PRAGMA application_id = 0x4d41494c;",
        )
        .unwrap();
    connection.pragma_update(None, "user_version", version).unwrap();
    drop(connection);
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
    for id in ["old1", "old2"] {
        world.learn(id);
    }
    world
}

fn version(world: &World) -> i64 {
    let connection = Connection::open(world.path("mail/mailstop.db")).unwrap();
    connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
}

fn mail_arrives(world: &World) {
    assert_eq!((version(world), world.errors()), (SCHEMA, String::new()));
    assert_eq!(world.session("s1").named("bob").start().brief(), "context 2 1");
    assert_eq!(world.json(&["inbox", "--for", "bob"])["messages"].as_array().unwrap().len(), 2);
}

#[test]
fn sixteen_processes_at_once_bring_an_old_mailbox_up_to_date() {
    for round in 0..8 {
        let world = old_version(1 + round % (MIGRATIONS.len() - 1));
        let barrier = std::sync::Barrier::new(16);
        std::thread::scope(|scope| {
            for number in 0..16 {
                let (world, barrier) = (&world, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    let said = match number % 4 {
                        0 => {
                            assert_eq!(
                                world.session(&format!("n{number}")).start().brief(),
                                "context"
                            );
                            return;
                        }
                        1 => world.mailstop(&["send", "--to", "user", "--body", "x"]),
                        2 => world.mailstop(&["sessions"]),
                        _ => world.mailstop(&["doctor"]),
                    };
                    assert_eq!((said.status, said.stderr.as_str()), (0, ""), "{said:?}");
                });
            }
        });
        assert_eq!(
            world.json(&["inbox", "--for", "user"])["messages"].as_array().unwrap().len(),
            4
        );
        mail_arrives(&world);
    }
}

/// A client does not wait for as long as it takes.
#[test]
fn a_large_old_mailbox_is_left_to_a_command() {
    let world = first_version();
    let connection = Connection::open(world.path("mail/mailstop.db")).unwrap();
    let large =
        "INSERT INTO turns (session, prompt, started_at) VALUES (1, hex(zeroblob(18000000)), 0)";
    connection.execute_batch(large).unwrap();
    drop(connection);
    let bob = world.session("s1").named("bob");
    let note = "Mailstop: the mailbox has schema 1, made by an older mailstop; this one needs 7. No \
        mail is shown until this is put right: run `mailstop migrate` once, which brings it up to date.";
    assert_eq!((bob.start(), bob.prompt()), (Shown::User(note.to_owned()), Shown::Nothing));
    assert_eq!((version(&world), world.mailstop(&["migrate"]).status), (1, 0));
    assert_eq!((version(&world), bob.start().brief()), (SCHEMA, "context 2 1".into()));
}

#[test]
fn an_upgrade_that_was_killed_is_done_by_the_next() {
    let mut before = 0;
    for round in 0..60u64 {
        let world = first_version();
        let other = world.session("other");
        let payload = other.payload("SessionStart", &serde_json::json!({ "source": "startup" }));
        let mut hook =
            begin(&mut other.hook(START), payload.to_string().as_bytes(), Stdio::piped());
        std::thread::sleep(Duration::from_micros(round.wrapping_mul(2_654_435_761) % 8_000));
        hook.kill().unwrap();
        let _ = hook.wait_with_output().unwrap();
        before += usize::from(version(&world) == 1);
        let _ = world.session("next").start();
        mail_arrives(&world);
    }
    eprintln!("60 rounds, {before} killed before the upgrade was done");
}
