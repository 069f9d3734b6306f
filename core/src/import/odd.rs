//! What a row from elsewhere may have that makes no sense.

use crate::message::Invalid;
use std::fmt;
use std::str::FromStr;

crate::message::words! {
    /// Why a row is imported only as far as it makes sense.
    Odd, "oddity" {
        /// Its tags are no JSON list of strings; they become one tag.
        Tags = "tags that are not a list",
        /// A time cannot be read; the next best one is taken.
        Time = "a time that cannot be read",
        /// Its status is none that is known; it is taken as closed.
        Status = "an unknown status",
        /// It has no status; it is taken as pending.
        NoStatus = "no status",
        /// Its priority is none that is known; it is taken as normal.
        Priority = "an unknown priority",
        /// Its disposition is none that is known; it is taken as actionable.
        Disposition = "an unknown disposition",
        /// Its type is no word; it is made one.
        Kind = "a kind that is no word",
        /// Its id has a slash, which no address of work-buddy could name.
        Slash = "an id with a slash",
        /// It has no id; it is known by what it says.
        NoId = "no id",
        /// It has no sender.
        NoSender = "no sender",
        /// It has no recipient; the person gets it.
        NoRecipient = "no recipient",
        /// It has no subject.
        NoSubject = "no subject",
        /// Its recipient can be no folder's name, so nobody ever gets it by itself.
        Recipient = "a recipient that is no folder name",
        /// Its subject is too long; the whole of it begins the body.
        Subject = "a subject that is too long",
        /// A column holds a number, bytes, or broken text.
        Text = "text that is not text",
        /// The message it answers is not there.
        Reply = "answers a message that is not there",
        /// A message was read that is not there.
        Read = "read by nobody known",
    }
}
