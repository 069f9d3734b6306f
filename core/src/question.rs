//! Questions and their answers: what may be asked, what may be answered, and both as text.
//! Pure; it knows no clock, no file and no SQL.

mod answer;
mod digest;
mod written;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

pub use answer::{Answer, Given, Reply};
pub use digest::{canonical, digest};
pub use written::{answer_text, one_line, question_text};

/// The schema of a question set in JSON.
pub const SCHEMA: &str = "mailstop.question_set.v1";
/// More than anybody reads at once.
const MOST: usize = 20;
/// The longest prompt, in characters.
const LONGEST_PROMPT: usize = 8000;
/// The longest header, label or description, in characters.
const LONGEST_WORD: usize = 200;

/// What is asked at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionSet {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// The questions, in the order to ask them.
    pub questions: Vec<Question>,
}

/// One question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// What an answer calls it; left out it is `q1`, `q2` and so on.
    #[serde(default)]
    pub id: String,
    /// What it is about, in a word or two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// The question itself.
    pub prompt: String,
    /// What can be chosen.
    #[serde(default)]
    pub options: Vec<Choice>,
    /// Whether more than one can be chosen.
    #[serde(default)]
    pub multi: bool,
    /// Whether a text of one's own is an answer; always so where nothing can be chosen.
    #[serde(default)]
    pub free_text: bool,
}

/// What can be chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// What an answer is stored as; left out it is `o1`, `o2` and so on.
    #[serde(default)]
    pub id: String,
    /// What a person or an agent chooses by.
    pub label: String,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl QuestionSet {
    /// A set of one question.
    ///
    /// # Errors
    /// When the question makes no sense.
    pub fn of_one(question: Question) -> Result<QuestionSet, Refusal> {
        QuestionSet { schema: SCHEMA.to_owned(), questions: vec![question] }.checked()
    }

    /// Reads a question set as somebody wrote it.
    ///
    /// # Errors
    /// When it is not one, telling where and why.
    pub fn parse(json: &str) -> Result<QuestionSet, Refusal> {
        let set: QuestionSet = serde_json::from_str(json)
            .map_err(|error| invalid(&format!("not a question set: {error}")))?;
        if set.schema != SCHEMA {
            return Err(invalid(&format!("unknown schema `{}`", set.schema)));
        }
        set.checked()
    }

    /// Reads a question set as it was stored.
    #[must_use]
    pub fn stored(json: &str) -> Option<QuestionSet> {
        serde_json::from_str(json).ok()
    }

    /// Names what has no id, and checks the whole.
    fn checked(mut self) -> Result<QuestionSet, Refusal> {
        if self.questions.is_empty() || self.questions.len() > MOST {
            return Err(invalid(&format!("a question set has 1 to {MOST} questions")));
        }
        for (place, question) in self.questions.iter_mut().enumerate() {
            name(&mut question.id, 'q', place);
            for (place, choice) in question.options.iter_mut().enumerate() {
                name(&mut choice.id, 'o', place);
            }
            question.free_text |= question.options.is_empty();
            question.check()?;
        }
        let ids = self.questions.iter().map(|question| question.id.as_str());
        match repeated(ids) {
            Some(id) => Err(invalid(&format!("two questions are called `{id}`"))),
            None => Ok(self),
        }
    }
}

impl Question {
    fn check(&self) -> Result<(), Refusal> {
        let id = &self.id;
        let complain = |what: &str| Err(invalid(&format!("question `{id}`: {what}")));
        if !is_id(id) {
            return complain("an id is 1 to 40 of a-z A-Z 0-9 . _ -");
        }
        if self.prompt.trim().is_empty() || self.prompt.chars().count() > LONGEST_PROMPT {
            return complain(&format!("the prompt has 1 to {LONGEST_PROMPT} characters"));
        }
        if self.header.as_ref().is_some_and(|header| !is_word(header)) {
            return complain(&format!("a header has 1 to {LONGEST_WORD} characters"));
        }
        if self.options.len() > MOST {
            return complain(&format!("at most {MOST} options"));
        }
        if self.multi && self.options.is_empty() {
            return complain("`multi` needs options");
        }
        for choice in &self.options {
            let described = choice.description.as_ref();
            if !is_id(&choice.id) {
                return complain("the id of an option is 1 to 40 of a-z A-Z 0-9 . _ -");
            }
            if !is_word(&choice.label) || described.is_some_and(|text| !is_word(text)) {
                let limit = LONGEST_WORD;
                return complain(&format!("a label or description has 1 to {limit} characters"));
            }
        }
        let labels: Vec<String> = self.options.iter().map(|choice| folded(&choice.label)).collect();
        if let Some(label) = repeated(labels.iter().map(String::as_str)) {
            return complain(&format!("two options are called `{label}`"));
        }
        match repeated(self.options.iter().map(|choice| choice.id.as_str())) {
            Some(id) => complain(&format!("two options have the id `{id}`")),
            None => Ok(()),
        }
    }
}

fn name(id: &mut String, letter: char, place: usize) {
    if id.is_empty() {
        *id = format!("{letter}{}", place + 1);
    }
}

fn is_id(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=40).contains(&text.len()) && text.bytes().all(plain)
}

fn is_word(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().count() <= LONGEST_WORD
}

/// Text as two of it are compared: in one line, without regard to case.
fn folded(text: &str) -> String {
    one_line(text).to_lowercase()
}

fn repeated<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut met = HashSet::new();
    words.find(|word| !met.insert(*word))
}

fn invalid(what: &str) -> Refusal {
    Refusal::usage(
        what,
        format!(
            "see `mailstop ask --help`; the schema is {SCHEMA}: questions with id, header, prompt, options (id, label, description), multi and free_text"
        ),
    )
}

#[cfg(test)]
mod tests;
