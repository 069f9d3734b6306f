//! Our entries among a client's hooks: put in, brought up to date, taken out.
//!
//! Each function makes one edit and says whether there was one to make; the caller
//! parses again and repeats, so that every edit sees the text as it is.

use std::ops::Range;

use serde_json::{Value, json};

use super::executables::Executables;
use super::found::{Found, ours};
use super::{Client, Hook};
use crate::settings::json::{Document, Member, Node};
use crate::settings::splice;

/// The next edit that registers the hooks. The error is the reason why the document
/// cannot be edited.
pub(crate) fn put(
    document: &Document,
    client: &Client,
    executables: &Executables,
) -> Result<Option<String>, String> {
    check(document, client)?;
    if let Some(found) = ours(document).find(|found| !is_kept(document, client, found)) {
        return Ok(Some(take_out(document, &found, &|_| false)));
    }
    for hook in client.hooks {
        let found = ours(document).find(|found| found.event == hook.event);
        let edit = match found {
            Some(found) => correct(document, found.handler, client, hook, executables)
                .or_else(|| narrow(document, &found, hook)),
            None => Some(add(document, client, hook, executables)),
        };
        if edit.is_some() {
            return Ok(edit);
        }
    }
    Ok(None)
}

/// The next edit that removes one of our entries, and what is empty without it
/// unless `keep` knows its path.
pub(crate) fn remove(document: &Document, keep: &dyn Fn(&[&str]) -> bool) -> Option<String> {
    let found = ours(document).next()?;
    Some(take_out(document, &found, keep))
}

/// Refuses what could only be edited by guessing.
fn check(document: &Document, client: &Client) -> Result<(), String> {
    let root = &document.root;
    root.members().ok_or("it is not a JSON object")?;
    check_keys(document)?;
    let Some(hooks) = root.get("hooks") else {
        return Ok(());
    };
    let events = hooks.members().ok_or("`hooks` is not an object")?;
    let is_ours = |event: &&Member| client.hooks.iter().any(|hook| hook.event == event.key);
    let mut ours = events.iter().filter(is_ours);
    match ours.find(|event| event.node.elements().is_none()) {
        Some(event) => Err(format!("`hooks.{}` is not a list", event.key)),
        None => Ok(()),
    }
}

/// Refuses keys that are there twice on the way to a hook: the client heeds one of
/// them, and which one is a guess.
pub(crate) fn check_keys(document: &Document) -> Result<(), String> {
    let root = &document.root;
    root.single_keys("it")?;
    let Some(hooks) = root.get("hooks") else {
        return Ok(());
    };
    hooks.single_keys("`hooks`")?;
    let events = hooks.members().unwrap_or_default().iter();
    let groups = events.flat_map(|event| event.node.elements().unwrap_or_default());
    for group in groups {
        group.single_keys("a group of hooks")?;
        let handlers = group.get("hooks").and_then(Node::elements);
        let mut handlers = handlers.unwrap_or_default().iter();
        handlers.try_for_each(|handler| handler.single_keys("a hook"))?;
    }
    Ok(())
}

/// The first entry in an event that we serve stays; the rest would do the work twice.
fn is_kept(document: &Document, client: &Client, found: &Found) -> bool {
    let first = ours(document).find(|other| other.event == found.event);
    client.hooks.iter().any(|hook| hook.event == found.event)
        && first.is_some_and(|first| first.handler.span == found.handler.span)
}

