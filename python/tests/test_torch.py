"""Functions of torch, where it is installed: what is read from a trace is what torch computes, and claims are judged rightly."""

import math
import pickle
import time
from fractions import Fraction as F

import numpy
import pytest
import smoothish

torch = pytest.importorskip("torch")

from smoothish._audit import checked  # noqa: E402
from smoothish._forms import function  # noqa: E402
from smoothish._torch import Arguments, Traced  # noqa: E402
from smoothish.torch import audit, check_grad, check_jacobian, check_module  # noqa: E402

nn, fn = torch.nn, torch.nn.functional
D = torch.float64
L = torch.tensor
PERMUTED = L([2, 0, 1])
WITH_ZEROS = L([-0.0, 0.0, -2.0, 3.0], dtype=D)


def drawn(*shapes, seed=3, low=None):
    """Normal numbers, or uniform ones from `low` on."""
    generator = torch.Generator().manual_seed(seed)
    make = torch.randn if low is None else torch.rand
    return [make(shape, dtype=D, generator=generator) + (low or 0) for shape in shapes]


def by_name(module, names, low=None):
    return {f"{name}": (lambda x, f=getattr(module, name): f(x), drawn((4,), low=low)) for name in names.split()}


def normal(*shapes):
    return drawn(*shapes)


def positive(*shapes):
    return drawn(*shapes, low=0.1)


def in_place(x):
    y = x.clone()
    y[1:] = y[1:] * 2
    y[0] += y[1]
    y.mul_(x)
    return y


def in_place_by_views(x):
    y = x * 1
    y.view(-1)[::2].add_(1)
    y.t_().mul_(x)
    y[:, 0].copy_(x[0])
    y.diagonal().fill_(2.0)
    return y


def in_place_by_masks(x):
    y = x.clone()
    y[y < 0] = 0.5
    return y * x


torch.manual_seed(1)
lstm, gru, rnn = nn.LSTM(2, 2).double(), nn.GRU(2, 1, 2, bidirectional=True).double(), nn.RNN(2, 2).double()
attention = nn.MultiheadAttention(2, 1, batch_first=True).double()
encoder = nn.TransformerEncoderLayer(4, 2, 4, batch_first=True, dropout=0.0).double()
decoder = nn.TransformerDecoderLayer(4, 2, 4, batch_first=True, dropout=0.0).double()
cell = nn.LSTMCell(2, 2).double()

