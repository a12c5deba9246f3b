//! Algebraic data types: variants, lists and other inductive types.
//!
//! Types are nominal: a second declaration of the same form, or of the same name, is a second type. In `type Maybe A =
//! Nothing | Just A` the constructors take no argument or one. In terms every constructor takes an argument, `()` if
//! none was declared.
//!
//! A type may be recursive, as `type Tree A = Leaf | Node (Tree A * A * Tree A)`: see [`inductive`](super::data)
//! for the conditions, and [`eliminator`](super::data) for its fold. `List A` is `[] | :: (A * List A)`.
//!
//! | here | in H §5.1 |
//! |---|---|
//! | [`DataType`], with arguments for its parameters | a variant type, labels ℓᵢ with types τᵢ |
//! | `Just e` | τ.ℓ e |
//! | `match e with Nothing => a \| Just x => b` | case e of {ℓ₁ x₁ → a \| ℓ₂ x₂ → b} |
//! | [`DataType::list`], `[]`, `x :: xs`, `fold f z xs` | list(τ), \[\], e :: f, fold |
//!
//! Constructors are definitions of their module, so scope, ambiguity and completion are those of definitions. No
//! real number decides which constructor a value has. An answer writes lists with `::`, because `[1, 2]` is an
//! interval.
//!
//! # Conditions for inductive types
//!
//! Initial algebras of polynomial functors, as in H §5.
//!
//! `type Tree A = Leaf | Node (Tree A * A * Tree A)` is the least solution T of `T ≅ 1 + T × A × T`.
//!
//! - The type may occur in tuples, in lists and in other data types. It may not occur under `->`, `Tan` or `~=`, where
//!   the right side is no polynomial in T (`find_nonpolynomial_part`).
//! - It occurs there with its own parameters for arguments, so all of its parts are among finitely many types.
//! - It has a value (`height`): the least solution of `T ≅ A × T` is empty.
//!
//! A declaration mentions itself and earlier ones only, so a traversal of declarations ends.
//!
//! # The fold of an inductive type
//!
//! The fold of an inductive type, defined along with the type (H §5).
//!
//! `type Tree A = Leaf | Node (Tree A * A * Tree A)` defines `foldTree : B -> (B * A * B -> B) -> Tree A -> B`. The
//! arguments are one handler for each constructor in the order of the declaration, a value if it has no argument, then
//! the tree.
//!
//! The fold is the arrow out of the initial algebra: `foldTree l n (Node (s, x, t))` is `n (foldTree l n s, x, foldTree
//! l n t)`. Inside a list or another data type, the results replace the values of the type.
//!
//! A fold is an ordinary definition, a term of `let rec` and `match`, so no model has to know of it. It terminates,
//! since a part of a value is smaller than the value.

use super::constant::Constant;
use super::name::Name;
use super::source::Span;
use super::term::{Definition, MatchBranch, Term, TermKind};
use super::ty::{Class, Scheme, Ty, TyKind};
use super::typing::check_term;
use crate::stack::with_stack;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// An algebraic data type with parameters. Equality is identity of the declaration.
#[derive(Clone)]
pub struct DataType(Arc<DeclaredData>);

struct DeclaredData {
    module: Name,
    name: Name,
    parameters: Vec<Name>,
    /// The names and arguments. A variable stands for the type itself: a cycle of counted references would never be
    /// freed.
    constructors: Vec<(Name, Option<Ty>)>,
    /// `true` for each constructor whose argument contains the type itself.
    recursive: Vec<bool>,
}

impl DataType {
    /// Declares a new type of a module. In the arguments of constructors, `Variable(i, _)` is parameter `i`. The
    /// variable after the last parameter is the type itself, applied to its own parameters.
    #[must_use]
    pub fn new(module: Name, name: Name, parameters: Vec<Name>, constructors: Vec<(Name, Option<Ty>)>) -> DataType {
        // The variable after the last parameter stands for the type itself.
        let itself = parameters.len();
        let mentions =
            |argument: &Option<Ty>| argument.as_ref().is_some_and(|ty| variable_indices(ty).contains(&itself));
        let recursive = constructors.iter().map(|(_, argument)| mentions(argument)).collect();
        DataType(Arc::new(DeclaredData { module, name, parameters, constructors, recursive }))
    }

