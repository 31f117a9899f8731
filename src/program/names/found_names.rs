//! What the queries for names find in documents while these are read.
//!
//! The query of a long text takes as long as its tree, so it runs beside that on a thread of its own, and what it captured is made into
//! scopes and mentions there. Captures take far more memory than what is made of them.

use std::ops::Range;
use std::thread;

use super::resolve::{ResolvedCaptures, ScopeTree};
use crate::language::Language;
use crate::language::parser::{ParseTree, QueryCapture};

/// The fewest bytes of a text whose query has a thread of its own. A thread for fewer costs more than it saves.
const MIN_THREAD_BYTES: usize = 1 << 16;

/// What was found in the documents of a program, one after the other, and the scopes of all of them.
#[derive(Debug, Default)]
pub struct FoundNames {
    pub(super) scopes: ScopeTree,
    /// None for a document in which nothing was looked for yet.
    pub(super) documents: Vec<Option<ResolvedCaptures>>,
}

/// What was found in a document, or in a part of it, with scopes of its own.
#[derive(Debug, Default)]
pub struct DocumentNames {
    scopes: ScopeTree,
    found: ResolvedCaptures,
}

impl DocumentNames {
    /// What the query of a language finds in those children of the root that begin in this range; none if the language has no query.
    pub fn find_within(
        language: &Language,
        tree: &ParseTree,
        masked: &[u8],
        items: &Range<usize>,
    ) -> Option<DocumentNames> {
        let captures = language.find_name_captures(tree, masked)?;
        Some(DocumentNames::from_captures(captures, items))
    }

    /// Those of these that begin in this range.
    pub fn from_captures(mut captures: Vec<QueryCapture>, items: &Range<usize>) -> DocumentNames {
        captures.retain(|capture| items.contains(&capture.range.start));
        let mut scopes = ScopeTree::default();
        let found = scopes.read_captures(&captures);
        DocumentNames { scopes, found }
    }

    /// Continues it with what was found in the next part of the document.
    pub fn append_names(&mut self, next: DocumentNames) {
        self.found
            .append_captures(next.found, self.scopes.append_scopes(next.scopes));
    }
}

impl FoundNames {
    /// What was found in the next document; none if its language has no query.
    pub fn push_document(&mut self, names: Option<DocumentNames>) {
        let found = names.map(|DocumentNames { scopes, found }| {
            let offset = self.scopes.append_scopes(scopes);
            found.with_scopes_after(offset)
        });
        self.documents.push(found);
    }

    /// Nothing is looked for in the next document yet.
    pub fn skip_document(&mut self) {
        self.documents.push(None);
    }

    /// Finds the names of the next document, whose masked text has this tree, while `work` is done.
    pub fn find_beside<T>(
        &mut self,
        language: &Language,
        tree: &ParseTree,
        masked: &[u8],
        work: impl FnOnce() -> T,
    ) -> T {
        if masked.len() < MIN_THREAD_BYTES {
            let found = self.scopes.find_names(language, tree, masked);
            self.documents.push(found);
            return work();
        }
        let scopes = &mut self.scopes;
        let (done, found) = thread::scope(|scope| {
            let query = move || scopes.find_names(language, tree, masked);
            let query = thread::Builder::new().spawn_scoped(scope, query);
            let done = work();
            // If the system has no thread left, the query runs later.
            (
                done,
                query.ok().and_then(|query| query.join().ok()).flatten(),
            )
        });
        self.documents.push(found);
        done
    }
}

impl ScopeTree {
    /// What the query of a language finds in a masked text; none if the language has no query.
    pub fn find_names(
        &mut self,
        language: &Language,
        tree: &ParseTree,
        masked: &[u8],
    ) -> Option<ResolvedCaptures> {
        let captures = language.find_name_captures(tree, masked)?;
        Some(self.read_captures(&captures))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language;

    #[test]
    fn a_long_text_has_the_names_that_one_thread_finds() {
        let language = language::by_name("c").expect("it is known");
        let functions = (0..4000).map(|at| format!("int f{at}(int a) {{ return a + {at}; }}\n"));
        let text = functions.collect::<String>().into_bytes();
        assert!(text.len() > MIN_THREAD_BYTES);
        let tree = crate::program::read::parse_masked(language, &text).expect("it can be parsed");
        let mut beside = FoundNames::default();
        let done = beside.find_beside(language, &tree, &text, || 7);
        let mut scopes = ScopeTree::default();
        let found = scopes.find_names(language, &tree, &text);
        assert!(
            found
                .as_ref()
                .is_some_and(|found| found.mentions.len() > 12_000)
        );
        let [documents, expected] = [beside.documents, vec![found]].map(|all| format!("{all:?}"));
        assert_eq!((done, documents), (7, expected));
        assert_eq!(format!("{:?}", beside.scopes), format!("{scopes:?}"));
    }
}
