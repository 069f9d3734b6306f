//! A scratch home folder for one agent: the client finds its settings here and
//! leaves everything here. Nothing of it, and no process, outlives the story.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::client::{Client, Kind, cache};
use super::process;

/// What the folder of the executables is called in a scratch home.
const BIN: &str = "all bin";

/// A key that opens nothing: the model on loopback does not look at it.
pub(crate) const KEY: &str = "sk-ant-no-key-but-twenty-letters";

/// A home folder with a project in it.
pub(crate) struct Home {
    folder: TempDir,
}

impl Home {
    /// Makes one for a client whose model listens on a port.
    pub(crate) fn new(client: &Client, port: u16) -> Self {
        let base = base();
        fs::create_dir_all(&base).expect("a folder for scratch homes");
        let folder = TempDir::with_prefix_in("home-", base).expect("a scratch home");
        let home = Self { folder };
        // The project is a repository of its own, or a client would tell its model of the
        // one around it.
        let git = home.project().join(".git");
        for part in [git.join("objects"), git.join("refs"), home.temporary()] {
            fs::create_dir_all(part).expect("a folder in the scratch home");
        }
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").expect("a repository");
        let executables = Path::new(env!("CARGO_BIN_EXE_mailstop")).parent();
        let executables = executables.expect("an executable is in a folder");
        symlink(executables, home.path().join(BIN)).expect("a link to the executables");
        match client.kind {
            Kind::Claude => home.write(".claude.json", &home.claude_state()),
            Kind::Codex => home.write(".codex/config.toml", &home.codex_config(port)),
        }
        home
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Where the agent works.
    pub(crate) fn project(&self) -> PathBuf {
        self.path().join("project")
    }

    /// What the client takes for the system's temporary folder.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.path().join("tmp")
    }

    /// The command under test. It is reached through a link whose name has a space,
    /// so that every story also proves the quoting of paths.
    pub(crate) fn mailstop(&self) -> PathBuf {
        self.path().join(BIN).join("mailstop")
    }

    /// Writes a file, and the folders that it needs.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        let folder = path.parent().expect("a file is in a folder");
        fs::create_dir_all(folder).expect("a folder in the scratch home");
        fs::write(path, text).expect("a file in the scratch home");
    }

    /// Reads a file; empty if there is none.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_default()
    }

    /// What Claude Code writes after its first questions have been answered.
    fn claude_state(&self) -> String {
        let (project, key) = (self.project().display().to_string(), &KEY[KEY.len() - 20..]);
        let state = serde_json::json!({
            "hasCompletedOnboarding": true,
            "theme": "dark",
            "bypassPermissionsModeAccepted": true,
            "customApiKeyResponses": {"approved": [key], "rejected": []},
            "projects": {project: {"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}},
        });
        state.to_string()
    }

    fn codex_config(&self, port: u16) -> String {
        let project = self.project();
        format!(
            "model = \"scripted\"\nmodel_provider = \"loop\"\n\n\
             [model_providers.loop]\nname = \"loop\"\nbase_url = \"http://127.0.0.1:{port}/v1\"\n\
             wire_api = \"responses\"\nenv_key = \"LOOP_KEY\"\n\n\
             [projects.{project:?}]\ntrust_level = \"trusted\"\n"
        )
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        process::end_all_with_home(self.path());
    }
}

/// Where scratch homes lie: never in a temporary folder, which a client's sandbox
/// lets its commands write, so that a story could pass for the wrong reason.
fn base() -> PathBuf {
    let built = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let temporary = [env::temp_dir(), PathBuf::from("/tmp"), PathBuf::from("/var/tmp")];
    if temporary.iter().any(|folder| built.starts_with(folder)) {
        cache().join("homes")
    } else {
        built.to_owned()
    }
}
