//! Claude Code.

use super::{Client, Form, Hook};
use crate::args::ClientChoice;

/// Claude Code, version 2.1.139 and later: older ones do not know `args`.
pub(super) const CLAUDE: Client = Client {
    word: "claude",
    name: "Claude Code",
    choice: ClientChoice::Claude,
    binary: "claude",
    folder_variable: "CLAUDE_CONFIG_DIR",
    folder_in_home: ".claude",
    user_file: "settings.json",
    project_file: ".claude/settings.json",
    local_file: ".claude/settings.local.json",
    form: Form::Exec,
    hooks: &[
        Hook::new("SessionStart", "mailstop-session-start", 10),
        Hook::new("UserPromptSubmit", "mailstop-user-prompt-submit", 10),
        Hook::new("PostToolUse", "mailstop-post-tool-use", 10),
        Hook::new("PostToolUseFailure", "mailstop-post-tool-use", 10),
        Hook::new("Stop", "mailstop-stop", 10),
        Hook::observe("SessionEnd"),
        Hook::observe("PermissionRequest"),
        Hook::observe("PermissionDenied"),
        Hook::observe("PreToolUse").of("AskUserQuestion|ExitPlanMode"),
        Hook::observe("SubagentStop"),
        Hook::observe("Elicitation"),
        Hook::observe("ElicitationResult"),
        Hook::observe("Notification").of("permission_prompt|idle_prompt"),
        Hook::observe("PreCompact"),
        Hook::observe("PostCompact"),
        Hook::observe("StopFailure"),
    ],
    has_allow_rules: true,
    sandbox_file: None,
    next_step: "restart sessions that are running; new ones have the hooks",
};
