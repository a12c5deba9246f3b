//! Lipschitz maps that are not smooth: max and maps made of it (S §4.3.2), and the sign.
//!
//! The printed second case of max⁽¹⁾ repeats the condition of the first; it is meant for x < y (E6). On a box where the
//! branch is undecided the hull-extension of §4.4 gives the hull of both at order 1, and ⊥ from order 2 on.

use super::{EnclosureVector, Tower, TowerError};
use crate::number::context::{Context, Sign};

/// Returns a piecewise linear map with two pieces.
///
/// Order 0 is `value`. Order 1 is the branch of the direction by the sign of `switch`, or the hull of both branches if the
/// sign is undecided. Higher orders are 0, or ⊥ if the sign is undecided.
fn two_pieces<C: Context>(
    inputs: usize,
    value: impl Fn(&C, &[C::Num]) -> C::Num + Send + Sync + 'static,
    switch: impl Fn(&C, &[C::Num]) -> C::Num + Send + Sync + 'static,
    branches: impl Fn(&C, &[C::Num]) -> [C::Num; 2] + Send + Sync + 'static,
) -> Tower<C> {
    Tower::new(
        inputs,
        1,
        move |context: &C, x: &[C::Num], directions: &[&[C::Num]]| -> Result<EnclosureVector<C>, TowerError> {
            let switch = switch(context, x);
            let sign = context.sign(&switch);
            Ok(vec![match (directions, sign) {
                ([], _) => value(context, x),
                ([v], _) => {
                    let [left, right] = branches(context, v);
                    match sign {
                        Sign::Positive => left,
                        Sign::Negative => right,
                        Sign::Undecided => {
                            let hull = context.hull(&left, &right);
                            // At the kink itself the Clarke derivative is the hull, certainly so if the argument is defined.
                            if context.is_defined(&switch) { hull } else { context.mark_undefined(hull) }
                        }
                    }
                }
                // At a kink the derivative of order 1 is a set, and a set has no derivative (S §4.1).
                (_, Sign::Undecided) => context.bottom(),
                _ => context.enclose_integer(0),
            }])
        },
    )
}

/// Returns `max : ℝ × ℝ ⇝ ℝ` (S §4.3.2, E6).
///
/// | | x > y | x < y | x = y, or undecided |
/// |---|---|---|---|
/// | max⁽¹⁾((x, y); (dx, dy)) | dx | dy | hull {dx, dy} |
/// | max⁽ᵏ⁺²⁾ | 0 | 0 | ⊥ |
#[must_use]
pub fn maximum<C: Context>() -> Tower<C> {
    let gap = |context: &C, x: &[C::Num]| context.sub(&x[0], &x[1]);
    two_pieces(2, |context: &C, x| context.max(&x[0], &x[1]), gap, |_, v| [v[0].clone(), v[1].clone()])
}

/// Returns `min : ℝ × ℝ ⇝ ℝ`, `-max(-x, -y)`.
#[must_use]
pub fn minimum<C: Context>() -> Tower<C> {
    let gap = |context: &C, x: &[C::Num]| context.sub(&x[1], &x[0]);
    two_pieces(2, |context: &C, x| context.min(&x[0], &x[1]), gap, |_, v| [v[0].clone(), v[1].clone()])
}

/// Returns `|·| : ℝ ⇝ ℝ`, `max(x, -x)` with a value that is tight on boxes.
#[must_use]
pub fn absolute<C: Context>() -> Tower<C> {
    let branches = |context: &C, v: &[C::Num]| [v[0].clone(), context.neg(&v[0])];
    two_pieces(1, |context: &C, x| context.abs(&x[0]), |_, x| x[0].clone(), branches)
}

/// Returns `relu : ℝ ⇝ ℝ`, `max(x, 0)` (S §2.3).
#[must_use]
pub fn relu<C: Context>() -> Tower<C> {
    Tower::lazy(1, 1, || Tower::identity(1).pair(&Tower::zero(1, 1))?.then(&maximum()))
}

/// Returns `sgn : ℝ ⇝ ℝ`: 1, -1, and [-1, 1] at 0. Its derivatives are 0 away from 0 and ⊥ at 0, where it is not Lipschitz.
#[must_use]
pub fn signum<C: Context>() -> Tower<C> {
    Tower::new(1, 1, |context: &C, x: &[C::Num], directions: &[&[C::Num]]| -> Result<EnclosureVector<C>, TowerError> {
        Ok(vec![match (directions, context.sign(&x[0])) {
            ([], _) => context.signum(&x[0]),
            (_, Sign::Undecided) => context.bottom(),
            _ => context.enclose_integer(0),
        }])
    })
}
