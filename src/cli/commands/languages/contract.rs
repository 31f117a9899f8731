//! The contract between a grammar, its parser and lop's data of a language, checked on a text.
//!
//! * the parser finds no errors in the text, and each of its nodes is derived from its rule;
//! * the grammar refuses most mutants of those nodes (see `verify/control.rs`); a grammar in BNF is its own parser, and need not;
//! * the text is rendered byte for byte;
//! * the candidates of the passes parse again: all those of Perses, of the certificate, and of the passes that shorten literals, names and
//!   white space, when every verdict is uninteresting;
//! * each literal looks as the language says that it does;
//! * the queries are valid for the parser, and the file `.sublime-syntax` beside the grammar is one;
//! * the filler of a node can stand in its place;
//! * both sides of each rule can be read. Where a rule matches nothing in the text, or where nothing that it makes can be read, that is said
//!   and is no failure: a text need not have every form.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::display::{EscapeHidden, format_count};
use crate::language::Language;
use crate::language::parser::ParseTree;
use crate::pass::{self, Effort, PassKind, PassOptions};
use crate::program::{
    self, DocumentSource, Edit, EditOp, ParseChecker, TokenChange, Version, View, apply_edit,
    text_bytes, walk,
};
use crate::protocol::{Feedback, ProposerStep};
use crate::tui::highlighting::check_syntax_file;
use crate::verify::{self, MutantCounts, MutationControl};

/// The number of candidates in a thousand that may have more errors than the text: where the parser prefers one of two readings, the
/// grammar cannot express that.
const FAULTY: usize = 10;

/// The percentage of mutants that a grammar must refuse: of nodes that lost a part, and of nodes with two parts swapped.
const REFUSED: [u32; 2] = [50, 75];

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
    /// The parts that are optional only by the data of the language and were tried.
    optional: usize,
    /// Fillers that cannot stand where they would be put.
    misfits: Vec<String>,
    /// Literals that do not match the pattern of their kind.
    odd_literals: Vec<String>,
    rules: RuleTrial,
}

/// The rules with holes, tried in all of their places.
#[derive(Default)]
struct RuleTrial {
    rules: usize,
    places: usize,
    /// Those that match nothing.
    unmatched: Vec<String>,
    /// Those of which no candidate can be read.
    unreadable: Vec<String>,
}

impl RuleTrial {
    fn run(language: &'static Language, view: &View) -> RuleTrial {
        let mut guard = ParseChecker::default();
        let mut trial = RuleTrial::default();
        for rule in language.rules() {
            let places = pass::find_rule_places(view, rule);
            let candidates = places
                .iter()
                .filter_map(|(edit, _)| apply_edit(&view.version, edit).ok());
            let read = |(candidate, _): (program::Version, _)| {
                let texts = candidate.render_texts();
                let constraints = &view.constraints;
                guard
                    .check_candidate(&view.version, &candidate, &texts, true, constraints)
                    .is_some()
            };
            let is_read = candidates.map(read).fold(false, |any, read| any | read);
            trial.rules += 1;
            trial.places += places.len();
            match (places.is_empty(), is_read) {
                (true, _) => trial.unmatched.push(rule.text.name.clone()),
                (false, false) => trial.unreadable.push(rule.text.name.clone()),
                (false, true) => {}
            }
        }
        trial
    }
}

