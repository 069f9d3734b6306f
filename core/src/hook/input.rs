//! The event on standard input: read to its end, kept hardly at all, and never
//! waited for longer than two seconds in all.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::protocol::skim::{Fields, Skimmer};

const PATIENCE: Duration = Duration::from_secs(2);
/// A client gives up on a hook soon after.
const LONGEST: Duration = Duration::from_secs(8);
const PIECE: usize = 64 * 1024;

/// Reads the event's members.
///
/// # Errors
/// When there is no complete object, or it does not come in time.
pub(super) fn read() -> io::Result<Fields> {
    let stdin = rustix::stdio::stdin();
    let mut skimmer = Skimmer::default();
    let mut buffer = Vec::with_capacity(PIECE);
    let began = Instant::now();
    let mut waited = Duration::ZERO;
    // What can still become an event is read as long as it keeps coming, nearly.
    while began.elapsed() < if skimmer.is_open() { LONGEST } else { PATIENCE } {
        // Behind the object there may be a line feed, or nothing for ever: only what
        // is there already is still taken.
        let patience =
            if skimmer.is_done() { Duration::ZERO } else { PATIENCE.saturating_sub(waited) };
        let before = Instant::now();
        if !is_ready(stdin, patience)? {
            break;
        }
        waited += before.elapsed();
        match rustix::io::read(stdin, rustix::buffer::spare_capacity(&mut buffer)) {
            Ok(0) => break,
            Ok(_) => {
                skimmer.feed(&buffer);
                buffer.clear();
            }
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(error) => return Err(error.into()),
        }
    }
    skimmer.finish().ok_or_else(|| io::Error::other("no complete JSON object"))
}

fn is_ready(stdin: rustix::fd::BorrowedFd<'_>, patience: Duration) -> io::Result<bool> {
    let timeout = Timespec::try_from(patience).map_err(io::Error::other)?;
    let mut polled = [PollFd::new(&stdin, PollFlags::IN)];
    match poll(&mut polled, Some(&timeout)) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => Ok(true),
        Err(error) => Err(error.into()),
    }
}
