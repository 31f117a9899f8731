//! Where commands apply.

use super::facts::ScreenFacts;
use crate::tui::pages::kind::PageKind;
use crate::tui::panes::layout::PaneKind;

/// Where a command applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyContext {
    /// Everywhere except in a prompt, where keys are letters.
    Everywhere,
    /// In a focused pane, and on the pages of the stall, the property, the candidate and the result.
    Run,
    /// In a focused pane while a lesson has more to tell.
    Lesson,
    /// In a focused pane while a verdict is hidden that may be guessed.
    Guess,
    /// In a focused pane of a replay.
    Replay,
    /// In any focused pane.
    Panes,
    /// In the two panes in which nodes are selected: the tree and the program.
    Nodes,
    /// In the tree.
    Tree,
    /// In the program, or in the two of a pair.
    Program,
    /// In the program, or in the two of a pair, and in the log, where a candidate may stand in its place.
    Sideways,
    /// In the panes of a pair in which nodes are selected.
    Pair,
    /// In the panes of a project in which nodes are selected.
    Project,
    /// In the graph of the files of a project.
    Graph,
    /// In the log.
    Log,
    /// In the panes in which versions are selected: the log and the history.
    Versions,
    /// In the passes.
    Passes,
    /// In the history.
    History,
    /// In the panes and on pages that scroll.
    Navigation,
    /// On the candidate's page, in its pane, and in the log.
    Candidate,
    /// On the property's page.
    Property,
    /// On the page of what is in force.
    Steering,
    /// On the result's page.
    Result,
    /// On any page over the panes.
    Page,
    /// In a prompt.
    Prompt,
}

