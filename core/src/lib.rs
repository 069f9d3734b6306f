//! The mailbox, its policy and the use cases behind every Mailstop executable.

pub mod shell;
