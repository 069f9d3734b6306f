//! Where the executables are, by a path that outlives the next upgrade.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use mailstop_core::shell;
use serde_json::{Value, json};

use super::command::HOOK_EXECUTABLES;
use super::{Client, Form, Hook};
use crate::error::CliError;
use crate::paths::Surroundings;

/// The folder that holds every executable.
#[derive(Debug)]
pub(crate) struct Executables {
    folder: String,
}

impl Executables {
    /// Finds the folder: the one that `mailstop` was started through, links not
    /// followed, when it leads to this very executable and its siblings are there too.
    /// A package manager's versioned folder is gone after the next upgrade, its link
    /// is not.
    pub(crate) fn find(around: &Surroundings) -> Result<Executables, CliError> {
        let this = env::current_exe()
            .and_then(fs::canonicalize)
            .map_err(|error| CliError::io("find", "this executable", &error))?;
        let real = this.parent().unwrap_or(Path::new("/")).to_owned();
        let stable = started_through(around)
            .filter(|path| fs::canonicalize(path).is_ok_and(|path| path == this))
            .and_then(|path| path.parent().map(Path::to_owned))
            .filter(|folder| missing_in(folder).is_none());
        let folder = stable.unwrap_or(real);
        if let Some(name) = missing_in(&folder) {
            return Err(CliError::failed(format!("{name} is not in {}", folder.display()))
                .hint("install every executable into one folder: run install.sh"));
        }
        Executables::in_folder(&folder)
    }

    fn in_folder(folder: &Path) -> Result<Executables, CliError> {
        let text = folder.to_str().ok_or_else(|| {
            CliError::failed(format!("the folder {} is not UTF-8", folder.display()))
                .hint("settings files cannot name it; install into another folder")
        })?;
        Ok(Executables { folder: for_settings(text, cfg!(windows)) })
    }

    /// The folder, as settings name it.
    pub(crate) fn folder(&self) -> &str {
        &self.folder
    }

    /// The path of an executable, as settings name it.
    pub(crate) fn path(&self, name: &str) -> String {
        let suffix = env::consts::EXE_SUFFIX;
        format!("{}/{name}{suffix}", self.folder.trim_end_matches('/'))
    }

    /// What a client runs for a hook: its `command`, and its `args` if it has them.
    pub(crate) fn command(&self, client: &Client, hook: &Hook) -> (String, Option<Value>) {
        let path = self.path(hook.executable);
        match client.form {
            Form::Exec => (path, Some(json!(["--client", client.word]))),
            Form::Shell => (format!("{} --client {}", shell::quote(&path), client.word), None),
        }
    }
}

/// The path through which this process was started.
fn started_through(around: &Surroundings) -> Option<PathBuf> {
    let started = PathBuf::from(env::args_os().next()?);
    if started.components().count() > 1 || started.is_absolute() {
        let path = around.absolute(&started);
        return Some(without_parents(&path).unwrap_or(path));
    }
    around.on_path(started.as_os_str())
}

/// The path without `..`, where that leads to the same file.
fn without_parents(path: &Path) -> Option<PathBuf> {
    let mut short = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                short.pop();
            }
            other => short.push(other),
        }
    }
    (fs::canonicalize(&short).ok()? == fs::canonicalize(path).ok()?).then_some(short)
}

fn missing_in(folder: &Path) -> Option<&'static str> {
    let all = HOOK_EXECUTABLES.into_iter().chain(["mailstop", "resolve"]);
    let mut missing =
        all.filter(|name| !folder.join(format!("{name}{}", env::consts::EXE_SUFFIX)).is_file());
    missing.next()
}

/// Clients run commands through a POSIX shell on Windows too, where a backslash escapes.
fn for_settings(path: &str, windows: bool) -> String {
    if windows { path.replace('\\', "/") } else { path.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    // B10
    #[test]
    fn a_windows_path_survives_a_posix_shell() {
        let path = for_settings(r"C:\Users\First Last\x.exe", true);
        assert_eq!(shell::quote(&path), "'C:/Users/First Last/x.exe'");
        assert_eq!(for_settings(r"/odd\folder", false), r"/odd\folder");
    }
}