impl KeyContext {
    /// The name of the context, as a heading of the help.
    pub fn name(self) -> &'static str {
        match self {
            KeyContext::Everywhere => "Everywhere",
            KeyContext::Run => "The run",
            KeyContext::Lesson => "In a lesson",
            KeyContext::Guess => "While you may guess",
            KeyContext::Replay => "A replay",
            KeyContext::Panes => "The panes",
            KeyContext::Nodes => "In the tree and in the program",
            KeyContext::Tree => "In the tree",
            KeyContext::Program => "In the program",
            KeyContext::Sideways => "In the program and in a candidate",
            KeyContext::Pair => "In a pair",
            KeyContext::Project => "In a project",
            KeyContext::Graph => "In the graph of files",
            KeyContext::Log => "In the log",
            KeyContext::Versions => "In the log and in the history",
            KeyContext::Passes => "In the passes",
            KeyContext::History => "In the history",
            KeyContext::Navigation => "Moving",
            KeyContext::Candidate => "On the candidate's page",
            KeyContext::Property => "On the property's page",
            KeyContext::Steering => "On the page of what is in force",
            KeyContext::Result => "On the result's page",
            KeyContext::Page => "On a page",
            KeyContext::Prompt => "In a prompt",
        }
    }

    /// All contexts, in the order of the help.
    pub const ALL: [KeyContext; 24] = [
        KeyContext::Lesson,
        KeyContext::Guess,
        KeyContext::Run,
        KeyContext::Replay,
        KeyContext::Panes,
        KeyContext::Navigation,
        KeyContext::Nodes,
        KeyContext::Pair,
        KeyContext::Project,
        KeyContext::Graph,
        KeyContext::Tree,
        KeyContext::Program,
        KeyContext::Sideways,
        KeyContext::Log,
        KeyContext::Versions,
        KeyContext::Passes,
        KeyContext::History,
        KeyContext::Candidate,
        KeyContext::Property,
        KeyContext::Steering,
        KeyContext::Result,
        KeyContext::Page,
        KeyContext::Prompt,
        KeyContext::Everywhere,
    ];

    /// Whether keys have their meaning from this context now.
    pub fn is_active(self, facts: &ScreenFacts) -> bool {
        match facts.prompt {
            true => self == KeyContext::Prompt,
            false => self.is_available(facts) && self.is_active_in(facts.page, facts.focus),
        }
    }

    /// Whether the context exists at all: only a replay has [`KeyContext::Replay`], only a pair [`KeyContext::Pair`], only several files
    /// [`KeyContext::Project`] and [`KeyContext::Graph`].
    pub fn is_available(self, facts: &ScreenFacts) -> bool {
        match self {
            KeyContext::Lesson => facts.is_lesson,
            KeyContext::Guess => facts.can_guess,
            KeyContext::Replay => facts.replay,
            KeyContext::Pair => facts.is_pair,
            KeyContext::Project | KeyContext::Graph => facts.is_project,
            _ => true,
        }
    }

    /// Whether the context is active when `page` is on top, or without a page when `focus` is the focused pane.
    pub fn is_active_in(self, page: Option<PageKind>, focus: PaneKind) -> bool {
        match self {
            KeyContext::Everywhere | KeyContext::Navigation => true,
            KeyContext::Run => matches!(
                page,
                None | Some(
                    PageKind::Stall | PageKind::Property | PageKind::Candidate | PageKind::Result
                )
            ),
            KeyContext::Lesson | KeyContext::Guess | KeyContext::Replay => page.is_none(),
            KeyContext::Candidate if page.is_some() => page == Some(PageKind::Candidate),
            KeyContext::Property => page == Some(PageKind::Property),
            KeyContext::Steering => page == Some(PageKind::Steering),
            KeyContext::Result => page == Some(PageKind::Result),
            KeyContext::Page => page.is_some(),
            KeyContext::Prompt => false,
            _ => page.is_none() && self.includes_pane(focus),
        }
    }

    /// Whether the context includes this pane.
    pub fn includes_pane(self, pane: PaneKind) -> bool {
        match self {
            KeyContext::Panes => true,
            KeyContext::Nodes | KeyContext::Pair | KeyContext::Project => {
                pane == PaneKind::Tree || pane == PaneKind::Graph || pane.is_text()
            }
            KeyContext::Graph => pane == PaneKind::Graph,
            KeyContext::Tree => pane == PaneKind::Tree,
            KeyContext::Program => pane.is_text(),
            KeyContext::Sideways => pane.is_text() || pane == PaneKind::Log,
            KeyContext::Log => pane == PaneKind::Log,
            KeyContext::Versions => pane == PaneKind::Log || pane == PaneKind::History,
            KeyContext::Passes => pane == PaneKind::Passes,
            KeyContext::History => pane == PaneKind::History,
            KeyContext::Candidate => pane == PaneKind::Candidate || pane == PaneKind::Log,
            _ => false,
        }
    }

    /// Whether both contexts can be active at once.
    pub fn overlaps_with(self, other: KeyContext) -> bool {
        const PANES: [PaneKind; 10] = PaneKind::WITH_KEYS;
        let only_panes =
            |context: KeyContext| PANES.iter().any(|pane| context.includes_pane(*pane));
        match (self, other) {
            (one, other) if one == other => true,
            (KeyContext::Candidate, KeyContext::Page)
            | (KeyContext::Page, KeyContext::Candidate) => true,
            (KeyContext::Prompt, _) | (_, KeyContext::Prompt) => false,
            (KeyContext::Steering, other) | (other, KeyContext::Steering) => matches!(
                other,
                KeyContext::Page | KeyContext::Navigation | KeyContext::Everywhere
            ),
            // While there is a lesson or a guess, its keys come first, as its rows do in the table.
            (KeyContext::Lesson | KeyContext::Guess, _)
            | (_, KeyContext::Lesson | KeyContext::Guess) => false,
            // In the replay of a pair the keys of the replay come first, as its rows do in the table.
            (KeyContext::Replay, KeyContext::Pair) | (KeyContext::Pair, KeyContext::Replay) => {
                false
            }
            (KeyContext::Property, KeyContext::Result)
            | (KeyContext::Result, KeyContext::Property) => false,
            (KeyContext::Page | KeyContext::Property | KeyContext::Result, pane)
            | (pane, KeyContext::Page | KeyContext::Property | KeyContext::Result)
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
