"""Which functions of JAX, or of torch, are audited: a table in Markdown of those that are not, and the shares.

Each is made one number by weights. `audited` is a verdict that is proven; `undecided` is UNKNOWN; `refused` is an UnsupportedError, which has a
place; `slow` is a LimitError, or more than TIME. With names as arguments only those are asked. Ends with status 1 where an audit raises
anything else or hangs, or where more is refused than MOST_REFUSED. With `--write` what is printed goes into the book too.
"""

import os
import pathlib
import re
import signal
import sys
import time
import warnings

os.environ.update(JAX_ENABLE_X64="1", JAX_PLATFORMS="cpu")
warnings.filterwarnings("ignore")

import smoothish

# The seconds that a function may take in all, and those of each audit.
TIME, TIMEOUT = 120, 20.0
MOST_REFUSED = {"jax": 0.07, "torch": 0.08}
BOOK = pathlib.Path(__file__).resolve().parents[2] / "book/src/is-my-gradient-right.md"


class HangError(BaseException):
    """An audit that takes longer than it may."""


def of_jax():
    import jax
    import jax.numpy as jnp
    from jax_names import NAMES

    def weighted(f):
        def number(x):
            parts = [part.ravel() for part in jax.tree_util.tree_leaves(f(x))]
            return sum(jnp.sum(part * (1 + jnp.arange(part.size) / 8)) for part in parts)

        return number

    return f"jax {jax.__version__}", {name: lambda f=f, x=x: smoothish.audit(weighted(f), x, timeout=TIMEOUT) for name, (f, x) in NAMES.items()}


def of_torch():
    import torch
    from smoothish.torch import audit
    from torch_names import NAMES

    def weighted(f):
        def number(*x):
            found = f(*x)
            parts = [part.reshape(-1) for part in (found if isinstance(found, (tuple, list)) else [found])]
            return sum((part * (1 + torch.arange(part.numel(), dtype=part.dtype) / 8)).sum() for part in parts)

        return number

    version = f"torch {torch.__version__.split('+')[0]}"
    return version, {name: lambda f=f, x=x: audit(weighted(f), x, timeout=TIMEOUT) for name, (f, x) in NAMES.items()}


def asked(ask):
    """What kind of answer there is, and what it says."""

    def hang(*_):
        raise HangError

    signal.signal(signal.SIGALRM, hang)
    signal.alarm(TIME)
    try:
        report = ask()
    except smoothish.UnsupportedError as error:
        return "refused", str(error)
    except smoothish.LimitError as error:
        return "slow", str(error)
    except HangError:
        return "hang", f"more than {TIME} seconds"
    except Exception as error:  # noqa: BLE001 - that there is one is what is looked for
        return "raw", f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
    if report.verdict == "UNKNOWN":
        return "undecided", report.reason
    return "audited", f"{report.verdict} {report.cause or report.level or ''}".strip()


def written(framework, text):
    """Puts a text between its marks in the book."""
    first, last = f"<!-- names of {framework} -->", f"<!-- end of names of {framework} -->"
    book = re.sub(f"{first}.*?{last}", lambda _: f"{first}\n{text}\n{last}", BOOK.read_text(), flags=re.DOTALL)
    BOOK.write_text(book)


def main(framework, *only):
    is_written, only = "--write" in only, [part for part in only if part != "--write"]
    version, names = {"jax": of_jax, "torch": of_torch}[framework]()
    counts = dict.fromkeys(["audited", "undecided", "refused", "slow", "hang", "raw"], 0)
    verdicts, lines = {}, []
    for name, ask in names.items():
        if only and not any(part in name for part in only):
            continue
        start = time.perf_counter()
        kind, why = asked(ask)
        counts[kind] += 1
        if kind == "audited":
            verdict = {"CERTIFIED_IN": "right", "CERTIFIED_OUT": "wrong"}.get(why.split()[0], why.split()[0])
            verdicts[verdict] = verdicts.get(verdict, 0) + 1
        if kind != "audited" or "CERTIFIED_IN" not in why or only:
            shown = re.sub(r" \((at )?[^()]*/[^()]*(\([^()]*\))?[^()]*\)", "", why).replace("\n", " ").replace("|", "/")
            shown = re.sub("; say along which direction.*", "", shown)[:120]
            lines.append(f"| `{name}` | {kind} | {shown} |")
        print(f"{time.perf_counter() - start:6.1f} s  {name}  {kind}  {why[:200]}", file=sys.stderr, flush=True)
    total = sum(counts.values())
    share = (counts["refused"] + counts["slow"]) / max(total, 1)
    told = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    shares = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    summary = f"{version}: of {total} functions {told}, so {100 * share:.1f} % refused; of those audited {shares}."
    text = "\n".join([summary, "", f"| {version} | here | why |", "|---|---|---|", *lines])
    print(text)
    if is_written:
        written(framework, text)
    return counts["hang"] + counts["raw"] > 0 or (not only and share > MOST_REFUSED[framework])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
