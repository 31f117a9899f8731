//! Alike: what was done to two places is done to all places like them, in few questions.
//!
//! A program often refers to dozens of declarations that are taken apart in the same way: the initialiser goes, the parameters go, the
//! pointer goes. Where edits of a kind ([`Kind`]) pass one after the other, the next question is about as many places as passed so far,
//! twice as many after that, and half as many after a failure: galloping (MacIver), over nodes in place of elements of a list. n places
//! that may all change cost O(log n) questions in place of n.
//!
//! Where edits of a kind pass now and then, the next of them are asked in a batch (`batch.rs`).

use std::sync::Arc;

use super::batch::{self, Batch};
use super::heaviest::LONG;
use super::luck::{Kind, Luck};
use super::pieces::candidates;
use crate::dialogue::{Answer, Indices, Step};
use crate::program::{
    Action, Edit, Node, NodeId, Op, Piece, Shape, Trail, Version, Why, element, walk,
};

/// So many nodes are looked at for places that are alike.
const LOOK: usize = 4096;
/// So many levels of nodes with a kind below a node in the queue: what is lighter than its turn yet is hidden in what is around it.
const LEVELS: u32 = 3;

/// Which of them are there.
#[derive(Clone, Copy, Debug)]
pub struct Ways {
    /// Galloping.
    pub alike: bool,
    /// Batches.
    pub batch: bool,
}

impl Ways {
    /// Each node by itself.
    pub const NONE: Ways = Ways {
        alike: false,
        batch: false,
    };
}

/// Several places that are asked about in one go.
#[derive(Clone)]
pub struct Group {
    kind: Kind,
    /// What is around each place.
    pub above: Arc<[NodeId]>,
    now: Now,
}

#[derive(Clone)]
enum Now {
    /// All places in one question, and what of it passed.
    Gallop {
        question: Arc<(Edit, Why)>,
        places: u32,
        yes: Option<Arc<Edit>>,
    },
    /// Each by itself, and then together.
    Batch { batch: Batch, marks: Arc<[Mark]> },
}

/// A place, and what happens to it: its list and the element that goes, or it and what stands there instead.
pub type Mark = (NodeId, NodeId);

/// The mark of an edit of one place.
pub fn mark(version: &Version, edit: &Edit) -> Option<Mark> {
    match &edit.ops[..] {
        [Op::Delete(node)] => Some((*node, *node)),
        [
            Op::Replace {
                node,
                piece: Piece::Node(piece) | Piece::Items(piece),
            },
        ] => Some((*node, *piece)),
        [Op::DeleteItems { list, items }] if items.len() == 1 => {
            let first = items.ranges().first()?.start as usize;
            let item = walk::item(version.node(*list)?, first)?;
            Some((*list, element(item).id))
        }
        _ => None,
    }
}

/// A question about one place, and what is around it.
struct Place {
    edit: Edit,
    why: Why,
    above: Option<NodeId>,
}

impl Group {
    /// The group that begins with a question about one place, if one is due. `others` are nodes that lie apart from it and from each
    /// other, with their tokens, heaviest first.
    pub fn begin(
        version: &Version,
        luck: &Luck,
        ways: Ways,
        first: (&Edit, &Why),
        others: impl Iterator<Item = (NodeId, u32)>,
    ) -> Option<Group> {
        let (edit, why) = first;
        let kind = Kind::of(version, edit)?;
        let record = luck.of(&kind);
        let gallop = ways.alike && record.places() > 1;
        let (most, least) = match gallop {
            true => (record.places() as usize, record.least(&kind)),
            false if ways.batch && record.mixed() => (batch::MOST, batch::LEAST),
            false => return None,
        };
        let node = why.node.and_then(|node| version.trail(node))?;
        // A batch is for what would have its turn soon: much lighter nodes may go with something heavier before that.
        let lightest = if gallop {
            0
        } else {
            node.node().sums.tokens / 2
        };
        let mut places = vec![Place {
            edit: edit.clone(),
            why: why.clone(),
            above: node.parent().map(|above| above.id),
        }];
        let others = others.take_while(|&(_, tokens)| tokens >= lightest);
        let mut look = LOOK;
        for node in others.filter_map(|(node, _)| version.node(node)) {
            if places.len() >= most.max(least) || look == 0 {
                break;
            }
            below(version, node, kind, why.pass, &mut look, &mut places);
        }
        if places.len() < least {
            return None;
        }
        places.truncate(most);
        let above = places.iter().filter_map(|place| place.above).collect();
        let now = match gallop {
            true => Now::gallop(&places),
            false => Now::batch(version, places),
        };
        Some(Group { kind, above, now })
    }

    /// The next question or the take; done when nothing is to be taken.
    pub fn step(&mut self) -> Step<Edit, Why> {
        match &mut self.now {
            Now::Gallop { yes: Some(yes), .. } => Step::Take((**yes).clone()),
            Now::Gallop { question, .. } => Step::Ask(question.0.clone(), question.1.clone()),
            Now::Batch { batch, .. } => batch.step(),
        }
    }

