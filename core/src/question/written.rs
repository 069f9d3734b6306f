//! A question and its answer as text.

use super::{Answer, Question, QuestionSet};
use crate::shell;

/// What stands for a question that was left without an answer.
const NO_ANSWER: &str = "No answer";

/// A text in one line, without doubled spaces.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The questions, what can be chosen, and the commands that answer them.
#[must_use]
pub fn question_text(set: &QuestionSet, id: &str, mailstop: &str) -> String {
    let alone = set.questions.len() == 1;
    let asked: Vec<String> = set.questions.iter().map(|one| question(one, alone)).collect();
    let command = |part: String| format!("{mailstop} answer {id}{part}");
    let commands = if let [question] = set.questions.as_slice() {
        parts(question, "").into_iter().map(command).collect::<Vec<_>>().join("\n  ")
    } else {
        let first = |one: &Question| parts(one, &format!("{}=", one.id)).into_iter().next();
        command(set.questions.iter().filter_map(first).collect())
    };
    let how = if alone { "Answer with one of:" } else { "Answer all at once, for example:" };
    let again = if set.questions.iter().any(|question| question.multi) {
        "\n--option may be given again where any can be chosen."
    } else {
        ""
    };
    format!("{}\n\n{how}\n  {commands}{again}", asked.join("\n\n"))
}

fn question(question: &Question, alone: bool) -> String {
    let id = if alone { String::new() } else { format!("{}. ", question.id) };
    let header =
        question.header.as_ref().map_or(String::new(), |text| format!("[{}] ", one_line(text)));
    let mut text = format!("{id}{header}{}", question.prompt.trim());
    for choice in &question.options {
        text.push_str(&format!("\n- {}", one_line(&choice.label)));
        if let Some(description) = &choice.description {
            text.push_str(&format!(": {}", one_line(description)));
        }
    }
    text.push_str(match (question.options.is_empty(), question.multi, question.free_text) {
        (true, _, _) => "\n(in your own words)",
        (false, true, true) => "\n(any of them, or your own words)",
        (false, true, false) => "\n(any of them)",
        (false, false, true) => "\n(one of them, or your own words)",
        (false, false, false) => "\n(one of them)",
    });
    text
}

/// What a command has behind it for each way to answer.
fn parts(question: &Question, prefix: &str) -> Vec<String> {
    let labels = question.options.iter().map(|choice| one_line(&choice.label));
    let option = |label| shell::quote_argument(&format!("{prefix}{label}"));
    let mut parts: Vec<String> =
        labels.map(|label| format!(" --option {}", option(label))).collect();
    if question.free_text {
        parts.push(format!(" --text {prefix}TEXT"));
    }
    parts
}

/// An answer as its asker reads it: a line for each question, labels and not ids.
#[must_use]
pub fn answer_text(set: &QuestionSet, answer: &Answer) -> String {
    let line = |question: &Question| {
        let asked = match &question.header {
            Some(header) => format!("[{}] {}", one_line(header), one_line(&question.prompt)),
            None => one_line(&question.prompt),
        };
        format!("{asked}: {}", answered(question, answer))
    };
    set.questions.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn answered(question: &Question, answer: &Answer) -> String {
    let Some(reply) = answer.0.get(&question.id) else {
        return NO_ANSWER.to_owned();
    };
    let label = |id: &String| {
        let choice = question.options.iter().find(|choice| choice.id == *id);
        choice.map_or_else(|| one_line(id), |choice| one_line(&choice.label))
    };
    let chosen = reply.options.iter().map(label);
    let said: Vec<String> = chosen.chain(reply.text.as_deref().map(one_line)).collect();
    if said.is_empty() { NO_ANSWER.to_owned() } else { said.join(", ") }
}
