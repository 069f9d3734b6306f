//! Deliveries that are given up: when, who hears of it, and how one is tried again.

use std::fs;

use serde_json::{Value, json};

use crate::session::Session;
use crate::shown::Shown;
use crate::world::World;

const NOT_FOUND: &str = "offered, but not found in the transcript";

/// Bob, whose transcript holds nothing that he is offered.
pub(crate) fn bob(world: &World) -> Session<'_> {
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    fs::write(&bob.transcript, "{}\n").unwrap();
    bob
}

/// Offers mail at ten prompts, each of them interrupted at once; the next looks it up.
pub(crate) fn in_vain(session: &Session<'_>) {
    for attempt in 1..=10 {
        assert!(matches!(session.prompt(), Shown::Context(_)), "attempt {attempt}");
    }
    assert_eq!(session.prompt(), Shown::Nothing);
}

/// Mail to bob by amy that was given up.
fn dead(world: &World) -> (Session<'_>, Session<'_>, String) {
    let (bob, amy) = (bob(world), world.session("s2").named("amy"));
    let _ = amy.start();
    let id = amy.send("bob", &["--subject", "secret"]);
    in_vain(&bob);
    (bob, amy, id)
}

/// What one recipient's status says.
pub(crate) fn recipient(world: &World, id: &str) -> Value {
    let one = world.json(&["status", id])["recipients"][0].clone();
    assert_eq!(one["dead_at"].is_null(), one["outcome"] != "dead", "{one}");
    json!([one["outcome"], one["attempts"], one["last_error"]])
}

/// The ids that are dead.
pub(crate) fn letters(world: &World) -> Vec<String> {
    let document = world.json(&["dead", "list"]);
    let id = |one: &Value| one["id"].as_str().unwrap().to_owned();
    document["dead"].as_array().unwrap().iter().map(id).collect()
}

/// The notices about a message: what each tells, and how.
pub(crate) fn notices(world: &World, whose: &str) -> Vec<Value> {
    let document = world.json(&["inbox", "--for", whose, "--all"]);
    let all = document["messages"].as_array().unwrap().iter();
    let notices = all.filter(|one| one["kind"] == "notice");
    let told = |one: &Value| {
        json!([one["correlation"], one["priority"], one["disposition"], one["status"]])
    };
    let mut told: Vec<Value> = notices.map(told).collect();
    told.sort_by_key(Value::to_string);
    told
}

fn exhausted() -> Value {
    json!(["retry_exhausted", "high", "actionable", "pending"])
}

fn success() -> Value {
    json!(["retry_success", "normal", "acknowledgement", "resolved"])
}

/// B42: what an interrupt swallowed is offered again, but not for ever.
#[test]
fn ten_offers_in_a_row_that_nothing_proved_are_the_last() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &[]);
    for attempt in 1..=9 {
        let _ = bob.prompt();
        let reason = if attempt == 1 { Value::Null } else { json!(NOT_FOUND) };
        assert_eq!(recipient(&world, &id), json!(["offered", attempt, reason]));
    }
    let (_, _) = (bob.prompt(), bob.prompt());
    assert_eq!(recipient(&world, &id), json!(["dead", 10, NOT_FOUND]));
    assert_eq!(
        (bob.tool("t"), bob.stop(), bob.start_as("resume").brief()),
        (Shown::Nothing, Shown::Nothing, "context".into())
    );
    assert_eq!(world.json(&["status", &id])["status"], "pending");
}

#[test]
fn a_proof_begins_the_count_again() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &[]);
    for _attempt in 0..10 {
        let _ = bob.prompt();
    }
    assert_eq!(bob.stop(), Shown::Nothing);
    assert_eq!(recipient(&world, &id), json!(["seen", 10, NOT_FOUND]));
    assert_eq!(letters(&world), [""; 0]);
    let told = world.mailstop(&["status", &id]).stdout;
    assert!(told.ends_with("proved by stop; 10 attempts\n"), "{told}");
}

