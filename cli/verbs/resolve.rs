//! `mailstop resolve`: as the executable of that name.

use mailstop_core::hook;
use mailstop_core::resolve;

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
    printer.document(&resolve::document(&closed, &refusals))?;
    let worst = refusals.iter().map(|refusal| refusal.class.exit_code()).max();
    match refusals.into_iter().find(|refusal| Some(refusal.class.exit_code()) == worst) {
        // The document has said it all.
        Some(refusal) if printer.is_json() => Err(CliError::from(refusal).told()),
        Some(refusal) => Err(refusal.into()),
        None => Ok(()),
    }
}
