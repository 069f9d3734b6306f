//! Where this process runs: its folders, and the environment that names them.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::error::CliError;

/// The surroundings of one command, read from the environment as they are needed.
#[derive(Debug)]
pub(crate) struct Surroundings {
    cwd: PathBuf,
}

impl Surroundings {
    /// Reads where the command was started.
    pub(crate) fn read() -> Result<Surroundings, CliError> {
        let cwd = env::current_dir()
            .map_err(|error| CliError::io("read", "the current folder", &error))?;
        Ok(Surroundings { cwd })
    }

    /// A folder named by a variable, or a folder in the home folder. A relative one is
    /// taken from the current folder; empty and blank count as unset.
    pub(crate) fn folder(&self, variable: &str, in_home: &str) -> Result<PathBuf, CliError> {
        if let Some(folder) = set(variable) {
            return Ok(self.absolute(Path::new(&folder)));
        }
        Ok(self.home(variable)?.join(in_home))
    }

    /// The repository that the current folder is in, else the current folder.
    pub(crate) fn project(&self) -> PathBuf {
        let repository = self.cwd.ancestors().find(|folder| folder.join(".git").exists());
        repository.unwrap_or(&self.cwd).to_owned()
    }

    /// The executable that a bare name means.
    pub(crate) fn on_path(&self, name: &OsStr) -> Option<PathBuf> {
        let path = env::var_os("PATH")?;
        env::split_paths(&path)
            .map(|folder| self.absolute(&folder.join(name)))
            .find(|file| is_executable(file))
    }

    /// The path from the root, links in it not followed.
    pub(crate) fn absolute(&self, path: &Path) -> PathBuf {
        let without_dots: PathBuf =
            path.components().filter(|part| *part != Component::CurDir).collect();
        self.cwd.join(without_dots)
    }

    fn home(&self, instead: &str) -> Result<PathBuf, CliError> {
        set("HOME").map(|home| self.absolute(Path::new(&home))).ok_or_else(|| {
            CliError::failed("HOME is not set").hint(format!("set HOME or {instead}"))
        })
    }
}

fn set(variable: &str) -> Option<OsString> {
    env::var_os(variable).filter(|value| !value.to_string_lossy().trim().is_empty())
}

fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
