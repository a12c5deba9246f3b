//! Towers of graphs: the denotation ⟦·⟧ of S Fig. 4.
//!
//! # Towers against jets
//!
//! Taylor coefficients from a tower, and the tower of a program that is evaluated by jets.
//!
//! Over a Weil algebra with generators ε₁, …, ε_g, the coefficient of ε^α in `f(x + Σ v_i ε_i)` is `f⁽|α|⁾(x; v₁^α₁, …)/α!`,
//! each v_i taken α_i times. Conversely `f⁽ᵏ⁾(x; v₁, …, v_k)` is the coefficient of ε₁⋯ε_k over ℝ[ε₁, …, ε_k]/(ε_i²).
//!
//! # Set partitions
//!
//! H(S) of S §4.4.
//!
//! A partition of {0, …, n-1} is a *restricted growth string*: element i goes into block a_i, with a₀ = 0 and
//! a_i ≤ 1 + max(a₀, …, a_{i-1}). In lexicographic order the strings run from 00…0 (one block) to 012…(n-1) (singletons).
//! Their number is Bell's: 1, 1, 2, 5, 15, 52, 203, 877, … (S28).
//!
//! Source: Knuth, *The Art of Computer Programming* 4A, §7.2.1.5, Algorithm H.
//!
//! # Errors of towers
//!
//! Errors of towers. Being undefined is not an error: the result is ⊥.

use super::functional::{Subdivision, tower_of_functional};
use super::primitive::{constant, power, product, quotient};
use super::{EnclosureVector, LinearMap, Tower, TowerRule, primitive};
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::number::Rational;
use crate::number::accuracy::PassOptions;
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::magnitude::Magnitude;
use crate::number::real::DisjointEnclosures;
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, Derivative, Graph, NodeOperation, SecondOrder, Unary, Variable};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, JetEvaluator};
use crate::smooth::primitive::{Primitive, ValueRule};
use crate::smooth::program::CompiledMap;
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

/// The clauses of the second-order primitives: the tower `Γ ⇝ ℝ` of one applied to `f : Γ × ℝ ⇝ ℝ`.
pub type FunctionalClauses<C> = dyn Fn(SecondOrder, &Tower<C>) -> Result<Tower<C>, TowerError> + Send + Sync;

/// A compiler of graphs in one context of variables.
struct TowerCompiler<'v, C: Context> {
    inputs: &'v [Variable],
    /// The clauses of the second-order primitives.
    clauses: &'v FunctionalClauses<C>,
    /// The towers of graphs by address.
    known: FxHashMap<usize, Tower<C>>,
}

