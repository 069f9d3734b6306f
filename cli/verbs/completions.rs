//! `mailstop completions`.

use crate::args;
use crate::error::CliError;
use crate::output::Printer;

/// Prints the completions for a shell.
pub(crate) fn run(shell: clap_complete::Shell, printer: &mut Printer) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut args::command(), "mailstop", &mut script);
    printer.raw(&String::from_utf8_lossy(&script))
}
