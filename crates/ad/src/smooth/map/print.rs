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

mod text;

use super::Map;
use super::trust::Names;
use super::untyped::Untyped;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::program::{Block, Constant, Instruction, Program, Register, Use};
use crate::stack::deep;
use std::fmt;
use text::{Level, Text};

/// The largest number of nested binders that are printed. A choice, as the next two.
const DEEPEST: u32 = 64;
/// The largest number of operations that are printed.
const LONGEST: usize = 100_000;
/// The largest length of a term that is inlined where it is used, if it is used once.
const INLINE: usize = 60;

struct Printer<'p> {
    program: &'p Program,
    multiline: bool,
    lets: usize,
    binders: usize,
    lines: usize,
    depth: u32,
    operations: usize,
    names: Names,
}

/// Returns the first of `base`, `base1`, `base2`, … that is not the name of a primitive.
fn fresh(base: &str, count: &mut usize, names: &Names) -> String {
    loop {
        let name = if *count == 0 { base.to_owned() } else { format!("{base}{count}") };
        *count += 1;
        if !names.contain(&name) {
            return name;
        }
    }
}

/// Names the parameters `x`, `y`, `z`, or `x0`, `x1`, …; `y0`, `y1`, … and so on if one of them is the name of a
/// primitive.
fn parameters(n: usize, names: &Names) -> Vec<String> {
    let few = (n <= 3).then(|| ["x", "y", "z"][..n].iter().map(|s| (*s).to_owned()).collect());
    let bases = ["x", "y", "z", "a", "b", "c"].map(str::to_owned).into_iter().chain((0..).map(|k| format!("x{k}_")));
    let mut lists = few.into_iter().chain(bases.map(|base| (0..n).map(|i| format!("{base}{i}")).collect::<Vec<_>>()));
    lists.find(|list: &Vec<String>| !list.iter().any(|name| names.contain(name))).unwrap_or_default()
}

