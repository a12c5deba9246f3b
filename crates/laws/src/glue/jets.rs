//! Jets, and the functor J^(k,R) on first-order spaces (H §6.3).
//!
//! A (k, R)-jet at x in M is a class \[γ\] of plots γ : ℝᵏ → M with γ(0) = x. Two plots are equivalent if all their
//! derivatives of order at most R agree at 0. A [`FirstOrderJet`] is a class, represented by one of its plots. First-order spaces
//! are M = ⊎ ℝ^{d_i} (Prop. 6). A plot into such a space is a constant discrete shape together with a list of graphs.
//!
//! | here | H §6.3 |
//! |---|---|
//! | [`FirstOrderJet::push_forward`] | `J(f)(x, [γ]) = (f x, [γ;f])` |
//! | [`FirstOrderJet::test_equal`] | γ₁ ~ γ₂ |
//! | [`FirstOrderJet::from_coordinates`] | φ^{𝒟J} : ⟦𝒟τ⟧ → J(⟦τ⟧), `x_α ↦ [t ↦ Σ x_α t^α/α!]` (E35: the general form of x + x′t) |
//! | [`FirstOrderJet::coordinates`] | its inverse |
//! | [`FirstOrderJet::split_product`], [`FirstOrderJet::pair_jets`] | J(M₁ × M₂) ≅ J M₁ × J M₂ (Lemma 7) |
//! | [`FirstOrderJet::split_sum`], [`FirstOrderJet::inject_into`] | J(⊎ Mᵢ) ≅ ⊎ J Mᵢ (Lemma 7) |
//!
//! `first_order` tests the statements of H on these jets; `manifold` and [`bundle`] do so for manifolds given by
//! atlases.
//!
//! A jet is represented by a plot, and J(f) is composition. So the functor laws would hold by definition. The
//! tests therefore replace a representative by another one of its class in between. Manifolds have products and
//! sums with atlases of their own: with the product diffeology Lemma 7 would hold by definition.
//!
//! # Tests that jets of first-order spaces are a functor
//!
//! Tests that jets of first-order spaces are a functor, Lemma 7, and that 𝒟 is this functor at first-order types (H Thm
//! 8).
//!
//! # Jets of manifolds given by atlases
//!
//! Jets of manifolds given by atlases (H §6.3).
//!
//! A jet at x in M is a class \[γ\] of plots γ : ℝᵏ → M with γ(0) = x. H compares `γ;f` for all smooth f : M → ℝ. It is
//! enough to compare the coordinates in one chart around x. Any chart will do, since two charts are related by a smooth
//! transition. A [`ManifoldJet`] is represented by one of its plots, of which only a neighbourhood of 0 matters.
//!
//! | here | H §6.3 |
//! |---|---|
//! | [`ManifoldJet::push_forward`] | `J(f)(x, [γ]) = (f x, [γ;f])` |
//! | [`ManifoldJet::test_equal`] | γ₁ ~ γ₂, in every chart that contains both |
//! | [`ManifoldJet::coordinates`], [`ManifoldJet::from_coordinates`] | the chart of J(M) over a chart of M |
//! | [`ManifoldJet::push_by_formula`] | J(f) in local coordinates: the formula of Faà di Bruno |
//!
//! For f = id, the last row moves jets from one chart to another: by the Taylor representation of the transition.

pub mod bundle;

use super::claim::{CompiledPlots, CoordinateSpace, GlueError, enclose_point};
use super::interpretation::{RepresentationMethod, second_component};
use super::lemma::{GluingSetup, apply_all};
use super::representation::first_order_type;
use super::trial::{BasisRange, TheoremSample, TheoremTest, VerdictWithValues};
use super::{claim, evaluation, representation};
use crate::diffeology::manifold::{ChartPoint, Manifold};
use crate::diffeology::map::SmoothMap;
use crate::diffeology::open::{OpenSet, compose_graphs};
use crate::diffeology::piecewise::{PieceRegion, PiecewisePlot};
use crate::diffeology::smoothness::{Membership, default_smoothness_test, point_membership};
use crate::diffeology::{Diffeology, DiffeologyError};
use crate::law::term::pair_type;
use crate::meaning::taylor::jet::{Basis, FaaDiBrunoTerm, formula_terms};
use crate::number::Rational;
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::smooth::map::{coordinate_graphs, coordinate_variables};
use crate::stack::with_stack;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{SharedBox, ValueError};
use crate::verdict::Verdict;

