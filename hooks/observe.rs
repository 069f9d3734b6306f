//! The hook for events that are only noted: dialogs with the user, ends and compactions.

use std::process::ExitCode;

fn main() -> ExitCode {
    mailstop_core::hook::run(mailstop_core::hook::OBSERVED)
}
