//! The panes, and the layouts that arrange them: a table.

use crate::config::{ConfigError, ConfigValue};
use crate::display::EscapeHidden;

/// A part of the screen that shows one thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaneKind {
    /// The tree.
    #[default]
    Tree,
    /// The current candidate and the reason for it.
    Trying,
    /// The candidate as a diff.
    Candidate,
    /// The curve and the counters.
    Progress,
    /// The questions and versions.
    Log,
    /// The program.
    Program,
    /// The passes.
    Passes,
    /// The versions.
    History,
    /// The two programs of a pair beside each other.
    Pair,
    /// The two programs of a pair as one text.
    Difference,
    /// The files of a project by what they need.
    Graph,
    /// The state of the algorithm that is running.
    Algorithm,
}

/// How many panes there are.
pub const PANES: usize = 12;

impl PaneKind {
    /// All panes that can be focused, in the order of `Tab`.
    pub const WITH_KEYS: [PaneKind; 10] = [
        PaneKind::Tree,
        PaneKind::Graph,
        PaneKind::Pair,
        PaneKind::Difference,
        PaneKind::Program,
        PaneKind::Log,
        PaneKind::Passes,
        PaneKind::Candidate,
        PaneKind::History,
        PaneKind::Algorithm,
    ];

    /// Whether it shows the text of the program, or of both programs of a pair.
    pub fn is_text(self) -> bool {
        matches!(
            self,
            PaneKind::Program | PaneKind::Pair | PaneKind::Difference
        )
    }

    /// Whether the pane gets the height that the others leave.
    pub(super) fn is_flexible(self) -> bool {
        matches!(
            self,
            PaneKind::Tree
                | PaneKind::Program
                | PaneKind::Candidate
                | PaneKind::Pair
                | PaneKind::Difference
                | PaneKind::Graph
                | PaneKind::Algorithm
        )
    }

    /// The default height of the pane in a column of this height.
    pub(super) fn default_height(self, high: u16, passes: usize) -> u16 {
        let [trying, progress, log] = match high {
            0..20 => [3, 0, 5],
            20..28 => [4, 5, 6],
            _ => [4, high / 5, high / 4],
        };
        match self {
            PaneKind::Trying => trying,
            PaneKind::Progress => progress,
            PaneKind::Log => log,
            PaneKind::Passes if high < 20 => 0,
            PaneKind::Passes => (passes as u16 + 2).min(high / 3),
            PaneKind::History if high < 34 => 0,
            PaneKind::History => 5,
            PaneKind::Tree
            | PaneKind::Program
            | PaneKind::Candidate
            | PaneKind::Pair
            | PaneKind::Difference
            | PaneKind::Graph
            | PaneKind::Algorithm => 0,
        }
    }
}

/// What a run reduces, as far as layouts differ by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutScope {
    /// One program; as the scope of a layout: anything.
    Program,
    /// A pair.
    Pair,
    /// Several files of a program.
    Project,
}

/// The panes that are shown on a screen with room for all of them.
#[derive(Debug, PartialEq, Eq)]
pub struct PaneLayout {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// The main pane: focused on a screen with room for only one.
    pub main: PaneKind,
    /// The pane over both columns.
    pub top: Option<PaneKind>,
    /// The panes on the left, from the top.
    pub left: &'static [PaneKind],
    /// The panes on the right, from the top.
    pub right: &'static [PaneKind],
    /// The width of the left column in thousandths; 0 for about a half.
    pub split: u16,
    /// What a run must reduce for it.
    pub scope: LayoutScope,
    /// Free cells around each pane.
    pub gap: u16,
    /// The theme that goes with it, unless the user has chosen one.
    pub theme: Option<&'static str>,
}

impl PaneLayout {
    /// All its panes.
    pub fn panes(&self) -> impl Iterator<Item = PaneKind> + '_ {
        let columns = self.left.iter().chain(self.right).copied();
        self.top.into_iter().chain(columns)
    }

    /// Whether a run on this can show it.
    pub fn suits(&self, scope: LayoutScope) -> bool {
        self.scope == LayoutScope::Program || self.scope == scope
    }

    /// Whether it is for a pair only.
    pub fn of_pair(&self) -> bool {
        self.scope == LayoutScope::Pair
    }
}

/// The parts of a layout that has two columns, for one program.
const TWO_COLUMNS: PaneLayout = PaneLayout {
    name: "",
    description: "",
    main: PaneKind::Tree,
    top: None,
    left: &[],
    right: &[],
    split: 0,
    scope: LayoutScope::Program,
    gap: 0,
    theme: None,
};

/// The layout that shows the state of the algorithm.
pub const ALGORITHM_LAYOUT: &str = "algorithm";

