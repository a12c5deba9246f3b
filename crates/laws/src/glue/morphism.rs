//! Arrows of Gl_k: pairs of maps that preserve S, and their composition (H §6.2, Prop. 5).
//!
//! A pair is refuted by one related pair of plots that it maps to an unrelated one. The constructions that make Gl_k
//! bicartesian closed with lists act on each of the two maps separately.
//!
//! # The laws of Gl_k as a bicartesian closed category with lists
//!
//! The laws of Gl_k as a bicartesian closed category with lists, tested (H Prop. 5).
//!
//! | statement | |
//! |---|---|
//! | [`structure`] | the constructions of [`GluingMorphism`] preserve S, and satisfy their equations |
//! | [`projection_is_strict`] | the projection to Diff × Diff sends the structure to the structure, on the nose |
//! | [`operations_are_morphisms`] | an operation and its Taylor representation are a morphism: "these interpretations are indeed morphisms" |
//!
//! # Gl_k as an instance of
//!
//! Gl_k as an instance of the [interfaces](crate::category), and the functors that relate it to programs and Diff (H
//! Prop. 5, §6.2).
//!
//! | functor | |
//! |---|---|
//! | [`SemanticsFunctor`] | ⟦−⟧ : programs → Diff |
//! | [`InterpretationFunctor`] | ⦇−⦈ : programs → Gl_k |
//! | [`Plots`], [`Representations`] | the projections Gl_k → Diff |
//!
//! ⦇−⦈ followed by the first projection is ⟦−⟧, and followed by the second ⟦𝒟−⟧: diagram (4).

use super::claim::{CoordinateSpace, GlueError};
use super::equality::test_equal;
use super::evaluation;
use super::evaluation::{PlotPair, PlotScope, run_program};
use super::interpretation::{RepresentationMethod, second_component};
use super::lemma::{GluingSetup, draw_point, random_type};
use super::object::{GluingObject, PairSampler};
use super::representation;
use super::representation::{Representation, RepresentationFamily};
use super::trial::{BasisRange, TheoremSample, TheoremTest, VerdictWithValues};
use crate::category::opposite::RelabelEnds;
use crate::category::{Cartesian, CartesianClosed, Category, Cocartesian, Functor, Lists, ObjectName, Setoid, SumOf};
use crate::glue::object::PaperClauses;
use crate::law::category::DrawArrow;
use crate::law::generate::{either_type, tree_type};
use crate::law::term::pair_type;
use crate::meaning::diffeology::space::Diff;
use crate::meaning::taylor::functor::TypeTranslation;
use crate::meaning::taylor::jet::Basis;
use crate::number::Rational;
use crate::presheaf::dynamic;
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::random::SplitMix64;
use crate::simple::{ListOf, One, Plus, SimpleTypes, Terms, Times, To, Zero};
use crate::syntax::data::{DataType, is_uninhabited};
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;
use crate::verdict::Verdict;
use std::marker::PhantomData;
use std::sync::Arc;

/// A pair of maps X → Y and X′ → Y′ that should preserve S.
#[derive(Clone, Debug)]
pub struct GluingMorphism {
    /// The domain (X, X′, S).
    pub domain: GluingObject,
    /// The codomain (Y, Y′, T).
    pub codomain: GluingObject,
    /// The map X → Y.
    pub left: StageFunction,
    /// The map X′ → Y′.
    pub right: StageFunction,
}

impl GluingMorphism {
    /// Makes the pair of a map with itself, for constructions that are the same on both sides.
    fn same_on_both_sides(domain: &GluingObject, codomain: &GluingObject, map: StageFunction) -> Self {
        Self { domain: domain.clone(), codomain: codomain.clone(), left: map.clone(), right: map }
    }

    /// Applies the same construction to both maps of other morphisms.
    fn from_parts<const N: usize>(
        domain: &GluingObject,
        codomain: &GluingObject,
        parts: [&Self; N],
        make: fn([&StageFunction; N]) -> StageFunction,
    ) -> Self {
        let (left, right) = (make(parts.map(|part| &part.left)), make(parts.map(|part| &part.right)));
        Self { domain: domain.clone(), codomain: codomain.clone(), left, right }
    }

