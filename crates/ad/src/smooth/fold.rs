//! One fold over maps: abstract interpretation of [graphs](Graph) and of [blocks](Block).
//!
//! An [`AbstractDomain`] says what a property of the operands says about the result of an operation. A [`MapFold`] applies it
//! to all operations of a map, each once: it has the memo, guards the stack, and leaves out the branches that the domain
//! does not take.
//!
//! Let γ(v) be the set of numbers that a value v stands for. A domain is sound if each of its rules is: the results of an operation on
//! elements of γ(v), γ(w), … lie in γ of the result of the rule on v, w, …. Then, by induction over the nodes, γ of the value
//! of a map contains all its values (Cousot and Cousot 1977). `crates/ad/tests/ad/domains.rs` tests the rules one by one.
//!
//! | domain | a value is | in |
//! |---|---|---|
//! | `ExactNumbers` | a number of ℚ[ε₁, …, εₙ] | `exact` |
//! | `PolynomialDegree` | a bound of the degree in the parameter | `solve::analytic` |
//! | [`FactDomain`](crate::pieces::facts::FactDomain) | an interval, signs, definedness and monotonicity | `pieces::facts` |
//!
//! A linear form is expanded from the root, and not folded, so that its length is limited there; it reads the same
//! [steps](FoldSource::step_at).

use crate::function::RealOperation;
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, NodeOperation, RationalExponent, Unary, Variable};
use crate::smooth::jet::KinkBranch;
use crate::smooth::primitive::Primitive;
use crate::smooth::program::{Block, BlockInstruction, BlockRegister};
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A leaf of a map.
#[derive(Clone, Debug)]
pub enum FoldLeaf {
    /// A variable of a graph.
    Variable(Variable),
    /// A parameter or capture of a block, by its index.
    Input(usize),
    /// A rational number.
    Rational(Arc<Rational>),
    /// π
    Pi,
    /// Euler's number.
    Euler,
    /// A constant that is not known exactly.
    Constant,
}

/// A first-order operation, apart from its operands.
#[derive(Clone, Debug)]
pub enum FirstOrder {
    /// An operation of one operand.
    Unary(Unary),
    /// An operation of two operands.
    Binary(Binary),
    /// A rational power. The product of a place with itself is given as its square.
    Power(RationalExponent),
    /// A primitive from outside.
    Primitive(Arc<Primitive>),
}

impl FirstOrder {
    /// Returns the operation whose row of the [table of conditions](crate::function::OperationConditions) holds; `None` for
    /// a primitive.
    #[must_use]
    pub fn real_operation(&self) -> Option<RealOperation> {
        match self {
            Self::Unary(operation) => Some(operation.real_operation()),
            Self::Binary(operation) => Some(operation.real_operation()),
            Self::Power(exponent) => Some(exponent.real_operation()),
            Self::Primitive(_) => None,
        }
    }
}

/// The computation at a place of a map, from the results at other places.
#[derive(Clone, Debug)]
pub enum FoldStep<P> {
    /// A leaf.
    Leaf(FoldLeaf),
    /// The result at another place.
    Same(P),
    /// A first-order operation.
    Apply(FirstOrder, SmallVec<[P; 2]>),
    /// A choice: the second if the first is positive, the third if it is negative.
    Select([P; 3]),
    /// A derivative or a second-order primitive, with its operands outside of the body.
    Bind(SmallVec<[P; 2]>),
}

/// A map as places with steps.
pub trait FoldSource {
    /// Identifies a place. Equal places have equal results.
    type Place: Clone + Eq + Hash;

    /// Returns what is computed at a place.
    fn step_at(&self, at: &Self::Place) -> FoldStep<Self::Place>;
}

/// A node of a graph as a place; variables are compared by name, other nodes by address.
#[derive(Clone, Debug)]
pub struct GraphPlace(pub Graph);

impl GraphPlace {
    fn sort_key(&self) -> (Option<Variable>, usize) {
        match self.0.operation() {
            NodeOperation::Variable(v) => (Some(*v), 0),
            _ => (None, self.0.address()),
        }
    }
}

