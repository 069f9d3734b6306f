//! The one note to the user that the mailbox cannot be used: once a kind of trouble, not
//! once a hook. A file beside the mailbox remembers what was told.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::output;
use crate::protocol::{self, Event, Occurrence, Output};
use crate::store::{Error, TOLD};
use crate::text::{self, Measure};

/// Longer than what was found and its remedy; only a path can be so long.
const LONGEST: usize = 2000;

/// Tells the user what is the matter with the store, unless that has been told, or will
/// pass by itself.
pub(super) fn tell(folder: &Path, occurrence: &Occurrence, error: &Error) {
    let observes = matches!(occurrence.event, Event::SessionEnd { .. });
    let Some(trouble) = error.trouble().filter(|_| !observes && !occurrence.in_subagent()) else {
        return;
    };
    let found = format!(
        "Mailstop: {error}. No mail is shown until this is put right: {}.",
        trouble.remedy()
    );
    let found = Output::User(Measure::Utf16.cut(&text::line(&found), LONGEST).to_owned());
    let line = protocol::write(occurrence.client, &occurrence.event, &found);
    let starts = matches!(occurrence.event, Event::SessionStart(_));
    match claim(folder) {
        // Told first and noted then: a hook that dies in between has it told again.
        Ok(Some((_, told))) if told == trouble.word() => {}
        Ok(Some((mut file, _))) => {
            let _ = output::write(&line).and_then(|()| note(&mut file, trouble.word()));
        }
        Ok(None) => {}
        // Where nothing can be remembered, a start is seldom enough.
        Err(_) if starts => drop(output::write(&line)),
        Err(_) => {}
    }
}

/// The file, locked, and the kind of trouble in it; none while another hook has it.
fn claim(folder: &Path) -> io::Result<Option<(File, String)>> {
    let path = folder.join(TOLD);
    let mut options = OpenOptions::new();
    let mut file =
        options.read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(std::fs::TryLockError::WouldBlock) => return Ok(None),
        Err(std::fs::TryLockError::Error(error)) => return Err(error),
    }
    let mut told = String::new();
    file.read_to_string(&mut told)?;
    Ok(Some((file, told)))
}

fn note(file: &mut File, word: &str) -> io::Result<()> {
    file.rewind()?;
    file.set_len(0)?;
    file.write_all(word.as_bytes())
}