    /// Draws a random morphism.
    ///
    /// # Errors
    /// Those of the functions in scope.
    pub fn draw_morphism(
        domain: &GluingObject,
        codomain: &GluingObject,
        sampler: &mut PairSampler<'_>,
    ) -> Result<Self, ValueError> {
        let pair = sampler.draw_pair(&GluingObject::exponential(domain, codomain))?;
        let (left, right) = (pair.plot.as_function()?.clone(), pair.representation.as_function()?.clone());
        Ok(Self { domain: domain.clone(), codomain: codomain.clone(), left, right })
    }

    /// The identity.
    #[must_use]
    pub fn identity(object: &GluingObject) -> Self {
        Self::same_on_both_sides(object, object, dynamic::identity_arrow())
    }

    /// The composite g ∘ self.
    #[must_use]
    pub fn then(&self, g: &Self) -> Self {
        Self::from_parts(&self.domain, &g.codomain, [self, g], dynamic::compose_arrows)
    }

    /// The map ! : A → 1.
    #[must_use]
    pub fn terminal(object: &GluingObject) -> Self {
        Self::same_on_both_sides(object, &GluingObject::product(&[]), dynamic::terminal_arrow())
    }

    /// The pair ⟨self, g⟩ : A → B × C.
    #[must_use]
    pub fn pair(&self, g: &Self) -> Self {
        let codomain = GluingObject::product(&[self.codomain.clone(), g.codomain.clone()]);
        Self::from_parts(&self.domain, &codomain, [self, g], dynamic::pair_arrows)
    }

    /// The projection πᵢ : A₁ × A₂ → Aᵢ, with i counted from 0.
    #[must_use]
    pub fn projection(parts: &[GluingObject; 2], index: usize) -> Self {
        let index = index.min(1);
        Self::same_on_both_sides(&GluingObject::product(parts), &parts[index], dynamic::projection_arrow(index))
    }

    /// Returns A → (B → C), for self : A × B → C.
    #[must_use]
    pub fn curry(&self, [a, b]: &[GluingObject; 2]) -> Self {
        let codomain = GluingObject::exponential(b, &self.codomain);
        Self::from_parts(a, &codomain, [self], dynamic::curry_arrow)
    }

    /// The evaluation (A → B) × A → B.
    #[must_use]
    pub fn evaluation(a: &GluingObject, b: &GluingObject) -> Self {
        let domain = GluingObject::product(&[GluingObject::exponential(a, b), a.clone()]);
        Self::same_on_both_sides(&domain, b, dynamic::evaluation_arrow())
    }

    /// The injection inᵢ : Aᵢ → A₁ + A₂ into a sum.
    #[must_use]
    pub fn injection(part: &GluingObject, sum: &GluingObject, index: usize) -> Self {
        Self::same_on_both_sides(part, sum, dynamic::injection_arrow(index))
    }

    /// The copair [self, g] : A₁ + A₂ → B, from a sum.
    #[must_use]
    pub fn case(&self, g: &Self, sum: &GluingObject) -> Self {
        Self::from_parts(sum, &self.codomain, [self, g], dynamic::copair_arrows)
    }

    /// The map ? : 0 → A.
    #[must_use]
    pub fn initial(zero: &GluingObject, object: &GluingObject) -> Self {
        Self::same_on_both_sides(zero, object, dynamic::initial_arrow())
    }

    /// The empty list, 1 → List A.
    #[must_use]
    pub fn nil(element: &GluingObject) -> Self {
        Self::same_on_both_sides(&GluingObject::product(&[]), &GluingObject::list(element), dynamic::nil_arrow())
    }

    /// The constructor A × List A → List A.
    #[must_use]
    pub fn cons(element: &GluingObject) -> Self {
        let list = GluingObject::list(element);
        Self::same_on_both_sides(&GluingObject::product(&[element.clone(), list.clone()]), &list, dynamic::cons_arrow())
    }

    /// The fold List A → B, for self : A × B → B and a start 1 → B.
    #[must_use]
    pub fn fold(&self, start: &Self, element: &GluingObject) -> Self {
        Self::from_parts(&GluingObject::list(element), &self.codomain, [start, self], dynamic::fold_list)
    }

    /// The fold Tree A → B, for self : B × A × B → B and a start 1 → B.
    #[must_use]
    pub fn fold_tree(&self, start: &Self, tree: &GluingObject) -> Self {
        Self::from_parts(tree, &self.codomain, [start, self], dynamic::fold_tree)
    }

