//! The JSON documents: one place for the names of their fields.

use mailstop_core::delivery::{Recipient, Report};
use mailstop_core::message::{Disposition, Outcome};
use mailstop_core::store::{AnswerDelivery, Asked, Message, NativeQuestion, Went};
use serde_json::{Value, json};

/// A message without its deliveries.
pub(crate) fn message(message: &Message) -> Value {
    json!({
        "id": message.id,
        "status": message.status.as_str(),
        "sender": message.sender,
        "sent_by": message.sent_by,
        "recipient": message.recipient,
        "kind": message.kind.as_str(),
        "priority": message.priority.as_str(),
        "disposition": message.disposition.map(Disposition::as_str),
        "mode": message.mode.as_str(),
        "subject": message.subject,
        "body": message.body,
        "tags": message.tags,
        "thread": message.thread,
        "reply_to": message.reply_to,
        "about": message.about,
        "correlation": message.correlation,
        "created_at": message.created_at,
        "closed_at": message.closed_at,
        "closed_by": message.closed_by,
        "note": message.note,
        "expires_at": message.expires_at,
        "swept_at": message.swept_at,
    })
}

/// A message with its outcome for one recipient.
pub(crate) fn with_outcome(of: &Message, recipient: &str, outcome: Outcome) -> Value {
    let mut document = message(of);
    document["outcome"] = json!(outcome.as_str());
    document["recipients"] = json!([{ "address": recipient, "outcome": outcome.as_str() }]);
    document
}

/// A message with each of its recipients.
pub(crate) fn report(report: &Report) -> Value {
    let mut document = message(&report.message);
    document["outcome"] = json!(report.outcome.as_str());
    document["recipients"] = report.recipients.iter().map(recipient).collect();
    document
}

/// A question, with its answer and how that gets to who asked.
pub(crate) fn question(asked: &Asked, way: Option<&AnswerDelivery>) -> Value {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    json!({
        "id": asked.id,
        "status": asked.standing.as_str(),
        "sender": asked.asker,
        "recipient": asked.recipient,
        "created_at": asked.created_at,
        "question_set": parsed(&asked.question_set),
        "answer": asked.answer.as_deref().map(parsed),
        "answered_at": asked.answered_at,
        "answered_by": asked.answered_by,
        "answerable": "mailstop",
        "delivery": way.map(way_of_answer),
    })
}

fn way_of_answer(way: &AnswerDelivery) -> Value {
    json!({
        "status": way.progress.as_str(),
        "went": way.went.map(Went::as_str),
        "correlation": way.correlation,
        "digest": way.digest,
        "attempts": way.generation,
        "errors": way.errors,
        "last_error": way.last_error,
        "updated_at": way.updated_at,
    })
}

/// A question that only its client can answer.
pub(crate) fn native_question(native: &NativeQuestion) -> Value {
    json!({
        "id": null,
        "status": "open",
        "sender": native.address,
        "session": native.session,
        "recipient": "user",
        "created_at": native.since,
        "question": native.question,
        "answerable": "client",
    })
}

fn recipient(recipient: &Recipient) -> Value {
    json!({
        "address": recipient.address,
        "session": recipient.session,
        "outcome": recipient.outcome.as_str(),
        "offered_at": recipient.offered_at,
        "event": recipient.event,
        "seen_at": recipient.seen_at,
        "proof": recipient.proof,
        "stalled_at": recipient.stalled_at,
        "attempts": recipient.attempts,
        "last_error": recipient.last_error,
        "dead_at": recipient.dead_at,
        "dropped_at": recipient.dropped_at,
    })
}
