//! Answers that failed for good are dead letters too.

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::dead::letters;
use crate::world::World;

/// A question of bob's, who is gone, whose answer failed five times.
fn failed(world: &World) -> String {
    let bob = crate::dead::bob(world);
    let id = bob.send("user", &["--kind", "question", "--subject", "Which?"]);
    let _shown = bob.end();
    world.sql(&format!(
        "UPDATE messages SET status = 'resolved', closed_at = created_at WHERE id = '{id}';
         INSERT INTO questions (message, asker, question_set, status, answer)
           SELECT seq, 'agent/bob', '{{}}', 'answered', '\"secret\"' FROM messages WHERE id = '{id}';
         INSERT INTO answer_deliveries (question, correlation, digest, status, generation, errors,
           last_error, created_at, updated_at)
           SELECT seq, 'answer:{id}', 'd', 'failed', 7, 5, 'store_failed', 1, 1
           FROM messages WHERE id = '{id}';"
    ));
    id
}

/// The row of the answer's delivery.
fn row(world: &World) -> Value {
    let mailbox = Connection::open(world.path("mail/mailstop.db")).unwrap();
    let sql = "SELECT status, errors, generation FROM answer_deliveries";
    let read = |row: &rusqlite::Row<'_>| {
        Ok(json!([row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?]))
    };
    mailbox.query_row(sql, [], read).unwrap()
}

#[test]
fn an_answer_that_failed_is_listed_without_a_word_of_it() {
    let world = World::new();
    let id = failed(&world);
    let document = world.json(&["dead", "list"])["dead"].clone();
    let told = ["id", "what", "recipient", "attempts", "last_error"];
    assert_eq!(
        json!(told.map(|key| document[0][key].clone())),
        json!([id, "answer", "agent/bob", 7, "store_failed"])
    );
    assert!(!document.to_string().contains("secret"), "{document}");
    let list = world.mailstop(&["dead", "list"]).stdout;
    assert!(list.contains("<1>  answer  agent/bob  7         store_failed  "), "{list}");
}

/// The generation stays, so that a stale worker's result changes nothing.
#[test]
fn a_retry_makes_it_pending_again_once() {
    let world = World::new();
    let id = failed(&world);
    let said = world.mailstop(&["dead", "retry", &id]);
    assert_eq!(said.stdout, "<1> is tried again, for agent/bob\n");
    assert_eq!((row(&world), letters(&world)), (json!(["pending", 0, 7]), vec![]));
    assert_eq!(world.mailstop(&["dead", "retry", &id]).status, 3);
}

#[test]
fn a_retry_of_all_takes_it_too() {
    let world = World::new();
    let id = failed(&world);
    let rehearsed = world.json(&["dead", "retry", "--all", "--dry-run"])["retried"].clone();
    assert_eq!(row(&world), json!(["failed", 5, 7]));
    assert_eq!(rehearsed, json!([{ "id": id, "recipient": "agent/bob", "to": "agent/bob" }]));
    assert_eq!(world.json(&["dead", "retry", "--all"])["retried"], rehearsed);
    assert_eq!(row(&world), json!(["pending", 0, 7]));
}

#[test]
fn a_drop_puts_it_aside() {
    let world = World::new();
    let id = failed(&world);
    let _ = world.mailstop(&["dead", "drop", &id, "--dry-run"]);
    assert_eq!(letters(&world), std::slice::from_ref(&id));
    assert_eq!(world.mailstop(&["dead", "drop", &id]).status, 0);
    assert_eq!((row(&world), letters(&world)), (json!(["failed", 5, 7]), vec![]));
    assert_eq!(world.mailstop(&["dead", "retry", &id]).status, 3);
}
