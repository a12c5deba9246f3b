//! Maps as files: a versioned form of graphs, as bytes and as JSON, for other programs and other machines.
//!
//! A map ℝⁿ ⇝ ℝᵐ is written as a list of *records*, one for each node of its graphs, operands before the nodes that use
//! them. A record is the name of an operation and its operands. A node is referred to by its number in the list, a
//! variable by its own: the inputs are the variables from 0 to n - 1, the others are bound.
//!
//! | operations | operands |
//! |---|---|
//! | `variable` | a variable |
//! | `rational` | a number |
//! | `pi`, `euler` | |
//! | `negate`, `abs`, `signum`, and every [elementary function](crate::function) by its name | a node |
//! | `add`, `subtract`, `multiply`, `divide`, `max`, `min`, `atan2` | two nodes |
//! | `power` | a node, its exponent, a number |
//! | `polygamma`, and the derivatives of every other special function by the name of their constant | a node, its order, a natural number |
//! | `sum` | nodes |
//! | `dot` | nodes, and as many nodes: the sum of the products |
//! | `select` | a node, which is a [guard](crate::smooth::graph::Guard), and the nodes where it is positive and where it is negative |
//! | `integral01`, `cutRoot`, `firstRoot`, `max01`, `argmax01` | a variable, which is bound, and a node |
//! | `derivative` | variables, which are bound, a node, the nodes of the point, the nodes of the direction |
//! | `partial` | variables, which are bound, a node, the nodes of the point, the index of one of the variables, a natural number |
//!
//! `sum` and `dot` are read as balanced trees of additions, and never written: a written map has its additions one by
//! one. Source positions of nodes are not kept. A primitive from outside has no form.
//!
//! # As JSON
//! ```json
//! {"format": "smoothish", "version": 1, "inputs": 2,
//!  "nodes": [["variable", 0], ["variable", 1], ["rational", "1/3"], ["dot", [0, 1], [1, 2]], ["max", 3, 0]],
//!  "outputs": [4]}
//! ```
//! Numbers are integers, or strings `"p"` and `"p/q"`, exact either way; a number with a point would not be.
//!
//! # As bytes
//! [`MAGIC`], the version, the number of inputs, the names of the operations that occur, the records, the outputs.
//! Natural numbers are in base 128, the least digit first, the top bit of all but the last set (LEB128). A list is its
//! length and its elements; a name is a list of bytes of UTF-8. A record is the index of its name among the names, and
//! its operands; a node is its distance back in the list, from 1; an output is its number. A number is 0 and the eight
//! bytes of an IEEE double, the least first, or 1 and a list of the bytes of `p` or `p/q` in decimal.
//!
//! # Robustness
//! All inputs give a map or an [`ExchangeError`]. Memory is bounded by a multiple of the length, and by the limits
//! [`MOST_BYTES`], [`MOST_OPERANDS`], [`MOST_LEVELS`], [`MOST_TERMS`], [`MOST_CONSTANT_BITS`].
//!
//! ```
//! use smoothish_ad::prelude::*;
//! let [x, y] = coordinates::<U2, 2>();
//! let f: Map<U2, U1> = (x * y.sin()).max(&y);
//! let copy = Map::from_bytes(&f.to_bytes()?)?;
//! assert_eq!(copy.to_string(), f.to_string());
//! assert_eq!(copy.to_bytes()?, f.to_bytes()?);
//! assert!(Map::from_bytes(b"smoothie").is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors in reading and writing maps as files
//!
//! # Records
//!
//! The operands of each operation, in one table for bytes, JSON, reading and writing.
//!
//! # Reader of records
//!
//! Builds graphs one record after another, with an error for every malformed input.
//!
//! # Writer of records
//!
//! Lists the nodes of a map.

pub(crate) mod binary;
#[cfg(feature = "json")]
pub(crate) mod json;

