//! A client in a terminal, typed into as a person would.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::agent::Agent;
use super::turn::Run;

/// How long to wait for anything.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a terminal is asked, and what this one answers: the place of its cursor,
/// and what kind it is. Codex does not start without.
const QUERIES: [(&[u8], &[u8]); 2] = [(b"\x1b[6n", b"\x1b[1;1R"), (b"\x1b[c", b"\x1b[?1;2c")];

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
        let terminal = Self {
            agent,
            before,
            child,
            keyboard,
            screen,
        };
        terminal.wait_until_quiet();
        terminal
    }

    /// Types a line, and waits until the client has done what it asked for.
    pub(crate) fn enter(&self, line: &str) {
        self.press(line);
        // A client takes text that comes at once with its end as pasted.
        thread::sleep(Duration::from_millis(300));
        self.press("\r");
        self.wait_until_quiet();
    }

    /// Types a line that the model has to answer, and waits for so many requests.
    pub(crate) fn ask(&self, line: &str, requests: usize) {
        let expected = self.agent.model.requests().len() + requests;
        self.enter(line);
        let started = Instant::now();
        while self.agent.model.requests().len() < expected {
            assert!(
                started.elapsed() < PATIENCE,
                "{line:?} did not bring {requests} requests\n{}",
                self.text()
            );
            thread::sleep(Duration::from_millis(20));
        }
        self.wait_until_quiet();
    }

    /// Leaves the client in its own way.
    pub(crate) fn leave(mut self) -> Run {
        self.enter("/exit");
        let started = Instant::now();
        while self.child.try_wait().expect("a child").is_none() {
            assert!(
                started.elapsed() < PATIENCE,
                "the client does not leave\n{}",
                self.text()
            );
            thread::sleep(Duration::from_millis(20));
        }
        Run::since(self.agent, self.before, String::new(), self.text())
    }

    fn press(&self, keys: &str) {
        (&self.keyboard)
            .write_all(keys.as_bytes())
            .expect("the client reads");
    }

    /// Waits until nothing has been drawn for a while.
    fn wait_until_quiet(&self) {
        let started = Instant::now();
        let (mut length, mut since) = (0, Instant::now());
        while length == 0 || since.elapsed() < Duration::from_millis(700) {
            assert!(
                started.elapsed() < PATIENCE,
                "the screen does not rest\n{}",
                self.text()
            );
            thread::sleep(Duration::from_millis(20));
            let now = self
                .screen
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .len();
            if now != length {
                (length, since) = (now, Instant::now());
            }
        }
    }

    fn text(&self) -> String {
        let screen = self.screen.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&screen).into_owned()
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Starts a command with a terminal of its own, and gives the terminal's other end.
/// It does not control the terminal: that takes unsafe code, and no client needs it.
fn spawn(command: &mut Command) -> io::Result<(Child, File)> {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    let name = ptsname(&ours, Vec::new())?;
    let name = OsStr::from_bytes(name.as_bytes());
    let theirs = File::options().read(true).write(true).open(name)?;
    let size = Winsize {
        ws_row: 40,
        ws_col: 140,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&theirs, size)?;
    command
        .stdin(theirs.try_clone()?)
        .stdout(theirs.try_clone()?)
        .stderr(theirs);
    let child = command.process_group(0).spawn()?;
    Ok((child, File::from(ours)))
}

/// Keeps what is drawn, and answers what the terminal is asked.
fn watch(terminal: &mut File, screen: &Mutex<Vec<u8>>) -> io::Result<()> {
    let mut bytes = [0; 4096];
    loop {
        let length = terminal.read(&mut bytes)?;
        let drawn = &bytes[..length];
        for (query, answer) in QUERIES {
            if drawn.windows(query.len()).any(|part| part == query) {
                terminal.write_all(answer)?;
            }
        }
        screen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend_from_slice(drawn);
    }
}
