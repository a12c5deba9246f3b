//! Primitives of numbers, given by pieces. That they are pieces is proven.

use super::{ForeignError, ForeignFunction, PrimitiveGuards, undefined_primitive};
use crate::pieces::analytic::analyticity_conditions;
use crate::pieces::proof::{SetPoints, find_points};
use crate::pieces::{GuardCondition, SignGuard, SignTest};
use crate::presheaf::dynamic::Element;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{SourceId, ValueError};
use rustc_hash::FxHashSet;

/// A piece of a primitive of numbers.
#[derive(Clone, Debug)]
pub struct PrimitivePiece {
    guards: Vec<GuardCondition>,
    value: Graph,
    slopes: Vec<Graph>,
}

impl PrimitivePiece {
    /// Builds a piece: the points where tests of maps hold or fail, with an analytic map and its partial derivatives there.
    ///
    /// All maps are over the variables of the primitive.
    #[must_use]
    pub fn new(guards: Vec<(Graph, SignTest, bool)>, value: &Graph, slopes: Vec<Graph>) -> Self {
        let decided = |(graph, test, holds): (Graph, SignTest, bool)| GuardCondition {
            guard: SignGuard::new(&graph, test, SourceId::NOWHERE),
            holds,
            is_condition: false,
        };
        Self { guards: guards.into_iter().map(decided).collect(), value: value.clone(), slopes }
    }
}

/// A primitive ℝⁿ → ℝ, given by its pieces. It has no value outside them.
#[derive(Clone, Debug)]
pub struct PiecewisePrimitive {
    name: String,
    variables: Vec<Variable>,
    parts: Vec<PrimitivePiece>,
}

/// Substitutions of graphs for variables.
type Bindings = Vec<(Variable, Graph)>;

/// The most combinations of failing guards that are examined for a gap; a choice.
const MAX_COVER_CASES: usize = 500;

impl PiecewisePrimitive {
    /// Builds the primitive of these pieces.
    ///
    /// It proves, by [roots of guards and enclosures](crate::pieces::proof), that no two pieces have a common point. It also
    /// proves that the maps, their derivatives and the guards are analytic where they are used; a guard is used only after those
    /// before it. That the derivatives are those of the map is tested, not proven.
    ///
    /// # Errors
    /// [`ForeignError::NoPieces`], [`ForeignError::NoDerivative`], [`ForeignError::Variable`], [`ForeignError::Opaque`];
    /// [`ForeignError::NotAnalytic`] and [`ForeignError::Overlap`] with a point; [`ForeignError::Unproven`] if neither a proof
    /// nor such a point was found.
    pub fn new(name: &str, variables: Vec<Variable>, parts: Vec<PrimitivePiece>) -> Result<Self, ForeignError> {
        let own = || name.to_owned();
        if parts.is_empty() {
            return Err(ForeignError::NoPieces { name: own() });
        }
        let found = Self { name: own(), variables, parts };
        for part in &found.parts {
            let (expected, count) = (found.variables.len(), part.slopes.len());
            if expected != count {
                return Err(ForeignError::NoDerivative { name: own(), expected, found: count });
            }
            // a guard is used only where all guards before it were answered as on the piece
            for (place, decided) in part.guards.iter().enumerate() {
                found.require_analytic(&decided.guard.graph, &part.guards[..place])?;
            }
            for map in part.slopes.iter().chain([&part.value]) {
                found.require_analytic(map, &part.guards)?;
            }
        }
        for (place, part) in found.parts.iter().enumerate() {
            for other in &found.parts[..place] {
                match find_points(&[&other.guards[..], &part.guards].concat(), &found.variables) {
                    SetPoints::None => {}
                    SetPoints::Unknown => return Err(found.unproven_error("no two pieces have a point in common")),
                    known => return Err(ForeignError::Overlap { name: own(), point: known.to_string() }),
                }
            }
        }
        Ok(found)
    }

