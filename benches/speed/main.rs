//! Measures the goals of DESIGN.md, section 8, as whole processes, and prints the
//! table. Run it with `benches/run`.

mod compare;
mod hammer;
mod input;
mod mailbox;
mod memory;
mod options;
mod process;
mod table;

use std::error::Error;

use compare::{Case, Expect};
use input::Inputs;
use mailbox::{Mailbox, Size};
use options::Options;
use process::Program;

/// What goes wrong in a bench ends it.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A mailbox as it is after a day, and one after years.
const SMALL: Size = Size { messages: 1_000, sessions: 10, pending: 10 };
const LARGE: Size = Size { messages: 1_000_000, sessions: 10_000, pending: 10_000 };

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(done) = memory::as_helper(&words) {
        return done;
    }
    let options = Options::parse(&words)?;
    let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let scratch = scratch.path();
    process::install(scratch)?;
    let inputs = Inputs::write(scratch)?;
    let unit = process::compile_unit(scratch)?;

    table::head(&options);
    let small = Mailbox::make(&scratch.join("small"), SMALL, options.frames, &inputs)?;
    let large = Mailbox::make(&scratch.join("large"), LARGE, options.frames, &inputs)?;
    let cases = cases(&unit, &small, &large, &inputs);
    let times = compare::interleaved(&cases, options.rounds)?;
    table::times(&times);

    let flood = [
        Case::new("unit", &unit, &inputs.flood, None, Expect::Silence),
        Case::new(
            "flood",
            &small.hook(process::POST_TOOL_USE),
            &inputs.flood,
            Some(&small.quiet),
            Expect::Silence,
        ),
    ];
    let flood = compare::interleaved(&flood, options.rounds.div_ceil(20))?;
    table::memory(&memories(&small, &unit, &inputs)?);
    small.quiet.restore()?;
    table::flood(&flood[1], memory::peak_kib(&small, &inputs.flood)?);

    let hammered = hammer::run(&scratch.join("hammer"), options.seconds)?;
    table::hammer(&hammered);
    Ok(())
}

/// The unit first; then each row in the small store and in the large one.
fn cases<'a>(
    unit: &Program,
    small: &'a Mailbox,
    large: &'a Mailbox,
    inputs: &'a Inputs,
) -> Vec<Case<'a>> {
    let mut cases = vec![Case::new("unit", unit, &inputs.tool, None, Expect::Silence)];
    for store in [small, large] {
        let tool = store.hook(process::POST_TOOL_USE);
        let stop = store.hook(process::STOP);
        cases.extend([
            Case::new(
                "PostToolUse, no mail",
                &tool,
                &inputs.tool,
                Some(&store.quiet),
                Expect::Silence,
            ),
            Case::new(
                "PostToolUse, 3 messages",
                &tool,
                &inputs.tool,
                Some(&store.mail),
                Expect::Messages,
            ),
            Case::new("Stop, 3 messages", &stop, &inputs.stop, Some(&store.mail), Expect::Messages),
        ]);
    }
    cases
}

/// The peaks of a quiet hook, of one that shows mail, and of the empty program.
fn memories(small: &Mailbox, unit: &Program, inputs: &Inputs) -> Result<[u64; 3]> {
    small.quiet.restore()?;
    let quiet = memory::peak_kib(small, &inputs.tool)?;
    small.mail.restore()?;
    let mail = memory::peak_kib(small, &inputs.tool)?;
    let empty = memory::peak_of(unit, &inputs.tool)?;
    Ok([quiet, mail, empty])
}
