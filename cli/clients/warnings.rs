//! What to tell a user of a settings file that is otherwise in order: what keeps the
//! hooks in it from running, or `resolve` from writing.

use std::path::Path;

use super::{Client, Form};
use crate::settings::file::SettingsFile;
use crate::settings::json::{Document, Node};
use crate::settings::toml;

/// The warnings about a client's hook file with our entries in it.
pub(crate) fn about(client: &Client, path: &Path, text: &str, data: &Path) -> Vec<String> {
    match client.form {
        Form::Exec => about_claude(client.name, path, text, data),
        Form::Shell => about_codex(client.name, path),
    }
}

fn about_claude(name: &str, path: &Path, text: &str, data: &Path) -> Vec<String> {
    let file = path.display();
    let Ok(document) = Document::parse(text) else {
        return Vec::new();
    };
    let mut warnings = Vec::new();
    if !document.is_plain() {
        warnings.push(format!(
            "{name} ignores {file} while it has comments or trailing commas: remove them, or no \
             hook runs"
        ));
    }
    if document.is_on(&["disableAllHooks"]) {
        warnings.push(format!("disableAllHooks is on in {file}: no hook runs"));
    }
    let allowed = document.root.at(&["sandbox", "filesystem", "allowWrite"]);
    let mut allowed = allowed.and_then(Node::elements).unwrap_or_default().iter();
    let is_allowed = allowed.any(|folder| folder.string() == data.to_str());
    if document.is_on(&["sandbox", "enabled"]) && !is_allowed {
        warnings.push(format!(
            "the sandbox is on in {file}: add {} to sandbox.filesystem.allowWrite, or resolve \
             cannot write in it",
            data.display()
        ));
    }
    warnings
}

fn about_codex(name: &str, path: &Path) -> Vec<String> {
    let config = SettingsFile::read(&path.with_file_name("config.toml")).ok();
    let text = config.as_ref().and_then(SettingsFile::text).unwrap_or_default();
    let mut warnings = Vec::new();
    // Codex keeps in `hooks.state` which hooks its user trusts.
    if toml::has_more_than(text, "hooks", "state") {
        warnings.push(format!(
            "config.toml has hooks as well: {name} warns about two places in one folder, and runs \
             both"
        ));
    }
    if toml::is_off(text, "features", "hooks") {
        warnings.push(format!("features.hooks is off in config.toml: {name} runs no hook"));
    }
    warnings
}
