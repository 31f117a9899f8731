//! The table of commands.

use crossterm::event::KeyCode::{
    BackTab, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right, Tab, Up,
};

use super::command::{CommandHandler, ScreenCommand, new_command};
use super::facts::{RunPhase, ScreenFacts};
use super::key_context::KeyContext;
use super::keys::{char_key, ctrl_key, special_key};
use super::playback_action::PlaybackAction;
use crate::oracle::PropertyChange;
use crate::program::{ConstraintRule, NodeTarget};
use crate::reduce::{EngineCommand, PassLine, PassState, RunState};
use crate::tui::app::{App, KeyEffect};
use crate::tui::pages::candidate::CandidatePage;
use crate::tui::pages::kind::PageKind;
use crate::tui::pages::property::PropertyPage;
use crate::tui::pages::result::ResultPage;
use crate::tui::pages::stall::StallPage;
use crate::tui::pages::steering::SteeringPage;
use crate::tui::panes::layout::LAYOUTS;
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::panes::verdict_filter;
use crate::tui::program_view::bookmarks::BookmarkAction;
use crate::tui::program_view::heat;
use crate::tui::program_view::pair_alignment::{SEED, VARIANT};
use crate::tui::program_view::steering::released_place;

/// A command that the screen executes, with the argument from the prompt. It returns its effect.
const fn action_command(
    context: KeyContext,
    action: fn(&mut App, Option<&str>) -> KeyEffect,
    name: &'static str,
    what: &'static str,
    keys: &'static [super::keys::KeyPress],
) -> ScreenCommand {
    new_command(context, CommandHandler::Action(action), name, what, keys)
}

/// A command that changes only what the screen shows.
const fn view_command(
    context: KeyContext,
    action: fn(&mut App, Option<&str>),
    name: &'static str,
    what: &'static str,
    keys: &'static [super::keys::KeyPress],
) -> ScreenCommand {
    new_command(context, CommandHandler::View(action), name, what, keys)
}

/// A move, which each pane and page implements in its own way.
const fn navigation_command(
    context: KeyContext,
    action: PaneAction,
    name: &'static str,
    what: &'static str,
    keys: &'static [super::keys::KeyPress],
) -> ScreenCommand {
    new_command(
        context,
        CommandHandler::Navigation(action),
        name,
        what,
        keys,
    )
}

/// A command that sends a line to the run.
const fn engine_command(
    context: KeyContext,
    line: fn(&mut App) -> Result<String, String>,
    name: &'static str,
    what: &'static str,
    keys: &'static [super::keys::KeyPress],
) -> ScreenCommand {
    new_command(context, CommandHandler::Engine(line), name, what, keys)
}

