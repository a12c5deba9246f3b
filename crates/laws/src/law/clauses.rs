//! The printed clauses of S §5.2 against the presheaf model, as a law over random programs.
//!
//! A sample is a program that applies `integral01`, `cutRoot`, `firstRoot`, `argmax01` or `max01` to a random function of a
//! parameter c and a number x, differentiated by c as often as asked, at a random point. The
//! [literal towers](crate::smooth::tower::functional) and the presheaf model evaluate it. They share arithmetic and the rows of
//! functions, and neither solvers nor derivatives.
//!
//! | answers | verdict |
//! |---|---|
//! | both are defined and bounded, and disjoint | refuted |
//! | they meet, and both are numbers to two digits | survived |
//! | otherwise: ⊥, a set, or the budget is spent | vacuous |
//!
//! A [`WrongClause`] replaces one printed clause. The law refutes each of them.

use super::generate::{TermGenerator, TermVocabulary, data_library};
use super::graphs::random_dyadic;
use super::property::{SampleSettings, SampleTally, SampledLaw};
use super::term::{IncreasingFunction, TermHead, TestTerm};
use crate::meaning::presheaf::PresheafSemantics;
use crate::meaning::tower::TowerModel;
use crate::model::answer::{AnswerNumber, Semantics};
use crate::model::interpret;
use crate::number::budget::Budget;
use crate::number::{Accuracy, Context, Double, Enclosure, Rational};
use crate::random::SplitMix64;
use crate::smooth::graph::SecondOrder;
use crate::smooth::tower::functional::{self, Subdivision, tower_of_functional};
use crate::smooth::tower::primitive::constant;
use crate::smooth::tower::{FunctionalClauses, LinearMap, Tower, TowerError};
use crate::syntax::term::Term as Core;
use crate::syntax::ty::Ty;
use crate::value::Value;
use crate::verdict::Verdict;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The time limit of one evaluation. A choice: far more than usual, so that verdicts do not depend on the clock.
const EVALUATION_TIME: Duration = Duration::from_secs(20);
/// The number of panels of an integral. A choice: fewer than usual, since samples are many.
const LIMITS: Subdivision = Subdivision { panels: 64, evaluations: 2000 };

/// A closed program that applies a second-order primitive to a random function, differentiated.
#[derive(Clone, Debug)]
pub struct ClauseProgram {
    /// The source text.
    pub text: String,
    /// The program, of type `Real`.
    pub term: Core,
}

impl ClauseProgram {
    /// Draws a program with a primitive and an order of the derivative by its parameter.
    ///
    /// Functions are smooth at orders from 2 on; otherwise half of them have kinks. Roots and optima lie inside [0, 1] more
    /// often than not: most random functions have none there.
    ///
    /// # Errors
    /// Returns a message if the program is not well-typed.
    pub fn draw(random: &mut SplitMix64, functional: SecondOrder, order: u32) -> Result<Self, String> {
        let vocabulary =
            if order < 2 && random.random_bool(50) { TermVocabulary::Total } else { TermVocabulary::Smooth };
        let mut terms = TermGenerator::with_vocabulary(SplitMix64::new(random.next()), vocabulary);
        let real = Ty::real();
        let one = Ty::function(real.clone(), real.clone());
        let two = Ty::function(real, one.clone());
        let of_parameter = |terms: &mut TermGenerator| format!("({}) c", draw_first_order(terms, &one));
        let of_both = |terms: &mut TermGenerator| format!("({}) c x", draw_first_order(terms, &two));
        // a number in (−1/4, 5/4), by the parameter
        let place = format!("(1 / 2 + 3 / 4 * sin ({}))", of_parameter(&mut terms));
        let body = match functional {
            SecondOrder::Integral => of_both(&mut terms),
            SecondOrder::CutRoot => {
                let increasing = *random.pick(&IncreasingFunction::ALL);
                let (level, steep) = (of_parameter(&mut terms), of_parameter(&mut terms));
                format!("2 * sin ({level}) - (1 + sin ({steep}) ^ 2) * {}", increasing.print_at("x"))
            }
            SecondOrder::FirstRoot => {
                let (factor, wave) = (of_both(&mut terms), of_both(&mut terms));
                format!("({place} - x) * (1 + sin ({factor}) ^ 2) + sin ({wave}) * x / 8")
            }
            SecondOrder::Maximum | SecondOrder::Maximiser => {
                let (factor, wave) = (of_parameter(&mut terms), of_both(&mut terms));
                format!("sin ({wave}) / 8 - (x - {place}) ^ 2 * (1 + sin ({factor}) ^ 2)")
            }
        };
        let name = functional.functional().name();
        let mut text = format!("\\c => {name} (\\x => {body})");
        for _ in 0..order {
            text = format!("deriv ({text})");
        }
        let text = format!("({text}) ({})", random_dyadic(random));
        let (term, _) = data_library().infer_expression(&text).map_err(|error| format!("{text}: {error}"))?;
        Ok(Self { text, term })
    }

