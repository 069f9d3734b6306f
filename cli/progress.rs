//! How far long work has come, on a terminal's standard error and nowhere else.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::Printer;

/// A bar that shows how much is done.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar for so many things; none where a program reads, or nobody does.
    pub(crate) fn new(label: &'static str, total: u64, printer: &Printer) -> Progress {
        if printer.is_json() || !io::stderr().is_terminal() {
            return Progress(ProgressBar::hidden());
        }
        let style = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} % {eta}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        Progress(ProgressBar::new(total).with_style(style).with_message(label))
    }

    /// A sign that something goes on whose length nobody knows.
    pub(crate) fn waiting(label: &'static str, printer: &Printer) -> Progress {
        if printer.is_json() || !io::stderr().is_terminal() {
            return Progress(ProgressBar::hidden());
        }
        let spinner = ProgressBar::new_spinner().with_message(label);
        spinner.enable_steady_tick(Duration::from_millis(100));
        Progress(spinner)
    }

    /// What is going on now.
    pub(crate) fn say(&self, text: String) {
        self.0.set_message(text);
    }

    /// So much is done.
    pub(crate) fn at(&self, done: u64) {
        self.0.set_position(done);
    }

    /// For work that tells how much of how much is done.
    pub(crate) fn watch(&self) -> impl FnMut(u64, u64) {
        |done, total| {
            self.0.set_length(total);
            self.at(done);
        }
    }

    /// All is done; the bar goes.
    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}
