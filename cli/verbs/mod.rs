//! One file a verb.

pub(crate) mod install;
pub(crate) mod uninstall;
