//! Gradients and vector-Jacobian products, by one reverse sweep for any number of coordinates.
//!
//! | method | result |
//! |---|---|
//! | [`Map::vjp`] | `(x, w) ↦ D f(x)ᵗ·w` as a map |
//! | [`Map::tape`] | value and gradient on plain `f64`, not certified |
//! | [`Map::gradient_enclosures`], [`Map::vjp_doubles_slice`] | enclosures with `f64` endpoints, at their speed |
//! | [`Map::gradient_at`], [`Map::vjp_at`] | enclosures of any width, at exact points |
//!
//! If the map is certainly smooth near the point, the enclosures come from a [tape](CertifiedTape) that runs on intervals.
//! Otherwise the adjoint is run as a graph, like any other map, with the rules for kinks and domain boundaries.

use super::Map;
use super::double::{DEFAULT_WORK, exact_rationals};
use super::error::{MapError, check_length};
use super::probe::EvalRequest;
use super::untyped::{self, DynMap, substitute_in_all};
use super::value::{Evaluations, MapValue, point_intervals};
use crate::number::balls::MidpointArithmetic;
use crate::number::budget::Budget;
use crate::number::real::RefinedEnclosure;
use crate::number::{Context, Double, Enclosure, Interval, Mpfr, Rational};
use crate::smooth::dimension::MapEnd;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::reverse::expands_exactly;
use crate::smooth::tape::{CertifiedTape, Tape, TapeError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use typenum::U1;

/// Results of reverse mode for one map, computed at most once.
#[derive(Debug, Default)]
pub(super) struct Pullback {
    adjoint: OnceLock<Arc<DynMap>>,
    tape: OnceLock<Result<Tape, TapeError>>,
    /// `true` if the tape has no value outside the domain of the map.
    is_exact: OnceLock<bool>,
    /// Tapes that are not in use.
    idle: Mutex<Vec<CertifiedTape<Double>>>,
}

/// The largest number of idle tapes that are kept. A choice: one per thread of a usual machine.
const MAX_IDLE_TAPES: usize = 8;
/// The first precision after doubles, in bits. A choice; each further one is twice as large …
const FIRST_BITS: u32 = 128;
/// … and the last one: beyond, a radius in `f64` is too coarse.
const LAST_BITS: u32 = 1024;

impl DynMap {
    /// Returns `(x, w) ↦ D f(x)ᵗ·w`, computed once.
    fn adjoint_map(&self) -> &Arc<Self> {
        self.pullback_cache().adjoint.get_or_init(|| {
            let n = self.input_count();
            let all = untyped::coordinate_graphs(n + self.outputs().len());
            let (x, w) = all.split_at(n);
            // the sweep runs on fresh variables: the inputs are the point at which the adjoint is taken
            let fresh: Vec<_> = x.iter().map(|_| Variable::fresh()).collect();
            let bindings: Vec<_> =
                x.iter().filter_map(untyped::as_variable).zip(fresh.iter().map(|v| Graph::variable(*v))).collect();
            let bodies = substitute_in_all(self.outputs(), &bindings);
            Arc::new(Self::new(all.len(), Graph::reverse_mode(&fresh, &bodies, x, w)))
        })
    }

    fn tape(&self) -> Result<&Tape, &TapeError> {
        let tape = || Tape::compile_map(&untyped::coordinate_variables(self.input_count()), self.outputs());
        self.pullback_cache().tape.get_or_init(tape).as_ref()
    }

    /// Returns the tape, if enclosures can run on it. It is checked first: with nested derivatives, which cannot, the
    /// tape may be long.
    fn certifiable_tape(&self) -> Option<&Tape> {
        let is_exact = || expands_exactly(self.outputs());
        self.pullback_cache().is_exact.get_or_init(is_exact).then(|| self.tape().ok())?
    }

    /// Encloses `D f(x)ᵗ·w` by a tape that runs on double intervals. Returns `None` if the tape has no answer.
    fn vjp_on_doubles(&self, x: &[f64], w: &[f64]) -> Option<Vec<Interval<f64>>> {
        let tape = self.certifiable_tape()?;
        let idle = || self.pullback_cache().idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        // running outside the lock: other threads take or make tapes of their own
        let mut running = waiting.unwrap_or_else(|| tape.to_certified(Double));
        let found = running.vjp_at(x, w);
        let mut idle = idle();
        if idle.len() < MAX_IDLE_TAPES {
            idle.push(running);
        }
        found
    }

    /// Like [`vjp_on_doubles`](Self::swift), in an arithmetic of any precision, at exact points.
    fn vjp_at_precision<T: MidpointArithmetic>(
        &self,
        tier: T,
        x: &[Rational],
        w: &[Rational],
        budget: &Budget,
    ) -> Option<Vec<Interval<T::End>>> {
        let point = |x: &[Rational]| x.iter().map(|x| tier.enclose_rational(x)).collect::<Vec<_>>();
        let (x, w) = (point(x), point(w));
        self.certifiable_tape()?.to_certified(tier).vjp_within(&x, &w, budget)
    }
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Returns `(x, w) ↦ D f(x)ᵗ·w`, the vector-Jacobian product, by one sweep for any number of coordinates
    /// ([`reverse`](crate::smooth::reverse); A §4.1, fᴿ). At a kink each component is enclosed separately.
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
        Map::new(DynMap::clone(self.as_dyn.adjoint_map()))
    }

    /// Compiles the map to plain `f64`, with its gradient by one sweep: at the speed of an ordinary program, not
    /// certified. A tape has no types, so shapes are those of slices.
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
        self.as_dyn.tape().cloned().map_err(Clone::clone)
    }

    /// Encloses `D f(x)ᵗ·w` at slices of doubles, with `f64` endpoints, one interval per coordinate of N. A component
    /// that is not certainly defined is marked so ([`Interval::is_defined`]).
    ///
    /// [`MapError::Length`], and errors of [`Map::doubles`].
    /// [`MapError::Length`], and those of [`Map::doubles`].
    pub fn vjp_doubles_slice(&self, x: &[f64], w: &[f64]) -> Result<Vec<Interval<f64>>, MapError> {
        self.vjp_doubles_within(x, w, &Budget::new(DEFAULT_WORK, None, None))
    }

    /// Like [`vjp_doubles_slice`](Map::vjp_doubles_slice), with a given budget. The budget does not limit a tape, whose
    /// cost is fixed and small.
    ///
    /// # Errors
    /// As for [`Map::vjp_doubles_slice`].
    pub fn vjp_doubles_within(&self, x: &[f64], w: &[f64], budget: &Budget) -> Result<Vec<Interval<f64>>, MapError> {
        let [point, cotangent] = ["the point", "the cotangent"];
        check_length(point, "component", self.as_dyn.input_count(), x.len())?;
        check_length(cotangent, "component", self.as_dyn.outputs().len(), w.len())?;
        let exact = [exact_rationals(point, x)?, exact_rationals(cotangent, w)?].concat();
        match self.as_dyn.vjp_on_doubles(x, w) {
            Some(found) => Ok(found),
            None => {
                Self::run_doubles(&EvalRequest::for_value(self.as_dyn.adjoint_map(), point_intervals(&exact)), budget)
            }
        }
    }

    /// Encloses `D f(x)ᵗ·w` at exact points, each component to a width of at most eps if the budget allows.
    ///
    /// # Errors
    /// [`MapError::Length`] if point or cotangent do not fit; [`MapError::Tolerance`] for an eps that is not positive;
    /// errors of the evaluation.
    pub fn vjp_at(
        &self,
        x: &[Rational],
        w: &[Rational],
        eps: &Rational,
        budget: &Budget,
    ) -> Result<Evaluations, MapError> {
        check_length("the point", "component", self.as_dyn.input_count(), x.len())?;
        check_length("the cotangent", "component", self.as_dyn.outputs().len(), w.len())?;
        if *eps <= 0 {
            return Err(MapError::Tolerance { eps: Box::new(eps.clone()) });
        }
        let mut best = None;
        if let Some(tape) = self.as_dyn.certifiable_tape() {
            // the precision grows until the enclosures are narrow enough, or too coarse radii end it
            let mut bits = Double.precision();
            while bits <= LAST_BITS && budget.spend(tape.estimate_work(bits)) && !budget.is_exhausted() {
                let found = match bits {
                    53 => to_enclosures(&Double, self.as_dyn.vjp_at_precision(Double, x, w, budget)),
                    bits => {
                        to_enclosures(&Mpfr::new(bits), self.as_dyn.vjp_at_precision(Mpfr::new(bits), x, w, budget))
                    }
                };
                let Some(found) = found else { break };
                let is_reached = found.iter().all(|e| e.has_width_at_most(eps));
                best = Some(to_evaluations(found, eps, bits));
                if is_reached {
                    break;
                }
                bits = if bits < FIRST_BITS { FIRST_BITS } else { 2 * bits };
            }
        }
        match best {
            Some(best) if best.all_reached() || budget.is_exhausted() => return Ok(best),
            _ => {}
        }
        MapValue::new(EvalRequest::for_value(self.as_dyn.adjoint_map(), point_intervals(&[x, w].concat())))
            .enclose(eps, budget)
    }
}

