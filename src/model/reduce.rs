//! β-reduction, for models without exponentials: functions go, unless a constant takes them or the program is one.
//!
//! The program is run with variables for its inputs. What is known (functions, tuples, truth values, natural numbers,
//! constructors and lists) is computed; operations on real numbers are left as they are, but for arithmetic on constants,
//! which is carried out where [graphs](crate::smooth::graph) carry it out: a constant exponent means another function than
//! one that varies, so models must agree on what is constant. Nothing is computed twice that the program computes once: a
//! number that is bound to a variable stays bound by a `let`. In the result every condition is decided, every recursion
//! unrolled, and every `match` that is left looks at a variant that a variable stands for; so a program that goes on for ever is found out by counting steps.
//!
//! Where a function stays, its parameter is a variable of which nothing is known.

mod cases;
mod exact;
mod read;

pub(crate) use exact::arithmetic;

use super::environment::Environment;
use crate::stack::deep;
use crate::syntax::constant::{Constant, Discrete};
use crate::syntax::data::{Constructor, Data};
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Scheme, Ty};
use crate::syntax::typing::{TypingError, typed};
use crate::value::Nested;
use crate::value::Sequence;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The most steps that reducing one program may take.
pub const MOST_STEPS: u64 = 500_000;
/// An operation on operands deeper than this is bound to a variable.
const DEEPEST: u32 = 32;
/// The most functions that may be left within each other: each has the variables of all that it lies in.
const MOST_BINDERS: usize = 1_000;

/// Why a program could not be reduced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReduceError {
    /// It takes too many steps: a recursion may not end.
    #[error(
        "the program was not reduced within {most} steps, the most that it may take; check that every recursion on Nat comes \
         to an end, and if it does, the program is too long for this model: try a shorter list"
    )]
    Exhausted {
        /// The most steps.
        most: u64,
    },
    /// Too many functions are left within each other.
    #[error(
        "the program was not reduced: functions of variables lie more than {most} deep within each other, which is too much \
         for this model; check that every recursion on Nat comes to an end, and take fewer derivatives of derivatives"
    )]
    Nesting {
        /// The most.
        most: usize,
    },
    /// A natural number beyond 2⁶⁴ - 1.
    #[error("a natural number grew beyond 18446744073709551615; use Real numbers for larger ones")]
    NaturalOverflow,
    /// A value of a recursive type would have to be known to go on: what takes one apart is a recursion.
    #[error("the program cannot be reduced: it takes apart a value of the recursive type `{}` that is not known before it runs", data.name())]
    Recursive {
        /// The type.
        data: Data,
    },
    /// A condition compares real numbers.
    #[error("the program cannot be reduced: it compares real numbers by {comparison}")]
    Guard {
        /// By which comparison.
        comparison: String,
    },
    /// What is left has no types.
    #[error(transparent)]
    Typing(#[from] TypingError),
    /// Something that must be known to go on is not.
    #[error("the program cannot be reduced: it depends on {what} that is not known before it runs")]
    Unknown {
        /// What it is.
        what: &'static str,
    },
}

/// The normal form of a term of a type, over variables of the types of a context.
///
/// # Errors
/// [`ReduceError`]
pub fn normal(context: &[Ty], term: &Term, ty: &Ty) -> Result<Term, ReduceError> {
    let free = context.len();
    let mut reducer = Reducer { fresh: 0, blocks: vec![Vec::new()], steps: 0, definitions: FxHashMap::default() };
    let mut environment = Environment::default();
    let mut depths = FxHashMap::default();
    for depth in 0..free {
        let id = reducer.fresh();
        environment = environment.with(Value::Left(Left::Variable(id)));
        depths.insert(id, depth);
    }
    let value = reducer.value(term, &environment)?;
    let result = reducer.reify(&value)?;
    let lets = reducer.blocks.pop().unwrap_or_default();
    let open = read::read_block(&lets, &result, &mut depths, free, &mut reducer.steps)?;
    // variables have the types of the context, and the rest follows
    let close = |body, domain: &Ty| Term::lambda(Name::from("x"), domain.clone(), body, SPAN);
    let function = |ty, domain: &Ty| Ty::function(domain.clone(), ty);
    let scheme = Scheme { parameters: Vec::new(), ty: context.iter().rev().fold(ty.clone(), function) };
    let closed = typed(&context.iter().rev().fold(open, close), &scheme)?;
    let body = |term: Term| match term.kind() {
        TermKind::Lambda { body, .. } => body.clone(),
        _ => term,
    };
    Ok(context.iter().fold(closed, |term, _| body(term)))
}

