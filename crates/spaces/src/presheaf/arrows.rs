//! Functions of values as arrows: the bicartesian closed structure, with lists, on the values of the language (S Fig.
//! 6, H §5.1).
//!
//! Presheaves, diffeological spaces and both sides of the gluing category share this structure. They differ in the
//! equality of arrows, and in the functions that are arrows at all.

use super::dynamic::{Element, Function};
use crate::stack::deep;
use crate::value::{Sequence, ValueError};

type Answer = Result<Element, ValueError>;

/// Returns an arrow with the given action.
fn arrow(f: impl Fn(&Element) -> Answer + Send + Sync + 'static) -> Function {
    Function::new(f)
}

/// Returns the identity.
#[must_use]
pub fn identity() -> Function {
    arrow(|x| Ok(x.clone()))
}

/// Returns the composite g ∘ f.
#[must_use]
pub fn composite([f, g]: [&Function; 2]) -> Function {
    let (f, g) = (f.clone(), g.clone());
    arrow(move |x| g.apply(&f.apply(x)?))
}

/// Returns the unique arrow ! : A → 1.
#[must_use]
pub fn terminal() -> Function {
    arrow(|_| Ok(Element::Unit))
}

/// Returns ⟨f, g⟩ : X → A × B.
#[must_use]
pub fn pair([f, g]: [&Function; 2]) -> Function {
    let (f, g) = (f.clone(), g.clone());
    arrow(move |x| Ok(Element::tuple([f.apply(x)?, g.apply(x)?])))
}

/// Returns the projection πᵢ : A₀ × A₁ → Aᵢ, with i = `index`.
#[must_use]
pub fn projection(index: usize) -> Function {
    arrow(move |x| {
        let (a, b) = x.as_pair()?;
        // Only 0 and 1 occur: the category has binary products.
        Ok(if index == 0 { a } else { b }.clone())
    })
}

/// Returns the curried arrow X → (A ⇒ B) of f : X × A → B.
#[must_use]
pub fn curried([f]: [&Function; 1]) -> Function {
    let f = f.clone();
    arrow(move |x| {
        let (f, x) = (f.clone(), x.clone());
        Ok(Element::function(move |y| f.apply(&Element::tuple([x.clone(), y.clone()]))))
    })
}

/// Returns the evaluation (A ⇒ B) × A → B.
#[must_use]
pub fn evaluation() -> Function {
    arrow(|x| {
        let (f, x) = x.as_pair()?;
        f.as_function()?.apply(x)
    })
}

/// Returns the injection inᵢ : Aᵢ → A₀ + A₁, with i = `index`.
#[must_use]
pub fn injection(index: usize) -> Function {
    arrow(move |x| Ok(Element::variant(index, x.clone())))
}

/// Returns the copairing [f, g] : A + B → X.
#[must_use]
pub fn case([f, g]: [&Function; 2]) -> Function {
    let branches = [f.clone(), g.clone()];
    arrow(move |x| {
        let (index, argument) = x.as_variant()?;
        branches[index.min(1)].apply(argument)
    })
}

/// Returns the unique arrow 0 → A. It fails on every argument, because 0 has no elements.
#[must_use]
pub fn initial() -> Function {
    arrow(|x| {
        x.as_variant()?;
        // A placeholder reports the error of an impossible application.
        Function::untold().apply(x)
    })
}

/// Returns the arrow 1 → List A of the empty list.
#[must_use]
pub fn nil() -> Function {
    arrow(|_| Ok(Element::List(Sequence::default())))
}

/// Returns the arrow A × List A → List A that prepends an element.
#[must_use]
pub fn cons() -> Function {
    arrow(|x| {
        let (head, rest) = x.as_pair()?;
        Ok(Element::List(rest.as_list()?.with(head.clone())))
    })
}

/// Returns the right fold List A → B of z : 1 → B and s : A × B → B.
#[must_use]
pub fn fold([start, step]: [&Function; 2]) -> Function {
    let (start, step) = (start.clone(), step.clone());
    arrow(move |list| {
        let start = start.apply(&Element::Unit)?;
        list.as_list()?.fold(start, |x, rest| step.apply(&Element::tuple([x.clone(), rest])))
    })
}

/// Returns the fold Tree A → B of z : 1 → B and s : B × A × B → B. The first constructor of a tree is a leaf, the
/// second a node.
#[must_use]
pub fn fold_tree([leaf, node]: [&Function; 2]) -> Function {
    let (leaf, node) = (leaf.clone(), node.clone());
    arrow(move |tree| folded(&leaf, &node, tree))
}

/// Folds a tree.
fn folded(leaf: &Function, node: &Function, tree: &Element) -> Result<Element, ValueError> {
    let (index, argument) = tree.as_variant()?;
    if index == 0 {
        return leaf.apply(&Element::Unit);
    }
    let [left, x, right] = argument.as_tuple()? else {
        return Err(ValueError::Mismatch { expected: "a node with two trees", found: "another" });
    };
    // The depth of a tree is not bounded by its type.
    let [left, right] = [left, right].map(|part| deep(|| folded(leaf, node, part)));
    node.apply(&Element::tuple([left?, x.clone(), right?]))
}
