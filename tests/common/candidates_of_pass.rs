//! One pass alone: its candidates, their reasons, and the result.

use lop::pass::{self, FeatureSet};
use lop::program::{self, TokenChange, View};
use lop::protocol::{Feedback, ProposerStep};

use super::{read, text};

/// A candidate and its reason: the text that would be left, and the sentence for people.
#[derive(Debug)]
pub struct Asked {
    pub candidate: String,
    pub sentence: String,
    pub yes: bool,
}

/// Has a pass run to its end on a program, given by the name of its file and its text.
pub fn pass(
    kind: &pass::PassKind,
    (name, program): (&str, &str),
    without: FeatureSet,
    interesting: impl Fn(&str) -> bool,
) -> (Vec<Asked>, String) {
    let options = pass::PassOptions {
        disabled_features: without,
        ..pass::PassOptions::default()
    };
    let mut view = View::new(read(name, program));
    let mut state = kind.start_filtered(&view, &options);
    let mut asked = Vec::new();
    loop {
        match state.propose(&view) {
            ProposerStep::Test(edit, why) => {
                assert_eq!(
                    state.propose(&view),
                    ProposerStep::Test(edit.clone(), why.clone()),
                    "the same step twice"
                );
                let Ok((candidate, _)) = program::apply_edit(&view.version, &edit) else {
                    state.on_verdict(&view, &edit, Feedback::Rejected);
                    continue;
                };
                let yes = interesting(&text(&candidate));
                asked.push(Asked {
                    candidate: text(&candidate),
                    sentence: why
                        .to_sentence(&view.version, &edit, TokenChange::default())
                        .to_string(),
                    yes,
                });
                assert!(asked.len() < 10_000, "it asks for ever");
                let answer = if yes {
                    Feedback::Interesting
                } else {
                    Feedback::Uninteresting
                };
                state.on_verdict(&view, &edit, answer);
            }
            ProposerStep::Accept(edit) => {
                let (version, change) =
                    program::apply_edit(&view.version, &edit).expect("it was asked");
                view.version = version;
                state.on_accept(&view, &change);
            }
            ProposerStep::Reparse | ProposerStep::Done => return (asked, text(&view.version)),
        }
    }
}
