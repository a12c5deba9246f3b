//! β for variants and lists.

use super::{Environment, Left, OperationKind, ReduceError, Reducer, SPAN, Value};
use crate::syntax::data::{Constructor, Data};
use crate::syntax::term::{Branch, Term};
use crate::syntax::ty::Ty;
use crate::value::{Nested, Sequence};

impl Reducer {
    /// A constructor applied; `::` of what is not known to be a list is left.
    pub(super) fn inject(&mut self, constructor: &Constructor, argument: Value) -> Result<Value, ReduceError> {
        if constructor.is_nil() {
            return Ok(Value::List(Sequence::default()));
        }
        if !constructor.is_cons() {
            let argument = self.named(argument);
            return Ok(Value::Variant(constructor.clone(), Nested::new(argument)));
        }
        if let Value::Tuple(parts) = &argument
            && let [head, Value::List(tail)] = &**parts
        {
            let head = self.named(head.clone());
            return Ok(Value::List(tail.with(head)));
        }
        let argument = self.reify(&argument)?;
        Ok(Value::Left(self.operation(OperationKind::Inject(constructor.clone(), argument))))
    }

    /// The branch of a constructor that is known; the `match` itself where it is not.
    pub(super) fn cases(
        &mut self,
        data: &Data,
        scrutinee: Value,
        branches: &[Branch],
        environment: &Environment<Value>,
    ) -> Result<Value, ReduceError> {
        let (index, argument) = match scrutinee {
            Value::Variant(constructor, argument) => (constructor.index(), Value::clone(&argument)),
            Value::List(list) => match list.parts() {
                None => (0, Value::default()),
                Some((head, tail)) => (1, Value::Tuple([head.clone(), Value::List(tail.clone())].into())),
            },
            Value::Left(_) if data.is_recursive() && !data.is_list() => {
                return Err(ReduceError::Recursive { data: data.clone() });
            }
            Value::Left(scrutinee) => {
                let mut blocks = Vec::with_capacity(branches.len());
                for branch in branches {
                    blocks.push(
                        self.block(|reducer, variable| reducer.value(&branch.body, &environment.with(variable)))?,
                    );
                }
                return Ok(Value::Left(self.operation(OperationKind::Match(data.clone(), scrutinee, blocks))));
            }
            _ => return Err(ReduceError::Unknown { what: "a variant" }),
        };
        let branch = branches.get(index).ok_or(ReduceError::Unknown { what: "a variant" })?;
        let argument = self.named(argument);
        self.value(&branch.body, &environment.with(argument))
    }

    /// `fold step start list`, from the end of the list.
    pub(super) fn fold(&mut self, step: &Value, start: &Value, list: &Sequence<Value>) -> Result<Value, ReduceError> {
        list.fold(start.clone(), |head, rest| {
            let partial = self.apply(step, head.clone())?;
            self.apply(&partial, rest)
        })
    }

    /// A list as a term.
    pub(super) fn reify_list(&mut self, list: &Sequence<Value>) -> Result<Left, ReduceError> {
        let nil = Left::Leaf(Term::nil(Ty::unknown(), SPAN));
        list.fold(nil, |head, tail| {
            let head = self.reify(head)?;
            let pair = self.operation(OperationKind::Tuple(vec![head, tail]));
            Ok(self.operation(OperationKind::Inject(Constructor::cons(), pair)))
        })
    }
}
