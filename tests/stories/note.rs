//! The one note that the mailbox cannot be used: to whom, and how often.

use std::fs;

use crate::ruins::{database, files, mailbox, put_back, swap};
use crate::shown::Shown;

#[test]
fn another_kind_of_trouble_is_told_again() {
    let world = mailbox(false);
    let bob = world.session("s1").named("bob");
    let good = files(&world);
    fs::write(database(&world), "").unwrap();
    assert_eq!((bob.prompt().brief(), bob.prompt().brief()), ("user".into(), "nothing".into()));
    swap(&world);
    assert_eq!((bob.prompt().brief(), bob.prompt().brief()), ("user".into(), "nothing".into()));
    put_back(&world, &good);
    assert_eq!(world.mailstop(&["inbox"]).status, 0);
    swap(&world);
    assert_eq!((bob.prompt().brief(), bob.prompt().brief()), ("user".into(), "nothing".into()));
}

#[test]
fn who_has_no_use_for_the_note_does_not_use_it_up() {
    let world = mailbox(false);
    let bob = world.session("s1").named("bob");
    fs::write(database(&world), "").unwrap();
    assert_eq!((bob.subagent().stop(), bob.end()), (Shown::Nothing, Shown::Nothing));
    assert_eq!(bob.clone().with("MAILSTOP", "off").start(), Shown::Nothing);
    assert_eq!((bob.stop().brief(), bob.stop().brief()), ("user".into(), "nothing".into()));
}

#[test]
fn where_nothing_can_be_remembered_only_starts_tell() {
    let world = mailbox(false);
    let bob = world.session("s1").named("bob");
    fs::write(database(&world), "").unwrap();
    fs::create_dir(world.path("mail/mailstop.told")).unwrap();
    assert_eq!((bob.start().brief(), bob.stop()), ("user".into(), Shown::Nothing));
    assert_eq!((bob.prompt(), bob.start().brief()), (Shown::Nothing, "user".into()));
}