    /// Tests whether the pair maps a related pair of plots to a related one.
    ///
    /// # Errors
    /// [`GlueError`]: those of the relation.
    pub fn test_preserves(
        &self,
        stage: &CoordinateSpace,
        scopes: &(PlotScope, PlotScope),
        sampler: &mut PairSampler<'_>,
        point: &[Rational],
    ) -> Result<VerdictWithValues, GlueError> {
        // the argument varies over the stage, while the morphism was drawn in a global scope
        let (plots, representations) = scopes.clone();
        let mut sampler = PairSampler { plots, representations, random: sampler.random, size: sampler.size };
        let PlotPair { plot, representation } = sampler.draw_pair(&self.domain)?;
        let image = PlotPair { plot: self.left.apply(&plot)?, representation: self.right.apply(&representation)? };
        self.codomain.test_related(&image, stage, &mut sampler, point)
    }
}

/// The observation depth of functions in random arguments. A choice.
const DEPTH: usize = 2;

/// Tests that each of the morphisms maps a related pair to a related one.
fn test_preservation(
    setting: &GluingSetup,
    sample: &TheoremSample,
    make: impl FnOnce(&mut PairSampler<'_>) -> Result<Vec<GluingMorphism>, GlueError>,
) -> Result<VerdictWithValues, GlueError> {
    let mut random = SplitMix64::new(sample.seed);
    let point = draw_point(&mut random, sample.basis.directions());
    let stage = CoordinateSpace::near_point(&point);
    let representation = setting.representation_over(&sample.basis);
    // morphisms do not depend on the stage, but their arguments do
    let (plots, representations) =
        PlotScope::represented_globally(&representation, &sample.basis, &mut random, sample.size)?;
    let scopes = PlotScope::represented_over(&representation, &stage, &sample.basis, &mut random, sample.size)?;
    let mut sampler = PairSampler { plots, representations, random: &mut random, size: DEPTH };
    let mut all = VerdictWithValues::from(Verdict::Vacuous);
    for morphism in make(&mut sampler)? {
        all = all.and(morphism.test_preserves(&stage, &scopes, &mut sampler, &point)?);
    }
    Ok(all)
}

/// Proposition 5 (H): identities, composites, pairs, projections, currying, evaluation, injections, case and fold
/// preserve S. So do the constructors of trees, and folds over trees.
#[must_use]
pub fn structure(setting: GluingSetup) -> TheoremTest<'static> {
    let range = setting.range_or(BasisRange::UpTo(2, 2));
    let judge = move |sample: &TheoremSample| setting.catch_panic(|| structure_at(&setting, sample));
    TheoremTest { range, draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Tests Proposition 5 at a sample.
fn structure_at(setting: &GluingSetup, sample: &TheoremSample) -> Result<VerdictWithValues, GlueError> {
    // a stream of its own: `test_preservation` starts another one at the same seed
    let mut random = SplitMix64::new(sample.seed ^ 2);
    let types = [(); 3].map(|()| random_type(&mut random, 1));
    let object = |ty: &Ty| setting.object_of_type(ty, &sample.basis);
    let (a, b, c) = (object(&types[0])?, object(&types[1])?, object(&types[2])?);
    let sum = object(&either_type(types[0].clone(), types[1].clone()))?;
    let trees = object(&tree_type(types[0].clone()))?;
    let (none, node) = (GluingObject::product(&[]), GluingObject::product(&[trees.clone(), a.clone(), trees.clone()]));
    test_preservation(setting, sample, |sampler| {
        let product = [a.clone(), b.clone()];
        let f = GluingMorphism::draw_morphism(&a, &b, sampler)?;
        let g = GluingMorphism::draw_morphism(&b, &c, sampler)?;
        let h = GluingMorphism::draw_morphism(&GluingObject::product(&product), &c, sampler)?;
        let k = GluingMorphism::draw_morphism(&a, &c, sampler)?;
        let step = GluingMorphism::draw_morphism(&GluingObject::product(&[a.clone(), c.clone()]), &c, sampler)?;
        let start = GluingMorphism::draw_morphism(&none, &c, sampler)?;
        let at_nodes =
            GluingMorphism::draw_morphism(&GluingObject::product(&[c.clone(), a.clone(), c.clone()]), &c, sampler)?;
        Ok(vec![
            GluingMorphism::identity(&a),
            f.then(&g),
            f.pair(&k),
            GluingMorphism::projection(&product, 0),
            GluingMorphism::projection(&product, 1),
            h.curry(&product),
            GluingMorphism::evaluation(&a, &b),
            GluingMorphism::injection(&a, &sum, 0),
            GluingMorphism::injection(&b, &sum, 1),
            k.case(&g, &sum),
            step.fold(&start, &a),
            GluingMorphism::injection(&none, &trees, 0),
            GluingMorphism::injection(&node, &trees, 1),
            at_nodes.fold_tree(&start, &trees),
        ])
    })
}

/// A pair of maps that does not preserve S: the second map is constant, whatever the first one does. The law must
/// refute it.
#[must_use]
pub fn non_preserving_pair(setting: GluingSetup) -> TheoremTest<'static> {
    let range = setting.range_or(BasisRange::UpTo(2, 2));
    let judge = move |sample: &TheoremSample| {
        let real = setting.object_of_type(&Ty::real(), &sample.basis)?;
        test_preservation(&setting, sample, |sampler| {
            let f = GluingMorphism::draw_morphism(&real, &real, sampler)?;
            let constant = sampler.representations.constant_value(&1.into())?;
            Ok(vec![GluingMorphism { right: StageFunction::new(move |_: &Element| Ok(constant.clone())), ..f }])
        })
    };
    TheoremTest { range, draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Tests that an operation with its Taylor representation is a morphism (H §6.2, (3)).
#[must_use]
pub fn operations_are_morphisms(setting: GluingSetup) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        vec![evaluation::draw_program(random, &Ty::function(pair_type(Ty::real(), Ty::real()), Ty::real()), 4)]
    };
    let judge = move |sample: &TheoremSample| {
        let core = evaluation::core_term(&sample.terms[0])?;
        let object = |ty: &Ty| setting.object_of_type(ty, &sample.basis);
        let (domain, codomain) = (object(&pair_type(Ty::real(), Ty::real()))?, object(&Ty::real())?);
        let left = evaluation::run_program(&core)?.as_function()?.clone();
        let right = second_component(&core, &sample.basis, RepresentationMethod::Definition)?.as_function()?.clone();
        test_preservation(&setting, sample, |_| Ok(vec![GluingMorphism { domain, codomain, left, right }]))
    };
    TheoremTest { range: BasisRange::UpTo(2, 2), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Tests that the projection Gl_k → Diff × Diff is strict (H Prop. 5). The spaces of ⦇τ⦈ are ⟦τ⟧ and ⟦𝒟τ⟧. Both maps of
/// a composite are the composites of the maps.
#[must_use]
pub fn projection_is_strict(setting: GluingSetup) -> TheoremTest<'static> {
    let judge = move |sample: &TheoremSample| {
        let mut random = SplitMix64::new(sample.seed);
        let ty = random_type(&mut random, 3);
        let object = setting.object_of_type(&ty, &sample.basis)?;
        let expected = [ty.to_string(), TypeTranslation::new(sample.basis.len()).translate_type(&ty).to_string()];
        let found = [object.left().to_string(), object.right().to_string()];
        if expected != found {
            return Ok(Verdict::refuted("the spaces of an object", found.join(" and "), expected.join(" and ")).into());
        }
        let real = setting.object_of_type(&Ty::real(), &sample.basis)?;
        let (plots, representations) = PlotScope::without_coordinates(&sample.basis, &mut random, sample.size)?;
        let mut sampler = PairSampler { plots, representations, random: &mut random, size: DEPTH };
        let (f, g) = (
            GluingMorphism::draw_morphism(&real, &object, &mut sampler)?,
            GluingMorphism::draw_morphism(&object, &real, &mut sampler)?,
        );
        let composite = f.then(&g);
        let any = |ty: &Ty, random: &mut SplitMix64| {
            evaluation::run_program(&evaluation::core_term(&evaluation::draw_smooth_program(random, ty, 2))?)
        };
        let (x, jet) = (any(real.left(), &mut random)?, any(real.right(), &mut random)?);
        let left =
            test_equal(real.left(), &composite.left.apply(&x)?, &g.left.apply(&f.left.apply(&x)?)?, &mut random)?;
        let through = g.right.apply(&f.right.apply(&jet)?)?;
        Ok(left.both(test_equal(real.right(), &composite.right.apply(&jet)?, &through, &mut random)?))
    };
    TheoremTest { range: BasisRange::UpTo(2, 2), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// A representation of numbers that a type names, for the category of relations that it gives.
pub trait RepresentationName: 'static {
    /// Returns the k and R of the stages.
    fn basis() -> Arc<Basis>;
    /// Returns the representation.
    fn representation() -> Arc<dyn Representation>;
    /// Returns the second component of ⦇t⦈, for a closed program t of a type. The default is the meaning of the derived program.
    ///
    /// # Errors
    /// [`GlueError::Macro`] if the macro has no rule for the program; [`GlueError::Element`].
    fn second_component(term: &Term, ty: &Ty) -> Result<Element, GlueError> {
        evaluation::run_derived(&evaluation::derive_by_rules(&Self::representation(), term, ty)?)
    }
}

/// The jets of order R in k directions, with k from 1 to 3 and R from 1 to 4.
///
/// ```compile_fail,E0080
/// use smoothish_laws::category::{Category, simple::RealLine};
/// use smoothish_laws::glue::morphism::{GluingCategory, JetsOf};
/// GluingCategory::<JetsOf<0, 2>>::identity::<RealLine>();
/// ```
#[derive(Clone, Copy, Debug)]
pub enum JetsOf<const K: usize, const R: usize> {}

impl<const K: usize, const R: usize> RepresentationName for JetsOf<K, R> {
    fn basis() -> Arc<Basis> {
        // the bound keeps jets short: Basis::new cannot fail for these k and R
        const { assert!(1 <= K && K <= 3 && 1 <= R && R <= 4, "k is 1 to 3, and R is 1 to 4") }
        match Basis::new(K, R) {
            Ok(basis) => Arc::new(basis),
            Err(error) => unreachable!("so many coordinates are few: {error}"),
        }
    }
    fn representation() -> Arc<dyn Representation> {
        representation::jets_over(&Self::basis())
    }
    fn second_component(term: &Term, _: &Ty) -> Result<Element, GlueError> {
        second_component(term, &Self::basis(), RepresentationMethod::Definition)
    }
}

/// Gl_k, with the relation of a representation at real numbers.
#[derive(Debug)]
#[doc(alias("Gl_k", "gluing", "glueing", "subscone"))]
pub struct GluingCategory<P>(PhantomData<fn() -> P>);

/// Returns the object that a type names.
fn object_of<C: Category<Object = GluingObject>, A: ObjectName<C>>() -> GluingObject {
    A::object()
}

impl<P: RepresentationName> SimpleTypes for GluingCategory<P> {
    fn real_object() -> GluingObject {
        GluingObject::real_of(&PaperClauses, &P::representation())
    }
    fn terminal_object() -> GluingObject {
        GluingObject::product(&[])
    }
    fn initial_object() -> GluingObject {
        let zero = Ty::new(TyKind::Data(DataType::sum(0), Vec::new()));
        GluingObject::sum(&PaperClauses, zero.clone(), zero, &[], Vec::new())
    }
    fn product_object(a: GluingObject, b: GluingObject) -> GluingObject {
        GluingObject::product(&[a, b])
    }
    fn sum_object(a: GluingObject, b: GluingObject) -> GluingObject {
        let side = |of: fn(&GluingObject) -> &Ty| {
            Ty::new(TyKind::Data(DataType::sum(2), vec![of(&a).clone(), of(&b).clone()]))
        };
        let names = DataType::sum(2).constructors().map(|constructor| constructor.name().to_string()).collect();
        GluingObject::sum(
            &PaperClauses,
            side(GluingObject::left),
            side(GluingObject::right),
            &[a.clone(), b.clone()],
            names,
        )
    }
    fn exponential_object(a: GluingObject, b: GluingObject) -> GluingObject {
        GluingObject::exponential(&a, &b)
    }
    fn list_object(a: GluingObject) -> GluingObject {
        GluingObject::list(&a)
    }
}

impl<P: RepresentationName> Category for GluingCategory<P> {
    type Object = GluingObject;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = GluingMorphism;

    fn identity<A: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::identity(&object_of::<Self, A>())
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(
        f: &GluingMorphism,
        g: &GluingMorphism,
    ) -> GluingMorphism {
        f.then(g)
    }
}

impl<P: RepresentationName> Cartesian for GluingCategory<P> {
    type Terminal = One;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = Times<A, B>;

    fn terminal<A: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::terminal(&object_of::<Self, A>())
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &GluingMorphism,
        g: &GluingMorphism,
    ) -> GluingMorphism {
        f.pair(g)
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::projection(&[object_of::<Self, A>(), object_of::<Self, B>()], 0)
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::projection(&[object_of::<Self, A>(), object_of::<Self, B>()], 1)
    }
}

impl<P: RepresentationName> CartesianClosed for GluingCategory<P> {
    type Exponential<A: ObjectName<Self>, B: ObjectName<Self>> = To<A, B>;

    fn curry<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(f: &GluingMorphism) -> GluingMorphism {
        f.curry(&[object_of::<Self, X>(), object_of::<Self, A>()])
    }

    fn apply<A: ObjectName<Self>, B: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::evaluation(&object_of::<Self, A>(), &object_of::<Self, B>())
    }
}

impl<P: RepresentationName> Cocartesian for GluingCategory<P> {
    type Initial = Zero;

    fn initial<A: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::initial(&object_of::<Self, Zero>(), &object_of::<Self, A>())
    }

    type Sum<A: ObjectName<Self>, B: ObjectName<Self>> = Plus<A, B>;

    fn left<A: ObjectName<Self>, B: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::injection(&object_of::<Self, A>(), &object_of::<Self, SumOf<Self, A, B>>(), 0)
    }

    fn right<A: ObjectName<Self>, B: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::injection(&object_of::<Self, B>(), &object_of::<Self, SumOf<Self, A, B>>(), 1)
    }

    fn case<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>>(
        f: &GluingMorphism,
        g: &GluingMorphism,
    ) -> GluingMorphism {
        f.case(g, &object_of::<Self, SumOf<Self, A, B>>())
    }
}

