//! The objects of the library as arguments of quickcheck's properties: random, and shrunk to a small witness.
//!
//! A property over them is written as any other of [quickcheck](https://docs.rs/quickcheck). A law of this library has three
//! outcomes, and [`LawVerdict`] says them to quickcheck: a vacuous sample is discarded.
//!
//! | type | holds | drawn by | shrinks to |
//! |---|---|---|---|
//! | [`RationalSample`] | a rational number | [`random_dyadic`] | smaller denominators, numerators, no sign |
//! | [`EnclosureSample`] | an interval, with infinite ends in some | the same, for each end | finite ends, points |
//! | [`GraphSample`] | a graph over one to three variables | [`GraphGenerator`] | fewer nodes, simpler constants |
//! | [`MapSample<N, M>`](MapSample) | a map N ⇝ M | the same, for each component | the same |
//! | [`TypeSample`] | a type of ℝ, 1, ×, +, ⇒ and List | [`draw_simple_type`] | ℝ, and parts |
//! | [`TestTerm`] | a closed program of a random type | [`TermGenerator`] | closed programs of the same type |
//! | [`ProgramSample<A>`](ProgramSample) | a closed program of the type A | the same | the same |
//! | [`ElementSample<F, G>`](ElementSample) | an element of a presheaf F at the stage G | [`SampleElements`] | elements that vary with fewer coordinates |
//! | [`PlotSample<X>`](PlotSample) | a plot of a space | [`Diffeology::draw_plot`] | constant plots, and points |
//! | [`DrawnProgram`] | a program in pieces, and points | [`pap`] | smaller programs of the same type |
//! | [`PiecewiseMapSample`] | a piecewise analytic function | the same | the same |
//! | [`TraceSample`] | a program of A's language, and points | [`trace`](crate::law::trace) | smaller programs of the same type |
//!
//! Each shrinks in a well-founded order, which [`ShrinkingSample`] states: so shrinking ends. The sizes of samples are limited
//! here, since quickcheck's own size is 100 unless one says otherwise.

use crate::category::ObjectName;
use crate::diffeology::Diffeology;
use crate::diffeology::product::CartesianDiffeology;
use crate::diffeology::smoothness::default_smoothness_test;
use crate::diffeology::space::{OpenSetSite, Site, format_rational_point};
use crate::law::functor::{draw_simple_type, other_atoms, smaller_types};
use crate::law::generate::TermGenerator;
use crate::law::generate::program::{
    DrawnProgram, TraceSample, TypedProgram, draw_pieces_sample, draw_rational_pieces_sample, draw_trace_sample,
};
use crate::law::graphs::{GraphGenerator, graph_cost, random_dyadic, smaller_graphs, smaller_rationals};
use crate::law::pap;
use crate::law::property::to_test_result;
use crate::law::term::{TestTerm, smaller_terms};
use crate::number::{Enclosure, Float, Rational};
use crate::pieces::PiecewiseMap;
use crate::presheaf::observe::{Observe, SampleElements};
use crate::presheaf::{ElementAt, Presheaf};
use crate::random::SplitMix64;
use crate::simple::Terms;
use crate::smooth::dimension::Dim;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::map::{DynMap, Map, Space, coordinate_variables};
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::verdict::Verdict;
use quickcheck::{Arbitrary, Gen, TestResult, Testable};
use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;

/// A verdict as the result of a quickcheck property: survived is passed, vacuous is discarded, refuted is failed.
///
/// ```
/// use quickcheck::QuickCheck;
/// use smoothish_laws::arbitrary::{LawVerdict, RationalSample};
/// use smoothish_laws::verdict::Verdict;
///
/// /// `q · (1/q) = 1`, which claims nothing of 0.
/// fn inverse(q: RationalSample) -> LawVerdict {
///     if q.0 == 0 {
///         return LawVerdict(Verdict::Vacuous);
///     }
///     let one = q.0.clone() / &q.0;
///     LawVerdict(if one == 1 { Verdict::Survived } else { Verdict::refuted(&q.0, one, 1) })
/// }
/// // without a least number a law passes whose samples were all discarded
/// QuickCheck::new().min_tests_passed(100).quickcheck(inverse as fn(RationalSample) -> LawVerdict);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawVerdict(pub Verdict);

