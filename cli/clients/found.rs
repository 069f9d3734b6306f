//! Our entries among a client's hooks, found by their command.

use super::command::{HOOK_EXECUTABLES, folder_of, words};
use crate::settings::json::{Document, Member, Node};

/// Where one of our entries is.
pub(crate) struct Found<'a> {
    pub(crate) event: &'a str,
    pub(crate) event_index: usize,
    pub(crate) group_index: usize,
    pub(crate) handler_index: usize,
    pub(crate) handler: &'a Node,
}

/// The folders that our entries in a document name.
pub(crate) fn folders(document: &Document) -> Vec<String> {
    ours(document).filter_map(|found| our_folder(found.handler)).collect()
}

/// Our entries, in order.
pub(crate) fn ours(document: &Document) -> impl Iterator<Item = Found<'_>> {
    let events = document.root.get("hooks").and_then(Node::members).unwrap_or_default();
    events.iter().enumerate().flat_map(|(event_index, event)| {
        groups(event).iter().enumerate().flat_map(move |(group_index, group)| {
            handlers(group)
                .iter()
                .enumerate()
                .filter(|(_, handler)| our_folder(handler).is_some())
                .map(move |(handler_index, handler)| Found {
                    event: &event.key,
                    event_index,
                    group_index,
                    handler_index,
                    handler,
                })
        })
    })
}

fn groups(event: &Member) -> &[Node] {
    event.node.elements().unwrap_or_default()
}

fn handlers(group: &Node) -> &[Node] {
    group.get("hooks").and_then(Node::elements).unwrap_or_default()
}

/// The folder that an entry of ours names; none for anybody else's.
fn our_folder(handler: &Node) -> Option<String> {
    let is_command = handler.get("type").is_none_or(|kind| kind.string() == Some("command"));
    let command = handler.get("command").and_then(Node::string).filter(|_| is_command)?;
    if handler.get("args").is_some() {
        return folder_of(command, &HOOK_EXECUTABLES).map(str::to_owned);
    }
    let words = words(command)?;
    folder_of(words.first()?, &HOOK_EXECUTABLES).map(str::to_owned)
}
