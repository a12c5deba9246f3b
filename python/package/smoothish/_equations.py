"""What the equations of a jaxpr do with arrays: a primitive that only moves elements is carried out by JAX, on their places."""

from __future__ import annotations

from typing import Any

import numpy

from ._arrays import FILLED, FOLDS, MOST_ELEMENTS, RUNNING, Arrays
from ._elements import COMPARISONS, Unsupported
from ._linear import with_signs
from ._special import SPECIAL

# What has no meaning here but at numbers that are there: random ones are made so.
AT_TRACE = {"erf_inv", "igamma", "igammac", "random_gamma_grad", "clz", "population_count"}

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


class JaxArrays(Arrays):
    """Equations of JAX on arrays."""

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
            return self.moved_by(equation, name, arguments)
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
        if name in FACTORS:
            return FACTORS[name](self, equation, arguments)
        if name == "top_k":
            return self.greatest(params, arguments[0])
        if name.startswith("scatter"):
            raise Unsupported(f"`{name}` has no meaning here")
        if name in AT_TRACE:
            is_known = [self.constant_value(element) is not None for array in arguments for element in self.lifted(array).ravel()]
            if not all(is_known):
                if name in SPECIAL and self.audits:
                    return [self.vectorised(lambda *parts: self.element(name, params, parts), *arguments)]
                raise Unsupported(f"`{name}` has no meaning here but at constants")
            return [concrete(equation.primitive.bind(*map(self.rounded_to, arguments, equation.invars), **params))]
        return [self.vectorised(lambda *parts: self.element(name, params, parts), *arguments)]

    def rounded_to(self, array: numpy.ndarray, variable: Any) -> numpy.ndarray:
        """An array of known numbers as JAX has it."""
        if array.dtype != object:
            return array
        return numpy.array([float(self.constant_value(x) or 0) for x in array.ravel()], variable.aval.dtype).reshape(array.shape)

    def moved_by(self, equation: Any, name: str, arguments: list[numpy.ndarray]) -> list[numpy.ndarray]:
        """What only moves elements."""
        params, filled = dict(equation.params), equation.params.get("fill_value")
        filling = None
        if filled is not None:
            # what fills has no place
            params["fill_value"] = FILLED
            filling = lambda: self.lifted(concrete(numpy.asarray(filled, equation.outvars[0].aval.dtype))).item()

        def move(operands: list[numpy.ndarray]) -> list[Any]:
            found = equation.primitive.bind(*operands, **params)
            return list(found) if equation.primitive.multiple_results else [found]

        return self.moved(name, move, arguments, MOVES[name] or range(len(arguments)), filling)

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
        return self.landed(array, updates, numpy.asarray(landed))


    # Linear algebra.

    def determinants(self, name: str, array: numpy.ndarray) -> list[numpy.ndarray]:
        """The determinants of a stack of matrices; or their signs, and the logarithms of their sizes."""
        nodes = [self.linear.determinant(matrix) for matrix in self.matrices(array)]
        found = self.stacked_nodes(nodes, array.shape[:-2])
        if name == "det":
            return [found]
        sizes = self.vectorised(lambda x: self.element("log", {}, (self.element("abs", {}, (x,)),)), found)
        return [self.vectorised(lambda x: self.element("sign", {}, (x,)), found), sizes]

    def triangular(self, equation: Any, arguments: list[numpy.ndarray]) -> list[Any]:
        params, (a, b) = equation.params, arguments
        lower, found = params["lower"], []
        for matrix, sides in zip(self.matrices(a), self.matrices(b), strict=True):
            # x·A = b is Aᵀ·xᵀ = bᵀ
            turns = params["transpose_a"] == params["left_side"]
            matrix = _transposed(matrix) if turns else matrix
            sides = sides if params["left_side"] else _transposed(sides)
            solved = self.linear.solved_triangular(matrix, sides, lower != turns, params["unit_diagonal"])
            found.append(solved if params["left_side"] else _transposed(solved))
        return [self.stacked_nodes(found, b.shape)]

    def cholesky_factors(self, equation: Any, arguments: list[numpy.ndarray]) -> list[Any]:
        return [self.stacked_nodes([self.linear.cholesky(matrix) for matrix in self.matrices(arguments[0])], arguments[0].shape)]

    def lu_factors(self, equation: Any, arguments: list[numpy.ndarray]) -> list[Any]:
        shape = arguments[0].shape
        self.near_x("the factors L and U")
        factors, pivots, orders = [], [], []
        for matrix in self.matrices(arguments[0]):
            rows, exchanged = self.linear.lu(matrix)
            order = list(range(shape[-2]))
            for k, other in enumerate(exchanged):
                order[k], order[other] = order[other], order[k]
            factors.append(rows)
            pivots.append(exchanged)
            orders.append(order)
        shapes = [variable.aval.shape for variable in equation.outvars]
        whole = [numpy.array(x, numpy.int32).reshape(y) for x, y in zip((pivots, orders), shapes[1:], strict=True)]
        return [self.stacked_nodes(factors, shape), *whole]

    def qr_factors(self, equation: Any, arguments: list[numpy.ndarray]) -> list[Any]:
        self.near_x("the factors Q and R")
        params = equation.params
        if params.get("pivoting"):
            raise Unsupported("`qr` with pivots")
        pairs = [self.linear.qr(matrix, params["full_matrices"]) for matrix in self.matrices(arguments[0])]
        shapes = [variable.aval.shape for variable in equation.outvars]
        return [self.stacked_nodes([pair[k] for pair in pairs], shapes[k]) for k in range(2)]

    def near_x(self, what: str) -> None:
        """Refuses what is only known near x, where a function of all x is asked for."""
        if not self.audits:
            raise Unsupported(f"{what} of a matrix are audited near x, and are no function of all x here")

    def eigenvalues(self, equation: Any, arguments: list[numpy.ndarray]) -> list[Any]:
        self.near_x("the eigenvalues")
        shape, params = arguments[0].shape, equation.params
        if params.get("subset_by_index") not in (None, (0, shape[-1])) or not params.get("lower", True):
            raise Unsupported("some of the eigenvalues, or those of an upper half")
        # the signs of the vectors are those that JAX has
        options = {**params, "sort_eigenvalues": True}

        def factors(matrix: numpy.ndarray) -> tuple[numpy.ndarray, ...]:
            vectors, values = equation.primitive.bind(matrix, **options)
            return numpy.asarray(values, float), numpy.asarray(vectors, float)

        given = self.numbers_at_x(arguments[0], equation.invars[0].aval.dtype).reshape(-1, *shape[-2:])
        found = []
        for matrix, numbers in zip(self.matrices(arguments[0]), given, strict=True):
            (values, vectors), signed = with_signs(factors, numbers)
            found.append(self.linear.eigen(matrix, values, vectors, signed))
        return [
            self.stacked_nodes([_transposed(pair[1]) for pair in found], shape),
            self.stacked_nodes([pair[0] for pair in found], shape[:-1]),
        ]

    def singular_values(self, equation: Any, arguments: list[numpy.ndarray]) -> list[Any]:
        self.near_x("the singular values")
        shape, params = arguments[0].shape, equation.params
        if params.get("subset_by_index") not in (None, (0, min(shape[-2:]))):
            raise Unsupported("some of the singular values")
        options = {**params, "compute_uv": True}
        count = min(shape[-2:])

        def factors(matrix: numpy.ndarray) -> tuple[numpy.ndarray, ...]:
            values, left, right = equation.primitive.bind(matrix, **options)
            pairs = numpy.concatenate([numpy.asarray(left, float)[:, :count], numpy.asarray(right, float).T[:, :count]])
            return numpy.asarray(values, float), pairs

        given = self.numbers_at_x(arguments[0], equation.invars[0].aval.dtype).reshape(-1, *shape[-2:])
        found = []
        for matrix, numbers in zip(self.matrices(arguments[0]), given, strict=True):
            (values, pairs), signed = with_signs(factors, numbers)
            found.append(self.linear.singular(matrix, values, pairs[: shape[-2]], pairs[shape[-2] :], signed))
        shapes = [variable.aval.shape for variable in equation.outvars]
        singular = self.stacked_nodes([one[0] for one in found], shapes[0])
        if len(shapes) == 1:
            return [singular]
        free = self.graph.add("refused", "singular vectors beyond the singular values, which are not determined")
        us = [[[*row, *[free] * (shapes[1][-1] - len(row))] for row in _transposed(u)] for _, u, _ in found]
        vs = [[*v, *[[free] * shape[-1]] * (shapes[2][-2] - len(v))] for _, _, v in found]
        return [singular, self.stacked_nodes(us, shapes[1]), self.stacked_nodes(vs, shapes[2])]


def _transposed(rows: list[list[int]]) -> list[list[int]]:
    return [list(column) for column in zip(*rows, strict=True)]


FACTORS: dict[str, Any] = {
    "triangular_solve": JaxArrays.triangular, "cholesky": JaxArrays.cholesky_factors, "lu": JaxArrays.lu_factors,
    "qr": JaxArrays.qr_factors, "eigh": JaxArrays.eigenvalues, "svd": JaxArrays.singular_values,
}  # fmt: skip
"""Linear algebra, by the names of primitives."""


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
