//! What newcomers type, from calculators, Python, Haskell, Mathematica, MATLAB and paper: none has an answer that misleads, each is told
//! what is written here.

use super::bad::{Row, check};

const TYPED: &[Row] = &[
    (
        "1 + 2 -- 3",
        "1:7",
        "two minus signs together are no operator, and no comment",
        "a comment begins with `!`; a negative number is taken away as a - (-b)",
    ),
    (
        "2--3",
        "1:2",
        "two minus signs together are no operator, and no comment",
        "a comment begins with `!`; a negative number is taken away as a - (-b)",
    ),
    (
        "-- a comment",
        "1:1",
        "two minus signs together are no operator, and no comment",
        "a comment begins with `!`; a negative number is taken away as a - (-b)",
    ),
    ("derv sin 1", "1:1", "the name `derv` is not known here", "did you mean `deriv`?"),
    ("sinus 1", "1:1", "the name `sinus` is not known here", "did you mean `sin`?"),
    ("cosine 1", "1:1", "the name `cosine` is not known here", "did you mean `cos`?"),
    (
        "gradient (\\x y => x*y) (1,2)",
        "1:10",
        "expected Real, found _ -> _",
        "the function takes one tuple: gradient (\\(x, y) => …) (1, 2)",
    ),
    (
        "hessian (\\x y => x*y) (1,2)",
        "1:9",
        "expected Real, found _ -> _",
        "the function takes one tuple: hessian (\\(x, y) => …) (1, 2)",
    ),
    (
        "nthDeriv (-1) sin 1",
        "1:10",
        "what is done here works on vectors (Real, () and tuples of such), not on Nat",
        "an order, as every natural number, is 0 or more",
    ),
    ("uniform 0 1", "1:9", "expected Real -> Real, found Real", "the uniform distribution on [a, b] is uniformOn a b"),
    (
        "uniform(0,1)",
        "1:8",
        "expected Real -> Real, found Real^2",
        "the uniform distribution on [a, b] is uniformOn a b",
    ),
    (
        "do { x <- normal 0 1; return x }",
        "1:11",
        "expected P _, found Dist Real",
        "a draw is written x <- sample (normal 0 1)",
    ),
    (
        "do { x <- sample (normal 0 1) }",
        "1:31",
        "expected `;` and what comes of it, as a block ends with a program, found `}`",
        "a block ends with what it gives: do { x <- sample (normal 0 1); return x }",
    ),
    (
        "max(sin)",
        "1:4",
        "expected Real, found Real -> Real",
        "max is of two numbers; of a function on [0, 1] it is max01 f, and where, argmax01 f",
    ),
    (
        "A \\ b",
        "1:6",
        "expected a parameter, found the end",
        "linear equations are solved by linearSolve (matrix2 m) b; a function is written \\x => e",
    ),
    (
        "\\x",
        "1:3",
        "expected a parameter, found the end",
        "a backslash begins a function, \\x => e; a name stands without one",
    ),
    (
        "2\\pi",
        "1:5",
        "expected a parameter, found the end",
        "a backslash begins a function: names stand without it, pi, sin 1, sqrt 2, and a product is *",
    ),
    (
        "exp(-inf)",
        "1:6",
        "`-` works on Real, () and tuples of such, not on ((_ -> Real) -> Real) -> (_ -> Real) -> Real",
        "numbers are finite; the integral from a on is beyond a f, and inf is the infimum of a function on a set",
    ),
    (
        "beyond 1 inf",
        "1:10",
        "expected Real -> Real, found ((_ -> Real) -> Real) -> (_ -> Real) -> Real",
        "numbers are finite; the integral from a on is beyond a f, and inf is the infimum of a function on a set",
    ),
    (
        "integral 0 inf sin",
        "1:12",
        "expected Real, found ((_ -> Real) -> Real) -> (_ -> Real) -> Real",
        "numbers are finite; the integral from a on is beyond a f, and inf is the infimum of a function on a set",
    ),
    ("true and not (1 > 2)", "1:1", "the name `true` is not known here", "did you mean `tt`?"),
    (
        "solve (1, 2)",
        "1:1",
        "the name `solve` is not known here",
        "cutRoot (\\x => e) is the root of a function that falls through 0 once, firstRoot (\\x => e) the first one in [0, 1]",
    ),
    ("match [1] with [x] => x", "1:17", "expected `]`, as a case is `[]` or `x :: rest`, found `x`", ""),
    (
        "sum(range(5))",
        "1:4",
        "expected List Real, found List Nat",
        "toReal turns a natural number into a real number: mapList toReal (range 5)",
    ),
    (
        "max([1,2,3])",
        "1:4",
        "expected Real, found List _",
        "of lists there are sum, fold, mapList and length: fold (\\x rest => x * rest) 1 [2, 3]",
    ),
    (
        "case x of { 1 -> 2 }",
        "1:11",
        "the character `{` (U+007B) has no meaning here",
        "cases are written match e with Just x => a | Nothing => b; numbers are told apart by if",
    ),
    (
        "[1..10]",
        "1:3",
        "expected `]`, found `..`",
        "a list is written out, [1, 2, 3], or range 10; an interval of numbers has no sign of its own",
    ),
    ("otherwise", "1:1", "the name `otherwise` is not known here", "a choice is written if x > 0 then a else b"),
    (
        "D[x^2, x]",
        "1:3",
        "expected the number of a component, a literal such as 0, found `x`",
        "the derivative of f at x is deriv f x",
    ),
    (
        "Integrate[x^2, {x, 0, 1}]",
        "1:11",
        "expected the number of a component, a literal such as 0, found `x`",
        "the integral from a to b is integral a b (\\x => x^2)",
    ),
    (
        "Plot[x, {x,0,1}]",
        "1:6",
        "expected the number of a component, a literal such as 0, found `x`",
        "a function is drawn by smoothish plot '\\x => x^2' --from 0 --to 1, :plot at the prompt",
    ),
    (
        "N[Pi, 10]",
        "1:3",
        "expected the number of a component, a literal such as 0, found `Pi`",
        "every answer is a number, with as many digits as --digits asks for",
    ),
    ("x /. x -> 3", "1:4", "expected an expression, found `.`", "a value is put in by let x = 3 in x^2"),
    (
        "f[x_] := x^2",
        "1:3",
        "expected the number of a component, a literal such as 0, found `x_`",
        "a definition is written let f x = e in …; at the prompt, let f x = e alone",
    ),
    (
        "E",
        "1:1",
        "the name `E` is not known here",
        "Euler's number is e, or exp 1; a mean is asked by smoothish expect",
    ),
    (
        "I",
        "1:1",
        "the name `I` is not known here",
        "numbers are real: a complex number is a pair (re, im); as a parameter, it is bound by \\i => …",
    ),
    (
        "Log[10, 2]",
        "1:7",
        "expected `]`, found `,`",
        "an argument stands bare or in round brackets: sin 1, sin (x + 1)",
    ),
    (
        "1/3 // N",
        "1:6",
        "expected an expression, found `/`",
        "a quotient is written x / y; there is no division of integers, which jumps; a comment begins with `!`",
    ),
    (
        "Table[i^2, {i, 5}]",
        "1:7",
        "expected the number of a component, a literal such as 0, found `i`",
        "over a list it is mapList: mapList (\\i => toReal i) (range 5)",
    ),
    (
        "x_1",
        "1:1",
        "the name `x_1` is not known here",
        "`smoothish doc` lists the names there are; your own are bound by let x_1 = … in …, or \\x_1 => …",
    ),
    (
        "\\alpha + 1",
        "1:8",
        "expected a parameter, found `+`",
        "a backslash begins a function, \\x => e; a name stands without one",
    ),
    (
        "[1 2; 3 4]",
        "1:5",
        "the character `;` (U+003B) has no meaning here",
        "a matrix is a tuple of its rows: matrix2 ((1, 2), (3, 4))",
    ),
    (
        "A*B",
        "1:1",
        "the name `A` is not known here",
        "names that are bound begin with a small letter: \\a => …, let a = 2 in …",
    ),
    ("A.*B", "1:3", "`.*` is not a part of anything", "operators stand without a dot: x^2; of tuples, part by part"),
    ("x.^2", "1:3", "`.^` is not a part of anything", "operators stand without a dot: x^2; of tuples, part by part"),
    ("eye(3)", "1:1", "the name `eye` is not known here", "a matrix is written out: matrix2 ((1, 0), (0, 1))"),
    (
        "1:2:10",
        "1:2",
        "expected the end of the program, found `:`",
        "a list is written out, [1, 2, 3]; range n has the natural numbers below n",
    ),
    ("@(x) x^2", "1:1", "the character `@` (U+0040) has no meaning here", "a function is written \\x => e"),
    ("x(1)", "1:1", "the name `x` is not known here", "a function is defined before it is used: let x t = t^2 in x 3"),
    ("log(2, 8)", "1:4", "expected Real, found Real^2", "the logarithm of x to the base b is log x / log b"),
    (
        "1,5 + 2",
        "1:2",
        "expected the end of the program, found `,`",
        "digits have nothing between them, 1000, and a point before decimals, 1.5; a tuple is in parentheses: (1, 2)",
    ),
    (
        "integral sin 0 1",
        "1:10",
        "expected Real, found Real -> Real",
        "the ends come first: integral 0 1 f, beyond 1 f",
    ),
    (
        "integral (\\x => x) 0 1",
        "1:10",
        "expected Real, found _ -> _",
        "the ends come first: integral 0 1 f, beyond 1 f",
    ),
    (
        "solve x^2 = 2",
        "1:11",
        "expected the end of the program, found `=`",
        "cutRoot (\\x => 2 - x^2) is the root of a function that falls through 0 once, here of x^2 = 2",
    ),
    (
        "x^2 = 2",
        "1:5",
        "expected the end of the program, found `=`",
        "a definition is written let f x = e in …; whether two natural numbers are equal is a == b; an equation is solved by cutRoot",
    ),
    ("tru", "1:1", "the name `tru` is not known here", "did you mean `tt`?"),
    ("fasle", "1:1", "the name `fasle` is not known here", "did you mean `ff`?"),
    ("lamda x: x", "1:8", "expected the end of the program, found `:`", "a function is written \\x => e"),
    (
        "devir sin 1",
        "1:1",
        "the name `devir` is not known here",
        "`smoothish doc` lists the names there are; your own are bound by let devir = … in …, or \\devir => …",
    ),
    (
        "sqroot 2",
        "1:1",
        "the name `sqroot` is not known here",
        "`smoothish doc` lists the names there are; your own are bound by let sqroot = … in …, or \\sqroot => …",
    ),
    ("cosin 1", "1:1", "the name `cosin` is not known here", "did you mean `cos`?"),
    ("arctg 1", "1:1", "the name `arctg` is not known here", "did you mean `atan`?"),
    (
        "softmax [1,2]",
        "1:1",
        "the name `softmax` is not known here",
        "`smoothish doc` lists the names there are; your own are bound by let softmax = … in …, or \\softmax => …",
    ),
    (
        "tt + 1",
        "1:1",
        "`+` works on a number, or a tuple of numbers, not on Bool",
        "a truth value is no number: if b then 1 else 0",
    ),
    (
        "[1,2] + [3,4]",
        "1:1",
        "`+` works on a number, or a tuple of numbers, not on List _",
        "a vector is a tuple: (1, 2) + (3, 4); lists are joined by append xs ys, and taken by mapList",
    ),
    (
        "1 + [1]",
        "1:5",
        "`+` works on a number, or a tuple of numbers, not on List _",
        "a vector is a tuple: (1, 2) + (3, 4); lists are joined by append xs ys, and taken by mapList",
    ),
    (
        "(1,)",
        "1:4",
        "expected an expression, found `)`",
        "nothing stands behind the last comma: a tuple has two parts or more, as (1, 2)",
    ),
    (
        "1,",
        "1:2",
        "expected the end of the program, found `,`",
        "digits have nothing between them, 1000, and a point before decimals, 1.5; a tuple is in parentheses: (1, 2)",
    ),
    (
        "~",
        "1:1",
        "expected an expression, found `~`",
        "a draw is written do { x <- sample (normal 0 1); return x }; x ~ y stands in laws of theories",
    ),
    (
        "?",
        "1:1",
        "the character `?` (U+003F) has no meaning here",
        "what a name means is said by smoothish doc NAME, :doc NAME at the prompt",
    ),
    (
        "\\",
        "1:2",
        "expected a parameter, found the end",
        "a backslash begins a function, \\x => e; a name stands without one",
    ),
    (
        "hello world",
        "1:1",
        "the name `hello` is not known here",
        "`smoothish doc` lists the names there are; your own are bound by let hello = … in …, or \\hello => …",
    ),
    (
        "?sin",
        "1:1",
        "the character `?` (U+003F) has no meaning here",
        "what a name means is said by smoothish doc NAME, :doc NAME at the prompt",
    ),
    (
        "version",
        "1:1",
        "the name `version` is not known here",
        "`smoothish doc` lists the names there are; your own are bound by let version = … in …, or \\version => …",
    ),
    (
        "ans",
        "1:1",
        "the name `ans` is not known here",
        "the last answer of the prompt, where there is one, is ans; an expression is answered as it stands",
    ),
    (
        "_",
        "1:1",
        "the name `_` is not known here",
        "the last answer of the prompt, where there is one, is ans; an expression is answered as it stands",
    ),
    (
        "it",
        "1:1",
        "the name `it` is not known here",
        "the last answer of the prompt, where there is one, is ans; an expression is answered as it stands",
    ),
    ("f(2)", "1:1", "the name `f` is not known here", "a function is defined before it is used: let f t = t^2 in f 3"),
    ("1 <> 2", "1:4", "expected an expression, found `>`", "not equal, on Nat, is /="),
    ("x++", "1:3", "expected an expression, found `+`", "a name keeps its value: let y = x + 1 in …"),
    (
        "5 div 2",
        "1:1",
        "`5` is not a function: it has the type Real",
        "a quotient is x / y; there is no division of integers, which jumps",
    ),
    ("nthroot 3 27", "1:1", "the name `nthroot` is not known here", "the n-th root of x is x^(1/n)"),
    (
        "sum i=1 to 10",
        "1:6",
        "expected the end of the program, found `=`",
        "the numbers of a list are added by sum: sum (mapList (\\i => toReal i) (range 5))",
    ),
    (
        "product [1,2,3]",
        "1:9",
        "expected (_ -> Real) -> Real, found List _",
        "of lists there are sum, fold, mapList and length: fold (\\x rest => x * rest) 1 [2, 3]",
    ),
    (
        "mean [1,2,3]",
        "1:6",
        "expected (Real -> Real) -> Real, found List _",
        "of lists there are sum, fold, mapList and length: fold (\\x rest => x * rest) 1 [2, 3]",
    ),
    (
        "5 choose 2",
        "1:1",
        "`5` is not a function: it has the type Real",
        "n over k is exp (lgamma (n + 1) - lgamma (k + 1) - lgamma (n - k + 1))",
    ),
    (
        "binomial 5 2",
        "1:1",
        "the name `binomial` is not known here",
        "n over k is exp (lgamma (n + 1) - lgamma (k + 1) - lgamma (n - k + 1))",
    ),
    (
        "nCr 5 2",
        "1:1",
        "the name `nCr` is not known here",
        "n over k is exp (lgamma (n + 1) - lgamma (k + 1) - lgamma (n - k + 1))",
    ),
    (
        "cos²1",
        "1:5",
        "`²` and `1` stand together with nothing between them",
        "a power of a function's answer is written (f x)^2",
    ),
    (
        "integral 0 pi sin(x)",
        "1:18",
        "`integral` takes 3 arguments, and is given 4",
        "what is integrated is a function: integral 0 1 sin, integral 0 1 (\\x => x^2)",
    ),
    (
        "deriv (\\x => x^3) at 2",
        "1:19",
        "the name `at` is not known here",
        "`smoothish doc` lists the names there are; your own are bound by let at = … in …, or \\at => …",
    ),
    (
        "deriv deriv sin 1",
        "1:7",
        "expected Real -> Real, found (Real -> Real) -> Real -> Real",
        "an argument that is not one word needs parentheses: deriv (deriv f)",
    ),
    ("nthDeriv sin 2 1", "1:10", "expected Nat, found Real -> Real", "the order comes first: nthDeriv 2 sin 1"),
    ("gradient (\\(x, y) => x*y) 1 2", "1:27", "expected Real^2, found Real", "a point is one tuple: (1, 2)"),
    (
        "gradient (\\(x,y) => x*y) [1,2]",
        "1:26",
        "expected Real^2, found List _",
        "a point is a tuple, (1, 2), and no list",
    ),
    ("1 =< 0", "1:3", "expected the end of the program, found `=`", "less or equal is <="),
    ("not 3 > 2", "1:5", "expected Bool, found Real", "what is not one word needs parentheses: not (3 > 2)"),
    (",5", "1:1", "expected an expression, found `,`", "a number begins with a digit, and has a point: 0.5"),
    ("sum(1,2,3)", "1:4", "expected List Real, found Real^3", "a list is written [1, 2, 3]"),
    ("sum 1 2 3", "1:5", "expected List Real, found Real", "a list is written [1, 2, 3]"),
    (
        "range 1 5",
        "1:9",
        "`range` takes 1 argument, and is given 2",
        "range n begins at 0; linspace a b n has the ends of n equal parts of [a, b]",
    ),
    ("pi()", "1:1", "`pi` is not a function: it has the type Real", "a number stands without parentheses: pi"),
    ("e()", "1:1", "`e` is not a function: it has the type Real", "a number stands without parentheses: pi"),
    ("atan(1, 1)", "1:5", "expected Real, found Real^2", "the angle of a point is atan2 y x"),
    (
        "x ~ normal 0 1",
        "1:3",
        "expected the end of the program, found `~`",
        "a draw is written do { x <- sample (normal 0 1); return x }; x ~ y stands in laws of theories",
    ),
    (
        "E[x]",
        "1:3",
        "expected the number of a component, a literal such as 0, found `x`",
        "Euler's number is e, or exp 1; a mean is asked by smoothish expect",
    ),
    (
        "besselj 0 1",
        "1:1",
        "the name `besselj` is not known here",
        "`smoothish doc` lists the names there are; your own are bound by let besselj = … in …, or \\besselj => …",
    ),
    (
        "zeta 2",
        "1:1",
        "the name `zeta` is not known here",
        "`smoothish doc` lists the names there are; your own are bound by let zeta = … in …, or \\zeta => …",
    ),
    (
        "fib 10",
        "1:1",
        "the name `fib` is not known here",
        "`smoothish doc` lists the names there are; your own are bound by let fib = … in …, or \\fib => …",
    ),
    (
        "match (1,2) with (a,b) => a",
        "1:24",
        "expected `::` and the rest of the list, as any other case begins with a constructor, found `=>`",
        "cases are of lists and constructors; a tuple is taken apart by let (a, b) = e in …",
    ),
    (
        "theory X {}",
        "1:10",
        "the character `{` (U+007B) has no meaning here",
        "a theory is a file: smoothish check FILE, --load FILE",
    ),
    (
        "doc sin",
        "1:1",
        "the name `doc` is not known here",
        "a command stands by itself: smoothish doc sin on the command line, :doc sin at the prompt",
    ),
    (
        "load foo",
        "1:1",
        "the name `load` is not known here",
        "a command stands by itself: smoothish doc sin on the command line, :doc sin at the prompt",
    ),
    (
        "ls",
        "1:1",
        "the name `ls` is not known here",
        "`smoothish doc` lists the names there are; your own are bound by let ls = … in …, or \\ls => …",
    ),
    (
        "smoothish eval 1",
        "1:1",
        "the name `smoothish` is not known here",
        "a command stands by itself: smoothish doc sin on the command line, :doc sin at the prompt",
    ),
    (
        "1 + 1 // two",
        "1:8",
        "expected an expression, found `/`",
        "a quotient is written x / y; there is no division of integers, which jumps; a comment begins with `!`",
    ),
    ("1 + 1 /* two */", "1:8", "expected an expression, found `*`", "a comment begins with `!`"),
    ("(* two *) 1", "1:2", "expected an expression, found `*`", "a comment begins with `!`"),
    ("{- two -} 1", "1:1", "the character `{` (U+007B) has no meaning here", "a comment begins with `!`"),
    ("3 1/2", "1:1", "`3` is not a function: it has the type Real", "a sum is written 3 + 1/2, a product 3 * 4"),
    (
        "two",
        "1:1",
        "the name `two` is not known here",
        "`smoothish doc` lists the names there are; your own are bound by let two = … in …, or \\two => …",
    ),
];

