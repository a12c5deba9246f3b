//! The meanings of constants from outside (S Fig. 5, ⌊k⌋).
//!
//! A function ℝ → ℝ from outside is a value and a slope (S §4.3, `foldDer`). The value is an interval extension, or a map. The slope
//! is a *program*, which may mention the function itself. So every semantics that runs programs has derivatives of every order.
//!
//! | semantics | the value | the slope |
//! |---|---|---|
//! | `presheaf`, `tower` | the extension | the program, as a map |
//! | `partial` | the extension | the program, on jets |
//! | traces | the extension; in doubles the function of `f64`, or the middle of the extension | the program, which the reverse derivative copies |
//! | `float` | a function of `f64`, if one is given | the program, in floating-point numbers |
//! | `pap` | its pieces; or the extension, of a function that is said to be analytic on the line | that of the pieces; or the program |
//! | the Taylor macro | the constant | the program, and `deriv` of it for higher orders |
//!
//! A semantics that was not given what it needs says so: [`missing_part`].
//!
//! Functionals and transformations (S §5.2, footnote 2; Fig. 5) are natural families, which the semantics `presheaf` has:
//!
//! | | given as | its derivatives |
//! |---|---|---|
//! | [`NaturalMeaning`] | a family that is natural by its type | those of its graph |
//! | [`FunctionalMeaning`] | a functional that sees f by enclosures, and so is natural | by linearity, or by a family of f and df |
//!
//! # Memory
//!
//! The graphs of a program share the primitive, which refers to the meaning. The meaning refers to the primitive weakly, and caches
//! the slope as a map, which mentions the primitive. The [owner](FunctionOwner), which the definition of the name holds, drops
//! these caches. So primitive and meaning are freed once no graph has them. A map that outlives its session, and is differentiated
//! then, fills the caches again, and keeps both until the process ends.

use super::pap::foreign::ForeignPrimitive;
use crate::model::Unsupported;
use crate::number::accuracy::PassOptions;
use crate::number::arithmetic::{Context, Extension};
use crate::number::budget::Budget;
use crate::number::foreign::{ExtensionFault, FunctionalEffort, FunctionalExtension, GuardedExtension};
use crate::number::real::Precision;
use crate::number::{Double, Enclosure, Float, Interval, Magnitude, Mpfr};
use crate::presheaf;
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::presheaf::exponential::PresheafTransformation;
use crate::presheaf::foreign::RealFunctions;
use crate::presheaf::{ProductPresheaf, RealPresheaf};
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::smooth::map::DynMap;
use crate::smooth::map::primitive::PrimitiveBuilder;
use crate::smooth::map::range::EvalRequest;
use crate::smooth::primitive::{Primitive, ValueRule};
use crate::smooth::program::CompiledMap;
use crate::smooth::tower::Tower;
use crate::syntax::constant::Constant;
use crate::syntax::constant::foreign::ForeignId;
use crate::syntax::term::{Term, TermKind};
use crate::value::{SourceId, Value, ValueError};
use rustc_hash::FxHashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

/// The meaning of a constant from outside.
#[derive(Debug)]
#[non_exhaustive]
pub enum ForeignMeaning {
    /// A function ℝ → ℝ.
    Function(FunctionMeaning),
    /// A natural transformation, as a function of elements.
    Natural(NaturalMeaning),
    /// A functional that sees functions by enclosures.
    Functional(Arc<FunctionalMeaning>),
}

impl ForeignMeaning {
    /// Returns the function ℝ → ℝ that the constant is, `None` if it is none.
    #[must_use]
    pub fn as_function(&self) -> Option<&FunctionMeaning> {
        if let Self::Function(function) = self { Some(function) } else { None }
    }
}

/// A function of floating-point numbers.
pub type DoubleFunction = dyn Fn(f64) -> f64 + Send + Sync;

