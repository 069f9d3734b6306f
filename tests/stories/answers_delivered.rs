//! Answers on their way to who asked: once, whoever delivers them and whatever happens.

use std::process::{Child, Stdio};

use serde_json::json;

use crate::asking::{answer, answers, ask, ask_user, deliver, question, waited_for, way};
use crate::session::Session;
use crate::shown::Shown;
use crate::world::{MAILSTOP, World};

const REFUSE: &str = "CREATE TRIGGER refuse BEFORE INSERT ON messages WHEN NEW.kind = 'answer'
  BEGIN SELECT RAISE(ABORT, 'secret'); END;";

/// Bob, who has asked and gone.
fn gone(world: &World) -> (Session<'_>, String) {
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let id = ask(&bob);
    let _ = bob.end();
    (bob, id)
}

#[test]
fn a_running_asker_gets_it_once_in_its_thread_with_labels() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let (_, _) = (bob.start(), bob.prompt());
    let id = ask(&bob);
    let said = world.mailstop(&["answer", &id, "--option", "yes", "--text", "but  later"]);
    assert_eq!(said.stdout, "answered <1> for agent/bob: shown at its next tool call\n");
    let shown = bob.tool("t");
    assert!(shown.text().contains("\n| [Merge] Merge it?: Yes, but later\n"), "{shown:?}");
    assert_eq!((bob.tool("u"), bob.stop()), (Shown::Nothing, Shown::Nothing));
    assert_eq!(way(&world, &id), "delivered steered 1 0 -");
    let thread = world.json(&["thread", &id])["messages"].clone();
    let kinds: Vec<_> = thread.as_array().unwrap().iter().map(|one| &one["kind"]).collect();
    assert_eq!(kinds, ["question", "answer"]);
    assert_eq!(
        (&thread[1]["reply_to"], &thread[1]["correlation"], &thread[1]["disposition"]),
        (&json!(id), &json!(format!("answer:{id}")), &json!("actionable"))
    );
    assert_eq!(deliver(&world), [""; 0]);
}

/// It finds nobody five times and more, which counts for nothing.
#[test]
fn an_asker_that_has_gone_gets_it_at_its_start() {
    let world = World::new();
    let (bob, id) = gone(&world);
    let said = answer(&world, &id, "x").stdout;
    assert_eq!(said, "answered <1> for agent/bob: delivered when it is there for it\n");
    for _ in 0..6 {
        assert_eq!(deliver(&world), [""; 0]);
        assert_eq!(way(&world, &id), "pending - 0 0 -");
    }
    let shown = bob.start();
    assert!(shown.text().contains("\n| [Merge] Merge it?: x\n"), "{shown:?}");
    assert_eq!(way(&world, &id), "delivered waiting 1 0 -");
    assert_eq!(answers(&world, &id), 1);
}

#[test]
fn whoever_holds_the_name_now_gets_it() {
    let world = World::new();
    let (_, id) = gone(&world);
    let _ = answer(&world, &id, "x");
    let other = world.session("s2").named("amy");
    assert_eq!(other.start().brief(), "context");
    let next = world.session("s3").named("bob");
    assert!(next.start().text().contains("Merge it?: x"));
    let again = ask(&next);
    assert_eq!(next.mailstop(&["name", "robert"]).status, 0);
    let _ = answer(&world, &again, "y");
    assert!(next.prompt().text().contains("Merge it?: y"));
}

/// A nameless session is known by its id, and by that of the session that carries it on.
#[test]
fn a_session_that_is_carried_on_after_a_clear_gets_it() {
    let world = World::new();
    let (old, new) = (world.session("s1"), world.session("s2"));
    let _ = old.start();
    let id = ask(&old);
    let _ = old.clear();
    let _ = answer(&world, &id, "x");
    let started = new.start_as("clear");
    let shown = if started.text().contains("Merge it?: x") { started } else { new.prompt() };
    assert!(shown.text().contains("Merge it?: x"), "{shown:?}");
    assert_eq!(answers(&world, &id), 1);
}

#[test]
fn an_answer_that_was_changed_on_its_way_is_never_delivered() {
    let world = World::new();
    let (bob, id) = gone(&world);
    let _ = answer(&world, &id, "secret");
    world.sql("UPDATE questions SET answer = '{\"q1\":{\"text\":\"forged\"}}'");
    let shown = bob.start();
    assert!(shown.text().contains("cannot be delivered (payload_digest_mismatch)"), "{shown:?}");
    assert!(!shown.text().contains("forged"), "{shown:?}");
    assert_eq!(way(&world, &id), "failed - 1 0 payload_digest_mismatch");
    assert_eq!((answers(&world, &id), deliver(&world)), (0, vec![]));
}

/// An error at a start keeps neither the session from starting nor the answer from coming.
#[test]
fn an_error_is_made_good_later() {
    let world = World::new();
    let (bob, id) = gone(&world);
    let _ = answer(&world, &id, "x");
    world.sql(REFUSE);
    assert_eq!(bob.start().brief(), "context");
    assert_eq!(
        (way(&world, &id).as_str(), world.errors().as_str()),
        ("pending - 1 1 store_error", "")
    );
    world.sql("DROP TRIGGER refuse");
    assert_eq!(deliver(&world), ["<1> delivered"]);
    assert_eq!(way(&world, &id), "delivered waiting 2 1 store_error");
    assert!(bob.prompt().text().contains("Merge it?: x"));
}