/// The class at 0 of a plot ℝᵏ → M.
#[derive(Clone, Debug)]
#[doc(alias("jet", "jets", "J^(k,R)", "jet functor"))]
pub struct FirstOrderJet {
    /// The coordinates of ℝᵏ in which the plot is given.
    stage: CoordinateSpace,
    /// The plot.
    curve: Element,
}

/// Collects the numbers of an element of a first-order type. Returns its shape, as text.
fn collect_numbers(element: &Element, numbers: &mut Vec<Graph>) -> Result<String, ValueError> {
    let mut all = |parts: &[&Element]| {
        let shapes: Result<Vec<_>, _> =
            parts.iter().map(|part| with_stack(|| collect_numbers(part, numbers))).collect();
        Ok(shapes?.join(" "))
    };
    Ok(match element {
        Element::Real(graph) => {
            numbers.push(graph.clone());
            "ℝ".to_owned()
        }
        Element::Unit => "()".to_owned(),
        Element::Natural(n) => n.to_string(),
        Element::Boolean(b) => b.to_string(),
        Element::Tuple(parts) => format!("({})", all(&parts.iter().collect::<Vec<_>>())?),
        Element::List(list) => format!("[{}]", all(&list.iter().collect::<Vec<_>>())?),
        Element::Variant(index, argument) => format!("in{index} {}", all(&[argument])?),
        // a function has no finite shape, so its type is not first-order
        Element::Function(_) | Element::Tangent(_) | Element::Isomorphism(..) => {
            return Err(ValueError::Mismatch {
                expected: "an element of a first-order type",
                found: element.kind().noun_phrase(),
            });
        }
    })
}

/// Replaces every real number of an element of a first-order type, which leads from ⟦𝒟τ⟧ to ⟦τ⟧ or back.
fn map_numbers(
    ty: &Ty,
    element: &Element,
    number: &mut impl FnMut(&Element) -> Result<Element, ValueError>,
) -> Result<Element, GlueError> {
    Ok(match ty.kind() {
        TyKind::Real => number(element)?,
        TyKind::Tuple(types) => {
            let parts = types.iter().zip(element.as_tuple()?).map(|(ty, part)| map_numbers(ty, part, number));
            Element::tuple_of(parts.collect::<Result<Vec<_>, _>>()?)
        }
        TyKind::Data(data, arguments) if data.is_list() => {
            let parts = element.as_list()?.iter().map(|part| map_numbers(&arguments[0], part, number));
            Element::List(parts.collect::<Result<Vec<_>, _>>()?.into_iter().collect())
        }
        TyKind::Data(data, arguments) => {
            let (index, argument) = element.as_variant()?;
            Element::Variant(
                index,
                SharedBox::new(with_stack(|| map_numbers(&data.argument_types(arguments)[index], argument, number))?),
            )
        }
        TyKind::Nat | TyKind::Bool | TyKind::Unit => element.clone(),
        TyKind::Function(..) | TyKind::Tangent(_) | TyKind::Iso(..) | TyKind::Variable(..) => {
            return Err(GlueError::Type { ty: ty.to_string() });
        }
    })
}

impl FirstOrderJet {
    /// Makes the class \[γ\] of a plot over a stage.
    #[must_use]
    pub fn new(stage: CoordinateSpace, curve: Element) -> Self {
        Self { stage, curve }
    }

    /// φ^{𝒟J}: returns the jet of an element of ⟦𝒟τ⟧.
    ///
    /// # Errors
    /// [`GlueError::Type`] for a type that is not first-order, [`GlueError::Element`].
    pub fn from_coordinates(ty: &Ty, element: &Element, basis: &Basis) -> Result<Self, GlueError> {
        let stage = CoordinateSpace::new(basis.directions());
        // the polynomial with these derivatives is the plot that represents the class
        let t: Vec<Graph> = stage.coordinate_plots().collect();
        let polynomial = |jet: &Element| {
            let coefficients = representation::jet_coordinates(jet)?;
            Ok(Element::Real(representation::taylor_polynomial(basis, &coefficients, &t)))
        };
        let curve = map_numbers(ty, element, &mut { polynomial })?;
        Ok(Self { stage, curve })
    }

