"""Functions of one variable whose derivatives are known to be answered wrongly somewhere, with the true ones, derived by hand.

Each is written once, over a namespace `n` that has the names of NumPy, and over `grad`: so it is a function of JAX and of autograd.
"""

from __future__ import annotations

from math import cos, cosh, exp, sin, tanh
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Case(NamedTuple):
    """A function, a point, and what is true there: the ends of Clarke's set, or the name of a verdict."""

    text: str
    make: Callable[[Any, Any], Callable[[Any], Any]]
    at: float
    true: tuple[float, float] | str
    why: str
    # of which function the framework's derivative is asked, where it is not the same: one whose derivative `make` is
    of: Callable[[Any, Any], Callable[[Any], Any]] | None = None


def relu(n: Any, x: Any) -> Any:
    return n.where(x > 0, x, 0.0)


def newton(x: Any) -> Any:
    y = 1.0
    for _ in range(2):
        y = (y + x / y) / 2
    return y


def many_newtons(x: Any) -> Any:
    y = x
    for _ in range(8):
        y = (y + x / y) / 2
    return y


def root(x: float) -> float:
    return x**0.5


def bell(x: float) -> float:
    f, slope = exp(sin(x) * cos(x)) / (1 + x**2), cos(2 * x) - 2 * x / (1 + x**2)
    return f * (slope**2 - 2 * sin(2 * x) - 2 * (1 - x**2) / (1 + x**2) ** 2)


def near(x: float) -> tuple[float, float]:
    return (x, x)


ONE, ZERO, BOTH = near(1.0), near(0.0), (-1.0, 1.0)