/// The parts of a function that semantics other than `presheaf` and `tower` need.
#[derive(Clone, Default)]
pub struct FunctionExtras {
    /// The function that `float` runs.
    pub float: Option<Arc<DoubleFunction>>,
    /// The pieces that `pap` has.
    pub pieces: Option<ForeignPrimitive>,
    /// `true` if the function is said to be analytic on the whole line: then `pap` has it as one piece.
    pub is_entire: bool,
}

/// A function ℝ → ℝ from outside.
pub struct FunctionMeaning {
    name: String,
    primitive: Weak<Primitive>,
    extension: Arc<dyn Extension>,
    slope: Arc<SlopeProgram>,
    extras: FunctionExtras,
}

impl std::fmt::Debug for FunctionMeaning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FunctionMeaning").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The slope of a function from outside: a closed program of type `Real -> Real`, and the map that it denotes.
#[derive(Debug, Default)]
struct SlopeProgram {
    term: OnceLock<Term>,
    map: Mutex<Option<Arc<DynMap>>>,
}

impl SlopeProgram {
    /// Returns the map of the program.
    ///
    /// # Errors
    /// Those of interpreting the program.
    fn to_map(&self, budget: &Arc<Budget>) -> Result<Arc<DynMap>, ValueError> {
        let cached = || self.map.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*cached() {
            return Ok(known.clone());
        }
        let wrong = ValueError::Mismatch { expected: "a slope of type Real -> Real", found: "another program" };
        let term = self.term.get().ok_or_else(|| wrong.clone())?;
        // Interpreted without the lock, as the slope may mention other functions from outside.
        let map = super::presheaf::map_of_program(term, term.ty(), budget)?.ok_or(wrong)?;
        Ok(cached().get_or_insert_with(|| map.as_dyn().clone()).clone())
    }
}

/// The owner of a function from outside. Dropping it breaks the cycles of references between the function and its slope.
#[derive(Debug)]
pub struct FunctionOwner {
    primitive: Arc<Primitive>,
    slope: Arc<SlopeProgram>,
}

impl Drop for FunctionOwner {
    fn drop(&mut self) {
        self.slope.map.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.primitive.forget_partials();
    }
}

/// Builds ⊥.
fn undefined_graph() -> Graph {
    Graph::binary(Binary::Divide, &Graph::integer(1), &Graph::integer(0))
}

impl FunctionMeaning {
    /// Makes a function without a slope from an interval extension, and its owner. The slope is set by
    /// [`FunctionMeaning::set_slope`], as it may mention the function.
    #[must_use]
    pub fn create_owned(
        name: &str,
        extension: Arc<dyn Extension>,
        extras: FunctionExtras,
    ) -> (Arc<ForeignMeaning>, FunctionOwner) {
        let extension: Arc<dyn Extension> = Arc::new(GuardedExtension(extension));
        let value = ValueRule::Extension(extension.clone());
        let slope = Arc::new(SlopeProgram::default());
        // The primitive keeps the meaning alive for the maps that outlive their session.
        let meaning: Arc<OnceLock<Arc<ForeignMeaning>>> = Arc::default();
        let (rule, kept) = (slope.clone(), meaning.clone());
        let primitive = Primitive::with_analyticity(name, 1, value, extras.is_entire, move |_, x, v| {
            let _ = &kept;
            // A slope was interpreted when it was set; if it cannot be interpreted again, ⊥ is the safe answer.
            let map = rule.to_map(&Arc::new(Budget::unlimited()));
            let slope = map.ok().and_then(|map| map.outputs_at(x).pop());
            slope.map_or_else(undefined_graph, |slope| Graph::binary(Binary::Multiply, &slope, &v[0]))
        });
        let (name, weak) = (name.to_owned(), Arc::downgrade(&primitive));
        let own = Self { name, primitive: weak, extension, slope: slope.clone(), extras };
        let own = Arc::new(ForeignMeaning::Function(own));
        drop(meaning.set(own.clone()));
        (own, FunctionOwner { primitive, slope })
    }

