//! The syntax of Boolean programs as a tree.

#[derive(Clone, Debug)]
pub enum Expression {
    /// `*`, `?`.
    Either,
    /// A name or a constant, as it is written.
    Name(String),
    Not(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// `schoose[a, b]`.
    Choose(Box<Expression>, Box<Expression>),
    /// `a ? b : c`.
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    And,
    Or,
    Equal,
    Different,
    Implies,
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub line: usize,
    pub labels: Vec<String>,
    pub action: Action,
}

#[derive(Clone, Debug)]
pub enum Action {
    Skip,
    Goto(Vec<String>),
    Assume(Expression),
    Assert(Expression),
    /// Conditions with their branches, and the last branch.
    If(Vec<(Expression, Vec<Statement>)>, Vec<Statement>),
    While(Expression, Vec<Statement>),
    StartThread(String),
    EndThread,
    AtomicBegin,
    AtomicEnd,
    Return(Vec<Expression>),
    Dead(Vec<String>),
    Assign {
        targets: Vec<String>,
        source: Source,
        constraint: Option<Expression>,
    },
}

/// What stands on the right of `:=`.
#[derive(Clone, Debug)]
pub enum Source {
    Values(Vec<Expression>),
    Call(String, Vec<Expression>),
}

#[derive(Clone, Debug)]
pub struct FunctionText {
    pub line: usize,
    pub name: String,
    /// How many values it returns; `None` if it has no type.
    pub results: Option<usize>,
    pub parameters: Vec<String>,
    pub locals: Vec<String>,
    pub enforced: Vec<Expression>,
    pub body: Vec<Statement>,
    /// The line of its `end`.
    pub last_line: usize,
}

#[derive(Clone, Debug, Default)]
pub struct ProgramText {
    pub globals: Vec<(String, usize)>,
    /// What holds in all functions, each with its line.
    pub enforced: Vec<(Expression, usize)>,
    pub functions: Vec<FunctionText>,
}
