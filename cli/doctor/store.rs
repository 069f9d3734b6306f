//! The mailbox's folder and file, and what the hooks complained of.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use mailstop_core::config::{self, Config};
use mailstop_core::hook;
use mailstop_core::store::{self, Caller, Store, Work};
use mailstop_core::text;

use super::{Finding, clock, filesystem, mail, rows, space};

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
    findings.extend(mailbox(&folder));
    findings.extend(privacy(&folder));
    findings.extend(filesystem::check(&folder));
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

/// Opens the mailbox and looks into it. What cannot be looked at is the last finding.
fn mailbox(folder: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Err(error) = look(folder, &mut findings) {
        findings.push(unusable(folder, &error.within(folder)));
    }
    findings
}

fn look(folder: &Path, findings: &mut Vec<Finding>) -> store::Result<()> {
    let mut store = Store::open(folder, Caller::Command)?;
    let now = hook::now();
    let config = Config::load().unwrap_or_default();
    let work = store.read()?;
    findings.push(totals(&work, folder)?);
    findings.extend(rows::check(&work)?);
    findings.extend(mail::check(&work, &config, now)?);
    findings.extend(clock::check(&work, now)?);
    drop(work);
    findings.extend(space::check(&store, folder)?);
    Ok(())
}

fn totals(work: &Work<'_>, folder: &Path) -> store::Result<Finding> {
    let totals = work.totals()?;
    Ok(Finding::fine(
        "store",
        format!(
            "{}: schema {}, {} messages, {} pending, {} unread",
            folder.display(),
            store::VERSION,
            totals.messages,
            totals.pending,
            totals.unread
        ),
    ))
}

fn unusable(folder: &Path, error: &store::Error) -> Finding {
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
