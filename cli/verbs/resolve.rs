//! `mailstop resolve`: as the executable of that name.

use mailstop_core::hook;
use mailstop_core::resolve;
use serde_json::json;

use crate::args::ResolveArgs;
use crate::error::CliError;
use crate::output::Printer;

/// Closes messages; those that are not there are told after those that are.
pub(crate) fn run(args: &ResolveArgs, printer: &mut Printer) -> Result<(), CliError> {
    let ids: Vec<String> = args.ids.iter().chain(&args.named).cloned().collect();
    let (closed, refusals) = resolve::resolve_all(&ids, args.note.as_deref(), hook::now())?;
    for closed in &closed {
        printer.line(resolve::describe(closed))?;
    }
    match refusals.into_iter().next() {
        Some(refusal) => Err(refusal.into()),
        None => printer.document(&json!({
            "messages": closed.iter().map(resolve::as_json).collect::<Vec<_>>()
        })),
    }
}
