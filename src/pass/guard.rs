//! guard: a candidate that uses a name which the program declares and the candidate no longer does is not asked about.
//!
//! Calls count as uses. A compiler may accept some of these candidates (implicit declarations, an outer variable of the same name);
//! the certificate asks about them.

use super::filter::Filter;
use crate::program::names::loss;
use crate::program::{Edit, View, Why};

/// See the module's text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guard;

impl Filter for Guard {
    fn sift(&self, view: &View, edit: &Edit, why: &Why) -> Option<(Edit, Why)> {
        let names = view.version.names();
        let loss = loss(&view.version, edit);
        let orphaned = loss.iter().any(|(symbol, gone)| {
            let now = names.count(symbol);
            gone.declares > 0 && gone.declares == now.declares && gone.uses < now.uses
        });
        (!orphaned).then(|| (edit.clone(), why.clone()))
    }
}