impl PartialEq for GraphPlace {
    fn eq(&self, other: &Self) -> bool {
        self.sort_key() == other.sort_key()
    }
}

impl Eq for GraphPlace {}

impl Hash for GraphPlace {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sort_key().hash(state);
    }
}

impl PartialOrd for GraphPlace {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for GraphPlace {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sort_key().cmp(&other.sort_key())
    }
}

/// All graphs, whose places are their nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct GraphNodes;

impl FoldSource for GraphNodes {
    type Place = GraphPlace;

    fn step_at(&self, at: &GraphPlace) -> FoldStep<GraphPlace> {
        let place = |g: &Graph| GraphPlace(g.clone());
        match at.0.operation() {
            NodeOperation::Variable(v) => FoldStep::Leaf(FoldLeaf::Variable(*v)),
            NodeOperation::Rational(q) => FoldStep::Leaf(FoldLeaf::Rational(q.clone())),
            NodeOperation::Pi => FoldStep::Leaf(FoldLeaf::Pi),
            NodeOperation::Euler => FoldStep::Leaf(FoldLeaf::Euler),
            NodeOperation::Unary(f, a) => FoldStep::Apply(FirstOrder::Unary(*f), smallvec![place(a)]),
            NodeOperation::Binary(f, a, b) => FoldStep::Apply(FirstOrder::Binary(*f), smallvec![place(a), place(b)]),
            NodeOperation::Power(a, e) => FoldStep::Apply(FirstOrder::Power(*e), smallvec![place(a)]),
            NodeOperation::Primitive(p, xs) => {
                FoldStep::Apply(FirstOrder::Primitive(p.clone()), xs.iter().map(place).collect())
            }
            NodeOperation::Select(guard, a, b) => FoldStep::Select([guard, a, b].map(place)),
            // the body is in another scope, which a domain enters by itself
            operation @ (NodeOperation::Derivative(_) | NodeOperation::Second(..)) => {
                FoldStep::Bind(operation.operands().into_iter().map(place).collect())
            }
        }
    }
}

/// A block, whose places are its registers.
#[derive(Clone, Copy)]
pub struct BlockRegisters<'b> {
    /// The block.
    pub block: &'b Block,
    /// Returns a constant of the program by its index; `None` if it is not known exactly.
    pub constant: &'b dyn Fn(u32) -> Option<Rational>,
}

impl FoldSource for BlockRegisters<'_> {
    type Place = BlockRegister;

    fn step_at(&self, at: &BlockRegister) -> FoldStep<BlockRegister> {
        let register = at.0 as usize;
        let Some(index) = register.checked_sub(self.block.parameters + self.block.captures) else {
            return FoldStep::Leaf(FoldLeaf::Input(register));
        };
        match &self.block.instructions[index] {
            BlockInstruction::Constant(number) => {
                FoldStep::Leaf((self.constant)(*number).map_or(FoldLeaf::Constant, |q| FoldLeaf::Rational(Arc::new(q))))
            }
            BlockInstruction::Unary(f, x) => FoldStep::Apply(FirstOrder::Unary(*f), smallvec![*x]),
            BlockInstruction::Binary(f, x, y) => FoldStep::Apply(FirstOrder::Binary(*f), smallvec![*x, *y]),
            BlockInstruction::Power(x, e) => FoldStep::Apply(FirstOrder::Power(*e), smallvec![*x]),
            BlockInstruction::Primitive(p, xs) => {
                FoldStep::Apply(FirstOrder::Primitive(p.clone()), xs.iter().copied().collect())
            }
            // a guard is the number whose sign it takes
            BlockInstruction::Guard(x) => FoldStep::Same(*x),
            BlockInstruction::Select { guard, then, otherwise } => FoldStep::Select([*guard, *then, *otherwise]),
            instruction @ (BlockInstruction::Derivative { .. } | BlockInstruction::Second { .. }) => {
                let mut reads = SmallVec::new();
                instruction.for_each_read(|register, _| reads.push(register));
                FoldStep::Bind(reads)
            }
        }
    }
}

/// A property of numbers, with a rule for each kind of step.
pub trait AbstractDomain<P> {
    /// Stands for a set of numbers.
    type Value: Clone;

