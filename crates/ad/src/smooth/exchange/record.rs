//! Records: the operands of each operation, in one table for bytes, JSON, reading and writing.

use crate::function::{Function, Planar};
use crate::number::Rational;
use crate::smooth::graph::{Binary, SecondOrder, Unary};
use std::borrow::Cow;

/// The type of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    Node,
    Nodes,
    Variable,
    Variables,
    Number,
    Natural,
}

impl Slot {
    fn about(self) -> &'static str {
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
pub(super) enum Kind {
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
const KINDS: &[(&str, Kind)] = &[
    ("variable", Kind::Variable),
    ("rational", Kind::Rational),
    ("pi", Kind::Pi),
    ("euler", Kind::Euler),
    ("negate", Kind::Unary(Unary::Negate)),
    ("abs", Kind::Unary(Unary::Abs)),
    ("signum", Kind::Unary(Unary::Signum)),
    ("polygamma", Kind::Polygamma),
    ("add", Kind::Binary(Binary::Add)),
    ("subtract", Kind::Binary(Binary::Subtract)),
    ("multiply", Kind::Binary(Binary::Multiply)),
    ("divide", Kind::Binary(Binary::Divide)),
    ("max", Kind::Binary(Binary::Maximum)),
    ("min", Kind::Binary(Binary::Minimum)),
    ("power", Kind::Power),
    ("sum", Kind::Sum),
    ("dot", Kind::Dot),
    ("select", Kind::Select),
    ("derivative", Kind::Derivative),
    ("partial", Kind::Partial),
];

impl Kind {
    /// Returns the operation with a name. Returns `None` for an unknown name.
    pub(super) fn named(name: &str) -> Option<Self> {
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
    pub(super) fn slots(self) -> &'static [Slot] {
        use Slot::{Natural, Node, Nodes, Number, Variable, Variables};
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
    pub(super) fn expected(self) -> String {
        match self.slots() {
            [] => "no operands".to_owned(),
            slots => slots.iter().map(|slot| slot.about()).collect::<Vec<_>>().join(", "),
        }
    }
}

/// A record: an operation with its operands.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) kind: Kind,
    pub(super) operands: Vec<Operand>,
}

/// A map as a list of records.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) inputs: usize,
    pub(super) records: Vec<Record>,
    pub(super) outputs: Vec<usize>,
}

/// Truncates a text to 40 characters.
pub(super) fn short(text: &str) -> String {
    let shown: Cow<'_, str> = match text.char_indices().nth(40) {
        // by characters, so that a multi-byte one is not cut
        Some((at, _)) => format!("{}…", &text[..at]).into(),
        None => text.into(),
    };
    shown.into_owned()
}