#[test]
fn newcomers_are_told_what_to_write() {
    check(TYPED);
}

/// What they are told to write is right.
#[test]
fn what_newcomers_are_told_is_a_program() {
    let library = super::library();
    for program in [
        "sum (mapList toReal (range 5))",
        "mapList (\\i => toReal i) (range 5)",
        "fold (\\x rest => x * rest) 1 [2, 3]",
        "integral 0 1 sin + integral 0 1 (\\x => x^2) + beyond 1 (\\x => exp (-x))",
        "deriv (deriv sin) 1",
        "nthDeriv 2 sin 1",
        "gradient (\\(x, y) => x * y) (1, 2)",
        "max01 sin + argmax01 sin",
        "\\n k => exp (lgamma (n + 1) - lgamma (k + 1) - lgamma (n - k + 1))",
        "\\x n => x^(1/n)",
        "cutRoot (\\x => 2 - x^2)",
        "linearSolve (matrix2 ((1, 0), (0, 1))) (1, 2)",
        "tt && not (1 > 2)",
        "not (3 > 2)",
        "do { x <- sample (uniformOn 0 1); return x }",
        "let f t = t^2 in f 3",
        "(1, 2) + (3, 4)",
        "if tt then 1 else 0",
        "1 - (-3)",
        "log 8 / log 2",
        "atan2 1 2",
    ] {
        assert!(library.infer_expression(program).is_ok(), "{}", super::answer(&library, program));
    }
}

