"""Programs that sample: masses, means, densities of images, estimators, with true values from closed forms."""

import math
from fractions import Fraction

import pytest
import smoothish

F = Fraction

# The posterior of a rate with the flat prior, after 7 of 10: beta (8, 4), of mass B(8, 4) = 7! 3! / 11!
RATE = "do { p <- sample (uniformOn 0 1); score (p^7*(1-p)^3); return p }"
NORMAL = "sample (normal 0 1)"
LINE = "\\t => sample (normal t 1)"
# by mpmath, to 40 digits: exp(1/2), 1/sqrt(2 pi), the upper tail of the normal distribution from 1, log(1320)
SQRT_E = "1.648721270700128146848650787814163571654"
PHI_0 = "0.3989422804014326779399460599343818684759"
TAIL = "0.1586552539314570514147674543679620775221"


def test_masses():
    tilted = smoothish.evidence(f"do {{ x <- {NORMAL}; score (exp x); return x }}", eps="1e-9")
    assert SQRT_E in tilted.value and tilted.value.width <= F(1, 10**9) and tilted.reached
    assert isinstance(tilted, smoothish.Integral) and tilted.type is None
    rate = smoothish.evidence(RATE, digits=12)
    assert "1/1320" in rate.value and rate.reached and rate.value.width < F(1, 10**14)
    assert (rate.paths, rate.open, rate.assumed) == (1, 0, ()) and 0 in rate.rest


def test_a_mass_is_relative_where_nothing_is_asked():
    usual = smoothish.evidence(RATE).value
    assert "1/1320" in usual and usual.reached and usual.width <= F(1, 1320 * 10**5)


def test_logarithms_of_masses():
    found = smoothish.evidence(RATE, log=True, eps="1e-12")
    assert math.isclose(float(found.value.mid), -math.log(1320), rel_tol=1e-12) and found.value.width <= F(1, 10**12)
    half = smoothish.evidence(f"do {{ x <- {NORMAL}; score (exp x); return x }}", True)
    assert "1/2" in half.value
    with pytest.raises(ValueError, match="a logarithm has no derivatives here; leave out log= or deriv="):
        smoothish.evidence(LINE, log=True, at=0, deriv=1)


def test_derivatives_of_masses():
    # the mass of exp (t x) is exp (t^2/2): at 1 the slope is exp(1/2), the second derivative 2 exp(1/2)
    model = f"\\t => do {{ x <- {NORMAL}; score (exp (t * x)); return x }}"
    assert SQRT_E in smoothish.evidence(model, at=1).value
    slope = smoothish.evidence(model, at=1, deriv=1)
    assert SQRT_E in slope.value and slope.reached


def test_means():
    mean = smoothish.expect(RATE, "\\p => p", eps="1e-12")
    assert "2/3" in mean.value and mean.value.width <= F(1, 10**12) and mean.reached
    tail = smoothish.expect(NORMAL, "\\x => if x > 1 then 1 else 0", eps="1e-15")
    assert TAIL in tail.value and tail.value.width <= F(1, 10**15) and tail.reached


def test_derivatives_of_means():
    # E x^2 = t^2 + 1
    slope = smoothish.expect(LINE, "\\x => x^2", at="1/2", deriv=1)
    assert 1 in slope.value and slope.reached and slope.value.width < F(1, 10**6)
    assert "5/4" in smoothish.expect(LINE, "\\x => x^2", 0.5).value
    assert 2 in smoothish.expect(LINE, "\\x => x^2", at=3, deriv=2).value
    assert 0 in smoothish.expect(LINE, "\\x => x^2", at=3, deriv=8).value


