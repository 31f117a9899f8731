//! What the end of a run proves of its result, and what was left out.

use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::counters::{PassLine, PassState};
use super::event::FinishReason;
use super::version_parts::count_closed_parts;
use crate::pass::{self, StrategyFeature, Stratum};
use crate::program::{ConstraintSet, ExclusionReason, Objective, TokenId, Version, tokens_of};

/// What may be said of a result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MinimalityClaim {
    /// What it is about.
    pub subject: ClaimSubject,
    /// Of a program: whether the last pass tried every single edit of the result: it is 1-tree-minimal, but for candidates of that pass that
    /// were left out. Of a pair: whether the last round tried, on the result, to undo every hunk of the difference and every token of
    /// one (brackets that match in a hunk as one), and every single edit of what is common.
    pub minimal: bool,
    /// Whether dd came to its end: no token of the difference of a pair can be moved from one program to the other.
    pub isolated: bool,
    /// What else the passes of the strata prove of a program, as parts of a sentence: they found nothing in a program of the same tokens, but for
    /// names, literals and white space that became shorter since.
    pub also: Vec<String>,
    /// What was not tried, or has no verdict of its own.
    pub left_out: Vec<LeftOut>,
    /// What a strategy without a certificate proves by its algorithm alone, if nothing else was left out.
    pub by_algorithm: Option<&'static str>,
}

