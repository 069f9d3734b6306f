//! The manual pages, made from the definition of the command line.

mod sections;

use std::io;

use clap::Command;
use clap::error::{ContextKind, ContextValue};
use clap_mangen::Man;
use mailstop_core::refusal::Class;

use crate::args;
use crate::error::CliError;

/// A manual page.
#[derive(Debug)]
pub(crate) struct Page {
    /// The words of the verb; none of the page about all of Mailstop.
    pub(crate) verb: String,
    /// The name of its file, `mailstop-send.1`.
    pub(crate) file: String,
    /// What `man` reads.
    pub(crate) text: String,
}

/// The page of a verb, given as its words; without any the page about all of Mailstop.
pub(crate) fn page(words: &[String]) -> Result<Page, CliError> {
    let whole = whole();
    let mut command = &whole;
    for word in words {
        command = command.find_subcommand(word).ok_or_else(|| unknown(command, word))?;
    }
    render(command)
}

/// Every page, that of all of Mailstop first.
pub(crate) fn pages() -> Result<Vec<Page>, CliError> {
    let mut pages = Vec::new();
    collect(&whole(), &mut pages)?;
    Ok(pages)
}

fn collect(command: &Command, pages: &mut Vec<Page>) -> Result<(), CliError> {
    pages.push(render(command)?);
    let mut nested = command.get_subcommands().filter(|nested| !nested.is_hide_set());
    nested.try_for_each(|nested| collect(nested, pages))
}

/// The command line with every name in it complete: `mailstop-sessions-forget`.
fn whole() -> Command {
    let mut command = args::command().bin_name("mailstop").display_name("mailstop");
    command.build();
    command
}

/// The choices are clap's own, the same as for a mistyped verb.
fn unknown(command: &Command, word: &str) -> CliError {
    let parsed = command.clone().no_binary_name(true).try_get_matches_from([word]);
    let close = parsed.err().and_then(|error| match error.get(ContextKind::SuggestedSubcommand) {
        Some(ContextValue::Strings(close)) if !close.is_empty() => Some(close.join(", ")),
        _ => None,
    });
    let verb = command.get_bin_name().unwrap_or_default();
    CliError::new(Class::NotFound, format!("{verb} has no verb `{word}`")).hint(match close {
        Some(close) => format!("did you mean {close}?"),
        None => format!("`{verb} --help` lists what there is"),
    })
}

fn render(command: &Command) -> Result<Page, CliError> {
    let name = command.get_display_name().unwrap_or_default().to_owned();
    let words = command.get_bin_name().unwrap_or_default();
    let verb = words.split_once(' ').map_or("", |(_, verb)| verb).to_owned();
    let text = text(command, &name).map_err(|error| CliError::io("make", &name, &error))?;
    Ok(Page { verb, file: format!("{name}.1"), text })
}

fn text(command: &Command, name: &str) -> io::Result<String> {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_owned();
    let command = command.clone().override_usage(usage).subcommand_help_heading("COMMANDS");
    let nested = command.has_subcommands();
    let about_all = command.get_name() == name;
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let man = Man::new(command);

    let mut out = sections::title(name);
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    if nested {
        man.render_subcommands_section(&mut out)?;
    }
    sections::after_help(&after).to_writer(&mut out)?;
    if about_all {
        sections::files().to_writer(&mut out)?;
        sections::environment().to_writer(&mut out)?;
        sections::exit_status().to_writer(&mut out)?;
    } else {
        sections::see_also().to_writer(&mut out)?;
    }
    Ok(sections::joined(&String::from_utf8_lossy(&out)))
}
