//! guard: a candidate that uses a name which the program declares and the candidate no longer does is not asked about.
//!
//! Calls count as uses. A compiler may accept some of these candidates (implicit declarations, an outer variable of the same name);
//! the certificate asks about them. It has no paper.

use super::closed::holds;
use super::filter::Filter;
use crate::program::names::going;
use crate::program::{Edit, View, Why};

/// See the module's text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guard;

impl Filter for Guard {
    fn sift(&self, view: &View, edit: &Edit, why: &Why) -> Option<(Edit, Why)> {
        let names = view.version.names();
        let going = going(&view.version, edit);
        let mut reaching = names.reaching(&view.version, &going).into_iter();
        let orphaned = reaching.any(|symbol| {
            !names.declared_outside(&view.version, symbol, &going) && holds(view, edit, symbol)
        });
        (!orphaned).then(|| (edit.clone(), why.clone()))
    }
}
