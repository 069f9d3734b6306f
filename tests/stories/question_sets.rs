//! Several questions at once, from a file.

use std::fs;

use serde_json::{Value, json};

use crate::asking::question;
use crate::verbs::failed;
use crate::world::{Said, World};

const SCHEMA: &str = "mailstop.question_set.v1";

fn file(world: &World, document: &Value) -> String {
    let path = world.path("questions.json");
    fs::write(&path, document.to_string()).unwrap();
    path.display().to_string()
}

fn ask(world: &World, document: &Value) -> Said {
    let path = file(world, document);
    world.mailstop(&["ask", "--to", "user", "--file", &path])
}

fn two(world: &World) -> String {
    let options = json!([{ "id": "lite", "label": "SQLite", "description": "one file" },
        { "label": "Postgre SQL" }]);
    let document = json!({ "schema": SCHEMA, "questions": [
        { "id": "db", "header": "Database", "prompt": "Which one?", "options": options, "multi": true },
        { "id": "why", "prompt": "Why\nthat?" }] });
    let path = file(world, &document);
    let asked = world.json(&["ask", "--to", "user", "--file", &path]);
    let id = asked["id"].as_str().unwrap_or_else(|| panic!("{asked}")).to_owned();
    world.learn(&id);
    id
}

#[test]
fn all_are_answered_at_once() {
    let world = World::new();
    let id = two(&world);
    let words = ["--option", "db=postgre sql", "--option", "db=lite", "--text", "why=Both\n work."];
    assert_eq!(world.mailstop(&[&["answer", &id], &words[..]].concat()).status, 0);
    let answer = json!({ "db": { "options": ["lite", "o2"] }, "why": { "text": "Both\n work." } });
    assert_eq!(question(&world, &id)["answer"], answer);
    let answer = world.json(&["inbox", "--for", "user"])["messages"][0].clone();
    assert_eq!(
        (&answer["subject"], &answer["body"]),
        (
            &json!("Re: Database"),
            &json!("[Database] Which one?: SQLite, Postgre SQL\nWhy that?: Both work.")
        )
    );
}

#[test]
fn some_may_be_left_without_an_answer_but_not_all() {
    let world = World::new();
    let id = two(&world);
    let said = world.mailstop(&["answer", &id, "--option", "SQLite"]);
    let hint = "hint: there are several: --option QUESTION=…, QUESTION one of db, why\n";
    let why = "error: `SQLite` does not begin with the id of a question\n";
    assert_eq!(said, failed(2, &(why.to_owned() + hint)));
    assert_eq!(world.mailstop(&["answer", &id]).status, 2);
    assert_eq!(world.mailstop(&["answer", &id, "--option", "db=SQLite"]).status, 0);
    let answer = world.json(&["inbox", "--for", "user"])["messages"][0].clone();
    assert_eq!(answer["body"], "[Database] Which one?: SQLite\nWhy that?: No answer");
}

#[test]
fn a_file_that_is_none_is_refused_with_the_place() {
    let world = World::new();
    for (document, why) in [
        (json!({ "schema": SCHEMA, "questions": [{}] }), "missing field `prompt` at line 1"),
        (
            json!({ "schema": SCHEMA, "questions": [{ "prompt": "?", "x": 1 }] }),
            "unknown field `x`",
        ),
        (json!({ "schema": "v9", "questions": [] }), "unknown schema `v9`"),
        (json!({ "schema": SCHEMA, "questions": [] }), "a question set has 1 to 20 questions"),
    ] {
        let said = ask(&world, &document);
        assert!(said.status == 2 && said.stderr.contains(why), "{said:?}");
    }
    let missing = world.mailstop(&["ask", "--to", "user", "--file", "none.json"]);
    assert_eq!((missing.status, missing.stdout.as_str()), (1, ""));
    assert_eq!(world.json(&["inbox", "--all"])["messages"], json!([]));
}

/// The set in the help is one.
#[test]
fn the_documented_set_is_accepted() {
    let world = World::new();
    let help = world.mailstop(&["ask", "--help"]).stdout;
    let (begin, end) = (help.find("{\"schema\"").unwrap(), help.find("]}\n\n").unwrap());
    let document: Value = serde_json::from_str(&help[begin..end + 2]).unwrap();
    assert_eq!(ask(&world, &document).status, 0);
}
