//! The residual program, after everything known is computed: a graph, with a node for each cell of the machine that is read.

use super::{MOST_BINDERS, MOST_STEPS, ReduceError, exact};
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, Data};
use crate::syntax::normal::evaluate::is_componentwise;
use crate::syntax::normal::machine::{Called, Cell, Environment, Head, Machine, State};
use crate::syntax::normal::types::{Key, TypeShape, Types};
use crate::syntax::normal::{Limits, NormalError};
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The index of a node.
pub(super) type Node = usize;
/// The number of a variable. Those of the context come first, from 1; as a scope, 0 stands for the whole program.
pub(super) type Variable = u32;

/// A program as a graph: a list of nodes, each after its parts, the root last.
pub(super) struct Residue {
    pub(super) nodes: Vec<Part>,
    pub(super) types: Types,
}

/// A node of the graph.
pub(super) struct Part {
    pub(super) shape: Shape,
    /// The type, as a key into the machine's table of types.
    pub(super) ty: Key,
    /// The innermost binder in whose scope the program computes the node, among those around its first reading.
    pub(super) home: Variable,
}

/// The form of a node.
pub(super) enum Shape {
    Variable(Variable),
    /// A number, a truth value, `()`, or a constant, whose type is that of the node; with its span.
    Leaf(TermKind, Span),
    Apply(Node, Node),
    Tuple(Vec<Node>),
    Project(Node, usize),
    Lambda(Variable, Node),
    To(Node),
    From(Node),
    Inject(Constructor, Node),
    /// The type, the scrutinee and the branches, each under a variable.
    Match(Data, Node, Vec<(Variable, Node)>),
}

impl Shape {
    /// Returns the parts from left to right, each with the variable that is bound in it.
    pub(super) fn parts(&self) -> Vec<(Node, Option<Variable>)> {
        match self {
            Shape::Variable(_) | Shape::Leaf(..) => Vec::new(),
            Shape::Apply(function, argument) => vec![(*function, None), (*argument, None)],
            Shape::Tuple(parts) => parts.iter().map(|&part| (part, None)).collect(),
            Shape::Project(part, _) | Shape::To(part) | Shape::From(part) | Shape::Inject(_, part) => {
                vec![(*part, None)]
            }
            Shape::Lambda(variable, body) => vec![(*body, Some(*variable))],
            Shape::Match(_, scrutinee, branches) => {
                let branches = branches.iter().map(|&(variable, body)| (body, Some(variable)));
                [(*scrutinee, None)].into_iter().chain(branches).collect()
            }
        }
    }
}

/// Reads the residual program of a term over variables of the types of `context`.
pub(super) fn read(context: &[Ty], term: &Term) -> Result<Residue> {
    // only steps are bounded: every node costs one, so the size needs no bound of its own
    let mut machine = Machine::new(Limits { steps: MOST_STEPS, nodes: usize::MAX });
    let parameters = context.iter().chain([term.ty()]).map(Ty::parameters).max_by_key(Vec::len).unwrap_or_default();
    let instance = machine.types.parameters(parameters);
    let mut environment = Environment::empty(instance);
    for (variable, ty) in (1..).zip(context) {
        let ty = machine.types.import(ty, instance);
        let cell = machine.done(Head::Variable(variable, ty));
        environment = machine.extend(environment, cell);
    }
    let ty = machine.types.import(term.ty(), instance);
    let cell = machine.delay(term, environment);
    let variables = context.len() as Variable;
    let mut reader = Reader { machine, nodes: Vec::new(), known: FxHashMap::default(), binders: Vec::new(), variables };
    let root = reader.read(cell, ty)?;
    let Reader { mut nodes, machine, .. } = reader;
    nodes.truncate(root + 1);
    Ok(Residue { nodes, types: machine.types })
}

/// Reads cells of the machine back as nodes.
struct Reader {
    machine: Machine,
    nodes: Vec<Part>,
    /// The nodes of the cells read so far.
    known: FxHashMap<Cell, Node>,
    /// The binders around the cell that is read, from outside, with the cells of their variables.
    binders: Vec<(Variable, Cell)>,
    /// The number of the last variable.
    variables: Variable,
}

type Result<T> = std::result::Result<T, ReduceError>;

impl Reader {
    /// Appends a node for a cell.
    fn put(&mut self, cell: Cell, shape: Shape, ty: Key) -> Result<Node> {
        // Cells are numbered in the order of creation: one older than the cell of a binder's variable does not depend on it.
        let home = self.binders.iter().rev().find(|(_, first)| *first <= cell).map_or(0, |(variable, _)| *variable);
        self.nodes.push(Part { shape, ty, home });
        Ok(self.nodes.len() - 1)
    }

