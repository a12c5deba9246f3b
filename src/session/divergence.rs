//! The words for an integral that diverges: where, and how large its integrand is there, in the variable of the program.
//!
//! A proof concerns an integral over [0, 1], of g ([`DivergentIntegral`]). An integral of f over another range is one of these.
//! For every number c below some coefficient, at small distances d, with t₀ the place in [0, 1]:
//!
//! | range of f | | beside | the absolute value of f is at least |
//! |---|---|---|---|
//! | [0, 1] | `g = f` | t₀ | `c·dᵖ·(log (1/d))ᵠ` |
//! | [a, b] | `g t = f x`, `x = a + (b-a)·t` | t₀ | `c·|b-a|⁻ᵖ·dᵖ·(log (1/d))ᵠ` |
//! | [a, ∞) | `g t = f x/t²`, `x = a + (1-t)/t` | t₀ > 0 | `c·t₀^(2p+2)·dᵖ·(log (1/d))ᵠ` |
//! | | | ∞, where t₀ = 0 | `c·x^(-p-2)·(log x)ᵠ` |
//!
//! Here d is the distance on the range of f. Quotients that go to 1, such as `x·t` beside ∞, are left out, since c is any number below
//! the coefficient. What is printed is rounded down to two digits.

use super::Session;
use super::remedy::enclose_closed;
use crate::function::Functional;
use crate::model::SourceLocation;
use crate::model::answer::UndefinedReason;
use crate::number::arithmetic::{Context, Function};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Mpfr, Rational, decimal};
use crate::smooth::nearby::{DivergenceBound, DivergentIntegral};
use crate::syntax::library::is_standard;
use crate::syntax::source::{SourceText, Span};
use crate::syntax::term::{Term, TermKind};
use std::sync::Arc;

/// The range of an integral that a program writes.
enum WrittenRange<'t> {
    /// From 0 to 1.
    Unit,
    /// Between two ends.
    Between([&'t Term; 2]),
    /// From an end on.
    From(&'t Term),
    /// Up to an end.
    UpTo(&'t Term),
    /// All numbers.
    Line,
}

/// An integral that a program writes.
struct WrittenIntegral<'t> {
    range: WrittenRange<'t>,
    /// The variable of the integrand.
    variable: String,
}

/// The most letters of an end in a message. A choice.
const MOST_LETTERS: usize = 12;
/// The precision of the numbers in a message, in bits.
const BITS: u32 = 128;

impl Session {
    /// Describes where and how an integral diverges. Returns `None` if the reason is another one.
    pub(super) fn describe_divergence(
        &self,
        question: &Arc<SourceText>,
        reason: &UndefinedReason,
        program: &Term,
        budget: &Arc<Budget>,
    ) -> Option<String> {
        let found = reason.divergence.as_deref()?;
        let own = || {
            // The integral is written in the question, or in the definition that the place names.
            let place = reason.place.as_ref()?;
            let home = place.definition.as_ref().map_or(program, |definition| &definition.term);
            let integral = find_integral(home, place.span)?;
            let text_of = |term: &Term| {
                let place = SourceLocation { definition: place.definition.clone(), span: term.span() };
                Some(self.locate(question, &place)?.text().to_owned())
            };
            match found.end_index() {
                Some(end) => describe_end(found, end, &integral, text_of, budget),
                None => describe_pole(found, &integral, budget),
            }
        };
        Some(own().unwrap_or_else(|| {
            let text = if cancels(found) {
                "not absolutely integrable; a principal value is no integral"
            } else {
                "the integral diverges"
            };
            match &reason.library {
                Some(name) => format!("{text}, in the library's `{name}`"),
                None => text.to_owned(),
            }
        }))
    }
}

/// Returns `true` if the integrand has no integral on either side of a place inside, and opposite signs there.
fn cancels(found: &DivergentIntegral) -> bool {
    matches!(&found.sides, [Some(left), Some(right)] if left.is_positive != right.is_positive)
}

/// Finds the integral whose function is written at a place of a term. Returns `None` if it is none of those whose range is known.
fn find_integral(term: &Term, place: Span) -> Option<WrittenIntegral<'_>> {
    let mut waiting = vec![term];
    while let Some(term) = waiting.pop() {
        let (mut head, mut arguments, mut is_here) = (term, Vec::new(), term.span() == place);
        while let TermKind::Apply { function, argument } = head.kind() {
            arguments.push(argument);
            head = function;
            is_here |= head.span() == place;
        }
        arguments.reverse();
        if is_here && let Some(found) = read_integral(head, &arguments) {
            return Some(found);
        }
        // Places of several integrals may be equal in a term that was made, so the search goes on below.
        waiting.extend(term.kind().children());
    }
    None
}

/// Reads an application of an integral. Returns `None` for any other function.
fn read_integral<'t>(head: &Term, arguments: &[&'t Term]) -> Option<WrittenIntegral<'t>> {
    let (range, rest) = match (head.kind(), arguments) {
        (TermKind::Constant(constant), rest) if constant.as_functional() == Some(Functional::Integral) => {
            (WrittenRange::Unit, rest)
        }
        (TermKind::Global(definition), arguments) if is_standard(&definition.module) => {
            match (&*definition.name, arguments) {
                ("integral" | "between", [a, b, rest @ ..]) => (WrittenRange::Between([a, b]), rest),
                ("beyond", [a, rest @ ..]) => (WrittenRange::From(a), rest),
                ("upTo", [b, rest @ ..]) => (WrittenRange::UpTo(b), rest),
                ("line", rest) => (WrittenRange::Line, rest),
                ("uniform", rest) => (WrittenRange::Unit, rest),
                _ => return None,
            }
        }
        _ => return None,
    };
    let variable = match rest.first().map(|integrand| integrand.kind()) {
        Some(TermKind::Lambda { name, .. }) => name.to_string(),
        _ => "x".to_owned(),
    };
    Some(WrittenIntegral { range, variable })
}

