//! Theories with laws that say nothing: a message, at its place, with the way out.

use super::with;

#[track_caller]
fn refused(text: &str, expected: &[&str]) {
    match with(&format!("theory Own extends Prelude, Integral\n{text}")) {
        Ok(_) => panic!("loaded: {text}"),
        Err(report) => {
            for part in expected {
                assert!(report.contains(part), "{text}\n{report}");
            }
            assert!(report.contains("--> own.theory:"), "{report}");
        }
    }
}

#[test]
fn citations_are_of_the_bibliography() {
    refused("cite Nobody1900 \"1\"", &["no text is cited as `Nobody1900`", "as in Sherman2021"]);
    refused("cite Sherman2020 \"1\"", &["no text is cited as `Sherman2020`", "did you mean `Sherman2021`?"]);
}

#[test]
fn conditions_are_known_and_fit() {
    let law = |condition: &str| format!("law l (f : Real -> Real) (x : Real) : f x ~ f x where {condition}");
    refused(&law("smoth f"), &["the condition `smoth` is not known", "did you mean `smooth`?"]);
    refused(&law("odd f"), &["conditions are smooth f, increasing f, positive e, apart e f"]);
    refused(&law("apart x"), &["`apart` takes 2 arguments, found 1"]);
    refused(&law("positive x x"), &["`positive` takes 1 argument, found 2"]);
    refused(&law("smooth (\\z => f z)"), &["this is no variable of it", "`positive e` and `apart e f`"]);
    refused(&law("smooth x"), &["nothing of type Real is smooth", "it is for functions"]);
    let sampled = "type Curve = Real -> Real sample Curve = abs law l (f : Curve) : f 0 ~ f 0 where smooth f";
    refused(sampled, &["samples of Curve are made by its constructors", "write the type that the name stands for"]);
    refused(&law("increasing sin"), &["this is no variable of it"]);
    refused(&law("positive f"), &["expected a program of type Real, found Real -> Real"]);
    refused(&law("positive y"), &["the name `y` is not known here"]);
    refused(&law(""), &["expected a condition"]);
}

#[test]
fn types_are_determined() {
    refused("law l x : x ~ x", &["the type of `x` is not determined", "write its type, as in (x : Real)"]);
    refused("law l (i : Real ≅ Real) : i.to 1 ~ 1", &["no samples are made of type Real ~= Real", "its two sides"]);
    refused("law l (x : Real) : x ~ (x, x)", &["expected Real, found Real^2"]);
    refused("law l (v : Tan Real) : v ~ v", &["values of type Tan Real cannot be compared", "by `.to`"]);
    refused("law l (x : Real) : x within 1 of 2", &["`=`, `~`, `>=` or `derives` in a law, since `within`"]);
    refused("law l (x : Real) : x >= y .. 1", &["expected a number at each end of an interval, found `y`"]);
    refused("law l (x : Real) : x >= 2 .. 1", &["an upper end that is not below the lower one"]);
}

#[test]
fn samplers_begin_and_fit() {
    refused("sample Real -> Real = sin", &["`sample` is for a named type"]);
    refused("sample Integral Real = \\(m : Integral Real) => m", &["no constructor begins", "numbers or functions"]);
    refused("sample Integral Real = dirac", &["expected a constructor of (Real -> Real) -> Real"]);
    refused("sample Integral Real = \\(x : Real) => x", &["found one of Real"]);
    refused("sample Intgral Real = uniform", &["the type `Intgral` is not known here"]);
}

#[test]
fn lines_speak_of_what_exists() {
    refused("model towr : all", &["there is no model `towr`", "did you mean `tower`?"]);
    refused("model float : all", &["there is no model `float`"]);
    refused(
        "law l (x : Real) : x ~ x model tower : all except m because \"x\"",
        &["there is no law or claim `m` here"],
    );
    refused("law l (x : Real) : x ~ x model tower : all except l", &["expected `because` and the reason"]);
    refused("law l (x : Real) : x ~ x law l (x : Real) : x ~ x", &["`l` is defined twice in the module `Own`"]);
    refused("refuted claim l : 1 ~ 1", &["expected `law` after `refuted`"]);
}