def test_what_was_assumed_is_told():
    # the number of trials has no bound, so paths are left, whose probability is in the answer
    walk = "let rec walk (n : Nat) : P Nat = do { b <- sample (bernoulli 0.5); if b then return n else walk (n + 1) } in walk 0"
    found = smoothish.evidence(walk, eps="1e-3")
    assert 1 in found.value and found.rest.lo >= 0
    weighted = walk.replace("walk (n + 1)", "do { score (4/3); walk (n + 1) }")
    bounded = smoothish.evidence(weighted, eps="1e-2", weight_at_most=10**6)
    # the sum of (4/3)^n / 2^(n + 1)
    assert "3/2" in bounded.value and bounded.assumed == ("no product of weights is greater than 1000000",)
    assert [(note.kind, note.id) for note in bounded.notes][0] == ("assumption", "assumed")
    # the sum of n^2 / 2^(n + 1) is 3: no affine bound of what is left is above n^2
    known = smoothish.expect(walk, "\\n => toReal n ^ 2", bound="\\n => toReal n ^ 2 + 2 * toReal n + 3", eps="1e-3")
    assert 3 in known.value and known.assumed == ()
    with pytest.raises(smoothish.SmoothishError, match="no bound of what is left of the loop: at the state 0 it is 2"):
        smoothish.expect(walk, "\\n => toReal n ^ 2", bound="\\n => toReal n ^ 2 + 2 * toReal n + 2")
    square = smoothish.evidence(f"do {{ x <- {NORMAL}; score (x^2 - x + 1); return x }}")
    # E x^2 - E x + 1
    assert 2 in square.value


def test_a_mean_that_has_no_value():
    with pytest.raises(smoothish.SmoothishError, match="the normalising constant is 0"):
        smoothish.expect(f"do {{ x <- {NORMAL}; score 0; return x }}", "\\x => x")
    with pytest.raises(smoothish.EvaluationError, match="a score is negative"):
        smoothish.evidence("do { score (-1); return 0 }")


def test_densities_of_images():
    found = smoothish.pushforward("exp", NORMAL, 1, eps="1e-15", injective=True)
    assert PHI_0 in found.densities[1] and found.densities[1].width <= F(1, 10**15)
    assert found.reached and found.value is found.densities and list(found.densities) == [1]
    assert found.injective == "it is monotone on each chart" and found.charts == 1 and found.assumed == ()
    (part,) = found.parts
    assert 0 in part.value[0] and PHI_0 in part.before and 1 in part.factor and part.dimension == 1
    assert PHI_0 in smoothish.pushforward("exp", NORMAL, "exp 0").densities[1]
    # phi(2)/12
    cube = smoothish.pushforward("\\x => x^3", NORMAL, 8).densities[1]
    assert math.isclose(float(cube.mid), math.exp(-2) / math.sqrt(2 * math.pi) / 12, rel_tol=1e-5)


def test_densities_on_thin_supports():
    segment = "do { t <- sample (uniformOn 0 1); return (t, t) }"
    found = smoothish.pushforward("\\p => p", segment, ("1/4", "1/4"), eps="1e-12")
    # the segment is sqrt 2 long
    assert abs(found.densities[1].mid**2 - F(1, 2)) < F(1, 10**10)
    assert smoothish.pushforward("\\p => p", segment, (2, 1)).densities == {}
    atom = smoothish.pushforward("\\x => x", "do { b <- sample (bernoulli 0.25); return (if b then 0 else 1) }", 0)
    assert "1/4" in atom.densities[0] and atom.parts[0].dimension == 0


def test_maps_that_are_not_injective():
    with pytest.raises(smoothish.EvaluationError, match="not injective"):
        smoothish.pushforward("\\x => x^2", NORMAL, 1, injective=True)
    with pytest.raises(smoothish.EvaluationError, match="a change of variables is for Real"):
        smoothish.pushforward("\\b => b", "sample (bernoulli 0.5)", "tt")


