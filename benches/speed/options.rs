//! What the bench can be told.

use crate::Result;

/// How long to measure.
#[derive(Debug)]
pub(crate) struct Options {
    /// Rounds in which every program runs once.
    pub(crate) rounds: usize,
    /// Seconds of hammering.
    pub(crate) seconds: u64,
    /// Frames in the write-ahead log before a hook opens it.
    pub(crate) frames: u64,
}

impl Options {
    pub(crate) fn parse(words: &[String]) -> Result<Options> {
        let mut options = Options {
            rounds: 1000,
            seconds: 5,
            // Commands fold a log that is longer than 64 frames; the rest is what the
            // hooks of a few turns add until the next command.
            frames: 96,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--bench" {
                continue; // cargo's own
            }
            let number = words.next().ok_or_else(|| format!("{word}: no number"))?;
            match word.as_str() {
                "--rounds" => options.rounds = number.parse::<usize>()?.max(1),
                "--seconds" => options.seconds = number.parse()?,
                "--frames" => options.frames = number.parse()?,
                _ => return Err(format!("unknown option {word}").into()),
            }
        }
        Ok(options)
    }
}
