//! Errors that no short input causes, with plain values in their fields.

use super::id_of;
use smoothish::meaning::diffeology::{MAX_POLYNOMIAL_DEGREE, evaluation_matrix};
use smoothish::meaning::taylor::derive::DeriveError;
use smoothish::meaning::taylor::jet::BasisError;
use smoothish::measure::MeasureError;
use smoothish::measure::change::ChangeOfVariablesError;
use smoothish::measure::change::injective::Collision;
use smoothish::measure::loops::{BoundError, BoundViolation};
use smoothish::model::SourceLocation;
use smoothish::model::answer::AnswerNumber;
use smoothish::model::fragment::{Construct, Fragment, FragmentError};
use smoothish::model::interpret::InterpretError;
use smoothish::model::reduce::ReduceError;
use smoothish::number::enclosure::Enclosure;
use smoothish::plot::PlotError;
use smoothish::sampler::SamplerError;
use smoothish::session::SessionError;
use smoothish::session::tolerance::ToleranceError;
use smoothish::smooth::error::SmoothError;
use smoothish::smooth::graph::SourceId;
use smoothish::smooth::tape::TapeError;
use smoothish::syntax::data::DataType;
use smoothish::syntax::error::SyntaxError;
use smoothish::syntax::normal::NormalError;
use smoothish::syntax::source::Span;
use smoothish::syntax::ty::{Ty, TyKind};
use smoothish::syntax::type_error::TypeError;
use smoothish::theory::builtin;
use smoothish::theory::error::StatementError;
use smoothish::trace::evaluation::TraceError;
use smoothish::trace::typing::CoreTypingError;
use smoothish::undefined::{UndefinedCause, UndefinedValue};
use smoothish::value::{NegativeDifference, Value, ValueError, ValueFunction};
use std::error::Error;

fn row<E: Error>(error: E) -> (String, String) {
    (id_of(&error), error.to_string())
}

