//! The contract between a grammar, its parser and lop's data of a language, checked on a text.
//!
//! * the parser finds no errors in the text, and each of its nodes is derived from its rule;
//! * the grammar refuses most mutants of those nodes (see `verify/control.rs`);
//! * the text is rendered byte for byte;
//! * the candidates of the passes parse again: all those of Perses and of the certificate when every verdict is uninteresting;
//! * the queries are valid for the parser;
//! * the filler of a node can stand in its place.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::display::EscapeHidden;
use crate::language::Language;
use crate::language::parser::ParseTree;
use crate::pass::{self, PassKind, PassOptions};
use crate::program::{self, DocumentSource, ParseChecker, TokenChange, View, apply_edit, walk};
use crate::protocol::{Feedback, ProposerStep};
use crate::verify::{self, MutationControl};

/// The number of candidates in a thousand that may have more errors than the text: where the parser prefers one of two readings, the
/// grammar cannot express that.
const FAULTY: usize = 10;

/// How many faulty candidates are shown, and how many lines of each.
const SHOWN: usize = 8;
/// See `SHOWN`.
const LINES: usize = 6;

/// The result of the checks.
pub(super) struct LanguageContract {
    language: &'static Language,
    path: PathBuf,
    /// Why the text could not be checked.
    read_error: Option<String>,
    tokens: u32,
    faults: u32,
    /// Kinds of nodes without a derivation.
    underived: Vec<String>,
    control: MutationControl,
    prints_unchanged: bool,
    /// Different candidates.
    candidates: usize,
    /// Those with more errors than the text: the reason of each, and its lines around the edit.
    faulty: Vec<String>,
    /// The sorts of places in which a filler was tried.
    filled: usize,
    /// Fillers that cannot stand where they would be put.
    misfits: Vec<String>,
}

impl LanguageContract {
    /// Checks a text of a language.
    pub fn check_text(
        language: &'static Language,
        path: PathBuf,
        text: Arc<[u8]>,
    ) -> LanguageContract {
        let mut contract = LanguageContract {
            language,
            path,
            read_error: None,
            tokens: 0,
            faults: 0,
            underived: Vec::new(),
            control: MutationControl::default(),
            prints_unchanged: false,
            candidates: 0,
            faulty: Vec::new(),
            filled: 0,
            misfits: Vec::new(),
        };
        language.highlighter();
        language.has_names();
        if let Err(error) = contract.run_checks(text) {
            contract.read_error = Some(error);
        }
        contract
    }

    fn run_checks(&mut self, text: Arc<[u8]>) -> Result<(), String> {
        if let Some(what) = self.language.find_filler_problem() {
            return Err(format!("the fillers of {}: {what}", self.language.name));
        }
        let name: Arc<Path> = Path::new("text").into();
        let source: DocumentSource = (Some(self.language), name.clone(), text.clone());
        let version = program::read_documents(vec![source]).map_err(|error| error.to_string())?;
        self.tokens = version.token_count();
        let tree = version.parse_tree(0);
        self.faults = tree.map_or(u32::MAX, ParseTree::count_faults);
        let document = &version.documents()[0];
        let underived = walk::preorder(&document.root).filter(|node| {
            let own = node
                .children()
                .iter()
                .any(|kid| kid.shape == program::NodeShape::Opaque);
            node.class.is_some() && own
        });
        self.underived = underived
            .map(|node| version.kind_name(0, node).to_owned())
            .collect();
        let source = verify::CheckedFile::with_language(Some(self.language), &name, text.clone())
            .map_err(|error| error.to_string())?;
        self.control = verify::run_control(&source);
        self.prints_unchanged = version.render_files()[0].1[..] == text[..];
        (self.filled, self.misfits) = program::check_fillers(&version);
        let view = View::new(version);
        let mut seen = FxHashSet::default();
        for kind in [&pass::COMMENTS, &pass::PERSES, &pass::CERTIFICATE] {
            self.check_pass_candidates(kind, &view, &mut seen);
        }
        self.candidates = seen.len();
        Ok(())
    }

    /// Checks all candidates of a pass when every verdict is uninteresting.
    fn check_pass_candidates(
        &mut self,
        kind: &PassKind,
        view: &View,
        seen: &mut FxHashSet<Vec<u8>>,
    ) {
        let mut pass = kind.start_filtered(view, &PassOptions::default());
        let mut guard = ParseChecker::default();
        while let ProposerStep::Test(edit, why) = pass.propose(view) {
            pass.on_verdict(view, &edit, Feedback::Uninteresting);
            let Ok((candidate, _)) = apply_edit(&view.version, &edit) else {
                continue;
            };
            let files = candidate.render_files();
            let text = &files[0].1;
            if !seen.insert(text.clone()) {
                continue;
            }
            let clean =
                guard.check_candidate(&view.version, &candidate, &files, true, &view.constraints);
            if clean.is_none() {
                let change = TokenChange::between(&view.version, &candidate);
                let what = why.to_sentence(&view.version, change);
                self.faulty
                    .push(format!("{what}\n{}", changed_lines(view, text)));
            }
        }
    }

    /// Whether all checks passed.
    pub fn is_fulfilled(&self) -> bool {
        self.read_error.is_none()
            && self.faults == 0
            && self.underived.is_empty()
            && self.prints_unchanged
            && self.misfits.is_empty()
            && self.control.drops.are_refused(50)
            && self.control.swaps.are_refused(75)
            && self.faulty.len() * 1000 <= self.candidates * FAULTY
    }
}

/// The lines of the text that a candidate changes, before and after.
fn changed_lines(view: &View, candidate: &[u8]) -> String {
    let text = view.version.render_files().remove(0).1;
    let (old, new) = (
        String::from_utf8_lossy(&text),
        String::from_utf8_lossy(candidate),
    );
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let front = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let behind = old[front..].iter().rev().zip(new[front..].iter().rev());
    let back = behind.take_while(|(a, b)| a == b).count();
    let marked = |lines: &[&str], mark: &str| -> String {
        let shown = lines.iter().take(LINES);
        shown.map(|line| format!("      {mark} {line}\n")).collect()
    };
    let (old, new) = (&old[front..old.len() - back], &new[front..new.len() - back]);
    marked(old, "-") + &marked(new, "+")
}

impl fmt::Display for LanguageContract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.is_fulfilled() { "ok" } else { "FAILED" };
        write!(
            f,
            "{:<12} {:<6} {}",
            self.language.name,
            verdict,
            self.path.escape_hidden()
        )?;
        if let Some(error) = &self.read_error {
            return writeln!(f, ": {error}");
        }
        let MutationControl { drops, swaps } = self.control;
        write!(
            f,
            ": {} tokens, {} candidates, {} faulty; mutants refused: {drops}, {swaps}",
            self.tokens,
            self.candidates,
            self.faulty.len(),
        )?;
        match self.filled {
            0 => writeln!(f)?,
            1 => writeln!(f, "; fillers tried in 1 sort of place")?,
            sorts => writeln!(f, "; fillers tried in {sorts} sorts of places")?,
        }
        if self.faults > 0 {
            writeln!(f, "    the parser finds {} errors", self.faults)?;
        }
        if !self.underived.is_empty() {
            writeln!(f, "    no derivation: {}", self.underived.join(", "))?;
        }
        if !self.prints_unchanged {
            writeln!(f, "    it is not printed as it was")?;
        }
        for misfit in &self.misfits {
            writeln!(f, "    {misfit}")?;
        }
        for faulty in self.faulty.iter().take(SHOWN) {
            write!(f, "    {faulty}")?;
        }
        Ok(())
    }
}
