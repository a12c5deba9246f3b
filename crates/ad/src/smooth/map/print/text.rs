//! Expressions as text, with their precedence for brackets.

use crate::number::Rational;

/// The precedence of an expression, loosest first, as in the grammar of the language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum PrecedenceLevel {
    /// `\x => e`, `let … in e`
    Open,
    /// `a + b`
    Sum,
    /// `a * b`
    Product,
    /// `-a`
    Negative,
    /// `a ^ b`
    Power,
    /// `f a`
    Application,
    /// An argument of a function without brackets.
    Argument,
}

/// An expression as text.
#[derive(Clone, Debug)]
pub(super) struct ExprText {
    level: PrecedenceLevel,
    text: String,
}

impl ExprText {
    pub(super) fn atom(text: impl AsRef<str>) -> Self {
        Self { level: PrecedenceLevel::Argument, text: text.as_ref().to_owned() }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn is_text(&self, text: &str) -> bool {
        self.text == text
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text for a place that needs at least the precedence `level`, with brackets if necessary.
    pub(super) fn bracketed_for(&self, level: PrecedenceLevel) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    pub(super) fn tuple(parts: &[Self]) -> Self {
        let inside: Vec<_> = parts.iter().map(|p| p.bracketed_for(PrecedenceLevel::Open)).collect();
        Self::atom(format!("({})", inside.join(", ")))
    }

    pub(super) fn rational(q: &Rational) -> Self {
        let level = match (*q.denom() == 1, *q < 0) {
            (true, false) => PrecedenceLevel::Argument,
            (true, true) => PrecedenceLevel::Negative,
            (false, _) => PrecedenceLevel::Product,
        };
        Self { level, text: q.to_string() }
    }

    pub(super) fn negative(a: &Self) -> Self {
        Self { level: PrecedenceLevel::Negative, text: format!("-{}", a.bracketed_for(PrecedenceLevel::Power)) }
    }

    /// Writes an operator that associates to the left.
    pub(super) fn infix(a: &Self, operator: &str, b: &Self, level: PrecedenceLevel) -> Self {
        // the right operand binds one level tighter: a - (b - c) keeps its brackets
        let right = if level == PrecedenceLevel::Sum { PrecedenceLevel::Product } else { PrecedenceLevel::Power };
        Self { level, text: format!("{}{operator}{}", a.bracketed_for(level), b.bracketed_for(right)) }
    }

    pub(super) fn power(a: &Self, numerator: i64, denominator: u32) -> Self {
        let exponent = match (numerator, denominator) {
            (n, 1) if n >= 0 => n.to_string(),
            (n, 1) => format!("({n})"),
            (n, d) => format!("({n}/{d})"),
        };
        Self {
            level: PrecedenceLevel::Power,
            text: format!("{}^{exponent}", a.bracketed_for(PrecedenceLevel::Argument)),
        }
    }

    pub(super) fn application(function: &str, arguments: &[Self]) -> Self {
        Self::apply_to(&Self::atom(function), arguments)
    }

    pub(super) fn apply_to(function: &Self, arguments: &[Self]) -> Self {
        let mut text = function.bracketed_for(PrecedenceLevel::Application);
        for a in arguments {
            text.push(' ');
            text.push_str(&a.bracketed_for(PrecedenceLevel::Argument));
        }
        Self { level: PrecedenceLevel::Application, text }
    }

    /// Writes a choice by the sign of a number.
    pub(super) fn choice(number: &Self, then: &Self, otherwise: &Self) -> Self {
        let number = number.bracketed_for(PrecedenceLevel::Sum);
        Self {
            level: PrecedenceLevel::Open,
            text: format!("if {number} > 0 then {} else {}", then.text, otherwise.text),
        }
    }

    /// Writes a function; without parameters, its body alone.
    pub(super) fn lambda(parameters: &[String], body: &Self) -> Self {
        if parameters.is_empty() {
            return body.clone();
        }
        Self { level: PrecedenceLevel::Open, text: format!("\\{} => {}", parameters.join(" "), body.text) }
    }

    pub(super) fn binding(name: &str, value: &Self, separator: &str, body: &Self) -> Self {
        Self { level: PrecedenceLevel::Open, text: format!("let {name} = {} in{separator}{}", value.text, body.text) }
    }
}
