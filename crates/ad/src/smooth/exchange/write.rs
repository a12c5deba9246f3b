//! Writer of records: lists the nodes of a map.

use super::error::ExchangeError;
use super::record::{Kind, Listing, Operand, Record};
use super::{MOST_LEVELS, MOST_OPERANDS};
use crate::function::Function;
use crate::number::Rational;
use crate::smooth::graph::{Graph, Operation, Unary, Variable};
use crate::smooth::map::untyped::{self, Untyped};
use rustc_hash::FxHashMap;

/// Lists the records of a map, each node once, in an order that depends on the map only.
pub(super) fn listing(map: &Untyped) -> Result<Listing, ExchangeError> {
    let mut writer = Writer::default();
    // inputs first, so that they have the numbers from 0 on
    for v in untyped::variables(map.inputs()) {
        writer.variable(v);
    }
    let outputs = map.outputs().iter().map(|g| writer.number(g)).collect::<Result<_, _>>()?;
    Ok(Listing { inputs: map.inputs(), records: writer.records, outputs })
}

#[derive(Default)]
struct Writer {
    records: Vec<Record>,
    numbers: FxHashMap<usize, usize>,
    levels: Vec<u32>,
    variables: FxHashMap<Variable, u64>,
    operands: usize,
}

impl Writer {
    fn variable(&mut self, v: Variable) -> u64 {
        let next = self.variables.len() as u64;
        *self.variables.entry(v).or_insert(next)
    }

    /// Returns the number of a node; writes the node and its operands, if needed.
    fn number(&mut self, root: &Graph) -> Result<usize, ExchangeError> {
        let mut pending = vec![root];
        // an explicit stack: graphs may be deeper than the call stack
        while let Some(&g) = pending.last() {
            if self.numbers.contains_key(&g.address()) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            let parts = g.operation().parts();
            let body = g.operation().binder().map(|(_, body)| body);
            pending.extend(parts.iter().copied().chain(body).filter(|p| !self.numbers.contains_key(&p.address())));
            if pending.len() > before {
                // the operands are written from left to right
                pending[before..].reverse();
                continue;
            }
            pending.pop();
            let level = 1 + parts.iter().copied().chain(body).map(|p| self.levels[self.at(p)]).max().unwrap_or(0);
            let record = self.record(g)?;
            self.operands += 1 + parts.len();
            if self.operands > MOST_OPERANDS {
                return Err(ExchangeError::TooLarge { what: "operands", most: MOST_OPERANDS as u64 });
            }
            if level > MOST_LEVELS {
                return Err(ExchangeError::TooLarge { what: "nodes within each other", most: u64::from(MOST_LEVELS) });
            }
            self.numbers.insert(g.address(), self.records.len());
            self.levels.push(level);
            self.records.push(record);
        }
        Ok(self.at(root))
    }

    /// Returns the number of a node that has been written.
    fn at(&self, g: &Graph) -> usize {
        self.numbers[&g.address()]
    }

    fn record(&mut self, g: &Graph) -> Result<Record, ExchangeError> {
        let node = |g: &Graph| Operand::Node(self.at(g));
        let nodes = |graphs: &[Graph]| Operand::Nodes(graphs.iter().map(|g| self.at(g)).collect());
        let (kind, operands) = match g.operation() {
            Operation::Variable(v) => (Kind::Variable, vec![Operand::Variable(self.variable(*v))]),
            Operation::Rational(q) => (Kind::Rational, vec![Operand::Number(Rational::clone(q))]),
            Operation::Pi => (Kind::Pi, vec![]),
            Operation::Euler => (Kind::Euler, vec![]),
            Operation::Unary(Unary::Function(Function::Polygamma(n)), a) => {
                (Kind::Polygamma, vec![node(a), Operand::Natural(u64::from(n.get()))])
            }
            Operation::Unary(f, a) => (Kind::Unary(*f), vec![node(a)]),
            Operation::Binary(f, a, b) => (Kind::Binary(*f), vec![node(a), node(b)]),
            // the lowest terms are kept, so the exponent is read back unchanged
            Operation::Power(a, e) => {
                let exponent = Rational::from((e.numerator, e.denominator));
                (Kind::Power, vec![node(a), Operand::Number(exponent)])
            }
            Operation::Select(guard, a, b) => (Kind::Select, vec![node(guard), node(a), node(b)]),
            Operation::Second(p, v, body) => {
                let body = node(body);
                (Kind::Second(*p), vec![Operand::Variable(self.variable(*v)), body])
            }
            Operation::Derivative(d) => {
                let [body, at, along] = [node(&d.body), nodes(&d.at), nodes(&d.along)];
                let bound = Operand::Variables(d.variables.iter().map(|v| self.variable(*v)).collect());
                match d.place {
                    Some(place) => (Kind::Partial, vec![bound, body, at, Operand::Natural(place as u64)]),
                    None => (Kind::Derivative, vec![bound, body, at, along]),
                }
            }
            Operation::Primitive(p, _) => return Err(ExchangeError::Primitive { name: p.name.clone() }),
        };
        Ok(Record { kind, operands })
    }
}
