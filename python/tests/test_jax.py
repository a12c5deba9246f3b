"""Functions of JAX, where it is installed: their values and gradients are those of JAX, away from kinks."""

from fractions import Fraction as F

import numpy
import pytest
import smoothish

jax = pytest.importorskip("jax")
jnp, lax, nn = jax.numpy, jax.lax, jax.nn
jax.config.update("jax_enable_x64", True)


def rosenbrock(x):
    return jnp.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def newton(x):
    return lax.fori_loop(0, 6, lambda i, y: 0.5 * (y + x[0] / y), 1.0)


def until(x):
    return lax.while_loop(lambda c: c[0] < 4, lambda c: (c[0] + 1, jnp.sin(c[1]) + x[1]), (0, x[0]))[1]


@jax.custom_jvp
def softplus(x):
    return jnp.log1p(jnp.exp(x))


softplus.defjvp(lambda primals, tangents: (softplus(primals[0]), 7.0 * tangents[0]))

weights = numpy.random.default_rng(5).normal(size=(2, 3, 3))


def network(x):
    for matrix in weights:
        x = jnp.tanh(matrix @ x + 0.1)
    return jnp.sum(x * jnp.array([1.0, -2.0, 0.5]))


FUNCTIONS = {
    "arithmetic": lambda x: x[0] * x[1] - x[2] / x[0] + 2 * x[1] ** 3 - x[2] ** 2.5,
    "elementary": lambda x: jnp.sum(
        jnp.sin(x) + jnp.cos(x) * jnp.tan(x) + jnp.exp(x) / jnp.log(x) + jnp.sinh(x) - jnp.cosh(x) + jnp.tanh(x)
    ),
    "inverse": lambda x: jnp.sum(
        jnp.arcsin(x / 4) + jnp.arccos(x / 4) * jnp.arctan(x) + jnp.arcsinh(x) + jnp.arctanh(x / 4) + jnp.arccosh(x + 1)
    ),
    "roots": lambda x: jnp.sum(
        jnp.sqrt(x) + jnp.cbrt(x) + lax.rsqrt(x) + jnp.square(x) + jnp.exp2(x) + jnp.log1p(x) + jnp.expm1(x)
    ),
    "special": lambda x: jnp.sum(lax.erf(x) + lax.erfc(x) + lax.lgamma(x) + lax.digamma(x) + lax.logistic(x)),
    "two arguments": lambda x: (
        jnp.arctan2(x[0], x[1]) + x[0] ** x[1] + jnp.hypot(x[1], x[2]) + jnp.logaddexp(x[0], x[2])
    ),
    "kinks": lambda x: jnp.sum(
        jnp.abs(x - 1)
        + nn.relu(x - 1)
        + jnp.maximum(x, 1) * jnp.minimum(x, 2)
        + jnp.clip(x, 0.5, 1.5)
        + jnp.sign(x - 1)
    ),
    "activations": lambda x: jnp.sum(
        nn.gelu(x)
        + nn.gelu(x, approximate=False)
        + nn.silu(x)
        + nn.elu(x - 1)
        + nn.leaky_relu(x - 1)
        + nn.softplus(x)
        + nn.relu6(x)
    ),
    "where": lambda x: jnp.sum(jnp.where(x > 1, jnp.sqrt(x), x**2) + jnp.where((x > 0.2) & ~(x > 1.7), x, -x)),
    "floor": lambda x: jnp.sum(
        jnp.floor(3 * x) * x
        + jnp.ceil(x)
        + jnp.round(x)
        + x % 0.7
        + jnp.fmod(x - 2, 0.7)
        + jnp.trunc(2 * x)
        + ((7 * x).astype(int) // 2) * x
        + ((-7 * x).astype(int) // 3) * x
        + lax.rem((-7 * x).astype(int), -3) * x
        + ((9 * x).astype(int) % 3 == 1) * x
        + jnp.where((4 * x).astype(int) < 5, x**2, 1)
    ),
    "convolutions": lambda x: (
        jnp.sum(jnp.convolve(x, x**2) * jnp.arange(5.0))
        + jnp.sum(lax.conv_general_dilated(x.reshape(1, 1, 3) * jnp.ones((2, 2, 3)), jnp.ones((2, 1, 2)) * x[0], (2,), [(2, 1)], (2,), (1,), feature_group_count=2) ** 2)
        + jnp.sum(lax.conv_general_dilated(jnp.outer(x, x)[None, None], x[:2].reshape(1, 1, 2, 1), (1, 2), "SAME", rhs_dilation=(2, 1)) ** 3)
        + jnp.sum(lax.conv_transpose(x.reshape(1, 3, 1), x[:2].reshape(2, 1, 1), (2,), "VALID") ** 2)
        + jnp.sum(lax.conv_general_dilated(x.reshape(1, 1, 3) * jnp.ones((4, 2, 3)), x.reshape(1, 1, 3) * jnp.ones((2, 2, 3)), (1,), "VALID", batch_group_count=2) ** 2)
    ),
    "windows": lambda x: (
        jnp.sum(lax.reduce_window(jnp.outer(x, x), -jnp.inf, lax.max, (2, 2), (1, 1), "VALID") * jnp.outer(x[:2], x[1:]))
        + jnp.sum(lax.reduce_window(jnp.outer(x, x), 0.0, lax.add, (2, 2), (2, 1), "SAME", window_dilation=(1, 2)) ** 2)
        + jnp.sum(lax.reduce_window(x, jnp.inf, lax.min, (2,), (1,), [(1, 0)]) ** 3)
    ),
    "scatters": lambda x: (
        x.at[jnp.array([0, 2])].multiply(x[:2] ** 2, unique_indices=True)[2]
        + jnp.sum(x.at[jnp.array([0, 0, 1])].max(x[::-1]) * jnp.arange(3.0))
        + jnp.sum(x.at[jnp.array([2, 0])].min(2 * x[1:]) ** 2)
        + jnp.sum(x.at[jnp.array([1, 1])].subtract(x[:2]) ** 2)
    ),
    "complex numbers between": lambda x: (
        jnp.sum(jnp.abs(jnp.fft.fft(x)) * jnp.arange(1.0, 4.0))
        + jnp.sum(jnp.fft.irfft(jnp.fft.rfft(x) * (1 + 2j), 4) ** 2)
        + jnp.real(jnp.fft.fft2(jnp.outer(x, x))[1, 2] / (x[0] + 1j * x[1]))
        + jnp.sum(jnp.imag(jnp.fft.ifft(jnp.exp(1j * x)))) ** 2
        + jnp.real((x[0] + 1j * x[1]) ** 3 - (1j * x[2]) ** -2)
        + jnp.imag(jnp.where(x[0] > 0, x[0] * 1j, x[1]) - jnp.conj(1j * x[2]) + jnp.prod(x + 1j))
    ),
    "signs of bits": lambda x: jnp.sum(jnp.copysign(x, x - 1) * x + jnp.ldexp(x, jnp.array([3, -2, 0])) ** 2),
    "batched loops": lambda x: jnp.sum(
        jax.vmap(lambda y, n: lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, jnp.sin(c[1]) * 2), (0, y))[1])(x, jnp.arange(3))
    ),
    "counts of numbers": lambda x: jnp.nanmedian(x) + jnp.nanquantile(x, 0.3) + jnp.histogram(jnp.array([0.1, 0.6, 0.7]), bins=2, weights=x**2)[0][1],
    "systems": lambda x: (
        jnp.linalg.solve(jnp.diag(x) + 1, x)[0] + jnp.linalg.det(jnp.outer(x, x) + jnp.eye(3)) + jnp.linalg.cholesky(jnp.outer(x, x) + jnp.eye(3))[2, 1]
        + jnp.sum(lax.linalg.tridiagonal_solve(x, x + 5, x**2, x[:, None]) * jnp.arange(3.0)[:, None])
    ),
    "reductions": lambda x: (
        jnp.mean(x)
        + jnp.prod(x)
        + jnp.max(x) * jnp.min(x)
        + jnp.std(x)
        + jnp.var(x)
        + jnp.linalg.norm(x)
        + nn.logsumexp(x)
    ),
    "softmax": lambda x: jnp.sum(nn.softmax(x) * jnp.arange(3.0)) + nn.log_softmax(x)[1],
    "sorts": lambda x: (
        jnp.sort(x)[0] + 2 * jnp.sort(x)[1] + x[jnp.argsort(x)[2]] * 5 + jnp.median(x) + lax.top_k(x, 2)[0][1]
    ),
    "places": lambda x: x[jnp.argmax(x)] * 3 + (x**2)[jnp.argmin(x)] + lax.top_k(x, 1)[1][0] * x[0],
    "cumulative": lambda x: jnp.sum(
        jnp.cumsum(x) * x + jnp.cumprod(x) + lax.cummax(x) - lax.cummin(x, reverse=True) + lax.cumlogsumexp(x)
    ),
    "arrays": lambda x: (
        jnp.sum(jnp.outer(x, x)[1:, ::-1].T.reshape(2, 3) * jnp.pad(x, (1, 2)).reshape(2, 3))
        + jnp.concatenate([x, x[:1]])[3]
        + jnp.roll(x, 1)[0] * jnp.stack([x, x])[1, 2]
        + jnp.tile(x, 2)[4]
    ),
    "indices": lambda x: (
        x[jnp.array([2, 0, 0])] @ jnp.array([1.0, 2.0, 3.0])
        + x.at[1].set(x[0] ** 2)[1]
        + jnp.take(x, 1)
        + jnp.sum(x.at[jnp.array([0, 2, 0])].add(x**2) * x)
    ),
    "products": lambda x: (
        x @ jnp.array(weights[0]) @ x
        + jnp.einsum("i,jk,k->j", x, weights[1], x)[0]
        + jnp.einsum("bi,bi->b", weights[0] * x, weights[1])[2]
    ),
    "calls": lambda x: jax.jit(rosenbrock)(x) + jax.checkpoint(lambda y: jnp.sum(y**2))(x),
    "newton": newton,
    "while": until,
    "scan": lambda x: (
        lax.scan(lambda c, y: (c * y + 1, c), x[0], x)[0]
        + jnp.sum(lax.scan(lambda c, y: (c + y, c * y), 0.0, x, reverse=True)[1])
    ),
    "cond": lambda x: (
        lax.cond(x[0] > x[1], lambda y: y[0] ** 2, lambda y: y[1] * y[2], x) + lax.switch(1, [jnp.sum, jnp.prod], x)
    ),
    "cond by place": lambda x: lax.switch(jnp.argmax(x), [jnp.sum, jnp.prod, lambda y: y[0] ** 2], x),
    "counts": lambda x: jnp.sum(x > 1) * x[0] + jnp.searchsorted(jnp.array([0.3, 0.9, 1.4]), x[1]) * x[2],
    "network": network,
    "vmap": lambda x: jnp.sum(jax.vmap(lambda a, b: jnp.sin(a) * b)(x, x[::-1])),
    "gradient": lambda x: jnp.sum(jax.grad(rosenbrock)(x) ** 2) + jax.grad(lambda y: y[jnp.argmax(y)] ** 3)(x)[0],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_and_gradients_are_those_of_jax(name):
    f = FUNCTIONS[name]
    points = numpy.random.default_rng(7).uniform(0.1, 2.4, (5, 3))
    translated = smoothish.from_jax(f, jnp.ones(3))
    values, gradients = translated.batch(points), translated.gradient(points)
    assert values.defined.all() and gradients.defined.all()
    for index, point in enumerate(points):
        value, gradient = f(point_of(point)), jax.jacfwd(lambda x: f(x) * 1.0)(point_of(point))
        for batch, truth in [(values, value), (gradients, gradient)]:
            lo, hi = batch.lo[index], batch.hi[index]
            slack = 1e-9 * (1 + numpy.abs(truth))
            assert ((lo - slack <= truth) & (truth <= hi + slack)).all(), (name, point, lo, hi, truth)
            assert (hi - lo < 1e-7 * (1 + numpy.abs(truth))).all(), (name, point, lo, hi)


def point_of(point):
    return jnp.array(point)


def test_a_wrong_rule_is_seen():
    f = smoothish.from_jax(lambda x: softplus(x), jnp.float64(0))
    assert F(1, 2) in f.gradient_at(0, "1e-9")[0] and jax.grad(softplus)(0.0) == 7
    assert any("custom_jvp_call" in note and "test_jax.py" in note for note in f.notes)
    # the square root of -1 where it is not taken: JAX has NaN, forwards and in reverse
    safe = smoothish.from_jax(lambda x: jnp.where(x > 0, jnp.sqrt(x), 2 * x), 1.0)
    assert jnp.isnan(jax.grad(lambda x: jnp.where(x > 0, jnp.sqrt(x), 2 * x))(-1.0))
    for slope in [safe.gradient_at(-1, "1e-9")[0], safe.jacobian_at(-1, "1e-9")[0][0]]:
        assert slope.defined and (slope.lo, slope.hi) == (2, 2)
    assert safe.gradient(-1.0).lo.tolist() == [2]


def test_constants_are_those_of_their_types():
    tenth = F(float(numpy.float32(0.1)))
    f = smoothish.from_jax(lambda x: x * numpy.float32(0.1), numpy.float32(1))
    assert tenth in f.at(1, "1e-30") and F(1, 10) not in f.at(1, "1e-30")
    coarse = smoothish.from_jax(lambda x: x * jnp.bfloat16(0.1), jnp.bfloat16(1))
    assert F(float(jnp.bfloat16(0.1))) in coarse.at(1, "1e-30")
    # nothing is rounded: (1 + 1e-20) - 1, in real numbers
    exact = smoothish.from_jax(lambda x: (1.0 + x) - 1.0, 1e-20)
    assert F(1e-20) in exact.at(F(1e-20), "1e-40") and exact.at(F(1e-20), "1e-40").lo > 0
    assert f.notes == ("x is traced at (1), float32",)


def test_stop_gradient_is_as_asked():
    f = lambda x: lax.stop_gradient(x**2) * x
    free = smoothish.from_jax(f, 3.0)
    held = smoothish.from_jax(f, 3.0, stop_gradient="constant")
    assert 27 in free.gradient_at(3, "1e-9")[0] and 9 in held.gradient_at(3, "1e-9")[0] and 27 in held.at(3)
    assert any("stop_gradient is the identity" in note for note in free.notes)
    assert any("stop_gradient is the constant" in note for note in held.notes)
    with pytest.raises(ValueError, match="stop_gradient"):
        smoothish.from_jax(f, 3.0, stop_gradient="none")


def test_trees_of_arrays():
    f = smoothish.from_jax(lambda p: {"a": p["w"] @ p["x"], "b": p["x"][0]}, {"w": jnp.ones((2, 2)), "x": jnp.ones(2)})
    assert (f.inputs, f.outputs) == (6, 3)
    assert [float(e.mid) for e in f(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)] == [17, 39, 5]


def test_what_is_unclear_is_undefined():
    step = smoothish.from_jax(lambda x: jnp.where(x > 0, 1.0, 0.0), 1.0)
    assert not step(0.0).defined and step(1.0).defined
    assert not smoothish.from_jax(jnp.floor, 0.5)(2.0).defined
    kink = smoothish.from_jax(nn.relu, 1.0).jacobian(0.0)
    assert (kink.lo.item(), kink.hi.item()) == (0, 1)


def test_loops_are_as_long_as_at_the_point():
    # 16·x for 5/8 < x < 5/4, four rounds
    doubling = lambda x: lax.while_loop(lambda y: y < 10, lambda y: 2 * y, x)
    f = smoothish.from_jax(doubling, 1.0)
    assert 16 in f.gradient_at(1, "1e-9")[0] and F("17.6") in f.at(F("1.1"), "1e-9")
    assert any("as many rounds as at x" in note for note in f.notes)
    for other in [0.5, 1.25, 2.0]:
        assert not f(other).defined, other
    # near 1 it is 16·x; on the border of its rounds it is not judged, nor is a loop there that is thrown away
    assert smoothish.audit(doubling, jnp.float64(1), 16.0).right
    assert smoothish.audit(doubling, jnp.float64(1), 8.0).right is False
    report = smoothish.audit(doubling, jnp.float64(1.25), 16.0)
    assert report.verdict == "UNKNOWN" and "on its border" in report.reason
    assert smoothish.audit(lambda x: jnp.where(x > 1, x, doubling(x)), jnp.float64(1.25), 1.0).right
    # how many rounds there are is no constant
    rounds = lambda x: lax.while_loop(lambda c: c[1] < 10, lambda c: (c[0] + 1, 2 * c[1]), (0, x))[0] * x
    g = smoothish.from_jax(rounds, 1.0)
    assert 4 in g(1.0) and not g(3.0).defined
    # Newton's method until it is near: the derivative of 1/(2·√x) but for less than what is left
    near = lambda x: lax.while_loop(lambda y: jnp.abs(y * y - x) > 1e-3, lambda y: (y + x / y) / 2, x)
    assert abs(float(smoothish.from_jax(near, 2.0).gradient_at(2, "1e-9")[0].mid) - 0.3535) < 1e-2


def test_loops_cost_what_their_rounds_do():
    asked = []

    def rounds(n):
        loop = lambda x: lax.while_loop(lambda c: c[1] < n, lambda c: (jnp.sin(c[0]) + x, c[1] + x), (x, x))[0]
        return smoothish.from_jax(loop, 1.001)

    from smoothish import _point

    kept = _point.function
    try:
        _point.function = lambda graph, *rest: asked.append(len(graph.nodes)) or kept(graph, *rest)
        counts = []
        for n in (100, 400):
            asked.clear()
            f = rounds(n)
            counts.append(sum(asked))
            y = numpy.longdouble(1.001)
            for _ in range(n - 1):
                y = numpy.sin(y) + numpy.longdouble(1.001)
            assert abs(float(f.at(1.001, "1e-9").mid) - float(y)) < 1e-8
    finally:
        _point.function = kept
    # 4 times as many rounds, and 16 times as many nodes if each asked for all that came before it
    assert 3.9 * counts[0] < counts[1] < 4.2 * counts[0], counts


def test_infinities_that_only_mask():
    f = smoothish.from_jax(lambda x: nn.logsumexp(jnp.where(jnp.array([True, False, True]), x, -jnp.inf)), jnp.ones(3))
    assert f(0.0, 5.0, 0.0).overlaps(smoothish.eval("log 2", "1e-9"))
    assert F(1, 2) in f.gradient_at((0, 5, 0), "1e-9")[0]


def test_what_is_not_supported_is_named_with_its_place():
    callback = lambda x: jax.pure_callback(lambda y: y, jax.ShapeDtypeStruct((), jnp.float64), x)
    cases = [
        (lambda x: lax.erf_inv(x), 0.5, "`erf_inv` has no meaning"),
        (callback, 1.0, "`pure_callback`"),
        (lambda x: lax.while_loop(lambda y: y < 10, lambda y: 2 * y, x), 1.25, "on its border"),
        (lambda x: lax.while_loop(lambda y: y < 9, lambda y: y + 1e-3, x), 1.0, "more than 1000 rounds"),
        (lambda x: jnp.exp(1j * x), 1.0, "the value is complex"),
        (lambda x: jnp.log(1j * x).real, 1.0, "`log` of complex numbers"),
        (lambda x: jnp.real(jnp.fft.fft(x * jnp.ones(65)))[0], 1.0, "at most 64"),
        (lambda x: jnp.copysign(x, jnp.float64(0) * 1), 1.0, "the sign of a zero"),
        (lambda x: jnp.frexp(x)[0], 1.0, "audited near x"),
        (lambda x: x * (x * 100.5).astype(jnp.int8), 1.0, "int8, which wrap"),
        (lambda x: x * jnp.nan, 1.0, "nan"),
        (lambda x: x + jnp.inf, 1.0, "inf"),
        (lambda x: jnp.arange(3.0)[(x * 2).astype(int)], 1.0, "depends on x by rounding"),
        (lambda x: jnp.linalg.qr(x)[1][0, 0], jnp.eye(5), "audited near x"),
        (lambda x: jnp.sum(x * jnp.arange(2.0**21)), 1.0, "2097152"),
    ]
    for f, x, message in cases:
        with pytest.raises(smoothish.UnsupportedError, match=message) as caught:
            smoothish.from_jax(f, x)
        assert message in ("nan", "inf", "the value is complex") or "test_jax.py" in str(caught.value), str(caught.value)
    for wrong in [1, jnp.array([True]), 1j]:
        with pytest.raises(smoothish.UnsupportedError, match="real arguments"):
            smoothish.from_jax(lambda x: x, wrong)
    with pytest.raises(ValueError, match="no point"):
        smoothish.from_jax(lambda x: x, jnp.nan)
    # what JAX cannot trace, it says itself
    with pytest.raises(jax.errors.ConcretizationTypeError):
        smoothish.from_jax(lambda x: x if x > 0 else -x, 1.0)


def test_random_numbers_are_those_of_the_trace():
    f = smoothish.from_jax(lambda x: x * jax.random.uniform(jax.random.key(0), dtype=jnp.float32), 1.0)
    assert F(float(jax.random.uniform(jax.random.key(0), dtype=jnp.float32))) in f.at(1, "1e-30")


def test_masked_entries_are_refused():
    masked = {"a": numpy.ma.array([1.0, 2.0], mask=[0, 1])}
    total = lambda x: jnp.sum(x["a"] ** 2)
    with pytest.raises(ValueError, match="masked"):
        smoothish.from_jax(total, masked)
    with pytest.raises(ValueError, match="masked"):
        smoothish.audit(total, masked)
    with pytest.raises(ValueError, match="masked"):
        smoothish.audit(total, {"a": numpy.array([1.0, 2.0])}, {"a": numpy.ma.array([2.0, 4.0], mask=[0, 1])})