    /// Returns the type of lists.
    #[must_use]
    pub fn list() -> &'static DataType {
        // Declared once, like a type of a program: types are nominal.
        static LIST: LazyLock<DataType> = LazyLock::new(|| {
            let variable = |index, name: &str| Ty::new(TyKind::Variable(index, name.into()));
            let cons = Ty::new(TyKind::Tuple(vec![variable(0, "A"), variable(1, "List")]));
            let constructors = vec![("[]".into(), None), ("::".into(), Some(cons))];
            DataType::new("language".into(), "List".into(), vec!["A".into()], constructors)
        });
        &LIST
    }

    /// Returns the n-ary sum type, with constructors `In0`, `In1`, …. There is one type for each n.
    #[must_use]
    pub fn sum(width: usize) -> DataType {
        // Types are nominal, so the sums are cached: a second call must return the same type.
        static SUMS: Mutex<Vec<DataType>> = Mutex::new(Vec::new());
        let mut sums = SUMS.lock().unwrap_or_else(PoisonError::into_inner);
        while sums.len() <= width {
            let n = sums.len();
            let parameters: Vec<Name> = (0..n).map(|i| format!("A{i}").into()).collect();
            let alternative = |i: usize| {
                let argument = Ty::new(TyKind::Variable(i, parameters[i].clone()));
                (Name::from(format!("In{i}")), Some(argument))
            };
            let constructors = (0..n).map(alternative).collect();
            sums.push(DataType::new("host".into(), format!("Sum{n}").into(), parameters, constructors));
        }
        sums[width].clone()
    }

    /// Returns `true` if this is the type of lists.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self == DataType::list()
    }

    /// Returns the module that declares the type.
    #[must_use]
    pub fn module(&self) -> &Name {
        &self.0.module
    }

    /// Returns the name of the type.
    #[must_use]
    pub fn name(&self) -> &Name {
        &self.0.name
    }

    /// Returns the names of the parameters.
    #[must_use]
    pub fn parameters(&self) -> &[Name] {
        &self.0.parameters
    }

    /// Returns `true` if the type occurs in its own constructors, as lists do.
    #[must_use]
    pub fn is_recursive(&self) -> bool {
        self.0.recursive.contains(&true)
    }

    /// Returns the number of constructors.
    #[must_use]
    pub fn constructor_count(&self) -> usize {
        self.0.constructors.len()
    }

    /// Returns the constructors, in the order of the declaration.
    pub fn constructors(&self) -> impl Iterator<Item = Constructor> + '_ {
        (0..self.constructor_count()).map(|index| Constructor { data: self.clone(), index })
    }

    /// Returns the types of the arguments of the constructors, in order, for the type applied to `arguments`. The unit
    /// type stands for no argument.
    pub fn argument_types(&self, arguments: &[Ty]) -> Vec<Ty> {
        let all = self.with_itself(arguments);
        let domain =
            |c: Constructor| c.layer_type().map_or_else(|| Ty::new(TyKind::Unit), |layer| layer.with_arguments(&all));
        self.constructors().map(domain).collect()
    }

    /// Returns `arguments` followed by the type applied to them: a substitution for the variables of a constructor.
    pub(super) fn with_itself(&self, arguments: &[Ty]) -> Vec<Ty> {
        let itself = Ty::new(TyKind::Data(self.clone(), arguments.to_vec()));
        arguments.iter().cloned().chain([itself]).collect()
    }

    /// Returns the parameters as types.
    pub(super) fn parameter_types(&self) -> Vec<Ty> {
        let parameters = self.parameters().iter().enumerate();
        parameters.map(|(index, name)| Ty::new(TyKind::Variable(index, name.clone()))).collect()
    }

    /// Returns the type applied to its own parameters.
    #[must_use]
    pub fn generic_type(&self) -> Ty {
        Ty::new(TyKind::Data(self.clone(), self.parameter_types()))
    }

    fn scheme_for(&self, ty: Ty) -> Scheme {
        Scheme { parameters: self.parameters().iter().map(|name| (name.clone(), Class::ANY)).collect(), ty }
    }

    /// Returns the type scheme of the type: quantified over its parameters, each in [`Class::ANY`].
    #[must_use]
    pub fn type_scheme(&self) -> Scheme {
        self.scheme_for(self.generic_type())
    }
}

