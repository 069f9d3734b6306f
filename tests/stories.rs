//! Stories told through the real executables: an event on standard input, an
//! output on standard output, and what the mailbox says afterwards.

#![allow(clippy::unwrap_used)]

#[path = "stories/bodies.rs"]
mod bodies;
#[path = "stories/budget.rs"]
mod budget;
#[path = "stories/commands.rs"]
mod commands;
#[path = "stories/crash.rs"]
mod crash;
#[path = "stories/input.rs"]
mod input;
#[path = "stories/names.rs"]
mod names;
#[path = "stories/policy.rs"]
mod policy;
#[path = "stories/projects.rs"]
mod projects;
#[path = "stories/races.rs"]
mod races;
#[path = "stories/receipts.rs"]
mod receipts;
#[path = "stories/session.rs"]
mod session;
#[path = "stories/sessions.rs"]
mod sessions;
#[path = "stories/stall.rs"]
mod stall;
#[path = "stories/store.rs"]
mod store;
#[path = "stories/terminal.rs"]
mod terminal;
#[path = "stories/verbs.rs"]
mod verbs;
#[path = "stories/world.rs"]
mod world;
