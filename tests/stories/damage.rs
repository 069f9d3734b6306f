//! A mailbox file that was emptied, cut, zeroed, removed or swapped: nothing is begun
//! afresh, nothing is written, one note tells the user, and the good file works again.

use std::fs;

use crate::ruins::{
    DAMAGED, EMPTIED, FOREIGN, RESTORE, change, database, files, is_refused, mailbox, put_back,
    remove_sides, swap, swap_for,
};
use crate::shown::Shown;
use crate::world::World;

#[test]
fn an_emptied_mailbox_is_not_begun_afresh() {
    is_refused(|world| fs::write(database(world), "").unwrap(), EMPTIED, RESTORE);
}

#[test]
fn a_missing_mailbox_is_not_begun_afresh() {
    is_refused(|world| fs::remove_file(database(world)).unwrap(), EMPTIED, RESTORE);
}

#[test]
fn a_blank_database_in_its_place_is_not_taken_for_the_mailbox() {
    let blank = |world: &World| {
        remove_sides(world);
        swap_for(world, "VACUUM");
    };
    is_refused(blank, EMPTIED, RESTORE);
}

#[test]
fn a_mailbox_that_was_cut_is_left_alone() {
    let pages = |world: &World| fs::metadata(database(world)).unwrap().len();
    let whole = pages(&mailbox(false));
    let half = whole / 2 + 100;
    let found = format!("is damaged: {half} of its {whole} bytes are left");
    let cut = |world: &World| {
        change(world, |bytes| bytes.truncate(bytes.len() / 2 + 100));
    };
    is_refused(cut, &found, DAMAGED);
    let stump = |world: &World| change(world, |bytes| bytes.truncate(50));
    is_refused(stump, "is damaged: it is not a database", DAMAGED);
}

#[test]
fn a_zeroed_mailbox_is_left_alone() {
    let found = "is damaged: it is not a database";
    is_refused(|world| change(world, |bytes| bytes.fill(0)), found, DAMAGED);
    is_refused(|world| change(world, |bytes| bytes[..100].fill(0)), found, DAMAGED);
}

#[test]
fn a_foreign_database_in_its_place_is_left_alone() {
    is_refused(swap, "is a database, but not a mailbox", FOREIGN);
}

/// The mark is there although the mailbox and its log are not.
#[test]
fn a_mailbox_of_which_only_the_mark_is_left_is_not_begun_afresh() {
    let gone = |world: &World| {
        remove_sides(world);
        fs::remove_file(database(world)).unwrap();
    };
    is_refused(gone, EMPTIED, RESTORE);
}

/// A young mailbox has all of its mail in the log.
#[test]
fn a_mailbox_that_lost_its_log_is_not_begun_afresh() {
    let world = World::new();
    world.send("bob", &["--allow-unknown"]);
    fs::remove_file(world.path("mail/mailstop.db-wal")).unwrap();
    let said = world.mailstop(&["send", "--to", "user", "--body", "x"]);
    let expected = format!("error: ~/mail/mailstop.db {EMPTIED}\nhint: {RESTORE}\n");
    assert_eq!((said.status, said.stderr), (6, expected));
}

#[test]
fn an_empty_file_where_no_mailbox_was_is_a_fresh_start() {
    let world = World::new();
    fs::create_dir(world.path("mail")).unwrap();
    fs::write(database(&world), "").unwrap();
    assert_eq!(world.session("s1").named("bob").start().brief(), "context");
    world.send("bob", &[]);
    assert_eq!(
        (world.session("s1").prompt().brief(), world.errors()),
        ("context 1".into(), "".into())
    );
}

/// Its header is whole, and what SQLite meets behind it is not.
#[test]
fn damage_inside_the_file_is_told_too() {
    let world = mailbox(false);
    let good = files(&world);
    change(&world, |bytes| bytes[4096..].fill(0));
    let bob = world.session("s1").named("bob");
    let found = "~/mail/mailstop.db is damaged: database disk image is malformed";
    let said = world.mailstop(&["send", "--to", "bob", "--body", "x"]);
    assert_eq!((said.status, said.stderr), (6, format!("error: {found}\nhint: {DAMAGED}\n")));
    let note = format!("Mailstop: {found}. No mail is shown until this is put right: {DAMAGED}.");
    assert_eq!(
        (bob.stop(), bob.stop(), bob.start()),
        (Shown::User(note), Shown::Nothing, Shown::Nothing)
    );
    put_back(&world, &good);
    assert_eq!(bob.start().brief(), "context 1");
}
