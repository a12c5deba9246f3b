//! Mutants of variables, binders, data, and constants that are defined by others.

use super::{Mutation, Optimum, Value, reverse, tangent};
use crate::function::Functional;
use crate::meaning::presheaf;
use crate::meaning::presheaf::SourceLocation;
use crate::model::ConditionalInfo;
use crate::model::universe::{
    ArrowCode, CodeClosure, RealArithmetic, RecursionDepth, RunResult, ValueEnvironment, ValueSemantics,
};
use crate::number::Rational;
use crate::number::arithmetic::Function as Elementary;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::{Element, StageCondition, StageFunction};
use crate::smooth::graph::{Binary, Graph, SourceId, Unary};
use crate::syntax::constant::Constant;
use crate::value::{Apply as _, SharedList, TruthType, ValueError};
use std::sync::Arc;

rules! {
    /// Variables, binders, data, and constants that are defined by others.
    Language {
        Variables "variables_off_by_one", "a variable is the projection from its place (S34)" => "of the last two, the other";
        Weakening "weakening_forgotten", "let moves the variables outside up by one (S34)" => "the one outside is hidden";
        If "if_swapped", "if takes the first branch when true (S69)" => "the second";
        Match "match_case_before", "match takes the case of the constructor" => "the case before it";
        Fold "fold_from_left", "fold begins at the end of the list" => "at its start";
        Cons "cons_at_the_end", ":: puts an element first" => "last";
        Recursion "recursion_too_short", "a recursive function is applied to its argument (S69)" => "to one less";
        NaturalSubtract "natural_subtract_not_truncated", "n - m is 0 in ℕ for n < m (S69)" => "m - n";
        NaturalDifference "natural_difference_one_more", "n - m is the difference of natural numbers n ≥ m" => "n - m + 1";
        NaturalPower "natural_power_one_more", "x^n has n factors x for natural n" => "n + 1 factors";
        NaturalAdd "natural_add_one_more", "n + m in ℕ (S69)" => "n + m + 1";
        NaturalMultiply "natural_multiply_adds", "n · m in ℕ (S69)" => "n + m";
        Equal "equal_or_one_less", "n == m holds for equal numbers only (S69)" => "also where n is one less";
        Less "less_or_equal", "n < m fails for equal numbers (S69)" => "holds";
        RealLess "real_less_swapped", "x < y in ℜ holds where x is the smaller (X11)" => "the greater";
        Not "not_forgotten", "not tt is ff (S69)" => "tt";
        ToReal "to_real_one_more", "toReal n is n" => "n + 1";
        First "fst_second", "fst (x, y) is x" => "y";
        TupleSum "tuple_sum_first_only", "tuples are added in every component" => "in the first";
        TupleNegate "tuple_negate_first_only", "tuples are negated in every component" => "in the first";
        Scale "scale_first_only", "scale multiplies every number of a vector" => "the first";
        Dot "dot_first_only", "dot is the sum of all products of coordinates" => "the first product";
        PowerOfReals "power_of_reals", "x^y = exp(y log x) for real y (S74)" => "exp(x log y)";
        Polygamma "polygamma_order", "polygamma n x = ψ⁽ⁿ⁾(x)" => "ψ⁽ⁿ⁻¹⁾(x), for n > 1";
        Sigmoid "sigmoid_sign", "sigmoid x = 1/(1 + e⁻ˣ)" => "1/(1 + eˣ)";
    }
}

/// The universe of the presheaf model, with one rule replaced.
pub(super) struct MutantElements {
    right: Arc<presheaf::PresheafUniverse>,
    mutation: Mutation,
}

impl MutantElements {
    /// Makes the universe under a budget.
    pub(super) fn new(budget: Arc<Budget>, mutation: Mutation) -> Self {
        Self { right: Arc::new(presheaf::PresheafUniverse::new(budget)), mutation }
    }

    /// Returns the place of an operation in the program. Returns `None` if it is not known.
    pub(super) fn operation_place(&self, site: SourceId) -> Option<SourceLocation> {
        self.right.location_of(site)
    }

    /// Returns `true` if this rule is replaced.
    fn replaces_rule(&self, rule: Language) -> bool {
        self.mutation == rule.into()
    }
}

impl RealArithmetic for MutantElements {
    type Real = Graph;

    fn compare_reals(&self, constant: Constant, x: &Graph, y: &Graph) -> Result<StageCondition, ValueError> {
        self.right.compare_reals(constant, x, y)
    }
    fn rational_constant(&self, value: &Rational) -> Graph {
        self.right.rational_constant(value)
    }
    fn apply_real_constant(&self, constant: Constant, arguments: &[&Graph]) -> Result<Graph, ValueError> {
        self.right.apply_real_constant(constant, arguments)
    }
}

impl ValueSemantics for MutantElements {
    type Mark = SourceId;
    const NAME: &'static str = presheaf::PresheafUniverse::NAME;