/// What a claim is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClaimSubject {
    /// A program.
    #[default]
    Program,
    /// A pair: its difference, and what both programs have in common.
    Pair,
}

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// The strategy has no pass that tries every single edit of the result.
    Certificate,
    /// The strategy for pairs does not try all of its passes on the very result.
    LastRound,
    /// The list minimiser does not try every single element.
    SingleElements(&'static str),
    /// This pass did not come to its end.
    UnfinishedPass(&'static str),
    /// The user switched this pass off.
    DisabledPass(&'static str),
    /// The user cut this pass short.
    SkippedPass(&'static str),
    /// A number of nodes of the result that the user skipped in this pass.
    SkippedNodes(&'static str, u32),
    /// A number of places that the user closed in this way.
    Closed(ExclusionReason, u32),
    /// What has no match of a query that the user requires.
    Required,
    /// This part of the strategy was switched off.
    DisabledFeature(&'static str),
    /// A number of candidates of the last pass that were refused before their test.
    Rejected(u64),
    /// A number of tests of the last pass that were cut short at their limit, and count as uninteresting.
    TimedOut(u64),
}

impl MinimalityClaim {
    /// The claim of a run with these options that ended so with this result, with its passes and constraints as they stand.
    pub fn new(
        options: &pass::PassOptions,
        finish: &FinishReason,
        passes: &[PassLine],
        constraints: &ConstraintSet,
        result: Option<&Version>,
    ) -> MinimalityClaim {
        let complete = *finish == FinishReason::Complete;
        let certificate = passes
            .iter()
            .find(|line| line.name == pass::CERTIFICATE.name);
        let isolating = passes
            .iter()
            .find(|line| pass::isolates_difference(line.name));
        let is_pair = isolating.is_none() && result.is_some_and(|result| result.twins().is_some());
        let proof = match is_pair {
            true => pair_proof(options, passes),
            false => ProofParts {
                passes: certificate.or(isolating).into_iter().collect(),
                missing: Vec::new(),
            },
        };
        let mut left_out = Vec::new();
        if certificate.is_none() && isolating.is_none() {
            left_out.push(LeftOut::Certificate);
        }
        left_out.extend(proof.missing.iter().cloned());
        let off = disabled_strata(options, passes);
        let names = off.iter().map(|stratum| stratum.name);
        left_out.extend(names.map(LeftOut::DisabledFeature));
        left_out.extend(passes.iter().filter_map(|line| match line.state {
            PassState::Disabled if !is_switched_off(options, line) => None,
            PassState::Disabled if off.iter().any(|stratum| stratum.has_pass(line.name)) => None,
            PassState::Disabled => Some(LeftOut::DisabledPass(line.name)),
            PassState::Skipped => Some(LeftOut::SkippedPass(line.name)),
            PassState::Waiting | PassState::Running(_) if !complete => {
                Some(LeftOut::UnfinishedPass(line.name))
            }
            PassState::Waiting | PassState::Running(_) | PassState::Done => None,
        }));
        left_out.extend(
            result
                .into_iter()
                .flat_map(|result| skipped_nodes(passes, result)),
        );
        let without = options.disabled_features.feature_names();
        // Who keeps the names wants them: nothing is missing.
        let without = without.filter(|name| *name != pass::NAMES.name);
        left_out.extend(without.map(LeftOut::DisabledFeature));
        let closed = result.map(|result| count_closed_parts(result, constraints));
        let closed = closed.into_iter().flatten();
        left_out.extend(closed.map(|(why, places)| LeftOut::Closed(why, places)));
        if constraints.requirements().next().is_some() {
            left_out.push(LeftOut::Required);
        }
        if complete {
            let sum = |count: fn(&PassLine) -> u64| -> u64 {
                proof.passes.iter().map(|line| count(line)).sum()
            };
            let (refused, timed_out) = (
                sum(|line| line.untested.rejected),
                sum(|line| line.untested.timed_out),
            );
            let refused = Some(LeftOut::Rejected(refused)).filter(|_| refused > 0);
            let timed_out = Some(LeftOut::TimedOut(timed_out)).filter(|_| timed_out > 0);
            left_out.extend(refused.into_iter().chain(timed_out));
        }
        let is_done = |line: &PassLine| {
            complete && !matches!(line.state, PassState::Disabled | PassState::Skipped)
        };
        let switched_off =
            |part: &StrategyFeature| is_pair && options.disabled_features.contains(*part);
        MinimalityClaim {
            subject: match is_pair {
                true => ClaimSubject::Pair,
                false => ClaimSubject::Program,
            },
            minimal: certificate.is_some()
                && proof.missing.is_empty()
                && proof.passes.iter().copied().all(is_done)
                && !PROVING_FEATURES.iter().any(switched_off),
            isolated: isolating.is_some_and(is_done),
            also: settled_claims(options, passes, result),
            by_algorithm: algorithm_claim(options)
                .filter(|_| complete && left_out == [LeftOut::Certificate]),
            left_out,
        }
    }
}

/// What the algorithm of a strategy proves when it has come to its end.
fn algorithm_claim(options: &pass::PassOptions) -> Option<&'static str> {
    match options.strategy.name {
        "lines" if options.minimizer.one_minimal => {
            Some("1-minimal in lines (no single line can go)")
        }
        "hdd" => Some("each level of the tree was asked about once"),
        "hdd-star" => Some("a last round found nothing on any level that can go"),
        "perses" => Some("a last round found no node that can go or be replaced"),
        _ => None,
    }
}

/// Whether the user switched this pass off. An optional pass that nobody asked for is no part of the strategy.
pub(super) fn is_switched_off(options: &pass::PassOptions, line: &PassLine) -> bool {
    line.state == PassState::Disabled && options.starts_enabled(line.name)
}

/// The strata of which the user switched every pass off.
fn disabled_strata(options: &pass::PassOptions, passes: &[PassLine]) -> Vec<&'static Stratum> {
    let strata = options.strategy.strata.iter().copied();
    let off = strata.filter(|stratum| {
        let own = passes.iter().filter(|line| stratum.has_pass(line.name));
        let mut own = own.peekable();
        own.peek().is_some() && own.all(|line| is_switched_off(options, line))
    });
    off.collect()
}

/// What the passes of the strata prove that found nothing in the tokens of the result. Its names, literals and white space may have become
/// shorter since.
fn settled_claims(
    options: &pass::PassOptions,
    passes: &[PassLine],
    result: Option<&Version>,
) -> Vec<String> {
    // With nodes as the objective most passes of the strata have nothing to ask.
    let result = result.filter(|result| !matches!(result.objective(), Objective::Nodes));
    let Some(tokens) = result.map(Version::token_count) else {
        return Vec::new();
    };
    let strata = options.strategy.strata.iter();
    let claims = strata.flat_map(|stratum| stratum.claims_about(options.effort, tokens));
    let proven = claims.filter_map(|claim| {
        let mut lines = passes.iter();
        let line = lines.find(|line| line.name == claim.pass.name)?;
        let ran = !matches!(line.state, PassState::Disabled | PassState::Skipped);
        let guard = match line.untested.rejected {
            0 => "",
            _ => " without a new syntax error",
        };
        let proves = ran && line.settled == Some(tokens);
        proves.then(|| format!("{}{guard}", claim.sentence))
    });
    proven.collect()
}

/// What a proof of minimality rests on.
struct ProofParts<'a> {
    /// The passes that must have run on the result.
    passes: Vec<&'a PassLine>,
    /// What is missing whether or not they ran.
    missing: Vec<LeftOut>,
}

/// For a pair: the list difference and the certificate, in a round that changed nothing.
fn pair_proof<'a>(options: &pass::PassOptions, passes: &'a [PassLine]) -> ProofParts<'a> {
    let names = [pass::LIST_DIFFERENCE.name, pass::CERTIFICATE.name];
    let proving = passes.iter().filter(|line| names.contains(&line.name));
    let mut missing = Vec::new();
    if options.strategy.repeat_from.is_none() {
        missing.push(LeftOut::LastRound);
    }
    if !options.minimizer.one_minimal {
        missing.push(LeftOut::SingleElements(options.minimizer.name));
    }
    ProofParts {
        passes: proving.collect(),
        missing,
    }
}

