//! The page of `lop FILE` alone: (file, keys, what it shows and does).

use std::path::Path;
use std::time::{Duration, Instant};

use crossterm::event::KeyCode;
use lop::oracle::{FailureProperty, PropertyCriterion, PropertyPart};
use lop::program;
use lop::tui::bindings::KeyBindings;
use lop::tui::keys::{KeyPress, char_key, special_key};
use lop::tui::palette::TerminalPalette;
use lop::tui::setup::ScreenSetup;
use lop::tui::start_page::draw::draw_start_page;
use lop::tui::start_page::helper::{
    CommandRun, TestRequest, TestWriteError, TrialFindings, TrialUpdate,
};
use lop::tui::start_page::subject::StartSubject;
use lop::tui::start_page::{StartEffect, StartPage};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::stage::text;

/// The page, its keys, and what it asks the driver to do.
struct Page {
    page: StartPage,
    setup: ScreenSetup,
    began: Instant,
    effects: Vec<StartEffect>,
}

impl Page {
    fn new(offers: &[&str]) -> Page {
        let text = b"int a;\nint bug(void) { return 1; }\n";
        let version = program::read_program(vec![(Path::new("bug.c").into(), text[..].into())]);
        let subject = StartSubject {
            title: "bug.c".into(),
            facts: "c, 2 lines, 35 bytes".into(),
            beginning: version.ok(),
        };
        let offers = offers.iter().map(|offer| (*offer).to_owned()).collect();
        Page {
            page: StartPage::new(subject, offers, "test.sh".into()),
            setup: ScreenSetup::with_defaults(TerminalPalette::FULL),
            began: Instant::now(),
            effects: Vec::new(),
        }
    }

    fn press(&mut self, key: KeyPress) -> &mut Page {
        let effect = self.page.handle_key(&self.setup.keys, key, self.began);
        self.take(effect)
    }

    /// The user clicks on the line of the screen that has this text.
    fn click(&mut self, text: &str) -> &mut Page {
        let screen = self.screen(120, 40);
        let line = screen.lines().position(|line| line.contains(text));
        let line = line.unwrap_or_else(|| panic!("no {text}: {screen}"));
        let effect = self.page.handle_click(line as u16);
        self.take(effect)
    }

    fn take(&mut self, effect: StartEffect) -> &mut Page {
        match effect {
            StartEffect::Nothing | StartEffect::Redraw => {}
            effect => self.effects.push(effect),
        }
        self
    }

    fn types(&mut self, letters: &str) -> &mut Page {
        letters.chars().for_each(|letter| {
            self.press(char_key(letter));
        });
        self
    }

    fn enter(&mut self) -> &mut Page {
        self.press(special_key(KeyCode::Enter))
    }

    fn down(&mut self) -> &mut Page {
        self.press(special_key(KeyCode::Down))
    }

    fn esc(&mut self) -> &mut Page {
        self.press(special_key(KeyCode::Esc))
    }

    /// The command ends so, each time.
    fn finds(&mut self, property: Option<FailureProperty>) -> &mut Page {
        self.page.apply_update(TrialUpdate::Ran(CommandRun {
            end: "exit 1 after 0.10 s".into(),
            printed: vec!["bug.c:2: error: no".into()],
        }));
        let note = None;
        self.page
            .apply_update(TrialUpdate::Found(TrialFindings { property, note }));
        self
    }

    fn screen(&mut self, width: u16, height: u16) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        let now = self.began + Duration::from_secs(2);
        let mut highlights = Default::default();
        draw_start_page(
            &mut self.page,
            &mut highlights,
            &mut buffer,
            &self.setup,
            now,
        );
        text(&buffer)
    }
}

fn failure() -> FailureProperty {
    let part = |on, criterion| PropertyPart { on, criterion };
    FailureProperty {
        parts: vec![
            part(true, PropertyCriterion::Grep("error: no".into())),
            part(true, PropertyCriterion::Exit(1)),
        ],
    }
}

fn request(property: Option<FailureProperty>, word: &str) -> TestRequest {
    TestRequest {
        property,
        word: word.into(),
        place: "test.sh".into(),
        overwrites: false,
    }
}

