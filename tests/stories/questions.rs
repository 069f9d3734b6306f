//! Asking and answering: who may, what fits, and how a question ends.

use serde_json::json;

use crate::asking::{answer, ask, ask_user, question};
use crate::verbs::failed;
use crate::world::World;

#[test]
fn a_question_tells_how_to_answer_it() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let _ = ask(&bob);
    let read = world.mailstop(&["read", &world.id(1), "--json"]).stdout;
    let read: serde_json::Value = serde_json::from_str(&read).unwrap();
    let ways = "  mailstop answer <1> --option Yes\n  mailstop answer <1> --option No\n  mailstop answer <1> --text TEXT";
    let text = format!(
        "[Merge] Merge  it?\n- Yes\n- No\n(one of them, or your own words)\n\nAnswer with one of:\n{ways}"
    );
    assert_eq!(read["body"], json!(text));
    let facts = ["kind", "disposition", "subject", "sender"].map(|name| read[name].clone());
    assert_eq!(facts, ["question", "actionable", "Merge", "agent/bob"].map(|word| json!(word)));
}

/// An agent is told the whole path, and the command works in its shell.
#[test]
fn an_agent_answers_with_the_command_it_is_told() {
    let world = World::new();
    let (bob, amy) = (world.session("s1").named("bob"), world.session("s2").named("amy"));
    let (_, _, _) = (bob.start(), amy.start(), amy.prompt());
    let words = ["ask", "--json", "--to", "amy", "--question", "Ok?", "--option", "All right"];
    let id = bob.id_of(&words);
    let shown = amy.tool("t");
    assert!(shown.text().contains("|   mailstop answer <1> --option 'All right'\n"), "{shown:?}");
    let said = amy.mailstop(&["answer", &id, "--option", "All right"]);
    assert_eq!(said.stdout, "answered <1> for agent/bob: delivered; shown at its next event\n");
    assert!(bob.prompt().text().contains("\n| Ok?: All right\n"));
    assert_eq!((world.outcome(&id), world.proof(&id)), ("resolved".into(), "answer".into()));
}

#[test]
fn an_answer_that_does_not_fit_is_refused_with_what_does() {
    let world = World::new();
    let id =
        world.json(&["ask", "--to", "user", "--question", "?", "--option", "A", "--option", "B"]);
    let id = id["id"].as_str().unwrap();
    let refused = |words: &[&str]| world.mailstop(&[&["answer", id], words].concat());
    let hint = "hint: the question takes one of `A`, `B`\n";
    for (words, why) in [
        (&[][..], "the answer is empty"),
        (&["--option", "C"], "the question: `C` is no option"),
        (&["--option", "A", "--option", "B"], "the question: one option is taken"),
        (&["--text", "x"], "the question: no text of your own is taken"),
    ] {
        assert_eq!(refused(words), failed(2, &format!("error: {why}\n{hint}")), "{words:?}");
    }
    assert_eq!(world.json(&["answer", id])["error"]["code"], "usage");
    assert_eq!(question(&world, id)["status"], "open");
    assert_eq!(refused(&["--option", " a "]).status, 0);
}

#[test]
fn a_second_answer_is_refused_with_the_time_of_the_first() {
    let world = World::new();
    let id = ask_user(&world);
    let _ = answer(&world, &id, "one");
    world.sql("UPDATE questions SET answered_at = 1796358473130");
    let refused = "error: <1> was answered at 2026-12-04T04:27:53.13Z by user\nhint: `mailstop \
        questions --all` has the answer; `mailstop reply <1>` adds to it\n";
    assert_eq!(world.mailstop(&["answer", &id, "--text", "two"]), failed(4, refused));
    assert_eq!(world.json(&["answer", &id])["error"]["code"], "already_answered");
    assert_eq!(world.mailstop(&["cancel", &id]).status, 4);
    assert_eq!(question(&world, &id)["answer"], json!({ "q1": { "text": "one" } }));
}

#[test]
fn only_who_is_asked_answers() {
    let world = World::new();
    let (bob, amy) = (world.session("s1").named("bob"), world.session("s2").named("amy"));
    let (_, _) = (bob.start(), amy.start());
    let of_user = ask(&bob);
    let of_amy = bob.id_of(&["ask", "--json", "--to", "amy", "--question", "?"]);
    let list = "hint: `mailstop questions` lists what can be answered\n";
    let refused = |id: &str, asked: &str, who: &str| {
        failed(
            2,
            &format!("error: {id} was asked of {asked}, and {who} cannot answer for it\n{list}"),
        )
    };
    let text = ["--text", "x"];
    for agent in [&bob, &amy] {
        let name = if agent.id == "s1" { "agent/bob" } else { "agent/amy" };
        let said = agent.mailstop(&[&["answer", &of_user], &text[..]].concat());
        assert_eq!(said, refused("<1>", "user", name));
    }
    let words = [&["answer", &of_amy], &text[..]].concat();
    assert_eq!(bob.mailstop(&words), refused("<2>", "agent/amy", "agent/bob"));
    assert_eq!(world.mailstop(&words), refused("<2>", "agent/amy", "user"));
    assert_eq!(amy.mailstop(&words).status, 0);
    assert_eq!(
        bob.mailstop(&["ask", "--to", "amy", "--from", "user", "--question", "?"]).status,
        2
    );
}

