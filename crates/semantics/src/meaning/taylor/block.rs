//! Straight-line programs on components of tuples of reals, and their conversion to terms.
//!
//! The value of an operation on jets is a few polynomials. They are built here as a graph: equal nodes are identified, literal
//! 0 and 1 are simplified away, and a node used twice becomes a `let`.

use crate::meaning::foreign;
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::constant::foreign::ForeignId;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use rustc_hash::FxHashMap;

/// A number in a block, by the index of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockValue(usize);

/// A node of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum BlockNode {
    Rational(Rational),
    /// A component of an argument.
    Input(usize, usize),
    /// An argument that is a natural number, plus a constant.
    Order(usize, u64),
    Call(Constant, Vec<BlockValue>),
    /// The derivative of this order, 1 or more, of a function from outside.
    Slope(ForeignId, usize, BlockValue),
}

/// A straight-line program: a list of numbers, each computed from those before it.
#[derive(Debug, Default)]
pub struct JetBlock {
    nodes: Vec<BlockNode>,
    known_rational: FxHashMap<BlockNode, BlockValue>,
}

impl JetBlock {
    /// Returns the number of a node; equal nodes share one.
    fn intern_node(&mut self, node: BlockNode) -> BlockValue {
        let next = BlockValue(self.nodes.len());
        let atom = *self.known_rational.entry(node.clone()).or_insert(next);
        if atom == next {
            self.nodes.push(node);
        }
        atom
    }

    /// Adds a rational number.
    pub fn rational(&mut self, q: impl Into<Rational>) -> BlockValue {
        self.intern_node(BlockNode::Rational(q.into()))
    }

    /// Adds a component of an argument. An argument that is a number has the component 0.
    pub fn input(&mut self, argument: usize, component: usize) -> BlockValue {
        self.intern_node(BlockNode::Input(argument, component))
    }

    /// Adds an argument that is a natural number, plus `more`.
    pub fn order_plus(&mut self, argument: usize, more: u64) -> BlockValue {
        self.intern_node(BlockNode::Order(argument, more))
    }

    /// Adds a constant of the language applied to arguments.
    pub fn call_constant(&mut self, constant: Constant, arguments: &[BlockValue]) -> BlockValue {
        self.intern_node(BlockNode::Call(constant, arguments.to_vec()))
    }

    /// Adds the derivative of an order, 1 or more, of a function from outside.
    pub fn call_slope(&mut self, id: ForeignId, order: usize, argument: BlockValue) -> BlockValue {
        self.intern_node(BlockNode::Slope(id, order, argument))
    }

    /// Returns the rational number of a node, if it is one.
    fn known_rational(&self, a: BlockValue) -> Option<&Rational> {
        match &self.nodes[a.0] {
            BlockNode::Rational(q) => Some(q),
            _ => None,
        }
    }

    /// Adds `a + b`.
    pub fn add(&mut self, a: BlockValue, b: BlockValue) -> BlockValue {
        match (self.known_rational(a), self.known_rational(b)) {
            (Some(p), Some(q)) => {
                let sum = Rational::from(p + q);
                self.rational(sum)
            }
            (Some(p), _) if *p == 0 => b,
            (_, Some(q)) if *q == 0 => a,
            _ => self.call_constant(Constant::Add, &[a, b]),
        }
    }

    /// Adds `a − b`.
    pub fn subtract(&mut self, a: BlockValue, b: BlockValue) -> BlockValue {
        match (self.known_rational(a), self.known_rational(b)) {
            (Some(p), Some(q)) => {
                let difference = Rational::from(p - q);
                self.rational(difference)
            }
            (_, Some(q)) if *q == 0 => a,
            (Some(p), _) if *p == 0 => self.scale_by(&Rational::from(-1), b),
            _ => self.call_constant(Constant::Subtract, &[a, b]),
        }
    }

