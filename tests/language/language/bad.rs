//! What is refused, where, and with which words. A row is: the program; what is marked in it, after the line and
//! column; what the message must contain; what the help or note must contain, if anything.

use super::{answer, library};
use smoothish::syntax::source::decode_utf8;

pub(super) type Row = (&'static str, &'static str, &'static str, &'static str);

const FORM: &[Row] = &[
    ("", "1:1", "expected an expression, found nothing", "for example: deriv"),
    ("  ! only a comment\n", "2:1", "expected an expression, found nothing", ""),
    ("(1 + 2", "1:7", "expected `)`, found the end", "opened here"),
    ("max (1 2", "1:9", "expected `)`, found the end", "opened here"),
    ("((1)", "1:5", "expected `)`, found the end", "opened here"),
    ("x[0", "1:4", "expected `]`, found the end", "opened here"),
    ("(1, 2]", "1:6", "expected `)`, found `]`", "opened here"),
    ("1 + 2)", "1:6", "this `)` closes nothing", "remove it"),
    (")", "1:1", "this `)` closes nothing", ""),
    ("1 +", "1:4", "expected an expression, found the end", ""),
    ("* 2", "1:1", "expected an expression, found `*`", ""),
    ("(,)", "1:2", "expected an expression, found `,`", ""),
    ("1 2 in 3", "1:5", "expected the end of the program, found `in`", ""),
    ("let x = 2", "1:10", "expected `in` after the value of `x`, found the end", "let x = 2 in x^2"),
    ("let = 2 in 3", "1:5", "expected the name that is defined, found `=`", ""),
    ("let x 2", "1:7", "expected a parameter, found `2`", ""),
    ("let f X = 1 in f", "", "", ""),
    ("let rec x = x + 1 in x", "1:9", "`x` is recursive but not a function", "let rec x (n : Nat)"),
    ("let rec (a, b) = 1 in a", "1:9", "expected the name that is defined, found `(`", ""),
    ("\\ => 1", "1:3", "expected a parameter, found `=>`", ""),
    ("\\x -> 1", "1:4", "expected a parameter, found `->`", "\\x => e"),
    ("\\x y : Real => 1", "1:6", "expected `=>`, or parentheses as in (x y : Real), found `:`", ""),
    ("\\(x y) => 1", "1:6", "expected `:` and the type of these parameters, found `)`", ""),
    ("\\(x, x) => 1", "1:6", "`x` is bound twice here", ""),
    ("\\x x => 1", "1:4", "`x` is bound twice here", ""),
    ("\\X => 1", "1:2", "the variable `X` begins with a capital letter, like a type", "small letter: x"),
    ("if tt then 1", "1:13", "expected `else`, as every `if` has both answers, found the end", ""),
    ("if tt 1 else 2", "1:9", "expected `then` after the condition, found `else`", ""),
    ("[1, 2", "1:6", "expected `]`, found the end", "opened here"),
    ("[1, ]", "1:5", "expected an expression, found `]`", ""),
    ("[,]", "1:2", "expected an expression, found `,`", ""),
    ("x[a]", "1:3", "expected the number of a component, a literal such as 0, found `a`", "a space before it: f [x]"),
    ("1 | 2", "1:3", "expected the end of the program, found `|`", ""),
    ("1 ::", "1:5", "expected an expression, found the end", ""),
    ("match", "1:6", "expected an expression, found the end", ""),
    ("match 1", "1:8", "expected `with` after what is matched, found the end", ""),
    ("match 1 with", "1:13", "expected a case: a constructor, `[]` or `x :: rest`, found the end", ""),
    ("match 1 with 2 => 3", "1:14", "expected a case: a constructor, `[]` or `x :: rest`, found `2`", ""),
    (
        "match 1 with _ => 3",
        "1:14",
        "`_` is no case: a match names every constructor, there is no case for all others",
        "",
    ),
    (
        "match 1 with x => 3",
        "1:14",
        "`x` is no case: a match names every constructor, there is no case for all others",
        "",
    ),
    ("match 1 with [] -> 3", "1:17", "expected `=>` after the case, found `->`", ""),
    ("match 1 with [x] => 3", "1:15", "expected `]`, as a case is `[]` or `x :: rest`, found `x`", ""),
    ("match 1 with Just (Just x) => 3", "1:20", "a case looks one constructor deep", "match again inside"),
    ("match 1 with Just Nothing => 3", "1:19", "a case looks one constructor deep", "match again inside"),
    ("match 1 with x :: [] => 3", "1:19", "a case looks one constructor deep", "match again inside"),
    ("match 1 with x :: x => 3", "1:19", "`x` is bound twice here", ""),
    ("match 1 with Box (x, x) => 3", "1:22", "`x` is bound twice here", ""),
    ("match 1 with data.Just x => 3", "1:18", "expected `::`", ""),
    ("match 1 with Data.just x => 3", "1:19", "expected the name of a constructor, with a capital initial", ""),
    ("let match = 1 in match", "1:5", "expected the name that is defined, found `match`", ""),
    ("x[0.5]", "1:3", "expected the number of a component", ""),
    ("x.y", "1:3", "`.y` is not a part of anything", "x[1]"),
    ("maximizer.map", "1:11", "`.map` is not a part of anything", "Maximizer.map"),
    ("Integral.map.fold", "1:14", "`.fold` is not a part of anything", ""),
    ("2x", "1:2", "`2` and `x` stand together", "2 * x"),
    ("2e", "1:2", "`2` and `e` stand together", "2 * e"),
    ("(1 + 2)2", "1:8", "`)` and `2` stand together", "a power is written ^2"),
    ("\\(x : Real^2) => x[0]2", "1:22", "`]` and `2` stand together", "a power is written ^2"),
    ("sin x²", "1:6", "`sin x²` can be read in two ways", "`sin (x²)` or `(sin x)²`"),
    ("\\(x : Tan Real^2) => x", "1:15", "`Tan Real^2` can be read in two ways", "`Tan (Real^2)`"),
    ("1 < 2 < 3", "1:7", "`<` cannot be chained", "a < b && b < c"),
    ("\\(i : A ≅ B ≅ C) => i", "1:13", "`≅` cannot be chained", "parentheses"),
    ("n != 2", "1:3", "`!=` is not an operator", "/="),
    ("1 # 2", "1:3", "the character `#` (U+0023) has no meaning here", "a comment begins with `!`"),
    ("1 & 2", "1:3", "the character `&`", "&&"),
    ("\u{7}", "1:1", "the character `\\u{7}` (U+0007) has no meaning here", ""),
    ("2 – 1", "1:3", "the character `–`", "the minus sign is -"),
    ("∫ x", "1:1", "the character `∫`", "integral a b"),
    ("\"text", "1:1", "has no closing quotation mark", ""),
    ("\"text\"", "1:1", "expected an expression, found `\"text\"`", ""),
    ("x⁻", "1:2", "expected raised digits after the raised minus", ""),
    ("²", "1:1", "expected an expression, found `²`", ""),
    ("(1 : )", "1:6", "expected a type, found `)`", ""),
    ("\\(x : Real -> ) => x", "1:15", "expected a type, found `)`", ""),
    ("\\(x : Real^n) => x", "1:12", "expected the number of components, a literal such as 2, found `n`", ""),
    ("\\(x : Real^-1) => x", "1:12", "expected the number of components", ""),
    ("\\(x : Real⁻¹) => x", "1:11", "expected the number of components", ""),
    ("1e400", "", "", ""),
    ("1e999999999", "1:1", "decimal exponents from -100000 to 100000", ""),
    ("1e-99999999999999999999", "1:1", "decimal exponents from -100000 to 100000", ""),
    (
        "(\\x => x^1000000) 2",
        "1:10",
        "the exponent 1000000 is too large: literal exponents from -100000 to 100000",
        "exp (1000000 * log x)",
    ),
    ("2^(-1e9)", "1:3", "the exponent (-1e9) is too large", ""),
    ("2¹⁰⁰⁰⁰⁰⁰", "1:2", "the exponent 1000000 is too large", ""),
    ("\\(x : Real^1000000000) => x", "1:12", "a tuple of 1000000000 components is too wide: at most 10000", ""),
    ("\\(x : Real^99999999999999999999999) => x", "1:12", "is too wide: at most 10000", ""),
];

