//! Macros and relations as rows of text.
//!
//! A macro that keeps everything but numbers is a list of rows: the type of numbers, the image of a constant, and that of each
//! operation. With a base pair for each coordinate and a relation it is a [`Representation`]:
//!
//! ```text
//! representation Interval = Real * Real
//! constant c = (c, c)
//! coordinate u = (u - 1, u + 2)
//! x + y = (x[0] + y[0], x[1] + y[1])
//! - x = (- x[1], - x[0])
//! exp x = (exp x[0], exp x[1])
//! relates f r at u : r[0] <= f u
//! relates f r at u : f u <= r[1]
//! ```
//!
//! | row | meaning |
//! |---|---|
//! | `representation N = T` | 𝒟(real) = T; the first row |
//! | `constant c = e` | 𝒟(c), for a literal, π, e or `toReal n`; a row that every macro has |
//! | `coordinate u = e` | an element that is related to the plot `u ↦ u`; of several, one is drawn |
//! | `x + y = e`, `- x = e`, `sin x = e`, `x ^ 2 = e`, `polygamma n x = e` | 𝒟 of an operation. A whole power without a row is a product |
//! | `relates f r at u : a <= b`, `a >= b`, `a = b` | S relates f : ℝ → ℝ and r in T if this holds at every u; of several rows, all. `let … in` in front is in scope on both sides |
//!
//! A row goes on in the lines behind it that begin with a space. A line that begins with `!` is a comment. What is on the right is
//! a program; it may use the definitions before the first row.

use super::claim::{CoordinateSpace, GlueError, PlotClaim};
use super::evaluation::run_program;
use super::representation::{RealMap, Representation, RepresentationFamily};
use super::trial::BasisRange;
use crate::law::generate::data_library;
use crate::meaning::taylor::functor::NumberRules;
use crate::meaning::taylor::partial::SmoothOperation;
use crate::number::{Function, Rational};
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::syntax::constant::Constant;
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::Token;
use crate::syntax::library::Library;
use crate::syntax::parser::Parser;
use crate::syntax::source::Span;
use crate::syntax::surface::{BinaryOperator, ExpressionKind};
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;
use rustc_hash::FxHashMap;
use std::fmt::Debug;
use std::sync::Arc;

/// The reason why rows cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowsError {
    /// The first row is not `representation N = T`.
    #[error("line {line}: the first row is `representation Name = Type`, not `{row}`")]
    NoCarrier {
        /// The line, counted from 1.
        line: usize,
        /// The row.
        row: String,
    },
    /// A row that every macro or relation has is missing.
    #[error("there is no row `{row}`")]
    Missing {
        /// The form of the row.
        row: &'static str,
    },
    /// A row of a form that does not exist.
    #[error("line {line}: `{row}` is no row: {because}")]
    Form {
        /// The line, counted from 1.
        line: usize,
        /// The row.
        row: String,
        /// The form that was expected.
        because: String,
    },
    /// A strict inequality in a relation.
    #[error("line {line}: `{row}`: say {instead}: no number tells {strict} from {instead}")]
    Strict {
        /// The line, counted from 1.
        line: usize,
        /// The row.
        row: String,
        /// The sign.
        strict: char,
        /// The sign to write.
        instead: &'static str,
    },
    /// A program that is not well-typed.
    #[error("line {line}: `{row}`: {because}")]
    Program {
        /// The line, counted from 1.
        line: usize,
        /// The row.
        row: String,
        /// The message of the type inference.
        because: String,
    },
    /// A program of another type.
    #[error("line {line}: `{row}`: the right side has type `{found}`, and not `{expected}`")]
    Type {
        /// The line, counted from 1.
        line: usize,
        /// The row.
        row: String,
        /// The type that it has to have.
        expected: String,
        /// Its type.
        found: String,
    },
    /// Two rows for one thing.
    #[error("line {line}: `{row}`: line {first} has such a row")]
    Twice {
        /// The line, counted from 1.
        line: usize,
        /// The row.
        row: String,
        /// The line of the first such row.
        first: usize,
    },
}

/// A row with its line.
#[derive(Clone, Debug)]
struct MacroRow {
    line: usize,
    text: String,
}

