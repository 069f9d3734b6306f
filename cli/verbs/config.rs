//! `mailstop config`.

use mailstop_core::config::{self, Config, KEYS};
use serde_json::{Value, json};

use crate::error::CliError;
use crate::mailbox;
use crate::output::{Printer, Style};

/// Prints every setting, its value and where that comes from.
pub(crate) fn run(printer: &mut Printer) -> Result<(), CliError> {
    let config = mailbox::config()?;
    let file = config::config_file();
    let written = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
    let written: toml_edit::DocumentMut =
        written.and_then(|text| text.parse().ok()).unwrap_or_default();
    let path = file.map_or_else(|| "-".to_owned(), |file| file.display().to_string());
    let mut settings = Vec::new();
    for (key, meaning) in KEYS {
        let from = if written.contains_key(key) { path.as_str() } else { "default" };
        settings.push(
            json!({ "key": key, "value": value(&config, key), "from": from, "meaning": meaning }),
        );
    }
    let folder = config::data_dir().map(|folder| folder.display().to_string());
    printer.document(&json!({ "file": path, "data": folder, "settings": settings }))?;
    printer.line(format!("# file: {path}"))?;
    printer.line(format!("# data: {}", folder.unwrap_or_else(|| "-".to_owned())))?;
    for setting in &settings {
        let word = |name: &str| setting[name].as_str().unwrap_or_default().to_owned();
        printer.line("")?;
        printer.line(
            printer.paint(Style::Dim, &format!("# {} ({})", word("meaning"), word("from"))),
        )?;
        printer.line(format!("{} = {}", word("key"), setting["value"]))?;
    }
    Ok(())
}

fn value(config: &Config, key: &str) -> Value {
    match key {
        "block_until_resolved" => json!(config.block_until_resolved),
        "stall_after" => json!(config.stall_after),
        "max_blocks_per_turn" => json!(config.max_blocks_per_turn),
        "ttl_days" => json!(config.ttl_days),
        _ => json!(config.output_budget),
    }
}
