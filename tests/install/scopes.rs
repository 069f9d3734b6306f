//! Whose settings are edited, and hooks that would run twice.

use std::fs;

use crate::scratch::Scratch;

#[test]
fn a_project_is_the_repository_around() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("work/repo/.git")).expect("a repository");
    fs::create_dir_all(scratch.path("work/repo/src/deep")).expect("a folder");
    let mut command = scratch.command(scratch.path("bin/mailstop"));
    command.args(["install", "--client", "claude", "--scope", "project"]);
    let ran = scratch.finish(command.current_dir(scratch.path("work/repo/src/deep")));
    ran.prints(
        "Claude Code: wrote hooks to $HOME/work/repo/.claude/settings.json\n\
         next, Claude Code: restart sessions that are running; new ones have the hooks\n",
    );
    assert!(!scratch.exists(".claude"));
}

// B07
#[test]
fn a_narrower_scope_is_skipped_when_a_wider_one_has_the_hooks() {
    let scratch = Scratch::new();
    scratch.run("install --client claude").succeeds();
    let ran = scratch.run("install --client claude --scope project");
    assert_eq!(
        (ran.status, &*ran.stdout),
        (0, "Claude Code: skipped $HOME/work/.claude/settings.json\n")
    );
    assert_eq!(
        ran.stderr,
        "warning: $HOME/.claude/settings.json has the hooks already (user scope), and twice they \
         would run twice; update those: mailstop install --client claude --scope user; or write \
         these too: --force\n"
    );
    assert!(!scratch.exists("work/.claude"));
    let forced = scratch.run("install --client claude --scope project --force");
    assert_eq!(forced.status, 0);
    assert!(scratch.exists("work/.claude/settings.json"));
}

// B07
#[test]
fn a_wider_scope_is_installed_and_the_narrower_one_named() {
    let scratch = Scratch::new();
    scratch.run("install --client claude --scope local").succeeds();
    let ran = scratch.run("install --client claude");
    assert_eq!(ran.status, 0);
    assert_eq!(
        ran.stderr,
        "warning: $HOME/work/.claude/settings.local.json has the hooks too (local scope), so they \
         run twice; remove one: mailstop uninstall --client claude --scope local\n"
    );
    let gone = scratch.run("uninstall --client claude");
    assert_eq!(gone.stderr, "warning: hooks are still in $HOME/work/.claude/settings.local.json\n");
}

// B07
#[test]
fn a_second_path_updates_the_entries_of_the_first() {
    let scratch = Scratch::new();
    scratch.run("install --client claude").succeeds();
    scratch.link_executables("second");
    scratch.run_from("second/mailstop", &["install", "--client", "claude"]).succeeds();
    let text = scratch.redact(&scratch.text(".claude/settings.json"));
    assert_eq!(text.matches("$HOME/bin/").count(), 0, "{text}");
    assert_eq!(text.matches("$HOME/second/").count(), 20, "{text}");
}
