"""Graphs in the making: nodes that are shared, constants that are exact, conditions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, SupportsFloat

if TYPE_CHECKING:
    from collections.abc import Container

# What a node is: the name of an operation and its operands, as in the format; "special" for NaN and the infinities.
Node = tuple

INFINITY, MINUS_INFINITY, NOT_A_NUMBER = "inf", "-inf", "nan"
# Exact arithmetic on constants goes on for as long as they have at most this many bits.
MOST_BITS = 1 << 12


# Operations and constants of one function.
MOST_NODES = 1 << 20


# What has a value wherever its operands have one.
TOTAL = {
    "variable", "rational", "pi", "negate", "abs", "signum", "exp", "sin", "cos", "atan", "sinh", "cosh", "tanh", "asinh",
    "erf", "erfc", "expm1", "cbrt", "floor", "add", "subtract", "multiply", "max", "min", "sum", "dot", "select",
    "lt", "le", "eq", "both", "either", "not", "if", "true", "false",
}  # fmt: skip


class TooLarge(Exception):
    """A graph has too many nodes."""


class Graph:
    """A list of nodes, each once."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        # what is being translated, and what each node came from
        self.origin: Any = None
        self.origins: list[Any] = []
        self._places: dict[Node, int] = {}
        self._total: dict[int, bool] = {}

    def add(self, *node: object) -> int:
        place = self._places.get(node)
        if place is None:
            if len(self.nodes) >= MOST_NODES:
                raise TooLarge
            place = self._places[node] = len(self.nodes)
            self.nodes.append(node)
            self.origins.append(self.origin)
        return place

    # What is no number of a node, and no exact number, is a text: variables and orders.

    def variable(self, index: int) -> int:
        return self.add("variable", str(index))

    def constant(self, q: Fraction | int) -> int:
        return self.add("rational", Fraction(q))

    def number(self, x: SupportsFloat) -> int:
        """The node of a number of some type, exactly: of a float16 what that float16 is."""
        value = float(x)
        if math.isnan(value):
            return self.add("special", NOT_A_NUMBER)
        if math.isinf(value):
            return self.add("special", INFINITY if value > 0 else MINUS_INFINITY)
        return self.constant(Fraction(value))

    def known(self, node: int) -> Fraction | None:
        kind, *rest = self.nodes[node]
        return rest[0] if kind == "rational" else None

    def special(self, node: int) -> str | None:
        kind, *rest = self.nodes[node]
        return rest[0] if kind == "special" else None

    def unary(self, name: str, a: int) -> int:
        q, special = self.known(a), self.special(a)
        if special is not None:
            limits = {
                ("negate", INFINITY): MINUS_INFINITY,
                ("negate", MINUS_INFINITY): INFINITY,
                ("exp", INFINITY): INFINITY,
                ("abs", INFINITY): INFINITY,
                ("abs", MINUS_INFINITY): INFINITY,
            }
            if (name, special) == ("exp", MINUS_INFINITY):
                return self.constant(0)
            return self.add("special", limits.get((name, special), NOT_A_NUMBER))
        if q is not None:
            if name == "negate":
                return self.constant(-q)
            if name == "abs":
                return self.constant(abs(q))
            if name == "signum" and q != 0:
                return self.constant(1 if q > 0 else -1)
        return self.add(name, a)

    def binary(self, name: str, a: int, b: int) -> int:
        p, q = self.known(a), self.known(b)
        if self.special(a) is not None or self.special(b) is not None:
            return self._extreme(name, a, b)
        if p is not None and q is not None:
            size = sum(n.bit_length() for n in (p.numerator, p.denominator, q.numerator, q.denominator))
            if size <= MOST_BITS and (name != "divide" or q != 0):
                exact = {
                    "add": lambda: p + q,
                    "subtract": lambda: p - q,
                    "multiply": lambda: p * q,
                    "divide": lambda: p / q,
                    "max": lambda: max(p, q),
                    "min": lambda: min(p, q),
                }.get(name)
                if exact is not None:
                    return self.constant(exact())
        if (name in ("add", "subtract") and q == 0) or (name in ("multiply", "divide") and q == 1):
            return a
        if (name == "add" and p == 0) or (name == "multiply" and p == 1):
            return b
        if name in ("max", "min") and a == b:
            return a
        return self.add(name, a, b)

    def _extreme(self, name: str, a: int, b: int) -> int:
        """An operation of which an infinity or a NaN is a part: max and min with an infinity, as where masks are made."""
        for this, other in ((a, b), (b, a)):
            kind = self.special(this)
            if (name, kind) in (("max", MINUS_INFINITY), ("min", INFINITY)):
                return other
            if (name, kind) in (("max", INFINITY), ("min", MINUS_INFINITY)) and self.special(other) != NOT_A_NUMBER:
                return this
        if name in ("add", "subtract"):
            kinds = [self.special(a), self.special(b)]
            if name == "subtract" and kinds[1] is not None:
                kinds[1] = {INFINITY: MINUS_INFINITY, MINUS_INFINITY: INFINITY}.get(kinds[1], NOT_A_NUMBER)
            found = {kind for kind in kinds if kind is not None}
            if len(found) == 1:
                return self.add("special", found.pop())
        if name == "divide" and self.special(a) is None and self.special(b) in (INFINITY, MINUS_INFINITY):
            return self.constant(0)
        return self.add("special", NOT_A_NUMBER)

    def power(self, a: int, exponent: Fraction) -> int:
        if self.special(a) is not None:
            return self.add("special", NOT_A_NUMBER)
        return a if exponent == 1 else self.add("power", a, exponent)

    def sum(self, terms: list[int]) -> int:
        zero = self.constant(0)
        terms = [term for term in terms if term != zero]
        if any(self.special(term) is not None for term in terms) or len(terms) <= 2:
            total = zero
            for term in terms:
                total = self.binary("add", total, term)
            return total
        return self.add("sum", tuple(terms))

    def dot(self, xs: list[int], ys: list[int]) -> int:
        zero = self.constant(0)
        # 0 times what may have no value may have none
        is_nothing = lambda x, y: x == zero and self.nodes[y][0] in ("rational", "variable")
        pairs = [(x, y) for x, y in zip(xs, ys, strict=True) if not is_nothing(x, y) and not is_nothing(y, x)]
        parts = [part for pair in pairs for part in pair]
        is_known = all(self.known(part) is not None for part in parts)
        if len(pairs) <= 2 or is_known or any(self.special(part) is not None for part in parts):
            return self.sum([self.binary("multiply", x, y) for x, y in pairs])
        return self.add("dot", tuple(x for x, _ in pairs), tuple(y for _, y in pairs))

    # Conditions: "lt", "le" and "eq" of two numbers, "both", "either", "not", "if", "true" and "false".

    def truth(self, value: bool) -> int:
        return self.add("true" if value else "false")

    def decided(self, condition: int) -> bool | None:
        return {"true": True, "false": False}.get(self.nodes[condition][0])

    def negated(self, condition: int) -> int:
        decided = self.decided(condition)
        kind, *rest = self.nodes[condition]
        if decided is not None:
            return self.truth(not decided)
        return rest[0] if kind == "not" else self.add("not", condition)

    def joined(self, kind: str, one: int, other: int) -> int:
        """ "both" or "either"."""
        for this, that in ((one, other), (other, one)):
            decided = self.decided(this)
            if decided is not None:
                return that if decided == (kind == "both") else this
        return self.add(kind, one, other)

    def chosen(self, condition: int, then: int, otherwise: int) -> int:
        """A condition by a condition."""
        decided = self.decided(condition)
        if decided is not None:
            return then if decided else otherwise
        return then if then == otherwise else self.add("if", condition, then, otherwise)

    def select(self, condition: int, then: int, otherwise: int) -> int:
        """A number by a condition."""
        decided = self.decided(condition)
        if decided is not None:
            return then if decided else otherwise
        if then == otherwise and self.known(then) is not None:
            return then
        return self.add("select", condition, then, otherwise)

    def at(self, nodes: list[int], point: list[Fraction]) -> list[int]:
        """Nodes with the coordinates of a point in the place of the variables."""
        moved: dict[int, int] = {}
        for place in self.needed(nodes):
            kind, *rest = self.nodes[place]
            if kind == "variable":
                moved[place] = self.constant(point[int(rest[0])])
            else:
                operands = [
                    tuple(moved[n] for n in part)
                    if isinstance(part, tuple)
                    else moved[part]
                    if _is_node(part)
                    else part
                    for part in rest
                ]
                moved[place] = self.add(kind, *operands)
        return [moved[node] for node in nodes]

    def is_total(self, node: int) -> bool:
        """Whether a node certainly has a value wherever the variables are."""
        for place in self.needed([node], self._total):
            if place not in self._total:
                kind, *rest = self.nodes[place]
                parts = [n for part in rest for n in (part if isinstance(part, tuple) else (part,)) if _is_node(n)]
                exponent = rest[1] if kind == "power" else None
                is_defined = kind in TOTAL or (exponent is not None and exponent > 0 and exponent.denominator % 2 == 1)
                self._total[place] = is_defined and all(self._total[part] for part in parts)
        return self._total[node]

    def needed(self, roots: list[int], known: Container[int] = ()) -> list[int]:
        """The nodes that others are made of, parts before what is made of them; of nodes that are known, not what these are made of."""
        seen, pending = set(roots), list(roots)
        while pending:
            node = pending.pop()
            if node in known:
                continue
            for part in self.nodes[node][1:]:
                for child in part if isinstance(part, tuple) else (part,):
                    if _is_node(child) and child not in seen:
                        seen.add(child)
                        pending.append(child)
        return sorted(seen)


def _is_node(part: object) -> bool:
    return type(part) is int
