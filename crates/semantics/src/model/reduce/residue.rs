//! The residual program, after everything known is computed: a graph, with a node for each cell of the machine that is read.

use super::{MAX_NESTED_BINDERS, MAX_REDUCTION_STEPS, ReduceError, exact};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::normal::evaluate::is_componentwise;
use crate::syntax::normal::machine::{CalledConstant, HeapCell, HeapCellState, HeapEnvironment, LazyMachine, WeakHead};
use crate::syntax::normal::types::{TypeKey, TypeShape, TypeTable};
use crate::syntax::normal::{NormalError, NormaliseLimits};
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The index of a node.
pub(super) type ResidualNodeIndex = usize;
/// The number of a variable. Those of the context come first, from 1; as a scope, 0 stands for the whole program.
pub(super) type ResidualVariable = u32;

/// A program as a graph: a list of nodes, each after its parts, the root last.
pub(super) struct ResidualProgram {
    pub(super) nodes: Vec<ResidualNode>,
    pub(super) types: TypeTable,
}

/// A node of the graph.
pub(super) struct ResidualNode {
    pub(super) shape: ResidualShape,
    /// The type, as a key into the machine's table of types.
    pub(super) ty: TypeKey,
    /// The innermost binder in whose scope the program computes the node, among those around its first reading.
    pub(super) innermost_binder: ResidualVariable,
}

/// The form of a node.
pub(super) enum ResidualShape {
    Variable(ResidualVariable),
    /// A number, a truth value, `()`, or a constant, whose type is that of the node; with its span.
    Leaf(TermKind, Span),
    Apply(ResidualNodeIndex, ResidualNodeIndex),
    Tuple(Vec<ResidualNodeIndex>),
    Project(ResidualNodeIndex, usize),
    Lambda(ResidualVariable, ResidualNodeIndex),
    To(ResidualNodeIndex),
    From(ResidualNodeIndex),
    Inject(Constructor, ResidualNodeIndex),
    /// The type, the scrutinee and the branches, each under a variable.
    Match(DataType, ResidualNodeIndex, Vec<(ResidualVariable, ResidualNodeIndex)>),
}

impl ResidualShape {
    /// Returns the parts from left to right, each with the variable that is bound in it.
    pub(super) fn child_nodes(&self) -> Vec<(ResidualNodeIndex, Option<ResidualVariable>)> {
        match self {
            ResidualShape::Variable(_) | ResidualShape::Leaf(..) => Vec::new(),
            ResidualShape::Apply(function, argument) => vec![(*function, None), (*argument, None)],
            ResidualShape::Tuple(parts) => parts.iter().map(|&part| (part, None)).collect(),
            ResidualShape::Project(part, _)
            | ResidualShape::To(part)
            | ResidualShape::From(part)
            | ResidualShape::Inject(_, part) => {
                vec![(*part, None)]
            }
            ResidualShape::Lambda(variable, body) => vec![(*body, Some(*variable))],
            ResidualShape::Match(_, scrutinee, branches) => {
                let branches = branches.iter().map(|&(variable, body)| (body, Some(variable)));
                [(*scrutinee, None)].into_iter().chain(branches).collect()
            }
        }
    }
}

/// Reads the residual program of a term over variables of the types of `context`.
pub(super) fn read_residue(context: &[Ty], term: &Term) -> ReduceResult<ResidualProgram> {
    // only steps are bounded: every node costs one, so the size needs no bound of its own
    let mut machine = LazyMachine::new(NormaliseLimits { steps: MAX_REDUCTION_STEPS, nodes: usize::MAX });
    let parameters =
        context.iter().chain([term.ty()]).map(Ty::parameter_names).max_by_key(Vec::len).unwrap_or_default();
    let instance = machine.types.parameter_instance(parameters);
    let mut environment = HeapEnvironment::empty(instance);
    for (variable, ty) in (1..).zip(context) {
        let ty = machine.types.import_type(ty, instance);
        let cell = machine.new_value_cell(WeakHead::Variable(variable, ty));
        environment = machine.extend(environment, cell);
    }
    let ty = machine.types.import_type(term.ty(), instance);
    let cell = machine.delay(term, environment);
    let variables = context.len() as ResidualVariable;
    let mut reader =
        ResidueReader { machine, nodes: Vec::new(), read_cells: FxHashMap::default(), binders: Vec::new(), variables };
    let root = reader.read_cell(cell, ty)?;
    let ResidueReader { mut nodes, machine, .. } = reader;
    nodes.truncate(root + 1);
    Ok(ResidualProgram { nodes, types: machine.types })
}

