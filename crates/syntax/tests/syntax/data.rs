//! Of `syntax::data`.

use smoothish_syntax::syntax::data::*;
use smoothish_syntax::syntax::ty::Ty;

#[test]
fn lists_are_a_type_of_two_constructors() {
    let list = DataType::list();
    assert_eq!(list.to_string(), "type List A = [] | :: (A * List A)");
    assert!(Constructor::nil().is_nil() && Constructor::cons().is_cons() && !Constructor::cons().is_nil());
    assert_eq!(Constructor::cons().scheme().to_string(), "A * List A -> List A");
    let domains: Vec<String> = list.argument_types(&[Ty::real()]).iter().map(Ty::to_string).collect();
    assert_eq!(domains, ["unit", "Real * List Real"]);
}

#[test]
fn types_of_the_same_form_are_two() {
    let one = || DataType::new("M".into(), "T".into(), Vec::new(), vec![("C".into(), Some(Ty::real()))]);
    let (first, second) = (one(), one());
    assert_eq!(first, first.clone());
    assert_ne!(first, second);
    assert_ne!(first.generic_type(), second.generic_type());
    assert_eq!(first.to_string(), "type T = | C Real");
}