#[test]
fn a_status_tells_the_attempts_and_why_the_last_one_failed() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &[]);
    let (_, _) = (bob.prompt(), bob.prompt());
    let told = |world: &World| world.mailstop(&["status", &id]).stdout;
    let failed = format!("2 attempts; the last one failed: {NOT_FOUND}\n");
    assert!(told(&world).ends_with(&failed), "{}", told(&world));
    for _attempt in 2..11 {
        let _ = bob.prompt();
    }
    let dead = format!("<1> dead: \n  agent/bob: dead; 10 attempts; given up now: {NOT_FOUND}\n");
    assert_eq!(told(&world), dead);
}

#[test]
fn the_sender_hears_once_and_how_to_go_on() {
    let world = World::new();
    let (bob, amy, id) = dead(&world);
    let Shown::Block(told) = amy.stop() else { panic!("nothing was told") };
    for part in [
        "agent/bob",
        NOT_FOUND,
        "attempts: 10",
        "mailstop dead retry <1>",
        "mailstop dead drop <1>",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert_eq!(world.mailstop(&["dead", "retry", &id]).status, 0);
    in_vain(&bob);
    assert_eq!(recipient(&world, &id), json!(["dead", 20, NOT_FOUND]));
    assert_eq!(notices(&world, "amy"), [exhausted()]);
}

#[test]
fn a_later_success_is_told_once_and_asks_nothing() {
    let world = World::new();
    let (bob, amy, id) = dead(&world);
    let notice = world.json(&["inbox", "--for", "amy"])["messages"][0]["id"].clone();
    assert_eq!(world.mailstop(&["resolve", notice.as_str().unwrap()]).status, 0);
    for _round in 0..2 {
        let _ = world.mailstop(&["dead", "retry", &id]);
        let (_, _) = (bob.prompt(), bob.stop());
    }
    assert_eq!(recipient(&world, &id), json!(["seen", 11, NOT_FOUND]));
    assert_eq!(notices(&world, "amy").last(), Some(&success()));
    assert_eq!(notices(&world, "amy").len(), 2);
    assert_eq!((amy.stop(), amy.prompt().text().contains("after all")), (Shown::Nothing, true));
}

/// B24: a bounce never triggers another bounce.
#[test]
fn a_notice_that_dies_is_listed_and_tells_nobody() {
    let world = World::new();
    let (_, amy, id) = dead(&world);
    fs::write(&amy.transcript, "{}\n").unwrap();
    in_vain(&amy);
    let ids = letters(&world);
    assert_eq!((ids.len(), &ids[0]), (2, &id));
    assert_eq!(world.json(&["status", &ids[1]])["kind"], "notice");
    assert_eq!(world.json(&["inbox", "--all"])["messages"].as_array().unwrap().len(), 2);
    assert_eq!(world.mailstop(&["dead", "retry", &ids[1]]).status, 0);
    assert_eq!(
        (amy.prompt().text().contains("dead retry"), amy.stop().brief()),
        (true, "block".into())
    );
    assert_eq!(notices(&world, "amy"), [exhausted()]);
}

#[test]
fn a_list_shows_what_was_given_up_and_changes_nothing() {
    let world = World::new();
    assert_eq!(world.mailstop(&["dead", "list"]).stdout, "nothing was given up\n");
    let (_, _, id) = dead(&world);
    let one = world.json(&["dead", "list"])["dead"][0].clone();
    let told = ["id", "what", "recipient", "attempts", "last_error", "subject"]
        .map(|key| one[key].clone());
    assert_eq!(json!(told), json!([id, "message", "agent/bob", 10, NOT_FOUND, "secret"]));
    let list = world.mailstop(&["dead", "list"]).stdout;
    let row = format!("\n<1>  message  agent/bob  10        {NOT_FOUND}  now    secret\n");
    assert!(list.contains(&row), "{list}");
    assert_eq!(world.mailstop(&["dead", "list"]).stdout, list);
}

#[test]
fn a_retry_shows_it_again_where_it_would_have_been() {
    let world = World::new();
    let (bob, _, id) = dead(&world);
    let said = world.mailstop(&["dead", "retry", &id]);
    assert_eq!(said.stdout, "<1> is tried again, for agent/bob\n");
    assert_eq!((letters(&world), world.outcome(&id)), (vec![], "sent".into()));
    assert_eq!(bob.tool("t1").brief(), "context 1");
    assert_eq!((bob.stop(), world.proof(&id)), (Shown::Nothing, "stop".into()));
}

/// Mail that is tried again waits for a dialog as any other does.
#[test]
fn a_retry_is_held_while_the_reader_awaits_its_user() {
    let world = World::new();
    let (bob, _, id) = dead(&world);
    bob.asks_leave("ls");
    assert_eq!(world.mailstop(&["dead", "retry", &id]).status, 0);
    assert_eq!((world.outcome(&id), bob.runs("true")), ("deferred".into(), Shown::Nothing));
    assert_eq!(bob.runs("ls").brief(), "context 1");
}

/// The count goes on, and the budget is the operator's alone to renew.
#[test]
fn a_retry_begins_a_new_budget() {
    let world = World::new();
    let (bob, _, id) = dead(&world);
    let _ = world.mailstop(&["dead", "retry", &id]);
    for _attempt in 0..10 {
        let _ = bob.prompt();
    }
    assert_eq!(recipient(&world, &id), json!(["offered", 20, NOT_FOUND]));
    let _ = bob.prompt();
    assert_eq!(recipient(&world, &id), json!(["dead", 20, NOT_FOUND]));
}

#[test]
fn a_retry_of_what_is_not_dead_or_not_pending_is_refused() {
    let world = World::new();
    let (_, amy, id) = dead(&world);
    let (other, code) =
        (world.send("bob", &[]), |words: &[&str]| world.json(words)["error"]["code"].clone());
    assert_eq!(world.mailstop(&["dead", "retry", &other]).status, 3);
    assert_eq!(code(&["dead", "retry", "zzz"]), "not_found");
    assert_eq!(amy.mailstop(&["withdraw", &id]).status, 0);
    assert_eq!((letters(&world), world.outcome(&id)), (vec![], "withdrawn".into()));
    for verb in ["retry", "drop"] {
        assert_eq!(code(&["dead", verb, &id]), "not_pending");
        assert_eq!(world.mailstop(&["dead", verb, &id]).status, 4);
    }
}

#[test]
fn what_was_dropped_stays_dead_and_is_not_tried_again() {
    let world = World::new();
    let (bob, _, id) = dead(&world);
    let rehearsed = world.mailstop(&["dead", "drop", &id, "--dry-run"]).stdout;
    assert_eq!(rehearsed, "<1> for agent/bob would be put aside\nnothing was changed\n");
    assert_eq!(letters(&world), std::slice::from_ref(&id));
    assert_eq!(world.mailstop(&["dead", "drop", &id]).stdout, "<1> for agent/bob is put aside\n");
    assert_eq!((letters(&world), recipient(&world, &id)), (vec![], json!(["dead", 10, NOT_FOUND])));
    assert!(world.mailstop(&["status", &id]).stdout.ends_with("; put aside now\n"));
    assert_eq!(world.json(&["dead", "retry", &id])["error"]["code"], "already_dropped");
    assert_eq!((world.mailstop(&["dead", "drop", &id]).status, bob.prompt()), (4, Shown::Nothing));
    assert_eq!(world.json(&["dead", "retry", "--all"])["retried"], json!([]));
}

#[test]
fn a_rehearsed_retry_of_all_tells_what_the_real_one_does() {
    let world = World::new();
    let (bob, _, first) = dead(&world);
    let second = world.send("bob", &[]);
    in_vain(&bob);
    let rehearsed = world.json(&["dead", "retry", "--all", "--dry-run"])["retried"].clone();
    assert_eq!(letters(&world), [first, second]);
    assert_eq!(world.json(&["dead", "retry", "--all"])["retried"], rehearsed);
    assert_eq!((letters(&world).len(), bob.prompt().brief()), (0, "context 1 2".into()));
    assert_eq!(world.mailstop(&["dead", "retry", "--all"]).stdout, "nothing was given up\n");
}

/// Whatever the old attempts still have to say comes too late.
#[test]
fn an_old_offer_proves_nothing_after_a_redelivery() {
    let world = World::new();
    let (bob, _, id) = dead(&world);
    let _ = world.mailstop(&["dead", "retry", &id]);
    fs::write(&bob.transcript, format!("{{\"old\":\"[{id}]\"}}\n")).unwrap();
    assert_eq!(
        (bob.stop().brief(), recipient(&world, &id)),
        ("block 1".into(), json!(["offered", 11, NOT_FOUND]))
    );
    assert_eq!((bob.prompt().brief(), world.outcome(&id)), ("context 1".into(), "offered".into()));
}

#[test]
fn reading_or_answering_what_is_dead_ends_its_death() {
    let world = World::new();
    for act in ["read", "reply"] {
        let (bob, amy) = (bob(&world), world.session("s2").named("amy"));
        let _ = amy.start();
        let id = amy.send("bob", &["--priority", "high"]);
        in_vain(&bob);
        let said = bob.mailstop_with(&[act, &id, "-"][..if act == "read" { 2 } else { 3 }], b"ok");
        assert_eq!(
            (said.status, world.proof(&id), world.outcome(&id)),
            (0, act.into(), "blocking".into())
        );
        assert_eq!(letters(&world), [""; 0]);
        assert!(matches!(bob.stop(), Shown::Block(_)));
        assert_eq!(bob.mailstop(&["resolve", &id]).status, 0);
    }
    assert_eq!(notices(&world, "amy"), [exhausted(), exhausted(), success(), success()]);
}

/// How much is unread for bob in a list of the sessions.
fn unread_of_bob(world: &World) -> Value {
    let sessions = world.json(&["sessions"])["sessions"].clone();
    let mut all = sessions.as_array().unwrap().iter();
    all.find(|one| one["name"] == "bob").unwrap()["unread"].clone()
}

/// B18: one number everywhere, and what was closed never comes back.
#[test]
fn what_is_dead_is_unread_nowhere_and_what_was_closed_never_returns() {
    let world = World::new();
    let (bob, _, id) = dead(&world);
    let counts = [
        world.json(&[])["unread"].clone(),
        json!(
            world.json(&["inbox", "--for", "bob", "--unread"])["messages"]
                .as_array()
                .unwrap()
                .len()
        ),
        json!(
            world.json(&["inbox", "--for", "bob", "--blocking"])["messages"]
                .as_array()
                .unwrap()
                .len()
        ),
        unread_of_bob(&world),
    ];
    // Amy's notice is the one that is unread.
    assert_eq!(json!(counts), json!([1, 0, 0, 0]));
    let _ = world.mailstop(&["dead", "retry", &id]);
    assert_eq!(world.resolve(&["--id", &id]).status, 0);
    assert_eq!(
        (bob.prompt(), bob.tool("t"), bob.stop()),
        (Shown::Nothing, Shown::Nothing, Shown::Nothing)
    );
    assert_eq!((world.outcome(&id), letters(&world)), ("resolved".into(), vec![]));
}

#[test]
fn the_record_tells_the_reason_and_no_word_of_the_message() {
    let world = World::new();
    let (_, _, id) = dead(&world);
    let _ = world.mailstop(&["dead", "retry", &id]);
    world.sql("UPDATE deliveries SET dead_at = 1, owed = 0 WHERE message = 1");
    let _ = world.mailstop(&["dead", "drop", &id]);
    let log = world.json(&["log"])["activities"].clone();
    let told: Vec<Value> = log
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| ["dead", "retried", "dropped"].iter().any(|what| one["what"] == *what))
        .map(|one| json!([one["what"], one["id"], one["who"], one["detail"]]))
        .collect();
    let line = |what: &str, detail: Value| json!([what, id, "agent/bob", detail]);
    assert_eq!(
        told,
        [
            line("dead", json!(NOT_FOUND)),
            line("retried", Value::Null),
            line("dropped", Value::Null)
        ]
    );
    assert!(!log.to_string().contains("secret"), "{log}");
}

