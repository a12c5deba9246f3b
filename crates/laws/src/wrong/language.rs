//! Mutants of variables, binders, data, and constants that are defined by others.

use super::{Mutation, Optimum, Value, reverse, tangent};
use crate::function::Functional;
use crate::meaning::presheaf::{self, Place, constants};
use crate::model::Choice;
use crate::model::environment::Environment;
use crate::model::universe::{Arithmetic, Closure, Code, Depth, Ran, Universe};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::number::context::Function as Elementary;
use crate::presheaf::condition::Condition;
use crate::presheaf::dynamic::{Element, Function};
use crate::smooth::graph::{Binary, Graph, Site, Unary};
use crate::syntax::constant::Constant;
use crate::value::{Rule as _, Sequence, Truth, ValueError};
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
pub(super) struct Elements {
    right: Arc<presheaf::Elements>,
    mutation: Mutation,
}

impl Elements {
    /// Makes the universe under a budget.
    pub(super) fn new(budget: Arc<Budget>, mutation: Mutation) -> Self {
        Self { right: Arc::new(presheaf::Elements::new(budget)), mutation }
    }

    /// Returns the place of an operation in the program. Returns `None` if it is not known.
    pub(super) fn place(&self, site: Site) -> Option<Place> {
        self.right.place(site)
    }

    /// Returns `true` if this rule is replaced.
    fn is(&self, rule: Language) -> bool {
        self.mutation == rule.into()
    }
}

impl Arithmetic for Elements {
    type Real = Graph;

    fn compare(&self, constant: Constant, x: &Graph, y: &Graph) -> Result<Condition, ValueError> {
        self.right.compare(constant, x, y)
    }
    fn rational(&self, value: &Rational) -> Graph {
        self.right.rational(value)
    }
    fn real(&self, constant: Constant, arguments: &[&Graph]) -> Result<Graph, ValueError> {
        self.right.real(constant, arguments)
    }
}

impl Universe for Elements {
    type Mark = Site;
    const NAME: &'static str = presheaf::Elements::NAME;

    fn step(&self) -> Result<(), ValueError> {
        self.right.step()
    }
    fn depth(&self) -> Option<&Depth> {
        self.right.depth()
    }
    fn mark(&self, constant: Constant, place: &Place, _: &[Code<Self>]) -> Site {
        self.right.mark(constant, place, &[])
    }
    fn branch(
        self: &Arc<Self>,
        condition: &Condition,
        choice: &Choice,
        then: &dyn Fn() -> Ran<Self>,
        otherwise: &dyn Fn() -> Ran<Self>,
    ) -> Ran<Self> {
        self.right.branch(condition, choice, then, otherwise)
    }

    fn variable(&self, environment: &Environment<Element>, index: usize) -> Option<Element> {
        let right = environment.get(index)?;
        // only the last two variables are exchanged, and only if both are numbers: the program stays well-typed
        if !self.is(Language::Variables) || index > 1 {
            return Some(right);
        }
        Some(environment.get(1 - index).filter(|other| alike(&right, other)).unwrap_or(right))
    }
    fn bind(&self, environment: &Environment<Element>, value: Ran<Self>) -> Result<Environment<Element>, ValueError> {
        let (value, outside) = (value?, environment.get(0));
        // pushed twice, the value stands in the place of the variable outside as well
        let hides = self.is(Language::Weakening) && outside.is_some_and(|outside| alike(&outside, &value));
        Ok(if hides { environment.with(value.clone()).with(value) } else { environment.with(value) })
    }
    fn function(&self, closure: Closure<Self>) -> Element {
        if !self.is(Language::Recursion) || !closure.is_recursive() {
            return Element::Function(Function::new(closure));
        }
        Element::function(move |argument| match argument {
            // recursion over other types has no smaller argument to take
            Element::Natural(n) => closure.apply(&Element::Natural(n.saturating_sub(1))),
            _ => closure.apply(argument),
        })
    }
    fn decide(&self, condition: &Condition) -> Option<bool> {
        Some(condition.known()? != self.is(Language::If))
    }
    fn split(&self, variant: &Element) -> Result<(usize, Element), ValueError> {
        let (index, argument) = variant.as_variant()?;
        // the constructor 0 has none before it, and keeps its case
        Ok((index.saturating_sub(usize::from(self.is(Language::Match))), argument.clone()))
    }
    fn cons(&self, head: &Element, tail: &Sequence<Element>) -> Sequence<Element> {
        if self.is(Language::Cons) { tail.iter().chain([head]).cloned().collect() } else { tail.with(head.clone()) }
    }
    fn operation(self: &Arc<Self>, constant: Constant, site: Site, arguments: &[Element]) -> Ran<Self> {
        // the other mutations act elsewhere: in the machine, or in the macro
        let wrong = match self.mutation {
            Mutation::Value(rule) => number(rule, constant),
            Mutation::Optimum(rule) => optimum(rule, constant, site, arguments)?,
            Mutation::Tangent(rule) => tangent::instead(rule, constant, site, arguments)?,
            Mutation::Reverse(rule) => reverse::instead(rule, constant, arguments)?,
            Mutation::Language(rule) => language(rule, constant, arguments)?,
            _ => None,
        };
        match wrong {
            Some(wrong) => self.right.settle(constant, site, wrong),
            None => self.right.operation(constant, site, arguments),
        }
    }
}

