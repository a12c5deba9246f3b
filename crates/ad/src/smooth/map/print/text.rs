//! Expressions as text, with their precedence for brackets.

use crate::number::Rational;

/// The precedence of an expression, loosest first, as in the grammar of the language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
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
pub(super) struct Text {
    level: Level,
    text: String,
}

impl Text {
    pub(super) fn atom(text: impl AsRef<str>) -> Self {
        Self { level: Level::Argument, text: text.as_ref().to_owned() }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text for a place that needs at least the precedence `level`, with brackets if necessary.
    pub(super) fn in_place(&self, level: Level) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    pub(super) fn tuple(parts: &[Self]) -> Self {
        let inside: Vec<_> = parts.iter().map(|p| p.in_place(Level::Open)).collect();
        Self::atom(format!("({})", inside.join(", ")))
    }

    pub(super) fn rational(q: &Rational) -> Self {
        let level = match (*q.denom() == 1, *q < 0) {
            (true, false) => Level::Argument,
            (true, true) => Level::Negative,
            (false, _) => Level::Product,
        };
        Self { level, text: q.to_string() }
    }

    pub(super) fn negative(a: &Self) -> Self {
        Self { level: Level::Negative, text: format!("-{}", a.in_place(Level::Power)) }
    }

    /// Writes an operator that associates to the left.
    pub(super) fn infix(a: &Self, operator: &str, b: &Self, level: Level) -> Self {
        // the right operand binds one level tighter: a - (b - c) keeps its brackets
        let right = if level == Level::Sum { Level::Product } else { Level::Power };
        Self { level, text: format!("{}{operator}{}", a.in_place(level), b.in_place(right)) }
    }

    pub(super) fn power(a: &Self, numerator: i64, denominator: u32) -> Self {
        let exponent = match (numerator, denominator) {
            (n, 1) if n >= 0 => n.to_string(),
            (n, 1) => format!("({n})"),
            (n, d) => format!("({n}/{d})"),
        };
        Self { level: Level::Power, text: format!("{}^{exponent}", a.in_place(Level::Argument)) }
    }

    pub(super) fn application(function: &str, arguments: &[Self]) -> Self {
        Self::applied(&Self::atom(function), arguments)
    }

    pub(super) fn applied(function: &Self, arguments: &[Self]) -> Self {
        let mut text = function.in_place(Level::Application);
        for a in arguments {
            text.push(' ');
            text.push_str(&a.in_place(Level::Argument));
        }
        Self { level: Level::Application, text }
    }

    /// Writes a choice by the sign of a number.
    pub(super) fn choice(number: &Self, then: &Self, otherwise: &Self) -> Self {
        let number = number.in_place(Level::Sum);
        Self { level: Level::Open, text: format!("if {number} > 0 then {} else {}", then.text, otherwise.text) }
    }

    /// Writes a function; without parameters, its body alone.
    pub(super) fn lambda(parameters: &[String], body: &Self) -> Self {
        if parameters.is_empty() {
            return body.clone();
        }
        Self { level: Level::Open, text: format!("\\{} => {}", parameters.join(" "), body.text) }
    }

    pub(super) fn binding(name: &str, value: &Self, separator: &str, body: &Self) -> Self {
        Self { level: Level::Open, text: format!("let {name} = {} in{separator}{}", value.text, body.text) }
    }
}