/// All commands. Two commands may share a key if their contexts never overlap; a test checks this.
// One line a command: it is read as a table.
#[rustfmt::skip]
pub const COMMANDS: &[ScreenCommand] = &[
    action_command(KeyContext::Lesson, |app, _| app.go_forth_in_lesson(), "lesson-next", "go on: to the answer, or to the next step", &[char_key(' '), char_key('.'), special_key(Enter)]).with_hint("next"),
    action_command(KeyContext::Lesson, |app, _| app.go_back_in_lesson(), "lesson-back", "tell the step before again; the run stays where it is", &[char_key('b')]).with_hint("back"),
    action_command(KeyContext::Guess, |app, _| app.guess_verdict(true), "guess-yes", "guess that the test says yes", &[char_key('y')]).with_hint("yes"),
    action_command(KeyContext::Guess, |app, _| app.guess_verdict(false), "guess-no", "guess that the test says no", &[char_key('n')]).with_hint("no"),
    engine_command(KeyContext::Run, |app| pause_or_resume_line(app), "pause", "pause or resume the run", &[char_key(' ')]).with_replay_description("play or pause the recording").with_hint("pause").disabled_if(nothing_runs_unless_replay),
    engine_command(KeyContext::Run, |_| literal_line("step"), "step", "test exactly one candidate, in a paused run", &[char_key('.')]).with_replay_description("forward by one decision").with_hint("step").disabled_if(not_paused),
    engine_command(KeyContext::Run, |_| literal_line("step commit"), "step commit", "run to the next version", &[char_key(',')]).with_replay_description("to the next version").disabled_if(not_paused),
    engine_command(KeyContext::Run, |_| literal_line("skip candidate"), "skip candidate", "skip the current candidate", &[char_key('s')]).disabled_if(nothing_runs),
    engine_command(KeyContext::Run, |_| literal_line("skip node"), "skip node", "skip the current node until the pass ends", &[char_key('S')]).disabled_if(nothing_runs),
    action_command(KeyContext::Run, |app, _| app.start_undo(), "back", "undo one version, and choose what becomes of its edit", &[char_key('u')]).with_replay_description("to the previous version").with_hint("undo").disabled_if(nothing_accepted),
    engine_command(KeyContext::Run, |_| literal_line("redo"), "redo", "redo what was undone", &[ctrl_key('r')]).with_replay_description("to the next version").disabled_if(not_steerable_unless_replay),
    action_command(KeyContext::Run, |_, _| KeyEffect::Edit, "editor", "edit the program in your editor, and try the result", &[char_key('e')]).disabled_if(not_steerable),
    action_command(KeyContext::Replay, |app, arg| app.run_playback_action(PlaybackAction::Back, arg), "step-back", "back by one decision", &[char_key('b')]).with_hint("step back"),
    action_command(KeyContext::Replay, |app, arg| app.run_playback_action(PlaybackAction::Reverse, arg), "turn", "reverse the direction of playing", &[char_key('B')]).with_hint("backwards"),
    action_command(KeyContext::Replay, |app, arg| app.run_playback_action(PlaybackAction::Faster, arg), "faster", "play faster", &[char_key('}')]).with_hint("faster"),
    action_command(KeyContext::Replay, |app, arg| app.run_playback_action(PlaybackAction::Slower, arg), "slower", "play slower", &[char_key('{')]).with_hint("slower"),
    action_command(KeyContext::Replay, |app, arg| app.run_playback_action(PlaybackAction::Speed, arg), "speed", "play at the speed of the run, or that many times as fast", &[char_key('=')]).with_argument("TIMES", speed_values),
    action_command(KeyContext::Replay, |app, arg| app.run_playback_action(PlaybackAction::First, arg), "first", "to the beginning of the recording", &[char_key('0')]),
    action_command(KeyContext::Replay, |app, arg| app.run_playback_action(PlaybackAction::Last, arg), "last", "to the end of the recording", &[char_key('$')]),
    action_command(KeyContext::Replay, |app, arg| app.run_playback_action(PlaybackAction::GoTo, arg), "at", "to a decision (1200), a version (v12), or a percentage (50%)", &[char_key('@')]).with_hint("go to").with_argument("PLACE", no_values),
    action_command(KeyContext::Replay, |app, arg| app.run_playback_action(PlaybackAction::Seek, arg), "seek", "search forwards for an event: gone PLACE, size N, pass NAME, …", &[char_key(')')]).with_argument("WHAT", seek_events),
    action_command(KeyContext::Replay, |app, arg| app.run_playback_action(PlaybackAction::SeekBack, arg), "seek-back", "search backwards for an event", &[char_key('(')]).with_argument("WHAT", seek_events),
    view_command(KeyContext::Panes, |app, _| app.open_page(CandidatePage::default()), "candidate", "show the current candidate, or the last one, as a diff", &[char_key('d')]).with_replay_description("show the candidate of this moment as a diff").with_page(PageKind::Candidate).disabled_if(no_candidate),
    action_command(KeyContext::Panes, |app, arg| app.show_candidate(arg), "show", "show a candidate of the run by its number", &[char_key('#')]).with_argument("NUMBER", no_values).disabled_if(no_verdict),
    view_command(KeyContext::Panes, |app, _| app.open_page(StallPage::default()), "why", "say why the run is paused", &[char_key('w')]).with_page(PageKind::Stall).with_hint("why").disabled_if(not_suspended),
    view_command(KeyContext::Panes, |app, _| app.open_page(PropertyPage::default()), "looked-for", "show and change the property", &[char_key('W')]).with_page(PageKind::Property).disabled_if(no_property),
    view_command(KeyContext::Panes, |app, _| app.open_page(SteeringPage::default()), "in-force", "show and change what is in force: pins, focus, hints, breakpoints, passes", &[char_key('I')]).with_page(PageKind::Steering).disabled_if(nothing_in_force),
    view_command(KeyContext::Panes, |app, _| app.open_page(ResultPage::default()), "result", "show the result", &[char_key('r')]).with_page(PageKind::Result).with_hint("result").disabled_if(not_finished),
    view_command(KeyContext::Panes, |app, _| app.start_following(), "follow", "select what is being tried, until you move", &[char_key('F')]).with_hint("follow").disabled_if(already_following),
    view_command(KeyContext::Panes, |app, _| app.toggle_guess(), "guess", "guess before each verdict, or not: a step then has two keys", &[char_key('Y')]),
    view_command(KeyContext::Panes, |app, _| app.arrangement.cycle_focus(1), "next-pane", "focus the next pane", &[special_key(Tab)]).with_hint("pane"),
    view_command(KeyContext::Panes, |app, _| app.arrangement.cycle_focus(-1), "previous-pane", "focus the previous pane", &[special_key(BackTab)]),
    view_command(KeyContext::Panes, |app, _| app.arrangement.toggle_zoom(), "zoom", "show the focused pane alone, or all panes", &[char_key('z')]),
    view_command(KeyContext::Panes, |app, arg| app.switch_layout(arg), "layout", "switch to the next layout of panes, or to the one named", &[char_key('L')]).with_argument("LAYOUT", layout_names),
    view_command(KeyContext::Panes, |app, _| app.toggle_algorithm(), "algorithm", "show the algorithm at work, or the layout before", &[char_key('D')]),
    view_command(KeyContext::Panes, |app, _| app.arrangement.resize_columns(-25), "narrower", "make the left column narrower", &[char_key('[')]),
    view_command(KeyContext::Panes, |app, _| app.arrangement.resize_columns(25), "wider", "make the left column wider", &[char_key(']')]),
    view_command(KeyContext::Panes, |app, _| app.arrangement.resize_pane(1), "higher", "make the focused pane higher", &[char_key('+')]),
    view_command(KeyContext::Panes, |app, _| app.arrangement.resize_pane(-1), "lower", "make the focused pane lower", &[char_key('-')]),
    view_command(KeyContext::Panes, |app, _| app.panes.progress.toggle_axis(), "axis", "draw the curve over tests, or over time", &[char_key('o')]),
    view_command(KeyContext::Panes, |app, arg| app.select_theme(arg), "theme", "choose a theme, with a preview; or switch to the one named", &[char_key('T')]).with_argument("THEME", theme_names),
    navigation_command(KeyContext::Navigation, PaneAction::Up, "up", "one row or line up", &[special_key(Up), char_key('k')]),
    navigation_command(KeyContext::Navigation, PaneAction::Down, "down", "one row or line down", &[special_key(Down), char_key('j')]),
    navigation_command(KeyContext::Navigation, PaneAction::PageUp, "page-up", "a page up", &[special_key(PageUp), ctrl_key('b')]),
    navigation_command(KeyContext::Navigation, PaneAction::PageDown, "page-down", "a page down", &[special_key(PageDown), ctrl_key('f')]),
    navigation_command(KeyContext::Navigation, PaneAction::Top, "top", "to the beginning", &[char_key('g'), special_key(Home)]),
    navigation_command(KeyContext::Navigation, PaneAction::Bottom, "bottom", "to the end", &[char_key('G'), special_key(End)]),
    engine_command(KeyContext::Nodes, |app| selected_node_line(app, "pin"), "pin", "keep every token of the selected node", &[char_key('p')]).with_hint("pin").disabled_if(not_steerable),
    engine_command(KeyContext::Nodes, |app| selected_node_line(app, "pin-head"), "pin-head", "keep the selected node's name and kind", &[char_key('P')]).disabled_if(not_steerable),
    engine_command(KeyContext::Nodes, unpin_line, "unpin", "remove the pins on the selected node", &[char_key('U')]).disabled_if(not_steerable),
    engine_command(KeyContext::Nodes, |app| selected_node_line(app, "place"), "place", "it fails in the selected node: first ask whether all else can go", &[char_key('A')]).disabled_if(not_steerable),
    engine_command(KeyContext::Nodes, |app| selected_node_line(app, "slice"), "slice", "it fails on this line: ask whether all but its slice can go", &[char_key('a')]).disabled_if(not_steerable),
    engine_command(KeyContext::Nodes, |app| selected_node_line(app, "try delete"), "try delete", "try to delete the selected node now", &[char_key('x')]).with_hint("try").disabled_if(not_steerable),
    view_command(KeyContext::Nodes, |app, _| app.inspect_selection(), "inspect", "show what is known about the selected node: why is it still here?", &[char_key('i')]).with_page(PageKind::Inspection).with_hint("why here?"),
    view_command(KeyContext::Nodes, |app, arg| app.open_search(arg), "search", "search for a kind, text or file; kind:WORD, text:WORD, file:WORD for one", &[char_key('/')]).with_hint("search").with_argument("TEXT", no_values),
    view_command(KeyContext::Nodes, |app, _| app.go_to_next_hit(true), "next", "go to the next hit", &[char_key('n')]).disabled_if(no_search),
    view_command(KeyContext::Nodes, |app, _| app.go_to_next_hit(false), "previous", "go to the previous hit", &[char_key('N')]).disabled_if(no_search),
    action_command(KeyContext::Nodes, |app, arg| app.await_bookmark_letter(BookmarkAction::Set, arg), "mark", "mark the selected node with a letter", &[char_key('m')]).with_argument("LETTER", no_values),
    action_command(KeyContext::Nodes, |app, arg| app.await_bookmark_letter(BookmarkAction::Jump, arg), "go", "go to the node marked with a letter", &[char_key('\'')]).with_argument("LETTER", bookmark_letters),
    view_command(KeyContext::Project, |app, arg| app.open_file(arg), "open", "go to a file or a directory of the project", &[char_key('O')]).with_argument("PATH", App::file_paths),
    view_command(KeyContext::Project, |app, _| app.go_along_trail(true), "file-back", "back to where you were in another file", &[ctrl_key('o')]),
    view_command(KeyContext::Project, |app, _| app.go_along_trail(false), "file-forward", "forth again, after file-back", &[ctrl_key('n')]),
    navigation_command(KeyContext::Nodes, PaneAction::Heaviest, "heaviest", "to the heaviest node in the selected one", &[char_key('H')]),
    navigation_command(KeyContext::Tree, PaneAction::Unfold, "unfold", "unfold the node, or go into it", &[special_key(Right), char_key('l')]).with_hint("unfold"),
    navigation_command(KeyContext::Tree, PaneAction::Fold, "fold", "fold the node, or go to the node around it", &[special_key(Left), char_key('h')]).with_hint("fold"),
    navigation_command(KeyContext::Tree, PaneAction::Toggle, "toggle", "unfold or fold the node", &[special_key(Enter)]),
    navigation_command(KeyContext::Tree, PaneAction::UnfoldAll, "unfold-all", "unfold everything", &[char_key('E')]),
    navigation_command(KeyContext::Tree, PaneAction::FoldAll, "fold-all", "fold all but the top level", &[char_key('C')]),
    view_command(KeyContext::Tree, |app, arg| app.select_heat_measure(arg), "heat", "colour nodes by tests spent, by the last try, or by survival", &[char_key('t')]).with_argument("WHAT", heat_names),
    view_command(KeyContext::Graph, |app, _| app.inspect_selection(), "needs", "show which files need the selected one, and which it needs", &[special_key(Enter)]).with_page(PageKind::Inspection).with_hint("which need it"),
    navigation_command(KeyContext::Graph, PaneAction::Unfold, "needed", "to the first file below that the selected one needs", &[special_key(Right), char_key('l')]),
    navigation_command(KeyContext::Graph, PaneAction::Fold, "user", "to the file above that needs the selected one", &[special_key(Left), char_key('h')]),
    view_command(KeyContext::Pair, |app, _| app.go_to_hunk(true), "next-hunk", "to the next hunk of the difference", &[char_key('}'), char_key('v')]).with_hint("hunk"),
    view_command(KeyContext::Pair, |app, _| app.go_to_hunk(false), "previous-hunk", "to the previous hunk of the difference", &[char_key('{'), char_key('V')]),
    view_command(KeyContext::Pair, |app, _| app.select_twin(SEED), "seed", "select in the seed; the tree shows the seed", &[char_key('1')]),
    view_command(KeyContext::Pair, |app, _| app.select_twin(VARIANT), "variant", "select in the variant; the tree shows the variant", &[char_key('2')]),
    view_command(KeyContext::Pair, |app, _| app.show_words(), "words", "show the words of the line that only one of the two programs has", &[char_key('c')]).with_page(PageKind::Words),
    navigation_command(KeyContext::Program, PaneAction::Outer, "outer", "select the node around the selected one", &[special_key(Left), char_key('h')]).with_hint("outer"),
    navigation_command(KeyContext::Program, PaneAction::Inner, "inner", "select the first node in the selected one", &[special_key(Right), char_key('l')]).with_hint("inner"),
    navigation_command(KeyContext::Sideways, PaneAction::Left, "scroll-left", "show more of the text on the left", &[char_key('<')]),
    navigation_command(KeyContext::Sideways, PaneAction::Right, "scroll-right", "show more of the text on the right", &[char_key('>')]),
    view_command(KeyContext::Log, |app, _| app.show_verdict(), "details", "show the candidate, its verdict, and the test's output", &[special_key(Enter), char_key('i')]).with_page(PageKind::Verdict).with_hint("details").disabled_if(no_verdict),
    view_command(KeyContext::Log, |app, _| app.scroll_candidate(true), "into-candidate", "scroll the candidate of the row, by the keys of the program", &[special_key(Right), char_key('l')]).with_hint("scroll").disabled_if(no_verdict),
    view_command(KeyContext::Log, |app, _| app.scroll_candidate(false), "rows", "select rows again", &[special_key(Left), char_key('h')]),
    view_command(KeyContext::Log, |app, arg| app.select_verdict_filter(arg), "filter", "show all candidates, or those of one verdict", &[char_key('f')]).with_hint("filter").with_argument("VERDICT", verdict_names),
    engine_command(KeyContext::Log, |app| goto_logged_version_line(app), "continue", "continue from the version that the selected candidate made", &[char_key('v')]).with_replay_description("to the decision of the selected candidate").disabled_if(not_steerable_unless_replay),
    view_command(KeyContext::Passes, |app, _| app.show_pass(), "describe", "show what the selected pass does, and its numbers so far", &[char_key('i')]).with_page(PageKind::Pass).with_hint("what it does"),
    engine_command(KeyContext::Passes, toggle_pass_line, "switch", "disable the selected pass, or enable it", &[special_key(Enter), char_key('x')]).with_hint("switch").disabled_if(not_steerable),
    engine_command(KeyContext::Passes, |app| selected_pass_line(app, "earlier"), "earlier", "run the selected pass before the one above it", &[char_key('K')]).with_hint("earlier").disabled_if(not_steerable),
    engine_command(KeyContext::Passes, |app| selected_pass_line(app, "later"), "later", "run the selected pass after the one below it", &[char_key('J')]).with_hint("later").disabled_if(not_steerable),
    engine_command(KeyContext::Passes, |app| selected_pass_line(app, "restart"), "restart", "restart the selected pass now", &[char_key('R')]).disabled_if(not_steerable),
    engine_command(KeyContext::History, |app| goto_version_line(app), "goto", "continue from the selected version", &[special_key(Enter)]).with_replay_description("to the decision that made the selected version").with_hint("continue from it").disabled_if(not_steerable_unless_replay),
    view_command(KeyContext::Versions, |app, _| app.show_comparison(), "compare", "show how the selected version differs from the marked one", &[char_key('c')]).with_page(PageKind::Difference).with_hint("compare").disabled_if(no_versions),
    view_command(KeyContext::History, |app, _| app.show_origin(), "origin", "show the candidate that became the version, and the test's output", &[char_key('i')]).with_page(PageKind::Verdict).disabled_if(no_versions),
    view_command(KeyContext::Versions, |app, _| app.toggle_base_version(), "compare-from", "mark the selected version to compare others with it, or unmark it", &[char_key('m')]).with_hint("mark").disabled_if(no_versions),
    navigation_command(KeyContext::Candidate, PaneAction::NextChange, "next-change", "to the next change of the candidate, over all files", &[char_key('n')]),
    navigation_command(KeyContext::Candidate, PaneAction::PreviousChange, "previous-change", "to the change before", &[char_key('N')]),
    engine_command(KeyContext::Property, toggle_part_line, "property", "switch the selected part on or off", &[special_key(Enter), char_key('x')]).with_hint("switch").disabled_if(not_steerable),
    action_command(KeyContext::Steering, |app, _| app.remove_steering(), "remove", "remove the selected item", &[special_key(Enter), char_key('x')]).with_hint("remove").disabled_if(not_steerable),
    action_command(KeyContext::Steering, |app, _| app.retype_steering(), "retype", "change the selected item: another line in its place", &[char_key('e')]).with_hint("change").disabled_if(not_steerable),
    action_command(KeyContext::Result, |app, _| app.show_contrast(), "contrast", "show why the result is interesting: what its nearest neighbours do", &[char_key('c')]).with_hint("explain").disabled_if(no_contrast),
    engine_command(KeyContext::Result, |app| more_effort_line(app), "more", "go on with more effort: ask what was not asked yet", &[char_key('+')]).with_hint("ask more").disabled_if(no_more_effort),
    view_command(KeyContext::Page, |app, _| app.close_page(), "close", "close the page", &[special_key(Esc)]).with_hint("close"),
    action_command(KeyContext::Prompt, |app, _| app.accept_prompt(), "accept", "execute the line", &[special_key(Enter)]),
    action_command(KeyContext::Prompt, |app, _| app.cancel_prompt(), "cancel", "close the prompt", &[special_key(Esc), ctrl_key('c')]),
    action_command(KeyContext::Prompt, |app, _| app.complete_prompt(), "complete", "complete the line", &[special_key(Tab)]),
    view_command(KeyContext::Prompt, |app, _| app.cycle_completion(1), "next-proposal", "choose the next completion", &[special_key(Down), ctrl_key('n')]),
    view_command(KeyContext::Prompt, |app, _| app.cycle_completion(-1), "previous-proposal", "choose the previous completion", &[special_key(Up), ctrl_key('p')]),
    view_command(KeyContext::Everywhere, |app, _| app.open_prompt(""), "prompt", "type a command by its name", &[char_key(':'), ctrl_key('p')]).with_hint("command"),
    view_command(KeyContext::Everywhere, |app, _| app.toggle_help(), "help", "show or close the help: keys and marks", &[char_key('?')]).with_hint("help"),
    action_command(KeyContext::Everywhere, |_, _| KeyEffect::Suspend, "shell", "suspend lop; `fg` brings it back", &[ctrl_key('z')]),
    action_command(KeyContext::Everywhere, |_, _| KeyEffect::Quit, "quit", "stop the run, keep the best version, leave; attached: only leave", &[char_key('q'), ctrl_key('c')]).with_hint("quit"),
];