    fn charge_step(&self) -> Result<(), ValueError> {
        self.right.charge_step()
    }
    fn recursion_depth(&self) -> Option<&RecursionDepth> {
        self.right.recursion_depth()
    }
    fn mark_application(&self, constant: Constant, place: &SourceLocation, _: &[ArrowCode<Self>]) -> SourceId {
        self.right.mark_application(constant, place, &[])
    }
    fn branch_undecided(
        self: &Arc<Self>,
        condition: &StageCondition,
        choice: &ConditionalInfo,
        then: &dyn Fn() -> RunResult<Self>,
        otherwise: &dyn Fn() -> RunResult<Self>,
    ) -> RunResult<Self> {
        self.right.branch_undecided(condition, choice, then, otherwise)
    }

    fn look_up(&self, environment: &ValueEnvironment<Element>, index: usize) -> Option<Element> {
        let right = environment.get(index)?;
        // only the last two variables are exchanged, and only if both are numbers: the program stays well-typed
        if !self.replaces_rule(Language::Variables) || index > 1 {
            return Some(right);
        }
        Some(environment.get(1 - index).filter(|other| are_same_kind(&right, other)).unwrap_or(right))
    }
    fn bind_let(
        &self,
        environment: &ValueEnvironment<Element>,
        value: RunResult<Self>,
    ) -> Result<ValueEnvironment<Element>, ValueError> {
        let (value, outside) = (value?, environment.get(0));
        // the value stands in the place of the variable outside as well; those further out keep their places
        let hides =
            self.replaces_rule(Language::Weakening) && outside.is_some_and(|outside| are_same_kind(&outside, &value));
        Ok(if hides { environment.without_innermost().with_value(value.clone()) } else { environment.clone() }
            .with_value(value))
    }
    fn wrap_closure(&self, closure: CodeClosure<Self>) -> Element {
        if !self.replaces_rule(Language::Recursion) || !closure.is_recursive() {
            return Element::Function(StageFunction::new(closure));
        }
        Element::from_closure(move |argument| match argument {
            // recursion over other types has no smaller argument to take
            Element::Natural(n) => closure.apply(&Element::Natural(n.saturating_sub(1))),
            _ => closure.apply(argument),
        })
    }
    fn decide_condition(&self, condition: &StageCondition) -> Option<bool> {
        Some(condition.decided_value()? != self.replaces_rule(Language::If))
    }
    fn split_variant(&self, variant: &Element) -> Result<(usize, Element), ValueError> {
        let (index, argument) = variant.as_variant()?;
        // the constructor 0 has none before it, and keeps its case
        Ok((index.saturating_sub(usize::from(self.replaces_rule(Language::Match))), argument.clone()))
    }
    fn prepend_element(&self, head: &Element, tail: &SharedList<Element>) -> SharedList<Element> {
        if self.replaces_rule(Language::Cons) {
            tail.iter().chain([head]).cloned().collect()
        } else {
            tail.with_head(head.clone())
        }
    }
    fn apply_constant(self: &Arc<Self>, constant: Constant, site: SourceId, arguments: &[Element]) -> RunResult<Self> {
        // the other mutations act elsewhere: in the machine, or in the macro
        let wrong = match self.mutation {
            Mutation::Value(rule) => wrong_constant(rule, constant),
            Mutation::Optimum(rule) => wrong_optimum(rule, constant, site, arguments)?,
            Mutation::Tangent(rule) => tangent::wrong_tangent_constant(rule, constant, site, arguments)?,
            Mutation::Reverse(rule) => reverse::wrong_rd(rule, constant, arguments)?,
            Mutation::Language(rule) => wrong_language_constant(rule, constant, arguments)?,
            _ => None,
        };
        match wrong {
            Some(wrong) => self.right.charge_and_place(constant, site, wrong),
            None => self.right.apply_constant(constant, site, arguments),
        }
    }
}

/// Returns `true` if both are numbers of the same type, so that one may replace the other.
fn are_same_kind(a: &Element, b: &Element) -> bool {
    matches!((a, b), (Element::Real(_), Element::Real(_)) | (Element::Natural(_), Element::Natural(_)))
}

/// Returns the wrong value of a constant number.
fn wrong_constant(rule: Value, constant: Constant) -> Option<Element> {
    let rational = |p: i64, q: i64| Some(Element::Real(Graph::rational(Rational::from((p, q)))));
    match (rule, constant) {
        (Value::Pi, Constant::Pi) => rational(22, 7),
        (Value::Euler, Constant::E) => rational(271_828, 100_000),
        _ => None,
    }
}

/// Returns the wrong optimum of a function; `None` if the rule does not concern the constant.
fn wrong_optimum(
    rule: Optimum,
    constant: Constant,
    site: SourceId,
    arguments: &[Element],
) -> Result<Option<Element>, ValueError> {
    let instead =
        |f: Functional, argument: Element| presheaf::apply_to_elements(Constant::Functional(f), site, &[argument]);
    match (rule, constant, arguments) {
        (Optimum::Minimum, Constant::Functional(Functional::Minimum), [f]) => {
            let f = f.as_function()?.clone();
            let negative = move |x: &Element| Ok(Element::Real(Graph::unary(Unary::Negate, f.apply(x)?.as_real()?)));
            instead(Functional::Maximum, Element::from_closure(negative)).map(Some)
        }
        (Optimum::Minimiser, Constant::Functional(Functional::Minimiser), [f]) => {
            instead(Functional::Maximiser, f.clone()).map(Some)
        }
        _ => Ok(None),
    }
}

