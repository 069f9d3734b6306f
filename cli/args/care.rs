//! The verbs that care for the mailbox.

use std::path::PathBuf;

use clap::Args as ClapArgs;

/// Copy the mailbox into one file, while it is in use
///
/// The copy is checked before it takes its name. An existing file is not replaced.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop backup mail.db
  mailstop backup \"/media/disk/mail-$(date +%F).db\" --json")]
pub(crate) struct BackupArgs {
    /// The file to make
    pub(crate) file: PathBuf,
}

/// Put a backup in the place of the mailbox
///
/// Refused while others have the mailbox open. What is replaced is kept beside it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop restore mail.db --dry-run
  mailstop restore mail.db")]
pub(crate) struct RestoreArgs {
    /// A file that `mailstop backup` made
    pub(crate) file: PathBuf,

    /// Check the backup, tell what it would replace, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}
