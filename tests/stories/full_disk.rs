//! A disk that takes no more: what was refused was not stored, and what was stored is told
//! so. A limit on the size of files stands for the disk.

use std::fs;

use crate::world::{MAILSTOP, Said, World};

/// Sends so many bytes while no file can grow beyond so many.
fn send_with_limit(world: &World, bytes: usize, limit: usize) -> Said {
    let body = world.path("body");
    fs::write(&body, "x".repeat(bytes)).unwrap();
    let line = format!(
        "trap '' XFSZ; ulimit -f {}; exec \"$0\" send --to user --body-file \"$1\"",
        limit / 512
    );
    let mut shell = world.command("sh");
    world.said(shell.args(["-c", &line, MAILSTOP]).arg(body), b"")
}

fn stored(world: &World) -> usize {
    world.json(&["inbox", "--for", "user"])["messages"].as_array().unwrap().len()
}

#[test]
fn what_is_stored_was_sent_although_the_log_cannot_be_folded() {
    let world = World::new();
    assert_eq!(send_with_limit(&world, 900_000, usize::MAX / 2).status, 0);
    let said = send_with_limit(&world, 300_000, 600_000);
    assert_eq!((said.status, said.stderr.as_str()), (0, ""), "{said:?}");
    assert_eq!(stored(&world), 2);
}

#[test]
fn what_the_disk_does_not_take_is_refused_and_not_stored() {
    let world = World::new();
    world.send("user", &[]);
    let said = send_with_limit(&world, 900_000, 200_000);
    assert_eq!(said.status, 6, "{said:?}");
    assert!(said.stderr.contains("hint: free some space"), "{said:?}");
    assert_eq!(stored(&world), 1);
    assert_eq!(send_with_limit(&world, 900_000, usize::MAX / 2).status, 0);
}
