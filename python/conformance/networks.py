"""What is found of the gradients of healthy networks in float32, bfloat16 and float16: a table in Markdown of their shares.

Each of five networks is drawn many times, and its gradient by all of its numbers, inputs included, is what `jax.grad` answers. Counted are
gradients by their verdicts, and for those that are right by the level of rounding that they need; a claim is one number of a gradient.
`networks.py 10000` asks of at least so many claims. Ends with status 1 where a gradient is out, or rounded in float32. With `--write` what
is printed goes into the book too.
"""

import os
import pathlib
import re
import sys
import time
import warnings

os.environ.update(JAX_PLATFORMS="cpu")
warnings.filterwarnings("ignore")

import jax
import jax.numpy as jnp
import smoothish
from jax import lax, nn

FORMATS = ("float32", "bfloat16", "float16")
KINDS = ("ulps", "sums", "program", "ROUNDED", "UNKNOWN", "CERTIFIED_OUT")
BOOK = pathlib.Path(__file__).resolve().parents[2] / "book/src/is-my-gradient-right.md"


def perceptron(p):
    hidden = nn.gelu(p["x"] @ p["w"] + p["b"])
    return -jnp.sum(nn.log_softmax(hidden @ p["v"])[:, 1])


def layer_norm(p):
    mean = p["x"].mean(-1, keepdims=True)
    scale = lax.rsqrt(((p["x"] - mean) ** 2).mean(-1, keepdims=True) + jnp.asarray(1e-3, p["x"].dtype))
    return jnp.sum(jnp.tanh((p["x"] - mean) * scale * p["g"] + p["b"]) @ p["w"])


def attention(p):
    queries, keys, values = p["x"] @ p["q"], p["x"] @ p["k"] + p["b"], p["x"] @ p["v"]
    weights = nn.softmax(jnp.where(jnp.tri(3, dtype=bool), queries @ keys.T / jnp.sqrt(2).astype(p["x"].dtype), -jnp.inf))
    return jnp.sum(weights @ values * p["t"])


def convolution(p):
    windows = lax.conv_general_dilated(p["x"], p["w"], (1, 1), "VALID") + p["b"][:, None, None]
    return jnp.vdot(nn.relu(windows).mean((2, 3))[0], p["v"])


def lstm(p):
    def step(state, x):
        h, c = state
        i, f, g, o = jnp.split(p["w"] @ x + p["u"] @ h + p["b"], 4)
        c = nn.sigmoid(f) * c + nn.sigmoid(i) * jnp.tanh(g)
        return (nn.sigmoid(o) * jnp.tanh(c), c), None

    zero = jnp.zeros(2, p["x"].dtype)
    return jnp.vdot(lax.scan(step, (zero, zero), p["x"])[0][0], p["v"])


# the shapes of the numbers of each, by their names
NETWORKS = {
    "MLP": (perceptron, {"x": (3, 3), "w": (3, 4), "b": (4,), "v": (4, 2)}),
    "LayerNorm": (layer_norm, {"x": (3, 4), "g": (4,), "b": (4,), "w": (4,)}),
    "attention": (attention, {"x": (3, 2), "q": (2, 2), "k": (2, 2), "v": (2, 2), "b": (2,), "t": (3, 2)}),
    "convolution": (convolution, {"x": (1, 1, 4, 4), "w": (2, 1, 2, 2), "b": (2,), "v": (2,)}),
    "LSTM": (lstm, {"x": (3, 2), "w": (8, 2), "u": (8, 2), "b": (8,), "v": (2,)}),
}


def drawn(shapes, count, kind, seed):
    keys = jax.random.split(jax.random.key(seed), len(shapes))
    return {name: jax.random.normal(key, (count, *shape)).astype(kind) for key, (name, shape) in zip(keys, shapes.items(), strict=True)}


def size(shapes):
    found = 0
    for shape in shapes.values():
        numbers = 1
        for length in shape:
            numbers *= length
        found += numbers
    return found


def main(*arguments):
    wanted = next((int(part) for part in arguments if part.isdigit()), 10_000)
    share = -(-wanted // (len(NETWORKS) * len(FORMATS)))
    totals = {kind: dict.fromkeys(KINDS, 0) for kind in FORMATS}
    claims, lines, faults = 0, [], []
    for number, (name, (f, shapes)) in enumerate(NETWORKS.items()):
        count = -(-share // size(shapes))
        for kind in FORMATS:
            start = time.perf_counter()
            reports = smoothish.audit_many(f, drawn(shapes, count, kind, number), timeout=60.0)
            found = dict.fromkeys(KINDS, 0)
            for report in reports:
                verdict = report.level if report.verdict == "CERTIFIED_IN" else report.verdict
                found[verdict] = found.get(verdict, 0) + 1
                if verdict == "CERTIFIED_OUT" or (verdict == "ROUNDED" and kind == "float32") or verdict not in KINDS:
                    faults.append((name, kind, report.verdict, report.cause, report.reason))
            claims += count * size(shapes)
            for verdict, times in found.items():
                totals[kind][verdict] = totals[kind].get(verdict, 0) + times
            lines.append(f"| {name} | {kind} | {count} | " + " | ".join(str(found[verdict]) for verdict in KINDS) + " |")
            print(f"{time.perf_counter() - start:6.1f} s  {name}  {kind}  {found}", file=sys.stderr, flush=True)
    shares = []
    for kind, found in totals.items():
        told = [f"{100 * times / sum(found.values()):.0f} % {verdict}" for verdict, times in found.items() if times]
        shares.append(f"{kind}: {', '.join(told)}.")
    heads = ["network", "format", "gradients", *KINDS]
    table = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|", *lines]
    text = "\n".join([f"{claims} claims of {sum(sum(found.values()) for found in totals.values())} gradients. " + " ".join(shares), "", *table])
    print(text)
    if "--write" in arguments:
        first, last = "<!-- networks -->", "<!-- end of networks -->"
        BOOK.write_text(re.sub(f"{first}.*?{last}", lambda _: f"{first}\n{text}\n{last}", BOOK.read_text(), flags=re.DOTALL))
    for fault in faults:
        print("CONTRADICTION", *fault, file=sys.stderr)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
