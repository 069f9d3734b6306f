//! What to tell a user of a settings file that is otherwise in order.

use std::path::Path;

use super::Client;
use crate::settings::file::SettingsFile;
use crate::settings::json::Document;
use crate::settings::toml;

/// What keeps the hooks in this file from running, or draws a warning of the client's.
pub(crate) fn about(client: &Client, path: &Path, text: &str) -> Vec<String> {
    let mut warnings = Vec::new();
    let Ok(document) = Document::parse(text) else {
        return warnings;
    };
    if client.has_allow_rules && !document.is_plain() {
        warnings.push(format!(
            "{} ignores {} while it has comments or trailing commas: remove them, or no hook runs",
            client.name,
            path.display()
        ));
    }
    if client.has_allow_rules && document.is_on("disableAllHooks") {
        warnings.push(format!(
            "disableAllHooks is on in {}: no hook runs",
            path.display()
        ));
    }
    let Some(sibling) = client.sandbox_file.map(|name| path.with_file_name(name)) else {
        return warnings;
    };
    let sibling = SettingsFile::read(&sibling).ok();
    let text = sibling
        .as_ref()
        .and_then(SettingsFile::text)
        .unwrap_or_default();
    // Codex keeps in `hooks.state` which hooks its user trusts.
    if toml::has_more_than(text, "hooks", "state") {
        warnings.push(format!(
            "config.toml has hooks as well: {} warns about two places in one folder, and runs both",
            client.name
        ));
    }
    if toml::is_off(text, "features", "hooks") {
        warnings.push(format!(
            "features.hooks is off in config.toml: {} runs no hook",
            client.name
        ));
    }
    warnings
}
