//! The text of a message: an argument, a file, or standard input, byte for byte.

use std::fs::File;
use std::io::{self, Read};

use mailstop_core::message::MAX_BODY_BYTES;

use crate::args::Body;
use crate::error::CliError;
use mailstop_core::refusal::Class;

/// Reads the text; none when none was given.
pub(crate) fn read(given: &Body) -> Result<Option<String>, CliError> {
    let (bytes, from) = match (&given.body, &given.body_file, &given.stdin) {
        (Some(text), _, _) => (text.clone().into_bytes(), "--body".to_owned()),
        (None, Some(path), _) => {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|error| CliError::io("open", &name, &error))?;
            (bounded(file, &name)?, name)
        }
        (None, None, Some(_)) => {
            (bounded(io::stdin().lock(), "standard input")?, "standard input".to_owned())
        }
        (None, None, None) => return Ok(None),
    };
    let text = String::from_utf8(bytes).map_err(|_| {
        CliError::new(Class::Usage, format!("the body from {from} is not valid UTF-8"))
            .hint("convert it, or put it into a file and send its path")
    })?;
    if text.trim().is_empty() {
        return Err(CliError::new(Class::Usage, format!("the body from {from} is empty"))
            .hint("say something, or leave the body out and give --subject"));
    }
    Ok(Some(text))
}

/// Reads at most a byte more than is accepted, so that the limit is seen.
fn bounded(source: impl Read, name: &str) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    source
        .take(MAX_BODY_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| CliError::io("read", name, &error))?;
    if bytes.len() > MAX_BODY_BYTES {
        let message = format!("the body from {name} is larger than {MAX_BODY_BYTES} bytes");
        return Err(
            CliError::new(Class::Usage, message).hint("put the text into a file and send its path")
        );
    }
    Ok(bytes)
}
