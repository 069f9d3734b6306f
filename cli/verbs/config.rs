//! `mailstop config`.

use mailstop_core::config::{self, Chosen, KEYS};
use mailstop_core::text;
use serde_json::{Value, json};

use crate::error::CliError;
use crate::mailbox;
use crate::output::{Printer, Style};

/// Prints every setting, its value and where that comes from.
pub(crate) fn run(printer: &mut Printer) -> Result<(), CliError> {
    let config = json!(mailbox::config()?);
    let file = config::config_file();
    let written = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
    let written: toml_edit::DocumentMut =
        written.and_then(|text| text.parse().ok()).unwrap_or_default();
    let path = file.map_or_else(|| "-".to_owned(), |file| file.display().to_string());
    let mut settings = Vec::new();
    for (key, meaning) in KEYS {
        let from = if written.contains_key(key) { path.as_str() } else { "default" };
        settings
            .push(json!({ "key": key, "value": config[key], "from": from, "meaning": meaning }));
    }
    let folder = config::data_dir().map(|folder| folder.display().to_string());
    let environment = config::environment();
    printer.document(&json!({
        "file": path,
        "data": folder,
        "environment": environment.iter().map(document).collect::<Vec<Value>>(),
        "settings": settings,
    }))?;
    print_environment(&environment, printer)?;
    for setting in &settings {
        let word = |name: &str| setting[name].as_str().unwrap_or_default();
        printer.line("")?;
        print_meaning(word("meaning"), word("from"), printer)?;
        printer.line(format!("{} = {}", word("key"), setting["value"]))?;
    }
    Ok(())
}

fn document(one: &Chosen) -> Value {
    json!({ "key": one.name, "value": one.value, "from": one.from, "meaning": one.meaning })
}

/// As comments, so that the whole output is a file of settings.
fn print_environment(environment: &[Chosen], printer: &mut Printer) -> Result<(), CliError> {
    for one in environment {
        print_meaning(one.meaning, one.from, printer)?;
        printer.line(match &one.value {
            Some(value) => format!("# {}={}", one.name, text::line(value)),
            None => format!("# {} is not set", one.name),
        })?;
    }
    Ok(())
}

fn print_meaning(meaning: &str, from: &str, printer: &mut Printer) -> Result<(), CliError> {
    let meaning = format!("# {meaning} ({})", text::line(from));
    printer.line(printer.paint(Style::Dim, &meaning))
}
