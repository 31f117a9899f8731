//! A function loses its result: its type goes, or becomes that of no result (`no_result` in `language.toml`), and each `return` of it becomes its
//! value or loses it, in one edit.
//!
//! Of these a compiler takes neither without the other. Reduktor (Stepanov et al., Reduktor: How We Stopped Worrying About Bugs in Kotlin Compiler, ASE
//! 2019) does the same. The captures `@part.returned` and `@return` say where the type and the statements are (`grammars/*/reduce.scm`); languages whose
//! compilers take one without the other have no `@part.returned`.

use std::sync::Arc;

use crate::pass::PassKind;
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::shared::function_unfolding::find_returns;
use crate::pass::shared::name_substitution::{
    NameSubstitution, TokenTexts, copy_texts, find_value, token_leaves,
};
use crate::pass::shared::place_questions::{FoundQuestion, PlacePass, QuestionPlace};
use crate::program::names::{NameSymbol, ValuePart};
use crate::program::{
    Edit, EditAction, EditOp, EditReason, NodeId, NodePath, NodeShape, ProgramNode, QuestionWords,
    Version, View, quote_text, text_excerpt,
};

/// Functions without results.
pub static RESULTS: PassKind = coupled_pass(
    "results",
    "removes the type of what a function returns with all of its returns, which become their values or lose them",
    |_, _| Box::new(PlacePass::over_names(next_question)),
);

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let version = &view.version;
    let graph = version.name_graph();
    let has_type = |&name: &NameSymbol| {
        let mut types = graph.value_parts(name, ValuePart::ReturnedType);
        types.next().is_some()
    };
    let names: Vec<NameSymbol> = graph.symbols().filter(has_type).collect();
    from.find_among(view, &names, |&name| ask_about_function(version, name))
}

/// What becomes of a `return`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReturnForm {
    /// Its value, as a statement.
    Value,
    /// The same without its value.
    Bare,
}

/// The questions about all declarations of a name.
fn ask_about_function(version: &Version, name: NameSymbol) -> Vec<(Edit, EditReason)> {
    let forms = [ReturnForm::Value, ReturnForm::Bare];
    let questions = forms
        .into_iter()
        .filter_map(|form| lose_result(version, name, form));
    questions.collect()
}

/// None where no `return` has a value, or a type must stay.
fn lose_result(
    version: &Version,
    name: NameSymbol,
    form: ReturnForm,
) -> Option<(Edit, EditReason)> {
    let names = version.name_graph();
    let mut places: Vec<(NodePath, TokenTexts)> = Vec::new();
    let (mut removal, mut returns, mut shown) = (Edit::default(), 0, None);
    for site in names.value_parts(name, ValuePart::ReturnedType) {
        let Some(node) = find_value(version, site) else {
            continue;
        };
        let path = version.path_to(node.id)?;
        let function = find_function(version, name, &path)?;
        let is_inside = |node: &&Arc<ProgramNode>| node.sums().tokens < function.sums().tokens;
        let mut around = path.nodes.iter().rev().copied().take_while(is_inside);
        let language = version.documents()[path.document].language?;
        match (
            around.find(|node| node.shape == NodeShape::Opt),
            language.no_result(),
        ) {
            (Some(part), _) => removal.ops.push(EditOp::Delete(part.id)),
            (None, Some(word)) if node.text() == word.as_bytes() => continue,
            (None, Some(word)) => places.push((path, [word.as_bytes().into()].into())),
            (None, None) => return None,
        }
        shown = shown.or(Some(node));
        for statement in find_returns(version, function) {
            let Some(texts) = change_return(statement, form) else {
                continue;
            };
            places.push((version.path_to(statement.id)?, texts.into()));
            returns += 1;
        }
    }
    let shown = shown.filter(|_| returns > 0)?;
    let substitution = NameSubstitution::with_removal(version, places, removal)?;
    let what = match form {
        ReturnForm::Value => "becomes its value",
        ReturnForm::Bare => "loses its value",
    };
    let each = match returns {
        1 => "its only return".to_string(),
        more => format!("each of its {more} returns"),
    };
    let question = format!(
        "Can {} return no {}?",
        quote_text(names.symbol_name(name)),
        quote_text(&text_excerpt(shown, 40)),
    );
    let words = QuestionWords::ask(question).because(format!("{each} {what}"));
    let why = EditReason {
        pass: RESULTS.name,
        action: EditAction::Question(words),
        node: Some(shown.id),
    };
    Some((substitution.to_edit(), why))
}

/// The smallest node with the type at the end of a path and a declaration of the name.
fn find_function<'a>(
    version: &Version,
    name: NameSymbol,
    of_type: &NodePath<'a>,
) -> Option<&'a Arc<ProgramNode>> {
    let sites = version.name_graph().declaration_sites(name).iter();
    let paths: Vec<NodePath> = sites
        .filter_map(|site| version.path_to(site.leaf))
        .collect();
    let declares = |id: NodeId| {
        paths
            .iter()
            .any(|path| path.nodes.iter().any(|node| node.id == id))
    };
    let mut around = of_type.ancestors();
    around.find(|node| node.class.is_some() && declares(node.id))
}

/// The tokens of a `return` in this form; none if it has no value.
fn change_return(statement: &Arc<ProgramNode>, form: ReturnForm) -> Option<Vec<Arc<[u8]>>> {
    let texts = copy_texts(statement);
    let ends = token_leaves(statement).last()?.text() == b";";
    let value = texts.get(1..texts.len() - usize::from(ends))?;
    if value.is_empty() {
        return None;
    }
    match form {
        ReturnForm::Value => {
            let mut texts = texts[1..].to_vec();
            texts[0] = texts[0].trim_ascii_start().into();
            Some(texts)
        }
        ReturnForm::Bare => {
            let end = texts.last().filter(|_| ends).cloned();
            Some(texts.first().cloned().into_iter().chain(end).collect())
        }
    }
}
