//! What an answer was when it was given, in 64 letters: a delivery carries them instead of
//! the answer.

use std::fmt::Write;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The schema of what is digested.
const SCHEMA: &str = "mailstop.answer.v1";

/// A document in its one form: the members of objects sorted, absent ones dropped, nothing
/// between the tokens.
#[must_use]
pub fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> =
                members.iter().filter(|(_, member)| !member.is_null()).collect();
            members.sort_by_key(|(name, _)| *name);
            list(text, ['{', '}'], members, |(name, member), text| {
                let _ = write!(text, "{}:", Value::from(name.as_str()));
                write(member, text);
            });
        }
        Value::Array(items) => list(text, ['[', ']'], items, write),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let _ = write!(text, "{value}");
        }
    }
}

fn list<T>(
    text: &mut String,
    [open, close]: [char; 2],
    items: impl IntoIterator<Item = T>,
    mut one: impl FnMut(T, &mut String),
) {
    text.push(open);
    for (place, item) in items.into_iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        one(item, text);
    }
    text.push(close);
}

/// The SHA-256, in lower-case hex, of a question with its answer. Both are the JSON that is
/// stored; none when either is not JSON.
#[must_use]
pub fn digest(question: &str, question_set: &str, answer: &str) -> Option<String> {
    let document = json!({
        "schema": SCHEMA,
        "question": question,
        "question_set": serde_json::from_str::<Value>(question_set).ok()?,
        "answer": serde_json::from_str::<Value>(answer).ok()?,
    });
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(canonical(&document)) {
        let _ = write!(hex, "{byte:02x}");
    }
    Some(hex)
}