/// The nodes that the user skipped, pass by pass, of which the result still has something.
fn skipped_nodes(passes: &[PassLine], result: &Version) -> Vec<LeftOut> {
    if passes
        .iter()
        .all(|line| line.untested.skipped_nodes.is_empty())
    {
        return Vec::new();
    }
    let roots = result.documents().iter().map(|document| &document.root);
    let left: FxHashSet<TokenId> = roots.flat_map(|root| tokens_of(root, true)).collect();
    let counts = passes.iter().map(|line| {
        let nodes = line.untested.skipped_nodes.iter();
        let stays = |node: &&Arc<[TokenId]>| node.iter().any(|token| left.contains(token));
        (line.name, nodes.filter(stays).count() as u32)
    });
    let skipped = counts.filter(|(_, nodes)| *nodes > 0);
    skipped
        .map(|(pass, nodes)| LeftOut::SkippedNodes(pass, nodes))
        .collect()
}

/// The features without which a pair may not be minimal.
const PROVING_FEATURES: [StrategyFeature; 2] = [
    StrategyFeature::ListDifference,
    StrategyFeature::CommonTokens,
];

impl Display for MinimalityClaim {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.minimal, self.isolated, self.subject) {
            (true, _, ClaimSubject::Program) => {
                "1-tree-minimal for these passes (no single part of its tree can go)"
            }
            (true, _, ClaimSubject::Pair) => {
                "minimal for these passes (no hunk of the difference, no token of a hunk and no single part of what is common can go)"
            }
            (false, true, _) => {
                "a minimal difference (no single token of it can be moved from one program to the other)"
            }
            (false, false, _) => "not proven minimal",
        })?;
        for claim in self.also.iter().filter(|_| self.minimal) {
            write!(f, "; {claim}")?;
        }
        let is_pass = |left_out: &&LeftOut| matches!(left_out, LeftOut::UnfinishedPass(_));
        // Most passes of a run that was stopped early are among these.
        match self.left_out.iter().filter(is_pass).count() {
            0 => {}
            1 => f.write_str(": 1 pass did not come to its end")?,
            more => write!(f, ": {more} passes did not come to their end")?,
        }
        let others = self.left_out.iter().filter(|left_out| !is_pass(left_out));
        for (at, left_out) in others.enumerate() {
            let before = if at == 0 { "; left out: " } else { ", " };
            write!(f, "{before}{left_out}")?;
        }
        Ok(())
    }
}