use crate::failure::{ErrorKind, ErrorWithKind};
use crate::function::{Function, Planar, SpecialId};
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, Guard, NodeOperation, SecondOrder, Unary, Variable};
use crate::smooth::map;
use crate::smooth::map::DynMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// The first bytes of every file. A text file does not contain the 0 at its end.
pub const MAGIC: &[u8] = b"smoothish\0";
/// The version that is written, and the latest that is read.
pub const VERSION: u64 = 1;
/// The largest length of a file, in bytes. A choice, as all limits below: they bound the memory that a hostile file can
/// take.
pub const MOST_BYTES: usize = 1 << 28;
/// The largest length of JSON, in bytes.
pub const MOST_JSON_BYTES: usize = 1 << 26;
/// The largest number of nodes and operands of nodes together.
pub const MOST_OPERANDS: usize = 1 << 23;
/// The largest depth of nodes.
pub const MOST_LEVELS: u32 = 1 << 17;
/// The largest depth of binders inside each other.
pub const MOST_BINDERS: u32 = 64;
/// The largest number of operands of one sum.
pub const MOST_TERMS: usize = 1 << 16;
/// The largest total number of bits of constants, including results of arithmetic on constants.
pub const MOST_CONSTANT_BITS: u64 = 1 << 30;

/// An error in a file, or a map that has no file. Records are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The file does not begin as such files do.
    #[error("this is no map: the file does not begin with `smoothish`")]
    Format,
    /// The file has a later version.
    #[error("this map is of version {found} of the format; versions up to {latest} are read here")]
    Version {
        /// The version of the file.
        found: u64,
        /// The latest version that is read.
        latest: u64,
    },
    /// The file ends too early, or a number in it is too long.
    #[error("the file is damaged at byte {offset}: it ends there, or a number does not")]
    Damaged {
        /// The position, in bytes.
        offset: usize,
    },
    /// More bytes follow after the end.
    #[error("the map ends at byte {offset}, and the file does not")]
    Trailing {
        /// The position of the end, in bytes.
        offset: usize,
    },
    /// The text is not JSON, or has another shape.
    #[error("the JSON is no map: {reason}")]
    Json {
        /// The expected shape and its position, in a sentence.
        reason: String,
    },
    /// An unknown operation.
    #[error("record {record} has the operation `{name}`, which is not known")]
    Operation {
        /// The index of the record.
        record: usize,
        /// The name of the operation.
        name: String,
    },
    /// Operands that do not fit the operation.
    #[error("record {record}: `{name}` takes {expected}")]
    Operands {
        /// The index of the record.
        record: usize,
        /// The name of the operation.
        name: String,
        /// The operands that it takes.
        expected: String,
    },
    /// A record that refers to itself, to a later one, or to none.
    #[error("record {record} refers to a record that does not come before it")]
    Reference {
        /// The index of the record; the number of records for an output.
        record: usize,
    },
    /// A text that is no rational number.
    #[error("record {record} has `{text}` where a number is expected, such as -3 or 1/3")]
    Number {
        /// The index of the record.
        record: usize,
        /// The beginning of the text.
        text: String,
    },
    /// An exponent or an order that is too large.
    #[error("record {record} has an exponent or an order that is too large")]
    Exponent {
        /// The index of the record.
        record: usize,
    },
    /// A variable that is an input, or bound already, where one is bound.
    #[error("record {record} binds the variable {variable}, which is an input or bound here already")]
    Bound {
        /// The index of the record.
        record: usize,
        /// The variable.
        variable: u64,
    },
    /// An output that depends on a variable that is no input.
    #[error("an output depends on a variable that is bound elsewhere, or nowhere")]
    Unbound,
    /// A limit is exceeded.
    #[error("expected at most {most} {what}, found more")]
    TooLarge {
        /// The counted objects, as a plural noun.
        what: &'static str,
        /// The limit.
        most: u64,
    },
    /// A primitive from outside, which only its own program can compute.
    #[error("the primitive `{name}` comes from outside, and has no form in which others could read it")]
    Primitive {
        /// Its name.
        name: String,
    },
}

impl ErrorWithKind for ExchangeError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::TooLarge { .. } => ErrorKind::Limit,
            Self::Primitive { .. } => ErrorKind::Unsupported,
            _ => ErrorKind::InvalidInput,
        }
    }
}

