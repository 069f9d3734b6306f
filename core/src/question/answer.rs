//! What somebody answers, checked against what was asked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Question, QuestionSet, folded};
use crate::refusal::Refusal;

/// The longest text of one's own, in bytes.
const LONGEST_TEXT: usize = 256 * 1024;

/// An answer as it was given: labels or ids, and texts. With several questions each begins
/// with the id of its question and a `=`.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// What was chosen.
    pub options: Vec<String>,
    /// What was said.
    pub texts: Vec<String>,
}

/// A checked answer: by the id of a question, what was answered to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Answer(pub BTreeMap<String, Reply>);

/// What was answered to one question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The ids of what was chosen, in the order of the question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// A text of one's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl QuestionSet {
    /// Checks an answer. Of several questions some may be left without one, but not all.
    ///
    /// # Errors
    /// When it does not fit, telling what is allowed.
    pub fn check_answer(&self, given: &Given) -> Result<Answer, Refusal> {
        let mut answer = Answer::default();
        for text in &given.options {
            let (question, word) = self.addressed(text, "--option")?;
            answer.0.entry(question.id.clone()).or_default().options.push(question.chosen(word)?);
        }
        for text in &given.texts {
            let (question, words) = self.addressed(text, "--text")?;
            let reply = answer.0.entry(question.id.clone()).or_default();
            question.check_text(words, reply.text.is_some())?;
            reply.text = Some(words.to_owned());
        }
        for question in &self.questions {
            if let Some(reply) = answer.0.get_mut(&question.id) {
                question.settle(reply)?;
            }
        }
        if answer.0.is_empty() {
            let allowed: Vec<String> = self.questions.iter().map(Question::allowed).collect();
            return Err(Refusal::usage("the answer is empty", allowed.join("; ")));
        }
        Ok(answer)
    }

    /// The question that a part of an answer is for, and the rest of that part.
    fn addressed<'a>(&self, text: &'a str, flag: &str) -> Result<(&Question, &'a str), Refusal> {
        if let [question] = self.questions.as_slice() {
            return Ok((question, text));
        }
        let found = text.split_once('=').and_then(|(id, rest)| {
            Some((self.questions.iter().find(|question| question.id == id)?, rest))
        });
        found.ok_or_else(|| {
            let ids: Vec<&str> = self.questions.iter().map(|q| q.id.as_str()).collect();
            Refusal::usage(
                format!("`{text}` does not begin with the id of a question"),
                format!("there are several: {flag} QUESTION=…, QUESTION one of {}", ids.join(", ")),
            )
        })
    }
}

impl Question {
    /// What may be answered, in words.
    fn allowed(&self) -> String {
        let labels: Vec<String> =
            self.options.iter().map(|choice| format!("`{}`", choice.label)).collect();
        let labels = labels.join(", ");
        let text = if self.free_text { "a --text of your own" } else { "" };
        let choice = match (self.options.is_empty(), self.multi) {
            (true, _) => return format!("{} takes {text}", self.id),
            (false, true) => format!("any of {labels}"),
            (false, false) => format!("one of {labels}"),
        };
        let or = if self.free_text { ", or " } else { "" };
        format!("{} takes {choice}{or}{text}", self.id)
    }

    fn refuse(&self, what: String) -> Refusal {
        Refusal::usage(what, self.allowed())
    }

    fn chosen(&self, word: &str) -> Result<String, Refusal> {
        let by_label = self.options.iter().find(|choice| folded(&choice.label) == folded(word));
        let found = by_label.or_else(|| self.options.iter().find(|choice| choice.id == word));
        found
            .map(|choice| choice.id.clone())
            .ok_or_else(|| self.refuse(format!("`{word}` is no option of {}", self.id)))
    }

    fn check_text(&self, text: &str, again: bool) -> Result<(), Refusal> {
        let id = &self.id;
        if !self.free_text {
            return Err(self.refuse(format!("{id} takes no text of your own")));
        }
        if again {
            return Err(self.refuse(format!("{id} takes one text")));
        }
        if text.trim().is_empty() || text.len() > LONGEST_TEXT {
            return Err(self.refuse(format!("the text for {id} has 1 to {LONGEST_TEXT} bytes")));
        }
        Ok(())
    }

    /// Puts what was chosen into the order of the question, once each.
    fn settle(&self, reply: &mut Reply) -> Result<(), Refusal> {
        let in_order = self.options.iter().filter(|choice| reply.options.contains(&choice.id));
        reply.options = in_order.map(|choice| choice.id.clone()).collect();
        if !self.multi && reply.options.len() > 1 {
            return Err(self.refuse(format!("{} takes one option", self.id)));
        }
        Ok(())
    }
}
