//! Compilation of graphs to blocks, in time linear in the nodes: each is visited once in each block that computes with it.

mod builder;
mod swapped;

use self::builder::{Builder, CAPTURE, Key};
use super::fubini::Swapped;
use super::region::Regions;
use super::rivals::Rivals;
use super::shared::Shared;
use super::{Block, Constant, Gradient, Instruction, Partial, Program, Register, Wanted};
use crate::number::Rational;
use crate::smooth::graph::{Binary, Derivative, Graph, Mentions, Operation, SecondOrder, Site, Unary, Variable};
use crate::smooth::reverse::with_slopes;
use crate::stack::deep;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::sync::{Arc, OnceLock};

impl Program {
    /// Compiles the map `inputs ↦ outputs`. Use [`Program::of`] if there may be free variables that are not inputs.
    ///
    /// # Panics
    /// Panics if a free variable of `outputs` is not among `inputs`.
    #[must_use]
    pub fn compile(inputs: &[Variable], outputs: &[Graph]) -> Self {
        let (program, unbound) = Self::of(inputs, outputs);
        assert!(unbound.is_empty(), "a free variable is not among the inputs");
        program
    }

    /// Compiles the map `inputs ↦ outputs`. Also returns the free variables that are not inputs, sorted.
    ///
    /// Unbound variables become captures of the program, which are never supplied.
    #[must_use]
    pub fn of(inputs: &[Variable], outputs: &[Graph]) -> (Self, Vec<Variable>) {
        let mut compiler = Compiler::default();
        let (root, captures) = compiler.block(inputs, outputs, true);
        compiler.finish();
        let unbound = variables(&captures);
        (Self { constants: compiler.constants, root }, unbound)
    }

    /// Returns the free variables of `outputs` that are not among `inputs`, sorted.
    #[must_use]
    pub fn unbound(inputs: &[Variable], outputs: &[Graph]) -> Vec<Variable> {
        let mut compiler = Compiler { is_for_variables: true, ..Compiler::default() };
        variables(&compiler.block(inputs, outputs, true).1)
    }
}

/// Returns the variables among some graphs, sorted.
fn variables(captures: &[Graph]) -> Vec<Variable> {
    let variable = |g: &Graph| match g.operation() {
        Operation::Variable(v) => Some(*v),
        _ => None,
    };
    let mut unbound: Vec<_> = captures.iter().filter_map(variable).collect();
    unbound.sort_unstable();
    unbound
}

impl Graph {
    /// Returns the free variables of the graph, sorted.
    #[must_use]
    pub fn free(&self) -> Vec<Variable> {
        Program::unbound(&[], std::slice::from_ref(self))
    }
}

/// The state of a compilation: constants, compiled bodies and gradients, shared by all blocks.
#[derive(Default)]
struct Compiler {
    /// `true` if only the free variables are wanted: gradients and other orders are not compiled.
    is_for_variables: bool,
    constants: Vec<Constant>,
    /// The indices of rational constants.
    rationals: FxHashMap<Rational, u32>,
    /// The indices of π and e.
    transcendentals: [Option<u32>; 2],
    /// The compiled bodies of binders.
    bodies: FxHashMap<Binder, Compiled<Block>>,
    /// The gradients of solvers; `None` for a binder that has none.
    gradients: FxHashMap<Binder, Option<Opened>>,
    /// Caches, by address, the graphs whose evaluation may be an error.
    failing: FxHashMap<usize, bool>,
    /// Caches, by address, the graphs that contain a binder.
    binding: FxHashMap<usize, bool>,
    /// The graphs made while compiling. They are kept so that their addresses are not used again.
    kept: Vec<Graph>,
    /// `true` while an integral in the other order is compiled, which gets no other order itself.
    is_swapping: bool,
}

/// The bound variables, and the address of the body.
type Binder = (Vec<Variable>, usize);

/// A compiled binder, and the graphs that it captures.
type Compiled<T> = (Arc<T>, Vec<Graph>);

/// A gradient whose requested components are not all known yet.
struct Opened {
    gradient: Compiled<Gradient>,
    /// For an integral: the integrand with all its slopes.
    integrand: Option<Block>,
    /// The indices of the variables requested so far.
    places: Vec<usize>,
}