/// A value, as far as it is known.
#[derive(Clone)]
enum Value {
    Left(Left),
    Natural(u64),
    Truth(bool),
    Tuple(Arc<[Value]>),
    /// A constructor of another type than lists, and its argument, which may be used many times as it is.
    Variant(Constructor, Nested<Value>),
    /// A list of which every constructor is known. Its elements may be used many times as they are.
    List(Sequence<Value>),
    Closure {
        environment: Environment<Value>,
        body: Term,
        recursive: bool,
    },
    /// An operator that waits for more arguments.
    Partial {
        head: Term,
        constant: Constant,
        arity: usize,
        arguments: Nested<Vec<Value>>,
        /// Whether they may be used many times as they are.
        named: bool,
    },
}

/// `()`
impl Default for Value {
    fn default() -> Value {
        Value::Left(Left::Leaf(Term::new(TermKind::Unit, SPAN)))
    }
}

/// What is left to the model: a term over numbered variables.
#[derive(Clone)]
enum Left {
    Variable(u32),
    /// A term without variables.
    Leaf(Term),
    Operation(Arc<Operation>),
}

struct Operation {
    kind: OperationKind,
    depth: u32,
}

enum OperationKind {
    Apply(Left, Vec<Left>),
    Tuple(Vec<Left>),
    Project(Left, usize),
    Lambda(Block),
    Inject(Constructor, Left),
    /// What is matched, and the branches, each under a variable.
    Match(Data, Left, Vec<Block>),
}

/// A variable, the `let`s under it, and a result.
struct Block {
    variable: u32,
    lets: Vec<(u32, Left)>,
    result: Left,
}

impl Drop for Operation {
    fn drop(&mut self) {
        let kind = std::mem::replace(&mut self.kind, OperationKind::Tuple(Vec::new()));
        deep(|| drop(kind));
    }
}

impl Left {
    fn depth(&self) -> u32 {
        match self {
            Left::Operation(operation) => operation.depth,
            _ => 0,
        }
    }
}

struct Reducer {
    fresh: u32,
    /// The `let`s of every binder that is open, the innermost last.
    blocks: Vec<Vec<(u32, Left)>>,
    steps: u64,
    definitions: FxHashMap<usize, Value>,
}

const SPAN: Span = Span { start: 0, end: 0 };

impl Reducer {
    fn fresh(&mut self) -> u32 {
        self.fresh += 1;
        self.fresh
    }

    fn step(&mut self) -> Result<(), ReduceError> {
        self.steps += 1;
        if self.steps > MOST_STEPS { Err(ReduceError::Exhausted { most: MOST_STEPS }) } else { Ok(()) }
    }

    fn operation(&mut self, kind: OperationKind) -> Left {
        let depth = match &kind {
            OperationKind::Apply(head, parts) => parts.iter().map(Left::depth).max().unwrap_or(0).max(head.depth()),
            OperationKind::Tuple(parts) => parts.iter().map(Left::depth).max().unwrap_or(0),
            OperationKind::Project(tuple, _) => tuple.depth(),
            OperationKind::Inject(_, argument) => argument.depth(),
            OperationKind::Lambda(..) => 0,
            OperationKind::Match(_, scrutinee, _) => scrutinee.depth(),
        };
        let left = Left::Operation(Arc::new(Operation { kind, depth: depth + 1 }));
        if depth >= DEEPEST { self.bound(left) } else { left }
    }

    fn bound(&mut self, left: Left) -> Left {
        let id = self.fresh();
        if let Some(block) = self.blocks.last_mut() {
            block.push((id, left));
        }
        Left::Variable(id)
    }

    /// The value in a form that may be used many times.
    fn named(&mut self, value: Value) -> Value {
        match value {
            Value::Left(left @ Left::Operation(_)) => Value::Left(self.bound(left)),
            Value::Tuple(parts) => Value::Tuple(parts.iter().map(|part| deep(|| self.named(part.clone()))).collect()),
            Value::Partial { head, constant, arity, arguments, named: false } => {
                let all = arguments.iter().map(|argument| deep(|| self.named(argument.clone()))).collect();
                Value::Partial { head, constant, arity, arguments: Nested::new(all), named: true }
            }
            other => other,
        }
    }

