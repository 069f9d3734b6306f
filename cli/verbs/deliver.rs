//! `mailstop deliver`: the courier, in the foreground or detached.

use mailstop_core::config;
use mailstop_core::delivery::{Fate, Handled, Round};
use mailstop_core::hook;
use mailstop_core::resolve::no_folder;
use mailstop_core::text;
use serde_json::{Value, json};

use crate::args::DeliverArgs;
use crate::courier;
use crate::error::CliError;
use crate::output::Printer;
use crate::progress::Progress;

/// Delivers what is left to be delivered.
pub(crate) fn run(args: &DeliverArgs, printer: &mut Printer) -> Result<(), CliError> {
    let folder = config::data_dir().ok_or_else(no_folder)?;
    if args.detached {
        // Nobody reads what it says, but `doctor` shows what is noted.
        if let Err(error) = courier::run_alone(&folder) {
            hook::note_error("courier", &error.to_string());
        }
        return Ok(());
    }
    let mut handled = Vec::new();
    let mut printed = Ok(());
    let progress = Progress::waiting("delivering", printer);
    courier::run(&folder, &mut |round: &Round| {
        for one in &round.handled {
            let line = printer.line(describe(one)).and_then(|()| printer.flush());
            printed = std::mem::replace(&mut printed, Ok(())).and(line);
        }
        handled.extend(round.handled.iter().map(document));
        if round.next.is_some() {
            progress.say("waiting until the rest can be delivered".to_owned());
        }
    })?;
    progress.finish();
    printed?;
    if handled.is_empty() {
        printer.line("nothing to deliver")?;
    }
    printer.document(&json!({ "answers": handled }))
}

fn word(fate: &Fate) -> &'static str {
    match fate {
        Fate::Delivered(_) => "delivered",
        Fate::Nobody => "pending",
        Fate::Erred(_) => "retried",
        Fate::Failed(_) => "failed",
        Fate::Duplicate => "duplicate",
    }
}

fn document(one: &Handled) -> Value {
    let (went, error) = match &one.fate {
        Fate::Delivered(went) => (Some(went.as_str()), None),
        Fate::Erred(code) | Fate::Failed(code) => (None, Some(code)),
        Fate::Nobody | Fate::Duplicate => (None, None),
    };
    json!({ "id": one.id, "recipient": one.asker, "delivery": word(&one.fate), "went": went,
        "last_error": error })
}

fn describe(one: &Handled) -> String {
    let to = format!("the answer to {} for {}", one.id, text::line(&one.asker));
    match &one.fate {
        Fate::Delivered(went) => format!("{to}: delivered, {went}"),
        Fate::Nobody => format!("{to}: nobody is there; it is delivered at the next start"),
        Fate::Erred(code) => format!("{to}: not delivered ({code}); tried again"),
        Fate::Failed(code) => format!("{to}: failed ({code})"),
        Fate::Duplicate => format!("{to}: somebody else delivers it"),
    }
}
