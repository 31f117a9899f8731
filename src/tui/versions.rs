//! The versions on the screen: which is selected, which is compared with which.

use std::sync::Arc;

use super::app::{App, Layer};
use super::commands::Action;
use super::diff::{self, Line};
use super::layers::verdict::Page;
use super::moves::moved;
use super::scroll::Scroll;
use crate::reduce::{Past, Snapshot};

/// Versions of more tokens than this together are not compared: that would look at every one.
const COMPARED: u32 = 100_000;

/// What the user has selected of the versions.
#[derive(Debug, Default)]
pub struct Versions {
    /// Where they are scrolled to.
    pub scroll: Scroll,
    /// The version that the user is on; none is where the run stands.
    pub chosen: Option<u64>,
    /// The version that others are compared with; none is the one that each was made of.
    pub marked: Option<u64>,
    /// The page with what differs.
    pub difference: Option<Difference>,
}

/// How a program became another.
#[derive(Debug)]
pub struct Difference {
    /// The version before.
    pub old: Arc<Past>,
    /// The version after.
    pub new: Arc<Past>,
    /// The lines that differ, with those around them; none where that is too much to look at.
    pub lines: Option<Vec<Line>>,
}

impl Versions {
    /// The number of the version that the user is on.
    pub fn at(&self, snapshot: &Snapshot) -> u64 {
        let last = snapshot.history.len().saturating_sub(1) as u64;
        self.chosen.unwrap_or(snapshot.number).min(last)
    }

    /// The version that the user is on.
    fn past<'a>(&self, snapshot: &'a Snapshot) -> Option<&'a Arc<Past>> {
        snapshot.history.get(self.at(snapshot) as usize)
    }

    /// Goes to the version on a row of the list, the newest first. Who is where the run stands goes on with it.
    pub fn choose(&mut self, snapshot: &Snapshot, row: usize) {
        let last = snapshot.history.len().saturating_sub(1);
        let number = last.saturating_sub(row) as u64;
        self.chosen = (number != snapshot.number).then_some(number);
    }

    /// The row of the version that the user is on.
    pub fn row(&self, snapshot: &Snapshot) -> usize {
        let last = snapshot.history.len().saturating_sub(1);
        last.saturating_sub(self.at(snapshot) as usize)
    }

    fn compare(&self, snapshot: &Snapshot) -> Result<Difference, &'static str> {
        let new = self.past(snapshot).ok_or("there is no version yet")?;
        let old = self.marked.or(new.parent);
        let old = old.ok_or("it is the original: mark another version to compare with")?;
        let old = snapshot.history.get(old as usize);
        let old = old.ok_or("the marked version is not there")?;
        if old.number == new.number {
            return Err("it is the marked version itself");
        }
        let step = new.edit.as_ref().filter(|_| new.parent == Some(old.number));
        let near = step.and_then(|edit| diff::diff(&old.version, edit));
        let small = old.version.tokens() + new.version.tokens() <= COMPARED;
        let whole = || small.then(|| diff::between(&old.version, &new.version));
        Ok(Difference {
            lines: near.filter(|lines| !lines.is_empty()).or_else(whole),
            old: old.clone(),
            new: new.clone(),
        })
    }
}

impl App {
    /// Moves among the versions.
    pub(super) fn walk_versions(&mut self, snapshot: &Snapshot, action: Action) {
        let page = self.versions.scroll.height.saturating_sub(1).max(1);
        let row = moved(self.versions.row(snapshot), action, page);
        self.versions.choose(snapshot, row);
    }

    /// The selected version is the one to compare with, or no longer.
    pub(super) fn mark_version(&mut self) {
        let Some(snapshot) = self.snapshot.clone() else {
            return;
        };
        let at = self.versions.at(&snapshot);
        self.versions.marked = (self.versions.marked != Some(at)).then_some(at);
        self.said = Some(match self.versions.marked {
            Some(at) => format!("c on another version compares it with version {at}"),
            None => "c compares a version with the one it was made of".into(),
        });
    }

    /// Opens the page of the question that led to the selected version.
    pub(super) fn show_origin(&mut self) {
        let snapshot = self.snapshot.clone();
        let past = snapshot
            .as_ref()
            .and_then(|snapshot| self.versions.past(snapshot));
        match past.and_then(|past| past.decided.clone()) {
            Some(decided) => {
                self.page = Some(Page::new(decided));
                self.layers.push(Layer::Verdict(0));
            }
            None => self.said = Some("origin: it is the original".into()),
        }
    }

    /// Opens the page that compares the selected version with the marked one.
    pub(super) fn compare(&mut self) {
        let Some(snapshot) = self.snapshot.clone() else {
            return;
        };
        match self.versions.compare(&snapshot) {
            Ok(difference) => {
                self.versions.difference = Some(difference);
                self.layers.push(Layer::Difference(0));
            }
            Err(reason) => self.said = Some(format!("compare: {reason}")),
        }
    }
}