CASES = {
    **by_name(torch, "neg abs exp exp2 expm1 sin cos tan sinh cosh tanh atan asinh erf erfc sigmoid square sign sgn relu reciprocal"),
    **by_name(torch, "floor ceil round trunc frac positive deg2rad sinc nansum diff trapezoid"),
    **by_name(torch, "log log2 log10 log1p sqrt rsqrt lgamma digamma", low=0.1),
    "asin": (lambda x: torch.asin(x / 2) + torch.acos(x / 2) + torch.atanh(x / 2) + torch.acosh(x + 1), positive((3,))),
    **by_name(fn, "gelu silu mish elu selu celu leaky_relu hardtanh hardswish softplus softsign tanhshrink softshrink hardshrink"),
    **by_name(fn, "logsigmoid relu6 glu"),
    "activations": (
        lambda x, w: fn.gelu(x, approximate="tanh") + fn.threshold(x, 0.1, 20.0) + fn.prelu(x, w), normal((2, 3), (3,))
    ),
    # two arguments
    "alpha": (
        lambda x, y: torch.add(x, y, alpha=2.5) * torch.sub(x, y, alpha=0.5) + torch.rsub(x, y, alpha=3) - (2.5 - x), normal((3,), (3,))
    ),
    "quotients": (
        lambda x, y: x / y + torch.div(x, y, rounding_mode="floor") * x + torch.div(x, y, rounding_mode="trunc") * y, positive((3,), (3,))
    ),
    "remainders": (lambda x, y: torch.remainder(3 * x, y) + torch.fmod(3 * x, y), normal((4,), (4,))),
    "angles": (lambda x, y: torch.atan2(x, y) + torch.hypot(x, y), normal((4,), (4,))),
    "signs": (lambda x, y: torch.copysign(x, y) + torch.copysign(x, WITH_ZEROS) + torch.copysign(x, -0.0), normal((4,), (4,))),
    "interpolation": (
        lambda x, y, z: torch.lerp(x, y, z) + torch.addcmul(x, y, z, value=0.3) + torch.addcdiv(x, y, z, value=0.3), normal((3,), (3,), (3,))
    ),
    "extremes of two": (
        lambda x, y: torch.maximum(x, y) + 2 * torch.fmin(x, y) + torch.minimum(x, y) * torch.fmax(x, y), normal((3,), (3,))
    ),
    "clamp": (lambda x: torch.clamp(x, -0.5, 0.7) + x.clamp(min=0.1) + x.clamp_max(0.2) + x.clamp(max=L(0.1, dtype=D)), normal((5,))),
    "logarithms": (
        lambda x, y: torch.logaddexp(x, y) + torch.logaddexp2(x, y) + torch.xlogy(x, y) + torch.special.xlog1py(x, y), positive((3,), (3,))
    ),
    "powers": (lambda x: x**2 + x**3.0 + torch.pow(x, 4) + torch.float_power(x, 2) + 2.0**x + torch.ldexp(x, L([1, 2, -3])), normal((3,))),
    "other powers": (lambda x, y: x**-1 + x**-0.5 + x**0.3 + x**y + torch.pow(L(1.5, dtype=D), y), positive((3,), (3,))),
    "special": (lambda x: torch.special.expit(x) + torch.special.ndtr(x) + torch.logit(x / 2), positive((3,))),
    "types": (lambda x: x * L([1, 2, 3]) + (3 * x).long() * x + (3 * x).int().double() + x.float().double() * 0, normal((3,))),
    # conditions
    "where": (lambda x: torch.where((x > 0) & ~(x > 1) | (x < -1.5), x**2, 3 * x) + torch.where(torch.logical_xor(x > 0, x > 0.5), x, 1.0), normal((6,))),
    "masks": (lambda x: (x > 0).double() * x + (x > 0) * x + x.masked_fill(x > 0, 0.3) * x + (x > 0).sum() * x, normal((5,))),
    "all": (lambda x: torch.where((x > 0).any(), x, 2 * x) + torch.where((x > -3).all(), x, 2 * x), normal((4,))),
    "finite": (lambda x: torch.where(torch.isfinite(x), x, 0.0) * torch.nan_to_num(x) + torch.where(x.isnan() | x.isinf(), 0.0, x), normal((3,))),
    # reductions
    "sum": (lambda x: x.sum() + x.sum(0).prod() + x.sum((0, 1), keepdim=True).sum() + x.mean() + x.mean((0,), keepdim=True).sum(), normal((2, 3))),
    "prod": (lambda x: x.prod() + x.prod(1) + x.cumprod(0).sum(), normal((2, 3))),
    "extremes": (
        lambda x: x.amax(1) * x.amin(1) + x.max() - x.min() + x.max(1)[0] + x.min(1, keepdim=True)[0].sum() + x.aminmax(dim=1)[0], normal((2, 3))
    ),
    "places": (lambda x: x[x.argmax()] * x.argmin() + x.max(0)[1] * x + x.sort()[1] * x + x[x.argsort()[:2]].prod(), normal((3,))),
    "places along": (lambda x: torch.gather(x, 1, x.argmax(1, keepdim=True)), normal((2, 3))),
    "variance": (
        lambda x: x.var() + x.std(1) + x.var(0, unbiased=False).sum() + torch.var_mean(x, 1)[0] + torch.std_mean(x, 1, correction=0)[0]
        + torch.var(x, 1, correction=2), normal((2, 3))
    ),
    "norms": (
        lambda x: x.norm() + x.norm(p=1) + x.norm(p=3) + x.norm(p=math.inf) + x.norm(dim=1) + torch.linalg.vector_norm(x, -math.inf)
        + torch.linalg.matrix_norm(x, 1) + x.norm(p=0) * x.sum(), normal((2, 3))
    ),
    "softmax": (lambda x: x.softmax(1) * x.log_softmax(0) + fn.softmin(x, 1) + x.logsumexp((0, 1)), normal((2, 3))),
    "cumulative": (lambda x: x.cumsum(1) + x.logcumsumexp(1) + x.cummax(1)[0] - x.cummin(0)[0], normal((2, 3))),
    "sorted": (lambda x: x.sort()[0] * torch.arange(4.0, dtype=D) + x.sort(descending=True)[0] ** 2 + x.topk(2, largest=False)[0].prod(), normal((4,))),
    "middle": (lambda x: x.median() + x.median(1)[0] + x.kthvalue(2, 1)[0] + x.quantile(0.3), normal((2, 3))),
    # products
    "matrices": (lambda a, b: a @ b + torch.addmm(a @ b, a, b, alpha=0.5, beta=2) + torch.addmm(a @ b, a, b, beta=0), normal((2, 3), (3, 2))),
    "stacks": (lambda a, b: a @ b + torch.baddbmm(a @ b, a, b, alpha=0.5) + torch.addbmm(a[0] @ b[0], a, b), normal((2, 2, 3), (2, 3, 2))),
    "vectors": (lambda a, b: a @ b + torch.addmv(b[:2], a, b, alpha=2.0) + torch.outer(b, b).sum() + torch.dot(b, b) + b.vdot(b), normal((2, 3), (3,))),
    "einsum": (lambda a, b: torch.einsum("bij,bjk->ki", a, b) + torch.tensordot(a[0], b[0], dims=1).T, normal((2, 3, 2), (2, 2, 1))),
    "distances": (lambda a, b: torch.cdist(a, b).sum() + fn.pdist(b) + fn.pairwise_distance(a, b).sum() + fn.cosine_similarity(a, b).sum(), normal((3, 2), (3, 2))),
    "bilinear": (lambda a, b, w: fn.bilinear(a, b, w), normal((2, 2), (2, 3), (2, 2, 3))),
    "linear algebra": (
        lambda a, b: torch.linalg.det(a) + torch.linalg.slogdet(a)[1] + torch.linalg.inv(a) + torch.linalg.solve(a, b) + torch.linalg.cholesky(a @ a.T)
        + torch.linalg.solve_triangular(a.tril(), b[:, None], upper=False) + torch.linalg.matrix_power(a, 3) + torch.kron(a, a)[:3, :3], normal((3, 3), (3,))
    ),
    "solutions": (
        lambda a, b: torch.linalg.solve(torch.stack([a, a @ a]), b[:, None]).sum() + torch.linalg.solve(a, b[None], left=False)
        + torch.linalg.solve_triangular(a, b[None], upper=True, left=False) + torch.linalg.lu_solve(*torch.linalg.lu_factor(a), b[:, None])
        + torch.cholesky_solve(b[:, None], torch.linalg.cholesky(a @ a.T)) + torch.cholesky_inverse(torch.linalg.cholesky(a @ a.T, upper=True), upper=True)
        + torch.linalg.pinv(a[:, :2]).sum() + torch.linalg.det(torch.block_diag(a, a)), normal((3, 3), (3,))
    ),
    "factors": (
        lambda a: torch.linalg.qr(a)[0] * torch.linalg.qr(a)[1] + torch.linalg.lu(a)[2] * torch.linalg.lu(a)[1],
        normal((3, 3)),
    ),
    "spectra": (
        lambda a: torch.linalg.eigvalsh(a + a.T) + torch.linalg.eigh(a @ a.T)[1] ** 2 + torch.linalg.eigh(a + a.T, UPLO="U")[1].prod(1) ** 2 + torch.linalg.svdvals(a)
        + torch.linalg.svd(a)[0] * torch.linalg.svd(a)[2].T + torch.linalg.matrix_norm(a, "nuc") + torch.linalg.cond(a), normal((3, 3))
    ),
    # convolutions and windows
    "conv1d": (lambda x, w, b: fn.conv1d(x, w, b, padding=1, stride=2, dilation=2), normal((2, 2, 7), (3, 2, 2), (3,))),
    "conv2d": (lambda x, w: fn.conv2d(x, w, groups=2, padding=(1, 0), stride=(1, 2)), normal((1, 4, 3, 4), (4, 2, 2, 2))),
    "conv2d of one": (lambda x, w: fn.conv2d(x, w, padding="same"), normal((1, 3, 3), (1, 1, 3, 3))),
    "conv3d": (lambda x, w: fn.conv3d(x, w), normal((1, 1, 2, 3, 3), (2, 1, 2, 2, 2))),
    "transposed": (lambda x, w, b: fn.conv_transpose1d(x, w, b, stride=2, padding=1, output_padding=1), normal((1, 2, 3), (2, 3, 3), (3,))),
    "transposed groups": (lambda x, w: fn.conv_transpose2d(x, w, groups=2, stride=2, dilation=2), normal((1, 4, 2, 2), (4, 1, 2, 2))),
    "max_pool": (
        lambda x: fn.max_pool2d(x, 2, stride=1, padding=1).sum() + fn.max_pool2d(x, 2, dilation=2, ceil_mode=True, stride=2).prod()
        + fn.adaptive_max_pool2d(x, (2, 2)).prod() + fn.max_pool2d(x, 2, return_indices=True)[1].sum() * x, normal((1, 1, 3, 4))
    ),
    "max_pool1d": (lambda x: fn.max_pool1d(x, 2) * fn.max_pool3d(x.reshape(1, 1, 2, 2, 2), 2).sum() + fn.adaptive_max_pool1d(x, 2), normal((1, 2, 4))),
    "avg_pool": (
        lambda x: fn.avg_pool2d(x, 2, stride=1, padding=1).prod() + fn.avg_pool2d(x, 2, stride=2, ceil_mode=True, padding=1).sum(0)
        + fn.avg_pool2d(x, 2, padding=1, count_include_pad=False).sum(0) + fn.avg_pool2d(x, 2, divisor_override=3).sum(), normal((2, 1, 4, 4))
    ),
    "adaptive": (lambda x: fn.adaptive_avg_pool2d(x, (2, 3)).prod() + fn.avg_pool1d(x[0], 3, padding=1) + fn.adaptive_avg_pool1d(x[0], 2).sum(), normal((1, 1, 3, 6))),
    "upsample": (
        lambda x: fn.interpolate(x, scale_factor=2).sum() + fn.interpolate(x, size=(3, 5), mode="bilinear")
        + fn.interpolate(x, size=(3, 5), mode="bilinear", align_corners=True) + fn.interpolate(x, size=(3, 5), mode="bicubic"), normal((1, 1, 2, 3))
    ),
    "images": (
        lambda x: fn.pixel_shuffle(x, 2).sum() + fn.unfold(x[:, :1], 2, padding=1).prod(1).sum() + fn.channel_shuffle(x, 2) + fn.fold(x.reshape(1, 4, 4), (3, 3), 2).sum()
        + fn.grid_sample(x, L([[[[0.1, 0.2], [-0.7, 0.3]]]], dtype=D), align_corners=False).sum(), normal((1, 4, 2, 2))
    ),
    # norms and losses
    "layer_norm": (lambda x, g, b: fn.layer_norm(x, (4,), g, b) + fn.rms_norm(x, (4,), g) + fn.normalize(x), normal((2, 4), (4,), (4,))),
    "group_norm": (lambda x, g, b: fn.group_norm(x, 2, g, b) + fn.instance_norm(x) + fn.local_response_norm(x, 2), normal((1, 4, 2), (4,), (4,))),
    "batch_norm": (lambda x, g, b: fn.batch_norm(x, None, None, g, b, True) + fn.batch_norm(x, L([0.1, 0.2], dtype=D), L([1.0, 2.0], dtype=D)), normal((4, 2), (2,), (2,))),
    "cross_entropy": (
        lambda x, y: fn.cross_entropy(x, L([1, -100]), reduction="sum") + fn.cross_entropy(x, L([1, 0]), label_smoothing=0.1, weight=L([1.0, 2.0, 3.0], dtype=D))
        + fn.cross_entropy(x, y.softmax(1)) + fn.nll_loss(x, L([1, 0])), normal((2, 3), (2, 3))
    ),
    "losses": (
        lambda x, y: fn.mse_loss(x, y) + fn.l1_loss(x, y) + fn.huber_loss(x, y, delta=0.5) + fn.smooth_l1_loss(x, y)
        + fn.kl_div(x.log_softmax(0), y.softmax(0), reduction="sum") + fn.poisson_nll_loss(x, L([1.0, 2.0, 3.0], dtype=D), full=True), normal((3,), (3,))
    ),
    "binary losses": (
        lambda x: fn.binary_cross_entropy(x / 2, L([0.0, 1.0, 0.5], dtype=D)) + fn.binary_cross_entropy_with_logits(x, L([0.0, 1.0, 0.5], dtype=D), pos_weight=L([2.0], dtype=D))
        + fn.soft_margin_loss(x, L([1.0, -1.0, 1.0], dtype=D)) + fn.hinge_embedding_loss(x, L([1.0, -1.0, 1.0], dtype=D)), positive((3,))
    ),
    "margins": (
        lambda a, b: fn.multi_margin_loss(a, L([1, 0])) + fn.multilabel_margin_loss(a, L([[1, -1, 0], [0, 2, -1]])) + fn.cosine_embedding_loss(a, b, L([1, -1]))
        + fn.triplet_margin_loss(a, b, 2 * b) + fn.margin_ranking_loss(a[0], b[0], L([1.0, -1.0, 1.0], dtype=D)), normal((2, 3), (2, 3))
    ),
    # layers
    "sdpa": (
        lambda q, m: fn.scaled_dot_product_attention(q, q, 2 * q) + fn.scaled_dot_product_attention(q, q, q, attn_mask=m)
        + fn.scaled_dot_product_attention(q, q, q, is_causal=True) + fn.scaled_dot_product_attention(q, q, q, attn_mask=L([[True, False, True]] * 3)),
        normal((1, 1, 3, 2), (3, 3)),
    ),
    "embedding": (
        lambda w: fn.embedding(L([[2, 0], [1, 2]]), w).prod(0) + fn.embedding_bag(L([[2, 0], [1, 2]]), w) + fn.embedding_bag(L([[2, 0], [1, 2]]), w, mode="max")
        + fn.embedding_bag(L([[2, 0], [1, 2]]), w, mode="sum") + fn.one_hot(L([2, 0]), 3).double() @ w, normal((3, 2))
    ),
    "recurrent": (lambda x: lstm(x)[0] + rnn(x)[0] + gru(x)[0] + cell(x[0])[0], normal((2, 1, 2))),
    "attention": (lambda x: attention(x, x, x)[0], normal((1, 3, 2))),
    "transformer": (lambda x: encoder(x) + decoder(x, x), normal((1, 2, 4))),
    # moves
    "views": (
        lambda x: x.view(3, 2).t().reshape(-1).unsqueeze(0).expand(2, 6).permute(1, 0).flatten()[1:9:2] * x.squeeze().T.contiguous().view(-1)[:4], normal((2, 3))
    ),
    "parts": (
        lambda x: x[0] * x[..., 1:].sum() + x.narrow(1, 0, 2).prod() + x.select(1, 1).sum() + sum(p.prod() for p in x.split(2)) + x.unbind(0)[1]
        + sum(p.sum() ** 2 for p in x.chunk(2, 1)), normal((4, 3))
    ),
    "joined": (lambda x, y: torch.cat([x, y, x[:1]]) * torch.hstack([x, x[:1], y]) + torch.stack([x, y]).prod() + torch.block_diag(x, y)[0, 0], normal((3,), (3,))),
    "turned": (lambda x: x.flip(0) * x.roll(1, 1) + x.rot90(2) + x.repeat(2, 2).prod(0)[:3] + x.repeat_interleave(2).sum(), normal((3, 3))),
    "indices": (
        lambda x: x[PERMUTED] * x[:, PERMUTED] + x[L([[0, 1], [1, 2]]), L([0, 1])].sum() + x[L([True, False, True])].prod() + x.index_select(1, PERMUTED)
        + x.take(L([0, 4, 8])) + x.gather(0, L([[0, 1, 2]])), normal((3, 3))
    ),
    "diagonals": (lambda x: x.diagonal() * x.diag(1).sum() + x.diag_embed()[0] + x.trace() + x.tril() * x.triu(1).sum() + x.unfold(0, 2, 1).prod(1).prod(), normal((3, 3))),
    "pads": (
        lambda x: fn.pad(x, (1, 2), value=2.0)[..., :5] * fn.pad(x, (1, 1), mode="reflect") + fn.pad(x, (1, 1), mode="replicate") + fn.pad(x, (1, 1), mode="circular"),
        normal((1, 1, 3)),
    ),
    "scatter": (
        lambda x: sum(torch.ones(3, dtype=D).scatter_reduce(0, L([0, 0, 2]), x, r, include_self=s) for r in ("sum", "prod", "mean", "amax", "amin") for s in (True, False))
        + torch.zeros(3, dtype=D).scatter(0, PERMUTED, x) * torch.zeros(3, dtype=D).scatter_add(0, L([0, 0, 2]), x), normal((3,))
    ),
    "index_add": (
        lambda x: torch.ones(3, dtype=D).index_add(0, L([0, 0, 2]), x, alpha=2.0) * x.index_fill(0, L([1]), 3.0) + x.index_copy(0, L([1]), x[:1]) + x.put(L([1]), x[:1] * 2)
        + torch.ones(3, dtype=D).index_reduce(0, L([0, 0, 2]), x, "prod", include_self=False)
        + torch.zeros(3, dtype=D).index_put((L([0, 0, 2]),), x, accumulate=True), normal((3,))
    ),
    "scattered slices": (
        lambda x: torch.slice_scatter(torch.zeros(4, dtype=D), x, 0, 1, 4)[:3] * torch.select_scatter(torch.ones(3, dtype=D), x[0], 0, 1)
        + torch.diagonal_scatter(torch.zeros(3, 3, dtype=D), x)[0] + torch.zeros(3, dtype=D).masked_scatter(L([True, False, True]), x), normal((3,))
    ),
    "in place": (in_place, normal((3,))),
    "in place by views": (in_place_by_views, normal((3, 3))),
    "in place by masks": (in_place_by_masks, normal((5,))),
    "nested derivatives": (lambda x: torch.func.grad(lambda y: (y**3).sum())(x) * x + torch.vmap(torch.sin)(x), normal((3,))),
    "random": (lambda x: fn.dropout(x) + x * torch.rand(4, dtype=D) + x * torch.randperm(4) + x * torch.randn_like(x), normal((4,))),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients_are_those_of_torch(name):
    f, inputs = CASES[name]
    before = torch.random.get_rng_state()
    traced = Traced(f, Arguments.of(tuple(inputs)), timeout=60.0)
    assert torch.equal(before, torch.random.get_rng_state())
    read = function(traced.graph, len(traced.point), traced.outputs, None, [])
    values, rows = read.at(tuple(traced.point), "1e-12"), read.jacobian_at(tuple(traced.point), "1e-12")
    values = values if isinstance(values, (list, tuple)) else [values]
    result = f(*inputs).reshape(-1).tolist()
    assert len(result) == len(values) == len(rows)
    for value, truth in zip(values, result, strict=True):
        assert value.defined and abs(float(value.mid) - truth) <= 1e-9 * (1 + abs(truth)), (value, truth)
    for row, claims in zip(rows, traced.claims, strict=True):
        for entry, truth in zip(row, torch.cat([part.reshape(-1) for part in claims]).tolist(), strict=True):
            assert entry.defined and abs(float(entry.mid) - truth) <= 1e-9 * (1 + abs(truth)), (entry, truth)


@pytest.mark.parametrize("name", CASES)
def test_the_rules_of_torch_are_not_refuted(name):
    f, inputs = CASES[name]
    report = audit(lambda *x: f(*x).sum(), tuple(inputs), timeout=60)
    # torch's trigamma has ten digits
    assert report.rules != "refuted" and (report.right or name == "digamma"), report


@pytest.mark.parametrize("lies", (lambda a: a, lambda a: a.mT.contiguous().mT), ids=("rows", "columns"))
@pytest.mark.parametrize("f", (torch.linalg.det, torch.logdet, lambda a: torch.linalg.slogdet(a)[1], lambda a: torch.linalg.det(torch.stack([a, a @ a])).prod()))
def test_determinants_have_factors_of_what_lies_in_memory(f, lies):
    a = lies(L([[2.0, 1.0, 0.5], [0.25, 3.0, -1.0], [-0.5, 1.5, 4.0]]))
    report = audit(f, a)
    assert report.right and report.rules == "right", report


@pytest.mark.parametrize(
    ("f", "x", "limits"),
    (
        (lambda x: (x - 0.1).abs(), L(0.1, dtype=torch.float16), (-1, 1)),
        (lambda x: fn.relu(x - 0.1), L(0.1, dtype=torch.bfloat16), (0, 1)),
        (lambda x: x.clamp(max=0.1), L(0.1, dtype=torch.float16), (0, 1)),
        (lambda x: x.clone().clamp_(min=0.3), L(0.3, dtype=torch.float16), (0, 1)),
        (lambda x: fn.softshrink(x, 0.1), L(0.2, dtype=torch.float16), (1, 1)),
        (lambda x: torch.maximum(x, L(0.1, dtype=D)).sum(), L([0.1]), (0, 1)),
        (lambda x: (x - L(0.1, dtype=D)).abs().sum(), L([0.1]), (-1, 1)),
    ),
)
def test_numbers_beside_tensors_are_rounded_as_torch_does(f, x, limits):
    # torch has no slope beside a border that is elsewhere by the rounding of a number
    at = x.detach().requires_grad_()
    assert limits[0] <= float(torch.autograd.grad(f(at).sum(), at)[0].sum()) <= limits[1]
    for slope in (limits[0], sum(limits) / 2, limits[1]):
        assert audit(f, x, torch.full_like(x, slope, dtype=D)).right
    report = audit(f, x)
    found = report.set if hasattr(report.set, "lo") else report.set[0]
    assert report.right and abs(float(found.lo) - limits[0]) < 1e-4 and abs(float(found.hi) - limits[1]) < 1e-4, report


def test_cotangents_that_go_through_a_short_format_are_rounded():
    weights, x = L([0.3, -0.7, 1.1]), L([0.5, 1.25, -2.0])

    def mixed(x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = x[None] @ L([[1.0, 0.5], [0.25, 2.0], [-1.0, 0.75]])
        return (y.float() * weights[:2]).sum()

    for f in (lambda x: (x.half().float() * weights).sum(), lambda x: (x.bfloat16().float() * weights).sum(), mixed):
        report = audit(f, x)
        assert f"{report.verdict} {report.cause} {report.rules}" == "ROUNDED dtype right", report
    # what the function itself converts is data
    assert audit(lambda x: (x * weights.half().float()).sum(), x).level == "ulps"


@pytest.mark.parametrize("f", (fn.gelu, lambda x: fn.gelu(x, approximate="tanh"), torch.special.ndtr, torch.special.log_ndtr))
def test_the_normal_distribution_is_that_of_mathematics(f):
    # its slopes have exp(-x²/2), where the function has a rounded 1/√2
    reports = [audit(f, L(x, dtype=dtype)) for dtype in (D, torch.float32) for x in (-9.0, -6.0, -4.0, -0.5, 0.0, 2.5, 6.0)]
    assert all(report.verdict in ("CERTIFIED_IN", "ROUNDED") and report.rules == "right" for report in reports), reports
    assert audit(f, L(-0.5, dtype=D), float(reports[3].claim) * 1.0005).verdict == "CERTIFIED_OUT"


class Wrong(torch.autograd.Function):
    """tanh with a rule that is 0.05 % too large, as functions were written before `setup_context`."""

    @staticmethod
    def forward(ctx, x):
        y = torch.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y * y) * 1.0005


class WrongSoftmax(torch.autograd.Function):
    """softmax whose rule forgets that all of them are divided by one sum."""

    @staticmethod
    def forward(x):
        return torch.softmax(x, 0)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (1 - y) * g


def layer_norm(x):
    return fn.layer_norm(x, x.shape, eps=0.125)[0]


def newton(x):
    y = x
    while abs(y * y - x) > 1e-3:
        y = (y + x / y) / 2
    return y


def single(x):
    return torch.tensor(x, dtype=torch.float32)


def double(x):
    return torch.tensor(x, dtype=D)


class NearSoftmax(torch.autograd.Function):
    """softmax with a rule of which one term is too large by a millionth: less than rounding in float32."""

    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, 0)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * g - (1 + 1e-6) * y * (y * g).sum()


