//! What Claude Code gets.

use crate::scratch::Scratch;

const INSTALL: &str = "install --client claude";
const UNINSTALL: &str = "uninstall --client claude";

fn fresh_settings() -> String {
    let limited = |event: &str, matcher: &str, name: &str, timeout: u32| {
        format!(
            r#"    "{event}": [
      {{
{matcher}        "hooks": [
          {{
            "type": "command",
            "command": "$HOME/bin/{name}",
            "args": ["--client", "claude"],
            "timeout": {timeout}
          }}
        ]
      }}
    ]"#
        )
    };
    let hook = |event: &str, name: &str, timeout: u32| limited(event, "", name, timeout);
    let noted = |event: &str| hook(event, "mailstop-observe", 5);
    let noted_of = |event: &str, matcher: &str| {
        let matcher = format!("        \"matcher\": \"{matcher}\",\n");
        limited(event, &matcher, "mailstop-observe", 5)
    };
    let hooks = [
        hook("SessionStart", "mailstop-session-start", 10),
        hook("UserPromptSubmit", "mailstop-user-prompt-submit", 10),
        hook("PostToolUse", "mailstop-post-tool-use", 10),
        hook("PostToolUseFailure", "mailstop-post-tool-use", 10),
        hook("Stop", "mailstop-stop", 10),
        noted("SessionEnd"),
        noted("PermissionRequest"),
        noted("PermissionDenied"),
        noted_of("PreToolUse", "AskUserQuestion|ExitPlanMode"),
        noted("SubagentStop"),
        noted("Elicitation"),
        noted("ElicitationResult"),
        noted_of("Notification", "permission_prompt|idle_prompt"),
        noted("PreCompact"),
        noted("PostCompact"),
        noted("StopFailure"),
    ];
    format!(
        r#"{{
  "hooks": {{
{}
  }},
  "permissions": {{
    "allow": [
      "Bash($HOME/bin/resolve --id *)",
      "Bash($HOME/bin/mailstop read *)",
      "Bash($HOME/bin/mailstop inbox *)",
      "Bash($HOME/bin/mailstop inbox)"
    ]
  }}
}}
"#,
        hooks.join(",\n")
    )
}

#[test]
fn a_fresh_file_has_exactly_our_hooks_and_rules() {
    let scratch = Scratch::new();
    scratch.run(INSTALL).prints(
        "Claude Code: wrote hooks to $HOME/.claude/settings.json\n\
         next, Claude Code: restart sessions that are running; new ones have the hooks\n",
    );
    assert_eq!(scratch.redact(&scratch.text(".claude/settings.json")), fresh_settings());
}

#[test]
fn a_second_install_changes_nothing() {
    let scratch = Scratch::new();
    scratch.run(INSTALL).succeeds();
    let before = scratch.text(".claude/settings.json");
    scratch.run(INSTALL).prints("Claude Code: already installed in $HOME/.claude/settings.json\n");
    assert_eq!(scratch.text(".claude/settings.json"), before);
    scratch.run(UNINSTALL).prints("Claude Code: deleted $HOME/.claude/settings.json\n");
}

#[test]
fn uninstalling_leaves_nothing_that_installing_made() {
    let scratch = Scratch::new();
    scratch.run(INSTALL).succeeds();
    scratch.run(UNINSTALL).prints("Claude Code: deleted $HOME/.claude/settings.json\n");
    assert_eq!(scratch.files(), Vec::<String>::new());
    assert!(!scratch.exists(".claude"));
    scratch
        .run(UNINSTALL)
        .prints("Claude Code: nothing to remove in $HOME/.claude/settings.json\n");
}

#[test]
fn a_dry_run_prints_a_diff_and_writes_nothing() {
    let scratch = Scratch::new();
    scratch.write(".claude/settings.json", "{\n  \"model\": \"opus\"\n}\n");
    let stdout = scratch.run("install --client claude --dry-run").succeeds();
    let head = "Claude Code: would write hooks to $HOME/.claude/settings.json\n\
                --- $HOME/.claude/settings.json\n\
                +++ $HOME/.claude/settings.json\n\
                @@ -1,3 +1,207 @@\n {\n\
                -  \"model\": \"opus\"\n\
                +  \"model\": \"opus\",\n\
                +  \"hooks\": {\n";
    assert_eq!(stdout.get(..head.len()), Some(head));
    assert!(stdout.ends_with("+  }\n }\nnothing was written\n"), "{stdout}");
    assert_eq!(scratch.text(".claude/settings.json"), "{\n  \"model\": \"opus\"\n}\n");
    assert_eq!(scratch.files(), [".claude/settings.json"]);
}

#[test]
fn json_is_one_document() {
    let scratch = Scratch::new();
    let stdout = scratch.run("--json install --client claude --scope local").succeeds();
    let mut document: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let diff = document["clients"][0]["diff"].take();
    assert!(diff.as_str().is_some_and(|diff| diff.starts_with("--- /dev/null\n")), "{diff}");
    assert_eq!(
        document,
        serde_json::json!({ "dry_run": false, "clients": [{
            "client": "claude",
            "scope": "local",
            "part": "hooks",
            "file": "$HOME/work/.claude/settings.local.json",
            "changed": true,
            "action": "install",
            "warnings": [],
            "diff": null,
        }]})
    );
}

#[test]
fn a_client_that_was_not_named_must_be_present() {
    let scratch = Scratch::new();
    scratch.run("install").fails(
        3,
        "error: neither Claude Code nor Codex was found\n\
         hint: name the client: mailstop install --client claude|codex|all\n",
    );
    scratch.write("path/claude", "");
    scratch.run("install").fails(
        3,
        "error: neither Claude Code nor Codex was found\n\
         hint: name the client: mailstop install --client claude|codex|all\n",
    );
    std::fs::create_dir(scratch.path(".claude")).expect("a folder");
    let stdout = scratch.run("install").succeeds();
    assert!(stdout.starts_with("Claude Code: wrote hooks"), "{stdout}");
    assert!(!scratch.exists(".codex"));
}

#[test]
fn a_timeout_of_the_users_own_stays() {
    let scratch = Scratch::new();
    scratch.run(INSTALL).succeeds();
    let edited = scratch.text(".claude/settings.json").replace("\"timeout\": 5", "\"timeout\": 3");
    scratch.write(".claude/settings.json", &edited);
    scratch.run(INSTALL).prints("Claude Code: already installed in $HOME/.claude/settings.json\n");
    assert_eq!(scratch.text(".claude/settings.json"), edited);
}

#[test]
fn switched_off_hooks_are_told() {
    let scratch = Scratch::new();
    scratch.write(".claude/settings.json", "{ \"disableAllHooks\": true }");
    assert_eq!(
        scratch.run(INSTALL).stderr,
        "warning: disableAllHooks is on in $HOME/.claude/settings.json: no hook runs\n"
    );
}

#[test]
fn a_sandbox_that_resolve_cannot_write_in_is_told() {
    let scratch = Scratch::new();
    let settings = |allowed: &str| {
        format!(
            r#"{{"sandbox": {{"enabled": true, "filesystem": {{"allowWrite": [{allowed}]}}}}}}"#
        )
    };
    scratch.write(".claude/settings.json", settings(""));
    assert_eq!(
        scratch.run(INSTALL).stderr,
        "warning: the sandbox is on in $HOME/.claude/settings.json: add $HOME/data to \
         sandbox.filesystem.allowWrite, or resolve cannot write in it\n"
    );
    let data = format!("\"{}\"", scratch.path("data").display());
    scratch.write(".claude/settings.json", settings(&data));
    assert_eq!(scratch.run(INSTALL).stderr, "");
}