impl MacroRow {
    fn form_error(&self, because: impl Into<String>) -> RowsError {
        RowsError::Form { line: self.line, row: self.text.clone(), because: because.into() }
    }

    /// Reads a closed program of a type.
    fn read_program(&self, program: &str, expected: &Ty, library: &Library) -> Result<Term, RowsError> {
        let (line, row) = (self.line, self.text.clone());
        match library.infer_expression(program) {
            Ok((term, ty)) if ty == *expected => Ok(term),
            Ok((_, found)) => {
                // only the part that was written is named, and not the binders around it
                let (expected, found) = (result_of_function(expected), result_of_function(&found));
                Err(RowsError::Type { line, row, expected, found })
            }
            Err(error) => Err(RowsError::Program { line, row, because: error.to_string() }),
        }
    }
}

/// Returns the type behind all arrows, as text.
fn result_of_function(ty: &Ty) -> String {
    match ty.kind() {
        TyKind::Function(_, codomain) => result_of_function(codomain),
        _ => ty.to_string(),
    }
}

/// Splits a text into rows, without comments and empty lines.
fn split_rows(text: &str) -> Vec<MacroRow> {
    let mut rows: Vec<MacroRow> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('!') {
            continue;
        }
        match rows.last_mut() {
            Some(row) if line.starts_with([' ', '\t']) => {
                row.text.push(' ');
                row.text.push_str(trimmed);
            }
            _ => rows.push(MacroRow { line: index + 1, text: trimmed.to_owned() }),
        }
    }
    rows
}

/// The rules of a macro, read from rows. Cheap to clone.
#[derive(Clone, Debug)]
pub struct RowRules {
    carrier: Ty,
    /// A function from numbers to the carrier.
    constant: Term,
    operations: FxHashMap<SmoothOperation, Term>,
    /// The library of the definitions that the programs may use.
    library: Arc<Library>,
}

impl RowRules {
    /// Reads the rows of a macro, `representation N = T` first. Its programs may use the types of random programs.
    ///
    /// # Errors
    /// [`RowsError`]
    ///
    /// # Examples
    /// ```
    /// use smoothish_laws::glue::rows::{RowRules, RowsError};
    /// let rows = "representation Dual = Real * Real\nconstant c = (c, 0)\nsin x = (sin x[0], x[1] * cos x[0])";
    /// assert!(RowRules::read(rows).is_ok());
    /// let wrong = RowRules::read(&format!("{rows}\ncos x = - sin x[0]")).unwrap_err();
    /// assert_eq!(wrong.to_string(), "line 4: `cos x = - sin x[0]`: the right side has type `Real`, and not `Real^2`");
    /// ```
    pub fn read(text: &str) -> Result<Self, RowsError> {
        Self::read_in(text, data_library())
    }

    /// Reads the rows of a macro whose programs may use the definitions of a library.
    ///
    /// # Errors
    /// [`RowsError`]
    pub fn read_in(text: &str, library: &Library) -> Result<Self, RowsError> {
        let (rules, rest) = read_rules(text, library)?;
        match rest.first() {
            Some(row) => {
                Err(row.form_error("`coordinate` and `relates` belong to a representation, and here is its macro"))
            }
            None => Ok(rules),
        }
    }

    /// Returns the rules with some of them replaced by other rows, without `representation`.
    ///
    /// # Errors
    /// [`RowsError`]
    pub fn with_rows(&self, text: &str) -> Result<Self, RowsError> {
        let mut rules = self.clone();
        let mut first = FxHashMap::default();
        split_rows(text).iter().try_for_each(|row| rules.add_row(row, &mut first))?;
        Ok(rules)
    }