    /// Reads a cell at a type.
    fn read(&mut self, cell: Cell, ty: Key) -> Result<Node> {
        self.once(cell, |reader| reader.read_here(cell, ty))
    }

    /// Reads a cell whose type follows from its contents: neither a function nor a constructor.
    fn stuck(&mut self, cell: Cell) -> Result<Node> {
        self.once(cell, |reader| reader.stuck_here(cell))
    }

    /// Reads a cell unless it was read before; counts a step and a level of depth.
    fn once(&mut self, cell: Cell, read: impl FnOnce(&mut Self) -> Result<Node>) -> Result<Node> {
        self.machine.step()?;
        if let Some(&known) = self.known.get(&cell) {
            return Ok(known);
        }
        self.machine.enter()?;
        let node = deep(|| read(self))?;
        self.machine.leave();
        self.known.insert(cell, node);
        Ok(node)
    }

    fn read_here(&mut self, cell: Cell, ty: Key) -> Result<Node> {
        let head = self.machine.force(cell)?;
        match (self.machine.types.shape(ty).clone(), head) {
            // a function value becomes a λ around its application to a new variable
            (
                TypeShape::Function(domain, codomain),
                Head::Closure { .. } | Head::Call(..) | Head::Recursive { .. } | Head::To(_) | Head::From(_),
            ) => {
                let applied = |machine: &mut Machine, variable| machine.cell(State::Applied(cell, variable));
                let (variable, body) = self.under(domain, codomain, applied)?;
                self.put(cell, Shape::Lambda(variable, body), ty)
            }
            (TypeShape::Tuple(types), head) => {
                let Some(parts) = self.components(cell, head)? else { return self.stuck_here(cell) };
                let parts = parts.iter().zip(types.iter()).map(|(&part, &ty)| self.read(part, ty));
                let parts = parts.collect::<Result<_>>()?;
                self.put(cell, Shape::Tuple(parts), ty)
            }
            (TypeShape::Data(..), Head::Inject(constructor, argument)) => {
                let domain = self.machine.types.domains(ty)[constructor.index()];
                let argument = self.read(argument, domain)?;
                self.put(cell, Shape::Inject(constructor, argument), ty)
            }
            _ => self.stuck_here(cell),
        }
    }

    /// Returns the components of a tuple; `None` if they are unknown. A componentwise operation on known tuples has known
    /// components.
    fn components(&mut self, cell: Cell, head: Head) -> Result<Option<Rc<[Cell]>>> {
        let arguments = match head {
            Head::Tuple(parts) => return Ok(Some(parts)),
            Head::Call(called, arguments) if is_componentwise(called.constant, arguments.len()) => arguments,
            _ => return Ok(None),
        };
        let mut width = 0;
        for &argument in arguments.iter() {
            let head = self.machine.force(argument)?;
            match self.components(argument, head)? {
                Some(parts) => width = parts.len(),
                None => return Ok(None),
            }
        }
        Ok(Some((0..width).map(|index| self.machine.cell(State::Part(cell, index))).collect()))
    }

    /// Reads `make(x)` under a new variable `x`; returns the variable and the node.
    fn under(
        &mut self,
        domain: Key,
        codomain: Key,
        make: impl FnOnce(&mut Machine, Cell) -> Cell,
    ) -> Result<(Variable, Node)> {
        if self.binders.len() > MOST_BINDERS {
            return Err(ReduceError::Nesting { most: MOST_BINDERS });
        }
        self.variables += 1;
        let variable = self.variables;
        let cell = self.machine.done(Head::Variable(variable, domain));
        self.binders.push((variable, cell));
        let body = make(&mut self.machine, cell);
        let body = self.read(body, codomain)?;
        self.binders.pop();
        Ok((variable, body))
    }