/// The edit that brings an entry up to date; a timeout of the user's own stays.
fn correct(
    document: &Document,
    handler: &Node,
    client: &Client,
    hook: &Hook,
    executables: &Executables,
) -> Option<String> {
    let (command, args) = executables.command(client, hook);
    let old = handler.get("command")?;
    if old.string() != Some(&command) {
        return Some(splice::replace(document, old, &Value::from(command)));
    }
    match (handler.get("args"), args) {
        (None, Some(args)) => return Some(splice::add_member(document, handler, "args", &args)),
        (Some(old), Some(args)) if !is_same(document, old, &args) => {
            return Some(splice::replace(document, old, &args));
        }
        (Some(_), None) => {
            let index = handler.members()?.iter().position(|member| member.key == "args")?;
            return Some(splice::remove(document, handler, index));
        }
        (Some(_), Some(_)) | (None, None) => {}
    }
    if handler.get("type").is_none() {
        return Some(splice::add_member(document, handler, "type", &json!("command")));
    }
    let timeout = json!(hook.timeout);
    handler
        .get("timeout")
        .is_none()
        .then(|| splice::add_member(document, handler, "timeout", &timeout))
}

/// The edit that limits an entry alone in its group to the kinds of the event that it is
/// for; a matcher of the user's own stays.
fn narrow(document: &Document, found: &Found, hook: &Hook) -> Option<String> {
    let matcher = hook.matcher?;
    let events = document.root.get("hooks")?.members()?;
    let group = events.get(found.event_index)?.node.elements()?.get(found.group_index)?;
    let is_alone = group.get("hooks")?.elements()?.len() == 1;
    (is_alone && group.get("matcher").is_none())
        .then(|| splice::add_member(document, group, "matcher", &Value::from(matcher)))
}

fn is_same(document: &Document, node: &Node, value: &Value) -> bool {
    serde_json::from_str::<Value>(&document.blank[node.span.clone()]).is_ok_and(|old| old == *value)
}

/// The edit that adds a missing entry, in a group of its own.
fn add(document: &Document, client: &Client, hook: &Hook, executables: &Executables) -> String {
    let (command, args) = executables.command(client, hook);
    let mut handler = json!({ "type": "command", "command": command });
    if let Some(args) = args {
        handler["args"] = args;
    }
    handler["timeout"] = json!(hook.timeout);
    let group = match hook.matcher {
        Some(matcher) => json!({ "matcher": matcher, "hooks": [handler] }),
        None => json!({ "hooks": [handler] }),
    };
    let root = &document.root;
    match (root.get("hooks"), root.at(&["hooks", hook.event])) {
        (_, Some(groups)) => splice::push(document, groups, &group),
        (Some(hooks), None) => splice::add_member(document, hooks, hook.event, &json!([group])),
        (None, None) => {
            splice::add_member(document, root, "hooks", &json!({ (hook.event): [group] }))
        }
    }
}

/// Removes an entry together with its group, its event and `hooks` itself as far as
/// they hold nothing else. What a comment stands in is not empty.
fn take_out(document: &Document, found: &Found, keep: &dyn Fn(&[&str]) -> bool) -> String {
    let root = &document.root;
    let parts = || {
        let hooks_index = root.members()?.iter().position(|member| member.key == "hooks")?;
        let hooks = &root.members()?[hooks_index].node;
        let event = &hooks.members()?[found.event_index];
        let group = &event.node.elements()?[found.group_index];
        Some((hooks_index, hooks, event, group, group.get("hooks")?))
    };
    let Some((hooks_index, hooks, event, group, handlers)) = parts() else {
        return document.text.clone();
    };
    let is_alone = |container: &Node, item: &Range<usize>| {
        let (before, after) = (container.span.start..item.start, item.end..container.span.end);
        container.items().len() == 1
            && !document.has_comment(&before)
            && !document.has_comment(&after)
    };
    let levels: [(&Node, usize, &dyn Fn() -> bool); 3] = [
        (handlers, found.handler_index, &|| {
            is_alone(handlers, &found.handler.span) && !document.has_comment(&group.span)
        }),
        (&event.node, found.group_index, &|| {
            is_alone(&event.node, &group.span) && !keep(&["hooks", &event.key])
        }),
        (hooks, found.event_index, &|| is_alone(hooks, &event.span) && !keep(&["hooks"])),
    ];
    for (container, index, goes_too) in levels {
        if !goes_too() {
            return splice::remove(document, container, index);
        }
    }
    splice::remove(document, root, hooks_index)
}
