//! The only place that knows SQL. Its public methods speak the domain: messages,
//! sessions, deliveries. One file a table family.

mod activities;
mod aliases;
mod answer_deliveries;
mod awaited;
mod backup;
mod checkup;
mod chores;
mod dead;
mod deliveries;
mod error;
mod extent;
mod failed_answers;
mod folding;
mod header;
mod ids;
mod imported;
mod mailboxes;
mod messages;
mod open;
mod open_mail;
mod overview;
mod owed;
mod patience;
mod project_mail;
mod questions;
mod schema;
mod sessions;
mod sole;
mod tombstones;
mod trouble;
mod turns;
mod undecided;
mod work_buddy;

use rusqlite::{Connection, TransactionBehavior};

pub use activities::{Activity, What};
pub use answer_deliveries::{
    AnswerDelivery, Claim, Due, LEASE as ANSWER_LEASE, Progress as AnswerProgress, Went,
};
pub use awaited::Open;
pub use backup::{Contents, Progress, Saved};
pub use checkup::Orphans;
pub use dead::Dead;
pub use deliveries::{Delivery, Offer, Unproved};
pub use error::Error;
pub use failed_answers::FailedAnswer;
pub use folding::{checkpoint_if_long, fold, keep};
pub use header::TOLD;
pub use ids::Found;
pub use imported::OldDelivery;
pub use messages::{Message, NewMessage, Stored};
pub use open_mail::OpenMail;
pub use overview::{Filter, Row, Totals};
pub use owed::Owed;
pub use patience::Caller;
pub use questions::{Asked, NativeQuestion, Standing};
pub use schema::VERSION;
pub use sessions::{NewSession, ProcessId, Session, State};
pub use sole::{Live, Sole, file_in, files_in, is_there, is_unusable, set_aside};
pub use tombstones::Aged;
pub use trouble::Trouble;
pub use turns::Turn;
pub use undecided::Undecided;
pub use work_buddy::{OldMailbox, OldMessage, OldRead};

/// How much of the file long work holds, as SQLite counts it: negative for KiB.
const HELD_KIBIBYTES: i64 = -64 * 1024;

/// A row's key in its table. Mailboxes, sessions and turns have one each.
pub type Key = i64;

/// An open mailbox file.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
}

/// What one use case reads and writes, all of it or nothing: one immediate
/// transaction, so that nothing read in it can change before it is written.
#[derive(Debug)]
pub struct Work<'a> {
    transaction: rusqlite::Transaction<'a>,
}

/// The store's results.
pub type Result<T> = std::result::Result<T, Error>;

impl Store {
    /// Begins the one transaction of a use case.
    ///
    /// # Errors
    /// When another process holds the write lock for longer than this one waits.
    pub fn begin(&mut self) -> Result<Work<'_>> {
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        Ok(Work { transaction })
    }

    /// Holds more of the file in memory, for work that goes all over it.
    ///
    /// # Errors
    /// When the store fails.
    pub fn hold_more(&self) -> Result<()> {
        Ok(self.connection.pragma_update(None, "cache_size", HELD_KIBIBYTES)?)
    }

    /// A number that changes when another connection has written the file. Asking for it
    /// touches shared memory, not the disk.
    ///
    /// # Errors
    /// When the store fails.
    pub fn data_version(&self) -> Result<i64> {
        Ok(self.connection.pragma_query_value(None, "data_version", |row| row.get(0))?)
    }

    /// Begins a transaction that only reads, for listings.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(&mut self) -> Result<Work<'_>> {
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
        Ok(Work { transaction })
    }
}

impl Work<'_> {
    /// Does something whole or not at all within this use case, which goes on either way.
    ///
    /// # Errors
    /// When what was begun can neither be kept nor undone.
    pub fn attempt<T>(&self, act: impl FnOnce() -> Result<T>) -> Result<Result<T>> {
        self.transaction.execute_batch("SAVEPOINT attempt")?;
        let done = act();
        if done.is_err() {
            self.transaction.execute_batch("ROLLBACK TO attempt")?;
        }
        self.transaction.execute_batch("RELEASE attempt")?;
        Ok(done)
    }

    /// Makes everything durable that this use case wrote.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn commit(self) -> Result<()> {
        Ok(self.transaction.commit()?)
    }
}

/// Reads a word of a closed set from a column.
fn word<T: std::str::FromStr>(row: &rusqlite::Row<'_>, column: &str) -> rusqlite::Result<T>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let text: String = row.get(column)?;
    text.parse().map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error))
    })
}