CASES = [
    # kinks that cancel, or hide each other
    Case("max(x, 0) + min(x, 0)", lambda n, _: lambda x: n.maximum(x, 0.0) + n.minimum(x, 0.0), 0.0, ONE, "it is x"),
    Case("max(0, x) + min(0, x)", lambda n, _: lambda x: n.maximum(0.0, x) + n.minimum(0.0, x), 0.0, ONE, "it is x"),
    Case("relu(x) - relu(-x)", lambda n, _: lambda x: relu(n, x) - relu(n, -x), 0.0, ONE, "it is x"),
    Case("relu(x) - (x + abs(x))/2", lambda n, _: lambda x: relu(n, x) - (x + n.abs(x)) / 2, 0.0, ZERO, "it is 0"),
    Case("sign(x)*abs(x)", lambda n, _: lambda x: n.sign(x) * n.abs(x), 0.0, ONE, "it is x"),
    Case("abs(x)*abs(x)", lambda n, _: lambda x: n.abs(x) * n.abs(x), 0.0, ZERO, "it is x²"),
    Case("abs(x) + relu(-2*x)", lambda n, _: lambda x: n.abs(x) + relu(n, -2 * x), 0.0, (-3.0, 1.0), "x, and -3·x on the left"),
    Case("clip(x, -1, 1) + relu(x-1) - relu(-1-x), at 1",
         lambda n, _: lambda x: n.clip(x, -1.0, 1.0) + relu(n, x - 1) - relu(n, -1 - x), 1.0, ONE, "it is x"),
    Case("max(abs(x), 2*abs(x))", lambda n, _: lambda x: n.maximum(n.abs(x), 2 * n.abs(x)), 0.0, (-2.0, 2.0), "2·|x|"),
    Case("max(x**2, x**3)", lambda n, _: lambda x: n.maximum(x**2, x**3), 0.0, ZERO, "x² near 0"),
    Case("min(sort([x, -x]))", lambda n, _: lambda x: n.sort(n.array([x, -x]))[0], 0.0, BOTH, "-|x|"),
    Case("sum(sort([x, -x, 3*x]))", lambda n, _: lambda x: n.sum(n.sort(n.array([x, -x, 3 * x]))), 0.0, near(3.0), "3·x"),
    # kinks: any number of the set is right
    Case("abs(x)", lambda n, _: lambda x: n.abs(x), 0.0, BOTH, "slopes -1 and 1"),
    Case("relu(x)", lambda n, _: lambda x: relu(n, x), 0.0, (0.0, 1.0), "slopes 0 and 1"),
    Case("max(x, 0)", lambda n, _: lambda x: n.maximum(x, 0.0), 0.0, (0.0, 1.0), "slopes 0 and 1"),
    Case("max(x, 2*x)", lambda n, _: lambda x: n.maximum(x, 2 * x), 0.0, (1.0, 2.0), "slopes 1 on the left, 2 on the right"),
    Case("max([x, x])", lambda n, _: lambda x: n.max(n.array([x, x])), 3.0, ONE, "it is x"),
    Case("clip(x, -1, 1), at 1", lambda n, _: lambda x: n.clip(x, -1.0, 1.0), 1.0, (0.0, 1.0), "slopes 1 and 0"),
    Case("where(x > 0, x, 0.01*x)", lambda n, _: lambda x: n.where(x > 0, x, 0.01 * x), 0.0, (0.01, 1.0), "leaky"),
    Case("where(abs(x) < 1, x**2/2, abs(x) - 1/2), at 1",
         lambda n, _: lambda x: n.where(n.abs(x) < 1, x**2 / 2, n.abs(x) - 0.5), 1.0, ONE, "Huber: slopes 1 and 1"),
    # a value at one point, in a branch of its own
    Case("where(x == 0, 0, x)", lambda n, _: lambda x: n.where(x == 0, 0.0, x), 0.0, ONE, "it is x"),
    Case("where(x == 1, 0, x - 1), at 1", lambda n, _: lambda x: n.where(x == 1, 0.0, x - 1), 1.0, ONE, "it is x - 1"),
    Case("where(x == 0, 1, sin(x)/x)", lambda n, _: lambda x: n.where(x == 0, 1.0, n.sin(x) / x), 0.0, ZERO,
         "1 - x²/6 + …"),
    Case("where(x == 0, 1, (exp(x) - 1)/x)", lambda n, _: lambda x: n.where(x == 0, 1.0, (n.exp(x) - 1) / x), 0.0, near(0.5),
         "1 + x/2 + …"),
    Case("where(x == 0, 1/2, (1 - cos(x))/x**2)",
         lambda n, _: lambda x: n.where(x == 0, 0.5, (1 - n.cos(x)) / x**2), 0.0, ZERO, "1/2 - x²/24 + …"),
    Case("where(x == 0, 1, log1p(x)/x)", lambda n, _: lambda x: n.where(x == 0, 1.0, n.log1p(x) / x), 0.0, near(-0.5),
         "1 - x/2 + …"),
    Case("where(x != 0, x**2*sin(1/x), 0)",
         lambda n, _: lambda x: n.where(x != 0, x**2 * n.sin(1 / x), 0.0), 0.0, BOTH,
         "the derivative is 0, Clarke's set [-1, 1]: limits of cos (1/x)"),
    Case("where(x != 0, x*sin(1/x), 0)", lambda n, _: lambda x: n.where(x != 0, x * n.sin(1 / x), 0.0), 0.0,
         "NOT_LIPSCHITZ", "slopes -cos (1/x)/x + … are not bounded"),
    Case("where(x == 0, 0, exp(-1/x**2))", lambda n, _: lambda x: n.where(x == 0, 0.0, n.exp(-1 / x**2)), 0.0, ZERO,
         "flat of every order"),
    # what is not taken, and not finite
    Case("where(x < 1, x, sqrt(x))", lambda n, _: lambda x: n.where(x < 1, x, n.sqrt(x)), 0.0, ONE, "x is taken"),
    Case("where(x >= 0, x, sqrt(-x)), at 1", lambda n, _: lambda x: n.where(x >= 0, x, n.sqrt(-x)), 1.0, ONE, "x is taken"),
    Case("where(x > 0, log(x), x), at -1", lambda n, _: lambda x: n.where(x > 0, n.log(x), x), -1.0, ONE, "x is taken"),
    Case("where(abs(x) < 1/2, x, arctan2(x, x))",
         lambda n, _: lambda x: n.where(n.abs(x) < 0.5, x, n.arctan2(x, x)), 0.0, ONE, "x is taken"),
    Case("where(x > 1, 1/(x-1), x), at 1/2", lambda n, _: lambda x: n.where(x > 1, 1 / (x - 1), x), 0.5, ONE, "x is taken"),
    Case("where(sqrt(x**2) > 1, x/sqrt(x**2), x)",
         lambda n, _: lambda x: n.where(n.sqrt(x**2) > 1, x / n.sqrt(x**2), x), 0.0, ONE, "clipping by norm, which is not reached"),
    # roots of what vanishes
    Case("sqrt(x**2)", lambda n, _: lambda x: n.sqrt(x**2), 0.0, BOTH, "|x|"),
    Case("sqrt(x**4)", lambda n, _: lambda x: n.sqrt(x**4), 0.0, ZERO, "x²"),
    Case("sqrt(x**2 + (2*x)**2)**2", lambda n, _: lambda x: n.sqrt(x**2 + (2 * x) ** 2) ** 2, 0.0, ZERO, "5·x²"),
    Case("norm([x, 2*x])**2", lambda n, _: lambda x: n.linalg.norm(n.array([x, 2 * x])) ** 2, 0.0, ZERO, "5·x²"),
    Case("norm([x, 0*x])", lambda n, _: lambda x: n.linalg.norm(n.array([x, 0 * x])), 0.0, BOTH, "|x|"),
    Case("std([x, x])", lambda n, _: lambda x: n.std(n.array([x, x])), 2.0, ZERO, "it is 0"),
    Case("std([x, -x])", lambda n, _: lambda x: n.std(n.array([x, -x])), 0.0, BOTH, "|x|"),
    Case("var([x, -x])", lambda n, _: lambda x: n.var(n.array([x, -x])), 0.0, ZERO, "x²"),
    Case("(x**2)**1.5", lambda n, _: lambda x: (x**2) ** 1.5, 0.0, ZERO, "|x|³"),
    Case("(x**2)**0.75", lambda n, _: lambda x: (x**2) ** 0.75, 0.0, ZERO, "|x|^(3/2)"),
    Case("arccos(cos(x))", lambda n, _: lambda x: n.arccos(n.cos(x)), 0.0, BOTH, "|x| near 0"),
    Case("arccos(1 - x**2/2)", lambda n, _: lambda x: n.arccos(1 - x**2 / 2), 0.0, BOTH, "|x|·(1 + x²/24 + …)"),
    Case("sqrt(max(x, 0))", lambda n, _: lambda x: n.sqrt(n.maximum(x, 0.0)), 0.0, "NOT_LIPSCHITZ", "slope 1/(2·√x)"),
    Case("sqrt(x)*sqrt(x)", lambda n, _: lambda x: n.sqrt(x) * n.sqrt(x), 0.0, "ONE_SIDED", "x for x ≥ 0, and nothing else"),
    Case("exp(log(x))", lambda n, _: lambda x: n.exp(n.log(x)), 0.0, "NOT_DEFINED", "log 0"),
    Case("exp(log(x)), at 1e-3", lambda n, _: lambda x: n.exp(n.log(x)), 1e-3, ONE, "x for x > 0"),
    Case("sqrt(x)*sqrt(x), at 1e-3", lambda n, _: lambda x: n.sqrt(x) * n.sqrt(x), 1e-3, ONE, "x for x ≥ 0"),
    # stable forms
    Case("logaddexp(x, 0)", lambda n, _: lambda x: n.logaddexp(x, 0.0), 0.0, near(0.5), "softplus: eˣ/(1 + eˣ)"),
    Case("-logaddexp(-x, 0)", lambda n, _: lambda x: -n.logaddexp(-x, 0.0), 0.0, near(0.5), "log of the sigmoid"),
    Case("maximum(x, 0) + log1p(exp(-abs(x)))",
         lambda n, _: lambda x: n.maximum(x, 0.0) + n.log1p(n.exp(-n.abs(x))), 0.0, near(0.5), "softplus"),
    Case("log(1 + exp(x)), at 800", lambda n, _: lambda x: n.log(1 + n.exp(x)), 800.0, ONE,
         "eˣ/(1 + eˣ) is within 1e-300 of 1"),
    Case("logsumexp([x, 2*x]) by the maximum", lambda n, _: lambda x: (
        n.maximum(x, 2 * x) + n.log(n.exp(x - n.maximum(x, 2 * x)) + n.exp(2 * x - n.maximum(x, 2 * x)))), 0.0, near(1.5),
        "log (eˣ + e²ˣ)"),
    Case("x/max(x, x), at 1", lambda n, _: lambda x: x / n.maximum(x, x), 1.0, ZERO, "it is 1"),
    Case("x/max([x]), at 1", lambda n, _: lambda x: x / n.max(n.array([x])), 1.0, ZERO, "it is 1"),
    Case("clip(x, 0, x), at 5", lambda n, _: lambda x: n.minimum(n.maximum(x, 0.0), x), 5.0, ONE, "it is x near 5"),
    # products and powers
    Case("prod([x, x + 1])", lambda n, _: lambda x: n.prod(n.array([x, x + 1.0])), 0.0, ONE, "x² + x"),
    Case("x**2.0", lambda n, _: lambda x: x**2.0, 0.0, ZERO, "2·x"),
    Case("x**0.0", lambda n, _: lambda x: x**0.0, 0.0, ZERO, "it is 1"),
    Case("x**x, at 1", lambda n, _: lambda x: x**x, 1.0, ONE, "xˣ·(1 + log x)"),
    Case("where(x > 0, x*log(x), 0)", lambda n, _: lambda x: n.where(x > 0, x * n.log(x), 0.0), 0.0, "NOT_LIPSCHITZ",
         "slope 1 + log x on the right"),
    # rounding
    Case("(exp(x) - 1)/x, at 1e-9", lambda n, _: lambda x: (n.exp(x) - 1) / x, 1e-9, near(0.5 + 1e-9 / 3), "1/2 + x/3 + …"),
    Case("(1 - cos(x))/x**2, at 1e-5", lambda n, _: lambda x: (1 - n.cos(x)) / x**2, 1e-5, near(-1e-5 / 12 + 1e-15 / 180),
         "-x/12 + x³/180 - …"),
    Case("sqrt(x + 1) - sqrt(x), at 1e15", lambda n, _: lambda x: n.sqrt(x + 1) - n.sqrt(x), 1e15,
         near(-1 / (2 * root(1e15) * root(1e15 + 1) * (root(1e15) + root(1e15 + 1)))),
         "1/(2·√(x + 1)) - 1/(2·√x) = -1/(2·√x·√(x + 1)·(√x + √(x + 1)))"),
    # steps
    Case("floor(x), at 2", lambda n, _: lambda x: n.floor(x), 2.0, "NOT_CONTINUOUS", "1 on the left, 2 on the right"),
    Case("x - floor(x), at 2.5", lambda n, _: lambda x: x - n.floor(x), 2.5, ONE, "x - 2"),
    Case("where(x > 0, 1, 0)", lambda n, _: lambda x: n.where(x > 0, 1.0, 0.0), 0.0, "NOT_CONTINUOUS", "a step"),
    Case("where(x < 1, x, sqrt(x)), at 1", lambda n, _: lambda x: n.where(x < 1, x, n.sqrt(x)), 1.0, (0.5, 1.0),
         "slopes 1 and 1/2"),
    # programs, and derivatives within
    Case("two steps of Newton for sqrt(x) from 1, at 2", lambda *_: newton, 2.0, near(13 / 36),
         "of the program: y₂ = (y₁ + x/y₁)/2, y₁ = (1 + x)/2: 1/4 + 1/(2·y₁) - x/(4·y₁²) = 13/36"),
    Case("eight steps of Newton for sqrt(x) from x, at 2", lambda *_: many_newtons, 2.0, near(0.35355339059327376),
         "1/(2·√2) but for less than 1e-30"),
    Case("x*grad(y -> x + y)(1), at 1", lambda _, grad: lambda x: x * grad(lambda y: x + y)(1.0), 1.0, ONE, "x·1"),
    Case("x*grad(y -> x*y**2)(1), at 3", lambda _, grad: lambda x: x * grad(lambda y: x * y**2)(1.0), 3.0, near(12.0),
         "x·2·x"),
    # second derivatives: what is differentiated here is the first, by hand
    Case("the second derivative of abs(x)*abs(x)", lambda *_: lambda x: 2 * x, 0.0, near(2.0), "of x²",
         lambda n, _: lambda x: n.abs(x) * n.abs(x)),
    Case("the second derivative of logaddexp(x, 0), at 37.4", lambda n, _: lambda x: 1 / (1 + n.exp(-x)), 37.4,
         near(exp(-37.4) / (1 + exp(-37.4)) ** 2), "e⁻ˣ/(1 + e⁻ˣ)²", lambda n, _: lambda x: n.logaddexp(x, 0.0)),
    Case("the second derivative of tanh(x), at 20", lambda n, _: lambda x: 1 / n.cosh(x) ** 2, 20.0,
         near(-2 * tanh(20.0) / cosh(20.0) ** 2), "-2·tanh x/cosh² x", lambda n, _: lambda x: n.tanh(x)),
    Case("the second derivative of exp(sin(x)*cos(x))/(1 + x**2), at 0.3",
         lambda n, _: lambda x: n.exp(n.sin(x) * n.cos(x)) / (1 + x**2) * (n.cos(2 * x) - 2 * x / (1 + x**2)), 0.3,
         near(bell(0.3)), "f·((cos 2x - 2x/(1 + x²))² - 2·sin 2x - 2·(1 - x²)/(1 + x²)²)",
         lambda n, _: lambda x: n.exp(n.sin(x) * n.cos(x)) / (1 + x**2)),
    Case("the second derivative of relu(x), at 1", lambda n, _: lambda x: n.where(x > 0, 1.0, 0.0), 1.0, ZERO, "of x",
         lambda n, _: lambda x: relu(n, x)),
]
