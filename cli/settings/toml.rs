//! One word in a list of a TOML file, added and removed; the rest keeps its bytes.

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value, value};

/// A parsed file, with the line endings that it will be written with.
struct Parsed {
    document: DocumentMut,
    crlf: bool,
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
    if emptied && !keep(&[table, key]) {
        found.remove(key);
    }
    if emptied && found.is_empty() && !keep(&[table]) {
        parsed.document.remove(table);
    }
    Ok(write(&parsed))
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

/// Takes the word out; true when the list is empty then.
fn remove_word(table: &mut dyn TableLike, key: &str, word: &str) -> bool {
    let Some(list) = table.get_mut(key).and_then(Item::as_array_mut) else {
        return false;
    };
    let Some(index) = list.iter().position(|item| item.as_str() == Some(word)) else {
        return false;
    };
    list.remove(index);
    list.is_empty()
}

/// Adds a word in the layout of its neighbours: one a line, or all on one.
fn push(list: &mut Array, word: &str) {
    let prefix = list
        .iter()
        .last()
        .and_then(|last| last.decor().prefix()?.as_str());
    let prefix = prefix
        .filter(|text| text.trim().is_empty())
        .map(str::to_owned);
    let mut new = Value::from(word);
    if let Some(prefix) = prefix.filter(|_| list.len() > 1 || list.trailing_comma()) {
        new.decor_mut().set_prefix(prefix);
        list.push_formatted(new);
    } else {
        list.push(word);
    }
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
    let parsed = Parsed { document, crlf };
    if write(&parsed) == text {
        Ok(parsed)
    } else {
        Err("its line endings are mixed".to_owned())
    }
}

fn write(parsed: &Parsed) -> String {
    let text = parsed.document.to_string();
    if parsed.crlf {
        text.replace('\n', "\r\n")
    } else {
        text
    }
}
