//! Core terms: programs after parsing, name resolution and type inference, ready to be interpreted.
//!
//! Variables are de Bruijn indices. Operators are applied [`Constant`]s, several arguments are several applications,
//! and tuple patterns have become projections.
//!
//! Every part carries its type. The types of binders and of the uses of definitions, constants and constructors are
//! given when the term is made; all others follow from them. In the value of a polymorphic `let` the types have
//! variables of their own, which each use instantiates.
//!
//! A term may be as deep as [`limit::DEPTH`](super::error::DEPTH) times a small number: traverse it under [`with_stack`].
//!
//! # Hints about types
//!
//! Explanations why a variable without a written type is a natural number: it is compared by `==`.
//!
//! # A tree of scopes that grows at its leaves
//!
//! A tree of scopes that grows at its leaves, with lowest common ancestors in logarithmic time.
//!
//! Every node stores its parent and an ancestor to jump to. The length of the jump depends on the depth alone, in skew
//! binary numbers (Myers 1983, *An applicative random-access stack*).

use super::constant::Constant;
use super::constant::foreign::ForeignOwner;
use super::data::{Constructor, DataType};
use super::name::Name;
use super::source::Span;
use super::substitution::instantiate_types;
use super::ty::{Scheme, Ty, TyKind};
use crate::number::Rational;
use crate::stack::with_stack;
use std::fmt;
use std::sync::Arc;

/// A core term. Cheap to clone, safe to drop at any depth.
#[derive(Clone)]
pub struct Term(Arc<TermNode>);

struct TermNode {
    kind: TermKind,
    ty: Ty,
    span: Span,
    depth: u32,
}

/// The shape of a term.
#[derive(Clone)]
pub enum TermKind {
    /// The variable bound by the `index`-th enclosing binder, the innermost being number 0.
    Variable {
        /// The number of binders between the variable and its own.
        index: usize,
        /// The name of the variable in the source.
        name: Name,
    },
    /// A definition of a module.
    Global(Arc<Definition>),
    /// A constant of the language.
    Constant(Constant),
    /// A literal of type `Real`.
    Real(Rational),
    /// A literal of type `Nat`.
    Nat(u64),
    /// `tt` or `ff`.
    Bool(bool),
    /// `()`
    Unit,
    /// `\name => body`
    Lambda {
        /// The variable bound in `body`.
        name: Name,
        /// The result of the function.
        body: Term,
    },
    /// `function argument`
    Apply {
        /// The function that is applied.
        function: Term,
        /// The argument of the application.
        argument: Term,
    },
    /// `let name = value in body`
    Let {
        /// The variable bound in `body`.
        name: Name,
        /// Its value, outside the binder.
        value: Term,
        /// The scope of the variable.
        body: Term,
    },
    /// `let rec name = value in body`; `value` is a `Lambda`.
    LetRec {
        /// The variable bound in `value` and in `body`.
        name: Name,
        /// Its value, under the binder.
        value: Term,
        /// The scope of the variable.
        body: Term,
    },
    /// Two or more components.
    Tuple(Vec<Term>),
    /// `tuple[index]`
    Project {
        /// A term of a tuple type.
        tuple: Term,
        /// The index of the component, from 0.
        index: usize,
    },
    /// `if condition then then else otherwise`
    If {
        /// A term of type `Bool`.
        condition: Term,
        /// The result for `tt`.
        then: Term,
        /// The result for `ff`.
        otherwise: Term,
    },
    /// `iso.to`, a function.
    To(Term),
    /// `iso.from`, a function.
    From(Term),
    /// A constructor application: `Just argument`, or `head :: tail` with the pair of both as argument. The argument is
    /// `()` for a constructor without one, such as `[]`.
    Inject {
        /// The constructor.
        constructor: Constructor,
        /// The argument of the constructor.
        argument: Term,
    },
    /// `match scrutinee with branches`
    Match {
        /// The type of the scrutinee, up to its parameters.
        data: DataType,
        /// The value that the branches distinguish.
        scrutinee: Term,
        /// One branch for each constructor, in the order of the declaration.
        branches: Vec<MatchBranch>,
    },
}

/// The branch of a `match` for one constructor.
#[derive(Clone)]
pub struct MatchBranch {
    /// The variable bound in `body`: the argument of the constructor.
    pub name: Name,
    /// The result of the branch.
    pub body: Term,
}

