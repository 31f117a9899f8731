//! The engine's own cost: a candidate, and the state of a whole schedule, for a program of 100,000 tokens.
//!
//! `cargo bench --bench engine`

use std::path::Path;
use std::sync::Arc;

use divan::Bencher;
use lop::language;
use lop::oracle;
use lop::pass;
use lop::program::{self, Edit, EditOp, IndexRanges, ParseChecker, ProgramNode, View, names, walk};
use lop::protocol::{Feedback, Proposer, ProposerStep};
use lop::reduce::{self, PassSchedule, RunAudience};

fn main() {
    divan::main();
}

/// A program of more than 100,000 tokens: functions with nested statements, and long lists.
fn program() -> String {
    let mut text = String::new();
    for i in 0..2_000 {
        text += &format!(
            "int g{i} = {i};\nint f{i}(int a, int b) {{\n  if (a > {i}) {{ b = a * (b + {i}) - g{i}; }} else {{ return b; }}\n"
        );
        text += "  while (b) { b--; a += b ? a : b; }\n  return a + b;\n}\n";
    }
    text
}

fn view() -> View {
    let files = vec![(
        Arc::from(Path::new("large.c")),
        Arc::from(program().into_bytes()),
    )];
    let version = program::read_program(files).expect("the program can be read");
    assert!(
        version.token_count() >= 100_000,
        "{} tokens",
        version.token_count()
    );
    View::new(version)
}

/// The list of the file's declarations.
fn declarations(view: &View) -> &ProgramNode {
    let root = &view.version.documents()[0].root;
    walk::preorder(root)
        .find(|node| node.shape.is_list())
        .expect("the declarations of the file")
}

/// The schedule after this number of uninteresting verdicts.
fn after(view: &View, questions: usize) -> PassSchedule {
    let mut schedule = PassSchedule::new(pass::PassOptions::default());
    let mut asked = 0;
    while asked < questions {
        match schedule.propose(view) {
            ProposerStep::Test(edit, _) => {
                schedule.on_verdict(view, &edit, Feedback::Uninteresting);
                asked += 1;
            }
            ProposerStep::Reparse => schedule.on_reparse(view),
            ProposerStep::Accept(_) | ProposerStep::Done => break,
        }
    }
    schedule
}

/// The states of a schedule at this number of places of its run.
const PLACES: [usize; 4] = [10, 3_000, 20_000, 60_000];

/// Cloning the state of the whole schedule, and the step after the clone: 10 µs at the most.
#[divan::bench(args = PLACES)]
fn clone_and_step(bencher: Bencher, questions: usize) {
    let view = view();
    let schedule = after(&view, questions);
    bencher.bench_local(|| {
        let mut schedule = schedule.clone();
        (schedule.propose(&view), schedule)
    });
}

fn question(view: &View, questions: usize) -> Edit {
    match after(view, questions).propose(view) {
        ProposerStep::Test(edit, _) => edit,
        step => panic!("{step:?} where a question was expected"),
    }
}

/// The engine's work for a candidate: the edit is made, its size and hash are known.
#[divan::bench(args = PLACES)]
fn candidate(bencher: Bencher, questions: usize) {
    let view = view();
    let edit = question(&view, questions);
    bencher.bench_local(|| {
        program::apply_edit(&view.version, &edit)
            .map(|(version, _)| (version.token_count(), version.content_hash()))
    });
}

/// The worker's work for a candidate: printing, and the parser's word.
#[divan::bench(args = PLACES)]
fn print_and_guard(bencher: Bencher, questions: usize) {
    let view = view();
    let (candidate, _) =
        program::apply_edit(&view.version, &question(&view, questions)).expect("it can be made");
    let mut guard = ParseChecker::default();
    bencher.bench_local(|| {
        guard.check_candidate(
            &view.version,
            &candidate,
            &candidate.render_texts(),
            true,
            &view.constraints,
        )
    });
}

/// The same for a candidate that lost declarations at this number of places, one end of the program to the other: the cost is that of the
/// cuts, not of what lies between them.
#[divan::bench(args = [1, 5, 50])]
fn print_and_guard_scattered(bencher: Bencher, cuts: u32) {
    let view = view();
    let list = declarations(&view);
    let step = list.len() as u32 / cuts;
    let edit: Edit = EditOp::DeleteItems {
        list: list.id,
        items: IndexRanges::from_sorted((0..cuts).map(|cut| cut * step)),
    }
    .into();
    let (candidate, _) = program::apply_edit(&view.version, &edit).expect("it can be made");
    let mut guard = ParseChecker::default();
    bencher.bench_local(|| {
        guard.check_candidate(
            &view.version,
            &candidate,
            &candidate.render_texts(),
            true,
            &view.constraints,
        )
    });
}