impl Compiler {
    /// Compiles a block. Also returns the graphs that it captures; the outermost block captures only unbound variables.
    fn block(&mut self, parameters: &[Variable], outputs: &[Graph], outermost: bool) -> (Block, Vec<Graph>) {
        let mut variables = FxHashMap::default();
        // A variable that is bound twice is the first parameter of that name.
        for (v, place) in parameters.iter().zip(0..) {
            variables.entry(*v).or_insert(Register(place));
        }
        // A capacity to begin with: a block of many parameters has at least as many nodes.
        let nodes = parameters.len();
        let mut builder = Builder {
            parameters: parameters.len(),
            outermost,
            mentions: Mentions::new(parameters),
            known: FxHashMap::with_capacity_and_hasher(nodes, FxBuildHasher),
            values: FxHashMap::with_capacity_and_hasher(nodes, FxBuildHasher),
            variables,
            captures: Vec::new(),
            instructions: Vec::new(),
            sites: Vec::new(),
            shared: Vec::new(),
            choices: 0,
        };
        let outputs: Vec<_> = outputs.iter().map(|g| self.visit(&mut builder, g)).collect();
        let Builder { captures, mut instructions, sites, mut shared, .. } = builder;
        let first = parameters.len() as u32;
        let shift = captures.len() as u32;
        // During the build, captures are numbered from CAPTURE on and results right behind the parameters; now their number
        // is known.
        let place = |r: Register| {
            Register(match r.0 {
                c if c >= CAPTURE => first + (c - CAPTURE),
                p if p < first => p,
                i => i + shift,
            })
        };
        instructions.iter_mut().for_each(|i| i.renumber(place));
        shared.iter_mut().for_each(|shared| shared.optima = shared.optima.map(place));
        let outputs: Vec<_> = outputs.into_iter().map(place).collect();
        let regions = Regions::new(parameters.len() + captures.len(), &instructions, &outputs);
        let rivals = Rivals::new(parameters.len() + captures.len(), &instructions, &outputs);
        let depth = 1 + instructions.iter().filter_map(Instruction::body).map(|body| body.depth).max().unwrap_or(0);
        (
            Block {
                parameters: parameters.len(),
                captures: captures.len(),
                is_plain: instructions.iter().all(Instruction::is_plain),
                has_solver: instructions.iter().any(Instruction::has_solver),
                instructions,
                sites,
                outputs,
                regions,
                rivals,
                shared: shared.into(),
                swapped: None,
                depth,
            },
            captures,
        )
    }

    /// Compiles a node and its parts, and returns its register.
    fn visit(&mut self, b: &mut Builder, g: &Graph) -> Register {
        if let Operation::Variable(v) = g.operation() {
            return b.variable(*v, g);
        }
        // A node with one use is met once: it needs no entry in the table.
        if !g.is_shared() {
            return deep(|| self.place(b, g));
        }
        if let Some(&known) = b.known.get(&g.address()) {
            return known;
        }
        let register = deep(|| self.place(b, g));
        b.known.insert(g.address(), register);
        register
    }

