"""Functions of torch whose gradients are judged: layers, losses, indices, and some that are known to be answered wrongly.

Each has its arguments, and what must come: `right`, the cause of a claim that is out, or `rounded`; beside it stands why, where torch is not
right. What is drawn is the same each time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch.nn import functional as fn

if TYPE_CHECKING:
    from collections.abc import Callable

D = torch.float64
GENERATOR = torch.Generator().manual_seed(0)


class Case(NamedTuple):
    """A function of tensors, where it is differentiated, and what must be found of the answer of torch."""

    text: str
    f: Callable[..., Any]
    at: tuple[torch.Tensor, ...]
    found: str = "right"
    why: str = ""


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=D, generator=GENERATOR)


def double(x: Any) -> torch.Tensor:
    return torch.tensor(x, dtype=D)


torch.manual_seed(0)
X, W4, R, I = drawn(3, 4), drawn(4), drawn(1, 1, 3, 2), torch.tensor([2, 0, 2])
CELL, STATE = torch.nn.LSTMCell(2, 2).double(), (drawn(1, 2), drawn(1, 2))
ATTENTION = torch.nn.MultiheadAttention(2, 1, batch_first=True).double()
LAYER = torch.nn.TransformerEncoderLayer(4, 2, 4, batch_first=True, dropout=0.0).double()


def written_into(x: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    y[1:] = y[1:] * 2
    y[0] += y[1]
    y.mul_(x)
    return y.sum()


CASES = [
    Case("linear, relu", lambda w, b: fn.relu(fn.linear(X, w, b)).sum(), (drawn(2, 4), drawn(2))),
    Case("layer_norm", lambda x, g, b: (fn.layer_norm(x, (4,), g, b) ** 2 * W4).sum(), (drawn(2, 4), drawn(4), drawn(4))),
    Case("group_norm", lambda x: (fn.group_norm(x, 2) * torch.arange(8.0, dtype=D).reshape(1, 4, 2)).sum(), (drawn(1, 4, 2),)),
    Case("batch_norm, eval", lambda x: fn.batch_norm(x, torch.zeros(4, dtype=D), torch.ones(4, dtype=D), W4, W4).sum() ** 2, (drawn(2, 4),)),
    Case("batch_norm, training", lambda x: (fn.batch_norm(x, None, None, training=True) * W4).pow(2).sum(), (drawn(3, 4),)),
    Case("softmax", lambda x: (fn.softmax(x, -1) * W4).sum(), (drawn(2, 4),)),
    Case("log_softmax", lambda x: fn.log_softmax(x, -1)[:, 1].sum(), (drawn(2, 4),)),
    Case("cross_entropy", lambda x: fn.cross_entropy(x, torch.tensor([1, 3])), (drawn(2, 4),)),
    Case("logsumexp", lambda x: torch.logsumexp(x, 0).sum(), (drawn(3, 2),)),
    Case("attention", lambda q, k, v: (fn.scaled_dot_product_attention(q, k, v) * R).sum(), (drawn(1, 1, 3, 2), drawn(1, 1, 3, 2), drawn(1, 1, 3, 2))),
    Case("attention, causal", lambda q: fn.scaled_dot_product_attention(q, q, q, is_causal=True).sum() ** 2, (drawn(1, 1, 3, 2),)),
    Case("conv2d", lambda x, w: (fn.conv2d(x, w, padding=1) ** 2).sum(), (drawn(1, 1, 4, 4), drawn(1, 1, 3, 3))),
    Case("conv1d, strides and groups", lambda x, w: (fn.conv1d(x, w, stride=2, groups=2) ** 3).sum(), (drawn(1, 2, 5), drawn(2, 1, 2))),
    Case("conv_transpose1d", lambda x, w: (fn.conv_transpose1d(x, w, stride=2) ** 2).sum(), (drawn(1, 2, 3), drawn(2, 1, 2))),
    Case("max_pool2d", lambda x: fn.max_pool2d(x, 2).sum(), (drawn(1, 1, 4, 4),)),
    Case("max_pool2d, ties", lambda x: fn.max_pool2d(x, 2).sum(), (torch.zeros(1, 1, 2, 2, dtype=D),)),
    Case("avg_pool2d", lambda x: (fn.avg_pool2d(x, 2) ** 2).sum(), (drawn(1, 1, 4, 4),)),
    Case("adaptive_avg_pool2d", lambda x: (fn.adaptive_avg_pool2d(x, 1) ** 2).sum(), (drawn(1, 1, 4, 4),)),
    Case("embedding", lambda w: (fn.embedding(I, w) ** 2).sum(), (drawn(3, 2),)),
    Case("gather", lambda x: torch.gather(x, 0, I.reshape(3, 1))[:, 0].prod(), (drawn(3, 1),)),
    Case("an index", lambda x: (x[I] * X[:, 0]).sum() ** 2, (drawn(3),)),
    Case("operations in place", written_into, (drawn(3),)),
    Case("scatter_add", lambda x: (torch.zeros(3, dtype=D).scatter_add_(0, I, x) ** 2).sum(), (drawn(3),)),
    Case("scatter_reduce, amax", lambda x: torch.zeros(3, dtype=D).scatter_reduce(0, I, x, "amax").sum(), (drawn(3),)),
    Case("index_add", lambda x: (torch.zeros(3, dtype=D).index_add(0, I, x) ** 2).sum(), (drawn(3),)),
    Case("cumsum, flip", lambda x: (x.flip(0).cumsum(0) ** 2).sum(), (drawn(4),)),
    Case("cumprod of a zero", lambda x: x.cumprod(0).sum(), (double([0.0, 2.0, 3.0]),)),
    Case("prod of a zero", lambda x: x.prod(), (double([0.0, 2.0, 3.0]),)),
    Case("std, var", lambda x: x.std() + x.var(unbiased=False), (drawn(4),)),
    Case("vector_norm", torch.linalg.vector_norm, (drawn(3),)),
    Case("gelu by tanh", lambda x: fn.gelu(x, approximate="tanh").sum(), (drawn(3),)),
    Case("silu, mish, elu, selu", lambda x: (fn.silu(x) + fn.mish(x) + fn.elu(x) + fn.selu(x)).sum(), (drawn(3),)),
    Case("softplus, leaky_relu, hardtanh", lambda x: (fn.softplus(x) + fn.leaky_relu(x) + fn.hardtanh(x)).sum(), (drawn(3),)),
    Case("huber_loss, smooth_l1_loss", lambda x: fn.huber_loss(x, W4) + fn.smooth_l1_loss(x, W4), (drawn(4),)),
    Case("binary_cross_entropy_with_logits", lambda x: fn.binary_cross_entropy_with_logits(x, double([0.0, 1.0, 1.0, 0.0])), (drawn(4),)),
    Case("kl_div", lambda x: fn.kl_div(fn.log_softmax(x, 0), fn.softmax(W4, 0), reduction="sum"), (drawn(4),)),
    Case("cosine_similarity", lambda x: fn.cosine_similarity(x, W4, dim=0), (drawn(4),)),
    Case("a**b", lambda a, b: a**b, (double(1.3), double(-0.4))),
    Case("0**b, at 1", lambda b: torch.tensor(0.0, dtype=D) ** b, (double(1.0),)),
    Case("remainder(-19, x), at 3", lambda x: torch.remainder(double(-19.0), x), (double(3.0),)),
    Case("fmod(-19, x), at 3", lambda x: torch.fmod(double(-19.0), x), (double(3.0),)),
    Case("dropout, eval", lambda x: fn.dropout(x, 0.5, False).sum() ** 2, (drawn(3),)),
    Case("pad, cat", lambda x: (fn.pad(x, (1, 2), value=2.0) * torch.cat([x, x])).sum(), (drawn(3),)),
    Case("masked_fill, tril", lambda x: (x.masked_fill(torch.tensor([True, False, False]), 7.0) * x.tril()[0]).sum(), (drawn(3, 3),)),
    Case("einsum", lambda a, b: torch.einsum("ij,jk->ki", a, b).pow(2).sum(), (drawn(2, 3), drawn(3, 2))),
    Case("max along an axis", lambda x: x.max(1)[0].sum(), (drawn(2, 3),)),
    Case("sort", lambda x: (x.sort()[0] * torch.arange(3.0, dtype=D)).sum(), (drawn(3),)),
    Case("det", torch.linalg.det, (drawn(2, 2),)),
    Case("a cell of an LSTM", lambda x: CELL(x, STATE)[0].sum(), (drawn(1, 2),)),
    Case("multi-head attention", lambda x: ATTENTION(x, x, x, need_weights=False)[0].sum() ** 2, (drawn(1, 3, 2),)),
    Case("a layer of a transformer", lambda x: LAYER(x).pow(3).sum(), (drawn(1, 2, 4),)),
    Case("relu, at 0", fn.relu, (double(0.0),)),
    Case("hardswish, at 3", fn.hardswish, (double(3.0),)),
    Case("lgamma + digamma, at 2.3", lambda x: torch.lgamma(x) + torch.digamma(x), (double(2.3),), "unexplained",
         "ψ' is 0.54253745866…, and torch has eight digits of it"),
    Case("hardsigmoid, at 1/2", fn.hardsigmoid, (double(0.5),), "unexplained", "1/6, of which torch has seven digits"),
    Case("where(x > 0, sqrt(x), x), at -1", lambda x: torch.where(x > 0, torch.sqrt(x), x), (double(-1.0),), "nan", "1, as it is x there"),
    Case("relu(x) - relu(-x)", lambda x: fn.relu(x) - fn.relu(-x), (double(0.0),), "kink", "1, as it is x"),
    Case("expm1, at -40", torch.expm1, (double(-40.0),), "rounded", "exp(-40), which torch computes as expm1(x) + 1"),
]  # fmt: skip
