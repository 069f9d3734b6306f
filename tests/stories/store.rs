//! The mailbox file: made by many at once, newer, foreign, unreadable, or nowhere.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::Command;

use crate::session::Shown;
use crate::world::{MAILSTOP, STOP, World, run};

/// B26.
#[test]
fn sixteen_processes_at_once_make_one_mailbox() {
    for _round in 0..10 {
        let world = World::new();
        std::thread::scope(|scope| {
            for number in 0..16 {
                let world = &world;
                let _running = scope.spawn(move || {
                    if number % 2 == 0 {
                        let _ = world.session(&format!("s{number}")).start();
                    } else {
                        let said = world.mailstop(&["send", "--to", "user", "--body", "x"]);
                        assert_eq!((said.status, said.stderr.as_str()), (0, ""));
                    }
                });
            }
        });
        assert_eq!(
            world.json(&["inbox"])["messages"].as_array().unwrap().len(),
            8
        );
        assert_eq!(
            world.json(&["sessions"])["sessions"]
                .as_array()
                .unwrap()
                .len(),
            8
        );
        assert_eq!(world.errors(), "");
    }
}

fn sqlite(world: &World, write: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let file = world.path("mail/mailstop.db");
    let mut bytes = fs::read(&file).unwrap();
    write(&mut bytes);
    fs::write(&file, &bytes).unwrap();
    bytes
}

/// A mailbox without a write-ahead log, so that its header is in the file.
fn folded() -> World {
    let world = World::new();
    world.send("bob", &["--allow-unknown", "--priority", "urgent"]);
    for _ in 0..80 {
        world.send("user", &[]);
    }
    let log = fs::metadata(world.path("mail/mailstop.db-wal")).map_or(0, |log| log.len());
    assert!(log <= 65 * 4120, "{log}");
    for side in ["mail/mailstop.db-wal", "mail/mailstop.db-shm"] {
        let _ = fs::remove_file(world.path(side));
    }
    world
}

/// B27. The version is a number of four bytes at offset 60 of the file.
#[test]
fn a_newer_mailbox_is_left_alone() {
    let world = folded();
    let bytes = sqlite(&world, |bytes| bytes[63] += 1);
    let bob = world.session("s1").named("bob");
    for shown in [
        bob.start(),
        bob.prompt(),
        bob.tool("t1"),
        bob.stop(),
        bob.end(),
    ] {
        assert_eq!(shown, Shown::Nothing);
    }
    for words in [
        vec!["inbox"],
        vec!["send", "--to", "bob", "--body", "x"],
        vec!["read", "x"],
        vec!["resolve", "x"],
        vec!["sessions"],
        vec![],
    ] {
        let said = world.mailstop(&words);
        assert_eq!(said.status, 6, "{words:?}");
        assert!(said.stderr.contains("made by a newer mailstop"), "{said:?}");
    }
    assert_eq!(world.resolve(&["--id", "x"]).status, 6);
    assert!(
        fs::read(world.path("mail/mailstop.db")).unwrap() == bytes,
        "the file changed"
    );
    assert_eq!(world.errors().lines().count(), 5);
}

#[test]
fn a_foreign_database_is_left_alone() {
    let world = folded();
    // Neither our version nor our mark.
    let bytes = sqlite(&world, |bytes| {
        bytes[60..64].fill(0);
        bytes[68..72].fill(0);
    });
    let bob = world.session("s1").named("bob");
    assert_eq!((bob.start(), bob.stop()), (Shown::Nothing, Shown::Nothing));
    let said = world.mailstop(&["inbox"]);
    assert_eq!(
        (said.status, said.stderr.as_str()),
        (
            6,
            "error: ~/mail/mailstop.db is a database, but not a mailbox\nhint: set MAILSTOP_HOME to another folder; nothing was changed\n"
        )
    );
    assert!(
        fs::read(world.path("mail/mailstop.db")).unwrap() == bytes,
        "the file changed"
    );
}

#[test]
fn a_damaged_mailbox_stops_nobody_and_is_told() {
    let world = World::new();
    let _ = world.session("s1").start();
    for side in ["mail/mailstop.db-wal", "mail/mailstop.db-shm"] {
        let _ = fs::remove_file(world.path(side));
    }
    fs::write(world.path("mail/mailstop.db"), "no database ".repeat(1000)).unwrap();
    assert_eq!(world.session("s1").stop(), Shown::Nothing);
    assert_eq!(
        (
            world.mailstop(&["inbox"]).status,
            world.errors().lines().count()
        ),
        (6, 1)
    );
}