const NAMES: &[Row] = &[
    ("dervi sin 0", "1:1", "the name `dervi` is not known here", "did you mean `deriv`?"),
    ("rleu 1", "1:1", "the name `rleu` is not known here", "`relu`"),
    ("ReLU 1", "1:1", "the name `ReLU` is not known here", "`relu`"),
    ("let radius = 1 in raduis", "1:19", "the name `raduis` is not known here", "`radius`"),
    ("tangentR.to", "1:1", "the name `tangentR` is not known here", "`tangent_R`"),
    ("ln 2", "1:1", "the name `ln` is not known here", "`log`"),
    ("true", "1:1", "the name `true` is not known here", "`tt`"),
    ("integrate sin", "1:1", "the name `integrate` is not known here", "integral01 f"),
    ("zzzzzzzz", "1:1", "the name `zzzzzzzz` is not known here", ""),
    ("Integral.mop", "1:1", "the name `Integral.mop` is not known here", "`Integral.map`"),
    ("Intergal.map", "1:1", "there is no module `Intergal`", "did you mean `Integral`?"),
    ("Nowhere.map", "1:1", "there is no module `Nowhere`", ""),
    ("tangent Real Real sin", "1:9", "`Real` is a type, not a value", "type arguments are inferred: leave out `Real`"),
    ("tangent ℜ ℜ sin", "1:9", "`ℜ` is a type, not a value", ""),
    ("circle Surface", "1:8", "`Surface` is a type, not a value", ""),
    ("let f A (x : A) : A = A in f", "1:23", "`A` is a type, not a value", ""),
    ("\\(x : A) => x", "1:7", "the type `A` is not known here", "let f A (x : A) = x"),
    ("\\(x : Rael) => x", "1:7", "the type `Rael` is not known here", "`Real`"),
    ("\\(x : Surfaces Real) => x", "1:7", "the type `Surfaces` is not known here", "`Surface`"),
    ("\\(x : Surface) => x", "1:7", "the type `Surface` takes 1 argument, not 0", ""),
    ("\\(x : Real Real) => x", "1:7", "the type `Real` takes 0 arguments, not 1", ""),
    ("\\(x : Tan) => x", "1:7", "the type `Tan` takes 1 argument, not 0", ""),
    ("\\(x : Prelude.Nothing) => x", "1:7", "the type `Nothing` is not known here", ""),
    ("_ + 1", "1:1", "the name `_` is not known here", ""),
];

