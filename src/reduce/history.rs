//! The versions of a run: a tree, in which undo and branches are moves.
//!
//! The file on the disk is the version that the run stands on, or the base of a detour; the smallest version of all branches has a file beside it.

use std::sync::Arc;

use std::time::Duration;

use super::commands::UndoMode;
use super::decision::{Decision, DecisionDetails};
use crate::oracle::{FailureProperty, LimitPolicy};
use crate::program::{Constraint, ContentHash, Edit, EditSentence, Version};

/// The property and the test by which a version was found interesting. A script that has not changed needs none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActiveProperty {
    /// The failure property; none if the test is a script.
    pub property: Option<Arc<FailureProperty>>,
    /// After how much time a test counted as a hang, if a hang was the property.
    pub hang: Option<Duration>,
    /// How often the test had changed during the run.
    pub test_changes: u32,
}

impl ActiveProperty {
    /// The property with this limit, under a test that has changed so often.
    pub fn new(
        property: Option<Arc<FailureProperty>>,
        limit: LimitPolicy,
        test_changes: u32,
    ) -> Arc<ActiveProperty> {
        Arc::new(ActiveProperty {
            property,
            hang: limit.hang_limit(),
            test_changes,
        })
    }

    /// Whether what was found by this one would be found by the other: a test that hangs for a long time hangs for a shorter one.
    fn implies_property(&self, other: &ActiveProperty) -> bool {
        self.property == other.property
            && self.hang >= other.hang
            && self.test_changes == other.test_changes
    }
}

/// A version that the run has been at.
#[derive(Clone, Debug)]
pub struct VersionRecord {
    /// Its number; the original is 0.
    pub number: u64,
    /// The version that it was made of; none for the original.
    pub parent: Option<u64>,
    /// The decision that found its edit interesting; 0 for the original.
    pub decision: Decision,
    /// That decision, with what the test printed; none for the original, and where a resumed run restored only the versions.
    pub decided: Option<Arc<DecisionDetails>>,
    /// The pass that was running.
    pub pass: &'static str,
    /// What was done, as a sentence.
    pub sentence: EditSentence,
    /// The edit; none for the original.
    pub edit: Option<Edit>,
    /// The version itself; in a history without the parser's trees.
    pub version: Version,
    /// The hash of its bytes.
    pub hash: ContentHash,
    /// Whether it is inside a detour.
    pub in_detour: bool,
    /// The version that a detour left which ended with this one; none if none did.
    pub ended_detour: Option<u64>,
    /// Whether it was left because the test is flaky on it.
    pub flaky: bool,
    /// By what the test found it interesting; nothing where the test is a script that had not changed.
    pub properties: Vec<Arc<ActiveProperty>>,
}

impl VersionRecord {
    /// Whether the test found it interesting by the property in force.
    pub fn is_interesting_under(&self, now: Option<&Arc<ActiveProperty>>) -> bool {
        now.is_none_or(|now| {
            self.properties
                .iter()
                .any(|property| property.implies_property(now))
        })
    }
}

/// An undo that may be taken back.
#[derive(Clone, Debug)]
pub struct UndoRecord {
    /// The version that was current.
    pub version: u64,
    /// What the undo was made with.
    pub undo: UndoMode,
    /// What it pinned.
    pub pin: Option<Constraint>,
    /// What it banned.
    pub banned: Option<ContentHash>,
    /// What it disabled.
    pub pass: Option<&'static str>,
}

/// All versions, and which of them is current.
#[derive(Clone, Debug)]
pub struct VersionHistory {
    versions: imbl::Vector<Arc<VersionRecord>>,
    current: u64,
    undone: Vec<UndoRecord>,
    active_property: Option<Arc<ActiveProperty>>,
    /// See [`VersionHistory::smallest_number`].
    smallest: Option<u64>,
}

impl VersionHistory {
    /// The history of a run that begins with this version.
    pub fn new(version: Version) -> VersionHistory {
        let original = VersionRecord {
            number: 0,
            parent: None,
            decision: 0,
            decided: None,
            pass: "",
            sentence: EditSentence::from_line("the original"),
            edit: None,
            hash: version.content_hash(),
            version: version.without_parse_trees(),
            in_detour: false,
            ended_detour: None,
            flaky: false,
            properties: Vec::new(),
        };
        VersionHistory {
            versions: imbl::vector![Arc::new(original)],
            current: 0,
            undone: Vec::new(),
            active_property: None,
            smallest: Some(0),
        }
    }

    /// The smallest version of all branches that has the property in force, and the first of several: none inside a detour counts, and none
    /// on which the test is flaky. It is known: no version is looked at.
    pub fn smallest_number(&self) -> Option<u64> {
        self.smallest
    }

    /// Looks at one version that may be the smallest now.
    fn compare_with_smallest(&mut self, number: u64) {
        let order = |number: u64| Some((self.get(number)?.version.size(), number));
        let counts = self
            .get(number)
            .is_some_and(|past| self.may_be_smallest(past));
        let known = self.smallest.and_then(order);
        if counts && known.is_none_or(|known| order(number).is_some_and(|new| new < known)) {
            self.smallest = Some(number);
        }
    }

    /// Looks at all versions: the smallest may have lost what it takes, or another may have got it.
    fn find_smallest(&mut self) {
        let all = self
            .versions
            .iter()
            .filter(|past| self.may_be_smallest(past));
        let smallest = all.min_by_key(|past| past.version.size());
        self.smallest = smallest.map(|past| past.number);
    }

