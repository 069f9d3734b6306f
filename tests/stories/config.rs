//! What `mailstop config` tells of every setting.

use serde_json::{Value, json};

use crate::world::{MAILSTOP, World};

/// The keys, values and origins in one list of a document.
fn list(document: &Value, list: &str) -> Vec<Value> {
    let entries = document[list].as_array().unwrap();
    entries.iter().map(|one| json!([one["key"], one["value"], one["from"]])).collect()
}

#[test]
fn every_key_is_told_with_its_value_and_where_that_is_from() {
    let world = World::with_config("stall_after = 3 # sooner\n");
    let document = world.json(&["config"]);
    let file = world.path(".config/mailstop/config.toml");
    let told = [
        json!(["block_until_resolved", ["high", "urgent"], "default"]),
        json!(["stall_after", 3, file]),
        json!(["max_blocks_per_turn", 20, "default"]),
        json!(["output_budget", 9000, "default"]),
        json!(["ttl_days", 30, "default"]),
        json!(["max_unread", 10000, "default"]),
    ];
    assert_eq!(list(&document, "settings"), told);
    let said = world.mailstop(&["config"]).stdout;
    assert!(said.contains("; 0 blocks until resolved, whatever the client does (~/.config/mailstop/config.toml)\nstall_after = 3\n"), "{said}");
}

#[test]
fn what_the_environment_decides_is_told_too() {
    let world = World::new();
    let file = world.path(".config/mailstop/config.toml");
    let told = [
        json!(["MAILSTOP_HOME", world.path("mail"), "MAILSTOP_HOME"]),
        json!(["MAILSTOP_CONFIG", file, "default"]),
        json!(["MAILSTOP_NAME", null, "default"]),
        json!(["MAILSTOP_PARENT", null, "default"]),
        json!(["MAILSTOP", null, "default"]),
        json!(["MAILSTOP_COURIER", "off", "MAILSTOP_COURIER"]),
    ];
    assert_eq!(list(&world.json(&["config"]), "environment"), told);
    let mut command = world.command(MAILSTOP);
    command.arg("config").env_remove("MAILSTOP_HOME").env("XDG_DATA_HOME", "/data");
    command.env("MAILSTOP_CONFIG", "mine.toml").env("MAILSTOP_NAME", "b\u{1b}");
    let said = world.said(command.env("XDG_CONFIG_HOME", "config").env("MAILSTOP", "off"), b"");
    let home = if cfg!(target_os = "macos") {
        "(default)\n# MAILSTOP_HOME=~/Library/Application Support/mailstop"
    } else {
        "(XDG_DATA_HOME)\n# MAILSTOP_HOME=/data/mailstop"
    };
    let told = format!(
        "# the folder of the mailbox {home}\n\
         # the file with the settings (MAILSTOP_CONFIG)\n# MAILSTOP_CONFIG=mine.toml\n\
         # the name of the agent in a client that is started with it (MAILSTOP_NAME)\n\
         # MAILSTOP_NAME=b\\u{{1b}}\n\
         # the agent or session that hears how the turns of a session end (default)\n\
         # MAILSTOP_PARENT is not set\n# off turns the hooks off (MAILSTOP)\n# MAILSTOP=off\n\
         # off starts no courier; `mailstop deliver` does what is left then (MAILSTOP_COURIER)\n\
         # MAILSTOP_COURIER=off\n\n"
    );
    assert!(said.stdout.starts_with(&told), "{said:?}");
}

#[test]
fn the_output_is_a_file_of_settings() {
    let said = World::new().mailstop(&["config"]).stdout;
    let world = World::with_config(&said);
    let settings = list(&world.json(&["config"]), "settings");
    let file = json!(world.path(".config/mailstop/config.toml"));
    assert!(settings.iter().all(|one| one[2] == file), "{settings:?}");
}