impl<P: RepresentationName> Lists for GluingCategory<P> {
    type List<A: ObjectName<Self>> = ListOf<A>;

    fn nil<A: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::nil(&object_of::<Self, A>())
    }

    fn cons<A: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::cons(&object_of::<Self, A>())
    }

    fn fold<A: ObjectName<Self>, B: ObjectName<Self>>(start: &GluingMorphism, step: &GluingMorphism) -> GluingMorphism {
        step.fold(start, &object_of::<Self, A>())
    }
}

impl<P: RepresentationName> RelabelEnds for GluingCategory<P> {
    fn relabel_ends<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>, Y: ObjectName<Self>>(
        f: &GluingMorphism,
    ) -> GluingMorphism {
        f.clone()
    }
}

/// Equality is tested at arguments that are drawn from this seed.
impl<P: RepresentationName> Setoid for GluingCategory<P> {
    type Trial = u64;
    type Error = GlueError;

    /// Both maps are equal.
    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &GluingMorphism,
        right: &GluingMorphism,
        seed: &u64,
    ) -> Result<Verdict, GlueError> {
        let (a, b) = (object_of::<Self, A>(), object_of::<Self, B>());
        // there is one function on the empty set; no argument can be drawn to test it
        if is_uninhabited(a.left()) && is_uninhabited(a.right()) {
            return Ok(Verdict::Survived);
        }
        let side = |of: fn(&GluingObject) -> &Ty, f: &StageFunction, g: &StageFunction| {
            let ty = Ty::function(of(&a).clone(), of(&b).clone());
            test_equal(&ty, &Element::Function(f.clone()), &Element::Function(g.clone()), &mut SplitMix64::new(*seed))
        };
        let plots = side(GluingObject::left, &left.left, &right.left)?;
        Ok(plots.both(side(GluingObject::right, &left.right, &right.right)?).verdict)
    }
}