    /// Sets the slope: a closed program of type `Real -> Real`. Does nothing if there is one.
    ///
    /// # Errors
    /// Those of interpreting the program as a map.
    pub fn set_slope(&self, slope: Term, budget: &Arc<Budget>) -> Result<(), ValueError> {
        drop(self.slope.term.set(slope));
        self.slope.to_map(budget).map(drop)
    }

    /// Returns the function with its derivative, for the tests that can refute them.
    ///
    /// # Errors
    /// Those of interpreting the slope.
    pub fn to_candidate(&self, budget: &Arc<Budget>) -> Result<PrimitiveBuilder, ValueError> {
        let slope = self.slope.to_map(budget)?;
        let variables = [Variable::fresh(), Variable::fresh()];
        let [x, v] = variables.map(Graph::variable);
        let slope = slope.outputs_at(std::slice::from_ref(&x)).pop().unwrap_or_else(undefined_graph);
        let wrong = |_| ValueError::Mismatch { expected: "a function of one variable", found: "another map" };
        let map = DynMap::of_graphs(&variables[..1], &[self.graph_at(&x)?]).map_err(wrong)?;
        let derivative = Graph::binary(Binary::Multiply, &slope, &v);
        let derivative = DynMap::of_graphs(&variables, &[derivative]).map_err(wrong)?;
        Ok(PrimitiveBuilder { name: self.name.clone(), map: Arc::new(map), derivative: Arc::new(derivative) })
    }

    /// Returns the value at x.
    ///
    /// # Errors
    /// [`ValueError::Foreign`] if the function was dropped.
    pub fn graph_at(&self, x: &Graph) -> Result<Graph, ValueError> {
        let primitive = self.primitive.upgrade().ok_or_else(|| dropped_error(&self.name))?;
        Ok(Graph::primitive(&primitive, vec![x.clone()]))
    }

    /// Returns the slope as a closed program of type `Real -> Real`; `None` before it is set.
    #[must_use]
    pub fn slope(&self) -> Option<&Term> {
        self.slope.term.get()
    }

    /// Returns an enclosure of the value on an interval, within a budget. It is not certainly defined where the extension is not.
    ///
    /// # Errors
    /// [`ValueError::Foreign`] if the function panics, fails, does not return, or returns no interval.
    pub fn enclose_at<C: Context>(&self, context: &C, x: &C::Num, budget: &Budget) -> Result<C::Num, ValueError> {
        let found = context.try_extension(&*self.extension, std::slice::from_ref(x), budget);
        found.map_err(|fault| ValueError::of_foreign(&self.name, fault.to_string()))
    }

    /// Returns the value at a floating-point number; `None` if no function of these was given.
    ///
    /// # Errors
    /// [`ValueError::Foreign`] if the function panics.
    #[must_use]
    pub fn float_at(&self, x: f64) -> Option<Result<f64, ValueError>> {
        let function = self.extras.float.as_ref()?;
        let called = catch_unwind(AssertUnwindSafe(|| function(x)));
        Some(called.map_err(|payload| {
            let fault = ExtensionFault::from_panic(x.to_string(), &*payload);
            ValueError::of_foreign(&self.name, fault.to_string())
        }))
    }
}

/// The action of a natural transformation on values of the language.
pub type NaturalAction = dyn Fn(&[Element]) -> Result<Element, ValueError> + Send + Sync;

/// A natural transformation from outside, between types of the language.
pub struct NaturalMeaning {
    name: String,
    action: Box<NaturalAction>,
}

impl std::fmt::Debug for NaturalMeaning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NaturalMeaning").field("name", &self.name).finish_non_exhaustive()
    }
}

impl NaturalMeaning {
    /// Makes a transformation with an action on values of the language.
    #[must_use]
    pub fn new(name: &str, action: Box<NaturalAction>) -> Self {
        Self { name: name.to_owned(), action }
    }

