//! A pseudo terminal: one end is a client's, the other one the story's.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{Mutex, PoisonError};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// What a terminal is asked, and what this one answers: the place of its cursor,
/// and what kind it is. Codex does not start without.
const QUERIES: [(&[u8], &[u8]); 2] = [(b"\x1b[6n", b"\x1b[1;1R"), (b"\x1b[c", b"\x1b[?1;2c")];

/// Starts a command with a terminal of its own, and gives the terminal's other end.
/// It does not control the terminal: that takes unsafe code, and no client needs it.
pub(crate) fn spawn(command: &mut Command) -> io::Result<(Child, File)> {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    let name = ptsname(&ours, Vec::new())?;
    let name = OsStr::from_bytes(name.as_bytes());
    let theirs = File::options().read(true).write(true).open(name)?;
    let size = Winsize { ws_row: 40, ws_col: 140, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&theirs, size)?;
    command.stdin(theirs.try_clone()?).stdout(theirs.try_clone()?).stderr(theirs);
    let child = command.process_group(0).spawn()?;
    Ok((child, File::from(ours)))
}

/// Keeps what is drawn, and answers what the terminal is asked.
pub(crate) fn watch(terminal: &mut File, screen: &Mutex<Vec<u8>>) -> io::Result<()> {
    let mut bytes = [0; 4096];
    loop {
        let length = terminal.read(&mut bytes)?;
        let drawn = &bytes[..length];
        for (query, answer) in QUERIES {
            if drawn.windows(query.len()).any(|part| part == query) {
                terminal.write_all(answer)?;
            }
        }
        screen.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(drawn);
    }
}