/// The command with this name.
pub fn find_command(name: &str) -> Option<&'static ScreenCommand> {
    COMMANDS.iter().find(|entry| entry.name == name)
}

/// The commands that the footer offers now.
pub fn hinted_commands(facts: &ScreenFacts) -> impl Iterator<Item = &'static ScreenCommand> {
    COMMANDS.iter().filter(move |entry| {
        entry.hint.is_some() && entry.context.is_active(facts) && (entry.disabled)(facts).is_none()
    })
}

fn literal_line(line: &str) -> Result<String, String> {
    Ok(line.to_owned())
}

fn pause_or_resume_line(app: &App) -> Result<String, String> {
    let pausing = app.pending.last_command() == Some(&EngineCommand::Pause);
    let runs = app.view.run_state() == Some(&RunState::Running);
    literal_line(match runs && !pausing {
        true => "pause",
        false => "resume",
    })
}

/// A line of this verb for the selected node.
fn selected_node_line(app: &App, verb: &str) -> Result<String, String> {
    Ok(format!("{verb} {}", app.selected_place()?))
}

/// A line that removes the pins on the selected node, or on what it uses.
fn unpin_line(app: &mut App) -> Result<String, String> {
    let place = app.selected_place()?;
    let place = match (place, app.view.snapshot.as_ref()) {
        (NodeTarget::Node(node), Some(snapshot)) => {
            released_place(snapshot, node, ConstraintRule::is_pin)
        }
        (place, _) => place,
    };
    Ok(format!("unpin {place}"))
}

