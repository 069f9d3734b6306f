//! `install.sh`, with the built executables in the place of a build.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use crate::scratch::{EXECUTABLES, Ran, Scratch, built_folder};

/// Runs the script on prebuilt executables.
fn install(scratch: &Scratch, options: &[&str]) -> Ran {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh");
    let mut command = scratch.command("/bin/sh");
    command.env("PATH", "/usr/bin:/bin").arg(script).args(options);
    scratch.finish(&mut command)
}

/// A folder of executables, in a path with a space.
fn prebuilt(scratch: &Scratch) -> String {
    let folder = scratch.path("pre built");
    fs::create_dir(&folder).expect("a folder");
    for name in EXECUTABLES {
        symlink(built_folder().join(name), folder.join(name)).expect("a link");
    }
    folder.display().to_string()
}

#[test]
fn the_executables_are_copied_and_the_manual_pages_and_nothing_else() {
    let scratch = Scratch::new();
    let from = prebuilt(&scratch);
    install(&scratch, &["--prebuilt", &from, "--no-hooks"]).prints(
        "installed the executables to $HOME/.local/bin\n\
         installed the manual pages to $HOME/.local/share/man/man1\n\
         note: $HOME/.local/bin is not on your PATH; hooks do not need it, typing mailstop does\n\
         next: register the hooks with $HOME/.local/bin/mailstop install\n",
    );
    let mut names: Vec<_> = fs::read_dir(scratch.path(".local/bin"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    let mut expected = EXECUTABLES.map(str::to_owned);
    expected.sort();
    assert_eq!(names, expected);
    assert!(scratch.text(".local/share/man/man1/mailstop-send.1").contains("\n.SH NAME\n"));
    for name in EXECUTABLES {
        let data = fs::symlink_metadata(scratch.path(".local/bin").join(name)).expect("a file");
        assert!(data.is_file() && data.permissions().mode() & 0o777 == 0o755, "{name}");
    }
}

#[test]
fn manual_pages_that_cannot_be_written_stop_nothing() {
    let scratch = Scratch::new();
    let from = prebuilt(&scratch);
    scratch.write(".local/share/man", "a file");
    let ran = install(&scratch, &["--prebuilt", &from, "--no-hooks"]);
    let note = "note: the manual pages are missing; mailstop man shows them all the same\n";
    assert!(ran.status == 0 && ran.stdout.contains(note), "{ran:?}");
    assert!(ran.stdout.ends_with("mailstop install\n") && scratch.exists(".local/bin/mailstop"));
}

#[test]
fn a_new_version_leaves_the_running_one_its_file() {
    let scratch = Scratch::new();
    let from = prebuilt(&scratch);
    let inode = || fs::metadata(scratch.path(".local/bin/mailstop")).expect("a file").ino();
    install(&scratch, &["--prebuilt", &from, "--no-hooks"]).succeeds();
    let running = fs::File::open(scratch.path(".local/bin/mailstop")).expect("the old file");
    let before = inode();
    install(&scratch, &["--prebuilt", &from, "--no-hooks"]).succeeds();
    assert_ne!(inode(), before);
    assert_eq!(running.metadata().expect("the old file").nlink(), 0);
}

#[test]
fn a_machine_without_a_client_is_fine() {
    let scratch = Scratch::new();
    let from = prebuilt(&scratch);
    let ran = install(&scratch, &["--prebuilt", &from, "--prefix", "my tools"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let next = "next: when Claude Code or Codex is installed, run $HOME/work/my tools/bin/mailstop install\n";
    assert!(ran.stdout.contains(next), "{}", ran.stdout);
    let shown = "ok    rehearsal: no client: a message blocked a Stop and was resolved\n";
    assert!(ran.stdout.ends_with(shown), "{}", ran.stdout);
}

#[test]
fn options_are_passed_on_and_uninstalling_undoes_it_all() {
    let scratch = Scratch::new();
    let from = prebuilt(&scratch);
    let prefix = scratch.path("it's mine").display().to_string();
    scratch.write(".claude/settings.json", "{ \"a\": 1 }");
    let options = ["--prebuilt", &*from, "--prefix", &*prefix, "--client", "all"];
    let planned = install(&scratch, &[&options[..], &["--dry-run"]].concat()).succeeds();
    assert!(planned.contains("would write hooks to $HOME/.claude/settings.json"), "{planned}");
    assert!(!scratch.exists("it's mine"));
    let ran = install(&scratch, &options);
    let shown = "ok    rehearsal: Codex: a message blocked a Stop and was resolved\n";
    assert!(ran.stdout.ends_with(shown), "{ran:?}");
    assert!(ran.stdout.contains("Codex: wrote hooks to $HOME/.codex/hooks.json"), "{ran:?}");
    assert!(scratch.text(".claude/settings.json").contains("it's mine/bin/mailstop-stop"));
    let gone = install(&scratch, &["--uninstall", "--prefix", &prefix]).succeeds();
    assert!(
        gone.ends_with("removed the executables from $HOME/it's mine/bin; mail is kept\n"),
        "{gone}"
    );
    assert_eq!(scratch.text(".claude/settings.json"), "{ \"a\": 1 }");
    let left: Vec<_> =
        scratch.files().into_iter().filter(|file| !file.starts_with("pre built/")).collect();
    assert_eq!(left, [".claude/settings.json"]);
}

#[test]
fn a_build_leaves_the_project_the_one_that_was_meant() {
    let scratch = Scratch::new();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh");
    scratch.write("source/install.sh", fs::read(script).expect("the script"));
    scratch.link_executables("target/release");
    let cargo = format!(
        "#!/bin/sh\npwd >>\"$HOME/built in\"\necho '{{\"target_directory\":\"{}\"}}'\n",
        scratch.path("target").display()
    );
    scratch.write("path/cargo", cargo);
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(scratch.path("path/cargo"), executable).expect("a mode");
    let path = format!("{}:/usr/bin:/bin", scratch.path("path").display());
    let mut command = scratch.command("/bin/sh");
    command
        .env("PATH", path)
        .args(["../source/install.sh", "--prefix", "tools"])
        .args(["--client", "claude", "--scope", "project"]);
    scratch.finish(&mut command).succeeds();
    let built_in = scratch.redact(&scratch.text("built in"));
    assert_eq!(built_in, "$HOME/source\n$HOME/source\n");
    assert!(scratch.exists("work/.claude/settings.json"));
    assert!(scratch.exists("work/tools/bin/mailstop") && !scratch.exists("source/.claude"));
}

// B08
#[test]
fn executables_that_hooks_still_name_are_kept() {
    let scratch = Scratch::new();
    let from = prebuilt(&scratch);
    install(&scratch, &["--prebuilt", &from, "--client", "all"]).succeeds();
    let kept = install(&scratch, &["--uninstall", "--client", "codex"]).succeeds();
    let end = "kept the executables in $HOME/.local/bin: a client fails on every event without them\n\
               Claude Code: would delete $HOME/.claude/settings.json\n\
               next: take those out with $HOME/.local/bin/mailstop uninstall, and run this again\n";
    assert!(kept.ends_with(end), "{kept}");
    assert!(scratch.exists(".local/bin/mailstop-stop"));
    let gone = install(&scratch, &["--uninstall"]).succeeds();
    let end = "removed the executables from $HOME/.local/bin; mail is kept\n";
    assert!(gone.ends_with(end), "{gone}");
    assert!(!scratch.exists(".local/bin/mailstop-stop"));
}

#[test]
fn mistakes_are_told() {
    let scratch = Scratch::new();
    install(&scratch, &["--nope"])
        .fails(2, "error: unknown option: --nope\nhint: see ./install.sh --help\n");
    install(&scratch, &["--prefix"])
        .fails(2, "error: --prefix needs a value\nhint: see ./install.sh --help\n");
    install(&scratch, &["--prebuilt", "nowhere"]).fails(
        1,
        "error: mailstop is not in nowhere\n\
         hint: build it first, or name the folder with --prebuilt DIR\n",
    );
    let help = install(&scratch, &["--help"]).succeeds();
    assert!(help.starts_with("Usage: ./install.sh [OPTIONS]\n"), "{help}");
}
