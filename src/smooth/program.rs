//! The flat form of a graph: straight-line blocks, one for each binder.
//!
//! What a binder's body does not compute from the variables it binds is *captured*: computed once in the block outside.
//! Equal operations on equal registers are one instruction.
//!
//! A choice between two parts is an instruction behind both of them, so that nothing is computed twice; what only one side
//! needs is a [region](region), which a run leaves out where the guard decides for the other side.

pub mod region;

use crate::number::Rational;
use crate::smooth::graph::{Binary, Exponent, Graph, Operation, SecondOrder, Site, Unary, Variable};
use crate::smooth::primitive::Primitive;
use crate::stack::deep;
use region::Regions;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A value in a block: first its parameters, then its captures, then the results of its instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Register(pub u32);

/// One step.
#[derive(Clone, Debug)]
pub enum Instruction {
    /// A constant of the program.
    Constant(u32),
    /// A unary operation.
    Unary(Unary, Register),
    /// A binary operation.
    Binary(Binary, Register, Register),
    /// A rational power.
    Power(Register, Exponent),
    /// A primitive from outside.
    Primitive(Arc<Primitive>, Box<[Register]>),
    /// A directional derivative of a block.
    Derivative {
        /// The map that is differentiated, by its parameters.
        body: Arc<Block>,
        /// The values of what it captures.
        captures: Box<[Register]>,
        /// The point.
        at: Box<[Register]>,
        /// The direction.
        along: Box<[Register]>,
    },
    /// A second-order primitive applied to a block of one parameter.
    Second {
        /// Which one.
        primitive: SecondOrder,
        /// The function.
        body: Arc<Block>,
        /// The values of what it captures.
        captures: Box<[Register]>,
        /// Where it stands.
        site: Site,
    },
    /// The number that decides choices: its sign is taken here, once.
    Guard(Register),
    /// A choice.
    Select {
        /// The result of a [`Instruction::Guard`] of the same block.
        guard: Register,
        /// What is chosen where the guard is positive.
        then: Register,
        /// What is chosen where it is negative.
        otherwise: Register,
    },
}

/// What an instruction reads a register for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// To compute with it.
    Operand,
    /// To hand it to a block.
    Capture,
    /// To choose it where the guard is positive.
    Then(Register),
    /// To choose it where the guard is negative.
    Otherwise(Register),
}

/// Straight-line code with parameters and captures.
#[derive(Debug)]
pub struct Block {
    /// The number of parameters.
    pub parameters: usize,
    /// The number of captures.
    pub captures: usize,
    /// The steps.
    pub instructions: Vec<Instruction>,
    /// The results.
    pub outputs: Vec<Register>,
    /// The steps that only one side of a choice needs.
    pub regions: Regions,
}

impl Block {
    /// Whether a switch is the border of a guard, where the function jumps, and not a kink.
    #[must_use]
    pub fn is_border(&self, instruction: usize) -> bool {
        matches!(self.instructions.get(instruction), Some(Instruction::Guard(_)))
    }
}

/// A constant that each context rounds for itself.
#[derive(Clone, Debug)]
pub enum Constant {
    /// An exact rational.
    Rational(Arc<Rational>),
    /// π
    Pi,
    /// Euler's number.
    Euler,
}

/// A compiled map `ℝⁿ ⇝ ℝᵐ`.
#[derive(Debug)]
pub struct Program {
    /// The constants.
    pub constants: Vec<Constant>,
    /// The outermost block.
    pub root: Block,
}

impl Program {
    /// Compiles the map `inputs ↦ outputs`. Free variables that are not inputs are a caller's error and read as ⊥
    /// inputs: see [`Program::unbound`].
    #[must_use]
    pub fn compile(inputs: &[Variable], outputs: &[Graph]) -> Self {
        let mut compiler = Compiler::default();
        let (root, captures) = compiler.block(inputs, outputs, true);
        debug_assert!(captures.is_empty(), "a free variable is not among the inputs");
        Self { constants: compiler.constants, root }
    }

    /// The free variables of `outputs` that are not among `inputs`.
    #[must_use]
    pub fn unbound(inputs: &[Variable], outputs: &[Graph]) -> Vec<Variable> {
        let free = outputs.iter().flat_map(|g| g.free()).copied();
        let mut unbound: Vec<_> = free.filter(|v| !inputs.contains(v)).collect();
        unbound.sort_unstable();
        unbound.dedup();
        unbound
    }
}

#[derive(Default)]
struct Compiler {
    constants: Vec<Constant>,
    rationals: FxHashMap<Rational, u32>,
    transcendentals: [Option<u32>; 2],
    bodies: FxHashMap<usize, (Arc<Block>, Vec<Graph>)>,
    /// Whether a graph may fail, by its address.
    failing: FxHashMap<usize, bool>,
}

/// What makes two instructions of one block the same.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Constant(u32),
    Unary(Unary, Register),
    Binary(Binary, Register, Register),
    Power(Register, Exponent),
    Guard(Register),
    Select(Register, Register, Register),
}

