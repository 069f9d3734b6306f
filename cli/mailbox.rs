//! The mailbox as a verb uses it: opened, acted on in one transaction, and kept
//! quick for the hooks afterwards.

use std::path::{Path, PathBuf};

use mailstop_core::config::{self, Config};
use mailstop_core::delivery::{self, Actor, Retention};
use mailstop_core::hook;
use mailstop_core::message::{Client, Millis, Priority};
use mailstop_core::policy::Rules;
use mailstop_core::refusal::Refusal;
use mailstop_core::resolve::no_folder;
use mailstop_core::store::{self, Caller, Store, Work, keep};

use crate::courier;
use crate::error::CliError;
use mailstop_core::refusal::Class;

/// The person's settings.
pub(crate) fn config() -> Result<Config, CliError> {
    Config::load().map_err(|broken| {
        CliError::new(Class::Failed, broken.to_string())
            .hint("correct the file, or move it away; README lists the keys")
    })
}

/// An open mailbox with the person's settings.
pub(crate) struct Mailbox {
    store: Store,
    folder: PathBuf,
    config: Config,
    /// The time, read once.
    pub(crate) now: Millis,
}

impl Mailbox {
    /// Opens the mailbox to change it.
    pub(crate) fn open() -> Result<Mailbox, CliError> {
        Mailbox::with(|folder| Store::open(folder, Caller::Command))
    }

    /// Opens the mailbox to read it, also where it cannot be written.
    pub(crate) fn open_to_read() -> Result<Mailbox, CliError> {
        Mailbox::with(|folder| match Store::open(folder, Caller::Command) {
            Err(error) if error.is_read_only() => Store::open_read_only(folder),
            opened => opened,
        })
    }

    fn with(
        open: impl FnOnce(&Path) -> mailstop_core::store::Result<Store>,
    ) -> Result<Mailbox, CliError> {
        let folder = config::data_dir().ok_or_else(no_folder)?;
        Ok(Mailbox { store: open(&folder)?, folder, config: config()?, now: hook::now() })
    }

    /// Does one thing that changes the mailbox: all of it, or nothing.
    pub(crate) fn act<T>(
        mut self,
        act: impl FnOnce(&Work<'_>, &Actor, &Rules) -> Result<T, Refusal>,
    ) -> Result<T, CliError> {
        let rules = self.rules();
        let work = self.store.begin()?;
        delivery::note_clock(&work, self.now)?;
        delivery::end_due(&work, self.now)?;
        let actor = delivery::who(&work)?;
        let done = act(&work, &actor, &rules)?;
        work.commit()?;
        keep(&self.store, &self.folder)?;
        self.tidy();
        courier::finish(&mut self.store, &self.folder);
        Ok(done)
    }

    /// Writes down one small thing in the course of something longer.
    pub(crate) fn note<T>(
        &mut self,
        note: impl FnOnce(&Work<'_>) -> Result<T, Refusal>,
    ) -> Result<T, CliError> {
        let work = self.store.begin()?;
        let done = note(&work)?;
        work.commit()?;
        keep(&self.store, &self.folder)?;
        Ok(done)
    }

    /// Sweeps a little where a day has gone by. What was asked for is done by now, and a
    /// sweep that fails is tried again by the next command.
    fn tidy(&mut self) {
        let days = self.config.ttl_days;
        let swept = delivery::sweep_alongside(&mut self.store, days, self.now);
        if let Err(error) = swept {
            hook::note_error("sweep", &error.to_string());
        }
    }

    /// Looks after the store itself, in as many steps as it takes.
    pub(crate) fn tend<T>(
        mut self,
        tend: impl FnOnce(&mut Store, &Path) -> store::Result<T>,
    ) -> Result<T, CliError> {
        let done = tend(&mut self.store, &self.folder)?;
        keep(&self.store, &self.folder)?;
        Ok(done)
    }

    /// How long content is kept here; none is for ever.
    pub(crate) fn retention(&mut self) -> Result<Option<Retention>, CliError> {
        let work = self.store.read()?;
        Ok(Retention::of_days(&work, self.config.ttl_days, self.now)?)
    }

    /// A number that changes when anybody else has written the mailbox.
    pub(crate) fn version(&self) -> Result<i64, CliError> {
        Ok(self.store.data_version()?)
    }

    /// Looks at the mailbox.
    pub(crate) fn look<T>(
        &mut self,
        look: impl FnOnce(&Work<'_>, &Actor) -> Result<T, Refusal>,
    ) -> Result<T, CliError> {
        let work = self.store.read()?;
        let actor = delivery::who(&work)?;
        Ok(look(&work, &actor)?)
    }

    /// The block policy as this machine sees it. Only its priorities matter outside a hook.
    pub(crate) fn rules(&self) -> Rules {
        self.config.rules(Client::Claude)
    }

    /// The priorities that block until they are resolved.
    pub(crate) fn blocking(&self) -> Vec<Priority> {
        self.rules().block_until_resolved
    }
}
