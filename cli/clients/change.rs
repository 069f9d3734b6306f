//! One planned change of one settings file. Everything is planned before anything is
//! written, so that a file which cannot be edited stops the command in time.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::Client;
use crate::args::Scope;
use crate::error::CliError;
use crate::settings::diff;
use crate::settings::file::SettingsFile;
use crate::settings::record::{Record, Records};

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Our entries are put in for the first time.
    Install,
    /// Our entries are brought up to date.
    Update,
    /// They are there already.
    AlreadyInstalled,
    /// A wider scope has them.
    Skip,
    /// Our entries are taken out.
    Remove,
    /// The bytes from before the install come back.
    Restore,
    /// The file, which we created, goes.
    Delete,
    /// None of our entries is there.
    NothingToRemove,
}

/// Which part of a client's settings it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Hooks and allow rules.
    Hooks,
    /// The sandbox that the agent's commands run in.
    Sandbox,
}

/// What to remember of the file.
#[derive(Debug)]
pub(crate) enum Memory {
    /// Nothing new.
    Keep,
    /// The whole text that uninstalling gives back; none is no file.
    Original { text: Option<String>, folders: Vec<PathBuf> },
    /// Nothing any more; the folders were made for the file.
    Forget { folders: Vec<PathBuf> },
}

/// A planned change.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) client: &'static Client,
    pub(crate) scope: Scope,
    pub(crate) part: Part,
    pub(crate) file: SettingsFile,
    /// The whole text to be; none is no file.
    pub(crate) after: Option<String>,
    pub(crate) action: Action,
    pub(crate) memory: Memory,
    pub(crate) warnings: Vec<String>,
}

impl Change {
    /// Whether the file will be another one.
    pub(crate) fn is_needed(&self) -> bool {
        self.after.as_deref() != self.file.whole()
    }

    /// The change as a unified diff.
    pub(crate) fn diff(&self) -> String {
        let file = self.file.path.display().to_string();
        diff::unified(&file, self.file.whole(), self.after.as_deref())
    }

    /// Writes the file and what to remember of it. The record comes first: a file that
    /// was changed without one could not be given back.
    pub(crate) fn apply(&self, records: &Records) -> Result<(), CliError> {
        match &self.memory {
            Memory::Keep => {
                self.write()?;
            }
            Memory::Forget { .. } => {
                self.write()?;
                records.forget(self.file.target());
            }
            Memory::Original { text, folders } => {
                let mut record = self.record(text.clone(), folders.clone());
                records.save(&record)?;
                let made = self.write()?;
                if !made.is_empty() {
                    record.folders = made;
                    records.save(&record)?;
                }
            }
        }
        Ok(())
    }

    /// Removes the folders that installing had made. One that is in use by now stays.
    pub(crate) fn tidy(&self) {
        if let Memory::Forget { folders } = &self.memory {
            for folder in folders.iter().rev() {
                let _ = fs::remove_dir(folder);
            }
        }
    }

    /// Makes the file what it is to be; returns the folders that had to be made.
    fn write(&self) -> Result<Vec<PathBuf>, CliError> {
        match &self.after {
            _ if !self.is_needed() => Ok(Vec::new()),
            Some(text) => self.file.write(text),
            None => self.file.delete().map(|()| Vec::new()),
        }
    }

    fn record(&self, before: Option<String>, folders: Vec<PathBuf>) -> Record {
        Record {
            client: self.client.word.to_owned(),
            path: self.file.path.clone(),
            target: self.file.target().to_owned(),
            before,
            after: self.after.clone().unwrap_or_default(),
            folders,
        }
    }

    /// The change in the JSON document.
    pub(crate) fn document(&self) -> Value {
        json!({
            "client": self.client.word,
            "scope": self.scope.word(),
            "part": match self.part { Part::Hooks => "hooks", Part::Sandbox => "sandbox" },
            "file": self.file.path.display().to_string(),
            "changed": self.is_needed(),
            "action": self.action.word(),
            "warnings": self.warnings,
            "diff": self.diff(),
        })
    }
}

impl Action {
    fn word(self) -> &'static str {
        match self {
            Action::Install => "install",
            Action::Update => "update",
            Action::AlreadyInstalled => "already_installed",
            Action::Skip => "skip",
            Action::Remove => "remove",
            Action::Restore => "restore",
            Action::Delete => "delete",
            Action::NothingToRemove => "nothing_to_remove",
        }
    }
}