const TYPES: &[Row] = &[
    ("deriv 2", "1:7", "expected Real -> Real, found Real", "argument 1 of `deriv`"),
    ("sin tt", "1:5", "expected Real, found Bool", "argument 1 of `sin` : Real -> Real"),
    ("max 1 sin", "1:7", "expected Real, found Real -> Real", "apply it to an argument"),
    ("integral01 (\\x => tt)", "1:19", "expected Real, found Bool", ""),
    ("sin 1 2", "1:7", "`sin` takes 1 argument, and is given 2", "`sin` : Real -> Real"),
    ("max 1 2 3 4", "1:9", "`max` takes 2 arguments, and is given 4", ""),
    ("2 (3)", "1:1", "`2` is not a function: it has the type Real", "2 * x"),
    ("(1, 2) 3", "1:1", "`(1, 2)` is not a function: it has the type Real^2", ""),
    ("1 + sin", "1:5", "`+` works on a number, or a tuple of numbers, not on Real -> Real", "apply it"),
    ("sin² 1", "1:1", "`^` works on Real, not on Real -> Real", "(f x)^2"),
    ("sin -1", "1:1", "`-` works on a number, or a tuple of numbers, not on Real -> Real", "f (-x)"),
    ("tt + 1", "1:1", "`+` works on a number, or a tuple of numbers, not on Bool", ""),
    ("2 * (1, 2)", "1:5", "`*` works on Real or Nat, not on Real^2", "scale c v"),
    ("(1, 2) / 2", "1:1", "`/` works on Real, not on Real^2", "scale (1 / c) v"),
    ("(1, 2)^2", "1:1", "`^` works on Real, not on Real^2", "norm2 v"),
    ("((1, 2), (3, 4)) * (1, 2)", "1:1", "`*` works on Real or Nat, not on (Real^2)^2", "matrix2 m v"),
    (
        "det ((1, 2), (3, 4))",
        "1:5",
        "expected _ -> _, found (Real^2)^2",
        "the linear map of a matrix of two rows is matrix2 m",
    ),
    ("linearSolve ((1, 2), (3, 4)) (5, 6)", "1:13", "expected _ -> _, found (Real^2)^2", "matrix2 m"),
    ("det (matrix2 ((1, 2, 3), (4, 5, 6)))", "1:5", "expected _ -> _, found Real^3 -> Real^2", ""),
    ("pi * (1, 2)", "1:6", "`*` works on Real or Nat, not on Real^2", ""),
    ("(1, 2) + (1, 2, 3)", "1:10", "expected Real^2, found Real^3", ""),
    ("(1, 2) + 3", "1:10", "expected Real^2, found Real", ""),
    ("1 / tt", "1:5", "expected Real, found Bool", ""),
    ("\\(n : Nat) => n / 2", "1:15", "expected Real, found Nat", "toReal"),
    ("\\(n : Nat) => n^2", "1:15", "expected Real, found Nat", "toReal"),
    ("\\(n : Nat) => -n", "1:16", "`-` works on Real, () and tuples of such, not on Nat", "toReal"),
    ("\\(n : Nat) => n + 0.5", "1:19", "expected Nat, found Real", ""),
    ("toReal 1.5", "1:8", "expected Nat, found Real", ""),
    ("toReal 99999999999999999999", "1:8", "this natural number is too large: at most 18446744073709551615", ""),
    ("1.5 == tt", "1:8", "expected Real, found Bool", ""),
    ("1.5 < tt", "1:7", "expected Real, found Bool", ""),
    ("\\x => (x, 1) < x", "1:7", "`<` works on Real or Nat, not on _ * Real", ""),
    ("\\(n : Nat) => n < 0.5", "1:19", "expected Nat, found Real", ""),
    ("tt == ff", "1:1", "expected Nat, found Bool", ""),
    ("if 1 then 2 else 3", "1:4", "expected Bool, found Real", "a comparison of two is one"),
    ("\\(x : Real) => if x then 1 else 2", "1:19", "expected Bool, found Real", "max, min or abs"),
    ("if tt then 1 else ff", "1:19", "`ff`", ""),
    ("not 1", "1:5", "expected Bool, found Real", ""),
    ("1 && tt", "1:1", "expected Bool, found Real", ""),
    ("\\x => x x", "1:9", "the type of this is infinite", ""),
    ("let rec f x = f in f", "1:15", "the type of this is infinite", ""),
    ("\\x => x[0]", "1:7", "a component [0] is selected from something whose type is not known", "annotate `x`"),
    ("let f v = v[0] + v[1] in f (1, 2)", "1:11", "whose type is not known", "(v : Real^2)"),
    ("(1, 2)[2]", "1:1", "there is no component [2]: the tuple is of type Real^2, with the components [0] to [1]", ""),
    ("(1, 2)[99999999999999999999]", "1:1", "there is no component", ""),
    ("sin[0]", "1:1", "selected from something that is not a tuple: it has the type Real -> Real", ""),
    ("fst (1, 2, 3)", "1:5", "expected _ * _, found Real^3", "argument 1 of `fst`"),
    ("sin.to", "1:1", "`.to` and `.from` are the parts of an isomorphism; this has the type Real -> Real", "tangent_R"),
    ("tangent_R 1", "1:1", "`tangent_R` is not a function: it has the type Tan Real ~= Real^2", ""),
    ("tangent_R.to 1", "1:14", "expected Tan Real, found Real", "tangent_R.from"),
    ("tangent_R.to (tangentTo_R.from (sin, cos))", "1:14", "expected Tan Real, found Tan (Real -> Real)", ""),
    ("1 + tangent_R.from (1, 2)", "1:5", "not on Tan Real", "tangent_R.to"),
    ("let f A (x : A) : A = x + 1 in f", "1:27", "expected A, found Real", "`A` is a type parameter"),
    ("rd (\\f => f 1) sin 1", "1:11", "`rd` works on vectors (Real, () and tuples of such), not on _ -> _", "tangent"),
    (
        "rd (\\x => x) [1, 2] [3, 4]",
        "1:14",
        "`rd` works on vectors (Real, () and tuples of such), not on List _",
        "a tuple",
    ),
    (
        "rd (\\(n : Nat) => toReal n) 2 1",
        "1:7",
        "`rd` works on vectors (Real, () and tuples of such), not on Nat",
        "Real",
    ),
    ("rd (\\x => x) (1, sin) (1, cos)", "1:14", "not on Real * (Real -> Real)", "every component"),
    ("\\b => rd (\\x => if b then x else tt) 2 1", "1:34", "not on Bool", "does not vary"),
    (
        "jvp (\\x => Just x) 2 1",
        "1:12",
        "`jvp` works on vectors (Real, () and tuples of such), not on Maybe _",
        "cases",
    ),
    ("rd tangent_R.from (1, 2) 1", "1:4", "`rd` works on vectors (Real, () and tuples of such), not on Tan Real", "to"),
    ("rd sin 1 (1, 2)", "1:10", "expected Real, found Real^2", "argument 3 of `rd`"),
    ("rd (\\(x, y) => x) (1, 2, 3) 1", "1:19", "expected _ * _, found Real^3", "argument 2 of `rd`"),
    ("jvp (\\x => (x, x)) 1 (1, 2)", "1:22", "expected Real, found Real^2", "argument 3 of `jvp`"),
    (
        "gradient (\\f => f 1) sin",
        "1:17",
        "`gradient` works on vectors (Real, () and tuples of such), not on _ -> _",
        "",
    ),
    (
        "gradient (\\n => toReal (n + 1)) 2",
        "1:25",
        "`gradient` works on vectors (Real, () and tuples of such), not on Nat",
        "",
    ),
    (
        "let f A (g : A -> A) (x : A) = rd g x x in f not tt",
        "1:46",
        "works on vectors (Real, () and tuples of such)",
        "",
    ),
    (
        "let f A (g : A -> Bool) (x : A) = rd g x tt in f",
        "1:38",
        "`rd` works on vectors (Real, () and tuples of such), not on Bool",
        "",
    ),
    ("dot (1, 2) sin", "1:12", "expected Real^2, found Real -> Real", "argument 2 of `dot`"),
    ("scale 2 [1]", "1:9", "`scale` works on vectors (Real, () and tuples of such), not on List _", ""),
    ("(zeros : Nat)", "1:2", "works on vectors (Real, () and tuples of such), not on Nat", ""),
    ("trace (\\xs => 1 :: xs)", "1:15", "`trace` works on vectors (Real, () and tuples of such), not on List _", ""),
    ("let f A (x : A) : Real = x in f", "1:26", "expected Real, found A", "`A` is a type parameter"),
    (
        "\\y => let f A (x : A) : A = if tt then x else y in f",
        "1:47",
        "the type parameter `A` cannot be determined",
        "",
    ),
    ("let f (x : Real) : Bool = x in f", "1:27", "expected Bool, found Real", ""),
    ("let add x y = x + y in add (1, 2) (3, 4)", "1:28", "expected Real, found Real^2", "argument 1 of `add`"),
    ("let (a, b) = (1, 2, 3) in a", "1:5", "expected Real^3, found _ * _", ""),
    ("let (a, b) = 1 in a", "1:5", "expected Real, found _ * _", ""),
    ("\\((a, b) : Real) => a", "1:3", "expected Real, found _ * _", ""),
    ("(1 : Bool)", "1:2", "expected Bool, found Real", ""),
    ("(sin : Real)", "1:2", "expected Real, found Real -> Real", ""),
    ("deriv (deriv sin 0)", "1:7", "expected Real -> Real, found Real", ""),
    ("circle 1 2", "1:8", "expected Real^2, found Real", "argument 1 of `circle`"),
    ("(\\x => x) : Real", "1:11", "expected the end of the program, found `:`", ""),
];