/// The proposal that removes a parameter with its argument in this number of calls, each in a function of its own.
#[divan::bench(args = [300, 3_000])]
fn parameter_with_its_arguments(bencher: Bencher, calls: u32) {
    let mut text = String::from("int f(int a, int b) { return a; }\n");
    for i in 0..calls {
        text += &format!("int g{i}(int c) {{ return f(c, {i}) + {i}; }}\n");
    }
    let files = vec![(
        Arc::from(Path::new("calls.c")),
        Arc::from(text.into_bytes()),
    )];
    let view = View::new(program::read_program(files).expect("it can be read"));
    let mut schedule = PassSchedule::new(pass::PassOptions::default());
    let mut before = None;
    loop {
        match schedule.propose(&view) {
            ProposerStep::Test(_, why) if format!("{why:?}").contains("with its argument") => break,
            ProposerStep::Test(edit, _) => {
                before = Some((schedule.clone(), edit.clone()));
                schedule.on_verdict(&view, &edit, Feedback::Uninteresting);
            }
            ProposerStep::Reparse => schedule.on_reparse(&view),
            step => panic!("{step:?} where the parameter was expected"),
        }
    }
    let (before, last) = before.expect("the parameter alone was proposed before");
    bencher.bench_local(|| {
        let mut schedule = before.clone();
        schedule.on_verdict(&view, &last, Feedback::Uninteresting);
        schedule.propose(&view)
    });
}

/// What the names say of a candidate: which symbols it takes a declaration or a use of. 50 µs at the most.
#[divan::bench(args = PLACES)]
fn check_of_names(bencher: Bencher, questions: usize) {
    let view = view();
    let edit = question(&view, questions);
    view.version.name_graph();
    bencher.bench_local(|| names::count_losses(&view.version, &edit));
}

/// The same for stretches of the top level, one end of the program to the other: the cost is that of what would go.
#[divan::bench(args = [1, 10, 100, 1_000])]
fn check_of_names_in_a_stretch(bencher: Bencher, items: u32) {
    let view = view();
    let list = declarations(&view);
    let items = IndexRanges::from_range(2_000..2_000 + items);
    let edit: Edit = EditOp::DeleteItems {
        list: list.id,
        items,
    }
    .into();
    bencher.bench_local(|| names::count_losses(&view.version, &edit));
}

/// The query for names over the whole program: a part of reading it.
#[divan::bench(sample_count = 5)]
fn query_for_names(bencher: Bencher) {
    let view = view();
    let (text, tree) = (program(), view.version.parse_tree(0).cloned());
    let tree = tree.expect("C is parsed");
    let language = language::by_name("c").expect("C");
    bencher.bench_local(|| {
        language
            .find_name_captures(&tree, text.as_bytes())
            .map(|found| found.len())
    });
}

/// The name graph of the version that an edit makes.
#[divan::bench(args = PLACES)]
fn names_after_a_take(bencher: Bencher, questions: usize) {
    let view = view();
    let edit = question(&view, questions);
    bencher
        .with_inputs(|| {
            program::apply_edit(&view.version, &edit)
                .expect("it can be made")
                .0
        })
        .bench_local_values(|version| version.name_graph().lost_symbols().len());
}

/// Reading the program, and reading it again at the end of a pass.
#[divan::bench(sample_count = 5)]
fn read_from_scratch(bencher: Bencher) {
    bencher.bench_local(view);
}

/// See [`read_from_scratch`].
#[divan::bench(sample_count = 5)]
fn read_again(bencher: Bencher) {
    let view = view();
    bencher.bench_local(|| program::reparse_version(&view.version));
}

/// A test that never answers.
struct Silent {
    answers: crossbeam_channel::Receiver<oracle::JobResult>,
    _open: crossbeam_channel::Sender<oracle::JobResult>,
}

impl oracle::Runner for Silent {
    fn submit(&mut self, _: oracle::TestJob) {}

    fn cancel(&mut self, _: oracle::JobId) {}

    fn result_receiver(&self) -> &crossbeam_channel::Receiver<oracle::JobResult> {
        &self.answers
    }
}

/// From a command to its acknowledgement, while a slow test runs. The slowest sample counts: the project allows 100 ms.
#[divan::bench(sample_count = 200, sample_size = 1, args = ["pin f1000", "unpin", "skip candidate", "jobs 2", "step"])]
fn acknowledged(bencher: Bencher, line: &str) {
    let (open, answers) = crossbeam_channel::unbounded();
    let silent = Silent {
        answers,
        _open: open,
    };
    let limit = oracle::LimitPolicy::fixed(std::time::Duration::from_secs(60));
    let run = reduce::start_run(reduce::RunSetup {
        audience: RunAudience::resident(),
        jobs: 2,
        ..reduce::RunSetup::new(view().version, silent, limit)
    })
    .expect("a run");
    let command = reduce::EngineCommand::parse_line(line).expect("a command");
    let pin = reduce::EngineCommand::parse_line("pin f1000").expect("a command");
    let obeyed = |command: reduce::EngineCommand| {
        run.commands.send(command).expect("it listens");
        run.events
            .iter()
            .find(|event| matches!(event, reduce::RunEvent::CommandApplied { .. }))
    };
    bencher
        .with_inputs(|| {
            if line == "unpin" {
                obeyed(pin.clone());
            }
        })
        .bench_local_values(|()| obeyed(command.clone()));
    let _ = run.commands.send(reduce::EngineCommand::Stop);
}
