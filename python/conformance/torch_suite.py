"""What torch answers for its cases, and what is certified of that: a table in Markdown. Ends with status 1 where another thing is found."""

import sys
import warnings

warnings.filterwarnings("ignore")

import torch
from smoothish.torch import audit
from torch_cases import CASES


def found(report):
    if report.verdict == "CERTIFIED_IN" and report.rules != "refuted":
        return "right"
    return {"CERTIFIED_OUT": report.cause, "ROUNDED": "rounded", "UNKNOWN": "not decided"}.get(report.verdict, report.verdict)


def planted(case, report):
    """What is found of the same claim with an error of one per cent in its largest coordinate."""
    claim = list(report.claim) if isinstance(report.claim, tuple) else [report.claim]
    largest = max(range(len(claim)), key=lambda i: abs(claim[i]))
    claim[largest] += 0.01 * abs(claim[largest]) + 1e-3
    parts = torch.tensor(claim, dtype=torch.float64).split([x.numel() for x in case.at])
    return audit(case.f, case.at, tuple(part.reshape(x.shape) for part, x in zip(parts, case.at, strict=True)))


def main():
    print(f"| function | torch {torch.__version__.split('+')[0]} | rules | level | one per cent off |")
    print("|---|---|---|---|---|")
    counts, faults = {}, []
    for case in CASES:
        report = audit(case.f, case.at)
        kind = found(report)
        counts[kind] = counts.get(kind, 0) + 1
        if kind != case.found:
            faults.append((case.text, case.found, report))
        wrong = planted(case, report)
        if kind == "right" and wrong.verdict == "CERTIFIED_IN":
            # where it is a set, a number of it may be another
            sets = wrong.set if isinstance(wrong.set, tuple) else (wrong.set,)
            if all(entry is not None and entry.hi - entry.lo < 1e-9 for entry in sets):
                faults.append((case.text, "one per cent off is out", wrong))
        print(f"| `{case.text}` | {kind} | {report.rules or ''} | {report.level or ''} | {found(wrong)} |")
    print()
    print(f"{len(CASES)} functions:", ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    for text, expected, report in faults:
        print(f"CONTRADICTION {text}: expected {expected}: {report}", file=sys.stderr)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
