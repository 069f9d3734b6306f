//! One recipient's dead delivery leaves the message as it is for the others.

use serde_json::{Value, json};

use crate::dead::{bob, in_vain};
use crate::shown::Shown;
use crate::world::World;

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