/// A named term of a module, with its type.
pub struct Definition {
    /// The module that defines it.
    pub module: Name,
    /// Its name in the module.
    pub name: Name,
    /// Its type.
    pub scheme: Scheme,
    /// The value: closed, apart from other definitions and constants.
    pub term: Term,
    /// The comment just before the definition in the source, without the comment signs; often empty.
    pub doc: String,
    /// The span of the name in the module's source.
    pub span: Span,
    /// The constructor if the name is one, `None` otherwise.
    pub constructor: Option<Constructor>,
    /// The owner of the meaning if the name is that of a constant from outside, `None` otherwise.
    pub foreign: Option<ForeignOwner>,
}

impl Definition {
    /// Instantiates the definition at the type `used`. The copy has no type parameters, and its parts are monomorphic
    /// as far as `used` determines them.
    #[doc(hidden)]
    pub fn instantiate_at(&self, used: &Ty) -> Arc<Definition> {
        Arc::new(Definition {
            module: self.module.clone(),
            name: self.name.clone(),
            scheme: Scheme { parameters: Vec::new(), ty: used.clone() },
            term: instantiate_types(&self.term, &self.scheme.arguments_of_instance(used)),
            doc: self.doc.clone(),
            span: self.span,
            constructor: self.constructor.clone(),
            foreign: self.foreign.clone(),
        })
    }
}

impl Term {
    /// Makes a term of this shape, with this span in the source. The type follows from the parts.
    ///
    /// It is [unknown](Ty::unknown) for a variable, an instance of a polymorphic scheme, and the domain of a `\\`: see
    /// [`Term::with_type`].
    pub fn new(kind: TermKind, span: Span) -> Term {
        let ty = kind.infer_type();
        Term::with_type(kind, ty, span)
    }

    /// Makes a term of this shape and type.
    pub fn with_type(kind: TermKind, ty: Ty, span: Span) -> Term {
        // Saturating: only the parser bounds the depth, not those who build terms.
        let depth = kind.children().map(Term::depth).max().unwrap_or(0).saturating_add(1);
        Term(Arc::new(TermNode { kind, ty, span, depth }))
    }

    /// Makes the variable with this de Bruijn index.
    pub fn variable(index: usize, name: Name, ty: Ty, span: Span) -> Term {
        Term::with_type(TermKind::Variable { index, name }, ty, span)
    }

    /// Makes `\(name : domain) => body`.
    pub fn lambda(name: Name, domain: Ty, body: Term, span: Span) -> Term {
        let ty = Ty::function(domain, body.ty().clone());
        Term::with_type(TermKind::Lambda { name, body }, ty, span)
    }

    /// Makes a constant. A higher derivative of a special function becomes the constant of these, applied to its order.
    pub fn constant(constant: Constant) -> Term {
        let term = |kind| Term::new(kind, Span::default());
        match constant {
            Constant::Elementary(f) if let Some((id, order)) = f.unnamed_member() => {
                let order = term(TermKind::Nat(order.into()));
                Term::apply(term(TermKind::Constant(Constant::Special(id))), order, Span::default())
            }
            _ => term(TermKind::Constant(constant)),
        }
    }

    /// Makes `function argument`.
    pub fn apply(function: Term, argument: Term, span: Span) -> Term {
        Term::new(TermKind::Apply { function, argument }, span)
    }

    /// Makes a constructor application of type `ty`.
    pub fn inject(constructor: Constructor, argument: Term, ty: Ty, span: Span) -> Term {
        Term::with_type(TermKind::Inject { constructor, argument }, ty, span)
    }

    /// Makes `[]`, of the list type `ty`.
    pub fn nil(ty: Ty, span: Span) -> Term {
        Term::inject(Constructor::nil(), Term::new(TermKind::Unit, span), ty, span)
    }

    /// Makes `head :: tail`, of the list type `ty`.
    pub fn cons(head: Term, tail: Term, ty: Ty, span: Span) -> Term {
        Term::inject(Constructor::cons(), Term::new(TermKind::Tuple(vec![head, tail]), span), ty, span)
    }

