//! The kinds of kills, as data.

use rustix::process::Signal;

/// Whom a blow hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Victim {
    /// lop alone.
    Lop,
    /// lop's process group, as a terminal does.
    Group,
    /// One of its helpers.
    Helper,
    /// The first process of a test.
    Test,
}

/// What becomes of lop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A signal to end: lop ends in order, and its output is the newest version.
    Ends,
    /// It ends without a word.
    Dies,
    /// It continues as if nothing had happened.
    Lives,
}

/// A row of blows.
pub struct Kind {
    pub name: &'static str,
    pub blows: &'static [(Victim, Signal)],
    pub fate: Fate,
}

macro_rules! kinds {
    ($($name:literal: $($victim:ident $signal:ident),+ => $fate:ident;)+) => {
        &[$(Kind {
            name: $name,
            blows: &[$((Victim::$victim, Signal::$signal)),+],
            fate: Fate::$fate,
        }),+]
    };
}

impl Kind {
    /// Whether a test is killed: that counts as a no, so the result may be another one.
    pub fn sways(&self) -> bool {
        self.kills(Victim::Test)
    }

    /// Whether someone of this kind is hit by more than a pause.
    pub fn kills(&self, victim: Victim) -> bool {
        let fatal = |signal: Signal| signal != Signal::STOP && signal != Signal::CONT;
        let mut blows = self.blows.iter();
        blows.any(|(hit, signal)| *hit == victim && fatal(*signal))
    }

    /// Whether someone of this kind is hit.
    pub fn hits(&self, victim: Victim) -> bool {
        self.blows.iter().any(|(hit, _)| *hit == victim)
    }
}

/// All of them.
pub const KINDS: &[Kind] = kinds! {
    "lop TERM": Lop TERM => Ends;
    "lop INT": Lop INT => Ends;
    "lop HUP": Lop HUP => Ends;
    "lop QUIT": Lop QUIT => Dies;
    "lop KILL": Lop KILL => Dies;
    "lop ABRT": Lop ABORT => Dies;
    "lop SEGV": Lop SEGV => Dies;
    "group TERM": Group TERM => Ends;
    "group INT": Group INT => Ends;
    "group HUP": Group HUP => Ends;
    "group QUIT": Group QUIT => Dies;
    "group KILL": Group KILL => Dies;
    "group ABRT": Group ABORT => Dies;
    "group SEGV": Group SEGV => Dies;
    "helper TERM": Helper TERM => Lives;
    "helper INT": Helper INT => Lives;
    "helper HUP": Helper HUP => Lives;
    "helper QUIT": Helper QUIT => Lives;
    "helper KILL": Helper KILL => Lives;
    "helper ABRT": Helper ABORT => Lives;
    "helper SEGV": Helper SEGV => Lives;
    "lop STOP CONT": Lop STOP, Lop CONT => Lives;
    "group STOP CONT": Group STOP, Group CONT => Lives;
    "helper STOP CONT": Helper STOP, Helper CONT => Lives;
    "test STOP CONT": Test STOP, Test CONT => Lives;
    "lop STOP KILL": Lop STOP, Lop KILL => Dies;
    "lop STOP TERM CONT": Lop STOP, Lop TERM, Lop CONT => Ends;
    "helper STOP KILL": Helper STOP, Helper KILL => Lives;
    "lop INT INT": Lop INT, Lop INT => Ends;
    "lop TERM KILL": Lop TERM, Lop KILL => Dies;
    "helper KILL, lop KILL": Helper KILL, Lop KILL => Dies;
    "lop KILL, helper KILL": Lop KILL, Helper KILL => Dies;
    "helper STOP, lop KILL": Helper STOP, Lop KILL => Dies;
    "test STOP, lop KILL": Test STOP, Lop KILL => Dies;
    "lop STOP, helper KILL, lop KILL": Lop STOP, Helper KILL, Lop KILL => Dies;
    "test, helper, lop KILL": Test KILL, Helper KILL, Lop KILL => Dies;
    "test TERM": Test TERM => Lives;
    "test INT": Test INT => Lives;
    "test HUP": Test HUP => Lives;
    "test QUIT": Test QUIT => Lives;
    "test KILL": Test KILL => Lives;
    "test ABRT": Test ABORT => Lives;
    "test SEGV": Test SEGV => Lives;
    "test STOP KILL": Test STOP, Test KILL => Lives;
};
