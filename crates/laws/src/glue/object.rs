//! Objects of Gl_k: two spaces and a relation S between their plots (H Thm 3, §6.2).
//!
//! A [`GluingObject`] is (⟦τ⟧, ⟦𝒟τ⟧, S). S itself is infinite. A [`PlotRelation`] represents it by two algorithms: one refutes
//! pairs of plots, the other makes pairs in S. Both follow the construction of the object. A pair that is made serves
//! as an argument where S quantifies over all related pairs. So it must be in S: see
//! [`lemma::related_pairs`](super::lemma::related_pairs).
//!
//! The second algorithm is what makes S at a function type a test: "for all related arguments" needs related
//! arguments. Such a pair is a random smooth function of the numbers in scope, with its representation by definition where there
//! is one, and else by its [derived program](super::representation). Each side is made from the same random numbers and without
//! the other one.
//!
//! A relation that is too small fails on the operations. One that is too large lets everything pass;
//! [`pinned`](super::lemma) tests that S determines the second plot.
//!
//! # The structure of Gl_k
//!
//! Reals, products, sums, lists and exponentials of objects (H Prop. 5).
//!
//! | object | S relates |
//! |---|---|
//! | ⦇real⦈ | f and (∂^α f)_α, for f : ℝᵏ → ℝ smooth; or what another representation [claims](super::representation::Representation::claims) |
//! | A₁ × … × Aₙ | tuples whose components are related |
//! | A₁ + … + Aₙ | plots into the same summand that are related there: ℝᵏ is connected |
//! | List A | lists of one length whose elements are related |
//! | a type that occurs in itself | values of one shape whose parts are related, [`inductive`](super::object) |
//! | A → B | f₁ and f₂ such that `x ↦ f₁(x)(g₁(x))` and `x ↦ f₂(x)(g₂(x))` are related for all related g₁ and g₂ |
//! | ℕ, 𝔅 | a constant and itself |
//!
//! The spaces are those of Diff on both sides: the projection to Diff × Diff preserves this structure strictly.
//!
//! # Recursive types in Gl_k
//!
//! Initial algebras, like lists (H §5.1, Prop. 5).
//!
//! S relates plots of the same shape whose parts are related: ℝᵏ is connected, and shapes are discrete. It is the least
//! relation that contains the results of each constructor at related parts. Inside its own object, a recursive type is
//! a `RecursiveOccurrence`, which is unfolded lazily. The unfolding ends because values are finite.
//!
//! # The clauses of S
//!
//! The clauses of S, one for each type former. Each can be replaced, to test that its absence is refuted (H Thm 3).

use super::claim::{ClaimSet, CoordinateSpace, DerivativeClaim, GlueError, PlotClaim};
use super::evaluation::{PlotPair, PlotScope};
use super::representation;
use super::representation::Representation;
use super::trial::VerdictWithValues;
use crate::meaning::taylor::jet::Basis;
use crate::number::Rational;
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::syntax::data::{HeightCache, least_constructor};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{SharedBox, SharedList, TruthType, ValueError};
use std::fmt;
use std::fmt::Debug;
use std::sync::{Arc, OnceLock};

/// The relation S of an object.
pub trait PlotRelation: Send + Sync {
    /// Collects the claims on numbers that hold if the two plots are related.
    ///
    /// # Errors
    /// [`GlueError::Element`] if the plots are of other types.
    fn collect_claims(
        &self,
        pair: &PlotPair,
        path: &str,
        sampler: &mut PairSampler<'_>,
        into: &mut ClaimSet,
    ) -> Result<(), GlueError>;

    /// Makes one side of a related pair from the scope. The same random numbers give both sides.
    ///
    /// # Errors
    /// Those of the functions in scope.
    fn draw_side(&self, scope: &PlotScope, random: &mut SplitMix64, size: usize) -> Result<Element, ValueError>;