    /// Checks that the pieces cover ℝⁿ, and returns the primitive.
    ///
    /// # Errors
    /// [`ForeignError::Gap`], with a point on no piece; [`ForeignError::Unproven`].
    pub fn require_cover(self) -> Result<Self, ForeignError> {
        let mut ways: Vec<(usize, Vec<GuardCondition>)> = vec![(0, Vec::new())];
        let mut looked = 0;
        while let Some((place, way)) = ways.pop() {
            looked += 1;
            let found = find_points(&way, &self.variables);
            if found == SetPoints::None {
                continue;
            }
            match self.parts.get(place) {
                None if found == SetPoints::Unknown => return Err(self.unproven_error("its pieces cover the space")),
                None => return Err(ForeignError::Gap { name: self.name, point: found.to_string() }),
                Some(_) if looked > MAX_COVER_CASES => return Err(self.unproven_error("its pieces cover the space")),
                // a point off the piece fails one of its guards first: branch over which one
                Some(part) => ways.extend((0..part.guards.len()).map(|first| {
                    let mut next = [&way[..], &part.guards[..=first]].concat();
                    if let Some(last) = next.last_mut() {
                        last.holds = !last.holds;
                    }
                    (place + 1, next)
                })),
            }
        }
        Ok(self)
    }

    fn unproven_error(&self, what: &str) -> ForeignError {
        ForeignError::Unproven { name: self.name.clone(), what: what.to_owned() }
    }

    /// Fails unless it is proven that a map is analytic wherever the guards `on` are answered as they say.
    fn require_analytic(&self, g: &Graph, on: &[GuardCondition]) -> Result<(), ForeignError> {
        let own = || self.name.clone();
        if g.free_variables().iter().any(|v| !self.variables.contains(v)) {
            return Err(ForeignError::Variable { name: own() });
        }
        for need in analyticity_conditions(g, &FxHashSet::default())
            .map_err(|what| ForeignError::Opaque { name: own(), what })?
        {
            // a counterexample satisfies the guards and fails every alternative of the need
            let what = format!("`{}`", need.operation);
            let fails = need.any.iter().map(|decided| GuardCondition { holds: !decided.holds, ..decided.clone() });
            let all: Vec<GuardCondition> = on.iter().cloned().chain(fails).collect();
            match find_points(&all, &self.variables) {
                SetPoints::None => {}
                SetPoints::Unknown => return Err(self.unproven_error(&format!("{what} is analytic where it is asked"))),
                found => return Err(ForeignError::NotAnalytic { name: own(), what, point: found.to_string() }),
            }
        }
        Ok(())
    }

    /// Returns the piece on which numbers lie, with the numbers bound to the variables.
    fn find_piece(
        &self,
        world: &dyn PrimitiveGuards,
        numbers: &[Graph],
    ) -> Result<(&PrimitivePiece, Bindings), ValueError> {
        let bindings: Vec<_> = self.variables.iter().copied().zip(numbers.iter().cloned()).collect();
        for part in &self.parts {
            let mut all = true;
            for GuardCondition { guard, holds, .. } in &part.guards {
                // a guard is asked only if those before it were answered as on the piece: elsewhere it need not be analytic
                all = all && world.decide_test(&guard.graph.substitute(&bindings), guard.test)? == *holds;
            }
            if all {
                return Ok((part, bindings));
            }
        }
        Err(undefined_primitive(&self.name))
    }
}

impl ForeignFunction for PiecewisePrimitive {
    fn name(&self) -> &str {
        &self.name
    }
    fn domain_type(&self) -> Ty {
        match &self.variables[..] {
            [_] => Ty::real(),
            all => Ty::new(TyKind::Tuple(vec![Ty::real(); all.len()])),
        }
    }
    fn value_on_piece(&self, world: &dyn PrimitiveGuards, x: &Element) -> Result<Graph, ValueError> {
        let numbers: Vec<Graph> = x.coordinates()?.into_iter().cloned().collect();
        let (part, bindings) = self.find_piece(world, &numbers)?;
        Ok(part.value.substitute(&bindings))
    }
    fn dual_on_piece(&self, world: &dyn PrimitiveGuards, x: &Element) -> Result<[Graph; 2], ValueError> {
        let numbers: Vec<Graph> = x.coordinates()?.into_iter().cloned().collect();
        let values: Vec<Graph> = numbers.iter().step_by(2).cloned().collect();
        let (part, bindings) = self.find_piece(world, &values)?;
        let terms = part.slopes.iter().zip(numbers.iter().skip(1).step_by(2));
        let terms = terms.map(|(slope, v)| Graph::binary(Binary::Multiply, &slope.substitute(&bindings), v));
        // the chain rule: the sum of ∂ᵢc · xᵢ′
        let slope = terms.reduce(|a, b| Graph::binary(Binary::Add, &a, &b)).unwrap_or_else(|| Graph::integer(0));
        Ok([part.value.substitute(&bindings), slope])
    }
}
