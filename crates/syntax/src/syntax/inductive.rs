//! Which declared types are inductive: initial algebras of polynomials, as in H §5.
//!
//! `type Tree A = Leaf | Node (Tree A * A * Tree A)` is the least solution T of `T ≅ 1 + T × A × T`. The type may stand in
//! tuples, in lists and in other types given by their constructors; not under `->`, `Tan` or `~=`, where the right side is
//! no polynomial in T (`obstacle`). It stands there with its own parameters for arguments, so all of its parts are among
//! finitely many types. And it has a value (`height`): the least solution of `T ≅ A × T` is empty.
//!
//! Declarations do not mention each other, so a walk through them ends: each mentions itself and what was there before.

use super::data::{Constructor, Data};
use super::ty::{Ty, TyKind};
use crate::stack::deep;
use rustc_hash::FxHashMap;

/// The part of a type that is not polynomial in a variable: a type of functions, of tangents or of isomorphisms that
/// mentions it, or a declared type with an argument that its constructors use so.
pub(super) fn obstacle(ty: &Ty, variable: usize) -> Option<Ty> {
    obstacle_in(ty, variable, &mut FxHashMap::default())
}

/// Whether the constructors of a type use a parameter as polynomials do.
type Known = FxHashMap<(Data, usize), bool>;

fn obstacle_in(ty: &Ty, variable: usize, known: &mut Known) -> Option<Ty> {
    fn walk(ty: &Ty, uses: &mut Mentions<impl Fn(usize) -> bool>, known: &mut Known) -> Option<Ty> {
        if !uses.contains(ty) {
            return None;
        }
        deep(|| match ty.kind() {
            TyKind::Tuple(parts) => parts.iter().find_map(|part| walk(part, uses, known)),
            TyKind::Data(data, arguments) => arguments.iter().enumerate().find_map(|(index, argument)| {
                if !uses.contains(argument) {
                    return None;
                }
                if is_polynomial(data, index, known) { walk(argument, uses, known) } else { Some(ty.clone()) }
            }),
            TyKind::Function(..) | TyKind::Tangent(_) | TyKind::Iso(..) => Some(ty.clone()),
            _ => None,
        })
    }
    walk(ty, &mut Mentions::new(|index| index == variable), known)
}

fn is_polynomial(data: &Data, parameter: usize, known: &mut Known) -> bool {
    let key = (data.clone(), parameter);
    if let Some(&known) = known.get(&key) {
        return known;
    }
    let constructors: Vec<Constructor> = data.constructors().collect();
    let mut layers = constructors.iter().filter_map(Constructor::layer);
    let found = deep(|| layers.all(|layer| obstacle_in(layer, parameter, known).is_none()));
    known.insert(key, found);
    found
}

/// Which types mention a variable that is marked, each looked at once. The types live as long as this does.
pub(super) struct Mentions<P> {
    marked: P,
    known: FxHashMap<usize, bool>,
}

impl<P: Fn(usize) -> bool> Mentions<P> {
    pub(super) fn new(marked: P) -> Mentions<P> {
        Mentions { marked, known: FxHashMap::default() }
    }

    pub(super) fn contains(&mut self, ty: &Ty) -> bool {
        if let Some(&known) = self.known.get(&ty.address()) {
            return known;
        }
        let found = deep(|| match ty.kind() {
            TyKind::Variable(index, _) => (self.marked)(*index),
            kind => kind.parts().any(|part| self.contains(part)),
        });
        self.known.insert(ty.address(), found);
        found
    }
}

/// What is known of types at heights of their arguments.
pub type Heights = FxHashMap<(Data, Vec<Option<u32>>), Option<u32>>;

/// How many constructors are inside each other in the least value of a type, when the least values of its variables have
/// these heights: nothing where there is no finite value. Heights above a bound count as the bound.
pub fn height(ty: &Ty, of: &[Option<u32>], bound: u32, known: &mut Heights) -> Option<u32> {
    deep(|| match ty.kind() {
        TyKind::Variable(index, _) => of.get(*index).copied().unwrap_or(Some(0)),
        TyKind::Tuple(parts) => parts.iter().try_fold(0, |most, part| Some(most.max(height(part, of, bound, known)?))),
        TyKind::Data(data, arguments) => {
            let mut below: Vec<Option<u32>> = arguments.iter().map(|ty| height(ty, of, bound, known)).collect();
            let key = (data.clone(), below.clone());
            if let Some(&known) = known.get(&key) {
                return known;
            }
            // the least value does not hold another of its type
            below.push(None);
            let constructors = data.constructors();
            let least = constructors.filter_map(|constructor| layer_height(&constructor, &below, bound, known)).min();
            known.insert(key, least);
            least
        }
        _ => Some(0),
    })
}

/// The same for a value of a constructor; the last of the heights is that of the type itself.
pub(crate) fn layer_height(
    constructor: &Constructor,
    of: &[Option<u32>],
    bound: u32,
    known: &mut Heights,
) -> Option<u32> {
    let below = constructor.layer().map_or(Some(0), |layer| height(layer, of, bound, known))?;
    Some(below.saturating_add(1).min(bound))
}

/// The constructor of the values with the fewest constructors inside each other.
#[must_use]
pub fn least(data: &Data, arguments: &[Ty], known: &mut Heights) -> Option<Constructor> {
    let mut below: Vec<_> = arguments.iter().map(|ty| height(ty, &[], u32::MAX, known)).collect();
    below.push(None);
    data.constructors().min_by_key(|c| layer_height(c, &below, u32::MAX, known).unwrap_or(u32::MAX))
}

/// Whether a type has no values, as far as its constructors say: functions are taken to have some.
#[must_use]
pub fn is_empty(ty: &Ty) -> bool {
    height(ty, &[], 0, &mut Heights::default()).is_none()
}

/// Whether a type has a value, if its parameters have.
pub(super) fn is_inhabited(data: &Data) -> bool {
    height(&data.generic(), &[], 0, &mut Heights::default()).is_some()
}
