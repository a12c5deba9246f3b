//! Constants from outside: objects of the caller's own in the language (S Fig. 5, ⌊k⌋ and ⌊K⌋).
//!
//! S leaves open which objects and morphisms the language has as constants: "any object or morphism in HAD could be added". A
//! session adds them. The names are definitions of the session, and programs use them like others.
//!
//! | method | the constant |
//! |---|---|
//! | [`Session::define_constant`] | a function ℝ → ℝ, by an interval extension and its slope as a program |
//! | [`Session::define_functional`] | a functional (ℜ → ℜ) → ℜ, by a family that is natural by its type |
//! | [`Session::define_functional_primitive`] | a functional that sees functions by enclosures, and its derivative |
//! | [`Session::define_type`] | a base type, by a presheaf, with constants that use it |
//!
//! Nothing can prove that an extension encloses its function. So what can be refuted is tested when the constant is defined, and
//! every answer that rests on one says so: a note, and [`Answer::trusted`](super::Answer::trusted).

use super::compile::{DefinitionKind, SESSION_MODULE, SessionDefinition};
use super::{Diagnostic, Session};
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::function::Function;
pub use crate::meaning::foreign::FunctionalDerivative;
use crate::meaning::foreign::{
    ForeignMeaning, FunctionExtras, FunctionMeaning, FunctionalMeaning, NaturalAction, NaturalMeaning, constants_in,
};
use crate::meaning::pap::foreign::ForeignPrimitive;
use crate::number::arithmetic::Extension;
use crate::number::budget::Budget;
use crate::number::real::Precision;
use crate::number::{Enclosure, Rational};
use crate::presheaf;
use crate::presheaf::exponential::PresheafTransformation;
use crate::presheaf::foreign::{BaseType, LanguagePart, PartShape, RealFunctions};
use crate::presheaf::observe::{Observe, SampleElements, draw_map};
use crate::presheaf::{Presheaf, RealPresheaf};
use crate::random::SplitMix64;
use crate::smooth::dimension::Dyn;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::smooth::map::primitive::{PrimitiveBuilder, PrimitiveError, reserved_words};
use crate::smooth::map::range::InputInterval;
use crate::smooth::map::{DynMap, MapError, MapTestConfig, Space};
use crate::syntax::constant::Constant;
use crate::syntax::constant::foreign::{AnyMeaning, ForeignId, ForeignOwner};
use crate::syntax::data::DataType;
use crate::syntax::library::{NamedType, ProgramError, is_basic_type};
use crate::syntax::name::Name;
use crate::syntax::source::{SourceText, Span};
use crate::syntax::term::{Definition, Term};
use crate::syntax::ty::{Scheme, Ty, TyKind};
use crate::value::{Value, ValueError};
use crate::verdict::Verdict;
use std::any::TypeId;
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The reason why a constant from outside was not defined. The session is as before.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConstantError {
    /// The name cannot be the name of a function.
    #[error("`{name}` is no name for a constant: a lower-case letter is expected, then letters, digits and `_`")]
    Name {
        /// The name as given.
        name: String,
    },
    /// The name has a meaning already.
    #[error("`{name}` is {owner}: give the constant another name")]
    Taken {
        /// The name as given.
        name: String,
        /// The owner of the name, as a noun phrase.
        owner: String,
    },
    /// No slope was given.
    #[error("`{name}` has no slope: give one as a program of type `{expected}`, such as `\\x => 1 - 2 * x * {name} x`")]
    NoSlope {
        /// The name of the constant.
        name: String,
        /// The type of a slope.
        expected: Ty,
    },
    /// No box was given.
    #[error("`{name}` has no box: give intervals of its domain, as wide as that allows, on which its slope is tested")]
    NoBox {
        /// The name of the constant.
        name: String,
    },
    /// The slope is no program, or of another type.
    #[error("the slope of `{name}` is not a program of type `{expected}`: {error}")]
    Slope {
        /// The name of the constant.
        name: String,
        /// The type of a slope.
        expected: Ty,
        /// The error of the program.
        error: Box<ProgramError>,
    },
    /// The slope denotes no map.
    #[error("the slope of `{name}`: {error}")]
    SlopeValue {
        /// The name of the constant.
        name: String,
        /// The error of the program.
        error: ValueError,
    },
    /// A test refuted the enclosures or the slope.
    #[error("{tested_on}{error}")]
    Refuted {
        /// The name of the constant.
        name: String,
        /// The box, as the start of a sentence; empty if the error has it.
        tested_on: String,
        /// The error of the test.
        error: Box<PrimitiveError>,
    },
    /// The tests did not end in time.
    #[error("the tests of `{name}` did not end within {} s: its enclosure may not return, or be slow; give smaller boxes, or more time", time.as_secs_f64())]
    NoReturn {
        /// The name of the constant.
        name: String,
        /// The time that the tests were given.
        time: Duration,
    },
    /// The tests were interrupted.
    #[error("the tests of `{name}` were interrupted")]
    Interrupted {
        /// The name of the constant.
        name: String,
    },
    /// The name cannot be the name of a type.
    #[error("`{name}` is no name for a type: a capital letter is expected, then letters, digits and `_`")]
    TypeName {
        /// The name as given.
        name: String,
    },
    /// A constant mentions a base type that the session does not have.
    #[error("the type of `{name}` mentions a base type that is not defined: define its type first, by `define_type`")]
    UnknownBase {
        /// The name of the constant.
        name: String,
    },
    /// A functional that is said to be linear is not.
    #[error(
        "`{name}` is not linear: at 2f - 3g it is {found}, but 2 times that at f less 3 times that at g is {expected}, for f(t) = sin (3t) and g(t) = t²"
    )]
    NotLinear {
        /// The name of the functional.
        name: String,
        /// The value at the combination.
        found: Box<Enclosure>,
        /// The combination of the values.
        expected: Box<Enclosure>,
    },
    /// The derivative of a functional is not its derivative.
    #[error("the derivative of `{name}` is not its derivative: at f(t) = sin (3t) + c·t² it rises by {found} from c = {} to c = {}, but by its derivative by {expected}", from_to[0], from_to[1])]
    Rise {
        /// The name of the functional.
        name: String,
        /// The ends of the step.
        from_to: Box<[Rational; 2]>,
        /// The rise of the values.
        found: Box<Enclosure>,
        /// The derivative over the step, times its length.
        expected: Box<Enclosure>,
    },
    /// A law of presheaves or of natural transformations is refuted.
    #[error("`{name}` is not {law}: {refutation}")]
    Law {
        /// The name of the type or the constant.
        name: String,
        /// The law, as a noun phrase.
        law: &'static str,
        /// Both sides.
        refutation: String,
    },
    /// The process has no numbers left for constants, or no thread.
    #[error("there is no room for the constant `{name}`")]
    Room {
        /// The name of the constant.
        name: String,
    },
}

