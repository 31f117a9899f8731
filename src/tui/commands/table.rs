//! The table of commands.

use crossterm::event::KeyCode::{
    BackTab, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right, Tab, Up,
};

use super::super::app::{App, Awaited, Effect, Layer};
use super::super::keys::{ctrl, key, special};
use super::super::layout::LAYOUTS;
use super::super::{filter, heat};
use super::{Act, Action, Entry, Place, Play, entry};
use crate::reduce::{Command, PassState, State};

/// Something that the screen does, and what comes of it. What follows the name in the prompt goes with it.
const fn does(
    place: Place,
    deed: fn(&mut App, Option<&str>) -> Effect,
    name: &'static str,
    what: &'static str,
    keys: &'static [super::Key],
) -> Entry {
    entry(place, Act::Do(deed), name, what, keys)
}

/// Something that changes what the screen shows, and no more.
const fn shows(
    place: Place,
    deed: fn(&mut App, Option<&str>),
    name: &'static str,
    what: &'static str,
    keys: &'static [super::Key],
) -> Entry {
    entry(place, Act::Show(deed), name, what, keys)
}

/// A move, which each pane and page makes in its own way.
const fn moves(
    place: Place,
    action: Action,
    name: &'static str,
    what: &'static str,
    keys: &'static [super::Key],
) -> Entry {
    entry(place, Act::Move(action), name, what, keys)
}

/// A key for a line to the run.
const fn tell(
    place: Place,
    line: fn(&App) -> Result<String, String>,
    name: &'static str,
    what: &'static str,
    keys: &'static [super::Key],
) -> Entry {
    entry(place, Act::Tell(line), name, what, keys)
}