/// The size of the functions that random morphisms are made from, in operations. A choice.
const SIZE: usize = 4;

impl<P: RepresentationName> DrawArrow for GluingCategory<P> {
    fn draw_hom<A: ObjectName<Self>, B: ObjectName<Self>>(random: &mut SplitMix64) -> GluingMorphism {
        let (a, b) = (object_of::<Self, A>(), object_of::<Self, B>());
        let drawn = PlotScope::represented_globally(&P::representation(), &P::basis(), random, SIZE).and_then(
            |(plots, representations)| {
                let mut sampler = PairSampler { plots, representations, random, size: 2 };
                Ok(GluingMorphism::draw_morphism(&a, &b, &mut sampler)?)
            },
        );
        // where nothing can be drawn the maps have no value, so that every law is vacuous
        drawn.unwrap_or_else(|_| GluingMorphism {
            domain: a,
            codomain: b,
            left: StageFunction::placeholder(),
            right: StageFunction::placeholder(),
        })
    }
}

/// The object of Diff that a type of programs denotes.
#[derive(Debug)]
pub struct DenotedType<A>(PhantomData<fn() -> A>);

impl<A: ObjectName<Terms>> ObjectName<Diff> for DenotedType<A> {
    fn object() -> Ty {
        A::object()
    }
}

