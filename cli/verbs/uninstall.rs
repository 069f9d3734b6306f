//! `mailstop uninstall`.

use crate::args::UninstallArgs;
use crate::error::CliError;
use crate::output::Printer;

/// Not written yet.
pub(crate) fn run(_args: &UninstallArgs, _printer: &mut Printer) -> Result<(), CliError> {
    Err(CliError::failed("not written yet"))
}