    /// Makes a value with as few parts as possible.
    ///
    /// # Errors
    /// Those of the functions in scope.
    fn draw_least(&self, scope: &PlotScope, random: &mut SplitMix64) -> Result<Element, ValueError> {
        self.draw_side(scope, random, 0)
    }

    /// Collects numbers that a value determines; on the right side, jets. The numbers of related values are related
    /// pairwise.
    ///
    /// # Errors
    /// Those of the functions in scope.
    fn observe_numbers(
        &self,
        value: &Element,
        scope: &PlotScope,
        random: &mut SplitMix64,
        depth: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError>;
}

/// The generator of arguments, with which S is tested.
#[derive(Debug)]
pub struct PairSampler<'r> {
    /// The scope of the plots.
    pub plots: PlotScope,
    /// The scope of their representations.
    pub representations: PlotScope,
    /// The random numbers.
    pub random: &'r mut SplitMix64,
    /// The size of arguments.
    pub size: usize,
}

impl PairSampler<'_> {
    /// Makes a related pair.
    ///
    /// # Errors
    /// Those of the functions in scope.
    pub fn draw_pair(&mut self, object: &GluingObject) -> Result<PlotPair, ValueError> {
        // one seed for both sides: all choices must be the same
        let seed = self.random.next();
        let one = |scope: &PlotScope| object.relation.draw_side(scope, &mut SplitMix64::new(seed), self.size);
        Ok(PlotPair { plot: one(&self.plots)?, representation: one(&self.representations)? })
    }
}

/// An object of Gl_k. Cheap to clone.
#[derive(Clone)]
#[doc(alias("S_τ", "logical relation", "logical relations"))]
pub struct GluingObject {
    left: Ty,
    right: Ty,
    pub(super) relation: Arc<dyn PlotRelation>,
}

impl GluingObject {
    /// Makes the object of two spaces, given by their types, and a relation.
    pub fn new(left: Ty, right: Ty, relation: impl PlotRelation + 'static) -> Self {
        Self { left, right, relation: Arc::new(relation) }
    }

    /// Returns the type that denotes X.
    #[must_use]
    pub fn left(&self) -> &Ty {
        &self.left
    }

    /// Returns the type that denotes X′.
    #[must_use]
    pub fn right(&self) -> &Ty {
        &self.right
    }

    /// Collects numbers that a value determines, as [`PlotRelation::observe_numbers`].
    pub(super) fn observe_numbers(
        &self,
        value: &Element,
        scope: &PlotScope,
        random: &mut SplitMix64,
        depth: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError> {
        self.relation.observe_numbers(value, scope, random, depth, into)
    }

    /// Tests whether two plots over a stage are related, at a point and with random arguments.
    ///
    /// # Errors
    /// [`GlueError`]: those of the relation and of its claims.
    pub fn test_related(
        &self,
        pair: &PlotPair,
        stage: &CoordinateSpace,
        sampler: &mut PairSampler<'_>,
        point: &[Rational],
    ) -> Result<VerdictWithValues, GlueError> {
        let mut claims = ClaimSet::default();
        self.relation.collect_claims(pair, "the result", sampler, &mut claims)?;
        let basis: Arc<Basis> = sampler.plots.basis().clone();
        claims.test_at(stage, &basis, point)
    }
}

impl fmt::Debug for GluingObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, S)", self.left, self.right)
    }
}

/// The longest random list. A choice.
const LONGEST: usize = 3;
/// The probability that a value in scope is used as it is, in percent. A choice.
const REUSED: usize = 25;

/// The clauses of the relation.
type Clauses = &'static dyn RelationClauses;

/// S at real numbers, by a representation.
struct RealRelation {
    representation: Arc<dyn Representation>,
    clauses: Clauses,
}