    /// Adds or replaces the rule of a row.
    fn add_row(&mut self, row: &MacroRow, lines: &mut FxHashMap<String, usize>) -> Result<(), RowsError> {
        let library = self.library.clone();
        let (left, right) = row
            .text
            .split_once('=')
            .ok_or_else(|| row.form_error("a row is `x + y = …`, with a program behind `=`"))?;
        let (left, right, carrier) = (left.trim(), right.trim(), self.carrier.clone());
        let words: Vec<&str> = left.split_whitespace().collect();
        if let ["constant", name] = words[..] {
            let ty = Ty::function(Ty::real(), carrier);
            self.constant = row.read_program(&format!("\\({name} : Real) => ({right})"), &ty, &library)?;
            return note_line(row, "constant", lines);
        }
        let (operation, binders) = read_operation(row, left)?;
        let mut program = format!("({right})");
        let mut ty = carrier.clone();
        for (place, name) in binders.iter().enumerate().rev() {
            let is_order = place == 0 && matches!(operation, SmoothOperation::Special(_));
            let domain = if is_order { Ty::nat() } else { carrier.clone() };
            program = format!("\\({name} : {domain}) => {program}");
            ty = Ty::function(domain, ty);
        }
        note_line(row, &format!("{operation:?}"), lines)?;
        let term = row.read_program(&program, &ty, &library)?;
        self.operations.insert(operation, term);
        Ok(())
    }
}

impl NumberRules for RowRules {
    fn carrier(&self) -> Ty {
        self.carrier.clone()
    }
    fn constant(&self, value: Term) -> Term {
        Term::apply(self.constant.clone(), value, Span::default())
    }
    fn operation(&self, operation: &SmoothOperation) -> Option<Term> {
        self.operations.get(operation).cloned()
    }
}

/// Records the line of a row, and refuses a second row for the same thing.
fn note_line(row: &MacroRow, thing: &str, lines: &mut FxHashMap<String, usize>) -> Result<(), RowsError> {
    match lines.insert(thing.to_owned(), row.line) {
        None => Ok(()),
        Some(first) => Err(RowsError::Twice { line: row.line, row: row.text.clone(), first }),
    }
}

/// Reads the left side of a rule: an operation at variables.
fn read_operation(row: &MacroRow, left: &str) -> Result<(SmoothOperation, Vec<String>), RowsError> {
    // signs need no spaces around them
    let spaced: String =
        left.chars().flat_map(|c| if "+-*/^".contains(c) { vec![' ', c, ' '] } else { vec![c] }).collect();
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let variables = |names: &[&str]| -> Result<Vec<String>, RowsError> {
        match names.iter().find(|name| !is_name(name)) {
            Some(other) => Err(row.form_error(format!("`{other}` is no name of a variable"))),
            None => Ok(names.iter().map(|name| (*name).to_owned()).collect()),
        }
    };
    let sign = |sign: &str| match sign {
        "+" => Some(Constant::Add),
        "-" => Some(Constant::Subtract),
        "*" => Some(Constant::Multiply),
        "/" => Some(Constant::Divide),
        "^" => Some(Constant::RealPower),
        _ => None,
    };
    match words[..] {
        ["-", x] => Ok((SmoothOperation::Constant(Constant::Negate), variables(&[x])?)),
        [x, "^", ref exponent @ ..] if exponent.len() != 1 || !exponent.iter().all(|name| is_name(name)) => {
            let exponent: String = exponent.concat();
            let exponent = exponent.trim_matches(['(', ')']);
            let q = exponent.parse::<Rational>().map_err(|_| row.form_error(format!("`{exponent}` is no exponent")))?;
            Ok((SmoothOperation::Power(q), variables(&[x])?))
        }
        [x, between, y] if sign(between).is_some() => {
            let constant = sign(between).unwrap_or(Constant::Add);
            Ok((SmoothOperation::Constant(constant), variables(&[x, y])?))
        }
        [name, ref names @ ..] if !names.is_empty() => {
            let constant = Constant::from_name(name)
                .filter(|constant| constant.arity() == names.len() && !is_name_of_structure(*constant))
                .ok_or_else(|| row.form_error(format!("there is no operation `{name}` of {} numbers", names.len())))?;
            let operation = match constant {
                Constant::Special(id) => SmoothOperation::Special(id),
                constant => SmoothOperation::Constant(constant),
            };
            Ok((operation, variables(names)?))
        }
        _ => Err(row.form_error("on the left is an operation at variables, such as `x + y` or `sin x`")),
    }
}

