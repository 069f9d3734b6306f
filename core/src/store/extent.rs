//! Whether a file that is too short has the rest of its pages in the log. SQLite folds a
//! log into its file page by page; who dies meanwhile leaves the file short, and nothing
//! is lost. Of a file that was cut, the log has not all.

use std::collections::HashSet;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::header::Size;

/// From the log's file format.
const LOG_HEADER: u64 = 32;
const FRAME_HEADER: u64 = 24;
/// The page with this byte is never written: locks are taken on it.
const PENDING_BYTE: u64 = 0x4000_0000;

/// Whether every page that the file lacks is in the log.
pub(super) fn is_in_log(log: &Path, size: Size) -> bool {
    let Ok(log) = File::open(log) else {
        return false;
    };
    has_the_rest(size, |bytes, at| log.read_exact_at(bytes, at).is_ok())
}

fn has_the_rest(size: Size, read: impl Fn(&mut [u8], u64) -> bool) -> bool {
    let first = size.bytes / size.page + 1;
    let lock_page = PENDING_BYTE / size.page + 1;
    let logged = logged_from(first, size.page, read);
    (first..=size.pages).all(|page| page == lock_page || logged.contains(&page))
}

/// The pages from the first lacking one on, of which the log has a committed version.
fn logged_from(first: u64, size: u64, read: impl Fn(&mut [u8], u64) -> bool) -> HashSet<u64> {
    let (mut committed, mut pending) = (HashSet::new(), Vec::new());
    let mut header = [0; LOG_HEADER as usize];
    let mut frame = [0; FRAME_HEADER as usize];
    let mut at = LOG_HEADER;
    let begins = read(&mut header, 0);
    // Behind the last frame there may be older ones, which carry another salt.
    while begins && read(&mut frame, at) && frame[8..16] == header[16..24] {
        let page = u64::from(u32::from_be_bytes([frame[0], frame[1], frame[2], frame[3]]));
        if page >= first {
            pending.push(page);
        }
        if frame[4..8] != [0; 4] {
            committed.extend(pending.drain(..));
        }
        at += FRAME_HEADER + size;
    }
    committed
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: u64 = 512;

    /// A log with one frame for each (page, pages after a commit, salt).
    fn log(frames: &[(u32, u32, u8)]) -> Vec<u8> {
        let mut bytes = vec![0; LOG_HEADER as usize];
        bytes[16..24].fill(7);
        for (page, commit, salt) in frames {
            bytes.extend(page.to_be_bytes());
            bytes.extend(commit.to_be_bytes());
            bytes.extend([*salt; 8]);
            bytes.extend([0; 8 + PAGE as usize]);
        }
        bytes
    }

    fn has_the_rest_in(log: &[u8], bytes: u64) -> bool {
        has_the_rest(Size { bytes, page: PAGE, pages: 4 }, |part, at| {
            let at = usize::try_from(at).unwrap_or(usize::MAX);
            let found = log.get(at..).and_then(|rest| rest.get(..part.len()));
            found.is_some_and(|found| {
                part.copy_from_slice(found);
                true
            })
        })
    }

    #[test]
    fn only_committed_pages_of_this_log_make_up_for_a_short_file() {
        let half = |frames: &[_]| has_the_rest_in(&log(frames), 2 * PAGE);
        assert!(half(&[(1, 0, 7), (3, 0, 7), (4, 4, 7)]));
        assert!(!half(&[(1, 0, 7), (4, 4, 7)]));
        assert!(!half(&[(3, 4, 7), (4, 0, 7)]));
        assert!(!half(&[(3, 4, 7), (4, 4, 6)]));
        assert!(!half(&[]));
        assert!(!has_the_rest_in(&[], 2 * PAGE));
        let last = log(&[(4, 4, 7)]);
        assert!(has_the_rest_in(&last, 3 * PAGE + 9) && !has_the_rest_in(&last, 2 * PAGE + 9));
    }
}
