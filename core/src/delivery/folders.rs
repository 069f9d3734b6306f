//! Projects that are only known by their folder's name, as mail from elsewhere names them,
//! until one of that name appears.

use super::target;
use crate::message::Address;
use crate::project;
use crate::store::{Key, Result, Session, Work};

/// Where mail to an address is put, and for whom.
#[derive(Debug, Clone)]
pub struct Inbox {
    /// The address in full.
    pub address: String,
    /// The readers it is owed to.
    pub readers: Vec<Key>,
}

/// The address of the one project whose folder has a name, or of the name alone.
///
/// # Errors
/// When the store fails.
pub fn folder_address(work: &Work<'_>, name: &str) -> Result<Address> {
    let mut named = target::projects_named(work, name)?;
    let key = match (named.len(), named.pop()) {
        (1, Some(key)) => key,
        _ => name.to_owned(),
    };
    Ok(Address::Project(key))
}

/// The live sessions of a project, or its mailbox for the next one.
///
/// # Errors
/// When the store fails.
pub fn project_inbox(work: &Work<'_>, address: &Address) -> Result<Inbox> {
    let mut readers = match address {
        Address::Project(key) => target::live_readers(work, key, None)?,
        Address::Agent(_) | Address::Session(_) | Address::User => Vec::new(),
    };
    if readers.is_empty() {
        readers.push(work.mailbox(address)?);
    }
    Ok(Inbox { address: address.to_string(), readers })
}

/// The mailbox of a session, of the one that carries it on, or of one that may come.
///
/// # Errors
/// When the store fails.
pub fn session_inbox(work: &Work<'_>, key: &str) -> Result<Inbox> {
    let session = match work.session_with_key(key)? {
        Some(session) => work.session_row(work.continuation(session.id)?)?,
        None => None,
    };
    let address = match &session {
        Some(session) => Address::Session(session.key.clone()),
        None => Address::Session(key.to_owned()),
    };
    let reader = match session {
        Some(session) => session.own_mailbox,
        None => work.mailbox(&address)?,
    };
    Ok(Inbox { address: address.to_string(), readers: vec![reader] })
}

/// Gives a session what waits for a project of its folder's name.
pub(super) fn adopt(work: &Work<'_>, session: &Session, folder: &str, itself: &str) -> Result<()> {
    let project = Address::Project(session.project.clone()).to_string();
    for name in project::folder_names(&session.project, folder) {
        let bare = Address::Project(name).to_string();
        if let Some(waiting) = work.find_mailbox(&bare)? {
            work.readdress_waiting_mail(waiting, &project)?;
            work.take_waiting_mail(waiting, session.own_mailbox, itself)?;
        }
    }
    Ok(())
}
