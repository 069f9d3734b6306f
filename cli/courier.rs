//! The courier: the one detached process that finishes what a command left to do later.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use mailstop_core::config;
use mailstop_core::delivery::{Round, deliver_answers};
use mailstop_core::hook;
use mailstop_core::message::Millis;
use mailstop_core::store::{self, Caller, Store, checkpoint_if_long};

/// Between two rounds at least, doubled each time up to the longest.
const SHORTEST_PAUSE: Millis = 250;
const LONGEST_PAUSE: Millis = 8000;
/// How often a round may find the mailbox unusable.
const MOST_TROUBLE: u32 = 5;
/// A command that looks for a courier has its lock for a moment.
const LOCK_ATTEMPTS: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// Delivers what can be delivered at once, and leaves a courier for what is left. What the
/// command itself did is done by now, so that trouble here is only noted.
pub(crate) fn finish(store: &mut Store, folder: &Path) {
    let finished = try_finish(store, folder);
    if let Err(problem) = finished {
        hook::note_error("courier", &problem);
    }
}

fn try_finish(store: &mut Store, folder: &Path) -> Result<(), String> {
    let told = |error: store::Error| error.to_string();
    if !store.read().and_then(|work| work.is_any_answer_due()).map_err(told)? {
        return Ok(());
    }
    let round = deliver_answers(store, hook::now).map_err(told)?;
    store::keep(store, folder).map_err(told)?;
    if round.next.is_none() || config::courier_is_off() || is_at_work(folder) {
        return Ok(());
    }
    start(folder).map_err(|error| format!("cannot start: {error}"))
}

fn start(folder: &Path) -> std::io::Result<()> {
    // What a parent left open to us must not stay open as long as the courier lives.
    close_fds::set_fds_cloexec(3, &[]);
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["deliver", "--detached"]).env("MAILSTOP_HOME", folder).current_dir("/");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    Ok(())
}

fn lock_file(folder: &Path) -> std::io::Result<File> {
    let path = folder.join("courier.lock");
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)
}

fn is_at_work(folder: &Path) -> bool {
    lock_file(folder).is_ok_and(|file| file.try_lock_shared().is_err())
}

/// The lock that only one courier has, as long as it lives.
fn lock(folder: &Path) -> Option<File> {
    let file = lock_file(folder).ok()?;
    for _ in 0..LOCK_ATTEMPTS {
        if file.try_lock().is_ok() {
            return Some(file);
        }
        sleep(LOCK_PAUSE);
    }
    None
}

/// Is the courier of a mailbox, unless there is one.
pub(crate) fn run_alone(folder: &Path) -> store::Result<()> {
    // Who started this may be a group whose end would be ours.
    let _ = rustix::process::setsid();
    if !store::is_there(folder)? {
        return Ok(());
    }
    while let Some(lock) = lock(folder) {
        run(folder, &mut |_| {})?;
        drop(lock);
        // A command that looked before the lock was free has started nobody.
        if !is_there_work(folder)? {
            return Ok(());
        }
    }
    Ok(())
}

fn is_there_work(folder: &Path) -> store::Result<bool> {
    Ok(store::is_there(folder)? && round(folder)?.next.is_some())
}

/// Delivers until nothing is left that time can help. The mailbox is closed between two
/// rounds, so that it can be restored meanwhile.
pub(crate) fn run(folder: &Path, tell: &mut dyn FnMut(&Round)) -> store::Result<()> {
    let (mut pause, mut trouble) = (SHORTEST_PAUSE, 0);
    loop {
        // A mailbox that was taken away is not made again.
        if !store::is_there(folder)? {
            return Ok(());
        }
        let next = match round(folder) {
            Ok(round) => {
                tell(&round);
                trouble = 0;
                match round.next {
                    None => return Ok(()),
                    Some(next) => next,
                }
            }
            Err(error) if trouble == MOST_TROUBLE => return Err(error),
            Err(_) => {
                trouble += 1;
                hook::now()
            }
        };
        let until = next.saturating_sub(hook::now()).clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
        sleep(Duration::from_millis(until.min(pause).unsigned_abs()));
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

fn round(folder: &Path) -> store::Result<Round> {
    let mut store = Store::open(folder, Caller::Command)?;
    let round = deliver_answers(&mut store, hook::now)?;
    if !round.handled.is_empty() {
        store::keep(&store, folder)?;
    }
    checkpoint_if_long(&store, folder)?;
    Ok(round)
}
