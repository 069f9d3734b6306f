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
        if args.place.client.is_some_and(|choice| !client.is_chosen(choice)) {
            continue;
        }
        let hooks = plan_hooks(client, &args.place, &around, &records)?;
        let sandbox = plan_sandbox(client, &hooks, &around, &records, &data)?;
        changes.push(hooks);
        changes.extend(sandbox);
    }
    warn_of_the_rest(&mut changes, &around, &records);
    if !args.place.dry_run {
        changes.iter().try_for_each(|change| change.apply(&records))?;
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
        Some(_) if old.as_ref().is_some_and(|old| Some(&*old.after) == file.whole()) => {
            (before.map(str::to_owned), Action::Restore)
        }
        Some(text) if text.trim().is_empty() => {
            (file.whole().map(str::to_owned), Action::NothingToRemove)
        }
        Some(text) => match edit::remove(text, client, before) {
            Ok(left) => {
                let is_bare = is_created && edit::is_bare(&left);
                ((!is_bare).then(|| file.with_mark(&left)), Action::Remove)
            }
            // A broken file that never was ours is no reason to keep the others.
            Err(_) if !edit::names_us(text) => {
                (file.whole().map(str::to_owned), Action::NothingToRemove)
            }
            Err(reason) => return Err(file.refused(&reason)),
        },
    };
    let action = match &after {
        after if after.as_deref() == file.whole() => Action::NothingToRemove,
        None => Action::Delete,
        Some(_) => action,
    };
    let memory = Memory::Forget { folders: old.map(|old| old.folders).unwrap_or_default() };
    let (scope, part, warnings) = (place.scope, Part::Hooks, Vec::new());
    Ok(Change { client, scope, part, file, after, action, memory, warnings })
}

/// The sandbox setting goes with the last hooks: another scope or repository may still
/// need it.
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
    let mut others = with_hooks(client, around, records);
    let is_needed = others.any(|other| other.target() != hooks.file.target());
    let Some(folder) = data.to_str().filter(|_| !is_needed) else {
        return Ok(None);
    };
    let file = SettingsFile::read(&client.in_folder(around, name)?)?;
    sandbox::plan_uninstall(client, file, folder, records).map(Some)
}

/// Names the files of these clients that keep our hooks.
fn warn_of_the_rest(changes: &mut [Change], around: &Surroundings, records: &Records) {
    let done: Vec<PathBuf> = changes.iter().map(|change| change.file.target().to_owned()).collect();
    for change in changes.iter_mut().filter(|change| change.part == Part::Hooks) {
        let left = with_hooks(change.client, around, records)
            .filter(|file| !done.iter().any(|target| target == file.target()))
            .map(|file| format!("hooks are still in {}", file.path.display()));
        change.warnings.extend(left);
    }
}

/// The files of a client that have our hooks: every scope here, and whatever else was
/// installed from this mailbox, such as another repository or `CLAUDE_CONFIG_DIR`.
fn with_hooks(
    client: &'static Client,
    around: &Surroundings,
    records: &Records,
) -> impl Iterator<Item = SettingsFile> {
    let recorded = records.all().into_iter();
    let mut places: Vec<PathBuf> =
        recorded.filter(|record| record.client == client.word).map(|record| record.path).collect();
    let here = [Scope::User, Scope::Project, Scope::Local];
    places.extend(here.into_iter().filter_map(|scope| client.settings(around, scope).ok()));
    places.sort();
    places.dedup();
    places
        .into_iter()
        .filter_map(|path| SettingsFile::read(&path).ok())
        .filter(|file| edit::has_hooks(file.text()))
}
