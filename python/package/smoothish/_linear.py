"""Linear algebra on nodes: determinants, systems, factors, eigenvalues and singular values, for all frameworks.

| what | how |
|---|---|
| determinant | cofactors up to 8 rows, which have a value at every matrix; elimination beyond |
| solutions of a system | elimination with pivots that are not 0 at x; cofactors where there is none |
| L and U | pivots of x, strictly the largest of their columns there; a tie is refused, as they jump at it |
| Cholesky factor | its recurrence |
| Q and R | Householder's reflections, with the signs of LAPACK, strict at x |
| eigenvalues and eigenvectors, singular ones | zeros of F(v, λ) = (Av - λv, (|v|² - 1)/2) |

# Zeros

Let z₀ be within 2^-1000 of a zero of F(·; A) at the matrix A of x, and Y the inverse of ∂F/∂z there. Then z₁(A) = z₀ - Y·F(z₀; A) has the
value of the zero at x and its first derivative, both up to the error of z₀, and z₂ = z₁ - Y·F(z₁; A) its second one too: each step of this
simplified method of Newton makes an error that is O(dxᵏ) one that is O(dxᵏ⁺¹). All enclosures are far coarser than 2^-1000. The bound is
proven by the test of Krawczyk, which also says that there is one zero (Neumaier, Interval Methods for Systems of Equations, Theorem 5.1.8);
which eigenvalue it is, by the signs of the leading minors of A - μI (Sylvester's law of inertia). Where two eigenvalues are not told
apart there is no derivative, and what rests on it is refused.

The rounding of these steps is that of a backward stable method: F is a sum of products as large as |A|, and |Y| is 1/gap.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy

from ._elements import Unsupported
from ._graph import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ._graph import Graph
    from ._point import AtPoint

    # Rows of nodes.
    Matrix = list[list[int]]

MOST_EXPANDED = 8
"""The largest matrix whose determinant is expanded."""
MOST_INVERTED = 6
"""The largest that is inverted by cofactors."""
MOST_ROWS = 64
"""The largest system that is eliminated. A choice: its graph has a million operations."""
MOST_EIGENVALUES = 16
"""The largest matrix whose eigenvalues are sought. A choice: some seconds."""
UNITS_APART = 4
"""By how many unit roundoffs of its largest number a matrix may be off symmetry that is read as symmetric. A choice: that of A·Aᵀ and of means."""
NOT_SYMMETRIC = "a matrix that is not symmetric, of which one half is read: its gradient is a convention; make it symmetric by (A + Aᵀ)/2"
NOT_APART = "two eigenvalues are not told apart"
NO_SIGN = "the sign of a vector jumps at x, or nearly: take what does not depend on it"
NOT_APART_SINGULAR = "two singular values are not told apart, or one is 0"


def with_signs(factors: Callable[[numpy.ndarray], tuple[numpy.ndarray, ...]], matrix: numpy.ndarray) -> tuple[Any, list[bool]]:
    """What a library answers for a matrix, vectors in columns last; and of which vectors it has the same sign at matrices nearby.

    A sign that turns on a zero of either sign, or where a number is 0, is no function.
    """
    found = factors(matrix)
    columns = found[-1]
    signed = numpy.ones(columns.shape[1], bool)
    size = 64 * numpy.finfo(matrix.dtype).eps * max(numpy.abs(matrix).max(initial=0), numpy.finfo(matrix.dtype).tiny)
    rows, places = numpy.indices(matrix.shape)
    for pattern in (numpy.ones(matrix.shape), (-1.0) ** (rows + places), (-1.0) ** (rows * places)):
        for side in (1, -1):
            moved = factors((matrix + side * size * pattern).astype(matrix.dtype))[-1]
            signed &= numpy.sum(moved * columns, axis=0) > 0.5 * numpy.sum(columns**2, axis=0)
    return found, signed.tolist()


class Linear:
    """Linear algebra over one graph, at a point of which all that decides is taken. `order` is that of the derivatives that must be right."""

    def __init__(self, graph: Graph, at: AtPoint, order: int = 1) -> None:
        self.graph, self.at, self.order = graph, at, order
        self.zero, self.one = graph.constant(0), graph.constant(1)
        # where a matrix is read as (A + Aᵀ)/2: the pairs of coordinates that mirror each other, and whether there are other numbers too
        self.mirrored: dict[tuple[int, int], None] = {}
        self.mirrors_others = False
        # whether a matrix that is not symmetric is refused where one half is read: what its gradient is is a convention then
        self.refuses_halves = False
        self._canonical: dict[int, int] = {}
        self._terms: dict[Any, int] = {}

    # Numbers.

    def times(self, a: int, b: int) -> int:
        """A product; 0 times what has a value everywhere is 0."""
        for x, y in ((a, b), (b, a)):
            if x == self.zero and self.graph.is_total(y):
                return self.zero
        return self.graph.binary("multiply", a, b)

    def minus(self, a: int) -> int:
        return self.graph.unary("negate", a)

    def less(self, a: int, products: Sequence[tuple[int, int]]) -> int:
        """A number less some products, in one sum."""
        terms = [self.minus(self.times(x, y)) for x, y in products]
        return self.graph.sum([a, *terms])

    def divided(self, a: int, b: int) -> int:
        return self.zero if a == self.zero and self.sign(b) else self.graph.binary("divide", a, b)

    def ends(self, node: int) -> tuple[Fraction, Fraction] | None:
        """An enclosure of a node at x."""
        self.at.enclose([node])
        return self.at.found[node]

    def sign(self, node: int) -> int:
        """1 or -1 where a node certainly has that sign at x, else 0."""
        return self.at.sign(node)

    def size(self, node: int) -> Fraction:
        """How large a node certainly is at x; 0 where nothing is known."""
        ends = self.ends(node)
        return Fraction(0) if ends is None or ends[0] <= 0 <= ends[1] else min(map(abs, ends))

    def refused(self, why: str) -> int:
        return self.graph.add("refused", why)

    # Determinants and systems.

    def determinant(self, matrix: Matrix) -> int:
        size = len(matrix)
        if size > MOST_EXPANDED:
            return self.eliminated(matrix, [[] for _ in matrix])[0]
        # by cofactors along the first row, each minor once
        found: dict[tuple[int, ...], int] = {(): self.one}
        for count in range(1, size + 1):
            row, minors = matrix[size - count], {}
            for columns in itertools.combinations(range(size), count):
                terms = []
                for position, column in enumerate(columns):
                    rest = (*columns[:position], *columns[position + 1 :])
                    term = self.times(row[column], found[rest])
                    terms.append(term if position % 2 == 0 else self.minus(term))
                minors[columns] = self.graph.sum(terms)
            found = minors
        return found[tuple(range(size))]

    def eliminated(self, matrix: Matrix, sides: Matrix) -> tuple[int, Matrix]:
        """The determinant of a matrix, and the solutions of systems, whose right sides are the columns of `sides`.

        The pivots are the largest of their columns at x. Any others that are not 0 there give the same functions.
        """
        size = len(matrix)
        if size > MOST_ROWS:
            raise Unsupported(f"a system of {size} equations; at most {MOST_ROWS} are eliminated")
        rows = [[*row, *side] for row, side in zip(matrix, sides, strict=True)]
        determinant = self.one
        for k in range(size):
            self.at.enclose([row[k] for row in rows[k:]])
            pivot = max(range(k, size), key=lambda i: (self.size(rows[i][k]), -i))
            if not self.size(rows[pivot][k]):
                raise Unsupported("a matrix that is singular at x, or nearly")
            if pivot != k:
                rows[k], rows[pivot] = rows[pivot], rows[k]
                determinant = self.minus(determinant)
            determinant = self.times(determinant, rows[k][k])
            for i in range(k + 1, size):
                if rows[i][k] != self.zero:
                    factor = self.divided(rows[i][k], rows[k][k])
                    rows[i] = [
                        self.zero if j <= k else x if y == self.zero else self.less(x, [(factor, y)])
                        for j, (x, y) in enumerate(zip(rows[i], rows[k], strict=True))
                    ]
        upper, rest = [row[:size] for row in rows], [row[size:] for row in rows]
        return determinant, self.solved_triangular(upper, rest, lower=False)

    def solved(self, matrix: Matrix, sides: Matrix) -> Matrix:
        """The solutions of systems of one matrix. Where it is singular at x they have no value."""
        try:
            return self.eliminated(matrix, sides)[1]
        except Unsupported:
            if len(matrix) > MOST_INVERTED:
                raise
        inverse = self.inverse_by_cofactors(matrix)
        columns = list(zip(*sides, strict=True))
        return [[self.graph.sum([self.times(x, y) for x, y in zip(row, column, strict=True)]) for column in columns] for row in inverse]

    def inverse(self, matrix: Matrix) -> Matrix:
        size = len(matrix)
        return self.solved(matrix, [[self.one if i == j else self.zero for j in range(size)] for i in range(size)])

    def inverse_by_cofactors(self, matrix: Matrix) -> Matrix:
        size, determinant = len(matrix), self.determinant(matrix)

        def cofactor(i: int, j: int) -> int:
            minor = self.determinant([[x for c, x in enumerate(row) if c != i] for r, row in enumerate(matrix) if r != j])
            return self.graph.binary("divide", minor if (i + j) % 2 == 0 else self.minus(minor), determinant)

        return [[cofactor(i, j) for j in range(size)] for i in range(size)]

    def solved_triangular(self, matrix: Matrix, sides: Matrix, lower: bool, is_unit: bool = False) -> Matrix:
        """The solutions of systems of a triangular matrix; what is on its other side is not read."""
        size = len(matrix)
        found: Matrix = [[] for _ in matrix]
        for i in range(size) if lower else reversed(range(size)):
            done = range(i) if lower else range(i + 1, size)
            for column, side in enumerate(sides[i]):
                rest = self.less(side, [(matrix[i][k], found[k][column]) for k in done])
                found[i].append(rest if is_unit else self.divided(rest, matrix[i][i]))
        return found

    # Factors.

    def lu(self, matrix: Matrix) -> tuple[Matrix, list[int]]:
        """L below the diagonal and U on and above it, and for each step the row that it exchanges with its own.

        Where a pivot is not strictly the largest of its column at x, the factors jump there, and the numbers are refused.
        """
        rows, pivots, why = [list(row) for row in matrix], [], ""
        columns = len(rows[0]) if rows else 0
        if len(rows) > MOST_ROWS:
            return [[self.refused(f"the factors of {len(rows)} rows; at most {MOST_ROWS} are eliminated")] * columns for _ in rows], []
        for k in range(min(len(rows), columns)):
            self.at.enclose([row[k] for row in rows[k:]])
            # certainly smaller than the largest are those whose greatest size is
            most = {i: max(map(abs, ends)) if (ends := self.ends(rows[i][k])) is not None else None for i in range(k, len(rows))}
            pivot = max(most, key=lambda i: (self.size(rows[i][k]), -i))
            least = self.size(rows[pivot][k])
            if not why and any(size is None or size >= least for i, size in most.items() if i != pivot):
                why = "the factors of a matrix of which two pivots are of one size at x, or nearly"
            if not why and not least:
                why = "the factors of a matrix that is singular at x, or nearly"
            pivots.append(pivot)
            rows[k], rows[pivot] = rows[pivot], rows[k]
            if why:
                continue
            for i in range(k + 1, len(rows)):
                factor = self.divided(rows[i][k], rows[k][k])
                tail = [self.less(rows[i][j], [(factor, rows[k][j])]) for j in range(k + 1, columns)]
                rows[i] = [*rows[i][:k], factor, *tail]
        if why:
            rows = [[self.refused(why)] * columns for _ in rows]
        return rows, pivots

    def cholesky(self, matrix: Matrix) -> Matrix:
        """The lower factor of a symmetric matrix, of which the lower half is read."""
        size = len(matrix)
        matrix, _ = self.symmetric(matrix)
        lower = [[self.zero] * size for _ in range(size)]
        for j in range(size):
            for i in range(j, size):
                rest = self.less(matrix[i][j], [(lower[i][k], lower[j][k]) for k in range(j)])
                lower[i][j] = self.graph.unary("sqrt", rest) if i == j else self.divided(rest, lower[j][j])
        return lower

    def qr(self, matrix: Matrix, is_full: bool) -> tuple[Matrix, Matrix]:
        """Q and R by Householder's reflections: of a column (α, w) that is not (α, 0) R has -sign(α)·|(α, w)| on its diagonal, as LAPACK has."""
        height, width = len(matrix), len(matrix[0]) if matrix else 0
        r = [list(row) for row in matrix]
        reflections: list[tuple[int, list[int], int]] = []
        for k in range(min(height - 1, width)):
            column = [r[i][k] for i in range(k, height)]
            if all(self.ends(x) == (0, 0) and self.graph.known(x) == 0 for x in column[1:]):
                continue
            side = self.sign(column[0])
            rest = self.graph.sum([self.times(x, x) for x in column[1:]])
            if not side or not self.sign(rest):
                raise Unsupported("the factors Q and R of a matrix at which they jump, or nearly: a column of a step is (α, w), and α or w is 0")
            norm = self.graph.unary("sqrt", self.graph.sum([self.times(column[0], column[0]), rest]))
            diagonal = self.minus(norm) if side > 0 else norm
            # the vector of the reflection and half of its square: (α - β, w), β(β - α)
            vector = [self.graph.binary("subtract", column[0], diagonal), *column[1:]]
            half = self.times(diagonal, self.graph.binary("subtract", diagonal, column[0]))
            for j in range(k + 1, width):
                self.reflect(r, k, j, vector, half)
            for i in range(k, height):
                r[i][k] = diagonal if i == k else self.zero
            reflections.append((k, vector, half))
        count = height if is_full else min(height, width)
        q = [[self.one if i == j else self.zero for j in range(count)] for i in range(height)]
        for k, vector, half in reversed(reflections):
            for j in range(count):
                self.reflect(q, k, j, vector, half)
        lines = [[self.zero if j < i else x for j, x in enumerate(row)] for i, row in enumerate(r[:count])]
        return q, lines

    def reflect(self, rows: Matrix, first: int, column: int, vector: list[int], half: int) -> None:
        """A column less its part along a vector, twice."""
        parts = [self.times(v, rows[first + i][column]) for i, v in enumerate(vector)]
        factor = self.divided(self.graph.sum(parts), half)
        for i, v in enumerate(vector):
            rows[first + i][column] = self.less(rows[first + i][column], [(factor, v)])

    # Eigenvalues and singular values.

    def eigen(
        self, matrix: Matrix, values: Sequence[float], vectors: numpy.ndarray, signed: Sequence[bool]
    ) -> tuple[list[int], list[list[int]]]:
        """The eigenvalues of a symmetric matrix and their vectors, from approximations in the columns of an array; the lower half is read.
        A vector without a sign near x is refused."""
        size = len(matrix)
        if size > MOST_EIGENVALUES:
            raise Unsupported(f"the eigenvalues of {size} rows; at most {MOST_EIGENVALUES} are sought")
        whole, is_symmetric = self.symmetric(matrix)
        exact = self.symmetric_at_x(whole)
        eigenpairs = [EigenPair.near(exact, value, vectors[:, k]) for k, value in enumerate(values)]
        found = [
            self.simple_eigenpair(whole, pair) if pair is not None and pair.is_only(k) else [self.refused(NOT_APART)] * (size + 1)
            for k, pair in enumerate(eigenpairs)
        ]
        if size and all(pair[0] == self.refused(NOT_APART) for pair in found):
            raise Unsupported(NOT_APART)
        found = [pair if known else [*[self.refused(NO_SIGN)] * size, pair[size]] for pair, known in zip(found, signed, strict=True)]
        if not is_symmetric and not self.graph.rounds:
            # what a derivative by one of two entries is, that are not the same near x, is a convention of each framework
            why = "eigenvectors of a matrix that is symmetric at x and not near it; make it so by (A + Aᵀ)/2"
            return [pair[size] for pair in found], [[self.refused(why)] * size for _ in found]
        return [pair[size] for pair in found], [pair[:size] for pair in found]

    def symmetric(self, matrix: Matrix) -> tuple[Matrix, bool]:
        """A whole matrix for a factorisation that reads its lower half, and whether that is symmetric near x, as far as its terms say.

        Where it is symmetric at x alone, up to the rounding of its numbers, the function is that of (A + Aᵀ)/2, whose gradient the frameworks
        give; otherwise that of the half, or it is refused.
        """
        size = len(matrix)
        pairs = [(i, j) for i in range(size) for j in range(i)]
        if all(self.canonical(matrix[i][j]) == self.canonical(matrix[j][i]) for i, j in pairs):
            return [[matrix[max(i, j)][min(i, j)] for j in range(size)] for i in range(size)], True
        differences = [self.ends(self.graph.binary("subtract", matrix[i][j], matrix[j][i])) for i, j in pairs]
        self.at.enclose([x for row in matrix for x in row])
        known = [ends for row in matrix for node in row if (ends := self.at.found[node]) is not None]
        size_at_x = max((max(map(abs, ends)) for ends in known), default=Fraction(0))
        allowed = Fraction(1, 1 << NEAR_BITS) + size_at_x * UNITS_APART / (1 << FORMATS.get(self.graph.dtype or "", (NEAR_BITS, 0))[0])
        if not all(ends is not None and max(map(abs, ends)) < allowed for ends in differences):
            if self.refuses_halves and not self.graph.rounds:
                raise Unsupported(NOT_SYMMETRIC)
            return [[matrix[max(i, j)][min(i, j)] for j in range(size)] for i in range(size)], True
        half = self.graph.constant(Fraction(1, 2))
        whole = [list(row) for row in matrix]
        for i, j in pairs:
            above, below = (self.graph.nodes[matrix[k][m]] for k, m in ((i, j), (j, i)))
            if above[0] == below[0] == "variable":
                self.mirrored[int(str(above[1])), int(str(below[1]))] = None
            elif self.canonical(matrix[i][j]) != self.canonical(matrix[j][i]):
                self.mirrors_others = True
        for i, j in pairs:
            whole[i][j] = whole[j][i] = self.times(half, self.graph.binary("add", matrix[i][j], matrix[j][i]))
        return whole, False

    def canonical(self, node: int) -> int:
        """A number that nodes share which are equal up to the order of sums and products."""
        for place in self.graph.needed([node], self._canonical):
            if place not in self._canonical:
                kind, *parts = self.graph.nodes[place]
                moved = [
                    tuple(self._canonical[n] for n in part) if isinstance(part, tuple) else self._canonical[part] if type(part) is int else part
                    for part in parts
                ]
                if kind in ("add", "multiply"):
                    moved.sort()
                elif kind == "sum":
                    moved = [tuple(sorted(moved[0]))]
                elif kind == "dot":
                    moved = [tuple(sorted(tuple(sorted(pair)) for pair in zip(*moved, strict=True)))]
                self._canonical[place] = self._terms.setdefault((kind, *moved), len(self._terms))
        return self._canonical[node]

    def singular(
        self, matrix: Matrix, values: Sequence[float], left: numpy.ndarray, right: numpy.ndarray, signed: Sequence[bool]
    ) -> tuple[list[int], Matrix, Matrix]:
        """The singular values of a matrix, and for each a left and a right vector, from approximations: the eigenvalues of ((0, A), (Aᵀ, 0))
        that are positive. The product of both vectors has no sign; each of them is refused where it has none near x."""
        height, width = len(matrix), len(matrix[0]) if matrix else 0
        size = height + width
        if size > MOST_EIGENVALUES:
            raise Unsupported(f"the singular values of {height} rows and {width} columns; at most {MOST_EIGENVALUES} together are looked at")
        whole = [[self.zero] * height + list(row) for row in matrix]
        whole += [[row[j] for row in matrix] + [self.zero] * width for j in range(width)]
        exact = self.symmetric_at_x(whole)
        root = self.graph.power(self.graph.constant(2), Fraction(1, 2))
        found, lefts, rights = [], [], []
        for k, value in enumerate(values):
            pair = EigenPair.near(exact, value, numpy.concatenate([left[:, k], right[:, k]]) / numpy.sqrt(2.0))
            if pair is None or not pair.is_only(size - 1 - k) or pair.value <= 0:
                node = self.refused(NOT_APART_SINGULAR)
                found.append(node)
                lefts.append([node] * height)
                rights.append([node] * width)
                continue
            *vector, node = self.simple_eigenpair(whole, pair)
            scaled = [self.times(root, x) for x in vector] if signed[k] else [self.refused(NO_SIGN)] * size
            found.append(node)
            lefts.append(scaled[:height])
            rights.append(scaled[height:])
        if found and all(node == self.refused(NOT_APART_SINGULAR) for node in found):
            raise Unsupported(NOT_APART_SINGULAR)
        return found, lefts, rights

    def symmetric_at_x(self, matrix: Matrix) -> list[list[int]]:
        """The numbers of a matrix at x, times 2^BITS."""
        self.at.enclose([x for row in matrix for x in row])
        found = []
        for row in matrix:
            found.append([])
            for node in row:
                ends = self.at.found[node]
                if ends is None or ends[1] - ends[0] > Fraction(1, 1 << (BITS + GUARD)):
                    raise Unsupported("the eigenvalues of a matrix that is not known at x")
                found[-1].append(_scaled(ends[0]))
        return found

    def simple_eigenpair(self, matrix: Matrix, pair: EigenPair) -> list[int]:
        """A vector and its eigenvalue as functions of the matrix.

        To each number of F is added, and subtracted again, what a library may be off by in units of it: 8n times a bound of the matrix. Over the
        real numbers that is nothing, and as it rounds it is the error of a method that is backward stable.
        """
        graph = self.graph
        size = len(matrix)
        bound = Fraction(max(1, *(sum(abs(x) for x in row) for row in pair.matrix)), UNIT)
        units = [graph.constant(2 ** (8 * size * bound).__ceil__().bit_length())] * size + [graph.constant(2 ** (8 * size).bit_length())]
        inverse = [[graph.constant(Fraction(y, UNIT)) for y in row] for row in pair.inverse]
        z = [graph.constant(Fraction(x, UNIT)) for x in pair.zero]
        # one more step where the derivative of the steps is taken: then it depends on their values, as that of a program does
        for _ in range(self.order if graph.rounds else self.order + 1):
            *vector, value = z
            residual = [graph.binary("subtract", graph.dot(row, vector), self.times(value, vector[i])) for i, row in enumerate(matrix)]
            # half of |v|² - 1
            square = graph.binary("subtract", graph.sum([self.times(x, x) for x in vector]), self.one)
            residual.append(self.times(graph.constant(Fraction(1, 2)), square))
            residual = [graph.add("subtract", graph.add("add", x, unit), unit) for x, unit in zip(residual, units, strict=True)]
            z = [graph.binary("subtract", x, graph.dot(row, residual)) for x, row in zip(z, inverse, strict=True)]
        return z