def test_all_preimages_count():
    # phi(1)/2 from each of 1 and -1, and 1/(5 pi) of a ratio
    square = smoothish.pushforward("\\x => x^2", NORMAL, 1, eps="1e-9")
    assert math.isclose(float(square.densities[1].mid), math.exp(-1 / 2) / math.sqrt(2 * math.pi), rel_tol=1e-8)
    assert len(square.parts) == 2 and square.injective is None
    pair = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); return (x, y) }"
    ratio = smoothish.pushforward("\\(x, y) => x / y", pair, 2, eps="1e-9")
    assert math.isclose(float(ratio.densities[1].mid), 1 / (5 * math.pi), rel_tol=1e-7)


def test_what_is_assumed_of_a_map():
    # the determinant is 1 + 9 x^2 y^2 / 100, which is 1 at the point
    map_ = "\\(x, y) => (x + y^3 / 10, y - x^3 / 10)"
    model = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); return (x, y) }"
    for assumes in (False, True):
        found = smoothish.pushforward(map_, model, (0, 0), injective=True, assume_injective=assumes, timeout=20)
        assert math.isclose(float(found.densities[2].mid), 1 / (2 * math.pi), rel_tol=1e-5)
        # what was not proved is reached only if it was asked to be assumed
        assert found.injective is None and found.reached == assumes == found.densities[2].reached
        (note,) = found.notes
        assert note.kind == "assumption" and note.text == f"assumed: {found.assumed[0]}"


def test_estimators():
    # 5 Phi(t) + the mean of z below 0: the slope is 5 phi(t) + Phi(-t), and along a draw Phi(-t)
    t = 0.3
    phi = math.exp(-(t**2) / 2) / math.sqrt(2 * math.pi)
    below = math.erfc(t / math.sqrt(2)) / 2
    found = smoothish.estimators(LINE, "\\z => if z > 0 then 5 else z", t, eps="1e-9")
    assert math.isclose(float(found.gradient.mid), 5 * phi + below, rel_tol=1e-9) and found.value == found.gradient
    path, score, border = found.estimators
    assert [e.name for e in found.estimators] == ["reparametrisation", "score function", "with boundary terms"]
    assert math.isclose(float(path.mean.mid), below, rel_tol=1e-8) and path.applicable and path.why is None
    assert math.isclose(float(path.bias.mid), -5 * phi, rel_tol=1e-8)
    (miss,) = path.misses
    assert (miss.written, miss.position) == ("z > 0", "function:1:10")
    assert math.isclose(float(miss.share.mid), 5 * phi, rel_tol=1e-8)
    assert 0 in score.bias and score.misses == () and 0 in border.bias and border.variance is None
    # the variance of one sample of the path: Phi(-t) (1 - Phi(-t))
    assert math.isclose(float(path.variance.mid), below * (1 - below), rel_tol=1e-8)


def test_estimators_that_do_not_apply():
    model = "\\t => do { x <- sample (gamma t 1); return x }"
    found = smoothish.estimators(model, "\\x => x", 2)
    # E x = t
    assert 1 in found.gradient
    first = found.estimators[0]
    assert not first.applicable and first.mean is None and first.misses == () and first.why
    with pytest.raises(smoothish.EvaluationError, match="weighs its runs"):
        smoothish.estimators("\\t => do { x <- sample (normal t 1); score (exp x); return x }", "\\x => x", 0)


def test_a_density_is_drawn():
    picture = smoothish.density(NORMAL, -1, 1, columns=2)
    for left, right, found in picture.columns():
        # over a column the mean of the density, here Phi(1) - 1/2, by mpmath
        assert "0.3413447460685429485852325456320379224779" in found and right - left == 1
    assert picture.svg.startswith("<svg") and picture.orders == [0]
    uniform = smoothish.density("do { x <- sample (uniformOn 0 1); return (2 * x) }", 0, 2, columns=4)
    assert all("1/2" in found for _, _, found in uniform.columns()) and uniform.reached
    with pytest.raises(ValueError, match="less than"):
        smoothish.density(NORMAL, 1, 0)