/// A block under construction. Captures are numbered apart until their number is known.
struct Builder<'v> {
    parameters: &'v [Variable],
    outermost: bool,
    known: FxHashMap<usize, Register>,
    values: FxHashMap<Key, Register>,
    variables: FxHashMap<Variable, Register>,
    captures: Vec<Graph>,
    instructions: Vec<Instruction>,
    /// How many sides of choices are being compiled inside each other.
    choices: usize,
}

const CAPTURE: u32 = 1 << 31;

impl Compiler {
    fn block(&mut self, parameters: &[Variable], outputs: &[Graph], outermost: bool) -> (Block, Vec<Graph>) {
        let mut builder = Builder {
            parameters,
            outermost,
            known: FxHashMap::default(),
            values: FxHashMap::default(),
            variables: FxHashMap::default(),
            captures: Vec::new(),
            instructions: Vec::new(),
            choices: 0,
        };
        let outputs: Vec<_> = outputs.iter().map(|g| self.visit(&mut builder, g)).collect();
        let Builder { captures, mut instructions, .. } = builder;
        let first = parameters.len() as u32;
        let shift = captures.len() as u32;
        let place = |r: Register| {
            Register(match r.0 {
                c if c >= CAPTURE => first + (c - CAPTURE),
                p if p < first => p,
                i => i + shift,
            })
        };
        instructions.iter_mut().for_each(|i| i.renumber(place));
        let outputs: Vec<_> = outputs.into_iter().map(place).collect();
        let regions = Regions::new(parameters.len() + captures.len(), &instructions, &outputs);
        (Block { parameters: parameters.len(), captures: captures.len(), instructions, outputs, regions }, captures)
    }

    fn visit(&mut self, b: &mut Builder, g: &Graph) -> Register {
        if let Some(&known) = b.known.get(&g.address()) {
            return known;
        }
        let register = deep(|| self.place(b, g));
        b.known.insert(g.address(), register);
        register
    }

    fn place(&mut self, b: &mut Builder, g: &Graph) -> Register {
        match g.operation() {
            Operation::Rational(q) => {
                let next = self.constants.len() as u32;
                let index = *self.rationals.entry((**q).clone()).or_insert(next);
                if index == next {
                    self.constants.push(Constant::Rational(q.clone()));
                }
                return b.value(Key::Constant(index), Instruction::Constant(index));
            }
            Operation::Pi => return self.transcendental(b, 0, Constant::Pi),
            Operation::Euler => return self.transcendental(b, 1, Constant::Euler),
            Operation::Variable(v) => {
                if let Some(i) = b.parameters.iter().position(|p| p == v) {
                    return Register(i as u32);
                }
                if let Some(&known) = b.variables.get(v) {
                    return known;
                }
                let register = b.capture(g);
                b.variables.insert(*v, register);
                return register;
            }
            _ => {}
        }
        // what may fail is not done ahead of a choice that may not need it
        if b.is_outside(g) && (b.choices == 0 || !self.may_fail(g)) {
            return b.capture(g);
        }
        match g.operation() {
            Operation::Variable(_) | Operation::Rational(_) | Operation::Pi | Operation::Euler => b.capture(g),
            Operation::Unary(f, x) => {
                let x = self.visit(b, x);
                b.value(Key::Unary(*f, x), Instruction::Unary(*f, x))
            }
            Operation::Binary(f, x, y) => {
                let (x, y) = (self.visit(b, x), self.visit(b, y));
                b.value(Key::Binary(*f, x, y), Instruction::Binary(*f, x, y))
            }
            Operation::Power(x, e) => {
                let x = self.visit(b, x);
                b.value(Key::Power(x, *e), Instruction::Power(x, *e))
            }
            Operation::Primitive(p, xs) => {
                let xs = xs.iter().map(|x| self.visit(b, x)).collect();
                b.push(Instruction::Primitive(p.clone(), xs))
            }
            Operation::Derivative(d) => {
                let (body, captures) = self.body(g, &d.variables, &d.body);
                let at = d.at.iter().map(|x| self.visit(b, x)).collect();
                let along = d.along.iter().map(|x| self.visit(b, x)).collect();
                let captures = captures.iter().map(|x| self.visit(b, x)).collect();
                b.push(Instruction::Derivative { body, captures, at, along })
            }
            Operation::Second(primitive, v, body, site) => {
                let (body, captures) = self.body(g, &[*v], body);
                let captures = captures.iter().map(|x| self.visit(b, x)).collect();
                b.push(Instruction::Second { primitive: *primitive, body, captures, site: *site })
            }
            Operation::Select(guard, then, otherwise) => {
                let (guard, negated) = self.guard(b, guard);
                b.choices += 1;
                let (x, y) = (self.visit(b, then), self.visit(b, otherwise));
                b.choices -= 1;
                let (then, otherwise) = if negated { (y, x) } else { (x, y) };
                b.value(Key::Select(guard, then, otherwise), Instruction::Select { guard, then, otherwise })
            }
        }
    }

