//! Compilation of graphs to blocks, in time linear in the nodes: each is visited once in each block that computes with it.
//!
//! # A block under construction
//!
//! # Compilation of double integrals in the other order
//!
//! # Double integrals in the other order
//!
//! Double integrals in the other order, by Fubini's theorem.
//!
//! A curve `g (x, y) = 0` may turn, as a circle does at its leftmost point. There it is no graph over x, but one over y: a
//! boundary with no bounded slope in one order is smooth in the other. For `∫ α(x)·∫ h (x, y) dy + β(x) dx`, over a part of
//! the interval of x, the other order is `∫₀¹ ∫ α(x)·h (x, y) + β(x) dx dy`: a function that does not depend on y is its
//! own mean over y.

use super::end_facts::{EdgeOperands, has_cosine_zero_at_end};
use super::{
    Block, BlockInstruction, BlockRegister, CompiledMap, ControlDependences, ExactConstant, MinMaxTree,
    PartialDerivative, RequestedPartials, SolverGradient, TiedMaxima,
};
use crate::function::Function;
use crate::number::Rational;
use crate::smooth::graph::{
    Binary, Derivative, FreeOccurrences, Graph, NodeOperation, Occurrences, RationalExponent, SecondOrder, SourceId,
    Unary, Variable,
};
use crate::smooth::reverse::with_slopes;
use crate::smooth::substitution::Substitution;
use crate::stack::with_stack;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::sync::{Arc, OnceLock};

impl CompiledMap {
    /// Compiles the map `inputs ↦ outputs`. Use [`CompiledMap::compile_open`] if there may be free variables that are not inputs.
    ///
    /// # Panics
    /// Panics if a free variable of `outputs` is not among `inputs`.
    #[must_use]
    pub fn compile(inputs: &[Variable], outputs: &[Graph]) -> Self {
        let (program, unbound) = Self::compile_open(inputs, outputs);
        assert!(unbound.is_empty(), "a free variable is not among the inputs");
        program
    }

    /// Compiles the map `inputs ↦ outputs`. Also returns the free variables that are not inputs, sorted.
    ///
    /// Unbound variables become captures of the program, which are never supplied.
    #[must_use]
    pub fn compile_open(inputs: &[Variable], outputs: &[Graph]) -> (Self, Vec<Variable>) {
        let mut compiler = ProgramCompiler::default();
        let (root, captures) = compiler.compile_block(inputs, outputs, true);
        compiler.close_gradients();
        let unbound = sorted_variables(&captures);
        (Self { constants: compiler.constants, root }, unbound)
    }

    /// Returns the free variables of `outputs` that are not among `inputs`, sorted.
    #[must_use]
    pub fn unbound_variables(inputs: &[Variable], outputs: &[Graph]) -> Vec<Variable> {
        let mut compiler = ProgramCompiler { is_for_variables: true, ..ProgramCompiler::default() };
        sorted_variables(&compiler.compile_block(inputs, outputs, true).1)
    }
}

/// Returns the variables among some graphs, sorted.
fn sorted_variables(captures: &[Graph]) -> Vec<Variable> {
    let variable = |g: &Graph| match g.operation() {
        NodeOperation::Variable(v) => Some(*v),
        _ => None,
    };
    let mut unbound: Vec<_> = captures.iter().filter_map(variable).collect();
    unbound.sort_unstable();
    unbound
}