/// Evaluates a program to a function. An error is deferred: the function is then undefined at every argument.
fn run_deferred(term: &Term, of: impl FnOnce(&Term) -> Result<Element, GlueError>) -> StageFunction {
    let found = of(term);
    StageFunction::new(move |x: &Element| match &found {
        Ok(function) => function.as_function()?.apply(x),
        Err(_) => StageFunction::placeholder().apply(x),
    })
}

/// The functor ⟦−⟧ : programs → Diff.
#[derive(Clone, Copy, Debug)]
pub enum SemanticsFunctor {}

impl Functor for SemanticsFunctor {
    type From = Terms;
    type To = Diff;
    type On<A: ObjectName<Terms>> = DenotedType<A>;

    fn map<A: ObjectName<Terms>, B: ObjectName<Terms>>(f: &Term) -> StageFunction {
        run_deferred(f, run_program)
    }
}

/// ⦇τ⦈, for an object of programs made of the type formers of Gl_k. Panics for tangents, which have no object here.
#[derive(Debug)]
pub struct InterpretedType<P, A>(PhantomData<fn() -> (P, A)>);

impl<P: RepresentationName, A: ObjectName<Terms>> ObjectName<GluingCategory<P>> for InterpretedType<P, A> {
    fn object() -> GluingObject {
        let ty = A::object();
        let family = RepresentationFamily::depending_on_basis(BasisRange::UpTo(1, 1), |_| P::representation());
        match GluingSetup::of_representation(family).object_of_type(&ty, &P::basis()) {
            Ok(object) => object,
            Err(error) => unreachable!("simple types have objects: {error}"),
        }
    }
}