    /// Encloses the program by towers with these clauses. Returns `None` if the budget is spent, or if there is no tower.
    #[must_use]
    pub fn enclose_by_towers(&self, clauses: &Arc<FunctionalClauses<Double>>) -> Option<Enclosure> {
        let model = TowerModel::with_clauses(Arc::new(Budget::with_time_limit(EVALUATION_TIME)), clauses.clone());
        let tower = interpret(&model, &[], &self.term).ok()?.cloned_tower.ok()?;
        Some(Double.to_enclosure(&tower.value_at(&[], &Double).ok()?[0]))
    }

    /// Encloses the program by presheaves. Returns `None` if it has no value there.
    #[must_use]
    pub fn enclose_by_presheaves(&self) -> Option<Enclosure> {
        let budget = Arc::new(Budget::with_time_limit(EVALUATION_TIME));
        let to = Accuracy::within(Rational::from((1, 1_000_000)));
        match PresheafSemantics.evaluate_to(&self.term, &Ty::real(), &to, &budget).ok()?.value {
            Value::Real(AnswerNumber::Enclosure(found)) => Some(found.enclosure),
            _ => None,
        }
    }

    /// Compares the towers with these clauses and the presheaf model on the program.
    pub fn compare_models(&self, clauses: &Arc<FunctionalClauses<Double>>) -> Verdict {
        let has_bounds = |found: &Enclosure| found.is_defined() && found.is_bounded();
        let Some(tower) = self.enclose_by_towers(clauses).filter(has_bounds) else { return Verdict::Vacuous };
        let Some(presheaf) = self.enclose_by_presheaves().filter(has_bounds) else { return Verdict::Vacuous };
        if !tower.overlaps(&presheaf) {
            return Verdict::refuted(&self.text, tower, presheaf);
        }
        let narrow = |found: &Enclosure| {
            let size = found.lo().to_f64().abs().max(found.hi().to_f64().abs()).max(1.0);
            found.hi().to_f64() - found.lo().to_f64() <= size / 100.0
        };
        if narrow(&tower) && narrow(&presheaf) { Verdict::Survived } else { Verdict::Vacuous }
    }
}

/// Draws a closed function without second-order primitives: these multiply the cost of a tower.
pub(super) fn draw_first_order(terms: &mut TermGenerator, ty: &Ty) -> TestTerm {
    loop {
        let drawn = terms.draw_term(ty, 8);
        let is_second_order = |head: &TermHead| match head {
            TermHead::Call(constant) => constant.as_functional().is_some(),
            TermHead::CutRoot(..) => true,
            _ => false,
        };
        if !drawn.contains_head(&mut { is_second_order }) {
            return drawn;
        }
    }
}

/// The verdicts on many programs, as shares.
#[derive(Clone, Debug, Default)]
pub struct ClauseSurvey {
    /// The programs on which both models have one number.
    pub survived: usize,
    /// The programs on which one has none, or a set.
    pub vacuous: usize,
    /// The first refutation; the survey ends there.
    pub refutation: Option<Verdict>,
}

impl From<SampleTally> for ClauseSurvey {
    fn from(tally: SampleTally) -> Self {
        let [survived, vacuous] = [tally.survived, tally.vacuous].map(|count| count as usize);
        Self { survived, vacuous, refutation: tally.refutation }
    }
}

impl fmt::Display for ClauseSurvey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.survived + self.vacuous;
        write!(f, "{} of {all} programs have one number in both models", self.survived)?;
        match &self.refutation {
            Some(verdict) => write!(f, "; {verdict}"),
            None => Ok(()),
        }
    }
}

/// Compares the models on `count` programs with a primitive, up to the first refutation.
///
/// # Errors
/// Returns a message if a program is not well-typed.
pub fn survey_clauses(
    seed: u64,
    count: u64,
    functional: SecondOrder,
    order: u32,
    clauses: &Arc<FunctionalClauses<Double>>,
) -> Result<ClauseSurvey, String> {
    let (samples, clauses) = (SampleSettings { drawn: count, seed, ..SampleSettings::default() }, clauses.clone());
    let law = SampledLaw::new(&samples, move |random| {
        Ok::<_, String>(ClauseProgram::draw(random, functional, order)?.compare_models(&clauses))
    });
    Ok(law.tally_samples()?.into())
}

/// Returns the clauses that S prints, with the errata E7, E8, E14 and E44.
#[must_use]
pub fn printed_clauses<C: Context>() -> Arc<FunctionalClauses<C>> {
    Arc::new(|functional, f: &Tower<C>| tower_of_functional(functional, f, LIMITS))
}

/// A wrong clause in place of a printed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WrongClause {
    /// The derivative of an integral integrates the function itself.
    IntegralOfValue,
    /// The derivative of an integral moves the bound variable too: directions (dγ, 1).
    IntegralAlongBound,
    /// cutRoot′ without the minus.
    RootWithoutMinus,
    /// cutRoot′ divides by the slope along (dγ, 1).
    RootAlongBoth,
    /// cutRoot″ is 0.
    RootOfOneDerivative,
    /// firstRoot′ at the ends of [0, 1] by the implicit function theorem, as printed (E44).
    FirstRootWithoutEnds,
    /// argmax01′ at the ends of [0, 1] as inside.
    MaximiserWithoutEnds,
    /// argmax01′ by the first derivatives of f in place of the second.
    MaximiserByValue,
    /// max01′ is the slope at ½.
    MaximumAtMiddle,
    /// max01′ moves the maximiser and holds the parameter: `f ∘ argmax01 f` as printed (E14).
    MaximumWithoutParameter,
}

