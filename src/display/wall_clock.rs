//! The date and the time of day, as the clocks on the wall show them. The clock and the zone are given, so that a test can set them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A moment, as the time since 1970 began in Greenwich.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnixTime(Duration);

impl UnixTime {
    /// Now. The clock may be set at any time: nothing that is decided may rest on it.
    pub fn now() -> UnixTime {
        UnixTime(
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default(),
        )
    }

    /// So many seconds after 1970 began.
    pub const fn from_seconds(seconds: u64) -> UnixTime {
        UnixTime(Duration::from_secs(seconds))
    }

    /// How long after 1970 began.
    pub fn since_1970(self) -> Duration {
        self.0
    }

    /// A later moment; none if there is no such number.
    pub fn checked_add(self, time: Duration) -> Option<UnixTime> {
        self.0.checked_add(time).map(UnixTime)
    }

    /// An earlier moment; none before 1970.
    pub fn checked_sub(self, time: Duration) -> Option<UnixTime> {
        self.0.checked_sub(time).map(UnixTime)
    }
}

/// A day, and a time of that day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CivilTime {
    /// The year, the month from 1, and the day from 1.
    pub date: (u64, u64, u64),
    /// Hour, minute and second.
    pub time: (u64, u64, u64),
}

impl CivilTime {
    /// The time so many seconds after 1970 began, by the clocks that began it then.
    ///
    /// The days of a year are counted from March, so that a leap day is its last; 400 years have 146,097 days (Hinnant, *chrono-Compatible
    /// Low-Level Date Algorithms*, `civil_from_days`).
    pub fn from_seconds(seconds: u64) -> CivilTime {
        let (days, time) = (seconds / 86_400 + 719_468, seconds % 86_400);
        let (era, day_of_era) = (days / 146_097, days % 146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 {
            shifted_month + 3
        } else {
            shifted_month - 9
        };
        let year = era * 400 + year_of_era + u64::from(month <= 2);
        CivilTime {
            date: (year, month, day),
            time: (time / 3600, time / 60 % 60, time % 60),
        }
    }
}

/// Now, and what the clocks show.
#[derive(Clone, Copy, Debug)]
pub struct WallClock {
    /// Now.
    pub now: UnixTime,
    /// How many seconds the clocks here are ahead of those of Greenwich, so many seconds after 1970 began.
    pub offset_at: fn(i64) -> i64,
}

impl Default for WallClock {
    /// A clock of Greenwich that has stopped as 1970 began.
    fn default() -> WallClock {
        WallClock {
            now: UnixTime::default(),
            offset_at: |_| 0,
        }
    }
}

impl WallClock {
    /// What the clocks showed.
    pub fn civil_time(&self, at: UnixTime) -> CivilTime {
        let seconds = i64::try_from(at.since_1970().as_secs()).unwrap_or(i64::MAX);
        let shown = seconds.saturating_add((self.offset_at)(seconds));
        CivilTime::from_seconds(u64::try_from(shown).unwrap_or_default())
    }

    /// The time of day, `14:02`; of another day than today with the date, `2026-03-14 14:02`.
    pub fn format_time(&self, at: UnixTime) -> String {
        let shown = self.civil_time(at);
        let ((year, month, day), (hour, minute, _)) = (shown.date, shown.time);
        match shown.date == self.civil_time(self.now).date {
            true => format!("{hour:02}:{minute:02}"),
            false => format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-03-14, 13:02:05 in Greenwich.
    const AT: u64 = 1_773_493_325;

    #[test]
    fn the_date_is_there_only_on_another_day() {
        let clock = WallClock {
            now: UnixTime::from_seconds(AT + 3600),
            offset_at: |_| 3600,
        };
        assert_eq!(clock.format_time(UnixTime::from_seconds(AT)), "14:02");
        let yesterday = clock.format_time(UnixTime::from_seconds(AT - 15 * 3600));
        assert_eq!(yesterday, "2026-03-13 23:02");
        // By the clocks here it is the next day already.
        let late = WallClock {
            now: UnixTime::from_seconds(AT),
            offset_at: |_| 11 * 3600,
        };
        assert_eq!(late.format_time(UnixTime::from_seconds(AT)), "00:02");
        assert_eq!(
            late.format_time(UnixTime::from_seconds(AT - 300)),
            "2026-03-14 23:57"
        );
    }

    #[test]
    fn the_offset_is_that_of_the_day_which_is_told() {
        // Summer time begins on the 29th.
        const SUMMER: i64 = 1_774_746_000;
        let clock = WallClock {
            now: UnixTime::from_seconds(SUMMER as u64 + 7200),
            offset_at: |at| if at < SUMMER { 3600 } else { 7200 },
        };
        assert_eq!(
            clock.format_time(UnixTime::from_seconds(SUMMER as u64 - 60)),
            "01:59"
        );
        assert_eq!(
            clock.format_time(UnixTime::from_seconds(SUMMER as u64)),
            "03:00"
        );
    }

    #[test]
    fn leap_years_have_their_day() {
        let date = |seconds| CivilTime::from_seconds(seconds).date;
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(951_782_400), (2000, 2, 29));
        assert_eq!(date(1_709_251_199), (2024, 2, 29));
        assert_eq!(date(1_709_251_200), (2024, 3, 1));
    }
}
