//! One project, however its path is spelled. B45.

use std::fs;
use std::os::unix::fs::symlink;

use crate::world::World;

/// A checkout with a worktree and a submodule, as git lays them out.
pub(crate) fn checkout(world: &World) {
    for folder in
        ["app/.git/worktrees/side", "app/.git/modules/lib", "app/src", "app/lib", "side/src"]
    {
        fs::create_dir_all(world.path(folder)).unwrap();
    }
    for git in ["app/.git", "app/.git/modules/lib"] {
        fs::write(world.path(git).join("HEAD"), "ref: refs/heads/main\n").unwrap();
    }
    fs::write(world.path("app/.git/worktrees/side/commondir"), "../..\n").unwrap();
    let git = format!("gitdir: {}\n", world.path("app/.git/worktrees/side").display());
    fs::write(world.path("side/.git"), git).unwrap();
    fs::write(world.path("app/lib/.git"), "gitdir: ../.git/modules/lib\n").unwrap();
    symlink("app", world.path("link")).unwrap();
}

#[test]
fn every_spelling_of_a_folder_is_the_same_project() {
    let world = World::new();
    checkout(&world);
    let bob = world.session("s1").named("bob").within(world.path("app"));
    let _ = bob.start();
    for spelling in [
        "app",
        "app/",
        "app/.",
        "./app/../app",
        "app/src",
        "link",
        "link/src",
        "side",
        "side/src",
        "app/.git/..",
    ] {
        world.send(&format!("project/{}", world.path(spelling).display()), &[]);
    }
    world.send("project/../app", &[]);
    world.send("project/app", &[]);
    assert_eq!(bob.prompt().brief(), "context 1 2 3 4 5 6 7 8 9 10 11 12");
}

#[test]
fn a_worktree_shares_its_project_and_a_submodule_has_its_own() {
    let world = World::new();
    checkout(&world);
    let side = world.session("s1").named("side").within(world.path("link/../side/src"));
    let lib = world.session("s2").named("lib").within(world.path("app/lib"));
    let (_, _) = (side.start(), lib.start());
    world.send("project/../app", &[]);
    assert_eq!(
        (side.prompt().brief(), lib.prompt().brief()),
        ("context 1".into(), "nothing".into())
    );
    let id = side.send("user", &[]);
    assert_eq!(world.mailstop(&["reply", &id, "--body", "ok"]).status, 0);
    assert_eq!(
        world.json(&["inbox", "--for", "side", "--disposition", "acknowledgement"])["messages"][0]
            ["recipient"],
        "agent/side"
    );
}

#[test]
fn a_session_stays_in_the_project_of_its_first_event() {
    let world = World::new();
    checkout(&world);
    let bob = world.session("s1").named("bob").within(world.path("app"));
    let _ = bob.start();
    let moved = bob.clone().within(world.path("work"));
    let _ = moved.prompt();
    world.send("project/.", &[]);
    world.send("project/app", &[]);
    assert_eq!(moved.prompt().brief(), "context 2");
}

#[test]
fn a_folder_name_of_two_projects_is_refused_with_both() {
    let world = World::new();
    for (id, folder) in [("s1", "a/app"), ("s2", "b/app")] {
        fs::create_dir_all(world.path(folder)).unwrap();
        let _ = world.session(id).within(world.path(folder)).start();
    }
    let refused = world.mailstop(&["send", "--to", "project/app", "--body", "x"]);
    assert_eq!(refused.status, 3);
    assert!(
        refused.stderr.starts_with("error: more than one project is called `app`\nhint: one of: ")
    );
    assert!(refused.stderr.contains("~/a/app") && refused.stderr.contains("~/b/app"));
    assert_eq!(
        world.json(&["send", "--to", "project/../a/app", "--body", "x"])["warnings"],
        serde_json::json!([])
    );
}

#[test]
fn mail_to_a_project_without_sessions_waits_for_the_first_one() {
    let world = World::new();
    let sent = world.mailstop(&["send", "--to", "project/.", "--body", "x"]);
    assert!(
        sent.stderr.starts_with("warning: no other session is running in project/~/work"),
        "{sent:?}"
    );
    let (one, two) = (world.session("s1").named("one"), world.session("s2").named("two"));
    assert!(one.start().text().contains("\nMailstop: 1 message for you.\n"));
    assert_eq!(two.start().brief(), "context");
}
