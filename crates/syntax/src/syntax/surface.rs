//! The surface syntax: the tree that the parser makes and type inference reads.

use super::error;
use super::error::SyntaxError;
use super::name::Name;
use super::source::Span;
use crate::number::Rational;
use crate::stack::with_stack;

/// A name with its span.
#[derive(Clone, Debug)]
pub struct Identifier {
    /// The name.
    pub name: Name,
    /// The span of the name.
    pub span: Span,
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
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

/// A component of an isomorphism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Member {
    /// `.to`
    To,
    /// `.from`
    From,
}

/// An expression as written. Its depth is at most [`error::DEPTH`].
#[derive(Debug)]
pub struct Expression {
    /// The shape.
    pub kind: ExpressionKind,
    /// The span, parentheses included.
    pub span: Span,
    depth: u32,
}

/// The shape of an expression.
#[derive(Debug)]
pub enum ExpressionKind {
    /// `x`, `Module.x`
    Name(Option<Name>, Name),
    /// `3`, `0.5`; the second is `true` for a literal with a point or an exponent, which has the type `Real`.
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
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `-operand`
    Negate(Box<Expression>),
    /// `(+)`
    Section(BinaryOperator),
    /// `let declaration in body`
    Let(Box<Declaration>, Box<Expression>),
    /// `let pattern = value in body`
    LetPattern(Box<Binder>, Box<Expression>, Box<Expression>),
    /// `if condition then a else b`
    If(Box<[Expression; 3]>),
    /// Two expressions of one type, as a pair: the sides of a relation. It has no syntax of its own.
    SameTypePair(Box<[Expression; 2]>),
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
    /// `do { … }`, desugared to applications of `bind`. Inside it, names resolve first to those of sampling programs.
    Do(Box<Expression>),
}

impl Expression {
    /// Makes an expression, one level deeper than its deepest part. Binders count with the levels of the term that they
    /// make.
    ///
    /// # Errors
    /// [`SyntaxError::TooDeep`] beyond [`error::DEPTH`].
    pub fn new(kind: ExpressionKind, span: Span) -> Result<Expression, SyntaxError> {
        let depth = 1 + match &kind {
            ExpressionKind::Lambda(binders, body) => {
                // A function of several parameters becomes that many nested functions, of which the node itself counts
                // one.
                body.depth + binders.iter().map(Binder::term_levels).sum::<u32>().max(1) - 1
            }
            ExpressionKind::Apply(left, right) | ExpressionKind::Binary(_, left, right) => left.depth.max(right.depth),
            ExpressionKind::LetPattern(binder, value, body) => value.depth.max(body.depth + binder.term_levels()),
            ExpressionKind::Negate(inner)
            | ExpressionKind::Index(inner, _)
            | ExpressionKind::Member(inner, _)
            | ExpressionKind::Ascription(inner, _)
            | ExpressionKind::Do(inner) => inner.depth,
            ExpressionKind::Let(declaration, body) => {
                let parameters = declaration.parameters.iter().map(Binder::term_levels).sum::<u32>();
                body.depth.max(declaration.value.depth + parameters)
            }
            ExpressionKind::If(parts) => parts.iter().map(|part| part.depth).max().unwrap_or(0),
            ExpressionKind::SameTypePair(parts) => parts.iter().map(|part| part.depth).max().unwrap_or(0),
            ExpressionKind::List(parts) => {
                // A list becomes nested `::`, so that its element number n lies n levels deeper.
                parts.iter().zip(1..).map(|(part, number)| part.depth + number).max().unwrap_or(0)
            }
            ExpressionKind::Match(scrutinee, cases) => {
                let weight = |case: &Case| case.pattern.term_levels() + case.body.depth;
                cases.iter().map(weight).max().unwrap_or(0).max(scrutinee.depth)
            }
            ExpressionKind::Tuple(parts) => parts.iter().map(|part| part.depth).max().unwrap_or(0),
            _ => 0,
        };
        if depth > error::DEPTH { Err(SyntaxError::TooDeep { span }) } else { Ok(Expression { kind, span, depth }) }
    }

    /// Adds parentheses: one level of depth, and the wider `span`.
    ///
    /// # Errors
    /// [`SyntaxError::TooDeep`] beyond [`error::DEPTH`].
    pub fn in_parentheses(mut self, span: Span) -> Result<Expression, SyntaxError> {
        self.depth += 1;
        self.span = span;
        if self.depth > error::DEPTH { Err(SyntaxError::TooDeep { span }) } else { Ok(self) }
    }
}

impl Expression {
    /// Returns the shape by value.
    pub fn into_kind(mut self) -> ExpressionKind {
        // `Expression` has a destructor, so its fields cannot be moved out.
        std::mem::replace(&mut self.kind, ExpressionKind::Unit)
    }
}