/// All commands. Of two that have the same key, only one applies at any place; a test sees to it.
// One line a command: it is read as a table.
#[rustfmt::skip]
pub const COMMANDS: &[Entry] = &[
    tell(Place::Run, pause_or_resume, "pause", "pause the run, or let it go on", &[key(' ')]).replayed("play, or stand still").hint("pause").unless(while_it_lasts),
    tell(Place::Run, |_| line("step"), "step", "let the paused run ask exactly one question", &[key('.')]).replayed("on by one decision").hint("step").unless(while_paused),
    tell(Place::Run, |_| line("step commit"), "step commit", "let the run go on to the next version", &[key(',')]).replayed("on to the next version").unless(while_paused),
    tell(Place::Run, |_| line("skip candidate"), "skip candidate", "leave the question at hand alone", &[key('s')]).unless(unsteered),
    tell(Place::Run, |_| line("skip node"), "skip node", "leave the node at hand alone until the pass ends", &[key('S')]).unless(unsteered),
    does(Place::Run, |app, _| app.undo(), "back", "back by one version; choose what becomes of that edit", &[key('u')]).replayed("back to the version before").hint("undo").unless(before_the_first_take),
    tell(Place::Run, |_| line("redo"), "redo", "forward to what was undone", &[ctrl('r')]).replayed("on to the next version").unless(while_it_lasts),
    does(Place::Run, |_, _| Effect::Edit, "editor", "your own editor on the program; what comes back is tried", &[key('e')]).unless(unsteered),
    does(Place::Replay, |app, arg| app.play(Play::Back, arg), "step-back", "back by one decision", &[key('b')]).hint("step back"),
    does(Place::Replay, |app, arg| app.play(Play::Turn, arg), "turn", "play the other way: backwards, or forwards again", &[key('B')]).hint("backwards"),
    does(Place::Replay, |app, arg| app.play(Play::Faster, arg), "faster", "play faster", &[key('}')]).hint("faster"),
    does(Place::Replay, |app, arg| app.play(Play::Slower, arg), "slower", "play slower", &[key('{')]).hint("slower"),
    does(Place::Replay, |app, arg| app.play(Play::Speed, arg), "speed", "play as fast as the run was, or so many times as fast", &[key('=')]).takes("TIMES", speeds),
    does(Place::Replay, |app, arg| app.play(Play::First, arg), "first", "to the beginning of the recording", &[key('0')]),
    does(Place::Replay, |app, arg| app.play(Play::Last, arg), "last", "to the end of the recording", &[key('$')]),
    does(Place::Replay, |app, arg| app.play(Play::At, arg), "at", "to a decision (1200), a version (v12), or a share of it (50%)", &[key('@')]).hint("go to").takes("PLACE", nothing),
    does(Place::Replay, |app, arg| app.play(Play::Seek, arg), "seek", "on to where it happens: gone PLACE, size N, pass NAME, invalid, …", &[key(')')]).takes("WHAT", events),
    does(Place::Replay, |app, arg| app.play(Play::SeekBack, arg), "seek-back", "back to where it happened", &[key('(')]).takes("WHAT", events),
    shows(Place::Panes, |app, _| app.open(Layer::Candidate(0)), "candidate", "show the candidate as a diff: what is tried, or was tried last", &[key('d')]).replayed("show the candidate of this moment as a diff").page(|page| matches!(page, Layer::Candidate(_))).unless(before_the_first_question),
    shows(Place::Panes, |app, _| app.open(Layer::Trouble(0)), "why", "say why the run stands still", &[key('w')]).page(|page| matches!(page, Layer::Trouble(_))).hint("why").unless(while_all_is_well),
    shows(Place::Panes, |app, _| app.open(Layer::Property(0)), "looked-for", "show what the test looks for, and change it", &[key('W')]).page(|page| matches!(page, Layer::Property(_))).unless(without_a_property),
    shows(Place::Panes, |app, _| app.open(Layer::Result), "result", "show the result", &[key('r')]).page(|page| matches!(page, Layer::Result)).hint("result").unless(at_the_end),
    shows(Place::Panes, |app, _| app.begin_following(), "follow", "follow what is being tried; moving stops it", &[key('F')]).hint("follow").unless(once_followed),
    shows(Place::Panes, |app, _| app.turn(1), "next-pane", "give the keys to the next pane", &[special(Tab)]).hint("pane"),
    shows(Place::Panes, |app, _| app.turn(-1), "previous-pane", "give the keys to the pane before", &[special(BackTab)]),
    shows(Place::Panes, |app, _| app.zoom(), "zoom", "the pane that has the keys alone, or all panes", &[key('z')]),
    shows(Place::Panes, |app, arg| app.lay_out(arg), "layout", "other panes: the next layout, or the one named", &[key('L')]).takes("LAYOUT", layouts),
    shows(Place::Panes, |app, _| app.widen(-25), "narrower", "make the left column narrower", &[key('[')]),
    shows(Place::Panes, |app, _| app.widen(25), "wider", "make the left column wider", &[key(']')]),
    shows(Place::Panes, |app, _| app.heighten(1), "higher", "make the pane that has the keys higher", &[key('+')]),
    shows(Place::Panes, |app, _| app.heighten(-1), "lower", "make the pane that has the keys lower", &[key('-')]),
    shows(Place::Panes, |app, _| app.turn_axis(), "axis", "the curve over tests, or over time", &[key('o')]),
    shows(Place::Panes, |app, arg| app.paint(arg), "theme", "choose other colours, with a preview; or take the theme named", &[key('T')]).takes("THEME", themes),
    moves(Place::Moves, Action::Up, "up", "one row or line up", &[special(Up), key('k')]),
    moves(Place::Moves, Action::Down, "down", "one row or line down", &[special(Down), key('j')]),
    moves(Place::Moves, Action::PageUp, "page-up", "a page up", &[special(PageUp), ctrl('b')]),
    moves(Place::Moves, Action::PageDown, "page-down", "a page down", &[special(PageDown), ctrl('f')]),
    moves(Place::Moves, Action::Top, "top", "to the beginning", &[key('g'), special(Home)]),
    moves(Place::Moves, Action::Bottom, "bottom", "to the end", &[key('G'), special(End)]),
    tell(Place::Nodes, |app| on_selected(app, "pin"), "pin", "every token of the selected node stays", &[key('p')]).hint("pin").unless(unsteered),
    tell(Place::Nodes, |app| on_selected(app, "pin-head"), "pin-head", "the selected node stays by its name and kind", &[key('P')]).unless(unsteered),
    tell(Place::Nodes, |app| on_selected(app, "unpin"), "unpin", "the pins on the selected node go", &[key('U')]).unless(unsteered),
    tell(Place::Nodes, |app| on_selected(app, "try delete"), "try delete", "ask now whether the selected node can go", &[key('x')]).hint("try").unless(unsteered),
    shows(Place::Nodes, |app, _| app.open(Layer::Inspection(0)), "inspect", "all that is known of the selected node: why is it still here?", &[key('i')]).page(|page| matches!(page, Layer::Inspection(_))),
    shows(Place::Nodes, |app, arg| app.search_for(arg), "search", "look for a kind or a text; kind:WORD or text:WORD for one of them", &[key('/')]).hint("search").takes("TEXT", nothing),
    shows(Place::Nodes, |app, _| app.go_to_next(true), "next", "the next that was found", &[key('n')]).unless(before_a_search),
    shows(Place::Nodes, |app, _| app.go_to_next(false), "previous", "the one that was found before", &[key('N')]).unless(before_a_search),
    does(Place::Nodes, |app, arg| app.await_letter(Awaited::Mark, arg), "mark", "remember the selected node under the letter that follows", &[key('m')]).takes("LETTER", nothing),
    does(Place::Nodes, |app, arg| app.await_letter(Awaited::Go, arg), "go", "to the node of the letter that follows", &[key('\'')]).takes("LETTER", letters),
    moves(Place::Nodes, Action::Heaviest, "heaviest", "to the heaviest node in the selected one", &[key('H')]),
    moves(Place::Tree, Action::Unfold, "unfold", "unfold the node, or go into it", &[special(Right), key('l')]).hint("unfold"),
    moves(Place::Tree, Action::Fold, "fold", "fold the node, or go to what it lies in", &[special(Left), key('h')]).hint("fold"),
    moves(Place::Tree, Action::Toggle, "toggle", "unfold or fold the node", &[special(Enter)]),
    moves(Place::Tree, Action::UnfoldAll, "unfold-all", "unfold everything", &[key('E')]),
    moves(Place::Tree, Action::FoldAll, "fold-all", "fold all but the top level", &[key('C')]),
    shows(Place::Tree, |app, arg| app.choose_heat(arg), "heat", "show how hot nodes are: by tests spent, by the last try, by survival", &[key('t')]).takes("WHAT", heats),
    moves(Place::Program, Action::Outer, "outer", "select the node around the selected one", &[special(Left), key('h')]).hint("outer"),
    moves(Place::Program, Action::Inner, "inner", "select the first node in the selected one", &[special(Right), key('l')]).hint("inner"),
    moves(Place::Program, Action::Left, "scroll-left", "show more of the text on the left", &[key('<')]),
    moves(Place::Program, Action::Right, "scroll-right", "show more of the text on the right", &[key('>')]),
    shows(Place::Verdicts, |app, _| app.show_verdict(), "details", "show the question, the verdict, and what the test printed", &[special(Enter), key('i')]).page(|page| matches!(page, Layer::Verdict(_))).hint("details").unless(before_the_first_verdict),
    shows(Place::Verdicts, |app, arg| app.choose_filter(arg), "filter", "show all verdicts, or those of one kind", &[key('f')]).hint("filter").takes("VERDICT", verdicts),
    shows(Place::Passes, |app, _| app.show_pass(), "describe", "what the selected pass does, and how it went so far", &[key('i')]).page(|page| matches!(page, Layer::Pass(_))).hint("what it does"),
    tell(Place::Passes, switch, "switch", "disable the selected pass, or enable it", &[special(Enter), key('x')]).hint("switch").unless(unsteered),
    tell(Place::Passes, |app| on_pass(app, "earlier"), "earlier", "the selected pass runs before the one above it", &[key('K')]).hint("earlier").unless(unsteered),
    tell(Place::Passes, |app| on_pass(app, "later"), "later", "the selected pass runs after the one below it", &[key('J')]).hint("later").unless(unsteered),
    tell(Place::Passes, |app| on_pass(app, "restart"), "restart", "the selected pass begins anew, now", &[key('R')]).unless(unsteered),
    tell(Place::History, to_version, "goto", "the run goes on from the selected version", &[special(Enter)]).replayed("to the moment at which the selected version was made").hint("go on from it").unless(while_it_lasts),
    shows(Place::History, |app, _| app.compare(), "compare", "how the program became the selected version, from the marked one", &[key('c')]).page(|page| matches!(page, Layer::Difference(_))).hint("compare").unless(without_versions),
    shows(Place::History, |app, _| app.show_origin(), "origin", "show the question that led to the version, and what the test printed", &[key('i')]).page(|page| matches!(page, Layer::Verdict(_))).unless(without_versions),
    shows(Place::History, |app, _| app.mark_version(), "compare-from", "compare others with the selected version, or no longer", &[key('m')]).hint("mark").unless(without_versions),
    tell(Place::Property, switch_part, "property", "the selected part counts, or no longer", &[special(Enter), key('x')]).hint("switch").unless(unsteered),
    shows(Place::Layer, |app, _| app.close(), "close", "close the page", &[special(Esc)]).hint("close"),
    does(Place::Prompt, |app, _| app.accept(), "accept", "do what was typed", &[special(Enter)]),
    shows(Place::Prompt, |app, _| app.cancel(), "cancel", "do nothing", &[special(Esc), ctrl('c')]),
    shows(Place::Prompt, |app, _| app.complete(), "complete", "complete what was typed", &[special(Tab)]),
    shows(Place::Prompt, |app, _| app.propose(1), "next-proposal", "the next of what it could become", &[special(Down), ctrl('n')]),
    shows(Place::Prompt, |app, _| app.propose(-1), "previous-proposal", "the one before", &[special(Up), ctrl('p')]),
    shows(Place::Everywhere, |app, _| app.ask(""), "prompt", "type a command by its name", &[key(':'), ctrl('p')]).hint("command"),
    shows(Place::Everywhere, |app, _| app.explain(), "help", "explain the keys and marks, or stop explaining", &[key('?')]).hint("help"),
    does(Place::Everywhere, |_, _| Effect::Suspend, "shell", "go to the shell; the run waits until `fg` brings it back", &[ctrl('z')]),
    does(Place::Everywhere, |_, _| Effect::Leave, "quit", "stop the run, keep the best, leave", &[key('q'), ctrl('c')]).hint("quit"),
];

