//! A home folder of one test, and the real `mailstop` run in it with nothing else of
//! this machine's environment.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Everything that an install copies.
pub(crate) const EXECUTABLES: [&str; 7] = [
    "mailstop",
    "resolve",
    "mailstop-session-start",
    "mailstop-user-prompt-submit",
    "mailstop-post-tool-use",
    "mailstop-stop",
    "mailstop-observe",
];

/// A scratch home: `bin` leads to the executables, `data` is the mailbox, `work` is
/// where commands are run.
pub(crate) struct Scratch {
    folder: tempfile::TempDir,
    home: PathBuf,
    variables: Vec<(String, String)>,
}

/// What a command did. Paths in it begin with `$HOME`.
#[must_use = "compare the output, or at least the status"]
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let home = fs::canonicalize(folder.path()).expect("the scratch folder's real path");
        let scratch = Scratch { folder, home, variables: Vec::new() };
        scratch.link_executables("bin");
        fs::create_dir(scratch.path("work")).expect("a working folder");
        scratch
    }

    /// Sets a variable for every later command.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.unset(name);
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    pub(crate) fn unset(&mut self, name: &str) {
        self.variables.retain(|(other, _)| other != name);
    }

    /// A path in the scratch home.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.home.join(path)
    }

    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder of the file");
        fs::write(path, text).expect("the file");
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        fs::symlink_metadata(self.path(path)).is_ok()
    }

    /// Makes a folder whose entries link to the built executables.
    pub(crate) fn link_executables(&self, folder: &str) {
        let folder = self.path(folder);
        fs::create_dir_all(&folder).expect("the folder of the executables");
        for name in EXECUTABLES {
            symlink(built_folder().join(name), folder.join(name)).expect("a link");
        }
    }

    /// Runs `mailstop` in `work`, the words split at spaces.
    pub(crate) fn run(&self, words: &str) -> Ran {
        self.run_from("bin/mailstop", &words.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs an executable of the scratch home.
    pub(crate) fn run_from(&self, executable: &str, words: &[&str]) -> Ran {
        self.finish(self.command(self.path(executable)).args(words))
    }

    /// A command in `work` with the scratch environment only.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", &self.home)
            .env("MAILSTOP_HOME", self.path("data"))
            .env("PATH", self.path("path"))
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(self.path("work"))
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn finish(&self, command: &mut Command) -> Ran {
        let Output { status, stdout, stderr } = command.output().expect("the command starts");
        let text = |bytes| self.redact(&String::from_utf8(bytes).expect("UTF-8 output"));
        Ran { status: status.code().unwrap_or(-1), stdout: text(stdout), stderr: text(stderr) }
    }

    pub(crate) fn redact(&self, text: &str) -> String {
        text.replace(self.home.to_str().expect("a UTF-8 path"), "$HOME")
    }

    /// Every file under the home folder but the linked executables, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        list(self.folder.path(), self.folder.path(), &mut found);
        found.retain(|path| !path.starts_with("bin/"));
        found.sort();
        found
    }
}

impl Ran {
    /// Checks the whole of what was printed by a command that succeeded.
    pub(crate) fn prints(self, stdout: &str) {
        let expected = Ran { status: 0, stdout: stdout.to_owned(), stderr: String::new() };
        assert_eq!(self, expected);
    }

    /// Checks that the command succeeded, and gives what it printed.
    pub(crate) fn succeeds(self) -> String {
        assert_eq!(self.status, 0, "{}{}", self.stdout, self.stderr);
        self.stdout
    }

    /// Checks the status and the whole error.
    pub(crate) fn fails(self, status: i32, stderr: &str) {
        assert_eq!(self, Ran { status, stdout: String::new(), stderr: stderr.to_owned() });
    }
}

/// The folder that cargo built the executables into.
pub(crate) fn built_folder() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_mailstop")).parent().expect("a folder")
}

fn list(root: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            list(root, &path, found);
        } else {
            let path = path.strip_prefix(root).expect("a path inside").display().to_string();
            found.push(path);
        }
    }
}