    /// The inverse of φ^{𝒟J}: returns the element of ⟦𝒟τ⟧ of a jet in ⟦τ⟧.
    ///
    /// # Errors
    /// Those of [`FirstOrderJet::from_coordinates`].
    pub fn coordinates(&self, ty: &Ty, basis: &Basis) -> Result<Element, GlueError> {
        let origin: Vec<Graph> = self.stage.variables().iter().map(|_| Graph::integer(0)).collect();
        let derivatives = |number: &Element| {
            let graph = number.as_real()?;
            let at = |index| representation::partial_derivative(self.stage.variables(), graph, index, &origin);
            Ok(representation::jet_of(basis.indices().iter().map(at)))
        };
        map_numbers(ty, &self.curve, &mut { derivatives })
    }

    /// Returns J(f)(x, \[γ\]) = (f x, \[γ;f\]).
    ///
    /// # Errors
    /// Those of the map.
    pub fn push_forward(&self, f: &StageFunction) -> Result<Self, ValueError> {
        Ok(Self { stage: self.stage.clone(), curve: f.apply(&self.curve)? })
    }

    /// Returns the jets of the components of a jet in a product.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] if the jet is not in a product.
    pub fn split_product(&self) -> Result<Vec<Self>, ValueError> {
        let parts = self.curve.as_tuple()?;
        Ok(parts.iter().map(|part| Self { stage: self.stage.clone(), curve: part.clone() }).collect())
    }

    /// Returns the jet in a product of jets in the factors.
    #[must_use]
    pub fn pair_jets(parts: &[Self], directions: usize) -> Self {
        // the parts have stages of their own, so all are moved to a common one
        let stage = CoordinateSpace::new(directions);
        let curve = Element::tuple_of(
            parts.iter().map(|part| part.stage.substitute_point(&part.curve, stage.coordinate_plots())),
        );
        Self { stage, curve }
    }

    /// Returns the summand of a jet in a sum, and the jet there: plots of ℝᵏ stay in one summand.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] if the jet is not in a sum.
    pub fn split_sum(&self) -> Result<(usize, Self), ValueError> {
        let (index, argument) = self.curve.as_variant()?;
        Ok((index, Self { stage: self.stage.clone(), curve: argument.clone() }))
    }

    /// Returns the jet in a sum of a jet in one summand.
    #[must_use]
    pub fn inject_into(&self, index: usize) -> Self {
        Self { stage: self.stage.clone(), curve: Element::Variant(index, SharedBox::new(self.curve.clone())) }
    }

    /// Returns another plot of the same class: `t₁^{R+1}` is added to every number.
    ///
    /// # Errors
    /// Those of [`FirstOrderJet::from_coordinates`].
    pub fn equivalent_jet(&self, ty: &Ty, basis: &Basis) -> Result<Self, GlueError> {
        let first = Graph::variable(self.stage.variables()[0]);
        // a term of order R + 1 leaves all derivatives of order at most R at 0 as they are
        let beyond = (0..basis.order()).fold(first.clone(), |t, _| Graph::binary(Binary::Multiply, &t, &first));
        let moved = |number: &Element| Ok(Element::Real(Graph::binary(Binary::Add, number.as_real()?, &beyond)));
        Ok(Self { stage: self.stage.clone(), curve: map_numbers(ty, &self.curve, &mut { moved })? })
    }

    /// Tests whether two jets are equal: the same shape, and the same derivatives of order at most R at 0.
    ///
    /// # Errors
    /// [`GlueError::Number`]; [`GlueError::Element`] where the space is not first-order.
    pub fn test_equal(&self, other: &Self, basis: &Basis) -> Result<VerdictWithValues, GlueError> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let shapes = (collect_numbers(&self.curve, &mut left)?, collect_numbers(&other.curve, &mut right)?);
        if shapes.0 != shapes.1 {
            return Ok(Verdict::refuted("the summands of two jets", shapes.0, shapes.1).into());
        }
        let (left, right) =
            (CompiledPlots::new(self.stage.variables(), &left)?, CompiledPlots::new(other.stage.variables(), &right)?);
        test_overlap(&left, &right, basis, "number")
    }
}