impl From<Verdict> for LawVerdict {
    fn from(verdict: Verdict) -> Self {
        Self(verdict)
    }
}

impl Testable for LawVerdict {
    fn result(&self, _: &mut Gen) -> TestResult {
        to_test_result(Ok::<_, Infallible>(self.0.clone()))
    }
}

/// A sample whose shrinking decreases a cost.
///
/// | law | statement |
/// |---|---|
/// | decrease | every candidate of [`shrink`](Arbitrary::shrink) costs less than the sample |
/// | well-foundedness | costs do not decrease for ever, so shrinking ends |
pub trait ShrinkingSample: Arbitrary {
    /// The cost, in a well-founded order.
    type Cost: Ord + fmt::Debug;

    /// Returns the cost of the sample.
    fn shrink_cost(&self) -> Self::Cost;
}

/// Returns the candidates that cost less than the sample, the cheapest first.
fn cheaper_first<S: ShrinkingSample>(sample: &S, candidates: Vec<S>) -> Box<dyn Iterator<Item = S>> {
    let own = sample.shrink_cost();
    let mut cheaper: Vec<S> = candidates.into_iter().filter(|candidate| candidate.shrink_cost() < own).collect();
    // cheapest first: one large step saves many small ones
    cheaper.sort_by_cached_key(S::shrink_cost);
    Box::new(cheaper.into_iter())
}

/// Returns a stream of random numbers of its own for one sample.
fn sample_stream(g: &mut Gen) -> SplitMix64 {
    // quickcheck draws 0, 1 and the largest number often; two of them make few streams that are drawn again
    SplitMix64::for_sample(u64::arbitrary(g), u64::arbitrary(g))
}

/// Draws a size between 1 and quickcheck's own, and at most `limit`.
fn draw_size(g: &Gen, random: &mut SplitMix64, limit: usize) -> usize {
    1 + random.next_below(g.size().clamp(1, limit))
}

/// A rational number, half of the time −1, 0 or 1, where kinks and edges lie.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RationalSample(pub Rational);

/// The size of the denominator, of the numerator, and 1 for a sign; compared in this order.
type RationalCost = (Rational, Rational, u8);

/// Returns the cost of a number.
fn rational_cost(q: &Rational) -> RationalCost {
    (Rational::from(q.denom()), Rational::from(q.numer()).abs(), u8::from(*q < 0))
}

impl ShrinkingSample for RationalSample {
    type Cost = RationalCost;

    fn shrink_cost(&self) -> RationalCost {
        rational_cost(&self.0)
    }
}

impl Arbitrary for RationalSample {
    fn arbitrary(g: &mut Gen) -> Self {
        Self(random_dyadic(&mut sample_stream(g)))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        cheaper_first(self, smaller_rationals(&self.0).into_iter().map(Self).collect())
    }
}

/// An enclosure: mostly an interval with dyadic ends, and sometimes a point, a ray, the whole line, or one that is not
/// certainly defined.
#[derive(Clone, Debug, PartialEq)]
pub struct EnclosureSample(pub Enclosure);

/// The precision of the ends of enclosures. A choice: the dyadic numbers that are drawn have 6 bits.
const END_PRECISION: u32 = 53;

/// Returns the enclosure with these ends. Returns `None` if an end is not represented exactly, or if they are reversed.
fn enclosure_between(lo: &Rational, hi: &Rational, is_defined: bool) -> Option<EnclosureSample> {
    let [low, high] = [lo, hi].map(|q| Float::with_val(END_PRECISION, q));
    let is_exact = low == *lo && high == *hi;
    Enclosure::new(low, high, is_defined).ok().filter(|_| is_exact).map(EnclosureSample)
}

impl ShrinkingSample for EnclosureSample {
    /// The infinite ends and the lack of definedness; then the costs of both ends, summed.
    type Cost = (usize, RationalCost);

    fn shrink_cost(&self) -> Self::Cost {
        let ends = [self.0.lo(), self.0.hi()].map(Float::to_rational);
        let infinite = ends.iter().filter(|end| end.is_none()).count();
        let sum = |(d, n, s): RationalCost, q: Rational| {
            let (denominator, numerator, sign) = rational_cost(&q);
            (d + denominator, n + numerator, s + sign)
        };
        let finite = ends.into_iter().flatten().fold(RationalCost::default(), sum);
        (infinite + usize::from(!self.0.is_defined()), finite)
    }
}