impl<C: Context> TowerCompiler<'_, C> {
    /// Returns the tower of a graph. A shared graph is compiled once.
    fn tower_of(&mut self, g: &Graph) -> Result<Tower<C>, TowerError> {
        if let Some(known) = self.known.get(&g.address()) {
            return Ok(known.clone());
        }
        let tower = with_stack(|| self.compile_operation(g))?;
        self.known.insert(g.address(), tower.clone());
        Ok(tower)
    }

    /// Compiles the operation of a graph, by the clauses of S Fig. 4.
    fn compile_operation(&mut self, g: &Graph) -> Result<Tower<C>, TowerError> {
        let n = self.inputs.len();
        match g.operation() {
            NodeOperation::Variable(v) => match self.inputs.iter().position(|w| w == v) {
                Some(i) => Ok(Tower::linear(&LinearMap::select(n, [i]))),
                None => Err(TowerError::Unbound { variable: *v }),
            },
            NodeOperation::Rational(q) => {
                let q = q.clone();
                Ok(constant(n, move |context: &C| context.enclose_rational(&q)))
            }
            NodeOperation::Pi => Ok(constant(n, C::pi)),
            NodeOperation::Euler => Ok(constant(n, C::enclose_euler)),
            NodeOperation::Unary(f, a) => {
                let a = self.tower_of(a)?;
                match f {
                    Unary::Negate => a.then_linear(&LinearMap::scalar_multiple(1, &Rational::from(-1))),
                    Unary::Abs => a.then(&primitive::absolute()),
                    Unary::Signum => a.then(&primitive::signum()),
                    Unary::Function(f) => a.then(&primitive::elementary_tower(*f)),
                }
            }
            NodeOperation::Binary(f, a, b) => {
                let pair = self.tower_of(a)?.pair(&self.tower_of(b)?)?;
                match f {
                    Binary::Add => pair.then_linear(&LinearMap::sum(1)),
                    Binary::Subtract => pair.then_linear(&LinearMap::difference(1)),
                    Binary::Multiply => pair.then(&product()),
                    Binary::Divide => pair.then(&quotient()),
                    Binary::Maximum => pair.then(&primitive::maximum()),
                    Binary::Minimum => pair.then(&primitive::minimum()),
                    Binary::Planar(f) => pair.then(&primitive::planar_tower(*f)),
                }
            }
            NodeOperation::Power(a, e) => self.tower_of(a)?.then(&power(e.numerator, e.denominator)),
            NodeOperation::Primitive(p, arguments) => self.compile_tuple(arguments)?.then(&primitive_tower(p)),
            NodeOperation::Select(guard, a, b) => {
                let (guard, a, b) = (self.tower_of(guard)?, self.tower_of(a)?, self.tower_of(b)?);
                Ok(guard.select_by_sign(&a, &b))
            }
            NodeOperation::Derivative(d) => self.compile_derivative(d),
            NodeOperation::Second(functional, variable, body) => {
                // A bound variable hides an input of the same name, so it is renamed.
                let fresh = Variable::fresh();
                let body = body.substitute(&[(*variable, Graph::variable(fresh))]);
                let body = Tower::of_graph_with(&body, &[self.inputs, &[fresh]].concat(), self.clauses)?;
                (self.clauses)(*functional, &body)
            }
        }
    }

    /// Returns the tower ⟨e₁, …, eₙ⟩.
    fn compile_tuple(&mut self, graphs: &[Graph]) -> Result<Tower<C>, TowerError> {
        let start = Tower::terminal(self.inputs.len());
        graphs.iter().try_fold(start, |tuple, g| tuple.pair(&self.tower_of(g)?))
    }

    /// Returns `⟦e_y⟧′ ∘ ⟨⟨id, e_x⟩, ⟨0, e_dx⟩⟩`, the clause of ∂ in Fig. 4. A direction of zeros holds the context fixed.
    fn compile_derivative(&mut self, d: &Derivative) -> Result<Tower<C>, TowerError> {
        let n = self.inputs.len();
        // A bound variable hides an input of the same name, so it is renamed.
        let fresh: Vec<_> = d.variables.iter().map(|_| Variable::fresh()).collect();
        let renaming: Vec<_> = d.variables.iter().copied().zip(fresh.iter().map(|v| Graph::variable(*v))).collect();
        let body = &d.body.substitute(&renaming);
        let body = Tower::of_graph_with(body, &[self.inputs, &fresh].concat(), self.clauses)?;
        let point = Tower::identity(n).pair(&self.compile_tuple(&d.at)?)?;
        let direction = Tower::zero(n, n).pair(&self.compile_tuple(&d.along)?)?;
        point.pair(&direction)?.then(&body.prime())
    }
}

/// Returns the tower of a foreign primitive: `foldDer` of its value and its derivative, which is compiled when it is first
/// needed.
fn primitive_tower<C: Context>(p: &Arc<Primitive>) -> Tower<C> {
    let rule = p.clone();
    let derivative = move || {
        let variables: Vec<_> = (0..2 * rule.arity).map(|_| Variable::fresh()).collect();
        let graphs: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
        let (x, v) = graphs.split_at(rule.arity);
        Tower::of_graph(&(rule.derivative)(x, v), &variables)
    };
    match &p.value {
        ValueRule::Extension(f) => {
            let f = f.clone();
            super::primitive::fold_der_lazily(
                p.arity,
                move |context: &C, x| context.apply_extension(&*f, x),
                derivative,
            )
        }
        ValueRule::Map { variables, graph, .. } => {
            let (n, variables, graph) = (p.arity, variables.clone(), graph.clone());
            Tower::lazy(n, 1, move || {
                let value = Tower::of_graph(&graph, &variables)?.value_map();
                Tower::fold_der(value, &Tower::lazy(2 * n, 1, derivative.clone()))
            })
        }
    }
}

