//! Backup and restore, killed at any moment: the old state or the new one, and the next
//! run finishes.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use rusqlite::Connection;

use crate::backup::{LIVE, filled, kept};
use crate::crash::delay;
use crate::world::{MAILSTOP, World};

/// Messages in the two mailboxes that take each other's place.
const SIZES: [i64; 2] = [700, 900];

/// How often each is killed.
fn rounds() -> u64 {
    std::env::var("MAILSTOP_KILL_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

/// Runs a command once to its end, and tells how many microseconds it took.
fn whole(world: &World, words: &[&str]) -> u64 {
    let began = Instant::now();
    let said = world.mailstop(words);
    assert_eq!((said.status, said.stderr.as_str()), (0, ""));
    u64::try_from(began.elapsed().as_micros()).unwrap()
}

/// Runs a command and kills it within its time. Whether it died of that.
fn killed(world: &World, words: &[&str], round: u64, limit: u64) -> bool {
    let mut command = world.command(MAILSTOP);
    command.args(words).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    std::thread::sleep(delay(round, limit));
    child.kill().unwrap();
    child.wait().unwrap().code().is_none()
}

/// The number of messages in a database that is whole.
fn messages(file: &Path) -> i64 {
    let opened = Connection::open(file).unwrap();
    let said: String = opened.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(said, "ok", "{}", file.display());
    opened.query_row("SELECT count(*) FROM messages", [], |row| row.get(0)).unwrap()
}

/// What killed ones left behind, if anything.
fn drafts(folder: &Path) -> usize {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().starts_with(".mailstop-copy-")).count()
}

#[test]
fn a_killed_backup_leaves_no_half_of_one() {
    let world = filled(700);
    let (folder, file) = (world.path("disk"), world.path("disk/copy.db"));
    fs::create_dir(&folder).unwrap();
    let words = ["backup", file.to_str().unwrap()];
    let limit = whole(&world, &words);
    let (mut died, mut made) = (0, 0);
    for round in 0..rounds() {
        fs::remove_file(&file).unwrap();
        died += u64::from(killed(&world, &words, round, limit));
        match file.exists() {
            true => made += 1,
            false => drop(whole(&world, &words)),
        }
        assert_eq!(messages(&file), 700);
        assert_eq!(world.json(&[])["messages"], 700);
    }
    fs::remove_file(&file).unwrap();
    let _ = whole(&world, &words);
    assert_eq!(drafts(&folder), 0);
    eprintln!("backup: {} rounds, {died} killed, {made} had made it", rounds());
}

/// Two backups take each other's place. What the mailbox holds before each restore is
/// made by `before`: messages, or nothing that can be used.
fn kill_restores(name: &str, before: impl Fn(&Path, i64) -> Option<i64>) {
    let (world, small) = (filled(900), filled(700));
    let (live, mail) = (world.path(LIVE), world.path("mail"));
    let copies = [world.path("0.db"), world.path("1.db")];
    let _ = whole(&small, &["backup", copies[0].to_str().unwrap()]);
    let _ = whole(&world, &["backup", copies[1].to_str().unwrap()]);
    let words = |number: usize| ["restore", copies[number].to_str().unwrap()];
    let limit = whole(&world, &words(1));
    let (mut died, mut replaced) = (0, 0);
    for round in 0..rounds() {
        let number = usize::try_from(round % 2).unwrap();
        let (old, new) = (before(&live, SIZES[1 - number]), SIZES[number]);
        died += u64::from(killed(&world, &words(number), round, limit));
        let now = world.json(&[])["messages"].as_i64();
        assert!(now == old || now == Some(new), "round {round}: {now:?}");
        replaced += u64::from(now == Some(new));
        let _ = whole(&world, &words(number));
        assert_eq!((messages(&live), drafts(&mail)), (new, 0), "round {round}");
        let kept: Vec<_> = kept(&world).iter().map(|name| mail.join(name)).collect();
        assert!(!kept.is_empty());
        for file in kept {
            assert!(old.is_none() || SIZES.contains(&messages(&file)), "{}", file.display());
            fs::remove_file(file).unwrap();
        }
    }
    eprintln!("restore, {name}: {} rounds, {died} killed, {replaced} had replaced it", rounds());
}

#[test]
fn a_killed_restore_leaves_the_old_mailbox_or_the_new() {
    kill_restores("used", |_, old| Some(old));
}

#[test]
fn a_killed_restore_of_a_damaged_mailbox_is_finished_by_the_next() {
    kill_restores("damaged", |live, _| {
        fs::write(live, "no database ".repeat(1000)).unwrap();
        None
    });
}
