//! The meaning of the first-order language (S Fig. 4): Γ ⊢ e : τ denotes a map ⟦Γ⟧ ⇝ ⟦τ⟧, as a tower or as graphs.
//!
//! | clause | S Fig. 4 | [`tower`] |
//! |---|---|---|
//! | variable | the projection from ⟦Γ⟧ | `linear` of a selection |
//! | arrow | ⟦⌊f⌋(e)⟧ = f ∘ ⟦e⟧ | `⟦e⟧.then(f)` |
//! | unit | ⟦!⟧ = ! | [`Tower::terminal`] |
//! | pair | ⟦(e₁, e₂)⟧ = ⟨⟦e₁⟧, ⟦e₂⟧⟩ | [`Tower::pair`] |
//! | let | ⟦e₂⟧ ∘ ⟨id, ⟦e₁⟧⟩ | `identity.pair(⟦e₁⟧).then(⟦e₂⟧)` |
//! | derivative | ⟦e_y⟧′ ∘ ⟨⟨id, ⟦e_x⟧⟩, ⟨0, ⟦e_dx⟧⟩⟩ | [`Tower::prime`] after two pairs |
//!
//! The context is held fixed by the direction 0 in the last clause. Towers are the definition, literally, and slow;
//! [`graphs`] gives what jets differentiate.

use super::arrow::ArrowKind;
use super::typing::TypingError;
use super::{Arrow, Context, Term, TermKind};
use smoothish::meaning::presheaf;
use smoothish::number::arithmetic::Context as Arithmetic;
use smoothish::presheaf::dynamic::Element;
use smoothish::smooth::graph::{Binary, Graph, SourceId, Variable};
use smoothish::smooth::tower::{LinearMap, Tower, TowerError, primitive};
use smoothish::stack::with_stack;
use smoothish::value::ValueError;

