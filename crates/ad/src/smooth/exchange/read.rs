//! Reader of records: builds graphs one record after another, with an error for every malformed input.

use super::error::ExchangeError;
use super::record::{Operand, RecordKind};
use super::{MOST_BINDERS, MOST_CONSTANT_BITS, MOST_LEVELS, MOST_OPERANDS, MOST_TERMS};
use crate::function::Function;
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, Guard, Variable};
use crate::smooth::map::untyped::{self, DynMap};
use rustc_hash::{FxHashMap, FxHashSet};
use std::num::NonZeroU16;

/// The nodes that were read so far.
#[derive(Default)]
pub(super) struct RecordReader {
    set_inputs: usize,
    nodes: Vec<ReadNode>,
    variables: FxHashMap<u64, Variable>,
    operands: usize,
    bits: u64,
}

struct ReadNode {
    graph: Graph,
    level: u32,
    binders: u32,
}

/// The outputs of a file, after its last record.
pub(super) struct FileOutputs(pub(super) Vec<usize>);

impl FileOutputs {
    /// Returns the map.
    pub(super) fn into_map(self, builder: RecordReader) -> Result<DynMap, ExchangeError> {
        let record = builder.nodes.len();
        // outputs may refer to any record, in any order
        let output = |number: &usize| builder.nodes.get(*number).map(|node| node.graph.clone());
        let outputs: Option<Vec<Graph>> = self.0.iter().map(output).collect();
        let outputs = outputs.ok_or(ExchangeError::Reference { record })?;
        DynMap::of_graphs(&untyped::coordinate_variables(builder.set_inputs), &outputs)
            .map_err(|_| ExchangeError::Unbound)
    }
}

fn too_large(what: &'static str, most: impl TryInto<u64>) -> ExchangeError {
    ExchangeError::TooLarge { what, most: most.try_into().unwrap_or(u64::MAX) }
}

impl RecordReader {
    /// Returns the number of records.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Creates the inputs, before the first record.
    pub(super) fn set_inputs(&mut self, n: u64) -> Result<(), ExchangeError> {
        self.set_inputs = usize::try_from(n).unwrap_or(usize::MAX);
        self.count_operands(self.set_inputs)?;
        self.variables.extend((0..).zip(untyped::coordinate_variables(self.set_inputs)));
        Ok(())
    }

    /// Counts operands before memory is allocated for them.
    pub(super) fn count_operands(&mut self, operands: usize) -> Result<(), ExchangeError> {
        self.operands = self.operands.saturating_add(operands);
        if self.operands > MOST_OPERANDS { Err(too_large("operands", MOST_OPERANDS)) } else { Ok(()) }
    }

    /// Adds the node of a record.
    pub(super) fn push_record(&mut self, kind: RecordKind, operands: &[Operand]) -> Result<(), ExchangeError> {
        self.count_operands(1)?;
        let (mut level, mut binders) = (0, 0);
        for number in operands.iter().flat_map(referenced_nodes) {
            // checked before the graph is built, so that `at` cannot fail below
            let node = self.nodes.get(number).ok_or(ExchangeError::Reference { record: self.len() })?;
            level = level.max(node.level);
            binders = binders.max(node.binders);
        }
        let graph = self.build_graph(kind, operands)?;
        if let Some(q) = graph.as_rational() {
            self.bits += u64::from(q.numer().significant_bits()) + u64::from(q.denom().significant_bits());
        }
        // the depth of binders has a limit of its own
        binders += u32::from(matches!(kind, RecordKind::Second(_) | RecordKind::Derivative | RecordKind::Partial));
        // a sum becomes a balanced tree of additions: its depth is bounded by that of the longest
        level += match kind {
            RecordKind::Sum | RecordKind::Dot => MOST_TERMS.ilog2() + 2,
            _ => 1,
        };
        if self.bits > MOST_CONSTANT_BITS {
            return Err(too_large("bits of constants", MOST_CONSTANT_BITS));
        }
        if level > MOST_LEVELS {
            return Err(too_large("nodes within each other", MOST_LEVELS));
        }
        if binders > MOST_BINDERS {
            return Err(too_large("binders within each other", MOST_BINDERS));
        }
        self.nodes.push(ReadNode { graph, level, binders });
        Ok(())
    }

