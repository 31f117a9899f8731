//! The canonical layout of a language: what stands before each token. Only grammars in BNF say so (`%new-line`, `%no-blank-before` and so
//! on).

use super::statements::PlaceKind;
use crate::grammar::bnf::{LayoutRole, LayoutSettings};
use crate::grammar::{ExprId, Grammar, NodeClass};

/// How programs of a language are laid out.
#[derive(Clone, Debug)]
pub struct LayoutRules {
    rules: Vec<(LayoutRole, PlaceKind)>,
    texts: Vec<(LayoutRole, Vec<u8>)>,
}

/// The roles of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayoutRoles(u8);

impl LayoutRoles {
    /// Whether it has this role.
    pub fn contains(self, role: LayoutRole) -> bool {
        self.0 & 1 << role as u8 != 0
    }

    /// Both.
    #[must_use]
    pub fn union(self, other: LayoutRoles) -> LayoutRoles {
        LayoutRoles(self.0 | other.0)
    }
}

impl FromIterator<LayoutRole> for LayoutRoles {
    fn from_iter<I: IntoIterator<Item = LayoutRole>>(roles: I) -> LayoutRoles {
        let roles = roles.into_iter();
        LayoutRoles(roles.fold(0, |all, role| all | 1 << role as u8))
    }
}

impl LayoutRules {
    /// The rules by the settings of a grammar in BNF; none without a setting.
    pub(super) fn from_settings(
        grammar: &Grammar,
        settings: &LayoutSettings,
    ) -> Option<LayoutRules> {
        if *settings == LayoutSettings::default() {
            return None;
        }
        let rules = settings.rules.iter();
        Some(LayoutRules {
            rules: rules
                .filter_map(|(role, rule)| Some((*role, PlaceKind::of_rule(grammar, rule)?)))
                .collect(),
            texts: settings.texts.clone(),
        })
    }

    /// The roles of a node of this class in a place where `expected` is expected. New text has no class: its place decides.
    pub fn place_roles(
        &self,
        grammar: &Grammar,
        class: Option<NodeClass>,
        expected: ExprId,
    ) -> LayoutRoles {
        let rules = self.rules.iter();
        let own = rules.filter(|(_, kind)| kind.matches_place(grammar, class, expected));
        own.map(|(role, _)| *role).collect()
    }

    /// The roles of a token.
    pub fn token_roles(&self, text: &[u8]) -> LayoutRoles {
        let texts = self.texts.iter();
        let own = texts.filter(|(_, known)| known == text);
        own.map(|(role, _)| *role).collect()
    }
}
