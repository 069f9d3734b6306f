//! Telling our hook commands from everybody else's.

/// The executables that clients start as hooks.
pub(crate) const HOOK_EXECUTABLES: [&str; 5] = [
    "mailstop-session-start",
    "mailstop-user-prompt-submit",
    "mailstop-post-tool-use",
    "mailstop-stop",
    "mailstop-observe",
];

/// The folder of an executable of ours, when a path is one: the file name counts, whole.
pub(crate) fn folder_of<'a>(path: &'a str, names: &[&str]) -> Option<&'a str> {
    let (folder, file) = path.rsplit_once(['/', '\\']).unwrap_or(("", path));
    let name = file.strip_suffix(".exe").unwrap_or(file);
    names.contains(&name).then_some(folder)
}

/// The words of a simple command as a shell splits them. None for anything that a
/// shell would do more with than start one program: such a line is somebody's own.
pub(crate) fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.chars();
    while let Some(c) = letters.next() {
        match c {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next()? {
                        '\'' => break,
                        quoted => word.push(quoted),
                    }
                }
            }
            '"' => quoted(&mut letters, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().push(letters.next()?),
            ';' | '&' | '|' | '<' | '>' | '(' | ')' | '`' | '\n' | '\r' | '#' => return None,
            plain => word.get_or_insert_default().push(plain),
        }
    }
    words.extend(word);
    Some(words)
}

/// The rest of a double-quoted part.
fn quoted(letters: &mut std::str::Chars, word: &mut String) -> Option<()> {
    loop {
        match letters.next()? {
            '"' => return Some(()),
            '`' => return None,
            '\\' => match letters.next()? {
                escaped @ ('"' | '\\' | '$' | '`') => word.push(escaped),
                other => word.extend(['\\', other]),
            },
            '$' if letters.as_str().starts_with('(') => return None,
            plain => word.push(plain),
        }
    }
}

#[cfg(test)]
mod tests {
    use mailstop_core::shell::quote;

    use super::*;

    #[test]
    fn only_a_whole_file_name_is_ours() {
        let ours = |path| folder_of(path, &HOOK_EXECUTABLES);
        assert_eq!(ours("/opt/bin/mailstop-stop"), Some("/opt/bin"));
        assert_eq!(ours("mailstop-stop"), Some(""));
        assert_eq!(ours("C:/First Last/mailstop-stop.exe"), Some("C:/First Last"));
        assert_eq!(ours("/home/mailstop-stop/other.sh"), None);
        assert_eq!(ours("/opt/bin/mailstop-stop.sh"), None);
        assert_eq!(ours("/opt/bin/my-mailstop-stop"), None);
    }

    #[test]
    fn words_are_split_as_a_shell_splits_them() {
        let path = "/a b/it's $HOME (x)/mailstop-stop";
        let line = format!("{} --client codex", quote(path));
        assert_eq!(words(&line), Some(vec![path.into(), "--client".into(), "codex".into()]));
        assert_eq!(words(r#""/a \"b"/c\ d x"#), Some(vec![r#"/a "b/c d"#.into(), "x".into()]));
    }

    #[test]
    fn a_line_that_does_more_than_start_one_program_is_not_split() {
        for line in ["a; b", "a | b", "a && b", "$(a)", "a > b", "\"$(a)\"", "`a`", "'a", "a\nb"] {
            assert_eq!(words(line), None, "{line}");
        }
    }
}