/// Returns `true` for a constant that a macro keeps, whatever its numbers are.
fn is_name_of_structure(constant: Constant) -> bool {
    matches!(
        constant,
        Constant::Fst | Constant::Snd | Constant::Fold | Constant::Not | Constant::ToReal | Constant::Deriv
    ) || constant.as_functional().is_some()
        || constant.is_expandable()
}

/// Returns `true` if a word can name a variable.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\'')
}

/// Reads the rules of a macro. Returns the rows of the relation as well.
fn read_rules(text: &str, library: &Library) -> Result<(RowRules, Vec<MacroRow>), RowsError> {
    let mut rows = split_rows(text).into_iter();
    let head = rows.next().ok_or(RowsError::Missing { row: "representation Name = Type" })?;
    let no_carrier = || RowsError::NoCarrier { line: head.line, row: head.text.clone() };
    let rest = head.text.strip_prefix("representation ").ok_or_else(no_carrier)?;
    let (name, carrier) = rest.split_once('=').ok_or_else(no_carrier)?;
    if !is_name(name.trim()) {
        return Err(no_carrier());
    }
    let identity = format!("\\(x : {}) => x", carrier.trim());
    let (_, ty) = library.infer_expression(&identity).map_err(|error| RowsError::Program {
        line: head.line,
        row: head.text.clone(),
        because: error.to_string(),
    })?;
    let carrier = match ty.kind() {
        TyKind::Function(carrier, _) if carrier.is_closed() => carrier.clone(),
        _ => return Err(head.form_error("the type of numbers has no parameters")),
    };
    let constant = Term::constant(Constant::Pi);
    let mut rules =
        RowRules { carrier, constant, operations: FxHashMap::default(), library: Arc::new(library.clone()) };
    let (mut lines, mut relation) = (FxHashMap::default(), Vec::new());
    for row in rows {
        match row.text.split_whitespace().next() {
            Some("coordinate" | "relates") => relation.push(row),
            _ => rules.add_row(&row, &mut lines)?,
        }
    }
    // without such a row the placeholder above is no image of a constant
    if !lines.contains_key("constant") {
        return Err(RowsError::Missing { row: "constant c = …" });
    }
    Ok((rules, relation))
}

/// The sign between both sides of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RelationSign {
    Equal,
    AtMost,
    AtLeast,
}

/// The part of a representation by rows that is no macro: base pairs, and the relation at real numbers.
///
/// The methods are those of [`Representation`] with the same names.
pub trait RowRelation: Debug + Send + Sync {
    /// Returns an element that is related to a coordinate of a stage.
    ///
    /// # Errors
    /// [`ValueError`], which makes the sample vacuous.
    fn coordinate(
        &self,
        stage: &CoordinateSpace,
        direction: usize,
        random: &mut SplitMix64,
    ) -> Result<Element, ValueError>;

    /// Returns the claims that hold if a plot is related to a plot of the carrier.
    ///
    /// # Errors
    /// [`GlueError::Element`] if the second plot is of another type.
    fn claims(
        &self,
        plot: &Graph,
        representation: &Element,
        stage: &CoordinateSpace,
    ) -> Result<Vec<PlotClaim>, GlueError>;

    /// Returns 𝒟 of a constant: by the row `constant`, unless the relation is narrower.
    fn constant(&self, rules: &RowRules, value: Term) -> Term {
        rules.constant(value)
    }

    /// Returns the representation of a map by definition. Returns `None` if there is no such definition.
    fn lifted(&self, _map: &RealMap<'_>, _arguments: &[Element]) -> Option<Result<Element, ValueError>> {
        None
    }
}

/// A representation whose macro is given by rows, so that a wrong rule can be put in the place of each. Its relation is of type S:
/// by default rows as well.
#[derive(Clone, Debug)]
pub struct RowRepresentation<S = WrittenRelation> {
    relation: S,
    rules: RowRules,
}

impl<S> RowRepresentation<S> {
    /// Makes the representation of a macro and a relation.
    #[must_use]
    pub fn new(relation: S, rules: RowRules) -> Self {
        Self { relation, rules }
    }
}

