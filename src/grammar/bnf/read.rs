//! Reading the notation.

use super::error::BnfError;
use super::layout::{LayoutSettings, is_layout_setting};
use super::marks::{PlacedMark, find_part_mark_fault, find_rule_mark_fault, is_rule_mark};
use super::notation::{
    NotationToken, PlacedSetting, PositionedToken, SettingPart, WrittenSetting, error_at, tokenize,
};
use super::resolve::NameResolver;
use super::statements::is_statement_setting;
use super::syntax::{
    BnfDefinition, BnfExpr, BnfGrammar, DefinitionRole, GrammarSettings, MAX_NESTING, TokenKind,
};

impl BnfGrammar {
    /// Reads a grammar.
    ///
    /// # Errors
    /// The first error, and its place.
    pub fn from_text(text: &str) -> Result<BnfGrammar, BnfError> {
        let mut reader = BnfReader {
            text,
            words: tokenize(text)?,
            next: 0,
            definitions: Vec::new(),
            settings: GrammarSettings::default(),
        };
        while reader.next < reader.words.len() {
            reader.read_statement()?;
        }
        reader.refuse_skipped_text()?;
        let BnfReader {
            settings,
            definitions,
            ..
        } = reader;
        NameResolver::new(text, &definitions)?.into_bnf(settings)
    }
}

struct BnfReader<'a> {
    text: &'a str,
    words: Vec<PositionedToken>,
    next: usize,
    definitions: Vec<BnfDefinition>,
    settings: GrammarSettings,
}

