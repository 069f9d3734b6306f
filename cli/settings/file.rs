//! A settings file on disk: read through links, written beside its real place and
//! renamed, so that no reader ever sees half a file.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::error::CliError;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A settings file as it was when the command began.
#[derive(Debug)]
pub(crate) struct SettingsFile {
    /// The path as the client knows it.
    pub(crate) path: PathBuf,
    /// The file that the path leads to.
    target: PathBuf,
    text: Option<String>,
    data: Option<Metadata>,
}

impl SettingsFile {
    /// Reads a file; one that does not exist has no text.
    pub(crate) fn read(path: &Path) -> Result<SettingsFile, CliError> {
        let failed = |error: io::Error| CliError::io("read", path.display(), &error);
        let Err(missing) = fs::symlink_metadata(path) else {
            return read_existing(path);
        };
        match missing.kind() {
            ErrorKind::NotFound => {
                let target = real_path_of_missing(path)?;
                Ok(SettingsFile { path: path.to_owned(), target, text: None, data: None })
            }
            _ => Err(failed(missing)),
        }
    }

    /// The text without its byte order mark; none when there is no file.
    pub(crate) fn text(&self) -> Option<&str> {
        self.text.as_deref().map(|text| text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text))
    }

    /// The whole text.
    pub(crate) fn whole(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The file that the path leads to.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// A new text with the byte order mark that the file has now.
    pub(crate) fn with_mark(&self, text: &str) -> String {
        let has_mark = self.text.as_deref().is_some_and(|old| old.starts_with(BYTE_ORDER_MARK));
        if has_mark { format!("{BYTE_ORDER_MARK}{text}") } else { text.to_owned() }
    }

    /// An error about this file, which says that it was left as it is.
    pub(crate) fn refused(&self, reason: &str) -> CliError {
        CliError::failed(format!("{} was left as it is: {reason}", self.path.display()))
            .hint("repair the file and run the command again")
    }

    /// Writes a text, and returns the folders that had to be made for it.
    pub(crate) fn write(&self, text: &str) -> Result<Vec<PathBuf>, CliError> {
        let failed = |error: io::Error| CliError::io("write", self.path.display(), &error);
        self.still_unchanged()?;
        let folder = self.target.parent().unwrap_or(Path::new("/"));
        let made = missing_folders(folder);
        fs::create_dir_all(folder).map_err(failed)?;
        self.replace(folder, text).map_err(failed)?;
        Ok(made)
    }

    /// Deletes the file.
    pub(crate) fn delete(&self) -> Result<(), CliError> {
        self.still_unchanged()?;
        fs::remove_file(&self.target)
            .map_err(|error| CliError::io("delete", self.path.display(), &error))
    }

    fn replace(&self, folder: &Path, text: &str) -> io::Result<()> {
        let mode = if self.data.is_some() { 0o600 } else { 0o666 };
        let mut new = tempfile::Builder::new()
            .prefix(".mailstop-")
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(folder)?;
        new.write_all(text.as_bytes())?;
        if let Some(old) = &self.data {
            keep_owner(new.as_file(), old)?;
            new.as_file().set_permissions(old.permissions())?;
        }
        new.as_file().sync_all()?;
        new.persist(&self.target).map_err(|error| error.error)?;
        File::open(folder)?.sync_all()
    }

    /// The client and other tools write the same file.
    fn still_unchanged(&self) -> Result<(), CliError> {
        if SettingsFile::read(&self.path)?.text == self.text {
            return Ok(());
        }
        Err(CliError::failed(format!("{} changed just now", self.path.display()))
            .hint("run the command again"))
    }
}

/// A text without a byte order mark.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

fn read_existing(path: &Path) -> Result<SettingsFile, CliError> {
    let failed = |error: io::Error| CliError::io("read", path.display(), &error);
    let target = fs::canonicalize(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => dangling(path, "a file"),
        _ => failed(error),
    })?;
    let data = fs::metadata(&target).map_err(failed)?;
    if !data.is_file() {
        return Err(CliError::failed(format!("{} is not a file", path.display()))
            .hint("move it away and run the command again"));
    }
    let bytes = fs::read(&target).map_err(failed)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        CliError::failed(format!("{} was left as it is: it is not UTF-8", path.display()))
            .hint("save it as UTF-8 and run the command again")
    })?;
    Ok(SettingsFile { path: path.to_owned(), target, text: Some(text), data: Some(data) })
}

/// Where a missing file will be, links in its existing folders followed.
fn real_path_of_missing(path: &Path) -> Result<PathBuf, CliError> {
    let mut folders = path.ancestors().skip(1);
    let Some(folder) = folders.find(|folder| fs::symlink_metadata(folder).is_ok()) else {
        return Ok(path.to_owned());
    };
    let real = fs::canonicalize(folder).map_err(|_| dangling(folder, "a folder"))?;
    Ok(path.strip_prefix(folder).map_or(path.to_owned(), |rest| real.join(rest)))
}

fn dangling(path: &Path, kind: &str) -> CliError {
    CliError::failed(format!("{} is a link to {kind} that does not exist", path.display()))
        .hint(format!("create {kind} where it links to, or remove the link"))
}

/// The folders on the way that do not exist, the outermost first.
fn missing_folders(folder: &Path) -> Vec<PathBuf> {
    let missing = folder.ancestors().take_while(|folder| !folder.exists());
    let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    missing.reverse();
    missing
}

/// A file that root edits for somebody stays theirs.
fn keep_owner(new: &File, old: &Metadata) -> io::Result<()> {
    let data = new.metadata()?;
    if (data.uid(), data.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    let owner = rustix::fs::Uid::from_raw(old.uid());
    let group = rustix::fs::Gid::from_raw(old.gid());
    rustix::fs::fchown(new, Some(owner), Some(group))?;
    Ok(())
}
