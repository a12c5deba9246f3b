"""Instructions that questions take, which a loaded machine does not change: for regressions.

    cargo build --release
    python3 benches/instructions.py target/release/smoothish                 # counts, beside those that are kept
    python3 benches/instructions.py target/release/smoothish --keep          # keeps them, in benches/instructions.tsv
    python3 benches/instructions.py target/release/smoothish relu brightness # only questions with these words

It needs valgrind. What it takes to start the program and to read the question is taken off: the count for a program that throws its value away.
Elementary functions of another processor may take another way, so counts are compared on one machine. The status is 1 where one has
grown by more than a tenth.
"""

import pathlib
import re
import subprocess
import sys

KEPT = pathlib.Path(__file__).with_suffix(".tsv")
ALLOWED = 1.1
QUESTIONS = [
    ("d/dc ∫relu", r"deriv (\c => integral01 (\x => max 0 (x - c))) 0.6", ["1e-12", "1e-30"]),
    ("brightness'", r"deriv (\y => integral01 (\z => max 0 ((z - y) / sqrt (1 + (z - y)^2)))) (1/2)", ["1e-12", "1e-30"]),
    ("∫sin(x+eˣ)", r"integral01 (\x => sin (x + exp x))", ["1e-12", "1e-30", "1e-100", "1e-308"]),
    ("∫1/(1+x²)", r"integral01 (\x => 1 / (1 + x^2))", ["1e-12", "1e-30", "1e-100", "1e-308"]),
    ("∫max(0, x-0.6)", r"integral01 (\x => max 0 (x - 0.6))", ["1e-12", "1e-100"]),
    ("∬max(0, x+y-.77)", r"integral01 (\x => integral01 (\y => max 0 (x + y - 0.77)))", ["1e-12", "1e-30"]),
    ("d/dk ∬max(0, xy-k)", r"deriv (\k => integral01 (\x => integral01 (\y => max 0 (x * y - k)))) 0.3", ["1e-12", "1e-30"]),
    ("Hausdorff", "hausdorffDist R2Dist lShape (quarterCircle 0)", ["1e-12"]),
    ("Hausdorff'", r"deriv (\y => hausdorffDist R2Dist lShape (quarterCircle y)) 0", ["1e-12"]),
    ("∫max_y y sin 3xy", r"integral01 (\x => max01 (\y => y * sin (3 * x * y)))", ["1e-6"]),
    ("∫(x+.1)^(-3/2)", r"integral01 (\x => (x + 1/10)^(-3/2))", ["1e-12", "1e-30"]),
    ("10th derivative", r"nthDeriv 10 (\x => exp (sin x * cos x) / (1 + x^2)) 0.3", ["1e-12"]),
]


def count(program, question, eps):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "eval", "--eps", eps, question]
    fewest = None
    # where memory lies differs from run to run, which is seen in small counts
    for _ in range(3):
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        found = int(re.search(r"Collected : (\d+)", run.stderr).group(1))
        fewest = min(found, fewest or found)
        if found > 10**8:
            break
    return fewest


def count_reading(program, question):
    """What it takes to start the program and to read the question."""
    return count(program, f"let unused : Real = {question} in 1", "1")


def main():
    program, *words = sys.argv[1:]
    keep = "--keep" in words
    words = [word for word in words if word != "--keep"]
    kept = {}
    if KEPT.exists():
        kept = {tuple(row[:2]): int(row[2]) for row in map(str.split, KEPT.read_text().splitlines()) if row}
    status = 0
    for name, question, widths in QUESTIONS:
        key = name.replace(" ", "")
        if words and not any(word in key for word in words):
            continue
        reading = count_reading(program, question)
        for eps in widths:
            found = count(program, question, eps) - reading
            before = kept.get((key, eps))
            ratio = f"{found / before:8.2f}" if before else ""
            print(f"{name:<22} {eps:>7} {found:>15,} {ratio}", flush=True)
            if before and found > ALLOWED * before:
                status = 1
            if keep:
                kept[key, eps] = found
    if keep:
        KEPT.write_text("".join(f"{name}\t{eps}\t{count}\n" for (name, eps), count in kept.items()))
    return status


if __name__ == "__main__":
    sys.exit(main())
