//! Trying the parts that compilers do without by the data of a language: for `lop languages check`.

use super::apply::apply_edit;
use super::edit::EditOp;
use super::parse_check::ParseChecker;
use super::reread::reparse_version;
use super::stand_ins::find_dispensable_parts;
use super::version::Version;
use super::walk;

/// Has each part go that its grammar requires and compilers do not, in the first place where it stands. Returns how many parts went, and a sentence for
/// each without which the parser reads something else.
pub fn check_optional_parts(version: &Version) -> (usize, Vec<String>) {
    let (mut guard, mut tried, mut misfits) = (ParseChecker::default(), Vec::new(), Vec::new());
    for document in version.documents() {
        let Some(language) = document.language else {
            continue;
        };
        for node in walk::preorder(&document.root) {
            for part in find_dispensable_parts(language, node) {
                let sort = (node.class, part.field);
                if tried.contains(&sort) {
                    continue;
                }
                let edit = EditOp::Delete(part.id).into();
                let Ok((candidate, _)) = apply_edit(version, &edit) else {
                    continue;
                };
                tried.push(sort);
                if let Some(what) = check_absence(version, &mut guard, candidate) {
                    let kind = version.kind_name(0, node);
                    misfits.push(format!("a part of {kind} cannot go: {what}"));
                }
            }
        }
    }
    (tried.len(), misfits)
}

/// Why a candidate without a part cannot be read.
fn check_absence(
    version: &Version,
    guard: &mut ParseChecker,
    candidate: Version,
) -> Option<String> {
    let texts = candidate.render_texts();
    let Some(trees) = guard.check_candidate(version, &candidate, &texts, true, &Default::default())
    else {
        return Some("the parser finds an error where its stand-in is".into());
    };
    let read = reparse_version(&candidate.clone().with_parse_trees(trees))?;
    let shapes = |version: &Version| -> Vec<_> {
        let roots = version.documents().iter().map(|document| &document.root);
        let nodes = roots.flat_map(walk::preorder);
        nodes.map(|node| (node.shape, node.class)).collect()
    };
    let other = shapes(&candidate) != shapes(&read);
    other.then(|| "the parser reads its stand-in as something else".into())
}
