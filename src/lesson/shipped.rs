//! The lessons that come with lop.

use super::Lesson;

/// The shipped lessons, in the order of the list: the name and the text of each.
pub const SHIPPED: &[(&str, &str)] = &[
    ("ddmin", include_str!("../../lessons/ddmin.toml")),
    ("hdd", include_str!("../../lessons/hdd.toml")),
    ("perses", include_str!("../../lessons/perses.toml")),
    ("names", include_str!("../../lessons/names.toml")),
    ("pairs", include_str!("../../lessons/pairs.toml")),
    ("steering", include_str!("../../lessons/steering.toml")),
    ("race", include_str!("../../lessons/race.toml")),
];

/// The shipped lesson of this name.
///
/// # Panics
/// If it cannot be read, which a test excludes.
pub fn find_lesson(name: &str) -> Option<Lesson> {
    let (name, text) = SHIPPED.iter().find(|(known, _)| *known == name)?;
    match Lesson::from_text(name, text, None) {
        Ok(lesson) => Some(lesson),
        Err(error) => panic!("the lesson {name}, {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::LessonProgram;

    #[test]
    fn every_shipped_lesson_can_be_read_and_is_short() {
        for (name, text) in SHIPPED {
            let lesson = Lesson::from_text(name, text, None);
            let lesson = lesson.unwrap_or_else(|error| panic!("{name}: {error}"));
            for file in lesson.program.texts() {
                let lines = file.text.lines().count();
                let fewest = match lesson.program {
                    LessonProgram::Single(_) => 20,
                    LessonProgram::Pair(_) => 10,
                };
                assert!((fewest..=60).contains(&lines), "{name}: {lines} lines");
            }
            assert!(lesson.steps.len() >= 6, "{name}");
            let asks = lesson.steps.iter().filter(|step| step.question.is_some());
            assert!(asks.count() >= 2, "{name} asks its audience");
        }
    }
}
