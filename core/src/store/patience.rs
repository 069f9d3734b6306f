//! How long an opened mailbox waits for another process that holds the lock.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// Who opens the mailbox: how long it may wait for another writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A command, which makes promises.
    Command,
    /// A hook, for which a client waits.
    Hook,
}

impl Caller {
    /// What to do when another process holds the lock.
    pub(super) fn waiter(self) -> fn(i32) -> bool {
        match self {
            Caller::Command => |count| wait(count, Caller::Command),
            Caller::Hook => |count| wait(count, Caller::Hook),
        }
    }

    /// How long to sleep before the lock is tried again. A hook, for which its client
    /// waits, tries more often than a command and so goes before it.
    const fn pace(self) -> Duration {
        match self {
            Caller::Command => Duration::from_millis(8),
            Caller::Hook => Duration::from_millis(1),
        }
    }

    pub(super) const fn patience(self) -> Duration {
        match self {
            Caller::Command => Duration::from_secs(10),
            Caller::Hook => Duration::from_millis(1900),
        }
    }
}

thread_local! {
    static WAITS_SINCE: Cell<Option<Instant>> = const { Cell::new(None) };
    static AT_MOST: Cell<Duration> = const { Cell::new(Duration::MAX) };
}

/// Waits a little for the lock. SQLite's own way of waiting sleeps longer from time to
/// time, so that among many writers the one that waited longest waits on.
fn wait(count: i32, caller: Caller) -> bool {
    let now = Instant::now();
    if count == 0 {
        WAITS_SINCE.set(Some(now));
    }
    let since = WAITS_SINCE.get().unwrap_or(now);
    if now.duration_since(since) >= caller.patience().min(AT_MOST.get()) {
        return false;
    }
    std::thread::sleep(caller.pace());
    true
}

/// Does something that can be done another time, waiting no longer than this for others.
pub(super) fn at_most<T>(patience: Duration, act: impl FnOnce() -> T) -> T {
    AT_MOST.set(patience);
    let done = act();
    AT_MOST.set(Duration::MAX);
    done
}