/// An exponent of literals is the literal that it is, up to its limits.
#[test]
fn exponents_of_literals_are_literals() {
    let library = super::library();
    let shown = |program: &str| match library.infer_expression(program) {
        Ok((term, _)) => term.to_string(),
        Err(error) => panic!("{program}: {error}"),
    };
    for (program, literal) in [
        ("\\x => x^(3^2)", "\\x => x^9"),
        ("2^3^2", "2^9"),
        ("\\x => x^(2*3)", "\\x => x^6"),
        ("\\x => x^(1+1)", "\\x => x^2"),
        ("\\x => x^(-(2^2))", "\\x => x^(-4)"),
        ("\\x => x^(2^(-1))", "\\x => x^0.5"),
        ("\\x => x^(2/3 - 1)", "\\x => x^(-1/3)"),
        ("\\x => x^(1^100000)", "\\x => x^1"),
    ] {
        assert_eq!(shown(program), shown(literal), "{program}");
    }
    // no number, too large, or not rational: as it was
    for program in ["\\x => x^(0^0)", "\\x => x^(1/(1-1))", "\\x => x^(9^9^9)", "\\x => x^(10^6)", "\\x => x^(4^0.5)"] {
        assert!(shown(program).matches(['^', '/']).count() > 1, "{program}: {}", shown(program));
    }
}