/// Reads cells of the machine back as nodes.
struct ResidueReader {
    machine: LazyMachine,
    nodes: Vec<ResidualNode>,
    /// The nodes of the cells read so far.
    read_cells: FxHashMap<HeapCell, ResidualNodeIndex>,
    /// The binders around the cell that is read, from outside, with the cells of their variables.
    binders: Vec<(ResidualVariable, HeapCell)>,
    /// The number of the last variable.
    variables: ResidualVariable,
}

type ReduceResult<T> = std::result::Result<T, ReduceError>;

impl ResidueReader {
    /// Appends a node for a cell.
    fn add_node(&mut self, cell: HeapCell, shape: ResidualShape, ty: TypeKey) -> ReduceResult<ResidualNodeIndex> {
        // Cells are numbered in the order of creation: one older than the cell of a binder's variable does not depend on it.
        let home = self.binders.iter().rev().find(|(_, first)| *first <= cell).map_or(0, |(variable, _)| *variable);
        self.nodes.push(ResidualNode { shape, ty, innermost_binder: home });
        Ok(self.nodes.len() - 1)
    }

    /// Reads a cell at a type.
    fn read_cell(&mut self, cell: HeapCell, ty: TypeKey) -> ReduceResult<ResidualNodeIndex> {
        self.read_once(cell, |reader| reader.read_cell_anew(cell, ty))
    }

    /// Reads a cell whose type follows from its contents: neither a function nor a constructor.
    fn read_stuck(&mut self, cell: HeapCell) -> ReduceResult<ResidualNodeIndex> {
        self.read_once(cell, |reader| reader.read_stuck_anew(cell))
    }

    /// Reads a cell unless it was read before; counts a step and a level of depth.
    fn read_once(
        &mut self,
        cell: HeapCell,
        read: impl FnOnce(&mut Self) -> ReduceResult<ResidualNodeIndex>,
    ) -> ReduceResult<ResidualNodeIndex> {
        self.machine.count_step()?;
        if let Some(&known) = self.read_cells.get(&cell) {
            return Ok(known);
        }
        self.machine.enter_level()?;
        let node = with_stack(|| read(self))?;
        self.machine.leave_level();
        self.read_cells.insert(cell, node);
        Ok(node)
    }

    fn read_cell_anew(&mut self, cell: HeapCell, ty: TypeKey) -> ReduceResult<ResidualNodeIndex> {
        let head = self.machine.force(cell)?;
        match (self.machine.types.shape(ty).clone(), head) {
            // a function value becomes a λ around its application to a new variable
            (
                TypeShape::Function(domain, codomain),
                WeakHead::Closure { .. }
                | WeakHead::Call(..)
                | WeakHead::Recursive { .. }
                | WeakHead::To(_)
                | WeakHead::From(_),
            ) => {
                let applied =
                    |machine: &mut LazyMachine, variable| machine.new_cell(HeapCellState::Applied(cell, variable));
                let (variable, body) = self.read_under_binder(domain, codomain, applied)?;
                self.add_node(cell, ResidualShape::Lambda(variable, body), ty)
            }
            (TypeShape::Tuple(types), head) => {
                let Some(parts) = self.tuple_components(cell, head)? else { return self.read_stuck_anew(cell) };
                let parts = parts.iter().zip(types.iter()).map(|(&part, &ty)| self.read_cell(part, ty));
                let parts = parts.collect::<ReduceResult<_>>()?;
                self.add_node(cell, ResidualShape::Tuple(parts), ty)
            }
            (TypeShape::Data(..), WeakHead::Inject(constructor, argument)) => {
                let domain = self.machine.types.argument_types(ty)[constructor.index()];
                let argument = self.read_cell(argument, domain)?;
                self.add_node(cell, ResidualShape::Inject(constructor, argument), ty)
            }
            _ => self.read_stuck_anew(cell),
        }
    }

