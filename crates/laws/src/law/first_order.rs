//! The clauses of S Fig. 4 against the presheaf model, as a law over random first-order programs.
//!
//! A sample is a program of λ_S from pairs of numbers to pairs of numbers, made of random functions, a `let` and a derivative
//! inside. It is translated to the [first-order language](crate::meaning::first_order), whose clauses give a tower. The presheaf
//! model evaluates the program itself. Values and directional derivatives at a random point are compared.
//!
//! A [`WrongFirstOrderClause`] replaces one clause; the law refutes each of them.

use super::clauses::ClauseSurvey;
use super::generate::{TermGenerator, TermVocabulary, data_library};
use super::graphs::{random_direction, random_dyadic};
use super::property::{SampleSettings, SampledLaw};
use crate::meaning::first_order::FirstOrderTerm;
use crate::meaning::first_order::denotation::{FirstOrderClauses, PrintedClauses, tower_by_clauses};
use crate::meaning::presheaf::PresheafSemantics;
use crate::model::answer::{AnswerNumber, Semantics};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Context, Double, Enclosure, Rational};
use crate::random::SplitMix64;
use crate::smooth::tower::{LinearMap, Tower, TowerError};
use crate::syntax::ty::Ty;
use crate::value::Value;
use crate::verdict::Verdict;
use std::sync::Arc;
use std::time::Duration;

/// The time limit of one evaluation by presheaves. A choice: far more than usual, so that verdicts do not depend on the clock.
const EVALUATION_TIME: Duration = Duration::from_secs(20);

/// A random program of type `Real * Real -> Real * Real`, with a point and a direction.
#[derive(Clone, Debug)]
pub struct FirstOrderProgram {
    /// The source text.
    pub text: String,
    /// The point.
    pub point: [Rational; 2],
    /// The direction of the derivative. `None` asks for the value.
    pub direction: Option<[Rational; 2]>,
}

impl FirstOrderProgram {
    /// Draws a program. Half of the random functions are smooth, the others may have kinks.
    #[must_use]
    pub fn draw(random: &mut SplitMix64) -> Self {
        let text = loop {
            let text = Self::draw_text(random);
            // random functions may have tangents and transposed derivatives, which the first-order language lacks
            let parsed = data_library().infer_expression(&text);
            if parsed.is_ok_and(|(term, ty)| FirstOrderTerm::of_program(&term, &ty).is_ok()) {
                break text;
            }
        };
        let point = [random_dyadic(random), random_dyadic(random)];
        let direction = random.random_bool(50).then(|| {
            let drawn = random_direction(random, 2);
            [drawn[0].clone(), drawn[1].clone()]
        });
        Self { text, point, direction }
    }

    /// Draws the text of a program, which need not be first-order.
    fn draw_text(random: &mut SplitMix64) -> String {
        let vocabulary = if random.random_bool(50) { TermVocabulary::Total } else { TermVocabulary::Smooth };
        let mut terms = TermGenerator::with_vocabulary(SplitMix64::new(random.next()), vocabulary);
        let one = Ty::function(Ty::real(), Ty::real());
        let two = Ty::function(Ty::real(), one.clone());
        let inner = super::clauses::draw_first_order(&mut terms, &one);
        let body = super::clauses::draw_first_order(&mut terms, &two);
        format!(
            r"\(p : Real * Real) => let y = sin (({inner}) (fst p)) + fst p in (deriv (\x => sin (({body}) (snd p) x) + x * snd p * y) (y + fst p), y * y - snd p)"
        )
    }

    /// Encloses both coordinates by the tower of the translated program, with these clauses.
    ///
    /// # Errors
    /// Returns a message if the program is not well-typed or not first-order, or if the clauses make maps that do not fit.
    pub fn enclose_by_clauses(&self, clauses: &dyn FirstOrderClauses<Double>) -> Result<Vec<Enclosure>, String> {
        let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", self.text);
        let (term, ty) = data_library().infer_expression(&self.text).map_err(|error| fault(&error))?;
        let (term, context) = FirstOrderTerm::of_program(&term, &ty).map_err(|error| fault(&error))?;
        let tower = tower_by_clauses(&term, &context, clauses).map_err(|error| fault(&error))?;
        let vector = |v: &[Rational; 2]| v.iter().map(|x| Double.enclose_rational(x)).collect::<Vec<_>>();
        let directions: Vec<_> = self.direction.iter().map(vector).collect();
        let found = tower.derivative(&vector(&self.point), &directions, &Double).map_err(|error| fault(&error))?;
        Ok(found.iter().map(|x| Double.to_enclosure(x)).collect())
    }

