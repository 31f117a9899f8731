//! Reading a program for the first time.
//!
//! A document in a known language is read by [`super::normal_form`], on all processors and by stretches where it is long ([`super::parallel_read`]). A
//! document in an unknown language is a list of lines. The original's nodes and tokens are numbered. How a text is read again: [`super::reread`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::build::build_tree;
use super::document_parse::DocumentParse;
use super::names::{FoundNames, NameSharing};
use super::parallel_read::{self, OriginalIds, StretchedDocument};
use super::plain_text;
use super::stretches::StretchLengths;
use super::version::{Document, DocumentFreedom, ParentMap, Version};
use crate::display::EscapeHidden;
use crate::language::parser::{ParseError, ParseLimit, ParseTree};
use crate::language::{self, Language};

/// Why a program cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The parser gave up.
    #[error("{}: {source}", path.escape_hidden())]
    Parse {
        /// The document.
        path: PathBuf,
        /// What the parser says.
        source: ParseError,
    },
}

/// A document to be read: its language, its path and its text. Without a language it becomes lines and tokens.
pub type DocumentSource = (Option<&'static Language>, Arc<Path>, Arc<[u8]>);

/// Reads a program: each document in the language of its extension, or as lines and tokens.
///
/// # Errors
/// When a parse does not end within its limit.
pub fn read_program(files: Vec<(Arc<Path>, Arc<[u8]>)>) -> Result<Version, ReadError> {
    let by_path = |(path, source): (Arc<Path>, _)| (language::by_path(&path), path, source);
    read_documents(files.into_iter().map(by_path).collect())
}

/// Reads a program: each document in the given language, or as lines and tokens.
///
/// # Errors
/// When a parse does not end within its limit.
pub fn read_documents(files: Vec<DocumentSource>) -> Result<Version, ReadError> {
    read_sharing(files, NameSharing::Program)
}

/// Reads a document whose tree was given in the place of a parse.
pub fn read_parsed(
    language: &'static Language,
    path: Arc<Path>,
    source: Arc<[u8]>,
    tree: ParseTree,
) -> Version {
    let (mut names, mut found) = (OriginalIds::new(), FoundNames::default());
    let masked = language.mask_text(&source);
    let (document, parse) = read_tree(
        language, path, &source, &masked, tree, &mut names, &mut found,
    );
    let parents = ParentMap::new(names.parents);
    Version::from_parse(
        vec![document],
        parents,
        vec![Some(parse)],
        found,
        NameSharing::Program,
    )
    .with_given_tree()
}

/// Reads a pair: a seed and a variant, each of which has names of its own.
///
/// # Errors
/// When a parse does not end within its limit.
pub fn read_pair(seed: DocumentSource, variant: DocumentSource) -> Result<Version, ReadError> {
    Ok(read_sharing(vec![seed, variant], NameSharing::Document)?.into_pair())
}

/// Reads a project: each document in the given language, or as lines and tokens, or as a whole if it is no text.
///
/// # Errors
/// When a parse does not end within its limit.
pub fn read_project(files: Vec<(DocumentSource, DocumentFreedom)>) -> Result<Version, ReadError> {
    let (sources, freedoms): (Vec<_>, Vec<_>) = files.into_iter().unzip();
    let version = read_documents(sources)?;
    let documents = version.documents().iter().cloned().zip(freedoms);
    let documents = documents.map(|(document, freedom)| document.with_freedom(freedom));
    Ok(version.with_documents(documents.collect()))
}

fn read_sharing(files: Vec<DocumentSource>, sharing: NameSharing) -> Result<Version, ReadError> {
    let lengths = StretchLengths::default();
    read_with_lengths(files, sharing, lengths)
}

/// Reads documents; those of this length by stretches.
pub(super) fn read_with_lengths(
    files: Vec<DocumentSource>,
    sharing: NameSharing,
    lengths: StretchLengths,
) -> Result<Version, ReadError> {
    let (mut names, mut found) = (OriginalIds::new(), FoundNames::default());
    let (mut documents, mut parses) = (Vec::new(), Vec::new());
    let is_project = files.len() > 1 && sharing == NameSharing::Program;
    for (language, path, source) in files {
        let is_blob = is_project && plain_text::is_blob(&source);
        let Some(language) = language.filter(|_| !is_blob) else {
            let numbering = parallel_read::token_numbering(&mut names.tokens);
            let draft = match is_blob {
                true => plain_text::draft_blob(&source, numbering),
                false => plain_text::draft_text(&source, numbering),
            };
            let language = None;
            documents.push(Document::new(path, language, build_tree(draft, &mut names)));
            parses.push(None);
            found.skip_document();
            continue;
        };
        let masked = language.mask_text(&source);
        let stretched =
            parallel_read::read_by_stretches(language, &source, &masked, lengths, &mut names);
        let (document, parse) = match stretched {
            Some(StretchedDocument {
                root,
                faults,
                names,
            }) => {
                found.push_document(names);
                let parse = DocumentParse::of_stretches(language, &root, faults);
                (Document::new(path, Some(language), root), parse)
            }
            None => {
                let tree = parse_masked(language, &masked).map_err(|source| ReadError::Parse {
                    path: path.to_path_buf(),
                    source,
                })?;
                read_tree(
                    language, path, &source, &masked, tree, &mut names, &mut found,
                )
            }
        };
        documents.push(document);
        parses.push(Some(parse));
    }
    let parents = ParentMap::new(names.parents);
    Ok(Version::from_parse(
        documents, parents, parses, found, sharing,
    ))
}

/// The document of a tree. What declares and uses names in it is found at the same time.
fn read_tree(
    language: &'static Language,
    path: Arc<Path>,
    source: &Arc<[u8]>,
    masked: &[u8],
    tree: ParseTree,
    names: &mut OriginalIds,
    found: &mut FoundNames,
) -> (Document, DocumentParse) {
    let read = || parallel_read::read_in_parallel(language, source, masked, &tree, names);
    let root = found.find_beside(language, &tree, masked, read);
    let parse = DocumentParse::of_tree(language, &root, tree);
    (Document::new(path, Some(language), root), parse)
}

pub(super) fn parse_masked(language: &Language, masked: &[u8]) -> Result<ParseTree, ParseError> {
    let limit = ParseLimit::for_length(masked.len());
    language.new_parser().parse(masked, None, limit)
}
