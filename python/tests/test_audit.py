"""Is a gradient right? Of programs, and of functions of JAX where it is installed."""

import math
import pickle
import time
from fractions import Fraction as F
from importlib.util import find_spec

import numpy
import pytest
import smoothish

with_jax = pytest.mark.skipif(find_spec("jax") is None, reason="JAX is not installed")


@pytest.mark.parametrize(
    ("program", "x", "claim", "verdict", "cause"),
    [
        ("\\x => x^2", 3, 6.0, "CERTIFIED_IN", None),
        ("\\x => x^2", 3, 7.5, "CERTIFIED_OUT", "unexplained"),
        ("\\x => max x 0 + min x 0", 0, 0.0, "CERTIFIED_OUT", "kink"),
        ("\\x => max x 0 + min x 0", 0, 1.0005, "CERTIFIED_OUT", "unexplained"),
        ("\\x => sqrt (x^4)", 0, math.nan, "CERTIFIED_OUT", "nan"),
        ("\\x => log (1 + exp x)", 25, 1.0, "CERTIFIED_OUT", "unexplained"),
        ("abs", 0, 1.0, "CERTIFIED_IN", None),
        ("abs", 0, 1.1, "CERTIFIED_OUT", "unexplained"),
        ("\\x => 1/x", 0, 0.0, "NOT_DEFINED", None),
        ("sqrt", 0, 0.0, "ONE_SIDED", None),
        ("\\x => if x > 0 then 1 else 0", 0, 0.0, "NOT_CONTINUOUS", None),
        ("cbrt", 0, 0.0, "NOT_LIPSCHITZ", None),
        ("\\x => if x == 0 then 0 else x^2 * sin (1/x)", 0, 0.0, "UNKNOWN", None),
    ],
)
def test_programs(program, x, claim, verdict, cause):
    report = smoothish.audit(program, x, claim)
    assert (report.verdict, report.cause) == (verdict, cause)
    assert report.right == {"CERTIFIED_IN": True, "CERTIFIED_OUT": False}.get(verdict)


def test_reports_say_what_is_right():
    report = smoothish.audit("\\x => abs x", 0, 0.5)
    assert [(e.lo, e.hi) for e in report.limits] == [(-1, -1), (1, 1)] and (report.set.lo, report.set.hi) == (-1, 1)
    assert report.borders == ("1:7",) and (report.claim, report.point) == (0.5, 0)
    assert pickle.loads(pickle.dumps(report)) == report
    # the tolerance is that of the type
    third = F(1, 3)
    assert smoothish.audit("\\x => x/3", 0, numpy.float32(third)).right
    assert not smoothish.audit("\\x => x/3", 0, float(numpy.float32(third))).right
    assert smoothish.audit("\\x => x/3", 0, float(numpy.float32(third)), dtype="float32").right
    assert not smoothish.audit("\\x => x/3", 0, 0.333, dtype="float32").right
    assert smoothish.audit("\\x => x/3", 0, 0.333, dtype="float32", ulps=10**5).right


def test_wrong_questions():
    for program, x, claim, error in [
        ("\\x => (x, x)", 0, 0.0, smoothish.ProgramError),
        ("\\x => x", math.nan, 0.0, ValueError),
        ("\\x => x", 0, "little", ValueError),
        ("\\x => x", 0, None, TypeError),
    ]:
        with pytest.raises(error):
            smoothish.audit(program, x, claim)
    for ulps in (-1, 2**32, 0.5):
        with pytest.raises(ValueError, match=f"0 or more; not {ulps}"):
            smoothish.audit("\\x => x", 0, 1.0, ulps=ulps)
    with pytest.raises(ValueError, match="float128"):
        smoothish.audit("\\x => x", 0, 1.0, dtype="float128")


