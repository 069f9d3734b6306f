//! `mailstop doctor`.

use crate::args::DoctorArgs;
use crate::error::CliError;
use crate::output::Printer;

/// Looks for what is wrong.
pub(crate) fn run(_args: &DoctorArgs, _printer: &mut Printer) -> Result<(), CliError> {
    Ok(())
}