#[test]
fn the_glance_and_the_doctor_tell_what_is_dead() {
    let world = World::new();
    let find = |world: &World| {
        let document = world.json(&["doctor"]);
        let checks = document["findings"].as_array().unwrap().clone();
        checks.into_iter().find(|one| one["check"] == "dead").unwrap()
    };
    world.send("bob", &["--allow-unknown"]);
    assert_eq!(
        (find(&world)["level"].clone(), world.json(&[])["dead"].clone()),
        (json!("ok"), json!(0))
    );
    let (_, _, id) = dead(&world);
    let finding = find(&world);
    assert_eq!((&finding["level"], &world.json(&[])["dead"]), (&json!("note"), &json!(2)));
    assert!(finding["remedy"].as_str().unwrap().contains("mailstop dead retry "), "{finding}");
    assert!(letters(&world).contains(&id));
    assert!(world.mailstop(&[]).stdout.contains("\n2 given up: mailstop dead list\n"));
}

#[test]
fn a_send_that_waits_ends_when_every_way_is_dead() {
    let world = World::new();
    let (bob, amy) = (bob(&world), world.session("s2").named("amy"));
    let _ = amy.start();
    let words = ["send", "--to", "bob", "--body", "x", "--wait-for", "seen", "--timeout", "60"];
    let said = std::thread::scope(|scope| {
        let waits = scope.spawn(|| world.mailstop(&words));
        while !matches!(bob.prompt(), Shown::Context(_)) {}
        for _attempt in 0..10 {
            let _ = bob.prompt();
        }
        waits.join().unwrap()
    });
    let id = letters(&world).remove(0);
    let told = format!(
        "error: {id} was given up: {NOT_FOUND}\nhint: `mailstop dead retry {id}` has it tried again\n"
    );
    assert_eq!((said.status, said.stderr), (1, told));
}

