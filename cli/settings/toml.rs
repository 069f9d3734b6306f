//! One word in a list of a TOML file, added and removed; the rest keeps its bytes.

use toml_edit::{Array, DocumentMut, Item, Table, value};

use super::toml_list;

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
        table.and_then(|table| table.get(key)).and_then(Item::as_bool) == Some(false)
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
    let item = parsed.document.entry(table).or_insert_with(|| Item::Table(Table::new()));
    let table = item.as_table_like_mut().ok_or_else(|| format!("`{table}` is not a table"))?;
    let list = table.entry(key).or_insert_with(|| value(Array::new()));
    let list = list.as_array_mut().ok_or_else(|| format!("`{key}` is not a list"))?;
    if !list.iter().any(|item| item.as_str() == Some(word)) {
        toml_list::push(list, word);
    }
    Ok(write(&parsed))
}

/// Removes a word from the list at `table.key`, and what is empty then unless it was
/// there `before`: in the text that the first edit began with.
pub(crate) fn remove(
    text: &str,
    table: &str,
    key: &str,
    word: &str,
    before: Option<&str>,
) -> Result<String, String> {
    let before = before.and_then(|before| parse(before).ok());
    let before = before.as_ref().map(|before| before.document.as_item());
    let old_table = before.and_then(|before| before.get(table));
    let had_list = old_table.and_then(|table| table.get(key)).is_some();
    // A table that only has tables in it has no header of its own.
    let had_header = old_table.is_some_and(|old| !old.as_table().is_some_and(Table::is_implicit));
    let mut parsed = parse(text)?;
    let found = parsed.document.get_mut(table).and_then(Item::as_table_like_mut);
    let Some(found) = found else {
        return Ok(text.to_owned());
    };
    let emptied = toml_list::remove(found, key, word);
    if emptied && !had_list && !toml_list::has_comment(found, key) {
        found.remove(key);
    }
    let needs_header = found.iter().any(|(_, item)| {
        let has_own = item.as_table().is_some_and(|table| !table.is_dotted());
        !has_own && !item.is_array_of_tables()
    });
    let is_bare = emptied && !had_header && !needs_header;
    let left = write(&parsed);
    Ok(if is_bare { without_header(&left, table) } else { left })
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

fn parse(text: &str) -> Result<Parsed, String> {
    let crlf = text.contains("\r\n");
    let plain = if crlf { text.replace("\r\n", "\n") } else { text.to_owned() };
    let document: DocumentMut = plain.parse().map_err(|error: toml_edit::TomlError| {
        error.message().lines().next().unwrap_or("not TOML").to_owned()
    })?;
    let parsed = Parsed { document, crlf, ends_in_line: !text.is_empty() && !text.ends_with('\n') };
    if write(&parsed) == text { Ok(parsed) } else { Err("its line endings are mixed".to_owned()) }
}

fn write(parsed: &Parsed) -> String {
    let mut text = parsed.document.to_string();
    if parsed.ends_in_line && text.ends_with('\n') {
        text.pop();
    }
    if parsed.crlf { text.replace('\n', "\r\n") } else { text }
}