/// The functor ⦇−⦈ : programs → Gl_k.
#[derive(Debug)]
pub struct InterpretationFunctor<P>(PhantomData<fn() -> P>);

impl<P: RepresentationName> Functor for InterpretationFunctor<P> {
    type From = Terms;
    type To = GluingCategory<P>;
    type On<A: ObjectName<Terms>> = InterpretedType<P, A>;

    fn map<A: ObjectName<Terms>, B: ObjectName<Terms>>(f: &Term) -> GluingMorphism {
        let (domain, codomain) = (InterpretedType::<P, A>::object(), InterpretedType::<P, B>::object());
        let ty = Ty::function(A::object(), B::object());
        let left = run_deferred(f, run_program);
        let right = run_deferred(f, |term| P::second_component(term, &ty));
        GluingMorphism { domain, codomain, left, right }
    }
}

/// Defines, for each side of objects, its space and the projection functor to it.
macro_rules! sides {
    ($(#[doc = $of:literal] $side:ident $field:ident, #[doc = $to:literal] $projection:ident;)*) => {
        $(
            #[doc = $of]
            #[derive(Debug)]
            pub struct $side<P, A>(PhantomData<fn() -> (P, A)>);

            impl<P: RepresentationName, A: ObjectName<GluingCategory<P>>> ObjectName<Diff> for $side<P, A> {
                fn object() -> Ty {
                    A::object().$field().clone()
                }
            }

            #[doc = $to]
            #[derive(Debug)]
            pub struct $projection<P>(PhantomData<fn() -> P>);

            impl<P: RepresentationName> Functor for $projection<P> {
                type From = GluingCategory<P>;
                type To = Diff;
                type On<A: ObjectName<GluingCategory<P>>> = $side<P, A>;

                fn map<A: ObjectName<GluingCategory<P>>, B: ObjectName<GluingCategory<P>>>(f: &GluingMorphism) -> StageFunction {
                    f.$field.clone()
                }
            }
        )*
    };
}

sides! {
    #[doc = "X, of an object (X, X′, S)."] Left left, #[doc = "The projection to plots."] Plots;
    #[doc = "X′, of an object (X, X′, S)."] Right right, #[doc = "The projection to representations."] Representations;
}