impl PlotRelation for RealRelation {
    fn collect_claims(
        &self,
        pair: &PlotPair,
        path: &str,
        sampler: &mut PairSampler<'_>,
        into: &mut ClaimSet,
    ) -> Result<(), GlueError> {
        let plot = pair.plot.as_real()?.clone();
        let claims = self.representation.claims(&plot, &pair.representation, sampler.plots.stage())?;
        let mut claims_slopes = false;
        for claim in claims {
            match claim {
                PlotClaim::Jet(claim) => {
                    claims_slopes = true;
                    let claim = DerivativeClaim { path: path.to_owned(), ..claim };
                    self.clauses.real_claims(claim, &sampler.plots).into_iter().for_each(|claim| into.push(claim));
                }
                claim => into.push_claim(path, claim),
            }
        }
        if !claims_slopes {
            into.observe_plot(plot);
        }
        Ok(())
    }
    fn draw_side(&self, scope: &PlotScope, random: &mut SplitMix64, size: usize) -> Result<Element, ValueError> {
        match scope.find_value(&Ty::real(), random).filter(|_| random.random_bool(REUSED)) {
            Some(found) => Ok(found),
            None => scope.draw_number(random, size),
        }
    }
    fn observe_numbers(
        &self,
        value: &Element,
        _: &PlotScope,
        _: &mut SplitMix64,
        _: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError> {
        into.push(value.clone());
        Ok(())
    }
}

/// S at natural numbers and truth values.
struct DiscreteRelation(Ty, Clauses);

impl PlotRelation for DiscreteRelation {
    fn collect_claims(
        &self,
        pair: &PlotPair,
        path: &str,
        _: &mut PairSampler<'_>,
        into: &mut ClaimSet,
    ) -> Result<(), GlueError> {
        if !self.1.relates_constants() {
            return Ok(());
        }
        if let TyKind::Bool = self.0.kind() {
            let (left, right) = (pair.plot.as_boolean()?, pair.representation.as_boolean()?);
            if left.decided_value() != right.decided_value() {
                into.record_difference(path, left, right);
            }
            return Ok(());
        }
        let (left, right) = (pair.plot.as_natural()?, pair.representation.as_natural()?);
        if left != right {
            into.record_difference(path, left, right);
        }
        Ok(())
    }
    fn draw_side(&self, _: &PlotScope, random: &mut SplitMix64, _: usize) -> Result<Element, ValueError> {
        Ok(match self.0.kind() {
            TyKind::Bool => Element::from_bool(random.random_bool(50)),
            _ => Element::Natural(random.next_below(4) as u64),
        })
    }
    fn observe_numbers(
        &self,
        value: &Element,
        scope: &PlotScope,
        _: &mut SplitMix64,
        _: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError> {
        if let Element::Natural(n) = value {
            into.push(scope.constant_value(&Rational::from(*n))?);
        }
        Ok(())
    }
}

/// S at tuples.
struct ProductRelation(Vec<GluingObject>, Clauses);

/// Returns the components of a tuple; the unit has none.
fn tuple_components(tuple: &Element) -> Result<&[Element], ValueError> {
    if matches!(tuple, Element::Unit) { Ok(&[]) } else { tuple.as_tuple() }
}

impl PlotRelation for ProductRelation {
    fn collect_claims(
        &self,
        pair: &PlotPair,
        path: &str,
        sampler: &mut PairSampler<'_>,
        into: &mut ClaimSet,
    ) -> Result<(), GlueError> {
        let (left, right) = (tuple_components(&pair.plot)?, tuple_components(&pair.representation)?);
        let counts = self.1.related_components(self.0.len());
        for (index, (object, (plot, representation))) in
            self.0.iter().zip(left.iter().zip(right)).enumerate().take(counts)
        {
            let part = PlotPair { plot: plot.clone(), representation: representation.clone() };
            object.relation.collect_claims(&part, &format!("{path}[{index}]"), sampler, into)?;
        }
        Ok(())
    }
    fn draw_side(&self, scope: &PlotScope, random: &mut SplitMix64, size: usize) -> Result<Element, ValueError> {
        if self.0.is_empty() {
            return Ok(Element::Unit);
        }
        let parts: Result<Vec<_>, _> =
            self.0.iter().map(|object| object.relation.draw_side(scope, random, size)).collect();
        Ok(Element::tuple_of(parts?))
    }
    fn draw_least(&self, scope: &PlotScope, random: &mut SplitMix64) -> Result<Element, ValueError> {
        if self.0.is_empty() {
            return Ok(Element::Unit);
        }
        let parts: Result<Vec<_>, _> = self.0.iter().map(|object| object.relation.draw_least(scope, random)).collect();
        Ok(Element::tuple_of(parts?))
    }
    // every component is observed, since each may determine numbers
    fn observe_numbers(
        &self,
        value: &Element,
        scope: &PlotScope,
        random: &mut SplitMix64,
        depth: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError> {
        let parts = self.0.iter().zip(tuple_components(value)?);
        for (object, part) in parts {
            object.observe_numbers(part, scope, random, depth, into)?;
        }
        Ok(())
    }
}

/// S at data types other than lists.
struct SumRelation {
    ty: Ty,
    summands: Vec<GluingObject>,
    names: Vec<String>,
    /// The summand whose values are least in height.
    least: usize,
    clauses: Clauses,
}

impl PlotRelation for SumRelation {
    fn collect_claims(
        &self,
        pair: &PlotPair,
        path: &str,
        sampler: &mut PairSampler<'_>,
        into: &mut ClaimSet,
    ) -> Result<(), GlueError> {
        let ((i, left), (j, right)) = (pair.plot.as_variant()?, pair.representation.as_variant()?);
        if i != j {
            if self.clauses.compares_labels() {
                into.record_difference(path, &self.names[i], &self.names[j]);
            }
            return Ok(());
        }
        if !self.clauses.relates_summands() {
            return Ok(());
        }
        let part = PlotPair { plot: left.clone(), representation: right.clone() };
        self.summands[i].relation.collect_claims(&part, &format!("{} of {path}", self.names[i]), sampler, into)
    }
    fn draw_side(&self, scope: &PlotScope, random: &mut SplitMix64, size: usize) -> Result<Element, ValueError> {
        if let Some(found) = scope.find_value(&self.ty, random).filter(|_| random.random_bool(REUSED)) {
            return Ok(found);
        }
        // mostly a summand with content: the unit has nothing to relate
        let full: Vec<usize> = (0..self.summands.len()).filter(|i| !self.summands[*i].is_terminal()).collect();
        let index = if full.is_empty() || random.random_bool(25) {
            random.next_below(self.summands.len())
        } else {
            *random.pick(&full)
        };
        Ok(Element::Variant(index, SharedBox::new(self.summands[index].relation.draw_side(scope, random, size)?)))
    }
    fn draw_least(&self, scope: &PlotScope, random: &mut SplitMix64) -> Result<Element, ValueError> {
        Ok(Element::Variant(self.least, SharedBox::new(self.summands[self.least].relation.draw_least(scope, random)?)))
    }
    fn observe_numbers(
        &self,
        value: &Element,
        scope: &PlotScope,
        random: &mut SplitMix64,
        depth: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError> {
        let (index, argument) = value.as_variant()?;
        self.summands[index].observe_numbers(argument, scope, random, depth, into)
    }
}

/// S at lists.
struct ListRelation(GluingObject, Clauses);

impl PlotRelation for ListRelation {
    fn collect_claims(
        &self,
        pair: &PlotPair,
        path: &str,
        sampler: &mut PairSampler<'_>,
        into: &mut ClaimSet,
    ) -> Result<(), GlueError> {
        let left: Vec<_> = pair.plot.as_list()?.iter().collect();
        let right: Vec<_> = pair.representation.as_list()?.iter().collect();
        let Some(counts) = self.1.related_elements(left.len(), right.len()) else {
            into.record_difference(path, format!("{} elements", left.len()), right.len());
            return Ok(());
        };
        for (index, (plot, representation)) in left.into_iter().zip(right).enumerate().take(counts) {
            let part = PlotPair { plot: plot.clone(), representation: representation.clone() };
            self.0.relation.collect_claims(&part, &format!("element {index} of {path}"), sampler, into)?;
        }
        Ok(())
    }
    fn draw_side(&self, scope: &PlotScope, random: &mut SplitMix64, size: usize) -> Result<Element, ValueError> {
        let ty = Ty::list(self.0.left().clone());
        if let Some(found) = scope.find_value(&ty, random).filter(|_| random.random_bool(REUSED)) {
            return Ok(found);
        }
        // the empty list relates nothing, so it is rare
        let length = if random.random_bool(10) { 0 } else { 1 + random.next_below(LONGEST) };
        let elements: Result<Vec<_>, _> = (0..length).map(|_| self.0.relation.draw_side(scope, random, size)).collect();
        Ok(Element::List(elements?.into_iter().collect::<SharedList<_>>()))
    }
    fn draw_least(&self, _: &PlotScope, _: &mut SplitMix64) -> Result<Element, ValueError> {
        Ok(Element::List(SharedList::default()))
    }
    fn observe_numbers(
        &self,
        value: &Element,
        scope: &PlotScope,
        random: &mut SplitMix64,
        depth: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError> {
        value.as_list()?.iter().try_for_each(|element| self.0.observe_numbers(element, scope, random, depth, into))
    }
}

/// S at functions.
struct ExponentialRelation {
    domain: GluingObject,
    codomain: GluingObject,
    clauses: Clauses,
}

impl PlotRelation for ExponentialRelation {
    fn collect_claims(
        &self,
        pair: &PlotPair,
        path: &str,
        sampler: &mut PairSampler<'_>,
        into: &mut ClaimSet,
    ) -> Result<(), GlueError> {
        for _ in 0..self.clauses.argument_count() {
            // a drawn argument that is not known to be related enters the claims as a premise
            let argument = self.clauses.draw_argument(&self.domain, sampler)?;
            if !self.clauses.relates_drawn_pairs() {
                let of = format!("an argument of {path}");
                self.domain.relation.collect_claims(&argument, &of, sampler, into.premises_mut())?;
            }
            let plot = pair.plot.as_function()?.apply(&argument.plot)?;
            let representation = pair.representation.as_function()?.apply(&argument.representation)?;
            let applied = format!("{path} applied");
            self.codomain.relation.collect_claims(&PlotPair { plot, representation }, &applied, sampler, into)?;
        }
        Ok(())
    }
    fn draw_side(&self, scope: &PlotScope, random: &mut SplitMix64, size: usize) -> Result<Element, ValueError> {
        let ty = Ty::function(self.domain.left().clone(), self.codomain.left().clone());
        if let Some(found) = scope.find_value(&ty, random).filter(|_| random.random_bool(REUSED)) {
            return Ok(found);
        }
        // the result depends on the argument and this seed alone, so that the function is a function
        let seed = random.next();
        let (scope, domain, codomain) = (scope.clone(), self.domain.clone(), self.codomain.clone());
        Ok(Element::from_closure(move |argument| {
            codomain.relation.draw_side(
                &scope.with_value(&domain, argument),
                &mut SplitMix64::new(seed),
                size.saturating_sub(1),
            )
        }))
    }
    fn observe_numbers(
        &self,
        value: &Element,
        scope: &PlotScope,
        random: &mut SplitMix64,
        depth: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError> {
        // the depth bounds the observation of higher-order functions
        if depth == 0 {
            return Ok(());
        }
        let argument = self.domain.relation.draw_side(scope, random, depth - 1)?;
        self.codomain.observe_numbers(&value.as_function()?.apply(&argument)?, scope, random, depth - 1, into)
    }
}

impl GluingObject {
    /// Returns ⦇real⦈ over a basis.
    #[must_use]
    pub fn real(basis: &Arc<Basis>) -> Self {
        Self::real_of(&PaperClauses, &representation::jets_over(basis))
    }

