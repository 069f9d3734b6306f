//! Codex runs the agent's commands in a sandbox where the data folder cannot be written,
//! so `resolve` fails there. One more writable folder in its settings mends that.

use super::Client;
use super::change::{Action, Change, Memory, Part};
use crate::args::Scope;
use crate::error::CliError;
use crate::settings::file::{SettingsFile, without_mark};
use crate::settings::record::Records;
use crate::settings::toml;

const TABLE: &str = "sandbox_workspace_write";
const KEY: &str = "writable_roots";

/// Whether the hooks were in place before this command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hooks {
    New,
    Known,
}

/// Plans to let the agent's commands write the data folder.
pub(crate) fn plan_install(
    client: &'static Client,
    file: SettingsFile,
    folder: &str,
    hooks: Hooks,
    records: &Records,
) -> Result<Change, CliError> {
    let text = file.text().unwrap_or_default();
    let old = records.of(file.target());
    let is_there = toml::has(text, TABLE, KEY, folder);
    let edited = toml::add(text, TABLE, KEY, folder).map_err(|reason| {
        file.refused(&reason).hint("repair the file, or pass --no-sandbox to leave it out")
    })?;
    let after =
        if is_there { file.whole().map(str::to_owned) } else { Some(file.with_mark(&edited)) };
    let unchanged_since = old.filter(|old| Some(&*old.after) == file.whole());
    let memory = match unchanged_since {
        Some(_) if is_there => Memory::Keep,
        Some(old) => Memory::Original { text: old.before, folders: old.folders },
        // A folder that the user had listed before us is the user's, and stays.
        None if is_there && hooks == Hooks::Known => Memory::Keep,
        None => Memory::Original { text: file.whole().map(str::to_owned), folders: Vec::new() },
    };
    let action = if is_there { Action::AlreadyInstalled } else { Action::Install };
    Ok(Change {
        client,
        scope: Scope::User,
        part: Part::Sandbox,
        file,
        after,
        action,
        memory,
        warnings: Vec::new(),
    })
}

/// Plans to take the data folder out again.
pub(crate) fn plan_uninstall(
    client: &'static Client,
    file: SettingsFile,
    folder: &str,
    records: &Records,
) -> Result<Change, CliError> {
    let old = records.of(file.target());
    let before = old.as_ref().and_then(|old| old.before.as_deref());
    let folders = old.as_ref().map(|old| old.folders.clone()).unwrap_or_default();
    let is_created = old.as_ref().is_some_and(|old| old.before.is_none());
    let (after, action) = match file.text() {
        None => (None, Action::NothingToRemove),
        Some(_) if old.as_ref().is_some_and(|old| Some(&*old.after) == file.whole()) => {
            (before.map(str::to_owned), Action::Restore)
        }
        Some(text)
            if before.is_some_and(|before| toml::has(without_mark(before), TABLE, KEY, folder)) =>
        {
            (Some(file.with_mark(text)), Action::NothingToRemove)
        }
        Some(text) => match toml::remove(text, TABLE, KEY, folder, before.map(without_mark)) {
            Ok(left) => {
                let bare = is_created && left.trim().is_empty();
                ((!bare).then(|| file.with_mark(&left)), Action::Remove)
            }
            // A broken file without such a list is no reason to keep the hooks.
            Err(_) if !text.contains(KEY) => (Some(file.with_mark(text)), Action::NothingToRemove),
            Err(reason) => return Err(file.refused(&reason)),
        },
    };
    let action = match &after {
        after if after.as_deref() == file.whole() => Action::NothingToRemove,
        None => Action::Delete,
        Some(_) => action,
    };
    let memory = Memory::Forget { folders };
    let warnings = Vec::new();
    Ok(Change {
        client,
        scope: Scope::User,
        part: Part::Sandbox,
        file,
        after,
        action,
        memory,
        warnings,
    })
}
