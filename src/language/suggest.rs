//! Existing names that are similar to an unknown one.

/// The most names that are suggested.
const MAX_SUGGESTIONS: usize = 5;

/// The names with the smallest edit distance to `name`, if that is small; else the names that contain it.
pub fn suggest_names<'a>(name: &str, all: impl Iterator<Item = &'a str>) -> Vec<String> {
    let name = name.to_lowercase();
    let letters = name.chars().filter(|c| c.is_alphanumeric()).count();
    if letters < 2 {
        return Vec::new();
    }
    let mut words: Vec<(usize, &str)> = all
        .filter(|other| other.contains(char::is_alphanumeric))
        .map(|other| (strsim::levenshtein(&name, &other.to_lowercase()), other))
        .collect();
    words.sort_unstable();
    words.dedup();
    let nearest = words.first().map_or(usize::MAX, |(away, _)| *away);
    let few = nearest <= 1 + letters / 4 && nearest < letters;
    words.retain(|(away, other)| match few {
        true => *away == nearest,
        false => letters > 2 && other.to_lowercase().contains(&name),
    });
    let told = words.into_iter().take(MAX_SUGGESTIONS);
    told.map(|(_, other)| other.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_nearest_words_are_told() {
        let of = |name| {
            let all = ["if_statement", "do_statement", "if", "(", "==", "#if", "x"];
            suggest_names(name, all.into_iter()).join(" ")
        };
        assert_eq!(of("if_statment"), "if_statement");
        assert_eq!(of("IF_STATEMENT"), "if_statement");
        assert_eq!(of("statement"), "do_statement if_statement");
        assert_eq!(of("state"), "do_statement if_statement");
        assert_eq!(of("i"), "");
        assert_eq!(of(""), "");
        assert_eq!(of("=="), "");
        assert_eq!(of("zebra"), "");
    }
}
