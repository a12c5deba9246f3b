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
            if kind == "variable":
                at = self.point[int(rest[0])]
                places[place] = new.constant(at)
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


def _is_finite(*ends: object) -> bool:
    return all(isinstance(end, Fraction) for end in ends)