fn selected_pass(app: &App) -> Option<&PassLine> {
    let snapshot = app.view.snapshot.as_ref()?;
    snapshot
        .passes
        .get(app.panes.passes.selected_pass(snapshot))
}

/// A line of this verb for the selected pass. The selection stays on it, wherever it goes.
fn selected_pass_line(app: &mut App, verb: &str) -> Result<String, String> {
    let pass = selected_pass(app).ok_or("there is no pass")?;
    let line = format!("{verb} {}", pass.name);
    if let Some(snapshot) = &app.view.snapshot {
        app.panes.passes.keep_selection(snapshot);
    }
    Ok(line)
}

/// A line that makes the selected version the current one.
fn goto_version_line(app: &App) -> Result<String, String> {
    let snapshot = app
        .view
        .snapshot
        .as_ref()
        .ok_or("there is no version yet")?;
    match app.panes.history.selected_number(snapshot) {
        here if here == snapshot.number => Err("it is the current version already".into()),
        there => Ok(format!("goto {there}")),
    }
}

/// A line that makes the version current that the selected candidate of the log made.
fn goto_logged_version_line(app: &App) -> Result<String, String> {
    let snapshot = app
        .view
        .snapshot
        .as_ref()
        .ok_or("there is no version yet")?;
    match app.chosen_version(snapshot)? {
        here if here == snapshot.number => Err("it is the current version already".into()),
        there => Ok(format!("goto {there}")),
    }
}