    /// Returns ⦇real⦈ for a representation of numbers, under other clauses.
    #[must_use]
    pub fn real_of(clauses: Clauses, representation: &Arc<dyn Representation>) -> Self {
        let relation = RealRelation { representation: representation.clone(), clauses };
        Self::new(Ty::real(), representation.rules().carrier(), relation)
    }

    /// Returns ℕ or 𝔅, with itself on the other side.
    #[must_use]
    pub fn discrete(clauses: Clauses, ty: &Ty) -> Self {
        Self::new(ty.clone(), ty.clone(), DiscreteRelation(ty.clone(), clauses))
    }

    /// Returns A₁ × … × Aₙ; the terminal object for n = 0.
    #[must_use]
    pub fn product(parts: &[Self]) -> Self {
        Self::product_by(&PaperClauses, parts)
    }

    /// Returns A₁ × … × Aₙ under other clauses.
    #[must_use]
    pub fn product_by(clauses: Clauses, parts: &[Self]) -> Self {
        let side = |of: fn(&Self) -> &Ty| match parts {
            [] => Ty::new(TyKind::Unit),
            _ => Ty::new(TyKind::Tuple(parts.iter().map(|part| of(part).clone()).collect())),
        };
        Self::new(side(Self::left), side(Self::right), ProductRelation(parts.to_vec(), clauses))
    }

