//! Our rules in Claude Code's `permissions.allow`, which let an agent read its mail and
//! clear a block without a question to its user.

use mailstop_core::shell::quote;
use serde_json::json;

use super::command::{folder_of, words};
use super::executables::Executables;
use crate::settings::json::{Document, Node};
use crate::settings::splice;

/// What each rule allows: an executable, and the words after it.
const RULES: [(&str, &str); 4] = [
    ("resolve", " --id *"),
    ("mailstop", " read *"),
    ("mailstop", " inbox *"),
    ("mailstop", " inbox"),
];

/// The next edit that adds the rules. The error is the reason why the document cannot
/// be edited.
pub(crate) fn put(
    document: &Document,
    folders: &[String],
    executables: &Executables,
) -> Result<Option<String>, String> {
    let root = &document.root;
    let wanted: Vec<String> = RULES
        .iter()
        .map(|(name, rest)| format!("Bash({}{rest})", quote(&executables.path(name))))
        .collect();
    let Some(permissions) = root.get("permissions") else {
        let value = json!({ "allow": wanted });
        return Ok(Some(splice::add_member(document, root, "permissions", &value)));
    };
    permissions.members().ok_or("`permissions` is not an object")?;
    check_keys(document)?;
    let Some(allow) = permissions.get("allow") else {
        return Ok(Some(splice::add_member(document, permissions, "allow", &json!(wanted))));
    };
    let rules = allow.elements().ok_or("`permissions.allow` is not a list")?;
    for (kind, text) in wanted.iter().enumerate() {
        let is_ours = |rule: &&Node| {
            rule.string().is_some_and(|rule| rule == text || kind_of(rule, folders) == Some(kind))
        };
        let mut found = rules.iter().filter(is_ours);
        let Some(first) = found.next() else {
            return Ok(Some(splice::push(document, allow, &json!(text))));
        };
        if first.string() != Some(text) {
            return Ok(Some(splice::replace(document, first, &json!(text))));
        }
        if let Some(second) = found.next() {
            return Ok(remove_rule(document, allow, second));
        }
    }
    Ok(None)
}

/// Refuses keys that are there twice on the way to a rule.
pub(crate) fn check_keys(document: &Document) -> Result<(), String> {
    let permissions = document.root.get("permissions");
    permissions.map_or(Ok(()), |node| node.single_keys("`permissions`"))
}

/// The next edit that removes one of our rules, and what is empty without it unless
/// `keep` knows its path.
pub(crate) fn remove(
    document: &Document,
    folders: &[String],
    keep: &dyn Fn(&[&str]) -> bool,
) -> Option<String> {
    let root = &document.root;
    let permissions = root.get("permissions")?;
    let allow = permissions.get("allow")?;
    let rules = allow.elements()?;
    let ours = rules
        .iter()
        .find(|rule| rule.string().is_some_and(|rule| kind_of(rule, folders).is_some()))?;
    let is_empty_without =
        |node: &Node| node.items().len() == 1 && !document.has_comment(&node.span);
    if !is_empty_without(allow) || keep(&["permissions", "allow"]) {
        return remove_rule(document, allow, ours);
    }
    if !is_empty_without(permissions) || keep(&["permissions"]) {
        return remove_key(document, permissions, "allow");
    }
    remove_key(document, root, "permissions")
}

/// The folders that rules about `mailstop` itself name.
pub(crate) fn folders(document: &Document) -> Vec<String> {
    let allow = document.root.at(&["permissions", "allow"]);
    let rules = allow.and_then(Node::elements).unwrap_or_default();
    rules
        .iter()
        .filter_map(|rule| split(rule.string()?))
        .filter(|(_, name, _)| *name == "mailstop")
        .map(|(folder, ..)| folder)
        .collect()
}

/// Which of our rules a rule is. `resolve` is a common name, so a rule counts only when
/// it names a folder of ours; one that names no folder is somebody's own.
fn kind_of(rule: &str, folders: &[String]) -> Option<usize> {
    let (folder, _, kind) = split(rule)?;
    folders.contains(&folder).then_some(kind)
}

fn split(rule: &str) -> Option<(String, &'static str, usize)> {
    let line = rule.strip_prefix("Bash(")?.strip_suffix(')')?;
    RULES.iter().enumerate().find_map(|(kind, (name, rest))| {
        let mut words = words(line.strip_suffix(rest)?)?;
        let path = words.pop().filter(|_| words.is_empty())?;
        let folder = folder_of(&path, &[name]).filter(|folder| !folder.is_empty())?;
        Some((folder.to_owned(), *name, kind))
    })
}

fn remove_rule(document: &Document, allow: &Node, rule: &Node) -> Option<String> {
    let index = allow.items().iter().position(|span| *span == rule.span)?;
    Some(splice::remove(document, allow, index))
}

fn remove_key(document: &Document, object: &Node, key: &str) -> Option<String> {
    let index = object.members()?.iter().position(|member| member.key == key)?;
    Some(splice::remove(document, object, index))
}
