//! The canonical form of a program: one text for all programs that differ only in what their language says does not matter.

use std::path::Path;
use std::sync::Arc;

use super::apply::apply_edit;
use super::edit::{Edit, EditOp, Replacement};
use super::layout::lay_out_documents;
use super::node::{NodeShape, ProgramNode};
use super::read::{ReadError, read_documents};
use super::walk;
use crate::language::Language;

/// The text in canonical form: laid out, without comments, and with the usual text of each constant. A text in a language without a layout
/// stays as it is.
///
/// # Errors
/// When a parse does not end within its limit.
pub fn canonical_text(
    language: &'static Language,
    path: &Path,
    text: &Arc<[u8]>,
) -> Result<Arc<[u8]>, ReadError> {
    if language.layout().is_none() {
        return Ok(text.clone());
    }
    let read = read_documents(vec![(Some(language), path.into(), text.clone())])?;
    let root = &read.documents()[0].root;
    let ops: Edit = walk::iter_leaves(root)
        .filter_map(|leaf| write_canonically(language, leaf))
        .collect();
    let written = apply_edit(&read, &ops);
    let version = written.map_or(read, |(version, _)| version);
    let documents = lay_out_documents(&version);
    let root = &documents.as_deref().unwrap_or(version.documents())[0].root;
    Ok(walk::render_text(root).into())
}

/// What makes a leaf canonical, apart from its white space.
fn write_canonically(language: &Language, leaf: &Arc<ProgramNode>) -> Option<EditOp> {
    if leaf.shape == NodeShape::Extra {
        return Some(EditOp::Delete(leaf.id));
    }
    let usual = language.statements()?.constant_text(leaf.text())?;
    let tokens: Arc<[Arc<[u8]>]> = [Arc::from(usual)].into();
    (usual != leaf.text()).then_some(EditOp::Replace {
        node: leaf.id,
        piece: Replacement::Tokens(tokens),
    })
}
