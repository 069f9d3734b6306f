//! What an edit changes, as a unified diff.

use similar::TextDiff;

/// A unified diff of a file's text; empty when nothing changes.
pub(crate) fn unified(file: &str, before: Option<&str>, after: Option<&str>) -> String {
    let name = |text: Option<&str>| if text.is_some() { file } else { "/dev/null" };
    TextDiff::from_lines(before.unwrap_or_default(), after.unwrap_or_default())
        .unified_diff()
        .header(name(before), name(after))
        .to_string()
}
