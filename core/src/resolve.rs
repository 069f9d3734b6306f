//! The `resolve` executable: small, parsed by hand, and run from wherever an
//! agent's shell is. `mailstop resolve` does the same through the same use case.

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::json;

use crate::config;
use crate::delivery::{self, Closed, Closing};
use crate::hook::now;
use crate::message::{Millis, Status};
use crate::refusal::{Class, Refusal};
use crate::store::{Caller, Store, keep};
use crate::text;

const USAGE: &str = "usage: resolve --id ID [--id ID]… [--status resolved] [--note TEXT] [--json]";

/// What was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Request {
    ids: Vec<String>,
    note: Option<String>,
    json: bool,
    help: bool,
    version: bool,
}

/// Runs the executable.
#[must_use]
pub fn run() -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let json = words.iter().any(|word| word == "--json");
    let request = match parse(words) {
        Ok(request) if request.help => {
            say(format_args!("{USAGE}\nCloses messages, so that they block a Stop no longer."));
            return ExitCode::SUCCESS;
        }
        Ok(request) if request.version => {
            say(format_args!("resolve {}", env!("CARGO_PKG_VERSION")));
            return ExitCode::SUCCESS;
        }
        Ok(request) => request,
        Err(refusal) => return refuse(&[refusal], json),
    };
    let (closed, refusals) = match resolve_all(&request.ids, request.note.as_deref(), now()) {
        Ok(done) => done,
        Err(refusal) => return refuse(&[refusal], json),
    };
    if request.json {
        say(format_args!("{}", document(&closed, &refusals)));
        return exit_code(&refusals);
    }
    closed.iter().for_each(|closed| say(format_args!("{}", describe(closed))));
    refuse(&refusals, json)
}

/// What was closed, and the first thing that was not.
#[must_use]
pub fn document(closed: &[Closed], refusals: &[Refusal]) -> serde_json::Value {
    let mut document = json!({ "messages": closed.iter().map(as_json).collect::<Vec<_>>() });
    if let Some(refusal) = refusals.first() {
        document["error"] = refusal.document();
    }
    document
}

/// One closed message as a document.
fn as_json(closed: &Closed) -> serde_json::Value {
    let (status, changed) = match closed.closing {
        Closing::Done => (Status::Resolved, true),
        Closing::Already(status) => (status, false),
    };
    json!({ "id": closed.id, "status": status.as_str(), "changed": changed })
}

/// One closed message as a line.
#[must_use]
pub fn describe(closed: &Closed) -> String {
    match closed.closing {
        Closing::Done => format!("resolved {}", closed.id),
        Closing::Already(status) => format!("already {status} {}", closed.id),
    }
}

/// Resolves every message that is there, and tells of those that are not.
///
/// # Errors
/// When the mailbox cannot be used.
pub fn resolve_all(
    ids: &[String],
    note: Option<&str>,
    now: Millis,
) -> Result<(Vec<Closed>, Vec<Refusal>), Refusal> {
    let folder = config::data_dir().ok_or_else(no_folder)?;
    let mut store = Store::open(&folder, Caller::Command)?;
    let work = store.begin()?;
    delivery::end_due(&work, now)?;
    let actor = delivery::who(&work)?;
    let mut closed = Vec::new();
    let mut refusals = Vec::new();
    for id in ids {
        match delivery::close(&work, id, note, &actor, now) {
            Ok(done) => closed.push(done),
            Err(refusal) if refusal.class == Class::Store => return Err(refusal),
            Err(refusal) => refusals.push(refusal),
        }
    }
    work.commit()?;
    keep(&store, &folder)?;
    Ok((closed, refusals))
}

/// The refusal when no folder is known to hold the mailbox.
#[must_use]
pub fn no_folder() -> Refusal {
    Refusal {
        class: Class::Store,
        code: "store_unavailable",
        message: "no folder for the mailbox: neither MAILSTOP_HOME nor HOME is set".to_owned(),
        hint: Some("set MAILSTOP_HOME to a folder of yours".to_owned()),
    }
}

/// Prints a line. A reader that has gone away does not undo what was done.
fn say(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stdout(), "{line}");
}

fn complain(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{line}");
}

fn refuse(refusals: &[Refusal], json: bool) -> ExitCode {
    for refusal in refusals {
        let message = text::lines(&refusal.message);
        if json {
            say(format_args!("{}", json!({ "error": refusal.document() })));
            break;
        }
        complain(format_args!("error: {message}"));
        if let Some(hint) = &refusal.hint {
            complain(format_args!("hint: {}", text::lines(hint)));
        }
    }
    exit_code(refusals)
}

fn exit_code(refusals: &[Refusal]) -> ExitCode {
    ExitCode::from(refusals.iter().map(|refusal| refusal.class.exit_code()).max().unwrap_or(0))
}

fn parse(words: Vec<String>) -> Result<Request, Refusal> {
    let mut request = Request::default();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let (flag, attached) = match word.split_once('=') {
            Some((flag, value)) => (flag.to_owned(), Some(value.to_owned())),
            None => (word, None),
        };
        let mut value = || {
            attached
                .clone()
                .or_else(|| words.next())
                .ok_or_else(|| Refusal::usage(format!("{flag} needs a value"), USAGE))
        };
        match flag.as_str() {
            "--id" => request.ids.push(value()?),
            "--note" => request.note = Some(value()?),
            "--status" => {
                let status = value()?;
                if status != "resolved" {
                    let message = format!("--status can only be `resolved`, not `{status}`");
                    return Err(Refusal::usage(message, USAGE));
                }
            }
            "--json" => request.json = true,
            "--help" | "-h" => request.help = true,
            "--version" | "-V" => request.version = true,
            other => return Err(Refusal::usage(format!("unknown argument `{other}`"), USAGE)),
        }
    }
    if request.ids.is_empty() && !request.help && !request.version {
        return Err(Refusal::usage("no message named", USAGE));
    }
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, String> {
        parse(line.split(' ').map(str::to_owned).collect()).map_err(|refusal| refusal.message)
    }

    #[test]
    fn arguments_are_read_by_hand() {
        let request = parsed("--id a --id=b --status resolved --note -n").expect("a request");
        assert_eq!(request.ids, ["a", "b"]);
        assert_eq!(request.note.as_deref(), Some("-n"));
        assert_eq!(parsed("--id").expect_err("no value"), "--id needs a value");
        assert_eq!(parsed("--json").expect_err("no id"), "no message named");
        assert!(parsed("--id a --status read").is_err());
        assert!(parsed("a").is_err());
    }
}
