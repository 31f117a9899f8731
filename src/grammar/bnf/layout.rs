//! How a grammar lays out its programs: which parts begin a line, and between which tokens no blank stands.

use super::error::BnfError;
use super::notation::{WrittenSetting, error_at};

/// What a setting says of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutRole {
    /// It begins a line.
    NewLine,
    /// A tab stands before it.
    Tab,
    /// All of it stands on one line.
    OneLine,
    /// No blank stands before it.
    NoBlankBefore,
    /// No blank stands behind it.
    NoBlankAfter,
}

impl LayoutRole {
    /// Each directive, and the role that its parts have.
    pub const ALL: [(&'static str, LayoutRole); 5] = [
        ("new-line", LayoutRole::NewLine),
        ("tab", LayoutRole::Tab),
        ("one-line", LayoutRole::OneLine),
        ("no-blank-before", LayoutRole::NoBlankBefore),
        ("no-blank-after", LayoutRole::NoBlankAfter),
    ];
}

/// The settings of a grammar about the layout of its programs; empty if there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayoutSettings {
    /// Rules, and what is said of the nodes that stand for them.
    pub rules: Vec<(LayoutRole, String)>,
    /// Texts, and what is said of the tokens that have them.
    pub texts: Vec<(LayoutRole, Vec<u8>)>,
}

/// Whether a directive is one of these settings.
pub(super) fn is_layout_setting(directive: &str) -> bool {
    LayoutRole::ALL.iter().any(|(name, _)| *name == directive)
}

impl LayoutSettings {
    /// Adds a setting.
    pub(super) fn add_setting(
        &mut self,
        text: &str,
        setting: WrittenSetting,
    ) -> Result<(), BnfError> {
        let WrittenSetting {
            directive,
            at,
            names,
            texts,
        } = setting;
        let mut roles = LayoutRole::ALL.iter();
        let Some((_, role)) = roles.find(|(name, _)| *name == directive) else {
            return Ok(());
        };
        let wants = match role {
            LayoutRole::OneLine if names.is_empty() || !texts.is_empty() => Some("rules"),
            LayoutRole::NoBlankAfter if texts.is_empty() || !names.is_empty() => {
                Some("texts in quotes")
            }
            _ if names.is_empty() && texts.is_empty() => Some("rules, then texts in quotes"),
            _ => None,
        };
        if let Some(wants) = wants {
            return Err(error_at(text, at, format!("%{directive} wants {wants}")));
        }
        self.rules
            .extend(names.into_iter().map(|name| (*role, name)));
        self.texts
            .extend(texts.into_iter().map(|text| (*role, text)));
        Ok(())
    }

    /// The settings as a grammar has them, one a line.
    pub fn describe(&self) -> Vec<String> {
        let described = LayoutRole::ALL.iter().map(|(name, role)| {
            let rules = self.rules.iter().filter(|(known, _)| known == role);
            let texts = self.texts.iter().filter(|(known, _)| known == role);
            let texts = texts.map(|(_, text)| format!("{:?}", String::from_utf8_lossy(text)));
            let parts = rules.map(|(_, rule)| rule.clone()).chain(texts);
            (name, parts.collect::<Vec<_>>())
        });
        let used = described.filter(|(_, parts)| !parts.is_empty());
        used.map(|(name, parts)| format!("%{name} {}", parts.join(" ")))
            .collect()
    }
}
