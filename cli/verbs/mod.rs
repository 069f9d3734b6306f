//! One file a verb.

pub(crate) mod backup;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod dead;
pub(crate) mod doctor;
pub(crate) mod inbox;
pub(crate) mod install;
pub(crate) mod log;
pub(crate) mod man;
pub(crate) mod migrate;
pub(crate) mod name;
pub(crate) mod overview;
pub(crate) mod pause;
pub(crate) mod read;
pub(crate) mod reply;
pub(crate) mod resolve;
pub(crate) mod restore;
pub(crate) mod send;
pub(crate) mod sessions;
pub(crate) mod status;
pub(crate) mod sweep;
pub(crate) mod thread;
pub(crate) mod uninstall;
pub(crate) mod withdraw;