def descended(rate):
    w = torch.tensor(0.5, dtype=rate.dtype)
    for _ in range(50):
        w = w - rate * ((w - 3) ** 3 + 2 * w)
    return w


QUERIES, KEYS, VALUES = (part.float() for part in drawn((1, 3, 2), (1, 3, 2), (1, 3, 2)))
SCORES = drawn((3,))[0].float()

# what is true, to 50 digits by mpmath in closed form; the verdict on what torch claims, its cause, the level that it needs, and its rules
ROWS = {
    "softmax": (lambda x: torch.softmax(x, 0)[0], single([0.5, -1.0, 3.0]), "CERTIFIED_IN None ulps right", [0.069031059988348963, -0.0012416071388561821, -0.067789452849492781]),
    "softmax, a wrong rule": (lambda x: WrongSoftmax.apply(x)[0], single([0.5, -1.0, 3.0]), "CERTIFIED_OUT rule None refuted", [0.069031059988348963, -0.0012416071388561821, -0.067789452849492781]),
    "bias of softmax": (lambda b: torch.softmax(SCORES + b, 0) @ L([1.0, 2.0, 3.0]), single(0.25), "CERTIFIED_IN None sums right", [0.0]),
    "layer_norm": (layer_norm, double([1.0, 2.0, 4.0]), "CERTIFIED_IN None ulps right", [0.24225446447863687, -0.32513099180027580, 0.082876527321638928]),
    "layer_norm, float32": (layer_norm, single([1.0, 2.0, 4.0]), "CERTIFIED_IN None ulps right", [0.24225446447863687, -0.32513099180027580, 0.082876527321638928]),
    "bias of keys": (lambda b: fn.scaled_dot_product_attention(QUERIES, KEYS + b, VALUES).sum(), single([0.1, 0.2]), "CERTIFIED_IN None sums right", [0.0, 0.0]),
    "(1 - cos x)/x^2": (lambda x: (1 - torch.cos(x)) / x**2, single(1e-3), "ROUNDED rounding program right", [-8.3333331735898077e-5]),
    "(exp x - 1)/x": (lambda x: (torch.exp(x) - 1) / x, single(1e-4), "ROUNDED rounding program right", [0.50003333458252453]),
    "expm1": (torch.expm1, double(-40.0), "ROUNDED rounding program right", [4.2483542552915890e-18]),
    "tanh, a wrong rule": (lambda x: Wrong.apply(x), double(0.3), "CERTIFIED_OUT rule None refuted", [0.91513696182662920]),
    "gelu": (fn.gelu, single(0.7), "CERTIFIED_IN None ulps right", [0.97661409551290081]),
    "stop": (lambda x: x * x.detach(), double(2.0), "CERTIFIED_OUT stop_gradient None refuted", [4.0]),
    "no_grad": (lambda x: x * without_grad(x), double(2.0), "CERTIFIED_OUT stop_gradient None refuted", [4.0]),
    "descent": (descended, single(0.01), "CERTIFIED_IN None ulps right", [3.6852969664431795]),
    "digamma": (torch.digamma, double(2.3), "CERTIFIED_OUT unexplained None right", [0.54253745866525846]),
    "kink": (lambda x: fn.relu(x) - fn.relu(-x), double(0.0), "CERTIFIED_OUT kink None refuted", [1.0]),
    "newton": (newton, double(2.0), "CERTIFIED_IN None ulps right", [0.35356593617839293]),
    "angle": (lambda x: torch.atan2(x[0], x[1]), single([1e-10, 1e-10]), "CERTIFIED_IN None ulps right", [4999999933.2428411, -4999999933.2428411]),
    "remainder": (lambda x: torch.remainder(x[0], x[1]), double([0.5, 0.3]), "CERTIFIED_IN None ulps right", [1.0, -1.0]),
    "hardsigmoid": (fn.hardsigmoid, double(0.5), "CERTIFIED_OUT unexplained None right", [1 / 6]),
}  # fmt: skip