    fn value(&mut self, term: &Term, environment: &Environment<Value>) -> Result<Value, ReduceError> {
        deep(|| self.clause(term, environment))
    }

    fn clause(&mut self, term: &Term, environment: &Environment<Value>) -> Result<Value, ReduceError> {
        self.step()?;
        let operator = |constant, arity| Value::Partial {
            head: term.clone(),
            constant,
            arity,
            arguments: Nested::default(),
            named: true,
        };
        Ok(match term.kind() {
            TermKind::Variable { index, .. } => {
                environment.get(*index).ok_or(ReduceError::Unknown { what: "a variable" })?
            }
            TermKind::Global(definition) => {
                let key = Arc::as_ptr(definition) as usize;
                if let Some(known) = self.definitions.get(&key) {
                    return Ok(known.clone());
                }
                let before = self.fresh;
                let value = self.value(&definition.term, &Environment::default())?;
                // what was bound on the way is bound here only
                if self.fresh == before {
                    self.definitions.insert(key, value.clone());
                }
                value
            }
            TermKind::Constant(constant) => match constant.arity() {
                0 => Value::Left(Left::Leaf(term.clone())),
                arity => operator(*constant, arity),
            },
            TermKind::Real(_) | TermKind::Unit => Value::Left(Left::Leaf(term.clone())),
            TermKind::Nat(n) => Value::Natural(*n),
            TermKind::Bool(b) => Value::Truth(*b),
            TermKind::Lambda { body, .. } => {
                Value::Closure { environment: environment.clone(), body: body.clone(), recursive: false }
            }
            TermKind::Apply { function, argument } => {
                let function = self.value(function, environment)?;
                let argument = self.value(argument, environment)?;
                self.apply(&function, argument)?
            }
            TermKind::Let { value, body, .. } => {
                let value = self.value(value, environment)?;
                let value = self.named(value);
                self.value(body, &environment.with(value))?
            }
            TermKind::LetRec { value, body, .. } => {
                let function =
                    Value::Closure { environment: environment.clone(), body: value.clone(), recursive: true };
                self.value(body, &environment.with(function))?
            }
            TermKind::Tuple(parts) => {
                let parts: Result<Vec<_>, _> = parts.iter().map(|part| self.value(part, environment)).collect();
                Value::Tuple(parts?.into())
            }
            TermKind::Project { tuple, index } => {
                let tuple = self.value(tuple, environment)?;
                self.component(tuple, *index)?
            }
            TermKind::If { condition, then, otherwise } => match self.value(condition, environment)? {
                Value::Truth(true) => self.value(then, environment)?,
                Value::Truth(false) => self.value(otherwise, environment)?,
                _ => return Err(ReduceError::Unknown { what: "a condition" }),
            },
            TermKind::Inject { constructor, argument } => {
                let argument = self.value(argument, environment)?;
                self.inject(constructor, argument)?
            }
            TermKind::Match { data, scrutinee, branches } => {
                let scrutinee = self.value(scrutinee, environment)?;
                self.cases(data, scrutinee, branches, environment)?
            }
            TermKind::To(iso) | TermKind::From(iso) => match iso.kind() {
                TermKind::Constant(constant) => operator(*constant, 1),
                _ => return Err(ReduceError::Unknown { what: "an isomorphism" }),
            },
        })
    }

    fn component(&mut self, tuple: Value, index: usize) -> Result<Value, ReduceError> {
        match tuple {
            Value::Tuple(parts) => parts.get(index).cloned().ok_or(ReduceError::Unknown { what: "a component" }),
            Value::Left(left) => Ok(Value::Left(self.operation(OperationKind::Project(left, index)))),
            _ => Err(ReduceError::Unknown { what: "a tuple" }),
        }
    }

    fn apply(&mut self, function: &Value, argument: Value) -> Result<Value, ReduceError> {
        deep(|| {
            self.step()?;
            match function {
                Value::Closure { environment, body, recursive: false } => {
                    let argument = self.named(argument);
                    self.value(body, &environment.with(argument))
                }
                Value::Closure { environment, body, recursive: true } => {
                    let unrolled = self.value(body, &environment.with(function.clone()))?;
                    self.apply(&unrolled, argument)
                }
                Value::Partial { head, constant, arity, arguments, .. } => {
                    let mut arguments = arguments.to_vec();
                    arguments.push(argument);
                    if arguments.len() < *arity {
                        let (head, constant, arity) = (head.clone(), *constant, *arity);
                        let arguments = Nested::new(arguments);
                        return Ok(Value::Partial { head, constant, arity, arguments, named: false });
                    }
                    self.operate(head, *constant, &arguments)
                }
                Value::Left(left) => {
                    let argument = self.reify(&argument)?;
                    Ok(Value::Left(self.operation(OperationKind::Apply(left.clone(), vec![argument]))))
                }
                _ => Err(ReduceError::Unknown { what: "a function" }),
            }
        })
    }

