//! Random arrows of the categories whose laws are tested.

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
    /// Draws a random arrow.
    fn draw<A: Names<Self>, B: Names<Self>>(random: &mut Random) -> Self::Hom<A, B>;
}

/// The size of programs, in heads. A choice.
const SIZE: usize = 8;

impl Draw for Terms {
    fn draw<A: Names<Self>, B: Names<Self>>(random: &mut Random) -> Term {
        let ty = Ty::function(A::object(), B::object());
        let mut generator = Generator::within(Random::new(random.next()), Vocabulary::Derivable);
        match generator.using(&ty, SIZE).core() {
            Some(term) => term,
            // unreachable: generated programs are closed. This one has no type, so a law would notice
            None => Term::new(TermKind::Unit, Span::default()),
        }
    }
}

/// Functions of a number that is observed of the argument. They need not be programs.
impl<E: Equality> Draw for Values<E> {
    fn draw<A: Names<Self>, B: Names<Self>>(random: &mut Random) -> Function {
        match sample::element(&Ty::function(A::object(), B::object()), 0, random) {
            // unreachable at a function type
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
