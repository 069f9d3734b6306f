//! The project of a folder: one key for all its spellings.
//!
//! Inside a git checkout the key is the canonical common git directory, so that
//! worktrees share one and submodules do not; outside it is the canonical folder.
//! Git itself is not run: `.git` is read as gitrepository-layout(5) says.

use std::fs;
use std::path::{Path, PathBuf};

/// The key of the project that a folder belongs to.
#[must_use]
pub fn key_of(folder: &Path) -> String {
    let folder = canonical(folder);
    let common = folder.ancestors().find_map(common_git_dir);
    common.unwrap_or(folder).to_string_lossy().into_owned()
}

/// The name a person calls a project by: its folder's.
#[must_use]
pub fn name_of(key: &str) -> &str {
    let folder = key.strip_suffix("/.git").unwrap_or(key);
    let name = folder.rsplit('/').next().unwrap_or(folder);
    name.strip_suffix(".git").filter(|stem| !stem.is_empty()).unwrap_or(name)
}

/// The names that a folder's project may be called by: that of the project, and that of
/// the checkout, which differs in a linked worktree.
#[must_use]
pub fn folder_names(key: &str, folder: &str) -> Vec<String> {
    let checkout = canonical(Path::new(folder));
    let top = checkout.ancestors().find(|folder| folder.join(".git").exists());
    let mut names = vec![name_of(key).to_owned()];
    names.extend(top.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()));
    names.dedup();
    names
}

fn canonical(folder: &Path) -> PathBuf {
    fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
}

fn common_git_dir(folder: &Path) -> Option<PathBuf> {
    let dot_git = folder.join(".git");
    if dot_git.join("HEAD").is_file() {
        return Some(canonical(&dot_git));
    }
    if dot_git.is_file() {
        return linked_git_dir(folder, &dot_git);
    }
    is_bare(folder).then(|| folder.to_owned())
}

/// A worktree's or submodule's `.git` file: `gitdir: PATH`. A worktree's folder
/// names the common one in `commondir`; a submodule's has none and stands alone.
fn linked_git_dir(folder: &Path, dot_git: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(dot_git).ok()?;
    let git_dir = canonical(&folder.join(text.trim().strip_prefix("gitdir:")?.trim()));
    match fs::read_to_string(git_dir.join("commondir")) {
        Ok(common) => Some(canonical(&git_dir.join(common.trim()))),
        Err(_) => Some(git_dir),
    }
}

fn is_bare(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && folder.join("objects").is_dir() && folder.join("refs").is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_called_by_its_folder() {
        assert_eq!(name_of("/srv/app/.git"), "app");
        assert_eq!(name_of("/srv/app.git"), "app");
        assert_eq!(name_of("/srv/app"), "app");
    }
}
