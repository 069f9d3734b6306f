//! `mailstop`: mail for coding agents that stops them until it is handled.

mod args;
mod clients;
mod error;
mod output;
mod paths;
mod settings;
mod verbs;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::args::{Args, Verb};
use crate::error::CliError;
use crate::output::Printer;

fn main() -> ExitCode {
    let argv: Vec<OsString> = std::env::args_os().collect();
    let mut printer = Printer::for_command_line(&argv);
    let outcome = run(argv, &mut printer).and_then(|()| printer.flush());
    error::exit_code(outcome, &mut printer)
}

fn run(argv: Vec<OsString>, printer: &mut Printer) -> Result<(), CliError> {
    let Some(args) = args::parse(argv, printer)? else {
        return Ok(());
    };
    dispatch(args, printer)
}

fn dispatch(args: Args, printer: &mut Printer) -> Result<(), CliError> {
    match args.verb {
        Some(Verb::Install(args)) => verbs::install::run(&args, printer),
        Some(Verb::Uninstall(args)) => verbs::uninstall::run(&args, printer),
        None => args::print_help(printer),
    }
}
