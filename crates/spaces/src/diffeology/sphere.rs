//! Maps of spheres (H §6.3), in their stereographic charts.
//!
//! The point x of chart 0 of [`Manifold::sphere`] is the point `(2x, 1 − |x|²)/(1 + |x|²)` of ℝⁿ⁺¹; in chart 1 the last number,
//! the height, has the other sign. So the charts take (p, h) to p/(1 + h) and to p/(1 − h), and a map of ℝⁿ⁺¹ that sends the
//! sphere to itself becomes a map of manifolds.

use super::atlas::AtlasError;
use super::error::DiffeologyError;
use super::manifold::{InChart, Manifold};
use super::map::Smooth;
use super::open::{Interval, Open};
use super::piecewise::Piecewise;
use super::region::Region;
use super::reparametrisation::composed;
use crate::smooth::graph::{Binary, Graph, Unary};
use crate::smooth::map::untyped::{Untyped, coordinates, variables};

fn add(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Add, a, b)
}

fn square(x: &[Graph]) -> Graph {
    x.iter().fold(Graph::integer(0), |sum, x| add(&sum, &Graph::binary(Binary::Multiply, x, x)))
}

/// The point of ℝⁿ⁺¹ with these coordinates in a chart.
fn ambient(x: &InChart) -> Vec<Graph> {
    let (one, norm) = (Graph::integer(1), square(&x.coordinates));
    let below = add(&one, &norm);
    let height = Graph::binary(Binary::Divide, &Graph::binary(Binary::Subtract, &one, &norm), &below);
    let twice = |x: &Graph| Graph::binary(Binary::Divide, &add(x, x), &below);
    let height = if x.chart == 0 { height } else { Graph::unary(Unary::Negate, &height) };
    x.coordinates.iter().map(twice).chain([height]).collect()
}

/// The inclusion Sⁿ → ℝⁿ⁺¹.
///
/// # Errors
/// Those of [`Manifold::sphere`].
pub fn inclusion(n: usize) -> Result<Smooth<Manifold, Manifold>, AtlasError> {
    let (sphere, space) = (Manifold::sphere(n)?, Manifold::euclidean(n + 1)?);
    Ok(Smooth::new(&sphere, &space, |p| Ok(p.each(|x| InChart { chart: 0, coordinates: ambient(x) }))))
}

/// The inverse of a chart, ℝⁿ → Sⁿ.
///
/// # Errors
/// Those of [`Manifold::sphere`]; [`DiffeologyError::Shape`] when there is no such chart.
pub fn stereographic(n: usize, chart: usize) -> Result<Smooth<Manifold, Manifold>, AtlasError> {
    let (space, sphere) = (Manifold::euclidean(n)?, Manifold::sphere(n)?);
    let charts = sphere.atlas().charts().len();
    if chart >= charts {
        let expected = format!("a chart below {charts}");
        return Err(DiffeologyError::Shape { expected, found: format!("chart {chart}") }.into());
    }
    Ok(Smooth::new(&space, &sphere, move |p| Ok(p.each(|x| InChart { chart, coordinates: x.coordinates.clone() }))))
}

/// The map Sⁿ → Sⁿ of a map ℝⁿ⁺¹ → ℝⁿ⁺¹, given by graphs over the coordinates, that sends the sphere to itself. Of one that
/// does not, the two charts tell different points, and [`Smooth::tried`] finds out.
///
/// # Errors
/// Those of [`Manifold::sphere`]; [`DiffeologyError::Dimension`] when there are not n + 1 graphs, [`DiffeologyError::Map`]
/// when one mentions another variable.
pub fn restricted(n: usize, graphs: &[Graph]) -> Result<Smooth<Manifold, Manifold>, AtlasError> {
    let sphere = Manifold::sphere(n)?;
    DiffeologyError::fits("the list of graphs", n + 1, graphs.len())?;
    Untyped::of_graphs(&variables(n + 1), graphs).map_err(DiffeologyError::from)?;
    let (graphs, nonzero) = (graphs.to_vec(), Open::new(1, vec![vec![Interval::below(0)], vec![Interval::above(0)]])?);
    Ok(Smooth::new(&sphere, &sphere, move |p| {
        let mut pieces = Vec::new();
        for piece in p.pieces() {
            DiffeologyError::fits("a point of the sphere", n, piece.value.coordinates.len())?;
            let moved = composed(&graphs, &ambient(&piece.value));
            let (one, height) = (Graph::integer(1), &moved[n]);
            let below = [add(&one, height), Graph::binary(Binary::Subtract, &one, height)];
            for (chart, below) in below.into_iter().enumerate() {
                let divided = |x: &Graph| Graph::binary(Binary::Divide, x, &below);
                let value = InChart { chart, coordinates: moved[..n].iter().map(divided).collect() };
                let region = piece.region.and(&Region::where_map(vec![below.clone()], &nonzero));
                pieces.push((region, Piecewise::whole(p.domain(), value)));
            }
        }
        Ok(Piecewise::joined(p.domain(), pieces))
    }))
}

/// x ↦ −x on Sⁿ
///
/// # Errors
/// Those of [`Manifold::sphere`].
pub fn antipode(n: usize) -> Result<Smooth<Manifold, Manifold>, AtlasError> {
    let opposite: Vec<_> = coordinates(n + 1).iter().map(|x| Graph::unary(Unary::Negate, x)).collect();
    restricted(n, &opposite)
}

/// The rotation of Sⁿ, n ≥ 1, by the angle of (3/5, 4/5) in the plane of the last two coordinates of ℝⁿ⁺¹: it moves both poles.
///
/// # Errors
/// Those of [`Manifold::sphere`].
pub fn rotation(n: usize) -> Result<Smooth<Manifold, Manifold>, AtlasError> {
    let mut x = coordinates(n + 1);
    if let Some([a, h]) = x.last_chunk::<2>().cloned() {
        let fifths = |p: i64, g: &Graph| Graph::binary(Binary::Multiply, &Graph::rational((p, 5).into()), g);
        x[n - 1] = Graph::binary(Binary::Subtract, &fifths(3, &a), &fifths(4, &h));
        x[n] = add(&fifths(4, &a), &fifths(3, &h));
    }
    restricted(n, &x)
}

/// The double cover S¹ → S¹: the square of the complex number h + ip.
///
/// # Errors
/// Those of [`Manifold::sphere`].
pub fn double_cover() -> Result<Smooth<Manifold, Manifold>, AtlasError> {
    let x = coordinates(2);
    let product = |a: &Graph, b: &Graph| Graph::binary(Binary::Multiply, a, b);
    let (p, h) = (&x[0], &x[1]);
    let twice = product(&Graph::integer(2), &product(p, h));
    restricted(1, &[twice, Graph::binary(Binary::Subtract, &product(h, h), &product(p, p))])
}

/// x ↦ |x|², ℝⁿ → ℝ
///
/// # Errors
/// Those of [`Manifold::euclidean`].
pub fn squared_norm(n: usize) -> Result<Smooth<Manifold, Manifold>, AtlasError> {
    let (space, line) = (Manifold::euclidean(n)?, Manifold::euclidean(1)?);
    Ok(Smooth::new(&space, &line, |p| Ok(p.each(|x| InChart { chart: 0, coordinates: vec![square(&x.coordinates)] }))))
}
