//! β-reduction for models without exponentials: evaluation with variables for unknown inputs, and readback as a term.
//!
//! The lazy machine of [normal forms](crate::syntax::normal) evaluates the program. Functions, tuples, truth values, natural
//! numbers, constructors and lists are computed as far as they are known.
//!
//! - A function remains in the value of the program, as an argument of a constant, or in a branch of a remaining `match`.
//! - Every condition is decided and every recursion unrolled. If that fails, the result is a [`ReduceError`].
//! - A `match` remains if its scrutinee is unknown: a variable or a projection of one, for instance, or another such `match`.
//! - A program that does not end is detected by counting steps.
//!
//! # Exact arithmetic on constants during reduction
//!
//! Operations on real numbers stay, except arithmetic on constants. It is carried out exactly where
//! [graphs](crate::smooth::graph) carry it out. The derivative of a constant function is the constant 0.
//!
//! The exponent of `x^(1 + 1)` is a constant and that of `x^y` is not, and these powers are different functions. So models must
//! agree on what is constant.
//!
//! # The residual program
//!
//! The cells of the machine that the result needs are read as a graph, the residual program, with one node or more for each cell.
//!
//! Variables are not η-expanded, unlike in normalisation. A constant, a recursion or a direction of an isomorphism that is a
//! value of function type becomes `\x => f x`.
//!
//! # Residual graphs as terms
//!
//! The graph is written as a term in which shared nodes are bound by `let`.
//!
//! A node with several uses is bound in the innermost scope that contains them. It is bound further outside if the program
//! computes it there. Otherwise a function that only uses it would compute it at every call. Functions are written at every
//! use, since a model without exponentials has no variables for them. Operations on deep operands are bound as well, so that
//! terms stay shallow.

use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, Unary};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::name::Name;
use crate::syntax::normal::machine::{
    CalledConstant, HeapCell, HeapCellState, HeapEnvironment, LazyMachine, WeakHead, is_componentwise,
};
use crate::syntax::normal::types::{TypeKey, TypeShape, TypeTable};
use crate::syntax::normal::{NormalError, NormaliseLimits};
use crate::syntax::source::Span;
use crate::syntax::term::{MatchBranch, ScopeTree, Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::NegativeDifference;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The most steps of evaluation and reading together, and again the most nodes to write; a bound by taste.
pub const MAX_REDUCTION_STEPS: u64 = 500_000;
/// The most functions and `match` branches that may be nested in the result; a choice.
///
/// Each of them has the variables of all those around it in scope.
const MAX_NESTED_BINDERS: usize = 1_000;

/// An operation with operands at least this deep is bound to a variable; a choice: shallow terms against many variables.
const MAX_OPERAND_DEPTH: u32 = 32;

/// The span of a part that reduction has made.
const NO_SPAN: Span = Span { start: 0, end: 0 };

/// The reason why a program could not be reduced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReduceError {
    /// Reduction takes too many steps, or evaluation nests too deeply: a recursion may not end.
    #[error(
        "the program was not reduced within {most} steps, the limit; check that every recursion on Nat comes \
         to an end. If it does, the program is too long for this model: try a shorter list"
    )]
    Exhausted {
        /// The limit, in steps.
        most: u64,
    },
    /// The result has too many nested functions and `match` branches.
    #[error(
        "the program was not reduced: functions of variables are nested more than {most} levels deep, too many for this \
         model; check that every recursion on Nat comes to an end, and take fewer derivatives of derivatives"
    )]
    Nesting {
        /// The limit, in levels.
        most: usize,
    },
    /// A natural number beyond 2⁶⁴ - 1.
    #[error("a natural number grew beyond 18446744073709551615; use Real numbers for larger ones")]
    NaturalOverflow,
    /// A difference of natural numbers is below 0.
    #[error("{0}")]
    BelowZero(Box<NegativeDifference>),
    /// A `match` takes apart an unknown value of a recursive type other than a list.
    ///
    /// A blocked condition or recursion gives this error as well, if it depends on a `match` on an unknown value that is no list.
    #[error("the program cannot be reduced: it takes apart a value of the recursive type `{}` that is not known before it runs", data.name())]
    Recursive {
        /// The type of the scrutinee.
        data: DataType,
    },
    /// The program compares real numbers, in a condition or as its value.
    #[error("the program cannot be reduced: it compares real numbers by {comparison}")]
    Guard {
        /// The comparison operator, as a noun phrase.
        comparison: String,
    },
    /// A value is unknown that must be known to go on.
    #[error("the program cannot be reduced: it depends on {what} that is not known before it runs")]
    Unknown {
        /// The value, as a noun phrase.
        what: &'static str,
    },
    /// The program does not have the types that it carries, or mentions a variable that nothing binds.
    #[error("the program cannot be reduced: {0}")]
    IllFormed(NormalError),
}

