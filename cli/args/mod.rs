//! The command line: definitions only.

mod agents;
mod care;
mod dead;
mod mail;
mod questions;
mod setup;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

pub(crate) use agents::{LogArgs, OneName, SessionsAction, SessionsArgs};
pub(crate) use care::{BackupArgs, ManArgs, MigrateArgs, RestoreArgs, SweepArgs};
pub(crate) use dead::{DeadAction, DeadArgs};
pub(crate) use mail::{
    Body, Goal, InboxArgs, OneMessage, ReplyArgs, ResolveArgs, SendArgs, Traits,
};
pub(crate) use questions::{AnswerArgs, AskArgs, DeliverArgs, QuestionsArgs};
pub(crate) use setup::{ClientChoice, DoctorArgs, InstallArgs, Place, Scope, UninstallArgs};

use crate::error::CliError;
use crate::output::Printer;
use mailstop_core::refusal::Class;

/// Mail for coding agents that stops them until it is handled
#[derive(Debug, Parser)]
#[command(
    name = "mailstop",
    version,
    disable_help_subcommand = true,
    after_help = "\
Examples:
  mailstop
  mailstop inbox --blocking
  mailstop man send"
)]
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
    Send(SendArgs),
    Inbox(InboxArgs),
    /// Print a message whole; reading makes a receipt and resolves nothing
    #[command(after_help = "Examples:\n  mailstop read k7f3m2qd\n  mailstop read k7f3m2qd --json")]
    Read(OneMessage),
    Reply(ReplyArgs),
    Resolve(ResolveArgs),
    /// Take back a message that you sent
    #[command(after_help = "Examples:\n  mailstop withdraw k7f3m2qd")]
    Withdraw(OneMessage),
    /// Print every message of a thread, by its id or that of a message in it
    #[command(after_help = "Examples:\n  mailstop thread k7f3m2qd")]
    Thread(OneMessage),
    /// Tell where a message is with each of its recipients
    #[command(after_help = "Examples:\n  mailstop status k7f3m2qd")]
    Status(OneMessage),
    Ask(AskArgs),
    Questions(QuestionsArgs),
    Answer(AnswerArgs),
    /// End a question that you asked, without an answer
    #[command(after_help = "\
Examples:
  id=$(mailstop ask --to user --question Merge? --json |
    sed -n 's/^  \"id\": \"\\(.*\\)\",/\\1/p')
  mailstop cancel $id")]
    Cancel(OneMessage),
    Deliver(DeliverArgs),
    Sessions(SessionsArgs),
    /// Tell the name of this session, or give it a new one
    #[command(after_help = "Examples:\n  mailstop name\n  mailstop name parser")]
    Name {
        /// The new name; the old one stays an alias
        new: Option<String>,
    },
    /// Let nothing wake an agent
    #[command(after_help = "Examples:\n  mailstop pause bob")]
    Pause(OneName),
    /// Let mail wake an agent again
    #[command(after_help = "Examples:\n  mailstop unpause bob")]
    Unpause(OneName),
    Log(LogArgs),
    Dead(DeadArgs),
    /// Print every setting, its value and where that comes from
    #[command(after_help = "Examples:\n  mailstop config\n  mailstop config --json")]
    Config,
    Migrate(MigrateArgs),
    Sweep(SweepArgs),
    Install(InstallArgs),
    Uninstall(UninstallArgs),
    Doctor(DoctorArgs),
    Man(ManArgs),
    Backup(BackupArgs),
    Restore(RestoreArgs),
    /// Print the completions for a shell
    #[command(after_help = "\
Examples:
  mailstop completions bash >>~/.bash_completion
  mkdir -p ~/.config/fish/completions
  mailstop completions fish >~/.config/fish/completions/mailstop.fish")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
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

/// The whole command line, for completions and manual pages.
pub(crate) fn command() -> clap::Command {
    Args::command()
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
    CliError::new(Class::Usage, words(message)).hint(hint)
}