fn toggle_pass_line(app: &mut App) -> Result<String, String> {
    let off = selected_pass(app).is_some_and(|pass| pass.state == PassState::Disabled);
    selected_pass_line(app, if off { "enable" } else { "disable" })
}

/// A line that switches the selected part of the property. If almost any error has what is left, the page asks once more.
fn toggle_part_line(app: &mut App) -> Result<String, String> {
    let snapshot = app.view.snapshot.as_ref();
    let property = snapshot.and_then(|snapshot| snapshot.property.as_ref());
    let at = app.pages.selected_row();
    let part = property.and_then(|property| property.named_parts().nth(at));
    let (property, (name, part)) = property.zip(part).ok_or("there is no part")?;
    let change = PropertyChange::Switch(name.clone(), !part.on);
    let new = property.with_change(&change);
    let checked = new.and_then(|new| new.check_positive());
    checked.map_err(|error| error.to_string())?;
    let line = EngineCommand::Property(change, false).to_string();
    if app.weakens_property(&line) && !app.pages.confirm_selected() {
        return Err(format!("any error would do without {name}"));
    }
    Ok(line)
}

fn no_values(_: &App) -> Vec<String> {
    Vec::new()
}

fn layout_names(app: &App) -> Vec<String> {
    let scope = app.view.layout_scope();
    let layouts = LAYOUTS.iter().filter(|layout| layout.suits(scope));
    layouts.map(|layout| layout.name.into()).collect()
}

