//! The table, in Markdown.

use std::fs;
use std::time::Duration;

use crate::compare::Timed;
use crate::hammer::Hammered;
use crate::options::Options;

/// When, where and how it was measured.
pub(crate) fn head(options: &Options) {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let word = |text: String, place: usize| {
        let word = text.split_whitespace().nth(place).map(str::to_owned);
        word.unwrap_or_else(|| "unknown".to_owned())
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let kernel = word(read("/proc/sys/kernel/osrelease"), 0);
    let load = word(read("/proc/loadavg"), 0);
    println!(
        "{}; {cores} cores, {} {kernel}, load {load} before; {} rounds, {} frames in the log\n",
        today(),
        std::env::consts::OS,
        options.rounds,
        options.frames,
    );
    println!("| what | goal | limit | measured |");
    println!("|---|---|---|---|");
}

fn today() -> String {
    let date = std::process::Command::new("date").arg("+%F").output();
    date.map_or_else(
        |_| "undated".to_owned(),
        |date| String::from_utf8_lossy(&date.stdout).trim().to_owned(),
    )
}

fn row(what: &str, goal: &str, limit: &str, measured: &str) {
    println!("| {what} | {goal} | {limit} | {measured} |");
}

fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

fn ratio(time: Duration, unit: Duration) -> f64 {
    time.as_secs_f64() / unit.as_secs_f64()
}

/// One time as a multiple of another: the medians, and the fastest tenths.
fn compare(timed: &Timed, with: &Timed) -> String {
    format!(
        "{:.2} × ({}); fastest tenth {:.2} × ({})",
        ratio(timed.median, with.median),
        millis(timed.median),
        ratio(timed.tenth, with.tenth),
        millis(timed.tenth),
    )
}

/// The unit, three rows of the small store, and the same three of the large one.
pub(crate) fn times(timed: &[Timed]) {
    let unit = &timed[0];
    row("an empty Rust process", "", "", &compare(unit, unit));
    let goals = [("1.5 ×", "2.0 ×"), ("2.5 ×", "3.0 ×"), ("2.5 ×", "3.0 ×")];
    let (small, large) = timed[1..].split_at(goals.len());
    for (timed, (goal, limit)) in small.iter().zip(goals) {
        row(timed.name, goal, limit, &compare(timed, unit));
    }
    for (large, small) in large.iter().zip(small) {
        let what = format!("{}, large store beside the small one", large.name);
        row(&what, "1.1 ×", "1.2 ×", &compare(large, small));
    }
}

/// The peaks of a quiet hook, of one that shows mail, and of the empty program.
pub(crate) fn memory(peaks: &[u64; 3]) {
    let [quiet, mail, empty] = peaks.map(mebibytes);
    let measured = format!("{quiet} quiet, {mail} with 3 messages (empty process: {empty})");
    row("resident memory of a hook", "6 MiB", "8 MiB", &measured);
}

fn mebibytes(kib: u64) -> String {
    #[allow(clippy::cast_precision_loss)]
    let mebibytes = kib as f64 / 1024.0;
    format!("{mebibytes:.1} MiB")
}

/// A tool call with very much output.
pub(crate) fn flood(timed: &Timed, peak: u64) {
    let measured = format!("{:.0} ms, {}", timed.median.as_secs_f64() * 1000.0, mebibytes(peak));
    row("50 MiB of tool output", "100 ms, bounded", "200 ms", &measured);
}

/// Eight processes at once.
pub(crate) fn hammer(hammered: &Hammered) {
    let Hammered { rate, sent, resolved, lost, twice, errors } = hammered;
    let measured = format!(
        "{rate:.0} hook events a second; {sent} sent, {resolved} resolved, {lost} lost, \
         {twice} shown twice, {errors} errors"
    );
    row("8 processes send, hook and resolve", "1,000 a second, no loss", "", &measured);
}
