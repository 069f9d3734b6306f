//! The sender's side of a story: the real `mailstop`, outside of any client.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::home::Home;
use super::process;

/// The mailbox of one scratch home. A copy of it can go into a step of a script,
/// to send mail in the middle of a turn.
#[derive(Clone)]
pub(crate) struct Mailbox {
    mailstop: PathBuf,
    home: PathBuf,
}

impl Mailbox {
    pub(crate) fn of(home: &Home) -> Self {
        let (mailstop, home) = (home.mailstop(), home.path().to_owned());
        Self { mailstop, home }
    }

    /// Sends a message with this subject to an address, and gives its id.
    pub(crate) fn send(&self, to: &str, subject: &str, options: &[&str]) -> String {
        let base = [
            "send",
            "--to",
            to,
            "--subject",
            subject,
            "--body",
            "See the subject.",
            "--allow-unknown",
        ];
        let answer = self.ask(&[&base, options].concat());
        answer["id"].as_str().expect("send tells the id").to_owned()
    }

    /// What became of the message with a subject, in the product's own word.
    pub(crate) fn outcome(&self, subject: &str) -> String {
        let answer = self.ask(&["status", &self.id(subject)]);
        answer["outcome"].as_str().expect("status tells the outcome").to_owned()
    }

    /// The id of the message with a subject.
    pub(crate) fn id(&self, subject: &str) -> String {
        let mail = self.ask(&["inbox", "--all"]);
        let messages = mail["messages"].as_array().expect("inbox lists messages");
        let found = messages.iter().find(|message| message["subject"] == subject);
        let id = found.and_then(|message| message["id"].as_str());
        id.unwrap_or_else(|| panic!("no message called {subject:?} in {mail:#}")).to_owned()
    }

    /// The subjects of everything in one mailbox.
    pub(crate) fn subjects(&self, address: &str) -> Vec<String> {
        let mail = self.ask(&["inbox", "--all", "--for", address]);
        let messages = mail["messages"].as_array().expect("inbox lists messages");
        let subject = |message: &Value| message["subject"].as_str().unwrap_or_default().to_owned();
        messages.iter().map(subject).collect()
    }

    /// Runs `mailstop ARGUMENTS --json` and gives what it answered.
    pub(crate) fn ask(&self, arguments: &[&str]) -> Value {
        let done = self.run(arguments);
        assert!(done.status.success(), "mailstop {arguments:?}: {}{}", done.stdout, done.stderr);
        serde_json::from_str(&done.stdout).expect("mailstop answers in JSON")
    }

    /// Runs what is refused, and gives the exit code and the reason.
    pub(crate) fn refused(&self, arguments: &[&str]) -> (i32, String) {
        let done = self.run(arguments);
        let answer: Value = serde_json::from_str(&done.stdout).expect("mailstop answers in JSON");
        let code = answer["error"]["code"].as_str().unwrap_or_default().to_owned();
        (done.status.code().unwrap_or(-1), code)
    }

    fn run(&self, arguments: &[&str]) -> process::Finished {
        let mut command = Command::new(&self.mailstop);
        command.args(arguments).arg("--json").env_clear().env("HOME", &self.home);
        process::run(&mut command, "", Duration::from_secs(20)).expect("mailstop runs")
    }
}