/// The type of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OperandType {
    Node,
    Nodes,
    Variable,
    Variables,
    Number,
    Natural,
}

impl OperandType {
    fn description(self) -> &'static str {
        match self {
            Self::Node => "a node",
            Self::Nodes => "a list of nodes",
            Self::Variable => "a variable",
            Self::Variables => "a list of variables",
            Self::Number => "a number",
            Self::Natural => "a natural number",
        }
    }
}

/// An operand. Nodes and variables are numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Operand {
    Node(usize),
    Nodes(Vec<usize>),
    Variable(u64),
    Variables(Vec<u64>),
    Number(Rational),
    Natural(u64),
}

impl Operand {
    /// Returns the length of a list; 0 for a single operand.
    fn list_length(&self) -> usize {
        match self {
            Self::Nodes(all) => all.len(),
            Self::Variables(all) => all.len(),
            Self::Node(_) | Self::Variable(_) | Self::Number(_) | Self::Natural(_) => 0,
        }
    }
}

/// An operation of the format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum RecordKind {
    Variable,
    Rational,
    Pi,
    Euler,
    Unary(Unary),
    Special(SpecialId),
    Binary(Binary),
    Power,
    Sum,
    Dot,
    Select,
    Second(SecondOrder),
    Derivative,
    Partial,
}

/// The operations other than elementary functions, by name.
const KINDS: &[(&str, RecordKind)] = &[
    ("variable", RecordKind::Variable),
    ("rational", RecordKind::Rational),
    ("pi", RecordKind::Pi),
    ("euler", RecordKind::Euler),
    ("negate", RecordKind::Unary(Unary::Negate)),
    ("abs", RecordKind::Unary(Unary::Abs)),
    ("signum", RecordKind::Unary(Unary::Signum)),
    ("add", RecordKind::Binary(Binary::Add)),
    ("subtract", RecordKind::Binary(Binary::Subtract)),
    ("multiply", RecordKind::Binary(Binary::Multiply)),
    ("divide", RecordKind::Binary(Binary::Divide)),
    ("max", RecordKind::Binary(Binary::Maximum)),
    ("min", RecordKind::Binary(Binary::Minimum)),
    ("power", RecordKind::Power),
    ("sum", RecordKind::Sum),
    ("dot", RecordKind::Dot),
    ("select", RecordKind::Select),
    ("derivative", RecordKind::Derivative),
    ("partial", RecordKind::Partial),
];

impl RecordKind {
    /// Returns the operation with a name. Returns `None` for an unknown name.
    fn from_name(name: &str) -> Option<Self> {
        // own names first: they take precedence over functions with the same name
        let own = KINDS.iter().find(|(own, _)| *own == name).map(|(_, kind)| *kind);
        let second = || SecondOrder::ALL.iter().find(|p| p.functional().name() == name).map(|p| Self::Second(*p));
        let unary = || Function::ALL.iter().find(|f| f.name() == name).map(|f| Self::Unary(Unary::Function(*f)));
        let planar = || Planar::ALL.iter().find(|f| f.name() == name).map(|f| Self::Binary(Binary::Planar(*f)));
        let special = || SpecialId::ALL.iter().find(|id| id.family().name == name).map(|id| Self::Special(*id));
        own.or_else(special).or_else(second).or_else(unary).or_else(planar)
    }

    /// Returns the name of the operation.
    fn name(self) -> &'static str {
        match self {
            Self::Unary(Unary::Function(f)) => f.name(),
            Self::Binary(Binary::Planar(f)) => f.name(),
            Self::Second(p) => p.functional().name(),
            Self::Special(id) => id.family().name,
            _ => KINDS.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name),
        }
    }

    /// Returns the types of its operands.
    fn operand_types(self) -> &'static [OperandType] {
        use OperandType::{Natural, Node, Nodes, Number, Variable, Variables};
        match self {
            Self::Variable => &[Variable],
            Self::Rational => &[Number],
            Self::Pi | Self::Euler => &[],
            // elementary functions of one variable as well
            Self::Unary(_) => &[Node],
            Self::Special(_) => &[Node, Natural],
            Self::Binary(_) => &[Node, Node],
            Self::Power => &[Node, Number],
            Self::Sum => &[Nodes],
            Self::Dot => &[Nodes, Nodes],
            Self::Select => &[Node, Node, Node],
            Self::Second(_) => &[Variable, Node],
            Self::Derivative => &[Variables, Node, Nodes, Nodes],
            Self::Partial => &[Variables, Node, Nodes, Natural],
        }
    }

    /// Returns the types of its operands, in words.
    fn operand_summary(self) -> String {
        match self.operand_types() {
            [] => "no operands".to_owned(),
            slots => slots.iter().map(|slot| slot.description()).collect::<Vec<_>>().join(", "),
        }
    }
}

