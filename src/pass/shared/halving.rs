//! Passes that make independent changes of what stays: all at once, and the halves of what was not interesting, down to single changes.
//!
//! The list of changes is made once, so the first half of changes whose whole was not interesting, when it is accepted, makes the second half
//! the same candidate as that whole, which is known.

use std::ops::Range;
use std::sync::Arc;

use super::passed_edit::PassedEdit;
use crate::pass::{Effort, PassOptions};
use crate::program::{AppliedEdit, Edit, EditReason, View};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// The edit that makes some changes, and why; none where nothing is left to change.
pub type ChangeEdit = Option<(Edit, EditReason)>;

/// Where the changes of a pass come from: passes of this kind differ only in it.
#[derive(Debug)]
pub struct ChangeSource<C: 'static> {
    /// All changes, in sections. None where there is nothing to do.
    pub list_changes: fn(&View) -> Vec<ChangeSection<C>>,
    /// The edit that makes these changes, and why.
    pub make_edit: fn(&View, &[C]) -> ChangeEdit,
}

/// Changes that are likely to be interesting together, or not at all.
#[derive(Debug)]
pub struct ChangeSection<C> {
    changes: Vec<C>,
    /// The section is left alone after so many failures in a row, unless the run has more effort.
    most_failures: u32,
}

impl<C> ChangeSection<C> {
    /// One that is likely to be interesting but for a few changes: it ends after as many failures as it takes to find one of them, and a few more.
    pub fn likely(changes: Vec<C>) -> ChangeSection<C> {
        ChangeSection::with_spare_failures(changes, 3)
    }

    /// One that is likely to be uninteresting as a whole.
    pub fn unlikely(changes: Vec<C>) -> ChangeSection<C> {
        ChangeSection::with_spare_failures(changes, 2)
    }

    fn with_spare_failures(changes: Vec<C>, spare: u32) -> ChangeSection<C> {
        let halvings = changes.len().max(1).next_power_of_two().ilog2();
        ChangeSection {
            changes,
            most_failures: halvings + spare,
        }
    }
}

/// All changes, then halves.
#[derive(Debug)]
pub struct HalvingPass<C: 'static> {
    source: &'static ChangeSource<C>,
    effort: Effort,
    /// None before the first candidate.
    changes: Option<ChangeList<C>>,
    /// Which of them are still to be tried together, the next one last.
    waiting: Vec<Range<usize>>,
    to_accept: PassedEdit,
    /// Failures in a row.
    failed: u32,
}

#[derive(Debug)]
struct ChangeList<C> {
    all: Arc<[C]>,
    /// Where sections end, and the most failures in a row of each.
    ends: Arc<[(usize, u32)]>,
}

impl<C> Clone for ChangeList<C> {
    fn clone(&self) -> Self {
        ChangeList {
            all: self.all.clone(),
            ends: self.ends.clone(),
        }
    }
}

impl<C> Clone for HalvingPass<C> {
    fn clone(&self) -> Self {
        HalvingPass {
            changes: self.changes.clone(),
            waiting: self.waiting.clone(),
            to_accept: self.to_accept.clone(),
            ..*self
        }
    }
}

impl<C> HalvingPass<C> {
    /// Begins with all changes.
    pub fn new(source: &'static ChangeSource<C>, options: &PassOptions) -> HalvingPass<C> {
        HalvingPass {
            source,
            effort: options.effort,
            changes: None,
            waiting: Vec::new(),
            to_accept: PassedEdit::default(),
            failed: 0,
        }
    }

    fn list_changes(&mut self, view: &View) -> ChangeList<C> {
        let (mut all, mut ends) = (Vec::new(), Vec::new());
        for section in (self.source.list_changes)(view) {
            all.extend(section.changes);
            ends.push((all.len(), section.most_failures));
        }
        self.waiting
            .extend((!all.is_empty()).then_some(0..all.len()));
        ChangeList {
            all: all.into(),
            ends: ends.into(),
        }
    }

    /// The end of the section in which a range begins, and whether that had enough failures in a row.
    fn section_state(&self, list: &ChangeList<C>, range: &Range<usize>) -> (usize, bool) {
        let mut ends = list.ends.iter();
        let section = ends.find(|(end, _)| range.start < *end);
        let (end, most) = section.copied().unwrap_or((list.all.len(), 0));
        (end, self.effort < Effort::Hard && self.failed >= most)
    }

    /// Has the parts of what was not interesting tried: its sections, else its halves.
    fn split_last(&mut self) {
        let Some(range) = self.waiting.pop().filter(|range| range.len() > 1) else {
            return;
        };
        let ends = self.changes.iter().flat_map(|list| list.ends.iter());
        let inside = ends.map(|(end, _)| *end);
        let mut inside = inside.filter(|&end| range.start < end && end < range.end);
        let middle = inside.next();
        let middle = middle.unwrap_or(range.start + range.len().div_ceil(2));
        self.waiting.push(middle..range.end);
        self.waiting.push(range.start..middle);
    }
}

impl<C: Send + Sync + 'static> Proposer for HalvingPass<C> {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        if let Some(step) = self.to_accept.to_step() {
            return step;
        }
        let list = match &self.changes {
            Some(list) => list.clone(),
            None => self.list_changes(view),
        };
        self.changes = Some(list.clone());
        while let Some(range) = self.waiting.last().cloned() {
            let (end, is_exhausted) = self.section_state(&list, &range);
            if range.end <= end && is_exhausted {
                self.waiting.retain(|waiting| waiting.end > end);
                self.failed = 0;
                continue;
            }
            match (self.source.make_edit)(view, &list.all[range]) {
                Some((edit, why)) => return ProposerStep::Test(edit, why),
                None => self.waiting.pop(),
            };
        }
        ProposerStep::Done
    }

    fn on_verdict(&mut self, _: &View, tested: &Edit, feedback: Feedback) {
        self.to_accept.record_verdict(tested, feedback);
        if !feedback.is_interesting() {
            self.failed += 1;
            self.split_last();
        }
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        if self.to_accept.clear() {
            self.waiting.pop();
            self.failed = 0;
        }
    }

    fn invalidate(&mut self, _: &View) {
        (self.changes, self.failed) = (None, 0);
        self.waiting.clear();
        self.to_accept.clear();
    }
}
