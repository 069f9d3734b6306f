//! One word in a list of a TOML file, added and removed; the rest keeps its bytes.

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value, value};

/// A parsed file, and what the parser does not keep of its line endings.
struct Parsed {
    document: DocumentMut,
    crlf: bool,
    ends_in_line: bool,
}

/// Whether a table exists and has more than one certain key.
pub(crate) fn has_more_than(text: &str, table: &str, key: &str) -> bool {
    parse(text).is_ok_and(|parsed| {
        let table = parsed.document.get(table).and_then(Item::as_table_like);
        table.is_some_and(|table| table.iter().any(|(other, _)| other != key))
    })
}

/// Whether `table.key = false`.
pub(crate) fn is_off(text: &str, table: &str, key: &str) -> bool {
    parse(text).is_ok_and(|parsed| {
        let table = parsed.document.get(table).and_then(Item::as_table_like);
        table
            .and_then(|table| table.get(key))
            .and_then(Item::as_bool)
            == Some(false)
    })
}

/// Whether the list at `table.key` has the word.
pub(crate) fn has(text: &str, table: &str, key: &str, word: &str) -> bool {
    parse(text).is_ok_and(|parsed| {
        let table = parsed.document.get(table).and_then(Item::as_table_like);
        table
            .and_then(|table| table.get(key))
            .and_then(Item::as_array)
            .is_some_and(|list| list.iter().any(|item| item.as_str() == Some(word)))
    })
}

/// Adds a word to the list at `table.key`. The error is the reason, for a person.
pub(crate) fn add(text: &str, table: &str, key: &str, word: &str) -> Result<String, String> {
    let mut parsed = parse(text)?;
    let item = parsed
        .document
        .entry(table)
        .or_insert_with(|| Item::Table(Table::new()));
    let table = item
        .as_table_like_mut()
        .ok_or_else(|| format!("`{table}` is not a table"))?;
    let list = table.entry(key).or_insert_with(|| value(Array::new()));
    let list = list
        .as_array_mut()
        .ok_or_else(|| format!("`{key}` is not a list"))?;
    if !list.iter().any(|item| item.as_str() == Some(word)) {
        push(list, word);
    }
    Ok(write(&parsed))
}

/// Removes a word from the list at `table.key`, and what is empty then unless
/// `keep` says that a part of the path was there before.
pub(crate) fn remove(
    text: &str,
    table: &str,
    key: &str,
    word: &str,
    keep: impl Fn(&[&str]) -> bool,
) -> Result<String, String> {
    let mut parsed = parse(text)?;
    let found = parsed
        .document
        .get_mut(table)
        .and_then(Item::as_table_like_mut);
    let Some(found) = found else {
        return Ok(text.to_owned());
    };
    let emptied = remove_word(found, key, word);
    if emptied && !keep(&[table, key]) && !has_comment(found, key) {
        found.remove(key);
    }
    let is_bare = emptied && found.is_empty() && !keep(&[table]);
    let left = write(&parsed);
    Ok(if is_bare {
        without_header(&left, table)
    } else {
        left
    })
}

/// Takes the one line with a table's header out of the text, comments around it kept.
fn without_header(text: &str, table: &str) -> String {
    let header = format!("[{table}]");
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut places = (0..lines.len()).filter(|at| lines[*at].trim_end() == header);
    // Twice is once as a header and once in a text of several lines.
    if let (Some(at), None) = (places.next(), places.next()) {
        lines.remove(at);
        if at > 0 && lines[at - 1].trim().is_empty() {
            lines.remove(at - 1);
        }
    }
    lines.concat()
}

/// Whether there is a comment above, in or behind a list.
fn has_comment(table: &dyn TableLike, key: &str) -> bool {
    let above = table
        .key(key)
        .and_then(|key| key.leaf_decor().prefix()?.as_str());
    let value = table.get(key).and_then(Item::as_value);
    let inside = value
        .and_then(Value::as_array)
        .and_then(|list| list.trailing().as_str());
    let behind = value.map(suffix);
    let texts = [above, inside, behind.as_deref()];
    texts.into_iter().flatten().any(|text| text.contains('#'))
}

/// Whether the path exists in the text.
pub(crate) fn exists(text: &str, path: &[&str]) -> bool {
    parse(text).is_ok_and(|parsed| {
        let root = Some(parsed.document.as_item());
        path.iter()
            .fold(root, |item, key| item.and_then(|item| item.get(key)))
            .is_some()
    })
}

/// Takes the word out; true when the list is empty then. A comment beside it stays.
fn remove_word(table: &mut dyn TableLike, key: &str, word: &str) -> bool {
    let Some(list) = table.get_mut(key).and_then(Item::as_array_mut) else {
        return false;
    };
    let Some(index) = list.iter().position(|item| item.as_str() == Some(word)) else {
        return false;
    };
    let removed = list.remove(index);
    let around = format!("{}{}", prefix(&removed), suffix(&removed));
    let comments = around.rfind('#').map(|start| {
        let end = around[start..]
            .find('\n')
            .map_or(around.len(), |length| start + length);
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
fn push(list: &mut Array, word: &str) {
    let has_comma = list.trailing_comma();
    let Some(last) = list
        .len()
        .checked_sub(1)
        .and_then(|last| list.get_mut(last))
    else {
        list.push(word);
        return;
    };
    let before = prefix(last);
    let indent = before
        .rfind('\n')
        .map_or(" ".to_owned(), |line| before[line..].to_owned());
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
    value
        .decor()
        .prefix()
        .and_then(|text| text.as_str())
        .unwrap_or_default()
        .to_owned()
}

fn suffix(value: &Value) -> String {
    value
        .decor()
        .suffix()
        .and_then(|text| text.as_str())
        .unwrap_or_default()
        .to_owned()
}

fn parse(text: &str) -> Result<Parsed, String> {
    let crlf = text.contains("\r\n");
    let plain = if crlf {
        text.replace("\r\n", "\n")
    } else {
        text.to_owned()
    };
    let document: DocumentMut = plain.parse().map_err(|error: toml_edit::TomlError| {
        error
            .message()
            .lines()
            .next()
            .unwrap_or("not TOML")
            .to_owned()
    })?;
    let parsed = Parsed {
        document,
        crlf,
        ends_in_line: !text.is_empty() && !text.ends_with('\n'),
    };
    if write(&parsed) == text {
        Ok(parsed)
    } else {
        Err("its line endings are mixed".to_owned())
    }
}

fn write(parsed: &Parsed) -> String {
    let mut text = parsed.document.to_string();
    if parsed.ends_in_line && text.ends_with('\n') {
        text.pop();
    }
    if parsed.crlf {
        text.replace('\n', "\r\n")
    } else {
        text
    }
}
