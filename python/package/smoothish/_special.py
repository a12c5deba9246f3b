"""Special functions that are integrals, or roots: what the steps of an audit have them as.

| function | here |
|---|---|
| `bessel_i0`, `bessel_i1`, `bessel_i0e`, `bessel_i1e` | 1, or exp(-|x|), times ∫ exp(x cos πt) dt, and with cos πt before exp (DLMF 10.32.3) |
| `igamma`, `igammac`, constant a | x^a/Γ(a) ∫ 2s^(2a - 1) exp(-xs²) ds (DLMF 8.2.7, t = xs²), a raised to 2 by 8.8.11 |
| `regularized_incomplete_beta`, constant a and b | x^a/B(a, b) ∫ 2s^(2a - 1) (1 - xs²)^(b - 1) ds (DLMF 8.17.1), a raised by 8.17.20 |
| `erf_inv` | 12r - 6 for the root r of y - erf(12r - 6) |

All integrals and roots are those in [0, 1].
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

from ._graph import NOT_A_NUMBER

if TYPE_CHECKING:
    from ._graph import Graph

SPECIAL = {"bessel_i0", "bessel_i1", "bessel_i0e", "bessel_i1e", "igamma", "igammac", "regularized_incomplete_beta", "erf_inv"}
"""The functions, as JAX calls them."""
MOST_DENOMINATOR = 1000
"""The largest denominator of an order. A choice: others are no short fractions."""
LEAST_ORDER = 2
"""The order to which others are raised. A choice: the integrand is then smooth enough."""


def special(graph: Graph, name: str, orders: list[Fraction], x: int) -> int:
    """A special function, of constant orders before x. Raises ValueError for orders that are none."""
    if any(order <= 0 or order.denominator > MOST_DENOMINATOR for order in orders):
        raise ValueError(f"`{name}` of an order that is no short fraction above 0")
    if name.startswith("bessel"):
        turn: list[list[object]] = [["input", 0], ["pi"], ["(*)", 0, 1], ["cos", 2], ["input", 1], ["(*)", 3, 4], ["exp", 5]]
        body = turn if name.startswith("bessel_i0") else [*turn, ["(*)", 3, 6]]
        if not name.endswith("e"):
            return _functional(graph, "integral01", body, x)
        return graph.binary("multiply", _functional(graph, "integral01", body, x), _exp(graph, graph.unary("negate", graph.unary("abs", x))))
    if name == "erf_inv":
        root = _functional(
            graph,
            "firstRoot",
            [["input", 0], ["number", 12], ["(*)", 0, 1], ["number", 6], ["(-)", 2, 3], ["erf", 4], ["input", 1], ["(-)", 6, 5]],
            x,
        )
        found = graph.binary("subtract", graph.binary("multiply", graph.constant(12), root), graph.constant(6))
        # Without a root the functional is an end of [0, 1]: erf(6) is 1 - 2.2e-17, above the last float below 1.
        size = graph.unary("abs", x)
        is_known = graph.add("lt", size, graph.constant(1 - Fraction(1, 2**54)))
        beyond = graph.add("refused", "`erf_inv` so near 1 cannot be audited")
        none = graph.select(graph.add("lt", size, graph.constant(1)), beyond, graph.add("special", NOT_A_NUMBER))
        return graph.select(is_known, found, none)
    if name in ("igamma", "igammac"):
        below = _lower_gamma(graph, orders[0], x)
        return below if name == "igamma" else graph.binary("subtract", graph.constant(1), below)
    return _beta(graph, orders[0], orders[1], x)


def _functional(graph: Graph, name: str, body: list[list[object]], *operands: int) -> int:
    return graph.add("functional", name, json.dumps(body), operands)


def _exp(graph: Graph, x: int) -> int:
    return graph.unary("exp", x)


def _lgamma(graph: Graph, order: Fraction) -> int:
    return graph.unary("lgamma", graph.constant(order))


def _lower_gamma(graph: Graph, a: Fraction, x: int) -> int:
    """The regularized lower incomplete gamma function."""
    if a < LEAST_ORDER:
        # P(a, x) = P(a + 1, x) + x^a exp(-x)/Γ(a + 1)
        exponent = graph.binary("add", x, _lgamma(graph, a + 1))
        term = graph.binary("multiply", graph.power(x, a), _exp(graph, graph.unary("negate", exponent)))
        return graph.binary("add", _lower_gamma(graph, a + 1, x), term)
    body: list[list[object]] = [
        ["input", 0], ["power", 0, str(2 * a - 1)], ["power", 0, "2"], ["input", 1], ["(*)", 2, 3], ["negate", 4], ["exp", 5],
        ["(*)", 1, 6], ["number", 2], ["(*)", 7, 8],
    ]  # fmt: skip
    factor = graph.binary("multiply", graph.power(x, a), _exp(graph, graph.unary("negate", _lgamma(graph, a))))
    return graph.binary("multiply", factor, _functional(graph, "integral01", body, x))


def _beta(graph: Graph, a: Fraction, b: Fraction, x: int) -> int:
    """The regularized incomplete beta function."""
    one = graph.constant(1)
    scale = graph.binary("subtract", _lgamma(graph, a + b), graph.binary("add", _lgamma(graph, a), _lgamma(graph, b)))
    factor = graph.binary("multiply", graph.power(x, a), _exp(graph, scale))
    if a < LEAST_ORDER:
        # I(x; a, b) = I(x; a + 1, b) + x^a (1 - x)^b/(a B(a, b))
        rest = graph.power(graph.binary("subtract", one, x), b)
        term = graph.binary("divide", graph.binary("multiply", factor, rest), graph.constant(a))
        return graph.binary("add", _beta(graph, a + 1, b, x), term)
    body: list[list[object]] = [
        ["input", 0], ["power", 0, str(2 * a - 1)], ["power", 0, "2"], ["input", 1], ["(*)", 2, 3], ["number", 1], ["(-)", 5, 4],
        ["power", 6, str(b - 1)], ["(*)", 1, 7], ["number", 2], ["(*)", 8, 9],
    ]  # fmt: skip
    return graph.binary("multiply", factor, _functional(graph, "integral01", body, x))
