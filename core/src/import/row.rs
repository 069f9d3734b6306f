//! One row of work-buddy as a message of ours. Pure: it knows no store and no clock.

use super::odd::Odd;
use super::times;
use crate::delivery::{Rule, classify};
use crate::message::{Disposition, Kind, MAX_SUBJECT_CHARS, Millis, Priority, Status, cut_subject};
use crate::store::OldMessage;

/// Where a message goes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum To {
    /// The project whose folder has this name.
    Folder(String),
    /// One session.
    Session(String),
    /// The person.
    User,
}

/// A message of ours, made of what a row says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Converted {
    /// What it is known by there.
    pub(super) alias: String,
    /// The folder, or program, it speaks for.
    pub(super) sender: String,
    /// The session that sent it.
    pub(super) sender_session: Option<String>,
    pub(super) to: To,
    pub(super) kind: Kind,
    pub(super) priority: Priority,
    pub(super) disposition: Disposition,
    /// The rule that classified it, where it had no disposition.
    pub(super) rule: Option<Rule>,
    pub(super) status: Status,
    /// When it was closed, if it was.
    pub(super) closed_at: Option<Millis>,
    pub(super) note: Option<String>,
    pub(super) subject: String,
    pub(super) body: String,
    pub(super) tags: Vec<String>,
    pub(super) thread: Option<String>,
    pub(super) answers: Option<String>,
    pub(super) created_at: Millis,
    pub(super) odd: Vec<Odd>,
}

/// Converts a row, or nothing when it says nothing. `now` stands for times that are not
/// there, `term` is how long an acknowledgement may wait.
pub(super) fn convert(old: &OldMessage, now: Millis, term: Option<Millis>) -> Option<Converted> {
    let empty = |text: &Option<String>| text.as_deref().is_none_or(|text| text.trim().is_empty());
    if empty(&old.sender) && empty(&old.subject) && empty(&old.body) {
        return None;
    }
    let mut odd = Vec::new();
    if old.held_no_text {
        odd.push(Odd::Text);
    }
    let alias = alias(old, &mut odd);
    let sender = sender(old, &mut odd);
    let to = recipient(old, &mut odd);
    let (subject, body) = text(old, &mut odd);
    let tags = tags(old.tags.as_deref(), &mut odd);
    let (mut status, note) = status(old.status.as_deref(), &mut odd);
    let (disposition, rule) =
        disposition(old.disposition.as_deref(), status, (&subject, &tags, &body), &mut odd);
    let created_at = created_at(old, now, &mut odd);
    let mut closed_at = (status != Status::Pending).then(|| closed_at(old, created_at));
    if let Some(end) = term.map(|term| created_at.saturating_add(term))
        && status == Status::Pending
        && disposition == Disposition::Acknowledgement
        && end <= now
    {
        (status, closed_at) = (Status::Expired, Some(end));
    }
    Some(Converted {
        alias,
        sender,
        sender_session: filled(old.sender_session.as_deref()),
        to,
        kind: kind(old.kind.as_deref(), &mut odd),
        priority: priority(old.priority.as_deref(), &mut odd),
        disposition,
        rule,
        status,
        closed_at,
        note,
        subject,
        body,
        tags,
        thread: filled(old.thread.as_deref()),
        answers: filled(old.in_reply_to.as_deref()),
        created_at,
        odd,
    })
}

