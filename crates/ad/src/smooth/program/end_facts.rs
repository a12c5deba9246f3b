//! Exact values at the ends of a binder's range, by normal forms.
//!
//! At x = π the enclosure of `π² - x²` contains 0, at every precision. That it *is* 0 makes `1/√(π² - x²)` integrable. No
//! enclosure shows that, but the [normal form](crate::smooth::normal_form) of the operand with its end substituted does.
//!
//! A fact is an identity in the captures, so it holds for all of them for which the operand is defined, and so for all
//! inputs nearby. The captures are seen with all that they are computed from. A number that is merely small is no fact: the
//! normal form of `1 - 10⁻⁶⁰ - x` at 1 is not 0.
//!
//! Only operands at which an operation may be singular or have a kink are looked at, and only when a solver arrives at such an end.

use super::BlockRegister;
use crate::function::Function;
use crate::number::Rational;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::smooth::reverse::with_slopes;
use std::sync::OnceLock;

/// The greatest number of slopes that are looked at. A choice: zeros of higher order are rare.
const MOST_SLOPES: u32 = 4;
/// The greatest number of nodes of an operand that is looked at. A choice: normal forms of large maps take long.
const MOST_NODES: usize = 500;

/// The exact value of a register at an end of the range of the bound variable, wherever it is defined there.
#[derive(Clone, Debug)]
pub struct EndFact {
    /// The register.
    pub register: BlockRegister,
    /// The value.
    pub value: Rational,
    /// The number of slopes in the bound variable, from the first on, that are 0 there.
    pub zero_slopes: u32,
}

/// The operands of a block of one parameter that may be at the edge of an operation at an end.
#[derive(Debug, Default)]
pub struct EdgeOperands {
    /// The parameter; `None` if there are no operands.
    variable: Option<Variable>,
    operands: Vec<(BlockRegister, Graph)>,
    /// The facts at 0 and at 1, found when they are first asked for.
    facts: [OnceLock<Vec<EndFact>>; 2],
}

impl EdgeOperands {
    /// Creates the operands of a block with this parameter.
    #[must_use]
    pub fn new(variable: Variable, mut operands: Vec<(BlockRegister, Graph)>) -> Self {
        // An operand of several operations is recorded by each of them.
        operands.sort_by_key(|(register, _)| *register);
        operands.dedup_by_key(|(register, _)| *register);
        Self { variable: Some(variable), operands, facts: Default::default() }
    }

    /// Returns what is known of the operands at the end 0 or 1.
    #[must_use]
    pub fn facts_at(&self, end: usize) -> &[EndFact] {
        let Some(v) = self.variable else { return &[] };
        self.facts[end].get_or_init(|| {
            let mut forms = RationalNormalForm::default();
            let fact = |(register, graph): &(BlockRegister, Graph)| {
                let (value, zero_slopes) = exact_end_value(graph, v, end, &mut forms)?;
                Some(EndFact { register: *register, value, zero_slopes })
            };
            self.operands.iter().filter_map(fact).collect()
        })
    }

    /// Keeps the operands whose registers `place` maps to others, and renames these.
    #[must_use]
    pub fn renumbered(self, place: impl Fn(BlockRegister) -> Option<BlockRegister>) -> Self {
        let operands = self.operands.into_iter().filter_map(|(register, graph)| Some((place(register)?, graph)));
        Self { variable: self.variable, operands: operands.collect(), facts: Default::default() }
    }
}

/// Returns the exact value of a graph at `v = end`, and the number of slopes in v that are 0 there. Returns `None` if the
/// value is not known to be rational.
fn exact_end_value(g: &Graph, v: Variable, end: usize, forms: &mut RationalNormalForm) -> Option<(Rational, u32)> {
    if Graph::all_nodes([g]).len() > MOST_NODES {
        return None;
    }
    let mut value_of = |g: &Graph| {
        let there = g.substitute(&[(v, Graph::integer(end as i64))]);
        forms.normal_form(&there)?.as_rational()
    };
    let value = value_of(g)?;
    let (mut slope, mut zeros) = (g.clone(), 0);
    while zeros < MOST_SLOPES {
        let Some([_, next]) = with_slopes(&[v], &slope).and_then(|found| <[Graph; 2]>::try_from(found).ok()) else {
            break;
        };
        if Graph::all_nodes([&next]).len() > MOST_NODES || value_of(&next).is_none_or(|value| value != 0) {
            break;
        }
        (slope, zeros) = (next, zeros + 1);
    }
    Some((value, zeros))
}

/// Returns `true` if the cosine of a graph is 0 at an end of the range of `v`: its tangent has a pole there.
#[must_use]
pub fn has_cosine_zero_at_end(angle: &Graph, v: Variable) -> bool {
    let cosine = Graph::function(Function::Cos, angle);
    let mut forms = RationalNormalForm::default();
    (0..2).any(|end| exact_end_value(&cosine, v, end, &mut forms).is_some_and(|(value, _)| value == 0))
}
