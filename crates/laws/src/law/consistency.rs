//! Consistency of the towers of programs of ground type (S Prop. 5.4, S53), as a law over terms.
//!
//! A program of type `Real -> Real` denotes a map ℝ ⇝ ℝ, also if it uses functions of functions inside. Its tower, as
//! computed by jets, is given to the [refuter](Consistency) of successive consistency.
//!
//! One rule is not tested on every program. In S §4.1 the derivative of a set is ⊥. Here a part that does not depend on
//! the input has the derivative 0, since it is one closed graph at every point. This holds also if its value is a set,
//! as that of `argmin01 (\x => 0)`. For programs with such a part, a refutation by [`ViolatedCondition::Successive`] is vacuous.

use super::graphs::graph_nodes;
use super::property::Property;
use super::term::TestTerm;
use crate::meaning::presheaf::PresheafInterpreter;
use crate::number::Mpfr;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::Element;
use crate::smooth::graph::{Graph, NodeOperation, Variable};
use crate::smooth::tower::Tower;
use crate::smooth::tower::consistency::{CheckOutcome, Consistency, ViolatedCondition};
use crate::syntax::library::Library;
use crate::syntax::source::Span;
use crate::syntax::term::Term as Core;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;
use std::sync::Arc;
use std::time::Duration;

/// The time limit to interpret a program. A choice.
const INTERPRETATION_TIME: Duration = Duration::from_millis(200);

/// Returns the graph of a program of type `Real -> Real` at a variable. Returns `None` if it cannot be interpreted in
/// time.
pub(super) fn interpret_at(term: &Core, variable: Variable) -> Option<Graph> {
    let element = PresheafInterpreter::new(Arc::new(Budget::with_time_limit(INTERPRETATION_TIME)))
        .interpret_program(term)
        .ok()?;
    let value = element.as_function().ok()?.apply(&Element::Real(Graph::variable(variable))).ok()?;
    value.as_real().ok().cloned()
}

/// Tests **Prop. 5.4** on a program of type `Real -> Real`. A mere doubt of the refuter counts as survival, because no
/// computation sees a limit.
pub fn check_program(term: &Core, how: &Consistency) -> Verdict {
    let variable = Variable::fresh();
    let Some(graph) = interpret_at(term, variable) else { return Verdict::Vacuous };
    check_map(&[graph], &[variable], how)
}

/// Returns `true` if some part does not depend on the variables and is more than a number.
fn has_constant_part(graph: &Graph, variables: &[Variable]) -> bool {
    let atom =
        |g: &Graph| matches!(g.operation(), NodeOperation::Rational(_) | NodeOperation::Pi | NodeOperation::Euler);
    let rests =
        |g: &Graph| !variables.iter().any(|v| g.depends_on(*v)) && !matches!(g.operation(), NodeOperation::Variable(_));
    graph_nodes(graph).iter().any(|g| rests(g) && !atom(g))
}

/// Tests the consistency of a map given by graphs over variables.
pub fn check_map(graphs: &[Graph], variables: &[Variable], how: &Consistency) -> Verdict {
    // a choice: 96 bits are clearly more than the refuter's tolerances need
    let context = Mpfr::new(96);
    match Tower::<Mpfr>::by_jets(graphs, variables).and_then(|tower| how.refute(&tower, &context)) {
        Ok(CheckOutcome::Refuted(why))
            if why.reason == ViolatedCondition::Successive
                && graphs.iter().any(|g| has_constant_part(g, variables)) =>
        {
            Verdict::Vacuous
        }
        Ok(CheckOutcome::Refuted(why)) => {
            Verdict::refuted(format!("{:?}, {}", why.reason, why.sample), &why.left, &why.right)
        }
        Ok(CheckOutcome::Survived { asked: 0 }) | Err(_) => Verdict::Vacuous,
        Ok(CheckOutcome::Survived { .. } | CheckOutcome::Doubtful(_)) => Verdict::Survived,
    }
}

/// Returns the law that a program has a consistent tower for all terms of its first `binders` types. The program has
/// the type `T₁ -> … -> Tₙ -> Real -> Real`.
///
/// # Errors
/// Returns a message if the program has no such type.
pub fn consistency_property(
    library: &Library,
    binders: usize,
    program: &str,
    how: Consistency,
) -> Result<Property, String> {
    let (program, ty) = library.infer_expression(program).map_err(|e| format!("{program}: {e}"))?;
    let mut rest = ty.clone();
    let mut types: Vec<Ty> = Vec::with_capacity(binders);
    for _ in 0..binders {
        let TyKind::Function(domain, codomain) = rest.kind() else {
            return Err(format!("expected {binders} arguments, found the type {ty}"));
        };
        types.push(domain.clone());
        rest = codomain.clone();
    }
    if rest != Ty::function(Ty::real(), Ty::real()) {
        return Err(format!("expected Real -> Real after {binders} arguments, found {rest}"));
    }
    Ok(Property::new(types, move |terms: &[TestTerm]| {
        let apply = |f: Core, term: &TestTerm| Some(Core::apply(f, term.to_core()?, Span::default()));
        let applied = terms.iter().try_fold(program.clone(), apply);
        // the shrinker may leave an argument that is not closed
        applied.map_or(Verdict::Vacuous, |term| check_program(&term, &how))
    }))
}
