//! The program that is being reduced: versions, the tree of each, edits, and printing.
//!
//! A [`Version`] is immutable and shares all it can with the version it came from. Its tree is the Perses normal form of what the
//! parser saw (`normal_form.rs`); its leaves, printed with the white space before each, are the text byte for byte.
//!
//! A node is immutable and knows sums of all below it: tokens, leaves, bytes, line ends, a hash that composes over concatenation, and where
//! its text stands in the file as one piece. So an edit copies only the paths to the places that it changes (`apply.rs`), the root's hash
//! is the candidate's hash, and printing copies long runs of text at once.
//!
//! Identities outlive edits and parses. Nodes and tokens of the original are numbered in document order; a later node has an identity that
//! is a function of the version and the edit that made it. `ParentMap` (`version.rs`) finds the path to a node. Entries of removed nodes
//! stay in it, so a path counts only after a walk down the tree has confirmed it.
//!
//! A candidate's text is never parsed for its tree: an edit that the grammar allows yields a valid derivation by construction. The parse
//! check (`parse_check.rs`) only counts errors. After a pass, and when a pass wants to look into new text that it has put in
//! (`ProposerStep::Reparse`), the text is read again from scratch, and nodes with the same kind and the same tokens keep their identities
//! (`reread.rs`, `known_nodes.rs`).
//!
//! No function recurses on the depth of a tree (`walk.rs`).

mod apply;
mod build;
mod byte_text;
mod canonical;
mod chains;
mod constraints;
mod derivation_memo;
mod document_parse;
mod edit;
mod edit_reason;
mod edit_removals;
mod edit_sentence;
mod excerpt_text;
mod file_facts;
mod file_needs;
mod fillers;
mod grammar_children;
mod groups;
mod hash;
mod indent;
mod islands;
mod known_nodes;
mod layout;
mod least_space;
mod mark;
pub mod names;
mod node;
mod normal_form;
mod object_words;
mod objective;
mod optional_check;
pub mod pair;
mod parallel_read;
mod parallel_work;
mod parse_check;
mod parse_excerpt;
mod path_finder;
mod placement;
mod plain_text;
mod quoting;
mod read;
mod replacement;
mod requirement;
mod reread;
mod rewrite;
pub mod rules;
mod sequence_diff;
mod skipped_text;
mod spare_token;
mod stand_ins;
mod stretch_pipeline;
mod stretches;
mod target;
mod text;
mod text_delta;
mod text_edits;
mod token_change;
mod token_range;
mod version;
mod version_size;
mod view;
pub mod walk;
mod whitespace_join;

pub use apply::apply_edit;
pub use byte_text::{ByteText, decode_hex};
pub use canonical::canonical_text;
pub use constraints::{Constraint, ConstraintRule, ConstraintSet, ExclusionReason};
pub use document_parse::DocumentParse;
pub use edit::{
    AppliedEdit, DetourBound, Edit, EditError, EditOp, IndexRanges, PieceContent, Replacement,
    ReplacementPiece, SpaceChange,
};
pub use edit_reason::{
    ActionUnit, EditAction, EditReason, LINE, NameFact, NameUse, RULE_PREFIX, recount_action,
};
pub use edit_sentence::{EditSentence, QuestionWords, list_changes};
pub use file_needs::{FileNeed, FileNeeds, NeedKind};
pub use fillers::{check_fillers, fill_node, filler_at, find_bodies};
pub use hash::{ContentHash, HASH_BITS, TokenHash};
pub use least_space::find_spare_space;
pub use mark::mark_pinned;
pub use node::{NodeFlags, NodeHead, NodeId, NodeShape, ProgramNode, SubtreeSums, TokenId};
pub use object_words::{declared_name, describe_object, describe_place, is_namespace, name_user};
pub use objective::{
    CHOICES_OBJECTIVE, Objective, ObjectiveError, ObjectiveSize, PAIR_OBJECTIVE, QueryMatches,
};
pub use optional_check::check_optional_parts;
pub use parse_check::ParseChecker;
pub use path_finder::PathFinder;
pub use placement::{fits_place, items_fit_place, strip_separator};
pub use plain_text::is_blob;
pub use quoting::{format_names, node_excerpt, quote_text, text_excerpt};
pub use read::{
    DocumentSource, ReadError, read_documents, read_pair, read_parsed, read_program, read_project,
};
pub use requirement::QueryRequirement;
pub use reread::reparse_version;
pub use sequence_diff::{diff_sequences, match_elements, match_subsequence};
pub use spare_token::is_spare_token;
pub use stand_ins::{find_dispensable_parts, is_lacking};
pub use target::{KEEP_MARK, NodeTarget, TargetError, mentions_keep_mark, nodes_in_range};
pub use text::{FileText, SharedText, SourceSpan, text_bytes};
pub use text_delta::{TextDelta, find_changed_lines, find_changed_stretches, replace_ranges};
pub use token_change::TokenChange;
pub use token_range::{head_tokens, tokens_of};
pub use version::{
    Document, DocumentFreedom, NodePath, ParentMap, ParseTrees, PrecedingSums, Version,
};
pub use version_size::SizeChange;
pub use view::View;