impl<S: Clone> RowRepresentation<S> {
    /// Returns the representation with some rules replaced by other rows.
    ///
    /// # Errors
    /// [`RowsError`]
    pub fn with_rows(&self, rows: &str) -> Result<Self, RowsError> {
        Ok(Self { relation: self.relation.clone(), rules: self.rules.with_rows(rows)? })
    }
}

impl<S: RowRelation> NumberRules for RowRepresentation<S> {
    fn carrier(&self) -> Ty {
        self.rules.carrier()
    }
    fn constant(&self, value: Term) -> Term {
        self.relation.constant(&self.rules, value)
    }
    fn operation(&self, operation: &SmoothOperation) -> Option<Term> {
        self.rules.operation(operation)
    }
}

impl<S: RowRelation> Representation for RowRepresentation<S> {
    fn rules(&self) -> &dyn NumberRules {
        self
    }
    fn coordinate(
        &self,
        stage: &CoordinateSpace,
        direction: usize,
        random: &mut SplitMix64,
    ) -> Result<Element, ValueError> {
        self.relation.coordinate(stage, direction, random)
    }
    fn claims(
        &self,
        plot: &Graph,
        representation: &Element,
        stage: &CoordinateSpace,
    ) -> Result<Vec<PlotClaim>, GlueError> {
        self.relation.claims(plot, representation, stage)
    }
    fn lifted(&self, map: &RealMap<'_>, arguments: &[Element]) -> Option<Result<Element, ValueError>> {
        self.relation.lifted(map, arguments)
    }
}

/// A relation that is read from rows. Its stages are lines.
#[derive(Clone, Debug)]
pub struct WrittenRelation {
    /// Functions from the coordinate to the carrier.
    coordinates: Vec<Element>,
    /// Functions from f, r and u to both sides.
    sides: Vec<(RelationSign, Element)>,
}

impl RowRepresentation {
    /// Reads a representation, whose programs may use the definitions of a library.
    ///
    /// # Errors
    /// [`GlueError::Rows`]; [`GlueError::Element`] if a row cannot be run.
    pub fn read_in(text: &str, library: &Library) -> Result<Self, GlueError> {
        let (rules, rows) = read_rules(text, library)?;
        let (mut coordinates, mut relation) = (Vec::new(), Vec::new());
        let carrier = rules.carrier();
        for row in rows {
            match row.text.split_once(':') {
                Some((left, right)) if left.starts_with("relates") => {
                    let (sign, program) = relation_program(&row, left, right, &carrier)?;
                    let both = Ty::new(TyKind::Tuple(vec![Ty::real(), Ty::real()]));
                    let plot = Ty::function(Ty::real(), Ty::real());
                    let ty = Ty::function(plot, Ty::function(carrier.clone(), Ty::function(Ty::real(), both)));
                    relation.push((sign, run_program(&row.read_program(&program, &ty, library)?)?));
                }
                _ => {
                    let written = row.text.split_once('=').map(|(left, right)| (left.trim(), right.trim()));
                    let Some((name, right)) = written.and_then(|(left, right)| {
                        let name = left.strip_prefix("coordinate")?.trim();
                        is_name(name).then_some((name, right))
                    }) else {
                        let forms = "the forms are `coordinate u = …` and `relates f r at u : … <= …`";
                        return Err(row.form_error(forms).into());
                    };
                    let ty = Ty::function(Ty::real(), carrier.clone());
                    let program = row.read_program(&format!("\\({name} : Real) => ({right})"), &ty, library)?;
                    coordinates.push(run_program(&program)?);
                }
            }
        }
        let missing = |row| Err(RowsError::Missing { row }.into());
        match (coordinates.is_empty(), relation.is_empty()) {
            (true, _) => missing("coordinate u = …"),
            (_, true) => missing("relates f r at u : …"),
            _ => Ok(Self { relation: WrittenRelation { coordinates, sides: relation }, rules }),
        }
    }

    /// Returns the family of this representation, over lines.
    #[must_use]
    pub fn into_family(self) -> RepresentationFamily {
        RepresentationFamily::fixed(self).in_range(BasisRange::Only(1, 1))
    }
}

