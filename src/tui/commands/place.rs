//! Where commands apply.

use super::super::app::{App, Layer};
use super::super::layout::Pane;

/// Where a command applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
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
    Moves,
    /// On the page of what is looked for.
    Property,
    /// On a page that lies over the panes.
    Layer,
    /// Where something is typed.
    Prompt,
}

impl Place {
    /// The place in words, for the help.
    pub fn name(self) -> &'static str {
        match self {
            Place::Everywhere => "Everywhere",
            Place::Run => "The run",
            Place::Replay => "A replay",
            Place::Panes => "The panes",
            Place::Nodes => "In the tree and in the program",
            Place::Tree => "In the tree",
            Place::Program => "In the program",
            Place::Verdicts => "In the verdicts",
            Place::Passes => "In the passes",
            Place::History => "In the history",
            Place::Moves => "Moving",
            Place::Property => "On the page of what is looked for",
            Place::Layer => "On a page",
            Place::Prompt => "In a prompt",
        }
    }

    /// All places, in the order of the help.
    pub const ALL: [Place; 14] = [
        Place::Run,
        Place::Replay,
        Place::Panes,
        Place::Moves,
        Place::Nodes,
        Place::Tree,
        Place::Program,
        Place::Verdicts,
        Place::Passes,
        Place::History,
        Place::Property,
        Place::Layer,
        Place::Prompt,
        Place::Everywhere,
    ];

    /// Whether this is where the keys go.
    pub fn holds(self, app: &App) -> bool {
        match app.prompt {
            Some(_) => self == Place::Prompt,
            None => self.is_there(app) && self.holds_with(app.layers.last(), app.focus()),
        }
    }

    /// Whether there is such a place at all: in a run nothing is replayed.
    pub fn is_there(self, app: &App) -> bool {
        self != Place::Replay || app.context.replay
    }

    /// Whether the keys go here when this page lies on top, if any, and this pane has them otherwise.
    pub fn holds_with(self, layer: Option<&Layer>, focus: Pane) -> bool {
        match self {
            Place::Everywhere => true,
            Place::Moves => layer != Some(&Layer::Result),
            Place::Run => matches!(
                layer,
                None | Some(Layer::Trouble(_) | Layer::Property(_) | Layer::Candidate(_))
            ),
            Place::Replay => layer.is_none(),
            Place::Property => matches!(layer, Some(Layer::Property(_))),
            Place::Layer => layer.is_some(),
            Place::Prompt => false,
            _ => layer.is_none() && self.is_of(focus),
        }
    }

    /// Whether this is about a pane, or about all of them.
    pub fn is_of(self, pane: Pane) -> bool {
        match self {
            Place::Panes => true,
            Place::Nodes => matches!(pane, Pane::Tree | Pane::Program),
            Place::Tree => pane == Pane::Tree,
            Place::Program => pane == Pane::Program,
            Place::Verdicts => pane == Pane::Verdicts,
            Place::Passes => pane == Pane::Passes,
            Place::History => pane == Pane::History,
            _ => false,
        }
    }

    /// Whether a key can mean something in both places at once.
    pub fn meets(self, other: Place) -> bool {
        const PANES: [Pane; 6] = Pane::WITH_KEYS;
        let only_panes = |place: Place| PANES.iter().any(|pane| place.is_of(*pane));
        match (self, other) {
            (one, other) if one == other => true,
            (Place::Prompt, _) | (_, Place::Prompt) => false,
            (Place::Layer | Place::Property, pane) | (pane, Place::Layer | Place::Property)
                if only_panes(pane) || pane == Place::Replay =>
            {
                false
            }
            (one, other) if only_panes(one) && only_panes(other) => PANES
                .iter()
                .any(|pane| one.is_of(*pane) && other.is_of(*pane)),
            _ => true,
        }
    }
}
