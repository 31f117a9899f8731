//! What the test looks for, part by part, each to be switched.

use super::{draw_text_page, line_width, wrap_paragraphs};
use crate::oracle::{PropertyCriterion, PropertyPart};
use crate::reduce::RunSnapshot;
use crate::tui::app::{App, OverlayPage};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::theme::Role;

impl App {
    /// What the test looks for, if that was found out, is shown until the run begins.
    pub(in crate::tui) fn update_property_page(&mut self, new: &RunSnapshot) {
        let is_page = |layer: &OverlayPage| matches!(layer, OverlayPage::Property(_));
        let waits = |of: &RunSnapshot| of.counts.decisions == 0 && of.state.is_suspended();
        match &self.snapshot {
            None if new.property.is_some() && waits(new) => {
                self.layers.push(OverlayPage::Property(0))
            }
            Some(old) if waits(old) && !waits(new) => self.layers.retain(|layer| !is_page(layer)),
            _ => {}
        }
    }
}

/// Draws the page; part `at` is the selected one.
pub fn draw_property_page(app: &App, canvas: &mut ClippedCanvas, at: usize) {
    let glyphs = &app.theme.glyphs;
    let safe = |line: &str| text::displayable_line(line, glyphs.braille);
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
    for (number, (name, part)) in property.named_parts().enumerate() {
        lines.push(property_line(number == at, &name, part, &safe));
        if let (true, Some(regex)) = (number == at, matcher_regex(&part.clue)) {
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
    let begins = snapshot.counts.decisions == 0 && snapshot.state.is_suspended();
    if begins {
        let begins = keys.describe_keys(&[("pause", "begins")]);
        lines.push((format!("Nothing was asked yet: {begins}."), Role::Note));
    }
    lines.push((
        "What you type after : as well: property grep RE, property not-grep RE, property exit N, property like PERCENT".into(),
        Role::Dim,
    ));
    let lines = wrap_paragraphs(&lines, line_width(canvas.width()), glyphs.cut);
    let other = match begins {
        true => ("pause", "begins"),
        false => ("close", "closes"),
    };
    let right = keys.describe_keys(&[("property", "switches"), other]);
    draw_text_page(canvas, "What is looked for", &right, &lines, 0);
}

fn property_line(
    selected: bool,
    name: &str,
    part: &PropertyPart,
    safe: &dyn Fn(&str) -> String,
) -> (String, Role) {
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
fn matcher_regex(clue: &PropertyCriterion) -> Option<&str> {
    match clue {
        PropertyCriterion::Line(pattern) | PropertyCriterion::Frame(pattern) => {
            Some(&pattern.regex)
        }
        _ => None,
    }
}
