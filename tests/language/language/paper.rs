//! The programs of Sherman, Michel and Carbin's paper type-check, as printed but for the misprints named here.

use super::{answer, library};
use smoothish::syntax::source::SourceText;
use smoothish::theory::builtin;

fn checks(text: &str) -> smoothish::theory::loader::TheoryCollection {
    let mut theories = builtin::load_theories();
    if let Err(error) = theories.load([SourceText::new("figure", text)]) {
        panic!("{}", error.render());
    }
    theories
}

/// Fig. 1, as the page copies: raised digits have come down, lines are not indented.
#[test]
fn figure_1() {
    checks(
        "theory Figure1
type Surface A = A →ℜ

let dot (x y : ℜ2) : ℜ = x[0] * y[0] + x[1] * y[1]
let scale (c : ℜ) (x : ℜ2) : ℜ2 = (c * x[0], c * x[1])
let norm2 (x : ℜ2) : ℜ = x[0]^2 + x[1]^2
let normalize (x : ℜ2) : ℜ2 = scale (1 / sqrt (norm2 x)) x

let gradient (f : ℜ2 →ℜ) (x : ℜ2) : ℜ2 =
(deriv (𝜆 z : ℜ⇒ f (z, x[1])) x[0],
deriv (𝜆 z : ℜ⇒ f (x[0], z)) x[1])

! camera assumed to be at the origin
let raytrace (s : Surface (ℜ2)) (lightPos : ℜ2) (rayDirection : ℜ2) : ℜ =

let tStar = firstRoot (𝜆 t : ℜ⇒ s (scale t rayDirection)) in
let y = scale tStar rayDirection in let normal : ℜ2 = - gradient s y in
let lightToSurf = y - lightPos in
max 0 (dot (normalize normal) (normalize lightToSurf))
/ (norm2 y * norm2 lightToSurf)
let relu (x : ℜ) : ℜ = max 0 x
let tStar y = firstRoot (𝜆 t : ℜ⇒ 1 - y² - (t - 1)²)
let brightness (y : ℜ) : ℜ =

integral01 (𝜆 y0 : ℜ⇒ max 0 ((y0 - y) / sqrt (1 + (y0 - y)²)))
let deriv (f : ℜ→ℜ) (x : ℜ) : ℜ =

snd (tangent_R.to (tangent f (tangent_R.from (x, 1))))",
    );
}

#[test]
fn figures_8_and_9() {
    let theories = checks(
        "theory Figure8
type Integral A = (A →ℜ) →ℜ

let dirac A (x : A) : Integral A = 𝜆 f : A →ℜ⇒ f x
let bind A B (x : Integral A) (f : A → Integral B) : Integral B

= 𝜆 k : B →ℜ⇒ x (𝜆 a : A ⇒ f a k)

let zero A : Integral A = 𝜆 f : A → Real ⇒ 0
let add A (x y : Integral A) : Integral A = 𝜆 f : A →ℜ⇒ x f + y f
let map A B (f : A → B) (e : Integral A) : Integral B =

𝜆 k : B →ℜ⇒ e (𝜆 x : A ⇒ k (f x))

let factor (x : ℜ) : Integral unit = 𝜆 f : unit →ℜ⇒ f () * x
let measToProb A (e : Integral A) : Integral A = 𝜆 f : A →ℜ⇒ e f / e (𝜆 x : A ⇒ 1)
let bernoulli (p : ℜ) : Integral 𝔅 = 𝜆 f : 𝔅→ℜ⇒ p * f tt + (1 - p) * f ff
let uniform : Integral ℜ = integral01

let total_mass A (mu : Integral A) = mu (𝜆 x : A ⇒ 1)
let mean (mu : Integral ℜ) = mu (𝜆 x : ℜ⇒ x)
let variance (mu : Integral ℜ) = mu (𝜆 x : ℜ⇒ (x - mean mu)²)
let change : Integral ℜ = 𝜆 f : ℜ→ℜ⇒ integral01 (𝜆 x : ℜ⇒ (x - 1/2) * f x)

type Surface A = A →ℜ

let circle (c : ℜ2) (r : ℜ) : Surface (ℜ2) =

𝜆 x : ℜ2 ⇒ r² - (x[0] - c[0])² - (x[1] - c[1])²

let halfplane A (normal : ℜ2) : Surface (ℜ2) = 𝜆 x : ℜ2 ⇒ dot normal x
let union A (s s’ : Surface A) : Surface A = 𝜆 x : A ⇒ max (s x) (s’ x)
let intersection A (s s’ : Surface A) : Surface A = 𝜆 x : A ⇒ min (s x) (s’ x)
let complement A (s : Surface A) : Surface A = 𝜆 x : A ⇒ - (s x)",
    );
    let library = theories.library();
    assert_eq!(
        answer(library, "Figure8.bind"),
        "((A -> Real) -> Real) -> (A -> (B -> Real) -> Real) -> (B -> Real) -> Real"
    );
    assert_eq!(answer(library, "Figure8.zero tt"), answer(library, "Figure8.zero tt"));
    let both = answer(library, "map");
    assert!(both.contains("write Integral.map or Maximizer.map or Figure8.map"), "{both}");
}

