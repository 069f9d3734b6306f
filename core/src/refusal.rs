//! Why a command was refused, and what to do next.

use std::fmt;

use crate::config;
use crate::message::Invalid;
use crate::store;

/// The family of a refusal; it decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// It failed.
    Failed,
    /// It was asked for in a way that makes no sense, or claims too much.
    Usage,
    /// What it names is not there, or more than one thing.
    NotFound,
    /// The state of the recipient does not allow it.
    State,
    /// It took too long.
    TimedOut,
    /// The store cannot be used.
    Store,
}

impl Class {
    /// The stable word of a refusal that has no narrower one.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Class::Failed => "failed",
            Class::Usage => "usage",
            Class::NotFound => "not_found",
            Class::State => "refused",
            Class::TimedOut => "timed_out",
            Class::Store => "store_unavailable",
        }
    }

    /// The exit code of the design.
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self {
            Class::Failed => 1,
            Class::Usage => 2,
            Class::NotFound => 3,
            Class::State => 4,
            Class::TimedOut => 5,
            Class::Store => 6,
        }
    }
}

/// A refusal: kind, message and hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The family.
    pub class: Class,
    /// A stable word for programs.
    pub code: &'static str,
    /// What went wrong, naming the thing.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
}

impl Refusal {
    /// A refusal in full; an empty hint is none.
    pub fn new(
        class: Class,
        code: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        let hint = hint.into();
        Refusal { class, code, message: message.into(), hint: (!hint.is_empty()).then_some(hint) }
    }

    /// Something failed.
    pub fn failed(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(Class::Failed, Class::Failed.code(), message, hint)
    }

    /// It makes no sense as asked.
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(Class::Usage, Class::Usage.code(), message, hint)
    }

    /// It claims to be somebody else.
    pub fn claim(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(Class::Usage, "refused_claim", message, hint)
    }

    /// What it names is not there.
    pub fn not_found(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(Class::NotFound, Class::NotFound.code(), message, hint)
    }

    /// What it names is more than one thing.
    pub fn ambiguous(message: impl Into<String>, choices: &[String]) -> Self {
        Self::new(Class::NotFound, "ambiguous", message, format!("one of: {}", choices.join(", ")))
    }

    /// The recipient's state does not allow it.
    pub fn state(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(Class::State, code, message, hint)
    }
}

impl Refusal {
    /// The refusal as a program reads it.
    #[must_use]
    pub fn document(&self) -> serde_json::Value {
        serde_json::json!({ "code": self.code, "message": self.message, "hint": self.hint })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

impl From<Invalid> for Refusal {
    fn from(invalid: Invalid) -> Self {
        Refusal::usage(invalid.to_string(), invalid.hint)
    }
}

impl From<store::Error> for Refusal {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::NotWorkBuddy(_) => {
                return Refusal::usage(
                    error.to_string(),
                    "give its messages.db; `mailstop restore` takes a backup of this mailbox",
                );
            }
            store::Error::Source(_) => {
                return Refusal::failed(
                    error.to_string(),
                    "what was imported so far stays; `sqlite3 FILE .recover` saves what can be read of a damaged file",
                );
            }
            _ => {}
        }
        let error = match config::data_dir() {
            Some(folder) => error.within(&folder),
            None => error,
        };
        let hint = match error.trouble() {
            Some(trouble) => trouble.remedy(),
            None if error.is_read_only() => {
                "the mailbox cannot be written from here; in a client's sandbox, run `mailstop install` \
                 outside it once, which lets the sandbox write the mailbox's folder"
            }
            None if error.is_full() => "free some space on its disk; nothing was stored",
            None => "run `mailstop doctor`",
        };
        Refusal::new(Class::Store, Class::Store.code(), error.to_string(), hint)
    }
}
