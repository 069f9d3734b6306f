//! Whole processes: started, read to the end, and waited for.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Result;

pub(crate) const SESSION_START: &str = "mailstop-session-start";
pub(crate) const PROMPT: &str = "mailstop-user-prompt-submit";
pub(crate) const POST_TOOL_USE: &str = "mailstop-post-tool-use";
pub(crate) const STOP: &str = "mailstop-stop";
pub(crate) const MAILSTOP: &str = "mailstop";
pub(crate) const RESOLVE: &str = "resolve";

const ALL: [&str; 6] = [SESSION_START, PROMPT, POST_TOOL_USE, STOP, MAILSTOP, RESOLVE];

/// Copies the executables into the scratch folder, as an installer does: a file that
/// was copied lies in larger pieces in memory than one that a linker wrote, and
/// starts faster. Cargo tells where one lies; the shell on its way to the compiler
/// drops the variables of the others, whose names have a dash.
pub(crate) fn install(scratch: &Path) -> Result<()> {
    fs::create_dir(scratch.join("bin"))?;
    for name in ALL {
        let built = Path::new(env!("CARGO_BIN_EXE_mailstop")).with_file_name(name);
        copy(&built, &scratch.join("bin").join(name))?;
    }
    Ok(())
}

/// Through memory: a plain copy may share what the linker wrote.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::write(to, fs::read(from)?)?;
    Ok(fs::set_permissions(to, fs::metadata(from)?.permissions())?)
}

/// An executable with its arguments and its whole environment.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    path: PathBuf,
    words: Vec<String>,
    environment: Vec<(&'static str, PathBuf)>,
}

/// What a process did.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) took: Duration,
    pub(crate) output: String,
    pub(crate) success: bool,
}

impl Program {
    /// A program of ours on a mailbox in `home`, a folder in the scratch folder.
    pub(crate) fn new(name: &str, home: &Path) -> Program {
        Program {
            path: home.with_file_name("bin").join(name),
            words: Vec::new(),
            environment: vec![
                ("HOME", home.to_owned()),
                ("MAILSTOP_HOME", home.to_owned()),
                ("LANG", PathBuf::from("C.UTF-8")),
            ],
        }
    }

    pub(crate) fn words(mut self, words: &[&str]) -> Program {
        self.words = words.iter().map(|word| (*word).to_owned()).collect();
        self
    }

    pub(crate) fn variable(mut self, name: &'static str, value: &str) -> Program {
        self.environment.push((name, PathBuf::from(value)));
        self
    }

    /// The command, to be started in some other way than by [`Program::run`].
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command
            .args(&self.words)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs it with a file as its input, and times it from before it is started
    /// until it is gone. Everything else is done outside of that.
    pub(crate) fn run(&self, input: &Path) -> Result<Ran> {
        let input = File::open(input)?;
        let mut command = self.command();
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut output = Vec::with_capacity(16 * 1024);
        let begun = Instant::now();
        let mut child = command.spawn()?;
        if let Some(mut pipe) = child.stdout.take() {
            pipe.read_to_end(&mut output)?;
        }
        let status = child.wait()?;
        let took = begun.elapsed();
        Ok(Ran { took, output: String::from_utf8(output)?, success: status.success() })
    }
}

/// Compiles the unit that everything is compared with: a program that does nothing,
/// linked as Rust links by default.
pub(crate) fn compile_unit(scratch: &Path) -> Result<Program> {
    let source = scratch.join("unit.rs");
    let linked = scratch.join("linked");
    let path = scratch.join("unit");
    fs::write(&source, "fn main() {}\n")?;
    let status = Command::new("rustc")
        .args(["--edition", "2024", "-O", "-o"])
        .arg(&linked)
        .arg(&source)
        .status()?;
    if !status.success() {
        return Err("rustc could not compile the unit".into());
    }
    copy(&linked, &path)?;
    // An absolute path stays what it is.
    Ok(Program::new(&path.to_string_lossy(), scratch))
}
