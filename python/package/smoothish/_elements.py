"""Elements of arrays that are no known numbers: real numbers, conditions on them, and whole numbers that depend on conditions.

| element | what it is |
|---|---|
| `Real` | a node |
| `Guard` | a condition: a node that is one |
| `Pair` | a complex number: two nodes |
| `Choice` | a whole number or a truth value that depends on a condition |
| `bool`, `int`, `Fraction` | what is known |
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy

from ._graph import INFINITY, MINUS_INFINITY, NOT_A_NUMBER, SIGNS, UNCLEAR
from ._special import SPECIAL, special

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._graph import Graph


class Unsupported(Exception):
    """What has no meaning here; its place is added where it is known."""


@dataclass(frozen=True, slots=True)
class Real:
    node: int


@dataclass(frozen=True, slots=True)
class Guard:
    node: int


@dataclass(frozen=True, slots=True)
class Pair:
    """A complex number, by its real and its imaginary part."""

    real: int
    imag: int


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Of equal ones there is one, so that what is shared many times over is looked at once."""

    guard: int
    then: Any
    otherwise: Any


COMPARISONS = {"lt", "le", "gt", "ge", "eq", "ne"}
UNARY = {
    "neg": "negate", "abs": "abs", "sign": "signum", "exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "tan": "tan",
    "asin": "asin", "acos": "acos", "atan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "asinh": "asinh",
    "acosh": "acosh", "atanh": "atanh", "sqrt": "sqrt", "cbrt": "cbrt", "erf": "erf", "erfc": "erfc", "expm1": "expm1",
    "log1p": "log1p", "lgamma": "lgamma", "digamma": "digamma",
}  # fmt: skip
BINARY = {
    "add": "add", "sub": "subtract", "mul": "multiply", "div": "divide", "max": "max", "min": "min", "atan2": "atan2",
    "add_any": "add",
}  # fmt: skip


# Operations on numbers that are known exactly.
EXACT: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "negate": lambda a: -a,
    "abs": abs,
    "max": max,
    "min": min,
    "round": lambda a: a,
    "sum": lambda *terms: sum(terms),
}
# By how many unit roundoffs a function of a library may be off.
LIBRARY = 8