def test_a_check_fails_unless_the_gradient_is_right():
    assert smoothish.check_grad("\\x => x^2", 3, 6.0).verdict == "CERTIFIED_IN"
    for program, claim in [("\\x => x^2", 0.1), ("sqrt", 0.0), ("\\x => if x == 0 then 0 else x^2 * sin (1/x)", 0.0)]:
        with pytest.raises(smoothish.GradientError) as caught:
            smoothish.check_grad(program, 0, claim)
        assert isinstance(caught.value, AssertionError) and caught.value.report.verdict in str(caught.value)
    oscillating = "\\x => if x == 0 then 0 else x^2 * sin (1/x)"
    assert smoothish.check_grad(oscillating, 0, 0.0, allow_unknown=True).verdict == "UNKNOWN"
    with pytest.raises(smoothish.GradientError):
        smoothish.check_grad("\\x => x^2", 3, 5.0, allow_unknown=True)


def traps():
    """Functions of JAX, where, what `jax.grad` answers is, and what is true: derived by hand."""
    import jax
    from jax import lax, nn
    from jax import numpy as jnp

    @jax.custom_jvp
    def doubled(x):
        return jnp.sin(x)

    doubled.defjvp(lambda primals, tangents: (doubled(primals[0]), 2 * tangents[0]))
    return {
        # right ones
        "square": (lambda x: x**2, 3.0, "CERTIFIED_IN"),
        "relu": (nn.relu, 0.0, "CERTIFIED_IN"),
        "softplus": (nn.softplus, 25.0, "CERTIFIED_IN"),
        "gelu": (nn.gelu, 0.5, "CERTIFIED_IN"),
        "max of two": (lambda x: jnp.maximum(x, 2 * x), 0.0, "CERTIFIED_IN"),
        "sort": (lambda x: jnp.sort(jnp.stack([x, x**2, 1.0]))[0], 1.0, "CERTIFIED_IN"),
        "atan2": (lambda x: jnp.arctan2(x, 1.0) + jnp.arctan2(1.0, x), 0.0, "CERTIFIED_IN"),
        "logsumexp": (lambda x: nn.logsumexp(jnp.stack([x, -x, jnp.abs(x)])), 0.0, "CERTIFIED_IN"),
        "power of a float": (lambda x: x**2.1, 2.0, "CERTIFIED_IN"),
        # x is x, and its derivative 1: JAX has 2 of relu(x) - relu(-x) at 0, or 0
        "relu both ways": (lambda x: nn.relu(x) - nn.relu(-x), 0.0, "CERTIFIED_OUT"),
        # where(x > 0, √x, x) is x left of 0: 1, and JAX has NaN
        "where": (lambda x: jnp.where(x > 0, jnp.sqrt(x), x), -1.0, "CERTIFIED_OUT"),
        # √(x⁴) = x²: 0, and JAX has NaN
        "norm": (lambda x: jnp.sqrt(x**4), 0.0, "CERTIFIED_OUT"),
        # where(x == 0, 0, x) is x: 1, and JAX has 0
        "equal": (lambda x: jnp.where(x == 0, 0.0, x), 0.0, "CERTIFIED_OUT"),
        # cos 0.5, and the rule says 2
        "rule": (doubled, 0.5, "CERTIFIED_OUT"),
        # x²: 6, and stop_gradient leaves 3
        "stopped": (lambda x: x * lax.stop_gradient(x), 3.0, "CERTIFIED_OUT"),
        # what has no derivative
        "step": (lambda x: jnp.where(x < 0, 0.0, 1.0), 0.0, "NOT_CONTINUOUS"),
        "sign": (jnp.sign, 0.0, "NOT_CONTINUOUS"),
        # 1, but for 0 at 0
        "square of the sign": (lambda x: jnp.sign(x) ** 2, 0.0, "NOT_CONTINUOUS"),
        "angle": (lambda x: jnp.arctan2(x, -1.0), 0.0, "NOT_CONTINUOUS"),
        # x - 2 beside 2.5; at 2 from 1 to 0
        "floor": (lambda x: x - jnp.floor(x), 2.5, "CERTIFIED_IN"),
        "floor at a whole number": (lambda x: x - jnp.floor(x), 2.0, "NOT_CONTINUOUS"),
        # x·(⌊x⌋ - 2)·(x - 2): x² - 2x times -1 left of 2, where its slope is -2, and 0 right of it
        "floor at a kink": (lambda x: x * (jnp.floor(x) - 2) * (x - 2), 2.0, "CERTIFIED_IN"),
        # ∛ and floor: ⌈-x⌉ = -⌊x⌋, at -1/2
        "ceil": (lambda x: jnp.ceil(x) * x + jnp.round(x), -0.75, "CERTIFIED_IN"),
        # x^x·(log x + 1)
        "power of itself": (lambda x: x**x, 1.5, "CERTIFIED_IN"),
        "root": (jnp.sqrt, 0.0, "ONE_SIDED"),
        "cube root": (jnp.cbrt, 0.0, "NOT_LIPSCHITZ"),
        "pole": (lambda x: 1 / x, 0.0, "NOT_DEFINED"),
    }