impl PartialEq for DataType {
    fn eq(&self, other: &DataType) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for DataType {}

impl Hash for DataType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

/// Prints the declaration, as it is written.
impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "type {} =", self.generic_type())?;
        // A bar first tells a data type of one constructor from a type synonym.
        if self.constructor_count() == 1 {
            f.write_str(" |")?;
        }
        for constructor in self.constructors() {
            write!(f, "{}{}", if constructor.index == 0 { " " } else { " | " }, constructor.name())?;
            if let Some(argument) = constructor.argument() {
                write!(f, " {}", argument.as_argument())?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.module(), self.name())
    }
}

/// A constructor of an algebraic data type.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Constructor {
    data: DataType,
    index: usize,
}

impl Constructor {
    /// Returns `[]`.
    #[must_use]
    pub fn nil() -> Constructor {
        Constructor { data: DataType::list().clone(), index: 0 }
    }

    /// Returns `::`, whose argument is the pair of the first element and the rest.
    #[must_use]
    pub fn cons() -> Constructor {
        Constructor { data: DataType::list().clone(), index: 1 }
    }

    /// Returns the type that the constructor belongs to.
    #[must_use]
    pub fn data(&self) -> &DataType {
        &self.data
    }

    /// Returns the index among the constructors of the type, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the name of the constructor.
    #[must_use]
    pub fn name(&self) -> &Name {
        &self.data.0.constructors[self.index].0
    }

    /// Returns the type of the argument. `None` if the constructor takes none.
    #[must_use]
    pub fn argument(&self) -> Option<Ty> {
        let layer = self.layer_type()?;
        // Without recursion the layer is the argument: it has no variable for the type itself.
        Some(if self.is_recursive() {
            layer.with_arguments(&self.data.with_itself(&self.data.parameter_types()))
        } else {
            layer.clone()
        })
    }

    /// Like [`Constructor::argument`], but with the variable after the last parameter for the type itself: one layer of
    /// a value.
    #[must_use]
    pub fn layer_type(&self) -> Option<&Ty> {
        self.data.0.constructors[self.index].1.as_ref()
    }

    /// Returns `true` if the argument contains the type that the constructor belongs to.
    #[must_use]
    pub fn is_recursive(&self) -> bool {
        self.data.0.recursive[self.index]
    }

    /// Returns the type of the argument; the unit type if the constructor takes none.
    #[must_use]
    pub fn argument_or_unit(&self) -> Ty {
        self.argument().unwrap_or_else(|| Ty::new(TyKind::Unit))
    }

    /// Returns `true` if the types of the `known` components of the argument determine every parameter of the type. An
    /// argument that is no tuple is its component 0.
    #[must_use]
    pub fn is_determined(&self, known: impl Fn(usize) -> bool) -> bool {
        let itself = self.data.parameters().len();
        let components: &[Ty] = match self.layer_type() {
            None => &[],
            Some(layer) => match layer.kind() {
                TyKind::Tuple(parts) => parts,
                _ => std::slice::from_ref(layer),
            },
        };
        let known = components.iter().enumerate().filter(|&(index, _)| known(index));
        let found: FxHashSet<usize> = known.flat_map(|(_, component)| variable_indices(component)).collect();
        // The type itself, at its own parameters, determines all of them at once.
        found.contains(&itself) || (0..itself).all(|index| found.contains(&index))
    }

