//! Straight-line programs on components of tuples of reals, and their conversion to terms.
//!
//! The value of an operation on jets is a few polynomials. They are built here as a graph: equal nodes are identified, literal
//! 0 and 1 are simplified away, and a node used twice becomes a `let`.

use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use rustc_hash::FxHashMap;

/// A number in a block, by the index of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom(usize);

/// A node of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Rational(Rational),
    /// A component of an argument.
    Input(usize, usize),
    /// An argument that is a natural number, plus a constant.
    Order(usize, u64),
    Call(Constant, Vec<Atom>),
}

/// A straight-line program: a list of numbers, each computed from those before it.
#[derive(Debug, Default)]
pub struct Block {
    nodes: Vec<Node>,
    known: FxHashMap<Node, Atom>,
}

impl Block {
    /// Returns the number of a node; equal nodes share one.
    fn put(&mut self, node: Node) -> Atom {
        let next = Atom(self.nodes.len());
        let atom = *self.known.entry(node.clone()).or_insert(next);
        if atom == next {
            self.nodes.push(node);
        }
        atom
    }

    /// Adds a rational number.
    pub fn rational(&mut self, q: impl Into<Rational>) -> Atom {
        self.put(Node::Rational(q.into()))
    }

    /// Adds a component of an argument. An argument that is a number has the component 0.
    pub fn input(&mut self, argument: usize, component: usize) -> Atom {
        self.put(Node::Input(argument, component))
    }

    /// Adds an argument that is a natural number, plus `more`.
    pub fn order(&mut self, argument: usize, more: u64) -> Atom {
        self.put(Node::Order(argument, more))
    }

    /// Adds a constant of the language applied to arguments.
    pub fn call(&mut self, constant: Constant, arguments: &[Atom]) -> Atom {
        self.put(Node::Call(constant, arguments.to_vec()))
    }

    /// Returns the rational number of a node, if it is one.
    fn known(&self, a: Atom) -> Option<&Rational> {
        match &self.nodes[a.0] {
            Node::Rational(q) => Some(q),
            _ => None,
        }
    }

    /// Adds `a + b`.
    pub fn add(&mut self, a: Atom, b: Atom) -> Atom {
        match (self.known(a), self.known(b)) {
            (Some(p), Some(q)) => {
                let sum = Rational::from(p + q);
                self.rational(sum)
            }
            (Some(p), _) if *p == 0 => b,
            (_, Some(q)) if *q == 0 => a,
            _ => self.call(Constant::Add, &[a, b]),
        }
    }

    /// Adds `a − b`.
    pub fn subtract(&mut self, a: Atom, b: Atom) -> Atom {
        match (self.known(a), self.known(b)) {
            (Some(p), Some(q)) => {
                let difference = Rational::from(p - q);
                self.rational(difference)
            }
            (_, Some(q)) if *q == 0 => a,
            (Some(p), _) if *p == 0 => self.scale(&Rational::from(-1), b),
            _ => self.call(Constant::Subtract, &[a, b]),
        }
    }

    /// Adds `a · b` in normal form: the rational factor first, then the other factors in order, so that equal products are one
    /// node.
    pub fn multiply(&mut self, a: Atom, b: Atom) -> Atom {
        let ((p, a), (q, b)) = (self.scaled(a), self.scaled(b));
        let product = match (a, b) {
            (None, None) => return self.rational(p * q),
            (Some(a), None) | (None, Some(a)) => a,
            (Some(a), Some(b)) => self.call(Constant::Multiply, &if a <= b { [a, b] } else { [b, a] }),
        };
        self.scale(&(p * q), product)
    }

    /// Writes a number as q·x and returns (q, x); x is `None` if the number is the constant q.
    fn scaled(&self, a: Atom) -> (Rational, Option<Atom>) {
        match &self.nodes[a.0] {
            Node::Rational(q) => (q.clone(), None),
            Node::Call(Constant::Negate, arguments) => (Rational::from(-1), Some(arguments[0])),
            Node::Call(Constant::Multiply, arguments) => match self.known(arguments[0]) {
                Some(q) => (q.clone(), Some(arguments[1])),
                None => (Rational::from(1), Some(a)),
            },
            _ => (Rational::from(1), Some(a)),
        }
    }

    /// Adds p·a.
    fn scale(&mut self, p: &Rational, a: Atom) -> Atom {
        if *p == 0 {
            self.rational(0)
        } else if *p == 1 {
            a
        } else if *p == -1 {
            self.call(Constant::Negate, &[a])
        } else {
            let p = self.rational(p.clone());
            self.call(Constant::Multiply, &[p, a])
        }
    }