fn theme_names(app: &App) -> Vec<String> {
    app.view.setup.themes.names()
}

fn heat_names(_: &App) -> Vec<String> {
    heat::HeatMeasure::ALL
        .iter()
        .map(|(_, name)| (*name).into())
        .collect()
}

fn verdict_names(_: &App) -> Vec<String> {
    verdict_filter::ALL
        .iter()
        .map(|(_, name)| (*name).into())
        .collect()
}

fn speed_values(_: &App) -> Vec<String> {
    ["0.1", "1", "10", "100", "1000"].map(String::from).to_vec()
}

/// Events to search for in a recording: the first word of each, and every pass by its name.
fn seek_events(app: &App) -> Vec<String> {
    let passes = app
        .view
        .snapshot
        .iter()
        .flat_map(|snapshot| snapshot.passes.iter());
    let words = ["gone ", "touch ", "size ", "time ", "invalid", "timeout"];
    let words = words.into_iter().map(String::from);
    words
        .chain(passes.map(|pass| format!("pass {}", pass.name)))
        .collect()
}

fn bookmark_letters(app: &App) -> Vec<String> {
    let letters = app.bookmarks.letters();
    letters.map(|letter| letter.to_string()).collect()
}

/// Like [`not_steerable`], for commands that a replay has too.
fn not_steerable_unless_replay(facts: &ScreenFacts) -> Option<&'static str> {
    match facts.replay {
        true => None,
        false => not_steerable(facts),
    }
}