impl Arbitrary for EnclosureSample {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut random = sample_stream(g);
        let [a, b] = [(); 2].map(|()| random_dyadic(&mut random));
        let is_defined = !random.random_bool(15);
        let (lo, hi) = if a <= b { (a, b) } else { (b, a) };
        let with_ends = |lo: Float, hi: Float| Enclosure::new(lo, hi, is_defined).ok().map(EnclosureSample);
        let float = |q: &Rational| Float::with_val(END_PRECISION, q);
        let [below, above] = [-f64::INFINITY, f64::INFINITY].map(|end| Float::with_val(END_PRECISION, end));
        // a choice: three of twenty have an infinite end, as enclosures of undefined or overflowing numbers do
        let drawn = match random.next_below(20) {
            0 => with_ends(below, float(&hi)),
            1 => with_ends(float(&lo), above),
            2 => with_ends(below, above),
            3..=5 => enclosure_between(&lo, &lo, is_defined),
            _ => enclosure_between(&lo, &hi, is_defined),
        };
        // the ends are ordered and no numbers are missing, so there is an interval
        drawn.unwrap_or_else(|| Self(Enclosure::bottom()))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let is_defined = self.0.is_defined();
        let [lo, hi] = [self.0.lo(), self.0.hi()].map(Float::to_rational);
        let zero = Rational::new;
        let candidates_of = |end: &Option<Rational>| match end {
            // an infinite end comes to 0, or to the other end, whichever is an interval
            None => vec![zero(), lo.clone().or_else(|| hi.clone()).unwrap_or_else(zero)],
            Some(q) => smaller_rationals(q),
        };
        let mut found: Vec<Option<Self>> = Vec::new();
        // definedness first: an interval that may be undefined hides what its ends do
        if !is_defined {
            found.push(Enclosure::new(self.0.lo().clone(), self.0.hi().clone(), true).ok().map(Self));
        }
        for low in candidates_of(&lo) {
            found.push(match &hi {
                Some(high) => enclosure_between(&low, high, is_defined),
                None => {
                    Enclosure::new(Float::with_val(END_PRECISION, &low), self.0.hi().clone(), is_defined).ok().map(Self)
                }
            });
        }
        for high in candidates_of(&hi) {
            found.push(match &lo {
                Some(low) => enclosure_between(low, &high, is_defined),
                None => Enclosure::new(self.0.lo().clone(), Float::with_val(END_PRECISION, &high), is_defined)
                    .ok()
                    .map(Self),
            });
        }
        if let (Some(lo), Some(hi)) = (&lo, &hi) {
            found.extend([lo, hi].map(|end| enclosure_between(end, end, is_defined)));
            // both ends at once, so that a point goes to simpler points
            found.extend(smaller_rationals(lo).iter().map(|end| enclosure_between(end, end, is_defined)));
        }
        cheaper_first(self, found.into_iter().flatten().collect())
    }
}

/// A graph with its variables. It may have kinks, derivatives, and points where it is not defined.
#[derive(Clone)]
pub struct GraphSample {
    /// The variables, of which the graph may use each or none.
    pub variables: Vec<Variable>,
    /// The graph.
    pub graph: Graph,
}

/// The greatest number of operations of a graph. A choice: derivatives of larger ones take long.
const MAX_OPERATIONS: usize = 8;
/// The generator of graphs: one level of derivative nodes, with kinks.
const GRAPHS: GraphGenerator = GraphGenerator { derivative_depth: 1, has_kinks: true };

/// Prints the graph as a function of its variables.
impl fmt::Debug for GraphSample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match DynMap::of_graphs(&self.variables, std::slice::from_ref(&self.graph)) {
            Ok(map) => fmt::Display::fmt(&map, f),
            Err(error) => fmt::Display::fmt(&error, f),
        }
    }
}

impl ShrinkingSample for GraphSample {
    type Cost = (usize, u64);

    fn shrink_cost(&self) -> (usize, u64) {
        graph_cost(&self.graph)
    }
}

impl Arbitrary for GraphSample {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut random = sample_stream(g);
        // the shared coordinates and no fresh variables, so that samples of one size compare as maps
        let variables = coordinate_variables(1 + random.next_below(3));
        let size = draw_size(g, &mut random, MAX_OPERATIONS);
        let graph = GRAPHS.draw_graph(&mut random, &variables, size);
        Self { variables, graph }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let with = |graph| Self { variables: self.variables.clone(), graph };
        cheaper_first(self, smaller_graphs(&self.graph).into_iter().map(with).collect())
    }
}

