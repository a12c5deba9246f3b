//! Functions of values as arrows: the structure that makes the values of the language a bicartesian closed category with lists
//! (S Fig. 6, H §5.1).
//!
//! The structure is the same for presheaves, for diffeological spaces and on both sides of the gluing category; what differs is
//! when two arrows are equal, and which functions are arrows at all.

use super::dynamic::{Element, Function};
use crate::stack::deep;
use crate::value::{Sequence, ValueError};

type Answer = Result<Element, ValueError>;

fn arrow(f: impl Fn(&Element) -> Answer + Send + Sync + 'static) -> Function {
    Function::new(f)
}

/// id
#[must_use]
pub fn identity() -> Function {
    arrow(|x| Ok(x.clone()))
}

/// g ∘ f
#[must_use]
pub fn composite([f, g]: [&Function; 2]) -> Function {
    let (f, g) = (f.clone(), g.clone());
    arrow(move |x| g.apply(&f.apply(x)?))
}

/// ! : A → 1
#[must_use]
pub fn terminal() -> Function {
    arrow(|_| Ok(Element::Unit))
}

/// ⟨f, g⟩ : X → A × B
#[must_use]
pub fn pair([f, g]: [&Function; 2]) -> Function {
    let (f, g) = (f.clone(), g.clone());
    arrow(move |x| Ok(Element::tuple([f.apply(x)?, g.apply(x)?])))
}

/// πᵢ : A₀ × A₁ → Aᵢ
#[must_use]
pub fn projection(index: usize) -> Function {
    arrow(move |x| {
        let (a, b) = x.as_pair()?;
        Ok(if index == 0 { a } else { b }.clone())
    })
}

/// X → (A ⇒ B), of f : X × A → B.
#[must_use]
pub fn curried([f]: [&Function; 1]) -> Function {
    let f = f.clone();
    arrow(move |x| {
        let (f, x) = (f.clone(), x.clone());
        Ok(Element::function(move |y| f.apply(&Element::tuple([x.clone(), y.clone()]))))
    })
}

/// (A ⇒ B) × A → B
#[must_use]
pub fn evaluation() -> Function {
    arrow(|x| {
        let (f, x) = x.as_pair()?;
        f.as_function()?.apply(x)
    })
}

/// inᵢ : Aᵢ → A₀ + A₁
#[must_use]
pub fn injection(index: usize) -> Function {
    arrow(move |x| Ok(Element::variant(index, x.clone())))
}

/// [f, g] : A + B → X
#[must_use]
pub fn case([f, g]: [&Function; 2]) -> Function {
    let branches = [f.clone(), g.clone()];
    arrow(move |x| {
        let (index, argument) = x.as_variant()?;
        branches[index.min(1)].apply(argument)
    })
}

/// 0 → A: there is nothing to be applied to.
#[must_use]
pub fn initial() -> Function {
    arrow(|x| {
        x.as_variant()?;
        Function::untold().apply(x)
    })
}

/// 1 → List A
#[must_use]
pub fn nil() -> Function {
    arrow(|_| Ok(Element::List(Sequence::default())))
}

/// A × List A → List A
#[must_use]
pub fn cons() -> Function {
    arrow(|x| {
        let (head, rest) = x.as_pair()?;
        Ok(Element::List(rest.as_list()?.with(head.clone())))
    })
}

/// List A → B, of z : 1 → B and s : A × B → B, from the right.
#[must_use]
pub fn fold([start, step]: [&Function; 2]) -> Function {
    let (start, step) = (start.clone(), step.clone());
    arrow(move |list| {
        let start = start.apply(&Element::Unit)?;
        list.as_list()?.fold(start, |x, rest| step.apply(&Element::tuple([x.clone(), rest])))
    })
}

/// Tree A → B, of z : 1 → B and s : B × A × B → B, for trees with a leaf as the first constructor and a node as the second.
#[must_use]
pub fn fold_tree([leaf, node]: [&Function; 2]) -> Function {
    let (leaf, node) = (leaf.clone(), node.clone());
    arrow(move |tree| folded(&leaf, &node, tree))
}

fn folded(leaf: &Function, node: &Function, tree: &Element) -> Result<Element, ValueError> {
    let (index, argument) = tree.as_variant()?;
    if index == 0 {
        return leaf.apply(&Element::Unit);
    }
    let [left, x, right] = argument.as_tuple()? else {
        return Err(ValueError::Mismatch { expected: "a node with two trees", found: "another" });
    };
    let [left, right] = [left, right].map(|part| deep(|| folded(leaf, node, part)));
    node.apply(&Element::tuple([left?, x.clone(), right?]))
}
