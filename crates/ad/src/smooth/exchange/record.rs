//! Records: the operands of each operation, in one table for bytes, JSON, reading and writing.

use crate::function::{Function, Planar};
use crate::number::Rational;
use crate::smooth::graph::{Binary, SecondOrder, Unary};
use std::borrow::Cow;

/// The type of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OperandType {
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
pub(super) enum Operand {
    Node(usize),
    Nodes(Vec<usize>),
    Variable(u64),
    Variables(Vec<u64>),
    Number(Rational),
    Natural(u64),
}

/// An operation of the format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum RecordKind {
    Variable,
    Rational,
    Pi,
    Euler,
    Unary(Unary),
    Polygamma,
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
    ("polygamma", RecordKind::Polygamma),
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
    pub(super) fn from_name(name: &str) -> Option<Self> {
        // own names first: they take precedence over functions with the same name
        let own = KINDS.iter().find(|(own, _)| *own == name).map(|(_, kind)| *kind);
        let second = || SecondOrder::ALL.iter().find(|p| p.functional().name() == name).map(|p| Self::Second(*p));
        let unary = || Function::ALL.iter().find(|f| f.name() == name).map(|f| Self::Unary(Unary::Function(*f)));
        let planar = || Planar::ALL.iter().find(|f| f.name() == name).map(|f| Self::Binary(Binary::Planar(*f)));
        own.or_else(second).or_else(unary).or_else(planar)
    }

    /// Returns the name of the operation.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Unary(Unary::Function(f)) => f.name(),
            Self::Binary(Binary::Planar(f)) => f.name(),
            Self::Second(p) => p.functional().name(),
            _ => KINDS.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name),
        }
    }

    /// Returns the types of its operands.
    pub(super) fn operand_types(self) -> &'static [OperandType] {
        use OperandType::{Natural, Node, Nodes, Number, Variable, Variables};
        match self {
            Self::Variable => &[Variable],
            Self::Rational => &[Number],
            Self::Pi | Self::Euler => &[],
            // elementary functions of one variable as well
            Self::Unary(_) => &[Node],
            Self::Polygamma => &[Node, Natural],
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
    pub(super) fn operand_summary(self) -> String {
        match self.operand_types() {
            [] => "no operands".to_owned(),
            slots => slots.iter().map(|slot| slot.description()).collect::<Vec<_>>().join(", "),
        }
    }
}

/// A record: an operation with its operands.
#[derive(Clone, Debug)]
pub(super) struct OperationRecord {
    pub(super) kind: RecordKind,
    pub(super) operands: Vec<Operand>,
}

/// A map as a list of records.
#[derive(Debug)]
pub(super) struct RecordList {
    pub(super) inputs: usize,
    pub(super) records: Vec<OperationRecord>,
    pub(super) outputs: Vec<usize>,
}

/// Truncates a text to 40 characters.
pub(super) fn truncate_text(text: &str) -> String {
    let shown: Cow<'_, str> = match text.char_indices().nth(40) {
        // by characters, so that a multi-byte one is not cut
        Some((at, _)) => format!("{}…", &text[..at]).into(),
        None => text.into(),
    };
    shown.into_owned()
}
