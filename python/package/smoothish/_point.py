"""Nodes at the point of the trace: enclosed as they come, each once."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from ._forms import Special, function
from ._graph import Graph

if TYPE_CHECKING:
    from collections.abc import Iterable

# With how many bits: a loop of a thousand rounds may lose two of them in each.
BITS = 2048


class AtPoint:
    """Enclosures of nodes at a point, each made from those of the nodes before it, so that a loop costs what its rounds do."""

    def __init__(self, graph: Graph, point: list[Fraction]) -> None:
        self.graph = graph
        self.point = point
        # none where it is not shown to have a value
        self.found: dict[int, tuple[Fraction, Fraction] | None] = {}

    def ends(self, index: int) -> tuple[Fraction, Fraction]:
        """Where a variable is."""
        return self.point[index], self.point[index]

    def enclose(self, nodes: Iterable[int]) -> None:
        """Finds enclosures of nodes, conditions among them as the numbers that they are."""
        wanted = [node for node in dict.fromkeys(nodes) if node not in self.found]
        box: list[tuple[Fraction, Fraction]] = []
        new, places = Graph(), dict[int, int]()
        for place in self.graph.needed(wanted, self.found):
            if place in self.found:
                ends = self.found[place]
                if ends is None:
                    places[place] = new.add("divide", new.constant(1), new.constant(0))
                else:
                    places[place] = new.variable(len(box))
                    box.append(ends)
                continue
            kind, *rest = self.graph.nodes[place]
            if kind == "functional":
                # an integral or a root: a Function has no nodes for it
                places[place] = new.add("divide", new.constant(1), new.constant(0))
                continue
            if kind == "variable":
                lo, hi = self.ends(int(rest[0]))
                places[place] = new.constant(lo) if lo == hi else new.variable(len(box))
                box += [(lo, hi)] if lo != hi else []
                continue
            parts = [
                tuple(places[n] for n in part) if isinstance(part, tuple) else places[part] if type(part) is int else part
                for part in rest
            ]
            places[place] = new.add(kind, *parts)
        for node, ends in zip(wanted, self._enclosed(new, [places[node] for node in wanted], box), strict=True):
            self.found[node] = ends

    def _enclosed(
        self, graph: Graph, nodes: list[int], box: list[tuple[Fraction, Fraction]]
    ) -> list[tuple[Fraction, Fraction] | None]:
        if not nodes:
            return []
        self.graph.look()
        try:
            made = function(graph, len(box), nodes, None, [])
            found = made._range([lo for lo, _ in box], [hi for _, hi in box], BITS)
            return [(e.lo, e.hi) if e.defined and _is_finite(e.lo, e.hi) else None for e in found]
        except (Special, OverflowError):
            return [None] * len(nodes)

    def sign(self, node: int) -> int:
        """1 or -1 where a node certainly has that sign, else 0."""
        self.enclose([node])
        ends = self.found[node]
        if ends is None or ends[0] <= 0 <= ends[1]:
            return 0
        return 1 if ends[0] > 0 else -1


# How far around a point it is looked: what is true there is true of all that is judged near it.
RADIUS = Fraction(1, 1 << 40)


class AroundPoint(AtPoint):
    """Enclosures of nodes on a box around a point. A choice that is not decided there is one or the other."""

    def __init__(self, graph: Graph, point: list[Fraction]) -> None:
        super().__init__(graph, point)
        # the nodes that are known to fit, with all that they rest on, and up to which number
        self.fitting: set[int] = set()
        self.largest: Fraction | None = None

    def ends(self, index: int) -> tuple[Fraction, Fraction]:
        at = self.point[index]
        radius = RADIUS * max(1, abs(at))
        return at - radius, at + radius

    def enclose(self, nodes: Iterable[int]) -> None:
        wanted = list(nodes)
        for place in self.graph.needed(wanted, self.found):
            kind, *parts = self.graph.nodes[place]
            if kind != "select" or place in self.found:
                continue
            self.graph.tick()
            super().enclose(parts)
            taken = [self.found[part] for part in self.taken(place)[1:]]
            known = [ends for ends in taken if ends is not None]
            self.found[place] = None
            if self.found[parts[0]] is not None and len(known) == len(taken):
                self.found[place] = min(lo for lo, _ in known), max(hi for _, hi in known)
        super().enclose(wanted)

    def taken(self, place: int) -> list[int]:
        """The nodes on which the value of a node rests: of a choice its condition, and the branches that may be taken."""
        kind, *rest = self.graph.nodes[place]
        parts = [n for part in rest for n in (part if isinstance(part, tuple) else (part,)) if type(n) is int]
        if kind == "select" and (ends := self.found.get(parts[0])) is not None:
            return [parts[0], *parts[1:2]] if ends[0] > 0 else [parts[0], *parts[2:]] if ends[1] < 0 else parts
        return parts

    def fits(self, node: int, largest: Fraction) -> bool:
        """Whether a node, and all that its value rests on, has values near the point, and none of them is larger than a number."""
        if largest != self.largest:
            self.fitting, self.largest = set(), largest
        self.enclose([node])
        seen, pending = {node}, [node]
        while pending:
            self.graph.tick()
            place = pending.pop()
            if place in self.fitting or self.graph.special(place) is not None:
                continue
            self.enclose([place])
            ends = self.found[place]
            if ends is None or max(map(abs, ends)) > largest:
                return False
            more = [part for part in self.taken(place) if part not in seen]
            seen.update(more)
            pending += more
        self.fitting |= seen
        return True


def _is_finite(*ends: object) -> bool:
    return all(isinstance(end, Fraction) for end in ends)
