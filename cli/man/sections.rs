//! The sections of a manual page that the definition of the command line lacks.

use clap_mangen::roff::{Roff, bold, roman};
use mailstop_core::config::VARIABLES;
use mailstop_core::refusal::Class;

/// The line that begins a page. Written out, since [`Roff`] leaves out the empty date.
pub(crate) fn title(name: &str) -> Vec<u8> {
    let (title, version) = (name.to_uppercase(), env!("CARGO_PKG_VERSION"));
    format!(".TH {title} 1 \"\" \"mailstop {version}\" \"Mailstop\"\n").into_bytes()
}

/// The text below a verb's help: each line that ends in a colon heads a section, and
/// the lines indented below it are examples, to be shown as they are.
pub(crate) fn after_help(text: &str) -> Roff {
    let mut page = Roff::new();
    let mut literal = false;
    for line in text.lines() {
        let indented = line.starts_with(' ');
        if indented != literal && !line.is_empty() {
            page.control(if indented { "nf" } else { "fi" }, []);
            literal = indented;
        }
        match line.strip_suffix(':').filter(|_| !indented) {
            Some(heading) => page.control("SH", [heading.to_uppercase().as_str()]),
            None => page.text([roman(line.strip_prefix("  ").unwrap_or(line))]),
        };
    }
    if literal {
        page.control("fi", []);
    }
    page
}

/// Where things live.
pub(crate) fn files() -> Roff {
    let (data, settings) = if cfg!(target_os = "macos") {
        let folder = "~/Library/Application Support/mailstop";
        (folder, folder)
    } else {
        ("~/.local/share/mailstop", "~/.config/mailstop")
    };
    definitions(
        "FILES",
        [
            (
                format!("{data}/mailstop.db"),
                "The mailbox, with -wal and -shm beside it while in use.",
            ),
            (
                format!("{data}/mailstop.made"),
                "Says that a mailbox was made here: one that is gone is not begun afresh.",
            ),
            (
                format!("{data}/mailstop.told"),
                "What lasting trouble with the mailbox the user was told of; gone when it is over.",
            ),
            (format!("{data}/errors.log"), "What went wrong in hooks; `mailstop doctor` shows it."),
            (
                format!("{settings}/config.toml"),
                "The settings; `mailstop config` prints every key.",
            ),
        ],
    )
}

/// The variables that a person may set.
pub(crate) fn environment() -> Roff {
    let colour = ("NO_COLOR", "no colour on a terminal, when it is set to anything");
    let variables = VARIABLES.iter().copied().chain([colour]);
    definitions("ENVIRONMENT", variables.map(|(name, meaning)| (name.to_owned(), meaning)))
}

/// What the exit codes mean.
pub(crate) fn exit_status() -> Roff {
    let failures = [
        (Class::Failed, "failed"),
        (Class::Usage, "used wrongly, or a claim that was refused"),
        (Class::NotFound, "not found, or ambiguous"),
        (Class::State, "refused by a state, such as that of the recipient"),
        (Class::TimedOut, "timed out"),
        (Class::Store, "the mailbox cannot be used"),
    ];
    let failures = failures.map(|(class, meaning)| (class.exit_code().to_string(), meaning));
    definitions("EXIT STATUS", [("0".to_owned(), "done")].into_iter().chain(failures))
}

/// The page about all of Mailstop.
pub(crate) fn see_also() -> Roff {
    let mut page = Roff::new();
    page.control("SH", ["SEE ALSO"]).text([bold("mailstop"), roman("(1)")]);
    page
}

fn definitions(heading: &str, entries: impl IntoIterator<Item = (String, &'static str)>) -> Roff {
    let mut page = Roff::new();
    page.control("SH", [heading]);
    for (term, meaning) in entries {
        page.control("TP", []).text([bold(term)]).text([roman(meaning)]);
    }
    page
}

/// One page from its sections, each of which was written as a document of its own:
/// what begins a document is kept once, at the top.
pub(crate) fn joined(text: &str) -> String {
    let preamble = Roff::new().render();
    preamble.clone() + &text.replace(&preamble, "")
}
