//! What the model received: the only place where a story can see that a text has
//! reached an agent.

use once_cell::sync::Lazy;
use regex::Regex;
use serde_json::Value;

/// One request of a client for the model's next words.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    /// Every text that came since the model's last answer, but for what tools put
    /// out: prompts, contexts and Stop reasons.
    pub news: String,
    /// What the tools called by the last answer put out.
    pub outputs: Vec<String>,
    /// The request as it came.
    pub body: Value,
}

/// The command as the product prints it: an executable, quoted if it has to be,
/// and an id.
static RESOLVE: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"(?:'[^'\n]*resolve'|[^\s'`]*resolve) --id [a-z0-9]+")
        .expect("the pattern is valid")
});

impl Received {
    /// Whether a text is among the news, once or more: a client may print one text
    /// twice in a request.
    pub(crate) fn shows(&self, text: &str) -> bool {
        self.news.contains(text)
    }

    /// Whether a text is anywhere in the request, history included.
    pub(crate) fn remembers(&self, text: &str) -> bool {
        strings(&self.body).iter().any(|part| part.contains(text))
    }

    /// The first `resolve` command among the news.
    pub(crate) fn printed_resolve(&self) -> Option<String> {
        RESOLVE.find(&self.news).map(|found| found.as_str().to_owned())
    }
}

/// Every string inside a JSON value, in order.
pub(crate) fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        Value::Object(fields) => fields.values().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}
