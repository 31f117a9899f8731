//! One pass alone: what it asks, what it says about that, and what is left.

use lop::dialogue::{Answer, Step};
use lop::pass::{self, Parts};
use lop::program::{self, View};

use super::{read, text};

/// A question, as a story tells it: what would be left, and what a person is told.
#[derive(Debug)]
pub struct Asked {
    pub candidate: String,
    pub sentence: String,
    pub yes: bool,
}

/// Has a pass run to its end on a program, given by the name of its file and its text.
pub fn pass(
    kind: &pass::Kind,
    (name, program): (&str, &str),
    without: Parts,
    interesting: impl Fn(&str) -> bool,
) -> (Vec<Asked>, String) {
    let options = pass::Options {
        without,
        ..pass::Options::default()
    };
    let mut view = View::new(read(name, program));
    let mut state = (kind.start)(&view, &options);
    let mut asked = Vec::new();
    loop {
        match state.step(&view) {
            Step::Ask(edit, why) => {
                assert_eq!(
                    state.step(&view),
                    Step::Ask(edit.clone(), why.clone()),
                    "the same step twice"
                );
                let Ok((candidate, _)) = program::apply(&view.version, &edit) else {
                    state.told(&view, &edit, Answer::Refused);
                    continue;
                };
                let yes = interesting(&text(&candidate));
                asked.push(Asked {
                    candidate: text(&candidate),
                    sentence: why.sentence(&view.version, 0),
                    yes,
                });
                let answer = if yes { Answer::Yes } else { Answer::No };
                state.told(&view, &edit, answer);
            }
            Step::Take(edit) => {
                let (version, change) = program::apply(&view.version, &edit).expect("it was asked");
                view.version = version;
                state.taken(&view, &change);
            }
            Step::Settle | Step::Done => return (asked, text(&view.version)),
        }
    }
}
