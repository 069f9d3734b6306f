//! `mailstop uninstall`: takes the hooks out of the settings of the clients.

use std::path::{Path, PathBuf};

use mailstop_core::config;
use mailstop_core::resolve::no_folder;

use crate::args::{Place, Scope, UninstallArgs};
use crate::clients::change::{Action, Change, Memory, Part};
use crate::clients::{CLIENTS, Client, edit, report, sandbox};
use crate::error::CliError;
use crate::output::Printer;
use crate::paths::Surroundings;
use crate::settings::file::SettingsFile;
use crate::settings::record::Records;

/// Plans every change, then makes them. Needs neither a client nor our executables.
pub(crate) fn run(args: &UninstallArgs, printer: &mut Printer) -> Result<(), CliError> {
    let around = Surroundings::read()?;
    let data = config::data_dir().ok_or_else(no_folder)?;
    let records = Records::new(data.clone());
    let mut changes = Vec::new();
    for client in CLIENTS {
        if args
            .place
            .client
            .is_some_and(|choice| !client.is_chosen(choice))
        {
            continue;
        }
        let hooks = plan_hooks(client, &args.place, &around, &records)?;
        let sandbox = plan_sandbox(client, &hooks, &around, &records, &data)?;
        changes.push(hooks);
        changes.extend(sandbox);
    }
    for place in left_elsewhere(&changes, &around, &records) {
        let (client, path) = place;
        if let Some(change) = changes
            .iter_mut()
            .find(|change| change.client.word == client)
        {
            change.warnings.push(format!("hooks are still in {path}"));
        }
    }
    if !args.place.dry_run {
        changes
            .iter()
            .try_for_each(|change| change.apply(&records))?;
        // Two files may share a folder, so the folders go when both are gone.
        changes.iter().rev().for_each(Change::tidy);
    }
    report::print(&changes, &args.place, printer)
}

fn plan_hooks(
    client: &'static Client,
    place: &Place,
    around: &Surroundings,
    records: &Records,
) -> Result<Change, CliError> {
    let file = SettingsFile::read(&client.settings(around, place.scope)?)?;
    let old = records.of(file.target());
    let before = old.as_ref().and_then(|old| old.before.as_deref());
    let is_created = old.as_ref().is_some_and(|old| old.before.is_none());
    let (after, action) = match file.text() {
        None => (None, Action::NothingToRemove),
        Some(_)
            if old
                .as_ref()
                .is_some_and(|old| Some(&*old.after) == file.whole()) =>
        {
            (before.map(str::to_owned), Action::Restore)
        }
        Some(text) if text.trim().is_empty() => {
            (file.whole().map(str::to_owned), Action::NothingToRemove)
        }
        Some(text) => {
            let left = edit::remove(text, client, before).map_err(|why| file.refused(&why))?;
            let is_bare = is_created && edit::is_bare(&left);
            ((!is_bare).then(|| file.with_mark(&left)), Action::Remove)
        }
    };
    let action = match &after {
        after if after.as_deref() == file.whole() => Action::NothingToRemove,
        None => Action::Delete,
        Some(_) => action,
    };
    let memory = Memory::Forget {
        folders: old.map(|old| old.folders).unwrap_or_default(),
    };
    let (scope, part, warnings) = (place.scope, Part::Hooks, Vec::new());
    Ok(Change {
        client,
        scope,
        part,
        file,
        after,
        action,
        memory,
        warnings,
    })
}

/// The sandbox setting goes with the last hooks: another scope may still need it.
fn plan_sandbox(
    client: &'static Client,
    hooks: &Change,
    around: &Surroundings,
    records: &Records,
    data: &Path,
) -> Result<Option<Change>, CliError> {
    let Some(name) = client.sandbox_file else {
        return Ok(None);
    };
    let is_needed = [Scope::User, Scope::Project].into_iter().any(|scope| {
        let path = client.settings(around, scope);
        let other = path.and_then(|path| SettingsFile::read(&path));
        other.is_ok_and(|other| {
            other.target() != hooks.file.target() && edit::has_hooks(other.text())
        })
    });
    let Some(folder) = data.to_str().filter(|_| !is_needed) else {
        return Ok(None);
    };
    let file = SettingsFile::read(&client.in_folder(around, name)?)?;
    sandbox::plan_uninstall(client, file, folder, records).map(Some)
}

/// The files that have our hooks and are not among the changes: other scopes here, and
/// whatever else was installed from this mailbox, such as another `CLAUDE_CONFIG_DIR`.
fn left_elsewhere(
    changes: &[Change],
    around: &Surroundings,
    records: &Records,
) -> Vec<(String, String)> {
    let mut places: Vec<(String, PathBuf)> = records
        .all()
        .into_iter()
        .map(|record| (record.client, record.path))
        .collect();
    for change in changes {
        for scope in [Scope::User, Scope::Project, Scope::Local] {
            let path = change.client.settings(around, scope);
            places.extend(path.ok().map(|path| (change.client.word.to_owned(), path)));
        }
    }
    places.sort();
    places.dedup();
    places
        .into_iter()
        .filter_map(|(client, path)| {
            let file = SettingsFile::read(&path).ok()?;
            let is_done = changes
                .iter()
                .any(|change| change.file.target() == file.target());
            (!is_done && edit::has_hooks(file.text())).then(|| (client, path.display().to_string()))
        })
        .collect()
}