class Elements:
    """Operations on elements, over one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.audits = False
        self._choices: dict[Any, Choice] = {}
        # what has been found by cases: of choices that are shared, each once
        self._found: dict[Any, Any] = {}
        # whether a node and all that it is made of are seen to have values near x, no larger than numbers of its type
        self.fits: Callable[[int], bool] = lambda _: True

    def choice(self, guard: int, then: Any, otherwise: Any) -> Choice:
        """The choice between two elements: the one that there is."""
        key = (guard, _key(then), _key(otherwise))
        if key not in self._choices:
            self._choices[key] = Choice(guard, then, otherwise)
        return self._choices[key]

    def once(self, name: str, parts: tuple[Any, ...], find: Callable[[], Any]) -> Any:
        """What is found of some elements, which is found once."""
        self.graph.tick()
        key = (name, self.graph.dtype, *map(_key, parts))
        if key not in self._found:
            self._found[key] = find()
        return self._found[key]

    def node(self, element: Any) -> int:
        """The node of an element that is a number."""
        if isinstance(element, Real):
            return element.node
        if isinstance(element, Guard):
            return self.graph.select(element.node, self.graph.constant(1), self.graph.constant(0))
        if isinstance(element, Choice):
            select = lambda: self.graph.select(element.guard, self.node(element.then), self.node(element.otherwise))
            return self.once("node", (element,), select)
        if isinstance(element, Pair):
            raise Unsupported("a complex number, where a real one is asked for")
        return self.graph.constant(
            Fraction(int(element)) if isinstance(element, (bool, numpy.integer)) else Fraction(element)
        )

    def known(self, element: Any) -> Fraction | None:
        if isinstance(element, Real):
            return self.graph.known(element.node)
        return None if isinstance(element, (Guard, Choice, Pair)) else Fraction(element)

    def constant_value(self, element: Any) -> Fraction | None:
        """What a number is that does not depend on x, though it was not computed because it is rounded; None where it does, or is no such."""
        if not isinstance(element, Real) or not self.graph.rounds:
            return self.known(element)
        values: dict[int, Fraction | None] = {}
        for place in self.graph.needed([element.node]):
            kind, *parts = self.graph.nodes[place]
            operation = EXACT.get(kind)
            if kind == "rational":
                values[place] = parts[0]
            elif operation is None:
                values[place] = None
            else:
                operands = [values[n] for part in parts for n in (part if isinstance(part, tuple) else (part,))]
                is_known = all(q is not None for q in operands) and (kind != "divide" or operands[1] != 0)
                values[place] = operation(*operands) if is_known else None
        return values[element.node]

    def needs_value(self, node: int) -> None:
        """Refuses, in an audit, a test for NaN or infinity of what may have no value or overflow near x: there real numbers are not what is
        computed with."""
        if self.audits and not self.fits(node):
            raise Unsupported("a test for NaN or infinity, of what may have no value or be too large, cannot be audited")

    def need_values(self, elements: Iterable[Any]) -> None:
        """The same of all of these, if there is an infinity or a NaN among them, which may leave nothing of the others."""
        nodes = [element.node for element in elements if isinstance(element, Real)]
        special = [self.graph.special(node) for node in nodes]
        if any(special):
            for node, kind in zip(nodes, special, strict=True):
                if kind is None:
                    self.needs_value(node)

    def dropped(self, name: str, a: int, b: int) -> list[int]:
        """The operands of which an infinity beside them leaves nothing: y in max(y, ∞), min(y, -∞), y + ∞, y/∞ and its angle."""
        pairs = [(a, b)] if name == "div" else [(a, b), (b, a)]
        absorbing = {"max": {INFINITY}, "min": {MINUS_INFINITY}, "mul": set()}.get(name, set(SIGNS))
        return [y for y, other in pairs if self.graph.special(other) in absorbing and self.graph.special(y) is None]

    def not_unclear(self, *nodes: int) -> None:
        """Refuses what is asked of an infinity that became something that is not clear."""
        if any(self.graph.special(node) == UNCLEAR for node in nodes):
            raise Unsupported("a question about what rests on an infinity, times or beside what varies or is 0")

    # Conditions and choices.

    def guard(self, element: Any) -> int:
        """The node of a condition."""
        if isinstance(element, Guard):
            return element.node
        if isinstance(element, Choice):
            chosen = lambda: self.graph.chosen(element.guard, self.guard(element.then), self.guard(element.otherwise))
            return self.once("guard", (element,), chosen)
        return self.graph.truth(bool(element))

    def select(self, guard: int, then: Any, otherwise: Any) -> Any:
        """One element where a condition holds, another where it fails."""
        decided = self.graph.decided(guard)
        if decided is not None:
            return then if decided else otherwise
        if then == otherwise and type(then) is type(otherwise) and not isinstance(then, Guard):
            return then
        if isinstance(then, bool) and isinstance(otherwise, bool):
            return Guard(guard if then else self.graph.negated(guard))
        kinds = (then, otherwise)
        if isinstance(then, Pair) and isinstance(otherwise, Pair):
            return Pair(self.graph.select(guard, then.real, otherwise.real), self.graph.select(guard, then.imag, otherwise.imag))
        if any(isinstance(kind, Real) for kind in kinds):
            return Real(self.graph.select(guard, self.node(then), self.node(otherwise)))
        if any(isinstance(kind, Guard) for kind in kinds):
            return Guard(self.graph.chosen(guard, self.guard(then), self.guard(otherwise)))
        return self.choice(guard, then, otherwise)

    def compare(self, name: str, a: Any, b: Any, is_whole: bool = False) -> Any:
        """A comparison; of whole numbers, it is decided half-way between them."""
        if (
            isinstance(a, (Guard, Choice))
            or isinstance(b, (Guard, Choice))
            or not (isinstance(a, Real) or isinstance(b, Real))
        ):
            return self.discrete(name, a, b)
        x, y = self.node(a), self.node(b)
        graph = self.graph
        p, q = graph.known(x), graph.known(y)
        kinds = [graph.special(x), graph.special(y)]
        self.not_unclear(x, y)
        if NOT_A_NUMBER in kinds:
            return name == "ne"
        if any(kinds):
            for node, kind in zip((x, y), kinds, strict=True):
                if kind is None:
                    self.needs_value(node)
            p, q = (Fraction(SIGNS.get(kind or "", 0)) for kind in kinds)
        elif x == y:
            # where it is a NaN, that is another answer
            self.needs_value(x)
            return name in ("le", "ge", "eq")
        if p is not None and q is not None:
            return {"lt": p < q, "le": p <= q, "gt": p > q, "ge": p >= q, "eq": p == q, "ne": p != q}[name]
        if name in ("gt", "ge"):
            x, y, name = y, x, {"gt": "lt", "ge": "le"}[name]
        if is_whole:
            half = graph.constant(Fraction(1, 2))
            more, less = graph.binary("add", x, half), graph.binary("subtract", x, half)
            if name in ("lt", "le"):
                return Guard(graph.add("lt", more if name == "lt" else less, y))
            equal = graph.joined("both", graph.add("lt", less, y), graph.add("lt", y, more))
            return Guard(equal if name == "eq" else graph.negated(equal))
        return Guard(graph.negated(graph.add("eq", x, y)) if name == "ne" else graph.add(name, x, y))

    def discrete(self, name: str, *parts: Any) -> Any:
        """An operation on whole numbers and truth values, by cases."""
        graph = self.graph
        if name == "not" and isinstance(parts[0], Guard):
            return Guard(graph.negated(parts[0].node))
        if name in ("and", "or") and any(isinstance(part, Guard) for part in parts):
            joined = graph.joined("both" if name == "and" else "either", *(self.guard(part) for part in parts))
            decided = graph.decided(joined)
            return Guard(joined) if decided is None else decided
        for place, part in enumerate(parts):
            if isinstance(part, Guard):
                part = self.choice(part.node, True, False)
            if isinstance(part, Choice):
                return self.once(name, parts, lambda place=place, part=part: self.by_case(name, parts, place, part))
        if any(isinstance(part, Real) for part in parts):
            return (
                self.compare(name, parts[0], parts[1], is_whole=True)
                if name in COMPARISONS
                else self.real(name, {}, parts)
            )
        operation = DISCRETE.get(name)
        if operation is None:
            raise Unsupported(f"`{name}` of whole numbers that depend on x")
        return operation(*parts)

    def by_case(self, name: str, parts: tuple[Any, ...], place: int, part: Choice) -> Any:
        """An operation, where an operand is one or the other."""
        cases = ((*parts[:place], case, *parts[place + 1 :]) for case in (part.then, part.otherwise))
        return self.select(part.guard, *(self.discrete(name, *case) for case in cases))

    # Functions of real numbers.

    def floor(self, x: int) -> int:
        """The floor of a node."""
        q = self.graph.known(x)
        return self.graph.unary("floor", x) if q is None else self.graph.constant(q.numerator // q.denominator)

    def truncated(self, x: int) -> int:
        """Towards 0."""
        graph = self.graph
        q = graph.known(x)
        if graph.special(x) is not None:
            return x
        if q is not None:
            return graph.constant(int(q))
        downward, upward = self.floor(x), graph.unary("negate", self.floor(graph.unary("negate", x)))
        small = graph.add("lt", graph.unary("abs", x), graph.constant(1))
        whole = graph.select(graph.add("lt", graph.constant(0), x), downward, upward)
        return graph.select(small, graph.constant(0), whole)

    def rounded(self, x: int, method: int) -> int:
        """To the nearest whole number; half-way between two away from 0 (method 0), or to the even one (method 1)."""
        graph, half = self.graph, Fraction(1, 2)
        q = graph.known(x)
        if q is not None:
            away = int(abs(q) + half) * (1 if q > 0 else -1)
            return graph.constant(away if method == 0 else round(q))
        above = graph.binary("add", x, graph.constant(half))
        nearest = self.floor(above)
        if not self.audits:
            # without a value half-way
            return nearest
        if method == 0:
            other = graph.unary("negate", self.floor(graph.binary("subtract", graph.constant(half), x)))
            return graph.select(graph.add("lt", x, graph.constant(0)), other, nearest)
        pairs = self.floor(graph.binary("multiply", nearest, graph.constant(half)))
        odd = graph.binary("subtract", nearest, graph.binary("multiply", graph.constant(2), pairs))
        lower = graph.binary("subtract", nearest, odd)
        return graph.select(graph.add("eq", nearest, above), lower, nearest)

    def unary(self, name: str, params: Any) -> Callable[[int], int] | None:
        """The function of a node that a primitive is."""
        graph = self.graph
        one, half = graph.constant(1), Fraction(1, 2)
        if name in UNARY:
            return lambda x: graph.unary(UNARY[name], x)
        return {
            "square": lambda x: graph.power(x, Fraction(2)),
            "rsqrt": lambda x: graph.power(x, -half),
            "integer_pow": lambda x: graph.power(x, Fraction(params["y"])),
            "exp2": lambda x: graph.unary("exp", graph.binary("multiply", graph.unary("log", graph.constant(2)), x)),
            "logistic": lambda x: self.in_one(
                graph.binary("divide", one, graph.binary("add", one, graph.unary("exp", graph.unary("negate", x))))
            ),
            "floor": self.floor,
            "ceil": lambda x: graph.unary("negate", self.floor(graph.unary("negate", x))),
            "round": lambda x: self.rounded(x, int(params["rounding_method"])),
        }.get(name)

    def in_one(self, node: int) -> int:
        """A node that is one function of a library, though it is written as several operations."""
        if self.graph.rounds:
            self.graph.units[node] = LIBRARY
        return node

    def raised(self, a: Any, b: Any) -> Real:
        exponent = self.known(b)
        base = self.node(a)
        if exponent is not None:
            return Real(self.graph.power(base, exponent))
        return Real(self.graph.raised(base, self.node(b)))

    def remainder(self, a: Any, b: Any) -> Real:
        """What is left of a division, of the sign of the dividend."""
        x, y = self.node(a), self.node(b)
        if self.graph.special(y) in SIGNS and self.graph.special(x) is None:
            return Real(x)
        if self.audits and self.graph.special(x) is None and self.graph.special(y) is None and self.graph.known(y) != 0:
            return Real(self.graph.add("rem", x, y))
        whole = self.truncated(self.graph.binary("divide", x, y))
        return Real(self.graph.binary("subtract", x, self.graph.binary("multiply", y, whole)))

    def quotient(self, a: Any, b: Any) -> int:
        """The quotient of a whole number and a known one, towards 0. It is decided half-way between whole numbers."""
        graph, divisor = self.graph, self.known(b)
        if divisor is None or divisor == 0:
            raise Unsupported("whole numbers that depend on x, divided by what is not known or 0")
        half = graph.constant(Fraction(1, 2))
        x = self.node(a) if divisor > 0 else graph.unary("negate", self.node(a))

        def downward(x: int) -> int:
            return self.floor(graph.binary("divide", graph.binary("add", x, half), graph.constant(abs(divisor))))

        opposite = graph.unary("negate", downward(graph.unary("negate", x)))
        return graph.select(graph.add("lt", graph.unary("negate", half), x), downward(x), opposite)

    def real(self, name: str, params: Any, parts: tuple[Any, ...]) -> Any:
        """An element by element operation with a real number in it."""
        graph = self.graph
        function = self.unary(name, params)
        if function is not None:
            return Real(function(self.node(parts[0])))
        if name in BINARY:
            nodes = [self.node(part) for part in parts]
            for node in self.dropped(name, *nodes):
                self.needs_value(node)
            return Real(graph.binary(BINARY[name], *nodes))
        if name == "pow":
            return self.raised(*parts)
        if name == "rem":
            return self.remainder(*parts)
        if name in ("whole div", "whole rem"):
            whole = self.quotient(*parts)
            if name == "whole div":
                return Real(whole)
            x, y = (self.node(part) for part in parts)
            return Real(graph.binary("subtract", x, graph.binary("multiply", y, whole)))
        if name == "clamp":
            low, x, high = (self.node(part) for part in parts)
            self.need_values([Real(low), Real(x), Real(high)])
            return Real(graph.binary("min", high, graph.binary("max", low, x)))
        if name == "is_finite":
            self.not_unclear(self.node(parts[0]))
            if graph.special(self.node(parts[0])) is None:
                self.needs_value(self.node(parts[0]))
            return graph.special(self.node(parts[0])) is None
        if name == "polygamma":
            order = self.known(parts[0])
            if order is None or order.denominator != 1 or order < 0:
                raise Unsupported("`polygamma` of an order that is no known whole number")
            x = self.node(parts[1])
            return Real(graph.unary("digamma", x) if order == 0 else graph.add("polygamma", x, str(order)))
        if name == "zeta":
            # the sum of (q + k)^-n for a whole n is (-1)^n ψ^(n - 1)(q)/(n - 1)!
            order = self.known(parts[0])
            if order is None or order.denominator != 1 or not 2 <= order <= 170:
                raise Unsupported("`zeta` of an order that is no known whole number from 2 to 170")
            factor = graph.constant(Fraction((-1) ** int(order), math.factorial(int(order) - 1)))
            return Real(graph.binary("multiply", factor, graph.add("polygamma", self.node(parts[1]), str(order - 1))))
        if name in SPECIAL and self.audits:
            orders = [self.known(part) for part in parts[:-1]]
            if any(order is None for order in orders):
                raise Unsupported(f"`{name}` of an order that depends on x")
            try:
                return Real(special(graph, name, [order for order in orders if order is not None], self.node(parts[-1])))
            except ValueError as error:
                raise Unsupported(str(error)) from None
        raise Unsupported(f"`{name}` has no meaning here")

    def converted(self, dtype: numpy.dtype, x: Any, was_whole: bool) -> Any:
        """An element in another type. What was no whole number ends where the type does, and others wrap."""
        if dtype.kind == "f" or str(dtype).startswith(("bfloat", "float")):
            if isinstance(x, Guard):
                x = self.choice(x.node, 1, 0)
            return Real(self.graph.rounded(self.node(x)))
        if dtype.kind == "b":
            return (
                x
                if isinstance(x, (bool, Guard))
                else self.compare("ne", x, Real(self.graph.constant(0)) if isinstance(x, Real) else 0)
            )
        if dtype.kind in "iu" and (dtype.kind == "u" or dtype.itemsize < 4) and not isinstance(x, (bool, int)):
            raise Unsupported(f"whole numbers of the type {dtype}, which wrap, that depend on x")
        if isinstance(x, Real):
            whole = self.truncated(x.node)
            known = self.graph.known(whole)
            if self.graph.special(whole) is not None:
                raise Unsupported("an infinity or a NaN as a whole number")
            if was_whole or (known is None and not self.audits):
                return self.wrapped(dtype, Real(whole) if known is None else int(known))
            ends = numpy.iinfo(dtype)
            if known is None:
                least, most = (self.graph.constant(int(end)) for end in (ends.min, ends.max))
                return Real(self.graph.binary("min", most, self.graph.binary("max", least, whole)))
            return min(max(int(known), int(ends.min)), int(ends.max))
        return self.choice(x.node, 1, 0) if isinstance(x, Guard) else self.wrapped(dtype, self.discrete("int", x))

    def wrapped(self, dtype: numpy.dtype, x: Any) -> Any:
        """A whole number in its type, beyond whose ends it begins again; an audit does not follow what depends on x by rounding there."""
        if isinstance(x, Real) and self.audits and self.graph.known(x.node) is None:
            graph, ends = self.graph, numpy.iinfo(dtype)
            least, most = (graph.constant(int(end)) for end in (ends.min, ends.max))
            inside = graph.joined("both", graph.add("le", least, x.node), graph.add("le", x.node, most))
            beyond = graph.add("refused", f"whole numbers beyond the ends of {dtype} cannot be audited")
            return Real(graph.select(inside, x.node, beyond))
        if isinstance(x, Choice):
            wrapped = lambda: self.select(x.guard, self.wrapped(dtype, x.then), self.wrapped(dtype, x.otherwise))
            return self.once(f"wrapped {dtype}", (x,), wrapped)
        if isinstance(x, (bool, numpy.bool_)) or not isinstance(x, (int, numpy.integer)):
            return x
        ends = numpy.iinfo(dtype)
        return (int(x) - int(ends.min)) % (1 << 8 * dtype.itemsize) + int(ends.min)

    def element(self, name: str, params: Any, parts: tuple[Any, ...]) -> Any:
        if any(isinstance(part, Real) for part in parts):
            return self.real(name, params, parts)
        return self.discrete(name, *parts)

    def case(self, which: Any, *cases: Any) -> Any:
        if isinstance(which, Guard):
            return self.select(which.node, cases[1], cases[0])
        if isinstance(which, Choice):
            chosen = lambda: self.select(which.guard, self.case(which.then, *cases), self.case(which.otherwise, *cases))
            return self.once("case", (which, *cases), chosen)
        if isinstance(which, Real):
            raise Unsupported("a case by a whole number that depends on x by rounding")
        return cases[int(which)]


def _key(element: Any) -> Any:
    """What tells elements apart: choices by themselves, as there is one of equal ones; True and 1 are two."""
    return element if isinstance(element, (Real, Guard, Choice, Pair)) else (type(element), element)


def _quotient(a: int, b: int) -> int:
    if b == 0:
        raise Unsupported("a whole number divided by 0")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


# Operations on whole numbers and truth values that are known.
DISCRETE: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "add_any": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "whole div": _quotient,
    "whole rem": lambda a, b: a - b * _quotient(a, b),
    "max": max,
    "min": min,
    "neg": lambda a: -a,
    "abs": abs,
    "sign": lambda a: (a > 0) - (a < 0),
    "clamp": lambda low, x, high: min(high, max(low, x)),
    "int": int,
    "not": lambda a: not a if isinstance(a, bool) else ~a,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}