/// What a project is asked any of its sessions may answer, once.
#[test]
fn the_first_of_a_project_answers_for_it() {
    let world = World::new();
    let (bob, amy) = (world.session("s1").named("bob"), world.session("s2").named("amy"));
    let (_, _) = (bob.start(), amy.start());
    let asked = world.json(&["ask", "--to", "project/.", "--question", "?"]);
    let id = asked["id"].as_str().unwrap();
    assert_eq!(amy.mailstop(&["answer", id, "--text", "x"]).status, 0);
    assert_eq!(bob.mailstop(&["answer", id, "--text", "y"]).status, 4);
    assert_eq!(question(&world, id)["answered_by"], "agent/amy");
}

#[test]
fn only_the_asker_or_the_person_cancels() {
    let world = World::new();
    let (bob, amy) = (world.session("s1").named("bob"), world.session("s2").named("amy"));
    let (_, _) = (bob.start(), amy.start());
    let (one, two) = (ask(&bob), ask(&bob));
    let refused = "error: <1> was asked by agent/bob, and only its asker can cancel it\nhint: \
        `mailstop questions` lists what can be answered\n";
    assert_eq!(amy.mailstop(&["cancel", &one]), failed(2, refused));
    assert_eq!(bob.mailstop(&["cancel", &one]).stdout, "cancelled <1>\n");
    assert_eq!(bob.mailstop(&["cancel", &one]).stdout, "already cancelled <1>\n");
    assert_eq!(world.mailstop(&["cancel", &two]).stdout, "cancelled <2>\n");
    assert_eq!([world.outcome(&one), world.outcome(&two)], ["withdrawn", "resolved"]);
}

#[test]
fn closing_the_message_ends_its_question() {
    let world = World::new();
    let (one, two) = (ask_user(&world), ask_user(&world));
    let (_, _) = (world.resolve(&["--id", &one]), world.mailstop(&["withdraw", &two]));
    for (id, number) in [(&one, 1), (&two, 2)] {
        let refused = format!(
            "error: <{number}> was cancelled before it was answered\nhint: `mailstop status \
             <{number}>` tells by whom\n"
        );
        assert_eq!(world.mailstop(&["answer", id, "--text", "x"]), failed(4, &refused));
        assert_eq!(question(&world, id)["status"], "cancelled");
    }
    assert_eq!(world.mailstop(&["questions"]).stdout, "no questions\n");
}

#[test]
fn a_message_that_merely_is_a_question_is_replied_to() {
    let world = World::new();
    let id = world.send("user", &["--kind", "question"]);
    let hint = "hint: answer it with `mailstop reply <1>`\n";
    let why = "error: <1> is not a question that was asked with `mailstop ask`\n";
    assert_eq!(
        world.mailstop(&["answer", &id, "--text", "x"]),
        failed(2, &(why.to_owned() + hint))
    );
    assert_eq!(world.mailstop(&["cancel", &id]).status, 2);
    assert_eq!(world.mailstop(&["answer", "none", "--text", "x"]).status, 3);
    assert_eq!(world.mailstop(&["ask", "--to", "nobody", "--question", "?"]).status, 3);
    assert_eq!(world.mailstop(&["ask", "--to", "user", "--question", " "]).status, 2);
    assert_eq!(world.mailstop(&["ask", "--to", "user"]).status, 2);
}

/// An agent sees what it asked and what it is asked; the person sees all.
#[test]
fn open_questions_are_listed_with_those_of_clients() {
    let world = World::new();
    let (bob, amy) = (world.session("s1").named("bob"), world.session("s2").named("amy"));
    let (_, _, _) = (bob.start(), amy.start(), amy.prompt());
    let _ = ask(&bob);
    let input = json!({ "questions": [{ "question": "Red or\nblue?" }] });
    amy.notes(
        "PreToolUse",
        &json!({ "tool_name": "AskUserQuestion", "tool_use_id": "q", "tool_input": input }),
    );
    let rows = |said: String| -> Vec<Vec<String>> {
        let words = |line: &str| {
            line.split("  ").map(str::trim).filter(|w| !w.is_empty()).map(str::to_owned).collect()
        };
        said.lines().skip(1).map(words).collect()
    };
    let native = ["-", "in client", "agent/amy", "user", "now", "(answer it there) Red or blue?"];
    let asked = ["<1>", "open", "agent/bob", "user", "now", "Merge it?"];
    assert_eq!(rows(world.mailstop(&["questions"]).stdout), [native, asked]);
    assert_eq!(rows(bob.mailstop(&["questions"]).stdout), [asked]);
    assert_eq!(rows(amy.mailstop(&["questions"]).stdout), [native]);
    let listed = world.json(&["questions"]);
    assert_eq!(listed["questions"][0]["answerable"], "client");
    assert_eq!(listed["questions"][0]["question"], "Red or\nblue?");
    let _ = amy.tool("q");
    assert_eq!(world.json(&["questions"])["questions"].as_array().map(Vec::len), Some(1));
}