fn line(line: &str) -> Result<String, String> {
    Ok(line.to_owned())
}

fn pause_or_resume(app: &App) -> Result<String, String> {
    let last = app.pending.last().map(|pending| &pending.command);
    let pausing = last == Some(&Command::Pause);
    let runs = app.state() == Some(&State::Running);
    line(match runs && !pausing {
        true => "pause",
        false => "resume",
    })
}

/// A verb about the selected node.
fn on_selected(app: &App, verb: &str) -> Result<String, String> {
    let selected = app.selected.ok_or("nothing is selected")?;
    Ok(format!("{verb} #{}", selected.0))
}

/// A verb about the selected pass.
fn on_pass(app: &App, verb: &str) -> Result<String, String> {
    let passes = app.snapshot.as_ref().map(|snapshot| &snapshot.passes);
    let pass = passes.and_then(|passes| passes.get(app.pass()));
    let pass = pass.ok_or("there is no pass")?;
    Ok(format!("{verb} {}", pass.name))
}

/// To the selected version.
fn to_version(app: &App) -> Result<String, String> {
    let snapshot = app.snapshot.as_ref().ok_or("there is no version yet")?;
    match app.versions.at(snapshot) {
        here if here == snapshot.number => Err("the run is there already".into()),
        there => Ok(format!("goto {there}")),
    }
}