/// B54.
#[test]
fn everything_in_the_folder_is_its_owners_alone() {
    let world = World::new();
    let mut shell = world.command("/bin/sh");
    shell.args([
        "-c",
        &format!("umask 022; {MAILSTOP} send --to user --body x && echo '{{' | {STOP}"),
    ]);
    assert!(run(&mut shell, b"").status.success());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&world.path("mail")), 0o700);
    let mut names: Vec<String> = fs::read_dir(world.path("mail"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "errors.log",
            "mailstop.db",
            "mailstop.db-shm",
            "mailstop.db-wal"
        ]
    );
    for name in names {
        assert_eq!(mode(&world.path("mail").join(&name)), 0o600, "{name}");
    }
}

fn as_nobody(world: &World, program: &str) -> Command {
    let mut command = world.command("setpriv");
    command.env("PATH", "/usr/bin:/bin").args([
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        program,
    ]);
    command
}

/// B54. Root writes everywhere, so this needs another user to be.
#[test]
fn a_folder_that_cannot_be_written_can_be_read() {
    let world = folded();
    let can_be_nobody = run(&mut as_nobody(&world, "true"), b"").status.success();
    let can_be_read = as_nobody(&world, MAILSTOP)
        .arg("--version")
        .output()
        .is_ok_and(|ran| ran.status.success());
    if !can_be_nobody || !can_be_read {
        eprintln!("skipped: only root can become another user, who must be able to run the build");
        return;
    }
    for path in [".", "work", "mail", "mail/mailstop.db"] {
        chown(world.path(path), Some(65534), Some(65534)).unwrap();
    }
    let set = |mode: u32, folder: u32| {
        fs::set_permissions(
            world.path("mail/mailstop.db"),
            fs::Permissions::from_mode(mode),
        )
        .unwrap();
        fs::set_permissions(world.path("mail"), fs::Permissions::from_mode(folder)).unwrap();
    };
    set(0o400, 0o500);
    let mut inbox = as_nobody(&world, MAILSTOP);
    let said = world.said(inbox.args(["inbox", "--limit", "1"]), b"");
    assert_eq!((said.status, said.stderr.as_str()), (0, ""), "{said:?}");
    let mut send = as_nobody(&world, MAILSTOP);
    let said = world.said(send.args(["send", "--to", "user", "--body", "x"]), b"");
    assert_eq!(said.status, 6, "{said:?}");
    assert!(
        said.stderr
            .contains("hint: the mailbox cannot be written from here"),
        "{said:?}"
    );
    let bob = world.session("s1").named("bob");
    let mut hook = as_nobody(&world, STOP);
    hook.env("MAILSTOP_NAME", "bob");
    let output = run(
        &mut hook,
        bob.payload("Stop", &serde_json::json!({}))
            .to_string()
            .as_bytes(),
    );
    assert!(
        output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(),
        "{output:?}"
    );
    set(0o600, 0o700);
    assert_eq!(bob.start().brief(), "context 1");
}

/// B54.
#[test]
fn without_a_home_the_hooks_pass_and_the_commands_say_so() {
    let world = World::new();
    let payload = world
        .session("s1")
        .payload("Stop", &serde_json::json!({}))
        .to_string();
    for home in [None, Some("/nonexistent"), Some("/proc")] {
        let mut hook = world.command(STOP);
        let mut send = world.command(MAILSTOP);
        for command in [&mut hook, &mut send] {
            command.env_remove("HOME").env_remove("MAILSTOP_HOME");
            // Root may make a folder anywhere but here.
            command.envs(home.map(|home| {
                (
                    "HOME",
                    if home == "/nonexistent" {
                        "/proc/nonexistent"
                    } else {
                        home
                    },
                )
            }));
        }
        let output = run(&mut hook, payload.as_bytes());
        assert!(
            output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(),
            "{output:?}"
        );
        let said = world.said(send.args(["send", "--to", "user", "--body", "x"]), b"");
        assert_eq!(
            (said.status, said.stderr.starts_with("error: ")),
            (6, true),
            "{said:?}"
        );
    }
}