impl From<NormalError> for ReduceError {
    fn from(error: NormalError) -> Self {
        match error {
            NormalError::Steps { .. } | NormalError::Size { .. } | NormalError::Depth { .. } => {
                Self::Exhausted { most: MAX_REDUCTION_STEPS }
            }
            error => Self::IllFormed(error),
        }
    }
}

/// Reduces a term over variables of the types of `context` to a βδ-equal one; see the [module](self).
///
/// The equality is that of call by name: an unused value is dropped, even where its evaluation would be undefined.
///
/// # Errors
/// Every variant of [`ReduceError`].
pub fn beta_reduce(context: &[Ty], term: &Term) -> Result<Term, ReduceError> {
    write_term(&read_residual_program(context, term)?, context)
}

/// Evaluates an operation on rational constants.
///
/// Returns `None` unless the graph of the operation would be a constant, which bounds the size of the numbers. The Taylor
/// macro folds constants by this function as well.
pub(crate) fn fold_constant(constant: Constant, arguments: &[&Rational]) -> Option<Rational> {
    // built as graphs, so that both folders of constants agree by construction
    let graph = |q: &Rational| Graph::rational(q.clone());
    let binary = |operation, x, y| Some(Graph::binary(operation, &graph(x), &graph(y)));
    let result = match (constant, arguments) {
        (Constant::Negate, [x]) => Some(Graph::unary(Unary::Negate, &graph(x))),
        (Constant::Add, [x, y]) => binary(Binary::Add, x, y),
        (Constant::Subtract, [x, y]) => binary(Binary::Subtract, x, y),
        (Constant::Multiply, [x, y]) => binary(Binary::Multiply, x, y),
        (Constant::Divide, [x, y]) => binary(Binary::Divide, x, y),
        (Constant::Power, [x, y]) => Graph::power(&graph(x), y),
        _ => None,
    };
    result?.as_rational().cloned()
}

/// Evaluates an operation to a real number; `None` if the graph of the operation would not be a constant.
///
/// # Errors
/// [`ReduceError::NaturalOverflow`] and [`ReduceError::BelowZero`]: the machine has already computed all operations that have a
/// value.
fn fold_operation(
    constant: Constant,
    arguments: &[ResidualNodeIndex],
    nodes: &[ResidualNode],
) -> Result<Option<Rational>, ReduceError> {
    let leaf =
        |node: ResidualNodeIndex| if let ResidualShape::Leaf(kind, _) = &nodes[node].shape { Some(kind) } else { None };
    let leaves: Vec<Option<&TermKind>> = arguments.iter().map(|&argument| leaf(argument)).collect();
    Ok(match (constant, &leaves[..]) {
        (Constant::ToReal, [Some(TermKind::Nat(n))]) => Some((*n).into()),
        // the machine leaves an operation on two known natural numbers only if its result is none
        (Constant::NaturalDifference, [Some(TermKind::Nat(left)), Some(TermKind::Nat(right))]) => {
            return Err(ReduceError::BelowZero(Box::new(NegativeDifference::from_operands(*left, *right))));
        }
        (_, [Some(TermKind::Nat(_)), Some(TermKind::Nat(_))]) if constant.natural_operation().is_some() => {
            return Err(ReduceError::NaturalOverflow);
        }
        // the derivative of a constant function; a body that is a leaf cannot mention the variable
        (Constant::Deriv, _) => match arguments.first().map(|&function| &nodes[function].shape) {
            Some(ResidualShape::Lambda(_, body)) if leaf(*body).is_some_and(is_number) => Some(Rational::new()),
            _ => None,
        },
        _ => {
            let number =
                |kind: &Option<&'_ TermKind>| if let Some(TermKind::Real(q)) = kind { Some(q.clone()) } else { None };
            let numbers: Option<Vec<Rational>> = leaves.iter().map(number).collect();
            numbers.and_then(|numbers| fold_constant(constant, &numbers.iter().collect::<Vec<_>>()))
        }
    })
}