/// Returns `true` if both are numbers of the same type, so that one may replace the other.
fn alike(a: &Element, b: &Element) -> bool {
    matches!((a, b), (Element::Real(_), Element::Real(_)) | (Element::Natural(_), Element::Natural(_)))
}

/// Returns the wrong value of a constant number.
fn number(rule: Value, constant: Constant) -> Option<Element> {
    let rational = |p: i64, q: i64| Some(Element::Real(Graph::rational(Rational::from((p, q)))));
    match (rule, constant) {
        (Value::Pi, Constant::Pi) => rational(22, 7),
        (Value::Euler, Constant::E) => rational(271_828, 100_000),
        _ => None,
    }
}

/// Returns the wrong optimum of a function; `None` if the rule does not concern the constant.
fn optimum(
    rule: Optimum,
    constant: Constant,
    site: Site,
    arguments: &[Element],
) -> Result<Option<Element>, ValueError> {
    let instead = |f: Functional, argument: Element| constants::apply(Constant::Functional(f), site, &[argument]);
    match (rule, constant, arguments) {
        (Optimum::Minimum, Constant::Functional(Functional::Minimum), [f]) => {
            let f = f.as_function()?.clone();
            let negative = move |x: &Element| Ok(Element::Real(Graph::unary(Unary::Negate, f.apply(x)?.as_real()?)));
            instead(Functional::Maximum, Element::function(negative)).map(Some)
        }
        (Optimum::Minimiser, Constant::Functional(Functional::Minimiser), [f]) => {
            instead(Functional::Maximiser, f.clone()).map(Some)
        }
        _ => Ok(None),
    }
}

/// Returns the wrong value of a constant of the language; `None` if the rule does not concern the constant.
fn language(rule: Language, constant: Constant, arguments: &[Element]) -> Result<Option<Element>, ValueError> {
    let naturals = |f: fn(u64, u64) -> Option<u64>| match arguments {
        [Element::Natural(a), Element::Natural(b)] => {
            f(*a, *b).map(|n| Some(Element::Natural(n))).ok_or(ValueError::NaturalOverflow)
        }
        _ => Ok(None),
    };
    let holds = |f: fn(u64, u64) -> bool| match arguments {
        [Element::Natural(a), Element::Natural(b)] => Ok(Some(Element::truth(f(*a, *b)))),
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
            constants::apply(constant, Site(0), &[x.clone(), more]).map(Some)
        }
        (Language::NaturalAdd, Constant::Add, _) => naturals(|a, b| a.checked_add(b)?.checked_add(1)),
        (Language::NaturalMultiply, Constant::NaturalProduct, _) => naturals(u64::checked_add),
        (Language::Equal, Constant::Equal, _) => holds(|a, b| a == b || a.checked_add(1) == Some(b)),
        (Language::Less, Constant::Less, _) => holds(|a, b| a <= b),
        (Language::RealLess, _, [x, y]) if constant.compares_reals() => {
            constants::apply(constant, Site(0), &[y.clone(), x.clone()]).map(Some)
        }
        (Language::Not, Constant::Not, [x]) => Ok(Some(x.clone())),
        (Language::ToReal, Constant::ToReal, [n]) => {
            Ok(Some(Element::Real(Graph::rational(Rational::from(n.as_natural()?) + 1u32))))
        }
        (Language::First, Constant::Fst, [pair]) => Ok(Some(pair.as_pair()?.1.clone())),
        // the first component is right, and the others are those of the first argument
        (Language::TupleSum, Constant::Add, [Element::Tuple(_), Element::Tuple(_)])
        | (Language::TupleNegate, Constant::Negate, [Element::Tuple(_)]) => {
            let right = constants::apply(constant, Site(0), arguments)?;
            let rest = arguments[0].as_tuple()?.iter().skip(1).cloned();
            Ok(Some(Element::tuple(right.as_tuple()?.iter().take(1).cloned().chain(rest))))
        }
        (Language::Scale, Constant::Scale, [_, x]) => {
            let right = constants::apply(constant, Site(0), arguments)?;
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
        (Language::Polygamma, Constant::Polygamma, [n, x]) if n.as_natural()? > 1 => {
            let less = Element::Natural(n.as_natural()? - 1);
            constants::apply(Constant::Polygamma, Site(0), &[less, x.clone()]).map(Some)
        }
        (Language::Sigmoid, Constant::Sigmoid, [x]) => {
            let x = Element::Real(Graph::unary(Unary::Negate, x.as_real()?));
            constants::apply(Constant::Sigmoid, Site(0), &[x]).map(Some)
        }
        _ => Ok(None),
    }
}