    /// Returns `head` and `tail` if the term is `head :: tail`, `None` otherwise.
    pub fn as_cons(&self) -> Option<(&Term, &Term)> {
        match self.kind() {
            TermKind::Inject { constructor, argument } if constructor.is_cons() => match argument.kind() {
                TermKind::Tuple(parts) => Some((parts.first()?, parts.get(1)?)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the shape of the term.
    pub fn kind(&self) -> &TermKind {
        &self.0.kind
    }

    /// Returns the type of the term.
    pub fn ty(&self) -> &Ty {
        &self.0.ty
    }

    /// Returns the type of the variable of a `\\`; the unknown type if that of the term is no function type.
    pub fn domain(&self) -> Ty {
        match self.ty().kind() {
            TyKind::Function(domain, _) => domain.clone(),
            _ => Ty::unknown(),
        }
    }

    /// Returns the span of the source that the term comes from.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// Returns the number of levels of the term; definitions count as leaves.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// Returns a number that is equal for two handles exactly if they share the node.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Returns `true` if there are other handles to the node.
    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Returns the shape and the type for modification: in place if no other handle exists, of a copy of the node
    /// otherwise.
    #[doc(hidden)]
    pub fn parts_mut(&mut self) -> (&mut TermKind, &mut Ty) {
        let node = Arc::make_mut(&mut self.0);
        (&mut node.kind, &mut node.ty)
    }
}

impl Clone for TermNode {
    fn clone(&self) -> Self {
        Self { kind: self.kind.clone(), ty: self.ty.clone(), span: self.span, depth: self.depth }
    }
}

impl TermKind {
    /// Infers the type from the types of the parts, unknown where it does not follow. Neither checks nor instantiates.
    pub(crate) fn infer_type(&self) -> Ty {
        let of = |scheme: &Scheme| if scheme.parameters.is_empty() { scheme.ty.clone() } else { Ty::unknown() };
        match self {
            TermKind::Variable { .. } => Ty::unknown(),
            TermKind::Global(definition) => of(&definition.scheme),
            TermKind::Constant(constant) => of(constant.scheme()),
            TermKind::Real(_) => Ty::real(),
            TermKind::Nat(_) => Ty::nat(),
            TermKind::Bool(_) => Ty::bool(),
            TermKind::Unit => Ty::unit(),
            TermKind::Lambda { body, .. } => Ty::function(Ty::unknown(), body.ty().clone()),
            TermKind::Apply { function, .. } => match function.ty().kind() {
                TyKind::Function(_, codomain) => codomain.clone(),
                _ => Ty::unknown(),
            },
            TermKind::Let { body, .. } | TermKind::LetRec { body, .. } => body.ty().clone(),
            TermKind::Tuple(parts) => Ty::new(TyKind::Tuple(parts.iter().map(|part| part.ty().clone()).collect())),
            TermKind::Project { tuple, index } => match tuple.ty().kind() {
                TyKind::Tuple(parts) => parts.get(*index).cloned().unwrap_or_else(Ty::unknown),
                _ => Ty::unknown(),
            },
            TermKind::If { then, .. } => then.ty().clone(),
            TermKind::To(iso) | TermKind::From(iso) => match iso.ty().kind() {
                TyKind::Iso(a, b) if matches!(self, TermKind::To(_)) => Ty::function(a.clone(), b.clone()),
                TyKind::Iso(a, b) => Ty::function(b.clone(), a.clone()),
                _ => Ty::unknown(),
            },
            TermKind::Inject { constructor, .. } => of(&constructor.data().type_scheme()),
            TermKind::Match { branches, .. } => {
                branches.first().map_or_else(Ty::unknown, |branch| branch.body.ty().clone())
            }
        }
    }

    /// Returns the immediate subterms, from left to right. A definition has none.
    pub fn children(&self) -> impl Iterator<Item = &Term> {
        let mut branches: &[MatchBranch] = &[];
        let (few, many): ([Option<&Term>; 3], &[Term]) = match self {
            TermKind::Tuple(parts) => ([None; 3], parts),
            TermKind::Match { scrutinee, branches: all, .. } => {
                branches = all;
                // Only a `match` has branches; they stay in `branches` since an array cannot hold any number of bodies.
                ([Some(scrutinee), None, None], &[])
            }
            TermKind::Lambda { body: term, .. }
            | TermKind::Project { tuple: term, .. }
            | TermKind::To(term)
            | TermKind::From(term)
            | TermKind::Inject { argument: term, .. } => ([Some(term), None, None], &[]),
            TermKind::Apply { function: left, argument: right }
            | TermKind::Let { value: left, body: right, .. }
            | TermKind::LetRec { value: left, body: right, .. } => ([Some(left), Some(right), None], &[]),
            TermKind::If { condition, then, otherwise } => ([Some(condition), Some(then), Some(otherwise)], &[]),
            _ => ([None; 3], &[]),
        };
        few.into_iter().flatten().chain(many).chain(branches.iter().map(|branch| &branch.body))
    }

    /// Returns the immediate subterms for modification, from left to right.
    #[doc(hidden)]
    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Term> {
        let mut branches: &mut [MatchBranch] = &mut [];
        let (few, many): ([Option<&mut Term>; 3], &mut [Term]) = match self {
            TermKind::Tuple(parts) => ([None, None, None], parts),
            TermKind::Match { scrutinee, branches: all, .. } => {
                branches = all;
                ([Some(scrutinee), None, None], &mut [])
            }
            TermKind::Lambda { body: term, .. }
            | TermKind::Project { tuple: term, .. }
            | TermKind::To(term)
            | TermKind::From(term)
            | TermKind::Inject { argument: term, .. } => ([Some(term), None, None], &mut []),
            TermKind::Apply { function: left, argument: right }
            | TermKind::Let { value: left, body: right, .. }
            | TermKind::LetRec { value: left, body: right, .. } => ([Some(left), Some(right), None], &mut []),
            TermKind::If { condition, then, otherwise } => ([Some(condition), Some(then), Some(otherwise)], &mut []),
            _ => ([None, None, None], &mut []),
        };
        few.into_iter().flatten().chain(many).chain(branches.iter_mut().map(|branch| &mut branch.body))
    }
}

impl Drop for TermNode {
    fn drop(&mut self) {
        // Dropping a definition may drop the last handle to another, and so on: the depth of the node says nothing of
        // this chain. The depth 64 is a choice: shallow terms are dropped by plain recursion, which spares them the
        // check of the stack.
        if self.depth > 64 || matches!(self.kind, TermKind::Global(_)) {
            let kind = std::mem::replace(&mut self.kind, TermKind::Unit);
            with_stack(|| drop(kind));
        }
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{} : {}", self.module, self.name, self.scheme)
    }
}

/// A variable that is inferred to be a natural number because it is compared by `==` or `/=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaturalVariable {
    /// The name of the variable.
    pub name: Name,
    /// The operator of the comparison, `==` or `/=`.
    pub sign: &'static str,
    /// The span of the comparison.
    pub span: Span,
    /// The beginning of the function of which the variable is a parameter, around its type: `let f (x : `, and `) = …`.
    /// `None` if no named function has this parameter.
    pub header: Option<[String; 2]>,
}

impl NaturalVariable {
    /// Returns the reason, as the end of a sentence.
    #[must_use]
    pub fn reason_clause(&self) -> String {
        format!("`{}` is a natural number because it is compared by `{}`", self.name, self.sign)
    }

    /// Returns how to write the type of a real variable, and that of a natural one whose differences stop at 0.
    #[must_use]
    pub fn help(&self) -> String {
        let name = &self.name;
        let real = match &self.header {
            Some([before, after]) => format!("{before}Real{after}"),
            None => format!("({name} : Real)"),
        };
        format!("real numbers: {real}; natural ones that stop at 0: ({name} : Nat)")
    }
}

/// The explanation of a difference of natural numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DifferenceCause {
    /// A variable of the difference is compared by `==`.
    ComparedByEquality(NaturalVariable),
    /// No variable of it is compared. The name is that of the minuend, or else of the subtrahend, if one is a variable.
    NotCompared(Option<Name>),
}

/// Explains the difference of natural numbers whose sign has the span `at`. `None` if the program has none there.
#[must_use]
pub fn explain_difference(program: &Term, at: Span) -> Option<DifferenceCause> {
    DifferenceSearch { at, binders: Vec::new(), functions: Vec::new() }.find(program)
}

/// Returns the first parameter of a function that is a natural number because it is compared. `None` if there is none.
#[must_use]
pub fn find_natural_parameter(mut program: &Term) -> Option<NaturalVariable> {
    loop {
        program = match program.kind() {
            TermKind::Let { body, .. } | TermKind::LetRec { body, .. } => body,
            TermKind::Lambda { name, body } if matches!(program.domain().kind(), TyKind::Nat) => {
                match find_equality_test(body, 0) {
                    Some((sign, span)) => {
                        return Some(NaturalVariable { name: name.clone(), sign, span, header: None });
                    }
                    None => body,
                }
            }
            TermKind::Lambda { body, .. } => body,
            _ => return None,
        }
    }
}

/// A binder around the current subterm, with the term in which its variable is in scope.
struct ScopedBinder<'t> {
    name: &'t Name,
    scope: &'t Term,
}

/// A named function around the current subterm: the beginning of its text, and its parameters. `first` is the position
/// of the first parameter among the binders.
struct NamedFunction<'t> {
    beginning: String,
    parameters: Vec<&'t Name>,
    first: usize,
}

