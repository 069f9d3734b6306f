//! The command line: definitions only.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args as ClapArgs, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::error::CliError;
use crate::output::Printer;
use mailstop_core::refusal::Class;

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
    Send(SendArgs),
    Inbox(InboxArgs),
    /// Print a message whole; reading makes a receipt and resolves nothing
    Read(OneMessage),
    Reply(ReplyArgs),
    Resolve(ResolveArgs),
    /// Take back a message that you sent
    Withdraw(OneMessage),
    /// Print every message of a thread, by its id or that of a message in it
    Thread(OneMessage),
    /// Tell where a message is with each of its recipients
    Status(OneMessage),
    Sessions(SessionsArgs),
    /// Tell the name of this session, or give it a new one
    Name {
        /// The new name; the old one stays an alias
        new: Option<String>,
    },
    /// Let nothing wake an agent
    Pause(OneName),
    /// Let mail wake an agent again
    Unpause(OneName),
    Log(LogArgs),
    /// Print every setting, its value and where that comes from
    Config,
    Install(InstallArgs),
    Uninstall(UninstallArgs),
    Doctor(DoctorArgs),
    /// Print the completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// A text given as an argument, from a file, or on standard input.
#[derive(Debug, ClapArgs)]
pub(crate) struct Body {
    /// The text itself; it may begin with a dash
    #[arg(long, allow_hyphen_values = true, value_name = "TEXT", group = "text")]
    pub(crate) body: Option<String>,

    /// A file with the text, taken byte for byte
    #[arg(long, value_name = "FILE", group = "text")]
    pub(crate) body_file: Option<PathBuf>,

    /// `-` takes the text from standard input, byte for byte
    #[arg(value_name = "-", value_parser = ["-"], hide_possible_values = true, group = "text", allow_hyphen_values = true)]
    pub(crate) stdin: Option<String>,
}

/// What a message says of itself.
#[derive(Debug, ClapArgs)]
pub(crate) struct Traits {
    /// Whom it speaks for; inside an agent's shell only that agent
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) from: Option<String>,

    /// What it is about, in a line
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) subject: Option<String>,

    /// message, question, answer, notice, resume, or a word of yours
    #[arg(long, default_value = "message")]
    pub(crate) kind: String,

    /// low, normal, high or urgent: high and urgent block until resolved
    #[arg(long, default_value = "normal")]
    pub(crate) priority: String,

    /// actionable or acknowledgement; classified when left out
    #[arg(long)]
    pub(crate) disposition: Option<String>,

    /// auto, steer, queue or start: how it reaches a busy recipient
    #[arg(long, default_value = "auto")]
    pub(crate) mode: String,

    /// A tag; may be given again
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,

    /// `resolved` stores it closed, as information
    #[arg(long)]
    pub(crate) status: Option<String>,

    /// A mark of yours, kept with the message
    #[arg(long)]
    pub(crate) correlation: Option<String>,
}

/// Send a message
///
/// Prints its id and where it is: queued, or sent to a running session.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop send --to bob --subject 'Review' --body 'Please look at the parser.'
  mailstop send --to project/./app --priority high - <<'EOF'
  Anything, `quoted` $as it is.
  EOF")]
pub(crate) struct SendArgs {
    /// agent/NAME, session/ID, project/FOLDER, user, or an agent's bare name
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) to: String,

    #[command(flatten)]
    pub(crate) traits: Traits,

    #[command(flatten)]
    pub(crate) text: Body,

    /// The thread it continues
    #[arg(long)]
    pub(crate) thread: Option<String>,

    /// The message it answers
    #[arg(long, value_name = "ID")]
    pub(crate) reply_to: Option<String>,

    /// Store it although nobody ever had that address
    #[arg(long)]
    pub(crate) allow_unknown: bool,
}

/// Answer a message, in its thread, to its sender
///
/// An answer to a question is actionable, any other an acknowledgement, unless you
/// declare it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  mailstop reply k7f3m2qd - <<'EOF'
  Done, see the branch.
  EOF")]
pub(crate) struct ReplyArgs {
    /// The message, or the beginning of its id
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) traits: Traits,

    #[command(flatten)]
    pub(crate) text: Body,
}

/// List mail; listing changes nothing
///
/// Inside an agent's shell its own mail, elsewhere everybody's.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop inbox --unread
  mailstop inbox --for bob --blocking --json")]
pub(crate) struct InboxArgs {
    /// Only the mail of this address
    #[arg(long = "for", value_name = "ADDRESS")]
    pub(crate) whose: Option<String>,

    /// Only what was not shown yet
    #[arg(long)]
    pub(crate) unread: bool,

    /// Only what holds a Stop
    #[arg(long)]
    pub(crate) blocking: bool,

    /// Only this priority
    #[arg(long)]
    pub(crate) priority: Option<String>,

    /// Only this disposition
    #[arg(long)]
    pub(crate) disposition: Option<String>,

    /// Only from this address
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) sender: Option<String>,

    /// At most so many
    #[arg(long, default_value_t = 50)]
    pub(crate) limit: usize,

    /// Closed messages too
    #[arg(long)]
    pub(crate) all: bool,
}

/// Close messages, so that they block a Stop no longer
#[derive(Debug, ClapArgs)]
pub(crate) struct ResolveArgs {
    /// The messages, or the beginnings of their ids
    #[arg(value_name = "ID", required_unless_present = "named")]
    pub(crate) ids: Vec<String>,

    /// A message, as the `resolve` executable takes it
    #[arg(long = "id", value_name = "ID")]
    pub(crate) named: Vec<String>,

    /// What to say of it
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) note: Option<String>,

    /// Only `resolved`
    #[arg(long, value_parser = ["resolved"])]
    pub(crate) status: Option<String>,
}

/// One message.
#[derive(Debug, ClapArgs)]
pub(crate) struct OneMessage {
    /// The message, or the beginning of its id
    pub(crate) id: String,
}

/// One agent.
#[derive(Debug, ClapArgs)]
pub(crate) struct OneName {
    /// The agent; this session's own when left out
    pub(crate) name: Option<String>,
}

/// List sessions: who they are, what they do, what waits for them
#[derive(Debug, ClapArgs)]
pub(crate) struct SessionsArgs {
    #[command(subcommand)]
    pub(crate) action: Option<SessionsAction>,

    /// Ended sessions too
    #[arg(long)]
    pub(crate) all: bool,
}

/// What to do with a session.
#[derive(Debug, Subcommand)]
pub(crate) enum SessionsAction {
    /// Remove a session that is not running; its mail stays
    Forget {
        /// Its name or id
        session: String,
    },
}

/// Print what happened to which message, without any text of it
#[derive(Debug, ClapArgs)]
pub(crate) struct LogArgs {
    /// Go on printing what happens
    #[arg(long)]
    pub(crate) follow: bool,

    /// At most so many lines of the past
    #[arg(long, default_value_t = 50)]
    pub(crate) limit: usize,
}

/// Look for what is wrong, and say what to do about it
#[derive(Debug, ClapArgs)]
pub(crate) struct DoctorArgs {
    /// Show a message blocking a Stop and being resolved, in a scratch mailbox
    #[arg(long)]
    pub(crate) demo: bool,
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

/// The whole command line, for completions.
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
