//! The mailbox's folder and file, and what the hooks complained of.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use mailstop_core::config::{self, Config};
use mailstop_core::hook;
use mailstop_core::store::{self, Caller, Store};
use mailstop_core::text;

use super::Finding;

/// File systems on which SQLite's shared memory or locks do not hold, by the
/// numbers of statfs(2).
const UNSAFE_FILE_SYSTEMS: [(i64, &str); 6] = [
    (0x6969, "NFS"),
    (0x517b, "SMB"),
    (0xff53_4d42, "CIFS"),
    (0xfe53_4d42, "SMB2"),
    (0x0102_1997, "9P, as WSL mounts Windows drives"),
    (0x6573_5546, "FUSE"),
];

/// Looks at settings, folder, file and errors.
pub(crate) fn check() -> Vec<Finding> {
    let mut findings = vec![settings()];
    let Some(folder) = config::data_dir() else {
        findings.push(Finding::wrong(
            "store",
            "no folder for the mailbox: neither MAILSTOP_HOME nor HOME is set",
            "set MAILSTOP_HOME to a folder of yours",
        ));
        return findings;
    };
    if config::is_off() {
        findings.push(Finding::wrong(
            "store",
            "MAILSTOP=off turns every hook off",
            "unset MAILSTOP",
        ));
    }
    findings.push(schema(&folder));
    findings.extend(privacy(&folder));
    findings.extend(file_system(&folder));
    findings.push(errors());
    findings
}

fn settings() -> Finding {
    match Config::load() {
        Ok(_) => Finding::fine("config", "the configuration can be read"),
        Err(broken) => Finding::wrong(
            "config",
            text::line(&broken.to_string()),
            "correct the file; hooks use the defaults until then",
        ),
    }
}

fn schema(folder: &Path) -> Finding {
    let opened = Store::open(folder, Caller::Command).and_then(|mut store| {
        let work = store.read()?;
        work.totals()
    });
    match opened {
        Ok(totals) => Finding::fine(
            "store",
            format!(
                "{}: schema {}, {} messages, {} pending, {} unread",
                folder.display(),
                store::VERSION,
                totals.messages,
                totals.pending,
                totals.unread
            ),
        ),
        Err(error) => unusable(folder, error.within(folder)),
    }
}

fn unusable(folder: &Path, error: store::Error) -> Finding {
    match error.trouble() {
        Some(trouble) => Finding::wrong("store", error.to_string(), trouble.remedy()),
        None => Finding::wrong(
            "store",
            format!("{}: {error}", folder.display()),
            "give the folder back to yourself, free some space, or set MAILSTOP_HOME to another folder",
        ),
    }
}

/// Folder and files are their owner's alone.
fn privacy(folder: &Path) -> Vec<Finding> {
    let me = rustix::process::geteuid().as_raw();
    let mut findings = Vec::new();
    let files = ["", "mailstop.db", "mailstop.db-wal", "mailstop.db-shm"];
    for path in files.map(|file| folder.join(file)) {
        let Ok(data) = fs::metadata(&path) else {
            continue;
        };
        let shown = path.display();
        if data.uid() != me {
            findings.push(Finding::wrong(
                "permissions",
                format!("{shown} belongs to user {}, not to you ({me})", data.uid()),
                format!("sudo chown -R {me} '{}'", folder.display()),
            ));
        }
        let mode = data.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            findings.push(Finding::wrong(
                "permissions",
                format!("{shown} can be used by others (mode {mode:o})"),
                format!("chmod go= '{shown}'"),
            ));
        }
    }
    if findings.is_empty() {
        findings.push(Finding::fine("permissions", "the mailbox is yours alone"));
    }
    findings
}

fn file_system(folder: &Path) -> Option<Finding> {
    #[allow(clippy::useless_conversion, reason = "its width differs between platforms")]
    let kind = i64::try_from(rustix::fs::statfs(folder).ok()?.f_type).ok()? & 0xffff_ffff;
    let (_, name) = UNSAFE_FILE_SYSTEMS.iter().find(|(number, _)| *number == kind)?;
    Some(Finding::wrong(
        "filesystem",
        format!(
            "{} is on {name}, where several processes cannot share a database",
            folder.display()
        ),
        "set MAILSTOP_HOME to a folder on a local disk, for every client and shell",
    ))
}

fn errors() -> Finding {
    let recent = hook::recent_errors(3);
    if recent.is_empty() {
        return Finding::fine("errors", "no hook has failed");
    }
    Finding::note(
        "errors",
        format!("the last failures of hooks: {}", recent.join(" · ")),
        "they let the client go on; when the cause is gone, remove errors.log from the mailbox's folder",
    )
}
