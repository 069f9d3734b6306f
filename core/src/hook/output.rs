//! One line on standard output, whole or not at all, and flushed before anything
//! counts as offered.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::BorrowedFd;
use rustix::fs::FileType;
use rustix::io::Errno;

use crate::config;
use crate::shell;

/// A client that takes longer is not reading.
const PATIENCE: Duration = Duration::from_millis(200);
/// A pipe that is ready takes so many bytes at once without waiting.
const PIECE: usize = 4096;

/// Writes one line to the client.
///
/// # Errors
/// When the client is gone, full, or nobody reads what is written.
pub(super) fn write(line: &str) -> io::Result<()> {
    let stdout = rustix::stdio::stdout();
    if is_null(stdout)? {
        return Err(io::Error::new(io::ErrorKind::NotConnected, "standard output leads nowhere"));
    }
    let deadline = Instant::now() + PATIENCE;
    let line = format!("{line}\n");
    let mut rest = line.as_bytes();
    wait_for_room(stdout, rest.len(), deadline)?;
    while !rest.is_empty() {
        wait_until_ready(stdout, deadline)?;
        match rustix::io::write(stdout, &rest[..rest.len().min(PIECE)]) {
            Ok(written) => rest = &rest[written..],
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Whether standard output is the null device, as it is when the client closed it.
fn is_null(stdout: BorrowedFd<'_>) -> io::Result<bool> {
    let stat = rustix::fs::fstat(stdout)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::CharacterDevice {
        return Ok(false);
    }
    let null = rustix::fs::stat("/dev/null")?;
    Ok(null.st_rdev == stat.st_rdev)
}

/// Where the system tells how full a pipe is, nothing is written before the whole
/// line fits: half a line could not be taken back.
#[cfg(target_os = "linux")]
fn wait_for_room(stdout: BorrowedFd<'_>, needed: usize, deadline: Instant) -> io::Result<()> {
    let Ok(size) = rustix::pipe::fcntl_getpipe_size(stdout) else {
        return Ok(());
    };
    loop {
        wait_until_ready(stdout, deadline)?;
        let filled = rustix::io::ioctl_fionread(stdout)?;
        let filled = usize::try_from(filled).unwrap_or(usize::MAX);
        if size.saturating_sub(filled) >= needed.min(size) {
            return Ok(());
        }
        if Instant::now() >= deadline {
            return Err(io::ErrorKind::TimedOut.into());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(not(target_os = "linux"))]
fn wait_for_room(_: BorrowedFd<'_>, _: usize, _: Instant) -> io::Result<()> {
    Ok(())
}

fn wait_until_ready(stdout: BorrowedFd<'_>, deadline: Instant) -> io::Result<()> {
    let patience = deadline.saturating_duration_since(Instant::now());
    let timeout = Timespec::try_from(patience).map_err(io::Error::other)?;
    let mut polled = [PollFd::new(&stdout, PollFlags::OUT)];
    match poll(&mut polled, Some(&timeout)) {
        Ok(0) => Err(io::ErrorKind::TimedOut.into()),
        Ok(_) if polled[0].revents().contains(PollFlags::ERR) => {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Tells the shells of this session who they are, where the client offers a file
/// for that. A failure only means that they are known by other ways.
pub(super) fn introduce(session: &str) {
    let Some(file) = config::variable("CLAUDE_ENV_FILE") else {
        return;
    };
    if std::fs::metadata(&file).is_ok_and(|data| !data.is_file()) {
        return;
    }
    let line = format!("export MAILSTOP_SESSION={}\n", shell::quote(session));
    if std::fs::read_to_string(&file).is_ok_and(|text| text.contains(&line)) {
        return;
    }
    if let Ok(mut file) = OpenOptions::new().append(true).create(true).open(file) {
        let _ = file.write_all(line.as_bytes());
    }
}