/// Converts the results of a tape to exact endpoints.
fn to_enclosures<C: Context>(context: &C, found: Option<Vec<C::Num>>) -> Option<Vec<Enclosure>> {
    found.map(|found| found.iter().map(|e| context.to_enclosure(e)).collect())
}

/// Converts the results of a tape at a precision to answers. Those that are too wide are marked as exhausted.
fn to_evaluations(found: Vec<Enclosure>, eps: &Rational, bits: u32) -> Evaluations {
    let answer = |enclosure: Enclosure| {
        let reached = enclosure.has_width_at_most(eps);
        RefinedEnclosure { enclosure, reached, bits, exhausted: !reached, assumed: Vec::new(), reason: None }
    };
    Evaluations { components: found.into_iter().map(answer).collect(), trusted: Vec::new() }
}

impl<N: MapEnd> Map<N, U1> {
    /// Encloses the gradient at a slice of doubles, with `f64` endpoints, one interval per coordinate.
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

    /// Encloses the gradient at an exact point, each component to a width of at most eps if the budget allows.
    ///
    /// # Errors
    /// As for [`Map::vjp_at`].
    pub fn gradient_at(&self, x: &[Rational], eps: &Rational, budget: &Budget) -> Result<Evaluations, MapError> {
        self.vjp_at(x, &[Rational::from(1)], eps, budget)
    }
}