    /// Returns the type scheme of the constructor: of a function if it takes an argument.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        let result = self.data.generic_type();
        self.data.scheme_for(match self.argument() {
            Some(argument) => Ty::function(argument, result),
            None => result,
        })
    }

    /// Returns `true` if this is `[]`.
    #[must_use]
    pub fn is_nil(&self) -> bool {
        self.data.is_list() && self.index == 0
    }

    /// Returns `true` if this is `::`.
    #[must_use]
    pub fn is_cons(&self) -> bool {
        self.data.is_list() && self.index == 1
    }
}

impl fmt::Debug for Constructor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.data.module(), self.name())
    }
}

/// Returns the indices of the variables of a type.
fn variable_indices(ty: &Ty) -> FxHashSet<usize> {
    let mut found = FxHashSet::default();
    ty.for_each_variable(|index, _| _ = found.insert(index));
    found
}

/// Returns a part of a type that is not polynomial in a variable. `None` if there is none.
///
/// Such a part is a type of functions, tangents or isomorphisms that contains the variable, or a data type with an
/// argument that its constructors use so.
pub(super) fn find_nonpolynomial_part(ty: &Ty, variable: usize) -> Option<Ty> {
    find_nonpolynomial_part_in(ty, variable, &mut FxHashMap::default())
}

/// A cache of `is_polynomial`: for a parameter of a data type, whether all its constructors are polynomial in it.
type PolynomialCache = FxHashMap<(DataType, usize), bool>;

fn find_nonpolynomial_part_in(ty: &Ty, variable: usize, known: &mut PolynomialCache) -> Option<Ty> {
    fn find_in_type(
        ty: &Ty,
        uses: &mut MarkedTypes<impl Fn(usize) -> bool>,
        known: &mut PolynomialCache,
    ) -> Option<Ty> {
        if !uses.contains(ty) {
            return None;
        }
        with_stack(|| match ty.kind() {
            TyKind::Tuple(parts) => parts.iter().find_map(|part| find_in_type(part, uses, known)),
            TyKind::Data(data, arguments) => arguments.iter().enumerate().find_map(|(index, argument)| {
                if !uses.contains(argument) {
                    return None;
                }
                // The variable is in an argument: the data type passes it on only if it is itself polynomial in that
                // parameter.
                if is_polynomial(data, index, known) { find_in_type(argument, uses, known) } else { Some(ty.clone()) }
            }),
            TyKind::Function(..) | TyKind::Tangent(_) | TyKind::Iso(..) => Some(ty.clone()),
            _ => None,
        })
    }
    find_in_type(ty, &mut MarkedTypes::new(|index| index == variable), known)
}

fn is_polynomial(data: &DataType, parameter: usize, known: &mut PolynomialCache) -> bool {
    let key = (data.clone(), parameter);
    if let Some(&known) = known.get(&key) {
        return known;
    }
    let constructors: Vec<Constructor> = data.constructors().collect();
    let mut layers = constructors.iter().filter_map(Constructor::layer_type);
    // No entry for the type under way is needed: in its own layers a variable stands for it.
    let found = with_stack(|| layers.all(|layer| find_nonpolynomial_part_in(layer, parameter, known).is_none()));
    known.insert(key, found);
    found
}

/// A memo of the types that contain a marked variable, by address. The types must outlive it.
pub(super) struct MarkedTypes<P> {
    marked: P,
    known: FxHashMap<usize, bool>,
}

impl<P: Fn(usize) -> bool> MarkedTypes<P> {
    pub(super) fn new(marked: P) -> MarkedTypes<P> {
        MarkedTypes { marked, known: FxHashMap::default() }
    }

    pub(super) fn contains(&mut self, ty: &Ty) -> bool {
        if let Some(&known) = self.known.get(&ty.address()) {
            return known;
        }
        let found = with_stack(|| match ty.kind() {
            TyKind::Variable(index, _) => (self.marked)(*index),
            kind => kind.parts().any(|part| self.contains(part)),
        });
        self.known.insert(ty.address(), found);
        found
    }
}

/// A cache of the heights of data types, by the heights of their arguments.
pub type HeightCache = FxHashMap<(DataType, Vec<Option<u32>>), Option<u32>>;