    /// Adds `a · b` in normal form: the rational factor first, then the other factors in order, so that equal products are one
    /// node.
    pub fn multiply(&mut self, a: BlockValue, b: BlockValue) -> BlockValue {
        let ((p, a), (q, b)) = (self.split_scale(a), self.split_scale(b));
        let product = match (a, b) {
            (None, None) => return self.rational(p * q),
            (Some(a), None) | (None, Some(a)) => a,
            (Some(a), Some(b)) => self.call_constant(Constant::Multiply, &if a <= b { [a, b] } else { [b, a] }),
        };
        self.scale_by(&(p * q), product)
    }

    /// Writes a number as q·x and returns (q, x); x is `None` if the number is the constant q.
    fn split_scale(&self, a: BlockValue) -> (Rational, Option<BlockValue>) {
        match &self.nodes[a.0] {
            BlockNode::Rational(q) => (q.clone(), None),
            BlockNode::Call(Constant::Negate, arguments) => (Rational::from(-1), Some(arguments[0])),
            BlockNode::Call(Constant::Multiply, arguments) => match self.known_rational(arguments[0]) {
                Some(q) => (q.clone(), Some(arguments[1])),
                None => (Rational::from(1), Some(a)),
            },
            _ => (Rational::from(1), Some(a)),
        }
    }

    /// Adds p·a.
    fn scale_by(&mut self, p: &Rational, a: BlockValue) -> BlockValue {
        if *p == 0 {
            self.rational(0)
        } else if *p == 1 {
            a
        } else if *p == -1 {
            self.call_constant(Constant::Negate, &[a])
        } else {
            let p = self.rational(p.clone());
            self.call_constant(Constant::Multiply, &[p, a])
        }
    }

    /// Adds the sum of numbers. Multiples of the same number are collected.
    pub fn sum(&mut self, terms: &[BlockValue]) -> BlockValue {
        let (mut known, mut multiples) = (Rational::new(), Vec::<(BlockValue, Rational)>::new());
        for term in terms {
            match self.split_scale(*term) {
                (q, None) => known += q,
                (q, Some(atom)) => match multiples.iter_mut().find(|(other, _)| *other == atom) {
                    Some((_, sum)) => *sum += q,
                    None => multiples.push((atom, q)),
                },
            }
        }
        multiples.retain(|(_, q)| *q != 0);
        // positive terms first, so that as little as possible is negated
        multiples.sort_by_key(|(_, q)| *q < 0);
        let mut sum = self.rational(known);
        for (atom, q) in multiples {
            let term = self.scale_by(&q.clone().abs(), atom);
            sum = if q > 0 { self.add(sum, term) } else { self.subtract(sum, term) };
        }
        sum
    }

    /// Adds `a / b`.
    pub fn divide(&mut self, a: BlockValue, b: BlockValue) -> BlockValue {
        if self.known_rational(b).is_some_and(|q| *q == 1) { a } else { self.call_constant(Constant::Divide, &[a, b]) }
    }

    /// Adds `aⁿ` by repeated multiplication, so that the lower powers are shared.
    pub fn power(&mut self, a: BlockValue, n: usize) -> BlockValue {
        let one = self.rational(1);
        (0..n).fold(one, |power, _| self.multiply(power, a))
    }