/// The state of a compilation: constants, compiled bodies and gradients, shared by all blocks.
#[derive(Default)]
struct ProgramCompiler {
    /// `true` if only the free variables are wanted: gradients and other orders are not compiled.
    is_for_variables: bool,
    constants: Vec<ExactConstant>,
    /// The indices of rational constants.
    rationals: FxHashMap<Rational, u32>,
    /// The indices of π and e.
    transcendentals: [Option<u32>; 2],
    /// The compiled bodies of binders.
    bodies: FxHashMap<BinderKey, CompiledBinder<Block>>,
    /// The gradients of solvers; `None` for a binder that has none.
    gradients: FxHashMap<BinderKey, Option<PendingGradient>>,
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
type BinderKey = (Vec<Variable>, usize);

/// A compiled binder, and the graphs that it captures.
type CompiledBinder<T> = (Arc<T>, Vec<Graph>);

/// A gradient whose requested components are not all known yet.
struct PendingGradient {
    gradient: CompiledBinder<SolverGradient>,
    /// For an integral: the integrand with all its slopes.
    integrand: Option<Block>,
    /// The indices of the variables requested so far.
    places: Vec<usize>,
}

impl ProgramCompiler {
    /// Compiles a block. Also returns the graphs that it captures; the outermost block captures only unbound variables.
    fn compile_block(&mut self, parameters: &[Variable], outputs: &[Graph], outermost: bool) -> (Block, Vec<Graph>) {
        let mut variables = FxHashMap::default();
        // A variable that is bound twice is the first parameter of that name.
        for (v, place) in parameters.iter().zip(0..) {
            variables.entry(*v).or_insert(BlockRegister(place));
        }
        // A capacity to begin with: a block of many parameters has at least as many nodes.
        let nodes = parameters.len();
        let mut builder = BlockBuilder {
            parameters: parameters.len(),
            bound: if let ([v], false, false) = (parameters, outermost, self.is_for_variables) {
                Some(*v)
            } else {
                None
            },
            edges: Vec::new(),
            outermost,
            mentions: FreeOccurrences::new(parameters),
            known: FxHashMap::with_capacity_and_hasher(nodes, FxBuildHasher),
            values: FxHashMap::with_capacity_and_hasher(nodes, FxBuildHasher),
            variables,
            captures: Vec::new(),
            instructions: Vec::new(),
            sites: Vec::new(),
            shared: Vec::new(),
            choices: 0,
        };
        let outputs: Vec<_> = outputs.iter().map(|g| self.register_of(&mut builder, g)).collect();
        let BlockBuilder { captures, mut instructions, sites, mut shared, bound, edges, .. } = builder;
        let first = parameters.len() as u32;
        let shift = captures.len() as u32;
        // During the build, captures are numbered from CAPTURE on and results right behind the parameters; now their number
        // is known.
        let place = |r: BlockRegister| {
            BlockRegister(match r.0 {
                c if c >= CAPTURE => first + (c - CAPTURE),
                p if p < first => p,
                i => i + shift,
            })
        };
        instructions.iter_mut().for_each(|i| i.renumber_registers(place));
        shared.iter_mut().for_each(|shared| shared.optima = shared.optima.map(place));
        let edges = edges.into_iter().map(|(register, operand)| (place(register), operand)).collect();
        let outputs: Vec<_> = outputs.into_iter().map(place).collect();
        let regions = ControlDependences::new(parameters.len() + captures.len(), &instructions, &outputs);
        let rivals = MinMaxTree::new(parameters.len() + captures.len(), &instructions, &outputs);
        let depth =
            1 + instructions.iter().filter_map(BlockInstruction::binder_body).map(|body| body.depth).max().unwrap_or(0);
        (
            Block {
                parameters: parameters.len(),
                captures: captures.len(),
                is_plain: instructions.iter().all(BlockInstruction::is_plain),
                has_solver: instructions.iter().any(BlockInstruction::has_solver),
                instructions,
                sites,
                outputs,
                regions,
                rivals,
                shared: shared.into(),
                edges: bound.map(|v| EdgeOperands::new(v, edges)).unwrap_or_default(),
                swapped: None,
                depth,
            },
            captures,
        )
    }

    /// Compiles a node and its parts, and returns its register.
    fn register_of(&mut self, b: &mut BlockBuilder, g: &Graph) -> BlockRegister {
        if let NodeOperation::Variable(v) = g.operation() {
            return b.register_variable(*v, g);
        }
        // A node with one use is met once: it needs no entry in the table.
        if !g.is_shared() {
            return with_stack(|| self.compile_node(b, g));
        }
        if let Some(&known) = b.known.get(&g.address()) {
            return known;
        }
        let register = with_stack(|| self.compile_node(b, g));
        b.known.insert(g.address(), register);
        register
    }