/// Returns the height of the least value of a type: how deeply constructors are nested in it. `None` if no value is
/// finite.
///
/// The least values of its variables have the heights `of`, 0 if none is given. Heights above `bound` count as `bound`.
pub fn least_height(ty: &Ty, of: &[Option<u32>], bound: u32, known: &mut HeightCache) -> Option<u32> {
    with_stack(|| match ty.kind() {
        TyKind::Variable(index, _) => of.get(*index).copied().unwrap_or(Some(0)),
        TyKind::Tuple(parts) => {
            parts.iter().try_fold(0, |most, part| Some(most.max(least_height(part, of, bound, known)?)))
        }
        TyKind::Data(data, arguments) => {
            let mut below: Vec<Option<u32>> = arguments.iter().map(|ty| least_height(ty, of, bound, known)).collect();
            let key = (data.clone(), below.clone());
            if let Some(&known) = known.get(&key) {
                return known;
            }
            // The least value contains no other of its own type: `None` rules out the constructors that need one.
            below.push(None);
            let constructors = data.constructors();
            let least =
                constructors.filter_map(|constructor| constructor_height(&constructor, &below, bound, known)).min();
            known.insert(key, least);
            least
        }
        _ => Some(0),
    })
}

/// Like [`height`], for the values of one constructor. The last entry of `of` is the height of the type itself.
pub(crate) fn constructor_height(
    constructor: &Constructor,
    of: &[Option<u32>],
    bound: u32,
    known: &mut HeightCache,
) -> Option<u32> {
    let below = constructor.layer_type().map_or(Some(0), |layer| least_height(layer, of, bound, known))?;
    Some(below.saturating_add(1).min(bound))
}

/// Returns the constructor of the values of least height. `None` if the type has no constructors.
#[must_use]
pub fn least_constructor(data: &DataType, arguments: &[Ty], known: &mut HeightCache) -> Option<Constructor> {
    let mut below: Vec<_> = arguments.iter().map(|ty| least_height(ty, &[], u32::MAX, known)).collect();
    below.push(None);
    // Constructors without a finite value come last.
    data.constructors().min_by_key(|c| constructor_height(c, &below, u32::MAX, known).unwrap_or(u32::MAX))
}

/// Returns `true` if a type has no values, judged by its constructors alone: function types count as inhabited.
#[must_use]
pub fn is_uninhabited(ty: &Ty) -> bool {
    // The bound 0 makes all heights equal: only their existence matters.
    least_height(ty, &[], 0, &mut HeightCache::default()).is_none()
}

/// Returns `true` if a type has a value whenever its parameters have.
pub(super) fn is_inhabited(data: &DataType) -> bool {
    least_height(&data.generic_type(), &[], 0, &mut HeightCache::default()).is_some()
}

/// Returns the name of the fold of a type.
#[doc(hidden)]
pub fn fold_name(data: &str) -> String {
    format!("fold{data}")
}

/// Makes the fold of a recursive type. `None` for another type.
pub(super) fn fold_definition(data: &DataType, span: Span) -> Option<Arc<Definition>> {
    if !data.is_recursive() {
        return None;
    }
    let mut builder = FoldBuilder { span, depth: 0, maps: FxHashMap::default() };
    let term = builder.fold_term(data);
    let doc = format!("The fold of {}: what a value becomes when constructors are replaced by these.", data.name());
    Some(make_definition(data, fold_name(data.name()), fold_scheme(data), term, doc, span))
}

fn make_definition(
    data: &DataType,
    name: String,
    scheme: Scheme,
    term: Term,
    doc: String,
    span: Span,
) -> Arc<Definition> {
    let (module, name) = (data.module().clone(), name.into());
    // Types for the binders, which the builder leaves unknown. They exist by construction; if not, the term still runs.
    let term = check_term(&term, &scheme).unwrap_or(term);
    Arc::new(Definition { module, name, scheme, term, doc, span, constructor: None, foreign: None })
}