/// A record: an operation with its operands.
#[derive(Clone, Debug)]
struct OperationRecord {
    kind: RecordKind,
    operands: Vec<Operand>,
}

/// A map as a list of records.
#[derive(Debug)]
pub(crate) struct RecordList {
    inputs: usize,
    records: Vec<OperationRecord>,
    outputs: Vec<usize>,
}

/// Truncates a text to 40 characters.
fn truncate_text(text: &str) -> String {
    let shown: Cow<'_, str> = match text.char_indices().nth(40) {
        // by characters, so that a multi-byte one is not cut
        Some((at, _)) => format!("{}…", &text[..at]).into(),
        None => text.into(),
    };
    shown.into_owned()
}

/// The size of a file so far. Reading and writing count alike, so that whatever is written can be read.
#[derive(Default)]
struct FileSize {
    operands: usize,
    bits: u64,
}

/// The depth of a node, in nodes and in binders.
#[derive(Clone, Copy, Default)]
struct NodeDepth {
    level: u32,
    binders: u32,
}

impl FileSize {
    /// Counts operands before memory is allocated for them.
    fn count_operands(&mut self, operands: usize) -> Result<(), ExchangeError> {
        self.operands = self.operands.saturating_add(operands);
        if self.operands > MOST_OPERANDS { Err(too_large("operands", MOST_OPERANDS)) } else { Ok(()) }
    }

    /// Counts a node, and returns its depth from those of its operands.
    fn count_node(
        &mut self,
        graph: &Graph,
        kind: RecordKind,
        operands: impl Iterator<Item = NodeDepth>,
    ) -> Result<NodeDepth, ExchangeError> {
        if let Some(q) = graph.as_rational() {
            self.bits += u64::from(q.numer().significant_bits()) + u64::from(q.denom().significant_bits());
        }
        let NodeDepth { mut level, mut binders } = operands.fold(NodeDepth::default(), |all, one| NodeDepth {
            level: all.level.max(one.level),
            binders: all.binders.max(one.binders),
        });
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
        Ok(NodeDepth { level, binders })
    }
}

pub(crate) fn check_length(length: usize, what: &'static str, most: usize) -> Result<(), ExchangeError> {
    if length > most { Err(too_large(what, most)) } else { Ok(()) }
}

/// The nodes that were read so far.
#[derive(Default)]
pub(crate) struct RecordReader {
    set_inputs: usize,
    nodes: Vec<(Graph, NodeDepth)>,
    variables: FxHashMap<u64, Variable>,
    size: FileSize,
}

/// The outputs of a file, after its last record.
pub(crate) struct FileOutputs(Vec<usize>);

impl FileOutputs {
    /// Returns the map.
    pub(crate) fn into_map(self, builder: RecordReader) -> Result<DynMap, ExchangeError> {
        let record = builder.nodes.len();
        // outputs may refer to any record, in any order
        let output = |number: &usize| builder.nodes.get(*number).map(|(graph, _)| graph.clone());
        let outputs: Option<Vec<Graph>> = self.0.iter().map(output).collect();
        let outputs = outputs.ok_or(ExchangeError::Reference { record })?;
        DynMap::of_graphs(&map::coordinate_variables(builder.set_inputs), &outputs).map_err(|_| ExchangeError::Unbound)
    }
}

fn too_large(what: &'static str, most: impl TryInto<u64>) -> ExchangeError {
    ExchangeError::TooLarge { what, most: most.try_into().unwrap_or(u64::MAX) }
}

