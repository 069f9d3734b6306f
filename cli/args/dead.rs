//! The verb about what is not tried again by itself.

use clap::{Args as ClapArgs, Subcommand};

/// List what was given up, have it tried again, or put it aside
///
/// A delivery is given up after 10 offers in a row that nothing proved, or when its
/// recipient was forgotten. Its sender is told once.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop dead list
  mailstop dead retry --all --dry-run")]
pub(crate) struct DeadArgs {
    #[command(subcommand)]
    pub(crate) action: DeadAction,
}

/// What to do with what was given up.
#[derive(Debug, Subcommand)]
pub(crate) enum DeadAction {
    /// List what was given up, the oldest first
    #[command(after_help = "Examples:\n  mailstop dead list\n  mailstop dead list --json")]
    List,
    /// Have messages tried again where they were given up
    #[command(after_help = "\
Examples:
  mailstop dead retry k7f3m2qd
  mailstop dead retry --all --dry-run")]
    Retry {
        /// The message, or the beginning of its id
        #[arg(required_unless_present = "all")]
        id: Option<String>,

        /// Everything that was given up
        #[arg(long, conflicts_with = "id")]
        all: bool,

        /// Only tell what would be tried again
        #[arg(long, requires = "all")]
        dry_run: bool,
    },
    /// Put a message aside for good where it was given up
    #[command(after_help = "\
Examples:
  mailstop dead drop k7f3m2qd --dry-run
  mailstop dead drop k7f3m2qd")]
    Drop {
        /// The message, or the beginning of its id
        id: String,

        /// Only tell what would be put aside
        #[arg(long)]
        dry_run: bool,
    },
}