/// Returns the parameters of a type and `more` further ones, named by letters that are not taken.
fn with_fresh_parameters(data: &DataType, more: usize) -> Vec<Name> {
    let mut names = data.parameters().to_vec();
    let letters = ('A'..='Z').map(String::from).chain((1..).map(|number| format!("A{number}")));
    let free: Vec<Name> = letters.map(Name::from).filter(|letter| !names.contains(letter)).take(more).collect();
    names.extend(free);
    names
}

fn quantify_over(parameters: &[Name], ty: Ty) -> Scheme {
    Scheme { parameters: parameters.iter().map(|name| (name.clone(), Class::ANY)).collect(), ty }
}

/// Returns the type of a fold; for `Tree A` it is `B -> (B * A * B -> B) -> Tree A -> B`.
fn fold_scheme(data: &DataType) -> Scheme {
    let names = with_fresh_parameters(data, 1);
    let all: Vec<Ty> = names.iter().enumerate().map(|(i, name)| Ty::new(TyKind::Variable(i, name.clone()))).collect();
    let result = all[data.parameters().len()].clone();
    let constructors: Vec<Constructor> = data.constructors().collect();
    // In the layer of a constructor, the variable of the type itself is substituted by the result type.
    let handler = |constructor: &Constructor| match constructor.layer_type() {
        Some(layer) => Ty::function(layer.with_arguments(&all), result.clone()),
        None => result.clone(),
    };
    let fold = Ty::function(data.generic_type(), result.clone());
    let ty = constructors.iter().rev().fold(fold, |ty, constructor| Ty::function(handler(constructor), ty));
    quantify_over(&names, ty)
}

/// Returns the type of a map; for `Either A B` with both parameters marked it is `(A -> C) -> (B -> D) -> Either A B ->
/// Either C D`.
fn map_scheme(data: &DataType, marked: &[bool]) -> Scheme {
    let width = data.parameters().len();
    let names = with_fresh_parameters(data, marked.iter().filter(|&&marked| marked).count());
    let variable = |index: usize| Ty::new(TyKind::Variable(index, names[index].clone()));
    // Each marked parameter gets a new variable behind the old ones; the others stay the same.
    let mut next = width..names.len();
    let after: Vec<Ty> =
        (0..width).map(|index| variable(if marked[index] { next.next().unwrap_or(index) } else { index })).collect();
    let functions: Vec<Ty> =
        (0..width).filter(|&index| marked[index]).map(|i| Ty::function(variable(i), after[i].clone())).collect();
    let map = Ty::function(data.generic_type(), data.generic_type().with_arguments(&after));
    let ty = functions.into_iter().rev().fold(map, |ty, function| Ty::function(function, ty));
    quantify_over(&names, ty)
}

/// A variable, by the number of binders around its own (a de Bruijn level), or a component of that variable.
#[derive(Clone)]
struct LevelVariable {
    level: usize,
    component: Option<usize>,
    name: &'static str,
}

impl LevelVariable {
    fn whole_variable(level: usize, name: &'static str) -> LevelVariable {
        LevelVariable { level, component: None, name }
    }
}

/// For each variable of a type, the function to apply to its values; `None` leaves them as they are.
type VariableMaps = Vec<Option<LevelVariable>>;

/// A builder of terms, which counts the binders that it is under.
struct FoldBuilder {
    span: Span,
    depth: usize,
    /// The maps of other types, by their marked parameters: one definition each, shared by all uses.
    maps: FxHashMap<(DataType, Vec<bool>), Arc<Definition>>,
}

impl FoldBuilder {
    fn make_term(&self, kind: TermKind) -> Term {
        Term::new(kind, self.span)
    }

    fn variable_at(&self, place: &LevelVariable) -> Term {
        // Levels stay valid under further binders, indices do not: they are computed at the place of use.
        let index = self.depth - 1 - place.level;
        let variable = self.make_term(TermKind::Variable { index, name: place.name.into() });
        match place.component {
            Some(index) => self.make_term(TermKind::Project { tuple: variable, index }),
            None => variable,
        }
    }