#[test]
fn the_page_shows_the_file_and_asks_for_a_command_or_a_test() {
    let mut page = Page::new(&["Use the test test.sh beside it"]);
    for (width, height) in [(120, 40), (80, 24), (60, 15)] {
        let screen = page.screen(width, height);
        for said in [
            "bug.c",
            "c, 2 lines, 35 bytes",
            "int bug(void) { return 1; }",
            "▶ Use the test test.sh beside it",
            "A command that fails",
            "A test, by its path",
            "nothing runs before you press enter",
            "esc leave",
        ] {
            assert!(screen.contains(said), "{said}: {screen}");
        }
    }
    // Where there is hardly room, what is asked comes first.
    assert!(page.screen(40, 7).contains("What shows the bug?"));
    let _ = page.screen(5, 2);
}

#[test]
fn nothing_runs_and_nothing_is_written_before_enter() {
    let mut page = Page::new(&["Resume the unfinished session", "Use the test test.sh"]);
    page.down().enter();
    assert_eq!(page.effects, [StartEffect::TakeOffer(1)]);
    let mut page = Page::new(&[]);
    page.enter();
    assert!(
        page.screen(120, 40)
            .contains("type a command that shows the bug")
    );
    page.types("q").down().types("./t.sh").enter();
    assert_eq!(page.effects, [StartEffect::UseTest("./t.sh".into())]);
    page.esc();
    assert_eq!(page.effects[1], StartEffect::Leave);
}

#[test]
fn a_command_is_run_and_what_is_found_is_proposed_changed_and_written() {
    let mut page = Page::new(&[]);
    page.types("gcc -c {}").enter();
    assert_eq!(page.effects, [StartEffect::TryCommand("gcc -c {}".into())]);
    let screen = page.screen(120, 40);
    assert!(screen.contains("Running gcc -c {} (2.00 s)"), "{screen}");
    page.finds(Some(failure()));
    let screen = page.screen(120, 40);
    for said in [
        "It ended with exit 1 after 0.10 s.",
        "| bug.c:2: error: no",
        "[x] grep 1    /error: no/",
        "[x] exit      exit 1",
        "▶ Write the test, and reduce the file",
    ] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
    page.enter();
    assert_eq!(
        page.effects[1],
        StartEffect::WriteTest(request(Some(failure()), ""))
    );
    // The first part is switched off, and a word is wanted.
    page.down()
        .types(" ")
        .down()
        .down()
        .types("bug.c")
        .down()
        .down()
        .enter();
    let mut changed = failure();
    changed.parts[0].on = false;
    assert_eq!(
        page.effects[2],
        StartEffect::WriteTest(request(Some(changed), "bug.c"))
    );
}

#[test]
fn where_nothing_must_stay_nothing_is_written() {
    let mut page = Page::new(&[]);
    page.types("cc {}").enter().finds(Some(failure()));
    page.down()
        .types(" ")
        .down()
        .types(" ")
        .down()
        .down()
        .down()
        .enter();
    assert_eq!(page.effects.len(), 1);
    let screen = page.screen(120, 40);
    assert!(screen.contains("switch on what must stay"), "{screen}");
}

#[test]
fn a_command_that_succeeds_needs_a_word_of_its_output() {
    let mut page = Page::new(&[]);
    page.types("cc {}").enter().finds(None);
    let screen = page.screen(120, 40);
    assert!(screen.contains("The command succeeds"), "{screen}");
    page.down().down().enter();
    assert!(page.screen(120, 40).contains("type a word of its output"));
    page.down().types("error").down().down().enter();
    assert_eq!(
        page.effects[1],
        StartEffect::WriteTest(request(None, "error"))
    );
}

#[test]
fn esc_stops_a_command_and_goes_back_and_what_was_typed_stays() {
    let mut page = Page::new(&[]);
    page.types("sleep 100").enter().esc();
    assert_eq!(page.effects[1], StartEffect::StopCommand);
    let screen = page.screen(120, 40);
    assert!(screen.contains("the command was stopped"), "{screen}");
    assert!(screen.contains("sleep 100"), "{screen}");
    // News of what was stopped come too late.
    page.finds(Some(failure()));
    assert!(page.screen(120, 40).contains("What shows the bug?"));
    page.enter();
    let reason = "the command cannot be started: nocc is not in PATH.";
    page.page.apply_update(TrialUpdate::Failed(reason.into()));
    assert!(page.screen(120, 40).contains(reason));
}

