//! The property, part by part; each part can be switched on or off.

use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::text_page::{PageScroll, draw_text_page, line_width, wrap_paragraphs};
use crate::oracle::{PropertyCriterion, PropertyPart};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::panes::pane_action::{PaneAction, step_index};
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The page of the property.
#[derive(Debug, Default)]
pub struct PropertyPage {
    /// The part that the user is on.
    part: usize,
    /// Whether the page warns that any error would do without this part.
    warns: bool,
}

impl OverlayPage for PropertyPage {
    fn kind(&self) -> PageKind {
        PageKind::Property
    }

    fn draw_page(&mut self, context: &PageContext, canvas: &mut ClippedCanvas) {
        let view = context.view;
        let glyphs = &view.theme.glyphs;
        let safe = |line: &str| text::displayable_line(line, glyphs.braille);
        let Some(snapshot) = &view.snapshot else {
            return;
        };
        let Some(property) = &snapshot.property else {
            return;
        };
        let mut lines = vec![
            (
                "A candidate is interesting if all parts that are on hold:".to_owned(),
                Role::Title,
            ),
            (String::new(), Role::Text),
        ];
        for (number, (name, part)) in property.named_parts().enumerate() {
            lines.push(property_line(number == self.part, &name, part, &safe));
            if let (true, Some(regex)) = (number == self.part, matcher_regex(&part.criterion)) {
                lines.push((format!("                    /{}/", safe(regex)), Role::Dim));
            }
        }
        let left = property.named_parts().enumerate();
        let left = left.filter(|(number, (_, part))| part.on && *number != self.part);
        let left: Vec<String> = left
            .map(|(_, (_, part))| safe(&part.criterion.to_string()))
            .collect();
        if self.warns {
            let keys = view.setup.keys.describe_keys(&[("property", "switches")]);
            lines.push((String::new(), Role::Text));
            lines.push((
                format!(
                    "Without this part only {} is left, and any error will do: a text of nonsense has it too. Again, {keys} it off all the same.",
                    left.join(", ")
                ),
                Role::Failed,
            ));
        }
        lines.push((String::new(), Role::Text));
        lines.push((
            format!("The test is {}", safe(&view.context.test)),
            Role::Dim,
        ));
        lines.push((String::new(), Role::Text));
        let keys = &view.setup.keys;
        let not_started = snapshot.counts.decisions == 0 && snapshot.state.is_suspended();
        if not_started {
            let starts = keys.describe_keys(&[("pause", "starts the run")]);
            lines.push((format!("Nothing was tested yet: {starts}."), Role::Note));
        }
        lines.push((
        "Other parts are typed after `:` as property grep RE, property not-grep RE, property exit N, property like PERCENT".into(),
        Role::Dim,
    ));
        let lines = wrap_paragraphs(&lines, line_width(canvas.width()), glyphs.cut);
        let other = match not_started {
            true => ("pause", "starts the run"),
            false => ("close", "closes"),
        };
        let right = keys.describe_keys(&[("property", "switches"), other]);
        draw_text_page(
            canvas,
            "Property",
            &right,
            &lines,
            &mut PageScroll::default(),
        );
    }

    fn navigate(&mut self, action: PaneAction, view: &RunView) {
        let Some(snapshot) = &view.snapshot else {
            return;
        };
        let parts = snapshot.property.as_ref().map_or(0, |all| all.parts.len());
        self.part = step_index(self.part, action, 10).min(parts.saturating_sub(1));
        self.warns = false;
    }

    fn confirm_selected(&mut self) -> bool {
        self.warns = !self.warns;
        !self.warns
    }

    fn selected_row(&self) -> usize {
        self.part
    }
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
            safe(&part.criterion.to_string())
        ),
        role,
    )
}

/// The regular expression that a part is matched by.
fn matcher_regex(criterion: &PropertyCriterion) -> Option<&str> {
    match criterion {
        PropertyCriterion::Line(pattern)
        | PropertyCriterion::Frame(pattern)
        | PropertyCriterion::NoLine(pattern) => Some(&pattern.regex),
        _ => None,
    }
}