    fn under_binder<R>(&mut self, name: &'static str, body: impl FnOnce(&mut Self, LevelVariable) -> R) -> R {
        let place = LevelVariable::whole_variable(self.depth, name);
        self.depth += 1;
        let result = body(self, place);
        self.depth -= 1;
        result
    }

    fn lambda(&mut self, name: &'static str, body: impl FnOnce(&mut Self, LevelVariable) -> Term) -> Term {
        let body = self.under_binder(name, body);
        self.make_term(TermKind::Lambda { name: name.into(), body })
    }

    /// Makes `\f … f => body`, with `count` parameters.
    fn nested_lambdas(
        &mut self,
        name: &'static str,
        count: usize,
        mut before: Vec<LevelVariable>,
        body: impl FnOnce(&mut Self, Vec<LevelVariable>) -> Term,
    ) -> Term {
        if before.len() == count {
            return body(self, before);
        }
        with_stack(|| {
            self.lambda(name, |builder, place| {
                before.push(place);
                builder.nested_lambdas(name, count, before, body)
            })
        })
    }

    /// Makes `let rec f = \t => match t with … in f`.
    fn recursive_match(
        &mut self,
        data: &DataType,
        name: &'static str,
        branch: impl FnMut(&mut Self, &Constructor, &LevelVariable, &LevelVariable) -> Term,
    ) -> Term {
        let value = self.under_binder(name, |builder, itself| builder.match_function(data, &itself, branch));
        let body = self.make_term(TermKind::Variable { index: 0, name: name.into() });
        self.make_term(TermKind::LetRec { name: name.into(), value, body })
    }

    /// Makes `\t => match t with …`.
    fn match_function(
        &mut self,
        data: &DataType,
        itself: &LevelVariable,
        mut branch: impl FnMut(&mut Self, &Constructor, &LevelVariable, &LevelVariable) -> Term,
    ) -> Term {
        self.lambda("t", |builder, matched| {
            let branches = data.constructors().map(|constructor| {
                let name = if constructor.layer_type().is_some() { "x" } else { "_" };
                let body =
                    builder.under_binder(name, |builder, argument| branch(builder, &constructor, itself, &argument));
                MatchBranch { name: name.into(), body }
            });
            let branches = branches.collect();
            let scrutinee = builder.variable_at(&matched);
            builder.make_term(TermKind::Match { data: data.clone(), scrutinee, branches })
        })
    }

    /// Makes `\f … f => let rec fold = \t => match t with Node x => f (x with its parts of the type folded) | … in
    /// fold`.
    fn fold_term(&mut self, data: &DataType) -> Term {
        self.nested_lambdas("f", data.constructor_count(), Vec::new(), |builder, handlers| {
            builder.recursive_match(data, "fold", |builder, constructor, itself, argument| {
                let handler = builder.variable_at(&handlers[constructor.index()]);
                let Some(layer) = constructor.layer_type() else { return handler };
                // The last variable of a layer is the type itself: its values are folded, all others stay.
                let mut functions: VariableMaps = vec![None; data.parameters().len()];
                functions.push(Some(itself.clone()));
                let argument = builder.map_value(layer, &functions, argument);
                Term::apply(handler, argument, builder.span)
            })
        })
    }

