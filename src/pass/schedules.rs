//! The table of schedules: what a pass that runs again asks about.
//!
//! A pass that runs to a fixpoint asks about everything again, as long as the program gets smaller. Most of that was refused before, and is
//! refused again. The smart schedule first asks about what the last changes concern (the README of bp-reduce, `--smart`).

/// What a pass that runs again asks about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScheduleKind {
    /// Everything, each time.
    #[default]
    Plain,
    /// First what shares a name with what was removed, then the rest.
    Smart,
}

/// All schedules, by name, with what each does; the first is the default.
pub const SCHEDULES: &[(&str, ScheduleKind, &str)] = &[
    (
        "plain",
        ScheduleKind::Plain,
        "a pass that runs again asks about everything",
    ),
    (
        "smart",
        ScheduleKind::Smart,
        "it first asks about what shares a name with what was removed, and about the rest when that finds nothing more (bp-reduce)",
    ),
];

impl ScheduleKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        let mut schedules = SCHEDULES.iter();
        let named = schedules.find(|(_, kind, _)| *kind == self);
        named.map_or("", |(name, ..)| name)
    }
}

/// The schedule of that name.
pub fn find_schedule(name: &str) -> Option<ScheduleKind> {
    let mut schedules = SCHEDULES.iter();
    schedules.find_map(|(known, kind, _)| (*known == name).then_some(*kind))
}
