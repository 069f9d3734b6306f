//! The verbs that set a machine up.

use clap::{Args as ClapArgs, ValueEnum};

/// Look for what is wrong, and say what to do about it
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop doctor
  mailstop doctor --demo")]
pub(crate) struct DoctorArgs {
    /// Show a message blocking a Stop and being resolved, in a scratch mailbox
    #[arg(long)]
    pub(crate) demo: bool,
}

/// Register the hooks in the settings of Claude Code and Codex
///
/// Without --client, the clients that are present on this machine.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop install --client all --dry-run
  mailstop install --client claude --scope project")]
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
#[command(after_help = "\
Examples:
  mailstop uninstall --dry-run
  mailstop uninstall --client codex")]
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
