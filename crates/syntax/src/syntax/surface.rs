//! Programs as they are written: the tree that the parser makes and the inference reads.

use super::error::SyntaxError;
use super::limit;
use super::name::Name;
use super::source::Span;
use crate::number::Rational;
use crate::stack::deep;

/// A name at its place.
#[derive(Clone, Debug)]
pub struct Identifier {
    /// The name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// An operator between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `^`
    Power,
    /// `==`
    Equal,
    /// `/=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `::`
    Cons,
}

/// A part of an isomorphism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Member {
    /// `.to`
    To,
    /// `.from`
    From,
}

/// An expression as written. Its depth never passes [`limit::DEPTH`].
#[derive(Debug)]
pub struct Expression {
    /// The shape.
    pub kind: ExpressionKind,
    /// Where it stands, parentheses included.
    pub span: Span,
    depth: u32,
}

/// The shape of an expression.
#[derive(Debug)]
pub enum ExpressionKind {
    /// `x`, `Module.x`
    Name(Option<Name>, Name),
    /// `3`, `0.5`; the second says whether it was written with a point or an exponent, and so is of type `Real`.
    Number(Box<Rational>, bool),
    /// `tt`, `ff`
    Bool(bool),
    /// `()`
    Unit,
    /// `\p q => body`
    Lambda(Vec<Binder>, Box<Expression>),
    /// `function argument`
    Apply(Box<Expression>, Box<Expression>),
    /// `left operator right`
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// `-operand`
    Negate(Box<Expression>),
    /// `(+)`
    Section(Operator),
    /// `let declaration in body`
    Let(Box<Declaration>, Box<Expression>),
    /// `let pattern = value in body`
    LetPattern(Box<Binder>, Box<Expression>, Box<Expression>),
    /// `if condition then a else b`
    If(Box<[Expression; 3]>),
    /// Two expressions of one type, as a pair: the sides of a relation. No program is written so.
    Alike(Box<[Expression; 2]>),
    /// `(a, b)`
    Tuple(Vec<Expression>),
    /// `tuple[index]`
    Index(Box<Expression>, usize),
    /// `iso.to`
    Member(Box<Expression>, Member),
    /// `(e : T)`
    Ascription(Box<Expression>, Box<TypeExpression>),
    /// `[a, b]`
    List(Vec<Expression>),
    /// `match scrutinee with cases`
    Match(Box<Expression>, Vec<Case>),
    /// `do { … }`, as the applications of `bind` that it is; the names of programs that sample come first in it.
    Do(Box<Expression>),
}

impl Expression {
    /// An expression whose depth is one more than the deepest of its parts.
    ///
    /// # Errors
    /// [`SyntaxError::TooDeep`] beyond [`limit::DEPTH`].
    pub fn new(kind: ExpressionKind, span: Span) -> Result<Expression, SyntaxError> {
        let depth = 1 + match &kind {
            ExpressionKind::Lambda(binders, body) => {
                body.depth + binders.iter().map(Binder::weight).sum::<u32>().max(1) - 1
            }
            ExpressionKind::Apply(left, right) | ExpressionKind::Binary(_, left, right) => left.depth.max(right.depth),
            ExpressionKind::LetPattern(binder, value, body) => value.depth.max(body.depth + binder.weight()),
            ExpressionKind::Negate(inner)
            | ExpressionKind::Index(inner, _)
            | ExpressionKind::Member(inner, _)
            | ExpressionKind::Ascription(inner, _)
            | ExpressionKind::Do(inner) => inner.depth,
            ExpressionKind::Let(declaration, body) => {
                let parameters = declaration.parameters.iter().map(Binder::weight).sum::<u32>();
                body.depth.max(declaration.value.depth + parameters)
            }
            ExpressionKind::If(parts) => parts.iter().map(|part| part.depth).max().unwrap_or(0),
            ExpressionKind::Alike(parts) => parts.iter().map(|part| part.depth).max().unwrap_or(0),
            ExpressionKind::List(parts) => {
                parts.iter().zip(1..).map(|(part, number)| part.depth + number).max().unwrap_or(0)
            }
            ExpressionKind::Match(scrutinee, cases) => {
                let weight = |case: &Case| case.pattern.weight() + case.body.depth;
                cases.iter().map(weight).max().unwrap_or(0).max(scrutinee.depth)
            }
            ExpressionKind::Tuple(parts) => parts.iter().map(|part| part.depth).max().unwrap_or(0),
            _ => 0,
        };
        if depth > limit::DEPTH { Err(SyntaxError::TooDeep { span }) } else { Ok(Expression { kind, span, depth }) }
    }

    /// The expression in parentheses: one level deeper, and of a wider span.
    ///
    /// # Errors
    /// [`SyntaxError::TooDeep`] beyond [`limit::DEPTH`].
    pub fn in_parentheses(mut self, span: Span) -> Result<Expression, SyntaxError> {
        self.depth += 1;
        self.span = span;
        if self.depth > limit::DEPTH { Err(SyntaxError::TooDeep { span }) } else { Ok(self) }
    }
}

impl Expression {
    /// The shape, without the place.
    pub fn into_kind(mut self) -> ExpressionKind {
        std::mem::replace(&mut self.kind, ExpressionKind::Unit)
    }
}

impl Drop for Expression {
    fn drop(&mut self) {
        if self.depth > 32 {
            let kind = std::mem::replace(&mut self.kind, ExpressionKind::Unit);
            deep(|| drop(kind));
        }
    }
}