impl ErrorWithKind for ConstantError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::InvalidInput
    }
}

impl From<ConstantError> for Diagnostic {
    fn from(error: ConstantError) -> Self {
        Diagnostic::invalid_input(format!("error: {error}")).with_id("constant")
    }
}

/// The time of the tests. A choice: a slow function of Python takes some seconds.
const TRIAL_TIME: Duration = Duration::from_secs(60);
/// The time between two looks at an interrupt during the tests. A choice: Ctrl-C feels immediate.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A constant that is being defined: see [`Session::define_constant`].
#[must_use = "a constant is defined by `add`"]
pub struct ConstantBuilder<'s> {
    session: &'s mut Session,
    name: String,
    extension: Arc<dyn Extension>,
    slope: Option<String>,
    summary: String,
    boxes: Vec<InputInterval>,
    extras: FunctionExtras,
    trial_time: Duration,
    is_interrupted: Box<dyn Fn() -> bool + 's>,
}

impl std::fmt::Debug for ConstantBuilder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ConstantBuilder").field("name", &self.name).field("slope", &self.slope).finish_non_exhaustive()
    }
}

impl<'s> ConstantBuilder<'s> {
    /// Sets the slope, a program of type `Real -> Real`. It may mention the constant.
    pub fn slope(self, program: &str) -> Self {
        Self { slope: Some(program.to_owned()), ..self }
    }

    /// Sets a line of help.
    pub fn about(self, summary: &str) -> Self {
        Self { summary: summary.to_owned(), ..self }
    }

    /// Adds intervals of the domain on which enclosures and slope are tested. They should be as wide as the domain allows.
    pub fn boxes<A: Into<Rational>, B: Into<Rational>>(mut self, boxes: impl IntoIterator<Item = (A, B)>) -> Self {
        self.boxes.extend(boxes.into_iter().map(|(lo, hi)| [lo.into(), hi.into()]));
        self
    }

    /// Sets the function that the model `float` runs. Nothing is claimed of its results.
    pub fn float(self, function: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        let extras = FunctionExtras { float: Some(Arc::new(function)), ..self.extras };
        Self { extras, ..self }
    }

    /// Sets the pieces that the model `pap` has, with their derivatives. That they are pieces was proved when they were made; that they
    /// are those of the function is not tested.
    pub fn pieces(self, pieces: impl Into<ForeignPrimitive>) -> Self {
        let extras = FunctionExtras { pieces: Some(pieces.into()), ..self.extras };
        Self { extras, ..self }
    }

