//! The k-th parameter of a function goes with the k-th argument of all of its calls; the arguments alone, or the parameter alone; and all of
//! them at once.
//!
//! The main loop asks some of this (`filters/arguments.rs`), but only where every call has as many arguments as are declared. Here a list
//! that has no k-th place stays as it is, so the calls of a function without a prototype count too. The same with the type parameters of
//! templates and generic classes and their arguments.

use crate::display::format_count;
use crate::pass::PassKind;
use crate::pass::filters::arguments::{count_slots, extend_edit, remove_slots};
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::shared::place_questions::{FoundQuestion, PlacePass, QuestionPlace};
use crate::program::names::{NameSymbol, ParameterSort, count_losses};
use crate::program::{
    Edit, EditAction, EditOp, EditReason, QuestionWords, Version, View, quote_text,
};

/// Parameters and arguments by their numbers.
pub static PARAMETERS: PassKind = coupled_pass(
    "parameters",
    "removes the k-th parameter with the k-th argument of all calls, the arguments alone or the parameter alone, or all",
    |_, _| Box::new(PlacePass::over_names(next_question)),
);

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let places = list_places(&view.version);
    from.find_among(view, &places, |place| place.ask(&view.version))
}

/// A place of the lists of a name, or all of them.
struct ParameterPlace {
    callee: NameSymbol,
    sort: ParameterSort,
    slot: Option<u32>,
}

/// What is asked about: all parameters of each name, then one at a time, from the last to the first.
fn list_places(version: &Version) -> Vec<ParameterPlace> {
    let sorts = [ParameterSort::Value, ParameterSort::Type];
    let names = version.name_graph().symbols();
    let names = names.flat_map(|callee| sorts.map(|sort| (callee, sort)));
    let places = names.flat_map(|(callee, sort)| {
        let count = count_slots(version, callee, sort);
        let all = (count > 1).then_some(None);
        let each = (0..count).rev().map(Some);
        all.into_iter()
            .chain(each)
            .map(move |slot| ParameterPlace { callee, sort, slot })
    });
    places.collect()
}

impl ParameterPlace {
    /// The questions about it: parameters and arguments together, the arguments, the parameters. What one edit of one list can do, other
    /// passes ask.
    fn ask(&self, version: &Version) -> Vec<(Edit, EditReason)> {
        let [parameters, arguments] = [true, false]
            .map(|declared| remove_slots(version, self.callee, self.sort, self.slot, declared));
        let name = quote_text(version.name_graph().symbol_name(self.callee));
        let (sort, used) = match self.sort {
            ParameterSort::Value => ("", "call"),
            ParameterSort::Type => ("type ", "use"),
        };
        let which = |what: &str| match self.slot {
            Some(slot) => format!("{sort}{what} {} of {name}", slot + 1),
            None => format!("all {sort}{what}s of {name}"),
        };
        let along = match self.slot {
            Some(_) => "its argument",
            None => "the arguments",
        };
        let calls = format_count(arguments.len() as u64, used);
        let all: Vec<EditOp> = parameters.iter().chain(&arguments).cloned().collect();
        let ask = |what, detail| QuestionWords::ask_removal(which(what)).because(detail);
        let together = ask("parameter", format!("with {along} in {calls}"));
        let alone = [
            (
                arguments.clone(),
                ask("argument", format!("in {calls}; the parameter stays")),
            ),
            (
                parameters.clone(),
                ask("parameter", "the arguments stay".into()),
            ),
        ];
        let both = !parameters.is_empty() && !arguments.is_empty();
        let together = both.then_some((all, together)).into_iter();
        // A call may stand in an argument of another one.
        let joined = |(ops, words): (Vec<EditOp>, QuestionWords)| {
            let edit = extend_edit(version, &Edit::default(), ops.into_iter().collect())?;
            Some((edit, words))
        };
        let questions = together.chain(alone).filter_map(joined);
        let questions =
            questions.filter(|(edit, _)| edit.ops.len() > 1 && leaves_no_use(version, edit));
        questions
            .map(|(edit, words)| {
                let why = EditReason {
                    pass: PARAMETERS.name,
                    action: EditAction::Question(words),
                    node: edit.ops.first().and_then(|op| op.target()),
                };
                (edit, why)
            })
            .collect()
    }
}

/// Whether nothing that stays uses a name that loses its last declaration.
fn leaves_no_use(version: &Version, edit: &Edit) -> bool {
    let names = version.name_graph();
    count_losses(version, edit).iter().all(|(symbol, gone)| {
        let left = names.symbol_count(symbol).minus(gone);
        gone.declares == 0 || left.declares > 0 || left.uses == 0
    })
}
