//! Types and contexts (S Fig. 3), and the objects that they denote (S Fig. 4).

use smoothish::stack::with_stack;
use smoothish::syntax::name::Name;
use std::fmt;
use std::sync::Arc;

/// A type τ ::= ∗ | τ₁ × τ₂ | ⌊K⌋, where K is an object ℝⁿ of AD. Cheap to clone, safe to drop at any depth.
#[derive(Clone)]
pub struct Type(Arc<Node>);

struct Node {
    kind: TypeKind,
    dimension: usize,
    size: usize,
    depth: u32,
}

/// The shape of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// ∗
    Unit,
    /// τ₁ × τ₂
    Product(Type, Type),
    /// ⌊ℝⁿ⌋
    Space(usize),
}

impl Type {
    fn new(kind: TypeKind) -> Type {
        let (dimension, size, depth) = match &kind {
            TypeKind::Unit => (0, 0, 0),
            TypeKind::Space(n) => (*n, *n, 0),
            TypeKind::Product(a, b) => (
                a.dimension().saturating_add(b.dimension()),
                a.size().saturating_add(b.size()),
                a.0.depth.max(b.0.depth),
            ),
        };
        Type(Arc::new(Node { kind, dimension, size: size.saturating_add(1), depth: depth.saturating_add(1) }))
    }

    /// ∗, with the one value !
    #[must_use]
    pub fn unit() -> Type {
        Type::new(TypeKind::Unit)
    }

    /// ⌊ℝ⌋
    #[must_use]
    pub fn real() -> Type {
        Type::space(1)
    }

    /// ⌊ℝⁿ⌋
    #[must_use]
    pub fn space(n: usize) -> Type {
        Type::new(TypeKind::Space(n))
    }

    /// τ₁ × τ₂
    #[must_use]
    pub fn product(first: &Type, second: &Type) -> Type {
        Type::new(TypeKind::Product(first.clone(), second.clone()))
    }

    /// The shape of the type.
    #[must_use]
    pub fn kind(&self) -> &TypeKind {
        &self.0.kind
    }

    /// The n of the object ⟦τ⟧ = ℝⁿ: ⟦∗⟧ = 1 = ℝ⁰, ⟦τ₁ × τ₂⟧ = ⟦τ₁⟧ × ⟦τ₂⟧, ⟦⌊K⌋⟧ = K.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.0.dimension
    }

    /// The number of nodes and of coordinates, without sharing.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.dimension, self.0.size, self.0.depth) == (other.0.dimension, other.0.size, other.0.depth)
                && with_stack(|| self.0.kind == other.0.kind)
    }
}

impl Eq for Type {}

impl Drop for Node {
    fn drop(&mut self) {
        if self.depth > 64 {
            let kind = std::mem::replace(&mut self.kind, TypeKind::Unit);
            with_stack(|| drop(kind));
        }
    }
}

/// As in the paper; a product inside a product is in parentheses.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            TypeKind::Unit => f.write_str("∗"),
            TypeKind::Space(1) => f.write_str("⌊ℝ⌋"),
            TypeKind::Space(n) => write!(f, "⌊ℝ^{n}⌋"),
            TypeKind::Product(a, b) => {
                let part = |part: &Type, f: &mut fmt::Formatter<'_>| match part.kind() {
                    TypeKind::Product(..) => with_stack(|| write!(f, "({part})")),
                    _ => write!(f, "{part}"),
                };
                part(a, f)?;
                f.write_str(" × ")?;
                part(b, f)
            }
        }
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A context Γ ::= · | Γ, x : τ. A later variable hides an earlier one of the same name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context(Vec<(Name, Type)>);

impl Context {
    /// ·
    #[must_use]
    pub fn new() -> Context {
        Context::default()
    }

    /// Γ, x : τ
    #[must_use]
    pub fn with(&self, name: &str, ty: &Type) -> Context {
        let mut context = self.clone();
        context.0.push((name.into(), ty.clone()));
        context
    }

    /// The variables, the innermost last.
    #[must_use]
    pub fn variables(&self) -> &[(Name, Type)] {
        &self.0
    }

    /// The place of a variable among [`Context::variables`], and its type.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<(usize, &Type)> {
        let position = self.0.iter().rposition(|(known, _)| **known == *name)?;
        Some((position, &self.0[position].1))
    }

    /// The n of ⟦Γ⟧ = ℝⁿ: ⟦·⟧ = 1, ⟦Γ, x : τ⟧ = ⟦Γ⟧ × ⟦τ⟧.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.0.iter().fold(0, |sum, (_, ty)| sum.saturating_add(ty.dimension()))
    }

    pub(super) fn push(&mut self, name: &Name, ty: Type) {
        self.0.push((name.clone(), ty));
    }

    pub(super) fn pop(&mut self) {
        self.0.pop();
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("·")?;
        self.0.iter().try_for_each(|(name, ty)| write!(f, ", {name} : {ty}"))
    }
}
