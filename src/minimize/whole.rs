//! Everything at once, and then what another minimiser asks: for rows of which most often nothing is needed.

use super::{Kind, List, Minimizer};
use crate::dialogue::{Answer, Dialogue, Indices, Step};

/// One question about the whole list before another minimiser begins.
#[derive(Clone)]
pub struct Whole {
    kind: &'static Kind,
    now: Now,
}

#[derive(Clone)]
enum Now {
    Ask,
    Take(Indices),
    Then(Box<dyn Minimizer>),
}

impl Whole {
    /// Begins on this list; a minimiser of this kind goes on with what is left of it.
    pub fn before(kind: &'static Kind, list: &List) -> Whole {
        // Of a single element every minimiser asks that.
        let now = match list.length > 1 && list.keep == 0 {
            true => Now::Ask,
            false => Now::Then((kind.start)(list)),
        };
        Whole { kind, now }
    }
}

impl Dialogue for Whole {
    type View = List;
    type Edit = Indices;
    type Why = ();
    type Change = Indices;

    fn step(&mut self, list: &List) -> Step<Indices, ()> {
        match &mut self.now {
            Now::Ask => Step::Ask(Indices::range(0..list.length), ()),
            Now::Take(gone) => Step::Take(gone.clone()),
            Now::Then(minimizer) => minimizer.step(list),
        }
    }

    fn told(&mut self, list: &List, asked: &Indices, answer: Answer) {
        match (&mut self.now, answer) {
            (Now::Then(minimizer), answer) => minimizer.told(list, asked, answer),
            (_, Answer::Yes) => self.now = Now::Take(asked.clone()),
            (_, Answer::No | Answer::Refused) => self.now = Now::Then((self.kind.start)(list)),
        }
    }

    fn taken(&mut self, list: &List, gone: &Indices) {
        match &mut self.now {
            Now::Then(minimizer) => minimizer.taken(list, gone),
            Now::Ask | Now::Take(_) => self.now = Now::Then((self.kind.start)(list)),
        }
    }

    fn constrained(&mut self, list: &List) {
        *self = Whole::before(self.kind, list);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimize::kind;

    /// The questions about eight elements of which these are needed.
    fn asked(needed: &[u32]) -> Vec<u32> {
        let mut list = List::even(8, 0);
        let mut left: Vec<u32> = (0..8).collect();
        let mut whole = Whole::before(kind("galloping").expect("the table has it"), &list);
        let mut sizes = Vec::new();
        loop {
            match whole.step(&list) {
                Step::Ask(asked, ()) => {
                    sizes.push(asked.len());
                    let spared = (0..).zip(&left).filter(|(at, _)| asked.contains(*at));
                    let no = spared.into_iter().any(|(_, own)| needed.contains(own));
                    let answer = if no { Answer::No } else { Answer::Yes };
                    whole.told(&list, &asked, answer);
                }
                Step::Take(gone) => {
                    let mut at = 0..;
                    left.retain(|_| !at.next().is_some_and(|at| gone.contains(at)));
                    list = list.without(&gone);
                    whole.taken(&list, &gone);
                }
                Step::Settle | Step::Done => {
                    assert_eq!(left, needed);
                    return sizes;
                }
            }
        }
    }

    #[test]
    fn where_nothing_is_needed_one_question_is_enough() {
        assert_eq!(asked(&[]), [8]);
    }

    #[test]
    fn where_something_is_needed_the_other_minimiser_finds_it() {
        let sizes = asked(&[3]);
        assert_eq!(sizes[..2], [8, 1]);
    }
}