def without_grad(x):
    with torch.no_grad():
        return x * 1


@pytest.mark.parametrize("name", ROWS)
def test_claims_of_torch_are_judged(name):
    f, x, verdict, truth = ROWS[name]
    report = audit(f, x)
    assert f"{report.verdict} {report.cause} {report.level} {report.rules}" == verdict, report
    known = report.set if isinstance(report.set, tuple) else (report.set,)
    for entry, value in zip(known, truth, strict=True):
        assert entry is None or abs(float(entry.mid) - value) <= 4e-7 * abs(value) + 1e-12, (entry, value)
    # what is true is in, and what is not is no nearer than sums that cancel allow
    assert audit(f, x, torch.tensor(truth, dtype=D).reshape(x.shape)).verdict == "CERTIFIED_IN"
    wrong = [truth[0] * 1.01 + 1e-3, *truth[1:]]
    report = audit(f, x, torch.tensor(wrong, dtype=D).reshape(x.shape))
    assert report.verdict == "CERTIFIED_OUT" or report.level != "ulps", report
    with pytest.raises(smoothish.GradientError):
        checked(report, "ulps", False)


def test_what_is_accepted_is_as_asked():
    near = lambda x: NearSoftmax.apply(x) @ L([1.0, 2.0, 4.0])
    x = single([0.5, -1.0, 3.0])
    report = audit(near, x)
    # the numbers are near enough, and the rule is wrong
    assert report.right and report.rules == "refuted"
    with pytest.raises(smoothish.GradientError):
        check_grad(near, x)
    assert check_grad(near, x, accept="ulps").right
    bias = ROWS["bias of softmax"]
    assert check_grad(bias[0], bias[1]).level == "sums" and check_grad(bias[0], bias[1], accept="sums").right
    with pytest.raises(smoothish.GradientError):
        check_grad(bias[0], bias[1], accept="ulps")
    with pytest.raises(smoothish.GradientError, match="ROUNDED"):
        check_grad(torch.expm1, double(-40.0))
    assert check_grad(torch.expm1, double(-40.0), accept="rounded").digits == 0
    with pytest.raises(ValueError, match="accept is one of"):
        check_grad(torch.sum, x, accept="all")
    assert audit(torch.sum, x, single([1.5, 1.0, 1.0]), atol=0.5).right and audit(torch.sum, x, single([1.5, 1.0, 1.0]), rtol=0.5).right


