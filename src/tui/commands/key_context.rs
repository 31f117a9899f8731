//! Where commands apply.

use super::facts::ScreenFacts;
use crate::tui::pages::kind::PageKind;
use crate::tui::panes::layout::PaneKind;

/// Where a command applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyContext {
    /// Everywhere but in a prompt, where keys are letters.
    Everywhere,
    /// Where a pane has the keys, and on the pages that say why the run stands still, what is looked for, and what is tried.
    Run,
    /// Where a pane has the keys, in a replay.
    Replay,
    /// Where a pane has the keys.
    Panes,
    /// Where nodes are selected: in the tree and in the program.
    Nodes,
    /// In the tree.
    Tree,
    /// In the program.
    Program,
    /// In the verdicts.
    Verdicts,
    /// In the passes.
    Passes,
    /// In the history.
    History,
    /// In the panes and on pages that scroll.
    Navigation,
    /// On the page of what is looked for.
    Property,
    /// On a page that lies over the panes.
    Page,
    /// Where something is typed.
    Prompt,
}

impl KeyContext {
    /// The place in words, for the help.
    pub fn name(self) -> &'static str {
        match self {
            KeyContext::Everywhere => "Everywhere",
            KeyContext::Run => "The run",
            KeyContext::Replay => "A replay",
            KeyContext::Panes => "The panes",
            KeyContext::Nodes => "In the tree and in the program",
            KeyContext::Tree => "In the tree",
            KeyContext::Program => "In the program",
            KeyContext::Verdicts => "In the verdicts",
            KeyContext::Passes => "In the passes",
            KeyContext::History => "In the history",
            KeyContext::Navigation => "Moving",
            KeyContext::Property => "On the page of what is looked for",
            KeyContext::Page => "On a page",
            KeyContext::Prompt => "In a prompt",
        }
    }

    /// All places, in the order of the help.
    pub const ALL: [KeyContext; 14] = [
        KeyContext::Run,
        KeyContext::Replay,
        KeyContext::Panes,
        KeyContext::Navigation,
        KeyContext::Nodes,
        KeyContext::Tree,
        KeyContext::Program,
        KeyContext::Verdicts,
        KeyContext::Passes,
        KeyContext::History,
        KeyContext::Property,
        KeyContext::Page,
        KeyContext::Prompt,
        KeyContext::Everywhere,
    ];

    /// Whether this is where the keys go.
    pub fn is_active(self, facts: &ScreenFacts) -> bool {
        match facts.prompt {
            true => self == KeyContext::Prompt,
            false => self.is_available(facts) && self.is_active_in(facts.page, facts.focus),
        }
    }

    /// Whether there is such a place at all: in a run nothing is replayed.
    pub fn is_available(self, facts: &ScreenFacts) -> bool {
        self != KeyContext::Replay || facts.replay
    }

    /// Whether the keys go here when this page lies on top, if any, and this pane has them otherwise.
    pub fn is_active_in(self, page: Option<PageKind>, focus: PaneKind) -> bool {
        match self {
            KeyContext::Everywhere => true,
            KeyContext::Navigation => page != Some(PageKind::Result),
            KeyContext::Run => matches!(
                page,
                None | Some(PageKind::Stall | PageKind::Property | PageKind::Candidate)
            ),
            KeyContext::Replay => page.is_none(),
            KeyContext::Property => page == Some(PageKind::Property),
            KeyContext::Page => page.is_some(),
            KeyContext::Prompt => false,
            _ => page.is_none() && self.includes_pane(focus),
        }
    }

    /// Whether this is about a pane, or about all of them.
    pub fn includes_pane(self, pane: PaneKind) -> bool {
        match self {
            KeyContext::Panes => true,
            KeyContext::Nodes => matches!(pane, PaneKind::Tree | PaneKind::Program),
            KeyContext::Tree => pane == PaneKind::Tree,
            KeyContext::Program => pane == PaneKind::Program,
            KeyContext::Verdicts => pane == PaneKind::Verdicts,
            KeyContext::Passes => pane == PaneKind::Passes,
            KeyContext::History => pane == PaneKind::History,
            _ => false,
        }
    }

    /// Whether a key can mean something in both places at once.
    pub fn overlaps_with(self, other: KeyContext) -> bool {
        const PANES: [PaneKind; 6] = PaneKind::WITH_KEYS;
        let only_panes =
            |context: KeyContext| PANES.iter().any(|pane| context.includes_pane(*pane));
        match (self, other) {
            (one, other) if one == other => true,
            (KeyContext::Prompt, _) | (_, KeyContext::Prompt) => false,
            (KeyContext::Page | KeyContext::Property, pane)
            | (pane, KeyContext::Page | KeyContext::Property)
                if only_panes(pane) || pane == KeyContext::Replay =>
            {
                false
            }
            (one, other) if only_panes(one) && only_panes(other) => PANES
                .iter()
                .any(|pane| one.includes_pane(*pane) && other.includes_pane(*pane)),
            _ => true,
        }
    }
}
