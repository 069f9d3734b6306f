//! Skims one JSON object as it streams by, keeping the few short members that a
//! hook needs and none of the rest: a tool's output may be 50 MiB, broken Unicode,
//! or nested without end, and none of that concerns us.

use std::hash::Hasher;

use memchr::memchr2;

/// The members that are kept.
const WANTED: [&str; 23] = [
    "session_id",
    "transcript_path",
    "cwd",
    "hook_event_name",
    "source",
    "reason",
    "agent_id",
    "tool_use_id",
    "tool_name",
    TOOL_INPUT,
    "mcp_server_name",
    "elicitation_id",
    "message",
    "notification_type",
    "duration_ms",
    "permission_mode",
    "turn_id",
    "prompt_id",
    "model",
    "cursor_version",
    "conversation_id",
    "sessionId",
    "timestamp",
];

/// The one member that is kept whatever is nested in it, or the beginning of it.
const TOOL_INPUT: &str = "tool_input";

/// A longer member is skipped: no id and no path is.
const LONGEST: usize = 16 * 1024;

/// The members that were kept, as they stood.
#[derive(Debug, Default)]
pub struct Fields {
    members: Vec<(&'static str, Vec<u8>)>,
    /// The whole length of the tool's input, without the space between its parts.
    input_length: usize,
}

impl Fields {
    fn raw(&self, name: &str) -> Option<&[u8]> {
        // Of a member given twice the last one counts, as in the clients themselves.
        let found = self.members.iter().rev().find(|(member, _)| *member == name);
        found.map(|(_, raw)| raw.as_slice()).filter(|raw| *raw != b"null")
    }

    /// Whether a member is there and not null.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.raw(name).is_some()
    }

    /// A member that is text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(&String::from_utf8_lossy(self.raw(name)?)).ok()
    }

    /// A member that is a whole number.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<i64> {
        let number: f64 = serde_json::from_slice(self.raw(name)?).ok()?;
        #[allow(clippy::cast_possible_truncation)]
        number.is_finite().then_some(number as i64)
    }

    /// A digest of the tool's input, to know a call by that its client gives no id.
    #[must_use]
    pub fn input_digest(&self) -> Option<i64> {
        let mut hasher = fnv::FnvHasher::default();
        hasher.write(self.raw(TOOL_INPUT)?);
        hasher.write_usize(self.input_length);
        Some(hasher.finish().cast_signed())
    }

    /// The tool's input, if all of it was kept.
    #[must_use]
    pub fn input(&self) -> Option<serde_json::Value> {
        serde_json::from_slice(self.raw(TOOL_INPUT)?).ok()
    }
}

/// What is expected next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The object's opening brace, behind a byte order mark and white space.
    Before,
    /// A member's name, or the end.
    Name,
    /// A member's value.
    Value,
    /// The object is complete, or what came was none.
    After,
}

/// Reads an object piece by piece.
#[derive(Debug)]
pub struct Skimmer {
    place: Place,
    depth: u64,
    in_string: bool,
    escaped: bool,
    /// The text of the current name or value, while it is wanted.
    current: Vec<u8>,
    wanted: Option<&'static str>,
    fields: Fields,
    broken: bool,
}

impl Default for Skimmer {
    fn default() -> Self {
        Skimmer {
            place: Place::Before,
            depth: 0,
            in_string: false,
            escaped: false,
            current: Vec::new(),
            wanted: None,
            fields: Fields::default(),
            broken: false,
        }
    }
}

