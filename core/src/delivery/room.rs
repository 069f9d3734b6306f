//! Whether a mailbox takes one more message. What it cannot take is refused, never dropped.

use crate::policy::Rules;
use crate::refusal::Refusal;
use crate::store::{Key, Work};

/// Refuses a message to readers of whom one has as many unread ones as it may.
pub(super) fn check(work: &Work<'_>, readers: &[Key], rules: &Rules) -> Result<(), Refusal> {
    let limit = rules.max_unread;
    if limit == 0 {
        return Ok(());
    }
    for &reader in readers {
        if work.has_unread(reader, limit)? {
            let address = work.address_of(reader)?;
            return Err(Refusal::state(
                "mailbox_full",
                format!("the mailbox of {address} is full: {limit} unread messages"),
                "nothing was stored; send again when some were read or withdrawn, or raise \
                 max_unread in config.toml",
            ));
        }
    }
    Ok(())
}
