//! Reads Boolean programs: what SatAbs and Boom, and what Bebop and Getafix write. Operators bind as in the second family:
//! `=> <=> ->`, `|`, `^`, `&`, `= !=`, `!`, weakest first.

use crate::syntax::{Action, Expression, FunctionText, Operator, ProgramText, Source, Statement};
use crate::tokens::{Refusal, Token, split_tokens};

/// How deep expressions and statements may be nested.
const DEEPEST: usize = 200;

/// The binary operators, weakest first.
const LEVELS: [&[(&str, Operator)]; 5] = [
    &[
        ("=>", Operator::Implies),
        ("->", Operator::Implies),
        ("<=>", Operator::Equal),
    ],
    &[("|", Operator::Or), ("||", Operator::Or)],
    &[("^", Operator::Different)],
    &[("&", Operator::And), ("&&", Operator::And)],
    &[
        ("=", Operator::Equal),
        ("==", Operator::Equal),
        ("!=", Operator::Different),
    ],
];

/// Words that are no names.
const KEYWORDS: [&str; 28] = [
    "decl",
    "void",
    "bool",
    "dfs",
    "begin",
    "end",
    "enforce",
    "skip",
    "goto",
    "assume",
    "assert",
    "if",
    "then",
    "elif",
    "elsif",
    "else",
    "fi",
    "while",
    "do",
    "od",
    "start_thread",
    "end_thread",
    "return",
    "dead",
    "constrain",
    "schoose",
    "atomic_begin",
    "atomic_end",
];

/// Reads a program.
pub fn parse_program(text: &str) -> Result<ProgramText, Refusal> {
    let tokens = split_tokens(text)?;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        depth: 0,
    };
    let mut program = ProgramText::default();
    while !parser.is_at_end() {
        let line = parser.line();
        if parser.takes("decl") {
            let names = parser.names()?;
            parser.expect(";")?;
            program
                .globals
                .extend(names.into_iter().map(|name| (name, line)));
        } else if parser.takes("enforce") {
            program.enforced.push((parser.expression()?, line));
            parser.expect(";")?;
        } else {
            program.functions.push(parser.function()?);
        }
    }
    Ok(program)
}

