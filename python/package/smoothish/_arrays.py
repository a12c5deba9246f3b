"""Arrays of elements, and operations on them that no library of tensors has to be there for.

An array of known numbers is an array of NumPy, or of keys of random numbers. Any other has the type object, and elements.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy

from ._complex import ComplexNumbers
from ._elements import Choice, Elements, Guard, Pair, Real, Unsupported
from ._graph import NOT_A_NUMBER
from ._linear import Linear
from ._point import AtPoint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ._graph import Graph
    from ._linear import Matrix

    Move = Callable[[list[numpy.ndarray]], Sequence[Any]]

# The most elements of an array that is taken apart, and of cases that are told apart.
MOST_ELEMENTS = 1 << 20
MOST_CASES = 1 << 10
# The longest row that is sorted.
MOST_SORTED = 128
# The place of what fills an array beyond its end.
FILLED = -1

FOLDS = {
    "reduce_sum": "add",
    "reduce_prod": "mul",
    "reduce_max": "max",
    "reduce_min": "min",
    "reduce_and": "and",
    "reduce_or": "or",
}
RUNNING = {"cumsum": "add", "cumprod": "mul", "cummax": "max", "cummin": "min", "cumlogsumexp": "add"}


class Arrays(Elements):
    """Operations on arrays, over one graph."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.cases = 0
        # where what decides is looked at, and the order of the derivatives that are asked
        self.at_point = AtPoint(graph, [])
        self.order = 1
        self._linear: Linear | None = None

    @property
    def complex(self) -> ComplexNumbers:
        """Complex numbers over the graph."""
        return ComplexNumbers(self)

    def settled(self, array: numpy.ndarray) -> numpy.ndarray:
        """The same array, of known whole numbers or truth values where it has no other elements."""
        if array.dtype != object:
            return array
        known = [self.known(x) if isinstance(x, Real) else x if isinstance(x, (bool, int, numpy.integer)) else None for x in array.ravel()]
        if any(q is None or int(q) != q for q in known):
            return array
        kind = bool if known and all(isinstance(q, bool) for q in known) else numpy.int64
        return numpy.array([int(q) for q in known if q is not None], dtype=kind).reshape(array.shape)

    @property
    def linear(self) -> Linear:
        """Linear algebra over the graph."""
        if self._linear is None:
            self._linear = Linear(self.graph, self.at_point, self.order)
        return self._linear

    def matrices(self, array: numpy.ndarray) -> list[Matrix]:
        """The matrices of a stack of them, of nodes."""
        array = self.lifted(array)
        stack = array.reshape(math.prod(array.shape[:-2]), *array.shape[-2:])
        return [[[self.node(x) for x in row] for row in matrix] for matrix in stack]

    def stacked_nodes(self, nodes: Any, shape: Sequence[int]) -> numpy.ndarray:
        """Nodes in lists of lists as an array of a shape."""
        flat = numpy.array(nodes, dtype=numpy.int64).ravel()
        return self.shaped([Real(int(node)) for node in flat], tuple(shape))

    def shaped(self, elements: Sequence[Any], shape: tuple[int, ...]) -> numpy.ndarray:
        array = numpy.empty(len(elements), dtype=object)
        for index, element in enumerate(elements):
            array[index] = element
        return array.reshape(shape)

    def lifted(self, array: numpy.ndarray) -> numpy.ndarray:
        """The same array, of elements."""
        if array.dtype == object:
            return array
        if array.size > MOST_ELEMENTS:
            raise Unsupported(f"an array of {array.size} constants; at most {MOST_ELEMENTS} are taken apart")
        if array.dtype.kind == "c":
            pairs = [Pair(self.graph.number(x.real), self.graph.number(x.imag)) for x in array.ravel()]
            return self.shaped(pairs, array.shape)
        if array.dtype.kind == "f":
            return self.shaped([Real(self.graph.number(x)) for x in array.ravel()], array.shape)
        return self.shaped([x.item() for x in array.ravel()], array.shape)

    def numbers_at_x(self, array: numpy.ndarray, dtype: Any) -> numpy.ndarray:
        """An array of numbers of a type, as near as they are known, to the real ones at x."""
        nodes = [self.node(x) for x in self.lifted(array).ravel()]
        self.at_point.enclose(nodes)
        ends = [self.at_point.found[node] for node in nodes]
        if any(end is None for end in ends):
            raise Unsupported("a matrix that has no value at x")
        return numpy.array([float(end[0]) for end in ends if end is not None], dtype).reshape(array.shape)

    def vectorised(self, function: Callable[..., Any], *arrays: numpy.ndarray) -> numpy.ndarray:
        parts = numpy.broadcast_arrays(*(self.lifted(array) for array in arrays))
        return self.shaped(
            [function(*row) for row in zip(*(part.ravel() for part in parts), strict=True)], parts[0].shape
        )

    def stacked(self, rows: list[Any], aval: Any) -> numpy.ndarray:
        if not rows:
            return numpy.zeros((0, *aval.shape), aval.dtype)
        if all(row.dtype != object for row in rows):
            return numpy.stack(rows)
        return numpy.stack([self.lifted(row) for row in rows])

    def chosen(self, index: Any, branch: Callable[[Any], list[Any]]) -> list[Any]:
        """The arrays of the branch of an index, which may depend on conditions."""
        found: dict[int, list[Any]] = {}

        def arrays(index: Any) -> list[Any]:
            self.graph.tick()
            if isinstance(index, Guard):
                index = self.choice(index.node, True, False)
            if not isinstance(index, Choice):
                return branch(index)
            # a choice that is shared is followed once
            if id(index) not in found:
                pairs = zip(arrays(index.then), arrays(index.otherwise), strict=True)
                select = lambda a, b: self.select(index.guard, a, b)
                found[id(index)] = [self.vectorised(select, then, otherwise) for then, otherwise in pairs]
            return found[id(index)]

        return arrays(index)

    def moved(
        self, name: str, move: Move, arguments: list[numpy.ndarray], has: Sequence[int], filling: Callable[[], Any] | None = None
    ) -> list[numpy.ndarray]:
        """What only moves elements: `move` does it to their places, in those arguments that have elements; what fills has the place FILLED."""
        arguments = [array if place in has else self.settled(array) for place, array in enumerate(arguments)]
        for place, array in enumerate(arguments):
            if place in has or array.dtype != object:
                continue
            for index in numpy.ndindex(array.shape):
                element = array[index]
                if isinstance(element, (Choice, Guard)):
                    return self.by_cases(name, move, arguments, has, filling, place, index)
                if isinstance(element, Real):
                    raise Unsupported(f"`{name}` at a place that depends on x by rounding")
        moving = [self.lifted(array) for place, array in enumerate(arguments) if place in has]
        elements = [element for array in moving for element in array.ravel()]
        first, operands = 0, list(arguments)
        for place, array in zip(has, moving, strict=True):
            operands[place] = numpy.arange(first, first + array.size, dtype=numpy.int32).reshape(array.shape)
            first += array.size
        # an index far beyond an array is beyond it; in cases that exclude each other it may be any number
        least, most = numpy.iinfo(numpy.int32).min, numpy.iinfo(numpy.int32).max
        operands = [
            numpy.asarray(numpy.clip(operand, least, most), dtype=numpy.int32) if operand.dtype in (object, numpy.int64) else operand
            for operand in operands
        ]
        outputs = []
        for value in map(numpy.asarray, move(operands)):
            fills = value == FILLED if filling is not None else numpy.zeros(value.shape, bool)
            if ((value < 0) & ~fills).any() or (value >= len(elements)).any():
                raise Unsupported(f"`{name}` beyond the end of an array, where its value is NaN")
            if fills.any():
                elements, value = [*elements, filling()], numpy.where(fills, len(elements), value)
            outputs.append(self.shaped([elements[i] for i in value.ravel()], value.shape))
        return outputs

    def by_cases(
        self,
        name: str,
        move: Move,
        arguments: list[numpy.ndarray],
        has: Sequence[int],
        filling: Callable[[], Any] | None,
        place: int,
        index: tuple[int, ...],
    ) -> list[numpy.ndarray]:
        """The same where an index depends on conditions."""
        self.cases += 1
        if self.cases > MOST_CASES:
            raise Unsupported(f"indices depend on x in more than {MOST_CASES} ways")
        element = arguments[place][index]
        if isinstance(element, Guard):
            element = self.choice(element.node, True, False)

        def case(value: Any) -> list[numpy.ndarray]:
            array = arguments[place].copy()
            array[index] = value
            return self.moved(name, move, [*arguments[:place], array, *arguments[place + 1 :]], has, filling)

        pairs = zip(case(element.then), case(element.otherwise), strict=True)
        return [self.vectorised(lambda a, b: self.select(element.guard, a, b), then, other) for then, other in pairs]

    def landed(self, array: numpy.ndarray, updates: numpy.ndarray, counts: numpy.ndarray, name: str = "add") -> numpy.ndarray:
        """Numbers added to those of an array, or combined with them otherwise: `counts` has a row for each update, which says to which elements it goes."""
        found = [[element] for element in array.ravel()]
        for update, row in zip(updates.ravel(), counts.reshape(updates.size, array.size), strict=True):
            for place in numpy.flatnonzero(row):
                found[place].append(update)
        return self.shaped([self.folded(name, row) for row in found], array.shape)

    def rows(self, array: numpy.ndarray, axes: Sequence[int]) -> tuple[numpy.ndarray, tuple[int, ...]]:
        """The rows along some axes, and the shape of what is left."""
        kept = [axis for axis in range(array.ndim) if axis not in axes]
        shape = tuple(array.shape[axis] for axis in kept)
        count = int(numpy.prod([array.shape[axis] for axis in axes], dtype=int))
        return numpy.transpose(array, [*kept, *axes]).reshape(
            (-1, count) if count else (int(numpy.prod(shape, dtype=int)), 0)
        ), shape

    def folded(self, name: str, row: Sequence[Any]) -> Any:
        """A row as one element, by halves."""
        if not row:
            return {"add": Real(self.graph.constant(0)), "mul": Real(self.graph.constant(1)), "and": True, "or": False}[
                name
            ]
        if any(isinstance(element, Pair) for element in row):
            combine = self.complex.operation(name, {})
            total = row[0]
            for element in row[1:]:
                total = combine(total, element)
            return total
        if name == "add" and all(isinstance(element, Real) for element in row):
            self.need_values(row)
            return Real(self.graph.sum([element.node for element in row]))
        while len(row) > 1:
            pairs = [row[i : i + 2] for i in range(0, len(row), 2)]
            row = [pair[0] if len(pair) == 1 else self.element(name, {}, tuple(pair)) for pair in pairs]
        return row[0]

    def reduced(self, name: str, params: Any, array: numpy.ndarray) -> numpy.ndarray:
        rows, shape = self.rows(self.lifted(array), tuple(params["axes"]))
        if rows.shape[1] == 0 and name in ("reduce_max", "reduce_min"):
            raise Unsupported(f"`{name}` of no elements")
        return self.shaped([self.folded(FOLDS[name], list(row)) for row in rows], shape)

    def running(self, name: str, params: Any, array: numpy.ndarray) -> numpy.ndarray:
        array = numpy.moveaxis(self.lifted(array), params["axis"], 0)
        array = array[::-1] if params["reverse"] else array
        if name == "cumsum" and self.graph.rounds:
            # in whatever order it is added
            rows = [array[i, ...] for i in range(array.shape[0])]
            sums = [self.vectorised(lambda *row: self.folded("add", row), *rows[: i + 1]) for i in range(len(rows))]
            found = numpy.stack(sums) if sums else array
            return numpy.moveaxis(found[::-1] if params["reverse"] else found, 0, params["axis"])
        if name == "cumlogsumexp":
            array = self.vectorised(lambda x: Real(self.graph.unary("exp", self.node(x))), array)
        rows = [array[i, ...] for i in range(array.shape[0])]
        for i in range(1, len(rows)):
            rows[i] = self.vectorised(lambda a, b: self.element(RUNNING[name], {}, (a, b)), rows[i - 1], rows[i])
        found = numpy.stack(rows) if rows else array
        if name == "cumlogsumexp":
            found = self.vectorised(lambda x: Real(self.graph.unary("log", self.node(x))), found)
        return numpy.moveaxis(found[::-1] if params["reverse"] else found, 0, params["axis"])

    def contracted(self, params: Any, left: numpy.ndarray, right: numpy.ndarray) -> numpy.ndarray:
        (over_left, over_right), (batch_left, batch_right) = params["dimension_numbers"]
        left, right = self.lifted(left), self.lifted(right)

        def blocks(
            array: numpy.ndarray, batch: Sequence[int], over: Sequence[int]
        ) -> tuple[numpy.ndarray, list[int], list[int]]:
            free = [axis for axis in range(array.ndim) if axis not in batch and axis not in over]
            sizes = [[array.shape[axis] for axis in axes] for axes in (batch, free, over)]
            return (
                numpy.transpose(array, [*batch, *free, *over]).reshape(
                    [int(numpy.prod(size, dtype=int)) for size in sizes]
                ),
                sizes[0],
                sizes[1],
            )

        a, batch, rows = blocks(left, batch_left, over_left)
        b, _, columns = blocks(right, batch_right, over_right)
        found = []
        for x, y in zip(a, b, strict=True):
            left_rows = [[self.node(element) for element in row] for row in x]
            right_rows = [[self.node(element) for element in row] for row in y]
            self.need_values([*x.ravel(), *y.ravel()])
            found += [Real(self.graph.dot(row, column)) for row in left_rows for column in right_rows]
        return self.shaped(found, (*batch, *rows, *columns))

    def extreme_place(self, name: str, params: Any, array: numpy.ndarray) -> numpy.ndarray:
        """Where a row is greatest, or least: the first such place."""
        rows, shape = self.rows(self.lifted(array), tuple(params["axes"]))

        def place(row: Sequence[Any]) -> Any:
            nan = next((index for index, element in enumerate(row) if self.is_nan(element)), None)
            if nan is not None:
                # that is where it is, unless there is one before
                for element in row[:nan]:
                    self.needs_value(self.node(element))
                return nan
            best, found = row[0], 0
            for index, element in enumerate(row[1:], start=1):
                better = self.compare("gt" if name == "argmax" else "lt", element, best)
                best, found = self.case(better, best, element), self.case(better, found, index)
            return found

        return self.shaped([place(row) for row in rows], shape)

    def is_nan(self, element: Any) -> bool:
        return isinstance(element, Real) and self.graph.special(element.node) == NOT_A_NUMBER

    def exchanged(self, columns: list[list[Any]], is_greatest_first: bool = False) -> list[list[Any]]:
        """Rows sorted by the first of them, those that tie in the order in which they stand."""
        keys = columns[0]
        if len(keys) > MOST_SORTED:
            raise Unsupported(f"`sort` of {len(keys)} elements; at most {MOST_SORTED} are sorted")
        nans = [self.is_nan(key) for key in keys]
        if any(nans):
            if is_greatest_first:
                raise Unsupported("`top_k` of a NaN")
            # they stand last, with others that have no value
            self.need_values(keys)
            numbers, last = (
                [[x for x, nan in zip(column, nans, strict=True) if nan == kind] for column in columns]
                for kind in (False, True)
            )
            ordered = self.exchanged(numbers) if numbers[0] else numbers
            return [[*first, *rest] for first, rest in zip(ordered, last, strict=True)]
        known = [q for q in (self.known(key) for key in keys) if q is not None]
        if len(known) == len(keys):
            order = sorted(range(len(keys)), key=lambda i: -known[i] if is_greatest_first else known[i])
            return [[column[i] for i in order] for column in columns]
        columns = [list(column) for column in columns]
        for end in range(len(keys) - 1, 0, -1):
            for i in range(end):
                a, b = columns[0][i], columns[0][i + 1]
                swapped = self.compare("gt" if is_greatest_first else "lt", b, a)
                for column in columns[1:]:
                    x, y = column[i], column[i + 1]
                    column[i], column[i + 1] = self.case(swapped, x, y), self.case(swapped, y, x)
                first, second = ("max", "min") if is_greatest_first else ("min", "max")
                columns[0][i], columns[0][i + 1] = self.element(first, {}, (a, b)), self.element(second, {}, (a, b))
        return columns

    def sorted(self, params: Any, arguments: list[numpy.ndarray]) -> list[numpy.ndarray]:
        if params["num_keys"] != 1:
            raise Unsupported("`sort` by several keys")
        axis = params["dimension"]
        moved = [numpy.moveaxis(self.lifted(array), axis, -1) for array in arguments]
        shape = moved[0].shape
        rows = zip(*(array.reshape(-1, shape[-1]) for array in moved), strict=True)
        found = [self.exchanged([list(part) for part in parts]) for parts in rows]
        columns = [self.shaped([x for row in found for x in row[k]], shape) for k in range(len(moved))]
        return [numpy.moveaxis(column, -1, axis) for column in columns]

    def greatest(self, params: Any, array: numpy.ndarray) -> list[numpy.ndarray]:
        axis, count = params.get("axis", -1), params["k"]
        moved = numpy.moveaxis(self.lifted(array), axis, -1)
        rows = moved.reshape(-1, moved.shape[-1])
        found = [self.exchanged([list(row), list(range(len(row)))], is_greatest_first=True) for row in rows]
        shape = (*moved.shape[:-1], count)
        columns = [self.shaped([x for row in found for x in row[k][:count]], shape) for k in range(2)]
        return [numpy.moveaxis(column, -1, axis) for column in columns]

