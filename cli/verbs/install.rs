//! `mailstop install`.

use crate::args::InstallArgs;
use crate::error::CliError;
use crate::output::Printer;

/// Not written yet.
pub(crate) fn run(_args: &InstallArgs, _printer: &mut Printer) -> Result<(), CliError> {
    Err(CliError::failed("not written yet"))
}
