"""Graphs in the making: nodes that are shared, constants that are exact, conditions."""

from __future__ import annotations

import math
import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any, SupportsFloat

from ._errors import LimitError

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

# What a node is: the name of an operation and its operands, as in the format; "special" for NaN and the infinities.
Node = tuple

# UNCLEAR: what an infinity became, and what it is depends on the signs of what varies or of a zero.
INFINITY, MINUS_INFINITY, NOT_A_NUMBER, UNCLEAR = "inf", "-inf", "nan", "unclear"
SIGNS = {INFINITY: 1, MINUS_INFINITY: -1}
# Exact arithmetic on constants goes on for as long as they have at most this many bits.
MOST_BITS = 1 << 12

# Operations and constants of one function, and what all of them are made of.
MOST_NODES = 1 << 20
MOST_OPERANDS = 1 << 22

# What has a value wherever its operands have one.
TOTAL = {
    "variable", "rational", "pi", "negate", "abs", "signum", "exp", "sin", "cos", "atan", "sinh", "cosh", "tanh", "asinh",
    "erf", "erfc", "expm1", "cbrt", "floor", "add", "subtract", "multiply", "max", "min", "sum", "dot", "select",
    "lt", "le", "eq", "both", "either", "not", "if", "true", "false", "round",
}  # fmt: skip

# What has one where its last operand is a number of which this is true.
PARTIAL: dict[str, Callable[[Fraction], bool]] = {
    "divide": lambda q: q != 0,
    "log": lambda q: q > 0,
    "sqrt": lambda q: q >= 0,
    "mod": lambda q: q != 0,
    "rem": lambda q: q != 0,
}

# What functions are at the infinities, as floating-point arithmetic has it: a multiple of π/2 is a pair. NaN where nothing is said.
AT_INFINITY: dict[str, str | int | tuple[int]] = {
    "negate": MINUS_INFINITY, "abs": INFINITY, "signum": 1, "exp": INFINITY, "log": INFINITY, "atan": (1,), "sinh": INFINITY,
    "cosh": INFINITY, "tanh": 1, "asinh": INFINITY, "acosh": INFINITY, "sqrt": INFINITY, "cbrt": INFINITY, "erf": 1, "erfc": 0,
    "expm1": INFINITY, "log1p": INFINITY, "lgamma": INFINITY, "digamma": INFINITY, "floor": INFINITY,
}  # fmt: skip
AT_MINUS_INFINITY: dict[str, str | int | tuple[int]] = {
    "negate": INFINITY, "abs": INFINITY, "signum": -1, "exp": 0, "atan": (-1,), "sinh": MINUS_INFINITY, "cosh": INFINITY,
    "tanh": -1, "asinh": MINUS_INFINITY, "cbrt": MINUS_INFINITY, "erf": -1, "erfc": 2, "expm1": -1, "lgamma": UNCLEAR,
    "digamma": UNCLEAR, "floor": MINUS_INFINITY,
}  # fmt: skip


# The bits of formats, and n for their least normal numbers 2^-n.
FORMATS = {"float64": (53, 1022), "float32": (24, 126), "float16": (11, 14), "bfloat16": (8, 126)}

def format_of(types: Iterable[str]) -> str | None:
    """The first of some types that is a format, or has parts in one: a complex number is computed as two real ones."""
    parts = {"complex32": "float16", "complex64": "float32", "complex128": "float64"}
    return next((name for name in (parts.get(name, name) for name in types) if name in FORMATS), None)


# What is the same number in each format: it is not computed, or it is not rounded.
UNROUNDED = {
    "variable", "rational", "special", "pi", "negate", "abs", "signum", "max", "min", "select", "floor", "refused",
    "lt", "le", "eq", "both", "either", "not", "if", "true", "false",
}  # fmt: skip


TOO_LONG = "the time was up before the function was translated; give more of it by timeout="


class TooLarge(Exception):
    """A graph has too many nodes."""


class TooLong(LimitError):
    """It took too long to make a graph."""

    def __init__(self) -> None:
        super().__init__(TOO_LONG)


