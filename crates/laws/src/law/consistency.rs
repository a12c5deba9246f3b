//! Consistency of the towers of programs of ground type (S Prop. 5.4, S53), as a law over terms.
//!
//! A program of type `Real -> Real` denotes a map ℝ ⇝ ℝ, also if it uses functions of functions inside. Its tower, as
//! computed by jets, is given to the [refuter](Consistency) of successive consistency.
//!
//! One rule is not tested on every program. In S §4.1 the derivative of a set is ⊥. Here a part that does not depend on
//! the input has the derivative 0, since it is one closed graph at every point. This holds also if its value is a set,
//! as that of `argmin01 (\x => 0)`. For programs with such a part, a refutation by [`Reason::Successive`] is vacuous.

use super::graphs::nodes;
use super::property::Property;
use super::term::Term;
use crate::meaning::presheaf::Interpreter;
use crate::number::Mpfr;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::Element;
use crate::smooth::graph::{Graph, Operation, Variable};
use crate::smooth::tower::Tower;
use crate::smooth::tower::consistency::{Consistency, Examined, Reason};
use crate::syntax::library::Library;
use crate::syntax::source::Span;
use crate::syntax::term::Term as Core;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;
use std::sync::Arc;
use std::time::Duration;

/// The time limit to interpret a program. A choice.
const TIME: Duration = Duration::from_millis(200);

/// Returns the graph of a program of type `Real -> Real` at a variable. Returns `None` if it cannot be interpreted in
/// time.
fn graph(term: &Core, variable: Variable) -> Option<Graph> {
    let element = Interpreter::new(Arc::new(Budget::within(TIME))).interpret(term).ok()?;
    let value = element.as_function().ok()?.apply(&Element::Real(Graph::variable(variable))).ok()?;
    value.as_real().ok().cloned()
}

/// Tests **Prop. 5.4** on a program of type `Real -> Real`. A mere doubt of the refuter counts as survival, because no
/// computation sees a limit.
pub fn of_program(term: &Core, how: &Consistency) -> Verdict {
    let variable = Variable::fresh();
    let Some(graph) = graph(term, variable) else { return Verdict::Vacuous };
    of_map(&[graph], &[variable], how)
}

/// Returns `true` if some part does not depend on the variables and is more than a number.
fn has_a_constant_part(graph: &Graph, variables: &[Variable]) -> bool {
    let atom = |g: &Graph| matches!(g.operation(), Operation::Rational(_) | Operation::Pi | Operation::Euler);
    let rests =
        |g: &Graph| !variables.iter().any(|v| g.depends_on(*v)) && !matches!(g.operation(), Operation::Variable(_));
    nodes(graph).iter().any(|g| rests(g) && !atom(g))
}

/// Tests the consistency of a map given by graphs over variables.
pub fn of_map(graphs: &[Graph], variables: &[Variable], how: &Consistency) -> Verdict {
    // a choice: 96 bits are clearly more than the refuter's tolerances need
    let context = Mpfr::new(96);
    match Tower::<Mpfr>::by_jets(graphs, variables).and_then(|tower| how.refute(&tower, &context)) {
        Ok(Examined::Refuted(why))
            if why.reason == Reason::Successive && graphs.iter().any(|g| has_a_constant_part(g, variables)) =>
        {
            Verdict::Vacuous
        }
        Ok(Examined::Refuted(why)) => {
            Verdict::refuted(format!("{:?}, {}", why.reason, why.sample), &why.left, &why.right)
        }
        Ok(Examined::Survived { asked: 0 }) | Err(_) => Verdict::Vacuous,
        Ok(Examined::Survived { .. } | Examined::Doubtful(_)) => Verdict::Survived,
    }
}

/// Returns the law that a program has a consistent tower for all terms of its first `binders` types. The program has
/// the type `T₁ -> … -> Tₙ -> Real -> Real`.
///
/// # Errors
/// Returns a message if the program has no such type.
pub fn property(library: &Library, binders: usize, program: &str, how: Consistency) -> Result<Property, String> {
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
    Ok(Property::new(types, move |terms: &[Term]| {
        let apply = |f: Core, term: &Term| Some(Core::apply(f, term.core()?, Span::default()));
        let applied = terms.iter().try_fold(program.clone(), apply);
        // the shrinker may leave an argument that is not closed
        applied.map_or(Verdict::Vacuous, |term| of_program(&term, &how))
    }))
}