impl Skimmer {
    /// Whether the object is complete; what follows does not count. What is no object
    /// never is: its writer is heard out, so that its end of the pipe does not break.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.place == Place::After && !self.broken
    }

    /// Whether the object may still go on.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.place != Place::After
    }

    /// The members, if a complete object was read.
    #[must_use]
    pub fn finish(self) -> Option<Fields> {
        self.is_done().then_some(self.fields)
    }

    /// Reads the next piece.
    pub fn feed(&mut self, mut piece: &[u8]) {
        while let Some((&byte, rest)) = piece.split_first() {
            if self.place == Place::After {
                return;
            }
            if self.in_string {
                piece = self.string(piece);
            } else {
                self.outside(byte);
                piece = rest;
            }
        }
    }

    fn is_input(&self) -> bool {
        self.wanted == Some(TOOL_INPUT)
    }

    fn keeps(&self) -> bool {
        self.is_input() || (self.depth == 1 && (self.place == Place::Name || self.wanted.is_some()))
    }

    fn keep(&mut self, bytes: &[u8]) {
        if !self.keeps() {
            return;
        }
        if self.is_input() {
            self.fields.input_length += bytes.len();
            let room = LONGEST - self.current.len();
            self.current.extend_from_slice(&bytes[..bytes.len().min(room)]);
            return;
        }
        if self.current.len() + bytes.len() > LONGEST {
            self.wanted = None;
            self.current.clear();
        } else {
            self.current.extend_from_slice(bytes);
        }
    }

    /// Takes from the piece what belongs to the current string; returns the rest.
    fn string<'a>(&mut self, piece: &'a [u8]) -> &'a [u8] {
        if self.escaped {
            self.escaped = false;
            self.keep(&piece[..1]);
            return &piece[1..];
        }
        let Some(stop) = memchr2(b'"', b'\\', piece) else {
            self.keep(piece);
            return &[];
        };
        self.keep(&piece[..=stop]);
        if piece[stop] == b'\\' {
            self.escaped = true;
        } else {
            self.in_string = false;
        }
        &piece[stop + 1..]
    }

    fn outside(&mut self, byte: u8) {
        match (self.place, byte) {
            (Place::Before, b'{') => {
                self.place = Place::Name;
                self.depth = 1;
            }
            // A byte order mark stands before some clients' objects on Windows.
            (Place::Before, b' ' | b'\t' | b'\r' | b'\n' | 0xef | 0xbb | 0xbf) => {}
            (Place::Before, _) => {
                self.broken = true;
                self.place = Place::After;
            }
            (_, b'"') => {
                self.in_string = true;
                self.keep(b"\"");
            }
            (_, b'{' | b'[') => {
                if self.is_input() {
                    self.keep(&[byte]);
                } else {
                    self.wanted = None;
                }
                self.depth += 1;
            }
            (_, b'}' | b']') => self.close(byte),
            (Place::Name, b':') if self.depth == 1 => self.name_ended(),
            (Place::Value, b',') if self.depth == 1 => self.value_ended(),
            (Place::Value, _) if !byte.is_ascii_whitespace() => self.keep(&[byte]),
            _ => {}
        }
    }

    fn close(&mut self, byte: u8) {
        self.depth -= 1;
        if self.depth > 0 && self.is_input() {
            self.keep(&[byte]);
        }
        if self.depth == 0 {
            if self.place == Place::Value {
                self.value_ended();
            }
            self.place = Place::After;
        }
    }

    fn name_ended(&mut self) {
        let name = self.current.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\""));
        self.wanted = WANTED.into_iter().find(|wanted| name == Some(wanted.as_bytes()));
        self.current.clear();
        if self.is_input() {
            self.fields.input_length = 0;
        }
        self.place = Place::Value;
    }

    fn value_ended(&mut self) {
        let value = std::mem::take(&mut self.current);
        if let Some(name) = self.wanted.take()
            && !value.is_empty()
        {
            self.fields.members.push((name, value));
        }
        self.place = Place::Name;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skim(text: &[u8]) -> Option<Fields> {
        let mut whole = Skimmer::default();
        whole.feed(text);
        let mut bytewise = Skimmer::default();
        text.chunks(1).for_each(|piece| bytewise.feed(piece));
        let (whole, bytewise) = (whole.finish(), bytewise.finish());
        assert_eq!(
            whole.as_ref().map(|fields| &fields.members),
            bytewise.as_ref().map(|fields| &fields.members)
        );
        whole
    }

    #[test]
    fn members_are_found_whatever_stands_between() {
        let text = "\u{feff} {\"tool_response\":{\"session_id\":\"no\",\"a\":[1e400,\"\\ud83d\\\"]\"]},\
                    \"session_id\" : \"s\\u00e9\" ,\"agent_id\":null,\"duration_ms\":12.0} trailing";
        let fields = skim(text.as_bytes()).expect("an object");
        assert_eq!(fields.text("session_id").as_deref(), Some("sé"));
        assert_eq!(fields.number("duration_ms"), Some(12));
        assert!(!fields.has("agent_id"));
    }

    /// B36.
    #[test]
    fn broken_unicode_and_depth_do_not_hide_a_member() {
        let mut text = b"{\"x\":\"\xff\\ud83d\\u0000\",\"deep\":".to_vec();
        text.extend(vec![b'['; 5000]);
        text.extend(vec![b']'; 5000]);
        text.extend(b",\"cwd\":\"/a\",\"cwd\":\"/b\"}");
        assert_eq!(skim(&text).and_then(|fields| fields.text("cwd")).as_deref(), Some("/b"));
    }

    #[test]
    fn a_tools_input_is_kept_with_what_is_nested_in_it() {
        let text = br#"{"tool_input": {"q": [ {"a": "b }"}, 1 ] }, "tool_name": "Ask"}"#;
        let fields = skim(text).expect("an object");
        let input = serde_json::json!({ "q": [{ "a": "b }" }, 1] });
        assert_eq!((fields.input(), fields.text("tool_name")), (Some(input), Some("Ask".into())));
        let long = |end: char| format!("{{\"tool_input\":\"{}{end}\"}}", "x".repeat(LONGEST));
        let digest = |text: String| skim(text.as_bytes()).and_then(|fields| fields.input_digest());
        assert_eq!(digest(long('a')), digest(long('b')), "only the beginning counts");
        assert_ne!(digest(long('a')), digest(long('a').replacen('x', "xx", 1)), "and the length");
    }

    #[test]
    fn what_is_no_complete_object_is_nothing() {
        for text in ["", "[]", "null", "{", "{\"session_id\":\"s\"", "x{}", "\"{}\""] {
            assert!(skim(text.as_bytes()).is_none(), "{text}");
        }
        let long = format!("{{\"cwd\":\"{}\",\"source\":\"clear\"}}", "x".repeat(LONGEST));
        let fields = skim(long.as_bytes()).expect("an object");
        assert!(!fields.has("cwd") && fields.has("source"));
    }
}