    /// Adds the sum of numbers. Multiples of the same number are collected.
    pub fn sum(&mut self, terms: &[Atom]) -> Atom {
        let (mut known, mut multiples) = (Rational::new(), Vec::<(Atom, Rational)>::new());
        for term in terms {
            match self.scaled(*term) {
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
            let term = self.scale(&q.clone().abs(), atom);
            sum = if q > 0 { self.add(sum, term) } else { self.subtract(sum, term) };
        }
        sum
    }

    /// Adds `a / b`.
    pub fn divide(&mut self, a: Atom, b: Atom) -> Atom {
        if self.known(b).is_some_and(|q| *q == 1) { a } else { self.call(Constant::Divide, &[a, b]) }
    }

    /// Adds `aⁿ` by repeated multiplication, so that the lower powers are shared.
    pub fn power(&mut self, a: Atom, n: usize) -> Atom {
        let one = self.rational(1);
        (0..n).fold(one, |power, _| self.multiply(power, a))
    }

    /// Builds the function of `parameters` with these numbers as results: a tuple, or a single number as such.
    ///
    /// An argument is a tuple with `width` components; for `width` 1 it is a number.
    #[must_use]
    pub fn function(&self, parameters: &[Name], width: usize, outputs: &[Atom]) -> Term {
        let mut uses = vec![0u32; self.nodes.len()];
        outputs.iter().for_each(|output| uses[output.0] += 1);
        // in reverse order, users come before the nodes that they use
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if let (Node::Call(_, arguments), true) = (node, uses[index] > 0) {
                arguments.iter().for_each(|argument| uses[argument.0] += 1);
            }
        }
        let mut writer = Writer { block: self, arity: parameters.len(), width, places: FxHashMap::default() };
        let mut values = Vec::new();
        // only calls are worth a `let`: numbers and inputs are as short as variables
        for (index, node) in self.nodes.iter().enumerate() {
            if uses[index] > 1 && matches!(node, Node::Call(..)) {
                values.push(writer.node(node));
                writer.places.insert(index, values.len() - 1);
            }
        }
        let mut outputs = outputs.iter().map(|output| writer.atom(*output));
        let result = match (outputs.len(), outputs.next()) {
            (1, Some(only)) => only,
            (_, first) => term(TermKind::Tuple(first.into_iter().chain(outputs).collect())),
        };
        let names = (1..=values.len()).map(|number| Name::from(format!("t{number}")));
        let named: Vec<_> = names.zip(values).collect();
        let body =
            named.into_iter().rev().fold(result, |body, (name, value)| term(TermKind::Let { name, value, body }));
        parameters.iter().rev().fold(body, |body, name| term(TermKind::Lambda { name: name.clone(), body }))
    }
}

/// Builds a term without a source.
#[doc(hidden)]
pub fn term(kind: TermKind) -> Term {
    Term::new(kind, Span::default())
}

/// Builds a constant applied to arguments.
#[doc(hidden)]
pub fn call(constant: Constant, arguments: impl IntoIterator<Item = Term>) -> Term {
    arguments
        .into_iter()
        .fold(Term::constant(constant), |function, argument| Term::apply(function, argument, Span::default()))
}

/// Builds a variable by its de Bruijn index.
#[doc(hidden)]
pub fn variable(index: usize, name: &Name) -> Term {
    term(TermKind::Variable { index, name: name.clone() })
}

/// Conversion of a block to a term.
struct Writer<'b> {
    block: &'b Block,
    arity: usize,
    width: usize,
    /// The position of the `let` that binds a node, by node.
    places: FxHashMap<usize, usize>,
}

impl Writer<'_> {
    fn atom(&self, atom: Atom) -> Term {
        match self.places.get(&atom.0) {
            // de Bruijn: the `let`s bound so far lie between the variable and here
            Some(place) => variable(self.places.len() - 1 - place, &"t".into()),
            None => self.node(&self.block.nodes[atom.0]),
        }
    }

    fn argument(&self, argument: usize) -> Term {
        variable(self.places.len() + self.arity - 1 - argument, &"x".into())
    }

    fn node(&self, node: &Node) -> Term {
        match node {
            Node::Rational(q) => term(TermKind::Real(q.clone())),
            Node::Order(argument, more) => {
                let order = self.argument(*argument);
                if *more == 0 { order } else { call(Constant::Add, [order, term(TermKind::Nat(*more))]) }
            }
            Node::Input(argument, component) => {
                let tuple = self.argument(*argument);
                if self.width == 1 { tuple } else { term(TermKind::Project { tuple, index: *component }) }
            }
            Node::Call(constant, arguments) => call(*constant, arguments.iter().map(|argument| self.atom(*argument))),
        }
    }
}
