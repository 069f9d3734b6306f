//! Questions as stories ask and answer them.

use serde_json::Value;

use crate::session::Session;
use crate::world::{Said, World};

/// A question of an agent to the person, with `yes` and `no` to choose from.
pub(crate) fn ask(bob: &Session<'_>) -> String {
    let words = ["ask", "--json", "--to", "user", "--header", "Merge", "--question", "Merge  it?"];
    bob.id_of(&[&words[..], &["--option", "Yes", "--option", "No", "--free-text"]].concat())
}

/// A question of the person to itself.
pub(crate) fn ask_user(world: &World) -> String {
    let asked = world.json(&["ask", "--to", "user", "--question", "Why?"]);
    let id = asked["id"].as_str().unwrap().to_owned();
    world.learn(&id);
    id
}

/// Answers as the person.
pub(crate) fn answer(world: &World, id: &str, text: &str) -> Said {
    let said = world.mailstop(&["answer", id, "--text", text]);
    assert_eq!(said.status, 0, "{said:?}");
    said
}

/// One question as `mailstop questions` tells it.
pub(crate) fn question(world: &World, id: &str) -> Value {
    let listed = world.json(&["questions", "--all", "--limit", "1000"]);
    let found = listed["questions"].as_array().unwrap().iter().find(|one| one["id"] == id);
    found.unwrap_or_else(|| panic!("{listed}")).clone()
}

/// How an answer's delivery stands: state, way, claims, errors and the last error.
pub(crate) fn way(world: &World, id: &str) -> String {
    let way = &question(world, id)["delivery"];
    let word = |name: &str| way[name].as_str().unwrap_or("-").to_owned();
    let (attempts, errors) = (&way["attempts"], &way["errors"]);
    format!("{} {} {attempts} {errors} {}", word("status"), word("went"), word("last_error"))
}

/// How many messages have the answer to a question.
pub(crate) fn answers(world: &World, id: &str) -> usize {
    let thread = world.json(&["thread", id]);
    let messages = thread["messages"].as_array().unwrap();
    messages.iter().filter(|one| one["kind"] == "answer").count()
}

/// Somebody waits in a shell for the answers so far, for so many seconds from now.
pub(crate) fn waited_for(world: &World, seconds: i64) {
    world.sql(&format!("UPDATE questions SET waited_until = {NOW} + {seconds} * 1000"));
}

/// The time as the mailbox has it.
pub(crate) const NOW: &str = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/// What `mailstop deliver` did, the oldest first: question and fate.
pub(crate) fn deliver(world: &World) -> Vec<String> {
    let done = world.json(&["deliver"]);
    let word = |one: &Value, name: &str| one[name].as_str().unwrap_or("-").to_owned();
    let answers = done["answers"].as_array().unwrap();
    answers
        .iter()
        .map(|one| world.redact(&word(one, "id")) + " " + &word(one, "delivery"))
        .collect()
}