    /// Returns the components of a tuple; `None` if they are unknown. A componentwise operation on known tuples has known
    /// components.
    fn tuple_components(&mut self, cell: HeapCell, head: WeakHead) -> ReduceResult<Option<Rc<[HeapCell]>>> {
        let arguments = match head {
            WeakHead::Tuple(parts) => return Ok(Some(parts)),
            WeakHead::Call(called, arguments) if is_componentwise(called.constant, arguments.len()) => arguments,
            _ => return Ok(None),
        };
        let mut width = 0;
        for &argument in arguments.iter() {
            let head = self.machine.force(argument)?;
            match self.tuple_components(argument, head)? {
                Some(parts) => width = parts.len(),
                None => return Ok(None),
            }
        }
        Ok(Some((0..width).map(|index| self.machine.new_cell(HeapCellState::Part(cell, index))).collect()))
    }

    /// Reads `make(x)` under a new variable `x`; returns the variable and the node.
    fn read_under_binder(
        &mut self,
        domain: TypeKey,
        codomain: TypeKey,
        make: impl FnOnce(&mut LazyMachine, HeapCell) -> HeapCell,
    ) -> ReduceResult<(ResidualVariable, ResidualNodeIndex)> {
        if self.binders.len() > MAX_NESTED_BINDERS {
            return Err(ReduceError::Nesting { most: MAX_NESTED_BINDERS });
        }
        self.variables += 1;
        let variable = self.variables;
        let cell = self.machine.new_value_cell(WeakHead::Variable(variable, domain));
        self.binders.push((variable, cell));
        let body = make(&mut self.machine, cell);
        let body = self.read_cell(body, codomain)?;
        self.binders.pop();
        Ok((variable, body))
    }

    fn read_stuck_anew(&mut self, cell: HeapCell) -> ReduceResult<ResidualNodeIndex> {
        let nowhere = Span::default();
        let (shape, ty) = match self.machine.force(cell)? {
            WeakHead::Variable(variable, ty) => (ResidualShape::Variable(variable), ty),
            WeakHead::Real(term) => (ResidualShape::Leaf(term.kind().clone(), term.span()), TypeTable::REAL),
            WeakHead::Nat(value) => (ResidualShape::Leaf(TermKind::Nat(value), nowhere), TypeTable::NAT),
            WeakHead::Bool(value) => (ResidualShape::Leaf(TermKind::Bool(value), nowhere), TypeTable::BOOL),
            WeakHead::Unit => (ResidualShape::Leaf(TermKind::Unit, nowhere), TypeTable::UNIT),
            WeakHead::Call(called, arguments) => return self.read_constant_call(cell, called, &arguments),
            WeakHead::Apply(function, argument) => {
                let function = self.read_stuck(function)?;
                return self.add_application(cell, function, argument);
            }
            WeakHead::Project(tuple, index) => {
                let tuple = self.read_stuck(tuple)?;
                let ty = self.machine.types.component_type(self.nodes[tuple].ty, index).ok_or(NormalError::IllTyped)?;
                (ResidualShape::Project(tuple, index), ty)
            }
            WeakHead::To(iso) | WeakHead::From(iso) => {
                let node = self.read_stuck(iso)?;
                // a model interprets `i.to` only for a constant isomorphism
                if !matches!(self.nodes[node].shape, ResidualShape::Leaf(..)) {
                    return Err(ReduceError::Unknown { what: "an isomorphism" });
                }
                let forward = matches!(self.machine.force(cell)?, WeakHead::To(_));
                let ty = self.machine.types.iso_direction(self.nodes[node].ty, forward).ok_or(NormalError::IllTyped)?;
                (if forward { ResidualShape::To(node) } else { ResidualShape::From(node) }, ty)
            }
            WeakHead::Match(scrutinee, term, environment) => {
                return self.read_match(cell, scrutinee, &term, environment);
            }
            // a conditional or recursion that the machine could not decide cannot be expressed in the result
            WeakHead::If(..) | WeakHead::Recursive { .. } => return Err(self.find_obstacle(cell)?),
            WeakHead::Closure { .. } | WeakHead::Tuple(_) | WeakHead::Inject(..) => {
                return Err(NormalError::IllTyped.into());
            }
        };
        self.add_node(cell, shape, ty)
    }

