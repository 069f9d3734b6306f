//! Errors as a person and as a program meet them, and their exit codes.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use mailstop_core::refusal::{Class, Refusal};
use mailstop_core::store;
use serde_json::json;

use crate::output::Printer;

/// A failure of a verb: lower case, names the object; the hint is the next step.
#[derive(Debug)]
pub(crate) struct CliError {
    refusal: Refusal,
    said: Said,
}

/// How much of a failure is still to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    /// All of it.
    Nothing,
    /// Nothing: the output told it.
    Everything,
    /// Nothing: nobody reads the output any more, which is no failure.
    OutputClosed,
}

impl CliError {
    /// An error without a hint.
    pub(crate) fn new(class: Class, message: impl Into<String>) -> CliError {
        Refusal::new(class, class.code(), message, "").into()
    }

    /// An error of the kind that has no kind of its own.
    pub(crate) fn failed(message: impl Into<String>) -> CliError {
        CliError::new(Class::Failed, message)
    }

    /// The family of the failure.
    pub(crate) fn class(&self) -> Class {
        self.refusal.class
    }

    /// Adds what to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> CliError {
        self.refusal.hint = Some(hint.into());
        self
    }

    /// The same failure, of which the output has said everything.
    pub(crate) fn told(self) -> CliError {
        CliError { said: Said::Everything, ..self }
    }

    /// A failed read or write of something that has a name.
    pub(crate) fn io(action: &str, object: impl Display, error: &io::Error) -> CliError {
        CliError::failed(format!("cannot {action} {object}: {}", lower_first(&error.to_string())))
    }

    /// A failed write to standard output.
    pub(crate) fn output(error: &io::Error) -> CliError {
        match error.kind() {
            io::ErrorKind::BrokenPipe => {
                CliError { said: Said::OutputClosed, ..CliError::failed("") }
            }
            _ => CliError::io("write", "the output", error),
        }
    }
}

impl From<Refusal> for CliError {
    fn from(refusal: Refusal) -> CliError {
        CliError { refusal, said: Said::Nothing }
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
    match error.said {
        Said::OutputClosed => return ExitCode::SUCCESS,
        Said::Everything => {
            let _ = printer.flush();
        }
        Said::Nothing => report(&error.refusal, printer),
    }
    ExitCode::from(error.refusal.class.exit_code())
}

fn report(refusal: &Refusal, printer: &mut Printer) {
    if printer.is_json() {
        let document = json!({ "error": refusal.document() });
        // A reader that has gone away does not change what happened.
        let _ = printer.document(&document).and_then(|()| printer.flush());
        return;
    }
    let _ = printer.flush();
    printer.complain("error", &refusal.message);
    if let Some(hint) = &refusal.hint {
        printer.complain("hint", hint);
    }
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
