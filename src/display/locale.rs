//! The character set of the terminal, by the environment.

/// Whether the locale's character set is UTF-8; `variable` looks a variable of the environment up. As for the C library, the first of
/// `LC_ALL`, `LC_CTYPE` and `LANG` that is set and not empty decides.
pub fn is_utf8_locale(variable: impl Fn(&str) -> Option<String>) -> bool {
    let mut names = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter();
    let locale = names.find_map(|name| variable(name).filter(|value| !value.is_empty()));
    let locale = locale.unwrap_or_default().to_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// How a letter is written in ASCII, of those in pages of lop's own.
const SPELLINGS: [(char, &str); 3] = [('…', "..."), ('á', "a"), ('ó', "o")];

/// A page of lop's own in the character set of the locale.
pub fn spell_page(page: String, variable: impl Fn(&str) -> Option<String>) -> String {
    if is_utf8_locale(variable) {
        return page;
    }
    let spelled = SPELLINGS
        .iter()
        .fold(page, |page, (letter, ascii)| page.replace(*letter, ascii));
    debug_assert!(spelled.is_ascii(), "a letter has no spelling");
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_not_empty_decides() {
        let of = |set: &[(&str, &str)]| {
            is_utf8_locale(|name| {
                let mut set = set.iter().filter(|(known, _)| *known == name);
                set.next().map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(of(&[("LANG", "de_DE.UTF-8")]));
        assert!(of(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
        assert!(!of(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]));
        assert!(!of(&[]));
    }
}