    /// Compiles a node that has no register yet.
    fn compile_node(&mut self, b: &mut BlockBuilder, g: &Graph) -> BlockRegister {
        match g.operation() {
            NodeOperation::Rational(q) => {
                let next = self.constants.len() as u32;
                let index = *self.rationals.entry((**q).clone()).or_insert(next);
                if index == next {
                    self.constants.push(ExactConstant::Rational(q.clone()));
                }
                return b.number_value(
                    SourceId::NOWHERE,
                    InstructionKey::Constant(index),
                    BlockInstruction::Constant(index),
                );
            }
            NodeOperation::Pi => return self.compile_transcendental(b, 0, ExactConstant::Pi),
            NodeOperation::Euler => return self.compile_transcendental(b, 1, ExactConstant::Euler),
            _ => {}
        }
        // A capture is computed before the choice. What may fail must not be computed if the choice does not need it.
        if b.is_outside(g) && (b.choices == 0 || !self.may_fail(g)) {
            return b.add_capture(g);
        }
        match g.operation() {
            NodeOperation::Variable(_) | NodeOperation::Rational(_) | NodeOperation::Pi | NodeOperation::Euler => {
                b.add_capture(g)
            }
            // At a pole the tangent is a quotient whose divisor is known to be 0.
            NodeOperation::Unary(Unary::Function(Function::Tan), x)
                if b.bound.is_some_and(|v| has_cosine_zero_at_end(x, v)) =>
            {
                let [sine, cosine] = [Function::Sin, Function::Cos].map(|f| Graph::function(f, x));
                let quotient = Graph::binary(Binary::Divide, &sine, &cosine).at_site(g.site());
                self.kept.push(quotient.clone());
                self.register_of(b, &quotient)
            }
            NodeOperation::Unary(f, a) => {
                let x = self.register_of(b, a);
                let has_edge = match f {
                    Unary::Negate => false,
                    Unary::Abs | Unary::Signum => true,
                    Unary::Function(f) => !f.row().conditions.is_analytic_everywhere(),
                };
                if has_edge {
                    b.record_edge(x, a);
                }
                b.number_value(g.site(), InstructionKey::Unary(*f, x), BlockInstruction::Unary(*f, x))
            }
            NodeOperation::Binary(f, a, c) => {
                // The constant argument is computed first: as a known rival it gives the other one a window.
                let is_ready =
                    matches!(c.operation(), NodeOperation::Rational(_) | NodeOperation::Pi | NodeOperation::Euler);
                let early =
                    (is_ready && matches!(f, Binary::Maximum | Binary::Minimum)).then(|| self.register_of(b, c));
                let x = self.register_of(b, a);
                let y = early.unwrap_or_else(|| self.register_of(b, c));
                if matches!(f, Binary::Maximum | Binary::Minimum | Binary::Planar(_)) {
                    b.record_edge(x, a);
                }
                if !matches!(f, Binary::Add | Binary::Subtract | Binary::Multiply) {
                    b.record_edge(y, c);
                }
                if *f == Binary::Maximum {
                    let ends = TiedMaxima::common_ends(a, c);
                    b.shared.extend((!ends.is_empty()).then_some(TiedMaxima { optima: [x, y], common_ends: ends }));
                }
                b.number_value(g.site(), InstructionKey::Binary(*f, x, y), BlockInstruction::Binary(*f, x, y))
            }
            NodeOperation::Power(a, e) => {
                let x = self.register_of(b, a);
                if e.numerator < 0 || e.denominator > 1 {
                    b.record_edge(x, a);
                }
                b.number_value(g.site(), InstructionKey::Power(x, *e), BlockInstruction::Power(x, *e))
            }
            NodeOperation::Primitive(p, xs) => {
                let xs = xs.iter().map(|x| self.register_of(b, x)).collect();
                b.push(g.site(), BlockInstruction::Primitive(p.clone(), xs))
            }
            NodeOperation::Derivative(d) => {
                let (body, captures) = self.compile_body(&d.variables, &d.body);
                let partial = d.coordinate_index.map(|place| self.compile_partial(b, d, place));
                let at = d.at.iter().map(|x| self.register_of(b, x)).collect();
                let along = d.along.iter().map(|x| self.register_of(b, x)).collect();
                let captures = captures.iter().map(|x| self.register_of(b, x)).collect();
                b.push(g.site(), BlockInstruction::Derivative { body, captures, at, along, partial })
            }
            NodeOperation::Second(primitive, v, body) => {
                let (body, captures) = match primitive {
                    SecondOrder::Integral => self.compile_integrand(*v, body),
                    _ => self.compile_body(&[*v], body),
                };
                let captures = captures.iter().map(|x| self.register_of(b, x)).collect();
                b.push(g.site(), BlockInstruction::Second { primitive: *primitive, body, captures })
            }
            NodeOperation::Select(guard, then, otherwise) => {
                let (guard, negated) = self.compile_guard(b, guard);
                b.choices += 1;
                let (x, y) = (self.register_of(b, then), self.register_of(b, otherwise));
                b.choices -= 1;
                let (then, otherwise) = if negated { (y, x) } else { (x, y) };
                b.number_value(
                    g.site(),
                    InstructionKey::Select(guard, then, otherwise),
                    BlockInstruction::Select { guard, then, otherwise },
                )
            }
        }
    }

