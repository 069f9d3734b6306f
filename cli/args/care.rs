//! The verbs that care for the mailbox, and tell about Mailstop itself.

use std::path::PathBuf;

use clap::Args as ClapArgs;

/// Bring the mailbox up to date, or bring mail over from work-buddy
///
/// Alone it brings the schema up to date and classifies what has no disposition. With
/// --from it imports a work-buddy messages.db, which is only read; doing it again imports
/// what is new there.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop migrate --dry-run
  mailstop migrate --from messages.db")]
pub(crate) struct MigrateArgs {
    /// A work-buddy database, which may be in use
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,

    /// Tell what would be done, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Remove the content of old messages that are closed
///
/// What is older than ttl_days goes, unless it is pending and may block. Id, outcome and
/// times stay. It also runs by itself once a day.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop sweep --dry-run
  mailstop sweep")]
pub(crate) struct SweepArgs {
    /// Tell what would be removed, and remove nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Show the manual page of a verb, or of Mailstop as a whole
///
/// On a terminal through `man`; elsewhere the page is printed as `man` reads it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop man
  mailstop man sessions forget
  mailstop man --into ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The verb, such as `send` or `sessions forget`
    #[arg(value_name = "VERB", conflicts_with = "into")]
    pub(crate) verb: Vec<String>,

    /// Write every page into this folder instead
    #[arg(long, value_name = "FOLDER")]
    pub(crate) into: Option<PathBuf>,
}

/// Copy the mailbox into one file, while it is in use
///
/// The copy is checked before it takes its name. An existing file is not replaced.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop backup mail.db
  mailstop backup \"mail-$(date +%F).db\" --json")]
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
  mailstop backup mail.db
  mailstop restore mail.db --dry-run
  mailstop restore mail.db")]
pub(crate) struct RestoreArgs {
    /// A file that `mailstop backup` made
    pub(crate) file: PathBuf,

    /// Check the backup, tell what it would replace, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}