def test_a_coarser_type_on_the_way_is_named():
    report = audit(lambda x: torch.sin(x.float() * 3).double() ** 2, double(0.3))
    assert report.verdict in ("ROUNDED", "CERTIFIED_IN") and report.level == "program"
    assert report.verdict == "CERTIFIED_IN" or report.cause == "dtype"


def test_places_are_those_of_the_program():
    report = audit(lambda x: fn.relu(x - 1), double(1.0), 0.5)
    assert report.verdict == "CERTIFIED_IN" and "test_torch.py" in report.borders[0] and "(<lambda>)" in report.borders[0]


def test_stopped_values_are_as_asked():
    for f in (lambda x: x * x.detach(), lambda x: x * without_grad(x), lambda x: x * x.data, lambda x: x * x.item()):
        assert audit(f, double(2.0), stop_gradient="constant").verdict == "CERTIFIED_IN"
        report = audit(f, double(2.0))
        assert report.verdict == "CERTIFIED_OUT" and any("detached" in note for note in report.notes)
    with pytest.raises(ValueError, match="stop_gradient is"):
        audit(torch.sin, double(2.0), stop_gradient="none")


def test_a_number_that_is_taken_out_is_no_wrong_rule():
    # of float32, in a claim of float64
    report = audit(lambda x: x * (x.float() / 3).item(), double(0.7), stop_gradient="constant")
    assert report.verdict == "CERTIFIED_OUT" and report.cause == "unexplained" and report.rules is None
    assert any("is not followed" in note for note in report.notes)


def test_dead_units_are_as_certain_as_others():
    torch.manual_seed(5)
    layer = nn.TransformerEncoderLayer(4, 2, 4, batch_first=True, dropout=0.0).double()
    with torch.no_grad():
        layer.linear1.bias.copy_(double([-3.0, 0.5, -3.0, 0.5]))
    report = check_module(layer, drawn((1, 2, 4))[0], loss=lambda out: (out**2 * torch.arange(4.0, dtype=D)).sum(), timeout=60.0)
    # the keys have a bias that cancels, and hidden units are dead
    assert report.level == "sums" and report.claim.count(0.0) > 3


def test_what_varies_is_what_requires_a_gradient():
    x, y = double([1.0, 2.0]), double([3.0, 4.0])
    product = lambda x, y: x @ y
    assert audit(product, (x, y)).claim == (3, 4, 1, 2)
    assert audit(product, (x.requires_grad_(), y)).claim == (3, 4)
    indices = lambda x, i: x[i].sum()
    assert audit(indices, (y, L([1, 1]))).claim == (0, 2)
    assert audit(lambda x, scale, mode: (x**scale["power"]).sum() if mode else x, (y, {"power": 2}, True)).claim == (6, 8)
    nested = audit(lambda p: p["a"] * p["b"][0], ({"a": double(2.0), "b": [double(3.0)]},))
    assert nested.claim == (3, 2) and nested.verdict == "CERTIFIED_IN"


def test_values_and_shapes_that_do_not_fit_are_refused():
    x = double([1.0, 2.0])
    cases = [
        (lambda: audit(torch.sin, x), ValueError, "one number, not of 2"),
        (lambda: audit(torch.sum, x, double([1.0])), ValueError, "a gradient of the shape"),
        (lambda: audit(torch.sum, x, direction=double([1.0, 2.0, 3.0])), ValueError, "a direction of the shape"),
        (lambda: audit(torch.sum, double([1.0, math.nan])), ValueError, "no point in float64"),
        (lambda: audit(torch.sum, L([1, 2])), ValueError, "no coordinates"),
        (lambda: audit(torch.sum, ()), ValueError, "no coordinates"),
        (lambda: audit(lambda x: 1.0, x), ValueError, "a value of float"),
        (lambda: audit(lambda x: x.sum() > 0, x), smoothish.UnsupportedError, "torch.bool"),
        (lambda: audit(lambda x, y: x.sum() + y, (x, single(1.0))), ValueError, "float32 and float64"),
        (lambda: audit("sin", x), TypeError, "a function of torch"),
        (lambda: audit(torch.sum, x, dtype=torch.float32), TypeError, "dtype"),
        (lambda: audit(torch.sum, x.to(torch.complex64)), smoothish.UnsupportedError, "complex"),
        (lambda: audit(torch.sum, x.to_sparse()), smoothish.UnsupportedError, "layout"),
        (lambda: check_jacobian(torch.sin, x, double([[1.0, 2.0]])), ValueError, "a Jacobian of 1 tensors"),
        (lambda: check_module(torch.sin, x), TypeError, "a module of torch"),
        (lambda: check_module(nn.ReLU(), x), ValueError, "no parameter"),
        (lambda: check_module(nn.Linear(2, 2).double(), x), ValueError, "use check_jacobian, or a loss"),
    ]
    for ask, kind, message in cases:
        with pytest.raises(kind, match=message):
            ask()


calls = []


def counting(x):
    calls.append(1)
    return x * len(calls)


