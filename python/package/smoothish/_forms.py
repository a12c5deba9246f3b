"""What a graph is written as: the records of a Function, and the steps of an audit."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ._graph import NOT_A_NUMBER, UNCLEAR, Graph
from ._smoothish import Function

if TYPE_CHECKING:
    from collections.abc import Callable

# The largest numerator or denominator of an exponent.
MOST_EXPONENT = 1_000_000
HALF = Fraction(1, 2)


class Special(ArithmeticError):
    """An infinity or a NaN is a part of what is wanted."""


def _is_large(exponent: Fraction) -> bool:
    return max(abs(exponent.numerator), exponent.denominator) > MOST_EXPONENT


def _raised(graph: Graph, base: int, exponent: int) -> int:
    return graph.unary("exp", graph.binary("multiply", exponent, graph.unary("log", base)))


def _floor(graph: Graph, x: int) -> int:
    """x - 1/2 - atan(tan(pi (x - 1/2)))/pi, which has no value where the floor jumps."""
    pi = graph.add("pi")
    centred = graph.binary("subtract", x, graph.constant(HALF))
    turn = graph.unary("atan", graph.unary("tan", graph.binary("multiply", pi, centred)))
    return graph.binary("subtract", centred, graph.binary("divide", turn, pi))


def _remainder(graph: Graph, x: int, y: int) -> int:
    """x - y·k, where k is x/y rounded towards 0."""
    zero, quotient = graph.constant(0), graph.binary("divide", x, y)
    upward = graph.unary("negate", _floor(graph, graph.unary("negate", quotient)))
    whole = graph.add("select", quotient, _floor(graph, quotient), upward)
    is_small = graph.binary("subtract", graph.constant(1), graph.unary("abs", quotient))
    return graph.binary("subtract", x, graph.binary("multiply", y, graph.add("select", is_small, zero, whole)))


def lowered(graph: Graph, roots: list[int]) -> tuple[Graph, list[int]]:
    """The same numbers with conditions as numbers: positive where they hold, negative where they fail, 0 on their border."""
    new, places = Graph(), dict[int, int]()
    for place in graph.needed(roots):
        kind, *rest = graph.nodes[place]
        parts = [
            tuple(places[n] for n in part) if isinstance(part, tuple) else places[part] if type(part) is int else part
            for part in rest
        ]
        places[place] = _lowered(new, kind, parts)
    return new, [places[root] for root in roots]


def _lowered(new: Graph, kind: str, parts: list[Any]) -> int:
    match kind:
        case "true" | "false":
            return new.constant(1 if kind == "true" else -1)
        case "lt" | "le":
            return new.binary("subtract", parts[1], parts[0])
        case "eq":
            return new.unary("negate", new.unary("abs", new.binary("subtract", *parts)))
        case "both" | "either":
            return new.binary("min" if kind == "both" else "max", *parts)
        case "not":
            return new.unary("negate", parts[0])
        case "if" | "select":
            return new.add("select", *parts)
        case "floor":
            return _floor(new, parts[0])
        case "round":
            return parts[0]
        case "rem":
            return _remainder(new, *parts)
        case "mod":
            whole = _floor(new, new.binary("divide", *parts))
            return new.binary("subtract", parts[0], new.binary("multiply", parts[1], whole))
        case "refused":
            return new.add("divide", new.constant(1), new.constant(0))
        case "raise":
            return _raised(new, *parts)
        case "power" if _is_large(parts[1]):
            return _raised(new, parts[0], new.constant(parts[1]))
        case _:
            return new.add(kind, *parts)


def function(graph: Graph, inputs: int, outputs: list[int], source: str | None, notes: list[str]) -> Function:
    """The Function of some nodes."""
    graph, outputs = lowered(graph, outputs)
    numbers: dict[int, int] = {}
    records: list[list[object]] = []
    for place in graph.needed(outputs):
        kind, *rest = graph.nodes[place]
        if kind == "special":
            raise Special(rest[0])
        record: list[object] = [kind]
        for part in rest:
            if isinstance(part, tuple):
                record.append([numbers[n] for n in part])
            elif isinstance(part, str):
                record.append(int(part))
            else:
                record.append(str(part) if isinstance(part, Fraction) else numbers[part])
        numbers[place] = len(records)
        records.append(record)
    text: dict[str, object] = {"format": "smoothish", "version": 1, "inputs": inputs, "nodes": records}
    text["outputs"] = [numbers[output] for output in outputs]
    return Function.from_json(json.dumps(text), source, notes)


def _unclear(graph: Graph, roots: list[int]) -> set[int]:
    """The infinities and NaNs below roots which are not just their value in some branch: of an infinity, what is made of it may be a
    number, and a condition on a NaN fails."""
    needed = graph.needed(roots)
    asked, moved = set[int](), set[int]()
    for place in reversed(needed):
        kind, *rest = graph.nodes[place]
        is_condition = kind in ("lt", "le", "eq") or place in asked
        is_operation = kind != "select" or place in moved
        for position, part in enumerate(rest):
            for node in part if isinstance(part, tuple) else (part,):
                if type(node) is int:
                    if is_condition:
                        asked.add(node)
                    if is_operation or (kind == "select" and position == 0):
                        moved.add(node)
    specials = [place for place in needed if graph.special(place) is not None]
    return {
        place
        for place in specials
        if graph.special(place) == UNCLEAR or place in (asked if graph.special(place) == NOT_A_NUMBER else moved)
    }


# What is called otherwise in steps.
NAMES = {
    "add": "(+)", "subtract": "(-)", "multiply": "(*)", "divide": "(/)", "lt": "(<)", "le": "(<=)", "eq": "(==)",
    "both": "and", "either": "or", "if": "choose", "select": "choose", "variable": "input",
}  # fmt: skip


class Steps:
    """Nodes as steps, conditions as they are. Of a graph that rounds, in which formats, and where: `place` says that of an origin."""

    def __init__(self, graph: Graph, roots: list[int]) -> None:
        self.graph = graph
        self.steps: list[list[object]] = []
        # the node of each step
        self.nodes: list[int] = []
        self.numbers: dict[int, int] = {}
        self.unclear = _unclear(graph, roots)
        for place in graph.needed(roots):
            graph.tick()
            self.place = place
            kind, *rest = graph.nodes[place]
            self.numbers[place] = self.written(kind, rest)
        self.outputs = [self.numbers[root] for root in roots]

    def text(self, place: Callable[[Any], str] | None = None) -> str:
        written: dict[str, object] = {"format": "smoothish steps", "version": 2, "steps": self.steps, "outputs": self.outputs}
        graph = self.graph
        if graph.rounds:
            last = {node: step for step, node in enumerate(self.nodes)}
            # what no float is has no format; a function of several steps may be off in the last of them
            known = [graph.dtypes[node] if kind[0] != "input" else None for node, kind in zip(self.nodes, self.steps, strict=True)]
            written["dtypes"] = known
            written["units"] = [
                graph.units.get(node) if last[node] == step else None for step, node in enumerate(self.nodes)
            ]
        if place is not None:
            texts: dict[str, int] = {}
            said: dict[int, int] = {}
            for node in self.nodes:
                origin = graph.origins[node]
                if id(origin) not in said:
                    said[id(origin)] = texts.setdefault(place(origin) if origin is not None else "", len(texts))
            written["places"] = {"texts": list(texts), "of": [said[id(graph.origins[node])] for node in self.nodes]}
        return json.dumps(written)

    def step(self, name: str, *operands: object) -> int:
        self.steps.append([name, *operands])
        self.nodes.append(self.place)
        return len(self.steps) - 1

    def constant(self, q: Fraction | int) -> int:
        return self.step("number", str(Fraction(q)))

    def exponential(self, base: int, exponent: int) -> int:
        return self.step("exp", self.step("(*)", exponent, self.step("log", base)))

    def written(self, kind: str, rest: list[Any]) -> int:
        numbers, step = self.numbers, self.step
        match kind:
            case "variable":
                return step("input", int(rest[0]))
            case "rational":
                return self.constant(rest[0])
            case "special" if self.place in self.unclear:
                return step("refused", "what rests on an infinity or a NaN in a branch cannot be audited")
            case "special":
                # no real number
                zero = self.constant(0)
                return step("(/)", zero, zero)
            case "true" | "false":
                # strictly, as 0 <= 0 is a border
                zero, one = self.constant(0), self.constant(1)
                return step("(<)", zero, one) if kind == "true" else step("(<)", one, zero)
            case "sum":
                return step("sum", *(numbers[n] for n in rest[0]))
            case "dot":
                return step("dot", *([numbers[n] for n in row] for row in rest))
            case "signum":
                x, zero = numbers[rest[0]], self.constant(0)
                other = step("choose", step("(==)", x, zero), zero, self.constant(1))
                return step("choose", step("(<)", x, zero), self.constant(-1), other)
            case "power" if not _is_large(rest[1]):
                return step("power", numbers[rest[0]], str(rest[1]))
            case "power":
                x, zero = numbers[rest[0]], self.constant(0)
                found = self.exponential(x, self.constant(rest[1]))
                whole = rest[1].denominator % 2 == 1
                why = "a power of a negative number with so large an exponent cannot be audited"
                below = step("refused", why) if whole else found
                nothing = found if rest[1] < 0 else zero
                return step("choose", step("(<)", zero, x), found, step("choose", step("(==)", x, zero), nothing, below))
            case "raise":
                return self.raised(numbers[rest[0]], numbers[rest[1]])
            case "atan2":
                return self.angle(*rest)
            case "polygamma":
                return step("polygamma", numbers[rest[0]], int(rest[1]))
            case "functional":
                return step(rest[0], json.loads(rest[1]), *(numbers[part] for part in rest[2]))
            case "refused":
                return step("refused", rest[0])
            case _:
                return step(NAMES.get(kind, kind), *(numbers[part] for part in rest))

    def raised(self, base: int, exponent: int) -> int:
        """A power of which both parts may move: 0 to what is positive is 0, and what is negative has whole powers alone."""
        step, zero = self.step, self.constant(0)
        is_nothing = step("and", step("(==)", base, zero), step("(<)", zero, exponent))
        other = step("refused", "a power of what is not positive, whose exponent moves, cannot be audited")
        flat = step("choose", is_nothing, zero, other)
        return step("choose", step("(<)", zero, base), self.exponential(base, exponent), flat)

    def angle(self, above: int, beside: int) -> int:
        """The angle of (x, y), which is smooth off the cut, where x is not positive and y is 0. On it, it has the values that floating-point
        arithmetic has where zeros are positive, as coordinates are. Other zeros have signs that are not known."""
        step, y, x = self.step, self.numbers[above], self.numbers[beside]
        has_sign = any(self.graph.nodes[node][0] != "variable" for node in (above, beside) if self.graph.known(node) in (None, 0))
        zero = self.constant(0)
        if has_sign:
            on_cut = step("refused", "an angle at a zero whose sign is not known cannot be audited")
        else:
            on_cut = step("choose", step("(<)", x, zero), step("pi"), zero)
        is_cut = step("and", step("(==)", y, zero), step("(<=)", x, zero))
        return step("choose", is_cut, on_cut, step("atan2", y, x))