impl<C: Context> Tower<C> {
    /// Returns the tower `ℝⁿ ⇝ ℝ` of a graph whose free variables are among the n `inputs`: its operations composed, derivative
    /// nodes by ′ (S Fig. 4).
    ///
    /// # Errors
    /// [`TowerError::Unbound`] for a variable that is not an input; [`TowerError::Dimension`] when a primitive is given a
    /// number of arguments that is not its arity.
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::number::{Context, Double};
    /// use smoothish_ad::smooth::graph::{Binary, Graph, Variable};
    /// use smoothish_ad::smooth::tower::Tower;
    ///
    /// let x = Variable::fresh();
    /// let relu = Graph::binary(Binary::Maximum, &Graph::variable(x), &Graph::integer(0));
    /// let relu: Tower<Double> = Tower::of_graph(&relu, &[x])?;
    /// let number = |n| vec![Double.enclose_integer(n)];
    /// let slope = relu.derivative(&number(0), &[number(1)], &Double)?;
    /// let slope = Double.to_enclosure(&slope[0]);
    /// assert_eq!((slope.lo().to_f64(), slope.hi().to_f64()), (0.0, 1.0));
    /// # Ok::<(), smoothish_ad::smooth::tower::TowerError>(())
    /// ```
    pub fn of_graph(graph: &Graph, inputs: &[Variable]) -> Result<Self, TowerError> {
        Self::of_graph_with(graph, inputs, &|functional, f| tower_of_functional(functional, f, Subdivision::default()))
    }

    /// Like [`Tower::of_graph`], with clauses of the second-order primitives in place of those that S prints.
    ///
    /// # Errors
    /// As for [`Tower::of_graph`], and those of the clauses.
    pub fn of_graph_with(
        graph: &Graph,
        inputs: &[Variable],
        clauses: &FunctionalClauses<C>,
    ) -> Result<Self, TowerError> {
        TowerCompiler { inputs, clauses, known: FxHashMap::default() }.tower_of(graph)
    }
}

/// The rule of a program that is evaluated by jets.
struct JetTowerRule(CompiledMap);

impl<C: HookedContext> TowerRule<C> for JetTowerRule {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        let real = Algebra::real();
        let mut algebra = real.clone();
        let mut generators = Vec::with_capacity(directions.len());
        // One generator ε with ε² = 0 for each direction: their product is the last monomial, with the mixed derivative.
        for _ in directions {
            algebra = algebra
                .adjoin(AlgebraGenerator::Direction(1))
                .ok_or(TowerError::Unsupported { construct: "so many directions" })?;
            generators.push(algebra.last_generator());
        }
        let inputs: Vec<_> = (0..x.len())
            .map(|i| {
                let mut jet = Jet::constant(x[i].clone());
                generators.iter().zip(directions).for_each(|(g, v)| jet.set(*g, Some(v[i].clone())));
                jet
            })
            .collect();
        let budget = Budget::unlimited();
        // Towers have no budget: tolerance is as fine as the precision.
        let effort = PassOptions::new(Magnitude::power_of_two(-i64::from(context.precision())), &budget);
        let machine = JetEvaluator::new(context, &effort, &real, &self.0);
        let y = machine.eval_derivatives(&self.0.root, &algebra, [&inputs, &[]], 0, &mut BranchDecisions::default())?;
        let top = algebra.len() - 1;
        Ok(y.iter().map(|jet| jet.get(top).cloned().unwrap_or_else(|| context.enclose_integer(0))).collect())
    }
}

impl<C: HookedContext> Tower<C> {
    /// Returns the tower `ℝⁿ ⇝ ℝᵐ` of graphs by jets, second-order primitives included. It is compared with
    /// [`Tower::of_graph`]. A structural zero becomes 0.
    ///
    /// # Errors
    /// [`TowerError::Unbound`] for a variable that is not an input. Evaluation fails with [`TowerError::Jets`] where the
    /// jets do.
    pub fn by_jets(graphs: &[Graph], inputs: &[Variable]) -> Result<Self, TowerError> {
        match CompiledMap::unbound_variables(inputs, graphs).first() {
            Some(&variable) => Err(TowerError::Unbound { variable }),
            None => Ok(Self::new(inputs.len(), graphs.len(), JetTowerRule(CompiledMap::compile(inputs, graphs)))),
        }
    }