    fn operate(&mut self, head: &Term, constant: Constant, arguments: &[Value]) -> Result<Value, ReduceError> {
        match (constant, arguments) {
            (_, [Value::Natural(a), Value::Natural(b)]) if let Some(rule) = constant.on_naturals() => {
                return match rule(*a, *b).ok_or(ReduceError::NaturalOverflow)? {
                    Discrete::Natural(n) => Ok(Value::Natural(n)),
                    Discrete::Truth(b) => Ok(Value::Truth(b)),
                };
            }
            (constant, _) if constant.compares_reals() => {
                return Err(ReduceError::Guard { comparison: constant.lacking() });
            }
            (Constant::Not, [Value::Truth(b)]) => return Ok(Value::Truth(!b)),
            (Constant::ToReal, [Value::Natural(n)]) => {
                return Ok(Value::Left(Left::Leaf(Term::new(TermKind::Real((*n).into()), head.span()))));
            }
            (Constant::Fst, [Value::Tuple(parts)]) if parts.len() == 2 => return Ok(parts[0].clone()),
            (Constant::Fold, [step, start, Value::List(list)]) => return self.fold(step, start, list),
            (Constant::Snd, [Value::Tuple(parts)]) if parts.len() == 2 => return Ok(parts[1].clone()),
            (Constant::Negate | Constant::Add | Constant::Subtract | Constant::Multiply, [Value::Tuple(_), ..])
                if let Some(tuple) = self.componentwise(head, constant, arguments)? =>
            {
                return Ok(tuple);
            }
            _ => {}
        }
        let arguments: Vec<_> = arguments.iter().map(|argument| self.reify(argument)).collect::<Result<_, _>>()?;
        Ok(Value::Left(match exact::constant(constant, &arguments) {
            Some(value) => Left::Leaf(Term::new(TermKind::Real(value), head.span())),
            None => self.operation(OperationKind::Apply(Left::Leaf(head.clone()), arguments)),
        }))
    }

    /// A value as a term; a function by its value at a variable.
    fn reify(&mut self, value: &Value) -> Result<Left, ReduceError> {
        self.step()?;
        let leaf = |kind| Ok(Left::Leaf(Term::new(kind, SPAN)));
        match value {
            Value::Left(left) => Ok(left.clone()),
            Value::Natural(n) => leaf(TermKind::Nat(*n)),
            Value::Truth(b) => leaf(TermKind::Bool(*b)),
            Value::Tuple(parts) => {
                let parts: Result<Vec<_>, _> = parts.iter().map(|part| deep(|| self.reify(part))).collect();
                let parts = parts?;
                Ok(self.operation(OperationKind::Tuple(parts)))
            }
            Value::Variant(constructor, argument) => {
                let argument = deep(|| self.reify(argument))?;
                Ok(self.operation(OperationKind::Inject(constructor.clone(), argument)))
            }
            Value::List(list) => self.reify_list(list),
            Value::Closure { .. } | Value::Partial { .. } => {
                let block = deep(|| self.block(|reducer, variable| reducer.apply(value, variable)))?;
                Ok(self.operation(OperationKind::Lambda(block)))
            }
        }
    }

    /// What `run` gives for a variable, with the `let`s that arise on the way.
    fn block(
        &mut self,
        run: impl FnOnce(&mut Self, Value) -> Result<Value, ReduceError>,
    ) -> Result<Block, ReduceError> {
        if self.blocks.len() > MOST_BINDERS {
            return Err(ReduceError::Nesting { most: MOST_BINDERS });
        }
        let variable = self.fresh();
        self.blocks.push(Vec::new());
        let result = run(self, Value::Left(Left::Variable(variable))).and_then(|result| self.reify(&result));
        let lets = self.blocks.pop().unwrap_or_default();
        Ok(Block { variable, lets, result: result? })
    }
}