    /// The answer to `asked`; whether the group is over, with nothing to take.
    pub fn told(&mut self, asked: &Edit, answer: Answer, luck: &mut Luck) -> bool {
        match &mut self.now {
            Now::Gallop { places, yes, .. } => {
                luck.told(self.kind, *places, answer);
                *yes = answer.is_yes().then(|| Arc::new(asked.clone()));
                yes.is_none()
            }
            Now::Batch { batch, .. } => {
                if batch.told(asked, answer) {
                    luck.told(self.kind, 1, answer);
                }
                batch.step() == Step::Done
            }
        }
    }

    /// The questions behind the one at hand that come whatever the answers are.
    pub fn ahead(&self, most: usize) -> Vec<Edit> {
        match &self.now {
            Now::Gallop { .. } => Vec::new(),
            Now::Batch { batch, .. } => batch.ahead(most),
        }
    }

    /// What need not be asked again when its node has its turn, now that the group is over.
    pub fn failed(&self) -> Vec<Mark> {
        match &self.now {
            Now::Gallop { .. } => Vec::new(),
            Now::Batch { batch, marks } => batch.failed().map(|at| marks[at]).collect(),
        }
    }
}

impl Now {
    fn gallop(places: &[Place]) -> Now {
        let first = &places[0].why;
        let action = Action::Alike {
            action: Box::new(first.action.clone()),
            others: places.len() as u32 - 1,
        };
        let why = Why {
            action,
            ..first.clone()
        };
        let edit = batch::join(places.iter().map(|place| &place.edit));
        Now::Gallop {
            question: Arc::new((edit, why)),
            places: places.len() as u32,
            yes: None,
        }
    }

    fn batch(version: &Version, places: Vec<Place>) -> Now {
        let (marks, questions) = places
            .into_iter()
            .filter_map(|place| Some((mark(version, &place.edit)?, (place.edit, place.why))))
            .unzip::<_, _, Vec<_>, Vec<_>>();
        Now::Batch {
            batch: Batch::new(questions),
            marks: marks.into(),
        }
    }
}

/// The questions of this kind about a node, or about nodes below it. Looks at `look` nodes at most.
fn below(
    version: &Version,
    node: &Arc<Node>,
    kind: Kind,
    pass: &'static str,
    look: &mut usize,
    places: &mut Vec<Place>,
) {
    let mut stack = vec![(node, 0)];
    while let Some((node, level)) = stack.pop() {
        if *look == 0 {
            return;
        }
        *look -= 1;
        let found = match may_be(node, kind) {
            true => version.trail(node.id),
            false => None,
        };
        let found = found.map(|trail| of_kind(version, &trail, kind, pass));
        match found.filter(|found| !found.is_empty()) {
            Some(found) => places.extend(found),
            None => {
                let level = level + u32::from(node.class.is_some());
                if level <= LEVELS {
                    stack.extend(node.kids().iter().rev().map(|kid| (kid, level)));
                }
            }
        }
    }
}

/// Whether a look at the node alone leaves it open that an edit of it is of this kind.
fn may_be(node: &Node, kind: Kind) -> bool {
    match node.shape {
        Shape::Opt => node.class == kind.node,
        Shape::Regular | Shape::Item => node.class == kind.node && !kind.is_element(),
        shape => shape.is_list() && kind.is_element() && node.len() < LONG,
    }
}

/// The questions of this kind about the node at the end of the trail, which [`may_be`] of it.
fn of_kind(version: &Version, trail: &Trail, kind: Kind, pass: &'static str) -> Vec<Place> {
    let node = trail.node();
    let alike = |edit: &Edit| Kind::of(version, edit) == Some(kind);
    let question = match node.shape {
        Shape::Opt => {
            let why = Why {
                pass,
                action: Action::DropOptional,
                node: Some(node.id),
            };
            Some((Op::Delete(node.id).into(), why)).filter(|(edit, _)| alike(edit))
        }
        Shape::Regular | Shape::Item => candidates(version, trail)
            .iter()
            .filter_map(|candidate| candidate.question(pass, node.id))
            .find(|(edit, _)| alike(edit)),
        _ => return elements(version, trail, kind, pass),
    };
    let above = trail.parent().map(|above| above.id);
    let question = question.into_iter();
    question
        .map(|(edit, why)| Place { edit, why, above })
        .collect()
}

/// The elements of this kind of a short list, from the back to the front. One stays where the grammar wants one.
fn elements(version: &Version, trail: &Trail, kind: Kind, pass: &'static str) -> Vec<Place> {
    let list = trail.node();
    let length = list.len() as u32;
    let may = length.saturating_sub(u32::from(list.keeps_one())) as usize;
    let single = |at: u32| {
        let items = Indices::range(at..at + 1);
        let list = list.id;
        Edit::from(Op::DeleteItems { list, items })
    };
    let alike = (0..length).rev().filter_map(|at| {
        let edit = Some(single(at)).filter(|edit| Kind::of(version, edit) == Some(kind))?;
        let action = Action::DropItems {
            go: 1,
            of: length,
            first: walk::item(list, at as usize).map(|item| element(item).id),
        };
        let node = Some(list.id);
        let why = Why { pass, action, node };
        Some(Place {
            edit,
            why,
            above: None,
        })
    });
    alike.take(may).collect()
}
