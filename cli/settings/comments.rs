//! Comments and trailing commas, which JSON proper does not have.

use std::ops::Range;

/// Overwrites comments and trailing commas with spaces; line breaks stay.
pub(crate) fn blanked(text: &str) -> (String, Vec<Range<usize>>) {
    let mut bytes = text.as_bytes().to_vec();
    let mut comments = Vec::new();
    // The last byte that means something, and the comma before the present place.
    let (mut previous, mut comma) = (b'[', None);
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        let end = match byte {
            b'"' => string_end(&bytes, at),
            b'/' => comment_end(&bytes, at).unwrap_or(at),
            _ => at + 1,
        };
        if byte == b'/' && end > at {
            comments.push(at..end);
            for byte in bytes[at..end].iter_mut().filter(|byte| !b"\r\n".contains(byte)) {
                *byte = b' ';
            }
        } else if !b" \t\r\n".contains(&byte) {
            if let (b']' | b'}', Some(comma)) = (byte, comma) {
                bytes[comma] = b' ';
            }
            comma = (byte == b',' && !b"[{,:".contains(&previous)).then_some(at);
            previous = byte;
        }
        at = end.max(at + 1);
    }
    (String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned()), comments)
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// Where a comment ends; none when the slash begins no whole comment.
fn comment_end(bytes: &[u8], start: usize) -> Option<usize> {
    let rest = &bytes[start..];
    if rest.starts_with(b"//") {
        let length = rest.iter().position(|byte| b"\r\n".contains(byte)).unwrap_or(rest.len());
        return Some(start + length);
    }
    if rest.starts_with(b"/*") {
        let length = rest[2..].windows(2).position(|pair| pair == b"*/")? + 4;
        return Some(start + length);
    }
    None
}