/// The message stays what it is for its other readers.
#[test]
fn a_broadcast_is_dead_only_where_it_was_given_up() {
    let world = World::new();
    let (bob, amy) = (bob(&world), world.session("s2").named("amy"));
    let _ = amy.start();
    let id = world.send("project/.", &[]);
    in_vain(&bob);
    let outcomes = |world: &World| -> Vec<Value> {
        let all = world.json(&["status", &id])["recipients"].clone();
        all.as_array().unwrap().iter().map(|one| one["outcome"].clone()).collect()
    };
    assert_eq!(
        (outcomes(&world), world.outcome(&id)),
        (vec![json!("dead"), json!("queued")], "queued".into())
    );
    assert_eq!((amy.prompt().brief(), amy.stop()), ("context 1".into(), Shown::Nothing));
    assert_eq!(
        (outcomes(&world), world.outcome(&id)),
        (vec![json!("dead"), json!("seen")], "seen".into())
    );
    assert_eq!(amy.mailstop(&["resolve", &id]).status, 0);
    assert_eq!(
        (outcomes(&world), bob.prompt()),
        (vec![json!("resolved"), json!("resolved")], Shown::Nothing)
    );
}

/// The next session of a project gets what others have not seen, alive and not dead.
#[test]
fn project_mail_that_is_passed_on_is_owed() {
    let world = World::new();
    let (bob, amy) = (bob(&world), world.session("s2").named("amy"));
    let _ = amy.start();
    world.send("project/.", &[]);
    in_vain(&bob);
    let (_, _) = (bob.end(), amy.end());
    assert_eq!(world.session("s3").named("eve").start().brief(), "context 1");
}

