//! Stories told through the real executables: an event on standard input, an
//! output on standard output, and what the mailbox says afterwards.

#![allow(clippy::unwrap_used)]

#[path = "stories/answers.rs"]
mod answers;
#[path = "stories/answers_delivered.rs"]
mod answers_delivered;
#[path = "stories/answers_killed.rs"]
mod answers_killed;
#[path = "stories/asking.rs"]
mod asking;
#[path = "stories/backfill.rs"]
mod backfill;
#[path = "stories/backup.rs"]
mod backup;
#[path = "stories/backup_killed.rs"]
mod backup_killed;
#[path = "stories/bodies.rs"]
mod bodies;
#[path = "stories/budget.rs"]
mod budget;
#[path = "stories/children.rs"]
mod children;
#[path = "stories/commands.rs"]
mod commands;
#[path = "stories/config.rs"]
mod config;
#[path = "stories/courier.rs"]
mod courier;
#[path = "stories/crash.rs"]
mod crash;
#[path = "stories/damage.rs"]
mod damage;
#[path = "stories/dead.rs"]
mod dead;
#[path = "stories/dead_answers.rs"]
mod dead_answers;
#[path = "stories/dead_kept.rs"]
mod dead_kept;
#[path = "stories/dead_notices.rs"]
mod dead_notices;
#[path = "stories/dead_races.rs"]
mod dead_races;
#[path = "stories/dead_shared.rs"]
mod dead_shared;
#[path = "stories/disk.rs"]
mod disk;
#[path = "stories/doctor.rs"]
mod doctor;
#[path = "stories/folder.rs"]
mod folder;
#[path = "stories/folding.rs"]
mod folding;
#[path = "stories/forgotten.rs"]
mod forgotten;
#[path = "stories/full.rs"]
mod full;
#[path = "stories/full_disk.rs"]
mod full_disk;
#[path = "stories/fuzz.rs"]
mod fuzz;
#[path = "stories/help.rs"]
mod help;
#[path = "stories/holds.rs"]
mod holds;
#[path = "stories/import.rs"]
mod import;
#[path = "stories/import_places.rs"]
mod import_places;
#[path = "stories/import_source.rs"]
mod import_source;
#[path = "stories/input.rs"]
mod input;
#[path = "stories/keeping.rs"]
mod keeping;
#[path = "stories/killed.rs"]
mod killed;
#[path = "stories/listing.rs"]
mod listing;
#[path = "stories/log.rs"]
mod log;
#[path = "stories/lookup.rs"]
mod lookup;
#[path = "stories/manual.rs"]
mod manual;
#[path = "stories/names.rs"]
mod names;
#[path = "stories/note.rs"]
mod note;
#[path = "stories/odd_rows.rs"]
mod odd_rows;
#[path = "stories/policy.rs"]
mod policy;
#[path = "stories/presence.rs"]
mod presence;
#[path = "stories/processes.rs"]
mod processes;
#[path = "stories/projects.rs"]
mod projects;
#[path = "support/pty.rs"]
mod pty;
#[path = "stories/question_sets.rs"]
mod question_sets;
#[path = "stories/questions.rs"]
mod questions;
#[path = "stories/races.rs"]
mod races;
#[path = "stories/receipts.rs"]
mod receipts;
#[path = "stories/redelivery.rs"]
mod redelivery;
#[path = "stories/restore.rs"]
mod restore;
#[path = "stories/restore_refused.rs"]
mod restore_refused;
#[path = "stories/retention.rs"]
mod retention;
#[path = "stories/ruins.rs"]
mod ruins;
#[path = "stories/session.rs"]
mod session;
#[path = "stories/sessions.rs"]
mod sessions;
#[path = "stories/shown.rs"]
mod shown;
#[path = "stories/shows.rs"]
mod shows;
#[path = "stories/silence.rs"]
mod silence;
#[path = "stories/stall.rs"]
mod stall;
#[path = "stories/store.rs"]
mod store;
#[path = "stories/stranded.rs"]
mod stranded;
#[path = "stories/terminal.rs"]
mod terminal;
#[path = "stories/terms.rs"]
mod terms;
#[path = "stories/upgrade.rs"]
mod upgrade;
#[path = "stories/verbs.rs"]
mod verbs;
#[path = "stories/waiting.rs"]
mod waiting;
#[path = "stories/work_buddy.rs"]
mod work_buddy;
#[path = "stories/world.rs"]
mod world;