fn switch(app: &App) -> Result<String, String> {
    let passes = app.snapshot.as_ref().map(|snapshot| &snapshot.passes);
    let pass = passes.and_then(|passes| passes.get(app.pass()));
    let off = pass.is_some_and(|pass| pass.state == PassState::Off);
    on_pass(app, if off { "enable" } else { "disable" })
}

/// The selected part of what is looked for, the other way round.
fn switch_part(app: &App) -> Result<String, String> {
    let property = app
        .snapshot
        .as_ref()
        .and_then(|snapshot| snapshot.property.as_ref());
    let at = match app.layers.last() {
        Some(Layer::Property(at)) => *at,
        _ => 0,
    };
    let part = property.and_then(|property| property.named().nth(at));
    let (name, part) = part.ok_or("there is no part")?;
    Ok(format!(
        "property {name} {}",
        if part.on { "off" } else { "on" }
    ))
}

fn nothing(_: &App) -> Vec<String> {
    Vec::new()
}

fn layouts(_: &App) -> Vec<String> {
    LAYOUTS.iter().map(|layout| layout.name.into()).collect()
}

fn themes(app: &App) -> Vec<String> {
    app.setup.themes.names()
}

fn heats(_: &App) -> Vec<String> {
    heat::Measure::ALL
        .iter()
        .map(|(_, name)| (*name).into())
        .collect()
}

