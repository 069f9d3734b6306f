//! The domain's words as types: addresses, messages, and what may be said of them.
//!
//! Nothing here knows a clock, a file, SQL or JSON.

use std::fmt;
use std::str::FromStr;

use once_cell::sync::Lazy;
use regex::Regex;

/// Milliseconds since 1970, UTC: the only form in which a time is stored.
pub type Millis = i64;

/// The longest body a message may have, in bytes.
pub const MAX_BODY_BYTES: usize = 1024 * 1024;
/// The longest subject a message may have, in characters.
pub const MAX_SUBJECT_CHARS: usize = 1000;

static NAME: Lazy<Regex> =
    Lazy::new(|| Regex::new(r"^[a-z0-9][a-z0-9._-]{0,47}$").expect("the name grammar compiles"));
/// A kind's grammar, checked by hand: hooks read one with every message they show.
fn is_word(text: &str) -> bool {
    let rest =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
    text.len() <= 32
        && text.bytes().next().is_some_and(|first| first.is_ascii_lowercase())
        && text.bytes().all(rest)
}

/// Declares a closed set of words with their text forms.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        impl $name {
            /// Every word of the set, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The word as it is stored and printed.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.pad(self.as_str()) }
        }

        impl FromStr for $name {
            type Err = Invalid;
            fn from_str(text: &str) -> std::result::Result<Self, Invalid> {
                match text {
                    $($text => Ok($name::$variant),)+
                    other => Err(Invalid {
                        what: $what,
                        text: other.to_owned(),
                        hint: concat!("one of:", $(" ", $text),+).to_owned(),
                    }),
                }
            }
        }
    };
}

pub(crate) use words;

words! {
    /// How hard an actionable message blocks.
    Priority, "priority" {
        /// Blocks once, sorted behind nothing but arrival.
        Low = "low",
        /// Blocks once.
        Normal = "normal",
        /// Blocks until resolved, by default.
        High = "high",
        /// Blocks until resolved, and is shown first.
        Urgent = "urgent",
    }
}

impl Priority {
    /// The place in a listing: urgent first, then high, then all else in order of arrival.
    #[must_use]
    pub const fn rank(self) -> i64 {
        match self {
            Priority::Urgent => 0,
            Priority::High => 1,
            Priority::Normal | Priority::Low => 2,
        }
    }
}

words! {
    /// Whether a message may block a Stop.
    Disposition, "disposition" {
        /// May block.
        Actionable = "actionable",
        /// Never blocks.
        Acknowledgement = "acknowledgement",
    }
}

words! {
    /// The message's own life. Any status but pending never blocks.
    Status, "status" {
        /// Waits to be handled.
        Pending = "pending",
        /// Closed by somebody.
        Resolved = "resolved",
        /// Taken back by its sender.
        Withdrawn = "withdrawn",
        /// Ended by its term.
        Expired = "expired",
    }
}

words! {
    /// How a sender wants the message to reach a busy recipient.
    Mode, "mode" {
        /// At the next tool call, or when the recipient is idle.
        Auto = "auto",
        /// As auto: it may steer the running turn.
        Steer = "steer",
        /// Not before the turn wants to stop.
        Queue = "queue",
        /// Only if it can start a turn of its own.
        Start = "start",
    }
}

words! {
    /// Where one delivery is on its way to one reader. It only moves forward,
    /// but that an offer nobody proved goes back to unread.
    Receipt, "receipt" {
        /// Not shown yet.
        Unread = "unread",
        /// Printed by a hook, not proved.
        Offered = "offered",
        /// Proved to have reached the model, or the person.
        Seen = "seen",
    }
}

words! {
    /// The one truthful answer for a message and a recipient.
    Outcome, "outcome" {
        /// Stored; shown at the recipient's next idle point or start.
        Queued = "queued",
        /// Stored; shown as soon as the recipient's question to its user is settled.
        Deferred = "deferred",
        /// Stored; the next hook event of the running recipient shows it.
        Sent = "sent",
        /// A hook wrote it to the client; nothing proved yet that the model got it.
        Offered = "offered",
        /// Proved that the model got it.
        Seen = "seen",
        /// Seen, still pending, and holding the recipient's Stop.
        Blocking = "blocking",
        /// The recipient stopped without handling it.
        Stalled = "stalled",
        /// Closed.
        Resolved = "resolved",
        /// Taken back.
        Withdrawn = "withdrawn",
        /// Given up: it is not tried again by itself.
        Dead = "dead",
        /// Its term ended first.
        Expired = "expired",
    }
}

words! {
    /// A client whose hooks are known.
    Client, "client" {
        /// Claude Code.
        Claude = "claude",
        /// OpenAI Codex.
        Codex = "codex",
    }
}

/// A word that does not fit its grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// What was expected, such as `address`.
    pub what: &'static str,
    /// What was given.
    pub text: String,
    /// What would be right.
    pub hint: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a valid {}: `{}`", self.what, self.text)
    }
}

impl std::error::Error for Invalid {}

