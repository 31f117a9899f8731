//! gc: what became unreferenced by a take goes, all of it in one question.
//!
//! A wrapper: after a take it looks at the names that lost a use, and gathers the declarations that nothing uses any more but
//! themselves; then at the names that those used, and so on. What nothing used from the start is a root and not touched: it never lost
//! a use. Parameters stay, and the fields and enumerators of C, since their places count for others; members are known by name, and go.
//!
//! What shows the bug may itself be unreferenced by now (a function, when its last call went), and then the question fails for many
//! others. So where many would have gone it is asked once more without the heaviest declaration that lost a use, and what that uses.
//!
//! It has no paper: it is what a linker does with sections.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Pass;
use super::doomed::Doomed;
use crate::dialogue::{Answer, Dialogue, Step};
use crate::program::names::{Loss, Symbol};
use crate::program::{Action, Change, Edit, Version, View, Why};

const NAME: &str = "gc";
/// With fewer declarations than this a failure is not worth another question.
const MANY: u32 = 8;

/// A pass with gc after every take.
#[derive(Clone)]
pub struct Gc {
    inner: Box<dyn Pass>,
    now: Now,
}

/// What gc itself wants.
#[derive(Clone)]
enum Now {
    Nothing,
    Ask(Arc<Question>),
    /// Less may have been asked than was wanted.
    Take(Arc<Edit>),
}

/// What nothing uses any more.
struct Question {
    edit: Edit,
    why: Why,
    /// What may be worth to be left out after a failure.
    heaviest: Option<Symbol>,
}

impl Gc {
    /// This pass with gc after every take.
    pub fn boxed(inner: Box<dyn Pass>) -> Box<dyn Pass> {
        let now = Now::Nothing;
        Box::new(Gc { inner, now })
    }
}

impl Dialogue for Gc {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        match &self.now {
            Now::Nothing => self.inner.step(view),
            Now::Ask(question) => Step::Ask(question.edit.clone(), question.why.clone()),
            Now::Take(edit) => Step::Take((**edit).clone()),
        }
    }

    fn ahead(&self, view: &View, most: usize) -> Vec<Edit> {
        match &self.now {
            Now::Nothing => self.inner.ahead(view, most),
            Now::Ask(_) | Now::Take(_) => Vec::new(),
        }
    }

    fn told(&mut self, view: &View, asked: &Edit, answer: Answer) {
        self.now = match std::mem::replace(&mut self.now, Now::Nothing) {
            Now::Ask(_) if answer.is_yes() => Now::Take(Arc::new(asked.clone())),
            Now::Ask(question) => match question.heaviest {
                Some(_) => Now::ask(unused(&view.version, question.heaviest)),
                None => Now::Nothing,
            },
            now => {
                self.inner.told(view, asked, answer);
                now
            }
        };
    }

    fn taken(&mut self, view: &View, change: &Change) {
        self.inner.taken(view, change);
        self.now = Now::ask(unused(&view.version, None));
    }

    fn constrained(&mut self, view: &View) {
        self.now = Now::Nothing;
        self.inner.constrained(view);
    }
}

impl Now {
    fn ask(question: Option<Question>) -> Now {
        question.map_or(Now::Nothing, |question| Now::Ask(Arc::new(question)))
    }
}

/// The declarations that the last edit left without a use, if there are any, without this one and what it uses.
fn unused(version: &Version, without: Option<Symbol>) -> Option<Question> {
    let names = version.names();
    let mut doomed = Doomed::new(version, Loss::default());
    let lost = names.lost();
    let mut open: BTreeSet<Symbol> = lost.iter().copied().collect();
    let (mut unused, mut heaviest) = (Vec::new(), None);
    while let Some(symbol) = open.pop_first() {
        let before = doomed.tokens;
        if without == Some(symbol) {
            continue;
        }
        if let Some(touched) = doomed.add(symbol) {
            unused.push(symbol);
            if lost.binary_search(&symbol).is_ok() {
                heaviest = heaviest.max(Some((doomed.tokens - before, symbol)));
            }
            open.extend(touched.into_iter().filter(|touched| *touched != symbol));
        }
    }
    let name = names.name(*unused.first()?).clone();
    let edit = doomed.edit();
    let node = doomed.first();
    let go = doomed.nodes.len() as u32;
    let action = Action::DropUnused {
        go,
        name,
        others: unused.len() as u32 - 1,
    };
    let why = Why {
        pass: NAME,
        action,
        node,
    };
    let again = without.is_none() && go >= MANY;
    let heaviest = heaviest.filter(|_| again).map(|(_, symbol)| symbol);
    Some(Question {
        edit,
        why,
        heaviest,
    })
}
