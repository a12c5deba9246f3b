"""What JAX and autograd answer for derivatives of small functions, beside what `smoothish audit` says of that.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install jax autograd
    cargo build --release
    /tmp/peers/bin/python benches/peers/traps.py target/release/smoothish

The true values are not here: they are derived by hand in `tests/meanings/audit.rs`.
"""

import importlib.metadata
import json
import os
import subprocess
import sys
import warnings

os.environ.update(JAX_ENABLE_X64="1", JAX_PLATFORMS="cpu")
warnings.filterwarnings("ignore")

import autograd
import autograd.numpy as anp
import jax
import jax.numpy as jnp
import numpy

# the function as people write it (w: where, n: the framework's numpy), the point, and the function here
TRAPS = [
    ("max(x, 0) + min(x, 0)", lambda n: lambda x: n.maximum(x, 0.0) + n.minimum(x, 0.0), 0.0, r"\x => max x 0 + min x 0"),
    ("relu(x) - relu(-x)", lambda n: lambda x: n.where(x > 0, x, 0.0) - n.where(-x > 0, -x, 0.0), 0.0,
     r"\x => max x 0 - max (-x) 0"),
    ("relu(x) - (x + abs(x))/2", lambda n: lambda x: n.where(x > 0, x, 0.0) - (x + n.abs(x)) / 2, 0.0,
     r"\x => max x 0 - (x + abs x) / 2"),
    ("where(x == 0, 0, x)", lambda n: lambda x: n.where(x == 0, 0.0, x), 0.0, r"\x => if x == 0 then 0 else x"),
    ("sqrt(x**2)", lambda n: lambda x: n.sqrt(x**2), 0.0, r"\x => sqrt (x^2)"),
    ("sqrt(x**4)", lambda n: lambda x: n.sqrt(x**4), 0.0, r"\x => sqrt (x^4)"),
    ("sqrt(x**2 + (2*x)**2)**2", lambda n: lambda x: n.sqrt(x**2 + (2 * x) ** 2) ** 2, 0.0,
     r"\x => (sqrt (x^2 + (2 * x)^2))^2"),
    ("where(x == 0, 1, sin(x)/x)", lambda n: lambda x: n.where(x == 0, 1.0, n.sin(x) / x), 0.0,
     r"\x => if x == 0 then 1 else sin x / x"),
    ("where(x < 1, x, sqrt(x))", lambda n: lambda x: n.where(x < 1, x, n.sqrt(x)), 0.0,
     r"\x => if x < 1 then x else sqrt x"),
    ("where(x >= 0, x, sqrt(-x)), at 1", lambda n: lambda x: n.where(x >= 0, x, n.sqrt(-x)), 1.0,
     r"\x => if x >= 0 then x else sqrt (-x)"),
    ("maximum(x, 0) + log1p(exp(-abs(x)))", lambda n: lambda x: n.maximum(x, 0.0) + n.log1p(n.exp(-n.abs(x))), 0.0,
     r"\x => max x 0 + log1p (exp (-(abs x)))"),
    ("log(1 + exp(x)), at 800", lambda n: lambda x: n.log(1 + n.exp(x)), 800.0, r"\x => log (1 + exp x)"),
    ("clip(x, -1, 1) + relu(x-1) - relu(-1-x), at 1",
     lambda n: lambda x: n.clip(x, -1.0, 1.0) + n.where(x > 1, x - 1, 0.0) - n.where(x < -1, -1 - x, 0.0), 1.0,
     r"\x => max (-1) (min x 1) + max (x - 1) 0 - max (-1 - x) 0"),
    ("(x**3)**(1/3)", lambda n: lambda x: n.sign(x) * n.abs(x**3) ** (1 / 3), 0.0, r"\x => cbrt (x^3)"),
    ("(exp(x) - 1)/x, at 1e-9", lambda n: lambda x: (n.exp(x) - 1) / x, 1e-9, r"\x => (exp x - 1) / x"),
    ("abs(x)", lambda n: lambda x: n.abs(x), 0.0, r"\x => abs x"),
    ("sqrt(maximum(x, 0))", lambda n: lambda x: n.sqrt(n.maximum(x, 0.0)), 0.0, r"\x => sqrt (max x 0)"),
]


def answers(function, at):
    """The derivative by JAX and by autograd."""
    found = [jax.grad(function(jnp)), autograd.grad(function(anp))]
    return [float(derivative(numpy.float64(at))) for derivative in found]


def audit(program, at, claim):
    from fractions import Fraction

    command = [sys.argv[1], "audit", "--json", f"--at={Fraction(at)}", f"--claim={claim!r}", program]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)


def shown(claim, verdict):
    marks = {"CERTIFIED_IN": "right", "CERTIFIED_OUT": "**wrong**"}
    number = f"{claim:.6g}"
    return f"{number}, {marks[verdict]}" if verdict in marks else number


def main():
    versions = {name: importlib.metadata.version(name) for name in ["jax", "autograd"]}
    print("| function | Clarke's set |", " | ".join(f"{name} {v}" for name, v in versions.items()), "|")
    print("|---|---|---|---|")
    for text, function, at, program in TRAPS:
        claims = answers(function, at)
        reports = [audit(program, at, claim) for claim in claims]
        found = reports[0]["set"]
        true = found["about"] if found else reports[0]["verdict"].lower().replace("_", " ")
        cells = [shown(claim, report["verdict"]) for claim, report in zip(claims, reports)]
        print(f"| `{text}` | {true} |", " | ".join(cells), "|")


main()