/// Fig. 10, with the two misprints E15 mended.
#[test]
fn figure_10() {
    let theories = checks(
        "theory Figure10
type Maximizer A = (A →ℜ) →ℜ
let point A (x : A) : Maximizer A = 𝜆 f : A →ℜ⇒ f x
let indexedUnion A B (ka : Maximizer A) (kb : A → Maximizer B) : Maximizer B =

𝜆 f : B →ℜ⇒ ka (𝜆 a : A ⇒ kb a f)

let union A (k1 k2 : Maximizer A) : Maximizer A =

𝜆 f : A →ℜ⇒ max (k1 f) (k2 f)

let map A B (g : A → B) (k : Maximizer A) : Maximizer B =

𝜆 f : B →ℜ⇒ k (𝜆 a : A ⇒ f (g a))

let sup A (k : Maximizer A) (f : A →ℜ) : ℜ = k f
let inf A (k : Maximizer A) (f : A →ℜ) : ℜ = - k (𝜆 x : A ⇒ - (f x))
let hausdorffDist A (d : A → A →ℜ) (k1 k2 : Maximizer A) : ℜ =

max (sup k1 (𝜆 x1 : A ⇒ inf k2 (𝜆 x2 : A ⇒ d x1 x2)))
(sup k2 (𝜆 x2 : A ⇒ inf k1 (𝜆 x1 : A ⇒ d x1 x2)))

let unitInterval : Maximizer ℜ = max01
let quarterCircle (y : ℜ) : Maximizer (ℜ2) = map

(𝜆 theta : ℜ⇒ (cos (pi / 2 * theta), sin (pi / 2 * theta) + y))
unitInterval

let lShape : Maximizer (ℜ2) =

union (map (𝜆 x : ℜ ⇒ (x, 1)) unitInterval)
(map (𝜆 y : ℜ⇒ (1, y)) unitInterval)

let R2Dist (a b : ℜ2) : ℜ = sqrt ((a[0] - b[0])² + (a[1] - b[1])²)",
    );
    let library = theories.library();
    let own = |program: &str| {
        ["hausdorffDist", "R2Dist", "lShape", "quarterCircle"]
            .iter()
            .fold(program.to_owned(), |text, name| text.replace(name, &format!("Figure10.{name}")))
    };
    assert_eq!(answer(library, &own("hausdorffDist R2Dist lShape (quarterCircle 0)")), "Real");
    let slope = "deriv (𝜆 y : ℜ ⇒ hausdorffDist R2Dist lShape (quarterCircle y))\n0";
    assert_eq!(answer(library, &own(slope)), "Real");
}

/// The questions that the text asks at its prompt.
#[test]
fn questions() {
    let library = library();
    for question in [
        "deriv (𝜆 c ⇒ integral01 (𝜆 x ⇒ relu (x - c))) 0.6",
        "raytrace (circle (1, -3/4) 1) (1, 1) (1, 0)",
        "deriv (𝜆 y : ℜ ⇒ raytrace (circle (0, y) 1) (1, 1) (1, 0)) (-3/4)",
        "deriv relu 0",
        "deriv brightness (1/2)",
        "deriv (𝜆 y : ℜ ⇒ max 0 ((1/2 - y) / sqrt (1 + (1/2 - y)²))) (1/2)",
        "der mean uniform change",
        "der variance uniform change",
        "der (𝜆 mu : Integral ℜ⇒ mu (𝜆 x : ℜ⇒ x²) - (mean mu)²) uniform change",
        "change (𝜆 x : ℜ⇒ x²) - 2 * mean uniform * mean change",
    ] {
        assert_eq!(answer(&library, question), "Real", "{question}");
    }
    let misprint = answer(&library, "map (λ x : ℜ→ (x,1)) uniform");
    assert!(misprint.contains("expected a type, found `x`"), "{misprint}");
}