    /// Applies the transformation.
    ///
    /// # Errors
    /// Those of the action; [`ValueError::Foreign`] if it panics.
    pub fn apply_guarded(&self, arguments: &[Element]) -> Result<Element, ValueError> {
        let applied = catch_unwind(AssertUnwindSafe(|| (self.action)(arguments)));
        applied.map_err(|payload| {
            let fault = ExtensionFault::from_panic("its arguments".to_owned(), &*payload);
            ValueError::of_foreign(&self.name, fault.to_string())
        })?
    }
}

/// The derivative of a functional from outside.
#[derive(Clone)]
#[non_exhaustive]
pub enum FunctionalDerivative {
    /// The functional is linear: the derivative of L(f) is L of the derivative of f.
    Linear,
    /// A natural family: the derivative at f along df, as a number for both functions.
    Family(PresheafTransformation<ProductPresheaf<RealFunctions, RealFunctions>, RealPresheaf>),
}

impl std::fmt::Debug for FunctionalDerivative {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Linear => "Linear",
            Self::Family(_) => "Family",
        })
    }
}

/// A functional (ℝ → ℝ) → ℝ from outside, by enclosures.
pub struct FunctionalMeaning {
    name: String,
    extension: Arc<dyn FunctionalExtension>,
    derivative: FunctionalDerivative,
}

impl std::fmt::Debug for FunctionalMeaning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, derivative, .. } = self;
        f.debug_struct("FunctionalMeaning").field("name", name).field("derivative", derivative).finish_non_exhaustive()
    }
}

/// The functional at one function, as an interval extension in the other variables of the function.
struct FunctionalAt {
    functional: Arc<FunctionalMeaning>,
    /// The function: the bound variable first, then those of the extension.
    body: Arc<DynMap>,
}

impl FunctionalAt {
    fn enclose_at<C: Context>(
        &self,
        context: &C,
        tier: Precision,
        inputs: &[C::Num],
        budget: &Budget,
    ) -> Result<C::Num, ExtensionFault> {
        let range = |found: &Enclosure| Some([found.lo().to_rational()?, found.hi().to_rational()?]);
        let defined = inputs.iter().all(|x| context.is_defined(x));
        let ranges: Option<Vec<_>> = inputs.iter().map(|x| range(&context.to_enclosure(x))).collect();
        let (Some(ranges), true) = (ranges, defined) else { return Ok(context.bottom()) };
        let precision = context.precision();
        let tolerance = Magnitude::power_of_two(-i64::from(precision));
        let mut failed = None;
        let mut f = |t: &Enclosure| {
            let Some(range) = range(t) else { return Enclosure::bottom() };
            let inputs = [&[range], &ranges[..]].concat();
            let found =
                EvalRequest::for_value(&self.body, inputs).enclose_results(tier, &PassOptions::new(tolerance, budget));
            match found {
                Ok(found) => found.into_iter().next().unwrap_or_else(Enclosure::bottom),
                Err(error) => {
                    failed.get_or_insert(error.to_string());
                    Enclosure::bottom()
                }
            }
        };
        let found = self.functional.extension.enclose(&mut f, &FunctionalEffort { precision, budget });
        match failed {
            Some(message) => Err(ExtensionFault::Failed { at: "its function".to_owned(), message }),
            None => Ok(context.round_enclosure(&found)),
        }
    }
}

impl Extension for FunctionalAt {
    fn eval_double(&self, context: &Double, inputs: &[Interval<f64>]) -> Interval<f64> {
        self.try_double(context, inputs, &Budget::unlimited()).unwrap_or_else(|_| context.bottom())
    }
    fn eval_mpfr(&self, context: &Mpfr, inputs: &[Interval<Float>]) -> Interval<Float> {
        self.try_mpfr(context, inputs, &Budget::unlimited()).unwrap_or_else(|_| context.bottom())
    }
    fn try_double(
        &self,
        context: &Double,
        inputs: &[Interval<f64>],
        budget: &Budget,
    ) -> Result<Interval<f64>, ExtensionFault> {
        self.enclose_at(context, Precision::Double, inputs, budget)
    }
    fn try_mpfr(
        &self,
        context: &Mpfr,
        inputs: &[Interval<Float>],
        budget: &Budget,
    ) -> Result<Interval<Float>, ExtensionFault> {
        self.enclose_at(context, Precision::Mpfr(context.precision()), inputs, budget)
    }
}

