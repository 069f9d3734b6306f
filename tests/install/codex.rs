//! What Codex gets: hooks, and a sandbox that lets `resolve` write.

use std::fs;

use crate::scratch::Scratch;

const INSTALL: &str = "install --client codex";
const UNINSTALL: &str = "uninstall --client codex";
const CONFIG: &str = ".codex/config.toml";

/// Installs over a config.toml, gives its text, and uninstalls to the same bytes.
fn round_trip(before: &str) -> String {
    let scratch = Scratch::new();
    scratch.write(CONFIG, before);
    scratch.run(INSTALL).succeeds();
    let installed = scratch.text(CONFIG);
    scratch.run(INSTALL).prints(
        "Codex: already installed in $HOME/.codex/hooks.json\n\
         Codex: the sandbox lets resolve write already, in $HOME/.codex/config.toml\n",
    );
    assert_eq!(scratch.text(CONFIG), installed);
    scratch.run(UNINSTALL).succeeds();
    assert_eq!(scratch.text(CONFIG), before);
    scratch.redact(&installed)
}

#[test]
fn a_fresh_install_says_how_to_approve_and_shows_the_sandbox_change() {
    let scratch = Scratch::new();
    scratch.run(INSTALL).prints(
        "Codex: wrote hooks to $HOME/.codex/hooks.json\n\
         Codex: let resolve write in the sandbox, in $HOME/.codex/config.toml\n\
         --- /dev/null\n\
         +++ $HOME/.codex/config.toml\n\
         @@ -0,0 +1,2 @@\n\
         +[sandbox_workspace_write]\n\
         +writable_roots = [\"$HOME/data\"]\n\
         next, Codex: approve the hooks: start codex, enter /hooks, review and trust them; \
         until then it skips them without a word\n",
    );
    let hooks = scratch.redact(&scratch.text(".codex/hooks.json"));
    let stop = r#"    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "$HOME/bin/mailstop-stop --client codex",
            "timeout": 10
          }
        ]
      }
    ],
"#;
    assert!(hooks.contains(stop), "{hooks}");
    assert!(!hooks.contains("permissions") && !hooks.contains("args"), "{hooks}");
    scratch.run(UNINSTALL).prints(
        "Codex: deleted $HOME/.codex/hooks.json\n\
         Codex: deleted $HOME/.codex/config.toml\n",
    );
    assert!(!scratch.exists(".codex"));
    assert_eq!(scratch.files(), Vec::<String>::new());
}

#[test]
fn the_sandbox_setting_fits_into_any_layout() {
    assert_eq!(
        round_trip("model = \"o\" # mine\n\n[projects.\"/x\"]\ntrust_level = \"trusted\"\n"),
        "model = \"o\" # mine\n\n[projects.\"/x\"]\ntrust_level = \"trusted\"\n\n\
         [sandbox_workspace_write]\nwritable_roots = [\"$HOME/data\"]\n"
    );
    assert_eq!(
        round_trip(
            "[sandbox_workspace_write]\nnetwork_access = true # yes\nwritable_roots = [ \"/a\" ] # b\n"
        ),
        "[sandbox_workspace_write]\nnetwork_access = true # yes\nwritable_roots = [ \"/a\", \"$HOME/data\" ] # b\n"
    );
    assert_eq!(
        round_trip("sandbox_workspace_write = { network_access = true }\n"),
        "sandbox_workspace_write = { network_access = true , writable_roots = [\"$HOME/data\"] }\n"
    );
    assert_eq!(
        round_trip("[sandbox_workspace_write]\r\nwritable_roots = [\r\n  \"/a\", # one\r\n]\r\n"),
        "[sandbox_workspace_write]\r\nwritable_roots = [\r\n  \"/a\", # one\r\n  \"$HOME/data\",\r\n]\r\n"
    );
    assert_eq!(
        round_trip("[sandbox_workspace_write]\nwritable_roots = [\n  # first\n  \"/a\" # one\n]\n"),
        "[sandbox_workspace_write]\nwritable_roots = [\n  # first\n  \"/a\", # one\n  \"$HOME/data\"\n]\n"
    );
    round_trip("sandbox_workspace_write.writable_roots = []");
    round_trip("");
    round_trip("\u{feff}model = \"o\"\r\n");
}

#[test]
fn only_our_folder_goes_when_the_file_was_edited_since() {
    let scratch = Scratch::new();
    scratch.write(CONFIG, "# mine\nmodel = \"o\"\n");
    scratch.run(INSTALL).succeeds();
    let edited = scratch.text(CONFIG) + "\n[hooks.state.\"x\"]\ntrusted_hash = \"y\"\n";
    scratch.write(CONFIG, edited);
    scratch.run(UNINSTALL).prints(
        "Codex: deleted $HOME/.codex/hooks.json\n\
         Codex: removed the sandbox setting from $HOME/.codex/config.toml\n",
    );
    assert_eq!(
        scratch.text(CONFIG),
        "# mine\nmodel = \"o\"\n\n[hooks.state.\"x\"]\ntrusted_hash = \"y\"\n"
    );
}

#[test]
fn a_comment_beside_our_folder_stays() {
    let head = "[sandbox_workspace_write]\nwritable_roots = [\n  \"/a\", # one\n";
    let scratch = Scratch::new();
    scratch.write(CONFIG, format!("{head}]\n"));
    scratch.run(INSTALL).succeeds();
    scratch.write(CONFIG, scratch.text(CONFIG) + "x = 1\n");
    scratch.run(UNINSTALL).succeeds();
    assert_eq!(scratch.text(CONFIG), format!("{head}]\nx = 1\n"));
}