/// A map N ⇝ M. It may have kinks, derivatives, and points where it is not defined.
///
/// ```
/// use quickcheck::QuickCheck;
/// use smoothish_laws::arbitrary::{LawVerdict, MapSample};
/// use smoothish_laws::smooth::dimension::typenum::{U1, U2};
/// use smoothish_laws::smooth::map::category::jets_agree;
/// use smoothish_laws::smooth::map::{Map, MapError, MapTestConfig};
///
/// fn identity_is_neutral(f: MapSample<U2, U1>) -> Result<LawVerdict, MapError> {
///     let composite = Map::<U2, U2>::id().then(&f.0);
///     let trial = MapTestConfig { sample_points: 2, ..MapTestConfig::default() };
///     Ok(jets_agree(composite.as_dyn(), f.0.as_dyn(), &trial)?.into())
/// }
/// QuickCheck::new().tests(20).min_tests_passed(10).quickcheck(identity_is_neutral as fn(MapSample<U2, U1>) -> _);
/// ```
pub struct MapSample<N, M>(pub Map<N, M>);

impl<N, M> Clone for MapSample<N, M> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<N, M> fmt::Debug for MapSample<N, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.0.as_dyn(), f)
    }
}

impl<N: Dim + 'static, M: Dim + 'static> ShrinkingSample for MapSample<N, M> {
    type Cost = (usize, u64);

    fn shrink_cost(&self) -> (usize, u64) {
        let costs = self.0.components().iter().map(graph_cost);
        costs.fold((0, 0), |(nodes, bits), (n, b)| (nodes + n, bits + b))
    }
}

impl<N: Dim + 'static, M: Dim + 'static> Arbitrary for MapSample<N, M> {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut random = sample_stream(g);
        // the generator needs a variable; a map of no variables has a number in its place
        let variables = coordinate_variables(N::SIZE.max(1));
        let spare: Vec<_> =
            variables[N::SIZE..].iter().map(|v| (*v, Graph::rational(random_dyadic(&mut random)))).collect();
        let components: Vec<Graph> = (0..M::SIZE)
            .map(|_| {
                let size = draw_size(g, &mut random, MAX_OPERATIONS);
                GRAPHS.draw_graph(&mut random, &variables, size).substitute(&spare)
            })
            .collect();
        match Map::of_graphs(&variables[..N::SIZE], &components) {
            Ok(map) => Self(map),
            // unreachable: there is one graph for each component, over the variables
            Err(_) => Self(Space::<N>::new().tuple(&Space::new(), |_| Space::<N>::new().constant(0))),
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let variables = coordinate_variables(N::SIZE);
        let mut found = Vec::new();
        // one component at a time: quickcheck comes back for the others
        for (place, component) in self.0.components().iter().enumerate() {
            for smaller in smaller_graphs(component) {
                let mut components = self.0.components().to_vec();
                components[place] = smaller;
                found.extend(Map::of_graphs(&variables, &components).ok().map(Self));
            }
        }
        cheaper_first(self, found)
    }
}

/// A type made of ℝ, 1, ×, +, ⇒ and List.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeSample(pub Ty);

/// The greatest depth of a type. A choice: programs of deeper types are long.
const MAX_TYPE_DEPTH: usize = 3;

impl ShrinkingSample for TypeSample {
    /// The number of nodes, and that of the atoms other than ℝ.
    type Cost = (usize, usize);

    fn shrink_cost(&self) -> (usize, usize) {
        (self.0.size(), other_atoms(&self.0))
    }
}

impl Arbitrary for TypeSample {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut random = sample_stream(g);
        // depth 0 is ℝ alone, on which most laws can be read
        let depth = random.next_below(1 + g.size().min(MAX_TYPE_DEPTH));
        Self(draw_simple_type(&mut random, depth))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        cheaper_first(self, smaller_types(&self.0).into_iter().map(Self).collect())
    }
}

/// The greatest size of a program, in heads. A choice, as in [`TestConfig`](crate::law::property::TestConfig).
const MAX_PROGRAM_SIZE: usize = 12;