/// Why the run cannot be steered.
pub fn not_steerable(facts: &ScreenFacts) -> Option<&'static str> {
    match facts.phase {
        _ if facts.replay => Some("this is a replay"),
        None => Some("the run has not begun"),
        Some(_) => run_ended(facts),
    }
}

/// The message that the run has ended, and how to start one that can be steered. A recording can be played after its end, and a run that
/// stays at its end goes on.
pub fn run_ended(facts: &ScreenFacts) -> Option<&'static str> {
    (facts.is_finished() && !facts.replay && !facts.can_go_on)
        .then_some("the run has ended; to steer one, start it again: lop FILE TEST --command pause")
}

fn nothing_accepted(facts: &ScreenFacts) -> Option<&'static str> {
    match facts.has_accepted {
        false => Some("no candidate was accepted yet"),
        true => not_steerable_unless_replay(facts),
    }
}

fn no_versions(facts: &ScreenFacts) -> Option<&'static str> {
    (!facts.has_versions).then_some("there is no version yet")
}

fn no_property(facts: &ScreenFacts) -> Option<&'static str> {
    (!facts.has_property).then_some(
        "the test is a script: read the property there; with `lop FILE -- COMMAND` it has parts to switch",
    )
}

fn not_paused(facts: &ScreenFacts) -> Option<&'static str> {
    match facts.phase {
        Some(RunPhase::Running) if !facts.replay => Some("the run is not paused"),
        _ => nothing_runs_unless_replay(facts),
    }
}

