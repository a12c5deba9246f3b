//! Involutive Markov chain Monte Carlo (Neklyudov et al. 2020; Cusumano-Towner et al. 2020) on the real draws of a run.
//!
//! An auxiliary number u is drawn, and an involution f is applied to the pair (x, u). Let π be the density of x, and q that
//! of u. The result (x′, u′) is accepted with probability `min(1, π(x′)·q(u′)·𝒥 / (π(x)·q(u)))`. Here 𝒥 is the factor of the
//! [change of variables](crate::measure::change) f, computed from its slopes by AD. Without 𝒥 another distribution is sampled.
//!
//! | move | f | 𝒥 |
//! |---|---|---|
//! | [`InvolutiveMove::Shift`] | (x + s·u, -u) | 1 |
//! | [`InvolutiveMove::Scale`] | (c + (x - c)·u, 1/u) | 1/u |

use super::tree::SampledRun;
use super::{SamplerContext, SamplerError, WeightedSamples};
use crate::function::Function;
use crate::measure::change::volume_factor;
use crate::measure::distribution::draw::{log, normal};
use crate::measure::support::SupportChart;
use crate::number::double::eval_nearest;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::map::{DynMap, Map};
use crate::smooth::tape::Tape;

/// A proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvolutiveMove {
    /// Adds a multiple of u to a draw.
    Shift,
    /// Multiplies the distance of a draw from a fixed point c by u.
    Scale,
}

/// The standard deviation of log u in [`InvolutiveMove::Scale`]. A choice.
const LOG_SCALE_DEVIATION: f64 = 0.7;

/// An involution of a draw x and an auxiliary number u, with its factor. It depends on a fixed point c and a width s.
#[derive(Debug)]
pub struct Involution {
    tape: Tape,
}

impl Involution {
    /// Compiles the involution of a move.
    ///
    /// # Errors
    /// [`SamplerError::Tape`], if a tape of doubles lacks an operation.
    pub fn new(of: InvolutiveMove) -> Result<Self, SamplerError> {
        let variables: [Variable; 4] = std::array::from_fn(|_| Variable::fresh());
        let [x, u, c, s] = variables.map(Graph::variable);
        let map = match of {
            InvolutiveMove::Shift => [&x + &s * &u, -&u],
            InvolutiveMove::Scale => [&c + (&x - &c) * &u, 1 / &u],
        };
        // By AD's slopes instead of the table above: this is the use of 𝒥 in W.
        let factor = volume_factor(&SupportChart::slope_matrix(&map, &variables[..2]));
        let [x, u] = map;
        let untyped = DynMap::of_graphs(&variables, &[x, u, factor.log()]);
        let untyped = untyped.map_err(|_| crate::smooth::tape::TapeError { construct: "an involution" })?;
        Ok(Self { tape: Map::from_dyn(untyped).tape()? })
    }

    /// Returns x′, u′ and log 𝒥.
    pub fn apply_at(&mut self, x: f64, u: f64, place: f64, width: f64) -> [f64; 3] {
        let mut found = [0.0; 3];
        self.tape.value(&[x, u, place, width], &mut found);
        found
    }
}

/// Samples a chain by shifts and scalings of single draws.
pub(super) fn sample_involutive(chain: &mut SamplerContext<'_, '_>) -> Result<WeightedSamples, SamplerError> {
    let mut involutions = [Involution::new(InvolutiveMove::Shift)?, Involution::new(InvolutiveMove::Scale)?];
    let mut width = 1.0;
    chain.run_chain(|chain, state, is_warm| {
        let n = state.real_draws().count();
        if n == 0 {
            return Ok(false);
        }
        let index = chain.random.next_below(n);
        let any = if chain.random.next_below(2) == 0 { InvolutiveMove::Shift } else { InvolutiveMove::Scale };
        let of = chain.settings.only_move.unwrap_or(any);
        let is_accepted = propose_move(chain, state, index, of, &mut involutions, width)?;
        // The factors balance where about 40 % of the shifts are accepted. A scaling has no width to tune.
        if !is_warm && of == InvolutiveMove::Shift {
            width = if is_accepted { width * 1.08 } else { width * 0.95 };
        }
        Ok(is_accepted)
    })
}

/// Proposes a move of one draw. Returns `true` if it is accepted.
fn propose_move(
    chain: &mut SamplerContext<'_, '_>,
    state: &mut SampledRun,
    index: usize,
    of: InvolutiveMove,
    involutions: &mut [Involution; 2],
    width: f64,
) -> Result<bool, SamplerError> {
    let z = normal(chain.random);
    // `density` is log q up to a constant, which cancels in the ratio.
    let (u, density): (f64, fn(f64) -> f64) = match of {
        InvolutiveMove::Shift => (z, |u| -0.5 * u * u),
        InvolutiveMove::Scale => (eval_nearest(Function::Exp, LOG_SCALE_DEVIATION * z), |u| {
            let l = log(u);
            -l - 0.5 * (l / LOG_SCALE_DEVIATION) * (l / LOG_SCALE_DEVIATION)
        }),
    };
    let (x, place) = (state.real_draw(index), state.fixed_point(index));
    let involution = &mut involutions[usize::from(of == InvolutiveMove::Scale)];
    let [moved, back, factor] = involution.apply_at(x, u, place, width * state.draw_scale(index));
    let mut reals: Vec<f64> = state.real_draws().collect();
    reals[index] = moved;
    let Some(next) = chain.tree.rerun_with(state, &reals)? else { return Ok(false) };
    // The map is an involution only if the reverse move uses the same fixed point and width.
    if next.fixed_point(index) != place || next.draw_scale(index) != state.draw_scale(index) {
        return Ok(false);
    }
    let densities = next.log_density() + density(back) - state.log_density() - density(u);
    let is_accepted = densities > f64::NEG_INFINITY && chain.accept_proposal(densities, factor);
    if is_accepted {
        *state = next;
    }
    Ok(is_accepted)
}
