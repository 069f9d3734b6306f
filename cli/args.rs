//! The command line: definitions only.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Args as ClapArgs, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::error::{CliError, Kind};
use crate::output::Printer;

/// Mail for coding agents that stops them until it is handled
#[derive(Debug, Parser)]
#[command(name = "mailstop", version, disable_help_subcommand = true)]
pub(crate) struct Args {
    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
}

/// What `mailstop` can be asked to do: one file each in `verbs/`.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Install(InstallArgs),
    Uninstall(UninstallArgs),
}

/// Register the hooks in the settings of Claude Code and Codex
///
/// Without --client, the clients that are present on this machine.
#[derive(Debug, ClapArgs)]
pub(crate) struct InstallArgs {
    #[command(flatten)]
    pub(crate) place: Place,

    /// Leave Codex's sandbox as it is: `resolve` cannot write inside it
    #[arg(long)]
    pub(crate) no_sandbox: bool,

    /// Write the hooks although a wider scope has them already
    #[arg(long)]
    pub(crate) force: bool,
}

/// Remove the hooks from the settings of Claude Code and Codex
///
/// A file that nobody edited since gets its old bytes back; from any other only
/// the entries of Mailstop are removed. Mail is kept.
#[derive(Debug, ClapArgs)]
pub(crate) struct UninstallArgs {
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Which settings files are meant.
#[derive(Debug, ClapArgs)]
pub(crate) struct Place {
    /// The client to change
    #[arg(long, value_enum)]
    pub(crate) client: Option<ClientChoice>,

    /// Whose settings: yours, this repository's, or yours in this repository
    #[arg(long, value_enum, default_value_t = Scope::User)]
    pub(crate) scope: Scope,

    /// Show what would change, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// A client as named on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClientChoice {
    /// Claude Code
    Claude,
    /// OpenAI Codex
    Codex,
    /// Both
    All,
}

/// Whose settings a file holds. Ordered from the narrowest to the widest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Scope {
    /// Yours, in this repository only
    Local,
    /// Everybody's who works in this repository
    Project,
    /// Yours, everywhere
    User,
}

impl Scope {
    /// The word on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Scope::Local => "local",
            Scope::Project => "project",
            Scope::User => "user",
        }
    }
}

/// Parses the command line. Prints help and version itself, and is `None` then.
pub(crate) fn parse(argv: Vec<OsString>, printer: &mut Printer) -> Result<Option<Args>, CliError> {
    match Args::try_parse_from(argv) {
        Ok(args) => Ok(Some(args)),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                printer.raw(&error.render().to_string())?;
                Ok(None)
            }
            _ => Err(usage_error(&error)),
        },
    }
}

/// Prints the short help, for a bare `mailstop`.
pub(crate) fn print_help(printer: &mut Printer) -> Result<(), CliError> {
    printer.raw(&Args::command().render_help().to_string())
}

/// Clap's text as ours: the first paragraph is the message, the rest the hint.
fn usage_error(error: &clap::Error) -> CliError {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let (message, rest) = text.split_once("\n\n").unwrap_or((text, ""));
    let words = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
    let hint = rest
        .lines()
        .find_map(|line| line.trim().strip_prefix("tip: "))
        .or_else(|| rest.lines().find(|line| line.starts_with("Usage: ")))
        .map_or_else(|| "see `mailstop --help`".to_owned(), words);
    CliError::new(Kind::Usage, words(message)).hint(hint)
}
