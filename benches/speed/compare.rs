//! Programs side by side: each runs once a round, and the order turns, so that what
//! the machine does meanwhile falls on all of them alike.

use std::path::Path;
use std::time::Duration;

use crate::Result;
use crate::mailbox::Log;
use crate::process::{Program, Ran};

/// What a program must print for its time to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expect {
    /// Nothing, and nothing written.
    Silence,
    /// Three messages, committed.
    Messages,
}

/// One program with its input and the state it starts from.
#[derive(Debug)]
pub(crate) struct Case<'a> {
    name: &'static str,
    program: Program,
    input: &'a Path,
    log: Option<&'a Log>,
    expect: Expect,
}

/// How long a case took.
#[derive(Debug)]
pub(crate) struct Timed {
    pub(crate) name: &'static str,
    pub(crate) median: Duration,
    /// A tenth of the rounds were faster: on a busy machine the better measure.
    pub(crate) tenth: Duration,
}

impl<'a> Case<'a> {
    pub(crate) fn new(
        name: &'static str,
        program: &Program,
        input: &'a Path,
        log: Option<&'a Log>,
        expect: Expect,
    ) -> Case<'a> {
        Case { name, program: program.clone(), input, log, expect }
    }

    fn once(&self) -> Result<Duration> {
        if let Some(log) = self.log {
            log.restore()?;
        }
        let ran = self.program.run(self.input)?;
        self.check(&ran)?;
        Ok(ran.took)
    }

    fn check(&self, ran: &Ran) -> Result<()> {
        let shown = ran.output.matches("Please review").count();
        let untouched = self.log.map_or(Ok(true), Log::is_untouched)?;
        let right = match self.expect {
            Expect::Silence => ran.output.is_empty() && untouched,
            Expect::Messages => shown == 3 && !untouched,
        };
        if right && ran.success {
            Ok(())
        } else {
            Err(format!("{}: unexpected: {}", self.name, ran.output).into())
        }
    }
}

/// Runs all cases in turn. The first tenth of the rounds only warms up.
pub(crate) fn interleaved(cases: &[Case<'_>], rounds: usize) -> Result<Vec<Timed>> {
    let mut times: Vec<Vec<Duration>> = vec![Vec::with_capacity(rounds); cases.len()];
    let warm = rounds.div_ceil(10);
    for round in 0..warm + rounds {
        for place in 0..cases.len() {
            let case = (place + round) % cases.len();
            let took = cases[case].once()?;
            if round >= warm {
                times[case].push(took);
            }
        }
    }
    let timed = cases.iter().zip(times).map(|(case, mut times)| {
        times.sort_unstable();
        Timed { name: case.name, median: times[times.len() / 2], tenth: times[times.len() / 10] }
    });
    Ok(timed.collect())
}
