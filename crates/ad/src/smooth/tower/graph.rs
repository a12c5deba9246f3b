//! Towers of graphs: the denotation ⟦·⟧ of S Fig. 4.

use super::primitive::{constant, power, product, quotient};
use super::{LinearMap, Tower, TowerError, elementary, kink};
use crate::number::Rational;
use crate::number::context::Context;
use crate::smooth::graph::{Binary, Derivative, Graph, NodeOperation, Unary, Variable};
use crate::smooth::primitive::{Primitive, ValueRule};
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A compiler of graphs in one context of variables.
struct TowerCompiler<'v, C: Context> {
    inputs: &'v [Variable],
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
                    Unary::Abs => a.then(&kink::absolute()),
                    Unary::Signum => a.then(&kink::signum()),
                    Unary::Function(f) => a.then(&elementary::elementary_tower(*f)),
                }
            }
            NodeOperation::Binary(f, a, b) => {
                let pair = self.tower_of(a)?.pair(&self.tower_of(b)?)?;
                match f {
                    Binary::Add => pair.then_linear(&LinearMap::sum(1)),
                    Binary::Subtract => pair.then_linear(&LinearMap::difference(1)),
                    Binary::Multiply => pair.then(&product()),
                    Binary::Divide => pair.then(&quotient()),
                    Binary::Maximum => pair.then(&kink::maximum()),
                    Binary::Minimum => pair.then(&kink::minimum()),
                    Binary::Planar(f) => pair.then(&elementary::planar_tower(*f)),
                }
            }
            NodeOperation::Power(a, e) => self.tower_of(a)?.then(&power(e.numerator, e.denominator)),
            NodeOperation::Primitive(p, arguments) => self.compile_tuple(arguments)?.then(&primitive_tower(p)),
            NodeOperation::Select(guard, a, b) => {
                let (guard, a, b) = (self.tower_of(guard)?, self.tower_of(a)?, self.tower_of(b)?);
                Ok(guard.select_by_sign(&a, &b))
            }
            NodeOperation::Derivative(d) => self.compile_derivative(d),
            NodeOperation::Second(second, ..) => Err(TowerError::Unsupported { construct: second.functional().name() }),
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
        let body = Tower::of_graph(&d.body.substitute(&renaming), &[self.inputs, &fresh].concat())?;
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
    /// [`TowerError::Unbound`] for a variable that is not an input; [`TowerError::Unsupported`] for a second-order
    /// primitive; [`TowerError::Dimension`] when a primitive is given a number of arguments that is not its arity.
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
        TowerCompiler { inputs, known: FxHashMap::default() }.tower_of(graph)
    }
}