#[test]
fn a_fork_does_not_get_what_its_parent_gave_up() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("project/.", &[]);
    in_vain(&bob);
    let fork = world.session("s2");
    let (_, shown) = (fork.start_as("fork"), fork.prompt());
    assert_eq!((shown, world.outcome(&id)), (Shown::Nothing, "dead".into()));
}

/// Closed information is offered no longer either, and is nobody's to try again.
#[test]
fn what_was_closed_is_not_told_for_ever() {
    let world = World::new();
    let (bob, amy) = (bob(&world), world.session("s2").named("amy"));
    let _ = amy.start();
    let id = amy.send("bob", &["--status", "resolved"]);
    in_vain(&bob);
    assert_eq!(
        (world.outcome(&id), letters(&world), notices(&world, "amy")),
        ("resolved".into(), vec![], vec![])
    );
}

/// A sweep leaves the truth of what it empties.
#[test]
fn an_acknowledgement_that_died_is_swept_at_its_age_and_stays_dead() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &["--disposition", "acknowledgement"]);
    let open = world.send("bob", &[]);
    in_vain(&bob);
    world.age(31 * 24);
    assert_eq!(world.json(&["sweep"])["removed"], json!({ "acknowledgement": 1 }));
    assert_eq!(
        (recipient(&world, &id), letters(&world)),
        (json!(["dead", 10, NOT_FOUND]), vec![open])
    );
}