/// Returns the sign of a relation, and the program of its sides at f, r and u.
fn relation_program(
    row: &MacroRow,
    left: &str,
    right: &str,
    carrier: &Ty,
) -> Result<(RelationSign, String), RowsError> {
    let words: Vec<&str> = left.split_whitespace().collect();
    let [_, f, r, "at", u] = words[..] else {
        return Err(row.form_error("a relation is `relates f r at u : a <= b`"));
    };
    if let Some(other) = [f, r, u].into_iter().find(|name| !is_name(name)) {
        return Err(row.form_error(format!("`{other}` is no name of a variable")));
    }
    let (sign, [a, b]) = relation_sides(row, right)?;
    let kind = match sign {
        "<=" => RelationSign::AtMost,
        ">=" => RelationSign::AtLeast,
        "=" => RelationSign::Equal,
        "<" | ">" => {
            let (strict, instead) = if sign == "<" { ('<', "<=") } else { ('>', ">=") };
            return Err(RowsError::Strict { line: row.line, row: row.text.clone(), strict, instead });
        }
        other => return Err(row.form_error(format!("`{other}` is no relation of numbers; say <=, >= or ="))),
    };
    Ok((kind, format!("\\({f} : Real -> Real) ({r} : {carrier}) ({u} : Real) => ({a}, {b})")))
}

/// Returns the sign of a relation, and the programs on both sides of it. Definitions in front, `let … in`, belong to both.
fn relation_sides(row: &MacroRow, text: &str) -> Result<(&'static str, [String; 2]), RowsError> {
    let wrong =
        |error: SyntaxError| RowsError::Program { line: row.line, row: row.text.clone(), because: error.to_string() };
    let mut parser = Parser::new(text, &[]).map_err(wrong)?;
    let whole = parser.parse_expression().map_err(wrong)?;
    // In parentheses a definition ends with them; without, it goes on to the end of the relation.
    let mut inside = &whole;
    while let ExpressionKind::Let(_, body) | ExpressionKind::LetPattern(_, _, body) = &inside.kind
        && parser.text_of(inside.span).starts_with("let")
    {
        inside = body;
    }
    let slice = |from: u32, to: u32| parser.text_of(Span::new(from, to)).trim();
    let definitions = slice(whole.span.start, inside.span.start);
    let side = |part: &str| format!("{definitions} {part}").trim().to_owned();
    if parser.is_at(Token::Equals) {
        let left = side(slice(inside.span.start, inside.span.end));
        parser.advance().map_err(wrong)?;
        let right = parser.parse_expression().map_err(wrong)?;
        parser.expect_end().map_err(wrong)?;
        let right = format!("{definitions} {}", parser.text_of(right.span));
        return Ok(("=", [left, right]));
    }
    parser.expect_end().map_err(wrong)?;
    let signs = [
        (BinaryOperator::LessEqual, "<="),
        (BinaryOperator::GreaterEqual, ">="),
        (BinaryOperator::Less, "<"),
        (BinaryOperator::Greater, ">"),
        (BinaryOperator::Equal, "=="),
        (BinaryOperator::NotEqual, "/="),
    ];
    match &inside.kind {
        ExpressionKind::Binary(operator, a, b)
            if let Some((_, sign)) = signs.iter().find(|(one, _)| one == operator) =>
        {
            Ok((sign, [a, b].map(|part| side(parser.text_of(part.span)))))
        }
        _ => Err(row.form_error("between both sides is <=, >= or =")),
    }
}

impl RowRelation for WrittenRelation {
    fn coordinate(
        &self,
        stage: &CoordinateSpace,
        direction: usize,
        random: &mut SplitMix64,
    ) -> Result<Element, ValueError> {
        let u = Graph::variable(stage.variables()[direction]);
        random.pick(&self.coordinates).as_function()?.apply(&Element::Real(u))
    }

