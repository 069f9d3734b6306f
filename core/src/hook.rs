//! A hook's way: stdin to event to delivery to stdout to receipt. The only place
//! that fails open: whatever goes wrong here, the client goes on, and one line in
//! `errors.log` says why.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::config::{self, Config};
use crate::delivery::{self, Failure, Host};
use crate::message::{Client, Millis};
use crate::protocol::{self, Event, Occurrence};
use crate::render::Commands;
use crate::shell;
use crate::store::{Caller, Store, checkpoint_if_long};

mod input;
mod log;
mod note;
mod output;

pub use log::recent_errors;

/// The events that are only noted.
pub const OBSERVED: &[&str] = &[
    "SessionEnd",
    "PermissionRequest",
    "PermissionDenied",
    "PreToolUse",
    "SubagentStop",
    "Elicitation",
    "ElicitationResult",
    "Notification",
    "PreCompact",
    "PostCompact",
    "StopFailure",
    "Interrupt",
];

/// Notes a failure that must not stop what it happened beside.
pub fn note_error(what: &str, problem: &str) {
    log::append(now(), what, problem);
}

/// Runs a hook executable for the events it is installed for.
#[must_use]
pub fn run(events: &[&str]) -> ExitCode {
    // A panic's words belong into our log, not onto the client's screen.
    std::panic::set_hook(Box::new(|_| {}));
    let outcome = catch_unwind(AssertUnwindSafe(|| handle(events)));
    let problem = match outcome {
        Ok(Ok(())) => None,
        Ok(Err(problem)) => Some(problem),
        Err(panic) => Some(format!("panic: {}", panic_text(panic.as_ref()))),
    };
    if let Some(problem) = problem {
        let event = events.first().copied().unwrap_or_default();
        log::append(now(), event, &problem);
    }
    ExitCode::SUCCESS
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

fn handle(events: &[&str]) -> Result<(), String> {
    let began = now();
    let client = client_argument();
    // The client's writing end must never break, so the input is read whatever follows.
    let fields = input::read();
    if config::is_off() {
        return Ok(());
    }
    let client = client?;
    let fields = fields.map_err(|error| format!("input: {error}"))?;
    let Some(occurrence) = protocol::read(client, &fields) else {
        return Ok(());
    };
    if !events.contains(&occurrence.event.name()) {
        return Ok(());
    }
    let folder = config::data_dir().ok_or("no folder: neither MAILSTOP_HOME nor HOME is set")?;
    let mut spoken = false;
    let Err(failure) = deliver(&folder, &occurrence, began, &mut spoken) else {
        return Ok(());
    };
    let failure = match failure {
        Failure::Store(error) => Failure::Store(error.within(&folder)),
        failure @ Failure::Output(_) => failure,
    };
    // A client takes one output an event.
    if let (Failure::Store(error), false) = (&failure, spoken) {
        note::tell(&folder, &occurrence, error);
    }
    Err(failure.to_string())
}

fn client_argument() -> Result<Client, String> {
    let mut words = std::env::args().skip(1);
    let mut client = Client::Claude;
    while let Some(word) = words.next() {
        let value = match word.split_once('=') {
            Some(("--client", value)) => Some(value.to_owned()),
            _ if word == "--client" => words.next(),
            _ => None,
        };
        client = value.and_then(|value| value.parse().ok()).ok_or_else(|| {
            format!("unknown argument `{word}`; only --client claude|codex is known")
        })?;
    }
    Ok(client)
}

fn deliver(
    folder: &Path,
    occurrence: &Occurrence,
    began: Millis,
    spoken: &mut bool,
) -> Result<(), Failure> {
    let mut store = Store::open(folder, Caller::Hook)?;
    if delivery::is_idle_tool_call(&mut store, occurrence)? {
        std::mem::forget(store);
        return Ok(());
    }
    let config = Config::load().unwrap_or_else(|broken| {
        log::append(now(), occurrence.event.name(), &broken.to_string());
        Config::default()
    });
    let mut host = Host {
        began,
        clock: now,
        now: began,
        commands: commands(),
        config,
        asked_name: config::asked_name(),
    };
    let client = occurrence.client;
    let mut emit = |output: &protocol::Output| {
        *spoken = true;
        output::write(&protocol::write(client, &occurrence.event, output))
    };
    let delivered = delivery::on_event(&mut store, occurrence, &mut host, &mut emit);
    if matches!(occurrence.event, Event::SessionStart(_)) {
        output::introduce(&occurrence.session);
        // A long log makes every later hook slow; only this hook may take the time.
        checkpoint_if_long(&store, folder)?;
    }
    // Closing would fold the log into the database, which the next command does.
    std::mem::forget(store);
    delivered
}

/// The commands beside this executable, as an agent's shell needs them.
#[must_use]
pub fn commands() -> Commands {
    let folder = config::executable_folder();
    let quoted = |name: &str| shell::quote(&folder.join(name).to_string_lossy());
    Commands { resolve: quoted("resolve"), mailstop: quoted("mailstop") }
}

/// The time now.
#[must_use]
pub fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
}
