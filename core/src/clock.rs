//! Which time to believe where being wrong would end a message: the wall clock may be
//! set, the time since the machine started may not.

use rustix::time::{ClockId, clock_gettime};

use crate::message::Millis;
use crate::process;

/// A clock that runs this much ahead of the machine's own time was set forward.
const TOLERANCE: Millis = 60 * 60 * 1000;

/// Both clocks at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The boot of the machine; empty where the system does not tell.
    pub boot: String,
    /// How long the machine has been up, in milliseconds.
    pub uptime: Millis,
    /// What the wall clock says.
    pub wall: Millis,
}

impl Reading {
    /// A reading of this machine, with a wall clock that was read already.
    #[must_use]
    pub fn with_wall(wall: Millis) -> Reading {
        #[cfg(target_os = "linux")]
        let kind = ClockId::Boottime;
        #[cfg(not(target_os = "linux"))]
        let kind = ClockId::Monotonic;
        let up = clock_gettime(kind);
        let uptime = up.tv_sec * 1000 + up.tv_nsec / 1_000_000;
        Reading { boot: process::boot(), uptime, wall }
    }

    /// How far the wall clock was set since an earlier reading of the same boot, in
    /// milliseconds; forward is positive.
    #[must_use]
    pub fn set_since(&self, first: &Reading) -> Option<Millis> {
        let same = self.boot == first.boot && self.uptime >= first.uptime;
        same.then(|| (self.wall - first.wall) - (self.uptime - first.uptime))
    }

    /// The time that a term may be ended by. A wall clock that was set forward since
    /// `first` is not believed: it would end what has time left.
    #[must_use]
    pub fn believed(&self, first: Option<&Reading>) -> Millis {
        match first.and_then(|first| self.set_since(first)) {
            Some(ahead) if ahead > TOLERANCE => self.wall - ahead,
            Some(_) | None => self.wall,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(boot: &str, uptime: Millis, wall: Millis) -> Reading {
        Reading { boot: boot.to_owned(), uptime, wall }
    }

    #[test]
    fn a_clock_set_forward_ends_nothing_early() {
        const HOUR: Millis = 3_600_000;
        let first = reading("a", 5 * HOUR, 1000 * HOUR);
        let now = |boot, uptime, wall| reading(boot, uptime, wall).believed(Some(&first));
        assert_eq!(now("a", 6 * HOUR, 1001 * HOUR), 1001 * HOUR);
        assert_eq!(now("a", 6 * HOUR, 9761 * HOUR), 1001 * HOUR);
        assert_eq!(now("a", 6 * HOUR, 1000 * HOUR), 1000 * HOUR);
        // Another boot, or one that tells no more than that: nothing to compare with.
        assert_eq!(now("b", 6 * HOUR, 9761 * HOUR), 9761 * HOUR);
        assert_eq!(now("a", HOUR, 9761 * HOUR), 9761 * HOUR);
        assert_eq!(reading("a", 0, 7).believed(None), 7);
    }
}
