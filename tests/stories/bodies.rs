//! What a sender wrote is what is stored, or it is refused. B25.

use crate::world::{MAILSTOP, World};

fn sent(world: &World, words: &[&str], stdin: &[u8]) -> Result<String, (i32, String)> {
    let mut command = world.command(MAILSTOP);
    command.args(["send", "--to", "user", "--json"]).args(words);
    let said = world.said(&mut command, stdin);
    let document: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    match document["id"].as_str() {
        Some(id) => Ok(world.json(&["read", id])["body"].as_str().unwrap().to_owned()),
        None => Err((said.status, document["error"]["message"].as_str().unwrap().to_owned())),
    }
}

#[test]
fn an_argument_may_begin_with_a_dash_and_look_like_anything() {
    let world = World::new();
    for body in [
        "- item",
        "--help",
        "-",
        "--",
        "--json=x",
        "@file",
        "`id` $HOME",
        " padded\n",
        "\u{feff}x",
        "a\rb",
    ] {
        assert_eq!(sent(&world, &["--body", body], b""), Ok(body.to_owned()));
    }
    let subject = world.json(&["send", "--to", "user", "--subject", "--help", "--body", "x"]);
    assert_eq!(world.json(&["read", subject["id"].as_str().unwrap()])["subject"], "--help");
}

#[test]
fn standard_input_and_a_file_are_taken_byte_for_byte() {
    let world = World::new();
    let body = "--help\r\n\u{0}`x` \u{1f64f}\u{2028}\ttail\n\n";
    std::fs::write(world.path("work/body"), body).unwrap();
    assert_eq!(sent(&world, &["-"], body.as_bytes()), Ok(body.to_owned()));
    assert_eq!(sent(&world, &["--body-file", "body"], b""), Ok(body.to_owned()));
}

#[test]
fn nothing_is_said_with_an_empty_body() {
    let world = World::new();
    let refused = |from: &str| Err((2, format!("the body from {from} is empty")));
    for body in ["", "\n\n", " \t"] {
        assert_eq!(sent(&world, &["--body", body], b""), refused("--body"));
        assert_eq!(sent(&world, &["-"], body.as_bytes()), refused("standard input"));
    }
    assert_eq!(sent(&world, &[], b""), Err((2, "the message is empty".to_owned())));
    assert_eq!(
        sent(&world, &["-"], b"\xff\xfe"),
        Err((2, "the body from standard input is not valid UTF-8".to_owned()))
    );
    assert_eq!(sent(&world, &["--body-file", "none"], b"").unwrap_err().0, 1);
    assert_eq!(world.json(&["inbox", "--all"])["messages"], serde_json::json!([]));
    assert_eq!(sent(&world, &["--subject", "only this"], b""), Ok(String::new()));
}

#[test]
fn a_body_has_at_most_a_mebibyte() {
    let world = World::new();
    let mut body = "x".repeat(1024 * 1024);
    assert_eq!(sent(&world, &["-"], body.as_bytes()).map(|text| text.len()), Ok(1_048_576));
    body.push('x');
    let refused = Err((2, "the body from standard input is larger than 1048576 bytes".to_owned()));
    assert_eq!(sent(&world, &["-"], body.as_bytes()), refused);
}

/// A sender whose text is too long must not lose its pipe before it has said so.
#[test]
fn one_kind_of_body_at_a_time() {
    let world = World::new();
    assert_eq!(sent(&world, &["--body", "x", "-"], b"y").unwrap_err().0, 2);
    assert_eq!(sent(&world, &["--body", "x", "--body-file", "y"], b"").unwrap_err().0, 2);
}