/// Describes an integral that diverges at an end of its range.
fn describe_end(
    found: &DivergentIntegral,
    end: usize,
    WrittenIntegral { range, variable }: &WrittenIntegral<'_>,
    text_of: impl Fn(&Term) -> Option<String>,
    budget: &Arc<Budget>,
) -> Option<String> {
    let bound = found.sides.iter().flatten().next()?;
    let x = variable.as_str();
    // Beside ∞ the substitution x = a + (1 - t)/t multiplies by 1/t², which is x² there.
    let infinite = |side: &str, x: &str| {
        let power = Rational::from(&bound.power + 2);
        Some((format!("beside its {side} end"), [x.to_owned(), format!("log {}", in_parentheses(x))], power, None))
    };
    let finite = |side: &str, text: String, scale: Option<Rational>| {
        let text = without_parentheses(&text).to_owned();
        let distance = match (side, &*text) {
            ("lower", "0") => x.to_owned(),
            ("lower", a) => format!("({x} - {})", in_parentheses(a)),
            (_, "0") => format!("(-{x})"),
            (_, b) => format!("({} - {x})", in_parentheses(b)),
        };
        // A long end would make the bound hard to read: it is called d then.
        let (place, distance) = match text.len() <= MOST_LETTERS {
            true => (format!("beside {x} = {text}"), distance),
            false => (format!("at the distance d from its {side} end"), "d".to_owned()),
        };
        let logarithm = format!("log (1/{distance})");
        Some((place, [distance, logarithm], Rational::from(-&bound.power), scale))
    };
    // 1/d and log (1/d) go to ∞ at a finite end, x and log x at an infinite one.
    let (place, [base, logarithm], power, scale) = match (range, end) {
        (WrittenRange::Unit, 0) => finite("lower", "0".to_owned(), None),
        (WrittenRange::Unit, _) => finite("upper", "1".to_owned(), None),
        (WrittenRange::Between(ends), _) => {
            let [a, b] = [enclose_closed(ends[0], budget)?, enclose_closed(ends[1], budget)?];
            let side = if (*a.lo() < *b.lo()) == (end == 0) { "lower" } else { "upper" };
            let context = Mpfr::new(BITS);
            let length = context.to_enclosure(&context.sub(&to_number(&context, &b)?, &to_number(&context, &a)?));
            let exponent = Rational::from(-&bound.power);
            finite(side, text_of(ends[end])?, Some(power_below(&length, &exponent)?))
        }
        (WrittenRange::From(_), 0) => infinite("upper", x),
        (WrittenRange::UpTo(_), 0) => infinite("lower", &format!("abs {x}")),
        (WrittenRange::From(a), _) => finite("lower", text_of(a)?, None),
        (WrittenRange::UpTo(b), _) => finite("upper", text_of(b)?, None),
        // The line is two half-lines, and the place does not tell which.
        (WrittenRange::Line, 0) => {
            let (_, names, power, scale) = infinite("", &format!("abs {x}"))?;
            Some(("beside an infinite end".to_owned(), names, power, scale))
        }
        (WrittenRange::Line, _) => return None,
    }?;
    let coefficient = scale.map_or_else(|| bound.coefficient.clone(), |scale| scale * &bound.coefficient);
    let large = write_bound(bound.is_positive, &coefficient, [(&base, &power), (&logarithm, &bound.log_power)])?;
    Some(format!("the integral diverges: {place} the integrand is {large}"))
}