    /// Compiles a guard. The flag is `true` if the guard is that of the negative number: guards with one border share a
    /// branch point.
    fn compile_guard(&mut self, b: &mut BlockBuilder, mut number: &Graph) -> (BlockRegister, bool) {
        let mut negated = false;
        while let NodeOperation::Unary(Unary::Negate, a) = number.operation() {
            (number, negated) = (a, !negated);
        }
        let register = match number.operation() {
            NodeOperation::Binary(Binary::Subtract, x, y) if !b.is_outside(number) => {
                let (x, y) = (self.register_of(b, x), self.register_of(b, y));
                // x - y and y - x have one border: the lesser register comes first.
                negated ^= y < x;
                let (less, more) = (x.min(y), x.max(y));
                let key = InstructionKey::Binary(Binary::Subtract, less, more);
                let register =
                    b.number_value(number.site(), key, BlockInstruction::Binary(Binary::Subtract, less, more));
                let operand = if y < x { Graph::unary(Unary::Negate, number) } else { number.clone() };
                b.record_edge(register, &operand);
                register
            }
            _ => {
                let register = self.register_of(b, number);
                b.record_edge(register, number);
                register
            }
        };
        (b.number_value(number.site(), InstructionKey::Guard(register), BlockInstruction::Guard(register)), negated)
    }

    /// Returns `true` if the evaluation of a graph may be an error: the promise of a root may be broken, or a foreign
    /// primitive fail.
    fn may_fail(&mut self, g: &Graph) -> bool {
        if let Some(&known) = self.failing.get(&g.address()) {
            return known;
        }
        let fails = match g.operation() {
            NodeOperation::Primitive(..) | NodeOperation::Second(SecondOrder::CutRoot, ..) => true,
            operation => {
                let all = operation.operands().into_iter().chain(operation.binder().map(|(_, body)| body));
                with_stack(|| all.into_iter().any(|part| self.may_fail(part)))
            }
        };
        self.failing.insert(g.address(), fails);
        fails
    }

    /// Returns the register of π or e.
    fn compile_transcendental(&mut self, b: &mut BlockBuilder, which: usize, constant: ExactConstant) -> BlockRegister {
        let index = *self.transcendentals[which].get_or_insert_with(|| {
            self.constants.push(constant);
            self.constants.len() as u32 - 1
        });
        b.number_value(SourceId::NOWHERE, InstructionKey::Constant(index), BlockInstruction::Constant(index))
    }

    /// Compiles the body of a binder, once for each body.
    fn compile_body(&mut self, parameters: &[Variable], body: &Graph) -> CompiledBinder<Block> {
        self.compile_body_with(parameters, body, |_, _, _| None)
    }

    /// Like [`body`](Self::body), with the other order of a double integral, which `swapped` makes from the block and its
    /// captures.
    fn compile_body_with(
        &mut self,
        parameters: &[Variable],
        body: &Graph,
        swapped: impl FnOnce(&mut Self, &Block, &[Graph]) -> Option<Box<SwappedIntegral>>,
    ) -> CompiledBinder<Block> {
        let binder = (parameters.to_vec(), body.address());
        if let Some(known) = self.bodies.get(&binder) {
            return known.clone();
        }
        let (mut block, captures) = self.compile_block(parameters, std::slice::from_ref(body), false);
        block.swapped = swapped(self, &block, &captures);
        let compiled = (Arc::new(block), captures);
        self.bodies.insert(binder, compiled.clone());
        compiled
    }