/// All layouts; the first is the default for one program.
pub const LAYOUTS: &[PaneLayout] = &[
    PaneLayout {
        name: "all",
        description: "the program, the log, the tree and the passes",
        main: PaneKind::Tree,
        left: &[PaneKind::Program, PaneKind::Log],
        right: &[PaneKind::Tree, PaneKind::Passes],
        split: 600,
        ..TWO_COLUMNS
    },
    PaneLayout {
        name: "steps",
        description: "candidate by candidate, as a diff",
        main: PaneKind::Candidate,
        left: &[PaneKind::Tree, PaneKind::Log],
        right: &[PaneKind::Candidate, PaneKind::Program],
        ..TWO_COLUMNS
    },
    PaneLayout {
        name: "code",
        description: "tree and program",
        main: PaneKind::Program,
        left: &[PaneKind::Tree],
        right: &[PaneKind::Program],
        ..TWO_COLUMNS
    },
    PaneLayout {
        name: "run",
        description: "how the run goes",
        main: PaneKind::Log,
        left: &[PaneKind::Progress, PaneKind::Passes],
        right: &[PaneKind::Log],
        ..TWO_COLUMNS
    },
    PaneLayout {
        name: ALGORITHM_LAYOUT,
        description: "what the algorithm does: its pseudo-code, its list or queue, and the program",
        main: PaneKind::Algorithm,
        left: &[PaneKind::Program, PaneKind::Log],
        right: &[PaneKind::Algorithm],
        split: 560,
        ..TWO_COLUMNS
    },
    PaneLayout {
        name: "versions",
        description: "the versions and the program",
        main: PaneKind::History,
        left: &[PaneKind::History],
        right: &[PaneKind::Program],
        ..TWO_COLUMNS
    },
    PaneLayout {
        name: "pair tree",
        description: "the tree, and the two programs of a pair",
        main: PaneKind::Pair,
        left: &[PaneKind::Tree, PaneKind::Progress, PaneKind::Log],
        right: &[PaneKind::Pair, PaneKind::Passes],
        split: 285,
        scope: LayoutScope::Pair,
        ..TWO_COLUMNS
    },
    PaneLayout {
        name: "pair",
        description: "the two programs of a pair",
        main: PaneKind::Pair,
        top: Some(PaneKind::Pair),
        left: &[PaneKind::Progress],
        right: &[PaneKind::Log],
        split: 500,
        scope: LayoutScope::Pair,
        ..TWO_COLUMNS
    },
    PaneLayout {
        name: "difference",
        description: "the two programs of a pair as one text",
        main: PaneKind::Difference,
        top: Some(PaneKind::Difference),
        left: &[PaneKind::Progress],
        right: &[PaneKind::Log],
        split: 500,
        scope: LayoutScope::Pair,
        ..TWO_COLUMNS
    },
    PaneLayout {
        name: "beamer",
        description: "for an audience: the sentence, the program, the algorithm and the curve",
        main: PaneKind::Program,
        left: &[PaneKind::Program],
        right: &[PaneKind::Algorithm, PaneKind::Progress],
        split: 580,
        gap: 1,
        theme: Some("high-contrast"),
        ..TWO_COLUMNS
    },
    PaneLayout {
        name: "project",
        description: "files and program",
        main: PaneKind::Tree,
        left: &[PaneKind::Tree],
        right: &[PaneKind::Program, PaneKind::Log],
        split: 400,
        scope: LayoutScope::Project,
        ..TWO_COLUMNS
    },
    PaneLayout {
        name: "graph",
        description: "files by what they need, the root on top",
        main: PaneKind::Graph,
        left: &[PaneKind::Graph],
        right: &[PaneKind::Program, PaneKind::Log],
        split: 400,
        scope: LayoutScope::Project,
        ..TWO_COLUMNS
    },
];

/// The layout that a run begins with: the chosen one, if it suits. By default a pair shows both programs, and a lesson the algorithm.
pub fn initial_layout(
    chosen: &'static PaneLayout,
    by_default: bool,
    scope: LayoutScope,
    is_lesson: bool,
) -> &'static PaneLayout {
    let is_wanted = |layout: &&PaneLayout| match scope {
        LayoutScope::Pair => layout.of_pair(),
        LayoutScope::Program | LayoutScope::Project => is_lesson && layout.name == ALGORITHM_LAYOUT,
    };
    let usual = LAYOUTS.iter().find(is_wanted).filter(|_| by_default);
    match usual {
        Some(usual) => usual,
        None if chosen.suits(scope) => chosen,
        None => &LAYOUTS[0],
    }
}

/// The layout with this name.
///
/// # Errors
/// When there is none.
pub fn find_layout(named: &ConfigValue<String>) -> Result<&'static PaneLayout, ConfigError> {
    let found = find_suitable_layout(&named.value, None);
    found.map_err(|what| ConfigError::new(&named.from, what))
}

/// The layout with this name, among those for a run on this, if that is known.
///
/// # Errors
/// When there is none: which there are.
pub fn find_suitable_layout(
    name: &str,
    scope: Option<LayoutScope>,
) -> Result<&'static PaneLayout, String> {
    let suits = |layout: &&PaneLayout| scope.is_none_or(|scope| layout.suits(scope));
    let mut suitable = LAYOUTS.iter().filter(suits);
    let found = suitable.clone().find(|layout| layout.name == name);
    found.ok_or_else(|| {
        let known = LAYOUTS.iter().any(|layout| layout.name == name);
        let here = if known { " here" } else { "" };
        let names: Vec<&str> = suitable.by_ref().map(|layout| layout.name).collect();
        let name = name.escape_hidden();
        format!(
            "there is no layout `{name}`{here}; there are {}",
            names.join(", ")
        )
    })
}