/// Describes an integral that diverges at a place inside of its range.
fn describe_pole(
    found: &DivergentIntegral,
    WrittenIntegral { range, variable: x }: &WrittenIntegral<'_>,
    budget: &Arc<Budget>,
) -> Option<String> {
    let context = Mpfr::new(BITS);
    let [low, high] = found.place.each_ref().map(|bound| context.enclose_rational(bound));
    // The place is known as an interval of t in [0, 1].
    let t = context.hull(&low, &high);
    let one = context.enclose_integer(1);
    let number = |term: &Term| to_number(&context, &enclose_closed(term, budget)?);
    // x and its slope in t, by whose absolute value distances are multiplied.
    let (place, slope, weight) = match range {
        WrittenRange::Unit => (t.clone(), one.clone(), one.clone()),
        WrittenRange::Between([a, b]) => {
            let (a, b) = (number(a)?, number(b)?);
            let length = context.sub(&b, &a);
            (context.add(&a, &context.mul(&length, &t)), context.abs(&length), one.clone())
        }
        WrittenRange::From(a) => {
            let square = context.power(&t, 2);
            let beyond = context.div(&context.sub(&one, &t), &t);
            (context.add(&number(a)?, &beyond), context.div(&one, &square), square)
        }
        WrittenRange::UpTo(_) | WrittenRange::Line => return None,
    };
    let place = context.to_enclosure(&place);
    let is_exact = place.is_point();
    let about = if is_exact { String::new() } else { "about ".to_owned() };
    let digits = place.lo().to_rational().filter(|_| is_exact).and_then(|place| decimal::print_short(&place));
    // Six digits where the place is no short decimal, such as that of a root.
    let digits = match digits {
        Some(digits) => digits,
        None => decimal::print_short(&decimal::parse(&format!("{:.5e}", place.lo().to_f64())).ok()?)?,
    };
    let written = format!("{about}{x} = {digits}");
    if cancels(found) {
        return Some(format!("not absolutely integrable at {written}; a principal value is no integral"));
    }
    let [Some(left), Some(right)] = &found.sides else {
        return Some(format!("the integral diverges: its integrand is too large on one side of {written}"));
    };
    // The lesser of both bounds holds on both sides; only bounds by one function are compared.
    if (&left.power, &left.log_power) != (&right.power, &right.log_power) {
        return None;
    }
    let DivergenceBound { is_positive, power, log_power, .. } = left;
    let coefficient = (&left.coefficient).min(&right.coefficient);
    // A distance in t is a distance in x divided by the slope.
    let [slope, weight] = [slope, weight].map(|number| context.to_enclosure(&number));
    let scale = power_below(&slope, &Rational::from(-power))? * weight.lo().to_rational()?;
    let distance = match (&*digits, power.is_integer() && power.numer().is_even()) {
        _ if !is_exact => "d".to_owned(),
        ("0", true) => x.clone(),
        ("0", false) => format!("(abs {x})"),
        (place, true) => format!("({x} - {})", in_parentheses(place)),
        (place, false) => format!("abs ({x} - {})", in_parentheses(place)),
    };
    let (logarithm, power) = (format!("log (1/{distance})"), Rational::from(-power));
    let large = write_bound(*is_positive, &(coefficient * scale), [(&distance, &power), (&logarithm, log_power)])?;
    let from = if is_exact { format!("beside {written}") } else { format!("at the distance d from {written}") };
    Some(format!("the integral diverges: {from} the integrand is {large}"))
}

