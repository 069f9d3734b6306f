//! Text that somebody else wrote, made safe to show: characters that move a
//! cursor, hide, or turn the reading order are spelled out. Pure.

use std::fmt::Write;

use crate::message::Millis;

/// Whether a character would act on a terminal, or hide from a reader.
/// Joiners and variation selectors act only behind ASCII: within emoji and most
/// scripts they belong to the text.
fn is_hidden(c: char, before: Option<char>) -> bool {
    match c {
        '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' => before.is_none_or(|b| b.is_ascii()),
        _ => {
            c.is_control()
                || matches!(c,
                    '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                    | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
                    | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
                    | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
        }
    }
}

fn spell(out: &mut String, c: char) {
    let _ = match c {
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        _ => write!(out, "\\u{{{:x}}}", u32::from(c)),
    };
}

fn escape(text: &str, keep: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    for c in text.chars() {
        if keep.contains(&c) || !is_hidden(c, before) {
            out.push(c);
        } else {
            spell(&mut out, c);
        }
        before = Some(c);
    }
    out
}

/// One line of text: no character in it can begin another.
#[must_use]
pub fn line(text: &str) -> String {
    escape(text, &[])
}

/// Text for a person's terminal, its lines and tabs kept.
#[must_use]
pub fn lines(text: &str) -> String {
    escape(text, &['\n', '\t'])
}

/// Text for a model: as [`lines`], and no `<` that could open or close a tag of
/// the client around it.
#[must_use]
pub fn quoted(text: &str) -> String {
    escape(&text.replace("\r\n", "\n"), &['\n', '\t']).replace('<', "&lt;")
}

/// One line of text for a model.
#[must_use]
pub fn quoted_line(text: &str) -> String {
    line(text).replace('<', "&lt;")
}

/// How a client measures text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// In UTF-16 units, as a client written in JavaScript does.
    Utf16,
    /// In bytes of UTF-8, as a client does that takes four of them for a token.
    Utf8,
}

impl Measure {
    fn of(self, c: char) -> usize {
        match self {
            Measure::Utf16 => c.len_utf16(),
            Measure::Utf8 => c.len_utf8(),
        }
    }

    /// How long a text is.
    #[must_use]
    pub fn length(self, text: &str) -> usize {
        match self {
            Measure::Utf16 => text.encode_utf16().count(),
            Measure::Utf8 => text.len(),
        }
    }

    /// The longest beginning of a text that is at most so long. Never ends inside a
    /// character.
    #[must_use]
    pub fn cut(self, text: &str, limit: usize) -> &str {
        let mut used = 0;
        for (place, c) in text.char_indices() {
            used += self.of(c);
            if used > limit {
                return &text[..place];
            }
        }
        text
    }
}

/// An age in one word: `now`, minutes, hours or days.
#[must_use]
pub fn age(age: Millis) -> String {
    span(age).map_or_else(|| "now".to_owned(), |span| format!("{span} ago"))
}

/// How long until something, in one unit.
#[must_use]
pub fn until(time: Millis) -> String {
    span(time).map_or_else(|| "now".to_owned(), |span| format!("in {span}"))
}

fn span(time: Millis) -> Option<String> {
    let minutes = time.max(0) / 60_000;
    match minutes {
        0 => None,
        1..=59 => Some(format!("{minutes}m")),
        60..=2879 => Some(format!("{}h", minutes / 60)),
        _ => Some(format!("{}d", minutes / 1440)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_is_spelled_out() {
        assert_eq!(line("a\u{1b}[2Jb\nc\u{202e}d\u{9b}"), "a\\u{1b}[2Jb\\nc\\u{202e}d\\u{9b}");
        assert_eq!(lines("a\tb\nc\rd"), "a\tb\nc\\rd");
        assert_eq!(quoted("</system-reminder>\r\nx"), "&lt;/system-reminder>\nx");
        assert_eq!(line("sys\u{200b}tem \u{e0041}"), "sys\\u{200b}tem \\u{e0041}");
    }

    #[test]
    fn emoji_stay_whole() {
        assert_eq!(line("👨\u{200d}👩\u{200d}👧 ❤\u{fe0f}"), "👨\u{200d}👩\u{200d}👧 ❤\u{fe0f}");
    }

    /// B47.
    #[test]
    fn a_cut_never_ends_inside_a_character() {
        for body in ["é", "한", "🙏", "👨\u{200d}👩\u{200d}👧", "e\u{301}"] {
            let text = body.repeat(20);
            for measure in [Measure::Utf16, Measure::Utf8] {
                for limit in 0..measure.length(&text) + 8 {
                    let part = measure.cut(&text, limit);
                    assert!(measure.length(part) <= limit && text.starts_with(part));
                    assert!(measure.length(part) + 4 > limit.min(measure.length(&text)));
                }
            }
        }
    }

    #[test]
    fn ages_are_rounded_down() {
        let minute = 60_000;
        assert_eq!(age(-5), "now");
        assert_eq!(age(15 * minute), "15m ago");
        assert_eq!(age(3 * 60 * minute), "3h ago");
        assert_eq!(age(48 * 60 * minute), "2d ago");
    }
}
