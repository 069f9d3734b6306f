//! OpenAI Codex.

use super::{Client, Form, Hook};
use crate::args::ClientChoice;

/// Codex. It trusts a hook by the text of its command, so that text never changes
/// between versions; it has no settings of one person in one repository; and it
/// gives a hook at a session's end three seconds at most.
pub(super) const CODEX: Client = Client {
    word: "codex",
    name: "Codex",
    choice: ClientChoice::Codex,
    binary: "codex",
    folder_variable: "CODEX_HOME",
    folder_in_home: ".codex",
    user_file: "hooks.json",
    project_file: ".codex/hooks.json",
    local_file: ".codex/hooks.json",
    form: Form::Shell,
    hooks: &[
        Hook::new("SessionStart", "mailstop-session-start", 10),
        Hook::new("UserPromptSubmit", "mailstop-user-prompt-submit", 10),
        Hook::new("PostToolUse", "mailstop-post-tool-use", 10),
        Hook::new("Stop", "mailstop-stop", 10),
        Hook::new("SessionEnd", "mailstop-observe", 3),
        Hook::observe("PermissionRequest"),
        Hook::observe("PreToolUse").of("request_user_input"),
        Hook::observe("SubagentStop"),
        Hook::observe("Interrupt"),
    ],
    has_allow_rules: false,
    sandbox_file: Some("config.toml"),
    next_step: "approve the hooks: start codex, enter /hooks, review and trust them; \
                until then it skips them without a word",
};
