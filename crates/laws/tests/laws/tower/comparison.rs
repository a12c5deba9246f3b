//! How two enclosures of one number, by a tower and by jets, may compare.

use super::support::*;
use smoothish_laws::number::Context;

/// How an enclosure by jets compares with the one by the tower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// tower ⊑ jet, and where the tower knows the number the jet does.
    Refines,
    /// The same, and the jet knows a number that the tower does not.
    Sharper,
    /// tower ⊑ jet but for definedness: a narrow range that is not known to be defined.
    Stricter,
    /// The jet is wider.
    Wider,
    /// No number is in both.
    Disjoint,
}

pub fn compare(tower: &Num, jet: &Num) -> Comparison {
    let c = context();
    if !c.is_defined(tower) {
        return if is_narrow(jet) { Comparison::Sharper } else { Comparison::Refines };
    }
    if !overlap(tower, jet) {
        Comparison::Disjoint
    } else if !contains(tower, jet) || (is_narrow(tower) && !is_narrow(&c.mark_defined(jet.clone()))) {
        Comparison::Wider
    } else if !c.is_defined(jet) {
        Comparison::Stricter
    } else if is_narrow(jet) && !is_narrow(tower) {
        Comparison::Sharper
    } else {
        Comparison::Refines
    }
}
