//! A JSON document with the place of everything in it, comments and trailing commas
//! allowed. Edits are cut into its text by `splice`, so what is not edited stays.

use std::collections::HashSet;
use std::ops::Range;

use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, ast, parse_to_ast};
use serde::de::IgnoredAny;

use super::comments::blanked;

/// A parsed document.
#[derive(Debug)]
pub(crate) struct Document {
    /// The text, without a byte order mark.
    pub(crate) text: String,
    /// The same text, each comment and trailing comma overwritten with spaces.
    pub(crate) blank: String,
    /// Where the comments are, in order.
    pub(crate) comments: Vec<Range<usize>>,
    /// The outermost value.
    pub(crate) root: Node,
}

/// A value and its place in the text.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) value: Value,
}

/// What a value is, as far as an editor of settings needs to know.
#[derive(Debug)]
pub(crate) enum Value {
    Object(Vec<Member>),
    Array(Vec<Node>),
    String(String),
    /// A number, a boolean or null; kept as text only.
    Other,
}

/// A key and its value.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) key: String,
    /// From the key to the end of the value.
    pub(crate) span: Range<usize>,
    pub(crate) node: Node,
}

impl Document {
    /// Parses a text; the error is the reason, for a person.
    pub(crate) fn parse(text: &str) -> Result<Document, String> {
        let (blank, comments) = blanked(text);
        // The parser below is more lenient than the clients' own. The strict one decides.
        serde_json::from_str::<IgnoredAny>(&blank).map_err(|error| error.to_string())?;
        let strict = ParseOptions {
            allow_comments: false,
            allow_loose_object_property_names: false,
            allow_trailing_commas: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let parsed = parse_to_ast(&blank, &CollectOptions::default(), &strict)
            .map_err(|error| error.to_string())?;
        let root = parsed.value.as_ref().map(node).ok_or("there is no value in it")?;
        Ok(Document { text: text.to_owned(), comments, root, blank })
    }

    /// Whether a client that takes plain JSON only can read it.
    pub(crate) fn is_plain(&self) -> bool {
        self.text == self.blank
    }

    /// Whether a switch at the end of a path of keys is on.
    pub(crate) fn is_on(&self, path: &[&str]) -> bool {
        self.root.at(path).is_some_and(|node| &self.blank[node.span.clone()] == "true")
    }

    /// Whether there is a comment within a span.
    pub(crate) fn has_comment(&self, span: &Range<usize>) -> bool {
        self.comments.iter().any(|comment| span.start <= comment.start && comment.end <= span.end)
    }
}

impl Node {
    /// The members of an object.
    pub(crate) fn members(&self) -> Option<&[Member]> {
        match &self.value {
            Value::Object(members) => Some(members),
            Value::Array(_) | Value::String(_) | Value::Other => None,
        }
    }

    /// The elements of an array.
    pub(crate) fn elements(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Array(elements) => Some(elements),
            Value::Object(_) | Value::String(_) | Value::Other => None,
        }
    }

    /// The text of a string.
    pub(crate) fn string(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            Value::Object(_) | Value::Array(_) | Value::Other => None,
        }
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.members()?.iter().find(|member| member.key == key).map(|member| &member.node)
    }

    /// The value at the end of a path of keys.
    pub(crate) fn at(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// Refuses an object that has a key twice. Clients take the last one, people read
    /// the first one, and an edit would have to guess.
    pub(crate) fn single_keys(&self, place: &str) -> Result<(), String> {
        let mut seen = HashSet::new();
        let mut members = self.members().unwrap_or_default().iter();
        match members.find(|member| !seen.insert(&*member.key)) {
            Some(member) => Err(format!("{place} has the key `{}` twice", member.key)),
            None => Ok(()),
        }
    }

    /// The places of the members or elements.
    pub(crate) fn items(&self) -> Vec<Range<usize>> {
        match &self.value {
            Value::Object(members) => members.iter().map(|member| member.span.clone()).collect(),
            Value::Array(elements) => elements.iter().map(|element| element.span.clone()).collect(),
            Value::String(_) | Value::Other => Vec::new(),
        }
    }
}

fn node(value: &ast::Value) -> Node {
    let range = value.range();
    let inner = match value {
        ast::Value::Object(object) => Value::Object(
            object
                .properties
                .iter()
                .map(|property| Member {
                    key: property.name.as_str().to_owned(),
                    span: property.range.start..property.range.end,
                    node: node(&property.value),
                })
                .collect(),
        ),
        ast::Value::Array(array) => Value::Array(array.elements.iter().map(node).collect()),
        ast::Value::StringLit(string) => Value::String(string.value.to_string()),
        ast::Value::NumberLit(_) | ast::Value::BooleanLit(_) | ast::Value::NullKeyword(_) => {
            Value::Other
        }
    };
    Node { span: range.start..range.end, value: inner }
}
