//! Settings files as people write them, and worse.

use proptest::prelude::*;
use proptest::sample::select;

/// White space and comments between two tokens.
fn gap() -> impl Strategy<Value = String> {
    let pieces =
        ["", "", " ", "\n", "\r\n", "\n  ", "\t", "/* c */", "// c \n", "/*\n,]}*/", "//\"\r\n"];
    prop::collection::vec(select(pieces.to_vec()), 0..3).prop_map(|pieces| pieces.concat())
}

fn leaf() -> impl Strategy<Value = String> {
    select(vec![
        "null",
        "true",
        "1.0",
        "1e400",
        "-0",
        "12345678901234567890",
        "\"\"",
        "\"// no\"",
        "\"a\\\"]}\\\\\"",
        "\"/x/mailstop-stop/y\"",
        "\"\u{e9}\\u00e9\u{1f600}\"",
        "[]",
        "{}",
    ])
    .prop_map(str::to_owned)
}

fn list(
    open: char,
    items: Vec<(String, String, String)>,
    last: &(bool, String),
    close: char,
) -> String {
    let count = items.len();
    let mut text = String::from(open);
    for (index, (before, item, after)) in items.into_iter().enumerate() {
        let comma = if index + 1 < count || last.0 { "," } else { "" };
        text += &format!("{before}{item}{after}{comma}");
    }
    format!("{text}{}{close}", last.1)
}

fn array(item: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let items = prop::collection::vec((gap(), item, gap()), 0..4);
    (items, (any::<bool>(), gap())).prop_map(|(items, last)| list('[', items, &last, ']'))
}

/// An object with some of the keys, each once, in their order.
fn object(members: Vec<(&'static str, BoxedStrategy<String>)>) -> impl Strategy<Value = String> {
    let members: Vec<_> = members
        .into_iter()
        .map(|(key, value)| {
            let member = (gap(), gap(), value)
                .prop_map(move |(a, b, value)| format!("\"{key}\"{a}:{b}{value}"));
            prop::option::of((gap(), member, gap())).boxed()
        })
        .collect();
    (members, (any::<bool>(), gap()))
        .prop_map(|(members, last)| list('{', members.into_iter().flatten().collect(), &last, '}'))
}

fn value() -> BoxedStrategy<String> {
    leaf()
        .prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                array(inner.clone()),
                object(vec![("x", inner.clone().boxed()), ("hooks", inner.boxed())])
            ]
        })
        .boxed()
}

/// A settings file without anything of ours, with comments and odd spacing.
pub(crate) fn settings() -> impl Strategy<Value = String> {
    let command = select(vec!["\"/opt/x\"", "\"/mailstop-stop/x.sh\"", "\"sh -c mailstop-stop\""]);
    let handler = object(vec![
        ("type", Just("\"command\"".to_owned()).boxed()),
        ("command", command.prop_map(str::to_owned).boxed()),
        ("timeout", Just("1.0".to_owned()).boxed()),
    ]);
    let group = object(vec![("matcher", leaf().boxed()), ("hooks", array(handler).boxed())]);
    let groups = array(group).boxed();
    let hooks = object(vec![
        ("PreToolUse", groups.clone()),
        ("Stop", groups.clone()),
        ("Odd", value()),
        ("SessionEnd", groups),
    ]);
    let rule = select(vec![
        "\"Bash(ls)\"",
        "\"Bash(resolve --id *)\"",
        "\"Bash(/o/resolve --id *)\"",
        "1",
    ]);
    let permissions = object(vec![
        ("deny", value()),
        ("allow", array(rule.prop_map(str::to_owned)).boxed()),
        ("z", value()),
    ]);
    let root = object(vec![
        ("a", value()),
        ("hooks", hooks.boxed()),
        ("b", value()),
        ("permissions", permissions.boxed()),
        ("c", value()),
    ]);
    (select(vec!["", "\u{feff}"]), gap(), root, gap())
        .prop_map(|(mark, a, root, b)| format!("{mark}{a}{root}{b}"))
}