/// Returns `true` if a leaf is a real constant: a number, π or e.
fn is_number(kind: &TermKind) -> bool {
    matches!(kind, TermKind::Real(_) | TermKind::Constant(Constant::Pi | Constant::E))
}

/// The index of a node.
type ResidualNodeIndex = usize;
/// The number of a variable. Those of the context come first, from 1. As a binder, 0 stands for the whole program.
type ResidualVariable = u32;

/// A program as a graph: a list of nodes, each after its parts, the root last.
struct ResidualProgram {
    nodes: Vec<ResidualNode>,
    types: TypeTable,
}

/// A node of the graph.
struct ResidualNode {
    shape: ResidualShape,
    /// The type, as a key into the machine's table of types.
    ty: TypeKey,
    /// The innermost binder in whose scope the program may compute the node, among those around its first reading.
    innermost_binder: ResidualVariable,
}

/// The form of a node.
enum ResidualShape {
    Variable(ResidualVariable),
    /// A number, a truth value, `()`, or a constant, with its span. The type of a constant is that of the node.
    Leaf(TermKind, Span),
    Apply(ResidualNodeIndex, ResidualNodeIndex),
    Tuple(Vec<ResidualNodeIndex>),
    Project(ResidualNodeIndex, usize),
    Lambda(ResidualVariable, ResidualNodeIndex),
    To(ResidualNodeIndex),
    From(ResidualNodeIndex),
    Inject(Constructor, ResidualNodeIndex),
    /// The data type, the scrutinee, and the branches with the variable that each binds.
    Match(DataType, ResidualNodeIndex, Vec<(ResidualVariable, ResidualNodeIndex)>),
}