    /// Returns the value at `x + Σ v_i ε_i` over an algebra with a generator ε_i for each direction: one jet for each
    /// component. No coefficient is structurally zero.
    ///
    /// # Errors
    /// [`TowerError::Dimension`] when there are not as many directions as generators; those of [`Tower::derivative`].
    pub fn jet_at(
        &self,
        x: &[C::Num],
        directions: &[EnclosureVector<C>],
        algebra: &Algebra,
        context: &C,
    ) -> Result<Vec<Jet<C::Num>>, TowerError> {
        check_dimension(TowerOperand::Directions, algebra.generator_count(), directions.len())?;
        let mut jets = vec![Jet::zero(); self.outputs()];
        for monomial in 0..algebra.len() {
            let mut along = Vec::new();
            // f⁽|α|⁾(x; v₁^α₁, …)/α!, the Taylor coefficient of ε^α.
            let mut factorial = 1;
            for (direction, power) in directions.iter().zip(algebra.exponents(monomial)) {
                for count in 1..=u64::from(*power) {
                    along.push(direction.clone());
                    factorial *= count;
                }
            }
            for (jet, c) in jets.iter_mut().zip(self.derivative(x, &along, context)?) {
                jet.set(monomial, Some(context.div_integer(&c, factorial)));
            }
        }
        Ok(jets)
    }
}

/// A set partition: its blocks ordered by their least elements, each block in increasing order.
pub type Partition = Vec<Vec<usize>>;

/// An iterator over all partitions of {0, …, n-1}, each once. The empty set has one, the empty partition.
///
/// # Examples
/// ```
/// use smoothish_ad::smooth::tower::graph::SetPartitions;
///
/// let three: Vec<_> = SetPartitions::new(3).collect();
/// assert_eq!(three, [
///     vec![vec![0, 1, 2]],
///     vec![vec![0, 1], vec![2]],
///     vec![vec![0, 2], vec![1]],
///     vec![vec![0], vec![1, 2]],
///     vec![vec![0], vec![1], vec![2]],
/// ]);
/// assert_eq!(SetPartitions::new(0).collect::<Vec<_>>(), [Vec::<Vec<usize>>::new()]);
/// ```
#[derive(Clone, Debug)]
pub struct SetPartitions {
    /// The restricted growth string of the next partition; `None` at the end.
    growth: Option<Vec<usize>>,
}

impl SetPartitions {
    /// Returns the partitions of a set of n elements.
    #[must_use]
    pub fn new(n: usize) -> Self {
        Self { growth: Some(vec![0; n]) }
    }
}

impl Iterator for SetPartitions {
    type Item = Partition;

    fn next(&mut self) -> Option<Partition> {
        let growth = self.growth.take()?;
        let count = growth.iter().max().map_or(0, |block| block + 1);
        let mut partition = vec![Vec::new(); count];
        for (element, block) in growth.iter().enumerate() {
            partition[*block].push(element);
        }
        self.growth = next_growth_string(growth);
        Some(partition)
    }
}

/// Returns the next restricted growth string in lexicographic order. Returns `None` after the last, 012…(n-1).
fn next_growth_string(mut growth: Vec<usize>) -> Option<Vec<usize>> {
    // Element 0 is always in block 0; the last element that can move to a later block moves by one.
    let grows = |i: &usize| growth[..*i].iter().max().is_some_and(|most| growth[*i] <= *most);
    let last = (1..growth.len()).rev().find(grows)?;
    growth[last] += 1;
    growth[last + 1..].fill(0);
    Some(growth)
}

