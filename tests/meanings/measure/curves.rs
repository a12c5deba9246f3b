//! Borders of degree two: discs, ellipses, parabolas, hyperbolas, and where they meet. Truths by antiderivatives by hand where they are
//! told, the others by quadrature with another program, along the other draw or by another substitution.

use super::{Ask, PLAIN, asked, holds};

const WITHIN: &str = "do { x <- sample (X); y <- sample (Y); score (if GUARD then 1 else 0); return x }";

fn model([x, y, guard]: [&str; 3]) -> String {
    WITHIN.replace("(X)", &format!("({x})")).replace("(Y)", &format!("({y})")).replace("GUARD", guard)
}

/// Two standard normal draws and a guard.
fn normals(guard: &str) -> String {
    model(["normal 0 1", "normal 0 1", guard])
}

/// ½∫₀¹ r³ e^(-r²/2) dr = 1 - 3/2·e^(-1/2): a polynomial is integrated over between square roots.
#[test]
fn means_under_curves_are_found() {
    let moment =
        "do { x <- sample (normal 0 1); y <- sample (normal 0 1); score (if x^2 + y^2 < 1 then y^2 else 0); return x }";
    holds(moment, None, PLAIN, "0.09020401043104986459430069");
    // without a bound at the border: 2π/16 and 4π/16, of 1/√(1 - r²) and of (1 - r²)^(-3/4)
    let wide = |weight: &str| {
        model(["uniformOn (-2) 2", "uniformOn (-2) 2", "x^2 + y^2 < 1"]).replace("then 1", &format!("then {weight}"))
    };
    holds(&wide("1 / sqrt (1 - x^2 - y^2)"), None, Ask { eps: "1e-7", ..PLAIN }, "0.3926990816987241548078304229");
    holds(&wide("(1 - x^2 - y^2)^(-3/4)"), None, Ask { eps: "1e-6", ..PLAIN }, "0.7853981633974483096156608458");
}