impl BnfReader<'_> {
    fn peek(&self) -> Option<&NotationToken> {
        self.words.get(self.next).map(|placed| &placed.word)
    }

    fn position(&self) -> usize {
        self.words
            .get(self.next)
            .map_or(self.text.trim_end().len(), |placed| placed.at)
    }

    fn error_here(&self, what: impl Into<String>) -> BnfError {
        error_at(self.text, self.position(), what)
    }

    /// What stands here, for an error.
    fn describe_next(&self) -> String {
        self.peek()
            .map_or("the end of the file".to_owned(), NotationToken::describe)
    }

    fn read_statement(&mut self) -> Result<(), BnfError> {
        let role = match self.peek() {
            Some(NotationToken::Directive(directive)) => match &directive[..] {
                "name" | "extensions" | "lexer" => return self.read_setting(),
                other if is_statement_setting(other) || is_layout_setting(other) => {
                    return self.read_rules_and_texts();
                }
                "same-name" => return self.read_same_name(),
                "entry" => return self.read_entry(),
                "token" => DefinitionRole::Token(TokenKind::Named),
                "skip" => DefinitionRole::Token(TokenKind::Skip),
                "comment" => DefinitionRole::Token(TokenKind::Comment),
                "fragment" => DefinitionRole::Fragment,
                other => {
                    return Err(self.error_here(format!(
                        "there is no %{other}; there are %name, %extensions, %lexer, %token, %fragment, %skip, %comment, %same-name, %entry, %statement, %assignment, %expression, %constraint, %initial, %order, %true, %false, %any, %not, %and, %or, %equal, %differ and %new-line, %tab, %one-line, %no-blank-before, %no-blank-after"
                    )));
                }
            },
            _ => DefinitionRole::Rule,
        };
        if role != DefinitionRole::Rule {
            self.next += 1;
        }
        let at = self.position();
        let before = self.next.checked_sub(1).map(|at| &self.words[at].word);
        let mark = match before {
            Some(NotationToken::Directive(mark)) if role == DefinitionRole::Rule => {
                Some(mark.clone())
            }
            _ => None,
        };
        let name = self.read_name()?;
        if let Some(mark) = mark.filter(|_| self.peek() != Some(&NotationToken::Defines)) {
            let what = format!(
                "%{mark} is about the rule that it stands behind, and no name stands behind it; leave out {name}"
            );
            return Err(error_at(self.text, at, what));
        }
        if self.peek() != Some(&NotationToken::Defines) {
            return Err(self.error_here(format!(
                "`::=` is missing behind {name}; here is {}",
                self.describe_next()
            )));
        }
        self.next += 1;
        let body = self.read_choice(0)?;
        let marks = match role {
            DefinitionRole::Rule => self.read_rule_marks()?,
            _ => Vec::new(),
        };
        match self.peek() {
            Some(NotationToken::Sign(b';')) => self.next += 1,
            Some(NotationToken::Sign(b')')) => {
                return Err(self.error_here("this `)` closes nothing"));
            }
            _ => {}
        }
        self.definitions.push(BnfDefinition {
            name,
            at,
            role,
            body,
            marks,
        });
        Ok(())
    }

    /// Without a lexer nothing is skipped.
    fn refuse_skipped_text(&self) -> Result<(), BnfError> {
        let skips = |definition: &&BnfDefinition| {
            let role = definition.role;
            role == DefinitionRole::Token(TokenKind::Skip)
                || role == DefinitionRole::Token(TokenKind::Comment)
        };
        if self.settings.scannerless && self.settings.layout != LayoutSettings::default() {
            let what = "with  %lexer none  white space stands in the rules, so there is no layout; leave out %new-line and its like";
            return Err(error_at(self.text, 0, what));
        }
        match self.definitions.iter().find(skips) {
            Some(definition) if self.settings.scannerless => Err(error_at(
                self.text,
                definition.at,
                "with  %lexer none  nothing is skipped; have it in the rules",
            )),
            _ => Ok(()),
        }
    }

    fn read_name(&mut self) -> Result<String, BnfError> {
        match self.peek() {
            Some(NotationToken::Name(name)) => {
                let name = name.clone();
                self.next += 1;
                Ok(name)
            }
            _ => Err(self.error_here(format!(
                "a name is missing; here is {}",
                self.describe_next()
            ))),
        }
    }

    /// `%name x`, `%lexer none` and `%extensions x y`.
    fn read_setting(&mut self) -> Result<(), BnfError> {
        let is_directive =
            |name: &str| matches!(self.peek(), Some(NotationToken::Directive(d)) if d == name);
        let (is_name, is_lexer) = (is_directive("name"), is_directive("lexer"));
        self.next += 1;
        let at = self.position();
        let first = self.read_name()?;
        if is_name {
            self.settings.name = Some(first);
            return Ok(());
        }
        if is_lexer {
            self.settings.scannerless = true;
            return match &first[..] {
                "none" => Ok(()),
                other => Err(error_at(
                    self.text,
                    at,
                    format!("there is no lexer {other}; there is  %lexer none"),
                )),
            };
        }
        self.settings.extensions.push(first);
        while matches!(self.peek(), Some(NotationToken::Name(_))) && !self.begins_definition() {
            let next = self.read_name()?;
            self.settings.extensions.push(next);
        }
        Ok(())
    }

    /// `%statement rule "text"`, `%tab rule "text"`: rules, then texts.
    fn read_rules_and_texts(&mut self) -> Result<(), BnfError> {
        let at = self.position();
        let Some(NotationToken::Directive(directive)) = self.peek() else {
            return Ok(());
        };
        let directive = directive.clone();
        self.next += 1;
        let (mut names, mut texts) = (Vec::new(), Vec::new());
        while matches!(self.peek(), Some(NotationToken::Name(_))) && !self.begins_definition() {
            let at = self.position();
            let name = self.read_name()?;
            names.push(name.clone());
            self.place_setting(&directive, at, SettingPart::Rule(name));
        }
        while let Some(NotationToken::Literal(text)) = self.peek() {
            let (text, at) = (text.clone(), self.position());
            texts.push(text.clone());
            // What stands for no target, and what stands before a name, are no tokens by themselves.
            let is_token =
                directive != "assignment" && (directive != "constraint" || texts.len() == 1);
            if is_token {
                self.place_setting(&directive, at, SettingPart::Text(text));
            }
            self.next += 1;
        }
        let setting = WrittenSetting {
            directive,
            at,
            names,
            texts,
        };
        match is_layout_setting(&setting.directive) {
            true => self.settings.layout.add_setting(self.text, setting),
            false => self.settings.statements.add_setting(self.text, setting),
        }
    }

    fn place_setting(&mut self, directive: &str, at: usize, part: SettingPart) {
        self.settings.placed.push(PlacedSetting {
            directive: directive.to_owned(),
            at,
            part,
        });
    }

    /// `%same-name leading "a" "b" trailing "c"`.
    fn read_same_name(&mut self) -> Result<(), BnfError> {
        self.next += 1;
        let before = self.next;
        while let Some(NotationToken::Name(side)) = self.peek() {
            let leading = match &side[..] {
                "leading" => true,
                "trailing" => false,
                _ => break,
            };
            self.next += 1;
            let first = self.next;
            while let Some(NotationToken::Literal(text)) = self.peek() {
                let text = text.clone();
                match leading {
                    true => self.settings.names.leading.push(text),
                    false => self.settings.names.trailing.push(text),
                }
                self.next += 1;
            }
            if self.next == first {
                return Err(self.error_here(format!(
                    "a text in quotes is missing; here is {}",
                    self.describe_next()
                )));
            }
        }
        match self.next > before {
            true => Ok(()),
            false => Err(self.error_here(format!(
                "%same-name wants leading or trailing, each with texts in quotes; here is {}",
                self.describe_next()
            ))),
        }
    }

    /// `%entry x y`.
    fn read_entry(&mut self) -> Result<(), BnfError> {
        self.next += 1;
        let first = self.read_name()?;
        self.settings.names.entries.push(first);
        while matches!(self.peek(), Some(NotationToken::Name(_))) && !self.begins_definition() {
            let next = self.read_name()?;
            self.settings.names.entries.push(next);
        }
        Ok(())
    }

    /// The marks behind a rule.
    fn read_rule_marks(&mut self) -> Result<Vec<PlacedMark>, BnfError> {
        let mut marks = Vec::new();
        while let Some(NotationToken::Directive(name)) = self.peek()
            && is_rule_mark(name)
        {
            if let Some(fault) = find_rule_mark_fault(name) {
                return Err(self.error_here(fault));
            }
            let (name, at) = (name.clone(), self.position());
            marks.push(PlacedMark { name, at });
            self.next += 1;
        }
        Ok(marks)
    }

    /// The marks behind a name in a rule.
    fn read_part_marks(&mut self) -> Result<Vec<PlacedMark>, BnfError> {
        let mut marks = Vec::new();
        while let Some(NotationToken::Mark(name)) = self.peek() {
            if let Some(fault) = find_part_mark_fault(name) {
                return Err(self.error_here(fault));
            }
            let (name, at) = (name.clone(), self.position());
            marks.push(PlacedMark { name, at });
            self.next += 1;
        }
        Ok(marks)
    }

    /// Whether a definition begins here, rather than another part of the one before.
    fn begins_definition(&self) -> bool {
        matches!(self.peek(), Some(NotationToken::Name(_)))
            && self.words.get(self.next + 1).map(|placed| &placed.word)
                == Some(&NotationToken::Defines)
    }

    fn read_choice(&mut self, depth: usize) -> Result<BnfExpr, BnfError> {
        if depth > MAX_NESTING {
            return Err(self.error_here("the groups are too deep in each other"));
        }
        let mut members = vec![self.read_sequence(depth)?];
        while self.peek() == Some(&NotationToken::Sign(b'|')) {
            self.next += 1;
            members.push(self.read_sequence(depth)?);
        }
        Ok(match members.len() {
            1 => members.remove(0),
            _ => BnfExpr::Choice(members),
        })
    }

    fn read_sequence(&mut self, depth: usize) -> Result<BnfExpr, BnfError> {
        let mut members = Vec::new();
        loop {
            let part = match self.peek() {
                Some(NotationToken::Name(_)) if self.begins_definition() => break,
                Some(NotationToken::Name(name)) => {
                    let (name, at) = (name.clone(), self.position());
                    self.next += 1;
                    let marks = self.read_part_marks()?;
                    members.push(self.read_quantifier(BnfExpr::Name(name, at, marks)));
                    continue;
                }
                Some(NotationToken::Mark(_)) => {
                    let what = format!(
                        "a mark stands behind the name of a rule or a %token; here is {}",
                        self.describe_next()
                    );
                    return Err(self.error_here(what));
                }
                Some(NotationToken::Literal(text)) => BnfExpr::Literal(text.clone()),
                Some(NotationToken::Class(set, text)) => BnfExpr::Class(*set, text.clone()),
                Some(NotationToken::Sign(b'(')) => {
                    let open = self.position();
                    self.next += 1;
                    let inner = self.read_choice(depth + 1)?;
                    if self.peek() != Some(&NotationToken::Sign(b')')) {
                        let what =
                            format!("this `(` is not closed before {}", self.describe_next());
                        return Err(error_at(self.text, open, what));
                    }
                    inner
                }
                Some(NotationToken::Sign(sign @ (b'*' | b'+' | b'?'))) => {
                    let what = format!("`{}` stands behind what it repeats", char::from(*sign));
                    return Err(self.error_here(what));
                }
                _ => break,
            };
            self.next += 1;
            members.push(self.read_quantifier(part));
        }
        Ok(match members.len() {
            1 => members.remove(0),
            _ => BnfExpr::Seq(members),
        })
    }

    /// Several quantifiers one after the other: equal ones are one, and others are `*`. So nothing is nested deeper than groups are.
    fn read_quantifier(&mut self, part: BnfExpr) -> BnfExpr {
        let mut all = None;
        while let Some(&NotationToken::Sign(sign @ (b'*' | b'+' | b'?'))) = self.peek() {
            self.next += 1;
            let same = all.is_none_or(|known| known == sign);
            all = Some(if same { sign } else { b'*' });
        }
        match all {
            Some(sign) => BnfExpr::Quantified(Box::new(part), sign),
            None => part,
        }
    }
}
