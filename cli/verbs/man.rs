//! `mailstop man`.

use std::fs::{self, File, Permissions};
use std::io::{self, IsTerminal, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use mailstop_core::text;
use serde_json::json;

use crate::args::ManArgs;
use crate::error::CliError;
use crate::man::{self, Page};
use crate::output::Printer;

/// Shows one manual page, or writes all of them.
pub(crate) fn run(args: &ManArgs, printer: &mut Printer) -> Result<(), CliError> {
    if let Some(folder) = &args.into {
        return write_all(folder, printer);
    }
    let page = man::page(&args.verb)?;
    if printer.is_json() {
        return printer.document(&json!({ "verb": page.verb, "page": page.text }));
    }
    if io::stdout().is_terminal() {
        // It returns only where there is no `man` that can.
        let _ = show(&page.text);
    }
    printer.raw(&page.text)
}

/// Becomes `man`, so that a key that interrupts reaches the pager alone. Tried out
/// first, since not every `man` reads a page from its standard input.
fn show(page: &str) -> io::Result<()> {
    let mut file = tempfile::tempfile()?;
    file.write_all(page.as_bytes())?;
    let (out, errors) = (Stdio::null(), Stdio::null());
    if man_reading(&mut file)?.stdout(out).stderr(errors).status()?.success() {
        return Err(man_reading(&mut file)?.exec());
    }
    Ok(())
}

fn man_reading(file: &mut File) -> io::Result<Command> {
    file.rewind()?;
    let mut command = Command::new("man");
    command.args(["-l", "-"]).stdin(file.try_clone()?);
    Ok(command)
}

fn write_all(folder: &Path, printer: &mut Printer) -> Result<(), CliError> {
    let pages = man::pages()?;
    fs::create_dir_all(folder).map_err(|error| CliError::io("make", folder.display(), &error))?;
    pages.iter().try_for_each(|page| write(page, folder))?;
    let files: Vec<&str> = pages.iter().map(|page| page.file.as_str()).collect();
    printer.document(&json!({ "folder": folder, "pages": files }))?;
    let folder = text::line(&folder.display().to_string());
    printer.line(format!("wrote {} pages to {folder}", pages.len()))
}

/// Renamed into place, so that no reader meets half a page.
fn write(page: &Page, folder: &Path) -> Result<(), CliError> {
    let path = folder.join(&page.file);
    let failed = |error: io::Error| CliError::io("write", path.display(), &error);
    let mut new = tempfile::Builder::new()
        .prefix(".mailstop-")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
        .map_err(failed)?;
    new.write_all(page.text.as_bytes()).map_err(failed)?;
    new.persist(&path).map_err(|error| failed(error.error))?;
    Ok(())
}
