//! The verbs that care for the mailbox, and tell about Mailstop itself.

use std::path::PathBuf;

use clap::Args as ClapArgs;

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