/// Returns the wrong value of a constant of the language; `None` if the rule does not concern the constant.
fn wrong_language_constant(
    rule: Language,
    constant: Constant,
    arguments: &[Element],
) -> Result<Option<Element>, ValueError> {
    let naturals = |f: fn(u64, u64) -> Option<u64>| match arguments {
        [Element::Natural(a), Element::Natural(b)] => {
            f(*a, *b).map(|n| Some(Element::Natural(n))).ok_or(ValueError::NaturalOverflow)
        }
        _ => Ok(None),
    };
    let holds = |f: fn(u64, u64) -> bool| match arguments {
        [Element::Natural(a), Element::Natural(b)] => Ok(Some(Element::from_bool(f(*a, *b)))),
        _ => Ok(None),
    };
    match (rule, constant, arguments) {
        (Language::Fold, Constant::Fold, [step, start, list]) => {
            let step = step.as_function()?;
            let mut result = start.clone();
            for x in list.as_list()?.iter() {
                result = step.apply(x)?.as_function()?.apply(&result)?;
            }
            Ok(Some(result))
        }
        (Language::NaturalSubtract, Constant::Subtract, _) => naturals(|a, b| Some(a.abs_diff(b))),
        (Language::NaturalDifference, Constant::NaturalDifference, _) => {
            naturals(|a, b| a.checked_sub(b)?.checked_add(1))
        }
        (Language::NaturalPower, Constant::NaturalPower, [x, n]) => {
            let more = Element::Natural(n.as_natural()? + 1);
            presheaf::apply_to_elements(constant, SourceId(0), &[x.clone(), more]).map(Some)
        }
        (Language::NaturalAdd, Constant::Add, _) => naturals(|a, b| a.checked_add(b)?.checked_add(1)),
        (Language::NaturalMultiply, Constant::NaturalProduct, _) => naturals(u64::checked_add),
        (Language::Equal, Constant::Equal, _) => holds(|a, b| a == b || a.checked_add(1) == Some(b)),
        (Language::Less, Constant::Less, _) => holds(|a, b| a <= b),
        (Language::RealLess, _, [x, y]) if constant.compares_reals() => {
            presheaf::apply_to_elements(constant, SourceId(0), &[y.clone(), x.clone()]).map(Some)
        }
        (Language::Not, Constant::Not, [x]) => Ok(Some(x.clone())),
        (Language::ToReal, Constant::ToReal, [n]) => {
            Ok(Some(Element::Real(Graph::rational(Rational::from(n.as_natural()?) + 1u32))))
        }
        (Language::First, Constant::Fst, [pair]) => Ok(Some(pair.as_pair()?.1.clone())),
        // the first component is right, and the others are those of the first argument
        (Language::TupleSum, Constant::Add, [Element::Tuple(_), Element::Tuple(_)])
        | (Language::TupleNegate, Constant::Negate, [Element::Tuple(_)]) => {
            let right = presheaf::apply_to_elements(constant, SourceId(0), arguments)?;
            let rest = arguments[0].as_tuple()?.iter().skip(1).cloned();
            Ok(Some(Element::tuple_of(right.as_tuple()?.iter().take(1).cloned().chain(rest))))
        }
        (Language::Scale, Constant::Scale, [_, x]) => {
            let right = presheaf::apply_to_elements(constant, SourceId(0), arguments)?;
            let all = right.coordinates()?.into_iter().take(1).chain(x.coordinates()?.into_iter().skip(1));
            Ok(Some(x.with_coordinates(&mut all.cloned().collect::<Vec<_>>().into_iter())))
            // coordinates beyond the first stay those of the vector that is scaled
        }
        (Language::Dot, Constant::Dot, [x, y]) => Ok(match (&x.coordinates()?[..], &y.coordinates()?[..]) {
            ([x, ..], [y, ..]) => Some(Element::Real(Graph::binary(Binary::Multiply, x, y))),
            _ => None,
        }),
        (Language::PowerOfReals, Constant::RealPower, [x, y]) => {
            let log = Graph::function(Elementary::Log, y.as_real()?);
            let product = Graph::binary(Binary::Multiply, x.as_real()?, &log);
            Ok(Some(Element::Real(Graph::function(Elementary::Exp, &product))))
        }
        (Language::Polygamma, Constant::Special(id), [n, x]) if n.as_natural()? > 1 => {
            let less = Element::Natural(n.as_natural()? - 1);
            presheaf::apply_to_elements(Constant::Special(id), SourceId(0), &[less, x.clone()]).map(Some)
        }
        (Language::Sigmoid, Constant::Sigmoid, [x]) => {
            let x = Element::Real(Graph::unary(Unary::Negate, x.as_real()?));
            presheaf::apply_to_elements(Constant::Sigmoid, SourceId(0), &[x]).map(Some)
        }
        _ => Ok(None),
    }
}
