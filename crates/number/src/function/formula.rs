//! Programs of one variable or two, as data: what slopes are written in.

use super::Function;
use std::fmt;

/// A program with the variable x, a second one where the function whose slope it is has two, and y for its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The argument, the first one of two.
    X,
    /// The second argument.
    Second,
    /// The value of the function at the argument.
    Y,
    /// The quotient of two integers, the second above 0.
    Number(i8, u8),
    /// π
    Pi,
    /// -a
    Negate(&'static Formula),
    /// a + b
    Add(&'static Formula, &'static Formula),
    /// a - b
    Subtract(&'static Formula, &'static Formula),
    /// a · b
    Multiply(&'static Formula, &'static Formula),
    /// a / b
    Divide(&'static Formula, &'static Formula),
    /// a²
    Square(&'static Formula),
    /// 1/a
    Inverse(&'static Formula),
    /// 1/√a
    InverseRoot(&'static Formula),
    /// A function of a.
    Apply(Function, &'static Formula),
}

/// One step of a computation: an operation at what its arguments are.
#[derive(Clone, Debug)]
pub enum FormulaStep<V> {
    /// An argument, by its index.
    Argument(usize),
    /// The value of the function at the argument.
    Y,
    /// The quotient of two integers.
    Number(i8, u8),
    /// π
    Pi,
    /// -a
    Negate(V),
    /// a + b
    Add(V, V),
    /// a - b
    Subtract(V, V),
    /// a · b
    Multiply(V, V),
    /// a / b
    Divide(V, V),
    /// a²
    Square(V),
    /// 1/a
    Inverse(V),
    /// 1/√a
    InverseRoot(V),
    /// A function of a.
    Apply(Function, V),
}

impl Formula {
    /// The value of the formula in numbers, jets, towers, graphs or programs, given what each step is there.
    pub fn eval_with<V>(&self, step: &mut impl FnMut(FormulaStep<V>) -> V) -> V {
        // Parts first, from left to right: `step` may build nodes in this order.
        let mut of = |formula: &Formula| formula.eval_with(step);
        let next = match *self {
            Self::X => FormulaStep::Argument(0),
            Self::Second => FormulaStep::Argument(1),
            Self::Y => FormulaStep::Y,
            Self::Number(p, q) => FormulaStep::Number(p, q),
            Self::Pi => FormulaStep::Pi,
            Self::Negate(a) => FormulaStep::Negate(of(a)),
            Self::Add(a, b) => FormulaStep::Add(of(a), of(b)),
            Self::Subtract(a, b) => FormulaStep::Subtract(of(a), of(b)),
            Self::Multiply(a, b) => FormulaStep::Multiply(of(a), of(b)),
            Self::Divide(a, b) => FormulaStep::Divide(of(a), of(b)),
            Self::Square(a) => FormulaStep::Square(of(a)),
            Self::Inverse(a) => FormulaStep::Inverse(of(a)),
            Self::InverseRoot(a) => FormulaStep::InverseRoot(of(a)),
            Self::Apply(f, a) => FormulaStep::Apply(f, of(a)),
        };
        step(next)
    }

    /// Returns `true` if the value of the function occurs.
    #[must_use]
    pub fn mentions_value(&self) -> bool {
        let mut found = false;
        self.eval_with(&mut |step: FormulaStep<()>| found |= matches!(step, FormulaStep::Y));
        found
    }

    /// Returns `true` if it is a number: no argument occurs, and no value.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let mut closed = true;
        self.eval_with(&mut |step: FormulaStep<()>| {
            closed &= !matches!(step, FormulaStep::Argument(_) | FormulaStep::Y)
        });
        closed
    }

    /// The formula and its parts, the whole first.
    #[must_use]
    pub fn list_subformulas(&'static self) -> Vec<Formula> {
        let mut parts = vec![*self];
        match self {
            Self::X | Self::Second | Self::Y | Self::Number(..) | Self::Pi => {}
            Self::Negate(a) | Self::Square(a) | Self::Inverse(a) | Self::InverseRoot(a) | Self::Apply(_, a) => {
                parts.extend(a.list_subformulas());
            }
            Self::Add(a, b) | Self::Subtract(a, b) | Self::Multiply(a, b) | Self::Divide(a, b) => {
                parts.extend(a.list_subformulas().into_iter().chain(b.list_subformulas()));
            }
        }
        parts
    }

    /// Returns the binding strength of the outermost operation: sums, products, applications, atoms.
    fn binding_level(&self) -> u8 {
        match self {
            Self::Add(..) | Self::Subtract(..) | Self::Negate(_) | Self::Number(i8::MIN..0, _) => 0,
            Self::Number(_, 1) | Self::X | Self::Second | Self::Y | Self::Pi => 4,
            Self::Square(_) => 3,
            Self::Number(..) | Self::Multiply(..) | Self::Divide(..) | Self::Inverse(_) | Self::InverseRoot(_) => 1,
            Self::Apply(..) => 2,
        }
    }

    /// The formula as a program of the language, with names for the first argument, the second and the value.
    pub fn display_with_names(&'static self, names: [&'static str; 3]) -> impl fmt::Display {
        FormulaDisplay { formula: self, names }
    }
}

/// A formula, and what its variables are called.
struct FormulaDisplay<'f> {
    formula: &'f Formula,
    names: [&'static str; 3],
}

impl FormulaDisplay<'_> {
    /// A part of the formula, in parentheses where it binds less tightly than that.
    fn write_operand(&self, f: &mut fmt::Formatter<'_>, formula: &Formula, least: u8) -> fmt::Result {
        if formula.binding_level() < least {
            f.write_str("(")?;
            self.write_formula(f, formula)?;
            return f.write_str(")");
        }
        self.write_formula(f, formula)
    }

    fn write_formula(&self, f: &mut fmt::Formatter<'_>, formula: &Formula) -> fmt::Result {
        let infix = |f: &mut fmt::Formatter<'_>, a: &Formula, sign: &str, b: &Formula, level: u8| {
            self.write_operand(f, a, level)?;
            f.write_str(sign)?;
            // One level more on the right: `a - (b - c)` keeps its parentheses.
            self.write_operand(f, b, level + 1)
        };
        let prefix = |f: &mut fmt::Formatter<'_>, start: &str, a: &Formula, level: u8| {
            f.write_str(start)?;
            self.write_operand(f, a, level)
        };
        let [first, second, value] = self.names;
        match formula {
            Formula::X => f.write_str(first),
            Formula::Second => f.write_str(second),
            Formula::Y => f.write_str(value),
            Formula::Pi => f.write_str("pi"),
            Formula::Number(p, 1) => write!(f, "{p}"),
            Formula::Number(p, q) => write!(f, "{p}/{q}"),
            Formula::Negate(a) => prefix(f, "-", a, 1),
            Formula::Add(a, b) => infix(f, a, " + ", b, 0),
            Formula::Subtract(a, b) => infix(f, a, " - ", b, 0),
            Formula::Multiply(a, b) => infix(f, a, " * ", b, 1),
            Formula::Divide(a, b) => infix(f, a, " / ", b, 1),
            Formula::Square(a) => {
                self.write_operand(f, a, 4)?;
                f.write_str("^2")
            }
            Formula::Inverse(a) => prefix(f, "1 / ", a, 2),
            Formula::InverseRoot(a) => prefix(f, "1 / sqrt ", a, 4),
            Formula::Apply(g, a) => {
                write!(f, "{g} ")?;
                self.write_operand(f, a, 4)
            }
        }
    }
}

impl fmt::Display for FormulaDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_formula(f, self.formula)
    }
}

/// Writes the formula as a program of the language.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        FormulaDisplay { formula: self, names: ["x", "z", "y"] }.fmt(f)
    }
}