/// Returns the identifier and the message of each error.
pub fn errors() -> Vec<(String, String)> {
    let span = Span::new(0, 1);
    let undefined = || UndefinedValue::of_operation(UndefinedCause::Boundary, "<");
    let function = || Ty::function(Ty::real(), Ty::real());
    let point = |n: i32| Box::new(Enclosure::point(rug::Float::with_val(53, n)).expect("a number"));
    let placeholder = ValueFunction::<AnswerNumber>::placeholder();
    let program = || TypeError::TooLarge { span };
    let mut rows = vec![
        row(SyntaxError::NotUtf8 { offset: 4 }),
        row(SyntaxError::TooLong { bytes: 2_000_000 }),
        row(SyntaxError::TooDeep { span }),
        row(SyntaxError::TooLarge { span }),
        row(SyntaxError::LiteralsTooLong { span }),
        row(SyntaxError::ListTooLong { span }),
        row(program()),
        row(NormalError::Steps { limit: 1_000_000 }),
        row(NormalError::Size { limit: 300_000 }),
        row(NormalError::Depth { limit: 10_000 }),
        row(NormalError::IllTyped),
        row(NormalError::IllScoped),
        row(NormalError::TooLong { size: 1 << 20, limit: 300_000 }),
        row(NormalError::Unreadable { error: Box::new(program().into()) }),
        row(NormalError::NotExpressible { text: r"\x => x".to_owned() }),
        row(ToleranceError::NotANumber),
        row(ToleranceError::NotPositive),
        row(ToleranceError::Exponent),
        row(ToleranceError::Digits),
        row(ToleranceError::Seconds),
        row(BasisError::NoDirection),
        row(BasisError::NoOrder),
        row(BasisError::TooLarge { directions: 8, order: 9 }),
        row(DeriveError::NoRule { construct: "`sin`".to_owned() }),
        row(DeriveError::TooLarge { limit: 300_000 }),
        row(StatementError::Basis { error: BasisError::NoOrder, span }),
        row(InterpretError::Unbound { name: "x".to_owned() }),
        row(ReduceError::Exhausted { most: 1_000_000 }),
        row(ReduceError::Nesting { most: 100 }),
        row(ReduceError::NaturalOverflow),
        row(ReduceError::BelowZero(Box::new(NegativeDifference::from_operands(2, 3)))),
        row(ReduceError::Recursive { data: list_type() }),
        row(ReduceError::Guard { comparison: "<".to_owned() }),
        row(ReduceError::Unknown { what: "a truth value" }),
        row(ReduceError::IllFormed(NormalError::IllTyped)),
        row(FragmentError::Construct {
            fragment: Fragment::Abadi,
            construct: Construct::NaturalNumber,
            place: place(),
        }),
        row(FragmentError::TooLarge { nodes: 300_000, place: place() }),
        row(placeholder.apply(&Value::Natural(1)).expect_err("a placeholder has no action")),
        row(evaluation_matrix(MAX_POLYNOMIAL_DEGREE + 1, &[]).expect_err("a degree above the limit")),
        row(ValueError::Unsupported { model: "tower", construct: "`integral01`".to_owned() }),
        row(ValueError::from_undefined(undefined())),
        row(ValueError::NaturalOverflow),
        row(ValueError::NegativeDifference(Box::new(NegativeDifference::from_operands(2, 3)))),
        row(ValueError::SpecialOrder { family: "polygamma", order: 1000, highest: 100 }),
        row(ValueError::LargeAnswer { parts: 10_000 }),
        row(ValueError::DeepAnswer { levels: 1000 }),
        row(ValueError::TooManySteps { most: 1_000_000 }),
        row(ValueError::DeepRecursion { levels: 10_000 }),
        row(ValueError::Exhausted { steps: 1000 }),
        row(SmoothError::PromiseBroken { site: SourceId::NOWHERE, negative: point(0), positive: point(1) }),
        row(SmoothError::DisjointEnclosures { construct: "two passes of a solver" }),
        row(SmoothError::Nesting { depth: 40, most: 30 }),
        row(SmoothError::Dimension { expected: 2, found: 3 }),
        row(SessionError::Evaluation { error: SmoothError::Dimension { expected: 2, found: 3 }, place: None }),
        row(SessionError::Width { eps: -1.0 }),
        row(SessionError::Accuracy),
        row(SessionError::NotReal { ty: function() }),
        row(SessionError::NotMap { ty: Ty::real() }),
        row(MeasureError::NegativeScore),
        row(MeasureError::Undefined(undefined())),
        row(MeasureError::WeightsRuns),
        row(MeasureError::NoLoop),
        row(BoundError::Violated(BoundViolation {
            state: vec![0.into()],
            bound: 2.into(),
            needed: smoothish::number::Rational::from((5, 2)),
        })),
        row(BoundError::Unproved),
        row(BoundError::Signed),
        row(BoundError::NoPolynomial),
        row(MeasureError::ZeroNormalisingConstant),
        row(ChangeOfVariablesError::Border),
        row(ChangeOfVariablesError::CoordinateMismatch { expected: 2, found: 1 }),
        row(ChangeOfVariablesError::NotInjective(Box::new(collision()))),
        row(ChangeOfVariablesError::Singular(Some(Box::new(collision())))),
        row(ChangeOfVariablesError::SingularValues { values: 1, draws: 2 }),
        row(ChangeOfVariablesError::ZeroFactor),
        row(SamplerError::Tape(TapeError { construct: "`polygamma`" })),
        row(SamplerError::NoWeight { runs: 20_000 }),
        row(SamplerError::TooLong { most: 10_000 }),
        row(SamplerError::TooLarge { most: 100_000 }),
        row(SamplerError::Undefined("undefined: `/` at 0".to_owned())),
        row(SamplerError::Unfinished("its time was up after 1000 steps".to_owned())),
        row(SamplerError::NegativeScore),
        row(SamplerError::TimeExhausted),
        row(SamplerError::NotInvolution { start: "(0, 1)".into(), image: "(1, 1)".into(), back: "(2, 1)".into() }),
        row(SamplerError::MoveFactor { point: "(0, 1)".into(), factors: [0.0, 1.0] }),
        row(SamplerError::MovedDraws { start: "(1, 2)".into(), before: 2, image: "(1, 0)".into(), after: 1 }),
        row(SamplerError::MovedConstant { start: "(1, 2)".into(), image: "(1, 3)".into() }),
        row(SamplerError::AmbiguousForm { start: "(1, Nothing)".into(), image: "(1, Just 2)".into() }),
        row(SamplerError::WeighedAuxiliary),
        row(SamplerError::MovedValue("functions")),
        row(TraceError::MissingOperation { numbers: "rational numbers", operation: "exp".to_owned() }),
        row(TraceError::LiteralTooLarge),
        row(TraceError::LimitedRecursion),
        row(TraceError::DefinedByOwnDerivative { function: "f".into() }),
        row(TraceError::ProgramTooLarge),
        row(TraceError::Stuck { construct: "a term that is no trace" }),
        row(CoreTypingError::Unbound { name: "x".to_owned() }),
        row(CoreTypingError::Mismatch {
            construct: "an application",
            expected: "real".to_owned(),
            found: "real × real".to_owned(),
        }),
        row(PlotError::Type { found: Ty::real() }),
        row(PlotError::PlaneType { found: Ty::real() }),
        row(PlotError::Evaluation {
            error: SmoothError::Nesting { depth: 40, most: 30 },
            place: None,
            on: "x in [0, 1]".into(),
        }),
        row(PlotError::Number { text: "pi".to_owned() }),
        row(PlotError::Digits { limit: 1000 }),
        row(PlotError::Reversed { axis: "horizontal", from: "1".to_owned(), to: "0".to_owned() }),
        row(PlotError::Size { what: "the number of columns", least: 1, most: 2000, found: 0 }),
    ];
    for certain in [true, false] {
        rows.push(row(MeasureError::ParameterConstraint {
            what: "the standard deviation of normal",
            has_to_be: "> 0",
            certain,
            nearby: !certain,
        }));
    }
    rows
}

/// The type of lists.
fn list_type() -> DataType {
    let (_, ty) = builtin::library().infer_expression("[1.5]").expect("a list");
    match ty.kind() {
        TyKind::Data(data, _) => data.clone(),
        _ => panic!("{ty}"),
    }
}

/// The first character of a program.
fn place() -> SourceLocation {
    SourceLocation { definition: None, span: Span::new(0, 1) }
}

/// `abs` takes -1 and 1 to 1.
fn collision() -> Collision {
    Collision { values: [vec!["-1".to_owned()], vec!["1".to_owned()]], point: vec!["1".to_owned()] }
}