/// Why there is nothing to pause, to step or to skip.
fn nothing_runs(facts: &ScreenFacts) -> Option<&'static str> {
    let stands = Some("nothing is left to try: undo, edit, unpin, effort and strategy go on");
    not_steerable(facts).or(stands.filter(|_| facts.can_go_on))
}

/// Like [`nothing_runs`], for commands that a replay has too.
fn nothing_runs_unless_replay(facts: &ScreenFacts) -> Option<&'static str> {
    match facts.replay {
        true => None,
        false => nothing_runs(facts),
    }
}

/// A line that asks for the next effort.
fn more_effort_line(app: &App) -> Result<String, String> {
    let effort = app.view.more_effort().ok_or("there is no more effort")?;
    Ok(format!("effort {effort}"))
}

fn already_following(facts: &ScreenFacts) -> Option<&'static str> {
    match facts.follows {
        true => Some("the selection follows the run already"),
        false => nothing_runs_unless_replay(facts),
    }
}

fn not_suspended(facts: &ScreenFacts) -> Option<&'static str> {
    match facts.phase {
        Some(RunPhase::Stalled | RunPhase::Paused) => None,
        Some(RunPhase::Finished) => Some("it has ended: see the result"),
        Some(RunPhase::Running) | None => Some("the run is not paused; nothing is wrong"),
    }
}

fn no_verdict(facts: &ScreenFacts) -> Option<&'static str> {
    (!facts.has_verdict).then_some("there is no verdict yet")
}

fn no_candidate(facts: &ScreenFacts) -> Option<&'static str> {
    (!facts.has_candidate).then_some("no candidate is being tested")
}

fn no_search(facts: &ScreenFacts) -> Option<&'static str> {
    (!facts.has_search).then_some("nothing was searched for")
}

fn nothing_in_force(facts: &ScreenFacts) -> Option<&'static str> {
    (!facts.is_steered)
        .then_some("no pin, focus, hint or breakpoint is, and no pass is off or moved")
}

fn no_contrast(facts: &ScreenFacts) -> Option<&'static str> {
    match (facts.can_contrast, facts.is_pair) {
        (true, _) => None,
        (false, true) => Some("it explains one program, and this is a pair"),
        (false, false) => Some("this is a recording: lop contrast FILE TEST does it"),
    }
}

fn no_more_effort(facts: &ScreenFacts) -> Option<&'static str> {
    (!facts.can_ask_more).then_some("there is no more effort, or the run has not come to its end")
}

fn not_finished(facts: &ScreenFacts) -> Option<&'static str> {
    (!facts.is_finished()).then_some("the run has not ended")
}
