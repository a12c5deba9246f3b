//! Explanations why a variable without a written type is a natural number: it is compared by `==`.

use super::constant::Constant;
use super::name::Name;
use super::source::Span;
use super::term::{Term, TermKind};
use super::ty::TyKind;
use crate::stack::with_stack;

/// A variable that is inferred to be a natural number because it is compared by `==` or `/=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaturalVariable {
    /// The name of the variable.
    pub name: Name,
    /// The operator of the comparison, `==` or `/=`.
    pub sign: &'static str,
    /// The span of the comparison.
    pub span: Span,
    /// The beginning of the function of which the variable is a parameter, around its type: `let f (x : `, and `) = …`.
    /// `None` if no named function has this parameter.
    pub header: Option<[String; 2]>,
}

impl NaturalVariable {
    /// Returns the reason, as the end of a sentence.
    #[must_use]
    pub fn reason_clause(&self) -> String {
        format!("`{}` is a natural number because it is compared by `{}`", self.name, self.sign)
    }

    /// Returns how to write the type of a real variable, and that of a natural one whose differences stop at 0.
    #[must_use]
    pub fn help(&self) -> String {
        let name = &self.name;
        let real = match &self.header {
            Some([before, after]) => format!("{before}Real{after}"),
            None => format!("({name} : Real)"),
        };
        format!("real numbers: {real}; natural ones that stop at 0: ({name} : Nat)")
    }
}

/// The explanation of a difference of natural numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DifferenceCause {
    /// A variable of the difference is compared by `==`.
    ComparedByEquality(NaturalVariable),
    /// No variable of it is compared. The name is that of the minuend, or else of the subtrahend, if one is a variable.
    NotCompared(Option<Name>),
}

/// Explains the difference of natural numbers whose sign has the span `at`. `None` if the program has none there.
#[must_use]
pub fn explain_difference(program: &Term, at: Span) -> Option<DifferenceCause> {
    DifferenceSearch { at, binders: Vec::new(), functions: Vec::new() }.find(program)
}

/// Returns the first parameter of a function that is a natural number because it is compared. `None` if there is none.
#[must_use]
pub fn find_natural_parameter(mut program: &Term) -> Option<NaturalVariable> {
    loop {
        program = match program.kind() {
            TermKind::Let { body, .. } | TermKind::LetRec { body, .. } => body,
            TermKind::Lambda { name, body } if matches!(program.domain().kind(), TyKind::Nat) => {
                match find_equality_test(body, 0) {
                    Some((sign, span)) => {
                        return Some(NaturalVariable { name: name.clone(), sign, span, header: None });
                    }
                    None => body,
                }
            }
            TermKind::Lambda { body, .. } => body,
            _ => return None,
        }
    }
}

/// A binder around the current subterm, with the term in which its variable is in scope.
struct ScopedBinder<'t> {
    name: &'t Name,
    scope: &'t Term,
}

/// A named function around the current subterm: the beginning of its text, and its parameters. `first` is the position
/// of the first parameter among the binders.
struct NamedFunction<'t> {
    beginning: String,
    parameters: Vec<&'t Name>,
    first: usize,
}

struct DifferenceSearch<'t> {
    at: Span,
    binders: Vec<ScopedBinder<'t>>,
    functions: Vec<NamedFunction<'t>>,
}

impl<'t> DifferenceSearch<'t> {
    fn find(&mut self, term: &'t Term) -> Option<DifferenceCause> {
        with_stack(|| match term.kind() {
            TermKind::Apply { function, argument: right } => match function.kind() {
                TermKind::Apply { function: minus, argument: left }
                    // Subtraction is curried: the inner application has the left operand, and the sign its span.
                    if matches!(minus.kind(), TermKind::Constant(Constant::NaturalDifference))
                        && minus.span() == self.at =>
                {
                    Some(self.explain_operands(left, right))
                }
                _ => self.find(function).or_else(|| self.find(right)),
            },
            TermKind::Lambda { name, body } => self.find_under_binder(name, body),
            TermKind::Let { name, value, body } => {
                self.find_in_definition(format!("let {name}"), value).or_else(|| self.find_under_binder(name, body))
            }
            TermKind::LetRec { name, value, body } => {
                // The value of a `let rec` is in scope of its own name, so the binder surrounds it too.
                self.binders.push(ScopedBinder { name, scope: value });
                let found = self.find_in_definition(format!("let rec {name}"), value);
                self.binders.pop();
                found.or_else(|| self.find_under_binder(name, body))
            }
            TermKind::Match { scrutinee, branches, .. } => self
                .find(scrutinee)
                .or_else(|| branches.iter().find_map(|branch| self.find_under_binder(&branch.name, &branch.body))),
            kind => kind.children().find_map(|child| self.find(child)),
        })
    }