impl RecordReader {
    /// Returns the number of records.
    fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Creates the inputs, before the first record.
    fn set_inputs(&mut self, n: u64) -> Result<(), ExchangeError> {
        self.set_inputs = usize::try_from(n).unwrap_or(usize::MAX);
        self.count_operands(self.set_inputs)?;
        self.variables.extend((0..).zip(map::coordinate_variables(self.set_inputs)));
        Ok(())
    }

    /// Counts operands before memory is allocated for them.
    fn count_operands(&mut self, operands: usize) -> Result<(), ExchangeError> {
        self.size.count_operands(operands)
    }

    /// Adds the node of a record.
    fn push_record(&mut self, kind: RecordKind, operands: &[Operand]) -> Result<(), ExchangeError> {
        self.count_operands(1)?;
        // checked before the graph is built, so that `graph_at` cannot fail
        if operands.iter().flat_map(referenced_nodes).any(|number| number >= self.len()) {
            return Err(ExchangeError::Reference { record: self.len() });
        }
        let graph = self.build_graph(kind, operands)?;
        let depths = operands.iter().flat_map(referenced_nodes).map(|number| self.nodes[number].1);
        let depth = self.size.count_node(&graph, kind, depths)?;
        self.nodes.push((graph, depth));
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
            (RecordKind::Special(id), [Operand::Node(a), Operand::Natural(n)]) => {
                let order = u16::try_from(*n).ok().and_then(|n| n.checked_add(id.family().first));
                // a member with a name of its own is written by that name alone
                let function = order.map(|order| Function::Special(id, order)).filter(|f| f.unnamed_member().is_some());
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
        &self.nodes[number].0
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
fn parse_number(text: &str, record: usize) -> Result<Rational, ExchangeError> {
    let wrong = || ExchangeError::Number { record, text: truncate_text(text) };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (p, q) = text.split_once('/').unwrap_or((text, "1"));
    // checked here, since the parser of rationals accepts more: signs, spaces and other forms
    if !digits(p.strip_prefix('-').unwrap_or(p)) || !digits(q) || q.bytes().all(|b| b == b'0') {
        return Err(wrong());
    }
    text.parse().map_err(|_| wrong())
}

/// Lists the records of a map, each node once, in an order that depends on the map only.
pub(crate) fn list_records(map: &DynMap) -> Result<RecordList, ExchangeError> {
    let mut writer = RecordWriter::default();
    writer.size.count_operands(map.input_count())?;
    writer.size.count_operands(map.outputs().len())?;
    // inputs first, so that they have the numbers from 0 on
    for v in map::coordinate_variables(map.input_count()) {
        writer.variable_number(v);
    }
    let outputs = map.outputs().iter().map(|g| writer.node_number(g)).collect::<Result<_, _>>()?;
    let kinds: FxHashSet<RecordKind> = writer.records.iter().map(|record| record.kind).collect();
    writer.size.count_operands(kinds.len())?;
    Ok(RecordList { inputs: map.input_count(), records: writer.records, outputs })
}

#[derive(Default)]
struct RecordWriter {
    records: Vec<OperationRecord>,
    numbers: FxHashMap<usize, usize>,
    depths: Vec<NodeDepth>,
    variables: FxHashMap<Variable, u64>,
    size: FileSize,
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
            let record = self.make_record(g)?;
            // one for the list of records, one for the record, and the lists in it
            self.size.count_operands(2 + record.operands.iter().map(Operand::list_length).sum::<usize>())?;
            let depths = parts.iter().copied().chain(body).map(|p| self.depths[self.numbers[&p.address()]]);
            let depth = self.size.count_node(g, record.kind, depths)?;
            self.numbers.insert(g.address(), self.records.len());
            self.depths.push(depth);
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
            NodeOperation::Unary(f, a) => match f {
                Unary::Function(function) if let Some((id, order)) = function.unnamed_member() => {
                    (RecordKind::Special(id), vec![node(a), Operand::Natural(order.into())])
                }
                _ => (RecordKind::Unary(*f), vec![node(a)]),
            },
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
