"""Is it the rule, or rounding? Gradients of JAX whose programs are followed: true values by mpmath to 50 digits, in the comments."""

import pickle
import time
from fractions import Fraction as F

import pytest
import smoothish

jax = pytest.importorskip("jax")
jnp, lax, nn = jax.numpy, jax.lax, jax.nn


def single(*x):
    return jnp.asarray(x if len(x) > 1 else x[0], "float32")


def of_softmax(rule):
    """softmax with a rule of its own."""

    @jax.custom_jvp
    def softmax(x):
        e = jnp.exp(x - x.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)

    softmax.defjvp(lambda x, t: (softmax(x[0]), rule(softmax(x[0]), t[0])))
    return softmax


@jax.custom_jvp
def tanh(x):
    return jnp.tanh(x)


tanh.defjvp(lambda x, t: (tanh(x[0]), 1.0005 * (1 - tanh(x[0]) ** 2) * t[0]))
right_softmax = of_softmax(lambda y, t: y * t - y * (y * t).sum(-1, keepdims=True))
without_sum = of_softmax(lambda y, t: y * (1 - y) * t)
# off by a millionth in one term
nearly_right = of_softmax(lambda y, t: y * t - (1 + 1e-6) * y * (y * t).sum(-1, keepdims=True))


def layer_norm(v):
    mean = v.mean()
    return ((v - mean) / jnp.sqrt(((v - mean) ** 2).mean() + 0.125))[0]


def descent(rate):
    return lax.fori_loop(0, 50, lambda _, w: w - rate * jax.grad(lambda w: (w - 3.0) ** 4 / 4 + w**2)(w), 0.5)


def newton(x):
    return lax.while_loop(lambda y: jnp.abs(y * y - x) >= 1e-3, lambda y: (y + x / y) / 2, x)


KNOTS = lambda x: jnp.interp(x, single(0, 1, 2), single(0, 4, 2))
STOPPED = lambda x: x * lax.stop_gradient(x)

