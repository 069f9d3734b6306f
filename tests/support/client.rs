//! The real clients: which there are, where they lie, and how each is asked to
//! work without a terminal.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// The list that `fetch.sh` installs from.
const VERSIONS: &str = include_str!("../clients/versions");

/// One version of one client.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub kind: Kind,
    version: &'static str,
}

/// Whose program it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Claude,
    Codex,
}

/// What a client is asked to do in one process.
#[derive(Default)]
pub(crate) struct Task {
    pub prompts: Vec<String>,
    pub resumes: Option<String>,
    pub forks: bool,
    pub arguments: Vec<OsString>,
}

impl Task {
    /// One prompt in a new session.
    pub(crate) fn of(prompt: &str) -> Self {
        let prompts = vec![prompt.to_owned()];
        Self { prompts, ..Self::default() }
    }
}

impl Client {
    /// Every client that the stories run with.
    pub(crate) fn all() -> Vec<Self> {
        let lines = VERSIONS.lines().filter(|line| !line.starts_with('#'));
        let client = |line: &'static str| match line.split_once(' ')? {
            ("claude", version) => Some(Self { kind: Kind::Claude, version }),
            ("codex", version) => Some(Self { kind: Kind::Codex, version }),
            _ => None,
        };
        lines.map(|line| client(line).expect("versions has known clients only")).collect()
    }

    /// The executable in the cache, if it has been fetched.
    pub(crate) fn executable(&self) -> Option<PathBuf> {
        let path = cache().join(self.to_string()).join(self.kind.word());
        path.is_file().then_some(path)
    }

    /// The arguments for a task.
    pub(crate) fn arguments(&self, task: &Task) -> Vec<OsString> {
        match self.kind {
            Kind::Claude => claude_arguments(task),
            Kind::Codex => codex_arguments(task),
        }
    }

    /// The arguments for a session in a terminal, where a person would be asked
    /// before a tool runs.
    pub(crate) fn interactive_arguments(&self) -> Vec<OsString> {
        let words: &[&str] = match self.kind {
            Kind::Claude => &["--permission-mode", "default"],
            Kind::Codex => &["--dangerously-bypass-hook-trust"],
        };
        words.iter().map(OsString::from).collect()
    }

    /// What to write on standard input: several prompts come as lines, and are
    /// worked off one after the other in one process.
    pub(crate) fn input(&self, task: &Task) -> String {
        if task.prompts.len() < 2 {
            return String::new();
        }
        let line = |prompt: &String| {
            let message = serde_json::json!({"role": "user", "content": prompt});
            format!("{}\n", serde_json::json!({"type": "user", "message": message}))
        };
        task.prompts.iter().map(line).collect()
    }
}

impl Kind {
    /// The client's name on a command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
        }
    }
}

fn claude_arguments(task: &Task) -> Vec<OsString> {
    let mut words = vec![OsString::from("-p")];
    match &task.prompts[..] {
        // Right after `-p`: behind a list of values it would be one of them.
        [prompt] => words.push(prompt.into()),
        _ => words.extend(["--input-format", "stream-json"].map(OsString::from)),
    }
    words.extend(["--output-format", "stream-json", "--verbose"].map(OsString::from));
    if let Some(session) = &task.resumes {
        words.extend([OsString::from("--resume"), session.into()]);
    }
    if task.forks {
        words.push(OsString::from("--fork-session"));
    }
    words.extend(task.arguments.iter().cloned());
    words
}

fn codex_arguments(task: &Task) -> Vec<OsString> {
    let verb = match (&task.resumes, task.forks) {
        (None, _) => None,
        (Some(_), false) => Some("resume"),
        (Some(_), true) => Some("fork"),
    };
    let mut words = vec![OsString::from("exec")];
    words.extend(verb.map(OsString::from));
    // Only the approval of the hooks is skipped: the sandbox stays as it is.
    let options = ["--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"];
    words.extend(options.map(OsString::from));
    words.extend(task.arguments.iter().cloned());
    words.extend(task.resumes.iter().map(OsString::from));
    assert_eq!(task.prompts.len(), 1, "codex exec takes one prompt");
    words.extend(task.prompts.iter().map(OsString::from));
    words
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.kind.word(), self.version)
    }
}

/// Where `fetch.sh` puts the clients.
pub(crate) fn cache() -> PathBuf {
    let folder =
        |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user = || folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")));
    folder("MAILSTOP_CLIENTS")
        .or_else(|| Some(user()?.join("mailstop-clients")))
        .unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients"))
}