    /// Compiles a node that has no register yet.
    fn place(&mut self, b: &mut Builder, g: &Graph) -> Register {
        match g.operation() {
            Operation::Rational(q) => {
                let next = self.constants.len() as u32;
                let index = *self.rationals.entry((**q).clone()).or_insert(next);
                if index == next {
                    self.constants.push(Constant::Rational(q.clone()));
                }
                return b.value(Site::NOWHERE, Key::Constant(index), Instruction::Constant(index));
            }
            Operation::Pi => return self.transcendental(b, 0, Constant::Pi),
            Operation::Euler => return self.transcendental(b, 1, Constant::Euler),
            _ => {}
        }
        // A capture is computed before the choice. What may fail must not be computed if the choice does not need it.
        if b.is_outside(g) && (b.choices == 0 || !self.may_fail(g)) {
            return b.capture(g);
        }
        match g.operation() {
            Operation::Variable(_) | Operation::Rational(_) | Operation::Pi | Operation::Euler => b.capture(g),
            Operation::Unary(f, x) => {
                let x = self.visit(b, x);
                b.value(g.site(), Key::Unary(*f, x), Instruction::Unary(*f, x))
            }
            Operation::Binary(f, a, c) => {
                // The constant argument is computed first: as a known rival it gives the other one a window.
                let is_ready = matches!(c.operation(), Operation::Rational(_) | Operation::Pi | Operation::Euler);
                let early = (is_ready && matches!(f, Binary::Maximum | Binary::Minimum)).then(|| self.visit(b, c));
                let x = self.visit(b, a);
                let y = early.unwrap_or_else(|| self.visit(b, c));
                if *f == Binary::Maximum {
                    let ends = Shared::ends(a, c);
                    b.shared.extend((!ends.is_empty()).then_some(Shared { optima: [x, y], ends }));
                }
                b.value(g.site(), Key::Binary(*f, x, y), Instruction::Binary(*f, x, y))
            }
            Operation::Power(x, e) => {
                let x = self.visit(b, x);
                b.value(g.site(), Key::Power(x, *e), Instruction::Power(x, *e))
            }
            Operation::Primitive(p, xs) => {
                let xs = xs.iter().map(|x| self.visit(b, x)).collect();
                b.push(g.site(), Instruction::Primitive(p.clone(), xs))
            }
            Operation::Derivative(d) => {
                let (body, captures) = self.body(&d.variables, &d.body);
                let partial = d.place.map(|place| self.partial(b, d, place));
                let at = d.at.iter().map(|x| self.visit(b, x)).collect();
                let along = d.along.iter().map(|x| self.visit(b, x)).collect();
                let captures = captures.iter().map(|x| self.visit(b, x)).collect();
                b.push(g.site(), Instruction::Derivative { body, captures, at, along, partial })
            }
            Operation::Second(primitive, v, body) => {
                let (body, captures) = match primitive {
                    SecondOrder::Integral => self.integrand(*v, body),
                    _ => self.body(&[*v], body),
                };
                let captures = captures.iter().map(|x| self.visit(b, x)).collect();
                b.push(g.site(), Instruction::Second { primitive: *primitive, body, captures })
            }
            Operation::Select(guard, then, otherwise) => {
                let (guard, negated) = self.guard(b, guard);
                b.choices += 1;
                let (x, y) = (self.visit(b, then), self.visit(b, otherwise));
                b.choices -= 1;
                let (then, otherwise) = if negated { (y, x) } else { (x, y) };
                b.value(g.site(), Key::Select(guard, then, otherwise), Instruction::Select { guard, then, otherwise })
            }
        }
    }

    /// Compiles a guard. The flag is `true` if the guard is that of the negative number: guards with one border share a
    /// branch point.
    fn guard(&mut self, b: &mut Builder, mut number: &Graph) -> (Register, bool) {
        let mut negated = false;
        while let Operation::Unary(Unary::Negate, a) = number.operation() {
            (number, negated) = (a, !negated);
        }
        let register = match number.operation() {
            Operation::Binary(Binary::Subtract, x, y) if !b.is_outside(number) => {
                let (x, y) = (self.visit(b, x), self.visit(b, y));
                // x - y and y - x have one border: the lesser register comes first.
                negated ^= y < x;
                let (x, y) = (x.min(y), x.max(y));
                {
                    let subtract = Binary::Subtract;
                    b.value(number.site(), Key::Binary(subtract, x, y), Instruction::Binary(subtract, x, y))
                }
            }
            _ => self.visit(b, number),
        };
        (b.value(number.site(), Key::Guard(register), Instruction::Guard(register)), negated)
    }

    /// Returns `true` if the evaluation of a graph may be an error: the promise of a root may be broken, or a foreign
    /// primitive fail.
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

    /// Returns the register of π or e.
    fn transcendental(&mut self, b: &mut Builder, which: usize, constant: Constant) -> Register {
        let index = *self.transcendentals[which].get_or_insert_with(|| {
            self.constants.push(constant);
            self.constants.len() as u32 - 1
        });
        b.value(Site::NOWHERE, Key::Constant(index), Instruction::Constant(index))
    }

