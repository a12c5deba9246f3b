//! Conditions for inductive types: initial algebras of polynomial functors, as in H §5.
//!
//! `type Tree A = Leaf | Node (Tree A * A * Tree A)` is the least solution T of `T ≅ 1 + T × A × T`.
//!
//! - The type may occur in tuples, in lists and in other data types. It may not occur under `->`, `Tan` or `~=`, where
//!   the right side is no polynomial in T (`find_nonpolynomial_part`).
//! - It occurs there with its own parameters for arguments, so all of its parts are among finitely many types.
//! - It has a value (`height`): the least solution of `T ≅ A × T` is empty.
//!
//! A declaration mentions itself and earlier ones only, so a traversal of declarations ends.

use super::data::{Constructor, DataType};
use super::ty::{Ty, TyKind};
use crate::stack::with_stack;
use rustc_hash::FxHashMap;

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
