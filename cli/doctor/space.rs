//! How much the mailbox takes on the disk, and what of it could go.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use indicatif::HumanBytes;
use mailstop_core::shell;
use mailstop_core::store::{Result, Store};

use super::Finding;

/// With no other process in it, a hook reads all of the log.
const LONG_LOG: u64 = 4 * 1024 * 1024;
/// Less is taken again by the next messages.
const MUCH_FREE: u64 = 4 * 1024 * 1024;
/// A restore keeps what it replaced; nobody has missed it for this long.
const MISSED_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Looks at the file, its log, and what a restore kept.
pub(crate) fn check(store: &Store, folder: &Path) -> Result<Vec<Finding>> {
    let length = |name: &str| fs::metadata(folder.join(name)).map_or(0, |file| file.len());
    let (file, log) = (length("mailstop.db"), length("mailstop.db-wal"));
    let free = store.free_bytes()?;
    let sizes = format!(
        "mailstop.db {}, its log {}, {} free inside",
        HumanBytes(file),
        HumanBytes(log),
        HumanBytes(free)
    );
    let mut findings = vec![if log > LONG_LOG {
        Finding::note(
            "size",
            format!("{sizes}: the log is long, which slows hooks"),
            "mailstop migrate folds it in; if it stays, end the process that keeps the mailbox open",
        )
    } else if free > MUCH_FREE {
        let remedy = if store.gives_back()? {
            "mailstop sweep gives free space back to the disk"
        } else {
            "mailstop migrate, then mailstop sweep, give free space back to the disk"
        };
        Finding::note("size", sizes, remedy)
    } else {
        Finding::fine("size", sizes)
    }];
    findings.extend(aside(folder));
    Ok(findings)
}

/// The files that a restore replaced, and how long ago the last of them was.
fn aside(folder: &Path) -> Option<Finding> {
    let replaced = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("mailstop.db.replaced-"))
    };
    let entries = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let files: Vec<fs::Metadata> =
        entries.filter(replaced).filter_map(|path| fs::metadata(path).ok()).collect();
    let last = files.iter().filter_map(|file| file.modified().ok()).max()?;
    let bytes = HumanBytes(files.iter().map(fs::Metadata::len).sum());
    let old = SystemTime::now().duration_since(last).is_ok_and(|age| age > MISSED_FOR);
    let kept = format!("{} files that a restore replaced take {bytes}", files.len());
    Some(if old {
        let prefix = shell::quote(&folder.join("mailstop.db.replaced-").to_string_lossy());
        Finding::note("aside", kept, format!("if nothing is missed: rm {prefix}*"))
    } else {
        Finding::fine("aside", kept)
    })
}