fn filled(text: Option<&str>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

/// The id; a row without one is known by all it says, so that it comes only once.
fn alias(old: &OldMessage, odd: &mut Vec<Odd>) -> String {
    use std::hash::Hasher;
    if let Some(id) = filled(old.id.as_deref()) {
        if id.contains('/') {
            odd.push(Odd::Slash);
        }
        return id;
    }
    odd.push(Odd::NoId);
    let said = [&old.created_at, &old.sender, &old.recipient, &old.subject, &old.body];
    let mut digest = fnv::FnvHasher::default();
    for text in said {
        digest.write(text.as_deref().unwrap_or_default().as_bytes());
        digest.write_u8(0xff);
    }
    format!("no-id-{:016x}", digest.finish())
}

/// A name of a folder or program as a part of an address, which has no control characters.
fn plain(name: &str) -> String {
    name.trim().replace(char::is_control, "?")
}

fn sender(old: &OldMessage, odd: &mut Vec<Odd>) -> String {
    match filled(old.sender.as_deref()) {
        Some(name) => plain(&name),
        None => {
            odd.push(Odd::NoSender);
            "unknown".to_owned()
        }
    }
}

/// A message for one session is that session's, whichever project it names.
fn recipient(old: &OldMessage, odd: &mut Vec<Odd>) -> To {
    if let Some(session) = filled(old.recipient_session.as_deref()) {
        return To::Session(plain(&session));
    }
    let Some(name) = filled(old.recipient.as_deref()) else {
        odd.push(Odd::NoRecipient);
        return To::User;
    };
    if name.contains('/') || name.contains(char::is_control) {
        odd.push(Odd::Recipient);
    }
    To::Folder(plain(&name))
}

fn text(old: &OldMessage, odd: &mut Vec<Odd>) -> (String, String) {
    let subject = old.subject.clone().unwrap_or_default();
    let body = old.body.clone().unwrap_or_default();
    if old.subject.is_none() {
        odd.push(Odd::NoSubject);
    }
    if subject.chars().count() <= MAX_SUBJECT_CHARS {
        return (subject, body);
    }
    odd.push(Odd::Subject);
    let whole = if body.is_empty() { subject.clone() } else { format!("{subject}\n\n{body}") };
    (cut_subject(&subject), whole)
}

fn tags(text: Option<&str>, odd: &mut Vec<Odd>) -> Vec<String> {
    let Some(text) = filled(text) else {
        return Vec::new();
    };
    if let Ok(tags) = serde_json::from_str(&text) {
        return tags;
    }
    odd.push(Odd::Tags);
    match serde_json::from_str(&text) {
        Ok(serde_json::Value::String(tag)) => vec![tag],
        Ok(serde_json::Value::Array(tags)) => tags.iter().map(ToString::to_string).collect(),
        Ok(_) | Err(_) => vec![text],
    }
}

/// Only `pending` ever waited there; every other word was an end.
fn status(word: Option<&str>, odd: &mut Vec<Odd>) -> (Status, Option<String>) {
    match filled(word).as_deref() {
        None => {
            odd.push(Odd::NoStatus);
            (Status::Pending, None)
        }
        Some("pending") => (Status::Pending, None),
        Some("resolved" | "read") => (Status::Resolved, None),
        Some(other) => {
            odd.push(Odd::Status);
            (Status::Resolved, Some(other.to_owned()))
        }
    }
}

fn disposition(
    word: Option<&str>,
    status: Status,
    (subject, tags, body): (&str, &[String], &str),
    odd: &mut Vec<Odd>,
) -> (Disposition, Option<Rule>) {
    match filled(word).as_deref().map(str::parse) {
        None => {
            let rule = classify(Some(status), subject, tags, body);
            (rule.disposition(), Some(rule))
        }
        Some(Ok(known)) => (known, None),
        Some(Err(_)) => {
            odd.push(Odd::Disposition);
            (Disposition::Actionable, None)
        }
    }
}

fn priority(word: Option<&str>, odd: &mut Vec<Odd>) -> Priority {
    match filled(word).map(|word| word.parse()) {
        Some(Ok(known)) => known,
        None | Some(Err(_)) => {
            odd.push(Odd::Priority);
            Priority::Normal
        }
    }
}

/// A type as a kind: `bus.event` is `bus-event`.
fn kind(word: Option<&str>, odd: &mut Vec<Odd>) -> Kind {
    let word = word.unwrap_or_default().trim().to_lowercase();
    let spelt: String = word
        .chars()
        .map(|c| if c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' { c } else { '-' })
        .take(32)
        .collect();
    spelt.parse().unwrap_or_else(|_| {
        odd.push(Odd::Kind);
        Kind::default()
    })
}

fn created_at(old: &OldMessage, now: Millis, odd: &mut Vec<Odd>) -> Millis {
    let said = old.created_at.as_deref().and_then(times::parse);
    if said.is_none() {
        odd.push(Odd::Time);
    }
    said.or_else(|| old.id.as_deref().and_then(times::of_id))
        .or_else(|| old.updated_at.as_deref().and_then(times::parse))
        .unwrap_or(now)
}

fn closed_at(old: &OldMessage, created_at: Millis) -> Millis {
    old.updated_at.as_deref().and_then(times::parse).map_or(created_at, |at| at.max(created_at))
}