    /// Says that the function is analytic on the whole line, as `erf` is: then the model `pap` has it, as a function of one piece.
    /// This is not tested.
    pub fn analytic_everywhere(self) -> Self {
        let extras = FunctionExtras { is_entire: true, ..self.extras };
        Self { extras, ..self }
    }

    /// Sets the time of the tests; without it, a minute.
    pub fn trial_time(self, time: Duration) -> Self {
        Self { trial_time: time, ..self }
    }

    /// Ends the tests once the function returns `true`. It is called every 20 ms.
    pub fn interrupted_by(self, is_interrupted: impl Fn() -> bool + 's) -> Self {
        Self { is_interrupted: Box::new(is_interrupted), ..self }
    }

    /// Tests the constant, and adds it to the session. The session is as before on an error.
    ///
    /// # Errors
    /// Every [`ConstantError`].
    pub fn add(self) -> Result<&'s SessionDefinition, ConstantError> {
        let Self { session, name, extension, slope, summary, boxes, extras, trial_time, is_interrupted } = self;
        check_free_name(session, &name)?;
        let (real, name_of) = (Ty::real(), || name.clone());
        let ty = Ty::function(real.clone(), real);
        let slope = slope.ok_or_else(|| ConstantError::NoSlope { name: name_of(), expected: ty.clone() })?;
        if boxes.is_empty() {
            return Err(ConstantError::NoBox { name: name_of() });
        }
        let scheme = Scheme { parameters: Vec::new(), ty: ty.clone() };
        let short = Name::from(&*name);
        let id = ForeignId::register(&short, 1, scheme.clone(), &summary);
        let id = id.ok_or_else(|| ConstantError::Room { name: name_of() })?;
        let abandoned = extension.clone();
        let (meaning, owner) = FunctionMeaning::create_owned(&name, extension, extras);
        let erased: Arc<AnyMeaning> = meaning.clone();
        id.set_meaning(&erased);
        let definition = |foreign| {
            Arc::new(Definition {
                module: SESSION_MODULE.into(),
                name: short.clone(),
                scheme: scheme.clone(),
                term: Term::constant(Constant::Foreign(id)),
                doc: summary.clone(),
                span: Span::default(),
                constructor: None,
                foreign,
            })
        };
        // The slope sees the constant by a definition that does not own the meaning: the meaning owns the slope.
        let mut with_name = session.library.clone();
        with_name.insert_definition(definition(None));
        let program = super::compile::infer_at(&with_name, &slope, &ty);
        let program = program.map_err(|error| {
            let error = Box::new(error);
            ConstantError::Slope { name: name_of(), expected: ty.clone(), error }
        })?;
        let Some(function) = meaning.as_function() else { return Err(ConstantError::Room { name }) };
        let limit = Arc::new(Budget::with_time_limit(trial_time));
        let of_value = |error| ConstantError::SlopeValue { name: name_of(), error };
        function.set_slope(program, &limit).map_err(of_value)?;
        let candidate = function.to_candidate(&limit).map_err(of_value)?;
        let tried = try_candidate(candidate, boxes, trial_time, &is_interrupted);
        if matches!(tried, Err(ConstantError::NoReturn { .. } | ConstantError::Interrupted { .. })) {
            abandoned.abandon_calls();
        }
        tried?;
        let source = SourceText::new(&*name, format!("! {name} : {ty}, given from outside, with the slope {slope}"));
        let content = DefinitionKind::Foreign(definition(Some(ForeignOwner::new(Arc::new(owner)))));
        Ok(session.definitions.push_entry(&mut session.library, SessionDefinition { source: source.into(), content }))
    }
}

/// Runs the tests of a constant on a thread of their own, since its functions may not return.
fn try_candidate(
    candidate: PrimitiveBuilder,
    boxes: Vec<InputInterval>,
    time: Duration,
    is_interrupted: &dyn Fn() -> bool,
) -> Result<(), ConstantError> {
    let name = candidate.name.clone();
    let test = move || {
        // One by one, so that an error can name its box.
        boxes.into_iter().find_map(|range| {
            let error = DynMap::check_primitive(&candidate, &[vec![range.clone()]]).err()?;
            let [lo, hi] = range;
            let tested_on = match error {
                PrimitiveError::Inconsistent { .. } | PrimitiveError::Doubtful { .. } => {
                    format!("tested on [{lo}, {hi}], ")
                }
                _ => String::new(),
            };
            Some((tested_on, ConstantTestError::Primitive(Box::new(error))))
        })
    };
    run_test(&name, test, time, is_interrupted)
}

