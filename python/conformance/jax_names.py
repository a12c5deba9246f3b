"""The differentiable names of `jax.numpy`, `jax.nn`, `jax.scipy.special` and `jax.lax`, each with an input.

Left out are names for the same function (`absolute`, `acos` beside `arccos`), and what has no derivative: whole numbers, truth values, shapes,
constants, communication between devices. A function of several arguments has those that are differentiated by in one tuple.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
from jax import lax, nn
from jax.scipy import special as sp

if TYPE_CHECKING:
    from collections.abc import Callable

X = jnp.array([0.3, -0.7, 1.2])
P = jnp.array([0.4, 1.7, 2.6])
U = jnp.array([0.2, 0.55, -0.8])
V = jnp.array([1.5, 0.25, -0.5])
M = jnp.array([[2.0, 1.0, 0.5], [1.0, 3.0, -0.75], [0.25, -0.5, 4.0]])
A = jnp.array([[1.5, -0.5, 0.75], [0.25, 2.0, -1.0]])
I = jnp.array([2, 0, 0])
IMAGE = (jnp.arange(16.0).reshape(1, 1, 4, 4) * 7 % 5 - 2.25) / 3
KERNEL = jnp.array([[[[0.5, -1.0], [0.25, 2.0]]]])
SEQUENCE = (jnp.arange(24.0).reshape(1, 3, 2, 4) * 5 % 7 - 3.25) / 4


def together(*names: str, of: Any, at: Any) -> dict[str, tuple[Callable[..., Any], Any]]:
    """Functions of one argument, at one point."""
    return {name: (getattr(of, name), at) for name in names}


def pairs(*names: str, of: Any, at: Any = (P, V)) -> dict[str, tuple[Callable[..., Any], Any]]:
    """Functions of two arguments, at one pair."""
    return {name: (lambda x, f=getattr(of, name): f(*x), at) for name in names}


NUMPY: dict[str, tuple[Callable[..., Any], Any]] = {
    **together(
        "abs", "arctan", "arcsinh", "cbrt", "ceil", "cos", "cosh", "deg2rad", "exp", "exp2", "expm1", "fabs", "floor", "negative", "positive", "rad2deg", "real", "reciprocal", "rint", "round", "sign", "sin", "sinc", "sinh", "square", "tan", "tanh",
        "trunc", "i0", "nan_to_num", "conj", "angle", of=jnp, at=X,
    ),
    **together("log", "log10", "log1p", "log2", "sqrt", of=jnp, at=P),
    **together("arccos", "arcsin", "arctanh", of=jnp, at=U),
    "arccosh": (jnp.arccosh, P + 1),
    **pairs("add", "arctan2", "copysign", "divide", "fmax", "fmin", "heaviside", "hypot", "logaddexp", "logaddexp2", "maximum", "minimum", "multiply",
            "subtract", "float_power", "power", "fmod", "mod", "remainder", "floor_divide", of=jnp),
    "divmod": (lambda x: jnp.divmod(x[0], x[1])[1], (P, V)),
    "modf": (lambda x: jnp.modf(x)[0], P),
    "frexp": (lambda x: jnp.frexp(x)[0], P),
    "ldexp": (lambda x: jnp.ldexp(x, jnp.array([1, -2, 3])), X),
    "clip": (lambda x: jnp.clip(x, -0.5, 0.75), X),
    "where": (lambda x: jnp.where(x > 0, x**2, jnp.sin(x)), X),
    "select": (lambda x: jnp.select([x > 1, x > 0], [x**2, jnp.exp(x)], -x), X),
    "piecewise": (lambda x: jnp.piecewise(x, [x < 0, x >= 0], [lambda v: -v, lambda v: v**2]), X),
    "choose": (lambda x: jnp.choose(jnp.array([1, 0, 1]), [x, x**2], mode="clip"), X),
    "interp": (lambda x: jnp.interp(x[0], jnp.array([-1.0, 0.0, 2.0]), x[1]), (X, V)),
    # reductions
    **together("sum", "mean", "prod", "max", "min", "std", "var", "median", "ptp", "nansum", "nanmean", "nanprod", "nanmax", "nanmin", "nanstd", "nanvar",
               "nanmedian", "average", "trapezoid", of=jnp, at=A),
    "quantile": (lambda x: jnp.quantile(x, 0.3, axis=1), A),
    "percentile": (lambda x: jnp.percentile(x, 60.0), A),
    "nanquantile": (lambda x: jnp.nanquantile(x, 0.3), A),
    "nanpercentile": (lambda x: jnp.nanpercentile(x, 60.0), A),
    **together("cumsum", "cumprod", "nancumsum", "nancumprod", "cumulative_sum", "cumulative_prod", "sort", "diff", "ediff1d", "gradient", "unwrap",
               of=jnp, at=X),
    "partition": (lambda x: jnp.partition(x, 1), X),
    "cov": (jnp.cov, A), "corrcoef": (jnp.corrcoef, A),
    "histogram": (lambda x: jnp.histogram(jnp.array([0.1, 0.6, 0.7]), bins=2, weights=x)[0], X),
    "bincount": (lambda x: jnp.bincount(I, weights=x, length=3), X),
    # products
    **pairs("dot", "inner", "outer", "vdot", "vecdot", "kron", "convolve", "correlate", "cross", "polymul", "polyadd", "polysub", of=jnp),
    "matmul": (lambda x: x[0] @ x[1], (A, M)), "matvec": (lambda x: jnp.matvec(x[0], x[1]), (A, V)), "vecmat": (lambda x: jnp.vecmat(x[0], x[1]), (V, M)),
    "tensordot": (lambda x: jnp.tensordot(x[0], x[1], axes=1), (A, M)), "einsum": (lambda x: jnp.einsum("ij,jk,k->i", x[0], x[1], x[1][0]), (A, M)),
    "polyval": (lambda x: jnp.polyval(x[0], x[1]), (P, X)), "polyder": (jnp.polyder, P), "polyint": (jnp.polyint, P),
    "poly": (jnp.poly, P), "vander": (jnp.vander, X), "polyfit": (lambda x: jnp.polyfit(jnp.arange(3.0), x, 1), X),
    "polydiv": (lambda x: jnp.polydiv(x[0], x[1])[0], (P, V)),
    "trace": (jnp.trace, M),
    # places
    **together("ravel", "flip", "flipud", "squeeze", "diag", "diagflat", "atleast_2d", "copy", of=jnp, at=X),
    **together("transpose", "diagonal", "tril", "triu", "fliplr", "rot90", "matrix_transpose", "asarray", of=jnp, at=M),
    "reshape": (lambda x: x.reshape(3, 2), A), "swapaxes": (lambda x: jnp.swapaxes(x, 0, 1), A), "moveaxis": (lambda x: jnp.moveaxis(x, 0, 1), A),
    "roll": (lambda x: jnp.roll(x, 1), X), "repeat": (lambda x: jnp.repeat(x, 2), X), "tile": (lambda x: jnp.tile(x, 2), X),
    "take": (lambda x: jnp.take(x, I), X), "take_along_axis": (lambda x: jnp.take_along_axis(x, jnp.argsort(x), 0), X),
    "put": (lambda x: jnp.put(x, I[:2], 2.0, inplace=False), X), "put_along_axis": (lambda x: jnp.put_along_axis(x, I[:1], 2.0, 0, inplace=False), X),
    "pad": (lambda x: jnp.pad(x, 2, mode="reflect"), X), "insert": (lambda x: jnp.insert(x, 1, 2.0), X), "delete": (lambda x: jnp.delete(x, 1), X),
    "append": (lambda x: jnp.append(x, x**2), X), "concatenate": (lambda x: jnp.concatenate([x, x**2]), X), "stack": (lambda x: jnp.stack([x, x**2]), X),
    "hstack": (lambda x: jnp.hstack([x, x]), X), "vstack": (lambda x: jnp.vstack([x, x]), X), "block": (lambda x: jnp.block([[x], [x]]), A),
    "split": (lambda x: jnp.split(x, 3)[1], X), "broadcast_to": (lambda x: jnp.broadcast_to(x, (2, 3)), X), "meshgrid": (lambda x: jnp.meshgrid(x, x)[0], X),
    "expand_dims": (lambda x: jnp.expand_dims(x, 0), X), "compress": (lambda x: jnp.compress(jnp.array([True, False, True]), x, size=2), X),
    "extract": (lambda x: jnp.extract(jnp.array([True, False, True]), x, size=2), X), "resize": (lambda x: jnp.resize(x, (2, 2)), X),
    "fill_diagonal": (lambda x: jnp.fill_diagonal(x, 2.0, inplace=False), M), "searchsorted": (lambda x: x[jnp.searchsorted(jnp.array([0.0, 1.0]), x)], X),
    "apply_along_axis": (lambda x: jnp.apply_along_axis(jnp.cumsum, 1, x), A), "vectorize": (lambda x: jnp.vectorize(jnp.sin)(x), X),
    "linspace": (lambda x: jnp.linspace(x[0], x[1], 4), (P, V)), "logspace": (lambda x: jnp.logspace(x[0], x[1], 3), (P, V)),
    "geomspace": (lambda x: jnp.geomspace(x[0], x[1], 3), (P, P + 1)),
    # with complex numbers in between
    "fft.fft": (lambda x: jnp.abs(jnp.fft.fft(x)) ** 2, X), "fft.rfft": (lambda x: jnp.real(jnp.fft.rfft(x)), X),
    "fft.irfft": (lambda x: jnp.fft.irfft(jnp.fft.rfft(x) * 2, 3), X),
    # linear algebra
    "linalg.det": (jnp.linalg.det, M), "linalg.slogdet": (lambda x: jnp.linalg.slogdet(x)[1], M), "linalg.inv": (jnp.linalg.inv, M),
    "linalg.solve": (lambda x: jnp.linalg.solve(x[0], x[1]), (M, V)), "linalg.cholesky": (lambda x: jnp.linalg.cholesky(x @ x.T), M),
    "linalg.eigh": (lambda x: jnp.linalg.eigh(x + x.T)[1] ** 2, M), "linalg.eigvalsh": (lambda x: jnp.linalg.eigvalsh(x + x.T), M),
    "linalg.svd": (lambda x: jnp.linalg.svd(x, compute_uv=False), A), "linalg.qr": (lambda x: jnp.linalg.qr(x)[1], M), "linalg.pinv": (jnp.linalg.pinv, A),
    "linalg.norm": (jnp.linalg.norm, A), "linalg.lstsq": (lambda x: jnp.linalg.lstsq(x[0].T, x[1])[0], (A, V)), "linalg.cond": (jnp.linalg.cond, M),
    "linalg.matrix_power": (lambda x: jnp.linalg.matrix_power(x, 3), M), "linalg.multi_dot": (lambda x: jnp.linalg.multi_dot([x[0], x[1], x[1]]), (A, M)),
}  # fmt: skip

NN: dict[str, tuple[Callable[..., Any], Any]] = {
    **together(
        "celu", "elu", "gelu", "hard_sigmoid", "hard_silu", "hard_tanh", "leaky_relu", "log_sigmoid", "log_softmax", "logsumexp", "mish", "relu", "relu6",
        "selu", "sigmoid", "silu", "soft_sign", "softmax", "softplus", "sparse_plus", "sparse_sigmoid", "squareplus", "standardize", "identity", of=nn, at=X,
    ),
    "log1mexp": (nn.log1mexp, P), "logmeanexp": (nn.logmeanexp, X), "glu": (nn.glu, jnp.array([0.3, -0.7, 1.2, 0.5])),
    "dot_product_attention": (lambda x: nn.dot_product_attention(x, x * 0.5, x - 0.25), SEQUENCE),
}  # fmt: skip

SPECIAL: dict[str, tuple[Callable[..., Any], Any]] = {
    **together("digamma", "gammaln", "erf", "erfc", "erfcx", "exp1", "i0", "i0e", "i1", "i1e", "entr", "log_ndtr", "ndtr", "gamma", "expi", "spence",
               "dawsn", of=sp, at=P),
    **together("erfinv", of=sp, at=U), **together("logit", "ndtri", of=sp, at=jnp.abs(U)),
    "beta": (lambda x: sp.beta(*x), (P, P + 0.5)), "betaln": (lambda x: sp.betaln(*x), (P, P + 0.5)),
    "betainc": (lambda x: sp.betainc(2.5, 1.5, x), jnp.abs(U)), "gammainc": (lambda x: sp.gammainc(1.5, x), P),
    "gammaincc": (lambda x: sp.gammaincc(1.5, x), P), "xlogy": (lambda x: sp.xlogy(*x), (X, P)), "xlog1py": (lambda x: sp.xlog1py(*x), (X, P)),
    "kl_div": (lambda x: sp.kl_div(*x), (P, P + 0.5)), "rel_entr": (lambda x: sp.rel_entr(*x), (P, P + 0.5)), "multigammaln": (lambda x: sp.multigammaln(x, 2), P + 1),
    "polygamma": (lambda x: sp.polygamma(1, x), P), "zeta": (lambda x: sp.zeta(3.0, x), P), "poch": (lambda x: sp.poch(x, 2.0), P),
    "logsumexp": (sp.logsumexp, X), "log_softmax": (sp.log_softmax, X), "softmax": (sp.softmax, X), "factorial": (sp.factorial, P),
    "expn": (lambda x: sp.expn(2, x), P), "boxcox": (lambda x: sp.boxcox(x, 0.5), P), "boxcox1p": (lambda x: sp.boxcox1p(x, 0.5), P),
    "hyp1f1": (lambda x: sp.hyp1f1(1.5, 2.5, x), X), "hyp2f1": (lambda x: sp.hyp2f1(1.5, 0.5, 2.5, x), U / 2), "owens_t": (lambda x: sp.owens_t(x, 0.5), X),
    "fresnel": (lambda x: sp.fresnel(x)[0], X), "sici": (lambda x: sp.sici(x)[0], P), "comb": (lambda x: sp.comb(x, 2.0), P + 3),
    "bessel_jn": (lambda x: sp.bessel_jn(x, v=1), X), "sph_harm_y": (lambda x: jnp.real(sp.sph_harm_y(jnp.array([1]), jnp.array([0]), x[:1], x[1:2], n_max=1)), X),
}  # fmt: skip

LAX: dict[str, tuple[Callable[..., Any], Any]] = {
    **together("cbrt", "erf", "erfc", "logistic", "rsqrt", "lgamma", "digamma", "log1p", "sqrt", "reciprocal", "bessel_i0e", "bessel_i1e", of=lax, at=P),
    **pairs("atan2", "max", "min", "pow", "rem", "div", of=lax), "erf_inv": (lax.erf_inv, U), "integer_pow": (lambda x: lax.integer_pow(x, 3), X),
    "clamp": (lambda x: lax.clamp(-0.5, x, 0.75), X), "select": (lambda x: lax.select(x > 0, x, x**2), X), "select_n": (lambda x: lax.select_n(x > 0, x, x**2), X),
    "igamma": (lambda x: lax.igamma(1.5, x), P), "igammac": (lambda x: lax.igammac(1.5, x), P), "betainc": (lambda x: lax.betainc(2.5, 1.5, x), jnp.abs(U)),
    "cumsum": (lax.cumsum, X), "cumprod": (lax.cumprod, X), "cummax": (lax.cummax, X), "cummin": (lax.cummin, X), "cumlogsumexp": (lax.cumlogsumexp, X),
    "sort": (lax.sort, X), "top_k": (lambda x: lax.top_k(x, 2)[0], X), "approx_max_k": (lambda x: lax.approx_max_k(x, 2)[0], X),
    "sort_key_val": (lambda x: lax.sort_key_val(x, x**2)[1], X), "associative_scan": (lambda x: lax.associative_scan(jnp.multiply, x), X),
    "scan": (lambda x: lax.scan(lambda c, v: (jnp.sin(c) + v, c * v), 0.5, x)[1], X), "fori_loop": (lambda x: lax.fori_loop(0, 3, lambda i, c: jnp.sin(c) + i, x), X),
    "map": (lambda x: lax.map(jnp.sin, x), X), "cond": (lambda x: lax.cond(x[0] > 0, jnp.sin, jnp.cos, x), X), "switch": (lambda x: lax.switch(1, [jnp.sin, jnp.cos], x), X),
    "custom_root": (lambda x: lax.custom_root(lambda y: y**3 - x[2], 1.0, lambda f, y: lax.fori_loop(0, 30, lambda _, z: z - f(z) / (3 * z**2), y), lambda g, y: y / g(1.0)), X),
    "custom_linear_solve": (lambda x: lax.custom_linear_solve(lambda v: x[0] @ v, x[1], lambda mv, b: jnp.linalg.solve(x[0], b), lambda mv, b: jnp.linalg.solve(x[0].T, b)), (M, V)),
    "conv": (lambda x: lax.conv(x[0], x[1], (1, 1), "SAME"), (IMAGE, KERNEL)), "conv_transpose": (lambda x: lax.conv_transpose(x[0], x[1], (2, 2), "VALID", dimension_numbers=("NCHW", "OIHW", "NCHW")), (IMAGE, KERNEL)),
    "conv_general_dilated": (lambda x: lax.conv_general_dilated(x[0], x[1], (2, 1), [(1, 0), (0, 1)], rhs_dilation=(1, 2)), (IMAGE, KERNEL)),
    "conv_general_dilated_patches": (lambda x: lax.conv_general_dilated_patches(x, (2, 2), (1, 1), "VALID"), IMAGE),
    "conv_general_dilated_local": (lambda x: lax.conv_general_dilated_local(x[0], x[1], (2, 2), "VALID", (2, 2)), (IMAGE, jnp.ones((1, 4, 2, 2)))),
    "reduce_window max": (lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID"), IMAGE),
    "reduce_window sum": (lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 1, 2, 2), (1, 1, 1, 1), "SAME"), IMAGE),
    "reduce": (lambda x: lax.reduce(x, 1.0, lax.mul, (0,)), A), "reduce_sum": (lambda x: lax.reduce_sum(x, (0,)), A), "reduce_prod": (lambda x: lax.reduce_prod(x, (0,)), A),
    "reduce_max": (lambda x: lax.reduce_max(x, (0,)), A), "reduce_min": (lambda x: lax.reduce_min(x, (0,)), A), "reduce_precision": (lambda x: lax.reduce_precision(x, 8, 7), X),
    "gather": (lambda x: lax.gather(x, I[:, None], lax.GatherDimensionNumbers((), (0,), (0,)), (1,)), X),
    "scatter": (lambda x: lax.scatter(x[0], I[:2, None], x[1][:2], lax.ScatterDimensionNumbers((), (0,), (0,))), (X, V)),
    "scatter_add": (lambda x: lax.scatter_add(x[0], I[:, None], x[1], lax.ScatterDimensionNumbers((), (0,), (0,))), (X, V)),
    "scatter_mul": (lambda x: lax.scatter_mul(x[0], I[:2, None], x[1][:2], lax.ScatterDimensionNumbers((), (0,), (0,)), unique_indices=True), (X, V)),
    "scatter_max": (lambda x: lax.scatter_max(x[0], I[:2, None], x[1][:2], lax.ScatterDimensionNumbers((), (0,), (0,))), (X, V)),
    "dynamic_slice": (lambda x: lax.dynamic_slice(x, (1,), (2,)), X), "dynamic_update_slice": (lambda x: lax.dynamic_update_slice(x[0], x[1][:2], (1,)), (X, V)),
    "index_take": (lambda x: lax.index_take(x, (I,), (0,)), X), "batch_matmul": (lambda x: lax.batch_matmul(x[None], x[None]), M), "dot_general": (lambda x: lax.dot_general(x[0], x[1], (([1], [0]), ([], []))), (A, M)),
    "ragged_dot": (lambda x: lax.ragged_dot(x[0], jnp.stack([x[1], 2 * x[1]]), jnp.array([1, 1])), (A, M)),
    "complex": (lambda x: lax.real(lax.complex(x[0], x[1]) * lax.complex(x[1], x[0])), (X, V)), "conj": (lambda x: lax.imag(lax.conj(lax.complex(x[0], x[1]))), (X, V)),
    "fft": (lambda x: lax.real(lax.fft(lax.complex(x[0], x[1]), "FFT", (3,))), (X, V)), "stop_gradient": (lambda x: x * lax.stop_gradient(x), X),
    "linalg.lu": (lambda x: lax.linalg.lu(x)[0], M), "linalg.triangular_solve": (lambda x: lax.linalg.triangular_solve(x[0], x[1][:, None], left_side=True), (M, V)),
    "linalg.tridiagonal_solve": (lambda x: lax.linalg.tridiagonal_solve(x[0], x[0] + 3, x[1], x[1][:, None]), (P, V)),
}  # fmt: skip

NAMES: dict[str, tuple[Callable[..., Any], Any]] = {
    f"{module}.{name}": case for module, cases in (("numpy", NUMPY), ("nn", NN), ("special", SPECIAL), ("lax", LAX)) for name, case in cases.items()
}
