//! The verbs about agents and what they did.

use clap::{Args as ClapArgs, Subcommand};

/// One agent.
#[derive(Debug, ClapArgs)]
pub(crate) struct OneName {
    /// The agent; this session's own when left out
    pub(crate) name: Option<String>,
}

/// List sessions: who they are, what they do, what waits for them
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop sessions
  mailstop sessions --all --json")]
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
    /// Remove a session that is not running
    ///
    /// Mail to its name stays for whoever has the name next. Unread mail to the session
    /// itself is dead, and `mailstop dead` lists it.
    #[command(after_help = "Examples:\n  mailstop sessions forget amy")]
    Forget {
        /// Its name or id
        session: String,
    },
}

/// Print what happened to which message, without any text of it
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop log --limit 10
  mailstop log --json")]
pub(crate) struct LogArgs {
    /// Go on printing what happens
    #[arg(long)]
    pub(crate) follow: bool,

    /// At most so many lines of the past
    #[arg(long, default_value_t = 50)]
    pub(crate) limit: usize,
}