NAMES = """
    square, relu, softplus, gelu, max of two, sort, atan2, logsumexp, power of a float, relu both ways, where, norm, equal, rule, stopped,
    step, sign, square of the sign, angle,
    floor, floor at a whole number, floor at a kink, ceil, power of itself, root, cube root, pole
"""


@with_jax
@pytest.mark.parametrize("name", [name.strip() for name in NAMES.split(",")])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_functions_of_jax(name, dtype):
    import jax

    every = traps()
    assert len(every) == len(NAMES.split(","))
    f, x, verdict = every[name]
    with jax.enable_x64(dtype == "float64"):
        report = smoothish.audit(f, jax.numpy.asarray(x, dtype))
    assert report.verdict == verdict, report
    if verdict == "CERTIFIED_OUT" and name not in ("rule", "stopped"):
        assert report.cause in ("kink", "nan"), report


@with_jax
def test_directions_of_jax():
    from jax import numpy as jnp

    norm = lambda v: jnp.sqrt(jnp.sum(v**2))
    x = jnp.array([3.0, 4.0], "float32")
    assert smoothish.audit(norm, x, direction=[1.0, 0.0]).right
    report = smoothish.audit(norm, x, [0.6, 0.7], direction=[0.0, 1.0])
    assert report.verdict == "CERTIFIED_OUT" and "4/5" in report.set
    # at 0 along a line |t|·5: every number of [-5, 5], and JAX has NaN
    report = smoothish.audit(norm, jnp.zeros(2, "float32"), direction=[3.0, 4.0])
    assert report.verdict == "CERTIFIED_OUT" and report.cause == "nan" and (report.set.lo, report.set.hi) == (-5, 5)
    with pytest.raises(ValueError, match="no coordinates"):
        smoothish.audit(norm, jnp.zeros(0))
    with pytest.raises(ValueError, match="finite numbers"):
        smoothish.audit(norm, x, direction=[1.0, math.nan])
    with pytest.raises(ValueError, match="direction of"):
        smoothish.audit(norm, x, direction=[1.0])
    with pytest.raises(ValueError, match="one number, not of 2"):
        smoothish.audit(lambda v: v * jnp.ones(2), jnp.float32(1), 1.0)


@with_jax
def test_what_cannot_be_audited_is_named():
    import jax
    from jax import numpy as jnp

    # the second derivative of digamma, by mpmath
    trigamma = lambda x: jnp.where(x > 0, jax.scipy.special.polygamma(1, x), x)
    report = smoothish.audit(trigamma, jnp.float32(1.5), -0.82879664423432)
    assert report.right and abs(float(report.set.mid) + 0.82879664423432) < 1e-6
    assert smoothish.audit(trigamma, jnp.float32(1.5), -0.84).verdict == "CERTIFIED_OUT"
    # what is refused counts only where it is asked for
    power = lambda x: jnp.where(x > 0, (x - 2.0) ** x, x)
    report = smoothish.audit(power, jnp.float32(1.0), 0.0)
    assert report.verdict == "UNKNOWN" and "whose exponent moves" in report.reason
    assert smoothish.audit(power, jnp.float32(-1.5), 1.0).right
    # at 0, JAX computes 0
    for f in [lambda x: jnp.where(jnp.isnan(x / x), 0.0, x / x), lambda x: jnp.where(jnp.isfinite(1 / x), 1 / x, 0.0)]:
        with pytest.raises(smoothish.UnsupportedError, match=r"a test for NaN .* \(at .*test_audit.py"):
            smoothish.audit(f, jnp.float32(0))