# Numbers at x are whole multiples of 2^-BITS.
BITS = 1200
UNIT = 1 << BITS
# How many bits the errors of sums and products may take of them, and how near a zero is.
GUARD = 60
NEAR_BITS = 1000


def _shortened(x: int) -> int:
    """A number to half as many bits more than are proven."""
    dropped = (BITS - NEAR_BITS) // 2
    return ((x >> dropped - 1) + 1 >> 1) << dropped


def _scaled(q: Fraction) -> int:
    return (q.numerator << BITS) // q.denominator


def _dot(xs: Sequence[int], ys: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(xs, ys, strict=True)) >> BITS


class EigenPair:
    """A simple eigenvalue and its vector, within 2^-NEAR_BITS: the vector and the value in one list, and the inverse of the derivative."""

    def __init__(self, matrix: list[list[int]], zero: list[int], inverse: list[list[int]]) -> None:
        self.matrix, self.zero, self.inverse = matrix, zero, inverse

    @property
    def value(self) -> int:
        return self.zero[-1]

    @staticmethod
    def residual(matrix: list[list[int]], zero: list[int]) -> list[int]:
        *vector, value = zero
        rows = [_dot(row, vector) - (value * x >> BITS) for row, x in zip(matrix, vector, strict=True)]
        return [*rows, (_dot(vector, vector) - UNIT) >> 1]

    @staticmethod
    def jacobian(matrix: list[list[int]], zero: list[int]) -> list[list[int]]:
        *vector, value = zero
        rows = [[x - (value if i == j else 0) for j, x in enumerate(row)] + [-vector[i]] for i, row in enumerate(matrix)]
        return [*rows, [*vector, 0]]

    @classmethod
    def near(cls, matrix: list[list[int]], value: float, vector: numpy.ndarray) -> EigenPair | None:
        """The zero of F near an approximation; None where the test of Krawczyk does not prove that there is one, alone within a radius."""
        zero = [_scaled(Fraction(float(x))) for x in (*vector, value)]
        with numpy.errstate(all="ignore"):
            approximate = numpy.array([[float(Fraction(x, UNIT)) for x in row] for row in cls.jacobian(matrix, zero)])
            try:
                inverse = numpy.linalg.inv(approximate)
            except numpy.linalg.LinAlgError:
                return None
        if not numpy.isfinite(inverse).all():
            return None
        rows = [[_scaled(Fraction(float(y))) for y in row] for row in inverse]
        # Newton's method for the zero and for the inverse at once: each round doubles the digits
        for _ in range(MOST_ROUNDS):
            residual = cls.residual(matrix, zero)
            zero = [x - _dot(row, residual) for x, row in zip(zero, rows, strict=True)]
            error = cls.inverse_error(matrix, zero, rows)
            columns = list(zip(*rows, strict=True))
            rows = [[y + _dot(line, column) for y, column in zip(row, columns, strict=True)] for row, line in zip(rows, error, strict=True)]
            if max(abs(x) for line in error for x in line) > UNIT // 4:
                return None
        # of one matrix there is one pair, whatever it began with
        found = cls(matrix, [_shortened(x) for x in zero], [[_shortened(y) for y in row] for row in rows])
        return found if found.is_proven() else None

    @classmethod
    def inverse_error(cls, matrix: list[list[int]], zero: list[int], rows: list[list[int]]) -> list[list[int]]:
        """1 - Y·∂F/∂z."""
        columns = list(zip(*cls.jacobian(matrix, zero), strict=True))
        return [[(UNIT if i == j else 0) - _dot(row, column) for j, column in enumerate(columns)] for i, row in enumerate(rows)]

    def is_proven(self) -> bool:
        """The test of Krawczyk in the norm of the maximum: |Y·F(z₀)| + |1 - Y·∂F/∂z|·r < r on the ball of radius r = 2^-NEAR_BITS."""
        matrix, size, radius = self.matrix, len(self.zero), Fraction(1, 1 << NEAR_BITS)
        # what rounding may do to each of these numbers: the sums have as many terms as there are rows, and factors as large as `largest`
        rows, residual = self.inverse, self.residual(matrix, self.zero)
        largest = max(1, *(abs(Fraction(x, UNIT)) for row in (*rows, *matrix, self.zero) for x in row))
        slack = 8 * size**2 * largest**2 / (1 << (BITS - GUARD))
        norm = max(sum(abs(Fraction(y, UNIT)) for y in row) for row in rows)
        moved = max(abs(Fraction(_dot(row, residual), UNIT)) for row in rows) + slack
        error = max(sum(abs(Fraction(x, UNIT)) for x in row) for row in self.inverse_error(matrix, self.zero, rows)) + slack
        # ∂F/∂z moves by at most (size + 1)·r in that norm
        return moved + (error + norm * (size + 1) * radius) * radius < radius and error < Fraction(1, 2)

    def is_only(self, index: int) -> bool:
        """Whether the eigenvalue is that of an index, from 0 in ascending order, and far from others: by how many are below two numbers around
        it. What the numbers of the matrix are off by moves eigenvalues by far less than that distance (Weyl)."""
        matrix, size = self.matrix, len(self.matrix)
        scale = max(1, *(abs(x) for row in matrix for x in row)) * size
        margin = max(scale >> TOLD_APART, 1 << (BITS - NEAR_BITS + GUARD))
        below, above = (_count_below(matrix, self.value + sign * margin) for sign in (-1, 1))
        return below == index and above == index + 1


# Rounds of Newton's method: 2^-20 to 2^-1200.
MOST_ROUNDS = 8
# How far apart eigenvalues are at least, in bits of the matrix. A choice: half of the digits of a float64.
TOLD_APART = 26


def _count_below(matrix: list[list[int]], shift: int) -> int | None:
    """How many eigenvalues of a symmetric matrix are below a number: as many as its leading minors change their sign (Sylvester), which are
    whole numbers here (Bareiss). None where one is 0."""
    rows = [[x - (shift if i == j else 0) for j, x in enumerate(row)] for i, row in enumerate(matrix)]
    size, before, count = len(rows), 1, 0
    for k in range(size):
        minor = rows[k][k]
        if minor == 0:
            return None
        count += (minor < 0) != (before < 0)
        for i in range(k + 1, size):
            tail = zip(rows[i][k + 1 :], rows[k][k + 1 :], strict=True)
            rows[i] = [*rows[i][: k + 1], *((x * minor - rows[i][k] * y) // before for x, y in tail)]
        before = minor
    return count