#[test]
fn a_table_without_a_header_of_its_own_loses_ours() {
    let scratch = Scratch::new();
    let text = "[sandbox_workspace_write.x]\na = 1\n";
    scratch.write(CONFIG, text);
    scratch.run(INSTALL).succeeds();
    scratch.write(CONFIG, scratch.text(CONFIG) + "# edited\n");
    scratch.run(UNINSTALL).succeeds();
    assert_eq!(scratch.text(CONFIG), format!("{text}# edited\n"));
}

#[test]
fn the_sandbox_setting_stays_while_another_repository_has_the_hooks() {
    let scratch = Scratch::new();
    let run_in = |folder: &str, words: &str| {
        fs::create_dir_all(scratch.path(folder)).expect("a repository");
        let mut command = scratch.command(scratch.path("bin/mailstop"));
        command.current_dir(scratch.path(folder));
        scratch.finish(command.args(words.split(' ')).args(["--scope", "project"]))
    };
    run_in("a", INSTALL).succeeds();
    run_in("b", INSTALL).succeeds();
    let config = scratch.text(CONFIG);
    let ran = run_in("b", UNINSTALL);
    assert_eq!(ran.stdout, "Codex: deleted $HOME/b/.codex/hooks.json\n");
    assert_eq!(ran.stderr, "warning: hooks are still in $HOME/a/.codex/hooks.json\n");
    assert_eq!(scratch.text(CONFIG), config);
    run_in("a", UNINSTALL).succeeds();
    assert!(!scratch.exists(CONFIG));
}

#[test]
fn a_folder_that_the_user_had_listed_stays_the_users() {
    let scratch = Scratch::new();
    let listed = format!(
        "[sandbox_workspace_write]\nwritable_roots = [\"{}\"]\n",
        scratch.path("data").display()
    );
    scratch.write(CONFIG, &listed);
    scratch.run(INSTALL).succeeds();
    scratch.write(CONFIG, format!("{listed}x = 1\n"));
    scratch.run(UNINSTALL).succeeds();
    assert_eq!(scratch.text(CONFIG), format!("{listed}x = 1\n"));
}

#[test]
fn the_sandbox_can_be_left_alone() {
    let scratch = Scratch::new();
    let stdout = scratch.run("install --client codex --no-sandbox").succeeds();
    assert!(stdout.starts_with("Codex: wrote hooks to $HOME/.codex/hooks.json\nnext, Codex: "));
    assert!(!scratch.exists(CONFIG));
}

#[test]
fn a_config_that_cannot_be_edited_is_refused_untouched() {
    for (text, reason) in [
        ("[sandbox_workspace_write", "unclosed table"),
        ("sandbox_workspace_write = 1\n", "`sandbox_workspace_write` is not a table"),
        ("[sandbox_workspace_write]\nwritable_roots = \"/a\"\n", "`writable_roots` is not a list"),
    ] {
        let scratch = Scratch::new();
        scratch.write(CONFIG, text);
        let ran = scratch.run(INSTALL);
        assert_eq!(ran.status, 1, "{text}");
        assert!(
            ran.stderr.contains("was left as it is") && ran.stderr.contains(reason),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains("--no-sandbox"), "{}", ran.stderr);
        assert_eq!(scratch.files(), [CONFIG]);
        assert_eq!(scratch.text(CONFIG), text);
    }
}

#[test]
fn hooks_in_two_places_and_hooks_switched_off_are_told() {
    let scratch = Scratch::new();
    scratch.write(CONFIG, "[features]\nhooks = false\n\n[[hooks.Stop]]\nhooks = []\n");
    assert_eq!(
        scratch.run(INSTALL).stderr,
        "warning: config.toml has hooks as well: Codex warns about two places in one folder, and runs both\n\
         warning: features.hooks is off in config.toml: Codex runs no hook\n"
    );
    let approved = Scratch::new();
    approved.write(CONFIG, "[hooks.state.\"x\"]\ntrusted_hash = \"y\"\n");
    assert_eq!(approved.run(INSTALL).stderr, "");
}

// B07
#[test]
fn a_hand_written_shell_command_is_recognised() {
    let scratch = Scratch::new();
    scratch.write(".codex/hooks.json", r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"\"/o d/mailstop-stop\" --client codex"}]}]}}"#);
    scratch.run(INSTALL).succeeds();
    let text = scratch.redact(&scratch.text(".codex/hooks.json"));
    assert!(text.starts_with(r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"$HOME/bin/mailstop-stop --client codex","timeout":10}]}],"#), "{text}");
}

#[test]
fn the_data_folder_is_the_platforms_when_none_is_named() {
    let scratch = Scratch::new();
    let mut command = scratch.command(scratch.path("bin/mailstop"));
    command.args(["install", "--client", "codex"]).env_remove("MAILSTOP_HOME");
    scratch.finish(&mut command).succeeds();
    let folder =
        if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
    let expected = format!("writable_roots = [\"$HOME/{folder}/mailstop\"]");
    assert!(scratch.redact(&scratch.text(CONFIG)).contains(&expected));
    assert!(fs::metadata(scratch.path(folder).join("mailstop/installs")).is_ok());
}
