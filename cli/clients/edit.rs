//! Our entries in a client's hook file, hooks and rules together: all in, or all out.

use super::executables::Executables;
use super::{Client, found, hooks, rules};
use crate::settings::file::without_mark;
use crate::settings::json::Document;

/// What a file without any settings is edited from.
const EMPTY: &str = "{}\n";

/// Whether a text has one of our hooks. A text that cannot be parsed has none.
pub(crate) fn has_hooks(text: Option<&str>) -> bool {
    text.and_then(|text| Document::parse(text).ok())
        .is_some_and(|document| !found::folders(&document).is_empty())
}

/// Whether a text that cannot be parsed may have something of ours.
pub(crate) fn names_us(text: &str) -> bool {
    text.contains("mailstop")
}

/// A text with our entries in it, and those that were there brought up to date. The
/// error is the reason why it cannot be edited.
pub(crate) fn put(
    text: Option<&str>,
    client: &Client,
    executables: &Executables,
) -> Result<String, String> {
    let text = text.filter(|text| !text.trim().is_empty()).unwrap_or(EMPTY);
    let mut folders = known_folders(&Document::parse(text)?);
    folders.push(executables.folder().to_owned());
    let with_hooks = repeat(text, |document| hooks::put(document, client, executables))?;
    if !client.has_allow_rules {
        return Ok(with_hooks);
    }
    repeat(&with_hooks, |document| rules::put(document, &folders, executables))
}

/// A text without our entries. What is empty then goes too, unless it was there
/// `before`: in the text that the first edit began with. The error is the reason why
/// it cannot be edited.
pub(crate) fn remove(text: &str, client: &Client, before: Option<&str>) -> Result<String, String> {
    let before = before.and_then(|before| Document::parse(without_mark(before)).ok());
    let keep = |path: &[&str]| before.as_ref().is_some_and(|before| before.root.at(path).is_some());
    let document = Document::parse(text)?;
    hooks::check_keys(&document)?;
    let folders = known_folders(&document);
    let without_hooks = repeat(text, |document| Ok(hooks::remove(document, &keep)))?;
    if !client.has_allow_rules {
        return Ok(without_hooks);
    }
    rules::check_keys(&document)?;
    repeat(&without_hooks, |document| Ok(rules::remove(document, &folders, &keep)))
}

/// Whether a text is an object with nothing in it, not even a comment.
pub(crate) fn is_bare(text: &str) -> bool {
    text.split_whitespace().collect::<String>() == "{}"
}

fn known_folders(document: &Document) -> Vec<String> {
    let mut folders = found::folders(document);
    folders.extend(rules::folders(document));
    folders
}

/// Makes edits until there is none left to make.
fn repeat(
    text: &str,
    edit: impl Fn(&Document) -> Result<Option<String>, String>,
) -> Result<String, String> {
    let mut text = text.to_owned();
    while let Some(edited) = edit(&Document::parse(&text)?)? {
        if edited == text {
            return Err("an edit of it had no effect".to_owned());
        }
        text = edited;
    }
    Ok(text)
}
