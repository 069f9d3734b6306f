//! Converted messages into the mailbox, with what their recipients have had of them.

use std::collections::HashMap;

use super::row::{Converted, To};
use crate::delivery::{self, Inbox};
use crate::message::{Address, Millis, Mode, Status};
use crate::policy;
use crate::store::{NewMessage, OldDelivery, Result, Work};

/// Who closed what was closed there.
const CLOSED_BY: &str = "work-buddy";

/// The messages of one transaction, in which nobody else comes or goes.
pub(super) struct Batch<'a> {
    work: &'a Work<'a>,
    senders: HashMap<String, String>,
    inboxes: HashMap<(To, bool), Inbox>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(work: &'a Work<'a>) -> Batch<'a> {
        Batch { work, senders: HashMap::new(), inboxes: HashMap::new() }
    }

    /// Whether a message was imported before.
    pub(super) fn has(&self, alias: &str) -> Result<bool> {
        Ok(self.work.message_with_alias(alias)?.is_some())
    }

    /// Stores a message, seen or not.
    pub(super) fn store(&mut self, message: &Converted, seen_at: Option<Millis>) -> Result<()> {
        let is_open = message.status == Status::Pending;
        let sender = self.sender(&message.sender)?;
        let session = message.sender_session.clone().map(|key| Address::Session(key).to_string());
        let parent = message.answers.as_deref().map(|id| self.work.id_with_alias(id));
        let parent = parent.transpose()?.flatten();
        let inbox = self.inbox(&message.to, is_open)?.clone();
        let new = NewMessage {
            sender: &sender,
            sent_by: session.as_deref().unwrap_or(&sender),
            recipient: &inbox.address,
            kind: message.kind.clone(),
            priority: message.priority,
            disposition: message.disposition,
            mode: Mode::Auto,
            status: message.status,
            subject: &message.subject,
            body: &message.body,
            tags: &message.tags,
            thread: message.thread.as_deref(),
            reply_to: parent.as_deref(),
            about: None,
            correlation: None,
            created_at: message.created_at,
            closed: message.closed_at.map(|at| (at, CLOSED_BY)),
            expires_at: None,
        };
        let stored = self.work.add_old_message(&new)?;
        self.work.add_alias(&message.alias, stored.seq)?;
        if let Some(note) = &message.note {
            self.work.set_note(stored.seq, note)?;
        }
        let lane = policy::lane(message.status, Some(message.disposition), Mode::Auto);
        // Information that was seen is owed no more; what may block is, until it is closed.
        let owed = is_open && (seen_at.is_none() || lane != policy::Lane::Prompt);
        let old = OldDelivery { lane, rank: message.priority.rank(), owed, seen_at };
        for reader in inbox.readers {
            self.work.add_old_delivery(stored.seq, reader, old)?;
        }
        Ok(())
    }

    fn sender(&mut self, name: &str) -> Result<String> {
        if let Some(known) = self.senders.get(name) {
            return Ok(known.clone());
        }
        let address = delivery::folder_address(self.work, name)?.to_string();
        self.senders.insert(name.to_owned(), address.clone());
        Ok(address)
    }

    fn inbox(&mut self, to: &To, is_open: bool) -> Result<&Inbox> {
        let key = (to.clone(), is_open);
        if !self.inboxes.contains_key(&key) {
            let inbox = inbox(self.work, to, is_open)?;
            self.inboxes.insert(key.clone(), inbox);
        }
        Ok(&self.inboxes[&key])
    }
}

/// Who gets a message: what is closed stays with the project, what is open goes to whoever
/// works there now, or next.
fn inbox(work: &Work<'_>, to: &To, is_open: bool) -> Result<Inbox> {
    match to {
        To::Folder(name) => {
            let address = delivery::folder_address(work, name)?;
            if is_open {
                return delivery::project_inbox(work, &address);
            }
            Ok(Inbox { readers: vec![work.mailbox(&address)?], address: address.to_string() })
        }
        To::Session(key) => delivery::session_inbox(work, key),
        To::User => {
            let reader = work.mailbox(&Address::User)?;
            Ok(Inbox { address: Address::User.to_string(), readers: vec![reader] })
        }
    }
}