@with_jax
def test_borders_of_jax_have_places():
    from jax import numpy as jnp

    report = smoothish.audit(lambda x: jnp.where(x > 0, x, 2 * x), jnp.float32(0))
    assert any("test_audit.py" in border for border in report.borders), report


@with_jax
def test_a_subject_is_traced_once():
    from jax import numpy as jnp

    count = 0

    def relus(v):
        nonlocal count
        count += 1
        return jnp.sum(jnp.maximum(v, 0.0)) - jnp.sum(jnp.maximum(-v, 0.0))

    x = jnp.array([0.0, 1.0, -2.0], "float32")
    subject = smoothish.Subject(relus, x)
    traced = count
    directions = numpy.random.default_rng(3).normal(size=(40, 3))
    # the sum of the coordinates: JAX has half of the first where it is 0
    reports = smoothish.map(subject.audit, list(directions), workers=2, batch=7)
    assert count == traced
    again = pickle.loads(pickle.dumps(subject))
    assert [again.audit(d) for d in directions] == reports == [subject.audit(d) for d in directions]
    right = subject.grad == (1, 1, 1)
    assert all(report.verdict == ("CERTIFIED_IN" if right else "CERTIFIED_OUT") for report in reports)
    assert {report.cause for report in reports} == ({None} if right else {"kink"})
    assert all(F(float(d.sum())) in report.set or abs(report.set.mid - F(float(d.sum()))) < 1e-6
               for d, report in zip(directions, reports, strict=True))


@with_jax
def test_ties_infinities_and_large_powers():
    import jax
    from jax import numpy as jnp

    with jax.enable_x64(True):
        at = jnp.float64
        # 0 at 1/2, and 1 on both sides of it
        assert smoothish.audit(lambda x: jnp.round(abs(x - 0.5) + 0.5), at(0.5), 0.0).verdict == "NOT_CONTINUOUS"
        assert smoothish.audit(lambda x: jnp.where(x == 0.5, jnp.round(x), 0 * x), at(0.5), 0.0).right
        assert smoothish.audit(lambda x: x - jnp.round(x), at(1.25), 1.0).right
        away = jax.lax.RoundingMethod.AWAY_FROM_ZERO
        for x, value in [(2.5, 3), (-2.5, -3), (0.2, 0)]:
            found = smoothish.from_jax(lambda y, x=x: y * jax.lax.round(at(x), away), at(1))
            assert (found(1.0).lo, found(1.0).hi) == (value, value)
        for f, x in [
            (lambda x: jnp.where(jnp.isinf(1 / x), 5.0, x), 0),
            (lambda x: jnp.where(jnp.log(x) < jnp.inf, 5.0, x), -1),
            (lambda x: jnp.log(x) / jnp.inf + x, -1),
            (lambda x: jnp.where(jnp.maximum(jnp.log(x), jnp.inf) > 0, x, 2 * x), -1),
        ]:
            with pytest.raises(smoothish.UnsupportedError, match="NaN or infinity"):
                smoothish.audit(f, at(x), 1.0)
        # what an infinity leaves as it is needs no value
        masked = lambda x: jnp.max(jnp.where(jnp.array([True, False]), jnp.sqrt(x) + jnp.zeros(2), -jnp.inf))
        assert smoothish.audit(masked, at(4), 0.25).right
        assert smoothish.audit(lambda x: x**1000002, at(-0.999999)).verdict == "UNKNOWN"
        # trees of arrays
        tree = (at(1), {"a": jnp.ones(2)})
        found = smoothish.audit(lambda t: t[0] * t[1]["a"].sum(), tree, direction=(1.0, {"a": numpy.ones(2)}))
        assert found.right and found.claim == 4


@with_jax
def test_terms_that_cancel_are_rounded_as_they_are():
    from jax import numpy as jnp

    for y in numpy.linspace(0.3, 0.9, 13, dtype="float32"):
        x, along = jnp.array([1.0, y], "float32"), [1.0, -2 * float(y)]
        f = lambda v: v[0] * jnp.sqrt(v[1])
        assert smoothish.audit(f, x, direction=along).right, y
        wrong = [float(numpy.sqrt(y)) + 0.01, float(0.5 / numpy.sqrt(y))]
        assert smoothish.audit(f, x, wrong, direction=along).right is False


