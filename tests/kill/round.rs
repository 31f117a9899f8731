//! A round: a run that is killed and resumed again and again, until its end.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use crossbeam_channel::after;
use rustix::process::Signal;

use super::checks::Held;
use super::kinds::{Fate, KINDS, Kind, Victim};
use super::process::{Life, comes_true, status};
use super::processes;
use super::scenes::{Whole, story};
use super::tally::{Killed, Lost, Tally};

/// After this number of kills a run may end.
const KILLS: usize = 12;
/// One of so many rounds is one in which tests are killed: a number that shares no factor with the number of scenes, so that it is another scene each time.
const SWAYED: u64 = 6;
/// The time for lop and all its processes to end after a signal.
const PATIENCE: Duration = Duration::from_secs(30);
/// The time for an undisturbed run to end, also on a busy machine.
const RUN: Duration = Duration::from_secs(300);
/// Between the blows of a kill at most, in microseconds.
const APART: u64 = 10_000;

/// The longest time from the last event to the next kill; without a number, the time of the whole run.
struct Pace {
    name: &'static str,
    most: Option<Duration>,
}

/// Each as often as it stands here.
const PACES: &[Pace] = &[
    Pace {
        name: "at once",
        most: Some(Duration::from_millis(5)),
    },
    Pace {
        name: "while it starts or catches up",
        most: Some(Duration::from_millis(200)),
    },
    Pace {
        name: "at any time",
        most: None,
    },
    Pace {
        name: "at any time",
        most: None,
    },
];

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % below.max(1)
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len() as u64) as usize]
    }
}

pub struct Round<'a> {
    whole: &'a Whole,
    tally: &'a Tally,
    random: Random,
    held: Held<'a>,
    /// The kinds that it uses, in turn, and the next.
    kinds: Vec<usize>,
    next: usize,
    kills: usize,
}

impl<'a> Round<'a> {
    pub fn new(seed: u64, whole: &'a Whole, tally: &'a Tally) -> Round<'a> {
        let sways = seed % SWAYED == SWAYED - 1;
        let kinds = (0..KINDS.len()).filter(|kind| KINDS[*kind].sways() == sways);
        Round {
            whole,
            tally,
            random: Random((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            held: Held::new(whole, !sways),
            kinds: kinds.collect(),
            // Whoever comes next begins where this one may have come to.
            next: seed as usize * 11,
            kills: 0,
        }
    }

    /// How many kills there were.
    pub fn run(mut self) -> Result<usize, Lost> {
        let ended = self.lives();
        let kind = self.kills.checked_sub(1).map(|_| self.kind(self.next - 1));
        ended.map(|()| self.kills).map_err(|error| Lost {
            kind,
            what: format!("{error:#}"),
        })
    }

    fn kind(&self, turn: usize) -> usize {
        self.kinds[turn % self.kinds.len()]
    }

    fn lives(&mut self) -> Result<()> {
        let stage = self.whole.scene.stage();
        loop {
            let resumed = story(&stage).is_some();
            let jobs = *self.random.pick(&[1, 2, 8]);
            let count = jobs.to_string();
            let begin: &[&str] = match resumed {
                true => &["resume"],
                false => self.whole.scene.line,
            };
            let more = ["--json", "--scratch", "scratch", "--jobs", &count];
            let mut life = Life::begin(&stage, &[begin, &more].concat());
            let lived = self.strikes(&mut life, jobs, resumed);
            let held = lived.and_then(|last| self.held.ended(&mut life, last, PATIENCE));
            let about = || {
                format!(
                    "killed by: {}; lop said:\n{}\n",
                    self.held.kills(),
                    life.last_words()
                )
            };
            held.with_context(about)?;
            self.tally.lived(self.held.temporary(&stage));
            if story(&stage).is_some_and(|(place, _)| place.is_done()) {
                return self.held.done(&stage);
            }
            ensure!(self.held.lives() < 4 * KILLS, "it does not end");
        }
    }

    /// Kills in this life until it ends. The kind that ended it; none if it came to its end.
    fn strikes(
        &mut self,
        life: &mut Life,
        jobs: usize,
        resumed: bool,
    ) -> Result<Option<&'static Kind>> {
        while self.kills < KILLS {
            let pace = self.random.pick(PACES);
            let most = pace.most.unwrap_or(self.whole.took).as_micros() as u64;
            let patience = Duration::from_micros(self.random.below(most));
            if life.ends_within(patience).is_some() {
                return Ok(None);
            }
            let turn = self.kind(self.next);
            let kind = &KINDS[turn];
            if !self.strike(life, kind) {
                continue;
            }
            self.next += 1;
            self.kills += 1;
            self.held.struck(kind);
            if kind.fate != Fate::Lives {
                self.until_dead(life, kind)?;
            }
            let new = self.held.look(life)?;
            self.tally.killed(&Killed {
                kind: turn,
                jobs,
                pace: pace.name,
                new,
                resumed,
            });
            if kind.fate != Fate::Lives {
                return Ok(Some(kind));
            }
        }
        ensure!(life.ends_within(RUN).is_some(), "it does not end");
        Ok(None)
    }

    /// All blows of a kill, as soon as there is somebody to hit. Says whether one has hit: lop may end before, or its test.
    fn strike(&mut self, life: &mut Life, kind: &'static Kind) -> bool {
        let state = life.stage().state().to_path_buf();
        let mut victims = Vec::new();
        let begins = comes_true(RUN, || {
            let random = &mut self.random;
            victims = [Victim::Lop, Victim::Group, Victim::Helper, Victim::Test]
                .into_iter()
                .filter(|victim| kind.hits(*victim))
                .filter_map(|victim| {
                    let pick = |count: usize| random.below(count as u64) as usize;
                    let pid = processes::find(victim, life.pid(), &state, pick)?;
                    Some((victim, pid))
                })
                .collect();
            let all = kind
                .blows
                .iter()
                .all(|(hit, _)| victims.iter().any(|(victim, _)| victim == hit));
            all || life.end().is_some()
        });
        if !begins || life.end().is_some() {
            return false;
        }
        let mut hits = 0;
        for (number, (hit, signal)) in kind.blows.iter().enumerate() {
            if number > 0 {
                let gap = Duration::from_micros(self.random.below(APART));
                let _ = after(gap).recv();
            }
            for (victim, pid) in victims.iter().filter(|(victim, _)| victim == hit) {
                hits += usize::from(processes::hit(*victim, *pid, *signal, &state));
            }
        }
        hits > 0
    }

    /// Waits for the end. Whom a signal does not end at once (the language's own handler lets the first fault pass) gets it once more.
    fn until_dead(&mut self, life: &mut Life, kind: &'static Kind) -> Result<()> {
        let again = kind
            .blows
            .last()
            .filter(|(_, signal)| *signal == Signal::SEGV);
        let end = match again {
            None => life.ends_within(PATIENCE),
            Some((victim, signal)) => {
                let state = life.stage().state().to_path_buf();
                comes_true(PATIENCE, || {
                    processes::hit(*victim, life.pid(), *signal, &state);
                    life.end().is_some()
                });
                life.end()
            }
        };
        let end = end.with_context(|| format!("after {} it does not end", kind.name))?;
        let signals = kind.blows.iter().map(|(_, signal)| 128 + signal.as_raw());
        let own = status(end);
        // Or it had come to its end.
        ensure!(
            own == 0 || signals.clone().any(|wanted| wanted == own) || self.held.may_give_up(),
            "it ends with {own} after {}",
            kind.name
        );
        Ok(())
    }
}
