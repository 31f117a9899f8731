//! What the test looks for, part by part, each to be switched.

use super::super::app::{App, Layer};
use super::super::canvas::Canvas;
use super::super::text;
use super::super::theme::Role;
use super::{line_width, page, paragraphs};
use crate::oracle::{Clue, Part};
use crate::reduce::Snapshot;

impl App {
    /// What the test looks for, if that was found out, is shown until the run begins.
    pub(in super::super) fn hear_beginning(&mut self, new: &Snapshot) {
        let is_page = |layer: &Layer| matches!(layer, Layer::Property(_));
        let waits = |of: &Snapshot| of.counts.decisions == 0 && of.state.stands();
        match &self.snapshot {
            None if new.property.is_some() && waits(new) => self.layers.push(Layer::Property(0)),
            Some(old) if waits(old) && !waits(new) => self.layers.retain(|layer| !is_page(layer)),
            _ => {}
        }
    }
}

/// Draws the page; part `at` is the selected one.
pub fn draw(app: &App, canvas: &mut Canvas, at: usize) {
    let glyphs = &app.look.glyphs;
    let safe = |line: &str| text::safe(line, glyphs.braille);
    let Some((snapshot, property)) = app
        .snapshot
        .as_ref()
        .and_then(|snapshot| Some((snapshot, snapshot.property.as_ref()?)))
    else {
        return;
    };
    let mut lines = vec![
        (
            "A candidate is interesting if all of this holds that counts:".to_owned(),
            Role::Title,
        ),
        (String::new(), Role::Text),
    ];
    for (number, (name, part)) in property.named().enumerate() {
        lines.push(line(number == at, &name, part, &safe));
        if let (true, Some(regex)) = (number == at, regex(&part.clue)) {
            lines.push((format!("                    /{}/", safe(regex)), Role::Dim));
        }
    }
    lines.push((String::new(), Role::Text));
    lines.push((
        format!("The test is {}", safe(&app.context.test)),
        Role::Dim,
    ));
    lines.push((String::new(), Role::Text));
    let keys = &app.setup.keys;
    let begins = snapshot.counts.decisions == 0 && snapshot.state.stands();
    if begins {
        let begins = keys.ways(&[("pause", "begins")]);
        lines.push((format!("Nothing was asked yet: {begins}."), Role::Note));
    }
    lines.push((
        "What you type after : as well: property grep RE, property not-grep RE, property exit N, property like PERCENT".into(),
        Role::Dim,
    ));
    let lines = paragraphs(&lines, line_width(canvas.width()), glyphs.cut);
    let other = match begins {
        true => ("pause", "begins"),
        false => ("close", "closes"),
    };
    let right = keys.ways(&[("property", "switches"), other]);
    page(canvas, "What is looked for", &right, &lines, 0);
}

fn line(selected: bool, name: &str, part: &Part, safe: &dyn Fn(&str) -> String) -> (String, Role) {
    let mark = if selected { ">" } else { " " };
    let counts = if part.on { "[x]" } else { "[ ]" };
    let role = match (selected, part.on) {
        (true, _) => Role::Note,
        (false, true) => Role::Text,
        (false, false) => Role::Dim,
    };
    (
        format!(
            "{mark} {counts} {name:<12}  {}",
            safe(&part.clue.to_string())
        ),
        role,
    )
}

/// The expression behind what is shown.
fn regex(clue: &Clue) -> Option<&str> {
    match clue {
        Clue::Line(pattern) | Clue::Frame(pattern) => Some(&pattern.regex),
        _ => None,
    }
}
