//! What a sweep removes, what it leaves, and when it runs by itself.

use std::fs;

use serde_json::json;

use crate::killed::multiply;
use crate::world::World;

const DAY: i64 = 24;

/// One message of each fate, as old as the retention.
fn old_mail(world: &World) -> [String; 6] {
    let open = world.send("bob", &["--allow-unknown", "--priority", "low"]);
    let legacy = world.send("bob", &[]);
    world.sql(&format!("UPDATE messages SET disposition = NULL WHERE id = '{legacy}'"));
    let told = world.send("bob", &["--disposition", "acknowledgement"]);
    let done = world.send("bob", &[]);
    let back = world.send("bob", &[]);
    let born = world.send("bob", &["--status", "resolved"]);
    let _ = (world.mailstop(&["resolve", &done]), world.mailstop(&["withdraw", &back]));
    world.age(30 * DAY);
    [open, legacy, told, done, back, born]
}

#[test]
fn a_dry_run_tells_what_the_sweep_then_does() {
    let world = World::new();
    let [open, legacy, told, done, back, born] = old_mail(&world);
    world.send("bob", &["--status", "resolved"]);
    let planned = world.json(&["sweep", "--dry-run"]);
    let removed = json!({ "resolved": 2, "withdrawn": 1, "acknowledgement": 1 });
    assert_eq!(
        planned,
        json!({ "dry_run": true, "removed": removed, "kept_open": 2, "freed_bytes": 24 })
    );
    let mut swept = world.json(&["sweep"]);
    swept["dry_run"] = json!(true);
    assert_eq!(swept, planned);
    let outcomes = [open, legacy, told, done, back, born].map(|id| world.outcome(&id));
    assert_eq!(outcomes, ["queued", "queued", "expired", "resolved", "withdrawn", "resolved"]);
    assert_eq!(world.json(&["sweep"])["removed"], json!({}));
    assert_eq!(world.session("s1").named("bob").start().brief(), "context 1 2");
}

/// B55: a crowd of old open mail is not swept, and hides nothing urgent.
#[test]
fn five_thousand_unread_messages_stay_and_stand_behind_an_urgent_one() {
    let world = World::new();
    world.send("bob", &["--allow-unknown"]);
    multiply(&world, 5000);
    world.age(400 * DAY);
    world.send("bob", &["--priority", "urgent"]);
    let nothing = json!({ "dry_run": false, "removed": {}, "kept_open": 5000, "freed_bytes": 0 });
    assert_eq!(world.json(&["sweep"]), nothing);
    let shown = world.session("s1").named("bob").start();
    let first = shown.text().find("[<2>] urgent from user, now").unwrap();
    assert!(first < shown.text().find("[<1>] normal from user, 400d ago").unwrap(), "{shown:?}");
    let listed = world.json(&["inbox", "--for", "bob"]);
    assert_eq!(
        (&listed["more"], &listed["messages"][0]["priority"]),
        (&json!(true), &json!("urgent"))
    );
    let ambiguous = world.resolve(&["--id", "id1"]);
    assert!(ambiguous.stderr.starts_with("error: more than one message begins with `id1`"));
}

#[test]
fn a_tombstone_tells_outcome_and_times_and_nothing_else() {
    let world = World::new();
    let id = world.send("bob", &["--allow-unknown", "--subject", "secret", "--tag", "t"]);
    let _ = world.mailstop(&["resolve", &id, "--note", "secret"]);
    world.age(31 * DAY);
    let before = world.json(&["status", &id]);
    let _ = world.mailstop(&["sweep"]);
    let after = world.json(&["status", &id]);
    assert!(!after.to_string().contains("secret"), "{after}");
    for name in ["id", "outcome", "sender", "recipient", "created_at", "closed_at", "closed_by"] {
        assert_eq!(after[name], before[name], "{name}");
    }
    let said = world.mailstop(&["read", &id]).stdout;
    assert!(said.contains("swept    its content was removed now\n"), "{said}");
}

#[test]
fn age_counts_from_the_resolution() {
    let world = World::new();
    let id = world.send("bob", &["--allow-unknown"]);
    world.age(300 * DAY);
    let _ = world.mailstop(&["resolve", &id]);
    assert_eq!(world.json(&["sweep"])["removed"], json!({}));
    world.age(29 * DAY);
    assert_eq!(world.json(&["sweep"])["removed"], json!({}));
    world.age(DAY);
    assert_eq!(world.json(&["sweep"])["removed"], json!({ "resolved": 1 }));
}

#[test]
fn the_setting_decides_and_zero_keeps_everything() {
    let world = World::with_config("ttl_days = 0");
    let _ = old_mail(&world);
    let said = world.mailstop(&["sweep"]);
    assert!(said.stdout.ends_with("\nttl_days is 0: everything is kept\n"), "{said:?}");
    let world = World::with_config("ttl_days = 40");
    let _ = old_mail(&world);
    assert_eq!(world.json(&["sweep"])["removed"], json!({}));
    world.age(10 * DAY);
    assert_eq!(world.json(&["sweep"])["removed"]["resolved"], 2);
}

#[test]
fn space_goes_back_to_the_disk() {
    let world = World::new();
    let file = world.path("body");
    fs::write(&file, "long ".repeat(20_000)).unwrap();
    let size = || fs::metadata(world.path("mail/mailstop.db")).unwrap().len();
    for _ in 0..40 {
        let words = ["send", "--to", "user", "--status", "resolved", "--body-file"];
        assert_eq!(world.mailstop(&[&words[..], &[file.to_str().unwrap()]].concat()).status, 0);
    }
    let full = size();
    world.age(31 * DAY);
    assert_eq!(world.json(&["sweep"])["freed_bytes"], 4_000_080);
    assert!(size() < full / 10, "{full} {}", size());
}

fn swept_at(world: &World, ago: i64) {
    let at = format!("CAST(strftime('%s', 'now') AS INTEGER) * 1000 - {ago} * 3600000");
    world.sql(&format!("INSERT OR REPLACE INTO chores VALUES ('sweep', {at})"));
}

#[test]
fn a_command_sweeps_once_a_day_and_a_hook_never() {
    let world = World::new();
    let id = world.send("bob", &["--allow-unknown", "--subject", "kept", "--status", "resolved"]);
    world.age(40 * DAY);
    let kept = || world.json(&["status", &id])["subject"] == "kept";
    world.send("user", &[]);
    assert!(kept(), "the day of the last sweep is not over");
    swept_at(&world, 25);
    let bob = world.session("s1").named("alice");
    let (_, _, _) = (bob.start(), bob.prompt(), bob.stop());
    assert!(kept(), "a hook swept");
    world.send("user", &[]);
    assert!(!kept(), "nothing swept");
}

/// B41: after a long time nobody can tell whether the clock is right; the day after tells.
#[test]
fn after_a_long_time_the_first_command_sweeps_nothing() {
    let world = World::new();
    let id = world.send("bob", &["--allow-unknown", "--subject", "kept", "--status", "resolved"]);
    world.age(400 * DAY);
    swept_at(&world, 400 * DAY);
    let kept = || world.json(&["status", &id])["subject"] == "kept";
    world.send("user", &[]);
    assert!(kept());
    swept_at(&world, 25);
    world.sql("UPDATE clock SET wall = wall - 380 * 86400000");
    world.send("user", &[]);
    assert!(kept(), "a clock set forward in this boot is not believed");
    world.sql("DELETE FROM clock");
    swept_at(&world, 25);
    world.send("user", &[]);
    assert!(!kept());
}