/// The error that refutes a constant.
enum ConstantTestError {
    Primitive(Box<PrimitiveError>),
    NotLinear { found: Box<Enclosure>, expected: Box<Enclosure> },
    Rise { from_to: Box<[Rational; 2]>, found: Box<Enclosure>, expected: Box<Enclosure> },
}

/// Runs a test on a thread of its own, since functions of the caller may not return.
fn run_test(
    name: &str,
    test: impl FnOnce() -> Option<(String, ConstantTestError)> + Send + 'static,
    time: Duration,
    is_interrupted: &dyn Fn() -> bool,
) -> Result<(), ConstantError> {
    let name = name.to_owned();
    let (sender, receiver) = channel();
    let builder = std::thread::Builder::new().name("trial of a constant".to_owned());
    // The receiver is gone if the time is up.
    if builder.spawn(move || drop(sender.send(test()))).is_err() {
        return Err(ConstantError::Room { name });
    }
    let started = Instant::now();
    loop {
        match receiver.recv_timeout(LOOK_EVERY) {
            Ok(None) => return Ok(()),
            Ok(Some((tested_on, ConstantTestError::Primitive(error)))) => {
                return Err(ConstantError::Refuted { name, tested_on, error });
            }
            Ok(Some((_, ConstantTestError::NotLinear { found, expected }))) => {
                return Err(ConstantError::NotLinear { name, found, expected });
            }
            Ok(Some((_, ConstantTestError::Rise { from_to, found, expected }))) => {
                return Err(ConstantError::Rise { name, from_to, found, expected });
            }
            Err(RecvTimeoutError::Timeout) if is_interrupted() => return Err(ConstantError::Interrupted { name }),
            Err(RecvTimeoutError::Timeout) if started.elapsed() < time => {}
            Err(RecvTimeoutError::Timeout) => return Err(ConstantError::NoReturn { name, time }),
            // The library itself panicked in a test: nothing is known of the constant.
            Err(RecvTimeoutError::Disconnected) => return Err(ConstantError::Room { name }),
        }
    }
}

/// The constants from outside in the programs of one question.
#[derive(Debug, Default)]
pub(super) struct ForeignUses(Mutex<BTreeSet<String>>);

/// Returns the note on an answer that rests on constants from outside. `None` if it rests on none.
pub(super) fn trust_text(names: &[String]) -> Option<String> {
    let listed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let text = match names {
        [] => return None,
        [_] => format!("{listed} was given from outside: its enclosures and its slope are trusted"),
        _ => format!("{listed} were given from outside: their enclosures and slopes are trusted"),
    };
    Some(text)
}

/// Names the constants from outside in the diagnostic of a contradiction: one of them is more likely wrong than the library.
pub(super) fn blame_constants(diagnostic: Diagnostic, names: &[String]) -> Diagnostic {
    match trust_text(names) {
        Some(text) if diagnostic.kind == ErrorKind::DisjointEnclosures => {
            let report = format!("error: {}\n  = help: {text}, and contradict each other", diagnostic.message);
            Diagnostic::invalid_input(report).with_id("contradiction")
        }
        _ => diagnostic,
    }
}

/// A natural transformation that becomes a constant, and the test that can refute it.
struct PendingConstant {
    name: String,
    domain: PartShape,
    codomain: PartShape,
    action: Box<NaturalAction>,
    test: Box<dyn Fn() -> Result<Verdict, MapError>>,
}

/// A functional that is being defined: see [`Session::define_functional`].
#[must_use = "a functional is defined by `add`"]
pub struct FunctionalBuilder<'s> {
    session: &'s mut Session,
    name: String,
    summary: String,
    meaning: Arc<ForeignMeaning>,
    trial_time: Duration,
    is_interrupted: Box<dyn Fn() -> bool + 's>,
}

