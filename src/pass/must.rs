//! must: where a language refuses a declaration that nothing uses, it goes with its last use.
//!
//! Go refuses imports and local variables that nothing uses. So an edit that takes their last use takes the declaration too, and what
//! only that used, and so on: as `gc`, but in the same question.

use std::collections::BTreeSet;

use super::arguments::together;
use super::doomed::Doomed;
use crate::program::names::{Symbol, loss};
use crate::program::{Edit, NameFact, Version};

/// The edit with all that must go too, and what there is to say of it; none if nothing must.
pub(super) fn with_needless(version: &Version, edit: &Edit) -> Option<(Edit, NameFact)> {
    let names = version.names();
    if !names.any_must_be_used() {
        return None;
    }
    let lost = loss(version, edit);
    let must = |symbol: &Symbol| names.must_be_used(*symbol);
    let mut open: BTreeSet<Symbol> = lost.iter().map(|(symbol, _)| symbol).filter(must).collect();
    let mut needless = Vec::new();
    let mut doomed = Doomed::new(version, lost);
    while let Some(symbol) = open.pop_first() {
        if let Some(touched) = doomed.add(symbol) {
            needless.push(symbol);
            open.extend(
                touched
                    .into_iter()
                    .filter(|touched| *touched != symbol)
                    .filter(must),
            );
        }
    }
    let name = names.name(*needless.first()?).clone();
    let others = needless.len() as u32 - 1;
    let all = together(version, edit, doomed.edit())?;
    Some((all, NameFact::Needless { name, others }))
}