    /// Returns A₁ + … + Aₙ: of two data types, with the objects of the arguments of their constructors, and the names
    /// of these.
    #[must_use]
    pub fn sum(clauses: Clauses, left: Ty, right: Ty, summands: &[Self], names: Vec<String>) -> Self {
        // the least value exists for inhabited types; an empty sum keeps 0, which is never drawn
        let least = match left.kind() {
            TyKind::Data(data, arguments) => least_constructor(data, arguments, &mut HeightCache::default()),
            _ => None,
        };
        let least = least.map_or(0, |constructor| constructor.index());
        let relation = SumRelation { ty: left.clone(), summands: summands.to_vec(), names, least, clauses };
        Self::new(left, right, relation)
    }

    /// Returns List A.
    #[must_use]
    pub fn list(of: &Self) -> Self {
        Self::list_by(&PaperClauses, of)
    }

    /// Returns List A under other clauses.
    #[must_use]
    pub fn list_by(clauses: Clauses, of: &Self) -> Self {
        Self::new(Ty::list(of.left().clone()), Ty::list(of.right().clone()), ListRelation(of.clone(), clauses))
    }

    /// Returns A → B.
    #[must_use]
    pub fn exponential(domain: &Self, codomain: &Self) -> Self {
        Self::exponential_by(&PaperClauses, domain, codomain)
    }

