//! Mail that waits for long, and mail that nobody will read.

use mailstop_core::config::Config;
use mailstop_core::delivery;
use mailstop_core::message::{Client, Millis};
use mailstop_core::retention::DAY;
use mailstop_core::store::{OpenMail, Result, Work};
use mailstop_core::{shell, text};

use super::Finding;

/// More mailboxes than these are counted only.
const SHOWN: usize = 5;

/// Looks at what is unread, what blocks, and what will do so for ever.
pub(crate) fn check(work: &Work<'_>, config: &Config, now: Millis) -> Result<Vec<Finding>> {
    let mut findings = vec![unread(work, now)?, blocking(work, config, now)?];
    findings.push(dead(work, now)?);
    findings.extend(endless(work, config, now)?);
    Ok(findings)
}

fn unread(work: &Work<'_>, now: Millis) -> Result<Finding> {
    Ok(match work.oldest_unread()? {
        None => Finding::fine("unread", "nothing is unread"),
        Some(mail) => Finding::note(
            "unread",
            format!("{} unread, the oldest {}", mail.count, oldest(&mail, now)),
            format!(
                "mailstop status {} tells where it is; mailstop inbox --unread lists all",
                mail.oldest
            ),
        ),
    })
}

fn blocking(work: &Work<'_>, config: &Config, now: Millis) -> Result<Finding> {
    let priorities = config.rules(Client::Claude).block_until_resolved;
    Ok(match work.oldest_blocking(&priorities)? {
        None => Finding::fine("blocking", "nothing holds a Stop"),
        Some(mail) => Finding::note(
            "blocking",
            format!("{} hold a Stop, the oldest {}", mail.count, oldest(&mail, now)),
            format!("mailstop read {0} shows it; mailstop resolve {0} closes it", mail.oldest),
        ),
    })
}

/// What is not tried again by itself.
fn dead(work: &Work<'_>, now: Millis) -> Result<Finding> {
    let letters = delivery::dead(work, now)?;
    let oldest = match (letters.deliveries.first(), letters.answers.first()) {
        (Some(first), _) => (&first.id, &first.address, &first.last_error),
        (None, Some(first)) => (&first.id, &first.asker, &first.last_error),
        (None, None) => return Ok(Finding::fine("dead", "nothing was given up")),
    };
    let (id, address, reason) = oldest;
    Ok(Finding::note(
        "dead",
        format!("{} given up, the oldest {id} for {address}: {reason}", letters.count()),
        format!("mailstop dead list lists all; mailstop dead retry {id} has it tried again"),
    ))
}

/// Open mail older than what a sweep keeps anyway.
fn endless(work: &Work<'_>, config: &Config, now: Millis) -> Result<Vec<Finding>> {
    if config.ttl_days == 0 {
        return Ok(vec![Finding::fine("endless", "ttl_days is 0: mail may stay open for ever")]);
    }
    let days = config.ttl_days;
    let mailboxes = delivery::endless(work, now - Millis::from(days) * DAY)?;
    if mailboxes.is_empty() {
        let fine = format!("no mail older than {days} days is open without a reader");
        return Ok(vec![Finding::fine("endless", fine)]);
    }
    let mut findings: Vec<Finding> =
        mailboxes.iter().take(SHOWN).map(|mail| one(mail, now)).collect();
    if let Some(more @ 1..) = mailboxes.len().checked_sub(SHOWN) {
        let word = if more == 1 { "mailbox" } else { "mailboxes" };
        findings.push(Finding::note(
            "endless",
            format!("{more} more {word} with such mail"),
            "close what is named here first, then run mailstop doctor again",
        ));
    }
    Ok(findings)
}

fn one(mail: &OpenMail, now: Millis) -> Finding {
    Finding::note(
        "endless",
        format!(
            "{} open for {}, which nobody reads any more, the oldest {}, sent {}",
            mail.count,
            mail.address,
            mail.oldest,
            text::age(now - mail.since)
        ),
        format!(
            "mailstop inbox --for {} lists it; mailstop resolve {} closes the oldest",
            shell::quote_argument(&mail.address),
            mail.oldest
        ),
    )
}

fn oldest(mail: &OpenMail, now: Millis) -> String {
    format!("{} for {}, sent {}", mail.oldest, mail.address, text::age(now - mail.since))
}
