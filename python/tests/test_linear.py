"""Linear algebra of JAX: gradients by mpmath with 30 digits, and closed forms."""

import math

import numpy
import pytest
import smoothish

jax = pytest.importorskip("jax")
jnp, linalg, dense = jax.numpy, jax.numpy.linalg, jax.scipy.linalg
jax.config.update("jax_enable_x64", True)

IN, OUT = "CERTIFIED_IN", "CERTIFIED_OUT"
SYMMETRIC = jnp.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 5.0]])
TALL = jnp.array([[2.0, 1.0], [1.0, 3.0], [0.5, 0.25]])


def two(t):
    return jnp.array([[2.0, 1.0], [1.0, t]])


def tridiagonal(a):
    return jnp.array([[a, 1.0, 0.0, 0.0], [1.0, 2.0, 1.0, 0.0], [0.0, 1.0, 3.0, 1.0], [0.0, 0.0, 1.0, 4.0]])


# The derivative of a number of one variable, and the variable: the values are central differences of mpmath with 60 digits.
ONE = {
    "determinant": (lambda t: linalg.det(tridiagonal(t)), 1.0, 18.0),
    "determinant of 9": (lambda t: linalg.det(jnp.eye(9) + t), 0.5, 9.0),
    "logarithm of a determinant": (lambda a: linalg.slogdet(tridiagonal(a))[1], 1.0, 18 / 7),
    "inverse": (lambda t: linalg.inv(two(t))[0, 1], 3.0, 0.08),
    "solution": (lambda t: linalg.solve(two(t), jnp.array([1.0, 2.0]))[1], 3.0, -0.24),
    "solution of pivots that tie": (lambda t: linalg.solve(jnp.array([[t, 1.0], [1.0, 2.0]]), jnp.array([1.0, 0.0]))[0], 1.0, -4.0),
    "triangular": (lambda t: dense.solve_triangular(two(t), jnp.ones(2), lower=True, trans=1)[0], 3.0, 1 / 18),
    "factor of Cholesky": (lambda a: linalg.cholesky(jnp.array([[a, 1.0], [1.0, 3.0]]))[1, 1], 4.0, 0.018844459036110226),
    "solution by Cholesky": (lambda t: dense.cho_solve(dense.cho_factor(two(t)), jnp.ones(2))[1], 3.0, -0.08),
    "upper factor": (lambda t: dense.lu(jnp.array([[t, 1.0], [1.0, 2.0]]))[2][1, 1], 3.0, 1 / 9),
    "R": (lambda t: linalg.qr(jnp.array([[t, 1.0], [1.0, 2.0]]))[1][1, 1], 3.0, 0.158113883008418967),
    "Q": (lambda t: linalg.qr(jnp.array([[t, 1.0], [1.0, 2.0]]))[0][0, 0], 3.0, -0.0316227766016837933),
    "eigenvalue": (lambda t: linalg.eigvalsh(two(t))[1], 3.0, 0.723606797749978970),
    "eigenvector": (lambda t: linalg.eigh(two(t))[1][0, 0] ** 2, 3.0, 0.178885438199983176),
    "singular value": (lambda t: linalg.svd(jnp.array([[t, 1.0], [1.0, 2.0], [0.0, 1.0]]), compute_uv=False)[0], 3.0, 0.689154915813963508),
    "singular vector": (lambda t: linalg.svd(jnp.array([[t, 1.0], [1.0, 2.0]]))[0][0, 0] ** 2, 3.0, 0.178885438199983176),
    "nuclear norm": (lambda t: linalg.norm(jnp.array([[t, 1.0], [1.0, 2.0]]), "nuc"), 3.0, 1.0),
    "pseudoinverse": (lambda t: linalg.pinv(jnp.array([[t, 1.0], [1.0, 2.0], [0.0, 1.0]]))[0, 0], 3.0, -0.133061224489795918),
    "power of a matrix": (lambda t: linalg.matrix_power(two(t), 3)[0, 1], 3.0, 8.0),
}


@pytest.mark.parametrize("name", ONE)
def test_derivatives_of_linear_algebra(name):
    f, x, expected = ONE[name]
    for claim, verdict in ((expected, IN), (expected * (1 + 1e-9), OUT), (None, IN)):
        assert smoothish.audit(f, x, claim, timeout=60).verdict == verdict, claim


@pytest.mark.parametrize("name", ["determinant", "factor of Cholesky", "eigenvalue", "singular value"])
def test_rules_of_linear_algebra(name):
    f, x, expected = ONE[name]
    for claim in (-expected, math.nan):
        assert smoothish.audit(f, x, claim, timeout=60).verdict == OUT, claim
    assert smoothish.audit(f, jnp.float32(x), timeout=60).verdict == IN
    # a rule that is off by a millionth
    wrong = jax.custom_jvp(f)
    wrong.defjvp(lambda primals, tangents: (f(*primals), jax.jvp(f, primals, tangents)[1] * (1 + 1e-6)))
    assert smoothish.audit(wrong, x, timeout=60).verdict == OUT


