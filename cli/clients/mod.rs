//! The clients that can be served, as data, and what their settings say.

pub(crate) mod change;
mod claude;
mod codex;
pub(crate) mod command;
pub(crate) mod edit;
pub(crate) mod executables;
mod found;
mod hooks;
pub(crate) mod report;
mod rules;
pub(crate) mod sandbox;
pub(crate) mod warnings;

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::args::{ClientChoice, Scope};
use crate::error::CliError;
use crate::paths::Surroundings;

/// Every client.
pub(crate) const CLIENTS: [&Client; 2] = [&claude::CLAUDE, &codex::CODEX];

/// One client: all that installing has to know of it.
#[derive(Debug)]
pub(crate) struct Client {
    /// The word for it on the command line and in the hooks' `--client`.
    pub(crate) word: &'static str,
    /// Its name for people.
    pub(crate) name: &'static str,
    choice: ClientChoice,
    /// Its own executable.
    binary: &'static str,
    /// The variable that moves its folder, and the folder in the home folder else.
    folder_variable: &'static str,
    folder_in_home: &'static str,
    /// Its settings file in that folder, and the two in a repository.
    user_file: &'static str,
    project_file: &'static str,
    local_file: &'static str,
    /// How it starts a hook.
    pub(crate) form: Form,
    /// What is registered with it.
    pub(crate) hooks: &'static [Hook],
    /// Whether `permissions.allow` lets commands run without a question.
    pub(crate) has_allow_rules: bool,
    /// The file in its folder whose sandbox settings keep `resolve` from writing.
    pub(crate) sandbox_file: Option<&'static str>,
    /// What its user has to do before the hooks run.
    pub(crate) next_step: &'static str,
}

/// How a client starts a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// An executable and a list of arguments.
    Exec,
    /// A command line for a shell.
    Shell,
}

/// One registered event.
#[derive(Debug)]
pub(crate) struct Hook {
    /// The client's name of the event.
    pub(crate) event: &'static str,
    /// The executable that is started for it.
    pub(crate) executable: &'static str,
    /// The seconds after which the client gives up on it.
    pub(crate) timeout: u32,
    /// Which of the event's kinds it is for; none is all.
    pub(crate) matcher: Option<&'static str>,
}

impl Hook {
    const fn new(event: &'static str, executable: &'static str, timeout: u32) -> Hook {
        Hook { event, executable, timeout, matcher: None }
    }

    /// A hook that only notes an event. It is quick, and nothing waits for its output.
    const fn observe(event: &'static str) -> Hook {
        Hook::new(event, "mailstop-observe", 5)
    }

    const fn of(self, matcher: &'static str) -> Hook {
        Hook { matcher: Some(matcher), ..self }
    }
}

impl Client {
    /// Whether the word on the command line means this client.
    pub(crate) fn is_chosen(&self, choice: ClientChoice) -> bool {
        choice == self.choice || choice == ClientChoice::All
    }

    /// Whether this machine has the client.
    pub(crate) fn is_present(&self, around: &Surroundings) -> bool {
        around.folder(self.folder_variable, self.folder_in_home).is_ok_and(|folder| folder.is_dir())
            || around.on_path(OsStr::new(self.binary)).is_some()
    }

    /// The settings file of a scope.
    pub(crate) fn settings(
        &self,
        around: &Surroundings,
        scope: Scope,
    ) -> Result<PathBuf, CliError> {
        Ok(match scope {
            Scope::User => self.in_folder(around, self.user_file)?,
            Scope::Project => around.project().join(self.project_file),
            Scope::Local => around.project().join(self.local_file),
        })
    }

    /// A file in the client's own folder.
    pub(crate) fn in_folder(&self, around: &Surroundings, file: &str) -> Result<PathBuf, CliError> {
        Ok(around.folder(self.folder_variable, self.folder_in_home)?.join(file))
    }
}