    /// Finds the unknown value on which an undecided conditional or recursion depends.
    fn find_obstacle(&mut self, mut cell: HeapCell) -> ReduceResult<ReduceError> {
        let mut unfolded = false;
        loop {
            cell = match self.machine.force(cell)? {
                WeakHead::If([condition, ..], _) => condition,
                WeakHead::Apply(inner, _) | WeakHead::Project(inner, _) => inner,
                WeakHead::Call(called, arguments) => match (called.constant, &arguments[..]) {
                    (constant, _) if constant.compares_reals() => {
                        return Ok(ReduceError::Guard { comparison: constant.describe_missing() });
                    }
                    (Constant::Not, &[condition]) => condition,
                    _ => return Ok(ReduceError::Unknown { what: "a condition" }),
                },
                WeakHead::Match(_, term, _) => {
                    let TermKind::Match { data, .. } = term.kind() else { return Err(NormalError::IllTyped.into()) };
                    return Ok(match data.is_list() {
                        true => ReduceError::Unknown { what: "a list" },
                        false => ReduceError::Recursive { data: data.clone() },
                    });
                }
                // unfold once only, so that the search ends
                WeakHead::Recursive { recursion, arguments } if !unfolded => {
                    unfolded = true;
                    self.machine.apply_recursion(recursion, &arguments)
                }
                _ => return Ok(ReduceError::Unknown { what: "a condition" }),
            }
        }
    }

    fn add_application(
        &mut self,
        cell: HeapCell,
        function: ResidualNodeIndex,
        argument: HeapCell,
    ) -> ReduceResult<ResidualNodeIndex> {
        let TypeShape::Function(domain, codomain) = *self.machine.types.shape(self.nodes[function].ty) else {
            return Err(NormalError::IllTyped.into());
        };
        let argument = self.read_cell(argument, domain)?;
        self.add_node(cell, ResidualShape::Apply(function, argument), codomain)
    }

    fn read_constant_call(
        &mut self,
        cell: HeapCell,
        called: CalledConstant,
        arguments: &[HeapCell],
    ) -> ReduceResult<ResidualNodeIndex> {
        let CalledConstant { constant, ty, span } = called;
        if constant.compares_reals() {
            return Err(ReduceError::Guard { comparison: constant.describe_missing() });
        }
        let mut node = self.add_node(cell, ResidualShape::Leaf(TermKind::Constant(constant), span), ty)?;
        let mut read = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            node = self.add_application(cell, node, argument)?;
            if let ResidualShape::Apply(_, argument) = self.nodes[node].shape {
                read.push(argument);
            }
        }
        // fold constants after the arguments are read, when it is known which of them are constants
        match exact::fold_operation(constant, &read, &self.nodes)? {
            Some(value) => self.add_node(cell, ResidualShape::Leaf(TermKind::Real(value), span), TypeTable::REAL),
            None => Ok(node),
        }
    }

    fn read_match(
        &mut self,
        cell: HeapCell,
        scrutinee: HeapCell,
        term: &Term,
        environment: HeapEnvironment,
    ) -> ReduceResult<ResidualNodeIndex> {
        let TermKind::Match { data, branches, .. } = term.kind() else { return Err(NormalError::IllTyped.into()) };
        // a `match` on a recursive type belongs to a recursion that would have to be unrolled for ever
        if data.is_recursive() && !data.is_list() {
            return Err(ReduceError::Recursive { data: data.clone() });
        }
        let ty = self.machine.types.import_type(term.ty(), environment.instance);
        let scrutinee = self.read_stuck(scrutinee)?;
        let domains = self.machine.types.argument_types(self.nodes[scrutinee].ty);
        let mut read = Vec::with_capacity(branches.len());
        for (branch, &domain) in branches.iter().zip(domains.iter()) {
            read.push(self.read_under_binder(domain, ty, |machine, variable| {
                let environment = machine.extend(environment, variable);
                machine.delay(&branch.body, environment)
            })?);
        }
        self.add_node(cell, ResidualShape::Match(data.clone(), scrutinee, read), ty)
    }
}