struct DifferenceSearch<'t> {
    at: Span,
    binders: Vec<ScopedBinder<'t>>,
    functions: Vec<NamedFunction<'t>>,
}

impl<'t> DifferenceSearch<'t> {
    fn find(&mut self, term: &'t Term) -> Option<DifferenceCause> {
        with_stack(|| match term.kind() {
            TermKind::Apply { function, argument: right } => match function.kind() {
                TermKind::Apply { function: minus, argument: left }
                    // Subtraction is curried: the inner application has the left operand, and the sign its span.
                    if matches!(minus.kind(), TermKind::Constant(Constant::NaturalDifference))
                        && minus.span() == self.at =>
                {
                    Some(self.explain_operands(left, right))
                }
                _ => self.find(function).or_else(|| self.find(right)),
            },
            TermKind::Lambda { name, body } => self.find_under_binder(name, body),
            TermKind::Let { name, value, body } => {
                self.find_in_definition(format!("let {name}"), value).or_else(|| self.find_under_binder(name, body))
            }
            TermKind::LetRec { name, value, body } => {
                // The value of a `let rec` is in scope of its own name, so the binder surrounds it too.
                self.binders.push(ScopedBinder { name, scope: value });
                let found = self.find_in_definition(format!("let rec {name}"), value);
                self.binders.pop();
                found.or_else(|| self.find_under_binder(name, body))
            }
            TermKind::Match { scrutinee, branches, .. } => self
                .find(scrutinee)
                .or_else(|| branches.iter().find_map(|branch| self.find_under_binder(&branch.name, &branch.body))),
            kind => kind.children().find_map(|child| self.find(child)),
        })
    }