impl fmt::Display for RuleTrial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rules == 0 {
            return Ok(());
        }
        writeln!(
            f,
            "    {} in {}",
            format_count(self.rules as u64, "rule"),
            format_count(self.places as u64, "place")
        )?;
        let lists = [
            ("nothing has the form of", &self.unmatched),
            ("the parser reads nothing that is made by", &self.unreadable),
        ];
        for (what, names) in lists.iter().filter(|(_, names)| !names.is_empty()) {
            writeln!(f, "    {what}: {}", names.join(", "))?;
        }
        Ok(())
    }
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
            optional: 0,
            misfits: Vec::new(),
            odd_literals: Vec::new(),
            rules: RuleTrial::default(),
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
        if let Some(what) = self.language.find_rule_problem() {
            return Err(what);
        }
        if let Some(file) = self.language.syntax_file() {
            check_syntax_file(file).map_err(|error| error.to_string())?;
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
        let (optional, misfits) = program::check_optional_parts(&version);
        self.optional = optional;
        self.misfits.extend(misfits);
        self.odd_literals = find_odd_literals(&version);
        let view = View::new(version);
        self.misfits.extend(find_joined_tokens(&view));
        self.rules = RuleTrial::run(self.language, &view);
        let mut seen = FxHashSet::default();
        for kind in [&pass::COMMENTS, &pass::PERSES, &pass::CERTIFICATE]
            .into_iter()
            .chain(pass::BYTES.passes.iter().copied())
        {
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
        let options = PassOptions {
            effort: Effort::Hard,
            ..PassOptions::default()
        };
        let mut pass = kind.start_filtered(view, &options);
        let mut guard = ParseChecker::default();
        while let ProposerStep::Test(edit, why) = pass.propose(view) {
            pass.on_verdict(view, &edit, Feedback::Uninteresting);
            let Ok((candidate, _)) = apply_edit(&view.version, &edit) else {
                continue;
            };
            let texts = candidate.render_texts();
            let text = text_bytes(&texts[0]);
            if !seen.insert(text.to_vec()) {
                continue;
            }
            let clean =
                guard.check_candidate(&view.version, &candidate, &texts, true, &view.constraints);
            if clean.is_none() {
                let change = TokenChange::between(&view.version, &candidate);
                let what = why.to_sentence(&view.version, &edit, change);
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
            && self.odd_literals.is_empty()
            && self.find_lax_mutants().is_none()
            && !self.has_many_faulty()
    }

    fn has_many_faulty(&self) -> bool {
        self.faulty.len() * 1000 > self.candidates * FAULTY
    }

    /// That the grammar allows more than the parser reads, as a sentence.
    fn find_lax_mutants(&self) -> Option<String> {
        let MutationControl { drops, swaps } = self.control;
        let [drops_wanted, swaps_wanted] = REFUSED;
        let sentence = |what: &str, refused: MutantCounts, wanted: u32| {
            format!(
                "the grammar allows more than the parser reads: of nodes {what} it refuses {refused}, and {wanted} % are wanted"
            )
        };
        if self.language.bnf_grammar().is_some() {
            None
        } else if !drops.are_refused(drops_wanted) {
            Some(sentence("that lost a part", drops, drops_wanted))
        } else if !swaps.are_refused(swaps_wanted) {
            Some(sentence("with two parts swapped", swaps, swaps_wanted))
        } else {
            None
        }
    }
}

/// The literals that do not match the pattern of their kind.
fn find_odd_literals(version: &Version) -> Vec<String> {
    let mut odd = Vec::new();
    for document in version.documents() {
        for leaf in walk::iter_leaves(&document.root) {
            let rule = document.language.zip(leaf.class);
            let rule = rule.and_then(|(language, class)| language.literal_texts(class));
            if rule.is_some_and(|rule| !rule.is_literal(leaf.text())) {
                let text = String::from_utf8_lossy(leaf.text());
                odd.push(format!(
                    "`{}` does not match the pattern of its kind",
                    text.escape_hidden()
                ));
            }
        }
    }
    odd
}

/// The first token that is another one where only the white space is left that it needs.
fn find_joined_tokens(view: &View) -> Option<String> {
    let mut changes = program::find_spare_space(view).concat();
    changes.sort_unstable_by_key(|change| change.leaf);
    let edit = Edit::from(EditOp::Respace(changes.into()));
    let (candidate, _) = apply_edit(&view.version, &edit).ok()?;
    let source = &view.version.documents()[0];
    let text = candidate.render_files().remove(0).1;
    let read = vec![(source.language, source.path.clone(), text.into())];
    let read = program::read_documents(read).ok()?;
    let tokens = |version: &Version| -> Vec<Vec<u8>> {
        let leaves = walk::iter_leaves(&version.documents()[0].root);
        leaves.map(|leaf| leaf.text().to_vec()).collect()
    };
    let (before, after) = (tokens(&candidate), tokens(&read));
    let mut pairs = before.iter().zip(&after);
    let (ours, its) = pairs.find(|(ours, its)| ours != its)?;
    let [ours, its] = [ours, its].map(|text| String::from_utf8_lossy(text));
    Some(format!(
        "with the least white space `{}` becomes `{}`",
        ours.escape_hidden(),
        its.escape_hidden()
    ))
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
            0 => {}
            1 => write!(f, "; fillers tried in 1 sort of place")?,
            sorts => write!(f, "; fillers tried in {sorts} sorts of places")?,
        }
        match self.language.grammar().optional_parts().count() {
            0 => writeln!(f)?,
            all => writeln!(f, "; optional parts: {} of {all} tried", self.optional)?,
        }
        write!(f, "{}", self.rules)?;
        if self.faults > 0 {
            writeln!(f, "    the parser finds {} errors", self.faults)?;
        }
        if !self.underived.is_empty() {
            writeln!(f, "    no derivation: {}", self.underived.join(", "))?;
        }
        if !self.prints_unchanged {
            writeln!(f, "    it is not printed as it was")?;
        }
        for misfit in self.misfits.iter().chain(&self.odd_literals) {
            writeln!(f, "    {misfit}")?;
        }
        if let Some(lax) = self.find_lax_mutants() {
            writeln!(f, "    {lax}")?;
        }
        if self.has_many_faulty() {
            writeln!(
                f,
                "    too many candidates do not parse: {} of {}, and {} % may",
                self.faulty.len(),
                self.candidates,
                FAULTY / 10
            )?;
        }
        for warning in self
            .language
            .bnf_grammar()
            .iter()
            .flat_map(|bnf| bnf.warnings())
        {
            writeln!(f, "    warning: {warning}")?;
        }
        for faulty in self.faulty.iter().take(SHOWN) {
            write!(f, "    {faulty}")?;
        }
        Ok(())
    }
}