    /// Returns the value of a place whose operands need not be visited. Here a limit of work ends the fold.
    fn skip_operands(&mut self, at: &P, step: &FoldStep<P>) -> Option<Self::Value> {
        let _ = (at, step);
        None
    }

    /// Returns the value of a leaf.
    fn eval_leaf(&mut self, leaf: &FoldLeaf) -> Self::Value;

    /// Returns the value of an operation, from those of its operands.
    fn apply_operation(&mut self, at: &P, operation: &FirstOrder, operands: &[Self::Value]) -> Self::Value;

    /// Returns the branch of a choice, from the place and the value of its guard. A branch that is not taken is not visited.
    fn choose_branch(&mut self, guard: &P, value: &Self::Value) -> KinkBranch;

    /// Returns the value of a choice that is not decided, from those of its two sides.
    fn join_branches(&mut self, sides: [Self::Value; 2]) -> Self::Value;

    /// Returns the value of a derivative or a second-order primitive, from those of its operands outside of the body.
    fn eval_binder(&mut self, at: &P, operands: &[Self::Value]) -> Self::Value;

    /// Narrows the value of a place by what else is known of it.
    fn reduce_value(&mut self, at: &P, value: Self::Value) -> Self::Value {
        let _ = at;
        value
    }
}

/// The values of a domain at the places of a map, each computed once.
#[derive(Debug)]
pub struct MapFold<S: FoldSource, D: AbstractDomain<S::Place>> {
    source: S,
    /// The domain.
    pub domain: D,
    /// The values. The places are kept, so that no address of a node is used for another one.
    known: FxHashMap<S::Place, D::Value>,
}

impl<S: FoldSource, D: AbstractDomain<S::Place>> MapFold<S, D> {
    /// Creates a fold in which nothing is computed yet.
    #[must_use]
    pub fn new(source: S, domain: D) -> Self {
        Self { source, domain, known: FxHashMap::default() }
    }

    /// Returns the value at a place.
    pub fn value_of(&mut self, at: &S::Place) -> D::Value {
        // shared places would be computed again on every path to them, exponentially often
        if let Some(known) = self.known.get(at) {
            return known.clone();
        }
        let value = with_stack(|| self.eval_step(at));
        let value = self.domain.reduce_value(at, value);
        self.known.insert(at.clone(), value.clone());
        value
    }

    fn values_of(&mut self, places: &[S::Place]) -> SmallVec<[D::Value; 2]> {
        places.iter().map(|place| self.value_of(place)).collect()
    }

    fn eval_step(&mut self, at: &S::Place) -> D::Value {
        let step = self.source.step_at(at);
        if let Some(value) = self.domain.skip_operands(at, &step) {
            return value;
        }
        match step {
            FoldStep::Leaf(leaf) => self.domain.eval_leaf(&leaf),
            FoldStep::Same(place) => self.value_of(&place),
            FoldStep::Apply(operation, places) => match (&operation, &places[..]) {
                // a square knows that both factors are one number, which a product does not
                (FirstOrder::Binary(Binary::Multiply), [x, y]) if x == y => {
                    let square = FirstOrder::Power(RationalExponent { numerator: 2, denominator: 1 });
                    let values = self.values_of(&places[..1]);
                    self.domain.apply_operation(at, &square, &values)
                }
                _ => {
                    let values = self.values_of(&places);
                    self.domain.apply_operation(at, &operation, &values)
                }
            },
            FoldStep::Select([guard, then, otherwise]) => {
                // the guard first: a branch that it excludes may be undefined, or take long
                let value = self.value_of(&guard);
                match self.domain.choose_branch(&guard, &value) {
                    KinkBranch::Left => self.value_of(&then),
                    KinkBranch::Right => self.value_of(&otherwise),
                    KinkBranch::Undecided => {
                        let sides = [self.value_of(&then), self.value_of(&otherwise)];
                        self.domain.join_branches(sides)
                    }
                }
            }
            FoldStep::Bind(places) => {
                let values = self.values_of(&places);
                self.domain.eval_binder(at, &values)
            }
        }
    }
}