/// The vector of an application `f⁽ᵏ⁾(x; v₁…v_k)`, or the map of a construction, that has a wrong dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TowerOperand {
    /// The point x.
    Point,
    /// The direction v with this index, from 0.
    Direction(usize),
    /// The result of a rule.
    Result,
    /// The domain of the second map of a composition: as large as the codomain of the first.
    Composition,
    /// The domains of a pair or a sum of maps: equal.
    Domains,
    /// The codomains of a sum of maps: equal.
    Codomains,
    /// The domain of the derivative in `foldDer`: pairs of a point and a direction.
    Derivative,
    /// The number of directions: as many as the algebra has generators.
    Directions,
    /// A row of a matrix.
    Row(usize),
    /// A box: an interval for each coordinate of the domain.
    Box,
}

/// An error of building or evaluating a [`Tower`].
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TowerError {
    /// A vector, or a map, of the wrong dimension.
    #[error("{part} has dimension {found} where {expected} was expected")]
    Dimension {
        /// The vector or map.
        part: TowerOperand,
        /// The dimension that fits.
        expected: usize,
        /// The dimension that was given.
        found: usize,
    },
    /// An interval with its ends in the wrong order.
    #[error("coordinate {index} of the box is [{lo}, {hi}], with its ends in the wrong order")]
    Reversed {
        /// The index of the coordinate, from 0.
        index: usize,
        /// The lower end as given.
        lo: Rational,
        /// The upper end as given.
        hi: Rational,
    },
    /// A construct of graphs that the literal definition does not interpret.
    #[error("towers have no rule for {construct}; evaluate the graph with jets, which do")]
    Unsupported {
        /// The name of the construct.
        construct: &'static str,
    },
    /// A definition that leads back to itself at the same order of the derivative.
    #[error("the tower is defined by itself; a recursion needs a `fold_der` between the tower and its own mention")]
    Unproductive,
    /// The evaluation was not allowed to go on: see [`Tower::with_permission`](super::Tower::with_permission).
    #[error(
        "the tower was not evaluated within the budget; its cost grows with the number of set partitions of the order"
    )]
    Exhausted,
    /// A free variable of a graph that is not among the inputs.
    #[error("the graph mentions {variable:?}, which is not among the inputs of the tower")]
    Unbound {
        /// The variable.
        variable: Variable,
    },
    /// A function that was to be read as a matrix is not linear.
    #[error(
        "not linear: at {input:?} component {component} is {found}, but the matrix of the function gives {expected}"
    )]
    NotLinear {
        /// The input at which it shows.
        input: Vec<Rational>,
        /// The index of the component of the result.
        component: usize,
        /// The value that the matrix gives there.
        expected: Rational,
        /// The value that the function gives there.
        found: Rational,
    },
    /// An error of the jets, for a tower that is computed by jets.
    #[error(transparent)]
    Jets(#[from] SmoothError),
}

impl ErrorWithKind for TowerError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Exhausted => ErrorKind::Limit,
            Self::Unsupported { .. } => ErrorKind::Unsupported,
            Self::Jets(error) => error.kind(),
            Self::Dimension { .. }
            | Self::Reversed { .. }
            | Self::Unproductive
            | Self::Unbound { .. }
            | Self::NotLinear { .. } => ErrorKind::InvalidInput,
        }
    }
}

impl From<DisjointEnclosures> for TowerError {
    fn from(error: DisjointEnclosures) -> Self {
        SmoothError::from(error).into()
    }
}

impl fmt::Display for TowerOperand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point => write!(f, "the point"),
            Self::Direction(i) => write!(f, "direction {i} (counted from 0)"),
            Self::Result => write!(f, "the result of a rule"),
            Self::Composition => write!(f, "the domain of the second map of a composition"),
            Self::Domains => write!(f, "the domain of the second map"),
            Self::Codomains => write!(f, "the codomain of the second map"),
            Self::Derivative => write!(f, "the domain of the derivative in foldDer, a point and a direction,"),
            Self::Directions => write!(f, "the list of directions, one for each generator,"),
            Self::Box => write!(f, "the box"),
            Self::Row(i) => write!(f, "row {i} (counted from 0) of the matrix"),
        }
    }
}

/// Fails with [`TowerError::Dimension`] unless `found` is `expected`.
pub(super) fn check_dimension(part: TowerOperand, expected: usize, found: usize) -> Result<(), TowerError> {
    if expected == found { Ok(()) } else { Err(TowerError::Dimension { part, expected, found }) }
}