impl Display for LeftOut {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            LeftOut::Certificate => f.write_str("a certificate, which this strategy does not have"),
            LeftOut::LastRound => {
                f.write_str("a round on the result, which this strategy does not have")
            }
            LeftOut::SingleElements(name) => {
                write!(f, "single elements of lists, which {name} does not all try")
            }
            LeftOut::UnfinishedPass(name) => write!(f, "the end of the pass {name}"),
            LeftOut::DisabledPass(name) => write!(f, "the pass {name} (switched off)"),
            LeftOut::SkippedPass(name) => {
                write!(
                    f,
                    "the rest of the pass {name} (skipped; `unskip` runs it again)"
                )
            }
            LeftOut::SkippedNodes(pass, 1) => write!(f, "1 node in the pass {pass} (skipped)"),
            LeftOut::SkippedNodes(pass, more) => {
                write!(f, "{more} nodes in the pass {pass} (skipped)")
            }
            LeftOut::Closed(why, 1) => write!(f, "1 place closed by {}", why.display_name()),
            LeftOut::Closed(why, more) => {
                write!(f, "{more} places closed by {}", why.display_name())
            }
            LeftOut::Required => f.write_str("what has no match of a required query"),
            LeftOut::DisabledFeature(name) => write!(f, "{name} (switched off)"),
            LeftOut::Rejected(1) => f.write_str("1 candidate that was refused before its test"),
            LeftOut::Rejected(more) => {
                write!(f, "{more} candidates that were refused before their test")
            }
            LeftOut::TimedOut(1) => f.write_str("1 candidate whose test was cut short"),
            LeftOut::TimedOut(more) => write!(f, "{more} candidates whose test was cut short"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::counters::UntestedCandidates;
    use super::*;
    use crate::pass::{FeatureSet, PassOptions};

    fn passes(options: &PassOptions, done: usize) -> Vec<PassLine> {
        let states = (0..).map(|at| match at < done {
            true => PassState::Done,
            false => PassState::Waiting,
        });
        let kinds = options.strategy.passes.iter();
        kinds
            .zip(states)
            .map(|(kind, state)| PassLine {
                name: kind.name,
                what: kind.description,
                state,
                scope: None,
                tried: 0,
                asked: 0,
                last_sweep: None,
                accepted: 0,
                untested: UntestedCandidates::default(),
                tokens: 0,
                time: Duration::ZERO,
                settled: None,
            })
            .collect()
    }

    fn said(options: &PassOptions, finish: &FinishReason, passes: &[PassLine]) -> String {
        MinimalityClaim::new(options, finish, passes, &ConstraintSet::default(), None).to_string()
    }

    #[test]
    fn a_complete_run_is_minimal_but_for_what_was_left_out() {
        let mut options = PassOptions::default();
        let all = options.strategy.passes.len();
        let mut lines = passes(&options, all);
        let claim = said(&options, &FinishReason::Complete, &lines);
        let minimal = "1-tree-minimal for these passes (no single part of its tree can go)";
        assert_eq!(claim, minimal);
        options.disabled_features = FeatureSet::default().with_feature(StrategyFeature::EmptyAll);
        lines[all - 1].untested.rejected = 2;
        lines[all - 1].untested.timed_out = 1;
        lines[0].untested.rejected = 7;
        let claim = said(&options, &FinishReason::Complete, &lines);
        assert_eq!(
            claim.strip_prefix(minimal),
            Some(
                "; left out: hollow (switched off), 2 candidates that were refused before their test, 1 candidate whose test was cut short"
            )
        );
    }

    #[test]
    fn a_stratum_of_which_every_pass_is_off_is_named_once() {
        let options = PassOptions::default();
        let mut lines = passes(&options, options.strategy.passes.len());
        let off = |name: &str| {
            let stratum = options.strategy.stratum_of(name);
            stratum.is_some_and(|stratum| stratum.name == "text") || name == "alias"
        };
        for line in lines.iter_mut().filter(|line| off(line.name)) {
            line.state = PassState::Disabled;
        }
        assert_eq!(
            said(&options, &FinishReason::Complete, &lines),
            "1-tree-minimal for these passes (no single part of its tree can go); left out: text (switched off), the pass alias (switched off)"
        );
    }

    #[test]
    fn what_the_user_switched_off_is_named() {
        let options = PassOptions::default();
        let mut lines = passes(&options, options.strategy.passes.len());
        for line in &mut lines {
            line.state = match line.name {
                "hollow" => PassState::Disabled,
                "bodies" => PassState::Skipped,
                _ => PassState::Done,
            };
        }
        assert_eq!(
            said(&options, &FinishReason::Complete, &lines),
            "1-tree-minimal for these passes (no single part of its tree can go); left out: the pass hollow (switched off), the rest of the pass bodies (skipped; `unskip` runs it again)"
        );
        for line in &mut lines {
            line.state = PassState::Disabled;
        }
        assert!(said(&options, &FinishReason::Complete, &lines).starts_with("not proven minimal"));
    }

    #[test]
    fn a_run_that_was_stopped_or_has_no_certificate_proves_nothing() {
        let options = PassOptions::default();
        let lines = passes(&options, options.strategy.passes.len() - 2);
        let claim = said(&options, &FinishReason::Stopped, &lines);
        assert_eq!(
            claim,
            "not proven minimal: 2 passes did not come to their end"
        );
        let options =
            PassOptions::from_strategy(pass::find_strategy("perses").expect("a strategy"));
        let lines = passes(&options, options.strategy.passes.len());
        let claim = said(&options, &FinishReason::Complete, &lines);
        assert_eq!(
            claim,
            "not proven minimal; left out: a certificate, which this strategy does not have"
        );
    }

    #[test]
    fn what_an_algorithm_without_a_certificate_proves_is_known() {
        for (name, finish, proven) in [
            (
                "ddmin",
                FinishReason::Complete,
                Some("1-minimal in lines (no single line can go)"),
            ),
            ("ddmin", FinishReason::Stopped, None),
            ("probdd", FinishReason::Complete, None),
            (
                "perses",
                FinishReason::Complete,
                Some("a last round found no node that can go or be replaced"),
            ),
            ("lop", FinishReason::Complete, None),
        ] {
            let options = pass::parse_strategy(name).expect("a strategy").options;
            let lines = passes(&options, options.strategy.passes.len());
            let claim =
                MinimalityClaim::new(&options, &finish, &lines, &ConstraintSet::default(), None);
            assert_eq!(claim.by_algorithm, proven, "{name}");
        }
    }
}
