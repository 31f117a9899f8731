//! How the programs of a language are coloured: by its highlight query, by the roles of the tokens of a grammar in BNF, or by a syntax file.

use std::ops::Range;

use super::parser::{ParseLimit, ParseTree, SyntaxHighlighter};
use super::{Language, SyntaxFile};

impl Language {
    /// The file beside its grammar that says how programs are coloured; none for a language with a highlight query.
    pub fn syntax_file(&self) -> Option<&SyntaxFile> {
        self.syntax.as_ref()
    }

    /// Whether its own grammar says how programs are coloured: by a highlight query, or by the roles of the tokens of a grammar in BNF.
    pub fn has_highlights(&self) -> bool {
        let parts = self.definition.linked.highlights;
        self.bnf_grammar().is_some() || parts.iter().any(|part| !part.trim().is_empty())
    }

    /// The highlighted ranges in a range of the text that `tree` is the tree of: in order and without overlaps, each with the name of its
    /// capture (`keyword`, `function.special`). It costs what the range costs, not the text, of which `text` returns a part.
    pub fn highlight_range(
        &self,
        tree: &ParseTree,
        text: &dyn Fn(Range<usize>) -> Vec<u8>,
        range: Range<usize>,
    ) -> Vec<(Range<usize>, &'static str)> {
        self.highlighter().highlight_range(tree, text, range)
    }

    /// The same for a text of which no tree is known: `excerpt` begins at byte `start` of the text, before `range`, and is parsed by itself. What is
    /// around it is not known to the parser, so at its beginning a name may have another colour. It costs what the excerpt costs.
    pub fn highlight_excerpt(
        &self,
        excerpt: &[u8],
        start: usize,
        range: Range<usize>,
    ) -> Vec<(Range<usize>, &'static str)> {
        let masked = self.mask_text(excerpt);
        let limit = ParseLimit::for_length(masked.len());
        let Ok(tree) = self.new_parser().parse(&masked, None, limit) else {
            return Vec::new();
        };
        let bytes = |part: Range<usize>| excerpt.get(part).unwrap_or_default().to_vec();
        let range = range.start.saturating_sub(start)..range.end.saturating_sub(start);
        let runs = self.highlight_range(&tree, &bytes, range);
        let in_text = |(run, name): (Range<usize>, _)| (run.start + start..run.end + start, name);
        runs.into_iter().map(in_text).collect()
    }

    /// The compiled highlight query.
    ///
    /// # Panics
    /// If the query does not fit the parser, which a test excludes.
    pub fn highlighter(&self) -> &SyntaxHighlighter {
        self.highlighter.get_or_init(|| {
            match SyntaxHighlighter::new(
                self.definition.linked.parser,
                &self.definition.linked.highlights.join("\n"),
            ) {
                Ok(highlighter) => highlighter,
                Err(e) => panic!("the highlight query of {}: {e}", self.name),
            }
        })
    }
}
