"""What JAX and autograd answer for the cases, and what is certified of that: a table in Markdown."""

import importlib.metadata
import math
import os
import sys
import warnings

os.environ.update(JAX_ENABLE_X64="1", JAX_PLATFORMS="cpu")
warnings.filterwarnings("ignore")

import autograd
import autograd.numpy as anp
import jax
import jax.numpy as jnp
import numpy
import smoothish
from cases import CASES

FRAMEWORKS = {
    "jax": (jnp, jax.grad, lambda x: jnp.asarray(x, "float64")),
    "autograd": (anp, autograd.grad, numpy.float64),
}
# relative, for what is derived by hand and written as floats
SLACK = 1e-6


def answered(case, name):
    """The derivative by a framework; none where it refuses."""
    namespace, grad, number = FRAMEWORKS[name]
    function = (case.of or case.make)(namespace, grad)
    derivative = grad(grad(function)) if case.of else grad(function)
    try:
        return float(derivative(number(case.at)))
    except Exception as error:  # noqa: BLE001 - whatever it is, there is no answer
        print(f"{name}: {case.text}: {type(error).__name__}: {error}", file=sys.stderr)
        return None


def judged(case, claim):
    namespace, grad, number = FRAMEWORKS["jax"]
    try:
        return smoothish.audit(case.make(namespace, grad), number(case.at), claim)
    except smoothish.UnsupportedError as error:
        print(f"{case.text}: {error}", file=sys.stderr)
        return None


def contradicts(case, claim, report):
    """Whether a certified verdict is none that is derived by hand."""
    if report is None or report.verdict in ("UNKNOWN", "ROUNDED"):
        return False
    if isinstance(case.true, str):
        return report.verdict != case.true
    low, high = case.true
    slack = SLACK * max(abs(low), abs(high), 1e-300) + 1e-9 * (high - low)
    # what sums that cancel, or a program, are allowed
    slack += max(report.allowed or (0.0,))
    inside = math.isfinite(claim) and low - slack <= claim <= high + slack
    is_near = math.isfinite(claim) and min(abs(claim - low), abs(claim - high)) <= max(slack, SLACK * abs(claim))
    if report.verdict == "CERTIFIED_IN":
        return not inside
    return report.verdict != "CERTIFIED_OUT" or (inside and not is_near)


def main():
    versions = {name: importlib.metadata.version(name) for name in FRAMEWORKS}
    print("| function | true | here |", " | ".join(f"{name} {version}" for name, version in versions.items()), "|")
    print("|---|---|---|---|---|")
    counts = {name: dict.fromkeys(["right", "wrong", "rounded", "no derivative", "not decided", "refuses"], 0) for name in FRAMEWORKS}
    decided, faults = 0, []
    for case in CASES:
        is_set = not isinstance(case.true, str)
        middle = sum(case.true) / 2 if is_set else 0.0
        ours = judged(case, middle)
        is_missed = is_set and ours is not None and ours.verdict == "CERTIFIED_OUT"
        if is_missed or contradicts(case, middle, ours):
            faults.append((case.text, middle, ours))
        known = ours is not None and ours.verdict != "UNKNOWN"
        decided += known
        cells = []
        for name in FRAMEWORKS:
            claim = answered(case, name)
            report = None if claim is None else judged(case, claim)
            if claim is not None and contradicts(case, claim, report):
                faults.append((case.text, claim, report))
            kind = "refuses" if claim is None else "not decided"
            if report is not None:
                kinds = {"CERTIFIED_IN": "right", "CERTIFIED_OUT": "wrong", "ROUNDED": "rounded", "UNKNOWN": "not decided"}
                kind = kinds.get(report.verdict, "no derivative")
            counts[name][kind] += 1
            mark = {"right": ", right", "wrong": ", **wrong**", "rounded": ", rounded"}.get(kind, "")
            cells.append("refused" if claim is None else f"{claim:.6g}{mark}")
        low, high = case.true if is_set else (0, 0)
        true = case.true.lower().replace("_", " ") if not is_set else f"{low:.6g}" if low == high else f"[{low:g}, {high:g}]"
        print(f"| `{case.text}` | {true} | {'certified' if known else 'not decided'} |", " | ".join(cells), "|")
    print()
    print(f"{len(CASES)} functions; {decided} decided here.")
    for name, found in counts.items():
        print(f"{name} {versions[name]}:", ", ".join(f"{count} {kind}" for kind, count in found.items()))
    for text, claim, report in faults:
        print(f"CONTRADICTION {text}: {claim}: {report}", file=sys.stderr)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