/// What a function or a `let` binds: a pattern, and perhaps its type.
#[derive(Debug)]
pub struct Binder {
    /// The names bound.
    pub pattern: Pattern,
    /// The type written after the colon. `(x y : T)` is two binders that share one type.
    pub ty: Option<std::rc::Rc<TypeExpression>>,
}

impl Binder {
    /// How many levels of a term the binder makes.
    fn weight(&self) -> u32 {
        1 + self.pattern.names()
    }
}

/// A pattern: a name, or a tuple of patterns. Its depth never passes [`limit::DEPTH`].
#[derive(Debug)]
pub struct Pattern {
    /// The shape.
    pub kind: PatternKind,
    /// Where it stands.
    pub span: Span,
    /// How deep it is.
    pub depth: u32,
}

/// The shape of a pattern.
#[derive(Debug)]
pub enum PatternKind {
    /// `x`
    Name(Name),
    /// `_`
    Ignore,
    /// `()`
    Unit,
    /// `(p, q)`
    Tuple(Vec<Pattern>),
}

impl Pattern {
    /// How many names and tuples the pattern has, apart from itself if it is a name.
    fn names(&self) -> u32 {
        match &self.kind {
            PatternKind::Tuple(parts) => deep(|| parts.iter().map(|part| 1 + part.names()).sum()),
            _ => 0,
        }
    }
}

impl Drop for Pattern {
    fn drop(&mut self) {
        if self.depth > 32 {
            let kind = std::mem::replace(&mut self.kind, PatternKind::Ignore);
            deep(|| drop(kind));
        }
    }
}

/// `pattern => body`, in a `match`.
#[derive(Debug)]
pub struct Case {
    /// When the case applies.
    pub pattern: CasePattern,
    /// Where that is said.
    pub span: Span,
    /// The answer.
    pub body: Expression,
}

/// When a case applies: a constructor, and names for its argument.
#[derive(Debug)]
pub enum CasePattern {
    /// `Just x`, `Module.Nothing`
    Constructor(Option<Name>, Name, Option<Pattern>),
    /// `[]`
    Nil,
    /// `x :: rest`, as a pattern for the pair of both.
    Cons(Pattern),
    /// `x` or `_`, which is no case: the inference says which ones are missing.
    CatchAll,
}

impl CasePattern {
    /// The pattern for the argument.
    pub fn argument(&self) -> Option<&Pattern> {
        match self {
            CasePattern::Constructor(_, _, argument) => argument.as_ref(),
            CasePattern::Nil | CasePattern::CatchAll => None,
            CasePattern::Cons(pair) => Some(pair),
        }
    }

    /// How many levels of a term the pattern makes.
    fn weight(&self) -> u32 {
        1 + self.argument().map_or(0, Pattern::names)
    }
}

/// `name A B (x : T) … : R = value`, after `let` or `let rec`.
#[derive(Debug)]
pub struct Declaration {
    /// Whether the name is known in its own value.
    pub recursive: bool,
    /// What is defined.
    pub name: Identifier,
    /// The type parameters.
    pub type_parameters: Vec<Identifier>,
    /// The parameters.
    pub parameters: Vec<Binder>,
    /// The type of the value, after the parameters.
    pub result: Option<TypeExpression>,
    /// The value.
    pub value: Expression,
}

/// `type Name A B = T`
#[derive(Debug)]
pub struct AliasDeclaration {
    /// What is defined.
    pub name: Identifier,
    /// The parameters.
    pub parameters: Vec<Identifier>,
    /// What it stands for.
    pub body: TypeExpression,
}

/// `type Name A B = C | D T`
#[derive(Debug)]
pub struct DataDeclaration {
    /// What is defined.
    pub name: Identifier,
    /// The parameters.
    pub parameters: Vec<Identifier>,
    /// The constructors, with the types of their arguments.
    pub constructors: Vec<(Identifier, Option<TypeExpression>)>,
}

/// What may follow `type`.
#[derive(Debug)]
pub enum TypeDeclaration {
    /// Another name for a type.
    Alias(AliasDeclaration),
    /// A type given by its constructors.
    Data(DataDeclaration),
}

impl TypeDeclaration {
    /// What is defined.
    pub fn name(&self) -> &Identifier {
        match self {
            TypeDeclaration::Alias(declaration) => &declaration.name,
            TypeDeclaration::Data(declaration) => &declaration.name,
        }
    }

    /// The parameters.
    pub fn parameters(&self) -> &[Identifier] {
        match self {
            TypeDeclaration::Alias(declaration) => &declaration.parameters,
            TypeDeclaration::Data(declaration) => &declaration.parameters,
        }
    }
}

/// A type as written. Its depth never passes [`limit::DEPTH`].
#[derive(Debug)]
pub struct TypeExpression {
    /// The shape.
    pub kind: TypeExpressionKind,
    /// Where it stands.
    pub span: Span,
    /// How deep it is.
    pub depth: u32,
}

/// The shape of a type as written.
#[derive(Debug)]
pub enum TypeExpressionKind {
    /// A name applied to types: `Real`, `Surface A`, `Integral.Integral A`.
    Name(Option<Name>, Name, Vec<TypeExpression>),
    /// `A * B`, flat.
    Product(Vec<TypeExpression>),
    /// `A^n`
    Power(Box<TypeExpression>, usize),
    /// `A -> B`
    Function(Box<TypeExpression>, Box<TypeExpression>),
    /// `A ≅ B`
    Iso(Box<TypeExpression>, Box<TypeExpression>),
    /// `()`
    Unit,
}

impl Drop for TypeExpression {
    fn drop(&mut self) {
        if self.depth > 32 {
            let kind = std::mem::replace(&mut self.kind, TypeExpressionKind::Unit);
            deep(|| drop(kind));
        }
    }
}
