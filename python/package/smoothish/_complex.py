"""Complex numbers as pairs of nodes: where a function of real numbers has them in between."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ._elements import Elements, Pair, Real, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST_POINTS = 64
"""The longest row that is transformed. A choice: each number of it is a sum of as many products."""


class ComplexNumbers:
    """Operations on pairs, over the graph of elements."""

    def __init__(self, elements: Elements) -> None:
        self.elements, self.graph = elements, elements.graph

    def pair(self, element: Any) -> Pair:
        return element if isinstance(element, Pair) else Pair(self.elements.node(element), self.graph.constant(0))

    def operation(self, name: str, params: Any) -> Callable[..., Any]:
        """An operation of JAX, element by element."""
        graph = self.graph
        add, less, times, over = (lambda a, b, name=name: graph.binary(name, a, b) for name in ("add", "subtract", "multiply", "divide"))

        def product(a: Pair, b: Pair) -> Pair:
            return Pair(less(times(a.real, b.real), times(a.imag, b.imag)), add(times(a.real, b.imag), times(a.imag, b.real)))

        def square(a: Pair) -> int:
            return add(graph.power(a.real, Fraction(2)), graph.power(a.imag, Fraction(2)))

        def quotient(a: Pair, b: Pair) -> Pair:
            whole, size = product(a, Pair(b.real, graph.unary("negate", b.imag))), square(b)
            return Pair(over(whole.real, size), over(whole.imag, size))

        def exponential(a: Pair) -> Pair:
            size = graph.unary("exp", a.real)
            return Pair(times(size, graph.unary("cos", a.imag)), times(size, graph.unary("sin", a.imag)))

        def direction(a: Pair) -> Pair:
            # of 0 it is 0
            zero, whole = graph.constant(0), square(a)
            size, is_nothing = graph.unary("sqrt", whole), graph.add("eq", whole, zero)
            return Pair(*(graph.select(is_nothing, zero, over(part, size)) for part in (a.real, a.imag)))

        def power(a: Pair) -> Pair:
            count, found = abs(params["y"]), self.pair(1)
            for _ in range(count):
                found = product(found, a)
            return found if params["y"] >= 0 else quotient(self.pair(1), found)

        operations: dict[str, Callable[..., Any]] = {
            "add": lambda a, b: Pair(add(a.real, b.real), add(a.imag, b.imag)),
            "sub": lambda a, b: Pair(less(a.real, b.real), less(a.imag, b.imag)),
            "mul": product,
            "div": quotient,
            "neg": lambda a: Pair(graph.unary("negate", a.real), graph.unary("negate", a.imag)),
            "conj": lambda a: Pair(a.real, graph.unary("negate", a.imag)),
            "real": lambda a: Real(a.real),
            "imag": lambda a: Real(a.imag),
            "abs": lambda a: Real(graph.unary("sqrt", square(a))),
            "complex": lambda a, b: Pair(a.real, b.real),
            "exp": exponential,
            "sgn": direction,
            "angle": lambda a: Real(graph.add("atan2", a.imag, a.real)),
            "polar": lambda a, b: Pair(times(a.real, graph.unary("cos", b.real)), times(a.real, graph.unary("sin", b.real))),
            "square": lambda a: product(a, a),
            "integer_pow": power,
        }
        operations["add_any"] = operations["add"]
        if name not in operations or (name == "integer_pow" and abs(params["y"]) > MOST_POINTS):
            raise Unsupported(f"`{name}` of complex numbers")
        return lambda *parts: operations[name](*map(self.pair, parts))

    def turn(self, numerator: int, count: int) -> tuple[int, int]:
        """Cosine and sine of 2π·numerator/count."""
        graph, numerator = self.graph, numerator % count
        if 4 * numerator % count == 0:
            cosine, sine = [(1, 0), (0, 1), (-1, 0), (0, -1)][4 * numerator // count]
            return graph.constant(cosine), graph.constant(sine)
        angle = graph.binary("multiply", graph.constant(Fraction(2 * numerator, count)), graph.add("pi"))
        return graph.unary("cos", angle), graph.unary("sin", angle)

    def transformed(self, row: Sequence[Pair], sign: int) -> list[Pair]:
        """Sums of the numbers of a row times exp(sign·2πi·jk/n)."""
        graph, count, found = self.graph, len(row), []
        if count > MOST_POINTS:
            raise Unsupported(f"`fft` of {count} numbers; at most {MOST_POINTS} are transformed")
        reals, imags = [x.real for x in row], [x.imag for x in row]
        for k in range(count):
            turns = [self.turn(sign * j * k, count) for j in range(count)]
            cosines, sines = [x for x, _ in turns], [y for _, y in turns]
            opposite = [graph.unary("negate", y) for y in sines]
            found.append(Pair(graph.dot([*reals, *imags], [*cosines, *opposite]), graph.dot([*reals, *imags], [*sines, *cosines])))
        return found

    def scaled(self, row: Sequence[Pair], factor: Fraction | int, is_root: bool = False) -> list[Pair]:
        """The numbers of a row times a factor, or its root."""
        q = self.graph.power(self.graph.constant(factor), Fraction(1, 2)) if is_root else self.graph.constant(factor)
        return [Pair(self.graph.binary("multiply", q, x.real), self.graph.binary("multiply", q, x.imag)) for x in row]

    def whole_spectrum(self, row: Sequence[Pair], count: int) -> list[Pair]:
        """That of real numbers, from its first half: the imaginary parts of what is its own mirror image are not read."""
        negate = lambda x: self.graph.unary("negate", x)
        zero = self.graph.constant(0)
        found = []
        for k in range(count):
            x = row[min(k, count - k)] if k else row[0]
            is_own = 2 * k % count == 0
            found.append(Pair(x.real, zero if is_own else x.imag if 2 * k < count else negate(x.imag)))
        return found
