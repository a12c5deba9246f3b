//! Maps as text: an expression of the language, with `let` for subterms that are used several times.
//!
//! A printed map is a function of as many real numbers as the map has coordinates. The language parses it if every
//! primitive from outside that occurs is defined under its printed name. No variable has the name of a primitive; of
//! two primitives with one name the later is printed as `name'2`.
//!
//! The length grows with the number of nodes of the graph, not with the size of the tree: the text is made from the
//! compiled form, in which every value is computed once. `{}` prints one line, `{:#}` a line for each `let`. Terms
//! below many binders, or after very many operations, are printed as `…`.
//!
//! ```
//! use smoothish_ad::smooth::map::{Map, coordinates};
//! use typenum::{U1, U2};
//! let [x, y] = coordinates();
//! let s: Map<U2, U1> = x.sin() * y;
//! assert_eq!((&s * &s - &s).to_string(), "\\x y => let s = sin x * y in s * s - s");
//! ```
//!
//! # Expressions as text
//!
//! Expressions as text, with their precedence for brackets.

use super::primitive::PrimitiveNames;
use super::{DynMap, Map};
use crate::number::Rational;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::program::{Block, BlockInstruction, BlockRegister, CompiledMap, ExactConstant, OperandUse};
use crate::stack::with_stack;
use std::fmt;

/// The largest number of nested binders that are printed. A choice, as the next two.
const MAX_PRINTED_BINDERS: u32 = 64;
/// The largest number of operations that are printed.
const MAX_PRINTED_OPERATIONS: usize = 100_000;
/// The largest length of a term that is inlined where it is used, if it is used once.
const MAX_INLINE_LENGTH: usize = 60;

struct MapPrinter<'p> {
    program: &'p CompiledMap,
    multiline: bool,
    lets: usize,
    binders: usize,
    lines: usize,
    depth: u32,
    operations: usize,
    names: PrimitiveNames,
}

/// Returns the first of `base`, `base1`, `base2`, … that is not the name of a primitive.
fn fresh_name(base: &str, count: &mut usize, names: &PrimitiveNames) -> String {
    loop {
        let name = if *count == 0 { base.to_owned() } else { format!("{base}{count}") };
        *count += 1;
        if !names.contains(&name) {
            return name;
        }
    }
}

/// Names the parameters `x`, `y`, `z`, or `x0`, `x1`, …; `y0`, `y1`, … and so on if one of them is the name of a
/// primitive.
fn parameter_names(n: usize, names: &PrimitiveNames) -> Vec<String> {
    let few = (n <= 3).then(|| ["x", "y", "z"][..n].iter().map(|s| (*s).to_owned()).collect());
    let bases = ["x", "y", "z", "a", "b", "c"].map(str::to_owned).into_iter().chain((0..).map(|k| format!("x{k}_")));
    let mut lists = few.into_iter().chain(bases.map(|base| (0..n).map(|i| format!("{base}{i}")).collect::<Vec<_>>()));
    lists.find(|list: &Vec<String>| !list.iter().any(|name| names.contains(name))).unwrap_or_default()
}

