//! Counts of outcomes by the kind of kill.

use std::fmt;
use std::sync::Mutex;

use super::kinds::KINDS;
use super::scenes::Scene;

/// All rounds count in one.
pub struct Tally {
    /// So many kills are wanted.
    wanted: u64,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    rows: Vec<Row>,
    /// Kills by the number of workers, and by the pace.
    by_jobs: Vec<(usize, u64)>,
    by_pace: Vec<(&'static str, u64)>,
    rounds: u64,
    lives: u64,
    /// Ends after which a temporary file lay beside the output, until a later start or for ever.
    temporary: u64,
    findings: Vec<String>,
}

/// A kind's counts.
#[derive(Clone, Copy, Default)]
struct Row {
    kills: u64,
    new: u64,
    resumed: u64,
    lost: u64,
}

/// One kill.
pub struct Killed {
    /// Its kind's place in the table.
    pub kind: usize,
    /// How many workers there were.
    pub jobs: usize,
    /// How soon it came.
    pub pace: &'static str,
    /// Whether the journal had a version that the last one before did not see.
    pub new: bool,
    /// Whether lop had resumed a session.
    pub resumed: bool,
}

/// What went wrong, and after which kill.
pub struct Lost {
    pub kind: Option<usize>,
    pub what: String,
}

impl Tally {
    pub fn new(wanted: u64) -> Tally {
        let counts = Counts {
            rows: vec![Row::default(); KINDS.len()],
            ..Counts::default()
        };
        Tally {
            wanted,
            counts: Mutex::new(counts),
        }
    }

    fn count<T>(&self, change: impl FnOnce(&mut Counts) -> T) -> T {
        change(&mut self.counts.lock().expect("no round panics while it counts"))
    }

    /// Whether there are fewer kills than are wanted.
    pub fn wants_more(&self) -> bool {
        self.count(|counts| counts.kills() < self.wanted)
    }

    pub fn killed(&self, killed: &Killed) {
        self.count(|counts| {
            let row = &mut counts.rows[killed.kind];
            row.kills += 1;
            row.new += u64::from(killed.new);
            row.resumed += u64::from(killed.resumed);
            add(&mut counts.by_jobs, killed.jobs);
            add(&mut counts.by_pace, killed.pace);
        });
    }

    /// lop has ended again, with this number of temporary files beside its output.
    pub fn lived(&self, temporary: usize) {
        self.count(|counts| {
            counts.lives += 1;
            counts.temporary += u64::from(temporary > 0);
        });
    }

    /// A round is over, with this number of kills.
    pub fn ended(&self, seed: u64, scene: &Scene, ended: Result<usize, Lost>) {
        self.count(|counts| {
            counts.rounds += 1;
            match ended {
                Ok(kills) => println!("round {seed}: {kills} kills, nothing lost; {}", scene.name),
                Err(lost) => {
                    let name = lost.kind.map_or("before any kill", |kind| {
                        counts.rows[kind].lost += 1;
                        KINDS[kind].name
                    });
                    let finding = format!(
                        "round {seed} (LOP_SEED={seed}), {name}; {}: {}",
                        scene.name, lost.what
                    );
                    println!("{finding}");
                    counts.findings.push(finding);
                }
            }
        });
    }

    pub fn findings(&self) -> Vec<String> {
        self.count(|counts| counts.findings.clone())
    }
}

impl Counts {
    fn kills(&self) -> u64 {
        self.rows.iter().map(|row| row.kills).sum()
    }
}

fn add<T: Ord>(counts: &mut Vec<(T, u64)>, key: T) {
    match counts.binary_search_by(|(known, _)| known.cmp(&key)) {
        Ok(at) => counts[at].1 += 1,
        Err(at) => counts.insert(at, (key, 1)),
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, name: &str, row: &Row| {
            let Row {
                kills,
                new,
                resumed,
                lost,
            } = row;
            writeln!(f, "{name:<32} {kills:>6} {new:>10} {resumed:>10} {lost:>6}")
        };
        self.count(|counts| {
            writeln!(
                f,
                "{:<32} {:>6} {:>10} {:>10} {:>6}",
                "kind", "kills", "after new", "in resumed", "lost"
            )?;
            let mut all = Row::default();
            let rows = KINDS.iter().zip(&counts.rows);
            for (kind, row) in rows.filter(|(_, row)| row.kills > 0) {
                line(f, kind.name, row)?;
                all.kills += row.kills;
                all.new += row.new;
                all.resumed += row.resumed;
                all.lost += row.lost;
            }
            line(f, "all", &all)?;
            for (jobs, kills) in &counts.by_jobs {
                writeln!(f, "{kills} with --jobs {jobs}")?;
            }
            for (pace, kills) in &counts.by_pace {
                writeln!(f, "{kills} {pace}")?;
            }
            let Counts { rounds, lives, temporary, .. } = &*counts;
            write!(
                f,
                "{rounds} rounds, {lives} runs of lop, {temporary} of them left a temporary file beside the output for the next"
            )
        })
    }
}
