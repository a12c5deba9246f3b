"""120 functions and modules of torch, each with its arguments. Modules are evaluated where they are random otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn import functional as fn

if TYPE_CHECKING:
    from collections.abc import Callable

D = torch.float64
torch.manual_seed(0)
torch.set_default_dtype(D)

X = torch.tensor([0.3, -0.7, 1.2])
P = torch.tensor([0.4, 1.7, 2.6])
U = torch.tensor([0.2, 0.55, -0.8])
V = torch.tensor([1.5, 0.25, -0.5])
M = torch.tensor([[2.0, 1.0, 0.5], [1.0, 3.0, -0.75], [0.25, -0.5, 4.0]])
A = torch.tensor([[1.5, -0.5, 0.75], [0.25, 2.0, -1.0]])
I = torch.tensor([2, 0, 0])
IMAGE = (torch.arange(16.0).reshape(1, 1, 4, 4) * 7 % 5 - 2.25) / 3
WORDS = (torch.arange(12.0).reshape(2, 3, 2) * 5 % 7 - 3.25) / 4
CLASSES = torch.tensor([2, 0])


def together(*names: str, of: Any, at: Any) -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Functions of one tensor, at one point."""
    return {name: (getattr(of, name), (at,)) for name in names}


def pairs(*names: str, of: Any) -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Functions of two tensors, at one pair."""
    return {name: (getattr(of, name), (P, V)) for name in names}


def module(made: nn.Module, *at: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A module as a function of its input."""
    made = made.double().eval()
    return (lambda *x: made(*x)), at


