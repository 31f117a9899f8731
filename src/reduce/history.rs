//! The versions of a run: a tree, in which undo and branches are moves.

use std::sync::Arc;

use std::time::Duration;

use super::command::Undo;
use super::event::{Decided, Decision};
use crate::oracle::{Limit, Property};
use crate::program::{Constraint, Edit, Hash, Version};

/// What a version was found interesting by, where the test itself does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sought {
    /// What was looked for.
    pub property: Arc<Property>,
    /// After how much time a test was one that does not end, if that was looked for.
    pub hang: Option<Duration>,
}

impl Sought {
    /// What is looked for within this limit.
    pub(super) fn new(property: &Arc<Property>, limit: Limit) -> Arc<Sought> {
        Arc::new(Sought {
            property: property.clone(),
            hang: limit.hang(),
        })
    }

    /// Whether what was found by this one would be found by the other: what did not end in a long time does not end in a shorter one.
    fn covers(&self, other: &Sought) -> bool {
        self.property == other.property && self.hang >= other.hang
    }
}

/// A version that the run has been at.
#[derive(Clone, Debug)]
pub struct Past {
    /// Its number; the original is 0.
    pub number: u64,
    /// The version that it was made of; none for the original.
    pub parent: Option<u64>,
    /// The decision that found its edit interesting; 0 for the original.
    pub decision: Decision,
    /// That decision, with what the test printed; none for the original, and where a resumed run has only the versions.
    pub decided: Option<Arc<Decided>>,
    /// The pass whose turn it was.
    pub pass: &'static str,
    /// What was done, as a sentence.
    pub sentence: String,
    /// The edit; none for the original.
    pub edit: Option<Edit>,
    /// The version itself.
    pub version: Version,
    /// The hash of its bytes.
    pub hash: Hash,
    /// Whether it is inside of an excursion.
    pub away: bool,
    /// Whether it was left because the test did not find it interesting often enough after all.
    pub fails: bool,
    /// By what the test found it interesting; nothing where the test is a script.
    pub sought: Vec<Arc<Sought>>,
}

impl Past {
    /// Its tokens, then its bytes: the order in which versions are smaller.
    pub fn size(&self) -> (u32, u32) {
        (self.version.tokens(), self.version.bytes())
    }

    /// Whether the test found it interesting by what is looked for now.
    pub fn is_still(&self, now: Option<&Arc<Sought>>) -> bool {
        now.is_none_or(|now| self.sought.iter().any(|sought| sought.covers(now)))
    }
}

/// An undo that may be taken back.
#[derive(Clone, Debug)]
pub struct Undone {
    /// The version that was left.
    pub version: u64,
    /// What the undo was made with.
    pub undo: Undo,
    /// What it pinned.
    pub pin: Option<Constraint>,
    /// What it banned.
    pub banned: Option<Hash>,
    /// What it disabled.
    pub pass: Option<&'static str>,
}

/// All versions, and where one stands.
#[derive(Clone, Debug)]
pub struct History {
    past: imbl::Vector<Arc<Past>>,
    now: u64,
    undone: Vec<Undone>,
    sought: Option<Arc<Sought>>,
}

impl History {
    /// The history of a run that begins with this version.
    pub fn new(version: Version) -> History {
        let original = Past {
            number: 0,
            parent: None,
            decision: 0,
            decided: None,
            pass: "",
            sentence: "the original".into(),
            edit: None,
            hash: version.hash(),
            version,
            away: false,
            fails: false,
            sought: Vec::new(),
        };
        History {
            past: imbl::vector![Arc::new(original)],
            now: 0,
            undone: Vec::new(),
            sought: None,
        }
    }

    /// All versions by their numbers.
    pub fn all(&self) -> &imbl::Vector<Arc<Past>> {
        &self.past
    }

    /// The version of that number.
    pub fn get(&self, number: u64) -> Option<&Arc<Past>> {
        self.past.get(usize::try_from(number).ok()?)
    }

    /// The version where one stands.
    pub fn now(&self) -> &Arc<Past> {
        &self.past[self.now as usize]
    }

    /// The number that the next version will have.
    pub fn next(&self) -> u64 {
        self.past.len() as u64
    }

    /// The version of that number does not hold.
    pub fn fail(&mut self, number: u64) {
        if let Some(past) = self.past.get_mut(number as usize) {
            Arc::make_mut(past).fails = true;
        }
    }

    /// There is a new version, made of the present one, and it is the present now. What was undone cannot be redone any more.
    pub fn push(&mut self, past: Past) {
        self.now = past.number;
        self.past.push_back(Arc::new(past));
        self.undone.clear();
    }

    /// What is looked for; none if the test is a script.
    pub fn sought(&self) -> Option<&Arc<Sought>> {
        self.sought.as_ref()
    }

    /// This is looked for from here on, and the present has it; so has the version that an excursion left.
    pub fn seek(&mut self, sought: Arc<Sought>, home: Option<u64>) {
        for number in [Some(self.now), home].into_iter().flatten() {
            let past = &mut self.past[number as usize];
            if !past.is_still(Some(&sought)) {
                let mut found = (**past).clone();
                found.sought.push(sought.clone());
                *past = Arc::new(found);
            }
        }
        self.sought = Some(sought);
    }

    /// Another version is the present.
    pub fn turn_to(&mut self, number: u64) {
        self.now = number;
    }

    /// The present was left by an undo.
    pub fn undo(&mut self, undone: Undone) {
        self.undone.push(undone);
    }

    /// The last undo that has not been taken back.
    pub fn undone(&self) -> Option<&Undone> {
        self.undone.last()
    }

    /// It is taken back.
    pub fn redo(&mut self) -> Option<Undone> {
        self.undone.pop()
    }

    /// The present and what lies between it and this version belong to the run: the excursion ended smaller than it began.
    pub fn come_home(&mut self, home: u64) {
        let mut at = Some(self.now);
        while let Some(number) = at.filter(|&number| number != home) {
            let past = &mut self.past[number as usize];
            *past = Arc::new(Past {
                away: false,
                fails: false,
                ..(**past).clone()
            });
            at = past.parent;
        }
    }
}
