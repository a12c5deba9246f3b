"""Arrays, and what JAX does with them.

An array of known numbers is an array of NumPy, or of keys of random numbers. Any other has the type object, and elements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ._elements import COMPARISONS, Choice, Elements, Guard, Real, Unsupported
from ._graph import NOT_A_NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ._graph import Graph

# The most elements of an array that is taken apart, and of cases that are told apart.
MOST_ELEMENTS = 1 << 20
MOST_CASES = 1 << 10
# What has no meaning here but at numbers that are there: random ones are made so.
AT_TRACE = {"erf_inv", "igamma", "igammac", "random_gamma_grad", "clz", "population_count"}
# The longest row that is sorted.
MOST_SORTED = 128
# The place of what fills an array beyond its end.
FILLED = -1

TOTAL = {"lt_to": "lt", "le_to": "le", "eq_to": "eq"}
IDENTITIES = {
    "copy", "copy_p", "reduce_precision", "optimization_barrier", "device_put", "sharding_constraint", "mesh_cast", "pvary",
    "real",
}  # fmt: skip
# What only moves elements, and which of its operands have them, all where nothing is said; the others say where.
MOVES: dict[str, tuple[int, ...]] = {
    "broadcast_in_dim": (0,), "reshape": (0,), "squeeze": (0,), "expand_dims": (0,), "transpose": (0,), "rev": (0,), "slice": (0,),
    "tile": (0,), "dynamic_slice": (0,), "gather": (0,), "split": (0,), "unstack": (0,), "pad": (0, 1),
    "dynamic_update_slice": (0, 1), "scatter": (0, 2), "concatenate": (), "stack": (),
}  # fmt: skip
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
        if array.dtype.kind == "f":
            return self.shaped([Real(self.graph.number(x)) for x in array.ravel()], array.shape)
        return self.shaped([x.item() for x in array.ravel()], array.shape)

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
        if isinstance(index, Guard):
            index = Choice(index.node, True, False)
        if not isinstance(index, Choice):
            return branch(index)
        pairs = zip(self.chosen(index.then, branch), self.chosen(index.otherwise, branch), strict=True)
        return [
            self.vectorised(lambda a, b: self.select(index.guard, a, b), then, otherwise) for then, otherwise in pairs
        ]

    def apply(self, equation: Any, name: str, params: Any, arguments: list[numpy.ndarray]) -> list[Any]:
        """The values of an equation that calls nothing."""
        found = self.applied(equation, name, params, arguments)
        types = [getattr(variable.aval, "dtype", None) for variable in equation.outvars]
        return [
            self.vectorised(lambda x, dtype=dtype: self.wrapped(dtype, x), value)
            if name != "convert_element_type" and getattr(value, "dtype", None) == object and getattr(dtype, "kind", "f") in "iu"
            else value
            for dtype, value in zip(types, found, strict=True)
        ]

    def applied(self, equation: Any, name: str, params: Any, arguments: list[numpy.ndarray]) -> list[Any]:
        """The same, of whole numbers without end."""
        name = TOTAL.get(name, name)
        variables = (*equation.invars, *equation.outvars)
        # keys of random numbers have a type of their own
        has_floats = any(getattr(variable.aval.dtype, "kind", "i") not in "iub" for variable in variables)
        if all(argument.dtype != object for argument in arguments) and (
            not has_floats or name in MOVES or name in ("iota", "bitcast_convert_type")
        ):
            found = equation.primitive.bind(*arguments, **params)
            return [concrete(value) for value in (found if equation.primitive.multiple_results else [found])]
        if name in IDENTITIES:
            return list(arguments)
        if name in MOVES:
            return self.moved(equation, name, arguments)
        if name == "scatter-add":
            return [self.scattered(equation, *arguments)]
        if name == "convert_element_type":
            dtype = numpy.dtype(params["new_dtype"])
            was_whole = getattr(equation.invars[0].aval.dtype, "kind", "f") in "iu"
            return [self.vectorised(lambda x: self.converted(dtype, x, was_whole), arguments[0])]
        is_whole = getattr(equation.invars[0].aval.dtype, "kind", "f") in "iu" if equation.invars else False
        if name in COMPARISONS:
            return [self.vectorised(lambda a, b: self.compare(name, a, b, is_whole), *arguments)]
        if name in ("div", "rem") and is_whole:
            name = f"whole {name}"
        if name == "select_n":
            return [self.vectorised(self.case, *arguments)]
        if name in FOLDS:
            return [self.reduced(name, params, arguments[0])]
        if name in ("argmax", "argmin"):
            return [self.extreme_place(name, params, arguments[0])]
        if name in RUNNING:
            return [self.running(name, params, arguments[0])]
        if name == "dot_general":
            return [self.contracted(params, *arguments)]
        if name == "sort":
            return self.sorted(params, arguments)
        if name == "top_k":
            return self.greatest(params, arguments[0])
        if name.startswith("scatter"):
            raise Unsupported(f"`{name}` has no meaning here")
        if name in AT_TRACE:
            if any(self.known(element) is None for array in arguments for element in self.lifted(array).ravel()):
                raise Unsupported(f"`{name}` has no meaning here but at constants")
            return [concrete(equation.primitive.bind(*map(self.rounded_to, arguments, equation.invars), **params))]
        return [self.vectorised(lambda *parts: self.element(name, params, parts), *arguments)]

    def rounded_to(self, array: numpy.ndarray, variable: Any) -> numpy.ndarray:
        """An array of known numbers as JAX has it."""
        if array.dtype != object:
            return array
        return numpy.array([float(self.known(x) or 0) for x in array.ravel()], variable.aval.dtype).reshape(array.shape)

    def moved(self, equation: Any, name: str, arguments: list[numpy.ndarray]) -> list[numpy.ndarray]:
        """What only moves elements: done by JAX itself, to their places."""
        has = MOVES[name] or range(len(arguments))
        for place, array in enumerate(arguments):
            if place in has or array.dtype != object:
                continue
            for index in numpy.ndindex(array.shape):
                element = array[index]
                if isinstance(element, (Choice, Guard)):
                    return self.by_cases(equation, name, arguments, place, index, element)
                if isinstance(element, Real):
                    raise Unsupported(f"`{name}` at a place that depends on x by rounding")
        moving = [self.lifted(array) for place, array in enumerate(arguments) if place in has]
        elements = [element for array in moving for element in array.ravel()]
        first, operands = 0, list(arguments)
        for place, array in zip(has, moving, strict=True):
            operands[place] = numpy.arange(first, first + array.size, dtype=numpy.int32).reshape(array.shape)
            first += array.size
        operands = [operand.astype(numpy.int32) if operand.dtype == object else operand for operand in operands]
        params = dict(equation.params)
        filled = params.get("fill_value")
        if filled is not None:
            # what fills has no place
            params["fill_value"] = FILLED
        found = equation.primitive.bind(*operands, **params)
        found = found if equation.primitive.multiple_results else [found]
        outputs = []
        for value in map(numpy.asarray, found):
            fills = value == FILLED if filled is not None else numpy.zeros(value.shape, bool)
            if ((value < 0) & ~fills).any() or (value >= len(elements)).any():
                raise Unsupported(f"`{name}` beyond the end of an array, where its value is NaN")
            if fills.any():
                filling = self.lifted(concrete(numpy.asarray(filled, equation.outvars[0].aval.dtype))).item()
                elements, value = [*elements, filling], numpy.where(fills, len(elements), value)
            outputs.append(self.shaped([elements[i] for i in value.ravel()], value.shape))
        return outputs

    def by_cases(
        self, equation: Any, name: str, arguments: list[numpy.ndarray], place: int, index: tuple[int, ...], element: Any
    ) -> list[numpy.ndarray]:
        """The same where an index depends on conditions."""
        self.cases += 1
        if self.cases > MOST_CASES:
            raise Unsupported(f"indices depend on x in more than {MOST_CASES} ways")

        if isinstance(element, Guard):
            element = Choice(element.node, True, False)

        def case(value: Any) -> list[numpy.ndarray]:
            array = arguments[place].copy()
            array[index] = value
            return self.moved(equation, name, [*arguments[:place], array, *arguments[place + 1 :]])

        pairs = zip(case(element.then), case(element.otherwise), strict=True)
        return [self.vectorised(lambda a, b: self.select(element.guard, a, b), then, other) for then, other in pairs]

    def scattered(
        self, equation: Any, array: numpy.ndarray, where: numpy.ndarray, updates: numpy.ndarray
    ) -> numpy.ndarray:
        """Numbers added to those of an array, at known places: JAX says where each of them goes."""
        import jax

        array, updates = self.lifted(array), self.lifted(updates)
        if where.dtype == object:
            raise Unsupported("`scatter-add` at places that depend on x")
        if array.size * updates.size > MOST_ELEMENTS:
            raise Unsupported(f"`scatter-add` of {updates.size} numbers to {array.size}")
        dtype = equation.invars[0].aval.dtype
        each = numpy.eye(updates.size, dtype=dtype).reshape(updates.size, *updates.shape)
        zeros = numpy.zeros(array.shape, dtype=dtype)
        landed = jax.vmap(lambda update: equation.primitive.bind(zeros, where, update, **equation.params))(each)
        found = [[element] for element in array.ravel()]
        for update, counts in zip(
            updates.ravel(), numpy.asarray(landed).reshape(updates.size, array.size), strict=True
        ):
            for place in numpy.flatnonzero(counts):
                found[place].append(update)
        return self.shaped([self.folded("add", row) for row in found], array.shape)

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


def concrete(value: Any) -> Any:
    """An array of numbers that are there; of low precision as float64, exactly. Keys of random numbers stay what they are."""
    if not isinstance(getattr(value, "dtype", numpy.dtype(float)), numpy.dtype):
        return value
    array = numpy.asarray(value)
    if array.dtype.kind == "V" or str(array.dtype).startswith(("bfloat", "float8", "float4", "float6")):
        return array.astype(numpy.float64)
    if array.dtype.kind not in "fiubc":
        raise Unsupported(f"a constant has the type {array.dtype}")
    return array
