//! Maps of spheres (H §6.3), in their stereographic charts.
//!
//! The point x of chart 0 of [`Manifold::sphere`] is the point `(2x, 1 − |x|²)/(1 + |x|²)` of ℝⁿ⁺¹. In chart 1 the last
//! coordinate, the height h, has the opposite sign. So the charts map (p, h) to p/(1 + h) and to p/(1 − h). A map of
//! ℝⁿ⁺¹ that maps the sphere to itself induces a map of manifolds.

use super::atlas::AtlasError;
use super::error::DiffeologyError;
use super::manifold::{ChartPoint, Manifold};
use super::map::SmoothMap;
use super::open::{OpenInterval, OpenSet};
use super::piecewise::PiecewisePlot;
use super::region::PieceRegion;
use super::reparametrisation::compose_graphs;
use crate::smooth::graph::{Binary, Graph, Unary};
use crate::smooth::map::untyped::{DynMap, coordinate_graphs, coordinate_variables};

fn add_graphs(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Add, a, b)
}

/// Returns |x|².
fn squared_length(x: &[Graph]) -> Graph {
    x.iter().fold(Graph::integer(0), |sum, x| add_graphs(&sum, &Graph::binary(Binary::Multiply, x, x)))
}

/// Returns the point of ℝⁿ⁺¹ with the given coordinates in a chart of the sphere.
fn ambient_point(x: &ChartPoint) -> Vec<Graph> {
    let (one, norm) = (Graph::integer(1), squared_length(&x.coordinates));
    let below = add_graphs(&one, &norm);
    let height = Graph::binary(Binary::Divide, &Graph::binary(Binary::Subtract, &one, &norm), &below);
    let twice = |x: &Graph| Graph::binary(Binary::Divide, &add_graphs(x, x), &below);
    let height = if x.chart == 0 { height } else { Graph::unary(Unary::Negate, &height) };
    x.coordinates.iter().map(twice).chain([height]).collect()
}

/// Returns the inclusion Sⁿ → ℝⁿ⁺¹.
///
/// # Errors
/// The errors of [`Manifold::sphere`].
pub fn sphere_inclusion(n: usize) -> Result<SmoothMap<Manifold, Manifold>, AtlasError> {
    let (sphere, space) = (Manifold::sphere(n)?, Manifold::euclidean_space(n + 1)?);
    Ok(SmoothMap::new(
        &sphere,
        &space,
        |p| Ok(p.map_pieces(|x| ChartPoint { chart: 0, coordinates: ambient_point(x) })),
    ))
}

/// Returns the inverse ℝⁿ → Sⁿ of a chart.
///
/// # Errors
/// The errors of [`Manifold::sphere`]; [`DiffeologyError::Shape`] if there is no such chart.
pub fn stereographic_inverse(n: usize, chart: usize) -> Result<SmoothMap<Manifold, Manifold>, AtlasError> {
    let (space, sphere) = (Manifold::euclidean_space(n)?, Manifold::sphere(n)?);
    let charts = sphere.atlas().charts().len();
    if chart >= charts {
        let expected = format!("a chart below {charts}");
        return Err(DiffeologyError::Shape { expected, found: format!("chart {chart}") }.into());
    }
    Ok(SmoothMap::new(&space, &sphere, move |p| {
        Ok(p.map_pieces(|x| ChartPoint { chart, coordinates: x.coordinates.clone() }))
    }))
}

