//! A client in a terminal, typed into as a person would.

use std::fs::File;
use std::io::Write;
use std::process::Child;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use once_cell::sync::Lazy;
use regex::Regex;
use serde_json::Value;

use super::agent::Agent;
use super::pty::{spawn, watch};
use super::turn::Run;

/// How long to wait for anything.
const PATIENCE: Duration = Duration::from_secs(30);

/// Empties the line that is being typed, in every client.
const CLEAR_LINE: &str = "\x15";

/// White space, and the sequences that move the cursor and choose colours: clients
/// draw a space with the one or the other.
static DRAWING: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"\s+|\x1b(?:\[[0-9;:<=>?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)")
        .expect("the pattern is valid")
});

/// An interactive session that runs.
pub(crate) struct Terminal<'a> {
    agent: &'a Agent,
    before: usize,
    child: Child,
    keyboard: File,
    screen: Arc<Mutex<Vec<u8>>>,
}

impl<'a> Terminal<'a> {
    /// Starts the agent's client and waits until it takes input.
    pub(crate) fn open(agent: &'a Agent) -> Self {
        let before = agent.model.requests().len();
        let (child, keyboard) = spawn(&mut agent.interactive()).expect("a client in a terminal");
        let mut reader = keyboard.try_clone().expect("a screen");
        let screen = Arc::default();
        let seen = Arc::clone(&screen);
        // Reading fails when the client has ended.
        thread::spawn(move || watch(&mut reader, &seen).ok());
        let terminal = Self { agent, before, child, keyboard, screen };
        terminal.wait_until_quiet();
        terminal
    }

    /// Types a line, and waits until the client has done what it asked for.
    pub(crate) fn enter(&self, line: &str) {
        self.begin(line);
        self.wait_until_quiet();
    }

    /// Types a line that begins something.
    pub(crate) fn begin(&self, line: &str) {
        let started = Instant::now();
        while !self.is_echoed(line) {
            assert!(started.elapsed() < PATIENCE, "{line:?} cannot be typed\n{}", self.text());
        }
        self.press("\r");
    }

    /// Types a line, and tells whether it is drawn soon. A client that has just
    /// started may throw away what was typed before it was ready.
    fn is_echoed(&self, line: &str) -> bool {
        let from = self.screen().len();
        self.press(CLEAR_LINE);
        self.press(line);
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(3) {
            thread::sleep(Duration::from_millis(50));
            let drawn = DRAWING
                .replace_all(&String::from_utf8_lossy(&self.screen()[from..]), "")
                .into_owned();
            if drawn.contains(&DRAWING.replace_all(line, "")[..]) {
                return true;
            }
        }
        false
    }

    /// Types a line that the model has to answer, and waits for so many requests.
    pub(crate) fn ask(&self, line: &str, requests: usize) {
        let expected = self.agent.model.requests().len() + requests;
        self.enter(line);
        self.wait_for_requests(expected);
        self.wait_until_idle();
    }

    /// Presses a key in a dialog, and waits until the model has had so many requests in all.
    pub(crate) fn answer(&self, key: &str, requests: usize) {
        self.press(key);
        self.wait_for_requests(self.before + requests);
        self.wait_until_idle();
    }

    fn wait_for_requests(&self, expected: usize) {
        let started = Instant::now();
        while self.agent.model.requests().len() < expected {
            assert!(
                started.elapsed() < PATIENCE,
                "the model has not got {expected} requests\n{}",
                self.text()
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the product says that the session is doing this.
    pub(crate) fn wait_until(&self, state: &str) {
        self.wait_until_session(state, |session| session["state"] == state);
    }

    /// Waits until the product says that so many dialogs are open, and a moment longer: a
    /// dialog does not take the keys that were meant for the one before.
    pub(crate) fn wait_until_open(&self, dialogs: usize) {
        let count = |session: &Value| session["awaiting"].as_array().map(Vec::len);
        self.wait_until_session("open", |session| count(session) == Some(dialogs));
        thread::sleep(Duration::from_millis(500));
    }

    fn wait_until_session(&self, what: &str, is: impl Fn(&Value) -> bool) {
        let started = Instant::now();
        while !is(&self.agent.mail.ask(&["sessions"])["sessions"][0]) {
            assert!(started.elapsed() < PATIENCE, "it is never {what}\n{}", self.text());
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Chooses a numbered answer of a dialog.
    pub(crate) fn choose(&self, answer: &str) {
        let pattern = format!(r"(\d)\.\s*{answer}\b");
        let numbered = Regex::new(&pattern).expect("the pattern is valid");
        let text = self.text();
        let found = numbered.captures_iter(&text).last();
        let number = found.unwrap_or_else(|| panic!("no {answer:?} to choose in {text}"));
        self.press(&number[1]);
    }

    /// Waits until a text is drawn, and a moment longer: a dialog throws away the keys
    /// that were pressed before it was there.
    pub(crate) fn wait_for(&self, text: &str) {
        let started = Instant::now();
        let wanted = DRAWING.replace_all(text, "").into_owned();
        let drawn = || {
            let drawn = String::from_utf8_lossy(&self.screen()).into_owned();
            DRAWING.replace_all(&drawn, "").contains(&wanted)
        };
        while !drawn() {
            assert!(started.elapsed() < PATIENCE, "{text:?} is not drawn\n{}", self.text());
            thread::sleep(Duration::from_millis(50));
        }
        thread::sleep(Duration::from_millis(500));
    }

    /// Leaves the client in its own way.
    pub(crate) fn leave(mut self) -> Run {
        self.enter("/exit");
        let started = Instant::now();
        while self.child.try_wait().expect("a child").is_none() {
            assert!(started.elapsed() < PATIENCE, "the client does not leave\n{}", self.text());
            thread::sleep(Duration::from_millis(20));
        }
        Run::since(self.agent, self.before, String::new(), self.text())
    }

    /// Presses keys.
    pub(crate) fn press(&self, keys: &str) {
        (&self.keyboard).write_all(keys.as_bytes()).expect("the client reads");
    }

    /// Waits until the turn is over, as the product sees it: what is typed earlier
    /// becomes a part of the same turn.
    fn wait_until_idle(&self) {
        let started = Instant::now();
        let running = |sessions: Value| {
            sessions["sessions"]
                .as_array()
                .is_some_and(|all| all.iter().any(|one| one["state"] == "running"))
        };
        while running(self.agent.mail.ask(&["sessions"])) {
            assert!(started.elapsed() < PATIENCE, "the turn does not end\n{}", self.text());
            thread::sleep(Duration::from_millis(50));
        }
        self.wait_until_quiet();
    }

    /// Waits until nothing has been drawn for a while.
    fn wait_until_quiet(&self) {
        let started = Instant::now();
        let (mut length, mut since) = (0, Instant::now());
        while length == 0 || since.elapsed() < Duration::from_millis(700) {
            assert!(started.elapsed() < PATIENCE, "the screen does not rest\n{}", self.text());
            thread::sleep(Duration::from_millis(20));
            let now = self.screen.lock().unwrap_or_else(PoisonError::into_inner).len();
            if now != length {
                (length, since) = (now, Instant::now());
            }
        }
    }

    fn screen(&self) -> MutexGuard<'_, Vec<u8>> {
        self.screen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was drawn, without the means of drawing it.
    fn text(&self) -> String {
        DRAWING.replace_all(&String::from_utf8_lossy(&self.screen()), " ").into_owned()
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