impl std::fmt::Debug for FunctionalBuilder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FunctionalBuilder").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'s> FunctionalBuilder<'s> {
    /// Sets a line of help.
    pub fn about(self, summary: &str) -> Self {
        Self { summary: summary.to_owned(), ..self }
    }

    /// Sets the time of the tests; without it, a minute.
    pub fn trial_time(self, time: Duration) -> Self {
        Self { trial_time: time, ..self }
    }

    /// Ends the tests once the function returns `true`. It is called every 20 ms.
    pub fn interrupted_by(self, is_interrupted: impl Fn() -> bool + 's) -> Self {
        Self { is_interrupted: Box::new(is_interrupted), ..self }
    }

    /// Tests the functional, and adds it to the session. The session is as before on an error.
    ///
    /// # Errors
    /// [`ConstantError::Name`], [`ConstantError::Taken`]; for one that sees functions by enclosures,
    /// [`ConstantError::Refuted`], [`ConstantError::NotLinear`], [`ConstantError::Rise`], [`ConstantError::NoReturn`], [`ConstantError::Interrupted`].
    pub fn add(self) -> Result<&'s SessionDefinition, ConstantError> {
        let Self { session, name, summary, meaning, trial_time, is_interrupted } = self;
        check_free_name(session, &name)?;
        if let ForeignMeaning::Functional(functional) = &*meaning {
            try_functional(&name, functional, trial_time, &is_interrupted)?;
        }
        let ty = Ty::function(Ty::function(Ty::real(), Ty::real()), Ty::real());
        push_constant(session, &name, ty, 1, &summary, meaning)
    }
}

/// The functions at which a functional is tested.
fn tested_functions() -> [fn(&Graph) -> Graph; 2] {
    let sine: fn(&Graph) -> Graph =
        |t| Graph::function(Function::Sin, &Graph::binary(Binary::Multiply, &Graph::integer(3), t));
    let square: fn(&Graph) -> Graph = |t| Graph::binary(Binary::Multiply, t, t);
    [sine, square]
}

/// Runs the tests of a functional: that it is linear if it says so, and that its derivative is its derivative.
fn try_functional(
    name: &str,
    functional: &Arc<FunctionalMeaning>,
    time: Duration,
    is_interrupted: &dyn Fn() -> bool,
) -> Result<(), ConstantError> {
    let [f, g] = tested_functions();
    let of_value = |error| ConstantError::SlopeValue { name: name.to_owned(), error };
    let candidate = functional.to_candidate(f, g).map_err(of_value)?;
    let sides = match functional.is_linear() {
        true => Some(functional.linearity_sides(f, g).map_err(of_value)?),
        false => None,
    };
    let test = move || {
        let refuted = |error| Some((String::new(), ConstantTestError::Primitive(Box::new(error))));
        if let Some([left, right]) = &sides {
            let value = |side| candidate.enclose_on(side, &[], Precision::Mpfr(128));
            match (value(left), value(right)) {
                (Err(error), _) | (_, Err(error)) => return refuted(error),
                (Ok(found), Ok(expected)) if !found.overlaps(&expected) => {
                    let [found, expected] = [found, expected].map(Box::new);
                    return Some((String::new(), ConstantTestError::NotLinear { found, expected }));
                }
                _ => {}
            }
        }
        refute_rise(&candidate)
    };
    run_test(name, test, time, is_interrupted)
}

/// Returns what refutes the derivative of a functional: by the mean value theorem, its rise from c to c + h lies in the derivative
/// over the interval, times h. Its values may be as wide as a method by enclosures alone leaves them.
fn refute_rise(candidate: &PrimitiveBuilder) -> Option<(String, ConstantTestError)> {
    let refuted = |error| Some((String::new(), ConstantTestError::Primitive(Box::new(error))));
    let [c, h] = [Variable::fresh(), Variable::fresh()];
    let [from, step] = [c, h].map(Graph::variable);
    let at = |c: &Graph| candidate.map.outputs_at(std::slice::from_ref(c)).pop();
    let ends = at(&Graph::binary(Binary::Add, &from, &step)).zip(at(&from));
    let rise = ends.map(|(end, start)| Graph::binary(Binary::Subtract, &end, &start));
    let rise = rise.and_then(|rise| DynMap::of_graphs(&[c, h], &[rise]).ok()).map(Arc::new)?;
    let mut is_tested = false;
    for (from, step) in [(-1, 1), (0, 1), (1, 1), (0, 4), (-2, 2)] {
        let [from, step] = [from, step].map(|halves| Rational::from((halves, 2)));
        let end = Rational::from(&from + &step);
        for tier in [Precision::Double, Precision::Mpfr(64)] {
            let point = |x: &Rational| [x.clone(), x.clone()];
            let found = candidate.enclose_on(&rise, &[point(&from), point(&step)], tier);
            let over = [[from.clone(), end.clone()], point(&step)];
            let (found, expected) = match (found, candidate.enclose_on(&candidate.derivative, &over, tier)) {
                (Ok(found), Ok(expected)) => (Box::new(found), Box::new(expected)),
                (Err(error), _) | (_, Err(error)) => return refuted(error),
            };
            if !found.overlaps(&expected) {
                let from_to = Box::new([from, end]);
                return Some((String::new(), ConstantTestError::Rise { from_to, found, expected }));
            }
            is_tested |= found.is_bounded() && expected.is_bounded();
        }
    }
    if is_tested { None } else { refuted(PrimitiveError::Untested { name: candidate.name.clone() }) }
}

