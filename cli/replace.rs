//! Another mailbox in the place of this one. Whenever the process dies, the old one is
//! there or the new one, and nothing that was there is lost.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use mailstop_core::message::Millis;
use mailstop_core::process;
use mailstop_core::refusal::Refusal;
use mailstop_core::store::{self, Contents, Live, Saved, Sole};

use crate::copies::Draft;
use crate::error::CliError;
use crate::output::Printer;
use crate::progress::Progress;

/// How long others may take to be gone from a mailbox that cannot be locked.
const PATIENCE: Duration = Duration::from_secs(2);
const PACE: Duration = Duration::from_millis(20);

/// The one replacement at work in a folder.
#[derive(Debug)]
pub(crate) struct Replacing {
    folder: PathBuf,
    /// The folder, locked: two at once could set each other's mailbox aside.
    _lock: File,
    draft: Draft,
    now: Millis,
}

/// What became of the copy of the old mailbox.
enum Copied {
    /// There was nothing to copy yet.
    Nothing,
    /// It is kept there.
    To(PathBuf),
    /// The mailbox cannot be read.
    Unreadable,
}

impl Replacing {
    /// Begins one, in a folder that it makes if there is none.
    pub(crate) fn begin(folder: &Path, now: Millis) -> Result<Replacing, CliError> {
        let failed = |error| CliError::io("use", folder.display(), &error);
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
        let lock = File::open(folder).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(in_use("another restore is at work in this mailbox").into());
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let draft = Draft::in_folder(folder)?;
        Ok(Replacing { folder: folder.to_owned(), _lock: lock, draft, now })
    }

    /// Makes the new mailbox beside the old one, from a backup.
    pub(crate) fn prepare(&self, saved: &mut Saved, printer: &Printer) -> store::Result<Contents> {
        let bar = Progress::new("copying", 0, printer);
        saved.prepare(self.draft.path(), &mut bar.watch())
    }

    /// Puts it in the place of the old one, and tells where that is kept.
    pub(crate) fn replace(self, printer: &Printer) -> Result<Option<PathBuf>, CliError> {
        match Sole::take(&self.folder)? {
            Live::InUse => Err(self.refused().into()),
            Live::Missing => self.place().map(|()| None),
            Live::Unusable(_) => self.set_aside(),
            Live::Sole(sole) => self.overwrite(sole, printer),
        }
    }

    /// The file of a mailbox that works stays in its place, whatever waits for it.
    fn overwrite(self, mut sole: Sole, printer: &Printer) -> Result<Option<PathBuf>, CliError> {
        let kept = match self.keep_copy(&sole, printer)? {
            Copied::Nothing => None,
            Copied::To(kept) => Some(kept),
            Copied::Unreadable => return self.set_aside(),
        };
        let bar = Progress::new("restoring", 0, printer);
        sole.replace_with(self.draft.path(), &mut bar.watch())?;
        Ok(kept)
    }

    fn keep_copy(&self, sole: &Sole, printer: &Printer) -> Result<Copied, CliError> {
        if !sole.is_made()? {
            return Ok(Copied::Nothing);
        }
        let kept = self.folder.join(self.name_aside()?);
        let draft = Draft::in_folder(&self.folder)?;
        let bar = Progress::new("keeping what is there", 0, printer);
        match sole.copy_to(draft.path(), &mut bar.watch()) {
            Err(error) if store::is_unusable(&error) => return Ok(Copied::Unreadable),
            copied => copied?,
        }
        draft.keep_as(&kept).map_err(|error| CliError::io("make", kept.display(), &error))?;
        Ok(Copied::To(kept))
    }

    /// No database any more, so there is nothing to copy: its files are kept.
    fn set_aside(self) -> Result<Option<PathBuf>, CliError> {
        if !self.is_left_alone() {
            return Err(self.refused().into());
        }
        let name = self.name_aside()?;
        store::set_aside(&self.folder, &name)?;
        let kept = self.folder.join(name);
        self.place()?;
        Ok(kept.exists().then_some(kept))
    }

    /// Hooks that pass by are waited for, as they are where SQLite has the lock.
    fn is_left_alone(&self) -> bool {
        let deadline = Instant::now() + PATIENCE;
        while !users(&self.folder).is_empty() {
            if Instant::now() >= deadline {
                return false;
            }
            sleep(PACE);
        }
        true
    }

    /// The draft becomes the mailbox where there is none.
    fn place(self) -> Result<(), CliError> {
        let file = store::file_in(&self.folder);
        self.draft.keep_as(&file).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                in_use(format!("{} was made by another process just now", file.display())).into()
            }
            _ => CliError::io("make", file.display(), &error),
        })
    }

    /// A name that no file has, nor any file beside it.
    fn name_aside(&self) -> Result<String, CliError> {
        let time = Timestamp::from_millisecond(self.now).unwrap_or_default();
        let time = time.strftime("%Y%m%dT%H%M%SZ");
        let is_free = |name: &String| {
            let sides = ["", "-wal", "-shm"].map(|side| format!("{name}{side}"));
            sides.iter().all(|side| fs::symlink_metadata(self.folder.join(side)).is_err())
        };
        let first = format!("mailstop.db.replaced-{time}");
        let more = (2..100).map(|number| format!("{first}-{number}"));
        let mut names = std::iter::once(first.clone()).chain(more);
        names.find(is_free).ok_or_else(|| {
            CliError::failed(format!("{} is full of replaced mailboxes", self.folder.display()))
                .hint("remove those that you need no longer")
        })
    }

    fn refused(&self) -> Refusal {
        match users(&self.folder) {
            known if known.is_empty() => in_use("the mailbox is in use by another process"),
            known => in_use(format!("the mailbox is in use by {}", named(&known))),
        }
    }
}

/// Who else has the mailbox of a folder open, as far as the system tells.
pub(crate) fn users(folder: &Path) -> Vec<(u32, String)> {
    process::users_of(&store::files_in(folder))
}

/// Processes in words.
pub(crate) fn named(users: &[(u32, String)]) -> String {
    let words = users.iter().map(|(pid, program)| format!("process {pid} ({program})"));
    words.collect::<Vec<_>>().join(", ")
}

fn in_use(message: impl Into<String>) -> Refusal {
    Refusal::state(
        "in_use",
        message,
        "end that first, then run the command again; nothing was changed",
    )
}