    fn may_be_smallest(&self, past: &VersionRecord) -> bool {
        let property = self.active_property.as_ref();
        !past.in_detour && !past.flaky && past.is_interesting_under(property)
    }

    /// All versions by their numbers.
    pub fn versions(&self) -> &imbl::Vector<Arc<VersionRecord>> {
        &self.versions
    }

    /// The version of that number.
    pub fn get(&self, number: u64) -> Option<&Arc<VersionRecord>> {
        self.versions.get(usize::try_from(number).ok()?)
    }

    /// The current version.
    pub fn current_version(&self) -> &Arc<VersionRecord> {
        &self.versions[self.current as usize]
    }

    /// Whether this is the current version, or one that it was made of.
    pub fn is_on_the_way(&self, number: u64) -> bool {
        let mut at = Some(self.current);
        while let Some(newer) = at.filter(|newer| *newer > number) {
            at = self.versions[newer as usize].parent;
        }
        at == Some(number)
    }

    /// The number that the next version will have.
    pub fn next_number(&self) -> u64 {
        self.versions.len() as u64
    }

    /// Marks the version of that number as flaky.
    pub fn mark_flaky(&mut self, number: u64) {
        if let Some(past) = self.versions.get_mut(number as usize) {
            Arc::make_mut(past).flaky = true;
        }
        if self.smallest == Some(number) {
            self.find_smallest();
        }
    }

    /// Adds a new version, made of the current one, and makes it current. What was undone cannot be redone any more.
    pub fn push(&mut self, mut past: VersionRecord) {
        past.version = past.version.without_parse_trees();
        self.current = past.number;
        self.versions.push_back(Arc::new(past));
        self.compare_with_smallest(self.current);
        self.undone.clear();
    }

    /// The property in force; none if the test is a script that has not changed.
    pub fn active_property(&self) -> Option<&Arc<ActiveProperty>> {
        self.active_property.as_ref()
    }

    /// The properties that a version has which was accepted now.
    pub fn properties_in_force(&self) -> Vec<Arc<ActiveProperty>> {
        self.active_property.iter().cloned().collect()
    }

    /// Sets the property in force. The current version has it; so has the version that a detour left.
    pub fn set_property(&mut self, property: Arc<ActiveProperty>, base: Option<u64>) {
        for number in [Some(self.current), base].into_iter().flatten() {
            let past = &mut self.versions[number as usize];
            if !past.is_interesting_under(Some(&property)) {
                let mut found = (**past).clone();
                found.properties.push(property.clone());
                *past = Arc::new(found);
            }
        }
        self.active_property = Some(property);
        self.find_smallest();
    }

    /// Makes another version current.
    pub fn switch_to(&mut self, number: u64) {
        self.current = number;
    }

    /// An undo left the current version.
    pub fn push_undo(&mut self, undone: UndoRecord) {
        self.undone.push(undone);
    }

    /// The last undo that has not been redone.
    pub fn last_undo(&self) -> Option<&UndoRecord> {
        self.undone.last()
    }

    /// Redoes it.
    pub fn pop_undo(&mut self) -> Option<UndoRecord> {
        self.undone.pop()
    }

    /// The current version and those between it and this version, as far as they are inside a detour, join the run: the detour ended smaller
    /// than it began.
    pub fn finish_detour(&mut self, base: u64) {
        let mut at = Some(self.current);
        while let Some(number) = at.filter(|&number| number != base) {
            let is_last = number == self.current;
            let past = &mut self.versions[number as usize];
            if !past.in_detour {
                return;
            }
            *past = Arc::new(VersionRecord {
                in_detour: false,
                ended_detour: is_last.then_some(base),
                flaky: false,
                ..(**past).clone()
            });
            at = past.parent;
            self.compare_with_smallest(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::program::read_program;

    fn version(tokens: usize) -> Version {
        let text = "x ".repeat(tokens);
        let file = (Arc::from(Path::new("notes")), Arc::from(text.as_bytes()));
        read_program(vec![file]).expect("it can be read")
    }

    fn record(number: u64, version: &Version, in_detour: bool) -> VersionRecord {
        VersionRecord {
            number,
            parent: Some(number - 1),
            decision: number,
            decided: None,
            pass: "test",
            sentence: EditSentence::from_line(""),
            edit: None,
            version: version.clone(),
            hash: version.content_hash(),
            in_detour,
            ended_detour: None,
            flaky: false,
            properties: Vec::new(),
        }
    }

    proptest! {
        #[test]
        fn the_smallest_is_known_without_a_look_at_all(
            steps in proptest::collection::vec((1..9usize, 0..4u8, any::<prop::sample::Index>()), 1..40),
        ) {
            let versions: Vec<Version> = (0..10).map(version).collect();
            let mut history = VersionHistory::new(versions[9].clone());
            let mut detour = None;
            for (size, step, any) in steps {
                let number = history.next_number();
                match step {
                    0 => history.mark_flaky(any.index(number as usize) as u64),
                    1 if detour.is_none() => detour = Some(history.current_version().number),
                    1 => history.finish_detour(detour.take().unwrap_or_default()),
                    _ => history.push(record(number, &versions[size], detour.is_some())),
                }
                let counting = history.versions().iter().filter(|past| !past.in_detour && !past.flaky);
                let smallest = counting.min_by_key(|past| past.version.token_count());
                prop_assert_eq!(history.smallest_number(), smallest.map(|past| past.number));
            }
        }
    }
}