impl ResidualShape {
    /// Returns the parts from left to right, each with the variable that is bound in it.
    fn child_nodes(&self) -> Vec<(ResidualNodeIndex, Option<ResidualVariable>)> {
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
fn read_residual_program(context: &[Ty], term: &Term) -> ReduceResult<ResidualProgram> {
    // only steps are bounded: every node costs one, so the size needs no bound of its own
    let mut machine = LazyMachine::new(NormaliseLimits { steps: MAX_REDUCTION_STEPS, nodes: usize::MAX });
    // names are listed by index, and indices are common to all types, so the longest list has every index
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
    let mut reader = ResidualReader {
        machine,
        nodes: Vec::new(),
        read_cells: FxHashMap::default(),
        binders: Vec::new(),
        last_variable: variables,
    };
    let root = reader.read_cell(cell, ty)?;
    let ResidualReader { mut nodes, machine, .. } = reader;
    // the root is the last node of a program
    nodes.truncate(root + 1);
    Ok(ResidualProgram { nodes, types: machine.types })
}

/// Reads cells of the machine back as nodes.
struct ResidualReader {
    machine: LazyMachine,
    nodes: Vec<ResidualNode>,
    /// The nodes of the cells read so far.
    read_cells: FxHashMap<HeapCell, ResidualNodeIndex>,
    /// The binders around the cell that is read, from outside, with the cells of their variables.
    binders: Vec<(ResidualVariable, HeapCell)>,
    /// The number of the newest variable.
    last_variable: ResidualVariable,
}

type ReduceResult<T> = std::result::Result<T, ReduceError>;

impl ResidualReader {
    /// Appends a node of the type `ty` for a cell. A cell may get several nodes, as a call does for its partial applications.
    fn add_node(&mut self, cell: HeapCell, shape: ResidualShape, ty: TypeKey) -> ReduceResult<ResidualNodeIndex> {
        // Cells are numbered in the order of creation: one older than the cell of a binder's variable does not depend on it.
        let home = self.binders.iter().rev().find(|(_, first)| *first <= cell).map_or(0, |(variable, _)| *variable);
        self.nodes.push(ResidualNode { shape, ty, innermost_binder: home });
        Ok(self.nodes.len() - 1)
    }

    /// Reads a cell at a type.
    fn read_cell(&mut self, cell: HeapCell, ty: TypeKey) -> ReduceResult<ResidualNodeIndex> {
        self.read_once(cell, |reader| reader.read_cell_uncached(cell, ty))
    }

    /// Reads a cell whose type follows from its contents: no closure, no tuple and no constructor.
    fn read_without_type(&mut self, cell: HeapCell) -> ReduceResult<ResidualNodeIndex> {
        self.read_once(cell, |reader| reader.read_without_type_uncached(cell))
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

    /// Reads a cell at a type, without the cache.
    fn read_cell_uncached(&mut self, cell: HeapCell, ty: TypeKey) -> ReduceResult<ResidualNodeIndex> {
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
                let Some(parts) = self.tuple_components(cell, head)? else {
                    return self.read_without_type_uncached(cell);
                };
                let parts = parts.iter().zip(types.iter()).map(|(&part, &ty)| self.read_cell(part, ty));
                let parts = parts.collect::<ReduceResult<_>>()?;
                self.add_node(cell, ResidualShape::Tuple(parts), ty)
            }
            (TypeShape::Data(..), WeakHead::Inject(constructor, argument)) => {
                let domain = self.machine.types.argument_types(ty)[constructor.index()];
                let argument = self.read_cell(argument, domain)?;
                self.add_node(cell, ResidualShape::Inject(constructor, argument), ty)
            }
            _ => self.read_without_type_uncached(cell),
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
        if self.binders.len() >= MAX_NESTED_BINDERS {
            return Err(ReduceError::Nesting { most: MAX_NESTED_BINDERS });
        }
        self.last_variable += 1;
        let variable = self.last_variable;
        let cell = self.machine.new_value_cell(WeakHead::Variable(variable, domain));
        self.binders.push((variable, cell));
        let body = make(&mut self.machine, cell);
        let body = self.read_cell(body, codomain)?;
        self.binders.pop();
        Ok((variable, body))
    }

    /// Reads a cell whose type follows from its contents, without the cache.
    fn read_without_type_uncached(&mut self, cell: HeapCell) -> ReduceResult<ResidualNodeIndex> {
        let (shape, ty) = match self.machine.force(cell)? {
            WeakHead::Variable(variable, ty) => (ResidualShape::Variable(variable), ty),
            WeakHead::Real(term) => (ResidualShape::Leaf(term.kind().clone(), term.span()), TypeTable::REAL),
            WeakHead::Nat(value) => (ResidualShape::Leaf(TermKind::Nat(value), NO_SPAN), TypeTable::NAT),
            WeakHead::Bool(value) => (ResidualShape::Leaf(TermKind::Bool(value), NO_SPAN), TypeTable::BOOL),
            WeakHead::Unit => (ResidualShape::Leaf(TermKind::Unit, NO_SPAN), TypeTable::UNIT),
            WeakHead::Call(called, arguments) => return self.read_constant_call(cell, called, &arguments),
            WeakHead::Apply(function, argument) => {
                let function = self.read_without_type(function)?;
                return self.read_application(cell, function, argument);
            }
            WeakHead::Project(tuple, index) => {
                let tuple = self.read_without_type(tuple)?;
                let ty = self.machine.types.component_type(self.nodes[tuple].ty, index).ok_or(NormalError::IllTyped)?;
                (ResidualShape::Project(tuple, index), ty)
            }
            WeakHead::To(iso) | WeakHead::From(iso) => {
                let node = self.read_without_type(iso)?;
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
                    return Ok(match (data.is_list(), data.is_recursive()) {
                        (true, _) => ReduceError::Unknown { what: "a list" },
                        (false, true) => ReduceError::Recursive { data: data.clone() },
                        (false, false) => ReduceError::Unknown { what: "a case" },
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

    /// Reads an argument, and appends the application of `function` to it for a cell.
    fn read_application(
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

    /// Reads a call of a constant with all its arguments.
    ///
    /// # Errors
    /// [`ReduceError::Guard`] if the constant compares real numbers; the errors of [`fold_operation`].
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
            node = self.read_application(cell, node, argument)?;
            if let ResidualShape::Apply(_, argument) = self.nodes[node].shape {
                read.push(argument);
            }
        }
        // fold constants after the arguments are read, when it is known which of them are constants
        match fold_operation(constant, &read, &self.nodes)? {
            Some(value) => self.add_node(cell, ResidualShape::Leaf(TermKind::Real(value), span), TypeTable::REAL),
            None => Ok(node),
        }
    }

    /// Reads a `match` on an unknown scrutinee, with each branch under a new variable.
    ///
    /// # Errors
    /// [`ReduceError::Recursive`] if the data type is recursive and no list.
    fn read_match(
        &mut self,
        cell: HeapCell,
        scrutinee: HeapCell,
        term: &Term,
        environment: HeapEnvironment,
    ) -> ReduceResult<ResidualNodeIndex> {
        let TermKind::Match { data, branches, .. } = term.kind() else { return Err(NormalError::IllTyped.into()) };
        // such a `match` mostly belongs to a recursion, which could not be unrolled on an unknown value
        if data.is_recursive() && !data.is_list() {
            return Err(ReduceError::Recursive { data: data.clone() });
        }
        let ty = self.machine.types.import_type(term.ty(), environment.instance);
        let scrutinee = self.read_without_type(scrutinee)?;
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

/// Converts a graph to a term over variables of the types of `context`.
fn write_term(residue: &ResidualProgram, context: &[Ty]) -> Result<Term, ReduceError> {
    let plan = SharingPlan::new(residue);
    let variables = (1..).zip(context.iter().cloned().enumerate()).collect();
    let types = residue.types.all_types();
    let mut writer = SharedTermWriter {
        residue,
        plan: &plan,
        types,
        variables,
        bound_nodes: FxHashMap::default(),
        level: context.len(),
        steps: 0,
    };
    writer.write_scope(residue.nodes.len() - 1)
}

/// The plan of sharing: the nodes to bind, and the scope for each.
///
/// A scope is the root, or the body of a function or branch; it is named by that node.
struct SharingPlan {
    /// The nodes that each scope binds, each after the nodes that it uses.
    bindings_of_scope: FxHashMap<ResidualNodeIndex, Vec<ResidualNodeIndex>>,
    /// For each node, `true` if it is bound.
    is_bound: Vec<bool>,
}

impl SharingPlan {
    /// Chooses the nodes to bind in three passes: the uses, the scopes from the root down, the depths from the leaves up.
    fn new(residue: &ResidualProgram) -> SharingPlan {
        const NOWHERE: usize = usize::MAX;
        let nodes = &residue.nodes;
        let (count, root) = (nodes.len(), nodes.len() - 1);
        let mut uses = vec![0_u32; count];
        uses[root] = 1;
        // in reverse order users come before the nodes that they use
        for node in (0..count).rev() {
            if uses[node] > 0 {
                nodes[node].shape.child_nodes().iter().for_each(|&(part, _)| uses[part] += 1);
            }
        }
        // functions have no variables in such a model, and variables and leaves cost nothing to repeat
        let functional = residue.types.functional_types();
        let can_be_bound = |node: ResidualNodeIndex| {
            node != root && !functional[nodes[node].ty as usize] && !is_written_inline(residue, node)
        };
        let mut is_bound = vec![false; count];
        let (mut scopes, mut nesting) = (vec![NOWHERE; count], ScopeTree::new(count));
        let mut tops: FxHashMap<ResidualVariable, ResidualNodeIndex> = FxHashMap::default();
        scopes[root] = root;
        tops.insert(0, root);
        // From the root down: the scope of a node is the lowest common ancestor of the scopes of its uses.
        for node in (0..count).rev().filter(|&node| uses[node] > 0) {
            if can_be_bound(node) {
                let scope = scopes[node];
                // hoist to the scope where the program computes the node, if that lies around all its uses
                let home = tops
                    .get(&nodes[node].innermost_binder)
                    .filter(|&&home| nesting.lowest_common_ancestor(home, scope) == home);
                scopes[node] = home.copied().unwrap_or(scope);
                is_bound[node] = uses[node] > 1 || scopes[node] != scope;
            }
            for (part, variable) in nodes[node].shape.child_nodes() {
                match variable {
                    // a body used once opens a scope; one with other uses is an ordinary node
                    Some(variable) if uses[part] == 1 => {
                        scopes[part] = part;
                        nesting.attach_child(part, scopes[node]);
                        tops.insert(variable, part);
                    }
                    _ if scopes[part] == NOWHERE => scopes[part] = scopes[node],
                    _ => scopes[part] = nesting.lowest_common_ancestor(scopes[part], scopes[node]),
                }
            }
        }
        // From the leaves up: bind the operations whose operands are at least `MAX_OPERAND_DEPTH` deep.
        let (mut depths, mut bindings_of_scope) = (vec![0_u32; count], FxHashMap::default());
        for node in (0..count).filter(|&node| uses[node] > 0) {
            let depth = |&(part, variable): &(ResidualNodeIndex, Option<ResidualVariable>)| match variable {
                None if !is_bound[part] => depths[part],
                _ => 0,
            };
            let below = nodes[node].shape.child_nodes().iter().map(depth).max().unwrap_or(0);
            depths[node] = below + u32::from(!functional[nodes[node].ty as usize]);
            is_bound[node] |= below >= MAX_OPERAND_DEPTH && scopes[node] != node && can_be_bound(node);
            if is_bound[node] {
                bindings_of_scope.entry(scopes[node]).or_insert_with(Vec::new).push(node);
            }
        }
        SharingPlan { bindings_of_scope, is_bound }
    }
}

/// Returns `true` if a node is a variable, a leaf, or a chain of projections from one: it is written at every use.
fn is_written_inline(residue: &ResidualProgram, mut node: ResidualNodeIndex) -> bool {
    while let ResidualShape::Project(tuple, _) = residue.nodes[node].shape {
        node = tuple;
    }
    matches!(residue.nodes[node].shape, ResidualShape::Variable(_) | ResidualShape::Leaf(..))
}

/// Writes the nodes of a residual program as a term. Variables are kept by de Bruijn level, and written by index.
struct SharedTermWriter<'r> {
    residue: &'r ResidualProgram,
    plan: &'r SharingPlan,
    /// The types of the table, by key.
    types: Vec<Ty>,
    /// The de Bruijn levels of the variables in scope, with their types.
    variables: FxHashMap<ResidualVariable, (usize, Ty)>,
    /// The de Bruijn levels of the bound nodes in scope, with their types.
    bound_nodes: FxHashMap<ResidualNodeIndex, (usize, Ty)>,
    /// The number of variables in scope.
    level: usize,
    /// The number of nodes written so far.
    steps: u64,
}

/// Returns the name of every bound variable of the result; they are told apart by index.
fn variable_name() -> Name {
    Name::from("x")
}

impl SharedTermWriter<'_> {
    fn type_of_key(&self, key: TypeKey) -> Ty {
        self.types[key as usize].clone()
    }

    /// Returns the variable of a level, as an index from the current level.
    fn bound_variable(&self, (level, ty): &(usize, Ty)) -> Term {
        Term::variable(self.level - 1 - level, variable_name(), ty.clone(), NO_SPAN)
    }

    /// Writes a node at the top of a scope, inside the `let`s of that scope.
    fn write_scope(&mut self, node: ResidualNodeIndex) -> Result<Term, ReduceError> {
        let plan = self.plan;
        let Some(bound) = plan.bindings_of_scope.get(&node) else { return self.write_node(node) };
        let mut values = Vec::with_capacity(bound.len());
        for &value in bound {
            let written = self.write_node(value)?;
            self.bound_nodes.insert(value, (self.level, written.ty().clone()));
            self.level += 1;
            values.push(written);
        }
        let result = self.write_node(node);
        self.level -= bound.len();
        // outside of its scope the node would be unbound: two uses of a function write it twice
        bound.iter().for_each(|value| drop(self.bound_nodes.remove(value)));
        let bind = |body, value| Term::new(TermKind::Let { name: variable_name(), value, body }, NO_SPAN);
        Ok(values.into_iter().rev().fold(result?, bind))
    }

    /// Writes a use of a node: the variable if the node is bound, otherwise the node itself.
    fn write_part(&mut self, part: ResidualNodeIndex) -> Result<Term, ReduceError> {
        if self.plan.is_bound[part] {
            let bound = self.bound_nodes.get(&part).ok_or(ReduceError::IllFormed(NormalError::IllScoped))?;
            return Ok(self.bound_variable(bound));
        }
        with_stack(|| self.write_scope(part))
    }

    /// Writes a body with one more variable in scope.
    fn write_under_binder(
        &mut self,
        variable: ResidualVariable,
        ty: Ty,
        body: ResidualNodeIndex,
    ) -> Result<Term, ReduceError> {
        self.variables.insert(variable, (self.level, ty));
        self.level += 1;
        let written = self.write_part(body);
        self.level -= 1;
        written
    }

    /// Writes a node. Every node written counts as a step, since functions are written more than once.
    fn write_node(&mut self, node: ResidualNodeIndex) -> Result<Term, ReduceError> {
        self.steps += 1;
        if self.steps > MAX_REDUCTION_STEPS {
            return Err(ReduceError::Exhausted { most: MAX_REDUCTION_STEPS });
        }
        let residue = self.residue;
        let ty = residue.nodes[node].ty;
        let kind = match &residue.nodes[node].shape {
            ResidualShape::Variable(variable) => {
                let known = self.variables.get(variable).ok_or(ReduceError::IllFormed(NormalError::IllScoped))?;
                return Ok(self.bound_variable(known));
            }
            ResidualShape::Leaf(kind @ TermKind::Constant(_), span) => {
                return Ok(Term::with_type(kind.clone(), self.type_of_key(ty), *span));
            }
            ResidualShape::Leaf(kind, span) => return Ok(Term::new(kind.clone(), *span)),
            ResidualShape::Apply(function, argument) => {
                let (function, argument) = (self.write_part(*function)?, self.write_part(*argument)?);
                let span = function.span();
                return Ok(Term::apply(function, argument, span));
            }
            ResidualShape::Lambda(variable, body) => {
                let TyKind::Function(domain, _) = self.type_of_key(ty).kind().clone() else {
                    return Err(ReduceError::IllFormed(NormalError::IllTyped));
                };
                let body = self.write_under_binder(*variable, domain.clone(), *body)?;
                return Ok(Term::lambda(variable_name(), domain, body, NO_SPAN));
            }
            ResidualShape::Inject(constructor, argument) => {
                let argument = self.write_part(*argument)?;
                return Ok(Term::inject(constructor.clone(), argument, self.type_of_key(ty), NO_SPAN));
            }
            ResidualShape::Tuple(parts) => {
                TermKind::Tuple(parts.iter().map(|&part| self.write_part(part)).collect::<Result<_, _>>()?)
            }
            ResidualShape::Project(tuple, index) => {
                TermKind::Project { tuple: self.write_part(*tuple)?, index: *index }
            }
            ResidualShape::To(iso) => TermKind::To(self.write_part(*iso)?),
            ResidualShape::From(iso) => TermKind::From(self.write_part(*iso)?),
            ResidualShape::Match(data, scrutinee, branches) => {
                let domains = match self.type_of_key(residue.nodes[*scrutinee].ty).kind() {
                    TyKind::Data(data, arguments) => data.argument_types(arguments),
                    _ => Vec::new(),
                };
                let scrutinee = self.write_part(*scrutinee)?;
                let branches = branches.iter().zip(domains).map(|(&(variable, body), domain)| {
                    Ok(MatchBranch { name: variable_name(), body: self.write_under_binder(variable, domain, body)? })
                });
                let branches = branches.collect::<Result<_, ReduceError>>()?;
                TermKind::Match { data: data.clone(), scrutinee, branches }
            }
        };
        Ok(Term::new(kind, NO_SPAN))
    }
}
