//! Calls a user back who looks elsewhere: the terminal's title, its bell, or a notification of the desktop.
//!
//! ```text
//!   running ──complete, failed, stalled, breakpoint──▶ "input.c: done, 26 of 6,257 tokens"
//! ```

use crate::display::sanitize_line;
use crate::reduce::{FinishReason, RunSnapshot, RunState};
use crate::tui::drawing::text;

/// How the terminal calls the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttentionSignal {
    /// By its title: OSC 2.
    Title,
    /// By its bell.
    Bell,
    /// By a notification of the desktop, as iTerm2 began it: OSC 9.
    Osc9,
    /// By a notification of the desktop, as rxvt began it: OSC 777.
    Osc777,
}

/// The words of the option `notify`; another word calls nobody.
const SIGNALS: [(&str, AttentionSignal); 4] = [
    ("title", AttentionSignal::Title),
    ("bell", AttentionSignal::Bell),
    ("osc9", AttentionSignal::Osc9),
    ("osc777", AttentionSignal::Osc777),
];

impl AttentionSignal {
    /// The signal of this word of the option `notify`; none for `off`.
    pub fn from_word(word: &str) -> Option<AttentionSignal> {
        let found = SIGNALS.iter().find(|(known, _)| *known == word);
        found.map(|(_, signal)| *signal)
    }

    /// What the terminal must be sent to say this, or to say nothing any more.
    fn to_sequence(self, message: Option<&str>) -> String {
        match (self, message) {
            (AttentionSignal::Title, Some(message)) => format!("\x1b]2;lop: {message}\x1b\\"),
            (AttentionSignal::Title, None) => "\x1b]2;lop\x1b\\".into(),
            (AttentionSignal::Bell, Some(_)) => "\x07".into(),
            (AttentionSignal::Osc9, Some(message)) => format!("\x1b]9;lop: {message}\x1b\\"),
            // A semicolon ends a field.
            (AttentionSignal::Osc777, Some(message)) => {
                let message = message.replace(';', ",");
                format!("\x1b]777;notify;lop;{message}\x1b\\")
            }
            (_, None) => String::new(),
        }
    }
}

/// What was said last. The state in which a screen begins is no news.
#[derive(Debug, Default)]
pub struct AttentionState {
    last: Option<Option<String>>,
}

impl AttentionState {
    /// What the terminal must be sent now that `message` holds; empty where it holds already.
    pub fn update_message(
        &mut self,
        signal: Option<AttentionSignal>,
        message: Option<String>,
    ) -> String {
        let before = self.last.replace(message);
        match (before, signal) {
            (Some(before), Some(signal)) if Some(&before) != self.last.as_ref() => {
                signal.to_sequence(self.last.as_ref().and_then(Option::as_deref))
            }
            _ => String::new(),
        }
    }
}

/// Why a run wants its user, on one line without control characters; none while it goes on, or does what the user has just asked for.
pub fn attention_message(title: &str, snapshot: &RunSnapshot) -> Option<String> {
    if snapshot.replay.is_some() {
        return None;
    }
    let what = match &snapshot.state {
        RunState::Running | RunState::Paused(None) | RunState::Finished(FinishReason::Stopped) => {
            return None;
        }
        RunState::Paused(Some(reason)) => format!("paused: {reason}"),
        RunState::Stalled(reason) => format!("waits for you: {reason}"),
        RunState::Finished(FinishReason::Failed(reason)) => format!("failed: {reason}"),
        RunState::Finished(FinishReason::Complete) => {
            let (left, whole) = snapshot.primary_sizes();
            let unit = snapshot.version.objective().unit();
            format!(
                "done, {} of {}",
                text::format_number(left.into()),
                text::format_count(whole.into(), unit)
            )
        }
    };
    let message = format!("{title}: {what}").replace('\n', "; ");
    Some(sanitize_line(&message).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a terminal gets when these messages hold one after the other.
    fn sent(signal: Option<AttentionSignal>, messages: &[Option<&str>]) -> Vec<String> {
        let mut state = AttentionState::default();
        let say = |message: &Option<&str>| state.update_message(signal, message.map(str::to_owned));
        messages.iter().map(say).collect()
    }

    #[test]
    fn each_signal_says_each_piece_of_news_once() {
        let story = [None, Some("a.c: done"), Some("a.c: done"), None];
        let rows: [(&str, [&str; 4]); 5] = [
            ("off", ["", "", "", ""]),
            ("bell", ["", "\x07", "", ""]),
            ("osc9", ["", "\x1b]9;lop: a.c: done\x1b\\", "", ""]),
            (
                "osc777",
                ["", "\x1b]777;notify;lop;a.c: done\x1b\\", "", ""],
            ),
            (
                "title",
                ["", "\x1b]2;lop: a.c: done\x1b\\", "", "\x1b]2;lop\x1b\\"],
            ),
        ];
        for (word, expected) in rows {
            let signal = AttentionSignal::from_word(word);
            assert_eq!(sent(signal, &story), expected, "{word}");
        }
    }

    #[test]
    fn a_run_that_was_over_when_its_screen_opened_calls_nobody() {
        let bell = Some(AttentionSignal::Bell);
        assert_eq!(
            sent(bell, &[Some("a.c: done"), Some("a.c: done")]),
            ["", ""]
        );
    }
}
