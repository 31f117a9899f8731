//! What a round of the smart schedule asks about: what shares a name with the last changes, or the rest.
//!
//! An edit concerns the names of what it removes and those of the statement that it changes (`program/names/statement_names.rs`). Of an edit
//! of several elements or places only those stay that are in the scope, so list minimisers and batches go on with what is left of theirs.
//! The two scopes of one set of names are complements on one version: what one leaves out, the other asks about.
//!
//! Names are compared by their text, because symbols get new numbers when the text is read again.

use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{EditFilter, FilteredPass};
use crate::display::format_number;
use crate::pass::Pass;
use crate::program::names::{
    NameSymbol, any_own_name, any_removed_name, changed_place, visit_concerned_names,
};
use crate::program::{
    Edit, EditAction, EditOp, EditReason, Replacement, Version, View, quote_text,
};
use crate::protocol::IndexRanges;

/// Names, by their text.
pub type NameSet = imbl::OrdSet<Arc<str>>;

/// What a round asks about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RoundScope {
    /// Everything.
    #[default]
    Everything,
    /// What shares a name with these.
    Sharing(NameSet),
    /// What shares no name with these.
    NotSharing(NameSet),
}

impl RoundScope {
    /// The pass, asking about nothing outside of this scope until the rules or the version change.
    pub fn wrap_pass(&self, view: &View, pass: Box<dyn Pass>) -> Box<dyn Pass> {
        let (shares, names) = match self {
            RoundScope::Everything => return pass,
            RoundScope::Sharing(names) => (true, names),
            RoundScope::NotSharing(names) => (false, names),
        };
        let graph = view.version.name_graph();
        let symbols = graph.symbols();
        let named = symbols.filter(|&symbol| names.contains(graph.symbol_name(symbol)));
        let scope = SymbolScope {
            shares,
            symbols: named.collect(),
        };
        FilteredPass::new_boxed(
            pass,
            RoundFilter {
                scope: Some(Arc::new(scope)),
            },
        )
    }
}

impl Display for RoundScope {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (what, names) = match self {
            RoundScope::Everything => return f.write_str("everything"),
            RoundScope::Sharing(names) => ("what shares a name with", names),
            RoundScope::NotSharing(names) => ("what shares no name with", names),
        };
        let shown = names.iter().take(SHOWN_NAMES).map(|name| quote_text(name));
        let shown: Vec<String> = shown.collect();
        write!(f, "{what} {}", shown.join(", "))?;
        match names.len().saturating_sub(SHOWN_NAMES) {
            0 => Ok(()),
            more => write!(f, " and {} more", format_number(more as u64)),
        }
    }
}

/// How many names a sentence has at most.
const SHOWN_NAMES: usize = 3;

/// The filter. Without a scope everything passes.
#[derive(Clone)]
struct RoundFilter {
    scope: Option<Arc<SymbolScope>>,
}

/// A scope in the numbers of the symbols that a version has until its text is read again.
struct SymbolScope {
    shares: bool,
    symbols: FxHashSet<NameSymbol>,
}

impl SymbolScope {
    /// Whether an edit that is made as a whole is in the scope: it shares a name if one of its operations does.
    fn holds_all_of(&self, base: &Version, edit: &Edit) -> bool {
        let mut shares = false;
        for op in &edit.ops {
            visit_concerned_names(base, op, |symbol| {
                shares |= self.symbols.contains(&symbol);
            });
        }
        shares == self.shares
    }

    /// What of an operation is in the scope; none if nothing.
    fn op_inside(&self, base: &Version, op: &EditOp) -> Option<EditOp> {
        let is_named = |symbol| self.symbols.contains(&symbol);
        let place = changed_place(base, op);
        if place.is_some_and(|place| any_own_name(base, place, is_named)) {
            return self.shares.then(|| op.clone());
        }
        let is_inside = |removed: &_| any_removed_name(base, op, removed, is_named) == self.shares;
        let Some((list, items)) = op.removed_items() else {
            // What removes no nodes shares no name.
            let mut removed = op.removed_nodes(base).peekable();
            let inside = match removed.peek() {
                Some(_) => removed.any(is_inside),
                None => !self.shares,
            };
            return inside.then(|| op.clone());
        };
        let all = items.ranges().iter().cloned().flatten();
        let inside = all
            .zip(op.removed_nodes(base))
            .filter(|(_, item)| is_inside(item));
        let items = IndexRanges::from_sorted(inside.map(|(at, _)| at));
        (!items.is_empty()).then_some(EditOp::DeleteItems { list, items })
    }
}

/// Whether the operations of an edit belong together: it puts new text in, or begins a detour.
fn is_indivisible(edit: &Edit) -> bool {
    let is_new = |op: &EditOp| {
        matches!(
            op.replacement(),
            Some(Replacement::Tokens(_) | Replacement::Leaves(_) | Replacement::Pieces(_))
        )
    };
    edit.detour.is_some() || edit.ops.iter().any(is_new)
}

impl EditFilter for RoundFilter {
    fn filter_edit(
        &self,
        view: &View,
        edit: &Edit,
        why: &EditReason,
    ) -> Option<(Edit, EditReason)> {
        let mut why = why.clone();
        let Some(scope) = &self.scope else {
            return Some((edit.clone(), why));
        };
        if is_indivisible(edit) {
            return scope
                .holds_all_of(&view.version, edit)
                .then(|| (edit.clone(), why));
        }
        let ops = edit.ops.iter();
        let inside: Edit = ops
            .filter_map(|op| scope.op_inside(&view.version, op))
            .collect();
        if let ([EditOp::DeleteItems { items, .. }], EditAction::DropItems { go, first, .. }) =
            (&inside.ops[..], &mut why.action)
            && *go != items.len()
        {
            (*go, *first) = (items.len(), inside.first_removed_node(&view.version));
        }
        (!inside.ops.is_empty()).then_some((inside, why))
    }

    /// What was left out so far may be asked about from here on.
    fn invalidate(&mut self) {
        self.scope = None;
    }
}