/// An agent's name: lower case, safe in a shell and in a terminal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

impl Name {
    /// The name's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same name with a number behind it, cut so that it stays a name.
    #[must_use]
    pub fn numbered(&self, number: u32) -> Name {
        let tail = format!("-{number}");
        let room = 48 - tail.len();
        Name(format!("{}{tail}", &self.0[..self.0.len().min(room)]))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for Name {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let folded = text.to_lowercase();
        let invalid = |hint: &str| {
            Err(Invalid { what: "agent name", text: text.to_owned(), hint: hint.to_owned() })
        };
        if folded == "user" {
            return invalid("`user` is the person's own address and cannot name an agent");
        }
        if !NAME.is_match(&folded) {
            return invalid("1 to 48 of a-z 0-9 . _ - and a letter or digit first");
        }
        Ok(Name(folded))
    }
}

/// Where a message goes, or comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Address {
    /// `agent/<name>`: whoever holds the name.
    Agent(Name),
    /// `session/<id>`: one conversation.
    Session(String),
    /// `project/<key>`: the sessions of one project. The key is a canonical path.
    Project(String),
    /// `user`: the person.
    User,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Agent(name) => f.pad(&format!("agent/{name}")),
            Address::Session(id) => f.pad(&format!("session/{id}")),
            Address::Project(key) => f.pad(&format!("project/{key}")),
            Address::User => f.pad("user"),
        }
    }
}

impl FromStr for Address {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let invalid = |hint: &str| {
            Err(Invalid { what: "address", text: text.to_owned(), hint: hint.to_owned() })
        };
        if text.chars().any(char::is_control) {
            return invalid("an address has no control characters");
        }
        match text.split_once('/') {
            None if text.eq_ignore_ascii_case("user") => Ok(Address::User),
            None => Ok(Address::Agent(text.parse()?)),
            Some(("agent", name)) => Ok(Address::Agent(name.parse()?)),
            Some(("session", id)) if !id.is_empty() => Ok(Address::Session(id.to_owned())),
            Some(("project", key)) if !key.is_empty() => Ok(Address::Project(key.to_owned())),
            Some(_) => {
                invalid("agent/<name>, session/<id>, project/<folder>, user, or a bare agent name")
            }
        }
    }
}

/// What a message is for. Only the five named kinds have meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind(String);

impl Kind {
    /// The default kind.
    pub const MESSAGE: &'static str = "message";
    /// Asks for an answer; a reply to it is actionable.
    pub const QUESTION: &'static str = "question";
    /// The answer to a question.
    pub const ANSWER: &'static str = "answer";
    /// From the product itself, about another message.
    pub const NOTICE: &'static str = "notice";

    /// The kind's word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The kind of what asks.
    #[must_use]
    pub fn question() -> Kind {
        Kind(Self::QUESTION.to_owned())
    }

    /// The kind of what was answered.
    #[must_use]
    pub fn answer() -> Kind {
        Kind(Self::ANSWER.to_owned())
    }

    /// The kind of the product's own messages to a sender.
    #[must_use]
    pub fn notice() -> Kind {
        Kind(Self::NOTICE.to_owned())
    }
}

impl Default for Kind {
    fn default() -> Self {
        Kind(Self::MESSAGE.to_owned())
    }
}

impl FromStr for Kind {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        if is_word(text) {
            return Ok(Kind(text.to_owned()));
        }
        Err(Invalid {
            what: "kind",
            text: text.to_owned(),
            hint: "message, question, answer, notice, resume, or a short lower-case word"
                .to_owned(),
        })
    }
}

/// The beginning of a subject that is longer than one may be.
#[must_use]
pub fn cut_subject(subject: &str) -> String {
    subject.chars().take(MAX_SUBJECT_CHARS - 1).chain(['…']).collect()
}

/// The subject of a reply: one `Re:`, however deep the thread.
#[must_use]
pub fn reply_subject(parent: &str) -> String {
    let mut rest = parent.trim_start();
    while let Some(head) = rest.get(..3)
        && head.eq_ignore_ascii_case("re:")
    {
        rest = rest[3..].trim_start();
    }
    format!("Re: {rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_round_trip() {
        for text in ["agent/bob", "session/1-2", "project//srv/app", "user"] {
            assert_eq!(text.parse::<Address>().expect(text).to_string(), text);
        }
        assert_eq!("Bob".parse::<Address>().expect("bare").to_string(), "agent/bob");
        for text in
            ["", "bob ", "$TO", "*", "agent/", "session/", "a\u{1b}b", "user/x", "agent/user"]
        {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_long_name_keeps_room_for_its_number() {
        let name: Name = "a".repeat(48).parse().expect("48 letters");
        assert_eq!(name.numbered(2).as_str().len(), 48);
    }

    #[test]
    fn replies_carry_one_re() {
        assert_eq!(reply_subject("hello"), "Re: hello");
        assert_eq!(reply_subject("RE: re: hello"), "Re: hello");
        assert_eq!(reply_subject("é"), "Re: é");
    }
}
