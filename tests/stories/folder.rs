//! Whose the folder is, where it cannot be written, and where there is none. B54.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::Command;

use crate::store::folded;
use crate::world::{MAILSTOP, STOP, World, run};

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
        ["errors.log", "mailstop.db", "mailstop.db-shm", "mailstop.db-wal", "mailstop.made"]
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
    let can_be_read =
        as_nobody(&world, MAILSTOP).arg("--version").output().is_ok_and(|ran| ran.status.success());
    if !can_be_nobody || !can_be_read {
        eprintln!("skipped: only root can become another user, who must be able to run the build");
        return;
    }
    for path in [".", "work", "mail", "mail/mailstop.db"] {
        chown(world.path(path), Some(65534), Some(65534)).unwrap();
    }
    let set = |mode: u32, folder: u32| {
        fs::set_permissions(world.path("mail/mailstop.db"), fs::Permissions::from_mode(mode))
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
    assert!(said.stderr.contains("hint: the mailbox cannot be written from here"), "{said:?}");
    let bob = world.session("s1").named("bob");
    let mut hook = as_nobody(&world, STOP);
    hook.env("MAILSTOP_NAME", "bob");
    let output = run(&mut hook, bob.payload("Stop", &serde_json::json!({})).to_string().as_bytes());
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
    let payload = world.session("s1").payload("Stop", &serde_json::json!({})).to_string();
    for home in [None, Some("/nonexistent"), Some("/proc")] {
        let mut hook = world.command(STOP);
        let mut send = world.command(MAILSTOP);
        for command in [&mut hook, &mut send] {
            command.env_remove("HOME").env_remove("MAILSTOP_HOME");
            // Root may make a folder anywhere but here.
            command.envs(home.map(|home| {
                ("HOME", if home == "/nonexistent" { "/proc/nonexistent" } else { home })
            }));
        }
        let output = run(&mut hook, payload.as_bytes());
        assert!(
            output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(),
            "{output:?}"
        );
        let said = world.said(send.args(["send", "--to", "user", "--body", "x"]), b"");
        assert_eq!((said.status, said.stderr.starts_with("error: ")), (6, true), "{said:?}");
    }
}