    fn build_graph(&mut self, kind: RecordKind, operands: &[Operand]) -> Result<Graph, ExchangeError> {
        let record = self.len();
        Ok(match (kind, operands) {
            (RecordKind::Variable, [Operand::Variable(v)]) => Graph::variable(self.variable_numbered(*v)),
            (RecordKind::Rational, [Operand::Number(q)]) => Graph::rational(q.clone()),
            (RecordKind::Pi, []) => Graph::pi(),
            (RecordKind::Euler, []) => Graph::euler(),
            (RecordKind::Unary(f), [Operand::Node(a)]) => Graph::unary(f, self.graph_at(*a)),
            (RecordKind::Polygamma, [Operand::Node(a), Operand::Natural(n)]) => {
                let function = u16::try_from(*n).ok().and_then(NonZeroU16::new).map(Function::Polygamma);
                Graph::function(function.ok_or(ExchangeError::Exponent { record })?, self.graph_at(*a))
            }
            (RecordKind::Binary(f), [Operand::Node(a), Operand::Node(b)]) => {
                Graph::binary(f, self.graph_at(*a), self.graph_at(*b))
            }
            (RecordKind::Power, [Operand::Node(a), Operand::Number(q)]) => {
                Graph::power(self.graph_at(*a), q).ok_or(ExchangeError::Exponent { record })?
            }
            (RecordKind::Sum, [Operand::Nodes(terms)]) => {
                balanced_sum(terms.iter().map(|term| self.graph_at(*term).clone()).collect(), terms.len())?
            }
            (RecordKind::Dot, [Operand::Nodes(xs), Operand::Nodes(ys)]) if xs.len() == ys.len() => {
                let product =
                    |(x, y): (&usize, &usize)| Graph::binary(Binary::Multiply, self.graph_at(*x), self.graph_at(*y));
                balanced_sum(xs.iter().zip(ys).take(MOST_TERMS).map(product).collect(), xs.len())?
            }
            (RecordKind::Select, [Operand::Node(guard), Operand::Node(a), Operand::Node(b)]) => {
                Graph::select(&Guard::positive(self.graph_at(*guard)), self.graph_at(*a), self.graph_at(*b))
            }
            (RecordKind::Second(p), [Operand::Variable(v), Operand::Node(body)]) => {
                let bound = self.bind_variables(std::slice::from_ref(v))?;
                Graph::second_order(p, bound[0], self.graph_at(*body).clone())
            }
            (
                RecordKind::Derivative,
                [Operand::Variables(bound), Operand::Node(body), Operand::Nodes(at), Operand::Nodes(along)],
            ) if bound.len() == at.len() && at.len() == along.len() && !at.is_empty() => {
                let bound = self.bind_variables(bound)?;
                let [at, along] = [at, along].map(|list| list.iter().map(|g| self.graph_at(*g).clone()).collect());
                Graph::derivative(bound, self.graph_at(*body).clone(), at, along)
            }
            (
                RecordKind::Partial,
                [Operand::Variables(bound), Operand::Node(body), Operand::Nodes(at), Operand::Natural(place)],
            ) if bound.len() == at.len() && *place < at.len() as u64 => {
                let bound = self.bind_variables(bound)?;
                let at = at.iter().map(|g| self.graph_at(*g).clone()).collect();
                Graph::partial(bound, self.graph_at(*body).clone(), at, *place as usize)
            }
            _ => {
                let (name, expected) = (kind.name().to_owned(), kind.operand_summary());
                return Err(ExchangeError::Operands { record, name, expected });
            }
        })
    }

    /// Returns a node whose number was checked.
    fn graph_at(&self, number: usize) -> &Graph {
        &self.nodes[number].graph
    }

    fn variable_numbered(&mut self, number: u64) -> Variable {
        *self.variables.entry(number).or_insert_with(Variable::fresh)
    }

    /// Returns the variables that a record binds: none may be an input, or occur twice.
    fn bind_variables(&mut self, numbers: &[u64]) -> Result<Vec<Variable>, ExchangeError> {
        let mut bound = Vec::with_capacity(numbers.len());
        let mut seen = FxHashSet::default();
        for &variable in numbers {
            if variable < self.set_inputs as u64 || !seen.insert(variable) {
                return Err(ExchangeError::Bound { record: self.len(), variable });
            }
            bound.push(self.variable_numbered(variable));
        }
        Ok(bound)
    }
}

/// Returns the nodes that an operand refers to.
fn referenced_nodes(operand: &Operand) -> impl Iterator<Item = usize> {
    let one = match operand {
        Operand::Node(number) => Some(*number),
        _ => None,
    };
    let many = match operand {
        Operand::Nodes(numbers) => &numbers[..],
        _ => &[],
    };
    one.into_iter().chain(many.iter().copied())
}

/// Builds the sum of `count` terms as a balanced tree.
fn balanced_sum(mut terms: Vec<Graph>, count: usize) -> Result<Graph, ExchangeError> {
    if count > MOST_TERMS {
        return Err(too_large("parts of one sum", MOST_TERMS));
    }
    while terms.len() > 1 {
        let pair = |pair: &[Graph]| match pair {
            [a, b] => Graph::binary(Binary::Add, a, b),
            _ => pair[0].clone(),
        };
        terms = terms.chunks(2).map(pair).collect();
    }
    Ok(terms.pop().unwrap_or_else(|| Graph::integer(0)))
}

/// Parses a number: `p` or `p/q`, in decimal.
pub(super) fn parse_number(text: &str, record: usize) -> Result<Rational, ExchangeError> {
    let wrong = || ExchangeError::Number { record, text: super::record::truncate_text(text) };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (p, q) = text.split_once('/').unwrap_or((text, "1"));
    // checked here, since the parser of rationals accepts more: signs, spaces and other forms
    if !digits(p.strip_prefix('-').unwrap_or(p)) || !digits(q) || q.bytes().all(|b| b == b'0') {
        return Err(wrong());
    }
    text.parse().map_err(|_| wrong())
}