/// Why a first-order term has no meaning.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FirstOrderError {
    /// It has no type.
    #[error(transparent)]
    Typing(#[from] TypingError),
    /// A map does not fit, or has no tower.
    #[error(transparent)]
    Tower(#[from] TowerError),
    /// A constant was not given what it takes.
    #[error(transparent)]
    Constant(#[from] ValueError),
}

/// The tower ⟦Γ⟧ ⇝ ⟦τ⟧ that Γ ⊢ e : τ denotes (S Fig. 4). The coordinates of Γ are those of its variables in order.
///
/// # Errors
/// [`FirstOrderError::Typing`] when Γ gives e no type.
pub fn tower<C: Arithmetic>(term: &Term, context: &Context) -> Result<Tower<C>, FirstOrderError> {
    term.type_in(context)?;
    denoted(term, &mut Scope::of(context))
}

/// The names in scope, and where the coordinates of each lie.
struct Scope {
    names: Vec<(std::sync::Arc<str>, usize, usize)>,
    dimension: usize,
}

impl Scope {
    fn of(context: &Context) -> Scope {
        let mut scope = Scope { names: Vec::new(), dimension: 0 };
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

    /// The coordinates of a variable; none for one that is not in scope.
    fn coordinates(&self, name: &str) -> std::ops::Range<usize> {
        let found = self.names.iter().rev().find(|(known, ..)| **known == *name);
        found.map_or(0..0, |(_, start, dimension)| *start..*start + *dimension)
    }
}

fn denoted<C: Arithmetic>(term: &Term, scope: &mut Scope) -> Result<Tower<C>, FirstOrderError> {
    let n = scope.dimension;
    with_stack(|| match term.kind() {
        TermKind::Variable(name) => Ok(Tower::linear(&LinearMap::select(n, scope.coordinates(name)))),
        TermKind::Unit => Ok(Tower::terminal(n)),
        TermKind::Apply(arrow, argument) => Ok(denoted(argument, scope)?.then(&arrow_tower(arrow)?)?),
        TermKind::Pair(first, second) => Ok(denoted(first, scope)?.pair(&denoted(second, scope)?)?),
        TermKind::Let { variable, value, body } => {
            let value = denoted::<C>(value, scope)?;
            scope.push(variable, value.outputs());
            let body = denoted(body, scope);
            scope.pop();
            Ok(Tower::identity(n).pair(&value)?.then(&body?)?)
        }
        TermKind::Derivative { body, variable, at, along } => {
            let (at, along) = (denoted::<C>(at, scope)?, denoted(along, scope)?);
            scope.push(variable, at.outputs());
            let body = denoted::<C>(body, scope);
            scope.pop();
            let point = Tower::identity(n).pair(&at)?;
            let direction = Tower::zero(n, n).pair(&along)?;
            Ok(point.pair(&direction)?.then(&body?.prime())?)
        }
    })
}

/// The tower of an arrow.
///
/// # Errors
/// [`FirstOrderError::Tower`] when its map has none.
pub fn arrow_tower<C: Arithmetic>(arrow: &Arrow) -> Result<Tower<C>, FirstOrderError> {
    let (n, m) = (arrow.domain().dimension(), arrow.codomain().dimension());
    Ok(match arrow.kind() {
        ArrowKind::Number(value) => {
            let value = value.clone();
            primitive::constant(n, move |context: &C| context.enclose_rational(&value))
        }
        ArrowKind::First => Tower::first(m, n - m),
        ArrowKind::Second => Tower::second(n - m, m),
        ArrowKind::Identity => Tower::identity(n),
        ArrowKind::Linear(rows) => Tower::linear(&LinearMap::from_rows(n, rows)?),
        _ => {
            let variables: Vec<Variable> = (0..n).map(|_| Variable::fresh()).collect();
            let inputs: Vec<Graph> = variables.iter().map(|v| Graph::variable(*v)).collect();
            let start = Tower::terminal(n);
            let graphs = arrow_graphs(arrow, &inputs)?;
            graphs.iter().try_fold(start, |all, graph| all.pair(&Tower::of_graph(graph, &variables)?))?
        }
    })
}

/// The graphs of the coordinates of e, given those of the variables of Γ, one after another.
///
/// # Errors
/// As for [`tower`]; [`TowerError::Dimension`] when there are more or fewer inputs than coordinates of Γ.
pub fn graphs(term: &Term, context: &Context, inputs: &[Graph]) -> Result<Vec<Graph>, FirstOrderError> {
    term.type_in(context)?;
    let mut scope = Scope::of(context);
    if inputs.len() != scope.dimension {
        let part = smoothish::smooth::tower::TowerOperand::Point;
        let (expected, found) = (scope.dimension, inputs.len());
        return Err(TowerError::Dimension { part, expected, found }.into());
    }
    coordinates(term, &mut scope, &mut inputs.to_vec())
}

fn coordinates(term: &Term, scope: &mut Scope, values: &mut Vec<Graph>) -> Result<Vec<Graph>, FirstOrderError> {
    with_stack(|| match term.kind() {
        TermKind::Variable(name) => Ok(values[scope.coordinates(name)].to_vec()),
        TermKind::Unit => Ok(Vec::new()),
        TermKind::Apply(arrow, argument) => arrow_graphs(arrow, &coordinates(argument, scope, values)?),
        TermKind::Pair(first, second) => {
            let mut all = coordinates(first, scope, values)?;
            all.extend(coordinates(second, scope, values)?);
            Ok(all)
        }
        TermKind::Let { variable, value, body } => {
            let value = coordinates(value, scope, values)?;
            under(variable, value, scope, values, |scope, values| coordinates(body, scope, values))
        }
        TermKind::Derivative { body, variable, at, along } => {
            let (at, along) = (coordinates(at, scope, values)?, coordinates(along, scope, values)?);
            let variables: Vec<Variable> = at.iter().map(|_| Variable::fresh()).collect();
            let fresh = variables.iter().map(|v| Graph::variable(*v)).collect();
            let body = under(variable, fresh, scope, values, |scope, values| coordinates(body, scope, values))?;
            let slope = |body| Graph::derivative(variables.clone(), body, at.clone(), along.clone());
            Ok(body.into_iter().map(slope).collect())
        }
    })
}

fn under<R>(
    name: &std::sync::Arc<str>,
    value: Vec<Graph>,
    scope: &mut Scope,
    values: &mut Vec<Graph>,
    make: impl FnOnce(&mut Scope, &mut Vec<Graph>) -> R,
) -> R {
    let outside = values.len();
    scope.push(name, value.len());
    values.extend(value);
    let made = make(scope, values);
    values.truncate(outside);
    scope.pop();
    made
}

/// An arrow applied to the coordinates of its argument.
fn arrow_graphs(arrow: &Arrow, x: &[Graph]) -> Result<Vec<Graph>, FirstOrderError> {
    let m = arrow.codomain().dimension();
    Ok(match arrow.kind() {
        ArrowKind::Number(value) => vec![Graph::rational(value.clone())],
        ArrowKind::Power(exponent) => {
            let power = x.first().and_then(|x| Graph::power(x, exponent));
            vec![power.ok_or(ValueError::Mismatch { expected: "a power", found: "one that is too large" })?]
        }
        ArrowKind::Operation(constant) => {
            // an operation is no second-order primitive, so the place does not matter
            let arguments: Vec<Element> = x.iter().cloned().map(Element::Real).collect();
            vec![presheaf::apply_to_elements(*constant, SourceId(0), &arguments)?.as_real()?.clone()]
        }
        ArrowKind::First | ArrowKind::Identity => x[..m].to_vec(),
        ArrowKind::Second => x[x.len() - m..].to_vec(),
        ArrowKind::Linear(rows) => {
            let row = |row: &Vec<smoothish::number::Rational>| {
                let term = |(c, x): (&smoothish::number::Rational, &Graph)| {
                    Graph::binary(Binary::Multiply, &Graph::rational(c.clone()), x)
                };
                let terms = row.iter().zip(x).filter(|(c, _)| !c.is_zero()).map(term);
                terms.reduce(|sum, term| Graph::binary(Binary::Add, &sum, &term)).unwrap_or_else(|| Graph::integer(0))
            };
            rows.iter().map(row).collect()
        }
    })
}
