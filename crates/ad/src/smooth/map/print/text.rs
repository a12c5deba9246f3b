//! Pieces of text, with how tightly they hold together.

use crate::number::Rational;

/// How tightly an expression binds, loosest first, as in the grammar of the language.
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
    /// What may follow a function without brackets.
    Argument,
}

/// A piece of text.
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

    /// The text where something that binds at least so tightly is expected.
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

    /// An operator that associates to the left.
    pub(super) fn infix(a: &Self, operator: &str, b: &Self, level: Level) -> Self {
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

    /// One of two by the sign of a number.
    pub(super) fn choice(number: &Self, then: &Self, otherwise: &Self) -> Self {
        let number = number.in_place(Level::Sum);
        Self { level: Level::Open, text: format!("if {number} > 0 then {} else {}", then.text, otherwise.text) }
    }

    /// A function; of no parameters, its body.
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