/// Draws a closed program of a type, in the full vocabulary.
fn draw_program(g: &mut Gen, ty: &Ty) -> TestTerm {
    let mut random = sample_stream(g);
    let size = draw_size(g, &mut random, MAX_PROGRAM_SIZE);
    TermGenerator::new(random).draw_term(ty, size)
}

impl ShrinkingSample for TestTerm {
    type Cost = (usize, u64);

    fn shrink_cost(&self) -> (usize, u64) {
        Self::shrink_cost(self)
    }
}

/// Closed programs of random types, in the full vocabulary: they may be undefined.
impl Arbitrary for TestTerm {
    fn arbitrary(g: &mut Gen) -> Self {
        let TypeSample(ty) = TypeSample::arbitrary(g);
        draw_program(g, &ty)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        // a part that was lifted out of the scope of its variables is no program
        let closed = smaller_terms(self).into_iter().filter(|smaller| smaller.to_core().is_some());
        cheaper_first(self, closed.collect())
    }
}

/// A closed program of the type that A names, in the full vocabulary: it may be undefined.
///
/// ```
/// use quickcheck::{Arbitrary, Gen};
/// use smoothish_laws::arbitrary::ProgramSample;
/// use smoothish_laws::simple::{RealLine, To};
///
/// let sample = ProgramSample::<To<RealLine, RealLine>>::arbitrary(&mut Gen::from_size_and_seed(8, 1));
/// assert_eq!(sample.core().ty().to_string(), "Real -> Real");
/// ```
pub struct ProgramSample<A> {
    term: TestTerm,
    core: Term,
    name: PhantomData<fn() -> A>,
}

impl<A: ObjectName<Terms>> ProgramSample<A> {
    /// Makes the sample of a term. Returns `None` if the term is not closed or not of type A.
    #[must_use]
    pub fn of_term(term: TestTerm) -> Option<Self> {
        let core = term.to_core()?;
        (*core.ty() == A::object()).then_some(Self { term, core, name: PhantomData })
    }

    /// Returns the program as a term that prints, and that the shrinker takes apart.
    #[must_use]
    pub fn term(&self) -> &TestTerm {
        &self.term
    }

    /// Returns the program as a term of the language.
    #[must_use]
    pub fn core(&self) -> &Term {
        &self.core
    }
}

impl<A> Clone for ProgramSample<A> {
    fn clone(&self) -> Self {
        Self { term: self.term.clone(), core: self.core.clone(), name: PhantomData }
    }
}

impl<A> fmt::Debug for ProgramSample<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.term, f)
    }
}

impl<A: ObjectName<Terms> + 'static> ShrinkingSample for ProgramSample<A> {
    type Cost = (usize, u64);

    fn shrink_cost(&self) -> (usize, u64) {
        self.term.shrink_cost()
    }
}

impl<A: ObjectName<Terms> + 'static> Arbitrary for ProgramSample<A> {
    fn arbitrary(g: &mut Gen) -> Self {
        loop {
            // the generator makes closed terms of the type, so the first one is taken; a test holds it to that
            if let Some(sample) = Self::of_term(draw_program(g, &A::object())) {
                return sample;
            }
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        cheaper_first(self, smaller_terms(&self.term).into_iter().filter_map(Self::of_term).collect())
    }
}

/// An element of the presheaf F at the stage G, with the coordinates that it may vary with.
///
/// ```
/// use quickcheck::{Arbitrary, Gen};
/// use smoothish_laws::arbitrary::ElementSample;
/// use smoothish_laws::presheaf::RealPresheaf;
/// use smoothish_laws::smooth::dimension::typenum::U2;
///
/// let sample = ElementSample::<RealPresheaf, U2>::arbitrary(&mut Gen::from_size_and_seed(8, 1));
/// let fixed = sample.shrink().next().ok_or("nothing to shrink")?;
/// assert!(fixed.coordinates().len() < sample.coordinates().len());
/// # Ok::<(), &str>(())
/// ```
pub struct ElementSample<F: Presheaf, G: Dim> {
    element: ElementAt<F, G>,
    coordinates: Vec<usize>,
}

impl<F: Presheaf, G: Dim> ElementSample<F, G> {
    /// Returns the element.
    pub fn element(&self) -> &ElementAt<F, G> {
        &self.element
    }

