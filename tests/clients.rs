//! Stories told by the real clients: Claude Code and Codex run their hooks, and
//! only the model's words are scripted. `clients/fetch.sh` installs the clients;
//! a story whose client is missing is listed as ignored, or fails where
//! `MAILSTOP_REQUIRE_CLIENTS=1` says that it must run.

#[path = "clients/terminal.rs"]
mod terminal;

#[path = "support/clients.rs"]
mod support;

#[path = "clients/blocking.rs"]
mod blocking;
#[path = "clients/dialogs.rs"]
mod dialogs;
#[path = "clients/harness.rs"]
mod harness;
#[path = "clients/holds.rs"]
mod holds;
#[path = "clients/sessions.rs"]
mod sessions;
#[path = "clients/showing.rs"]
mod showing;
#[path = "clients/trouble.rs"]
mod trouble;

use std::env;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use support::client::{Client, Kind};

/// A story, told once for each client that it is about.
#[derive(Clone, Copy)]
pub(crate) struct Story {
    name: &'static str,
    about: fn(&Client) -> bool,
    tell: fn(&Client),
}

/// A story that every client can tell.
pub(crate) const fn any(name: &'static str, tell: fn(&Client)) -> Story {
    Story { name, about: |_| true, tell }
}

/// A story about Claude Code only.
pub(crate) const fn claude(name: &'static str, tell: fn(&Client)) -> Story {
    Story { name, about: |client| client.kind == Kind::Claude, tell }
}

/// A story about Codex only.
pub(crate) const fn codex(name: &'static str, tell: fn(&Client)) -> Story {
    Story { name, about: |client| client.kind == Kind::Codex, tell }
}

fn main() -> ExitCode {
    let required = env::var_os("MAILSTOP_REQUIRE_CLIENTS").is_some_and(|value| value == "1");
    let mut trials = Vec::new();
    let stories: [&[Story]; 8] = [
        harness::STORIES,
        blocking::STORIES,
        showing::STORIES,
        sessions::STORIES,
        terminal::STORIES,
        trouble::STORIES,
        holds::STORIES,
        dialogs::STORIES,
    ];
    for story in stories.concat() {
        for client in Client::all().into_iter().filter(story.about) {
            trials.push(trial(story, client, required));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trial(story: Story, client: Client, required: bool) -> Trial {
    let (name, tell) = (format!("{} ({client})", story.name), story.tell);
    let missing = client.executable().is_none();
    let trial = Trial::test(name, move || {
        if missing {
            return Err(Failed::from("the client is missing: run tests/clients/fetch.sh"));
        }
        tell(&client);
        Ok(())
    });
    trial.with_ignored_flag(missing && !required)
}
