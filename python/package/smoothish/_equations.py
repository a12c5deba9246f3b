"""What the equations of a jaxpr do with arrays: a primitive that only moves elements is carried out by JAX, on their places."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy

from ._arrays import FILLED, FOLDS, MOST_ELEMENTS, RUNNING, Arrays
from ._elements import COMPARISONS, Real, Unsupported
from ._linear import with_signs
from ._special import SPECIAL
from ._windows import convolved, seen

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

    # whether the factors that are asked for go into the solution of systems alone, which does not need them
    only_solves = False

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
        kinds = {getattr(variable.aval.dtype, "kind", "f") for variable in variables}
        if name in IDENTITIES and not (name == "real" and "c" in kinds):
            return list(arguments)
        if name in MOVES:
            return self.moved_by(equation, name, arguments)
        if name in SCATTERS:
            return [self.scattered(equation, *arguments)]
        if name in WINDOWS:
            return [self.windowed(equation, arguments[0])]
        if name == "conv_general_dilated":
            return [self.convolved(equation, *arguments)]
        if name == "fft":
            return [self.transformed(equation, arguments[0])]
        if name == "ragged_dot_general":
            raise Unsupported("`ragged_dot_general`, products of groups of rows, has no meaning here")
        if "c" in kinds and name not in (*FOLDS, "select_n", "convert_element_type"):
            return [self.vectorised(self.complex.operation(name, params), *arguments)]
        if name == "convert_element_type":
            dtype = numpy.dtype(params["new_dtype"])
            if dtype.kind == "c":
                return [self.vectorised(self.complex.pair, arguments[0])]
            if "c" in kinds:
                raise Unsupported("complex numbers as others")
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
        """Numbers combined with those of an array, at known places: JAX says where each of them goes."""
        import jax

        name, params, where = equation.primitive.name, equation.params, self.settled(where)
        array, updates = self.lifted(array), self.lifted(updates)
        if where.dtype == object:
            raise Unsupported(f"`{name}` at places that depend on x")
        if array.size * updates.size > MOST_ELEMENTS:
            raise Unsupported(f"`{name}` of {updates.size} numbers to {array.size}")
        dtype = equation.invars[0].aval.dtype
        each = numpy.eye(updates.size, dtype=dtype).reshape(updates.size, *updates.shape)
        zeros = numpy.zeros(array.shape, dtype=dtype)
        options = {key: params[key] for key in ("indices_are_sorted", "unique_indices", "mode")}

        def landing(update: Any) -> Any:
            return jax.lax.scatter_add(zeros, where, update, params["dimension_numbers"], **options)

        if name == "scatter-sub":
            updates = self.vectorised(lambda x: self.element("neg", {}, (x,)), updates)
        return self.landed(array, updates, numpy.asarray(jax.vmap(landing)(each)), SCATTERS[name])

    # Windows.

    def convolved(self, equation: Any, left: numpy.ndarray, right: numpy.ndarray) -> numpy.ndarray:
        shape = equation.outvars[0].aval.shape
        one, other = ([self.node(x) for x in self.lifted(array).ravel()] for array in (left, right))
        pairs = convolved(equation.params, left.shape, right.shape, shape)
        return self.shaped([Real(self.graph.dot([one[i] for i, _ in row], [other[j] for _, j in row])) for row in pairs], shape)

    def windowed(self, equation: Any, array: numpy.ndarray) -> numpy.ndarray:
        """Sums, or the greatest or the least, of windows; what lies in the padding leaves them as they are."""
        shape, elements = equation.outvars[0].aval.shape, list(self.lifted(array).ravel())
        rows = list(seen(equation.params, array.shape, shape))
        if not all(rows) and equation.primitive.name != "reduce_window_sum":
            raise Unsupported("a window without an element")
        return self.shaped([self.folded(WINDOWS[equation.primitive.name], [elements[i] for i in row]) for row in rows], shape)

    # Complex numbers.

    def transformed(self, equation: Any, array: numpy.ndarray) -> numpy.ndarray:
        """Fourier's transform along the last axes."""
        lengths, kind = equation.params["fft_lengths"], str(equation.params["fft_type"]).rpartition(".")[2].upper()
        kind = {"0": "FFT", "1": "IFFT", "2": "RFFT", "3": "IRFFT"}.get(kind, kind)
        found, numbers = self.vectorised(self.complex.pair, array), self.complex
        is_inverse = kind in ("IFFT", "IRFFT")
        axes = list(range(array.ndim - len(lengths), array.ndim))
        for axis, length in zip(axes if is_inverse else reversed(axes), lengths if is_inverse else reversed(lengths), strict=True):
            is_last = axis == array.ndim - 1
            moved = numpy.moveaxis(found, axis, -1)
            rows = []
            for row in moved.reshape(-1, moved.shape[-1]):
                pairs = list(row)
                if kind == "IRFFT" and is_last:
                    pairs = numbers.whole_spectrum(pairs, length)
                pairs = numbers.transformed(pairs, 1 if is_inverse else -1)
                pairs = numbers.scaled(pairs, Fraction(1, length)) if is_inverse else pairs
                rows.append(pairs[: length // 2 + 1] if kind == "RFFT" and is_last else pairs)
            size = len(rows[0]) if rows else 0
            found = numpy.moveaxis(self.shaped([x for row in rows for x in row], (*moved.shape[:-1], size)), -1, axis)
        return self.vectorised(lambda x: Real(x.real), found) if kind == "IRFFT" else found

    # Functions of JAX that look at the bits of numbers.

    def sign_bits(self, equation: Any, arguments: list[numpy.ndarray]) -> list[numpy.ndarray]:
        def bit(x: Any) -> Any:
            if self.known(x) == 0:
                raise Unsupported("the sign of a zero")
            return self.compare("lt", x, Real(self.graph.constant(0)))

        return [self.vectorised(bit, arguments[0])]

    def scaled_by_powers(self, equation: Any, arguments: list[numpy.ndarray]) -> list[numpy.ndarray]:
        def scaled(x: Any, n: Any) -> Any:
            exponent = self.known(n)
            if exponent is None or abs(exponent) > MOST_SCALE:
                raise Unsupported("`ldexp` by what depends on x, or is very large")
            return Real(self.graph.binary("multiply", self.node(x), self.graph.constant(Fraction(2) ** int(exponent))))

        return [self.vectorised(scaled, *arguments)]

    def taken_apart(self, equation: Any, arguments: list[numpy.ndarray]) -> list[numpy.ndarray]:
        """Mantissas between 1/2 and 1, and exponents, which are those of x."""
        self.near_x("mantissas")
        pairs = []
        for x in self.lifted(arguments[0]).ravel():
            ends = self.linear.ends(self.node(x))
            if ends is None or ends[0] <= 0 <= ends[1]:
                raise Unsupported("`frexp` of what may be 0")
            low, high = sorted(map(abs, ends))
            exponent = low.numerator.bit_length() - low.denominator.bit_length()
            exponent += low >= Fraction(2) ** exponent
            if not Fraction(2) ** (exponent - 1) < low <= high < Fraction(2) ** exponent:
                raise Unsupported("`frexp` of a power of 2, where it jumps")
            pairs.append((Real(self.graph.binary("multiply", self.node(x), self.graph.constant(Fraction(2) ** -exponent))), exponent))
        shape = arguments[0].shape
        exponents = numpy.array([e for _, e in pairs], equation.outvars[1].aval.dtype)
        return [self.shaped([m for m, _ in pairs], shape), exponents.reshape(shape)]


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

    def tridiagonal(self, equation: Any, arguments: list[numpy.ndarray]) -> list[Any]:
        """The solutions of systems with three diagonals, of which the first has no first element, and the last no last one."""
        below, on, above, sides = (self.lifted(array) for array in arguments)
        size, zero = on.shape[-1], self.linear.zero
        shape, found = sides.shape, []
        for a, b, c, right in zip(*(x.reshape(-1, size) for x in (below, on, above)), self.matrices(sides), strict=True):
            diagonals = {-1: a, 0: b, 1: c}
            matrix = [[self.node(diagonals[j - i][i]) if abs(j - i) <= 1 else zero for j in range(size)] for i in range(size)]
            found.append(self.linear.solved(matrix, right))
        return [self.stacked_nodes(found, shape)]

    def cholesky_factors(self, equation: Any, arguments: list[numpy.ndarray]) -> list[Any]:
        found = []
        for matrix in self.matrices(arguments[0]):
            if self.linear.symmetric(matrix)[1] or self.graph.rounds:
                found.append(self.linear.cholesky(matrix))
            else:
                # of a matrix that JAX has not made symmetric it answers one of many gradients, which have the same sums across the diagonal
                why = "the factor of a matrix that is symmetric at x and not near it; let JAX symmetrize it"
                found.append([[self.graph.add("refused", why)] * len(matrix)] * len(matrix))
        return [self.stacked_nodes(found, arguments[0].shape)]

    def lu_factors(self, equation: Any, arguments: list[numpy.ndarray]) -> list[Any]:
        shape = arguments[0].shape
        # systems are solved without them
        why = "the factors L and U are audited near x, and are no function of all x here" if not self.audits else "factors that only solve"
        is_asked = self.audits and not self.only_solves
        beyond = [] if is_asked else [self.graph.add("refused", why)]
        factors, pivots, orders = [], [], []
        for matrix in self.matrices(arguments[0]):
            rows, exchanged = ([], list(range(min(shape[-2:])))) if beyond else self.linear.lu(matrix)
            exchanged = exchanged or list(range(min(shape[-2:])))
            order = list(range(shape[-2]))
            for k, other in enumerate(exchanged):
                order[k], order[other] = order[other], order[k]
            factors.append([beyond * shape[-1]] * shape[-2] if beyond else rows)
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


SCATTERS = {"scatter-add": "add", "scatter-sub": "add", "scatter-mul": "mul", "scatter-min": "min", "scatter-max": "max"}
"""What is done with numbers that land at places, by the names of primitives."""
WINDOWS = {"reduce_window_sum": "add", "reduce_window_max": "max", "reduce_window_min": "min"}
"""What is done with the numbers of a window."""
MOST_SCALE = 2000
"""The largest exponent of 2 that a number is scaled by. A choice: beyond those of float64."""
OWN: dict[str, Any] = {
    "det": lambda arrays, _, x: arrays.determinants("det", x[0]), "slogdet": lambda arrays, _, x: arrays.determinants("slogdet", x[0]),
    "signbit": JaxArrays.sign_bits, "ldexp": JaxArrays.scaled_by_powers, "frexp": JaxArrays.taken_apart,
}  # fmt: skip
"""Functions of JAX that are read as what they are, not as how they are computed, by the names of their calls."""
FACTORS: dict[str, Any] = {
    "tridiagonal_solve": JaxArrays.tridiagonal,
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