impl Printer<'_> {
    /// Prints the body of a block, its `let`s first, given the names of its parameters and captures.
    fn block(&mut self, block: &Block, inputs: &[String], outermost: bool) -> Text {
        if self.depth >= DEEPEST || self.operations > LONGEST {
            return Text::atom("…");
        }
        self.depth += 1;
        let body = deep(|| self.body(block, inputs, outermost));
        self.depth -= 1;
        body
    }

    fn body(&mut self, block: &Block, inputs: &[String], outermost: bool) -> Text {
        // inputs come first among the registers
        let first = inputs.len();
        let uses = uses(block, first);
        let mut values: Vec<Text> = inputs.iter().map(Text::atom).collect();
        let mut lets: Vec<(String, Text)> = Vec::new();
        for (i, instruction) in block.instructions.iter().enumerate() {
            self.operations += 1;
            let value = self.instruction(instruction, &values);
            // constants are inlined always; a guard is not a term of the language
            let constant = matches!(instruction, Instruction::Constant(_) | Instruction::Guard(_));
            let once = uses[first + i] <= 1 && value.len() <= INLINE;
            values.push(if constant || once {
                value
            } else {
                let name = fresh("s", &mut self.lets, &self.names);
                lets.push((name.clone(), value));
                Text::atom(&name)
            });
            if self.operations > LONGEST {
                return Text::atom("…");
            }
        }
        let outputs: Vec<_> = block.outputs.iter().map(|r| values[r.0 as usize].clone()).collect();
        let result = match &outputs[..] {
            [one] => one.clone(),
            many => Text::tuple(many),
        };
        let separator = if self.multiline && outermost { "\n" } else { " " };
        lets.into_iter().rev().fold(result, |body, (name, value)| Text::binding(&name, &value, separator, &body))
    }

    fn instruction(&mut self, instruction: &Instruction, values: &[Text]) -> Text {
        let of = |r: &Register| values[r.0 as usize].clone();
        match instruction {
            Instruction::Constant(c) => match &self.program.constants[*c as usize] {
                Constant::Rational(q) => Text::rational(q),
                Constant::Pi => Text::atom("pi"),
                Constant::Euler => Text::atom("e"),
            },
            Instruction::Unary(Unary::Negate, x) => Text::negative(&of(x)),
            Instruction::Unary(Unary::Abs, x) => Text::application("abs", &[of(x)]),
            Instruction::Unary(Unary::Signum, x) => Text::application("signum", &[of(x)]),
            Instruction::Unary(Unary::Function(f), x) => Text::application(&f.to_string(), &[of(x)]),
            Instruction::Binary(f, x, y) => match f {
                Binary::Add => Text::infix(&of(x), " + ", &of(y), Level::Sum),
                Binary::Subtract => Text::infix(&of(x), " - ", &of(y), Level::Sum),
                Binary::Multiply => Text::infix(&of(x), " * ", &of(y), Level::Product),
                Binary::Divide => Text::infix(&of(x), " / ", &of(y), Level::Product),
                Binary::Maximum => Text::application("max", &[of(x), of(y)]),
                Binary::Minimum => Text::application("min", &[of(x), of(y)]),
                Binary::Planar(f) => Text::application(f.name(), &[of(x), of(y)]),
            },
            // a guard is printed as its number, in the choice
            Instruction::Guard(x) => of(x),
            Instruction::Select { guard, then, otherwise } => Text::choice(&of(guard), &of(then), &of(otherwise)),
            Instruction::Power(x, e) => Text::power(&of(x), e.numerator, e.denominator),
            Instruction::Primitive(p, xs) => {
                Text::application(self.names.get(p), &xs.iter().map(of).collect::<Vec<_>>())
            }
            Instruction::Second { primitive, body, captures, .. } => {
                let name = primitive.functional().name();
                let (function, _) = self.function(body, captures, values);
                Text::application(name, &[function])
            }
            Instruction::Derivative { body, captures, at, along, .. } => {
                let (function, _) = self.function(body, captures, values);
                // one variable: `deriv` of the language, times the direction
                if let ([x], [v]) = (&at[..], &along[..]) {
                    let slope = Text::application("deriv", &[function, of(x)]);
                    let v = of(v);
                    return if v.is("1") { slope } else { Text::infix(&slope, " * ", &v, Level::Product) };
                }
                // several variables: the derivative along a line, at 0
                let h = fresh("h", &mut self.lines, &self.names);
                let step = |(x, v): (&Register, &Register)| {
                    let moved = Text::infix(&Text::atom(&h), " * ", &of(v), Level::Product);
                    Text::infix(&of(x), " + ", &moved, Level::Sum)
                };
                let moved: Vec<_> = at.iter().zip(along).map(step).collect();
                let line = Text::lambda(std::slice::from_ref(&h), &Text::applied(&function, &moved));
                Text::application("deriv", &[line, Text::atom("0")])
            }
        }
    }

    /// Prints a block as a function of its parameters. The captures have names, or are short.
    fn function(&mut self, body: &Block, captures: &[Register], values: &[Text]) -> (Text, usize) {
        let names: Vec<_> = (0..body.parameters).map(|_| fresh("t", &mut self.binders, &self.names)).collect();
        let captured = captures.iter().map(|r| values[r.0 as usize].in_place(Level::Argument));
        let inputs: Vec<_> = names.iter().cloned().chain(captured).collect();
        let text = self.block(body, &inputs, false);
        (Text::lambda(&names, &text), names.len())
    }
}

/// Counts the uses of each value. A capture counts twice, so that it gets a name, and so does the number of a guard
/// with several choices.
fn uses(block: &Block, inputs: usize) -> Vec<usize> {
    let mut uses = vec![0usize; inputs + block.instructions.len()];
    for instruction in &block.instructions {
        instruction.reads(|r, used| uses[r.0 as usize] += if used == Use::Capture { 2 } else { 1 });
    }
    block.outputs.iter().for_each(|r| uses[r.0 as usize] += 1);
    for (i, instruction) in block.instructions.iter().enumerate() {
        if let Instruction::Guard(number) = instruction {
            uses[number.0 as usize] += uses[inputs + i].saturating_sub(1);
        }
    }
    uses
}

impl fmt::Display for Untyped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.program();
        let names = Names::of(self.outputs());
        let inputs = parameters(self.inputs(), &names);
        let multiline = f.alternate();
        let mut printer = Printer { program, multiline, lets: 0, binders: 0, lines: 0, depth: 0, operations: 0, names };
        let body = printer.block(&program.root, &inputs, true);
        f.write_str(Text::lambda(&inputs, &body).as_str())
    }
}

impl<N, M> fmt::Display for Map<N, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.untyped.fmt(f)
    }
}