/// A base type that is being defined: see [`Session::define_type`].
#[must_use = "a type is defined by `add`"]
pub struct TypeBuilder<'s, F> {
    session: &'s mut Session,
    name: String,
    summary: String,
    constants: Vec<PendingConstant>,
    of: PhantomData<fn() -> F>,
}

impl<F> std::fmt::Debug for TypeBuilder<'_, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TypeBuilder").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'s, F: BaseType> TypeBuilder<'s, F> {
    /// Sets a line of help for the constants.
    pub fn about(self, summary: &str) -> Self {
        Self { summary: summary.to_owned(), ..self }
    }

    /// Adds a constant: a transformation between products of ℜ and base types. It takes the factors of its domain one by one.
    pub fn constant<A: LanguagePart + SampleElements, B: LanguagePart + Observe>(
        mut self,
        name: &str,
        transformation: PresheafTransformation<A, B>,
    ) -> Self {
        let tested = transformation.clone();
        let action: Box<NaturalAction> =
            Box::new(move |arguments| presheaf::foreign::apply_transformation(&transformation, arguments));
        let test = Box::new(move || test_natural(&tested));
        let (name, domain, codomain) = (name.to_owned(), A::shape(), B::shape());
        self.constants.push(PendingConstant { name, domain, codomain, action, test });
        self
    }

    /// Tests the type and its constants, and adds them to the session. The session is as before on an error.
    ///
    /// # Errors
    /// [`ConstantError::TypeName`], [`ConstantError::Name`], [`ConstantError::Taken`], [`ConstantError::UnknownBase`],
    /// [`ConstantError::Law`].
    pub fn add(self) -> Result<(), ConstantError> {
        let Self { session, name, summary, constants, .. } = self;
        check_free_type_name(session, &name)?;
        let law = |name: &str, law, tested: Result<Verdict, MapError>| match tested {
            Ok(Verdict::Refuted { .. }) | Err(_) => {
                let refutation = tested.map_or_else(|error| error.to_string(), |verdict| verdict.to_string());
                Err(ConstantError::Law { name: name.to_owned(), law, refutation })
            }
            Ok(_) => Ok(()),
        };
        law(&name, "a presheaf", guarded_test(&test_presheaf::<F>))?;
        let short = Name::from(&*name);
        let data = DataType::new(SESSION_MODULE.into(), short.clone(), Vec::new(), Vec::new());
        let ty = Ty::new(TyKind::Data(data, Vec::new()));
        let own = (TypeId::of::<F>(), ty.clone());
        let of_base = |id: TypeId| {
            let all = session.base_types.iter().chain([&own]);
            all.rev().find(|(known, _)| *known == id).map(|(_, ty)| ty.clone())
        };
        let mut typed = Vec::new();
        for constant in constants {
            let PendingConstant { name, domain, codomain, action, test } = constant;
            check_free_name(session, &name)?;
            if typed.iter().any(|(other, ..): &(String, _, _, _)| *other == name) {
                return Err(ConstantError::Taken { name, owner: "another constant of the type".to_owned() });
            }
            let unknown = || ConstantError::UnknownBase { name: name.clone() };
            let result = type_of_shape(&codomain, &of_base).ok_or_else(unknown)?;
            let factors = domain.factors();
            let ty = factors
                .iter()
                .rev()
                .try_fold(result, |result, factor| Some(Ty::function(type_of_shape(factor, &of_base)?, result)));
            let ty = ty.ok_or_else(unknown)?;
            law(&name, "natural", guarded_test(&test))?;
            let meaning = Arc::new(ForeignMeaning::Natural(NaturalMeaning::new(&name, action)));
            typed.push((name, ty, factors.len(), meaning));
        }
        let scheme = Scheme { parameters: Vec::new(), ty: ty.clone() };
        let alias = Arc::new(NamedType { name: short, scheme, constructors: Vec::new(), fold: None });
        session.base_types.push(own);
        let source = SourceText::new(&*name, format!("! type {name}, given from outside"));
        let entry = SessionDefinition { source: source.into(), content: DefinitionKind::Type(alias) };
        session.definitions.push_entry(&mut session.library, entry);
        for (name, ty, arity, meaning) in typed {
            push_constant(session, &name, ty, arity, &summary, meaning)?;
        }
        Ok(())
    }
}

