//! What a file was before it was edited, so that uninstalling can give it back. Kept
//! in the data folder, readable by its owner only: settings may hold secrets.

use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::CliError;

/// One edited file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The client whose file it is.
    pub(crate) client: String,
    /// The path as the client knows it.
    pub(crate) path: PathBuf,
    /// The file that the path leads to.
    pub(crate) target: PathBuf,
    /// The whole text before; none when there was no file.
    pub(crate) before: Option<String>,
    /// The whole text after.
    pub(crate) after: String,
    /// The folders that were made for the file, the outermost first.
    #[serde(default)]
    pub(crate) folders: Vec<PathBuf>,
}

/// The records of one mailbox.
#[derive(Debug)]
pub(crate) struct Records {
    data: PathBuf,
}

impl Records {
    /// The records in a data folder, which need not exist.
    pub(crate) fn new(data: PathBuf) -> Records {
        Records { data }
    }

    /// The record of a file.
    pub(crate) fn of(&self, target: &Path) -> Option<Record> {
        read(&self.file(target)).filter(|record| record.target == target)
    }

    /// Every record that can be read.
    pub(crate) fn all(&self) -> Vec<Record> {
        let entries = fs::read_dir(self.folder()).into_iter().flatten().flatten();
        let mut records: Vec<Record> = entries.filter_map(|entry| read(&entry.path())).collect();
        records.sort_by(|a, b| a.path.cmp(&b.path));
        records
    }

    /// Stores a record in the place of an older one.
    pub(crate) fn save(&self, record: &Record) -> Result<(), CliError> {
        let file = self.file(&record.target);
        let failed = |error| CliError::io("write", file.display(), &error);
        let mut private = fs::DirBuilder::new();
        private.recursive(true).mode(0o700).create(self.folder()).map_err(failed)?;
        let text = serde_json::to_string(record)
            .map_err(|error| CliError::failed(format!("cannot describe the edit: {error}")))?;
        let mut new = tempfile::Builder::new()
            .permissions(fs::Permissions::from_mode(0o600))
            .tempfile_in(self.folder())
            .map_err(failed)?;
        new.write_all(text.as_bytes()).map_err(failed)?;
        new.as_file().sync_all().map_err(failed)?;
        new.persist(&file).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// Forgets a file.
    pub(crate) fn forget(&self, target: &Path) {
        // One that cannot be deleted is overwritten by the next install.
        let _ = fs::remove_file(self.file(target));
        let _ = fs::remove_dir(self.folder());
    }

    fn folder(&self) -> PathBuf {
        self.data.join("installs")
    }

    fn file(&self, target: &Path) -> PathBuf {
        self.folder().join(format!("{:016x}.json", hash(target.as_os_str().as_bytes())))
    }
}

fn read(file: &Path) -> Option<Record> {
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

/// FNV-1a: a file name, not a secret. The path in the record decides.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
