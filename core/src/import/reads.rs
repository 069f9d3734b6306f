//! Which readings count: somebody of the project that a message went to has it seen, and
//! then all of it has. Pure.

use std::collections::HashSet;

use super::row::{Converted, To};
use super::times;
use crate::message::Millis;
use crate::store::OldRead;

/// What else is known of the sessions there.
#[derive(Debug)]
pub(super) struct Readers {
    /// Sessions with the projects that other readings show them to be of.
    pub(super) of_projects: HashSet<(String, String)>,
    /// Whether no reading tells a project at all.
    pub(super) is_oldest: bool,
}

/// When a message was first seen by somebody of its project, if it was. A time that cannot
/// be read is the message's own.
pub(super) fn seen_at(
    message: &Converted,
    project: Option<&str>,
    reads: &[OldRead],
    readers: &Readers,
) -> Option<Millis> {
    let counted = reads.iter().filter(|read| counts(message, project, read, readers));
    counted
        .map(|read| {
            read.at
                .as_deref()
                .and_then(times::parse)
                .map_or(message.created_at, |at| at.max(message.created_at))
        })
        .min()
}

/// A reading that names no project is by the session that the message was for, by one of
/// the project, or, where none ever names one, by anybody but the sender.
fn counts(message: &Converted, project: Option<&str>, read: &OldRead, readers: &Readers) -> bool {
    if read.project.is_some() {
        return read.project.as_deref() == project;
    }
    let Some(session) = &read.session else {
        return false;
    };
    let was_for_it = matches!(&message.to, To::Session(key) if key == session);
    let sent_it = message.sender_session.as_ref() == Some(session);
    let is_of_project = || {
        project.is_some_and(|project| {
            readers.of_projects.contains(&(session.clone(), project.to_owned()))
        })
    };
    was_for_it || (!sent_it && (readers.is_oldest || is_of_project()))
}
