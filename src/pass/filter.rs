//! Filters: wrappers around a pass that let its questions through, shrink them, or answer them themselves.
//!
//! A question that a filter refuses is no decision: the pass inside hears `Refused` and goes on. When a filter shrinks a question, yes
//! is for what was asked and the rest stays open; no counts for the whole question. A filter may let a question grow where the pass inside
//! takes what was asked, whatever it was.

use std::sync::Arc;

use super::Pass;
use crate::dialogue::{Answer, Dialogue, Step};
use crate::program::{Action, Change, Edit, View, Why};

/// What stands between a pass and whoever answers it.
pub trait Filter: Clone + Send + 'static {
    /// The question that goes on in place of this one; none if it is not worth asking.
    fn sift(&self, view: &View, edit: &Edit, why: &Why) -> Option<(Edit, Why)>;

    /// The answer to what went on.
    fn told(&mut self, _view: &View, _asked: &Edit, _answer: Answer) {}

    /// After another answer than yes: a question in place of that one, before the pass hears of it.
    fn instead(&mut self, _view: &View, _asked: &Edit, _why: &Why) -> Option<(Edit, Why)> {
        None
    }
}

/// A pass behind a filter.
#[derive(Clone)]
pub struct Filtered<F> {
    inner: Box<dyn Pass>,
    filter: F,
    pending: Option<Arc<Pending>>,
}

/// A question on its way.
struct Pending {
    /// As the pass inside asked it.
    inner: Edit,
    /// As it went on.
    edit: Edit,
    why: Why,
}

impl<F: Filter> Filtered<F> {
    /// This pass behind this filter.
    pub fn boxed(inner: Box<dyn Pass>, filter: F) -> Box<dyn Pass> {
        Box::new(Filtered {
            inner,
            filter,
            pending: None,
        })
    }
}

impl<F: Filter> Dialogue for Filtered<F> {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        loop {
            if let Some(pending) = &self.pending {
                return Step::Ask(pending.edit.clone(), pending.why.clone());
            }
            match self.inner.step(view) {
                Step::Ask(inner, why) => match self.filter.sift(view, &inner, &why) {
                    Some((edit, why)) => {
                        self.pending = Some(Arc::new(Pending { inner, edit, why }))
                    }
                    None => self.inner.told(view, &inner, Answer::Refused),
                },
                step => return step,
            }
        }
    }

    fn ahead(&self, view: &View, most: usize) -> Vec<Edit> {
        // The sentence is for nobody.
        let why = Why {
            pass: "",
            action: Action::DropNode,
            node: None,
        };
        let inner = self.inner.ahead(view, most).into_iter();
        inner
            .filter_map(|edit| Some(self.filter.sift(view, &edit, &why)?.0))
            .collect()
    }

    fn told(&mut self, view: &View, asked: &Edit, answer: Answer) {
        self.filter.told(view, asked, answer);
        if let Some(pending) = self.pending.as_ref().filter(|_| !answer.is_yes())
            && let Some((edit, why)) = self.filter.instead(view, asked, &pending.why)
        {
            let inner = pending.inner.clone();
            self.pending = Some(Arc::new(Pending { inner, edit, why }));
            return;
        }
        match self.pending.take() {
            Some(pending) if !answer.is_yes() => self.inner.told(view, &pending.inner, answer),
            _ => self.inner.told(view, asked, answer),
        }
    }

    fn taken(&mut self, view: &View, change: &Change) {
        self.pending = None;
        self.inner.taken(view, change);
    }

    fn constrained(&mut self, view: &View) {
        self.pending = None;
        self.inner.constrained(view);
    }
}