#[test]
fn what_exists_is_replaced_only_after_a_second_enter() {
    let mut page = Page::new(&[]);
    page.types("cc {}").enter().finds(Some(failure())).enter();
    page.page.on_write_error(TestWriteError::Exists);
    let screen = page.screen(120, 40);
    assert!(
        screen.contains("test.sh exists: enter again replaces it"),
        "{screen}"
    );
    page.enter();
    let StartEffect::WriteTest(again) = &page.effects[2] else {
        panic!("{:?}", page.effects);
    };
    assert!(again.overwrites);
    // Another name is asked about anew.
    page.press(special_key(KeyCode::Up))
        .types("2")
        .down()
        .enter();
    let StartEffect::WriteTest(other) = &page.effects[3] else {
        panic!("{:?}", page.effects);
    };
    assert_eq!(
        (other.place.as_str(), other.overwrites),
        ("test.sh2", false)
    );
}

#[test]
fn that_any_error_would_do_is_said_before_a_test_is_written() {
    let mut page = Page::new(&[]);
    page.types("cc {}").enter().finds(Some(failure()));
    page.down().types(" ").down().down().down().down().enter();
    assert_eq!(page.effects.len(), 1, "nothing is written yet");
    let screen = page.screen(120, 40);
    let warning = "only exit 1 would stay, and any error will do";
    assert!(screen.contains(warning), "{screen}");
    page.enter();
    let mut weak = failure();
    weak.parts[0].on = false;
    let written = StartEffect::WriteTest(request(Some(weak), ""));
    assert_eq!(page.effects[1], written);
    // With another choice the question comes again.
    page.down().types("  ").down().down().down().down().enter();
    assert_eq!(page.effects.len(), 2);
}

#[test]
fn the_keys_are_those_that_the_user_has_given_to_the_commands() {
    let mut page = Page::new(&["Use the test test.sh"]);
    let keys = [
        ("quit", char_key('z')),
        ("close", char_key('b')),
        ("down", char_key('n')),
        ("accept", special_key(KeyCode::F(5))),
    ];
    let names = ["up", "property", "next-proposal", "previous-proposal"];
    let kept = names.map(|name| (name, page.setup.keys.command_keys(name).to_vec()));
    let given = keys.map(|(name, key)| (name, vec![key]));
    page.setup.keys = KeyBindings::new(kept.into_iter().chain(given));
    let screen = page.screen(120, 40);
    assert!(
        screen.contains("up/down choose  f5 go on  b leave"),
        "{screen}"
    );
    page.press(char_key('q')).esc().enter();
    assert!(page.effects.is_empty(), "{:?}", page.effects);
    // In a line that is typed a letter is a letter.
    page.press(char_key('n')).types("znb");
    assert_eq!(page.page.command.line, "znb");
    page.press(special_key(KeyCode::F(5)));
    assert_eq!(page.effects, [StartEffect::TryCommand("znb".into())]);
    page.press(char_key('b'));
    assert_eq!(page.effects[1], StartEffect::StopCommand);
    page.press(special_key(KeyCode::Up)).press(char_key('z'));
    assert_eq!(page.effects[2], StartEffect::Leave);
}

#[test]
fn a_click_selects_a_row_and_switches_a_part_and_runs_nothing() {
    let mut page = Page::new(&["Use the test test.sh beside it"]);
    page.click("A test, by its path").types("t.sh");
    assert_eq!(page.page.test.line, "t.sh");
    page.click("A command that fails").types("cc {}").enter();
    page.click("Running cc {}").finds(Some(failure()));
    page.click("[x] grep 1").click("The output contains");
    page.types("no").click("Write the test, and reduce");
    assert_eq!(page.effects, [StartEffect::TryCommand("cc {}".into())]);
    page.page.handle_wheel(true);
    page.page.handle_wheel(false);
    page.enter();
    let mut changed = failure();
    changed.parts[0].on = false;
    assert_eq!(
        page.effects[1],
        StartEffect::WriteTest(request(Some(changed), "no"))
    );
}

#[test]
fn the_selected_row_is_visible_on_any_screen() {
    let mut page = Page::new(&[]);
    page.types("cc {}").enter().finds(Some(failure()));
    for (width, height) in [(59, 14), (40, 8), (20, 5)] {
        let screen = page.screen(width, height);
        assert!(screen.contains("▶ Write the test"), "{screen}");
    }
}
