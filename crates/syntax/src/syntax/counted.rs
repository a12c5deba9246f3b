//! Explanations why a variable without a written type is a natural number: it is compared by `==`.

use super::constant::Constant;
use super::name::Name;
use super::source::Span;
use super::term::{Term, TermKind};
use super::ty::TyKind;
use crate::stack::deep;

/// A variable that is inferred to be a natural number because it is compared by `==` or `/=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
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

impl Counted {
    /// Returns the reason, as the end of a sentence.
    #[must_use]
    pub fn because(&self) -> String {
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
pub enum Difference {
    /// A variable of the difference is compared by `==`.
    Counted(Counted),
    /// No variable of it is compared. The name is that of the minuend, or else of the subtrahend, if one is a variable.
    Other(Option<Name>),
}

/// Explains the difference of natural numbers whose sign has the span `at`. `None` if the program has none there.
#[must_use]
pub fn difference(program: &Term, at: Span) -> Option<Difference> {
    Walk { at, binders: Vec::new(), functions: Vec::new() }.find(program)
}

/// Returns the first parameter of a function that is a natural number because it is compared. `None` if there is none.
#[must_use]
pub fn parameter(mut program: &Term) -> Option<Counted> {
    loop {
        program = match program.kind() {
            TermKind::Let { body, .. } | TermKind::LetRec { body, .. } => body,
            TermKind::Lambda { name, body } if matches!(program.domain().kind(), TyKind::Nat) => {
                match compared(body, 0) {
                    Some((sign, span)) => return Some(Counted { name: name.clone(), sign, span, header: None }),
                    None => body,
                }
            }
            TermKind::Lambda { body, .. } => body,
            _ => return None,
        }
    }
}

/// A binder around the current subterm, with the term in which its variable is in scope.
struct Binder<'t> {
    name: &'t Name,
    scope: &'t Term,
}

/// A named function around the current subterm: the beginning of its text, and its parameters. `first` is the position
/// of the first parameter among the binders.
struct Function<'t> {
    beginning: String,
    parameters: Vec<&'t Name>,
    first: usize,
}

struct Walk<'t> {
    at: Span,
    binders: Vec<Binder<'t>>,
    functions: Vec<Function<'t>>,
}

impl<'t> Walk<'t> {
    fn find(&mut self, term: &'t Term) -> Option<Difference> {
        deep(|| match term.kind() {
            TermKind::Apply { function, argument: right } => match function.kind() {
                TermKind::Apply { function: minus, argument: left }
                    // Subtraction is curried: the inner application has the left operand, and the sign its span.
                    if matches!(minus.kind(), TermKind::Constant(Constant::NaturalDifference))
                        && minus.span() == self.at =>
                {
                    Some(self.explained(left, right))
                }
                _ => self.find(function).or_else(|| self.find(right)),
            },
            TermKind::Lambda { name, body } => self.under(name, body),
            TermKind::Let { name, value, body } => {
                self.named(format!("let {name}"), value).or_else(|| self.under(name, body))
            }
            TermKind::LetRec { name, value, body } => {
                // The value of a `let rec` is in scope of its own name, so the binder surrounds it too.
                self.binders.push(Binder { name, scope: value });
                let found = self.named(format!("let rec {name}"), value);
                self.binders.pop();
                found.or_else(|| self.under(name, body))
            }
            TermKind::Match { scrutinee, branches, .. } => self
                .find(scrutinee)
                .or_else(|| branches.iter().find_map(|branch| self.under(&branch.name, &branch.body))),
            kind => kind.children().find_map(|child| self.find(child)),
        })
    }

    fn under(&mut self, name: &'t Name, body: &'t Term) -> Option<Difference> {
        self.binders.push(Binder { name, scope: body });
        let found = self.find(body);
        self.binders.pop();
        found
    }

    /// Searches the value of a `let`, which may be a function of parameters.
    fn named(&mut self, beginning: String, value: &'t Term) -> Option<Difference> {
        let (mut parameters, mut rest) = (Vec::new(), value);
        while let TermKind::Lambda { name, body } = rest.kind() {
            parameters.push(name);
            rest = body;
        }
        self.functions.push(Function { beginning, parameters, first: self.binders.len() });
        let found = self.find(value);
        self.functions.pop();
        found
    }

    fn explained(&self, left: &Term, right: &Term) -> Difference {
        let mut variables = Vec::new();
        free(left, &mut variables);
        free(right, &mut variables);
        let counted = variables.into_iter().find_map(|index| {
            // Binders are pushed from the outside, and indices count from the inside.
            let place = self.binders.len().checked_sub(index + 1)?;
            let Binder { name, scope } = &self.binders[place];
            let (sign, span) = compared(scope, 0)?;
            Some(Counted { name: (*name).clone(), sign, span, header: self.header(place) })
        });
        counted.map_or_else(
            || {
                Difference::Other([left, right].into_iter().find_map(|side| match side.kind() {
                    TermKind::Variable { name, .. } => Some(name.clone()),
                    _ => None,
                }))
            },
            Difference::Counted,
        )
    }

    /// Returns the text of a named function before and after the type of the parameter at `place` among the binders.
    /// `None` if the binder is no parameter of a named function.
    fn header(&self, place: usize) -> Option<[String; 2]> {
        let of =
            |function: &&Function<'_>| function.first <= place && place < function.first + function.parameters.len();
        let Function { beginning, parameters, first } = self.functions.iter().rev().find(of)?;
        let names = |names: &[&Name]| names.iter().map(|name| format!(" {name}")).collect::<String>();
        let (before, after) = parameters.split_at(place - first);
        let (name, after) = after.split_first()?;
        Some([format!("{beginning}{} ({name} : ", names(before)), format!("){} = …", names(after))])
    }
}

/// Collects the variables of a term that do not stand under a binder inside it.
fn free(term: &Term, found: &mut Vec<usize>) {
    deep(|| match term.kind() {
        TermKind::Variable { index, .. } => found.push(*index),
        TermKind::Lambda { .. } | TermKind::Let { .. } | TermKind::LetRec { .. } | TermKind::Match { .. } => {}
        kind => kind.children().for_each(|child| free(child, found)),
    });
}

/// Searches a comparison of a variable by `==` or `/=`; returns its operator and its span. `None` if there is none.
fn compared(term: &Term, variable: usize) -> Option<(&'static str, Span)> {
    // Index arithmetic as everywhere: under each binder the variable has an index one larger.
    let is_it = |term: &Term| matches!(term.kind(), TermKind::Variable { index, .. } if *index == variable);
    deep(|| match term.kind() {
        TermKind::Apply { function, argument: right } => match function.kind() {
            TermKind::Apply { function: sign, argument: left } if is_it(left) || is_it(right) => match sign.kind() {
                TermKind::Constant(constant) if constant.equates_naturals() => {
                    Some((constant.operator().unwrap_or_default(), term.span()))
                }
                _ => None,
            },
            _ => None,
        }
        .or_else(|| compared(function, variable))
        .or_else(|| compared(right, variable)),
        TermKind::Lambda { body, .. } => compared(body, variable + 1),
        TermKind::Let { value, body, .. } => compared(value, variable).or_else(|| compared(body, variable + 1)),
        TermKind::LetRec { value, body, .. } => compared(value, variable + 1).or_else(|| compared(body, variable + 1)),
        TermKind::Match { scrutinee, branches, .. } => compared(scrutinee, variable)
            .or_else(|| branches.iter().find_map(|branch| compared(&branch.body, variable + 1))),
        kind => kind.children().find_map(|child| compared(child, variable)),
    })
}