    /// Returns A → B under other clauses.
    #[must_use]
    pub fn exponential_by(clauses: Clauses, domain: &Self, codomain: &Self) -> Self {
        let side = |of: fn(&Self) -> &Ty| Ty::function(of(domain).clone(), of(codomain).clone());
        let (left, right) = (side(Self::left), side(Self::right));
        Self::new(left, right, ExponentialRelation { domain: domain.clone(), codomain: codomain.clone(), clauses })
    }

    /// Returns `true` if the object is 1.
    fn is_terminal(&self) -> bool {
        matches!(self.left().kind(), TyKind::Unit)
    }
}

impl PlotScope {
    /// Returns the plot at the point moved by 1 along each of its variables.
    #[must_use]
    pub fn shift_plot(&self, plot: &Graph) -> Graph {
        let one = Graph::integer(1);
        let moved = |v| (v, Graph::binary(crate::smooth::graph::Binary::Add, &Graph::variable(v), &one));
        let bindings: Vec<_> = plot.free_variables().iter().copied().map(moved).collect();
        plot.substitute(&bindings)
    }
}

/// The function that unfolds an object once.
type UnfoldObject = Box<dyn Fn() -> Result<GluingObject, GlueError> + Send + Sync>;

/// The object of a recursive type, at an occurrence inside itself.
/// Makes the object of the whole type.
struct RecursiveOccurrence {
    // filled at the first use: an object that held its own unfolding would be infinite
    unfold: UnfoldObject,
    unfolded: OnceLock<GluingObject>,
    clauses: &'static dyn RelationClauses,
}

/// Returns the unfolded object.
impl RecursiveOccurrence {
    fn unfolded_object(&self) -> Result<&GluingObject, ValueError> {
        if let Some(known) = self.unfolded.get() {
            return Ok(known);
        }
        // The type was unfolded around this occurrence already, so an error is not expected.
        let object =
            (self.unfold)().map_err(|_| ValueError::Mismatch { expected: "a type with values", found: "none" })?;
        Ok(self.unfolded.get_or_init(|| object))
    }
}

impl PlotRelation for RecursiveOccurrence {
    fn collect_claims(
        &self,
        pair: &PlotPair,
        path: &str,
        sampler: &mut PairSampler<'_>,
        into: &mut ClaimSet,
    ) -> Result<(), GlueError> {
        if !self.clauses.relates_recursive_parts() {
            return Ok(());
        }
        self.unfolded_object()?.relation.collect_claims(pair, path, sampler, into)
    }
    fn draw_side(&self, scope: &PlotScope, random: &mut SplitMix64, size: usize) -> Result<Element, ValueError> {
        // each nested level costs one unit of size, so that a drawn value ends in a least one
        match size {
            0 => self.draw_least(scope, random),
            _ => self.unfolded_object()?.relation.draw_side(scope, random, size - 1),
        }
    }
    fn draw_least(&self, scope: &PlotScope, random: &mut SplitMix64) -> Result<Element, ValueError> {
        self.unfolded_object()?.relation.draw_least(scope, random)
    }
    fn observe_numbers(
        &self,
        value: &Element,
        scope: &PlotScope,
        random: &mut SplitMix64,
        depth: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError> {
        self.unfolded_object()?.observe_numbers(value, scope, random, depth, into)
    }
}

impl GluingObject {
    /// Makes the object of an occurrence of a recursive type inside itself. `left` and `right` are the types on both
    /// sides.
    #[must_use]
    pub fn recursive_occurrence(
        clauses: &'static dyn RelationClauses,
        left: Ty,
        right: Ty,
        unfold: impl Fn() -> Result<Self, GlueError> + Send + Sync + 'static,
    ) -> Self {
        Self::new(left, right, RecursiveOccurrence { unfold: Box::new(unfold), unfolded: OnceLock::new(), clauses })
    }
}

/// The number of arguments at which a function is tested. A choice: it trades the strength of the test for time.
const ARGUMENTS: usize = 2;

/// The clauses of S. The defaults are those of H.
///
/// *Theorem to keep*: at every type, S determines the second plot of a pair. [`pinned`](super::lemma) tests it.
pub trait RelationClauses: Debug + Send + Sync {
    /// Returns the claims on f and its derivatives that relate a pair of reals. `claim` is the clause of H; the plots
    /// in scope are given.
    fn real_claims(&self, claim: DerivativeClaim, _: &PlotScope) -> Vec<DerivativeClaim> {
        vec![claim]
    }
    /// Returns `true` if natural numbers and truth values must be equal.
    fn relates_constants(&self) -> bool {
        true
    }
    /// Returns the number of components, from the first on, that must be related, of `all`.
    fn related_components(&self, all: usize) -> usize {
        all
    }
    /// Returns `true` if two plots must lie in the same summand.
    fn compares_labels(&self) -> bool {
        true
    }
    /// Returns `true` if plots in the same summand must be related there.
    fn relates_summands(&self) -> bool {
        true
    }
    /// Returns `true` if the parts of a recursive type that have the type itself must be related.
    fn relates_recursive_parts(&self) -> bool {
        true
    }
    /// Returns the number of elements, from the first on, that must be related, for lists of these lengths. Returns
    /// `None` if such lists are not related.
    fn related_elements(&self, left: usize, right: usize) -> Option<usize> {
        (left == right).then_some(left)
    }
    /// Returns the number of related arguments at which functions are tested.
    fn argument_count(&self) -> usize {
        ARGUMENTS
    }
    /// Returns `true` if the pairs that are [drawn](RelationClauses::draw_argument) are known to be related. A drawn pair is a
    /// plot with its Taylor representation. If they are not known to be, a pair is refuted only beside arguments that
    /// are found to be related.
    fn relates_drawn_pairs(&self) -> bool {
        false
    }
    /// Draws a related argument.
    ///
    /// # Errors
    /// Those of functions in the scope.
    fn draw_argument(&self, domain: &GluingObject, sampler: &mut PairSampler<'_>) -> Result<PlotPair, ValueError> {
        sampler.draw_pair(domain)
    }
}

/// The clauses of H.
#[derive(Clone, Copy, Debug, Default)]
pub struct PaperClauses;

impl RelationClauses for PaperClauses {
    fn relates_drawn_pairs(&self) -> bool {
        // H relates a plot to its Taylor representation, which is what is drawn
        true
    }
}

crate::wrong::rules! {
    /// The clauses of the relation S of H, each relating too much.
    WrongClause {
        FirstComponent "relation_first_component", "all components of a product are related" => "the first";
        NoComponent "relation_no_component", "all components of a product are related" => "none";
        LabelOnly "relation_label_only", "summands with one label are related" => "the label is enough";
        NoLabel "relation_no_label", "related summands have one label" => "any labels";
        LengthOnly "relation_length_only", "the elements of lists are related" => "the length is enough";
        Prefix "relation_prefix", "related lists have one length" => "their common prefix is related";
        HeadOnly "relation_head_only", "the elements of lists are related" => "the first";
        RootOnly "relation_root_only", "the recursive parts of a declared type are related" => "any parts";
        AnyConstants "relation_any_constants", "related natural numbers and truth values are equal" => "any two";
        NeverApplied "relation_never_applied", "functions are related at related arguments" => "at none";
        ConstantArguments "relation_constant_arguments", "functions are related at related arguments" => "at constants";
    }
}

impl RelationClauses for WrongClause {
    fn related_components(&self, all: usize) -> usize {
        match self {
            Self::FirstComponent => all.min(1),
            Self::NoComponent => 0,
            _ => all,
        }
    }
    fn relates_summands(&self) -> bool {
        *self != Self::LabelOnly
    }
    fn compares_labels(&self) -> bool {
        *self != Self::NoLabel
    }
    fn related_elements(&self, left: usize, right: usize) -> Option<usize> {
        match self {
            Self::LengthOnly => (left == right).then_some(0),
            Self::Prefix => Some(left.min(right)),
            Self::HeadOnly => (left == right).then_some(left.min(1)),
            _ => (left == right).then_some(left),
        }
    }
    fn relates_recursive_parts(&self) -> bool {
        *self != Self::RootOnly
    }
    fn relates_constants(&self) -> bool {
        *self != Self::AnyConstants
    }
    fn argument_count(&self) -> usize {
        if *self == Self::NeverApplied { 0 } else { PaperClauses.argument_count() }
    }
    fn draw_argument(&self, domain: &GluingObject, sampler: &mut PairSampler<'_>) -> Result<PlotPair, ValueError> {
        if *self != Self::ConstantArguments {
            return sampler.draw_pair(domain);
        }
        let (plots, representations) = (sampler.plots.without_values(), sampler.representations.without_values());
        PairSampler { plots, representations, random: sampler.random, size: sampler.size }.draw_pair(domain)
    }
}