def test_gradients_of_linear_algebra():
    functions = {
        "inverse": (lambda m: jnp.sum(linalg.inv(m) ** 2), SYMMETRIC),
        "several sides": (lambda m: linalg.solve(m, m @ m.T + 1)[0, 1], SYMMETRIC + jnp.arange(3.0)),
        "stack": (
            lambda m: jnp.sum(linalg.solve(jnp.stack([m, m + 1]), jnp.ones(3)[:, None])) + jnp.sum(linalg.det(jnp.stack([m, 2 * m]))), SYMMETRIC
        ),
        "eigenvectors": (lambda m: linalg.eigh(m)[1][0, 1], SYMMETRIC),
        "function of a matrix": (lambda m: (lambda w, v: jnp.sum((v * jnp.exp(w)) @ v.T))(*linalg.eigh(m)), SYMMETRIC / 4),
        "left vectors": (lambda m: linalg.svd(m, full_matrices=False)[0][2, 1], TALL),
        "complete": (lambda m: linalg.qr(m, mode="complete")[1][1, 1], TALL),
        "norm": (lambda m: linalg.norm(m, 2), TALL),
        "normal equations": (lambda m: jnp.sum(linalg.lstsq(m, jnp.array([1.0, 2.0, 4.0]))[0]), TALL),
    }
    for name, (f, x) in functions.items():
        report = smoothish.audit(f, x, timeout=60)
        assert report.verdict == IN, (name, report)
        off = numpy.array(report.claim).reshape(x.shape)
        off[0, 0] += 1e-5 * (1 + abs(off[0, 0]))
        assert smoothish.audit(f, x, off, timeout=60).verdict == OUT, name


def test_where_matrices_are_singular_and_eigenvalues_double():
    zeros = jnp.zeros((4, 4))
    assert smoothish.audit(linalg.det, zeros).verdict == IN
    assert smoothish.audit(linalg.det, zeros, zeros.at[1, 2].set(1.0)).verdict == OUT
    assert smoothish.audit(linalg.det, zeros, jnp.full((4, 4), jnp.nan)).verdict == OUT
    assert smoothish.audit(lambda m: linalg.inv(m)[0, 0], jnp.ones((2, 2)), jnp.ones((2, 2))).right is None
    double = [
        (lambda m: linalg.eigvalsh(m)[1], jnp.eye(2), "two eigenvalues are not told apart"),
        (lambda m: linalg.svd(m, compute_uv=False)[1], jnp.eye(2), "two singular values are not told apart"),
        (lambda m: linalg.qr(m)[1][0, 0], jnp.eye(2).at[0, 1].set(2.0), "at which they jump"),
        (lambda m: linalg.eigvalsh(m)[1], jnp.eye(17), "at most 16"),
        (lambda t: linalg.solve(jnp.eye(65) * t, jnp.ones(65))[0], 1.0, "at most 64"),
    ]
    for f, x, words in double:
        with pytest.raises(smoothish.UnsupportedError, match=words):
            smoothish.audit(f, x)
    # the pivots of L and U jump where two candidates are of one size
    jumps = lambda m: dense.lu(m)[2][1, 1]
    assert smoothish.audit(jumps, jnp.array([[1.0, 1.0], [1.0, 2.0]])).right is None
    # LAPACK turns the vectors where a number passes 0
    turned = lambda m: linalg.svd(m)[0][0, 1]
    assert smoothish.audit(turned, jnp.array([[-0.0, 8.0], [-4.0, -2.0]])).right is None
    assert smoothish.audit(lambda m: turned(m) ** 2, jnp.array([[0.5, 8.0], [-4.0, -2.0]])).verdict == IN
    # what JAX answers without symmetrizing is a convention, except for eigenvalues
    half = lambda m: jax.lax.linalg.cholesky(m, symmetrize_input=False)[2, 1]
    assert smoothish.audit(half, SYMMETRIC).right is None
    assert smoothish.audit(lambda m: jax.lax.linalg.eigh(m, symmetrize_input=False)[1][2], SYMMETRIC).verdict == IN
    # one eigenvalue is simple, two others are one
    x = jnp.diag(jnp.array([1.0, 1.0, 5.0]))
    largest = lambda m: linalg.eigvalsh(m)[2]
    assert smoothish.audit(largest, x).verdict == IN
    assert smoothish.audit(lambda m: linalg.eigvalsh(m)[0], x, x).right is None
    # as JAX orders its factors they are no function of all x
    with pytest.raises(smoothish.UnsupportedError, match="are audited near x"):
        smoothish.from_jax(largest, x)
    assert smoothish.from_jax(linalg.det, jnp.eye(5)).at(tuple(numpy.eye(5).ravel()), "1e-9").overlaps(smoothish.eval("1", "1e-9"))


def test_second_derivatives_of_an_eigenvalue():
    # λ = (5 + √5)/2 at t = 3; λ'' = 2/((t - 2)² + 4)^(3/2)
    largest = lambda t: linalg.eigvalsh(two(t))[1]
    for claim, verdict in ((2 / 5**1.5, IN), (2.0001 / 5**1.5, OUT), (0.0, OUT)):
        assert smoothish.audit(largest, 3.0, claim, order=2).verdict == verdict


@jax.jit
def det(m):
    return m[0, 0] * m[1, 1]


def test_a_function_that_is_called_det_is_none():
    x = jnp.array([[2.0, 1.0], [1.0, 3.0]])
    assert smoothish.audit(det, x, jnp.array([[3.0, 0.0], [0.0, 2.0]])).verdict == IN
    assert smoothish.audit(det, x, jnp.array([[3.0, -1.0], [-1.0, 2.0]])).verdict == OUT


def test_badly_scaled_matrices_are_not_called_wrong():
    generator = numpy.random.default_rng(3)
    functions = [lambda m: linalg.eigvalsh(m + m.T)[1], lambda m: linalg.svd(m)[0][0, -1], lambda m: linalg.pinv(m)[0, 0]]
    for number in range(4):
        m = generator.normal(size=(3, 3)) @ numpy.diag(10.0 ** generator.integers(-6, 7, size=3))
        for f in functions:
            try:
                report = smoothish.audit(f, jnp.asarray(m, [jnp.float64, jnp.float32][number % 2]))
            except smoothish.UnsupportedError as error:
                assert "not told apart" in str(error)
            else:
                assert report.verdict != OUT, (m, report)