impl FunctionalMeaning {
    /// Makes a functional.
    #[must_use]
    pub fn new(name: &str, extension: Arc<dyn FunctionalExtension>, derivative: FunctionalDerivative) -> Arc<Self> {
        Arc::new(Self { name: name.to_owned(), extension, derivative })
    }

    /// Returns `true` if the functional is said to be linear.
    #[must_use]
    pub fn is_linear(&self) -> bool {
        matches!(self.derivative, FunctionalDerivative::Linear)
    }

    /// Returns the number of the functional at a function of the language.
    ///
    /// # Errors
    /// Those of the function.
    pub fn graph_at_function(self: &Arc<Self>, f: &StageFunction) -> Result<Graph, ValueError> {
        let variable = Variable::fresh();
        let body = f.apply(&Value::Real(Graph::variable(variable)))?;
        Ok(self.bind(variable, body.as_real()?))
    }

    /// Returns the number of the functional at `variable ↦ body`. It is a primitive of the other variables of the body, so that
    /// jets, towers and reverse mode need no rule for it.
    #[must_use]
    pub fn bind(self: &Arc<Self>, variable: Variable, body: &Graph) -> Graph {
        let captured = CompiledMap::unbound_variables(&[variable], std::slice::from_ref(body));
        let all: Vec<Variable> = std::iter::once(variable).chain(captured.iter().copied()).collect();
        let Ok(map) = DynMap::of_graphs(&all, std::slice::from_ref(body)) else { return undefined_graph() };
        let extension = FunctionalAt { functional: self.clone(), body: Arc::new(map) };
        let value = ValueRule::Extension(Arc::new(GuardedExtension(Arc::new(extension))));
        let (functional, inner, own) = (self.clone(), body.clone(), captured.clone());
        let primitive = Primitive::with_self(&self.name, captured.len(), value, move |_, y, v| {
            // A fresh name, as y and v may mention the variable of an outer use of this rule.
            let bound = Variable::fresh();
            let body = inner.substitute(&[(variable, Graph::variable(bound))]);
            let moved = Graph::derivative(own.clone(), body.clone(), y.to_vec(), v.to_vec());
            match &functional.derivative {
                FunctionalDerivative::Linear => functional.bind(bound, &moved),
                FunctionalDerivative::Family(family) => {
                    let at: Vec<_> = own.iter().copied().zip(y.iter().cloned()).collect();
                    let [f, df] = [body.substitute(&at), moved].map(|graph| function_of(bound, graph));
                    let applied = || presheaf::foreign::apply_functional_pair(family, &f, &df);
                    catch_unwind(AssertUnwindSafe(applied)).ok().and_then(Result::ok).unwrap_or_else(undefined_graph)
                }
            }
        });
        Graph::primitive(&primitive, captured.into_iter().map(Graph::variable).collect())
    }

    /// Returns the functional at `t ↦ f(t) + c·g(t)`, as a function of c with its derivative, for the tests that can refute them.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] if the functional mentions other variables, which it cannot.
    pub fn to_candidate(
        self: &Arc<Self>,
        f: impl Fn(&Graph) -> Graph,
        g: impl Fn(&Graph) -> Graph,
    ) -> Result<PrimitiveBuilder, ValueError> {
        let [t, c, v] = std::array::from_fn(|_| Variable::fresh());
        let at = Graph::variable(t);
        let body = Graph::binary(Binary::Add, &f(&at), &Graph::binary(Binary::Multiply, &Graph::variable(c), &g(&at)));
        let number = self.bind(t, &body);
        let slope = Graph::derivative(vec![c], number.clone(), vec![Graph::variable(c)], vec![Graph::variable(v)]);
        let wrong = |_| ValueError::Mismatch { expected: "a functional of one function", found: "another map" };
        let map = DynMap::of_graphs(&[c], &[number]).map_err(wrong)?;
        let derivative = DynMap::of_graphs(&[c, v], &[slope]).map_err(wrong)?;
        Ok(PrimitiveBuilder { name: self.name.clone(), map: Arc::new(map), derivative: Arc::new(derivative) })
    }