fn verdicts(_: &App) -> Vec<String> {
    filter::ALL.iter().map(|(_, name)| (*name).into()).collect()
}

fn speeds(_: &App) -> Vec<String> {
    ["0.1", "1", "10", "100", "1000"].map(String::from).to_vec()
}

/// What can be looked for in a recording: the first word, and the passes with theirs.
fn events(app: &App) -> Vec<String> {
    let passes = app
        .snapshot
        .iter()
        .flat_map(|snapshot| snapshot.passes.iter());
    let words = ["gone ", "touch ", "size ", "time ", "invalid", "timeout"];
    let words = words.into_iter().map(String::from);
    words
        .chain(passes.map(|pass| format!("pass {}", pass.name)))
        .collect()
}

fn letters(app: &App) -> Vec<String> {
    app.letters
        .keys()
        .map(|letter| letter.to_string())
        .collect()
}

/// What a player can do for a recording as well.
fn while_it_lasts(app: &App) -> Option<&'static str> {
    match app.context.replay {
        true => None,
        false => unsteered(app),
    }
}

/// Why the run cannot be steered.
pub fn unsteered(app: &App) -> Option<&'static str> {
    match app.state() {
        _ if app.context.replay => Some("this is a replay"),
        None => Some("the run has not begun"),
        Some(_) => ended(app),
    }
}

/// That the run has ended, and how to get one that can still be steered; a recording is played all the same.
pub fn ended(app: &App) -> Option<&'static str> {
    (app.finished() && !app.context.replay)
        .then_some("the run has ended; to steer it, begin it anew: lop FILE TEST --command pause")
}

fn before_the_first_take(app: &App) -> Option<&'static str> {
    let first = app
        .snapshot
        .as_ref()
        .is_none_or(|snapshot| snapshot.number == 0);
    if first {
        Some("nothing was taken yet")
    } else {
        while_it_lasts(app)
    }
}

fn without_versions(app: &App) -> Option<&'static str> {
    let snapshot = app.snapshot.as_ref();
    let none = snapshot.is_none_or(|snapshot| snapshot.history.is_empty());
    none.then_some("there is no version yet")
}

fn without_a_property(app: &App) -> Option<&'static str> {
    let property = app
        .snapshot
        .as_ref()
        .and_then(|snapshot| snapshot.property.as_ref());
    property
        .is_none()
        .then_some("the test is a script: read there what it looks for; `lop FILE -- COMMAND` has parts to switch")
}

fn while_paused(app: &App) -> Option<&'static str> {
    match app.state() {
        Some(State::Running) if !app.context.replay => Some("the run is not paused"),
        _ => while_it_lasts(app),
    }
}

fn once_followed(app: &App) -> Option<&'static str> {
    if app.follow {
        Some("it is followed already")
    } else {
        while_it_lasts(app)
    }
}

fn while_all_is_well(app: &App) -> Option<&'static str> {
    match app.state() {
        Some(State::Stuck(_)) => None,
        Some(State::Paused(_)) => Some("it was told to pause: let it go on, or step"),
        Some(State::Finished(_)) => Some("it has ended: the result says how"),
        Some(State::Running) | None => Some("the run goes on, nothing is wrong"),
    }
}

fn before_the_first_verdict(app: &App) -> Option<&'static str> {
    app.verdict().is_none().then_some("there is no verdict yet")
}

fn before_the_first_question(app: &App) -> Option<&'static str> {
    app.shown_edit().is_none().then_some("nothing is asked now")
}

fn before_a_search(app: &App) -> Option<&'static str> {
    app.search.is_none().then_some("nothing was looked for")
}

fn at_the_end(app: &App) -> Option<&'static str> {
    (!matches!(app.state(), Some(State::Finished(_)))).then_some("the run has not ended")
}
