//! The verbs that handle messages.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use mailstop_core::message::Outcome;

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

    /// How long it may wait, such as 30m, 2h or 3d; unhandled it expires then
    #[arg(long, value_name = "DURATION")]
    pub(crate) expires: Option<String>,
}

/// Send a message
///
/// Prints its id and where it is: queued, or sent to a running session.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop send --to bob --subject 'Review' --body 'See the parser.'
  mailstop send --to bob --body 'Hi' --wait-for seen --timeout 1 || true
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

    /// Wait until every recipient has come so far
    #[arg(long, value_enum, value_name = "OUTCOME")]
    pub(crate) wait_for: Option<Goal>,

    /// Wait no longer than so many seconds
    #[arg(long, value_name = "SECONDS", requires = "wait_for")]
    pub(crate) timeout: Option<u64>,
}

/// How far a message is to come before its sender goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Goal {
    /// The model has got it
    Seen,
    /// It is closed
    Resolved,
}

impl Goal {
    /// The word on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Goal::Seen => "seen",
            Goal::Resolved => "resolved",
        }
    }

    /// Whether an outcome is that far.
    pub(crate) fn is_reached(self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Resolved => true,
            Outcome::Seen | Outcome::Blocking | Outcome::Stalled => self == Goal::Seen,
            Outcome::Queued
            | Outcome::Deferred
            | Outcome::Sent
            | Outcome::Offered
            | Outcome::Withdrawn
            | Outcome::Dead
            | Outcome::Expired => false,
        }
    }
}

/// Answer a message, in its thread, to its sender
///
/// An answer to a question is actionable, any other an acknowledgement, unless you
/// declare it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
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
#[command(after_help = "\
Examples:
  mailstop resolve k7f3m2qd --note 'Fixed on main.'
  mailstop resolve k7f3m2qd p4x9s2hc")]
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