    /// Returns the values of the functional at 2f - 3g, and 2 times that at f less 3 times that at g, as maps from ℝ⁰: they are the
    /// same if it is linear.
    ///
    /// # Errors
    /// As [`FunctionalMeaning::to_candidate`].
    pub fn linearity_sides(
        self: &Arc<Self>,
        f: impl Fn(&Graph) -> Graph,
        g: impl Fn(&Graph) -> Graph,
    ) -> Result<[Arc<DynMap>; 2], ValueError> {
        let times = |n: i64, x: &Graph| Graph::binary(Binary::Multiply, &Graph::integer(n), x);
        let combined = |a: &Graph, b: &Graph| Graph::binary(Binary::Subtract, &times(2, a), &times(3, b));
        let bound = |body: &dyn Fn(&Graph) -> Graph| {
            let t = Variable::fresh();
            self.bind(t, &body(&Graph::variable(t)))
        };
        let left = bound(&|t| combined(&f(t), &g(t)));
        let right = combined(&bound(&|t| f(t)), &bound(&|t| g(t)));
        let wrong = |_| ValueError::Mismatch { expected: "a functional of one function", found: "another map" };
        let side = |graph: Graph| DynMap::of_graphs(&[], &[graph]).map(Arc::new).map_err(wrong);
        Ok([side(left)?, side(right)?])
    }
}

/// Returns `variable ↦ body` as a function of the language.
fn function_of(variable: Variable, body: Graph) -> StageFunction {
    StageFunction::new(move |x: &Element| Ok(Value::Real(body.substitute(&[(variable, x.as_real()?.clone())]))))
}

fn dropped_error(name: &str) -> ValueError {
    let reason = "the session that defined it was dropped; keep the session for as long as its programs";
    ValueError::of_foreign(name, reason)
}

/// Returns the constants from outside that a program mentions, in its definitions and in the slopes of others, each once.
#[must_use]
pub fn constants_in(program: &Term) -> Vec<ForeignId> {
    let (mut found, mut waiting, mut seen) = (Vec::new(), vec![program.clone()], FxHashSet::default());
    while let Some(term) = waiting.pop() {
        match term.kind() {
            TermKind::Constant(Constant::Foreign(id)) if !found.contains(id) => {
                found.push(*id);
                waiting.extend(slope_of(*id));
            }
            TermKind::Global(definition) if seen.insert(Arc::as_ptr(definition) as usize) => {
                waiting.push(definition.term.clone());
            }
            kind => waiting.extend(kind.children().cloned()),
        }
    }
    found
}

/// Returns the meaning of a constant from outside.
///
/// # Errors
/// [`ValueError::Foreign`] if its session was dropped.
pub fn meaning_of(id: ForeignId) -> Result<Arc<ForeignMeaning>, ValueError> {
    let meaning = id.meaning().and_then(|meaning| meaning.downcast::<ForeignMeaning>().ok());
    meaning.ok_or_else(|| dropped_error(Constant::Foreign(id).name()))
}

/// Returns the slope of a function from outside, as a closed program.
///
/// # Errors
/// [`ValueError::Foreign`] if its session was dropped.
pub fn slope_of(id: ForeignId) -> Result<Term, ValueError> {
    match &*meaning_of(id)? {
        ForeignMeaning::Function(function) => {
            function.slope().cloned().ok_or_else(|| dropped_error(Constant::Foreign(id).name()))
        }
        _ => Err(ValueError::Mismatch { expected: "a function of one number", found: Constant::Foreign(id).name() }),
    }
}