# function, point, claim or None for that of JAX, true value of the first coordinate, verdict, cause or level, rules
ROWS = {
    "softmax": (lambda x: nn.softmax(x)[0], single(0.5, -1, 3), None, "0.069031059988348963478", "CERTIFIED_IN", "ulps", "right"),
    "softmax by its rule": (
        lambda x: right_softmax(x)[0], single(0.5, -1, 3), None, "0.069031059988348963478", "CERTIFIED_IN", "ulps", "right",
    ),
    "softmax without its sum": (
        lambda x: without_sum(x)[0], single(0.5, -1, 3), None, "0.069031059988348963478", "CERTIFIED_OUT", "rule", "refuted",
    ),
    "softmax that is nearly right": (
        lambda x: nearly_right(x)[0], single(0.5, -1, 3), None, "0.069031059988348963478", "CERTIFIED_IN", "ulps", "refuted",
    ),
    "softmax of a shift": (
        lambda b: jnp.vdot(nn.softmax(single(0.1, 0.7, -0.4) + b), single(1, 2, 5)), single(0.3), None, "0", "CERTIFIED_IN", "sums", "right",
    ),
    "layer norm": (layer_norm, single(1, 2, 4), None, "0.24225446447863686786", "CERTIFIED_IN", "ulps", "right"),
    # at float32(1e-3), where float32 has 46.3
    "1 - cos": (lambda x: (1 - jnp.cos(x)) / x**2, single(1e-3), None, "-0.0000833333317358980770788", "ROUNDED", "rounding", "right"),
    # at float32(1e-4)
    "exp - 1": (lambda x: (jnp.exp(x) - 1) / x, single(1e-4), None, "0.50003333458252453337", "ROUNDED", "rounding", "right"),
    # exp(-40), where float32 has 0
    "expm1": (jnp.expm1, single(-40), None, "4.2483542552915889953e-18", "ROUNDED", "rounding", "right"),
    # at float32(0.3)
    "tanh": (tanh, single(0.3), None, "0.91513695547060581603", "CERTIFIED_OUT", "rule", "refuted"),
    # √½ in it and 2/√π in its rule are float32: x/2·erfc(-cx)
    "gelu": (lambda x: nn.gelu(x, approximate=False), single(0.7), None, "0.97661408986429438017", "CERTIFIED_IN", "ulps", "right"),
    "stop_gradient": (STOPPED, single(2), None, "4", "CERTIFIED_OUT", "stop_gradient", "refuted"),
    "descent": (descent, single(0.01), None, "3.6852969664431795287", "CERTIFIED_IN", "ulps", "right"),
    "relus": (lambda x: nn.relu(x) - nn.relu(-x), single(0), None, "1", "CERTIFIED_OUT", "kink", "refuted"),
    "kinks": (lambda v: jnp.abs(jnp.abs(v[0]) - jnp.abs(v[1])), single(0, 0), [1.0, 0.0], "1", "CERTIFIED_IN", "ulps", None),
    "beyond kinks": (lambda v: jnp.abs(jnp.abs(v[0]) - jnp.abs(v[1])), single(0, 0), [1.1, 0.0], "1", "CERTIFIED_OUT", "unexplained", None),
    "a jump": (lambda v: jnp.where(v[0] > 0, v[1], 0.0), single(0, 0), [0.0, 0.0], None, "UNKNOWN", None, None),
    # ∂f is the unit disc
    "norm": (lambda v: jnp.linalg.norm(v), single(0, 0), None, None, "CERTIFIED_OUT", "nan", None),
    # 1/(2·float32(1e-10))
    "angle": (lambda v: jnp.arctan2(v[0], v[1]), single(1e-10, 1e-10), None, "4999999933.2428410912", "CERTIFIED_IN", "ulps", "right"),
    "mod": (lambda v: jnp.mod(v[0], v[1]), single(0.5, 0.3), None, "1", "CERTIFIED_IN", "ulps", "right"),
    "hessian": (lambda v: jax.grad(nn.logsumexp)(v)[0], single(0, 1), None, "0.19661193324148185254", "CERTIFIED_IN", "ulps", "right"),
    # three rounds from 2
    "newton": (newton, single(2), 0.35356593617839293, "0.35356593617839292580", "CERTIFIED_IN", "ulps", None),
    # Clarke's set is [-2, 4]
    "interp": (KNOTS, single(1), 5.0, "3", "CERTIFIED_OUT", "unexplained", None),
    "interp of JAX": (KNOTS, single(1), None, "3", "CERTIFIED_IN", "ulps", "right"),
    # at float32(0.3) in float32(0.5)·log(…)
    "relative entropy": (
        lambda x: jax.scipy.special.rel_entr(x, single(0.3)), single(0.5), None, "1.5108255840295616224", "CERTIFIED_IN", "ulps", "right",
    ),
    "numbers that are numbers": (jnp.nan_to_num, single(2), None, "1", "CERTIFIED_IN", "ulps", "right"),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_rows(name):
    f, x, claim, true, verdict, why, rules = ROWS[name]
    with jax.enable_x64(False):
        report = smoothish.audit(f, x, claim)
    assert (report.verdict, report.cause or report.level, report.rules) == (verdict, why, rules), report
    if true is not None:
        known = report.set[0] if isinstance(report.set, tuple) else report.set
        assert F(true) - abs(F(true)) / 10**18 <= known.hi and known.lo <= F(true) + abs(F(true)) / 10**18, report


def test_what_is_accepted():
    with jax.enable_x64(False):
        shift = ROWS["softmax of a shift"][:2]
        lossy = ROWS["1 - cos"][:2]
        nearly = ROWS["softmax that is nearly right"][:2]
        for f_and_x, accepted in [(shift, {"sums", "program", "rounded"}), (lossy, {"rounded"}), (nearly, {"ulps"})]:
            for accept in ("ulps", "sums", "program", "rounded"):
                try:
                    smoothish.check_grad(*f_and_x, accept=accept)
                except smoothish.GradientError:
                    assert accept not in accepted, accept
                else:
                    assert accept in accepted, accept
        report = smoothish.audit(*lossy)
        assert report.right is None and report.digits == 0 and report.allowed[0] > 46
        assert pickle.loads(pickle.dumps(report)) == report
        assert smoothish.check_grad(STOPPED, single(2), stop_gradient="constant").right
        # 4 and a half: within a half, and within an eighth of 4
        square = lambda x: x**2
        assert smoothish.audit(square, single(2), 4.5, atol=0.5).right and smoothish.audit(square, single(2), 4.5, rtol=0.125).right
        assert smoothish.audit(square, single(2), 4.5, atol=0.2, rtol=0.05).right is False
    for options, message in [({"accept": "all"}, "accept is one of"), ({"atol": -1.0}, "atol is"), ({"stop_gradient": "no"}, "stop_gradient is")]:
        with pytest.raises(ValueError, match=message):
            smoothish.check_grad("\\x => x", 0, 1.0, **options)


def test_arguments_and_whole_numbers():
    with jax.enable_x64(False):
        power = lambda x, n, y: jnp.sum(x) ** n * y["b"][0]
        arguments = (single(1, 2), 3, {"b": single(2, 5)})
        # 3·3²·2 and 3³
        report = smoothish.audit(power, arguments, argnums=(0, 2))
        assert report.right and report.claim == (54.0, 54.0, 27.0, 0.0)
        assert smoothish.audit(power, arguments, argnums=0).claim == (54.0, 54.0)
        report = smoothish.audit(power, arguments, (single(54, 54), {"b": single(1, 0)}), argnums=(0, 2))
        assert report.right is False and report.coordinate == "[1]['b'][0]" and report.reason.endswith("(coordinate [1]['b'][0])")
        for argnums, message in [(3, "argnums: 3, where there are 3 arguments"), ((0, 0), "each argument once"), ((), "each argument once")]:
            with pytest.raises(ValueError, match=message):
                smoothish.audit(power, arguments, argnums=argnums)
        # whole numbers are constants
        report = smoothish.audit(lambda p: p["x"] * p["n"], {"x": single(2), "n": jnp.int32(7)})
        assert report.right and report.claim == 7.0
        with pytest.raises(ValueError, match="whole numbers alone"):
            smoothish.audit(lambda n: n * 1.0, jnp.int32(7), 1.0)
        # what prints has no part in it
        printed = smoothish.audit(lambda x: (jax.debug.print("{}", x), x**2)[1], single(2))
        assert printed.right and any("left out" in note for note in printed.notes)


def test_special_functions_do_not_hang():
    with jax.enable_x64(False):
        start = time.monotonic()
        # e^0.5/0.5
        report = smoothish.audit(jax.scipy.special.expi, single(0.5))
        assert report.right and abs(report.set.mid - F("3.2974425414002562936973")) < F(1, 10**6), report
        assert time.monotonic() - start < 20
        # an exception of an equation says which it was
        with pytest.raises(smoothish.UnsupportedError, match="approx_top_k"):
            smoothish.audit(lambda x: lax.approx_max_k(x * jnp.arange(3.0), 1)[0].sum(), single(1))
        with pytest.raises(smoothish.LimitError, match="the time was up"):
            smoothish.audit(lambda x: lax.fori_loop(0, 30_000, lambda i, y: jnp.sin(y) + i * y, x), single(1), timeout=0.5)


def models(kind):
    """Healthy models of one type: a network, a norm, an attention, with their parameters."""
    key = jax.random.split(jax.random.key(0), 8)
    normal = lambda i, *shape: jax.random.normal(key[i], shape).astype(kind)
    rows, inputs, weights, tokens, targets = normal(0, 4, 3), normal(1, 3, 4), normal(2, 4), normal(3, 3, 2), normal(4, 3, 2)

    def network(p):
        hidden = nn.gelu(rows @ p["w"] + p["b"])
        return -jnp.sum(nn.log_softmax(hidden @ p["v"])[:, 1])

    def norm(p):
        x = inputs * p["x"]
        mean = x.mean(-1, keepdims=True)
        return jnp.sum(((x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + jnp.asarray(1e-3, kind))) @ weights)

    def attention(p):
        queries, keys = tokens @ p["q"], tokens @ p["k"] + p["bias"]
        return jnp.sum(nn.softmax(queries @ keys.T) @ tokens * targets)

    yield network, {"w": normal(5, 3, 4), "b": normal(6, 4), "v": normal(7, 4, 2)}
    yield norm, {"x": normal(5, 4)}
    yield attention, {"q": normal(5, 2, 2), "k": normal(6, 2, 2), "bias": normal(7, 2)}


@pytest.mark.parametrize("kind", ["float32", "bfloat16", "float16"])
def test_healthy_models_are_not_out(kind):
    with jax.enable_x64(False):
        # each of them costs a second to compile: a short format has two
        for f, parameters in list(models(kind))[kind != "float32" :]:
            subject = smoothish.Subject(f, parameters)
            report = subject.audit()
            assert report.rules == "right" and not any("not followed" in note for note in report.notes), report
            assert report.verdict in ("CERTIFIED_IN", "ROUNDED"), report
            assert kind != "float32" or report.right, report
            if kind == "float32":
                # by a tenth of a per cent and a thousandth it is another claim
                subject.grad = tuple(1.001 * claim + 1e-3 for claim in subject.grad)
                report = subject.audit()
                assert (report.verdict, report.cause) == ("CERTIFIED_OUT", "unexplained"), report