    /// Encloses both coordinates by presheaves. A coordinate without a value is ⊥.
    ///
    /// # Errors
    /// Returns a message if the program is not well-typed.
    pub fn enclose_by_presheaves(&self) -> Result<Vec<Enclosure>, String> {
        let to = Accuracy::within(Rational::from((1, 1_000_000)));
        let [a, b] = &self.point;
        let coordinate = |component: &str| {
            let question = match &self.direction {
                None => format!("{component} (({}) (({a}), ({b})))", self.text),
                Some([v, w]) => {
                    format!("deriv (\\t => {component} (({}) (({a}) + t * ({v}), ({b}) + t * ({w})))) 0", self.text)
                }
            };
            let (term, _) =
                data_library().infer_expression(&question).map_err(|error| format!("{question}: {error}"))?;
            let budget = Arc::new(Budget::with_time_limit(EVALUATION_TIME));
            Ok(match PresheafSemantics.evaluate_to(&term, &Ty::real(), &to, &budget).map(|answer| answer.value) {
                Ok(Value::Real(AnswerNumber::Enclosure(found))) => found.enclosure,
                _ => Enclosure::bottom(),
            })
        };
        ["fst", "snd"].into_iter().map(coordinate).collect()
    }

    /// Compares the tower by these clauses and the presheaf model.
    ///
    /// # Errors
    /// Those of the two enclosures.
    pub fn compare_models(&self, clauses: &dyn FirstOrderClauses<Double>) -> Result<Verdict, String> {
        let (towers, presheaves) = (self.enclose_by_clauses(clauses)?, self.enclose_by_presheaves()?);
        let has_bounds = |found: &Enclosure| found.is_defined() && found.is_bounded();
        let mut all = Verdict::Survived;
        for (tower, presheaf) in towers.iter().zip(&presheaves) {
            all = all.and_part(match has_bounds(tower) && has_bounds(presheaf) {
                false => Verdict::Vacuous,
                true if !tower.overlaps(presheaf) => Verdict::refuted(&self.text, tower, presheaf),
                // a set agrees with every number in it
                true if tower.hi().to_f64() - tower.lo().to_f64() > 1e-3 => Verdict::Vacuous,
                true => Verdict::Survived,
            });
        }
        Ok(all)
    }
}

/// Compares the models on `count` programs, up to the first refutation.
///
/// # Errors
/// Those of [`FirstOrderProgram::compare_models`].
pub fn survey_first_order(
    seed: u64,
    count: u64,
    clauses: impl FirstOrderClauses<Double> + 'static,
) -> Result<ClauseSurvey, String> {
    let samples = SampleSettings { drawn: count, seed, ..SampleSettings::default() };
    let law = SampledLaw::new(&samples, move |random| FirstOrderProgram::draw(random).compare_models(&clauses));
    Ok(law.tally_samples()?.into())
}

/// A wrong clause in place of one of S Fig. 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WrongFirstOrderClause {
    /// A variable is the first of the context.
    FirstVariable,
    /// A pair has its parts exchanged.
    SwappedPair,
    /// A `let` binds 0.
    ForgottenValue,
    /// A derivative moves the context along itself, where the direction 0 holds it fixed.
    MovingContext,
    /// A derivative has its point and its direction exchanged.
    PointForDirection,
    /// A derivative is the value.
    ValueForDerivative,
}

impl WrongFirstOrderClause {
    /// All wrong clauses.
    pub const ALL: [Self; 6] = [
        Self::FirstVariable,
        Self::SwappedPair,
        Self::ForgottenValue,
        Self::MovingContext,
        Self::PointForDirection,
        Self::ValueForDerivative,
    ];
}

impl<C: Context> FirstOrderClauses<C> for WrongFirstOrderClause {
    fn variable_clause(&self, n: usize, coordinates: std::ops::Range<usize>) -> Tower<C> {
        let coordinates = if *self == Self::FirstVariable { 0..coordinates.len() } else { coordinates };
        Tower::linear(&LinearMap::select(n, coordinates))
    }

    fn pair_clause(&self, first: &Tower<C>, second: &Tower<C>) -> Result<Tower<C>, TowerError> {
        if *self == Self::SwappedPair { second.pair(first) } else { PrintedClauses.pair_clause(first, second) }
    }

    fn let_clause(&self, value: &Tower<C>, body: &Tower<C>) -> Result<Tower<C>, TowerError> {
        let zero = Tower::zero(value.inputs(), value.outputs());
        PrintedClauses.let_clause(if *self == Self::ForgottenValue { &zero } else { value }, body)
    }

    fn derivative_clause(&self, body: &Tower<C>, at: &Tower<C>, along: &Tower<C>) -> Result<Tower<C>, TowerError> {
        match self {
            Self::MovingContext => {
                let identity = Tower::identity(at.inputs());
                identity.pair(at)?.pair(&identity.pair(along)?)?.then(&body.prime())
            }
            Self::PointForDirection => PrintedClauses.derivative_clause(body, along, at),
            Self::ValueForDerivative => PrintedClauses.let_clause(at, body),
            _ => PrintedClauses.derivative_clause(body, at, along),
        }
    }
}
