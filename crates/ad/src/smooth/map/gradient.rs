//! Gradients and vector-Jacobian products: in one sweep back, however many coordinates there are.
//!
//! | | what it is |
//! |---|---|
//! | [`Map::vjp`] | `(x, w) ↦ D f(x)ᵗ·w` as a map |
//! | [`Map::tape`] | value and gradient on plain `f64`: nothing is certain |
//! | [`Map::gradient_enclosures`], [`Map::vjp_doubles_slice`] | enclosures with `f64` ends, at their speed |
//! | [`Map::gradient_at`], [`Map::vjp_at`] | enclosures as narrow as is asked, at exact points |
//!
//! Where the map is seen to be smooth near the point, enclosures come from a [tape](Certified) that runs over them. Where it is
//! not, or is not seen to be, the adjoint as a graph is run as any other map, and says what there is to say about kinks and
//! edges of domains.

use super::Map;
use super::double::{WORK, exact};
use super::error::{MapError, fits};
use super::probe::Probe;
use super::untyped::{self, Untyped, substitute};
use super::value::{Answers, Value, points};
use crate::number::balls::Middles;
use crate::number::budget::Budget;
use crate::number::real::Refined;
use crate::number::{Context, Double, Enclosure, Interval, Mpfr, Rational};
use crate::smooth::dimension::Shape;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::reverse::expands_exactly;
use crate::smooth::tape::{Certified, Tape, TapeError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use typenum::U1;

/// What reverse mode makes of a map, once.
#[derive(Debug, Default)]
pub(super) struct Reversed {
    adjoint: OnceLock<Arc<Untyped>>,
    tape: OnceLock<Result<Tape, TapeError>>,
    /// Whether the tape is defined only where the map is.
    is_exact: OnceLock<bool>,
    /// Tapes that nobody is running.
    idle: Mutex<Vec<Certified<Double>>>,
}

/// How many tapes wait for the next to run them.
const MOST_IDLE: usize = 8;
/// The first precision at which a tape runs when doubles are not narrow enough…
const FIRST_BITS: u32 = 128;
/// …and the last: beyond, a radius in `f64` is too coarse.
const LAST_BITS: u32 = 1024;

impl Untyped {
    /// `(x, w) ↦ D f(x)ᵗ·w`
    fn adjoint(&self) -> &Arc<Self> {
        self.reversed().adjoint.get_or_init(|| {
            let n = self.inputs();
            let all = untyped::coordinates(n + self.outputs().len());
            let (x, w) = all.split_at(n);
            let fresh: Vec<_> = x.iter().map(|_| Variable::fresh()).collect();
            let bindings: Vec<_> =
                x.iter().filter_map(untyped::variable).zip(fresh.iter().map(|v| Graph::variable(*v))).collect();
            let bodies = substitute(self.outputs(), &bindings);
            Arc::new(Self::new(all.len(), Graph::reverse(&fresh, &bodies, x, w)))
        })
    }

    fn tape(&self) -> Result<&Tape, &TapeError> {
        let tape = || Tape::of(&untyped::variables(self.inputs()), self.outputs());
        self.reversed().tape.get_or_init(tape).as_ref()
    }

    /// The tape, if enclosures can run on it. Where they cannot, it may be long: derivatives inside derivatives are written out.
    fn certifiable(&self) -> Option<&Tape> {
        let is_exact = || expands_exactly(self.outputs());
        self.reversed().is_exact.get_or_init(is_exact).then(|| self.tape().ok())?
    }

    /// `D f(x)ᵗ·w` by a tape that runs over doubles, where that has an answer.
    fn swift(&self, x: &[f64], w: &[f64]) -> Option<Vec<Interval<f64>>> {
        let tape = self.certifiable()?;
        let idle = || self.reversed().idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut running = waiting.unwrap_or_else(|| tape.certified(Double));
        let found = running.vjp_at(x, w);
        let mut idle = idle();
        if idle.len() < MOST_IDLE {
            idle.push(running);
        }
        found
    }

    /// The same at a tier of any precision, for exact points.
    fn precise<T: Middles>(
        &self,
        tier: T,
        x: &[Rational],
        w: &[Rational],
        budget: &Budget,
    ) -> Option<Vec<Interval<T::End>>> {
        let point = |x: &[Rational]| x.iter().map(|x| tier.rational(x)).collect::<Vec<_>>();
        let (x, w) = (point(x), point(w));
        self.certifiable()?.certified(tier).vjp_within(&x, &w, budget)
    }
}

impl<N: Shape, M: Shape> Map<N, M> {
    /// `(x, w) ↦ D f(x)ᵗ·w`, the vector-Jacobian product, in one sweep however many coordinates N has
    /// ([`reverse`](crate::smooth::reverse); A §4.1, fᴿ). At a kink each component is enclosed by itself.
    ///
    /// ```
    /// use smoothish_ad::number::{Rational, budget::Budget};
    /// use smoothish_ad::smooth::map::{Map, coordinates};
    /// use typenum::{U1, U3};
    /// let [x, y, z] = coordinates::<U3, 3>();
    /// let f: Map<U3, U1> = x * y.sin() + z;
    /// let at = f.vjp().at_slice(&[3.into(), 0.into(), 1.into(), 10.into()])?;
    /// let found = at.enclose(&Rational::from((1, 9)), &Budget::unlimited())?;
    /// for (component, true_value) in found.components.iter().zip([0, 30, 10]) {
    ///     assert!(component.enclosure.contains(&Rational::from(true_value)));
    /// }
    /// # Ok::<(), smoothish_ad::smooth::map::MapError>(())
    /// ```
    #[must_use]
    pub fn vjp(&self) -> Map<(N, M), N> {
        Map::new(Untyped::clone(self.untyped.adjoint()))
    }

    /// The map on plain `f64`, compiled once, with its gradient in one sweep: for numbers at the speed of an ordinary
    /// program, of which nothing is certain. Numbers are columns of no type, so shapes are those of slices.
    ///
    /// # Errors
    /// [`TapeError`] for integrals, roots, optima and primitives from outside.
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::smooth::map::{Map, coordinates};
    /// use typenum::{U1, U2};
    /// let [x, y] = coordinates();
    /// let f: Map<U2, U1> = x.powi(2) * y.exp();
    /// let mut tape = f.tape()?;
    /// let mut gradient = [0.0; 2];
    /// assert_eq!(tape.gradient(&[3.0, 0.0], &mut gradient), 9.0);
    /// assert_eq!(gradient, [6.0, 9.0]);
    /// # Ok::<(), smoothish_ad::smooth::tape::TapeError>(())
    /// ```
    pub fn tape(&self) -> Result<Tape, TapeError> {
        self.untyped.tape().cloned().map_err(Clone::clone)
    }

    /// `D f(x)ᵗ·w` at slices of doubles: enclosures with `f64` ends, one for each coordinate of N. A component that is not
    /// certainly defined says so ([`Interval::is_defined`]).
    ///
    /// # Errors
    /// [`MapError::Length`], and those of [`Map::doubles`].
    pub fn vjp_doubles_slice(&self, x: &[f64], w: &[f64]) -> Result<Vec<Interval<f64>>, MapError> {
        self.vjp_doubles_within(x, w, &Budget::new(WORK, None, None))
    }

    /// The same, for a budget of one's own. A tape costs what it costs, and that is not much.
    ///
    /// # Errors
    /// As for [`Map::vjp_doubles_slice`].
    pub fn vjp_doubles_within(&self, x: &[f64], w: &[f64], budget: &Budget) -> Result<Vec<Interval<f64>>, MapError> {
        let [point, cotangent] = ["the point", "the cotangent"];
        fits(point, "component", self.untyped.inputs(), x.len())?;
        fits(cotangent, "component", self.untyped.outputs().len(), w.len())?;
        let exact = [exact(point, x)?, exact(cotangent, w)?].concat();
        match self.untyped.swift(x, w) {
            Some(found) => Ok(found),
            None => Self::run_doubles(&Probe::value(self.untyped.adjoint(), points(&exact)), budget),
        }
    }

    /// `D f(x)ᵗ·w` at exact points, each component as narrow as eps where the budget allows.
    ///
    /// # Errors
    /// [`MapError::Length`] when point or cotangent do not fit; [`MapError::Tolerance`] for an eps that is not positive; those of
    /// the evaluation.
    pub fn vjp_at(&self, x: &[Rational], w: &[Rational], eps: &Rational, budget: &Budget) -> Result<Answers, MapError> {
        fits("the point", "component", self.untyped.inputs(), x.len())?;
        fits("the cotangent", "component", self.untyped.outputs().len(), w.len())?;
        if *eps <= 0 {
            return Err(MapError::Tolerance { eps: Box::new(eps.clone()) });
        }
        let mut best = None;
        if let Some(tape) = self.untyped.certifiable() {
            let mut bits = Double.precision();
            while bits <= LAST_BITS && budget.spend(tape.work(bits)) && !budget.is_exhausted() {
                let found = match bits {
                    53 => certain(&Double, self.untyped.precise(Double, x, w, budget)),
                    bits => certain(&Mpfr::new(bits), self.untyped.precise(Mpfr::new(bits), x, w, budget)),
                };
                let Some(found) = found else { break };
                let is_reached = found.iter().all(|e| e.is_within(eps));
                best = Some(answers(found, eps, bits));
                if is_reached {
                    break;
                }
                bits = if bits < FIRST_BITS { FIRST_BITS } else { 2 * bits };
            }
        }
        match best {
            Some(best) if best.reached() || budget.is_exhausted() => return Ok(best),
            _ => {}
        }
        Value::new(Probe::value(self.untyped.adjoint(), points(&[x, w].concat()))).enclose(eps, budget)
    }
}

/// What a tape has found, with exact ends.
fn certain<C: Context>(context: &C, found: Option<Vec<C::Num>>) -> Option<Vec<Enclosure>> {
    found.map(|found| found.iter().map(|e| context.to_enclosure(e)).collect())
}

/// What a tape has found at a precision, as answers; where they are not narrow enough, it is for a budget that is exhausted.
fn answers(found: Vec<Enclosure>, eps: &Rational, bits: u32) -> Answers {
    let answer = |enclosure: Enclosure| {
        let reached = enclosure.is_within(eps);
        Refined { enclosure, reached, bits, exhausted: !reached, assumed: Vec::new(), why: None }
    };
    Answers { components: found.into_iter().map(answer).collect(), trusted: Vec::new() }
}

impl<N: Shape> Map<N, U1> {
    /// The gradient at a slice of doubles: enclosures with `f64` ends, one for each coordinate.
    ///
    /// # Errors
    /// As for [`Map::vjp_doubles_slice`].
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::smooth::map::{Map, coordinates};
    /// use typenum::{U1, U2};
    /// let [x, y] = coordinates();
    /// let f: Map<U2, U1> = x.sin() * y.exp();
    /// for (slope, nearest) in f.gradient_enclosures(&[0.5, 0.25])?.iter().zip([1.1268383147091814, 0.6155945769770066]) {
    ///     assert!(slope.is_defined() && *slope.lo() <= nearest && nearest <= *slope.hi());
    ///     assert!(slope.hi() - slope.lo() < 1e-14);
    /// }
    /// // at a kink, what Clarke's rules say
    /// let [x, y] = coordinates();
    /// let greater: Map<U2, U1> = x.max(&y);
    /// let [slope, _] = &greater.gradient_enclosures(&[1.0, 1.0])?[..] else { unreachable!() };
    /// assert_eq!((*slope.lo(), *slope.hi()), (0.0, 1.0));
    /// # Ok::<(), smoothish_ad::smooth::map::MapError>(())
    /// ```
    pub fn gradient_enclosures(&self, x: &[f64]) -> Result<Vec<Interval<f64>>, MapError> {
        self.vjp_doubles_slice(x, &[1.0])
    }

    /// The gradient at an exact point, each component as narrow as eps where the budget allows.
    ///
    /// # Errors
    /// As for [`Map::vjp_at`].
    pub fn gradient_at(&self, x: &[Rational], eps: &Rational, budget: &Budget) -> Result<Answers, MapError> {
        self.vjp_at(x, &[Rational::from(1)], eps, budget)
    }
}