/// Applies a constant from outside to elements.
///
/// # Errors
/// [`ValueError::Foreign`], [`ValueError::Mismatch`].
pub fn apply_foreign(id: ForeignId, site: SourceId, arguments: &[Element]) -> Result<Element, ValueError> {
    match (&*meaning_of(id)?, arguments) {
        (ForeignMeaning::Function(function), [x]) => Ok(Value::Real(function.graph_at(x.as_real()?)?.at_site(site))),
        (ForeignMeaning::Natural(natural), arguments) => natural.apply_guarded(arguments),
        (ForeignMeaning::Functional(functional), [f]) => {
            Ok(Value::Real(functional.graph_at_function(f.as_function()?)?.at_site(site)))
        }
        _ => Err(ValueError::Mismatch { expected: "a constant that has a rule", found: Constant::Foreign(id).name() }),
    }
}

/// Returns an enclosure of the value of a function from outside on an interval, as [`FunctionMeaning::enclose_at`] does.
///
/// # Errors
/// [`ValueError::Foreign`] if its session was dropped, and for a fault of the function; [`ValueError::Mismatch`] for another constant.
pub fn enclose_foreign<C: Context>(
    id: ForeignId,
    context: &C,
    x: &C::Num,
    budget: &Budget,
) -> Result<C::Num, ValueError> {
    let mismatch = ValueError::Mismatch { expected: "a function of one number", found: Constant::Foreign(id).name() };
    meaning_of(id)?.as_function().ok_or(mismatch)?.enclose_at(context, x, budget)
}

/// Returns the pieces of a function from outside. `None` if it was given none.
///
/// # Errors
/// [`ValueError::Foreign`] if its session was dropped.
pub fn pieces_of(id: ForeignId) -> Result<Option<ForeignPrimitive>, ValueError> {
    Ok(meaning_of(id)?.as_function().and_then(|function| function.extras.pieces.clone()))
}

/// Returns the value of a function from outside at a graph.
///
/// # Errors
/// [`ValueError::Foreign`] if its session was dropped.
pub fn graph_of(id: ForeignId, x: &Graph) -> Result<Graph, ValueError> {
    let mismatch = ValueError::Mismatch { expected: "a function of one number", found: Constant::Foreign(id).name() };
    meaning_of(id)?.as_function().ok_or(mismatch)?.graph_at(x)
}

/// Returns the tower of a function from outside: that of its value and its slope (S §4.3). `None` if its session was dropped.
#[must_use]
pub fn tower_of<C: Context>(id: ForeignId) -> Option<Tower<C>> {
    let variable = Variable::fresh();
    Tower::of_graph(&graph_of(id, &Graph::variable(variable)).ok()?, &[variable]).ok()
}

/// Returns what a constant from outside lacks for a semantics, as the end of a sentence. `None` if it lacks nothing.
#[must_use]
pub fn missing_part(id: ForeignId, model: &str) -> Option<&'static str> {
    let meaning = meaning_of(id).ok()?;
    let Some(function) = meaning.as_function() else {
        return (model != "presheaf").then_some("it is a family of smooth maps, which only `presheaf` has");
    };
    match model {
        "presheaf" | "tower" | "partial" | "trace" => None,
        "float" => function.extras.float.is_none().then_some("it was given no function of `f64`"),
        "pap" | "clarke" => {
            let has_pieces = function.extras.is_entire || function.extras.pieces.is_some();
            (!has_pieces).then_some("it was given no pieces")
        }
        _ => Some("no constant from outside has one there"),
    }
}

/// Returns the error for a constant from outside in a semantics that lacks a part of it.
#[must_use]
pub fn unsupported_foreign(id: ForeignId, model: &'static str) -> Unsupported {
    let why = missing_part(id, model).unwrap_or("no constant from outside has one there");
    Unsupported { model, construct: format!("`{}`: {why}", Constant::Foreign(id).name()) }
}