struct Parser<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn is_at_end(&self) -> bool {
        self.at == self.tokens.len()
    }

    /// The word after the next `ahead` ones; empty after the end.
    fn word(&self, ahead: usize) -> &'a str {
        self.tokens
            .get(self.at + ahead)
            .map_or("", |token| token.text)
    }

    fn line(&self) -> usize {
        let token = self.tokens.get(self.at).or(self.tokens.last());
        token.map_or(1, |token| token.line)
    }

    fn refuse<T>(&self, wanted: &str) -> Result<T, Refusal> {
        let found = if self.is_at_end() {
            "the end"
        } else {
            self.word(0)
        };
        Err(Refusal::new(
            self.line(),
            format!("{found:?} where {wanted} should be"),
        ))
    }

    fn takes(&mut self, word: &str) -> bool {
        let is_there = self.word(0) == word;
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, word: &str) -> Result<(), Refusal> {
        if self.takes(word) {
            Ok(())
        } else {
            self.refuse(&format!("{word:?}"))
        }
    }

    fn is_name(&self, ahead: usize) -> bool {
        let token = self.tokens.get(self.at + ahead);
        token.is_some_and(|token| token.is_name() && !KEYWORDS.contains(&token.text))
    }

    fn name(&mut self) -> Result<String, Refusal> {
        if !self.is_name(0) {
            return self.refuse("a name");
        }
        self.at += 1;
        Ok(self.tokens[self.at - 1].text.to_owned())
    }

    /// What `read` reads, with commas between.
    fn list<T>(
        &mut self,
        read: impl Fn(&mut Self) -> Result<T, Refusal>,
    ) -> Result<Vec<T>, Refusal> {
        let mut items = vec![read(self)?];
        while self.takes(",") {
            items.push(read(self)?);
        }
        Ok(items)
    }

    fn names(&mut self) -> Result<Vec<String>, Refusal> {
        self.list(Self::name)
    }

    /// Goes one level down for `read`.
    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Refusal::new(self.line(), "nested too deep"));
        }
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn function(&mut self) -> Result<FunctionText, Refusal> {
        let line = self.line();
        self.takes("dfs");
        let results = if self.takes("void") {
            Some(0)
        } else if self.takes("bool") {
            Some(if self.takes("<") {
                self.result_count()?
            } else {
                1
            })
        } else {
            None
        };
        let name = self.name()?;
        self.expect("(")?;
        let parameters = if self.word(0) == ")" {
            Vec::new()
        } else {
            self.names()?
        };
        self.expect(")")?;
        self.expect("begin")?;
        let mut locals = Vec::new();
        while self.takes("decl") {
            locals.extend(self.names()?);
            self.expect(";")?;
        }
        let mut enforced = Vec::new();
        while self.takes("enforce") {
            enforced.push(self.expression()?);
            self.expect(";")?;
        }
        let body = self.statements(&["end"])?;
        let last_line = self.line();
        self.expect("end")?;
        Ok(FunctionText {
            line,
            name,
            results,
            parameters,
            locals,
            enforced,
            body,
            last_line,
        })
    }

    fn result_count(&mut self) -> Result<usize, Refusal> {
        let Ok(count) = self.word(0).parse() else {
            return self.refuse("a number");
        };
        self.at += 1;
        self.expect(">")?;
        Ok(count)
    }

    /// Statements up to one of the words in `until`.
    fn statements(&mut self, until: &[&str]) -> Result<Vec<Statement>, Refusal> {
        let mut statements = Vec::new();
        while !until.contains(&self.word(0)) {
            statements.push(self.nested(Self::statement)?);
        }
        Ok(statements)
    }

    fn statement(&mut self) -> Result<Statement, Refusal> {
        let mut labels = Vec::new();
        while self.is_name(0) && self.word(1) == ":" {
            labels.push(self.name()?);
            self.at += 1;
        }
        let line = self.line();
        let action = self.action()?;
        self.expect(";")?;
        Ok(Statement {
            line,
            labels,
            action,
        })
    }

    fn action(&mut self) -> Result<Action, Refusal> {
        if self.is_name(0) {
            return self.assignment();
        }
        let word = self.word(0);
        self.at += 1;
        Ok(match word {
            "skip" => Action::Skip,
            "goto" => Action::Goto(self.names()?),
            "assume" => Action::Assume(self.expression()?),
            "assert" => Action::Assert(self.expression()?),
            "if" => self.branches()?,
            "while" => {
                let condition = self.expression()?;
                self.expect("do")?;
                let body = self.statements(&["od"])?;
                self.expect("od")?;
                Action::While(condition, body)
            }
            "start_thread" => {
                self.expect("goto")?;
                Action::StartThread(self.name()?)
            }
            "end_thread" => Action::EndThread,
            "atomic_begin" => Action::AtomicBegin,
            "atomic_end" => Action::AtomicEnd,
            "return" if self.word(0) == ";" => Action::Return(Vec::new()),
            "return" => Action::Return(self.list(Self::expression)?),
            "dead" => Action::Dead(self.names()?),
            _ => {
                self.at -= 1;
                return self.refuse("a statement");
            }
        })
    }

    fn branches(&mut self) -> Result<Action, Refusal> {
        let mut branches = Vec::new();
        loop {
            let condition = self.expression()?;
            self.expect("then")?;
            branches.push((
                condition,
                self.statements(&["elif", "elsif", "else", "fi"])?,
            ));
            if !self.takes("elif") && !self.takes("elsif") {
                break;
            }
        }
        let last = if self.takes("else") {
            self.statements(&["fi"])?
        } else {
            Vec::new()
        };
        self.expect("fi")?;
        Ok(Action::If(branches, last))
    }

    /// An assignment, or a call.
    fn assignment(&mut self) -> Result<Action, Refusal> {
        let targets = if self.word(1) == "(" {
            Vec::new()
        } else {
            self.names()?
        };
        if !targets.is_empty() {
            self.expect(":=")?;
        }
        let source = if self.is_name(0) && self.word(1) == "(" {
            let name = self.name()?;
            self.expect("(")?;
            let is_empty = self.word(0) == ")";
            let values = if is_empty {
                Vec::new()
            } else {
                self.list(Self::expression)?
            };
            self.expect(")")?;
            Source::Call(name, values)
        } else {
            Source::Values(self.list(Self::expression)?)
        };
        let constrained = !targets.is_empty() && self.takes("constrain");
        let constraint = if constrained {
            Some(self.expression()?)
        } else {
            None
        };
        Ok(Action::Assign {
            targets,
            source,
            constraint,
        })
    }

    fn expression(&mut self) -> Result<Expression, Refusal> {
        self.nested(|parser| {
            let first = parser.binary(0)?;
            if !parser.takes("?") {
                return Ok(first);
            }
            let second = parser.expression()?;
            parser.expect(":")?;
            let third = parser.expression()?;
            Ok(Expression::Conditional(
                first.into(),
                second.into(),
                third.into(),
            ))
        })
    }

    /// A chain of the operators of a level.
    fn binary(&mut self, level: usize) -> Result<Expression, Refusal> {
        let Some(operators) = LEVELS.get(level) else {
            return self.nested(Self::operand);
        };
        let mut left = self.binary(level + 1)?;
        while let Some((sign, operator)) = operators.iter().find(|row| row.0 == self.word(0)) {
            self.at += 1;
            let to_the_right = *sign == "->";
            let right = self.nested(|parser| parser.binary(level + usize::from(!to_the_right)))?;
            left = Expression::Binary(*operator, left.into(), right.into());
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Expression, Refusal> {
        let word = self.word(0);
        if self.is_name(0) || word.parse::<u64>().is_ok() {
            self.at += 1;
            return Ok(Expression::Name(word.to_owned()));
        }
        self.at += 1;
        match word {
            "!" | "~" => Ok(Expression::Not(self.nested(Self::operand)?.into())),
            "*" | "?" => Ok(Expression::Either),
            "(" => {
                let inside = self.expression()?;
                self.expect(")")?;
                Ok(inside)
            }
            "schoose" => {
                self.expect("[")?;
                let first = self.expression()?;
                self.expect(",")?;
                let second = self.expression()?;
                self.expect("]")?;
                Ok(Expression::Choose(first.into(), second.into()))
            }
            _ => {
                self.at -= 1;
                self.refuse("an expression")
            }
        }
    }
}
