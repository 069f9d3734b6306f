//! Whatever a settings file looks like: it comes back, or it is refused untouched.

use std::fs;

use jsonc_parser::{ParseOptions, parse_to_serde_value};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::generate::settings;
use crate::scratch::Scratch;

const FILE: &str = ".claude/settings.json";
const CONFIG: &str = ".codex/config.toml";

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn parsed(text: &str) -> Value {
    // The parser of this test, unlike a client's, refuses a number above all others.
    let text = text.trim_start_matches('\u{feff}').replace("1e400", "1");
    parse_to_serde_value(&text, &ParseOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Removes what an install adds, by the text of it.
fn without_ours(value: &mut Value, home: &str, original: &Value) {
    let is_ours = |value: &Value| value.to_string().contains(home);
    let keys = ["hooks", "permissions"];
    for key in keys {
        let Some(inner) = value.get_mut(key).and_then(Value::as_object_mut) else {
            continue;
        };
        for list in inner.values_mut().filter_map(Value::as_array_mut) {
            list.retain(|item| !is_ours(item));
        }
        let before = original.get(key);
        inner.retain(|name, list| {
            before.is_some_and(|before| before.get(name).is_some())
                || *list != Value::Array(Vec::new())
        });
    }
    let root = value.as_object_mut().expect("an object");
    root.retain(|name, value| {
        original.get(name).is_some() || *value != serde_json::json!({}) || !keys.contains(&&**name)
    });
}

fn is_within(part: &str, whole: &str) -> bool {
    let mut letters = whole.chars();
    part.chars().all(|c| letters.any(|other| other == c))
}

fn dense(text: &str) -> String {
    text.split_whitespace().collect()
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn settings_come_back_and_keep_everything(text in settings()) {
        let scratch = Scratch::new();
        scratch.write(FILE, &text);
        prop_assert_eq!(scratch.run("install --client claude").status, 0);
        let installed = scratch.text(FILE);
        prop_assert!(is_within(&text, &installed), "{}", installed);
        let (original, mut rest) = (parsed(&text), parsed(&installed));
        without_ours(&mut rest, &scratch.path("bin").display().to_string(), &original);
        prop_assert_eq!(rest, original);
        let again = scratch.run("install --client claude").stdout;
        prop_assert_eq!(again, "Claude Code: already installed in $HOME/.claude/settings.json\n");
        prop_assert_eq!(scratch.text(FILE), installed);
        prop_assert_eq!(scratch.run("uninstall --client claude").status, 0);
        prop_assert_eq!(scratch.text(FILE), text);
    }

    #[test]
    fn edited_settings_lose_only_what_is_ours(text in settings()) {
        let scratch = Scratch::new();
        scratch.write(FILE, &text);
        prop_assert_eq!(scratch.run("install --client claude").status, 0);
        scratch.write(FILE, scratch.text(FILE) + "\n// edited");
        prop_assert_eq!(scratch.run("uninstall --client claude").status, 0);
        let left = scratch.text(FILE);
        prop_assert_eq!(dense(&left), dense(&(text.clone() + "\n// edited")), "{}\n---\n{}", text, left);
        prop_assert_eq!(parsed(&left), parsed(&text));
    }

    #[test]
    fn what_is_broken_is_refused_untouched_or_comes_back(
        text in settings(),
        cut in any::<prop::sample::Index>(),
        piece in select(vec!["", "\"", "{", "]", ",", "/*", "//", "\\", "\0", "1", "\u{e9}"]),
    ) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let at = places[cut.index(places.len())];
        let broken = if piece.is_empty() { text[..at].to_owned() } else { format!("{}{piece}{}", &text[..at], &text[at..]) };
        assert_refused_or_returned(broken.as_bytes())?;
    }

    #[test]
    fn garbage_is_refused_untouched_or_comes_back(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        assert_refused_or_returned(&bytes)?;
    }

    #[test]
    fn sandbox_settings_come_back(
        head in select(vec!["", "# c\n", "\n\nmodel = \"x\"   # c\n", "[a]\nb = 1.0\n", "a.b = [1,\n 2]\n"]),
        list in select(vec![
            "", "[sandbox_workspace_write]\n", "[sandbox_workspace_write] # c\nwritable_roots=[]\n",
            "[sandbox_workspace_write]\n  writable_roots = [ '/a',\"/b\" ]#c\n",
            "[sandbox_workspace_write]\nwritable_roots = [\n\t\"/a\", # one\n\t# two\n\t\"/b\" # three\n] # four\n",
            "[sandbox_workspace_write]\nwritable_roots = [\n  # none\n]\nnetwork_access = true\n",
        ]),
        tail in select(vec!["", "\n", "# end", "[z]\nq = 'q'", "\n\n[[hooks.Stop]]\n  x = 1\n"]),
        newline in select(vec!["\n", "\r\n"]),
    ) {
        let text = format!("{head}{list}{tail}").replace('\n', newline);
        let scratch = Scratch::new();
        scratch.write(CONFIG, &text);
        prop_assert_eq!(scratch.run("install --client codex").status, 0);
        prop_assert!(is_within(&text, &scratch.text(CONFIG)), "{}", scratch.text(CONFIG));
        let installed = scratch.text(CONFIG);
        prop_assert_eq!(scratch.run("uninstall --client codex").status, 0);
        prop_assert_eq!(scratch.text(CONFIG), &*text);
        prop_assert_eq!(scratch.run("install --client codex").status, 0);
        let newline = if installed.contains("\r\n") { "\r\n" } else { "\n" };
        scratch.write(CONFIG, format!("# edited{newline}{installed}"));
        prop_assert_eq!(scratch.run("uninstall --client codex").status, 0);
        let expected = dense(&format!("# edited{newline}{text}"));
        prop_assert_eq!(dense(&scratch.text(CONFIG)), expected, "{}", scratch.text(CONFIG));
    }
}

fn assert_refused_or_returned(bytes: &[u8]) -> Result<(), TestCaseError> {
    let scratch = Scratch::new();
    scratch.write(FILE, bytes);
    let ran = scratch.run("install --client claude");
    if ran.status == 0 {
        prop_assert_eq!(scratch.run("uninstall --client claude").status, 0);
    } else {
        prop_assert_eq!(ran.status, 1);
        prop_assert_eq!(scratch.files(), [FILE]);
    }
    prop_assert_eq!(fs::read(scratch.path(FILE)).expect("the file"), bytes);
    Ok(())
}
