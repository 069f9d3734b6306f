//! The two text forms in which work-buddy's times come: ISO 8601 with an offset, and
//! SQLite's own `YYYY-MM-DD HH:MM:SS`, which is UTC.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::message::Millis;

/// Reads a time.
pub(super) fn parse(text: &str) -> Option<Millis> {
    let text = text.trim();
    let stamp = text.parse::<Timestamp>().ok().or_else(|| {
        let civil = text.parse::<DateTime>().ok()?;
        civil.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
    });
    stamp.map(Timestamp::as_millisecond)
}

/// The time that one of its ids begins with: `20260501T101112-…`.
pub(super) fn of_id(id: &str) -> Option<Millis> {
    let (stamp, _) = id.split_once('-')?;
    (stamp.len() == 15).then(|| parse(stamp)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_give_the_same_moment() {
        let moment = Some(1_777_630_272_000);
        for text in [
            "2026-05-01T10:11:12+00:00",
            "2026-05-01T10:11:12.000000+00:00",
            "2026-05-01T10:11:12Z",
            "2026-05-01T12:11:12+02:00",
            "2026-05-02T00:11:12+14:00",
            "2026-05-01 10:11:12",
            " 2026-05-01 10:11:12.000 ",
            "20260501T101112",
        ] {
            assert_eq!(parse(text), moment, "{text}");
        }
        assert_eq!(of_id("20260501T101112-alpha-0011aabb"), moment);
        assert_eq!(parse("2026-05-01T10:11:12.345678+00:00"), Some(1_777_630_272_345));
        assert_eq!(parse("2026-05-01"), Some(1_777_593_600_000));
        for text in ["", "yesterday", "1777630272", "2026-13-01 00:00:00"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(of_id("thr-1"), None);
    }
}
