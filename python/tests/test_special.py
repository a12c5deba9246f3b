"""Special functions of JAX that are integrals or roots; the values are those of mpmath with 30 digits."""

import math

import pytest
import smoothish

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax
special = jax.scipy.special
jax.config.update("jax_enable_x64", True)

CASES = [
    (special.erfinv, 0.5, 1.11258481897194980),
    (special.erfinv, -0.25, 0.932378234605972534),
    (special.i0e, 1.0, -0.257849192243931988),
    (special.i0e, -2.5, 0.0634617920809361854),
    (special.i1e, 1.0, 0.0499387768942235388),
    (lambda x: special.i0e(2 * x), 1.0, -0.186478066609466761),
    (lambda x: special.gammainc(2.5, x), 1.5, 0.308360659607538554),
    (lambda x: special.gammainc(0.5, x), 1.5, 0.102786886535846185),
    (lambda x: special.gammaincc(2.5, x), 1.5, -0.308360659607538554),
    (lambda x: special.gammainc(2.5, x**2) * x, 1.25, 1.28168542467715324),
    (lambda x: special.betainc(2.5, 0.5, x), 0.25, 0.122517532315953789),
    (lambda x: special.betainc(0.5, 3.0, x), 0.25, 1.0546875),
    (lambda q: special.zeta(3.0, q), 2.0, -0.246969701133414575),
    (lambda q: special.zeta(2.0, q), 0.5, -16.8287966442343200),
    (lambda x: special.polygamma(1, x), 2.3, -0.288130243372939803),
]


@pytest.mark.parametrize("place", range(len(CASES)))
def test_special_functions(place):
    f, x, expected = CASES[place]
    for claim, verdict in ((expected, "CERTIFIED_IN"), (expected * (1 + 1e-9), "CERTIFIED_OUT"), (-expected, "CERTIFIED_OUT")):
        report = smoothish.audit(f, x, claim, timeout=60)
        assert report.verdict == verdict, (claim, report)
    # what jax answers may be off by more than a thousand units; it is never called wrong where it has ten digits
    report = smoothish.audit(f, x, timeout=60)
    if math.isclose(report.claim, expected, rel_tol=1e-13):
        assert report.right, report


def test_where_special_functions_are_not():
    # at and beyond 1 it has no value, and no claim about it is right or wrong
    assert smoothish.audit(special.erfinv, 1.0, 1.0).right is None
    assert smoothish.audit(special.erfinv, -1.5, 1.0).right is None
    # exp(-|x|) I0(x) at 0: the set is [-1, 1]
    for claim, verdict in ((0.0, "CERTIFIED_IN"), (1.0, "CERTIFIED_IN"), (1.1, "CERTIFIED_OUT")):
        report = smoothish.audit(special.i0e, 0.0, claim)
        assert report.verdict in (verdict, "UNKNOWN"), report
    for f, words in (
        (lambda x: special.gammainc(x, 1.5), "of an order that depends on x"),
        (lambda x: special.gammainc(1 / 3, x), "no short fraction"),
        (lambda x: special.zeta(x, 2.0), "`zeta` of an order"),
        (lambda x: special.zeta(2.5, x), "`zeta` of an order"),
    ):
        with pytest.raises(smoothish.UnsupportedError, match=words):
            smoothish.audit(f, 1.5, 1.0)