    /// Compiles the body of a binder, once for each body.
    fn body(&mut self, parameters: &[Variable], body: &Graph) -> Compiled<Block> {
        self.body_with(parameters, body, |_, _, _| None)
    }

    /// Like [`body`](Self::body), with the other order of a double integral, which `swapped` makes from the block and its
    /// captures.
    fn body_with(
        &mut self,
        parameters: &[Variable],
        body: &Graph,
        swapped: impl FnOnce(&mut Self, &Block, &[Graph]) -> Option<Box<Swapped>>,
    ) -> Compiled<Block> {
        let binder = (parameters.to_vec(), body.address());
        if let Some(known) = self.bodies.get(&binder) {
            return known.clone();
        }
        let (mut block, captures) = self.block(parameters, std::slice::from_ref(body), false);
        block.swapped = swapped(self, &block, &captures);
        let compiled = (Arc::new(block), captures);
        self.bodies.insert(binder, compiled.clone());
        compiled
    }

    /// Compiles a partial derivative. Those of one solver share a gradient.
    fn partial(&mut self, b: &mut Builder, d: &Derivative, place: usize) -> Partial {
        // The gradient is made at the first request; later ones only add to it.
        let binder = (d.variables.clone(), d.body.address());
        if !self.gradients.contains_key(&binder) {
            let gradient = self.gradient(&d.variables, &d.body);
            self.gradients.insert(binder.clone(), gradient);
        }
        let Some(Some(opened)) = self.gradients.get_mut(&binder) else {
            return Partial { place, gradient: None, captures: Box::default() };
        };
        opened.places.push(place);
        let (gradient, captures) = opened.gradient.clone();
        Partial { place, gradient: Some(gradient), captures: captures.iter().map(|g| self.visit(b, g)).collect() }
    }

    /// Compiles the gradient of a solver. Returns `None` if `body` is no solver, or an integral without slopes.
    fn gradient(&mut self, variables: &[Variable], body: &Graph) -> Option<Opened> {
        let Operation::Second(primitive, v, integrand) = body.operation() else { return None };
        if self.is_for_variables {
            return None;
        }
        let gradient = |inputs, captures| (Arc::new(Gradient { inputs, wanted: OnceLock::new() }), captures);
        if *primitive != SecondOrder::Integral {
            return Some(Opened { gradient: gradient(None, Vec::new()), integrand: None, places: Vec::new() });
        }
        let outputs = with_slopes(variables, integrand)?;
        let (integrand, inputs) = self.block(&[*v], &outputs, false);
        // The tables go by address, so these nodes must not be freed while compiling.
        self.kept.extend(outputs);
        let (inputs, captures) = self.block(variables, &inputs, false);
        Some(Opened { gradient: gradient(Some(inputs), captures), integrand: Some(integrand), places: Vec::new() })
    }

    /// Closes all gradients: the components that no partial derivative requests are removed.
    fn finish(&mut self) {
        for Opened { gradient: (gradient, _), integrand, mut places } in
            self.gradients.drain().filter_map(|(_, opened)| opened)
        {
            places.sort_unstable();
            places.dedup();
            // Output 0 is the integrand itself, whose integral is computed along.
            let outputs: Vec<_> = std::iter::once(0).chain(places.iter().map(|place| place + 1)).collect();
            let integrand = integrand.map(|block| block.with_outputs(&outputs));
            gradient.wanted.get_or_init(|| Wanted { places, integrand });
        }
    }
}

impl Instruction {
    /// Replaces each register by its new number.
    pub(super) fn renumber(&mut self, place: impl Fn(Register) -> Register) {
        let all = |rs: &mut Box<[Register]>| rs.iter_mut().for_each(|r| *r = place(*r));
        match self {
            Self::Constant(_) => {}
            Self::Unary(_, x) | Self::Power(x, _) => *x = place(*x),
            Self::Binary(_, x, y) => {
                *x = place(*x);
                *y = place(*y);
            }
            Self::Primitive(_, xs) => all(xs),
            Self::Derivative { captures, at, along, partial, .. } => {
                partial.iter_mut().for_each(|partial| all(&mut partial.captures));
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
}
