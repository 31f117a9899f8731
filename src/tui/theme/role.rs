//! The roles: what something on the screen means. A theme gives each role a paint.

/// Declares the roles with their names in theme files.
macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident = $name:literal,)*) => {
        /// What something on the screen means.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Role { $($(#[$doc])* $role,)* }

        impl Role {
            /// All roles, with their names in a theme.
            pub const ALL: &[(Role, &str)] = &[$((Role::$role, $name),)*];
        }
    };
}

roles! {
    /// Text without another role; its background is that of the screen.
    Text = "text",
    /// Text of little importance.
    Dim = "dim",
    /// The line at the top.
    Header = "header",
    /// The frame of a pane.
    Border = "border",
    /// The frame of the focused pane.
    Focus = "focus",
    /// The name of a pane.
    Title = "title",
    /// The selected row.
    Selection = "selection",
    /// The selected node, in the pane without the focus.
    Linked = "linked",
    /// A hit of the search.
    Match = "match",
    /// A place that has just changed.
    Changed = "changed",
    /// The kind of a node.
    Kind = "kind",
    /// The field that a node fills.
    Field = "field",
    /// A number.
    Number = "number",
    /// A key to press.
    Key = "key",
    /// The place of the current candidate.
    Trying = "trying",
    /// A pinned place.
    Pinned = "pinned",
    /// Text that the current candidate removes.
    Deleted = "deleted",
    /// A line of a diff that only the version has.
    Removed = "removed",
    /// A line of a diff that only the candidate has.
    Added = "added",
    /// Text that both programs of a pair have.
    Common = "common",
    /// The verdict: interesting.
    Interesting = "interesting",
    /// The verdict: uninteresting.
    Uninteresting = "uninteresting",
    /// The verdict: invalid.
    Invalid = "invalid",
    /// The verdict: timed out.
    TimedOut = "timed_out",
    /// The run is running.
    Running = "running",
    /// The run is paused.
    Paused = "paused",
    /// The run has failed, or a message reports a mistake.
    Failed = "failed",
    /// Something that the user should know.
    Note = "note",
    /// A token of the result: any change of it loses the bug.
    Essential = "essential",
    /// A token of the result: others of its kind keep the bug.
    Free = "free",
    /// A token of the result that is only needed to compile.
    CompileOnly = "compile_only",
    /// A token of the result of which it could not be decided what it is for.
    Undecided = "undecided",
    /// The curve of sizes.
    Chart = "chart",
    /// The lowest level of heat in the tree.
    Cool = "cool",
    /// The second level.
    Warm = "warm",
    /// The third level.
    Hot = "hot",
    /// The highest level.
    Blazing = "blazing",
    /// The first lane of a race.
    Lane1 = "lane_1",
    /// The second lane.
    Lane2 = "lane_2",
    /// The third lane.
    Lane3 = "lane_3",
    /// The fourth lane.
    Lane4 = "lane_4",
    /// The fifth lane.
    Lane5 = "lane_5",
    /// The sixth lane.
    Lane6 = "lane_6",
}

/// Former names of roles, which theme files may still use, with the present ones.
const FORMER_NAMES: &[(&str, &str)] = &[("boring", "uninteresting")];

impl Role {
    /// The position in [`Role::ALL`] of the role with this name, present or former.
    pub(super) fn position_by_name(name: &str) -> Option<usize> {
        let former = FORMER_NAMES.iter().find(|(former, _)| *former == name);
        let name = former.map_or(name, |(_, present)| *present);
        Role::ALL.iter().position(|(_, known)| *known == name)
    }
}
