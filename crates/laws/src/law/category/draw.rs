//! Random arrows of the categories whose laws are tested.

use crate::category::opposite::{Opposite, Unop};
use crate::category::{Category, ObjectName};
use crate::law::generate::{TermGenerator, TermVocabulary};
use crate::meaning::diffeology::category::{ArrowEquality, ElementCategory};
use crate::meaning::diffeology::sample;
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::random::SplitMix64;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use crate::terms::Terms;

/// A category whose arrows can be drawn.
pub trait DrawArrow: Category {
    /// Draws a random arrow.
    fn draw_hom<A: ObjectName<Self>, B: ObjectName<Self>>(random: &mut SplitMix64) -> Self::Hom<A, B>;
}

/// The size of programs, in heads. A choice.
const PROGRAM_SIZE: usize = 8;

impl DrawArrow for Terms {
    fn draw_hom<A: ObjectName<Self>, B: ObjectName<Self>>(random: &mut SplitMix64) -> Term {
        let ty = Ty::function(A::object(), B::object());
        let mut generator = TermGenerator::with_vocabulary(SplitMix64::new(random.next()), TermVocabulary::Derivable);
        match generator.draw_using_scope(&ty, PROGRAM_SIZE).to_core() {
            Some(term) => term,
            // unreachable: generated programs are closed. This one has no type, so a law would notice
            None => Term::new(TermKind::Unit, Span::default()),
        }
    }
}

/// Functions of a number that is observed of the argument. They need not be programs.
impl<E: ArrowEquality> DrawArrow for ElementCategory<E> {
    fn draw_hom<A: ObjectName<Self>, B: ObjectName<Self>>(random: &mut SplitMix64) -> StageFunction {
        match sample::draw_element(&Ty::function(A::object(), B::object()), 0, random) {
            // unreachable at a function type
            Element::Function(function) => function,
            _ => StageFunction::placeholder(),
        }
    }
}

impl<C: DrawArrow> DrawArrow for Opposite<C> {
    fn draw_hom<A: ObjectName<Self>, B: ObjectName<Self>>(random: &mut SplitMix64) -> C::Hom<Unop<B>, Unop<A>> {
        C::draw_hom::<Unop<B>, Unop<A>>(random)
    }
}
