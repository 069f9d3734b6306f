//! Whether the file is whole, and every row leads somewhere.

use mailstop_core::store::{Result, Trouble, Work};

use super::Finding;

/// So much of what is damaged is told.
const TOLD: usize = 5;

/// Looks at every page and every row.
pub(crate) fn check(work: &Work<'_>) -> Result<Vec<Finding>> {
    let broken = work.integrity(TOLD)?;
    if !broken.is_empty() {
        // What rows lead to means nothing in a damaged file.
        let found = format!("the file is damaged: {}", broken.join(" · "));
        return Ok(vec![Finding::wrong("integrity", found, Trouble::Damaged.remedy())]);
    }
    Ok(vec![
        Finding::fine("integrity", "every page and index of the file is sound"),
        orphans(work)?,
    ])
}

fn orphans(work: &Work<'_>) -> Result<Finding> {
    let orphans = work.orphans()?;
    if orphans.is_empty() {
        return Ok(Finding::fine("orphans", "every row leads to a message, mailbox or session"));
    }
    let counted: Vec<String> =
        orphans.iter().map(|(table, count)| format!("{count} of {table}")).collect();
    Ok(Finding::note(
        "orphans",
        format!("rows that lead nowhere: {}", counted.join(", ")),
        "mailstop migrate removes them; no message is among them",
    ))
}