@with_jax
def test_whole_gradients_of_jax():
    import jax
    from jax import numpy as jnp

    with jax.enable_x64(True):
        at = lambda *x: jnp.array(x, "float64")
        norm = lambda v: jnp.sqrt(jnp.sum(v**2))
        report = smoothish.audit(norm, at(3, 4))
        assert report.right and numpy.allclose(report.claim, (0.6, 0.8), rtol=1e-15)
        assert report.point == (3, 4) and F(3, 5) in report.set[0] and F(4, 5) in report.set[1]
        assert pickle.loads(pickle.dumps(report)) == report
        report = smoothish.audit(norm, at(3, 4), [0.6, 0.7])
        assert report.right is False and report.cause == "unexplained" and "coordinate 2" in report.reason
        # |x| + |y| at 0: all of the square, and JAX has (0, 0) or (1, 1)
        assert smoothish.audit(lambda v: jnp.sum(jnp.abs(v)), at(0, 0)).right
        assert smoothish.audit(lambda v: jnp.sum(jnp.abs(v)), at(0, 0), [0.5, -1.5]).right is False
        # max: the segment from (1, 0) to (0, 1), which no intervals are
        assert smoothish.audit(jnp.max, at(1, 1), [0.25, 0.75]).right
        assert smoothish.audit(jnp.max, at(1, 1), [0.25, 0.25]).cause == "unexplained"
        # x + y, of which JAX has twice or nothing where x is 0
        relus = lambda v: jnp.sum(jax.nn.relu(v) - jax.nn.relu(-v))
        for claim, cause in [(2.0, "kink"), (0.0, "kink"), (3.0, "unexplained"), (1.0005, "unexplained")]:
            report = smoothish.audit(relus, at(0, 2), [claim, 1.0])
            assert (report.verdict, report.cause) == ("CERTIFIED_OUT", cause), report
        assert smoothish.audit(relus, at(0.5, 2)).right
        # what it is on a line, it is
        assert smoothish.audit(lambda v: v[0] * jnp.log(v[1]), at(1, -1), [0.0, 0.0]).verdict == "NOT_DEFINED"
        assert smoothish.audit(lambda v: jnp.where(v[1] > 0, 1.0, 0.0) * v[0], at(1, 0)).verdict == "NOT_CONTINUOUS"

        def cusp(v):
            x, y = v
            return jnp.where((y >= 0) & (y <= x**2), jnp.where(y <= x**2 / 2, y, x**2 - y), 0.0)

        # the set at 0 is {0}×[-1, 1], and no line enters the cusp
        assert smoothish.audit(cusp, at(0, 0)).verdict == "UNKNOWN"
        assert smoothish.audit(cusp, at(4, 1)).right and smoothish.audit(cusp, at(4, 10), [0.0, 1.0]).right is False
        # a network of random weights
        weights = numpy.random.default_rng(4).normal(size=(3, 5, 5))

        def network(v):
            for matrix in weights:
                v = jax.nn.relu(matrix @ v + 0.1)
            return jnp.sum(v)

        x = at(0.3, -0.2, 0.9, 0.4, -0.7)
        assert smoothish.audit(network, x).right
        assert smoothish.audit(network, x, jax.grad(network)(x) + 1e-3).right is False


@with_jax
def test_loops_that_count_in_floats_are_noted():
    import jax
    from jax import lax
    from jax import numpy as jnp

    # 0.1 in float64 is more than 1/10, so ten of them are more than 1; added in float64 they are less
    def powers(stop, step):
        return lambda x: lax.while_loop(lambda c: c[0] < stop, lambda c: (c[0] + step, c[1] * x), (0 * stop, x))[1]

    with jax.enable_x64(True):
        x = jnp.float64(1.5)
        assert powers(1.0, 0.1)(x) == 1.5**12
        report = smoothish.audit(powers(1.0, 0.1), x, jax.jacfwd(powers(1.0, 0.1))(x))
        assert 11 * F(3, 2) ** 10 in report.set
        assert any("10 rounds in real numbers" in note and "test_audit.py" in note for note in report.notes)
        assert not any("rounds" in note for note in smoothish.audit(powers(10, 1), x, jax.jacfwd(powers(10, 1))(x)).notes)