    /// Compiles a partial derivative. Those of one solver share a gradient.
    fn compile_partial(&mut self, b: &mut BlockBuilder, d: &Derivative, place: usize) -> PartialDerivative {
        // The gradient is made at the first request; later ones only add to it.
        let binder = (d.variables.clone(), d.body.address());
        if !self.gradients.contains_key(&binder) {
            let gradient = self.compile_gradient(&d.variables, &d.body);
            self.gradients.insert(binder.clone(), gradient);
        }
        let Some(Some(opened)) = self.gradients.get_mut(&binder) else {
            return PartialDerivative { place, gradient: None, captures: Box::default() };
        };
        opened.places.push(place);
        let (gradient, captures) = opened.gradient.clone();
        PartialDerivative {
            place,
            gradient: Some(gradient),
            captures: captures.iter().map(|g| self.register_of(b, g)).collect(),
        }
    }

    /// Compiles the gradient of a solver. Returns `None` if `body` is no solver, or an integral without slopes.
    fn compile_gradient(&mut self, variables: &[Variable], body: &Graph) -> Option<PendingGradient> {
        let NodeOperation::Second(primitive, v, integrand) = body.operation() else { return None };
        if self.is_for_variables {
            return None;
        }
        let gradient = |inputs, captures| (Arc::new(SolverGradient { inputs, requested: OnceLock::new() }), captures);
        if *primitive != SecondOrder::Integral {
            return Some(PendingGradient { gradient: gradient(None, Vec::new()), integrand: None, places: Vec::new() });
        }
        let outputs = with_slopes(variables, integrand)?;
        let (integrand, inputs) = self.compile_block(&[*v], &outputs, false);
        // The tables go by address, so these nodes must not be freed while compiling.
        self.kept.extend(outputs);
        let (inputs, captures) = self.compile_block(variables, &inputs, false);
        Some(PendingGradient {
            gradient: gradient(Some(inputs), captures),
            integrand: Some(integrand),
            places: Vec::new(),
        })
    }

