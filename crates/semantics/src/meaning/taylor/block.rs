//! Straight-line programs on components of tuples of reals, and the terms that they are.
//!
//! The value of an operation on jets is a handful of polynomials. They are built here as a graph: equal nodes are one, what
//! is 0 or 1 as written is simplified away, and what is used twice becomes a `let`.

use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use rustc_hash::FxHashMap;

/// A number in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom(usize);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Rational(Rational),
    /// A component of an argument.
    Input(usize, usize),
    /// An argument that is a natural number, and a number that is added to it.
    Order(usize, u64),
    Call(Constant, Vec<Atom>),
}

/// A straight-line program: numbers, each computed from those before it.
#[derive(Debug, Default)]
pub struct Block {
    nodes: Vec<Node>,
    known: FxHashMap<Node, Atom>,
}

impl Block {
    fn put(&mut self, node: Node) -> Atom {
        let next = Atom(self.nodes.len());
        let atom = *self.known.entry(node.clone()).or_insert(next);
        if atom == next {
            self.nodes.push(node);
        }
        atom
    }

    /// A number.
    pub fn rational(&mut self, q: impl Into<Rational>) -> Atom {
        self.put(Node::Rational(q.into()))
    }

    /// A component of an argument; of an argument that is a number, its component 0.
    pub fn input(&mut self, argument: usize, component: usize) -> Atom {
        self.put(Node::Input(argument, component))
    }

    /// An argument that is a natural number, and a number that is added to it.
    pub fn order(&mut self, argument: usize, more: u64) -> Atom {
        self.put(Node::Order(argument, more))
    }

    /// A constant of the language at its arguments.
    pub fn call(&mut self, constant: Constant, arguments: &[Atom]) -> Atom {
        self.put(Node::Call(constant, arguments.to_vec()))
    }

    fn known(&self, a: Atom) -> Option<&Rational> {
        match &self.nodes[a.0] {
            Node::Rational(q) => Some(q),
            _ => None,
        }
    }

    /// `a + b`
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

    /// `a − b`
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

    /// `a · b`; numbers stand first, and of equal products there is one.
    pub fn multiply(&mut self, a: Atom, b: Atom) -> Atom {
        let ((p, a), (q, b)) = (self.scaled(a), self.scaled(b));
        let product = match (a, b) {
            (None, None) => return self.rational(p * q),
            (Some(a), None) | (None, Some(a)) => a,
            (Some(a), Some(b)) => self.call(Constant::Multiply, &if a <= b { [a, b] } else { [b, a] }),
        };
        self.scale(&(p * q), product)
    }

    /// A number as a multiple of another; of nothing, where it is known.
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

    /// The sum of numbers: multiples of one number are one multiple of it.
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
        // what is added first, so that as little as possible has to be negated
        multiples.sort_by_key(|(_, q)| *q < 0);
        let mut sum = self.rational(known);
        for (atom, q) in multiples {
            let term = self.scale(&q.clone().abs(), atom);
            sum = if q > 0 { self.add(sum, term) } else { self.subtract(sum, term) };
        }
        sum
    }

    /// `a / b`
    pub fn divide(&mut self, a: Atom, b: Atom) -> Atom {
        if self.known(b).is_some_and(|q| *q == 1) { a } else { self.call(Constant::Divide, &[a, b]) }
    }

    /// `aⁿ`, by the powers before it.
    pub fn power(&mut self, a: Atom, n: usize) -> Atom {
        let one = self.rational(1);
        (0..n).fold(one, |power, _| self.multiply(power, a))
    }

    /// The function of so many arguments that answers these numbers, as a tuple; a single number as such.
    ///
    /// An argument is a tuple if one of its components other than 0 may be asked for: `width` says how many it has.
    #[must_use]
    pub fn function(&self, parameters: &[Name], width: usize, outputs: &[Atom]) -> Term {
        let mut uses = vec![0u32; self.nodes.len()];
        outputs.iter().for_each(|output| uses[output.0] += 1);
        // uses come after what they use
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if let (Node::Call(_, arguments), true) = (node, uses[index] > 0) {
                arguments.iter().for_each(|argument| uses[argument.0] += 1);
            }
        }
        let mut writer = Writer { block: self, arity: parameters.len(), width, places: FxHashMap::default() };
        let mut values = Vec::new();
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

/// A term that no source has.
#[doc(hidden)]
pub fn term(kind: TermKind) -> Term {
    Term::new(kind, Span::default())
}

/// A constant at its arguments.
#[doc(hidden)]
pub fn call(constant: Constant, arguments: impl IntoIterator<Item = Term>) -> Term {
    arguments
        .into_iter()
        .fold(Term::constant(constant), |function, argument| Term::apply(function, argument, Span::default()))
}

/// A variable, by its index.
#[doc(hidden)]
pub fn variable(index: usize, name: &Name) -> Term {
    term(TermKind::Variable { index, name: name.clone() })
}

struct Writer<'b> {
    block: &'b Block,
    arity: usize,
    width: usize,
    /// Which `let` binds a node.
    places: FxHashMap<usize, usize>,
}

impl Writer<'_> {
    fn atom(&self, atom: Atom) -> Term {
        match self.places.get(&atom.0) {
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
