//! Writer of records: lists the nodes of a map.

use super::error::ExchangeError;
use super::record::{Operand, OperationRecord, RecordKind, RecordList};
use super::{MOST_LEVELS, MOST_OPERANDS};
use crate::function::Function;
use crate::number::Rational;
use crate::smooth::graph::{Graph, NodeOperation, Unary, Variable};
use crate::smooth::map::untyped::{self, DynMap};
use rustc_hash::FxHashMap;

/// Lists the records of a map, each node once, in an order that depends on the map only.
pub(super) fn list_records(map: &DynMap) -> Result<RecordList, ExchangeError> {
    let mut writer = RecordWriter::default();
    // inputs first, so that they have the numbers from 0 on
    for v in untyped::coordinate_variables(map.input_count()) {
        writer.variable_number(v);
    }
    let outputs = map.outputs().iter().map(|g| writer.node_number(g)).collect::<Result<_, _>>()?;
    Ok(RecordList { inputs: map.input_count(), records: writer.records, outputs })
}

#[derive(Default)]
struct RecordWriter {
    records: Vec<OperationRecord>,
    numbers: FxHashMap<usize, usize>,
    levels: Vec<u32>,
    variables: FxHashMap<Variable, u64>,
    operands: usize,
}

impl RecordWriter {
    fn variable_number(&mut self, v: Variable) -> u64 {
        let next = self.variables.len() as u64;
        *self.variables.entry(v).or_insert(next)
    }

    /// Returns the number of a node; writes the node and its operands, if needed.
    fn node_number(&mut self, root: &Graph) -> Result<usize, ExchangeError> {
        let mut pending = vec![root];
        // an explicit stack: graphs may be deeper than the call stack
        while let Some(&g) = pending.last() {
            if self.numbers.contains_key(&g.address()) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            let parts = g.operation().operands();
            let body = g.operation().binder().map(|(_, body)| body);
            pending.extend(parts.iter().copied().chain(body).filter(|p| !self.numbers.contains_key(&p.address())));
            if pending.len() > before {
                // the operands are written from left to right
                pending[before..].reverse();
                continue;
            }
            pending.pop();
            let level =
                1 + parts.iter().copied().chain(body).map(|p| self.levels[self.written_number(p)]).max().unwrap_or(0);
            let record = self.make_record(g)?;
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
        Ok(self.written_number(root))
    }

    /// Returns the number of a node that has been written.
    fn written_number(&self, g: &Graph) -> usize {
        self.numbers[&g.address()]
    }

    fn make_record(&mut self, g: &Graph) -> Result<OperationRecord, ExchangeError> {
        let node = |g: &Graph| Operand::Node(self.written_number(g));
        let nodes = |graphs: &[Graph]| Operand::Nodes(graphs.iter().map(|g| self.written_number(g)).collect());
        let (kind, operands) = match g.operation() {
            NodeOperation::Variable(v) => (RecordKind::Variable, vec![Operand::Variable(self.variable_number(*v))]),
            NodeOperation::Rational(q) => (RecordKind::Rational, vec![Operand::Number(Rational::clone(q))]),
            NodeOperation::Pi => (RecordKind::Pi, vec![]),
            NodeOperation::Euler => (RecordKind::Euler, vec![]),
            NodeOperation::Unary(Unary::Function(Function::Polygamma(n)), a) => {
                (RecordKind::Polygamma, vec![node(a), Operand::Natural(u64::from(n.get()))])
            }
            NodeOperation::Unary(f, a) => (RecordKind::Unary(*f), vec![node(a)]),
            NodeOperation::Binary(f, a, b) => (RecordKind::Binary(*f), vec![node(a), node(b)]),
            // the lowest terms are kept, so the exponent is read back unchanged
            NodeOperation::Power(a, e) => {
                let exponent = Rational::from((e.numerator, e.denominator));
                (RecordKind::Power, vec![node(a), Operand::Number(exponent)])
            }
            NodeOperation::Select(guard, a, b) => (RecordKind::Select, vec![node(guard), node(a), node(b)]),
            NodeOperation::Second(p, v, body) => {
                let body = node(body);
                (RecordKind::Second(*p), vec![Operand::Variable(self.variable_number(*v)), body])
            }
            NodeOperation::Derivative(d) => {
                let [body, at, along] = [node(&d.body), nodes(&d.at), nodes(&d.along)];
                let bound = Operand::Variables(d.variables.iter().map(|v| self.variable_number(*v)).collect());
                match d.coordinate_index {
                    Some(place) => (RecordKind::Partial, vec![bound, body, at, Operand::Natural(place as u64)]),
                    None => (RecordKind::Derivative, vec![bound, body, at, along]),
                }
            }
            NodeOperation::Primitive(p, _) => return Err(ExchangeError::Primitive { name: p.name.clone() }),
        };
        Ok(OperationRecord { kind, operands })
    }
}