/// Tests whether the derivatives of order at most R of two lists of numbers overlap at 0.
fn test_overlap(
    left: &CompiledPlots,
    right: &CompiledPlots,
    basis: &Basis,
    what: &str,
) -> Result<VerdictWithValues, GlueError> {
    let origin = vec![Rational::new(); basis.directions()];
    claim::judge_in_tiers(|tier| {
        let of = |plots: &CompiledPlots| {
            Ok::<_, GlueError>(plots.enclose_derivatives(&enclose_point(&origin, tier), basis, tier)?.concat())
        };
        let name = |place: usize| {
            format!("{} of {what} {}, at 0", claim::coordinate_name(basis, place % basis.len()), place / basis.len())
        };
        Ok((claim::compare_jets(basis, &of(left)?, &of(right)?, name), true))
    })
}

/// The spread of the sizes of random programs, in heads. A choice.
const PROGRAM: usize = 20;

/// Draws a jet in ⟦τ⟧, with its coordinates in ⟦𝒟τ⟧.
fn draw_jet(ty: &Ty, basis: &Basis, random: &mut SplitMix64) -> Result<(FirstOrderJet, Element), GlueError> {
    let derived = crate::meaning::taylor::functor::TypeTranslation::new(basis.len()).translate_type(ty);
    // 8 heads for each coordinate: a choice
    let term = evaluation::draw_smooth_program(random, &derived, 8 * basis.len());
    let element = evaluation::run_program(&evaluation::core_term(&term)?)?;
    Ok((FirstOrderJet::from_coordinates(ty, &element, basis)?, element))
}

/// Returns the domain and the codomain of a function type.
fn function_types(ty: &Ty) -> Result<(&Ty, &Ty), GlueError> {
    match ty.kind() {
        TyKind::Function(a, b) => Ok((a, b)),
        _ => Err(GlueError::Type { ty: ty.to_string() }),
    }
}

/// Theorem 8 (H), at first-order types (E36): φ_τ ∘ ⟦𝒟t⟧ = J(⟦t⟧) ∘ φ_Γ.
#[must_use]
pub fn theorem_8(setting: GluingSetup) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let ty = Ty::function(first_order_type(random, 3), first_order_type(random, 3));
        let size = 10 + random.next_below(PROGRAM);
        vec![evaluation::draw_program(random, &ty, size)]
        // H states the theorem for ground types, and means first-order ones (E36)
    };
    let judge = move |sample: &TheoremSample| {
        let basis = &sample.basis;
        let (core, ty) = (evaluation::core_term(&sample.terms[0])?, &sample.terms[0].ty);
        let (from, to) = function_types(ty)?;
        let derived = setting.derive_program(&core, ty, basis)?;
        let (jet, element) = draw_jet(from, basis, &mut SplitMix64::new(sample.seed))?;
        let round = apply_all(&evaluation::run_program(&derived.term)?, [element])?;
        let left = FirstOrderJet::from_coordinates(to, &round, basis)?;
        left.test_equal(&jet.push_forward(evaluation::run_program(&core)?.as_function()?)?, basis)
    };
    TheoremTest { range: BasisRange::UpTo(3, 3), draw: Box::new(draw), judge: Box::new(judge) }
}

