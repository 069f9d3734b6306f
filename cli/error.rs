//! Errors as a person and as a program meet them, and their exit codes.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use mailstop_core::refusal::{Class, Refusal};
use mailstop_core::store;
use serde_json::json;

use crate::output::Printer;

/// What kind of failure it is; decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Something went wrong that is none of the others.
    Failed,
    /// The command line makes no sense.
    Usage,
    /// The caller claims to be somebody else.
    RefusedClaim,
    /// Nothing has that id, name or path.
    NotFound,
    /// Several things have that prefix or name.
    Ambiguous,
    /// The recipient is parked on a question to its user.
    AwaitingUserInteraction,
    /// The recipient runs a turn already.
    AlreadyActive,
    /// The recipient is not running.
    NotRunning,
    /// The question has its answer.
    AlreadyAnswered,
    /// The wait ended first.
    TimedOut,
    /// The store cannot be used.
    Store,
    /// Nobody reads the output any more, which is no failure.
    OutputClosed,
}

impl Kind {
    /// The stable name in JSON, and the exit code. The only such table.
    fn code(self) -> (&'static str, u8) {
        match self {
            Kind::OutputClosed => ("output_closed", 0),
            Kind::Failed => ("failed", 1),
            Kind::Usage => ("usage", 2),
            Kind::RefusedClaim => ("refused_claim", 2),
            Kind::NotFound => ("not_found", 3),
            Kind::Ambiguous => ("ambiguous", 3),
            Kind::AwaitingUserInteraction => ("awaiting_user_interaction", 4),
            Kind::AlreadyActive => ("already_active", 4),
            Kind::NotRunning => ("not_running", 4),
            Kind::AlreadyAnswered => ("already_answered", 4),
            Kind::TimedOut => ("timed_out", 5),
            Kind::Store => ("store_unavailable", 6),
        }
    }
}

/// A failure of a verb: lower case, names the object; the hint is the next step.
#[derive(Debug)]
pub(crate) struct CliError {
    kind: Kind,
    message: String,
    hint: Option<String>,
}

impl CliError {
    /// An error without a hint.
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> CliError {
        CliError {
            kind,
            message: message.into(),
            hint: None,
        }
    }

    /// An error of the kind that has no kind of its own.
    pub(crate) fn failed(message: impl Into<String>) -> CliError {
        CliError::new(Kind::Failed, message)
    }

    /// What kind of failure it is.
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// Adds what to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> CliError {
        self.hint = Some(hint.into());
        self
    }

    /// A failed read or write of something that has a name.
    pub(crate) fn io(action: &str, object: impl Display, error: &io::Error) -> CliError {
        CliError::failed(format!(
            "cannot {action} {object}: {}",
            lower_first(&error.to_string())
        ))
    }

    /// A failed write to standard output.
    pub(crate) fn output(error: &io::Error) -> CliError {
        match error.kind() {
            io::ErrorKind::BrokenPipe => CliError::new(Kind::OutputClosed, "output closed"),
            _ => CliError::io("write", "the output", error),
        }
    }
}

impl From<Refusal> for CliError {
    fn from(refusal: Refusal) -> CliError {
        let kind = match (refusal.class, refusal.code) {
            (Class::Failed, _) => Kind::Failed,
            (Class::Usage, "refused_claim") => Kind::RefusedClaim,
            (Class::Usage, _) => Kind::Usage,
            (Class::NotFound, "ambiguous") => Kind::Ambiguous,
            (Class::NotFound, _) => Kind::NotFound,
            (Class::State, "already_active") => Kind::AlreadyActive,
            (Class::State, _) => Kind::NotRunning,
            (Class::TimedOut, _) => Kind::TimedOut,
            (Class::Store, _) => Kind::Store,
        };
        CliError {
            kind,
            message: refusal.message,
            hint: refusal.hint,
        }
    }
}

impl From<store::Error> for CliError {
    fn from(error: store::Error) -> CliError {
        Refusal::from(error).into()
    }
}

/// Reports the outcome, and turns it into the exit code.
pub(crate) fn exit_code(outcome: Result<(), CliError>, printer: &mut Printer) -> ExitCode {
    let Err(error) = outcome else {
        return ExitCode::SUCCESS;
    };
    let (name, code) = error.kind.code();
    if error.kind != Kind::OutputClosed {
        report(&error, name, printer);
    }
    ExitCode::from(code)
}

fn report(error: &CliError, name: &str, printer: &mut Printer) {
    if printer.is_json() {
        let document = json!({
            "error": { "code": name, "message": error.message, "hint": error.hint }
        });
        // A reader that has gone away does not change what happened.
        let _ = printer.document(&document).and_then(|()| printer.flush());
        return;
    }
    let _ = printer.flush();
    printer.complain("error", &error.message);
    if let Some(hint) = &error.hint {
        printer.complain("hint", hint);
    }
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_lowercase().chain(letters).collect())
        .unwrap_or_default()
}