/// Restricts a map ℝⁿ⁺¹ → ℝⁿ⁺¹, given by graphs over the coordinates, to a map Sⁿ → Sⁿ. The map should map the sphere
/// to itself. Otherwise its values in the two charts are different points, and [`SmoothMap::test_smoothness`] refutes it.
///
/// # Errors
/// - The errors of [`Manifold::sphere`].
/// - [`DiffeologyError::Dimension`] if the number of graphs is not n + 1.
/// - [`DiffeologyError::Map`] if a graph mentions a variable that is no coordinate.
pub fn restrict_to_sphere(n: usize, graphs: &[Graph]) -> Result<SmoothMap<Manifold, Manifold>, AtlasError> {
    let sphere = Manifold::sphere(n)?;
    DiffeologyError::check_dimension("the list of graphs", n + 1, graphs.len())?;
    DynMap::of_graphs(&coordinate_variables(n + 1), graphs).map_err(DiffeologyError::from)?;
    let (graphs, nonzero) =
        (graphs.to_vec(), OpenSet::new(1, vec![vec![OpenInterval::ray_below(0)], vec![OpenInterval::ray_above(0)]])?);
    Ok(SmoothMap::new(&sphere, &sphere, move |p| {
        let mut pieces = Vec::new();
        for piece in p.pieces() {
            DiffeologyError::check_dimension("a point of the sphere", n, piece.value.coordinates.len())?;
            let moved = compose_graphs(&graphs, &ambient_point(&piece.value));
            let (one, height) = (Graph::integer(1), &moved[n]);
            // A chart is defined where its denominator is not 0; at each point at least one of the two is.
            let below = [add_graphs(&one, height), Graph::binary(Binary::Subtract, &one, height)];
            for (chart, below) in below.into_iter().enumerate() {
                let divided = |x: &Graph| Graph::binary(Binary::Divide, x, &below);
                let value = ChartPoint { chart, coordinates: moved[..n].iter().map(divided).collect() };
                let region = piece.region.intersect_with(&PieceRegion::preimage_of(vec![below.clone()], &nonzero));
                pieces.push((region, PiecewisePlot::single_piece(p.domain(), value)));
            }
        }
        Ok(PiecewisePlot::join_pieces(p.domain(), pieces))
    }))
}

/// Returns the antipodal map x ↦ −x on Sⁿ.
///
/// # Errors
/// The errors of [`Manifold::sphere`].
pub fn antipodal_map(n: usize) -> Result<SmoothMap<Manifold, Manifold>, AtlasError> {
    let opposite: Vec<_> = coordinate_graphs(n + 1).iter().map(|x| Graph::unary(Unary::Negate, x)).collect();
    restrict_to_sphere(n, &opposite)
}

/// Returns a rotation of Sⁿ, n ≥ 1, in the plane of the last two coordinates of ℝⁿ⁺¹, by the angle with cosine 3/5 and
/// sine 4/5. It moves both poles.
///
/// # Errors
/// The errors of [`Manifold::sphere`].
pub fn sphere_rotation(n: usize) -> Result<SmoothMap<Manifold, Manifold>, AtlasError> {
    let mut x = coordinate_graphs(n + 1);
    if let Some([a, h]) = x.last_chunk::<2>().cloned() {
        // A Pythagorean triple keeps all coefficients rational, and decisions exact.
        let fifths = |p: i64, g: &Graph| Graph::binary(Binary::Multiply, &Graph::rational((p, 5).into()), g);
        x[n - 1] = Graph::binary(Binary::Subtract, &fifths(3, &a), &fifths(4, &h));
        x[n] = add_graphs(&fifths(4, &a), &fifths(3, &h));
    }
    restrict_to_sphere(n, &x)
}

/// Returns the double cover S¹ → S¹, which squares the complex number h + ip.
///
/// # Errors
/// The errors of [`Manifold::sphere`].
pub fn double_cover() -> Result<SmoothMap<Manifold, Manifold>, AtlasError> {
    let x = coordinate_graphs(2);
    let product = |a: &Graph, b: &Graph| Graph::binary(Binary::Multiply, a, b);
    let (p, h) = (&x[0], &x[1]);
    let twice = product(&Graph::integer(2), &product(p, h));
    // (h + ip)² = (h² − p²) + 2hp·i
    restrict_to_sphere(1, &[twice, Graph::binary(Binary::Subtract, &product(h, h), &product(p, p))])
}

/// Returns the map x ↦ |x|² from ℝⁿ to ℝ.
///
/// # Errors
/// The errors of [`Manifold::euclidean_space`].
pub fn squared_norm(n: usize) -> Result<SmoothMap<Manifold, Manifold>, AtlasError> {
    let (space, line) = (Manifold::euclidean_space(n)?, Manifold::euclidean_space(1)?);
    Ok(SmoothMap::new(&space, &line, |p| {
        Ok(p.map_pieces(|x| ChartPoint { chart: 0, coordinates: vec![squared_length(&x.coordinates)] }))
    }))
}