fn worker(world: &World) -> Child {
    let mut command = world.command(MAILSTOP);
    command.args(["deliver", "--json"]).stdout(Stdio::piped()).spawn().unwrap()
}

fn race(count: usize) {
    let world = World::new();
    for _ in 0..8 {
        let id = ask_user(&world);
        waited_for(&world, 20);
        let _ = answer(&world, &id, "x");
        waited_for(&world, -1);
        let workers: Vec<Child> = (0..count).map(|_| worker(&world)).collect();
        let mut delivered = 0;
        for worker in workers {
            let output = worker.wait_with_output().unwrap();
            assert!(output.status.success());
            let said = String::from_utf8(output.stdout).unwrap();
            delivered += said.matches("\"delivered\"").count();
        }
        assert_eq!((delivered, answers(&world, &id)), (1, 1), "{}", way(&world, &id));
    }
    assert_eq!(world.errors(), "");
}

#[test]
fn two_workers_deliver_it_once() {
    race(2);
}

#[test]
fn eight_workers_deliver_it_once() {
    race(8);
}

/// More than one page of them, the oldest first; those that nobody is there for hold none up.
#[test]
fn all_that_is_left_is_delivered_oldest_first() {
    let world = World::new();
    let (_, id) = gone(&world);
    let own = ask_user(&world);
    waited_for(&world, 20);
    let (_, _) = (answer(&world, &id, "x"), answer(&world, &own, "x"));
    for (seq, what) in [(&id, 60), (&own, 60)] {
        world.sql(&format!(
            "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < {what})
             INSERT INTO messages (id, sender, sent_by, recipient, kind, priority, disposition, mode,
               status, subject, body, tags, thread, created_at)
             SELECT id || i, sender, sent_by, recipient, kind, priority, disposition, mode, status,
               subject, body, tags, thread, created_at FROM messages, n WHERE id = '{seq}';"
        ));
    }
    world.sql(
        "INSERT OR IGNORE INTO questions (message, asker, question_set, status, answer)
           SELECT m.seq, m.sender, q.question_set, 'answered', q.answer FROM messages m, questions q
           WHERE m.kind = 'question' AND q.asker = m.sender GROUP BY m.seq;
         INSERT OR IGNORE INTO answer_deliveries (question, correlation, digest, status, created_at,
           updated_at) SELECT message, message, '', 'pending', message, 0 FROM questions;
         UPDATE questions SET waited_until = NULL;",
    );
    let done = world.json(&["deliver"])["answers"].clone();
    let ids: Vec<&str> =
        done.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 61);
    assert_eq!(ids[..2], [format!("{own}1"), format!("{own}2")]);
    assert_eq!(ids[60], own);
}

#[test]
fn the_record_has_no_word_of_it() {
    let world = World::new();
    let (bob, id) = gone(&world);
    let _ = answer(&world, &id, "secret");
    let _ = bob.start();
    let log = world.mailstop(&["log"]).stdout;
    assert!(log.contains(" answered  user: ") && log.contains(" delivered agent/bob: waiting\n"));
    for word in ["secret", "Merge", "Yes"] {
        assert!(!log.contains(word), "{log}");
    }
}

/// What nobody has got yet stays, whatever its age; what was delivered leaves no word.
#[test]
fn a_sweep_empties_a_question_once_its_answer_was_delivered() {
    let world = World::new();
    let (bob, id) = gone(&world);
    let _ = answer(&world, &id, "secret");
    world.age(31 * 24);
    assert_eq!(world.json(&["sweep"])["removed"], json!({}));
    assert!(bob.start().text().contains("Merge it?: secret"));
    assert_eq!(world.json(&["sweep"])["removed"], json!({ "resolved": 1 }));
    let left = question(&world, &id);
    assert_eq!((&left["question_set"], &left["answer"]), (&json!(null), &json!(null)));
    assert_eq!((&left["status"], &left["answered_by"]), (&json!("answered"), &json!("user")));
    assert!(world.mailstop(&["questions", "--all"]).stdout.contains("(its content was removed)"));
    assert_eq!(world.mailstop(&["answer", &id, "--text", "x"]).status, 4);
    let _ = bob.end();
    assert_eq!(world.mailstop(&["sessions", "forget", "bob"]).status, 0);
    assert_eq!(question(&world, &id)["sender"], "agent/bob");
}

/// An asker that was forgotten is waited for: its name may come back.
#[test]
fn an_asker_that_was_forgotten_gets_it_when_it_comes_back() {
    let world = World::new();
    let (_, id) = gone(&world);
    assert_eq!(world.mailstop(&["sessions", "forget", "bob"]).status, 0);
    let _ = answer(&world, &id, "x");
    assert_eq!(way(&world, &id), "pending - 0 0 -");
    assert!(world.session("s9").named("bob").start().text().contains("Merge it?: x"));
}