    fn claims(
        &self,
        plot: &Graph,
        representation: &Element,
        stage: &CoordinateSpace,
    ) -> Result<Vec<PlotClaim>, GlueError> {
        let u = stage.coordinate_plots().next().unwrap_or_else(|| Graph::integer(0));
        let (own, variables) = (plot.clone(), stage.variables().to_vec());
        let f = Element::from_closure(move |x: &Element| {
            let bindings: Vec<_> = variables.first().map(|v| (*v, x.as_real().cloned())).into_iter().collect();
            let bindings: Result<Vec<_>, ValueError> = bindings.into_iter().map(|(v, x)| Ok((v, x?))).collect();
            Ok(Element::Real(own.substitute(&bindings?)))
        });
        let arguments = [f, representation.clone(), Element::Real(u)];
        let sides = |function: &Element| -> Result<[Graph; 2], GlueError> {
            let both = super::lemma::apply_all(function, arguments.iter().cloned())?;
            let (a, b) = both.as_pair()?;
            Ok([a.as_real()?.clone(), b.as_real()?.clone()])
        };
        self.sides
            .iter()
            .map(|(sign, function)| {
                let [a, b] = sides(function)?;
                Ok(match sign {
                    RelationSign::Equal => PlotClaim::Equal(a, b),
                    RelationSign::AtMost => PlotClaim::AtMost(a, b),
                    RelationSign::AtLeast => PlotClaim::AtMost(b, a),
                })
            })
            .collect()
    }
}

/// Returns an operation applied to variables, as text. The order of a special function is `n`.
#[must_use]
pub fn operation_call(operation: &SmoothOperation, x: &str, y: &str) -> String {
    match operation {
        SmoothOperation::Power(q) => format!("{x} ^ ({q})"),
        SmoothOperation::Special(id) => format!("{} n {x}", Constant::Special(*id).name()),
        SmoothOperation::Constant(Constant::RealPower) => format!("{x} ^ {y}"),
        SmoothOperation::Constant(Constant::Negate) => format!("- {x}"),
        SmoothOperation::Constant(constant) => match (constant.operator_sign(), constant.arity()) {
            (Some(sign), _) => format!("{x} {sign} {y}"),
            (None, 1) => format!("{} {x}", constant.name()),
            (None, _) => format!("{} {x} {y}", constant.name()),
        },
    }
}

/// Returns a graph as the text of a program, with the names of its variables. Returns `None` for a graph with a node that binds
/// variables, branches, or comes from Rust.
#[must_use]
pub fn graph_program(g: &Graph, names: &[(Variable, &str)]) -> Option<String> {
    let text = |g: &Graph| crate::stack::with_stack(|| graph_program(g, names));
    Some(match g.operation() {
        NodeOperation::Variable(v) => (*names.iter().find(|(known, _)| known == v)?.1).to_owned(),
        NodeOperation::Rational(q) => format!("({q})"),
        NodeOperation::Pi => "pi".to_owned(),
        NodeOperation::Euler => "exp 1".to_owned(),
        NodeOperation::Unary(operation, a) => {
            let a = text(a)?;
            match operation {
                Unary::Negate => format!("(- {a})"),
                Unary::Abs => format!("(abs {a})"),
                Unary::Signum => format!("(signum {a})"),
                Unary::Function(Function::Special(id, order)) => format!("({} {order} {a})", id.family().name),
                Unary::Function(f) => format!("({} {a})", f.name()),
            }
        }
        NodeOperation::Binary(operation, a, b) => {
            let (a, b) = (text(a)?, text(b)?);
            match operation {
                Binary::Add => format!("({a} + {b})"),
                Binary::Subtract => format!("({a} - {b})"),
                Binary::Multiply => format!("({a} * {b})"),
                Binary::Divide => format!("({a} / {b})"),
                Binary::Maximum => format!("(max {a} {b})"),
                Binary::Minimum => format!("(min {a} {b})"),
                Binary::Planar(f) => format!("({} {a} {b})", f.name()),
            }
        }
        NodeOperation::Power(a, q) => format!("({} ^ ({}/{}))", text(a)?, q.numerator, q.denominator),
        _ => return None,
    })
}

/// Returns the number of the line on which the rows of a representation begin. Returns `None` if there are none.
#[must_use]
pub fn first_row_line(text: &str) -> Option<usize> {
    text.lines().position(|line| line.starts_with("representation "))
}