impl Drop for Expression {
    fn drop(&mut self) {
        // A choice: shallow trees are dropped by plain recursion, which spares them the check of the stack.
        if self.depth > 32 {
            let kind = std::mem::replace(&mut self.kind, ExpressionKind::Unit);
            with_stack(|| drop(kind));
        }
    }
}

/// A parameter of a function or of a `let`: a pattern, with its type if one is written.
#[derive(Debug)]
pub struct Binder {
    /// The pattern, which binds names.
    pub pattern: Pattern,
    /// The type written after the colon. `(x y : T)` is two binders that share one type.
    pub ty: Option<std::rc::Rc<TypeExpression>>,
}

impl Binder {
    /// Returns the number of levels of core term that the binder makes.
    fn term_levels(&self) -> u32 {
        1 + self.pattern.inner_levels()
    }
}

/// A pattern: a name, or a tuple of patterns. Its depth is at most [`error::DEPTH`].
#[derive(Debug)]
pub struct Pattern {
    /// The shape.
    pub kind: PatternKind,
    /// The span of the pattern.
    pub span: Span,
    /// The number of levels.
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
    /// Returns the number of names and tuples inside a tuple pattern; 0 for a name.
    fn inner_levels(&self) -> u32 {
        match &self.kind {
            // Every name and every inner tuple becomes a `let` with a projection: one level of the term.
            PatternKind::Tuple(parts) => with_stack(|| parts.iter().map(|part| 1 + part.inner_levels()).sum()),
            _ => 0,
        }
    }
}

impl Drop for Pattern {
    fn drop(&mut self) {
        if self.depth > 32 {
            let kind = std::mem::replace(&mut self.kind, PatternKind::Ignore);
            with_stack(|| drop(kind));
        }
    }
}

/// `pattern => body`, in a `match`.
#[derive(Debug)]
pub struct Case {
    /// The pattern that selects the case.
    pub pattern: CasePattern,
    /// The span of the pattern.
    pub span: Span,
    /// The result of the case.
    pub body: Expression,
}

/// A pattern of a case: a constructor, with a pattern for its argument.
#[derive(Debug)]
pub enum CasePattern {
    /// `Just x`, `Module.Nothing`
    Constructor(Option<Name>, Name, Option<Pattern>),
    /// `[]`
    Nil,
    /// `x :: rest`, as a pattern for the pair of both.
    Cons(Pattern),
    /// `x` or `_`, which is rejected: type inference reports the constructors that are missing.
    CatchAll,
}

impl CasePattern {
    /// Returns the pattern of the argument. `None` if there is none.
    pub fn argument(&self) -> Option<&Pattern> {
        match self {
            CasePattern::Constructor(_, _, argument) => argument.as_ref(),
            CasePattern::Nil | CasePattern::CatchAll => None,
            CasePattern::Cons(pair) => Some(pair),
        }
    }

    /// Returns the number of levels of core term that the pattern makes.
    fn term_levels(&self) -> u32 {
        1 + self.argument().map_or(0, Pattern::inner_levels)
    }
}

/// `name A B (x : T) … : R = value`, after `let` or `let rec`.
#[derive(Debug)]
pub struct Declaration {
    /// `true` after `let rec`: the name is in scope in its own value.
    pub recursive: bool,
    /// The defined name.
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
    /// The defined name.
    pub name: Identifier,
    /// The parameters.
    pub parameters: Vec<Identifier>,
    /// The type that the name abbreviates.
    pub body: TypeExpression,
}

/// `type Name A B = C | D T`
#[derive(Debug)]
pub struct DataDeclaration {
    /// The defined name.
    pub name: Identifier,
    /// The parameters.
    pub parameters: Vec<Identifier>,
    /// The constructors, with the types of their arguments.
    pub constructors: Vec<(Identifier, Option<TypeExpression>)>,
}

/// A declaration after `type`.
#[derive(Debug)]
pub enum TypeDeclaration {
    /// A synonym for a type.
    Alias(AliasDeclaration),
    /// An algebraic data type.
    Data(DataDeclaration),
}

impl TypeDeclaration {
    /// Returns the defined name.
    pub fn name(&self) -> &Identifier {
        match self {
            TypeDeclaration::Alias(declaration) => &declaration.name,
            TypeDeclaration::Data(declaration) => &declaration.name,
        }
    }

    /// Returns the type parameters.
    pub fn parameters(&self) -> &[Identifier] {
        match self {
            TypeDeclaration::Alias(declaration) => &declaration.parameters,
            TypeDeclaration::Data(declaration) => &declaration.parameters,
        }
    }
}

/// A type as written. Its depth is at most [`error::DEPTH`].
#[derive(Debug)]
pub struct TypeExpression {
    /// The shape.
    pub kind: TypeExpressionKind,
    /// The span of the type.
    pub span: Span,
    /// The number of levels.
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
            with_stack(|| drop(kind));
        }
    }
}
