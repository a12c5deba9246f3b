//! Involutive Markov chain Monte Carlo (Neklyudov et al. 2020; Cusumano-Towner et al. 2020) on the real draws of a run.
//!
//! An auxiliary number u is drawn, and an involution f is applied to the pair (x, u). Let π be the density of x, and q that
//! of u. The result (x′, u′) is accepted with probability `min(1, π(x′)·q(u′)·𝒥 / (π(x)·q(u)))`. Here 𝒥 is the factor of the
//! [change of variables](crate::measure::change) f, computed from its slopes by AD. Without 𝒥 another distribution is sampled.
//!
//! | move | f | 𝒥 |
//! |---|---|---|
//! | [`Move::Shift`] | (x + s·u, -u) | 1 |
//! | [`Move::Scale`] | (c + (x - c)·u, 1/u) | 1/u |

use super::diagnostic::Moments;
use super::tree::State;
use super::{Chain, SamplerFault};
use crate::function::Function;
use crate::measure::change::volume;
use crate::measure::distribution::draw::{log, normal};
use crate::measure::distribution::{add, divide, multiply, negate, subtract};
use crate::measure::support::Chart;
use crate::number::double::nearest;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::map::{Map, untyped::Untyped};
use crate::smooth::tape::Tape;

/// A proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Adds a multiple of u to a draw.
    Shift,
    /// Multiplies the distance of a draw from a fixed point c by u.
    Scale,
}

/// The standard deviation of log u in [`Move::Scale`]. A choice.
const SPREAD: f64 = 0.7;

/// An involution of a draw x and an auxiliary number u, with its factor. It depends on a fixed point c and a width s.
#[derive(Debug)]
pub struct Involution {
    tape: Tape,
}

impl Involution {
    /// Compiles the involution of a move.
    ///
    /// # Errors
    /// [`SamplerFault::Tape`], if a tape of doubles lacks an operation.
    pub fn new(of: Move) -> Result<Self, SamplerFault> {
        let variables: [Variable; 4] = std::array::from_fn(|_| Variable::fresh());
        let [x, u, c, s] = variables.map(Graph::variable);
        let map = match of {
            Move::Shift => [add(&x, &multiply(&s, &u)), negate(&u)],
            Move::Scale => [add(&c, &multiply(&subtract(&x, &c), &u)), divide(&Graph::integer(1), &u)],
        };
        // By AD's slopes instead of the table above: this is the use of 𝒥 in W.
        let factor = volume(&Chart::slopes(&map, &variables[..2]));
        let [x, u] = map;
        let untyped = Untyped::of_graphs(&variables, &[x, u, Graph::function(Function::Log, &factor)]);
        let untyped = untyped.map_err(|_| crate::smooth::tape::TapeError { construct: "an involution" })?;
        Ok(Self { tape: Map::hidden(untyped).tape()? })
    }

    /// Returns x′, u′ and log 𝒥.
    pub fn at(&mut self, x: f64, u: f64, place: f64, width: f64) -> [f64; 3] {
        let mut found = [0.0; 3];
        self.tape.value(&[x, u, place, width], &mut found);
        found
    }
}

/// Samples a chain by shifts and scalings of single draws.
pub(super) fn sample(chain: &mut Chain<'_, '_>) -> Result<Moments, SamplerFault> {
    let mut involutions = [Involution::new(Move::Shift)?, Involution::new(Move::Scale)?];
    let mut width = 1.0;
    chain.steps(|chain, state, is_warm| {
        let n = state.reals().count();
        if n == 0 {
            return Ok(false);
        }
        let index = chain.random.below(n);
        let any = if chain.random.below(2) == 0 { Move::Shift } else { Move::Scale };
        let of = chain.settings.only.unwrap_or(any);
        let is_accepted = proposed(chain, state, index, of, &mut involutions, width)?;
        // The factors balance where about 40 % of the shifts are accepted. A scaling has no width to tune.
        if !is_warm && of == Move::Shift {
            width = if is_accepted { width * 1.08 } else { width * 0.95 };
        }
        Ok(is_accepted)
    })
}

/// Proposes a move of one draw. Returns `true` if it is accepted.
fn proposed(
    chain: &mut Chain<'_, '_>,
    state: &mut State,
    index: usize,
    of: Move,
    involutions: &mut [Involution; 2],
    width: f64,
) -> Result<bool, SamplerFault> {
    let z = normal(chain.random);
    // `density` is log q up to a constant, which cancels in the ratio.
    let (u, density): (f64, fn(f64) -> f64) = match of {
        Move::Shift => (z, |u| -0.5 * u * u),
        Move::Scale => (nearest(Function::Exp, SPREAD * z), |u| {
            let l = log(u);
            -l - 0.5 * (l / SPREAD) * (l / SPREAD)
        }),
    };
    let (x, place) = (state.real(index), state.pivot(index));
    let involution = &mut involutions[usize::from(of == Move::Scale)];
    let [moved, back, factor] = involution.at(x, u, place, width * state.scale(index));
    let mut reals: Vec<f64> = state.reals().collect();
    reals[index] = moved;
    let Some(next) = chain.tree.at(state, &reals)? else { return Ok(false) };
    // The map is an involution only if the reverse move uses the same fixed point and width.
    if next.pivot(index) != place || next.scale(index) != state.scale(index) {
        return Ok(false);
    }
    let densities = next.density() + density(back) - state.density() - density(u);
    let is_accepted = densities > f64::NEG_INFINITY && chain.accepts(densities, factor);
    if is_accepted {
        *state = next;
    }
    Ok(is_accepted)
}
