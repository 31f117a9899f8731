//! The detour that a run is in: what it left, how far it may go, and what goes on where it leads nowhere.
//!
//! A detour begins with an edit that makes the program larger ([`Edit::detour`]). It ends well with the first version that is smaller than
//! the one it left: then it is a part of the run as any other. Else it is dropped, and the run goes on from the version that it left.
//!
//! The detour of a pass suspends the schedule. The passes that reduce inside it run in its place (`pass::DetourPlan`), and where it is dropped
//! the suspended schedule goes on as if the candidate had been uninteresting. So the proposer stays one pure value: no decision hangs on
//! anything but the answers. A candidate from which a detour was dropped is not proposed again, nor, inside a detour, the version that it left.

use std::sync::Arc;

use super::schedule::PassSchedule;
use crate::pass::DetourBounds;
use crate::program::{ContentHash, DetourBound, Edit, ObjectiveSize, Version, View};
use crate::protocol::{Feedback, Proposer};

/// A detour under way.
#[derive(Clone)]
pub(super) struct ActiveDetour {
    start: Arc<DetourStart>,
    /// How many decisions may still come; none for a detour of the user's.
    remaining: Option<u32>,
}

/// Where a detour began.
struct DetourStart {
    /// What the proposer saw.
    view: View,
    /// The edit that began it.
    edit: Edit,
    /// The version that the edit made.
    candidate: ContentHash,
    /// The schedule before it heard of that edit's verdict; none for a detour of the user's.
    suspended: Option<PassSchedule>,
}

impl ActiveDetour {
    /// A detour from this view, which begins with this edit and the version that it makes. A pass's detour needs the schedule from before
    /// the edit's verdict.
    pub fn new(
        view: View,
        edit: Edit,
        candidate: ContentHash,
        suspended: Option<PassSchedule>,
    ) -> ActiveDetour {
        let remaining = match edit.detour {
            Some(DetourBound::Decisions(most)) => Some(most),
            Some(DetourBound::Unbounded | DetourBound::OnlyAsked) | None => None,
        };
        ActiveDetour {
            start: Arc::new(DetourStart {
                view,
                edit,
                candidate,
                suspended,
            }),
            remaining,
        }
    }

    /// The version that it left.
    pub fn base(&self) -> &Version {
        &self.start.view.version
    }

    /// The size of the version that it left.
    pub fn base_size(&self) -> ObjectiveSize {
        self.base().size()
    }

    /// Whether a pass began it, and a version says what the one that it left says: that one is known, and no step out of the detour.
    pub fn leads_back(&self, version: &Version) -> bool {
        let left = &self.start.view.version;
        let same_tokens = || {
            version
                .token_hash()
                .is_some_and(|hash| left.token_hash() == Some(hash))
        };
        self.start.suspended.is_some()
            && version.size().primary() == left.size().primary()
            && (version.content_hash() == left.content_hash() || same_tokens())
    }

    /// The version with which it began.
    pub fn candidate_hash(&self) -> ContentHash {
        self.start.candidate
    }

    /// Other bounds hold from here on: it has as many decisions more, or fewer.
    pub fn change_bounds(&mut self, before: &DetourBounds, now: &DetourBounds) {
        self.remaining = self
            .remaining
            .map(|left| (left + now.decisions).saturating_sub(before.decisions));
    }

    /// Counts a decision inside it.
    pub fn count_decision(&mut self) {
        self.remaining = self.remaining.map(|left| left.saturating_sub(1));
    }

    /// Whether it has had all of its decisions, or the passes that reduce inside it have come to their end.
    pub fn is_over(&self, schedule: &PassSchedule) -> bool {
        let of_pass = self.start.suspended.is_some();
        of_pass && (self.remaining == Some(0) || schedule.has_left_detour_passes())
    }

    /// The schedule and the view from which the run goes on where it is dropped, under the constraints of `now`: its pass has heard that the
    /// candidate is uninteresting. None for a detour of the user's.
    pub fn resume_suspended(
        &self,
        schedule: &PassSchedule,
        now: &View,
    ) -> Option<(PassSchedule, View)> {
        let mut resumed = self.start.suspended.clone()?;
        let mut view = self.start.view.clone();
        let (before, effort) = (resumed.effort(), schedule.effort());
        resumed.keep_order_of(schedule);
        resumed.on_verdict(&view, &self.start.edit, Feedback::Uninteresting);
        if before != effort {
            // Its passes have begun with the bounds of the effort before.
            resumed.restart_strata();
        }
        if view.rules.added.len() != now.rules.added.len() {
            view.rules = Arc::new(view.rules.with_added_of(&now.rules));
            resumed.invalidate(&view);
        }
        if !Arc::ptr_eq(&view.constraints, &now.constraints) {
            view.constraints = now.constraints.clone();
            view.set_version(&self.start.view.version);
            resumed.invalidate(&view);
        }
        Some((resumed, view))
    }
}