NAMES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    **together("abs", "atan", "asinh", "cos", "exp", "exp2", "expm1", "sigmoid", "sin", "sinc", "sinh", "square", "tan", "tanh", "erf", "erfc",
               "sgn", "frac", of=torch, at=X),
    **together("log", "log10", "log1p", "log2", "sqrt", "rsqrt", "reciprocal", "lgamma", "digamma", "i0", of=torch, at=P),
    **together("acos", "asin", "atanh", "erfinv", of=torch, at=U),
    **together("i0e", "i1", "i1e", "ndtr", "log_ndtr", "entr", "erfcx", "gammaln", of=torch.special, at=P), "logit": (torch.logit, (U.abs(),)),
    "ndtri": (torch.special.ndtri, (U.abs(),)), "zeta": (lambda x: torch.special.zeta(3.0, x), (P,)), "gammainc": (lambda x: torch.special.gammainc(torch.tensor(1.5), x), (P,)),
    "gammaincc": (lambda x: torch.special.gammaincc(torch.tensor(1.5), x), (P,)), "polygamma": (lambda x: torch.polygamma(1, x), (P,)),
    **pairs("add", "atan2", "copysign", "div", "fmax", "hypot", "logaddexp", "maximum", "mul", "pow", "fmod", "remainder", "xlogy", "dot", "outer", "cross", of=torch),
    "clamp": (lambda x: x.clamp(-0.5, 0.75), (X,)), "where": (lambda x: torch.where(x > 0, x**2, x.sin()), (X,)), "lerp": (lambda x, y: torch.lerp(x, y, 0.3), (X, V)),
    **together("sum", "mean", "prod", "amax", "std", "var", "median", "norm", of=torch, at=A), "logsumexp": (lambda x: x.logsumexp(1), (A,)),
    "quantile": (lambda x: x.quantile(0.3), (A,)), "cumsum": (lambda x: x.cumsum(0), (X,)), "cumprod": (lambda x: x.cumprod(0), (X,)), "sort": (lambda x: x.sort()[0], (X,)),
    "topk": (lambda x: x.topk(2)[0], (X,)), "einsum": (lambda x, y: torch.einsum("ij,jk->ik", x, y), (A, M)), "matmul": (torch.matmul, (A, M)), "cdist": (torch.cdist, (A, M)),
    "gather": (lambda x: x.gather(0, I), (X,)), "index_select": (lambda x: x.index_select(0, I), (X,)), "scatter_add": (lambda x, y: x.scatter_add(0, I, y), (X, V)),
    "cat": (lambda x, y: torch.cat([x, y]), (X, V)), "roll": (lambda x: x.roll(1), (X,)), "tril": (torch.tril, (M,)), "fft": (lambda x: torch.fft.fft(x).abs() ** 2, (X,)),
    "rfft": (lambda x: torch.fft.irfft(torch.fft.rfft(x) * 2, 3), (X,)), "det": (torch.linalg.det, (M,)), "slogdet": (lambda x: torch.linalg.slogdet(x)[1], (M,)), "inv": (torch.linalg.inv, (M,)),
    "solve": (torch.linalg.solve, (M, V)), "cholesky": (lambda x: torch.linalg.cholesky(x @ x.T), (M,)), "solve_triangular": (lambda x, y: torch.linalg.solve_triangular(x, y[:, None], upper=True), (M, V)),
    "qr": (lambda x: torch.linalg.qr(x)[1], (M,)), "eigh": (lambda x: torch.linalg.eigh(x + x.T)[1] ** 2, (M,)), "eigvalsh": (lambda x: torch.linalg.eigvalsh(x + x.T), (M,)), "svdvals": (torch.linalg.svdvals, (A,)),
    "pinv": (torch.linalg.pinv, (A,)), "matrix_exp": (torch.matrix_exp, (M / 4,)), "matrix_power": (lambda x: torch.linalg.matrix_power(x, 3), (M,)), "lstsq": (lambda x, y: torch.linalg.lstsq(x.T, y[:, None])[0], (A, V)),
    **together("relu", "relu6", "elu", "gelu", "silu", "mish", "softplus", "softsign", "hardtanh", "hardswish", "hardsigmoid", "logsigmoid", "leaky_relu", "selu", "celu", "tanhshrink", "hardshrink", "softshrink", of=fn, at=X),
    "softmax": (lambda x: x.softmax(0), (X,)), "log_softmax": (lambda x: x.log_softmax(0), (X,)), "glu": (fn.glu, (torch.tensor([0.3, -0.7, 1.2, 0.5]),)), "normalize": (fn.normalize, (A,)),
    **{name: (lambda x, y, f=getattr(fn, name): f(x, y), (X, V)) for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "poisson_nll_loss")},
    "cross_entropy": (lambda x: fn.cross_entropy(x, CLASSES), (A,)), "nll_loss": (lambda x: fn.nll_loss(x, CLASSES), (A,)), "bce_with_logits": (lambda x: fn.binary_cross_entropy_with_logits(x, (x > 0).double()), (X,)),
    "ctc_loss": (lambda x: fn.ctc_loss(x.log_softmax(2), torch.tensor([[1]]), torch.tensor([3]), torch.tensor([1])), (WORDS.reshape(3, 1, 4),)), "cosine_similarity": (lambda x, y: fn.cosine_similarity(x, y, 0), (X, V)),
    "triplet_margin_loss": (lambda x, y: fn.triplet_margin_loss(x[None], y[None], x[None] ** 2), (X, V)), "grid_sample": (lambda x: fn.grid_sample(x, torch.tensor([[[[0.1, 0.2], [-0.7, 0.3]]]]), align_corners=False), (IMAGE,)),
    "interpolate": (lambda x: fn.interpolate(x, size=(3, 5), mode="bilinear"), (IMAGE,)), "max_pool2d": (lambda x: fn.max_pool2d(x, 2), (IMAGE,)), "avg_pool2d": (lambda x: fn.avg_pool2d(x, 2), (IMAGE,)),
    "pad": (lambda x: fn.pad(x, (1, 1, 2, 0), mode="reflect"), (IMAGE,)), "scaled_dot_product_attention": (lambda x: fn.scaled_dot_product_attention(x, x * 0.5, x - 0.25), (WORDS,)),
    "Linear": module(nn.Linear(3, 2), A), "Bilinear": module(nn.Bilinear(3, 3, 2), A, A + 1), "Conv1d": module(nn.Conv1d(3, 2, 2), WORDS), "Conv2d": module(nn.Conv2d(1, 2, 2), IMAGE),
    "ConvTranspose2d": module(nn.ConvTranspose2d(1, 1, 2), IMAGE), "LayerNorm": module(nn.LayerNorm(3), A), "RMSNorm": module(nn.RMSNorm(3), A), "GroupNorm": module(nn.GroupNorm(1, 3), WORDS), "BatchNorm1d": module(nn.BatchNorm1d(3), A),
    "RNN": module(nn.RNN(2, 2), WORDS), "LSTM": (lambda x, made=nn.LSTM(2, 2).double(): made(x)[0], (WORDS,)), "GRU": (lambda x, made=nn.GRU(2, 2).double(): made(x)[0], (WORDS,)),
    "MultiheadAttention": (lambda x, made=nn.MultiheadAttention(2, 1).double().eval(): made(x, x, x)[0], (WORDS,)), "TransformerEncoderLayer": module(nn.TransformerEncoderLayer(2, 1, 3), WORDS), "Embedding": (lambda w: fn.embedding(I, w), (M,)),
}  # fmt: skip
# modules with several values answer the first of them
NAMES["RNN"] = (lambda x, made=NAMES["RNN"][0]: made(x)[0], (WORDS,))