    /// The guard with a number, or with its negative: guards with one border are one switch.
    fn guard(&mut self, b: &mut Builder, mut number: &Graph) -> (Register, bool) {
        let mut negated = false;
        while let Operation::Unary(Unary::Negate, a) = number.operation() {
            (number, negated) = (a, !negated);
        }
        let register = match number.operation() {
            Operation::Binary(Binary::Subtract, x, y) if !b.is_outside(number) => {
                let (x, y) = (self.visit(b, x), self.visit(b, y));
                negated ^= y < x;
                let (x, y) = (x.min(y), x.max(y));
                b.value(Key::Binary(Binary::Subtract, x, y), Instruction::Binary(Binary::Subtract, x, y))
            }
            _ => self.visit(b, number),
        };
        (b.value(Key::Guard(register), Instruction::Guard(register)), negated)
    }

    /// Whether evaluating a graph may be an error: the promise of a root may be broken, and nothing is known of what comes
    /// from outside.
    fn may_fail(&mut self, g: &Graph) -> bool {
        if let Some(&known) = self.failing.get(&g.address()) {
            return known;
        }
        let fails = match g.operation() {
            Operation::Primitive(..) | Operation::Second(SecondOrder::CutRoot, ..) => true,
            operation => {
                let all = operation.parts().into_iter().chain(operation.binder().map(|(_, body)| body));
                deep(|| all.into_iter().any(|part| self.may_fail(part)))
            }
        };
        self.failing.insert(g.address(), fails);
        fails
    }

    fn transcendental(&mut self, b: &mut Builder, which: usize, constant: Constant) -> Register {
        let index = *self.transcendentals[which].get_or_insert_with(|| {
            self.constants.push(constant);
            self.constants.len() as u32 - 1
        });
        b.value(Key::Constant(index), Instruction::Constant(index))
    }

    /// The block of a binder, compiled once however often the binder is shared.
    fn body(&mut self, binder: &Graph, parameters: &[Variable], body: &Graph) -> (Arc<Block>, Vec<Graph>) {
        if let Some(known) = self.bodies.get(&binder.address()) {
            return known.clone();
        }
        let (block, captures) = self.block(parameters, std::slice::from_ref(body), false);
        let compiled = (Arc::new(block), captures);
        self.bodies.insert(binder.address(), compiled.clone());
        compiled
    }
}

impl Builder<'_> {
    fn push(&mut self, instruction: Instruction) -> Register {
        self.instructions.push(instruction);
        Register((self.parameters.len() + self.instructions.len() - 1) as u32)
    }

    fn value(&mut self, key: Key, instruction: Instruction) -> Register {
        if let Some(&known) = self.values.get(&key) {
            return known;
        }
        let register = self.push(instruction);
        self.values.insert(key, register);
        register
    }

    /// Whether the parameters do not occur in a graph, so that it can be computed once, in the block outside.
    fn is_outside(&self, g: &Graph) -> bool {
        !self.outermost && self.parameters.iter().all(|p| !g.depends_on(*p))
    }

    fn capture(&mut self, g: &Graph) -> Register {
        self.captures.push(g.clone());
        Register(CAPTURE + self.captures.len() as u32 - 1)
    }
}

impl Instruction {
    fn renumber(&mut self, place: impl Fn(Register) -> Register) {
        let all = |rs: &mut Box<[Register]>| rs.iter_mut().for_each(|r| *r = place(*r));
        match self {
            Self::Constant(_) => {}
            Self::Unary(_, x) | Self::Power(x, _) => *x = place(*x),
            Self::Binary(_, x, y) => {
                *x = place(*x);
                *y = place(*y);
            }
            Self::Primitive(_, xs) => all(xs),
            Self::Derivative { captures, at, along, .. } => {
                all(captures);
                all(at);
                all(along);
            }
            Self::Second { captures, .. } => all(captures),
            Self::Guard(x) => *x = place(*x),
            Self::Select { guard, then, otherwise } => {
                [guard, then, otherwise].into_iter().for_each(|r| *r = place(*r));
            }
        }
    }

    /// The registers that are read, and what for.
    pub fn reads(&self, mut read: impl FnMut(Register, Use)) {
        match self {
            Self::Constant(_) => {}
            Self::Unary(_, x) | Self::Power(x, _) | Self::Guard(x) => read(*x, Use::Operand),
            Self::Binary(_, x, y) => {
                read(*x, Use::Operand);
                read(*y, Use::Operand);
            }
            Self::Primitive(_, xs) => xs.iter().for_each(|x| read(*x, Use::Operand)),
            Self::Derivative { captures, at, along, .. } => {
                captures.iter().for_each(|x| read(*x, Use::Capture));
                at.iter().chain(along).for_each(|x| read(*x, Use::Operand));
            }
            Self::Second { captures, .. } => captures.iter().for_each(|x| read(*x, Use::Capture)),
            Self::Select { guard, then, otherwise } => {
                read(*guard, Use::Operand);
                read(*then, Use::Then(*guard));
                read(*otherwise, Use::Otherwise(*guard));
            }
        }
    }
}
