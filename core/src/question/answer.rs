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
            let chosen = question.chosen(word).map_err(|what| self.refuse(question, &what))?;
            answer.0.entry(question.id.clone()).or_default().options.push(chosen);
        }
        for text in &given.texts {
            let (question, words) = self.addressed(text, "--text")?;
            let reply = answer.0.entry(question.id.clone()).or_default();
            let fits = question.check_text(words, reply.text.is_some());
            fits.map_err(|what| self.refuse(question, &what))?;
            reply.text = Some(words.to_owned());
        }
        for question in &self.questions {
            if let Some(reply) = answer.0.get_mut(&question.id) {
                question.settle(reply).map_err(|what| self.refuse(question, &what))?;
            }
        }
        if answer.0.is_empty() {
            let allowed: Vec<String> =
                self.questions.iter().map(|question| self.allowed(question)).collect();
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

    /// What a question is called for somebody who answers: its id, if it has others beside it.
    fn called<'a>(&self, question: &'a Question) -> &'a str {
        if self.questions.len() == 1 { "the question" } else { &question.id }
    }

    fn allowed(&self, question: &Question) -> String {
        format!("{} takes {}", self.called(question), question.allowed())
    }

    fn refuse(&self, question: &Question, what: &str) -> Refusal {
        Refusal::usage(format!("{}: {what}", self.called(question)), self.allowed(question))
    }
}

impl Question {
    /// What may be answered, in words.
    fn allowed(&self) -> String {
        let labels: Vec<String> =
            self.options.iter().map(|choice| format!("`{}`", choice.label)).collect();
        let labels = labels.join(", ");
        let choice = match (self.options.is_empty(), self.multi) {
            (true, _) => return "a --text of your own".to_owned(),
            (false, true) => format!("any of {labels}"),
            (false, false) => format!("one of {labels}"),
        };
        choice + if self.free_text { ", or a --text of your own" } else { "" }
    }

    /// The id of what a word chooses.
    fn chosen(&self, word: &str) -> Result<String, String> {
        let by_label = self.options.iter().find(|choice| folded(&choice.label) == folded(word));
        let found = by_label.or_else(|| self.options.iter().find(|choice| choice.id == word));
        found.map(|choice| choice.id.clone()).ok_or_else(|| format!("`{word}` is no option"))
    }

    fn check_text(&self, text: &str, again: bool) -> Result<(), String> {
        if !self.free_text {
            return Err("no text of your own is taken".to_owned());
        }
        if again {
            return Err("one text is taken".to_owned());
        }
        if text.trim().is_empty() || text.len() > LONGEST_TEXT {
            return Err(format!("a text has 1 to {LONGEST_TEXT} bytes"));
        }
        Ok(())
    }

    /// Puts what was chosen into the order of the question, once each.
    fn settle(&self, reply: &mut Reply) -> Result<(), String> {
        let in_order = self.options.iter().filter(|choice| reply.options.contains(&choice.id));
        reply.options = in_order.map(|choice| choice.id.clone()).collect();
        if !self.multi && reply.options.len() > 1 {
            return Err("one option is taken".to_owned());
        }
        Ok(())
    }
}
