//! Functions of values as arrows: the bicartesian closed structure, with lists, on the values of the language (S Fig.
//! 6, H §5.1).
//!
//! Presheaves, diffeological spaces and both sides of the gluing category share this structure. They differ in the
//! equality of arrows, and in the functions that are arrows at all.

use super::dynamic::{Element, StageFunction};
use crate::stack::with_stack;
use crate::value::{SharedList, ValueError};

type ValueResult = Result<Element, ValueError>;

/// Returns an arrow with the given action.
fn arrow_from(f: impl Fn(&Element) -> ValueResult + Send + Sync + 'static) -> StageFunction {
    StageFunction::new(f)
}

/// Returns the identity.
#[must_use]
pub fn identity_arrow() -> StageFunction {
    arrow_from(|x| Ok(x.clone()))
}

/// Returns the composite g ∘ f.
#[must_use]
pub fn compose_arrows([f, g]: [&StageFunction; 2]) -> StageFunction {
    let (f, g) = (f.clone(), g.clone());
    arrow_from(move |x| g.apply(&f.apply(x)?))
}

/// Returns the unique arrow ! : A → 1.
#[must_use]
pub fn terminal_arrow() -> StageFunction {
    arrow_from(|_| Ok(Element::Unit))
}

/// Returns ⟨f, g⟩ : X → A × B.
#[must_use]
pub fn pair_arrows([f, g]: [&StageFunction; 2]) -> StageFunction {
    let (f, g) = (f.clone(), g.clone());
    arrow_from(move |x| Ok(Element::tuple_of([f.apply(x)?, g.apply(x)?])))
}

/// Returns the projection πᵢ : A₀ × A₁ → Aᵢ, with i = `index`.
#[must_use]
pub fn projection_arrow(index: usize) -> StageFunction {
    arrow_from(move |x| {
        let (a, b) = x.as_pair()?;
        // Only 0 and 1 occur: the category has binary products.
        Ok(if index == 0 { a } else { b }.clone())
    })
}

/// Returns the curried arrow X → (A ⇒ B) of f : X × A → B.
#[must_use]
pub fn curry_arrow([f]: [&StageFunction; 1]) -> StageFunction {
    let f = f.clone();
    arrow_from(move |x| {
        let (f, x) = (f.clone(), x.clone());
        Ok(Element::from_closure(move |y| f.apply(&Element::tuple_of([x.clone(), y.clone()]))))
    })
}

/// Returns the evaluation (A ⇒ B) × A → B.
#[must_use]
pub fn evaluation_arrow() -> StageFunction {
    arrow_from(|x| {
        let (f, x) = x.as_pair()?;
        f.as_function()?.apply(x)
    })
}

/// Returns the injection inᵢ : Aᵢ → A₀ + A₁, with i = `index`.
#[must_use]
pub fn injection_arrow(index: usize) -> StageFunction {
    arrow_from(move |x| Ok(Element::variant_of(index, x.clone())))
}

/// Returns the copairing [f, g] : A + B → X.
#[must_use]
pub fn copair_arrows([f, g]: [&StageFunction; 2]) -> StageFunction {
    let branches = [f.clone(), g.clone()];
    arrow_from(move |x| {
        let (index, argument) = x.as_variant()?;
        branches[index.min(1)].apply(argument)
    })
}

/// Returns the unique arrow 0 → A. It fails on every argument, because 0 has no elements.
#[must_use]
pub fn initial_arrow() -> StageFunction {
    arrow_from(|x| {
        x.as_variant()?;
        // A placeholder reports the error of an impossible application.
        StageFunction::placeholder().apply(x)
    })
}

/// Returns the arrow 1 → List A of the empty list.
#[must_use]
pub fn nil_arrow() -> StageFunction {
    arrow_from(|_| Ok(Element::List(SharedList::default())))
}

/// Returns the arrow A × List A → List A that prepends an element.
#[must_use]
pub fn cons_arrow() -> StageFunction {
    arrow_from(|x| {
        let (head, rest) = x.as_pair()?;
        Ok(Element::List(rest.as_list()?.with_head(head.clone())))
    })
}

/// Returns the right fold List A → B of z : 1 → B and s : A × B → B.
#[must_use]
pub fn fold_list([start, step]: [&StageFunction; 2]) -> StageFunction {
    let (start, step) = (start.clone(), step.clone());
    arrow_from(move |list| {
        let start = start.apply(&Element::Unit)?;
        list.as_list()?.try_fold_right(start, |x, rest| step.apply(&Element::tuple_of([x.clone(), rest])))
    })
}

/// Returns the fold Tree A → B of z : 1 → B and s : B × A × B → B. The first constructor of a tree is a leaf, the
/// second a node.
#[must_use]
pub fn fold_tree([leaf, node]: [&StageFunction; 2]) -> StageFunction {
    let (leaf, node) = (leaf.clone(), node.clone());
    arrow_from(move |tree| fold_tree_value(&leaf, &node, tree))
}

/// Folds a tree.
fn fold_tree_value(leaf: &StageFunction, node: &StageFunction, tree: &Element) -> Result<Element, ValueError> {
    let (index, argument) = tree.as_variant()?;
    if index == 0 {
        return leaf.apply(&Element::Unit);
    }
    let [left, x, right] = argument.as_tuple()? else {
        return Err(ValueError::Mismatch { expected: "a node with two trees", found: "another" });
    };
    // The depth of a tree is not bounded by its type.
    let [left, right] = [left, right].map(|part| with_stack(|| fold_tree_value(leaf, node, part)));
    node.apply(&Element::tuple_of([left?, x.clone(), right?]))
}