    /// Builds the function of `parameters` with these numbers as results: a tuple, or a single number as such.
    ///
    /// An argument is a tuple with `width` components; for `width` 1 it is a number.
    #[must_use]
    pub fn to_function(&self, parameters: &[Name], width: usize, outputs: &[BlockValue]) -> Term {
        let mut uses = vec![0u32; self.nodes.len()];
        outputs.iter().for_each(|output| uses[output.0] += 1);
        // in reverse order, users come before the nodes that they use
        for (index, node) in self.nodes.iter().enumerate().rev() {
            match node {
                BlockNode::Call(_, arguments) if uses[index] > 0 => {
                    arguments.iter().for_each(|argument| uses[argument.0] += 1);
                }
                BlockNode::Slope(_, _, argument) if uses[index] > 0 => uses[argument.0] += 1,
                _ => {}
            }
        }
        let mut writer = BlockWriter { block: self, arity: parameters.len(), width, places: FxHashMap::default() };
        let mut values = Vec::new();
        // only calls are worth a `let`: numbers and inputs are as short as variables
        for (index, node) in self.nodes.iter().enumerate() {
            if uses[index] > 1 && matches!(node, BlockNode::Call(..) | BlockNode::Slope(..)) {
                values.push(writer.write_node(node));
                writer.places.insert(index, values.len() - 1);
            }
        }
        let mut outputs = outputs.iter().map(|output| writer.write_value(*output));
        let result = match (outputs.len(), outputs.next()) {
            (1, Some(only)) => only,
            (_, first) => term_without_source(TermKind::Tuple(first.into_iter().chain(outputs).collect())),
        };
        let names = (1..=values.len()).map(|number| Name::from(format!("t{number}")));
        let named: Vec<_> = names.zip(values).collect();
        let body = named
            .into_iter()
            .rev()
            .fold(result, |body, (name, value)| term_without_source(TermKind::Let { name, value, body }));
        parameters
            .iter()
            .rev()
            .fold(body, |body, name| term_without_source(TermKind::Lambda { name: name.clone(), body }))
    }
}

/// Builds a term without a source.
#[doc(hidden)]
pub fn term_without_source(kind: TermKind) -> Term {
    Term::new(kind, Span::default())
}

/// Builds a constant applied to arguments.
#[doc(hidden)]
pub fn apply_constant_term(constant: Constant, arguments: impl IntoIterator<Item = Term>) -> Term {
    arguments
        .into_iter()
        .fold(Term::constant(constant), |function, argument| Term::apply(function, argument, Span::default()))
}

/// Builds a variable by its de Bruijn index.
#[doc(hidden)]
pub fn variable_term(index: usize, name: &Name) -> Term {
    term_without_source(TermKind::Variable { index, name: name.clone() })
}

/// Conversion of a block to a term.
struct BlockWriter<'b> {
    block: &'b JetBlock,
    arity: usize,
    width: usize,
    /// The position of the `let` that binds a node, by node.
    places: FxHashMap<usize, usize>,
}

impl BlockWriter<'_> {
    fn write_value(&self, atom: BlockValue) -> Term {
        match self.places.get(&atom.0) {
            // de Bruijn: the `let`s bound so far lie between the variable and here
            Some(place) => variable_term(self.places.len() - 1 - place, &"t".into()),
            None => self.write_node(&self.block.nodes[atom.0]),
        }
    }

    fn argument_term(&self, argument: usize) -> Term {
        variable_term(self.places.len() + self.arity - 1 - argument, &"x".into())
    }

    fn write_node(&self, node: &BlockNode) -> Term {
        match node {
            BlockNode::Rational(q) => term_without_source(TermKind::Real(q.clone())),
            BlockNode::Order(argument, more) => {
                let order = self.argument_term(*argument);
                if *more == 0 {
                    order
                } else {
                    apply_constant_term(Constant::Add, [order, term_without_source(TermKind::Nat(*more))])
                }
            }
            BlockNode::Input(argument, component) => {
                let tuple = self.argument_term(*argument);
                if self.width == 1 {
                    tuple
                } else {
                    term_without_source(TermKind::Project { tuple, index: *component })
                }
            }
            BlockNode::Slope(id, order, argument) => {
                let argument = self.write_value(*argument);
                match foreign::slope_of(*id) {
                    // The slope is closed, so that it means the same under all binders.
                    Ok(slope) => {
                        let raised = |slope: Term| apply_constant_term(Constant::Deriv, [slope]);
                        let slope = (1..*order).fold(slope, |slope, _| raised(slope));
                        Term::apply(slope, argument, Span::default())
                    }
                    // The session was dropped in the meantime: the constant itself has no meaning either.
                    Err(_) => {
                        let zero = term_without_source(TermKind::Real(Rational::new()));
                        apply_constant_term(Constant::Divide, [zero.clone(), zero])
                    }
                }
            }
            BlockNode::Call(constant, arguments) => {
                apply_constant_term(*constant, arguments.iter().map(|argument| self.write_value(*argument)))
            }
        }
    }
}
