//! Message ids: short, lower case, never reused, and safe in a shell.

use rusqlite::{OptionalExtension, params};

use super::{Result, Work};

/// Letters and digits that are not mistaken for each other.
const ALPHABET: &[u8; 30] = b"abcdefghjkmnpqrstvwxyz23456789";
const LENGTH: usize = 8;

/// What a text that names a message stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Exactly this message.
    One(String),
    /// No message.
    None,
    /// More than one message begins so: some of them.
    Many(Vec<String>),
}

impl Work<'_> {
    /// Makes an id that no message has.
    pub(super) fn fresh_id(&self) -> Result<String> {
        loop {
            let random: Vec<u8> = self
                .transaction
                .prepare_cached("SELECT randomblob(16)")?
                .query_row([], |row| row.get(0))?;
            let id = spell(&random);
            let taken = self
                .transaction
                .prepare_cached("SELECT 1 FROM messages WHERE id = ?1")?
                .exists(params![id])?;
            if !taken {
                return Ok(id);
            }
        }
    }

    /// Finds the message that an id, or the beginning of one, names.
    ///
    /// # Errors
    /// When the store fails.
    pub fn find_id(&self, text: &str) -> Result<Found> {
        let exact: Option<String> = self
            .transaction
            .query_row(
                "SELECT id FROM messages WHERE id = ?1
                 UNION ALL SELECT m.id FROM aliases a JOIN messages m ON m.seq = a.message
                   WHERE a.alias = ?1",
                [text],
                |row| row.get(0),
            )
            .optional()?;
        if let Some(id) = exact {
            return Ok(Found::One(id));
        }
        if text.is_empty() {
            return Ok(Found::None);
        }
        let mut statement = self.transaction.prepare_cached(
            "SELECT id FROM messages WHERE id >= ?1 AND id < ?1 || char(0x10ffff)
             UNION SELECT m.id FROM aliases a JOIN messages m ON m.seq = a.message
               WHERE a.alias >= ?1 AND a.alias < ?1 || char(0x10ffff)
             ORDER BY 1 LIMIT 6",
        )?;
        let mut ids: Vec<String> =
            statement.query_map([text], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok(match (ids.pop(), ids.is_empty()) {
            (None, _) => Found::None,
            (Some(id), true) => Found::One(id),
            (Some(id), false) => {
                ids.push(id);
                Found::Many(ids)
            }
        })
    }
}

fn spell(random: &[u8]) -> String {
    let letters = ALPHABET.len() - 8;
    random
        .iter()
        .take(LENGTH)
        .enumerate()
        .map(|(place, byte)| {
            let choices = if place == 0 { letters } else { ALPHABET.len() };
            char::from(ALPHABET[usize::from(*byte) % choices])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_begins_with_a_letter() {
        for byte in 0..=255 {
            let id = spell(&[byte; 16]);
            assert_eq!(id.len(), LENGTH);
            assert!(id.starts_with(|first: char| first.is_ascii_lowercase()), "{id}");
        }
    }
}