/// J is a functor, and acts on classes (H §6.3).
///
/// - J(id) = id.
/// - J(f) does not depend on the plot that represents the jet.
/// - J(g ∘ f) = J(g) ∘ J(f), where only the coordinates of J(f)(x, \[γ\]) are kept in between.
/// - In coordinates, J(f) is given by the formula of Faà di Bruno.
#[must_use]
pub fn functoriality() -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let [a, b, c] = [(); 3].map(|()| first_order_type(random, 2));
        let (f, g) = (3 + random.next_below(PROGRAM), 3 + random.next_below(PROGRAM));
        vec![
            evaluation::draw_program(random, &Ty::function(a, b.clone()), f),
            evaluation::draw_smooth_program(random, &Ty::function(b, c), g),
        ]
    };
    let judge = |sample: &TheoremSample| {
        let basis = &sample.basis;
        let read = |place: usize| evaluation::core_term(&sample.terms[place]);
        let (f, g) = (read(0)?, read(1)?);
        let ((a, b), (_, c)) = (function_types(&sample.terms[0].ty)?, function_types(&sample.terms[1].ty)?);
        let (jet, element) = draw_jet(a, basis, &mut SplitMix64::new(sample.seed))?;
        let formula = apply_all(&second_component(&f, basis, RepresentationMethod::FaaDiBruno)?, [element])?;
        let (f, g) =
            (evaluation::run_program(&f)?.as_function()?.clone(), evaluation::run_program(&g)?.as_function()?.clone());
        let identity = StageFunction::new(|x: &Element| Ok(x.clone()));
        let once = jet.push_forward(&f)?;
        let between = FirstOrderJet::from_coordinates(b, &once.coordinates(b, basis)?, basis)?;
        let other = jet.equivalent_jet(a, basis)?.push_forward(&f)?.equivalent_jet(b, basis)?;
        let composite = once.push_forward(&g)?;
        // a round trip through coordinates, so that the codomain's own comparison is tested as well
        let again = FirstOrderJet::from_coordinates(c, &composite.coordinates(c, basis)?, basis)?;
        Ok(jet
            .push_forward(&identity)?
            .test_equal(&jet, basis)?
            .both(once.test_equal(&other, basis)?)
            .both(composite.test_equal(&between.push_forward(&g)?, basis)?)
            .both(again.test_equal(&composite, basis)?)
            .both(once.test_equal(&FirstOrderJet::from_coordinates(b, &formula, basis)?, basis)?))
    };
    TheoremTest { range: BasisRange::UpTo(2, 3), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Lemma 7 (H): jets in a product are tuples of jets, and jets in a sum are jets in a summand. The maps in both
/// directions are inverse to each other, and so are φ^{𝒟J} and its inverse.
#[must_use]
pub fn lemma_7() -> TheoremTest<'static> {
    let judge = |sample: &TheoremSample| {
        let (basis, mut random) = (&sample.basis, SplitMix64::new(sample.seed));
        let types = [first_order_type(&mut random, 2), first_order_type(&mut random, 2)];
        let [first, second] = &types;
        let ((left, x), (right, y)) = (draw_jet(first, basis, &mut random)?, draw_jet(second, basis, &mut random)?);
        let both = FirstOrderJet::pair_jets(&[left.clone(), right.clone()], basis.directions());
        let parts = both.split_product()?;
        let product = FirstOrderJet::from_coordinates(
            &pair_type(first.clone(), second.clone()),
            &Element::tuple_of([x, y]),
            basis,
        )?;
        let index = random.next_below(2);
        let (back, inside) = left.inject_into(index).split_sum()?;
        let injected = inside.inject_into(back).test_equal(&left.inject_into(index), basis)?;
        // the same jet in two summands must be refuted, or the comparison of shapes would be void
        let wrong = left.inject_into(index).test_equal(&left.inject_into(1 - index), basis)?;
        if !wrong.is_refuted() {
            return Ok(Verdict::refuted("jets in two summands", index, 1 - index).into());
        }
        let round = FirstOrderJet::from_coordinates(first, &left.coordinates(first, basis)?, basis)?;
        Ok(parts[0]
            .test_equal(&left, basis)?
            .both(parts[1].test_equal(&right, basis)?)
            .both(FirstOrderJet::pair_jets(&parts, basis.directions()).test_equal(&both, basis)?)
            .both(product.test_equal(&both, basis)?)
            .both(inside.test_equal(&left, basis)?)
            .both(injected)
            .both(round.test_equal(&left, basis)?))
    };
    TheoremTest { range: BasisRange::UpTo(3, 3), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// The class at 0 of a plot ℝᵏ → M.
#[derive(Clone, Debug)]
#[doc(alias = "jet bundle")]
pub struct ManifoldJet {
    manifold: Manifold,
    curve: PiecewisePlot<ChartPoint>,
}

/// The coordinates of a plot near a point, in a chart.
enum ChartMembership {
    /// The graphs of the plot in the chart.
    Inside(Vec<Graph>),
    /// The point is certainly not in the chart.
    Outside,
    /// The point is not known to be in the chart, nor outside.
    Unknown,
}

/// Returns the coordinates of a plot of a manifold in a chart, near a point of its domain.
fn locate_in_chart(
    manifold: &Manifold,
    plot: &PiecewisePlot<ChartPoint>,
    at: &[Graph],
    chart: usize,
) -> Result<ChartMembership, GlueError> {
    let trial = default_smoothness_test();
    // only an open piece contains a neighbourhood of the point
    for piece in plot.pieces_containing(at, &trial)?.0.into_iter().filter(|piece| piece.region.is_open()) {
        let Some((on, transition)) = manifold.atlas().transition_between(piece.value.chart, chart) else {
            return Ok(ChartMembership::Outside);
        };
        match point_membership(&compose_graphs(&piece.value.coordinates, at), &on, &trial)? {
            Membership::Inside => {
                return Ok(ChartMembership::Inside(compose_graphs(&transition, &piece.value.coordinates)));
            }
            Membership::Outside => return Ok(ChartMembership::Outside),
            Membership::Unknown => {}
        }
    }
    Ok(ChartMembership::Unknown)
}

/// Returns all derivatives of graphs over the coordinates, at a point: `[j][α]`.
fn derivatives_at<I: AsRef<[usize]>>(graphs: &[Graph], indices: &[I], at: &[Graph]) -> Vec<Vec<Graph>> {
    // Graph::derivative binds variables, and coordinates may not be bound, so fresh variables replace them.
    let own: Vec<Variable> = at.iter().map(|_| Variable::fresh()).collect();
    let graphs = compose_graphs(graphs, &own.iter().map(|v| Graph::variable(*v)).collect::<Vec<_>>());
    let of = |g: &Graph| {
        indices.iter().map(|index| representation::partial_derivative(&own, g, &index.as_ref().to_vec(), at)).collect()
    };
    graphs.iter().map(of).collect()
}

/// Returns the jets of graphs over n coordinates after n jets, by the formula of Faà di Bruno.
///
/// | argument | shape | meaning |
/// |---|---|---|
/// | `graphs` | m | f : ℝⁿ → ℝᵐ |
/// | `jets` | n, each as long as the basis | x_α |
/// | result | m, each as long as the basis | `α! Σ_β ∂_β f (x₀) Σ_e …` |
///
/// # Errors
/// [`DiffeologyError::Dimension`] for a jet that is not as long as the basis.
pub fn faa_di_bruno_jets(
    basis: &Basis,
    graphs: &[Graph],
    jets: &[Vec<Graph>],
) -> Result<Vec<Vec<Graph>>, DiffeologyError> {
    jets.iter().try_for_each(|jet| DiffeologyError::check_dimension("a jet", basis.len(), jet.len()))?;
    // the derivatives of f are taken at the values of the jets
    let point: Vec<Graph> = jets.iter().map(|jet| jet[0].clone()).collect();
    let terms: Vec<_> = basis.indices().iter().map(|index| formula_terms(basis, index, jets.len())).collect();
    let coordinate = |g: &Graph| {
        let of = |terms: &Vec<FaaDiBrunoTerm>| {
            terms.iter().fold(Graph::integer(0), |sum, term| {
                let partial = derivatives_at(std::slice::from_ref(g), &[&term.beta], &point)[0][0].clone();
                let scaled = Graph::binary(Binary::Multiply, &Graph::rational(term.coefficient.clone()), &partial);
                let powers = term.powers.iter().flat_map(|(place, j, e)| (0..*e).map(|_| &jets[*j][*place]));
                let product = powers.fold(scaled, |product, x| Graph::binary(Binary::Multiply, &product, x));
                Graph::binary(Binary::Add, &sum, &product)
            })
        };
        terms.iter().map(of).collect()
    };
    Ok(graphs.iter().map(coordinate).collect())
}

/// Returns the origin of ℝᵏ.
fn origin_graphs(directions: usize) -> Vec<Graph> {
    vec![Graph::integer(0); directions]
}

impl ManifoldJet {
    /// Makes the class \[γ\] of a plot γ on a neighbourhood of 0 in ℝᵏ. The caller guarantees that it is a plot.
    #[must_use]
    pub fn new(manifold: &Manifold, curve: PiecewisePlot<ChartPoint>) -> Self {
        Self { manifold: manifold.clone(), curve }
    }

    /// Returns the jet of `t ↦ Σ x_α t^α/α!` in a chart, on the region where the polynomial lies in the chart.
    ///
    /// # Errors
    /// [`GlueError::Space`] when there is no such chart, or it has another dimension.
    pub fn from_coordinates(
        manifold: &Manifold,
        chart: usize,
        jets: &[Vec<Graph>],
        basis: &Basis,
    ) -> Result<Self, GlueError> {
        let domain = OpenSet::whole_space(basis.directions());
        let t = coordinate_graphs(basis.directions());
        let graphs: Vec<Graph> = jets.iter().map(|jet| representation::taylor_polynomial(basis, jet, &t)).collect();
        let plot = manifold.plot_in_chart(&domain, chart, &graphs)?;
        let region = PieceRegion::preimage_of(graphs, &manifold.atlas().charts()[chart]);
        Ok(Self::new(manifold, manifold.glue_pieces(&domain, vec![(region, plot)])))
    }

    /// Draws a jet in a chart. Returns it with the chart and its coordinates there.
    ///
    /// # Errors
    /// Those of [`ManifoldJet::from_coordinates`].
    pub fn draw_in_chart(
        manifold: &Manifold,
        basis: &Basis,
        random: &mut SplitMix64,
    ) -> Result<(Self, usize, Vec<Vec<Graph>>), GlueError> {
        // the point itself must lie in the chart; the derivatives may be any numbers
        let x = manifold.draw_point(random);
        let mut number =
            || Graph::rational(Rational::from((random.next_below(9) as i64 - 4, *random.pick(&[1, 2, 4]))));
        let mut jet = |x| std::iter::once(x).chain((1..basis.len()).map(|_| number())).collect::<Vec<_>>();
        let jets: Vec<_> = x.coordinates.into_iter().map(&mut jet).collect();
        Ok((Self::from_coordinates(manifold, x.chart, &jets, basis)?, x.chart, jets))
    }

    /// Returns M.
    #[must_use]
    pub fn manifold(&self) -> &Manifold {
        &self.manifold
    }

    /// Returns the plot γ.
    #[must_use]
    pub fn curve(&self) -> &PiecewisePlot<ChartPoint> {
        &self.curve
    }

    /// Returns the coordinates of the plot in a chart, near 0.
    fn locate_at_zero(&self, chart: usize) -> Result<ChartMembership, GlueError> {
        locate_in_chart(&self.manifold, &self.curve, &origin_graphs(self.curve.domain().dimension()), chart)
    }

    /// Returns the charts that are known to contain the point.
    ///
    /// # Errors
    /// [`GlueError::Space`] if the plot cannot be evaluated.
    pub fn known_charts(&self) -> Result<Vec<usize>, GlueError> {
        let mut charts = Vec::new();
        for chart in 0..self.manifold.atlas().charts().len() {
            if let ChartMembership::Inside(_) = self.locate_at_zero(chart)? {
                charts.push(chart);
            }
        }
        Ok(charts)
    }

    /// Makes the error for a chart that is not known to contain the point.
    fn outside_chart_error(&self, chart: usize) -> GlueError {
        let at = origin_graphs(self.curve.domain().dimension());
        let found = self
            .manifold
            .value_at(&self.curve, &at, &default_smoothness_test())
            .map(|x| self.manifold.describe_point(&x, &default_smoothness_test()));
        GlueError::Chart { point: found.unwrap_or_else(|error| error.to_string()), chart }
    }

    /// Returns the derivatives at 0 in a chart, `[j][α]`.
    ///
    /// # Errors
    /// [`GlueError::Chart`] if the chart is not known to contain the point; [`GlueError::Space`].
    pub fn coordinates(&self, chart: usize, basis: &Basis) -> Result<Vec<Vec<Graph>>, GlueError> {
        let ChartMembership::Inside(graphs) = self.locate_at_zero(chart)? else {
            return Err(self.outside_chart_error(chart));
        };
        Ok(derivatives_at(&graphs, basis.indices(), &origin_graphs(basis.directions())))
    }

    /// Returns J(f)(x, \[γ\]) = (f x, \[γ;f\]).
    ///
    /// # Errors
    /// Those of the map.
    pub fn push_forward(&self, f: &SmoothMap<Manifold, Manifold>) -> Result<Self, GlueError> {
        Ok(Self::new(f.codomain(), f.compose_plot(&self.curve)?))
    }

    /// Returns J(f)(x, \[γ\]) by the formula of Faà di Bruno, from coordinates in a chart around x to a chart around
    /// f(x).
    ///
    /// # Errors
    /// [`GlueError::Chart`], [`GlueError::Space`], and those of the map.
    pub fn push_by_formula(
        &self,
        f: &SmoothMap<Manifold, Manifold>,
        from: usize,
        to: usize,
        basis: &Basis,
    ) -> Result<Self, GlueError> {
        let jets = self.coordinates(from, basis)?;
        let point: Vec<Graph> = jets.iter().map(|jet| jet[0].clone()).collect();
        let open = &self.manifold.atlas().charts()[from];
        // the inverse of the chart, as a plot of M over the chart: f after it is f in local coordinates
        let inverse = self.manifold.plot_in_chart(open, from, &coordinate_graphs(open.dimension()))?;
        let ChartMembership::Inside(local) = locate_in_chart(f.codomain(), &f.compose_plot(&inverse)?, &point, to)?
        else {
            return Err(self.push_forward(f)?.outside_chart_error(to));
        };
        Self::from_coordinates(f.codomain(), to, &faa_di_bruno_jets(basis, &local, &jets)?, basis)
    }

    /// Returns another plot of the same class: `t₁^{R+1}` is added to every coordinate.
    ///
    /// # Errors
    /// [`GlueError::Space`]
    pub fn equivalent_jet(&self, basis: &Basis) -> Result<Self, GlueError> {
        let t = coordinate_graphs(basis.directions());
        let beyond = (0..basis.order()).fold(t[0].clone(), |power, _| Graph::binary(Binary::Multiply, &power, &t[0]));
        let charts = self.manifold.atlas().charts();
        let mut pieces = Vec::new();
        for piece in self.curve.pieces() {
            let (chart, x) = (piece.value.chart, &piece.value.coordinates);
            let moved: Vec<Graph> = x.iter().map(|x| Graph::binary(Binary::Add, x, &beyond)).collect();
            let plot = self.manifold.plot_in_chart(self.curve.domain(), chart, &moved)?;
            // the moved plot must stay in the chart, which holds near 0
            pieces.push((piece.region.intersect_with(&PieceRegion::preimage_of(moved, &charts[chart])), plot));
        }
        Ok(Self::new(&self.manifold, PiecewisePlot::join_pieces(self.curve.domain(), pieces)))
    }

    /// Tests whether two jets of one manifold are equal: in each chart that contains both points, the derivatives of
    /// order at most R agree.
    ///
    /// The verdict is *refuted* if the derivatives differ in any chart, or if a chart certainly contains only one of
    /// the points. It is *vacuous* if no chart is known to contain both points.
    ///
    /// # Errors
    /// [`GlueError::Space`], [`GlueError::Number`].
    pub fn test_equal(&self, other: &Self, basis: &Basis) -> Result<VerdictWithValues, GlueError> {
        let variables = coordinate_variables(basis.directions());
        let mut all = VerdictWithValues::from(Verdict::Vacuous);
        for chart in 0..self.manifold.atlas().charts().len() {
            all = all.and(match (self.locate_at_zero(chart)?, other.locate_at_zero(chart)?) {
                (ChartMembership::Inside(left), ChartMembership::Inside(right)) => {
                    let (left, right) =
                        (CompiledPlots::new(&variables, &left)?, CompiledPlots::new(&variables, &right)?);
                    test_overlap(&left, &right, basis, &format!("chart {chart}, coordinate"))?
                }
                (ChartMembership::Inside(_), ChartMembership::Outside) => {
                    Verdict::refuted(format!("chart {chart}"), "inside", "outside").into()
                }
                (ChartMembership::Outside, ChartMembership::Inside(_)) => {
                    Verdict::refuted(format!("chart {chart}"), "outside", "inside").into()
                }
                _ => Verdict::Vacuous.into(),
            });
        }
        Ok(all)
    }
}
