//! How much a run asks: which strata of a strategy run.

use super::PassKind;

/// How much a run asks. What more effort adds comes in whole strata.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Deletions and replacements by what is there, up to the certificate.
    Quick,
    /// The strata too, each as long as it is likely to pay.
    #[default]
    Normal,
    /// All that the strata can ask, however large the program is.
    Hard,
}

/// The efforts: the name on the command line, and what it means.
pub static EFFORTS: &[(&str, Effort, &str)] = &[
    (
        "quick",
        Effort::Quick,
        "parts of the program go, or stand in the place of what is around them",
    ),
    (
        "normal",
        Effort::Normal,
        "rewrites, windows of tokens, and shorter texts too, as long as they are likely to pay",
    ),
    (
        "hard",
        Effort::Hard,
        "all that these can ask, however large the program is",
    ),
];

/// The effort of this name.
pub fn find_effort(name: &str) -> Option<Effort> {
    let mut known = EFFORTS.iter();
    let (_, effort, _) = known.find(|(known, ..)| *known == name)?;
    Some(*effort)
}

impl Effort {
    /// The next effort; none after the greatest.
    pub fn raised(self) -> Option<Effort> {
        let mut known = EFFORTS.iter().map(|(_, effort, _)| *effort);
        known.find(|effort| *effort > self)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        let mut known = EFFORTS.iter();
        let named = known.find(|(_, effort, _)| *effort == self);
        named.map_or("", |(name, ..)| name)
    }
}

/// Passes of a strategy that go on where deletions end: a run of more than quick effort has them.
#[derive(Debug)]
pub struct Stratum {
    /// Its name, which stands for all of its passes.
    pub name: &'static str,
    /// What its passes do.
    pub description: &'static str,
    /// Where the run begins again at its end, if the program has fewer tokens then than when it was there the last time: a pass of it, or one that comes
    /// before it. None if it runs once.
    pub repeat_from: Option<&'static str>,
    /// Its passes, in their order.
    pub passes: &'static [&'static PassKind],
    /// What its passes prove.
    pub claims: &'static [StratumClaim],
}

/// What the end of a pass without an accepted edit proves of the program.
#[derive(Debug)]
pub struct StratumClaim {
    /// The pass.
    pub pass: &'static PassKind,
    /// What it proves, as a part of a sentence.
    pub sentence: &'static str,
    /// With less than hard effort it asks nothing about a program with more tokens.
    pub most_tokens: u32,
}

impl Stratum {
    /// What its passes prove of a program of so many tokens if they find nothing in it.
    pub fn claims_about(
        &self,
        effort: Effort,
        tokens: u32,
    ) -> impl Iterator<Item = &'static StratumClaim> {
        let claims = self.claims.iter();
        claims.filter(move |claim| effort == Effort::Hard || tokens <= claim.most_tokens)
    }

    /// Whether the pass of this name is one of its passes.
    pub fn has_pass(&self, name: &str) -> bool {
        self.passes.iter().any(|kind| kind.name == name)
    }
}
