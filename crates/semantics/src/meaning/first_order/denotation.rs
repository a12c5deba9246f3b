//! The meaning of the first-order language (S Fig. 4): Γ ⊢ e : τ denotes a map ⟦Γ⟧ ⇝ ⟦τ⟧, as a tower or as graphs.
//!
//! | clause | S Fig. 4 | [`FirstOrderClauses`] |
//! |---|---|---|
//! | variable | the projection from ⟦Γ⟧ | `linear` of a selection |
//! | arrow | ⟦⌊f⌋(e)⟧ = f ∘ ⟦e⟧ | `⟦e⟧.then(f)` |
//! | unit | ⟦!⟧ = ! | [`Tower::terminal`] |
//! | pair | ⟦(e₁, e₂)⟧ = ⟨⟦e₁⟧, ⟦e₂⟧⟩ | [`Tower::pair`] |
//! | let | ⟦e₂⟧ ∘ ⟨id, ⟦e₁⟧⟩ | `identity.pair(⟦e₁⟧).then(⟦e₂⟧)` |
//! | derivative | ⟦e_y⟧′ ∘ ⟨⟨id, ⟦e_x⟧⟩, ⟨0, ⟦e_dx⟧⟩⟩ | [`Tower::prime`] after two pairs |
//!
//! The context is held fixed by the direction 0 in the last clause. Towers are the definition, literally, and slow;
//! [`graphs_of_term`] gives what jets differentiate.

use super::{AdArrow, AdArrowKind, FirstOrderContext, FirstOrderTerm, FirstOrderTermKind, FirstOrderTypingError};
use crate::meaning::presheaf;
use crate::number::Rational;
use crate::number::arithmetic::Context as Arithmetic;
use crate::presheaf::dynamic::Element;
use crate::smooth::graph::{Binary, Graph, SourceId, Variable};
use crate::smooth::tower::{LinearMap, Tower, TowerError, TowerOperand, primitive};
use crate::stack::with_stack;
use crate::value::ValueError;

