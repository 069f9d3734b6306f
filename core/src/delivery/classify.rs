//! Which rule gives a message its disposition when its sender declared none.

use std::fmt;
use std::str::FromStr;

use crate::message::{Disposition, Invalid, Status, words};

words! {
    /// A rule of classification; the first that fits decides.
    Rule, "rule" {
        /// It was closed when it came.
        Closed = "closed",
        /// Its subject is `consent_grant`.
        ConsentSubject = "consent_subject",
        /// It is tagged `consent-callback`.
        ConsentTag = "consent_tag",
        /// Its body is a JSON object whose `title` begins with `Consent:`.
        ConsentTitle = "consent_title",
        /// Nothing else fits.
        Actionable = "actionable",
    }
}

impl Rule {
    /// What follows from the rule.
    #[must_use]
    pub const fn disposition(self) -> Disposition {
        match self {
            Rule::Closed | Rule::ConsentSubject | Rule::ConsentTag | Rule::ConsentTitle => {
                Disposition::Acknowledgement
            }
            Rule::Actionable => Disposition::Actionable,
        }
    }
}

/// Classifies a message by what it says.
#[must_use]
pub fn classify(status: Option<Status>, subject: &str, tags: &[String], body: &str) -> Rule {
    if status.is_some_and(|status| status != Status::Pending) {
        Rule::Closed
    } else if subject == "consent_grant" {
        Rule::ConsentSubject
    } else if tags.iter().any(|tag| tag == "consent-callback") {
        Rule::ConsentTag
    } else if has_consent_title(body) {
        Rule::ConsentTitle
    } else {
        Rule::Actionable
    }
}

fn has_consent_title(body: &str) -> bool {
    let title = |value: &serde_json::Value| {
        value.get("title")?.as_str().map(|title| title.starts_with("Consent:"))
    };
    // Most bodies are prose, which need not be parsed to be known as no object.
    body.trim_start().starts_with('{')
        && serde_json::from_str(body).ok().as_ref().and_then(title).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_that_fits_decides() {
        let tags = ["consent-callback".to_owned()];
        let consent = r#" {"title": "Consent: read mail"}"#;
        let is = |status, subject, tags: &[String], body| classify(status, subject, tags, body);
        assert_eq!(is(Some(Status::Resolved), "consent_grant", &tags, consent), Rule::Closed);
        assert_eq!(is(None, "consent_grant", &tags, consent), Rule::ConsentSubject);
        assert_eq!(is(Some(Status::Pending), "x", &tags, consent), Rule::ConsentTag);
        assert_eq!(is(None, "x", &[], consent), Rule::ConsentTitle);
        for body in ["", "{", "[1]", r#"{"title": 5}"#, r#"{"title": "consent: x"}"#] {
            assert_eq!(is(None, "Consent_Grant", &[], body), Rule::Actionable, "{body}");
        }
    }
}