/// Returns the type of a shape.
fn type_of_shape(shape: &PartShape, of_base: &dyn Fn(TypeId) -> Option<Ty>) -> Option<Ty> {
    Some(match shape {
        PartShape::Real => Ty::real(),
        PartShape::Unit => Ty::unit(),
        PartShape::Base(id) => of_base(*id)?,
        PartShape::Pair(a, b) => Ty::new(TyKind::Tuple(vec![type_of_shape(a, of_base)?, type_of_shape(b, of_base)?])),
    })
}

/// The number of elements that a law of a base type is tried on. A choice: a wrong sign fails on the first.
const LAW_SAMPLES: u64 = 8;

/// Runs a test of code of the caller, whose panic is a refutation.
fn guarded_test(test: &dyn Fn() -> Result<Verdict, MapError>) -> Result<Verdict, MapError> {
    let refuted = |_| Ok(Verdict::refuted("a random element", "a panic".to_owned(), "an element".to_owned()));
    catch_unwind(AssertUnwindSafe(test)).unwrap_or_else(refuted)
}

/// Tests the laws of a presheaf, `restrict(id, x) = x` and `restrict(k.then(e), x) = restrict(k, restrict(e, x))`.
fn test_presheaf<F: BaseType>() -> Result<Verdict, MapError> {
    let trial = MapTestConfig::default();
    for seed in 0..LAW_SAMPLES {
        let mut random = SplitMix64::new(seed);
        let [one, two, three] = [with_size(1), with_size(2), with_size(3)];
        let x = F::draw_element(&mut random, &three);
        let identity = F::compare_elements(&three, &F::restrict(&three.id(), &x), &x, &trial)?;
        let (e, k) = (draw_map(&mut random, &two, &three), draw_map(&mut random, &one, &two));
        let [whole, parts] = [F::restrict(&k.then(&e), &x), F::restrict(&k, &F::restrict(&e, &x))];
        let composition = F::compare_elements(&one, &whole, &parts, &trial)?;
        if let Some(refuted) = [identity, composition].into_iter().find(|v| matches!(v, Verdict::Refuted { .. })) {
            return Ok(refuted);
        }
    }
    Ok(Verdict::Survived)
}

/// Tests that a transformation is natural: `t(x)·k = t(x·k)`.
fn test_natural<A: Presheaf + SampleElements, B: Observe>(
    transformation: &PresheafTransformation<A, B>,
) -> Result<Verdict, MapError> {
    let trial = MapTestConfig::default();
    for seed in 0..LAW_SAMPLES {
        let mut random = SplitMix64::new(seed);
        let [one, two] = [with_size(1), with_size(2)];
        let x = A::draw_element(&mut random, &two);
        let k = draw_map(&mut random, &one, &two);
        let later = B::restrict(&k, &transformation.component_at(&two, &x));
        let earlier = transformation.component_at(&one, &A::restrict(&k, &x));
        let verdict = B::compare_elements(&one, &later, &earlier, &trial)?;
        if matches!(verdict, Verdict::Refuted { .. }) {
            return Ok(verdict);
        }
    }
    Ok(Verdict::Survived)
}

/// Returns a stage of a dimension that is found at run time.
fn with_size(size: usize) -> Space<Dyn> {
    Space::of_size(size)
}

/// Begins the definition of a functional with a meaning.
pub(super) fn build_functional<'s>(
    session: &'s mut Session,
    name: &str,
    meaning: ForeignMeaning,
) -> FunctionalBuilder<'s> {
    FunctionalBuilder {
        session,
        name: name.to_owned(),
        summary: String::new(),
        meaning: Arc::new(meaning),
        trial_time: TRIAL_TIME,
        is_interrupted: Box::new(|| false),
    }
}

/// Adds a constant with a meaning to the session.
fn push_constant<'s>(
    session: &'s mut Session,
    name: &str,
    ty: Ty,
    arity: usize,
    summary: &str,
    meaning: Arc<ForeignMeaning>,
) -> Result<&'s SessionDefinition, ConstantError> {
    let short = Name::from(name);
    let scheme = Scheme { parameters: Vec::new(), ty: ty.clone() };
    let room = || ConstantError::Room { name: name.to_owned() };
    let id = ForeignId::register(&short, arity, scheme.clone(), summary).ok_or_else(room)?;
    let erased: Arc<AnyMeaning> = meaning;
    id.set_meaning(&erased);
    let definition = Definition {
        module: SESSION_MODULE.into(),
        name: short,
        scheme,
        term: Term::constant(Constant::Foreign(id)),
        doc: summary.to_owned(),
        span: Span::default(),
        constructor: None,
        foreign: Some(ForeignOwner::new(erased)),
    };
    let source = SourceText::new(name, format!("! {name} : {ty}, given from outside"));
    let content = DefinitionKind::Foreign(Arc::new(definition));
    Ok(session.definitions.push_entry(&mut session.library, SessionDefinition { source: source.into(), content }))
}