@with_jax
def test_infinities_on_the_way_are_what_floats_have():
    import jax
    from jax import numpy as jnp

    inf, nan, at = jnp.inf, jnp.nan, jnp.float32
    keep = jnp.array([True, True, False])
    for f, x, slopes in [
        (lambda x: jnp.where(x < at(2) * inf, x, 0.0), 1, 1),
        (lambda x: jnp.where(jnp.isinf(at(2) * inf), x, 2 * x), 1, 1),
        (lambda x: jnp.where(jnp.tanh(at(inf)) > 0, x, 2 * x), 1, 1),
        (lambda x: jnp.clip(x, -1.0, at(2) * inf), 0.5, 1),
        (lambda x: x + jnp.exp(-at(inf) * 2), 1, 1),
        (lambda x: jnp.fmod(x, inf) + jnp.mod(x, inf), 1, 2),
        (lambda x: x * jnp.arctan2(at(inf), 1.0), 1, math.pi / 2),
        (lambda x: x * jnp.arctan2(1.0, -at(inf)), 1, math.pi),
        (lambda x: x + 0.5 ** at(inf), 1, 1),
        (lambda x: jnp.where(x > jnp.log(at(0)), x, 0.0), 1, 1),
        (lambda x: x[jnp.argmin(jnp.where(keep, inf, x) * 2)], (1, 2, 0), (0, 0, 1)),
        (lambda x: x[jnp.argmin(jnp.where(keep, inf, x) ** 2)], (1, 2, 0), (0, 0, 1)),
        (lambda x: jnp.min(jnp.where(keep, x, inf) ** 2), (1, 2, 3), (2, 0, 0)),
        (lambda x: jnp.min(jnp.sqrt(jnp.where(keep, x, inf))), (1, 2, 3), (0.5, 0, 0)),
        (lambda x: jax.nn.softmax(x + jnp.log(jnp.array([1.0, 0.0, 1.0])))[1], (1, 2, 3), (0, 0, 0)),
        # a NaN stands last, and is the greatest
        (lambda x: jnp.nanmedian(jnp.stack([x, at(nan), 2 * x])), 1, 1.5),
        (lambda x: jnp.sort(jnp.stack([at(nan), x]))[0], 1, 1),
        (lambda x: jnp.where(jnp.argmax(jnp.stack([x, at(nan)])) == 1, x, 2 * x), 1, 1),
        # what fills an array is no place in it, and whole numbers have an end
        (lambda x: x.at[jnp.array([0, 5])].get(mode="fill", fill_value=0).sum(), (1, 2), (1, 0)),
        (lambda x: jnp.take(x, jnp.array([0, 7]), mode="fill", fill_value=1).sum(), (1, 2), (1, 0)),
        (lambda x: jnp.where(jnp.floor(at(60000)).astype(jnp.int32) * 60000 > 0, x, 2 * x), 1, 2),
    ]:
        x, slopes = jnp.array(x, "float32"), numpy.array(slopes, "float32")
        assert smoothish.audit(f, x, slopes).right, (f, x)
        assert smoothish.audit(f, x, slopes + 1).right is False, (f, x)
    masked = lambda x: jax.nn.softmax(jnp.where(keep, x, -inf) / 2.0)[0]
    assert smoothish.audit(masked, jnp.array([1.0, 2.0, 3.0])).right
    normal = lambda x: x * jax.random.normal(jax.random.key(0), (2,)).sum()
    assert smoothish.audit(normal, at(1)).right
    # an infinity times what varies: neither is said to be defined, nor not to be
    for f in (lambda x: jnp.where(x * inf > 0, x, 0.0), lambda x: jnp.minimum(jnp.where(x > 0, inf, x) * 2, 5.0)):
        try:
            assert smoothish.audit(f, at(1), 1.0).verdict == "UNKNOWN"
        except smoothish.UnsupportedError as error:
            assert "infinity" in str(error)
    assert smoothish.audit(lambda x: x * nan, at(1), 0.0).verdict == "NOT_DEFINED"
    assert smoothish.audit(lambda x: x + inf, at(1), 0.0).verdict == "NOT_DEFINED"


