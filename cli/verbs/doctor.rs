//! `mailstop doctor`.

use mailstop_core::text;
use serde_json::{Value, json};

use crate::args::DoctorArgs;
use crate::doctor::hooks::{self, Stored};
use crate::doctor::rehearsal::{self, Rehearsal};
use crate::doctor::{Finding, Level, sandbox, store};
use crate::error::CliError;
use crate::output::{Printer, Style};
use crate::paths::Surroundings;
use crate::progress::Progress;

/// Looks for what is wrong, and rehearses the main job with the stored commands.
pub(crate) fn run(args: &DoctorArgs, printer: &mut Printer) -> Result<(), CliError> {
    let around = Surroundings::read()?;
    let stored = hooks::stored(&around);
    let mut findings = Vec::new();
    if !args.demo {
        let progress = Progress::waiting("looking at every page of the mailbox", printer);
        findings.extend(store::check());
        progress.finish();
        findings.extend(hooks::check(&around, &stored));
        findings.extend(sandbox::check(&stored));
    }
    let rehearsals = rehearse(&stored);
    findings.extend(rehearsals.iter().map(judge));

    let wrong = findings.iter().filter(|finding| finding.level == Level::Wrong).count();
    printer.document(&json!({
        "ok": wrong == 0,
        "findings": findings.iter().map(Finding::document).collect::<Vec<Value>>(),
        "rehearsals": rehearsals.iter().map(Rehearsal::document).collect::<Vec<Value>>(),
    }))?;
    if !printer.is_json() {
        rehearsals.iter().try_for_each(|rehearsal| print_steps(rehearsal, printer))?;
        findings.iter().try_for_each(|finding| print_finding(finding, printer))?;
    }
    match wrong {
        0 => Ok(()),
        // The document has said it all.
        _ if printer.is_json() => Err(CliError::failed("").told()),
        1 => Err(CliError::failed("1 thing is wrong").hint("each finding above names its remedy")),
        _ => Err(CliError::failed(format!("{wrong} things are wrong"))
            .hint("each finding above names its remedy")),
    }
}

/// One rehearsal a client that has our hooks; with our own executables if none has.
fn rehearse(stored: &[Stored]) -> Vec<Rehearsal> {
    let stops: Vec<&Stored> = stored.iter().filter(|stored| stored.event == "Stop").collect();
    if stops.is_empty() {
        return vec![rehearsal::play("claude", None)];
    }
    stops.iter().map(|stop| rehearsal::play(stop.client.word, Some(stop))).collect()
}

fn judge(rehearsal: &Rehearsal) -> Finding {
    match &rehearsal.problem {
        None => Finding::fine(
            "rehearsal",
            format!("{}: a message blocked a Stop and was resolved", rehearsal.client),
        ),
        Some(problem) => Finding::wrong(
            "rehearsal",
            format!("{}: {problem}", rehearsal.client),
            "run mailstop install again; if that does not help, look at errors.log",
        ),
    }
}

fn print_steps(rehearsal: &Rehearsal, printer: &mut Printer) -> Result<(), CliError> {
    printer.line(
        printer.paint(Style::Bold, &format!("{}, in a scratch mailbox:", rehearsal.client)),
    )?;
    for (command, printed) in &rehearsal.steps {
        printer.line(format!("  $ {}", text::line(command)))?;
        for line in printed.lines() {
            printer.line(printer.paint(Style::Dim, &format!("    {}", text::line(line))))?;
        }
    }
    printer.line("")
}

fn print_finding(finding: &Finding, printer: &mut Printer) -> Result<(), CliError> {
    let style = match finding.level {
        Level::Fine => Style::Green,
        Level::Note => Style::Yellow,
        Level::Wrong => Style::Red,
    };
    let word = printer.paint(style, &format!("{:<5}", finding.word()));
    printer.line(format!("{word} {}: {}", finding.check, text::line(&finding.message)))?;
    match &finding.remedy {
        Some(remedy) => printer.line(format!("      {}", text::line(remedy))),
        None => Ok(()),
    }
}