impl WrongClause {
    /// All wrong clauses.
    pub const ALL: [Self; 10] = [
        Self::IntegralOfValue,
        Self::IntegralAlongBound,
        Self::RootWithoutMinus,
        Self::RootAlongBoth,
        Self::RootOfOneDerivative,
        Self::FirstRootWithoutEnds,
        Self::MaximiserWithoutEnds,
        Self::MaximiserByValue,
        Self::MaximumAtMiddle,
        Self::MaximumWithoutParameter,
    ];

    /// Returns the primitive whose clause is wrong.
    #[must_use]
    pub fn functional(self) -> SecondOrder {
        match self {
            Self::IntegralOfValue | Self::IntegralAlongBound => SecondOrder::Integral,
            Self::RootWithoutMinus | Self::RootAlongBoth | Self::RootOfOneDerivative => SecondOrder::CutRoot,
            Self::FirstRootWithoutEnds => SecondOrder::FirstRoot,
            Self::MaximiserWithoutEnds | Self::MaximiserByValue => SecondOrder::Maximiser,
            Self::MaximumAtMiddle | Self::MaximumWithoutParameter => SecondOrder::Maximum,
        }
    }

    /// Returns the least order of derivative at which the clause is wrong.
    #[must_use]
    pub fn order(self) -> u32 {
        if self == Self::RootOfOneDerivative { 2 } else { 1 }
    }

    /// Returns the printed clauses with this one in place of that of its primitive.
    #[must_use]
    pub fn clauses<C: Context>(self) -> Arc<FunctionalClauses<C>> {
        Arc::new(move |functional, f: &Tower<C>| {
            if functional == self.functional() {
                self.wrong_tower(f)
            } else {
                tower_of_functional(functional, f, LIMITS)
            }
        })
    }

    /// Returns the tower of the primitive by the wrong clause. Values are right.
    fn wrong_tower<C: Context>(self, f: &Tower<C>) -> Result<Tower<C>, TowerError> {
        let right = tower_of_functional(self.functional(), f, LIMITS)?;
        let n = right.inputs();
        let negation = LinearMap::scalar_multiple(1, &Rational::from(-1));
        // γ, dγ ⊢ y(γ)
        let value = |y: &Tower<C>| y.after_linear(&LinearMap::select(2 * n, 0..n));
        // f at (γ, y), as a map of γ
        let at = |y: &Tower<C>| Tower::identity(n).pair(y)?.then(f);
        let derivative = match self {
            Self::IntegralOfValue => value(&right)?,
            Self::IntegralAlongBound => {
                // ∫ f′((γ, x), (dγ, 1)) dx is the integral of f′ along dγ, and f(γ, 1) − f(γ, 0)
                let end = |x: i64| value(&at(&constant(n, move |context: &C| context.enclose_integer(x)))?);
                let change = end(1)?.plus(&end(0)?.then_linear(&negation)?)?;
                right.prime().plus(&change)?
            }
            Self::RootWithoutMinus => functional::implicit_slope(f, &right)?.then_linear(&negation)?,
            Self::RootAlongBoth => {
                // f′ along (dγ, 1) is the sum of f′ along (dγ, 0) and (0, 1): s becomes s/(1 − s)
                let slope = functional::implicit_slope(f, &right)?;
                let one = constant(2 * n, |context: &C| context.enclose_integer(1));
                let below = one.plus(&slope.then_linear(&negation)?)?;
                slope.pair(&below)?.then(&crate::smooth::tower::primitive::quotient())?
            }
            Self::RootOfOneDerivative => {
                // the slope, with a root that does not move and a function that is linear in γ
                let slope = right.prime();
                let value = slope.value_map();
                Tower::fold_der(value, &Tower::zero(4 * n, 1))?
            }
            Self::FirstRootWithoutEnds => functional::implicit_slope(f, &right)?,
            Self::MaximiserWithoutEnds => functional::implicit_slope_of_maximiser(f, &right)?,
            Self::MaximiserByValue => functional::implicit_slope(f, &right)?,
            Self::MaximumAtMiddle => {
                at(&constant(n, |context: &C| context.enclose_rational(&Rational::from((1, 2)))))?.prime()
            }
            Self::MaximumWithoutParameter => {
                // f′ along (0, dy): the change of f by (dγ, dy), less that by (dγ, 0), whose y is held
                let maximiser = functional::maximiser(f, LIMITS)?;
                let held = Tower::fold_der(maximiser.value_map(), &Tower::zero(2 * n, 1))?;
                at(&maximiser)?.prime().plus(&at(&held)?.prime().then_linear(&negation)?)?
            }
        };
        Tower::fold_der(right.value_map(), &derivative)
    }
}
