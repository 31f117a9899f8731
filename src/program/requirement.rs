//! Queries of which every candidate must have a match.

use std::sync::Arc;

use super::target::TargetError;
use super::version::Version;
use crate::language::Language;
use crate::language::parser::{CompiledQuery, ParseTree};

/// A query of which every candidate has a match.
#[derive(Clone, Debug)]
pub struct QueryRequirement {
    /// Its text.
    pub query: Arc<str>,
    language: &'static Language,
    captures: Arc<CompiledQuery>,
}

impl QueryRequirement {
    /// The requirement of this query.
    ///
    /// # Errors
    /// When it is no query for the program, or the program itself has no match.
    pub fn new(query: &Arc<str>, version: &Version) -> Result<QueryRequirement, TargetError> {
        let mut languages = version
            .documents()
            .iter()
            .filter_map(|document| document.language);
        let first = languages.next();
        let mut all = first.into_iter().chain(languages);
        // Another language of the program may have such nodes.
        let knowing = all.find(|language| language.compile_query(query).is_ok());
        let Some(language) = knowing.or(first) else {
            return Err(TargetError::Query(
                "a query needs a program in a language that lop knows; --language names one".into(),
            ));
        };
        let requirement = QueryRequirement {
            query: query.clone(),
            language,
            captures: Arc::new(language.compile_query(query).map_err(TargetError::Query)?),
        };
        let texts = version.render_texts();
        let trees: Vec<_> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| version.get_or_parse_tree(at, text.as_deref()?))
            .collect();
        match requirement.is_met(version, &trees, |at| {
            texts[at].as_deref().unwrap_or_default()
        }) {
            true => Ok(requirement),
            false => Err(TargetError::Query(format!(
                "the query {query} matches nothing in the program, so no candidate could keep a match: leave it out, or ask for another kind"
            ))),
        }
    }

    /// Whether one of the documents has a match.
    pub fn is_met<'a>(
        &self,
        version: &Version,
        trees: &[Option<ParseTree>],
        text: impl Fn(usize) -> &'a [u8],
    ) -> bool {
        let mut documents = version.documents().iter().zip(trees).enumerate();
        documents.any(|(at, (document, tree))| {
            let ours = document
                .language
                .is_some_and(|language| std::ptr::eq(language, self.language));
            ours && tree
                .as_ref()
                .is_some_and(|tree| self.captures.has_match(tree, text(at)))
        })
    }
}
