//! Careful edits of files that belong to somebody else. Nothing here knows a client.

mod comments;
pub(crate) mod diff;
pub(crate) mod file;
pub(crate) mod json;
mod layout;
pub(crate) mod record;
pub(crate) mod splice;
pub(crate) mod toml;
mod toml_list;
