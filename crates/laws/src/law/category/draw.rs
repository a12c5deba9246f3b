//! Random arrows of the instances.

use crate::category::opposite::{Back, Opposite};
use crate::category::{Category, Names};
use crate::law::generate::{Generator, Vocabulary};
use crate::meaning::diffeology::category::{Equality, Values};
use crate::meaning::diffeology::sample;
use crate::presheaf::dynamic::{Element, Function};
use crate::random::Random;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use crate::terms::Terms;

/// A category whose arrows can be drawn.
pub trait Draw: Category {
    /// A random arrow.
    fn draw<A: Names<Self>, B: Names<Self>>(random: &mut Random) -> Self::Hom<A, B>;
}

/// How large programs are.
const SIZE: usize = 8;

impl Draw for Terms {
    fn draw<A: Names<Self>, B: Names<Self>>(random: &mut Random) -> Term {
        let ty = Ty::function(A::object(), B::object());
        let mut generator = Generator::within(Random::new(random.next()), Vocabulary::Derivable);
        match generator.using(&ty, SIZE).core() {
            Some(term) => term,
            // no program is drawn with a variable outside of its binder, and this one has no type
            None => Term::new(TermKind::Unit, Span::default()),
        }
    }
}

/// Functions of a number that is observed of the argument, whether they are programs or not.
impl<E: Equality> Draw for Values<E> {
    fn draw<A: Names<Self>, B: Names<Self>>(random: &mut Random) -> Function {
        match sample::element(&Ty::function(A::object(), B::object()), 0, random) {
            Element::Function(function) => function,
            _ => Function::untold(),
        }
    }
}

impl<C: Draw> Draw for Opposite<C> {
    fn draw<A: Names<Self>, B: Names<Self>>(random: &mut Random) -> C::Hom<Back<B>, Back<A>> {
        C::draw::<Back<B>, Back<A>>(random)
    }
}
