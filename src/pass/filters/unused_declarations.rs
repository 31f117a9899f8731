//! Where the language rejects a declaration without a use, the declaration is removed with its last use.
//!
//! Go rejects unused imports and local variables. So an edit that deletes their last use deletes the declaration too, and what only that
//! used, and so on: as in `gc.rs`, but in the same candidate.

use std::collections::BTreeSet;

use super::arguments::extend_edit;
use crate::pass::shared::removal_closure::RemovalClosure;
use crate::program::names::{NameSymbol, count_losses};
use crate::program::{Edit, Version, format_names};

/// The edit with all that must be removed too, and a fact for its sentence; none if there is nothing.
pub(in crate::pass) fn with_unused_declarations(
    version: &Version,
    edit: &Edit,
) -> Option<(Edit, String)> {
    let names = version.name_graph();
    if !names.any_must_be_used() {
        return None;
    }
    let lost = count_losses(version, edit);
    let must = |symbol: &NameSymbol| names.must_be_used(*symbol);
    let mut open: BTreeSet<NameSymbol> =
        lost.iter().map(|(symbol, _)| symbol).filter(must).collect();
    let mut needless = Vec::new();
    let mut closure = RemovalClosure::new(version, lost);
    while let Some(symbol) = open.pop_first() {
        if let Some(touched) = closure.add_symbol(symbol) {
            needless.push(symbol);
            open.extend(
                touched
                    .into_iter()
                    .filter(|touched| *touched != symbol)
                    .filter(must),
            );
        }
    }
    let name = names.symbol_name(*needless.first()?).clone();
    let others = needless.len() as u32 - 1;
    let all = extend_edit(version, edit, closure.to_edit())?;
    let names = format_names(&name, others);
    Some((all, format!("{names} must go with the last use")))
}