    fn find_under_binder(&mut self, name: &'t Name, body: &'t Term) -> Option<DifferenceCause> {
        self.binders.push(ScopedBinder { name, scope: body });
        let found = self.find(body);
        self.binders.pop();
        found
    }

    /// Searches the value of a `let`, which may be a function of parameters.
    fn find_in_definition(&mut self, beginning: String, value: &'t Term) -> Option<DifferenceCause> {
        let (mut parameters, mut rest) = (Vec::new(), value);
        while let TermKind::Lambda { name, body } = rest.kind() {
            parameters.push(name);
            rest = body;
        }
        self.functions.push(NamedFunction { beginning, parameters, first: self.binders.len() });
        let found = self.find(value);
        self.functions.pop();
        found
    }

    fn explain_operands(&self, left: &Term, right: &Term) -> DifferenceCause {
        let mut variables = Vec::new();
        collect_free_variables(left, &mut variables);
        collect_free_variables(right, &mut variables);
        let counted = variables.into_iter().find_map(|index| {
            // Binders are pushed from the outside, and indices count from the inside.
            let place = self.binders.len().checked_sub(index + 1)?;
            let ScopedBinder { name, scope } = &self.binders[place];
            let (sign, span) = find_equality_test(scope, 0)?;
            Some(NaturalVariable { name: (*name).clone(), sign, span, header: self.split_function_header(place) })
        });
        counted.map_or_else(
            || {
                DifferenceCause::NotCompared([left, right].into_iter().find_map(|side| match side.kind() {
                    TermKind::Variable { name, .. } => Some(name.clone()),
                    _ => None,
                }))
            },
            DifferenceCause::ComparedByEquality,
        )
    }

    /// Returns the text of a named function before and after the type of the parameter at `place` among the binders.
    /// `None` if the binder is no parameter of a named function.
    fn split_function_header(&self, place: usize) -> Option<[String; 2]> {
        let of = |function: &&NamedFunction<'_>| {
            function.first <= place && place < function.first + function.parameters.len()
        };
        let NamedFunction { beginning, parameters, first } = self.functions.iter().rev().find(of)?;
        let names = |names: &[&Name]| names.iter().map(|name| format!(" {name}")).collect::<String>();
        let (before, after) = parameters.split_at(place - first);
        let (name, after) = after.split_first()?;
        Some([format!("{beginning}{} ({name} : ", names(before)), format!("){} = …", names(after))])
    }
}

