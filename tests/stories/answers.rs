//! Replies, withdrawals and resolutions.

use crate::shown::Shown;
use crate::verbs::failed;
use crate::world::World;

#[test]
fn a_reply_goes_to_the_sender_in_the_thread_with_one_re() {
    let world = World::new();
    let (bob, amy) = (world.session("s1").named("bob"), world.session("s2").named("amy"));
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
    assert_eq!(of("disposition"), ["actionable", "actionable", "acknowledgement"]);
    assert_eq!(of("recipient"), ["agent/bob", "agent/amy", "agent/bob"]);
    assert_eq!(of("reply_to"), ["-", &first, &second]);
}

/// B33.
#[test]
fn polite_agents_do_not_keep_each_other_from_stopping() {
    let world = World::new();
    let (bob, amy) = (world.session("s1").named("bob"), world.session("s2").named("amy"));
    let (_, _) = (bob.start(), amy.start());
    let mut id = amy.send("bob", &[]);
    let _ = bob.stop();
    for round in 0..4 {
        let (one, other) = if round % 2 == 0 { (&bob, &amy) } else { (&amy, &bob) };
        id = one.id_of(&["reply", "--json", &id, "--body", "ok"]);
        assert_eq!(other.stop(), Shown::Nothing);
    }
    assert_eq!(bob.mailstop(&["resolve", &id]).status, 0);
    assert_eq!(world.json(&["inbox", "--all"])["messages"].as_array().map(Vec::len), Some(5));
}

#[test]
fn only_its_sender_can_withdraw_a_message() {
    let world = World::new();
    let (bob, amy) = (world.session("s1").named("bob"), world.session("s2").named("amy"));
    let (_, _) = (bob.start(), amy.start());
    let id = amy.send("bob", &[]);
    let refused = "error: <1> was sent by agent/amy, and only its sender can withdraw it\nhint: use `resolve` to close it\n";
    assert_eq!(bob.mailstop(&["withdraw", &id]), failed(2, refused));
    assert_eq!(world.mailstop(&["withdraw", &id]), failed(2, refused));
    assert_eq!(amy.mailstop(&["withdraw", &id]).stdout, "withdrawn <1>\n");
    assert_eq!(amy.mailstop(&["withdraw", &id]).stdout, "already withdrawn <1>\n");
    assert_eq!((bob.stop(), world.outcome(&id)), (Shown::Nothing, "withdrawn".into()));
}

#[test]
fn resolving_takes_several_ids_and_may_be_repeated() {
    let world = World::new();
    let (one, two) = (world.send("user", &[]), world.send("user", &[]));
    let said = world.resolve(&["--id", &one, "--id", "none", "--id", &two]);
    assert_eq!((said.status, said.stdout.as_str()), (3, "resolved <1>\nresolved <2>\n"));
    assert_eq!(said.stderr, "error: no message `none`\nhint: `mailstop inbox --all` lists them\n");
    assert_eq!(
        world.resolve(&["--id", &one, "--status", "resolved"]).stdout,
        "already resolved <1>\n"
    );
    assert_eq!(
        world.mailstop(&["resolve", &one, &two]).stdout,
        "already resolved <1>\nalready resolved <2>\n"
    );
    assert_eq!(world.resolve(&[]).status, 2);
}
