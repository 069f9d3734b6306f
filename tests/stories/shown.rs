//! What a hook printed, read by the schema of its client and event.

use serde::Deserialize;

/// What a hook printed.
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shown {
    Context(String),
    Block(String),
    User(String),
    Nothing,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ContextOutput {
    #[serde(rename = "hookSpecificOutput")]
    specific: Specific,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Specific {
    #[serde(rename = "hookEventName")]
    event: String,
    #[serde(rename = "additionalContext")]
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockOutput {
    decision: String,
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UserOutput {
    #[serde(rename = "systemMessage")]
    text: String,
}

impl Shown {
    /// Reads an output by the schema of its event; both clients share these.
    pub(crate) fn parse(event: &str, stdout: &[u8]) -> Shown {
        let text = std::str::from_utf8(stdout).expect("UTF-8");
        if text.is_empty() {
            return Shown::Nothing;
        }
        let line = text.strip_suffix('\n').expect("a whole line");
        assert!(!line.contains('\n'), "one line: {text}");
        if let Ok(read) = serde_json::from_str::<UserOutput>(line) {
            assert_ne!(event, "SessionEnd");
            return Shown::User(read.text);
        }
        if event != "Stop" {
            let read: ContextOutput = serde_json::from_str(line).expect(line);
            assert_eq!(read.specific.event, event);
            assert!(!read.specific.text.is_empty());
            return Shown::Context(read.specific.text);
        }
        let read: BlockOutput = serde_json::from_str(line).expect(line);
        assert!(read.decision == "block" && !read.reason.is_empty());
        Shown::Block(read.reason)
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Shown::Context(text) | Shown::Block(text) | Shown::User(text) => text,
            Shown::Nothing => "",
        }
    }

    /// The output in a few words: `block 1 again 2` blocks with 1 in full and 2 as a line.
    pub(crate) fn brief(&self) -> String {
        let mut words = vec![match self {
            Shown::Context(_) => "context".to_owned(),
            Shown::Block(_) => "block".to_owned(),
            Shown::User(_) => "user".to_owned(),
            Shown::Nothing => "nothing".to_owned(),
        }];
        for line in self.text().lines() {
            let id = line.strip_prefix("[<").and_then(|rest| rest.split_once(">]"));
            match id {
                Some((id, rest)) if rest.contains(" — still ") => {
                    words.push(format!("again {id}"));
                }
                Some((id, _)) => words.push(id.to_owned()),
                None if line.contains(" your stop until resolved: ") => {
                    words.push("open".to_owned());
                }
                None => {}
            }
        }
        words.join(" ")
    }
}
