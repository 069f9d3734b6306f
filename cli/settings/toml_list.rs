//! A list of words in a TOML table, in the layout that its writer gave it.

use toml_edit::{Array, Item, TableLike, Value};

/// Takes the word out; true when the list is empty then. A comment beside it stays.
pub(crate) fn remove(table: &mut dyn TableLike, key: &str, word: &str) -> bool {
    let Some(list) = table.get_mut(key).and_then(Item::as_array_mut) else {
        return false;
    };
    let Some(index) = list.iter().position(|item| item.as_str() == Some(word)) else {
        return false;
    };
    let removed = list.remove(index);
    let around = format!("{}{}", prefix(&removed), suffix(&removed));
    let comments = around.rfind('#').map(|start| {
        let end = around[start..].find('\n').map_or(around.len(), |length| start + length);
        around[..end].to_owned()
    });
    if let Some(comments) = comments {
        match list.get_mut(index) {
            Some(next) => {
                let prefix = comments + &prefix(next);
                next.decor_mut().set_prefix(prefix);
            }
            None => list.set_trailing(comments + list.trailing().as_str().unwrap_or("\n")),
        }
    } else if index == list.len()
        && let Some(last) = index.checked_sub(1).and_then(|last| list.get_mut(last))
    {
        last.decor_mut().set_suffix(suffix(&removed));
    }
    list.is_empty()
}

/// Adds a word in the layout of its neighbours: one a line, or all on one. A comment
/// after the last neighbour stays with it.
pub(crate) fn push(list: &mut Array, word: &str) {
    let has_comma = list.trailing_comma();
    let Some(last) = list.len().checked_sub(1).and_then(|last| list.get_mut(last)) else {
        list.push(word);
        return;
    };
    let before = prefix(last);
    let indent = before.rfind('\n').map_or(" ".to_owned(), |line| before[line..].to_owned());
    let after_last = suffix(last);
    if !has_comma {
        last.decor_mut().set_suffix("");
    }
    let after = if has_comma {
        list.trailing().as_str().unwrap_or_default().to_owned()
    } else {
        after_last
    };
    let line = after.find('\n').unwrap_or(after.len());
    let (comment, rest) = after.split_at(if after[..line].contains('#') { line } else { 0 });
    let mut new = Value::from(word);
    new.decor_mut().set_prefix(format!("{comment}{indent}"));
    if has_comma {
        list.set_trailing(rest);
    } else {
        new.decor_mut().set_suffix(rest);
    }
    list.push_formatted(new);
}

fn prefix(value: &Value) -> String {
    value.decor().prefix().and_then(|text| text.as_str()).unwrap_or_default().to_owned()
}

fn suffix(value: &Value) -> String {
    value.decor().suffix().and_then(|text| text.as_str()).unwrap_or_default().to_owned()
}

/// Whether there is a comment above, in or behind a list.
pub(crate) fn has_comment(table: &dyn TableLike, key: &str) -> bool {
    let above = table.key(key).and_then(|key| key.leaf_decor().prefix()?.as_str());
    let value = table.get(key).and_then(Item::as_value);
    let inside = value.and_then(Value::as_array).and_then(|list| list.trailing().as_str());
    let behind = value.map(suffix);
    let texts = [above, inside, behind.as_deref()];
    texts.into_iter().flatten().any(|text| text.contains('#'))
}
