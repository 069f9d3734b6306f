//! The mailbox, its policy and the use cases behind every Mailstop executable.
//!
//! Arrows point down only: `hook` reads an event with `protocol` and hands it to
//! `delivery`, which asks `store`, `policy` and `render`. Those three know nothing
//! of each other but the domain's words in `message`.

pub mod clock;
pub mod config;
pub mod delivery;
pub mod hook;
pub mod import;
pub mod message;
pub mod outcome;
pub mod policy;
pub mod process;
pub mod project;
pub mod protocol;
pub mod question;
pub mod refusal;
pub mod render;
pub mod resolve;
pub mod retention;
pub mod session_file;
pub mod shell;
pub mod store;
pub mod text;
pub mod transcript;
