//! Installing and uninstalling, told through the real executable.

mod bytes;
mod claude;
mod codex;
mod executables;
mod foreign;
mod generate;
mod links;
mod paths;
mod properties;
mod refused;
mod scopes;
#[path = "../support/scratch.rs"]
mod scratch;
mod script;
