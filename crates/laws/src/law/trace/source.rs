//! The source transformation, which writes programs without `rd`.

use super::reverse::twice;
use super::{Outcome, sample};
use super::{rational, same, shown};
use crate::random::Random;
use crate::trace::environment::Environment;
use crate::trace::hooks::Library;
use crate::trace::source::written_out_by;
use crate::trace::term::{Term, TermKind};
use crate::trace::tidy::tidy_program;
use crate::trace::typing::{FunctionTypes, Variables, type_of};
use crate::verdict::Verdict;
use crate::wrong::TraceRules;

/// Tests programs and their first and second derivatives, written out. They have no `rd`, they have the right types,
/// and their values are those of the relations; so are those of the simplified programs. Recursions are not limited.
pub fn source_is_accumulated(random: Random, rules: &dyn TraceRules) -> Verdict {
    let sample = sample(random);
    let parameters = [(sample.x.clone(), sample.ty.clone())];
    let [first, second] = twice(&sample);
    let mut all = Verdict::Vacuous;
    for (term, ty) in [(&sample.term, &sample.codomain), (&first, &sample.ty), (&second, &sample.ty)] {
        let Outcome::Defined(written) = Outcome::of(written_out_by(rules, &parameters, term)) else { continue };
        // simplification must succeed on every program that was written out
        let Outcome::Defined(tidied) = Outcome::of(tidy_program(&parameters, &written)) else {
            return Verdict::refuted("in fewer words", shown(&written), "nothing");
        };
        for program in [&written, &tidied] {
            let variables = Variables::default().with(&sample.x, sample.ty.clone());
            let found = type_of(&FunctionTypes::default(), &variables, program);
            if found.as_ref() != Ok(ty) || has_reverse(program) {
                return Verdict::refuted(shown(program), format!("{found:?}"), ty.to_string());
            }
            for point in &sample.points {
                let rho = Environment::of(&sample.x, point.clone());
                let at = || format!("{} = {point} in {}", sample.x.name(), shown(&sample.term));
                all = all.and(same(at, rational(&Library, &rho, term), rational(&Library, &rho, program)));
            }
        }
    }
    all
}

/// Returns `true` if a reverse derivative occurs in the term.
fn has_reverse(term: &Term) -> bool {
    let mut found = matches!(term.kind(), TermKind::Reverse { .. });
    term.kind().children(|part| found = found || crate::stack::deep(|| has_reverse(part)));
    found
}