impl MapPrinter<'_> {
    /// Prints the body of a block, its `let`s first, given the names of its parameters and captures.
    fn print_block(&mut self, block: &Block, inputs: &[String], outermost: bool) -> ExprText {
        if self.depth >= MAX_PRINTED_BINDERS || self.operations > MAX_PRINTED_OPERATIONS {
            return ExprText::atom("…");
        }
        self.depth += 1;
        let body = with_stack(|| self.print_body(block, inputs, outermost));
        self.depth -= 1;
        body
    }

    fn print_body(&mut self, block: &Block, inputs: &[String], outermost: bool) -> ExprText {
        // inputs come first among the registers
        let first = inputs.len();
        let uses = count_uses(block, first);
        let mut values: Vec<ExprText> = inputs.iter().map(ExprText::atom).collect();
        let mut lets: Vec<(String, ExprText)> = Vec::new();
        for (i, instruction) in block.instructions.iter().enumerate() {
            self.operations += 1;
            let value = self.print_instruction(instruction, &values);
            // constants are inlined always; a guard is not a term of the language
            let constant = matches!(instruction, BlockInstruction::Constant(_) | BlockInstruction::Guard(_));
            let once = uses[first + i] <= 1 && value.len() <= MAX_INLINE_LENGTH;
            values.push(if constant || once {
                value
            } else {
                let name = fresh_name("s", &mut self.lets, &self.names);
                lets.push((name.clone(), value));
                ExprText::atom(&name)
            });
            if self.operations > MAX_PRINTED_OPERATIONS {
                return ExprText::atom("…");
            }
        }
        let outputs: Vec<_> = block.outputs.iter().map(|r| values[r.0 as usize].clone()).collect();
        let result = match &outputs[..] {
            [one] => one.clone(),
            many => ExprText::tuple(many),
        };
        let separator = if self.multiline && outermost { "\n" } else { " " };
        lets.into_iter().rev().fold(result, |body, (name, value)| ExprText::binding(&name, &value, separator, &body))
    }

    fn print_instruction(&mut self, instruction: &BlockInstruction, values: &[ExprText]) -> ExprText {
        let of = |r: &BlockRegister| values[r.0 as usize].clone();
        match instruction {
            BlockInstruction::Constant(c) => match &self.program.constants[*c as usize] {
                ExactConstant::Rational(q) => ExprText::rational(q),
                ExactConstant::Pi => ExprText::atom("pi"),
                ExactConstant::Euler => ExprText::atom("e"),
            },
            BlockInstruction::Unary(Unary::Negate, x) => ExprText::negative(&of(x)),
            BlockInstruction::Unary(Unary::Abs, x) => ExprText::application("abs", &[of(x)]),
            BlockInstruction::Unary(Unary::Signum, x) => ExprText::application("signum", &[of(x)]),
            BlockInstruction::Unary(Unary::Function(f), x) => ExprText::application(&f.to_string(), &[of(x)]),
            BlockInstruction::Binary(f, x, y) => match f {
                Binary::Add => ExprText::infix(&of(x), " + ", &of(y), PrecedenceLevel::Sum),
                Binary::Subtract => ExprText::infix(&of(x), " - ", &of(y), PrecedenceLevel::Sum),
                Binary::Multiply => ExprText::infix(&of(x), " * ", &of(y), PrecedenceLevel::Product),
                Binary::Divide => ExprText::infix(&of(x), " / ", &of(y), PrecedenceLevel::Product),
                Binary::Maximum => ExprText::application("max", &[of(x), of(y)]),
                Binary::Minimum => ExprText::application("min", &[of(x), of(y)]),
                Binary::Planar(f) => ExprText::application(f.name(), &[of(x), of(y)]),
            },
            // a guard is printed as its number, in the choice
            BlockInstruction::Guard(x) => of(x),
            BlockInstruction::Select { guard, then, otherwise } => {
                ExprText::choice(&of(guard), &of(then), &of(otherwise))
            }
            BlockInstruction::Power(x, e) => ExprText::power(&of(x), e.numerator, e.denominator),
            BlockInstruction::Primitive(p, xs) => {
                ExprText::application(self.names.get(p), &xs.iter().map(of).collect::<Vec<_>>())
            }
            BlockInstruction::Second { primitive, body, captures, .. } => {
                let name = primitive.functional().name();
                let (function, _) = self.print_function(body, captures, values);
                ExprText::application(name, &[function])
            }
            BlockInstruction::Derivative { body, captures, at, along, .. } => {
                let (function, _) = self.print_function(body, captures, values);
                // one variable: `deriv` of the language, times the direction
                if let ([x], [v]) = (&at[..], &along[..]) {
                    let slope = ExprText::application("deriv", &[function, of(x)]);
                    let v = of(v);
                    return if v.is_text("1") {
                        slope
                    } else {
                        ExprText::infix(&slope, " * ", &v, PrecedenceLevel::Product)
                    };
                }
                // several variables: the derivative along a line, at 0
                let h = fresh_name("h", &mut self.lines, &self.names);
                let step = |(x, v): (&BlockRegister, &BlockRegister)| {
                    let moved = ExprText::infix(&ExprText::atom(&h), " * ", &of(v), PrecedenceLevel::Product);
                    ExprText::infix(&of(x), " + ", &moved, PrecedenceLevel::Sum)
                };
                let moved: Vec<_> = at.iter().zip(along).map(step).collect();
                let line = ExprText::lambda(std::slice::from_ref(&h), &ExprText::apply_to(&function, &moved));
                ExprText::application("deriv", &[line, ExprText::atom("0")])
            }
        }
    }

    /// Prints a block as a function of its parameters. The captures have names, or are short.
    fn print_function(&mut self, body: &Block, captures: &[BlockRegister], values: &[ExprText]) -> (ExprText, usize) {
        let names: Vec<_> = (0..body.parameters).map(|_| fresh_name("t", &mut self.binders, &self.names)).collect();
        let captured = captures.iter().map(|r| values[r.0 as usize].bracketed_for(PrecedenceLevel::Argument));
        let inputs: Vec<_> = names.iter().cloned().chain(captured).collect();
        let text = self.print_block(body, &inputs, false);
        (ExprText::lambda(&names, &text), names.len())
    }
}