    /// Closes all gradients: the components that no partial derivative requests are removed.
    fn close_gradients(&mut self) {
        for PendingGradient { gradient: (gradient, _), integrand, mut places } in
            self.gradients.drain().filter_map(|(_, opened)| opened)
        {
            places.sort_unstable();
            places.dedup();
            // Output 0 is the integrand itself, whose integral is computed along.
            let outputs: Vec<_> = std::iter::once(0).chain(places.iter().map(|place| place + 1)).collect();
            let integrand = integrand.map(|block| block.with_outputs(&outputs));
            gradient.requested.get_or_init(|| RequestedPartials { places, integrand });
        }
    }
}

impl BlockInstruction {
    /// Replaces each register by its new number.
    pub(super) fn renumber_registers(&mut self, place: impl Fn(BlockRegister) -> BlockRegister) {
        let all = |rs: &mut Box<[BlockRegister]>| rs.iter_mut().for_each(|r| *r = place(*r));
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

/// The key of value numbering: two instructions of one block with equal keys are the same.
#[derive(PartialEq, Eq, Hash)]
enum InstructionKey {
    Constant(u32),
    Unary(Unary, BlockRegister),
    Binary(Binary, BlockRegister, BlockRegister),
    Power(BlockRegister, RationalExponent),
    Guard(BlockRegister),
    Select(BlockRegister, BlockRegister, BlockRegister),
}

/// A block under construction. Captures have a numbering of their own until their count is known.
struct BlockBuilder {
    /// The number of parameters.
    parameters: usize,
    /// The parameter of a binder's body, if there is one alone.
    bound: Option<Variable>,
    /// The operands at whose values an operation may be singular or have a kink.
    edges: Vec<(BlockRegister, Graph)>,
    /// `true` for the block of the program itself, which captures nothing but unbound variables.
    outermost: bool,
    /// The graphs that mention a parameter.
    mentions: FreeOccurrences,
    /// The registers of shared nodes, by address.
    known: FxHashMap<usize, BlockRegister>,
    /// The registers of instructions, by value number.
    values: FxHashMap<InstructionKey, BlockRegister>,
    /// The registers of variables.
    variables: FxHashMap<Variable, BlockRegister>,
    /// The captured graphs, in the order of their registers.
    captures: Vec<Graph>,
    /// The instructions.
    instructions: Vec<BlockInstruction>,
    /// Their source positions.
    sites: Vec<SourceId>,
    /// Pairs of maxima that may be attained at a common end.
    shared: Vec<TiedMaxima>,
    /// The number of choices around the node that is being compiled.
    choices: usize,
}

/// The first register of captures during construction: above any register of a result.
const CAPTURE: u32 = 1 << 31;

impl BlockBuilder {
    /// Appends an instruction, and returns its register.
    fn push(&mut self, site: SourceId, instruction: BlockInstruction) -> BlockRegister {
        self.instructions.push(instruction);
        self.sites.push(site);
        BlockRegister((self.parameters + self.instructions.len() - 1) as u32)
    }

    /// Returns the register of an instruction. An instruction with the same key is not repeated.
    fn number_value(&mut self, site: SourceId, key: InstructionKey, instruction: BlockInstruction) -> BlockRegister {
        if let Some(&known) = self.values.get(&key) {
            return known;
        }
        let register = self.push(site, instruction);
        self.values.insert(key, register);
        register
    }

    /// Records an operand whose exact value at an end of the range may matter.
    fn record_edge(&mut self, register: BlockRegister, operand: &Graph) {
        // Of the parameter and of captures, no more is known than their enclosures say.
        let is_known = register.0 >= CAPTURE || (register.0 as usize) < self.parameters;
        if self.bound.is_some() && !is_known {
            self.edges.push((register, operand.clone()));
        }
    }

    /// Returns `true` if no parameter occurs in a graph, so that it can be computed once, in the block outside.
    fn is_outside(&mut self, g: &Graph) -> bool {
        !self.outermost && !self.mentions.occur_in(g)
    }

    /// Returns the register of a variable: a parameter, or a capture.
    fn register_variable(&mut self, v: Variable, g: &Graph) -> BlockRegister {
        if let Some(&known) = self.variables.get(&v) {
            return known;
        }
        let register = self.add_capture(g);
        self.variables.insert(v, register);
        register
    }

    /// Adds a capture, and returns its register.
    fn add_capture(&mut self, g: &Graph) -> BlockRegister {
        self.captures.push(g.clone());
        BlockRegister(CAPTURE + self.captures.len() as u32 - 1)
    }
}

/// The depth of the deepest integrand that gets another order. A choice: nested binders are compiled in either order once,
/// and not anew at each of their levels.
const DEEPEST: u32 = 3;

impl ProgramCompiler {
    /// Compiles the integrand of an integral, with the other order if it has one.
    fn compile_integrand(&mut self, v: Variable, body: &Graph) -> CompiledBinder<Block> {
        self.compile_body_with(&[v], body, |compiler, block, captures| {
            let is_possible =
                (2..=DEEPEST).contains(&block.depth) && !compiler.is_for_variables && !compiler.is_swapping;
            if is_possible { compiler.compile_swapped(v, body, captures) } else { None }
        })
    }

    /// Compiles the other order of the integral of `body` over v. Returns `None` if `body` is no integral, or a capture is new.
    fn compile_swapped(&mut self, v: Variable, body: &Graph, captures: &[Graph]) -> Option<Box<SwappedIntegral>> {
        let graphs = swap_order(v, body, &mut self.binding)?;
        // The end and the length of the part stand behind all captures of the first order.
        let places: FxHashMap<_, _> = captures.iter().chain(&graphs.part).map(Graph::address).zip(0..).collect();
        self.is_swapping = true;
        let mut part = |(parameters, graph): &(Vec<Variable>, Graph)| {
            let (block, captured) = self.compile_block(parameters, std::slice::from_ref(graph), false);
            let places = captured.iter().map(|g| places.get(&g.address()).copied());
            // A capture that the first order does not have could not be supplied.
            places.collect::<Option<_>>().map(|captures| CapturingBlock { block, captures })
        };
        let (integral, integrand) = (part(&graphs.integral), part(&graphs.integrand));
        self.is_swapping = false;
        // The tables go by address, so these nodes must not be freed while compiling.
        self.kept.extend([graphs.integral.1, graphs.integrand.1].into_iter().chain(graphs.part));
        Some(Box::new(SwappedIntegral { integral: integral?, integrand: integrand? }))
    }
}

/// The other order of a double integral, stored with the integrand of the outer one; see the [module](self).
#[derive(Debug)]
pub struct SwappedIntegral {
    /// A function of y: the integral over the part of x. The left end and the length of the part are captured last, behind
    /// all captures of the integrand in the first order.
    pub integral: CapturingBlock,
    /// A function of x and y: the integrand.
    pub integrand: CapturingBlock,
}

/// A block, with the sources of its captures.
#[derive(Debug)]
pub struct CapturingBlock {
    /// The block.
    pub block: Block,
    /// For each capture of the block, its index among the captures of the integrand in the first order.
    pub captures: Box<[usize]>,
}

/// The graphs from which the other order is compiled.
pub(super) struct SwappedGraphs {
    /// The parameter y and the integral over the part of x.
    pub(super) integral: (Vec<Variable>, Graph),
    /// The parameters x and y and the integrand.
    pub(super) integrand: (Vec<Variable>, Graph),
    /// The left end of the part of x, and its length.
    pub(super) part: [Graph; 2],
}

/// Returns the other order of the integral of `body` over x.
///
/// Returns `None` if the body is no integral, or no branch in it depends on both variables. `binding` caches, by address,
/// the graphs that have binders.
pub(super) fn swap_order(x: Variable, body: &Graph, binding: &mut FxHashMap<usize, bool>) -> Option<SwappedGraphs> {
    let inner = integral_in(body, binding)?;
    let NodeOperation::Second(_, y, under) = inner.operation() else { return None };
    // Substitution would capture: the parts outside of the inner integral come under the binder of its variable.
    if x == *y || body.depends_on(*y) {
        return None;
    }
    // Only a branch in both variables can have a boundary that turns.
    if !switches_with(under, [x, *y]) {
        return None;
    }
    let mut inlined = Substitution::new(&[]);
    inlined.replace_node(inner, under.clone());
    let integrand = inlined.apply(body);
    let along = Variable::fresh();
    let [a, l] = [(); 2].map(|()| Graph::variable(Variable::fresh()));
    let t = Graph::variable(along);
    // x = a + l·t with t in [0, 1], so dx = l dt.
    let place = Graph::binary(Binary::Add, &a, &Graph::binary(Binary::Multiply, &l, &t));
    let here = Graph::binary(Binary::Multiply, &l, &integrand.substitute(&[(x, place)]));
    let integral = Graph::second_order(SecondOrder::Integral, along, here);
    Some(SwappedGraphs { integral: (vec![*y], integral), integrand: (vec![x, *y], integrand), part: [a, l] })
}

/// Returns `true` if some choice, kink or jump depends on all these variables.
fn switches_with(g: &Graph, variables: [Variable; 2]) -> bool {
    let (mut pending, mut seen) = (vec![g], FxHashSet::default());
    while let Some(g) = pending.pop() {
        let may_depend = variables.iter().all(|v| g.occurrences().may_meet(Occurrences::of_variable(*v)));
        if !may_depend || !seen.insert(g.address()) {
            continue;
        }
        let number = match g.operation() {
            NodeOperation::Select(guard, ..) => Some(guard),
            operation => operation.has_kink().then_some(g),
        };
        if number.is_some_and(|number| variables.iter().all(|v| number.depends_on(*v))) {
            return true;
        }
        pending.extend(g.operation().operands());
        pending.extend(g.operation().binder().map(|(_, body)| body));
    }
    false
}

/// Returns the only binder in a graph, if it is an integral and the graph is affine in it.
fn integral_in<'g>(mut g: &'g Graph, binding: &mut FxHashMap<usize, bool>) -> Option<&'g Graph> {
    loop {
        g = match g.operation() {
            NodeOperation::Second(SecondOrder::Integral, ..) => return Some(g),
            NodeOperation::Unary(Unary::Negate, a) => a,
            // Affine: the integral may stand in one operand only, and not in a divisor.
            NodeOperation::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, a, b) => {
                match [a, b].map(|part| has_binder(part, binding)) {
                    [true, false] => a,
                    [false, true] => b,
                    _ => return None,
                }
            }
            NodeOperation::Binary(Binary::Divide, a, b) if !has_binder(b, binding) => a,
            _ => return None,
        }
    }
}

/// Returns `true` if there is a binder in a graph. `known` caches the answers by address.
fn has_binder(g: &Graph, known: &mut FxHashMap<usize, bool>) -> bool {
    if let Some(&found) = known.get(&g.address()) {
        return found;
    }
    let operation = g.operation();
    let found = operation.binder().is_some()
        || with_stack(|| operation.operands().into_iter().any(|part| has_binder(part, known)));
    known.insert(g.address(), found);
    found
}