    /// Returns the coordinates of the stage that were not fixed at 0 by shrinking.
    pub fn coordinates(&self) -> &[usize] {
        &self.coordinates
    }

    /// Returns the restriction of the element to the points at which some coordinates are 0, as an element at the same stage.
    fn restrict_to_zero(&self, fixed: &[usize]) -> Self {
        let space = Space::<G>::new();
        let known = space.coordinates();
        // restriction is the presheaf's own action, so what comes out is an element again
        let along: Map<G, G> = space.tuple(&space, |index| match fixed.contains(&index) {
            true => space.constant(0),
            false => known[index].clone(),
        });
        let coordinates = self.coordinates.iter().copied().filter(|index| !fixed.contains(index)).collect();
        Self { element: F::restrict(&along, &self.element), coordinates }
    }
}

impl<F: Presheaf, G: Dim> Clone for ElementSample<F, G> {
    fn clone(&self) -> Self {
        Self { element: self.element.clone(), coordinates: self.coordinates.clone() }
    }
}

impl<F: Observe, G: Dim> fmt::Debug for ElementSample<F, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an element over the coordinates {:?}", self.coordinates)?;
        match F::observe_number(&Space::<G>::new(), &self.element, 0) {
            Some(number) => write!(f, ", with the number {}", number.as_dyn()),
            None => Ok(()),
        }
    }
}

impl<F: SampleElements, G: Dim + 'static> ShrinkingSample for ElementSample<F, G> {
    type Cost = usize;

    fn shrink_cost(&self) -> usize {
        self.coordinates.len()
    }
}

impl<F: SampleElements, G: Dim + 'static> Arbitrary for ElementSample<F, G> {
    fn arbitrary(g: &mut Gen) -> Self {
        let element = F::draw_element(&mut sample_stream(g), &Space::<G>::new());
        Self { element, coordinates: (0..G::SIZE).collect() }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        // all coordinates at once, and then each: most failures need none or one
        let mut found = vec![self.restrict_to_zero(&self.coordinates)];
        found.extend(self.coordinates.iter().map(|index| self.restrict_to_zero(&[*index])));
        cheaper_first(self, found)
    }
}

/// A type that names a diffeological space, so that its plots are arguments of properties.
///
/// ```
/// use smoothish_laws::arbitrary::SpaceName;
/// use smoothish_laws::diffeology::product::{CartesianDiffeology, ListDiffeology};
///
/// enum ListsOfNumbers {}
///
/// impl SpaceName for ListsOfNumbers {
///     type Space = ListDiffeology<CartesianDiffeology>;
///
///     fn space() -> Self::Space {
///         ListDiffeology(CartesianDiffeology::whole_space(1))
///     }
/// }
/// ```
pub trait SpaceName: 'static {
    /// The type of the space.
    type Space: Diffeology;

    /// Returns the space.
    fn space() -> Self::Space;
}

/// The name of ℝⁿ as a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RealSpaceName<const N: usize> {}

impl<const N: usize> SpaceName for RealSpaceName<N> {
    type Space = CartesianDiffeology;

    fn space() -> CartesianDiffeology {
        CartesianDiffeology::whole_space(N)
    }
}

/// A plot of the space that X names, on a random open set.
pub struct PlotSample<X: SpaceName> {
    /// The space.
    pub space: X::Space,
    /// The plot.
    pub plot: <X::Space as Diffeology>::Plot,
    /// `true` if shrinking has made it constant.
    pub is_constant: bool,
}

/// The number of points at which a plot is shrunk to a constant. A choice.
const SHRINK_POINTS: usize = 3;

impl<X: SpaceName> PlotSample<X> {
    /// Returns the open set on which the plot is defined.
    pub fn domain(&self) -> <OpenSetSite as Site>::Domain {
        self.space.plot_domain(&self.plot)
    }

    /// Returns points of the domain, the same ones at every call.
    fn points(&self) -> Vec<Vec<Rational>> {
        OpenSetSite::sample_points(&self.domain(), &mut SplitMix64::new(0), SHRINK_POINTS)
    }
}

impl<X: SpaceName> Clone for PlotSample<X> {
    fn clone(&self) -> Self {
        Self { space: self.space.clone(), plot: self.plot.clone(), is_constant: self.is_constant }
    }
}

