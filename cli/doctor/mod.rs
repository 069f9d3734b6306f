//! What can be wrong on a person's machine, found one check at a time.

mod clock;
mod filesystem;
pub(crate) mod hooks;
mod mail;
pub(crate) mod rehearsal;
mod rows;
pub(crate) mod sandbox;
mod space;
pub(crate) mod store;

use serde_json::{Value, json};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// As it should be.
    Fine,
    /// Worth knowing.
    Note,
    /// Mail is not delivered as promised until this is put right.
    Wrong,
}

/// One thing that was looked at.
#[derive(Debug)]
pub(crate) struct Finding {
    /// What was looked at.
    pub(crate) check: &'static str,
    /// How bad it is.
    pub(crate) level: Level,
    /// What was found.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) remedy: Option<String>,
}

impl Finding {
    /// All is well.
    pub(crate) fn fine(check: &'static str, message: impl Into<String>) -> Finding {
        Finding { check, level: Level::Fine, message: message.into(), remedy: None }
    }

    /// Worth knowing.
    pub(crate) fn note(
        check: &'static str,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Finding {
        Finding { check, level: Level::Note, message: message.into(), remedy: Some(remedy.into()) }
    }

    /// To be put right.
    pub(crate) fn wrong(
        check: &'static str,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Finding {
        Finding { check, level: Level::Wrong, message: message.into(), remedy: Some(remedy.into()) }
    }

    /// The finding as a document.
    pub(crate) fn document(&self) -> Value {
        json!({
            "check": self.check,
            "level": self.word(),
            "message": self.message,
            "remedy": self.remedy,
        })
    }

    /// The level in a word.
    pub(crate) fn word(&self) -> &'static str {
        match self.level {
            Level::Fine => "ok",
            Level::Note => "note",
            Level::Wrong => "wrong",
        }
    }
}
