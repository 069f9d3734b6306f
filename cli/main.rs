//! `mailstop`: mail for coding agents that stops them until it is handled.

mod args;
mod clients;
mod copies;
mod courier;
mod doctor;
mod documents;
mod error;
mod mailbox;
mod man;
mod output;
mod paths;
mod progress;
mod replace;
mod settings;
mod table;
mod text_input;
mod verbs;
mod wait;

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
        None => verbs::overview::run(printer),
        Some(Verb::Send(args)) => verbs::send::run(&args, printer),
        Some(Verb::Inbox(args)) => verbs::inbox::run(&args, printer),
        Some(Verb::Read(args)) => verbs::read::run(&args, printer),
        Some(Verb::Reply(args)) => verbs::reply::run(&args, printer),
        Some(Verb::Resolve(args)) => verbs::resolve::run(&args, printer),
        Some(Verb::Withdraw(args)) => verbs::withdraw::run(&args, printer),
        Some(Verb::Thread(args)) => verbs::thread::run(&args, printer),
        Some(Verb::Status(args)) => verbs::status::run(&args, printer),
        Some(Verb::Ask(args)) => verbs::ask::run(&args, printer),
        Some(Verb::Questions(args)) => verbs::questions::run(&args, printer),
        Some(Verb::Answer(args)) => verbs::answer::run(&args, printer),
        Some(Verb::Cancel(args)) => verbs::cancel::run(&args, printer),
        Some(Verb::Deliver(args)) => verbs::deliver::run(&args, printer),
        Some(Verb::Sessions(args)) => verbs::sessions::run(&args, printer),
        Some(Verb::Name { new }) => verbs::name::run(new.as_deref(), printer),
        Some(Verb::Pause(args)) => verbs::pause::run(&args, true, printer),
        Some(Verb::Unpause(args)) => verbs::pause::run(&args, false, printer),
        Some(Verb::Log(args)) => verbs::log::run(&args, printer),
        Some(Verb::Dead(args)) => verbs::dead::run(&args, printer),
        Some(Verb::Config) => verbs::config::run(printer),
        Some(Verb::Migrate(args)) => verbs::migrate::run(&args, printer),
        Some(Verb::Sweep(args)) => verbs::sweep::run(&args, printer),
        Some(Verb::Install(args)) => verbs::install::run(&args, printer),
        Some(Verb::Uninstall(args)) => verbs::uninstall::run(&args, printer),
        Some(Verb::Doctor(args)) => verbs::doctor::run(&args, printer),
        Some(Verb::Man(args)) => verbs::man::run(&args, printer),
        Some(Verb::Backup(args)) => verbs::backup::run(&args, printer),
        Some(Verb::Restore(args)) => verbs::restore::run(&args, printer),
        Some(Verb::Completions { shell }) => verbs::completions::run(shell, printer),
    }
}