def test_what_has_no_meaning_is_named_with_its_place():
    norm = nn.BatchNorm1d(2).double()
    cases = [
        (lambda x: torch.linalg.eigh(torch.diag(x / x))[0].sum(), "aten._linalg_eigh .*two eigenvalues are not told apart"),
        (lambda x: torch.linalg.qr(torch.stack([x, x - double([1.0, 0.0])]))[0].sum(), "aten.linalg_qr .*they jump"),
        (lambda x: torch.linalg.matrix_exp(torch.diag(x)).sum(), "aten.linalg_matrix_exp .*no finite number of steps"),
        (lambda x: torch.fft.fft(x.repeat(33)).abs().sum(), "aten._fft_r2c .*at most 64"),
        (lambda x: torch.fft.fft(x).log().real.sum(), "aten.log .*complex numbers"),
        (lambda x: torch.linalg.lstsq(torch.stack([x, 2 * x]), x).solution.sum(), "singular at x"),
        (lambda x: torch.special.bessel_j0(x).sum(), "aten.special_bessel_j0"),
        (lambda x: torch.cond(x.sum() > 0, lambda y: (y.sin(),), lambda y: (y.cos(),), (x,))[0].sum(), "cond .*no translation"),
        (lambda x: x.sum() if x[0] > 1 else -x.sum(), "on whose border"),
        (lambda x: torch.from_numpy(x.detach().numpy()).sum() * x[0], "numpy"),
        (lambda x: x[x > 0].sum(), "a mask that depends on x"),
        (lambda x: norm(x[None].expand(2, 2)).sum(), "writes into a tensor that the function captures"),
        (lambda x: torch.bernoulli(x / 4).sum() * x[0], "whose distribution depends"),
        (lambda x: torch.arange(3.0, dtype=D)[x.long()].sum() * x[0], "by rounding"),
        (lambda x: (x**2).sum().round(decimals=1) * x[0], "decimals"),
    ]
    for f, message in cases:
        with pytest.raises(smoothish.UnsupportedError, match=message) as caught:
            audit(f, double([1.0, 2.0]))
        assert "test_torch.py" in str(caught.value), str(caught.value)
    with pytest.raises(smoothish.UnsupportedError, match="traced twice"):
        audit(counting, double(1.0))
    with pytest.raises(smoothish.UnsupportedError, match="draws random numbers"):
        audit(lambda x: (x * torch.rand(2)).sum(), double([1.0, 2.0]), double([0.5, 0.5]))
    with pytest.raises(smoothish.LimitError, match="time was up"):
        audit(lambda x: sum(x.sin() for _ in range(300)), double(1.0), timeout=0.01)


def test_a_decision_that_rounding_has_made_is_no_branch():
    # 1 + 1e-20 is greater than 1, and torch says that it is not
    with pytest.raises(smoothish.UnsupportedError, match="otherwise than it is"):
        audit(lambda x: x if 1 + x > 1 else -x, double(1e-20))
    report = audit(lambda x: x if x > 1 else -x, double(0.5))
    assert report.verdict == "CERTIFIED_IN" and report.claim == -1 and any("decides as it does" in note for note in report.notes)


def test_modules_are_judged_by_their_parameters():
    torch.manual_seed(2)
    model = nn.Sequential(nn.BatchNorm1d(2), nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1)).double()
    for parameter in model[0].parameters():
        parameter.requires_grad_(False)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    batch, labels = drawn((4, 2), (4, 1))
    report = check_module(model, batch, loss=lambda out: fn.mse_loss(out, labels))
    assert report.right and len(report.claim) == 9 + 4
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert all(parameter.grad is None for parameter in model.parameters())
    gradients = [torch.zeros_like(p) for p in model.parameters() if p.requires_grad]
    with pytest.raises(smoothish.GradientError, match=r"coordinate \d\.(weight|bias)\["):
        check_module(model, batch, loss=lambda out: fn.mse_loss(out, labels), grad=gradients)
    # names are not in the order of the alphabet
    two = nn.ModuleDict({"b": nn.Linear(1, 1), "a": nn.Linear(1, 1)}).double()
    two.forward = lambda x: two["b"](two["a"](x)).sum() ** 2
    parameters = dict(two.named_parameters())
    value = two(batch[:, :1])
    claims = torch.autograd.grad(value, parameters.values())
    assert check_module(two, batch[:, :1], grad=claims).claim == tuple(float(part) for claim in claims for part in claim.reshape(-1))


def test_a_module_that_does_not_vary_its_inputs_has_a_direction():
    model = nn.Linear(2, 1).double()
    report = check_module(model, double([1.0, 2.0]), direction=(double([[1.0, 0.0]]), double([1.0])))
    assert report.right and report.claim == 2


def test_jacobians_are_judged_row_by_row():
    x, y = drawn((2,), (2, 2))
    f = lambda x, y: torch.tanh(y @ x)
    reports = check_jacobian(f, (x, y))
    assert len(reports) == 2 and all(report.right for report in reports)
    jacobian = torch.autograd.functional.jacobian(f, (x, y))
    assert [report.claim for report in check_jacobian(f, (x, y), jacobian)] == [report.claim for report in reports]
    jacobian[1][1, 0, 0] += 0.5
    with pytest.raises(smoothish.GradientError, match=r"coordinate \[1\]\[0, 0\]") as caught:
        check_jacobian(f, (x, y), jacobian)
    assert caught.value.report.notes[0] == "number 1 of the value"


def test_optimisers_are_differentiated_through():
    x, y = drawn((3, 2), (3,))
    loss = lambda w: ((x @ w - y) ** 2).mean()

    def trained(w, lr):
        w = w.clone()
        optimiser = torch.optim.SGD([w], lr=lr, differentiable=True, foreach=False)
        for _ in range(3):
            w.grad = torch.func.grad(loss)(w)
            optimiser.step()
        return loss(w)

    start, rate = double([0.3, -0.2]), double(0.05)
    assert check_grad(trained, (start, rate)).right

    def trained_with(optimiser, **options):
        def run(w):
            w = w.clone()
            step = optimiser([w], lr=0.05, differentiable=True, foreach=False, **options)
            for _ in range(2):
                w.grad = torch.func.grad(loss)(w)
                step.step()
            return loss(w)

        return audit(run, start)

    assert trained_with(torch.optim.Adam).right and trained_with(torch.optim.Adagrad).right and trained_with(torch.optim.AdamW).right
    # torch leaves the first moment out of the derivative
    assert trained_with(torch.optim.SGD, momentum=0.9, nesterov=True).cause == "stop_gradient"

    def descended(lr):
        w = start
        for _ in range(3):
            w = w - lr * torch.func.grad(loss)(w)
        return loss(w)

    assert abs(audit(descended, rate).claim - audit(trained, (start, rate)).claim[2]) < 1e-12


def test_formats_are_those_of_the_tensors():
    tenth = torch.tensor(0.1, dtype=torch.float32)
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        report = audit(lambda x: (x * 0.1).sum(), torch.ones(2, dtype=dtype))
        assert report.verdict == "CERTIFIED_IN", report
        # a number of Python is what torch computes with
        assert F(tenth.item()) in report.set[0]
        assert audit(lambda x: torch.tanh(x).sum(), torch.ones(2, dtype=dtype)).verdict == "CERTIFIED_IN"


def test_directions_and_pickles():
    from smoothish._torch import TorchSubject

    x = double([0.0, 1.0])
    report = audit(lambda x: fn.relu(x).sum(), x, double([0.5, 1.0]), direction=double([1.0, 0.0]))
    assert report.verdict == "CERTIFIED_IN" and report.claim == 0.5
    traced = Traced(lambda x: fn.relu(x).sum(), Arguments.of(x))
    subject = pickle.loads(pickle.dumps(TorchSubject(traced, [2.0, 1.0], None)))
    assert subject.audit().verdict == "CERTIFIED_OUT"


def test_the_state_of_generators_is_left_as_it_is():
    generator = torch.Generator().manual_seed(3)
    torch.manual_seed(4)
    noisy = lambda x: (x * torch.rand(2, dtype=D) * torch.rand(2, dtype=D, generator=generator)).sum()
    assert audit(noisy, double([1.0, 2.0])).right
    assert torch.random.initial_seed() == 4
    first = torch.rand(2)
    torch.manual_seed(4)
    assert torch.equal(first, torch.rand(2))


def test_masked_attention_is_read():
    mask = torch.zeros(3, 3, dtype=D).masked_fill(torch.ones(3, 3).triu(1).bool(), -math.inf)
    f = lambda q: fn.scaled_dot_product_attention(q, q, q, attn_mask=mask).pow(2).sum()
    assert audit(f, drawn((1, 1, 3, 2))[0]).verdict == "CERTIFIED_IN"
    entropy = lambda x: torch.special.entr(x.softmax(0)).sum()
    assert audit(entropy, drawn((3,))[0]).verdict == "CERTIFIED_IN"


