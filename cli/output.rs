//! What a verb prints: text for a person, or one JSON document for a program.

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use mailstop_core::text;
use serde::Serialize;

use crate::error::CliError;

/// The form of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Json,
}

/// How a piece of text looks on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Headings and names.
    Bold,
    /// What matters less.
    Dim,
    /// Trouble, and removed lines.
    Red,
    /// Success, and added lines.
    Green,
    /// Warnings.
    Yellow,
}

/// The one way to standard output. Lines are dropped with `--json`, documents
/// without it, so that a verb may print both and choose nothing.
#[derive(Debug)]
pub(crate) struct Printer {
    form: Form,
    colour: bool,
    colour_errors: bool,
    out: BufWriter<Stdout>,
}

impl Printer {
    /// A printer for the form that the command line asks for, which has to be known
    /// before the line is understood: an error in it is printed in that form too.
    pub(crate) fn for_command_line(argv: &[OsString]) -> Printer {
        let mut options = argv.iter().skip(1).take_while(|word| *word != "--");
        let form = if options.any(|word| word == "--json") { Form::Json } else { Form::Text };
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Printer {
            form,
            colour: wanted && io::stdout().is_terminal(),
            colour_errors: wanted && io::stderr().is_terminal(),
            out: BufWriter::new(io::stdout()),
        }
    }

    /// Whether a JSON document is wanted.
    pub(crate) fn is_json(&self) -> bool {
        self.form == Form::Json
    }

    /// Prints one line for a person. The caller escapes what comes from elsewhere
    /// with [`text::line`]; line breaks and styles of its own are kept.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> Result<(), CliError> {
        match self.form {
            Form::Text => {
                writeln!(self.out, "{}", text.as_ref()).map_err(|error| CliError::output(&error))
            }
            Form::Json => Ok(()),
        }
    }

    /// Prints the JSON document.
    pub(crate) fn document(&mut self, document: &impl Serialize) -> Result<(), CliError> {
        if self.form == Form::Text {
            return Ok(());
        }
        serde_json::to_writer_pretty(&mut self.out, document)
            .map_err(io::Error::from)
            .and_then(|()| writeln!(self.out))
            .map_err(|error| CliError::output(&error))
    }

    /// Prints text as it is in either form: help, completions, a message's body.
    pub(crate) fn raw(&mut self, text: &str) -> Result<(), CliError> {
        self.out.write_all(text.as_bytes()).map_err(|error| CliError::output(&error))
    }

    /// Prints `label: text` to standard error.
    pub(crate) fn complain(&mut self, label: &str, text: &str) {
        let style = if label == "error" { Style::Red } else { Style::Yellow };
        let label = paint(self.colour_errors, style, label);
        // Where standard error is closed there is nobody to tell.
        let _ = writeln!(io::stderr(), "{label}: {}", text::lines(text));
    }

    /// Styles text for this output.
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        paint(self.colour, style, text)
    }

    /// Hands everything to the reader. A verb that printed has succeeded only then.
    pub(crate) fn flush(&mut self) -> Result<(), CliError> {
        self.out.flush().map_err(|error| CliError::output(&error))
    }
}

fn paint(colour: bool, style: Style, text: &str) -> String {
    let code = match style {
        Style::Bold => 1,
        Style::Dim => 2,
        Style::Red => 31,
        Style::Green => 32,
        Style::Yellow => 33,
    };
    if colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
}