/// Where curves come to touch at the very parameter, the slope on one side need not be that on the other, and nothing is claimed: a line that
/// leaves the disc, two discs that part, a disc that appears.
#[test]
fn nothing_is_claimed_where_curves_touch() {
    let rows = [
        ("x < t && x^2 + y^2 < 1", "1"),
        ("(x-t)^2 + y^2 < 1 && x^2 + y^2 < 1", "2"),
        ("x^2 + y^2 < t", "0"),
        ("x^2 + y^2 < 1 && x^2 + 4*y^2 < t", "4"),
    ];
    for (guard, at) in rows {
        let model = format!("\\t => {}", model(["uniformOn (-2) 2", "uniformOn (-2) 2", guard]));
        let found = asked(&model, None, Ask { at: Some(at), order: 2, seconds: 4, ..PLAIN });
        let is_claimed = found.as_ref().is_ok_and(|answer| answer.enclosure.is_bounded());
        assert!(!is_claimed, "{model}: {:?}", found.map(|answer| answer.enclosure));
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn chances_under_curves_are_found() {
        let square = |guard: &str| model(["uniformOn (-1) 2", "uniformOn (-1) 1", guard]);
        let rows = [
            // 1 - e^(-1/2); e^(-1/2) - e^(-2)
            (normals("x^2 + y^2 < 1"), "0.3934693402873665763962004650"),
            (normals("1 < x^2 + y^2 && x^2 + y^2 < 4"), "0.4711953764760207317098"),
            // a line through the middle leaves half of the disc, and one beside it none
            (normals("x < 2*y && x^2 + y^2 < 1"), "0.1967346701436832881981002"),
            (normals("x + y > 3/2 && x^2 + y^2 < 1"), "0"),
            // the lens of two discs, 2π/3 - √3/2; discs side by side, and a tangent
            (square("x^2 + y^2 < 1 && (x-1)^2 + y^2 < 1"), "0.204728283101459474257451"),
            (square("x^2 + y^2 < 1/4 && (x-1)^2 + y^2 < 1/4"), "0"),
            (square("x^2 + y^2 < 1 && x < 1"), "0.5235987755982988730771072"),
            // discs beside the middle of what is drawn, whose two ends are ends of one cell: Σ e^(-9/2) (9/2)ʲ/j! P(χ² < r²) with 2 + 2j degrees of freedom
            (model(["normal 3 1", "normal 0 1", "x^2 + y^2 < 1"]), "0.01082944982154785097619"),
            (model(["normal 3 1", "normal 0 1", "x^2 + y^2 < 2"]), "0.03327532954091642814525"),
            // nowhere, everywhere, and on a line alone
            (normals("x^2 + y^2 < -1"), "0"),
            (normals("x^2 + x*y + y^2 > -1"), "1"),
            (normals("(y - x)^2 > 0"), "1"),
            (normals("x^2 - 2*x*y + y^2 <= 0"), "0"),
            // parabolas that open to the right and up, a hyperbola, and a guard whose leading coefficient has both signs
            (normals("y^2 < x"), "0.2809852169253926909991227"),
            (normals("x^2 < y"), "0.2809852169253926909991227"),
            (model(["exponential 1", "normal 0 1", "y^2 < 2*x + 0.3"]), "0.7764273530618376048308781"),
            (normals("x^2 + y^2 < 4 && x^2 - y^2 > 1"), "0.1450601991409873154288631"),
            (normals("x*y^2 < 1"), "0.8888478029190264227508421"),
        ];
        for (model, truth) in rows {
            holds(&model, None, PLAIN, truth);
        }
    }

    #[test]
    fn curves_move() {
        let within = |rest: [&str; 3]| format!("\\t => {}", model(rest));
        let disc = within(["normal 0 1", "normal 0 1", "x^2 + y^2 < t^2"]);
        let beside = within(["normal 3 1", "normal 0 1", "x^2 + y^2 < t^2"]);
        let ellipse = within(["normal 0.1 1", "normal t 1", "x^2 + 2*x*y + 3*y^2 < 2"]);
        let hyperbola = within(["normal 0 1", "normal t 1", "x^2 - y^2 > t"]);
        let arc = within(["uniformOn 0 1", "uniformOn 0 1", "(x-t)^2 + t*y^2 < 1"]);
        let parabola = within(["exponential 1", "normal 0 1", "y^2 < 2*x + t"]);
        let rows = [
            // 1 - e^(-t²/2), t e^(-t²/2), (1 - t²) e^(-t²/2)
            (&disc, "0.7", 1, "0.5478931767693076789"),
            (&disc, "0.7", 2, "0.3991793145033527375"),
            // f = t e^(-(t² + 9)/2) I₀(3t), and f'
            (&beside, "1", 1, "0.0328865217570878360283"),
            (&beside, "1", 2, "0.07991279697786531789654"),
            (&ellipse, "0.7", 0, "0.3755533880748658423743325"),
            (&ellipse, "0.7", 1, "-0.2130419152627074392994521"),
            (&ellipse, "0.7", 2, "-0.1774951274781950716462504"),
            (&hyperbola, "0.7", 1, "-0.2580036471699895296099754"),
            (&hyperbola, "0.7", 2, "0.2269172298210653938582261"),
            (&arc, "0.7", 0, "0.9895962990611668243644522"),
            (&arc, "0.7", 1, "-0.2477744298948773188251737"),
            (&parabola, "0.3", 1, "0.1801548869161013882598001"),
        ];
        for (model, at, order, truth) in rows {
            holds(model, None, Ask { at: Some(at), order, ..PLAIN }, truth);
        }
    }

    /// Solids in three coordinates, by their volumes and by the distribution of χ² with three degrees of freedom; off the middle by the series of
    /// the one that is not central. Along the last draw their borders are square roots, at which the next one is integrated in closed form or not.
    #[test]
    fn solids_have_their_volumes() {
        let within = |draws: [&str; 3], guard: &str, weight: &str| {
            let [x, y, z] = draws;
            format!(
                "do {{ x <- sample ({x}); y <- sample ({y}); z <- sample ({z}); if {guard} then return () else score 0; score ({weight}); return x }}"
            )
        };
        let (normal, wide) = (["normal 0 1"; 3], ["uniformOn (-2) 2"; 3]);
        let ball = "x^2 + y^2 + z^2 < 2";
        let rows = [
            (normal, ball, "1", "0.427593295529120166001"),
            (normal, ball, "z^2", "0.1508549639153903637741"),
            (normal, "1 < x^2 + y^2 + z^2 && x^2 + y^2 + z^2 < 4", "1", "0.5397878269520901802224"),
            (["normal 1 1", "normal 0 1", "normal 0 1"], ball, "1", "0.3082525076648532355446"),
            // a ball in a cube, π/6; a cap, π·h²·(3 - h)/3 with h = 1/2; ellipsoids
            (["uniformOn 0 1"; 3], "(x - 1/2)^2 + (y - 1/2)^2 + (z - 1/2)^2 < 1/4", "1", "0.5235987755982988730771072"),
            (wide, "x^2 + y^2 + z^2 < 1 && z > 1/2", "1", "0.01022653858590427486479"),
            (wide, "x^2 + 2*y^2 + 3*z^2 < 1", "1", "0.02671978812837216865717"),
            (wide, "x^2 + x*y + y^2 + z^2 < 1", "1", "0.07557497350975907710809"),
            // under a paraboloid, and what two cylinders share: 16/3 of 8
            (
                ["uniformOn (-2) 2", "uniformOn (-2) 2", "uniformOn 0 1"],
                "x^2 + y^2 < z",
                "1",
                "0.09817477042468103870196",
            ),
            (["uniformOn (-1) 1"; 3], "x^2 + y^2 < 1 && x^2 + z^2 < 1", "1", "0.6666666666666666666666667"),
        ];
        for (draws, guard, weight, truth) in rows {
            holds(&within(draws, guard, weight), None, Ask { eps: "1e-6", seconds: 100, ..PLAIN }, truth);
        }
        // the density of χ², √(t/2π)·e^(-t/2), and its slope; of the ball's eighth π/6·t^(3/2)
        let moved = |draws, order, at| {
            let model = format!("\\t => {}", within(draws, "x^2 + y^2 + z^2 < t", "1"));
            move |truth| holds(&model, None, Ask { at: Some(at), order, eps: "1e-6", seconds: 100, ..PLAIN }, truth)
        };
        moved(normal, 1, "2")("0.2075537487102973516701");
        moved(normal, 2, "2")("-0.05188843717757433791753");
        moved(["uniformOn 0 1"; 3], 1, "0.81")("0.7068583470577034786541");
        moved(["uniformOn 0 1"; 3], 2, "0.81")("0.4363323129985823942309");
    }
}
