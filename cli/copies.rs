//! A copy of the mailbox on its way: a private file beside its target, which takes its
//! name when it is whole.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::CliError;

const PREFIX: &str = ".mailstop-copy-";

/// What SQLite lays beside a database while it writes it.
const SIDES: [&str; 3] = ["-journal", "-wal", "-shm"];

/// An empty file that becomes a copy. It is gone when it was not kept.
#[derive(Debug)]
pub(crate) struct Draft {
    file: NamedTempFile,
    folder: PathBuf,
}

impl Draft {
    /// An empty file in a folder, from which it first removes what killed ones left.
    pub(crate) fn in_folder(folder: &Path) -> Result<Draft, CliError> {
        remove_abandoned(folder);
        let file =
            make(folder).map_err(|error| CliError::io("write in", folder.display(), &error))?;
        Ok(Draft { file, folder: folder.to_owned() })
    }

    /// Where it is now.
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Gives it its name, once it is on disk. A file of that name stays, and is told.
    pub(crate) fn keep_as(self, target: &Path) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist_noclobber(target).map_err(|error| error.error)?;
        File::open(&self.folder)?.sync_all()
    }
}

fn make(folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        let file = tempfile::Builder::new()
            .prefix(PREFIX)
            .permissions(Permissions::from_mode(0o600))
            .tempfile_in(folder)?;
        // The lock tells others that this process lives. Where nothing can be locked,
        // nothing is taken for abandoned either.
        let _ = file.as_file().lock();
        // Whoever cleaned up between the two took it for an abandoned one.
        if file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes the drafts that nobody works on any more.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_side = SIDES.iter().any(|side| name.ends_with(side));
        if !name.starts_with(PREFIX) || is_side {
            continue;
        }
        // Held until the file is gone, so that its maker notices.
        let Some(_held) = abandoned(&entry.path()) else {
            continue;
        };
        for side in SIDES {
            let _ = fs::remove_file(folder.join(format!("{name}{side}")));
        }
        let _ = fs::remove_file(entry.path());
    }
}

/// A draft that no living process has locked, now locked by this one.
fn abandoned(draft: &Path) -> Option<File> {
    let file = File::open(draft).ok()?;
    file.try_lock().is_ok().then_some(file)
}
