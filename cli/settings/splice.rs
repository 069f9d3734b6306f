//! Cuts values into the text of a document and out of it, in the document's own
//! layout. No byte of a neighbour changes, comments included.

use std::ops::Range;

use serde_json::Value;

use super::json::{Document, Node};
use super::layout::{Layout, indent_of, layout, own_indent, written};

/// Adds a key to the end of an object.
pub(crate) fn add_member(document: &Document, object: &Node, key: &str, value: &Value) -> String {
    insert(document, object, |layout, indent| {
        let colon = if layout.spaced { ": " } else { ":" };
        format!("{}{colon}{}", Value::from(key), written(value, layout, indent))
    })
}

/// Adds an element to the end of an array.
pub(crate) fn push(document: &Document, array: &Node, value: &Value) -> String {
    insert(document, array, |layout, indent| written(value, layout, indent))
}

/// Puts another value in the place of one.
pub(crate) fn replace(document: &Document, node: &Node, value: &Value) -> String {
    let mut layout = layout(document);
    layout.flat = true;
    let new = written(value, &layout, None);
    format!("{}{new}{}", &document.text[..node.span.start], &document.text[node.span.end..])
}

/// Removes the member or element with an index, and the comma that it needed.
pub(crate) fn remove(document: &Document, container: &Node, index: usize) -> String {
    let (text, items) = (&document.text, container.items());
    let item = items[index].clone();
    let mut start = gap_start(document, item.start);
    let mut end = item.end;
    let mut comma = None;
    if let Some(after) = comma_after(document, item.end) {
        comma = Some(after);
        if text[item.end..after].trim().is_empty() {
            (end, comma) = (after + 1, None);
        }
        if start == item.start {
            end += text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len();
        }
    } else if let Some(before) = index.checked_sub(1) {
        comma = comma_after(document, items[before].end);
    }
    let line_comment = document
        .comments
        .iter()
        .any(|comment| comment.end == start && text[comment.clone()].starts_with("//"));
    if line_comment && !text[end..].starts_with(['\r', '\n']) {
        start = item.start;
    }
    let mut kept = text.clone();
    let mut cuts = [Some(start..end), comma.map(|at| at..at + 1)];
    cuts.sort_by_key(|cut| std::cmp::Reverse(cut.as_ref().map(|cut| cut.start)));
    for cut in cuts.into_iter().flatten() {
        kept.replace_range(cut, "");
    }
    kept
}

fn insert(
    document: &Document,
    container: &Node,
    item: impl Fn(&Layout, Option<&str>) -> String,
) -> String {
    let text = &document.text;
    let mut layout = layout(document);
    let (open, close) = (container.span.start + 1, container.span.end - 1);
    let outer = indent_of(text, container.span.start);
    let deeper = format!("{outer}{}", layout.unit);
    let mut new = text.clone();
    let items = container.items();
    let Some((first, last)) = items.first().zip(items.last()) else {
        let inside = open..close;
        let comment = document.comments.iter().rfind(|comment| within(comment, &inside));
        if layout.flat && comment.is_none() {
            new.insert_str(open, &item(&layout, None));
            return new;
        }
        layout.flat = false;
        let at = comment.map_or(open, |comment| comment.end);
        let mut piece = format!("{}{deeper}{}", layout.newline, item(&layout, Some(&deeper)));
        if !text[at..close].contains(['\n', '\r']) {
            piece += &format!("{}{outer}", layout.newline);
        }
        new.insert_str(at, &piece);
        return new;
    };
    let comma = comma_after(document, last.end);
    let after = comma.map_or(last.end, |comma| comma + 1);
    let tail = if comma.is_some() { "," } else { "" };
    let (at, piece) = if text[open..first.start].contains(['\n', '\r']) {
        layout.flat = false;
        let indent = own_indent(text, first.start).unwrap_or(deeper);
        let piece = format!("{}{indent}{}{tail}", layout.newline, item(&layout, Some(&indent)));
        (after_comments_of_line(document, after), piece)
    } else {
        layout.flat = true;
        let gap = if layout.spaced { " " } else { "" };
        (after, format!("{gap}{}{tail}", item(&layout, None)))
    };
    new.insert_str(at, &piece);
    if comma.is_none() {
        new.insert(last.end, ',');
    }
    new
}

fn within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The comma that follows a place, with nothing but blanks and comments between.
fn comma_after(document: &Document, at: usize) -> Option<usize> {
    let is_blank = |byte: &u8| b" \t\r\n".contains(byte);
    let bytes = document.blank.as_bytes();
    let next = at + bytes[at..].iter().position(|byte| !is_blank(byte))?;
    if bytes[next] == b',' {
        return Some(next);
    }
    // A trailing comma is a space in the blanked text.
    let between = &document.text.as_bytes()[at..next];
    let in_comment = |at: &usize| document.comments.iter().any(|comment| comment.contains(at));
    (at..next).find(|place| between[place - at] == b',' && !in_comment(place))
}

/// Where the white space before a place begins.
fn gap_start(document: &Document, at: usize) -> usize {
    let start = document.text[..at].trim_end_matches([' ', '\t', '\r', '\n']).len();
    let comment = document.comments.iter().rfind(|comment| comment.end <= at);
    comment.map_or(start, |comment| start.max(comment.end))
}

/// The end of the last comment that begins on the line of a place, after it.
fn after_comments_of_line(document: &Document, from: usize) -> usize {
    let later = document.comments.iter().skip_while(|comment| comment.start < from);
    let mut at = from;
    for comment in later {
        if !document.text[at..comment.start].trim_matches([' ', '\t']).is_empty() {
            break;
        }
        at = comment.end;
    }
    at
}
