//! What a person who looks after the mailbox asks: mail that nobody will read, and rows
//! that lead nowhere.

use super::listing::sessions_of;
use super::register::is_live;
use crate::message::{Address, Millis};
use crate::store::{Key, OpenMail, Orphans, Result, Store, Work};

/// Open actionable mail from before a time that no running session is owed: nobody is
/// left who could be shown it. A person is always there.
///
/// # Errors
/// When the store fails.
pub fn endless(work: &Work<'_>, before: Millis) -> Result<Vec<OpenMail>> {
    let mut deserted: Vec<Key> = Vec::new();
    for mail in work.open_before(before)? {
        if mail.address != Address::User.to_string() && !has_reader(work, &mail)? {
            deserted.push(mail.reader);
        }
    }
    if deserted.is_empty() { Ok(Vec::new()) } else { work.open_before_only_for(before, &deserted) }
}

fn has_reader(work: &Work<'_>, mail: &OpenMail) -> Result<bool> {
    for session in sessions_of(work, &mail.address, mail.reader)? {
        if is_live(work, &session)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes the rows that lead nowhere, and tells which they were.
///
/// # Errors
/// When the store fails; nothing is removed then.
pub fn remove_orphans(store: &mut Store) -> Result<Orphans> {
    // Looking takes long where there is much, and mostly finds nothing: others may write.
    if store.read()?.orphans()?.is_empty() {
        return Ok(Orphans::new());
    }
    let work = store.begin()?;
    let orphans = work.orphans()?;
    work.remove_orphans()?;
    work.commit()?;
    Ok(orphans)
}