    fn find_under_binder(&mut self, name: &'t Name, body: &'t Term) -> Option<DifferenceCause> {
        self.binders.push(ScopedBinder { name, scope: body });
        let found = self.find(body);
        self.binders.pop();
        found
    }

    /// Searches the value of a `let`, which may be a function of parameters.
    fn find_in_definition(&mut self, beginning: String, value: &'t Term) -> Option<DifferenceCause> {
        let (mut parameters, mut rest) = (Vec::new(), value);
        while let TermKind::Lambda { name, body } = rest.kind() {
            parameters.push(name);
            rest = body;
        }
        self.functions.push(NamedFunction { beginning, parameters, first: self.binders.len() });
        let found = self.find(value);
        self.functions.pop();
        found
    }

    fn explain_operands(&self, left: &Term, right: &Term) -> DifferenceCause {
        let mut variables = Vec::new();
        collect_free_variables(left, &mut variables);
        collect_free_variables(right, &mut variables);
        let counted = variables.into_iter().find_map(|index| {
            // Binders are pushed from the outside, and indices count from the inside.
            let place = self.binders.len().checked_sub(index + 1)?;
            let ScopedBinder { name, scope } = &self.binders[place];
            let (sign, span) = find_equality_test(scope, 0)?;
            Some(NaturalVariable { name: (*name).clone(), sign, span, header: self.split_function_header(place) })
        });
        counted.map_or_else(
            || {
                DifferenceCause::NotCompared([left, right].into_iter().find_map(|side| match side.kind() {
                    TermKind::Variable { name, .. } => Some(name.clone()),
                    _ => None,
                }))
            },
            DifferenceCause::ComparedByEquality,
        )
    }

    /// Returns the text of a named function before and after the type of the parameter at `place` among the binders.
    /// `None` if the binder is no parameter of a named function.
    fn split_function_header(&self, place: usize) -> Option<[String; 2]> {
        let of = |function: &&NamedFunction<'_>| {
            function.first <= place && place < function.first + function.parameters.len()
        };
        let NamedFunction { beginning, parameters, first } = self.functions.iter().rev().find(of)?;
        let names = |names: &[&Name]| names.iter().map(|name| format!(" {name}")).collect::<String>();
        let (before, after) = parameters.split_at(place - first);
        let (name, after) = after.split_first()?;
        Some([format!("{beginning}{} ({name} : ", names(before)), format!("){} = …", names(after))])
    }
}

/// Collects the variables of a term that do not stand under a binder inside it.
fn collect_free_variables(term: &Term, found: &mut Vec<usize>) {
    with_stack(|| match term.kind() {
        TermKind::Variable { index, .. } => found.push(*index),
        TermKind::Lambda { .. } | TermKind::Let { .. } | TermKind::LetRec { .. } | TermKind::Match { .. } => {}
        kind => kind.children().for_each(|child| collect_free_variables(child, found)),
    });
}

/// Searches a comparison of a variable by `==` or `/=`; returns its operator and its span. `None` if there is none.
fn find_equality_test(term: &Term, variable: usize) -> Option<(&'static str, Span)> {
    // Index arithmetic as everywhere: under each binder the variable has an index one larger.
    let is_it = |term: &Term| matches!(term.kind(), TermKind::Variable { index, .. } if *index == variable);
    with_stack(|| match term.kind() {
        TermKind::Apply { function, argument: right } => match function.kind() {
            TermKind::Apply { function: sign, argument: left } if is_it(left) || is_it(right) => match sign.kind() {
                TermKind::Constant(constant) if constant.equates_naturals() => {
                    Some((constant.operator_sign().unwrap_or_default(), term.span()))
                }
                _ => None,
            },
            _ => None,
        }
        .or_else(|| find_equality_test(function, variable))
        .or_else(|| find_equality_test(right, variable)),
        TermKind::Lambda { body, .. } => find_equality_test(body, variable + 1),
        TermKind::Let { value, body, .. } => {
            find_equality_test(value, variable).or_else(|| find_equality_test(body, variable + 1))
        }
        TermKind::LetRec { value, body, .. } => {
            find_equality_test(value, variable + 1).or_else(|| find_equality_test(body, variable + 1))
        }
        TermKind::Match { scrutinee, branches, .. } => find_equality_test(scrutinee, variable)
            .or_else(|| branches.iter().find_map(|branch| find_equality_test(&branch.body, variable + 1))),
        kind => kind.children().find_map(|child| find_equality_test(child, variable)),
    })
}
