//! What the environment decides: where the mailbox and the settings are, and who a
//! session is.

use std::env;
use std::path::PathBuf;

/// Where a value is from that no variable decided.
const DEFAULT: &str = "default";

/// The variables that a person may set: the name, and what it means.
pub const VARIABLES: &[(&str, &str)] = &[
    ("MAILSTOP_HOME", "the folder of the mailbox"),
    ("MAILSTOP_CONFIG", "the file with the settings"),
    ("MAILSTOP_NAME", "the name of the agent in a client that is started with it"),
    ("MAILSTOP_PARENT", "the agent or session that hears how the turns of a session end"),
    ("MAILSTOP", "off turns the hooks off"),
    ("MAILSTOP_COURIER", "off starts no courier; `mailstop deliver` does what is left then"),
];

/// What one of [`VARIABLES`] comes to here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The variable.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// The value that counts; none when there is none.
    pub value: Option<String>,
    /// The variable that decided it, or `default`.
    pub from: &'static str,
}

/// What each of [`VARIABLES`] comes to here, in their order.
#[must_use]
pub fn environment() -> Vec<Chosen> {
    VARIABLES.iter().map(|(name, meaning)| chosen(name, meaning)).collect()
}

fn chosen(name: &'static str, meaning: &'static str) -> Chosen {
    let shown = |(path, from): (PathBuf, _)| (path.display().to_string(), from);
    let found = match name {
        "MAILSTOP_HOME" => data().map(shown),
        "MAILSTOP_CONFIG" => settings().map(shown),
        _ => variable(name).map(|value| (value, name)),
    };
    let (value, from) = found.map_or((None, DEFAULT), |(value, from)| (Some(value), from));
    Chosen { name, meaning, value, from }
}

/// An environment variable that is set to something.
#[must_use]
pub fn variable(name: &str) -> Option<String> {
    let text = env::var_os(name)?.to_string_lossy().trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// Whether `MAILSTOP=off` turns the hooks off.
#[must_use]
pub fn is_off() -> bool {
    variable("MAILSTOP").is_some_and(|value| value.eq_ignore_ascii_case("off"))
}

/// Whether `MAILSTOP_COURIER=off` keeps commands from starting a courier.
#[must_use]
pub fn courier_is_off() -> bool {
    variable("MAILSTOP_COURIER").is_some_and(|value| value.eq_ignore_ascii_case("off"))
}

fn home() -> Option<PathBuf> {
    variable("HOME").map(PathBuf::from)
}

/// A folder of the platform, and what decided it.
fn platform_folder(xdg: &'static str, linux: &str, mac: &str) -> Option<(PathBuf, &'static str)> {
    let in_home = |folder| home().map(|home| (home.join(folder), DEFAULT));
    if cfg!(target_os = "macos") {
        return in_home(mac);
    }
    // The XDG specification says that a relative path is to be ignored.
    let set = variable(xdg).map(PathBuf::from).filter(|path| path.is_absolute());
    set.map(|folder| (folder, xdg)).or_else(|| in_home(linux))
}

fn data() -> Option<(PathBuf, &'static str)> {
    let name = "MAILSTOP_HOME";
    if let Some(folder) = variable(name) {
        let folder = std::path::absolute(&folder).unwrap_or_else(|_| PathBuf::from(folder));
        return Some((folder, name));
    }
    platform_folder("XDG_DATA_HOME", ".local/share", "Library/Application Support")
        .map(|(folder, from)| (folder.join("mailstop"), from))
}

fn settings() -> Option<(PathBuf, &'static str)> {
    let name = "MAILSTOP_CONFIG";
    if let Some(file) = variable(name) {
        return Some((PathBuf::from(file), name));
    }
    platform_folder("XDG_CONFIG_HOME", ".config", "Library/Application Support")
        .map(|(folder, from)| (folder.join("mailstop").join("config.toml"), from))
}

/// The folder of the mailbox: `MAILSTOP_HOME`, else the platform's data folder.
/// None when neither that nor `HOME` is set.
#[must_use]
pub fn data_dir() -> Option<PathBuf> {
    data().map(|(folder, _)| folder)
}

/// The configuration file: `MAILSTOP_CONFIG`, else in the platform's config folder.
#[must_use]
pub fn config_file() -> Option<PathBuf> {
    settings().map(|(file, _)| file)
}

/// The folder that this executable was started from, by the path it was started
/// with where that is a full one: a stable link survives an upgrade.
#[must_use]
pub fn executable_folder() -> PathBuf {
    let started = env::args_os().next().map(PathBuf::from);
    let stable = started.filter(|path| path.is_absolute() && path.is_file());
    let path = stable.or_else(|| env::current_exe().ok()).unwrap_or_default();
    path.parent().map(PathBuf::from).unwrap_or_default()
}

/// The session that the client of this shell says it is in. Codex comes first: its
/// sandbox hides the processes that would tell which client is the inner one.
#[must_use]
pub fn session_variable() -> Option<String> {
    let names = ["CODEX_THREAD_ID", "CLAUDE_CODE_SESSION_ID", "MAILSTOP_SESSION"];
    names.into_iter().find_map(variable)
}

/// The name that a session's starter wants it to have.
#[must_use]
pub fn asked_name() -> Option<String> {
    variable("MAILSTOP_NAME")
}