/// Checks that a name can be that of a new type.
fn check_free_type_name(session: &Session, name: &str) -> Result<(), ConstantError> {
    let mut parts = name.chars();
    let is_name = parts.next().is_some_and(char::is_uppercase)
        && parts.all(|c| c.is_alphabetic() || c.is_ascii_digit() || c == '_');
    if !is_name {
        return Err(ConstantError::TypeName { name: name.to_owned() });
    }
    let taken = |owner: String| Err(ConstantError::Taken { name: name.to_owned(), owner });
    if is_basic_type(name) {
        return taken("a type of the language".to_owned());
    }
    match session.library.modules().iter().find(|module| module.find_named_type(name).is_some()) {
        None => Ok(()),
        Some(module) if **module.name() == *SESSION_MODULE => taken("a type of the session".to_owned()),
        Some(module) => taken(format!("a type of the theory {}", module.name())),
    }
}

/// Returns a copy that records the constants from outside in the programs of one question. `None` if the process has none.
pub(super) fn recording_uses(session: &Session) -> Option<Session> {
    // Not those of this session alone: its theories may mention constants of another one.
    ForeignId::any_registered().then(|| Session { uses: Some(Arc::default()), ..session.clone() })
}

/// Records the constants from outside in a program, if a question is being answered.
pub(super) fn record_uses(session: &Session, program: &Term) {
    if let Some(ForeignUses(names)) = session.uses.as_deref() {
        let found = constants_in(program).into_iter().map(|id| Constant::Foreign(id).name().to_owned());
        names.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
    }
}

/// Returns the names of the recorded constants.
pub(super) fn used_constants(session: &Session) -> Vec<String> {
    let names = |uses: &ForeignUses| uses.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
    session.uses.as_deref().map(names).unwrap_or_default()
}

/// Checks that a name can be that of a new constant.
pub(super) fn check_free_name(session: &Session, name: &str) -> Result<(), ConstantError> {
    let taken = |owner: String| Err(ConstantError::Taken { name: name.to_owned(), owner });
    if let Some(constant) = Constant::from_name(name) {
        return taken(match constant.arity() {
            0 => "a constant of the language".to_owned(),
            _ => "a function of the language".to_owned(),
        });
    }
    if reserved_words().any(|word| word == name) || crate::theory::format::RESERVED.contains(&name) {
        return taken("a word of the language".to_owned());
    }
    let mut parts = name.chars();
    // As for primitives of maps: λ begins a function, and raised digits are a power.
    let is_name = parts.next().is_some_and(|c| c.is_lowercase() && c != 'λ')
        && parts.all(|c| c.is_alphabetic() || c.is_ascii_digit() || c == '_');
    if !is_name {
        return Err(ConstantError::Name { name: name.to_owned() });
    }
    let mut having = session.library.modules().iter().filter(|module| module.find_definition(name).is_some());
    match having.next() {
        None => Ok(()),
        Some(module) if **module.name() == *SESSION_MODULE => taken("a definition of the session".to_owned()),
        Some(module) => taken(format!("a definition of the theory {}", module.name())),
    }
}

/// Begins the definition of a constant with an extension.
pub(super) fn build_constant<'s>(
    session: &'s mut Session,
    name: &str,
    extension: Arc<dyn Extension>,
) -> ConstantBuilder<'s> {
    ConstantBuilder {
        session,
        name: name.to_owned(),
        extension,
        slope: None,
        summary: String::new(),
        boxes: Vec::new(),
        extras: FunctionExtras::default(),
        trial_time: TRIAL_TIME,
        is_interrupted: Box::new(|| false),
    }
}

/// Begins the definition of a base type.
pub(super) fn build_type<'s, F: BaseType>(session: &'s mut Session, name: &str) -> TypeBuilder<'s, F> {
    let (name, summary) = (name.to_owned(), String::new());
    TypeBuilder { session, name, summary, constants: Vec::new(), of: PhantomData }
}

/// Returns the meaning of a family of maps.
pub(super) fn meaning_of_family(
    name: &str,
    family: PresheafTransformation<RealFunctions, RealPresheaf>,
) -> ForeignMeaning {
    let action: Box<NaturalAction> = Box::new(move |arguments| match arguments {
        [f] => presheaf::foreign::apply_functional(&family, f.as_function()?).map(Value::Real),
        _ => Err(ValueError::Mismatch { expected: "one function", found: "other arguments" }),
    });
    ForeignMeaning::Natural(NaturalMeaning::new(name, action))
}