    /// Returns the map of a type, which takes one function for each marked parameter. Each map is made once.
    fn map_definition(&mut self, data: &DataType, marked: &[bool]) -> Arc<Definition> {
        let key = (data.clone(), marked.to_vec());
        if let Some(known) = self.maps.get(&key) {
            return known.clone();
        }
        // A map is a definition of its own: closed, so its levels count from 0.
        let depth = std::mem::take(&mut self.depth);
        let count = marked.iter().filter(|&&marked| marked).count();
        let term = self.nested_lambdas("f", count, Vec::new(), |builder, given| {
            let mut given = given.into_iter();
            let functions: VariableMaps =
                marked.iter().map(|&marked| if marked { given.next() } else { None }).collect();
            let branch =
                |builder: &mut Self, constructor: &Constructor, itself: &LevelVariable, argument: &LevelVariable| {
                    let Some(layer) = constructor.layer_type() else {
                        let unit = builder.make_term(TermKind::Unit);
                        return Term::inject(constructor.clone(), unit, Ty::unknown(), builder.span);
                    };
                    let functions = [&functions[..], &[Some(itself.clone())]].concat();
                    let argument = builder.map_value(layer, &functions, argument);
                    Term::inject(constructor.clone(), argument, Ty::unknown(), builder.span)
                };
            if data.is_recursive() {
                builder.recursive_match(data, "map", branch)
            } else {
                // No layer contains the type, so this variable is never used.
                builder.match_function(data, &LevelVariable::whole_variable(0, "map"), branch)
            }
        });
        self.depth = depth;
        let (name, doc) = (format!("map{}", data.name()), String::new());
        let map = make_definition(data, name, map_scheme(data, marked), term, doc, self.span);
        self.maps.insert(key, map.clone());
        map
    }

    /// Makes the value at `place`, of this type, with the functions applied to the values of the variables in it.
    fn map_value(&mut self, ty: &Ty, functions: &VariableMaps, place: &LevelVariable) -> Term {
        let mut touched = MarkedTypes::new(|index: usize| functions.get(index).is_some_and(Option::is_some));
        self.map_value_in(ty, functions, &mut touched, place)
    }

    fn map_value_in(
        &mut self,
        ty: &Ty,
        functions: &VariableMaps,
        touched: &mut MarkedTypes<impl Fn(usize) -> bool>,
        place: &LevelVariable,
    ) -> Term {
        // The value is used as it is: no copy of a tuple or a list is made for a part that does not change.
        if !touched.contains(ty) {
            return self.variable_at(place);
        }
        with_stack(|| match ty.kind() {
            TyKind::Variable(index, _) => match &functions[*index] {
                Some(function) => Term::apply(self.variable_at(function), self.variable_at(place), self.span),
                None => self.variable_at(place),
            },
            TyKind::Tuple(parts) if place.component.is_none() => {
                let parts = parts.iter().enumerate();
                let component = |index| LevelVariable { component: Some(index), ..*place };
                let parts = parts.map(|(i, part)| self.map_value_in(part, functions, touched, &component(i))).collect();
                self.make_term(TermKind::Tuple(parts))
            }
            TyKind::Tuple(_) => {
                // A component of a component is bound by a `let` first: a `LevelVariable` has one projection at most.
                let value = self.variable_at(place);
                let body = self.under_binder("p", |builder, p| builder.map_value_in(ty, functions, touched, &p));
                self.make_term(TermKind::Let { name: "p".into(), value, body })
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                // Lists have the constant `fold` of the language; other types need a map of their own.
                let step = self.lambda("x", |builder, head| {
                    builder.lambda("rest", |builder, rest| {
                        let head = builder.map_value_in(&arguments[0], functions, touched, &head);
                        Term::cons(head, builder.variable_at(&rest), Ty::unknown(), builder.span)
                    })
                });
                let fold = self.make_term(TermKind::Constant(Constant::Fold));
                let operands = [step, Term::nil(Ty::unknown(), self.span), self.variable_at(place)];
                operands.into_iter().fold(fold, |function, operand| Term::apply(function, operand, self.span))
            }
            TyKind::Data(data, arguments) => {
                let marked: Vec<bool> = arguments.iter().map(|argument| touched.contains(argument)).collect();
                let map = self.map_definition(data, &marked);
                let map = self.make_term(TermKind::Global(map));
                let arguments = arguments.iter().zip(&marked).filter(|(_, marked)| **marked);
                let map = arguments.fold(map, |map, (argument, _)| {
                    let function =
                        self.lambda("x", |builder, x| builder.map_value_in(argument, functions, touched, &x));
                    Term::apply(map, function, self.span)
                });
                Term::apply(map, self.variable_at(place), self.span)
            }
            // The variables occur nowhere else: `inductive` rejected such declarations.
            _ => self.variable_at(place),
        })
    }
}
