//! How a document is laid out, and new values in that layout.

use serde_json::Value;

use super::json::Document;

/// How a document is laid out.
pub(crate) struct Layout {
    pub(crate) newline: &'static str,
    /// One step of indentation.
    pub(crate) unit: String,
    /// Everything on one line.
    pub(crate) flat: bool,
    /// Spaces after colons and commas.
    pub(crate) spaced: bool,
}

/// The layout that a document has.
pub(crate) fn layout(document: &Document) -> Layout {
    let (text, root) = (&document.text, &document.root);
    let first = root.items().first().cloned();
    let before_first = first.clone().map_or("\n", |first| &text[root.span.start..first.start]);
    let unit = first.and_then(|first| own_indent(text, first.start)).map(|indent| {
        let outer = indent_of(text, root.span.start);
        indent.strip_prefix(&outer).map_or(indent.clone(), str::to_owned)
    });
    let flat = !before_first.contains(['\n', '\r']);
    Layout {
        newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
        unit: unit.filter(|unit| !unit.is_empty()).unwrap_or_else(|| "  ".to_owned()),
        flat,
        spaced: !flat || document.blank.contains("\": ") || document.blank.contains(", "),
    }
}

/// A value as text; without an indent on one line.
pub(crate) fn written(value: &Value, layout: &Layout, indent: Option<&str>) -> String {
    let flat = indent.filter(|_| !layout.flat && !is_short(value)).is_none();
    let outer = indent.unwrap_or_default();
    let inner = format!("{outer}{}", layout.unit);
    let (before, between, after) = match (flat, layout.spaced) {
        (true, true) => (String::new(), ", ".to_owned(), String::new()),
        (true, false) => (String::new(), ",".to_owned(), String::new()),
        (false, _) => {
            let line = format!("{}{inner}", layout.newline);
            (line.clone(), format!(",{line}"), format!("{}{outer}", layout.newline))
        }
    };
    let next = (!flat).then_some(&*inner);
    let (open, parts, close): (_, Vec<String>, _) = match value {
        Value::Array(items) if !items.is_empty() => {
            ('[', items.iter().map(|item| written(item, layout, next)).collect(), ']')
        }
        Value::Object(members) if !members.is_empty() => {
            let colon = if layout.spaced { ": " } else { ":" };
            let member = |(key, value): (&String, &Value)| {
                format!("{}{colon}{}", Value::from(key.as_str()), written(value, layout, next))
            };
            ('{', members.iter().map(member).collect(), '}')
        }
        _ => return value.to_string(),
    };
    format!("{open}{before}{}{after}{close}", parts.join(&between))
}

/// A list of a few words reads best on one line.
fn is_short(value: &Value) -> bool {
    value.as_array().is_some_and(|items| {
        items.iter().all(|item| !item.is_array() && !item.is_object())
            && value.to_string().len() <= 40
    })
}

/// The white space that begins the line of a place.
pub(crate) fn indent_of(text: &str, at: usize) -> String {
    let line = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    text[line..at].chars().take_while(|c| [' ', '\t'].contains(c)).collect()
}

/// The white space before a place that is the first on its line.
pub(crate) fn own_indent(text: &str, at: usize) -> Option<String> {
    let line = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let indent = &text[line..at];
    indent.chars().all(|c| [' ', '\t'].contains(&c)).then(|| indent.to_owned())
}
