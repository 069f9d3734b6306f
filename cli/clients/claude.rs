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
        Hook { event: "SessionStart", executable: "mailstop-session-start", timeout: 10 },
        Hook { event: "UserPromptSubmit", executable: "mailstop-user-prompt-submit", timeout: 10 },
        Hook { event: "PostToolUse", executable: "mailstop-post-tool-use", timeout: 10 },
        Hook { event: "PostToolUseFailure", executable: "mailstop-post-tool-use", timeout: 10 },
        Hook { event: "Stop", executable: "mailstop-stop", timeout: 10 },
        Hook { event: "SessionEnd", executable: "mailstop-observe", timeout: 5 },
    ],
    has_allow_rules: true,
    sandbox_file: None,
    next_step: "restart sessions that are running; new ones have the hooks",
};
