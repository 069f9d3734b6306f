//! `mailstop install`: registers the hooks in the settings of the clients.

use std::path::PathBuf;

use mailstop_core::config;
use mailstop_core::resolve::no_folder;

use crate::args::{InstallArgs, Place, Scope};
use crate::clients::change::{Action, Change, Memory, Part};
use crate::clients::executables::Executables;
use crate::clients::sandbox::{self, Hooks};
use crate::clients::{CLIENTS, Client, edit, report, warnings};
use crate::error::CliError;
use crate::output::Printer;
use crate::paths::Surroundings;
use crate::settings::file::SettingsFile;
use crate::settings::record::Records;
use mailstop_core::refusal::Class;

/// Plans every change, then makes them, then says what to do next.
pub(crate) fn run(args: &InstallArgs, printer: &mut Printer) -> Result<(), CliError> {
    let around = Surroundings::read()?;
    let clients = chosen(&args.place, &around)?;
    let data = config::data_dir().ok_or_else(no_folder)?;
    let installer = Installer {
        executables: Executables::find(&around)?,
        records: Records::new(data.clone()),
        data,
        around,
        args,
    };
    let mut changes = Vec::new();
    for client in clients {
        let hooks = installer.plan_hooks(client)?;
        let sandbox = installer.plan_sandbox(client, &hooks)?;
        changes.push(hooks);
        changes.extend(sandbox);
    }
    if !args.place.dry_run {
        changes.iter().try_for_each(|change| change.apply(&installer.records))?;
    }
    report::print(&changes, &args.place, printer)
}

/// The clients that are meant: the named ones, else those on this machine.
fn chosen(place: &Place, around: &Surroundings) -> Result<Vec<&'static Client>, CliError> {
    let is_meant = |client: &&Client| match place.client {
        Some(choice) => client.is_chosen(choice),
        None => client.is_present(around),
    };
    let clients: Vec<_> = CLIENTS.into_iter().filter(is_meant).collect();
    if clients.is_empty() {
        return Err(CliError::new(Class::NotFound, "neither Claude Code nor Codex was found")
            .hint("name the client: mailstop install --client claude|codex|all"));
    }
    Ok(clients)
}

struct Installer<'a> {
    around: Surroundings,
    executables: Executables,
    records: Records,
    data: PathBuf,
    args: &'a InstallArgs,
}

impl Installer<'_> {
    fn plan_hooks(&self, client: &'static Client) -> Result<Change, CliError> {
        let scope = self.args.place.scope;
        let file = SettingsFile::read(&client.settings(&self.around, scope)?)?;
        let had_hooks = edit::has_hooks(file.text());
        let mut warnings = Vec::new();
        if let Some((other, wide)) = self.other_file(client, &file) {
            let other_scope = wide.word();
            if wide > scope && !had_hooks && !self.args.force {
                let after = file.whole().map(str::to_owned);
                warnings.push(format!(
                    "{other} has the hooks already ({other_scope} scope), and twice they would run \
                     twice; update those: mailstop install --client {} --scope {other_scope}; \
                     or write these too: --force",
                    client.word
                ));
                let (action, memory) = (Action::Skip, Memory::Keep);
                return Ok(Change {
                    client,
                    scope,
                    part: Part::Hooks,
                    file,
                    after,
                    action,
                    memory,
                    warnings,
                });
            }
            warnings.push(format!(
                "{other} has the hooks too ({other_scope} scope), so they run twice; remove one: \
                 mailstop uninstall --client {} --scope {other_scope}",
                client.word
            ));
        }
        let edited = edit::put(file.text(), client, &self.executables)
            .map_err(|reason| file.refused(&reason))?;
        let after = file.with_mark(&edited);
        warnings.extend(warnings::about(client, &file.path, &edited, &self.data));
        let is_same = file.whole() == Some(&*after);
        let memory = if is_same { Memory::Keep } else { self.memory(client, &file, had_hooks)? };
        let action = match (is_same, had_hooks) {
            (true, _) => Action::AlreadyInstalled,
            (false, true) => Action::Update,
            (false, false) => Action::Install,
        };
        let after = Some(after);
        Ok(Change { client, scope, part: Part::Hooks, file, after, action, memory, warnings })
    }

    /// What uninstalling is to give back: the bytes from before our first edit, or, where
    /// somebody edited the file since, its present text without our entries.
    fn memory(
        &self,
        client: &Client,
        file: &SettingsFile,
        had_hooks: bool,
    ) -> Result<Memory, CliError> {
        let old = self.records.of(file.target());
        let unchanged_since = old.as_ref().filter(|old| Some(&*old.after) == file.whole());
        if let Some(old) = unchanged_since {
            return Ok(Memory::Original { text: old.before.clone(), folders: old.folders.clone() });
        }
        let text = match file.text() {
            Some(text) if had_hooks => {
                let before = old.as_ref().and_then(|old| old.before.as_deref());
                let left =
                    edit::remove(text, client, before).map_err(|reason| file.refused(&reason))?;
                let is_ours = old.is_some_and(|old| old.before.is_none()) && edit::is_bare(&left);
                (!is_ours).then(|| file.with_mark(&left))
            }
            _ => file.whole().map(str::to_owned),
        };
        Ok(Memory::Original { text, folders: Vec::new() })
    }

    /// The widest other scope whose file has our hooks.
    fn other_file(&self, client: &Client, file: &SettingsFile) -> Option<(String, Scope)> {
        [Scope::User, Scope::Project, Scope::Local].into_iter().find_map(|scope| {
            let path = client.settings(&self.around, scope).ok()?;
            // What cannot be read there is that scope's trouble.
            let other = SettingsFile::read(&path).ok()?;
            let is_other = other.target() != file.target();
            (is_other && edit::has_hooks(other.text())).then(|| (path.display().to_string(), scope))
        })
    }

    fn plan_sandbox(
        &self,
        client: &'static Client,
        hooks: &Change,
    ) -> Result<Option<Change>, CliError> {
        let Some(name) = client.sandbox_file.filter(|_| !self.args.no_sandbox) else {
            return Ok(None);
        };
        let file = SettingsFile::read(&client.in_folder(&self.around, name)?)?;
        let folder = self.data.to_str().ok_or_else(|| {
            CliError::failed(format!("the data folder {} is not UTF-8", self.data.display()))
                .hint("set MAILSTOP_HOME to another folder, or pass --no-sandbox")
        })?;
        let known = if edit::has_hooks(hooks.file.text()) { Hooks::Known } else { Hooks::New };
        sandbox::plan_install(client, file, folder, known, &self.records).map(Some)
    }
}