pub(super) fn check(rows: &[Row]) {
    let library = library();
    let mut wrong = Vec::new();
    for &(program, place, message, help) in rows {
        let report = answer(&library, program);
        let good = match place {
            "" => !report.starts_with("error"),
            _ => {
                let first = report.lines().next().unwrap_or("");
                let rest = report.lines().skip(1).collect::<Vec<_>>().join("\n");
                first.starts_with("error: ")
                    && (first.contains(message) || message.starts_with('`') && rest.contains(message.trim_matches('`')))
                    && report.contains(&format!("question:{place}\n"))
                    && rest.contains(help)
            }
        };
        if !good {
            wrong.push(format!("{program}\n  wanted: {place} {message} [{help}]\n{report}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// What people are told to write is right.
#[track_caller]
pub(super) fn are_programs(programs: &[&str]) {
    let library = library();
    for program in programs {
        assert!(library.infer_expression(program).is_ok(), "{}", answer(&library, program));
    }
}

#[test]
fn wrong_forms_are_refused() {
    check(FORM);
}

#[test]
fn unknown_names_are_refused_with_the_near_miss() {
    check(NAMES);
}

#[test]
fn wrong_types_are_refused_with_both_types() {
    check(TYPES);
}

#[test]
fn bytes_that_are_not_text_are_refused() {
    let error = decode_utf8(b"sin \xc3(").map_err(|error| error.to_string());
    assert_eq!(
        error,
        Err("the input is not UTF-8 text: the byte at offset 4 does not belong to a character".to_owned())
    );
}