/// Collects the variables of a term that do not stand under a binder inside it.
fn collect_free_variables(term: &Term, found: &mut Vec<usize>) {
    with_stack(|| match term.kind() {
        TermKind::Variable { index, .. } => found.push(*index),
        TermKind::Lambda { .. } | TermKind::Let { .. } | TermKind::LetRec { .. } | TermKind::Match { .. } => {}
        kind => kind.children().for_each(|child| collect_free_variables(child, found)),
    });
}

/// Searches a comparison of a variable by `==` or `/=`; returns its operator and its span. `None` if there is none.
fn find_equality_test(term: &Term, variable: usize) -> Option<(&'static str, Span)> {
    // Index arithmetic as everywhere: under each binder the variable has an index one larger.
    let is_it = |term: &Term| matches!(term.kind(), TermKind::Variable { index, .. } if *index == variable);
    with_stack(|| match term.kind() {
        TermKind::Apply { function, argument: right } => match function.kind() {
            TermKind::Apply { function: sign, argument: left } if is_it(left) || is_it(right) => match sign.kind() {
                TermKind::Constant(constant) if constant.equates_naturals() => {
                    Some((constant.operator_sign().unwrap_or_default(), term.span()))
                }
                _ => None,
            },
            _ => None,
        }
        .or_else(|| find_equality_test(function, variable))
        .or_else(|| find_equality_test(right, variable)),
        TermKind::Lambda { body, .. } => find_equality_test(body, variable + 1),
        TermKind::Let { value, body, .. } => {
            find_equality_test(value, variable).or_else(|| find_equality_test(body, variable + 1))
        }
        TermKind::LetRec { value, body, .. } => {
            find_equality_test(value, variable + 1).or_else(|| find_equality_test(body, variable + 1))
        }
        TermKind::Match { scrutinee, branches, .. } => find_equality_test(scrutinee, variable)
            .or_else(|| branches.iter().find_map(|branch| find_equality_test(&branch.body, variable + 1))),
        kind => kind.children().find_map(|child| find_equality_test(child, variable)),
    })
}

/// A forest of scopes. Its nodes are numbers, and each is a root until [`ScopeTree::attach_child`] attaches it.
pub struct ScopeTree {
    parents: Vec<usize>,
    jumps: Vec<usize>,
    depths: Vec<u32>,
}

impl ScopeTree {
    /// Makes `count` nodes, each of them a root.
    pub fn new(count: usize) -> Self {
        Self { parents: (0..count).collect(), jumps: (0..count).collect(), depths: vec![0; count] }
    }

    /// Attaches the root `inner`, which has no children yet, as a child of `outer`.
    pub fn attach_child(&mut self, inner: usize, outer: usize) {
        let jump = self.jumps[outer];
        // Skew binary addition: two jumps of equal length merge into one of twice the length plus one.
        let even = self.depths[outer] - self.depths[jump] == self.depths[jump] - self.depths[self.jumps[jump]];
        self.parents[inner] = outer;
        self.jumps[inner] = if even { self.jumps[jump] } else { outer };
        self.depths[inner] = self.depths[outer] + 1;
    }

    /// Returns the lowest common ancestor of two nodes. Both must lie in one tree; otherwise the search does not end.
    pub fn lowest_common_ancestor(&self, mut left: usize, mut right: usize) -> usize {
        if self.depths[left] < self.depths[right] {
            (left, right) = (right, left);
        }
        // First bring the deeper node to the depth of the other. A jump that passes this depth is too long.
        while self.depths[left] > self.depths[right] {
            let jump = self.jumps[left];
            left = if self.depths[jump] < self.depths[right] { self.parents[left] } else { jump };
        }
        // At equal depths both jumps are equally long. Equal targets may lie above the answer, so only one step is
        // safe.
        while left != right {
            let jumps = (self.jumps[left], self.jumps[right]);
            (left, right) = if jumps.0 == jumps.1 { (self.parents[left], self.parents[right]) } else { jumps };
        }
        left
    }
}