@with_jax
def test_a_tolerance_is_that_of_its_type_and_coordinate():
    import jax
    from jax import numpy as jnp

    for kind in (jnp.bfloat16, jnp.float16):
        for claim, right in [(0.0, False), (0.9, False), (3.0, False), (1.0, True)]:
            assert smoothish.audit(lambda x: x, kind(1), [claim]).right is right, (kind, claim)
        assert smoothish.audit(lambda x: jax.nn.relu(x) - jax.nn.relu(-x), kind(0), [0.0]).right is False
    at = lambda *x: jnp.array(x, "float32")
    large = lambda v: 1e4 * v[0] + jax.nn.relu(v[1]) - jax.nn.relu(-v[1])
    report = smoothish.audit(large, at(1, 0), [1e4, 0.0])
    assert report.right is False and "coordinate 2" in report.reason
    assert smoothish.audit(lambda v: 1e6 * v[0] + v[1], at(1, 1), [1e6, 123.0]).right is False
    for claim, right in [(0.5, True), (5.0, False)]:
        assert smoothish.audit(lambda v: 1e6 * v[0] + jnp.abs(v[1]), at(1, 0), [1e6, claim]).right is right
    # what is small is enclosed as finely as it takes
    small = lambda v: 1e6 * v[0] + 1e-9 * jnp.sin(v[1])
    assert smoothish.audit(small, at(1, 1)).right
    assert smoothish.audit(small, at(1, 1), [1e6, 5.5e-10]).right is False


@with_jax
def test_claims_that_are_none_are_refused():
    import jax
    from jax import numpy as jnp

    ones = lambda *shape: numpy.ones(shape, "float32")
    square = lambda x: (x**2).sum()
    for x, claim, kind, message in [
        (jnp.float32(1), 1 + 5j, TypeError, "real number"),
        (ones(2, 3), 2 * ones(3, 2), ValueError, "shape"),
        (ones(2, 2), 2 * ones(4), ValueError, "shape"),
        (jnp.array([1.0, 2.0]), [1.0], ValueError, "1 numbers, where x has 2"),
    ]:
        with pytest.raises(kind, match=message):
            smoothish.audit(square, x, claim)
    assert smoothish.audit(square, ones(2, 2), 2 * ones(2, 2)).right
    assert smoothish.audit(lambda x: x, jnp.float32(1), 10**400).right is False
    with pytest.raises(smoothish.UnsupportedError, match="traced twice"):
        smoothish.audit(lambda x: x * numpy.random.rand(), jnp.float32(1), 1.0)
    with pytest.raises(smoothish.UnsupportedError, match="depends on x by rounding"):
        smoothish.audit(lambda x: jax.lax.switch(jnp.floor(x).astype(int), [jnp.sin, jnp.cos], x), jnp.float32(0.5))
    with pytest.raises(smoothish.UnsupportedError, match="approx_top_k"):
        smoothish.audit(lambda x: jax.lax.approx_max_k(x, 1)[0].sum(), ones(3))
    scattered = lambda x: jnp.arange(1.0, 4.0) @ jnp.ones(3).at[jnp.array([0, 0])].max(jnp.stack([x, 2 * x]))
    assert [smoothish.audit(scattered, jnp.float32(1), claim).right for claim in (2.0, 1.0)] == [True, False]
    with pytest.raises(smoothish.UnsupportedError, match="operations"):
        smoothish.audit(square, numpy.ones(2_000_000, "float32"), numpy.ones(2_000_000, "float32"))
    with jax.enable_x64(False):
        notes = smoothish.audit(jnp.abs, numpy.float64(1e-50), [0.0]).notes
        assert any("rounded x to float32" in note for note in notes)
        with pytest.raises(ValueError, match="float32"):
            smoothish.audit(jnp.abs, numpy.float64(1e300), [0.0])


def test_deep_functions_keep_to_their_time():
    deep = "\\x => " + "sin (" * 3000 + "x" + ")" * 3000
    start = time.monotonic()
    smoothish.audit(deep, 1, 1.0, timeout=1)
    assert time.monotonic() - start < 30


