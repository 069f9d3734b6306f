//! Eight processes at once, all the time: two send, five are the hooks of five
//! agents' tool calls, and one resolves what was shown.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::Result;
use crate::input::event;
use crate::process::{MAILSTOP, POST_TOOL_USE, PROMPT, Program, RESOLVE, SESSION_START, STOP};

const AGENTS: usize = 5;
const SENDERS: usize = 2;

/// What came of it.
#[derive(Debug)]
pub(crate) struct Hammered {
    pub(crate) rate: f64,
    pub(crate) sent: usize,
    pub(crate) resolved: usize,
    pub(crate) lost: usize,
    pub(crate) twice: usize,
    pub(crate) errors: usize,
}

#[derive(Debug, Default)]
struct Yard {
    home: PathBuf,
    over: AtomicBool,
    sent: AtomicUsize,
    hooks: AtomicUsize,
    resolved: AtomicUsize,
    errors: AtomicUsize,
    /// How often each message was shown, by the number in its body.
    shown: Mutex<HashMap<usize, usize>>,
    /// The ids that were shown and not yet resolved.
    open: Mutex<VecDeque<String>>,
}

/// Hammers for some seconds, then lets the agents take what is left.
pub(crate) fn run(home: &Path, seconds: u64) -> Result<Hammered> {
    fs::create_dir(home)?;
    fs::write(home.join("nothing"), "")?;
    let yard = Yard { home: home.to_owned(), ..Yard::default() };
    for agent in 0..AGENTS {
        yard.register(agent)?;
    }
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for agent in 0..AGENTS {
            let yard = &yard;
            scope.spawn(move || yard.hammer(|| yard.tool_call(agent)));
        }
        for _ in 0..SENDERS {
            scope.spawn(|| yard.hammer(|| yard.send()));
        }
        scope.spawn(|| yard.hammer(|| yard.resolve()));
        std::thread::sleep(Duration::from_secs(seconds));
        yard.over.store(true, Relaxed);
    });
    let rate = yard.hooks.load(Relaxed) as f64 / begun.elapsed().as_secs_f64();
    for agent in 0..AGENTS {
        yard.drain(agent)?;
    }
    Ok(yard.result(rate))
}

impl Yard {
    fn register(&self, agent: usize) -> Result<()> {
        let hooks = [
            ("SessionStart", SESSION_START),
            ("UserPromptSubmit", PROMPT),
            ("PostToolUse", POST_TOOL_USE),
            ("Stop", STOP),
        ];
        for (name, hook) in hooks {
            let input = self.input(agent, name);
            fs::write(&input, event(&format!("session-{agent}"), name, &self.home))?;
            if matches!(name, "SessionStart" | "UserPromptSubmit") {
                Program::new(hook, &self.home)
                    .variable("MAILSTOP_NAME", &format!("agent{agent}"))
                    .run(&input)?;
            }
        }
        Ok(())
    }

    fn input(&self, agent: usize, name: &str) -> PathBuf {
        self.home.join(format!("{name}-{agent}.json"))
    }

    fn hammer(&self, act: impl Fn() -> Result<()>) {
        while !self.over.load(Relaxed) {
            if let Err(error) = act() {
                eprintln!("{error}");
                self.errors.fetch_add(1, Relaxed);
            }
        }
    }

    fn send(&self) -> Result<()> {
        let number = self.sent.fetch_add(1, Relaxed);
        let to = format!("agent/agent{}", number % AGENTS);
        let body = format!("number {number} is here");
        let words = ["send", "--to", &to, "--subject", "Work", "--body", &body];
        self.command(&Program::new(MAILSTOP, &self.home).words(&words))
    }

    fn resolve(&self) -> Result<()> {
        let id = lock(&self.open).pop_front();
        let Some(id) = id else {
            std::thread::sleep(Duration::from_millis(1));
            return Ok(());
        };
        self.resolved.fetch_add(1, Relaxed);
        self.command(&Program::new(RESOLVE, &self.home).words(&["--id", &id]))
    }

    fn command(&self, program: &Program) -> Result<()> {
        let ran = program.run(&self.home.join("nothing"))?;
        if ran.success { Ok(()) } else { Err(format!("{program:?} failed").into()) }
    }

    fn tool_call(&self, agent: usize) -> Result<()> {
        let ran = Program::new(POST_TOOL_USE, &self.home).run(&self.input(agent, "PostToolUse"))?;
        self.hooks.fetch_add(1, Relaxed);
        self.note(&ran.output);
        Ok(())
    }

    /// Lets an agent stop until nothing holds it any longer.
    fn drain(&self, agent: usize) -> Result<()> {
        loop {
            let before = lock(&self.shown).len();
            self.tool_call(agent)?;
            let stop = Program::new(STOP, &self.home).run(&self.input(agent, "Stop"))?;
            self.note(&stop.output);
            if lock(&self.shown).len() == before {
                return Ok(());
            }
        }
    }

    fn note(&self, output: &str) {
        for piece in output.split("| number ").skip(1) {
            let number = piece.split(' ').next().and_then(|word| word.parse().ok());
            if let Some(number) = number {
                *lock(&self.shown).entry(number).or_default() += 1;
            }
        }
        for piece in output.split("resolve --id ").skip(1) {
            let id: String = piece.chars().take_while(|c| c.is_alphanumeric()).collect();
            lock(&self.open).push_back(id);
        }
    }

    fn result(&self, rate: f64) -> Hammered {
        let shown = lock(&self.shown);
        let sent = self.sent.load(Relaxed);
        let log = fs::read_to_string(self.home.join("errors.log")).unwrap_or_default();
        eprint!("{log}");
        Hammered {
            rate,
            sent,
            resolved: self.resolved.load(Relaxed),
            lost: (0..sent).filter(|number| !shown.contains_key(number)).count(),
            twice: shown.values().filter(|times| **times > 1).count(),
            errors: self.errors.load(Relaxed) + log.lines().count(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
