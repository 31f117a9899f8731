//! Unmatched brackets of a query.

/// The first unmatched bracket of a query.
pub(super) fn find_mismatch(query: &str) -> Option<String> {
    let mut open = Vec::new();
    let (mut line, mut column) = (1, 0);
    // A string or a comment extends to this character.
    let mut until = None;
    let mut escaped = false;
    for c in query.chars() {
        column += 1;
        match (until, c) {
            _ if escaped => escaped = false,
            (Some('"'), '\\') => escaped = true,
            (Some(end), _) if c == end => until = None,
            (Some(_), _) => {}
            (None, '"') => until = Some('"'),
            (None, ';') => until = Some('\n'),
            (None, '(') => open.push(')'),
            (None, '[') => open.push(']'),
            (None, ')' | ']') => match open.pop() {
                Some(close) if close == c => {}
                Some(close) => {
                    return Some(format!(
                        "line {line}, column {column} has `{c}` where `{close}` is wanted"
                    ));
                }
                None => {
                    return Some(format!(
                        "nothing is open for the `{c}` at line {line}, column {column}"
                    ));
                }
            },
            _ => {}
        }
        if c == '\n' {
            (line, column) = (line + 1, 0);
        }
    }
    let close = open.last()?;
    Some(format!(
        "`{close}` is missing at its end, line {line}, column {}",
        column + 1
    ))
}

#[cfg(test)]
mod tests {
    use super::find_mismatch;

    #[test]
    fn the_bracket_that_is_too_many_or_too_few_is_found() {
        for (query, expected) in [
            ("(foo", Some("`)` is missing at its end, line 1, column 5")),
            (
                "(a [(b)\n (c))",
                Some("line 2, column 5 has `)` where `]` is wanted"),
            ),
            (
                "(a))",
                Some("nothing is open for the `)` at line 1, column 4"),
            ),
            ("(a \"(\\\"[\" ; ((\n)", None),
            ("(a) @keep", None),
        ] {
            assert_eq!(find_mismatch(query).as_deref(), expected, "{query}");
        }
    }
}