/// Counts the uses of each value. A capture counts twice, so that it gets a name, and so does the number of a guard
/// with several choices.
fn count_uses(block: &Block, inputs: usize) -> Vec<usize> {
    let mut uses = vec![0usize; inputs + block.instructions.len()];
    for instruction in &block.instructions {
        instruction.for_each_read(|r, used| uses[r.0 as usize] += if used == OperandUse::Capture { 2 } else { 1 });
    }
    block.outputs.iter().for_each(|r| uses[r.0 as usize] += 1);
    for (i, instruction) in block.instructions.iter().enumerate() {
        if let BlockInstruction::Guard(number) = instruction {
            uses[number.0 as usize] += uses[inputs + i].saturating_sub(1);
        }
    }
    uses
}

impl fmt::Display for DynMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.program();
        let names = PrimitiveNames::of_graphs(self.outputs());
        let inputs = parameter_names(self.input_count(), &names);
        let multiline = f.alternate();
        let mut printer =
            MapPrinter { program, multiline, lets: 0, binders: 0, lines: 0, depth: 0, operations: 0, names };
        let body = printer.print_block(&program.root, &inputs, true);
        f.write_str(ExprText::lambda(&inputs, &body).as_str())
    }
}

impl<N, M> fmt::Display for Map<N, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_dyn.fmt(f)
    }
}

/// The precedence of an expression, loosest first, as in the grammar of the language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum PrecedenceLevel {
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
struct ExprText {
    level: PrecedenceLevel,
    text: String,
}

impl ExprText {
    fn atom(text: impl AsRef<str>) -> Self {
        Self { level: PrecedenceLevel::Argument, text: text.as_ref().to_owned() }
    }

    fn len(&self) -> usize {
        self.text.len()
    }

    fn is_text(&self, text: &str) -> bool {
        self.text == text
    }

    fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text for a place that needs at least the precedence `level`, with brackets if necessary.
    fn bracketed_for(&self, level: PrecedenceLevel) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    fn tuple(parts: &[Self]) -> Self {
        let inside: Vec<_> = parts.iter().map(|p| p.bracketed_for(PrecedenceLevel::Open)).collect();
        Self::atom(format!("({})", inside.join(", ")))
    }

    fn rational(q: &Rational) -> Self {
        let level = match (*q.denom() == 1, *q < 0) {
            (true, false) => PrecedenceLevel::Argument,
            (true, true) => PrecedenceLevel::Negative,
            (false, _) => PrecedenceLevel::Product,
        };
        Self { level, text: q.to_string() }
    }

    fn negative(a: &Self) -> Self {
        Self { level: PrecedenceLevel::Negative, text: format!("-{}", a.bracketed_for(PrecedenceLevel::Power)) }
    }

    /// Writes an operator that associates to the left.
    fn infix(a: &Self, operator: &str, b: &Self, level: PrecedenceLevel) -> Self {
        // the right operand binds one level tighter: a - (b - c) keeps its brackets
        let right = if level == PrecedenceLevel::Sum { PrecedenceLevel::Product } else { PrecedenceLevel::Power };
        Self { level, text: format!("{}{operator}{}", a.bracketed_for(level), b.bracketed_for(right)) }
    }

    fn power(a: &Self, numerator: i64, denominator: u32) -> Self {
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

    fn application(function: &str, arguments: &[Self]) -> Self {
        Self::apply_to(&Self::atom(function), arguments)
    }

    fn apply_to(function: &Self, arguments: &[Self]) -> Self {
        let mut text = function.bracketed_for(PrecedenceLevel::Application);
        for a in arguments {
            text.push(' ');
            text.push_str(&a.bracketed_for(PrecedenceLevel::Argument));
        }
        Self { level: PrecedenceLevel::Application, text }
    }

    /// Writes a choice by the sign of a number.
    fn choice(number: &Self, then: &Self, otherwise: &Self) -> Self {
        let number = number.bracketed_for(PrecedenceLevel::Sum);
        Self {
            level: PrecedenceLevel::Open,
            text: format!("if {number} > 0 then {} else {}", then.text, otherwise.text),
        }
    }

    /// Writes a function; without parameters, its body alone.
    fn lambda(parameters: &[String], body: &Self) -> Self {
        if parameters.is_empty() {
            return body.clone();
        }
        Self { level: PrecedenceLevel::Open, text: format!("\\{} => {}", parameters.join(" "), body.text) }
    }

    fn binding(name: &str, value: &Self, separator: &str, body: &Self) -> Self {
        Self { level: PrecedenceLevel::Open, text: format!("let {name} = {} in{separator}{}", value.text, body.text) }
    }
}