class Graph:
    """A list of nodes, each once; of one that `rounds`, each once in each format: what is computed in two of them is two numbers."""

    def __init__(self, rounds: bool = False) -> None:
        self.nodes: list[Node] = []
        self.rounds = rounds
        # in which format what is translated is computed, and each node was; units in the last place, where a node says them itself
        self.dtype: str | None = None
        self.dtypes: list[str | None] = []
        self.units: dict[int, int] = {}
        self._ticks = 0
        # what is being translated, and what each node came from
        self.origin: Any = None
        self.origins: list[Any] = []
        self._places: dict[Node, int] = {}
        self._total: dict[int, bool] = {}
        self._operands = 0
        # when it has to be done
        self.deadline: float | None = None

    def tick(self) -> None:
        """Ends what takes too long: every loop calls it."""
        self._ticks += 1
        if self._ticks % 256 == 0:
            self.look()

    def look(self) -> None:
        """Ends what takes too long, at once: before what is long itself."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise TooLong

    def holds(self, q: Fraction) -> bool:
        """Whether an exact number is one of the format in which it is computed."""
        bits, least = FORMATS.get(self.dtype or "", (0, 0))
        if q == 0 or not bits:
            return not self.rounds or q == 0
        numerator, denominator = abs(q.numerator), q.denominator
        is_dyadic = denominator & (denominator - 1) == 0
        odd = numerator >> ((numerator & -numerator).bit_length() - 1)
        size = numerator.bit_length() - denominator.bit_length()
        return is_dyadic and odd.bit_length() <= bits and -least < size < (128 if self.dtype == "bfloat16" else least + 1)

    def add(self, *node: object) -> int:
        key = (self.dtype, node) if self.rounds and node[0] not in UNROUNDED else node
        place = self._places.get(key)
        self.tick()
        if place is None:
            self._operands += sum(len(part) if isinstance(part, tuple) else 1 for part in node)
            if len(self.nodes) >= MOST_NODES or self._operands > MOST_OPERANDS:
                raise TooLarge
            place = self._places[key] = len(self.nodes)
            self.nodes.append(node)
            self.dtypes.append(self.dtype)
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
        if special in SIGNS:
            limits = AT_INFINITY if special == INFINITY else AT_MINUS_INFINITY
            return self._limit(limits.get(name, NOT_A_NUMBER))
        if special is not None:
            return a
        if q is not None and (found := _at_edge(name, q)) is not None:
            return self._limit(found)
        if q is not None:
            if name == "negate":
                return self.constant(-q)
            if name == "abs":
                return self.constant(abs(q))
            if name == "signum" and q != 0:
                return self.constant(1 if q > 0 else -1)
        return self.add(name, a)

    def _limit(self, found: str | int | tuple[int]) -> int:
        if isinstance(found, tuple):
            return self.quarters(2 * found[0])
        return self.add("special", found) if isinstance(found, str) else self.constant(found)

    def quarters(self, count: int) -> int:
        """So many quarters of π."""
        return self.binary("multiply", self.constant(Fraction(count, 4)), self.add("pi")) if count else self.constant(0)

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
                found = exact() if exact is not None else None
                if found is not None and (not self.rounds or name in ("max", "min") or self.holds(found)):
                    return self.constant(found)
            if name == "divide" and q == 0:
                # the zero has a sign
                return self._limit(UNCLEAR if p else NOT_A_NUMBER)
        if (name in ("add", "subtract") and q == 0) or (name in ("multiply", "divide") and q == 1):
            return a
        if (name == "add" and p == 0) or (name == "multiply" and p == 1):
            return b
        if name in ("max", "min") and a == b:
            return a
        return self.add(name, a, b)

    def _extreme(self, name: str, a: int, b: int) -> int:
        """An operation of which an infinity or a NaN is a part, as floating-point arithmetic has it."""
        kinds = [self.special(a), self.special(b)]
        if UNCLEAR in kinds:
            return self._limit(UNCLEAR)
        if NOT_A_NUMBER in kinds:
            return self._limit(NOT_A_NUMBER)
        # the signs of infinities and of known numbers; none of what varies
        first, second = (self._sign(node) for node in (a, b))
        if name in ("max", "min"):
            for this, other in ((a, b), (b, a)):
                kind = self.special(this)
                if kind is not None:
                    return other if (name == "max") == (kind == MINUS_INFINITY) else this
        if name in ("add", "subtract"):
            signs = [SIGNS.get(kind or "", 0) for kind in kinds]
            signs[1] *= 1 if name == "add" else -1
            total = {sign for sign in signs if sign}
            return self._infinite(total.pop()) if len(total) == 1 else self._limit(NOT_A_NUMBER)
        if name == "divide" and kinds[1] is not None:
            return self.constant(0) if kinds[0] is None else self._limit(NOT_A_NUMBER)
        if name == "atan2":
            return self._angle(kinds, first)
        if name in ("multiply", "divide"):
            if first is None or second is None or (name == "divide" and second == 0):
                return self._limit(UNCLEAR)
            return self._infinite(first * second)
        return self._limit(UNCLEAR)

    def _angle(self, kinds: list[str | None], height: int | None) -> int:
        up, right = (SIGNS.get(kind or "", 0) for kind in kinds)
        if up:
            return self.quarters(up * (2 - right))
        if right > 0:
            return self.constant(0)
        # on the cut the zero has a sign
        return self.quarters(4 * height) if height else self._limit(UNCLEAR)

    def _infinite(self, sign: int) -> int:
        return self._limit(NOT_A_NUMBER if sign == 0 else INFINITY if sign > 0 else MINUS_INFINITY)

    def _sign(self, node: int) -> int | None:
        q, special = self.known(node), self.special(node)
        if special is not None:
            return SIGNS.get(special)
        return None if q is None else (q > 0) - (q < 0)

    def power(self, a: int, exponent: Fraction) -> int:
        kind = self.special(a)
        if exponent < 0 and self.known(a) == 0:
            # the zero has a sign
            return self._limit(UNCLEAR)
        if kind is None:
            return a if exponent == 1 else self.add("power", a, exponent)
        if kind not in SIGNS or exponent == 0:
            return self._limit(UNCLEAR if exponent == 0 else kind)
        if exponent < 0 and (kind == INFINITY or exponent.denominator == 1):
            return self.constant(0)
        if kind == INFINITY:
            return a
        is_whole, is_odd = exponent.denominator == 1, exponent.numerator % 2 == 1
        return self._limit((MINUS_INFINITY if is_odd else INFINITY) if is_whole else UNCLEAR)

    def raised(self, base: int, exponent: int) -> int:
        """A power whose exponent is no known number."""
        p, kind = self.known(base), self.special(exponent)
        if kind is None and self.special(base) is None:
            return self.add("raise", base, exponent)
        if p is None or kind not in SIGNS or p < 0 or p == 1:
            return self._limit(UNCLEAR)
        return self.constant(0) if (p < 1) == (kind == INFINITY) else self._limit(INFINITY)

    def sum(self, terms: list[int]) -> int:
        zero = self.constant(0)
        terms = [term for term in terms if term != zero]
        is_known = not self.rounds and all(self.known(term) is not None for term in terms)
        if any(self.special(term) is not None for term in terms) or len(terms) <= 2 or is_known:
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

    def rounded(self, a: int) -> int:
        """A number in another format."""
        q = self.known(a)
        if not self.rounds or self.special(a) is not None or (q is not None and self.holds(q)):
            return a
        return self.add("round", a)

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
                last = self.known(parts[-1]) if kind in PARTIAL else None
                is_defined = is_defined or (last is not None and PARTIAL[kind](last))
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


def _at_edge(name: str, q: Fraction) -> str | None:
    """What functions are at numbers at which they have no value, as floating-point arithmetic has it."""
    match name:
        case "log" | "log1p" if q <= (0 if name == "log" else -1):
            return MINUS_INFINITY if q == (0 if name == "log" else -1) else NOT_A_NUMBER
        case "sqrt" if q < 0:
            return NOT_A_NUMBER
        case "asin" | "acos" if abs(q) > 1:
            return NOT_A_NUMBER
        case "acosh" if q < 1:
            return NOT_A_NUMBER
        case "atanh" if abs(q) >= 1:
            return NOT_A_NUMBER if abs(q) > 1 else INFINITY if q > 0 else MINUS_INFINITY
        case "lgamma" | "digamma" if q <= 0 and q.denominator == 1:
            return UNCLEAR
    return None


def _is_node(part: object) -> bool:
    return type(part) is int
