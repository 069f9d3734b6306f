//! Words for a POSIX shell.

/// Quotes one word so that a shell reads it as it is. The same text is printed in
/// a block and written into a client's allow rules, so that the two match.
#[must_use]
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:@%+=,-".contains(c);
    if !word.is_empty() && !word.starts_with('-') && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Quotes one word behind a program, where a leading dash is no danger.
#[must_use]
pub fn quote_argument(word: &str) -> String {
    let rest = word.trim_start_matches('-');
    if rest.is_empty() || quote(rest) == rest { word.to_owned() } else { quote(word) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_shell_would_change_is_quoted() {
        assert_eq!(quote("/opt/bin/resolve"), "/opt/bin/resolve");
        assert_eq!(quote("/a b/it's $HOME (x)"), r"'/a b/it'\''s $HOME (x)'");
        assert_eq!(quote(""), "''");
        assert_eq!(quote("-n"), "'-n'");
        assert_eq!(quote_argument("--to"), "--to");
        assert_eq!(quote_argument("--a b"), "'--a b'");
    }
}