def test_numpy_arrays_are_claims():
    assert check_grad(torch.sum, double([1.0, 2.0]), numpy.ones(2)).right


def test_what_a_mask_drops_is_no_kink():
    f = lambda w: fn.selu(fn.dropout(w * double([1.0, 2.0, 3.0, 4.0]), 0.5)).sum()
    torch.manual_seed(0)
    report = audit(f, double([1.0, -1.0, 2.0, 0.5]))
    assert report.right and report.rules == "right" and 0 in report.claim


def test_padding_of_an_embedding_is_constant():
    f = lambda w: fn.embedding(L([0, 1, 1]), w, padding_idx=0).pow(2).sum()
    weight = drawn((2, 2))[0]
    report = check_grad(f, weight)
    assert report.right and report.rules == "right" and any("padding_idx is the constant" in note for note in report.notes)
    # 2w for the first row, were it no padding
    claim = weight * L([[2.0], [4.0]])
    assert audit(f, weight, claim).verdict == "CERTIFIED_OUT"
    assert audit(lambda w: fn.embedding(L([0, 1, 1]), w).pow(2).sum(), weight, claim).verdict == "CERTIFIED_IN"
    model = nn.Sequential(nn.Embedding(3, 2, padding_idx=0), nn.Linear(2, 1)).double()
    assert check_module(model, L([[0, 1], [2, 0]]), loss=lambda out: (out**2).sum()).right


def test_second_derivatives():
    # ½·e/(1 + e)² twice
    slope = 0.19661193324148185
    x = double([0.0, 1.0])
    claim = double([[slope, -slope], [-slope, slope]])
    f = lambda x: torch.logsumexp(x, 0)
    assert check_grad(f, x, order=2).right and audit(f, x, claim, order=2).verdict == "CERTIFIED_IN"
    report = audit(f, x, claim * L([[1.0, 1.0], [1.0, 1.01]]), order=2)
    assert report.verdict == "CERTIFIED_OUT" and report.coordinate == "[1], [1]"
    # x²·y at (3, 5), by rows, by blocks, and by the front door
    product, point = (lambda x, y: x * x * y), (double(3.0), double(5.0))
    blocks = torch.autograd.functional.hessian(product, point)
    for claim in (None, [[10.0, 6.0], [6.0, 0.0]], [10.0, 6.0, 6.0, 0.0], blocks):
        assert audit(product, point, claim, order=2).claim == (10, 6, 6, 0)
        assert smoothish.audit(product, point, claim, order=2).verdict == "CERTIFIED_IN"
    assert audit(lambda x: x**3, double(2.0), 12.0, order=2).verdict == "CERTIFIED_IN"
    # what does not depend on x has the Hessian 0
    assert audit(lambda x, y: x.sum(), (double([1.0, 2.0]), double(1.0)), order=2).claim == (0,) * 9
    assert check_module(nn.Linear(1, 1).double(), double([[2.0]]), loss=lambda out: (out**2).sum(), order=2).claim == (8, 4, 4, 2)
    for options, message in [({"order": 3}, "order is 1, or 2"), ({"order": 2, "grad": [1.0, 2.0]}, "a Hessian of 2 numbers"), ({"order": 2, "direction": x}, "first order")]:
        with pytest.raises(ValueError, match=message):
            audit(f, x, **options)


def test_transforms_of_fourier():
    x, weights = double([0.3, -0.7, 1.2, 0.5]), double([1.0, -2.0, 0.5, 3.0])
    # |X₁| is |(x₀ - x₂, x₁ - x₃)|, and the sum of all |Xₖ|² is n·|x|²
    a, b = 0.3 - 1.2, -0.7 - 0.5
    size = math.hypot(a, b)
    cases = [
        (lambda x: torch.fft.fft(x)[1].abs(), x, [a / size, b / size, -a / size, -b / size]),
        (lambda x: (torch.fft.fft(x).abs() ** 2).sum(), x, (8 * x).tolist()),
        (lambda x: torch.fft.irfft(torch.fft.rfft(x) * 2, 4) @ weights, x, (2 * weights).tolist()),
        (lambda x: torch.fft.ifft(torch.fft.fft(x) * (1 - 2j)).imag @ weights, x, (-2 * weights).tolist()),
        (lambda x: torch.view_as_real(torch.fft.fft2(x.reshape(2, 2), norm="ortho")).square().sum(), x, (2 * x).tolist()),
        # the sum of x, times x₀ - x₂, of X₀·conj(X₁)
        (lambda x: (lambda X: (X[0] * X[1].conj()).real)(torch.fft.fft(x)), x, [(2 * 0.3 - 0.7 + 0.5), a, -(2 * 1.2 - 0.7 + 0.5), a]),
        (lambda x: torch.polar(x[2], x[3]).real, x, [0.0, 0.0, math.cos(0.5), -1.2 * math.sin(0.5)]),
    ]
    for f, at, truth in cases:
        report = audit(f, at)
        assert report.verdict == "CERTIFIED_IN" and report.rules == "right", report
        assert audit(f, at, double(truth)).verdict == "CERTIFIED_IN", truth
        assert audit(f, at, double(truth) * 1.001 + 1e-3).verdict == "CERTIFIED_OUT"
    assert check_grad(lambda x: (torch.fft.rfft(x).abs() ** 2).sum(), x.float()).right
    stopped = lambda x: (torch.fft.fft(x).detach() * torch.fft.fft(x)).real.sum()
    assert audit(stopped, x).cause == "stop_gradient" and audit(stopped, x, stop_gradient="constant").right


def test_least_squares():
    # a·b/(a·a) at a = (1, 2), b = (3, 5) is 13/5
    a, b = double([[1.0], [2.0]]), double([3.0, 5.0])
    f = lambda a, b: torch.linalg.lstsq(a, b).solution.sum()
    report = audit(f, (a, b))
    assert report.verdict == "CERTIFIED_IN" and report.rules is None and any("lstsq" in note for note in report.notes), report
    assert audit(f, (a, b), (double([[-0.44], [-1.08]]), double([0.2, 0.4]))).verdict == "CERTIFIED_IN"
    assert audit(f, (a, b), (double([[-0.44], [-1.09]]), double([0.2, 0.4]))).verdict == "CERTIFIED_OUT"


def test_what_is_no_number_is_left_out():
    x = double([1.0, 2.0, -3.0])
    with_nan = lambda x: torch.cat([x, double([math.nan, 1.0])])
    for f, truth in [
        (lambda x: torch.nansum(x**2), [2.0, 4.0, -6.0]),
        (lambda x: torch.nansum(with_nan(x) ** 2), [2.0, 4.0, -6.0]),
        (lambda x: torch.nanmean(with_nan(x)), [0.25] * 3),
        (lambda x: (torch.nan_to_num(with_nan(x), nan=5.0) ** 2).sum(), [2.0, 4.0, -6.0]),
    ]:
        report = audit(f, x)
        assert report.right and report.rules == "right", report
        assert audit(f, x, double(truth)).right and not audit(f, x, double(truth) * 1.01).right


def test_a_deadline_is_kept():
    # each takes longer: 200 numbers that tie, and the rules of 500 outputs
    for f, x in [(torch.amax, torch.ones(200)), (lambda x: torch.softmax(x, 0)[0], torch.linspace(-1, 1, 500))]:
        # of the time of the processor, as other work on the machine has none of it
        start = time.process_time()
        try:
            report = audit(f, x, timeout=1.0)
        except smoothish.LimitError:
            pass
        else:
            assert report.verdict != "UNKNOWN" or report.reason.startswith("not decided: the time was up"), report
        assert time.process_time() - start < 1.6


def test_what_does_not_depend_on_x_is_what_torch_computes():
    third = L(1.0) / 3
    f = lambda x: x * (third * 2).double() * torch.sigmoid(third).double()
    assert audit(f, double(1.0)).verdict == "CERTIFIED_IN"


def test_the_front_door_takes_tensors():
    x = double([1.0, 2.0])
    assert smoothish.check_grad(torch.sum, x).right and smoothish.audit(lambda x, y: x @ y, (x, x)).claim == (1, 2, 1, 2)
    assert smoothish.audit(torch.sum, x, [1.0, 1.0]).right and not smoothish.audit(torch.sum, x, (1.0, 2.0)).right
    with pytest.raises(TypeError, match="argnums"):
        smoothish.audit(torch.sum, (x,), argnums=0)