/// Removes the parentheses around a whole text.
fn without_parentheses(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return text };
    let mut depth = 1;
    let closes_early = inner.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    });
    if closes_early { text } else { without_parentheses(inner.trim()) }
}

/// Writes a text as an operand: in parentheses unless it is one word.
fn in_parentheses(text: &str) -> String {
    let is_word = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'));
    if is_word { text.to_owned() } else { format!("({text})") }
}

/// Returns an enclosure as a number of a context. Returns `None` if an end is infinite.
fn to_number(context: &Mpfr, found: &Enclosure) -> Option<<Mpfr as Context>::Num> {
    let [lo, hi] = [found.lo(), found.hi()].map(|end| Some(context.enclose_rational(&end.to_rational()?)));
    Some(context.hull(&lo?, &hi?))
}

/// Returns a number that is at most the power of the absolute value of each number in an enclosure. Returns `None` if there is none.
fn power_below(x: &Enclosure, e: &Rational) -> Option<Rational> {
    let context = Mpfr::new(BITS);
    let x = context.abs(&to_number(&context, x)?);
    // |x|ᵉ = exp (e·log |x|), also for fractions e.
    let logarithm = context.apply_function(Function::Log, &x);
    let power = context.apply_function(Function::Exp, &context.mul(&context.enclose_rational(e), &logarithm));
    let power = context.to_enclosure(&power);
    power.lo().to_rational().filter(|least| power.is_defined() && *least > 0)
}

/// Writes a bound: a coefficient, a function that is divided by with an exponent, and one that is multiplied by with an exponent.
fn write_bound(is_positive: bool, coefficient: &Rational, [base, logarithm]: [(&str, &Rational); 2]) -> Option<String> {
    let digits = round_below(coefficient)?;
    let (mut above, mut below) = (Vec::new(), Vec::new());
    let mut push = |text: &str, e: Rational| {
        let size = e.clone().abs();
        let own = match size.is_integer() {
            _ if e == 0 => return,
            true if size == 1 => text.to_owned(),
            true => format!("{}^{size}", in_brackets(text)),
            false => format!("{}^({size})", in_brackets(text)),
        };
        if e > 0 { above.push(own) } else { below.push(own) }
    };
    push(base.0, Rational::from(-base.1));
    push(logarithm.0, logarithm.1.clone());
    let mut text = digits;
    above.iter().for_each(|factor| text += &format!("*{factor}"));
    match &below[..] {
        [] => {}
        // Applications bind more tightly than quotients.
        [one] => text += &format!("/{one}"),
        several => text += &format!("/({})", several.join("*")),
    }
    Some(if is_positive { format!("at least {text}") } else { format!("at most -{text}") })
}

/// Writes a text as the base of a power.
fn in_brackets(text: &str) -> String {
    if text.starts_with('(') { text.to_owned() } else { in_parentheses(text) }
}

/// Writes a number of two digits that is less than a positive one. Returns `None` if it is too large or too small.
fn round_below(number: &Rational) -> Option<String> {
    let size = number.to_f64().log10().floor();
    if !(-300.0..300.0).contains(&size) {
        return None;
    }
    // The estimate may be off by one where a number is nearly a power of 10.
    let found = (-1..=2).find_map(|off| {
        let unit = decimal::parse(&format!("1e{}", size as i32 - off)).ok()?;
        let digits = Rational::from(number / &unit).ceil().numer().to_u32()?.checked_sub(1)?;
        (10..100).contains(&digits).then(|| unit * digits)
    });
    decimal::print_short(&found?)
}
