//! What an install or uninstall did, one line a file, and what is left to do.

use serde_json::{Value, json};

use super::change::{Action, Change, Part};
use mailstop_core::text;

use crate::args::Place;
use crate::error::CliError;
use crate::output::{Printer, Style};

/// Prints the changes, made or only planned.
pub(crate) fn print(
    changes: &[Change],
    place: &Place,
    printer: &mut Printer,
) -> Result<(), CliError> {
    let is_told =
        |change: &&Change| change.part == Part::Hooks || change.action != Action::NothingToRemove;
    for change in changes.iter().filter(is_told) {
        let name = printer.paint(Style::Bold, change.client.name);
        printer.line(format!("{name}: {}", sentence(change, place.dry_run)))?;
        // A sandbox is opened before its owner's eyes.
        let opens = change.part == Part::Sandbox && change.action == Action::Install;
        if place.dry_run || opens {
            print_diff(&change.diff(), printer)?;
        }
        if !printer.is_json() {
            printer.flush()?;
            change.warnings.iter().for_each(|warning| printer.complain("warning", warning));
        }
    }
    if place.dry_run {
        printer.line("nothing was written")?;
    } else {
        print_next_steps(changes, printer)?;
    }
    let documents: Vec<Value> = changes.iter().map(Change::document).collect();
    printer.document(&json!({ "dry_run": place.dry_run, "clients": documents }))
}

fn sentence(change: &Change, dry_run: bool) -> String {
    let file = text::line(&change.file.path.display().to_string());
    let (would, did) = match (change.action, change.part) {
        (Action::AlreadyInstalled, Part::Hooks) => return format!("already installed in {file}"),
        (Action::AlreadyInstalled, Part::Sandbox) => {
            return format!("the sandbox lets resolve write already, in {file}");
        }
        (Action::Skip, _) => return format!("skipped {file}"),
        (Action::NothingToRemove, _) => return format!("nothing to remove in {file}"),
        (Action::Install, Part::Hooks) => ("would write hooks to", "wrote hooks to"),
        (Action::Install, Part::Sandbox) => {
            ("would let resolve write in the sandbox, in", "let resolve write in the sandbox, in")
        }
        (Action::Update, _) => ("would update hooks in", "updated hooks in"),
        (Action::Remove, Part::Hooks) => ("would remove hooks from", "removed hooks from"),
        (Action::Remove, Part::Sandbox) => {
            ("would remove the sandbox setting from", "removed the sandbox setting from")
        }
        (Action::Restore, _) => ("would restore", "restored"),
        (Action::Delete, _) => ("would delete", "deleted"),
    };
    format!("{} {file}", if dry_run { would } else { did })
}

fn print_diff(diff: &str, printer: &mut Printer) -> Result<(), CliError> {
    for line in diff.lines() {
        let style = match line.as_bytes().first() {
            Some(b'+') => Some(Style::Green),
            Some(b'-') => Some(Style::Red),
            Some(b'@' | b'\\') => Some(Style::Dim),
            _ => None,
        };
        let text = line.split('\t').map(text::line).collect::<Vec<_>>().join("\t");
        printer.line(style.map_or(text.clone(), |style| printer.paint(style, &text)))?;
    }
    Ok(())
}

fn print_next_steps(changes: &[Change], printer: &mut Printer) -> Result<(), CliError> {
    for change in changes {
        if change.part == Part::Hooks && matches!(change.action, Action::Install | Action::Update) {
            printer.line(format!("next, {}: {}", change.client.name, change.client.next_step))?;
        }
    }
    Ok(())
}