def test_comparisons_with_the_greatest_of_several():
    x, y = double(1.0), double(2.0)
    # max(x, y) >= x and min(x, y) <= x hold everywhere, max(x, y) > x only where y > x
    cases = [
        (lambda x, y: torch.where(torch.maximum(x, y) >= x, x, 2 * x), (1, 0), (1, 0)),
        (lambda x, y: torch.where(torch.minimum(x, y) <= x, x, 2 * x), (1, 0), (1, 0)),
        (lambda x, y: torch.where(torch.maximum(x, y) > x, x, 2 * x), (1, 0), (2, 0)),
        (lambda x, y: torch.where(torch.minimum(x, y) < x, x, 2 * x), (2, 0), (1, 0)),
        (lambda x, y: torch.where(x == torch.maximum(x, y), x, 2 * x), (2, 0), (1, 0)),
        (lambda x, y: torch.where(torch.minimum(x, y) != x, x, 2 * x), (2, 0), (1, 0)),
    ]
    for f, at, mirrored in cases:
        assert audit(f, (x, y), at).verdict == "CERTIFIED_IN" and audit(f, (y, x), mirrored).verdict == "CERTIFIED_IN"
        assert audit(f, (x, y)).rules == audit(f, (y, x)).rules == "right"


def test_special_functions_that_are_integrals_or_roots():
    # as in test_special.py; those of others by mpmath with 30 digits
    special = torch.special
    cases = [
        (torch.erfinv, 0.5, 1.11258481897194980),
        (special.i0e, 1.0, -0.257849192243931988),
        (special.i1e, 1.0, 0.0499387768942235388),
        (special.i0, 1.0, 0.565159103992485027),
        (special.i1, -0.5, 0.547694759959530887),
        (lambda x: special.gammainc(double(2.5), x), 1.5, 0.308360659607538554),
        (lambda x: special.gammaincc(double(2.5), x), 1.5, -0.308360659607538554),
        (lambda x: special.zeta(3.0, x), 2.0, -0.246969701133414575),
        (special.erfcx, 1.0, -0.273212014783898565),
        (special.ndtri, 0.75, 3.1468650805610924),
        (special.log_ndtr, -1.0, 1.52513527616098121),
        (torch.sgn, 0.5, 0.0),
    ]
    for f, x, expected in cases:
        for claim, verdict in ((expected, "CERTIFIED_IN"), (expected * (1 + 1e-9) + 1e-12, "CERTIFIED_OUT")):
            assert audit(f, double(x), double(claim)).verdict == verdict, (x, claim)
        report = audit(f, double(x))
        assert report.verdict == "CERTIFIED_IN" or not math.isclose(report.claim, expected, rel_tol=1e-13), report
    assert audit(torch.erfinv, double(1.0), double(1.0)).verdict == "NOT_DEFINED"


def test_gradients_of_factors_of_one_half_of_a_matrix():
    # what torch answers is the gradient of a function of symmetric matrices, as entries above and below are one
    x = double([[2.0, 1.0, 0.5], [1.0, 3.0, 0.75], [0.5, 0.75, 5.0]])
    for f in (lambda a: torch.linalg.eigvalsh(a)[2], lambda a: torch.linalg.cholesky(a)[2, 2], lambda a: torch.linalg.eigh(a, UPLO="U")[0][0]):
        report = audit(f, x)
        assert report.verdict == "CERTIFIED_IN" and report.rules == "right"
        off = torch.tensor(report.claim).reshape(3, 3)
        off[0, 1] *= 1.001
        assert audit(f, x, off).verdict == "CERTIFIED_OUT"
    # of eigenvectors it is no more than a convention
    assert audit(lambda a: torch.linalg.eigh(a)[1][0, 1], x).right is None
    assert audit(lambda a: torch.linalg.eigh((a + a.T) / 2)[1][0, 1], x).verdict == "CERTIFIED_IN"
    # (5 + √5)/2 by the lower right entry: (1 + 1/√5)/2
    largest = lambda t: torch.linalg.eigvalsh(torch.stack([torch.stack([2 + 0 * t, 1 + 0 * t]), torch.stack([1 + 0 * t, t])]))[1]
    for claim, verdict in ((0.72360679774997897, "CERTIFIED_IN"), (0.7236068, "CERTIFIED_OUT")):
        assert audit(largest, double(3.0), double(claim)).verdict == verdict
    zeros = torch.zeros(4, 4, dtype=D)
    for claim, verdict in ((zeros, "CERTIFIED_IN"), (zeros + 1, "CERTIFIED_OUT"), (zeros * math.nan, "CERTIFIED_OUT"), (None, "CERTIFIED_IN")):
        assert audit(torch.linalg.det, zeros, claim).verdict == verdict


def test_sums_that_hide_the_derivative_are_not_inside():
    # float32: layer norms whose terms are 10⁵ times their derivative
    torch.manual_seed(0)
    weights = [torch.randn(4, 4) / 2 for _ in range(6)]

    def f(x):
        for matrix in weights:
            x = torch.nn.functional.layer_norm(matrix @ x, (4,))
        return (x * torch.tensor([1.0, -2.0, 3.0, 0.5])).sum()

    x = torch.randn(4)
    y = x.clone().requires_grad_()
    (true,) = torch.autograd.grad(f(y), y)
    for scale in (0.0, -1.0, 1.01):
        report = audit(f, x, scale * true, timeout=None)
        assert not report.right, report
        assert report.verdict != "ROUNDED" or "the same rules" not in report.reason


def test_matrices_that_are_read_as_symmetric():
    f = lambda a: torch.linalg.cholesky(a)[1, 1]
    a = torch.tensor([[4.0, 1.0], [1.0, 3.0]])
    near = a.clone()
    near[0, 1] += 2**-22
    for x in (a, near):
        report = audit(f, x)
        assert report.verdict == "CERTIFIED_IN" and report.rules == "right" and any("read as symmetric" in note for note in report.notes), report
    # L₂₂ = √(3 - b²/a) of the lower triangle (a; b, c) has at (4; 1, 3) the slopes 1/(32·L₂₂), -1/(4·L₂₂), 1/(2·L₂₂), and is √2.75
    root = math.sqrt(2.75)
    one_half = torch.tensor([[1 / (32 * root), 0.0], [-1 / (4 * root), 1 / (2 * root)]])
    assert audit(f, a, one_half).verdict == "UNKNOWN"
    assert audit(f, a, 1.01 * one_half).verdict == "CERTIFIED_OUT"
    with pytest.raises(smoothish.UnsupportedError, match="not symmetric"):
        audit(f, torch.tensor([[4.0, 0.5], [1.0, 3.0]]))


def test_values_by_way_of_infinities_are_not_undefined():
    cross_entropy = lambda x: torch.nn.functional.binary_cross_entropy(x, torch.tensor([1.0]))
    report = audit(cross_entropy, torch.tensor([0.0]))
    assert report.verdict == "UNKNOWN" and "the value 100" in report.reason, report
    assert audit(torch.log, torch.tensor(0.0), torch.tensor(1.0)).verdict == "NOT_DEFINED"


def test_integrals_in_programs_of_gradients_have_plain_notes():
    f = lambda x: torch.linalg.vector_norm(torch.special.gammaincc(torch.full_like(x, 1.5), x), torch.inf)
    assert not any("Error" in note for note in audit(f, torch.tensor([1.0, 2.0])).notes)


def test_the_time_is_up_in_every_loop():
    from smoothish._forms import Steps
    from smoothish._graph import Graph
    from smoothish._point import AtPoint

    graph = Graph()
    node = graph.variable(0)
    for _ in range(600):
        node = graph.unary("sin", node)
    graph.deadline = 0.0
    with pytest.raises(smoothish.LimitError, match="the time was up"):
        Steps(graph, [node])
    # one enclosure may be long, so that it is not begun
    with pytest.raises(smoothish.LimitError, match="the time was up"):
        AtPoint(graph, [F(1)]).enclose([node])