/// The reason why a first-order term has no meaning.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FirstOrderError {
    /// The term has no type.
    #[error(transparent)]
    Typing(#[from] FirstOrderTypingError),
    /// A map does not fit, or has no tower.
    #[error(transparent)]
    Tower(#[from] TowerError),
    /// A constant was not given what it takes.
    #[error(transparent)]
    Constant(#[from] ValueError),
}

/// Returns the tower ⟦Γ⟧ ⇝ ⟦τ⟧ that Γ ⊢ e : τ denotes (S Fig. 4). The coordinates of Γ are those of its variables in order.
///
/// # Errors
/// [`FirstOrderError::Typing`] when Γ gives e no type.
pub fn tower_of_term<C: Arithmetic>(
    term: &FirstOrderTerm,
    context: &FirstOrderContext,
) -> Result<Tower<C>, FirstOrderError> {
    tower_by_clauses(term, context, &PrintedClauses)
}

/// Like [`tower_of_term`], by other clauses than the printed ones.
///
/// # Errors
/// As for [`tower_of_term`]; [`FirstOrderError::Tower`] when the clauses make maps that do not fit.
pub fn tower_by_clauses<C: Arithmetic>(
    term: &FirstOrderTerm,
    context: &FirstOrderContext,
    clauses: &dyn FirstOrderClauses<C>,
) -> Result<Tower<C>, FirstOrderError> {
    term.type_in(context)?;
    denote_term(term, &mut TermScope::of(context), clauses)
}

/// The names in scope, and the places of their coordinates.
struct TermScope {
    names: Vec<(std::sync::Arc<str>, usize, usize)>,
    dimension: usize,
}

impl TermScope {
    fn of(context: &FirstOrderContext) -> TermScope {
        let mut scope = TermScope { names: Vec::new(), dimension: 0 };
        context.variables().iter().for_each(|(name, ty)| scope.push(name, ty.dimension()));
        scope
    }

    fn push(&mut self, name: &std::sync::Arc<str>, dimension: usize) {
        self.names.push((name.clone(), self.dimension, dimension));
        self.dimension += dimension;
    }

    fn pop(&mut self) {
        if let Some((_, _, dimension)) = self.names.pop() {
            self.dimension -= dimension;
        }
    }

    /// Returns the coordinates of a variable; none for one that is not in scope.
    fn coordinates(&self, name: &str) -> std::ops::Range<usize> {
        let found = self.names.iter().rev().find(|(known, ..)| **known == *name);
        found.map_or(0..0, |(_, start, dimension)| *start..*start + *dimension)
    }
}

/// Returns the tower of a well-typed term by the given clauses.
fn denote_term<C: Arithmetic>(
    term: &FirstOrderTerm,
    scope: &mut TermScope,
    clauses: &dyn FirstOrderClauses<C>,
) -> Result<Tower<C>, FirstOrderError> {
    let n = scope.dimension;
    with_stack(|| match term.kind() {
        FirstOrderTermKind::Variable(name) => Ok(clauses.variable_clause(n, scope.coordinates(name))),
        FirstOrderTermKind::Unit => Ok(clauses.unit_clause(n)),
        FirstOrderTermKind::Apply(arrow, argument) => {
            let argument = denote_term(argument, scope, clauses)?;
            Ok(clauses.arrow_clause(&argument, &tower_of_arrow(arrow)?)?)
        }
        FirstOrderTermKind::Pair(first, second) => {
            Ok(clauses.pair_clause(&denote_term(first, scope, clauses)?, &denote_term(second, scope, clauses)?)?)
        }
        FirstOrderTermKind::Let { variable, value, body } => {
            let value = denote_term(value, scope, clauses)?;
            scope.push(variable, value.outputs());
            let body = denote_term(body, scope, clauses);
            scope.pop();
            Ok(clauses.let_clause(&value, &body?)?)
        }
        FirstOrderTermKind::Derivative { body, variable, at, along } => {
            let (at, along) = (denote_term(at, scope, clauses)?, denote_term(along, scope, clauses)?);
            scope.push(variable, at.outputs());
            let body = denote_term(body, scope, clauses);
            scope.pop();
            Ok(clauses.derivative_clause(&body?, &at, &along)?)
        }
    })
}

/// The clauses of ⟦·⟧ (S Fig. 4), with ⟦Γ⟧ = ℝⁿ. The methods are as printed; a wrong clause overrides one.
pub trait FirstOrderClauses<C: Arithmetic> {
    /// Returns ⟦x⟧, the projection from ⟦Γ⟧ to the coordinates of x.
    fn variable_clause(&self, n: usize, coordinates: std::ops::Range<usize>) -> Tower<C> {
        Tower::linear(&LinearMap::select(n, coordinates))
    }

    /// Returns ⟦⌊f⌋(e)⟧ = f ∘ ⟦e⟧.
    ///
    /// # Errors
    /// [`TowerError::Dimension`] if they do not fit; likewise below.
    fn arrow_clause(&self, argument: &Tower<C>, arrow: &Tower<C>) -> Result<Tower<C>, TowerError> {
        argument.then(arrow)
    }

    /// Returns ⟦!⟧ = !.
    fn unit_clause(&self, n: usize) -> Tower<C> {
        Tower::terminal(n)
    }

    /// Returns ⟦(e₁, e₂)⟧ = ⟨⟦e₁⟧, ⟦e₂⟧⟩.
    ///
    /// # Errors
    /// As above.
    fn pair_clause(&self, first: &Tower<C>, second: &Tower<C>) -> Result<Tower<C>, TowerError> {
        first.pair(second)
    }

    /// Returns ⟦let x ≜ e₁ in e₂⟧ = ⟦e₂⟧ ∘ ⟨id, ⟦e₁⟧⟩.
    ///
    /// # Errors
    /// As above.
    fn let_clause(&self, value: &Tower<C>, body: &Tower<C>) -> Result<Tower<C>, TowerError> {
        Tower::identity(value.inputs()).pair(value)?.then(body)
    }

    /// Returns ⟦∂e_y/∂x|x=e_x·e_dx⟧ = ⟦e_y⟧′ ∘ ⟨⟨id, ⟦e_x⟧⟩, ⟨0, ⟦e_dx⟧⟩⟩.
    ///
    /// # Errors
    /// As above.
    fn derivative_clause(&self, body: &Tower<C>, at: &Tower<C>, along: &Tower<C>) -> Result<Tower<C>, TowerError> {
        let n = at.inputs();
        let point = Tower::identity(n).pair(at)?;
        let direction = Tower::zero(n, n).pair(along)?;
        point.pair(&direction)?.then(&body.prime())
    }
}

/// The clauses as S Fig. 4 prints them.
#[derive(Clone, Copy, Debug)]
pub struct PrintedClauses;

impl<C: Arithmetic> FirstOrderClauses<C> for PrintedClauses {}

/// Returns the tower of an arrow.
///
/// # Errors
/// [`FirstOrderError::Tower`] when its map has none.
pub fn tower_of_arrow<C: Arithmetic>(arrow: &AdArrow) -> Result<Tower<C>, FirstOrderError> {
    let (n, m) = (arrow.domain().dimension(), arrow.codomain().dimension());
    Ok(match arrow.kind() {
        AdArrowKind::Number(value) => {
            let value = value.clone();
            primitive::constant(n, move |context: &C| context.enclose_rational(&value))
        }
        AdArrowKind::First => Tower::first(m, n - m),
        AdArrowKind::Second => Tower::second(n - m, m),
        AdArrowKind::Identity => Tower::identity(n),
        AdArrowKind::Linear(rows) => Tower::linear(&LinearMap::from_rows(n, rows)?),
        _ => {
            let variables: Vec<Variable> = (0..n).map(|_| Variable::fresh()).collect();
            let inputs: Vec<Graph> = variables.iter().map(|v| Graph::variable(*v)).collect();
            let start = Tower::terminal(n);
            let graphs = graphs_of_arrow(arrow, &inputs)?;
            graphs.iter().try_fold(start, |all, graph| all.pair(&Tower::of_graph(graph, &variables)?))?
        }
    })
}

/// Returns the graphs of the coordinates of e, given those of the variables of Γ, one after another.
///
/// # Errors
/// As for [`tower_of_term`]; [`TowerError::Dimension`] when there are more or fewer inputs than coordinates of Γ.
pub fn graphs_of_term(
    term: &FirstOrderTerm,
    context: &FirstOrderContext,
    inputs: &[Graph],
) -> Result<Vec<Graph>, FirstOrderError> {
    term.type_in(context)?;
    let mut scope = TermScope::of(context);
    if inputs.len() != scope.dimension {
        let part = TowerOperand::Point;
        let (expected, found) = (scope.dimension, inputs.len());
        return Err(TowerError::Dimension { part, expected, found }.into());
    }
    collect_coordinates(term, &mut scope, &mut inputs.to_vec())
}

/// Returns the graphs of the coordinates of a well-typed term.
fn collect_coordinates(
    term: &FirstOrderTerm,
    scope: &mut TermScope,
    values: &mut Vec<Graph>,
) -> Result<Vec<Graph>, FirstOrderError> {
    with_stack(|| match term.kind() {
        FirstOrderTermKind::Variable(name) => Ok(values[scope.coordinates(name)].to_vec()),
        FirstOrderTermKind::Unit => Ok(Vec::new()),
        FirstOrderTermKind::Apply(arrow, argument) => {
            graphs_of_arrow(arrow, &collect_coordinates(argument, scope, values)?)
        }
        FirstOrderTermKind::Pair(first, second) => {
            let mut all = collect_coordinates(first, scope, values)?;
            all.extend(collect_coordinates(second, scope, values)?);
            Ok(all)
        }
        FirstOrderTermKind::Let { variable, value, body } => {
            let value = collect_coordinates(value, scope, values)?;
            with_binding(variable, value, scope, values, |scope, values| collect_coordinates(body, scope, values))
        }
        FirstOrderTermKind::Derivative { body, variable, at, along } => {
            let (at, along) = (collect_coordinates(at, scope, values)?, collect_coordinates(along, scope, values)?);
            let variables: Vec<Variable> = at.iter().map(|_| Variable::fresh()).collect();
            let fresh = variables.iter().map(|v| Graph::variable(*v)).collect();
            let body =
                with_binding(variable, fresh, scope, values, |scope, values| collect_coordinates(body, scope, values))?;
            let slope = |body| Graph::derivative(variables.clone(), body, at.clone(), along.clone());
            Ok(body.into_iter().map(slope).collect())
        }
    })
}

/// Runs `make` with one variable more in scope.
fn with_binding<R>(
    name: &std::sync::Arc<str>,
    value: Vec<Graph>,
    scope: &mut TermScope,
    values: &mut Vec<Graph>,
    make: impl FnOnce(&mut TermScope, &mut Vec<Graph>) -> R,
) -> R {
    let outside = values.len();
    scope.push(name, value.len());
    values.extend(value);
    let made = make(scope, values);
    values.truncate(outside);
    scope.pop();
    made
}

/// Returns the values of an arrow at the coordinates of its argument.
fn graphs_of_arrow(arrow: &AdArrow, x: &[Graph]) -> Result<Vec<Graph>, FirstOrderError> {
    let m = arrow.codomain().dimension();
    Ok(match arrow.kind() {
        AdArrowKind::Number(value) => vec![Graph::rational(value.clone())],
        AdArrowKind::Power(exponent) => {
            let power = x.first().and_then(|x| Graph::power(x, exponent));
            vec![power.ok_or(ValueError::Mismatch { expected: "a power", found: "one that is too large" })?]
        }
        AdArrowKind::Operation(constant) => {
            // an operation is no second-order primitive, so the place does not matter
            let arguments: Vec<Element> = x.iter().cloned().map(Element::Real).collect();
            vec![presheaf::apply_to_elements(*constant, SourceId(0), &arguments)?.as_real()?.clone()]
        }
        AdArrowKind::First | AdArrowKind::Identity => x[..m].to_vec(),
        AdArrowKind::Second => x[x.len() - m..].to_vec(),
        AdArrowKind::Linear(rows) => {
            let row = |row: &Vec<Rational>| {
                let term =
                    |(c, x): (&Rational, &Graph)| Graph::binary(Binary::Multiply, &Graph::rational(c.clone()), x);
                let terms = row.iter().zip(x).filter(|(c, _)| !c.is_zero()).map(term);
                terms.reduce(|sum, term| Graph::binary(Binary::Add, &sum, &term)).unwrap_or_else(|| Graph::integer(0))
            };
            rows.iter().map(row).collect()
        }
    })
}