impl<X: SpaceName> fmt::Debug for PlotSample<X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trial = default_smoothness_test();
        write!(f, "a plot on {}", self.domain())?;
        self.points().iter().take(2).try_for_each(|u| {
            let at: Vec<Graph> = u.iter().cloned().map(Graph::rational).collect();
            match self.space.value_at(&self.plot, &at, &trial) {
                Ok(x) => write!(f, ", {} ↦ {}", format_rational_point(u), self.space.describe_point(&x, &trial)),
                Err(error) => write!(f, ", {}: {error}", format_rational_point(u)),
            }
        })
    }
}

impl<X: SpaceName> ShrinkingSample for PlotSample<X> {
    /// The dimension of the domain, and whether the plot may vary.
    type Cost = (usize, bool);

    fn shrink_cost(&self) -> (usize, bool) {
        (self.domain().dimension(), !self.is_constant)
    }
}

impl<X: SpaceName> Arbitrary for PlotSample<X> {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut random = sample_stream(g);
        let space = X::space();
        let plot = space.draw_plot(&OpenSetSite::draw_domain(&mut random), &mut random);
        Self { space, plot, is_constant: false }
    }

    /// Plots on ℝ⁰ first, then constant plots on the same domain. Their values are values of the plot.
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let (trial, domain) = (default_smoothness_test(), self.domain());
        let mut found = Vec::new();
        for u in self.points() {
            let at: Vec<Graph> = u.into_iter().map(Graph::rational).collect();
            // the two axioms that always give plots: reparametrisation by a point, and constants
            let point = OpenSetSite::constant_map(&OpenSetSite::point_domain(), &domain, &at);
            let with = |plot| Self { space: self.space.clone(), plot, is_constant: true };
            found.push(with(self.space.reparametrise(&point, &self.plot)));
            if let Ok(x) = self.space.value_at(&self.plot, &at, &trial) {
                found.push(with(self.space.constant_plot(&domain, &x)));
            }
        }
        cheaper_first(self, found)
    }
}

impl ShrinkingSample for DrawnProgram {
    type Cost = (usize, u64);

    fn shrink_cost(&self) -> (usize, u64) {
        Self::shrink_cost(self)
    }
}

/// Programs in pieces with four points, two of them on borders. Their values are in
/// [`value_and_slope`](TypedProgram::value_and_slope).
impl Arbitrary for DrawnProgram {
    fn arbitrary(g: &mut Gen) -> Self {
        draw_pieces_sample(sample_stream(g))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.smaller_samples())
    }
}

/// A piecewise analytic function on [−4, 4], with the program that it was explored from.
#[derive(Clone)]
pub struct PiecewiseMapSample {
    /// The program.
    pub program: TypedProgram,
    /// Its pieces, 8 of them at most, and what was not explored.
    pub map: PiecewiseMap,
}

/// Prints the program and the number of its pieces.
impl fmt::Debug for PiecewiseMapSample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {} pieces", self.program, self.map.pieces.len())
    }
}

impl PiecewiseMapSample {
    /// Explores a program. Returns `None` if that fails.
    fn of_program(program: TypedProgram) -> Option<Self> {
        pap::explore_pieces(&program).map(|map| Self { program, map })
    }
}

impl ShrinkingSample for PiecewiseMapSample {
    type Cost = (usize, u64);

    fn shrink_cost(&self) -> (usize, u64) {
        self.program.shrink_cost()
    }
}

impl Arbitrary for PiecewiseMapSample {
    fn arbitrary(g: &mut Gen) -> Self {
        loop {
            // few programs take more steps than the exploration is given, and then another one is drawn
            if let Some(sample) = Self::of_program(draw_rational_pieces_sample(sample_stream(g)).program) {
                return sample;
            }
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        // explored one by one as they are asked for, since that costs more than drawing them
        Box::new(self.program.smaller_programs().filter_map(Self::of_program))
    }
}

impl ShrinkingSample for TraceSample {
    type Cost = (usize, u64);

    fn shrink_cost(&self) -> (usize, u64) {
        Self::shrink_cost(self)
    }
}

/// Programs of A's language in one variable, most of them recursive, with points on and beside their borders.
impl Arbitrary for TraceSample {
    fn arbitrary(g: &mut Gen) -> Self {
        draw_trace_sample(sample_stream(g))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.smaller_samples())
    }
}