@with_jax
def test_what_floats_decide_otherwise_is_not_certified():
    import itertools
    import random

    import jax
    from jax import lax
    from jax import numpy as jnp

    inf, nan, at = jnp.inf, jnp.nan, jnp.float32
    # an infinity that leaves nothing of what has no value
    for f in [
        lambda x: jnp.where(jnp.sum(jnp.stack([jnp.log(x), at(inf)])) > 0, x, 2 * x),
        lambda x: jnp.where(jnp.dot(jnp.stack([jnp.log(x), at(1)]), jnp.array([1.0, inf])) > 0, x, 2 * x),
        lambda x: jnp.where(jnp.array([inf, 0.0]).at[0].add(jnp.log(x))[0] > 0, x, 2 * x),
        lambda x: jnp.where(lax.clamp(at(inf), jnp.log(x), at(inf)) > 0, x, 2 * x),
        lambda x: x * (1 + jnp.argsort(jnp.stack([at(nan), jnp.log(x)]))[0]),
    ]:
        with pytest.raises(smoothish.UnsupportedError, match="NaN or infinity"):
            smoothish.audit(f, at(-1), 1.0)
    # what overflows
    for f in [
        lambda x: jnp.where(jnp.exp(x) < inf, x, 2 * x),
        lambda x: jnp.where(jnp.isfinite(jnp.exp(x)), x, 2 * x),
        lambda x: jnp.where(jnp.isfinite(jnp.exp(-jnp.exp(x))), x, 2 * x),
    ]:
        assert smoothish.audit(f, at(1)).right
        with pytest.raises(smoothish.UnsupportedError, match="too large"):
            smoothish.audit(f, at(1000))
    # functions that change, within and without
    keys, count, calls = [jax.random.key(i) for i in range(9)], itertools.count(), []

    def counted(x):
        calls.append(x)
        return x if len(calls) == 1 else 2 * x

    for f in [
        lambda x: jax.jit(lambda y: (y * numpy.array([random.random(), 2.0])).sum())(x),
        lambda x: x * jax.random.normal(keys[next(count)]),
        counted,
    ]:
        with pytest.raises(smoothish.UnsupportedError, match="traced twice"):
            smoothish.audit(f, at(1))
    # whole numbers beyond their ends, and zeros whose sign is not known
    for f, x, verdict in [
        (lambda x: jnp.where(x.astype(jnp.int32) * 2**30 > 0, x, 2 * x), 3, "UNKNOWN"),
        (lambda x: x * (x.astype(jnp.int32) * 100000), 30000, "UNKNOWN"),
        (lambda x: x * x.astype(jnp.int32), 3e9, "CERTIFIED_IN"),
        (lambda x: x * (x.astype(jnp.int32) * 10), 3.5, "CERTIFIED_IN"),
        (lambda x: x * jnp.arctan2(-0.0, -1.0), 1, "UNKNOWN"),
        (lambda x: x * jnp.arctan2(0 * x, -1.0), -2, "UNKNOWN"),
        (lambda x: jnp.arctan2(x, -1.0), 0, "NOT_CONTINUOUS"),
        (lambda x: jnp.maximum(x, jnp.log1p(at(-1))), 1, "CERTIFIED_IN"),
    ]:
        assert smoothish.audit(f, at(x)).verdict == verdict, (f, x)
    # the wronger, the more would be allowed by the size of the terms
    for large in (5e4, 1e6, 1e20):
        wrong = smoothish.audit(lambda v: 5 * v[0] + 0 * v[1], jnp.ones(2), [large, -large], direction=[1, 1])
        assert wrong.right is False, large
    with jax.enable_x64(True):
        mixed = (jnp.float64(1), jnp.float32(0.7))
        with pytest.raises(ValueError, match="dtype="):
            smoothish.audit(lambda p: p[1] ** 3 + p[0], mixed)
        assert smoothish.audit(lambda p: p[1] ** 3 + p[0], mixed, dtype="float32").right
    short = jnp.array([1.0, 2.0], jnp.bfloat16)
    beyond = lambda x: jnp.take(x, jnp.array([0, 7]), mode="fill", fill_value=inf).min()
    assert smoothish.audit(beyond, short).right
