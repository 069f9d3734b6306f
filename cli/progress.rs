//! How far a long piece of work has come, on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::Printer;

/// A bar for a person at a terminal; nothing anywhere else, and nothing with `--json`.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for work of so many steps.
    pub(crate) fn new(label: &'static str, total: u64, printer: &Printer) -> Progress {
        // A target on standard error hides itself where that is no terminal.
        let target = match printer.is_json() {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr(),
        };
        let bar = ProgressBar::with_draw_target(Some(total), target).with_prefix(label);
        let style = ProgressStyle::with_template("{prefix} [{bar:30}] {percent:>3} %");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        Progress { bar }
    }

    /// So many steps are done.
    pub(crate) fn at(&self, done: u64) {
        self.bar.set_position(done);
    }

    /// For work that tells how much of how much is done.
    pub(crate) fn watch(&self) -> impl FnMut(u64, u64) {
        |done, total| {
            self.bar.set_length(total);
            self.at(done);
        }
    }

    /// Takes the bar off the terminal.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}