    fn stuck_here(&mut self, cell: Cell) -> Result<Node> {
        let nowhere = Span::default();
        let (shape, ty) = match self.machine.force(cell)? {
            Head::Variable(variable, ty) => (Shape::Variable(variable), ty),
            Head::Real(term) => (Shape::Leaf(term.kind().clone(), term.span()), Types::REAL),
            Head::Nat(value) => (Shape::Leaf(TermKind::Nat(value), nowhere), Types::NAT),
            Head::Bool(value) => (Shape::Leaf(TermKind::Bool(value), nowhere), Types::BOOL),
            Head::Unit => (Shape::Leaf(TermKind::Unit, nowhere), Types::UNIT),
            Head::Call(called, arguments) => return self.call(cell, called, &arguments),
            Head::Apply(function, argument) => {
                let function = self.stuck(function)?;
                return self.applied(cell, function, argument);
            }
            Head::Project(tuple, index) => {
                let tuple = self.stuck(tuple)?;
                let ty = self.machine.types.component(self.nodes[tuple].ty, index).ok_or(NormalError::IllTyped)?;
                (Shape::Project(tuple, index), ty)
            }
            Head::To(iso) | Head::From(iso) => {
                let node = self.stuck(iso)?;
                // a model interprets `i.to` only for a constant isomorphism
                if !matches!(self.nodes[node].shape, Shape::Leaf(..)) {
                    return Err(ReduceError::Unknown { what: "an isomorphism" });
                }
                let forward = matches!(self.machine.force(cell)?, Head::To(_));
                let ty = self.machine.types.side(self.nodes[node].ty, forward).ok_or(NormalError::IllTyped)?;
                (if forward { Shape::To(node) } else { Shape::From(node) }, ty)
            }
            Head::Match(scrutinee, term, environment) => return self.cases(cell, scrutinee, &term, environment),
            // a conditional or recursion that the machine could not decide cannot be expressed in the result
            Head::If(..) | Head::Recursive { .. } => return Err(self.obstacle(cell)?),
            Head::Closure { .. } | Head::Tuple(_) | Head::Inject(..) => return Err(NormalError::IllTyped.into()),
        };
        self.put(cell, shape, ty)
    }

    /// Finds the unknown value on which an undecided conditional or recursion depends.
    fn obstacle(&mut self, mut cell: Cell) -> Result<ReduceError> {
        let mut unfolded = false;
        loop {
            cell = match self.machine.force(cell)? {
                Head::If([condition, ..], _) => condition,
                Head::Apply(inner, _) | Head::Project(inner, _) => inner,
                Head::Call(called, arguments) => match (called.constant, &arguments[..]) {
                    (constant, _) if constant.compares_reals() => {
                        return Ok(ReduceError::Guard { comparison: constant.lacking() });
                    }
                    (Constant::Not, &[condition]) => condition,
                    _ => return Ok(ReduceError::Unknown { what: "a condition" }),
                },
                Head::Match(_, term, _) => {
                    let TermKind::Match { data, .. } = term.kind() else { return Err(NormalError::IllTyped.into()) };
                    return Ok(match data.is_list() {
                        true => ReduceError::Unknown { what: "a list" },
                        false => ReduceError::Recursive { data: data.clone() },
                    });
                }
                // unfold once only, so that the search ends
                Head::Recursive { recursion, arguments } if !unfolded => {
                    unfolded = true;
                    self.machine.unfolded(recursion, &arguments)
                }
                _ => return Ok(ReduceError::Unknown { what: "a condition" }),
            }
        }
    }

    fn applied(&mut self, cell: Cell, function: Node, argument: Cell) -> Result<Node> {
        let TypeShape::Function(domain, codomain) = *self.machine.types.shape(self.nodes[function].ty) else {
            return Err(NormalError::IllTyped.into());
        };
        let argument = self.read(argument, domain)?;
        self.put(cell, Shape::Apply(function, argument), codomain)
    }

    fn call(&mut self, cell: Cell, called: Called, arguments: &[Cell]) -> Result<Node> {
        let Called { constant, ty, span } = called;
        if constant.compares_reals() {
            return Err(ReduceError::Guard { comparison: constant.lacking() });
        }
        let mut node = self.put(cell, Shape::Leaf(TermKind::Constant(constant), span), ty)?;
        let mut read = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            node = self.applied(cell, node, argument)?;
            if let Shape::Apply(_, argument) = self.nodes[node].shape {
                read.push(argument);
            }
        }
        // fold constants after the arguments are read, when it is known which of them are constants
        match exact::known(constant, &read, &self.nodes)? {
            Some(value) => self.put(cell, Shape::Leaf(TermKind::Real(value), span), Types::REAL),
            None => Ok(node),
        }
    }

    fn cases(&mut self, cell: Cell, scrutinee: Cell, term: &Term, environment: Environment) -> Result<Node> {
        let TermKind::Match { data, branches, .. } = term.kind() else { return Err(NormalError::IllTyped.into()) };
        // a `match` on a recursive type belongs to a recursion that would have to be unrolled for ever
        if data.is_recursive() && !data.is_list() {
            return Err(ReduceError::Recursive { data: data.clone() });
        }
        let ty = self.machine.types.import(term.ty(), environment.instance);
        let scrutinee = self.stuck(scrutinee)?;
        let domains = self.machine.types.domains(self.nodes[scrutinee].ty);
        let mut read = Vec::with_capacity(branches.len());
        for (branch, &domain) in branches.iter().zip(domains.iter()) {
            read.push(self.under(domain, ty, |machine, variable| {
                let environment = machine.extend(environment, variable);
                machine.delay(&branch.body, environment)
            })?);
        }
        self.put(cell, Shape::Match(data.clone(), scrutinee, read), ty)
    }
}
