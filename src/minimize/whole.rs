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
            (_, Answer::No | Answer::Refused) => {
                let mut minimizer = (self.kind.start)(list);
                // Where it would begin with the same question, that is its answer.
                if minimizer.step(list) == Step::Ask(Indices::range(0..list.length), ()) {
                    minimizer.told(list, asked, answer);
                }
                self.now = Now::Then(minimizer);
            }
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

    /// The questions about sixteen elements of which these are needed.
    fn asked(name: &str, needed: &[u32]) -> Vec<u32> {
        let mut list = List::even(16, 0);
        let mut left: Vec<u32> = (0..16).collect();
        let mut whole = Whole::before(kind(name).expect("the table has it"), &list);
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
        assert_eq!(asked("galloping", &[]), [16]);
    }

    #[test]
    fn where_something_is_needed_the_other_minimiser_finds_it() {
        assert_eq!(asked("galloping", &[3])[..2], [16, 1]);
    }

    #[test]
    fn nobody_asks_about_the_whole_list_twice() {
        for kind in crate::minimize::KINDS {
            let whole = |&&size: &&u32| size == 16;
            let sizes = asked(kind.name, &[3, 5]);
            let times = sizes.iter().filter(whole).count();
            assert_eq!(times, 1, "{}: {sizes:?}", kind.name);
        }
    }
}
