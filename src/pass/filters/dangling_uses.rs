//! Rejects a candidate that uses a name whose declarations it deletes.
//!
//! Calls count as uses. A compiler may accept some of these candidates (implicit declarations, an outer variable of the same name); the
//! certificate tries them. There is no paper on it.

use super::dependency_closure::use_blocks_edit;
use super::{EditFilter, FilterKind, FilteredPass};
use crate::pass::StrategyFeature;
use crate::program::names::removed_places;
use crate::program::{Edit, EditReason, View};

/// Dangling uses.
pub static DANGLING_USES: FilterKind = FilterKind {
    name: "dangling uses",
    description: "rejects a candidate that loses the last declaration of a name and keeps a use",
    feature: Some(StrategyFeature::DanglingUses),
    wrap: |pass| FilteredPass::new_boxed(pass, DanglingUseFilter),
};

/// See the module's text.
#[derive(Clone, Copy, Debug, Default)]
pub struct DanglingUseFilter;

impl EditFilter for DanglingUseFilter {
    fn filter_edit(
        &self,
        view: &View,
        edit: &Edit,
        why: &EditReason,
    ) -> Option<(Edit, EditReason)> {
        let names = view.version.name_graph();
        let going = removed_places(&view.version, edit);
        let mut reaching = names.escaping_symbols(&view.version, &going).into_iter();
        let orphaned = reaching.any(|symbol| {
            !names.declared_outside(&view.version, symbol, &going)
                && use_blocks_edit(view, edit, symbol)
        });
        (!orphaned).then(|| (edit.clone(), why.clone()))
    }
}
