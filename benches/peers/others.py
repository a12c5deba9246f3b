"""What other tools answer to the questions of the chapter "Beside other tools", as its table.

    python3 -m venv peers && peers/bin/pip install python-flint mpmath sympy typst
    cargo install numbat-cli --locked
    cargo build --release
    peers/bin/python benches/peers/others.py target/release/smoothish

Numbat is left out where it is not on the path. A dash stands where a tool has no such question; what is refused says so.
"""

import json
import shutil
import subprocess
import sys

import flint
import mpmath
import sympy
import typst

DIGITS = 30
TOOLS = ["smoothish", "python-flint", "mpmath", "SymPy", "Numbat", "Typst"]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr.strip().splitlines()[0])
    return done.stdout.strip()


def ours(program, eps="1e-9"):
    return lambda: run(sys.argv[1], "eval", "--eps", eps, program)


def numbat(program):
    return lambda: run(shutil.which("numbat"), "--no-config", "--no-init", "-e", program)


def typst_says(expression):
    def ask():
        document = f"#metadata(repr({expression})) <answer>"
        return json.loads(typst.query(document.encode(), "<answer>", field="value", one=True))
    return ask


def versions():
    return {
        "smoothish": run(sys.argv[1], "--version").split()[1],
        "python-flint": f"{flint.__version__} (FLINT {flint.__FLINT_VERSION__})",
        "mpmath": mpmath.__version__,
        "SymPy": sympy.__version__,
        "Numbat": run("numbat", "--version").split()[1] if shutil.which("numbat") else "",
        "Typst": ".".join(part.strip() for part in typst_says("sys.version")()[8:-1].split(",")),
    }


def with_digits(digits, answer):
    def ask():
        flint.ctx.dps = mpmath.mp.dps = digits
        return answer()
    return ask


def questions():
    """Every question, with what it is put as to those tools that have it."""
    x, c = sympy.symbols("x c", real=True)
    arb, acb, mp = flint.arb, flint.acb, mpmath
    smooth = sympy.sin(x + sympy.exp(x))
    place = sympy.Rational(3, 5)
    tail = sympy.Integral(sympy.Max(0, x - c), (x, 0, 1))
    area = lambda c: mp.quad(lambda t: max(0, t - c), [0, 1])
    many = lambda answer: with_digits(DIGITS, answer)
    few = lambda answer: with_digits(15, answer)
    yield "√2, to 30 digits where they can be asked for", {
        "smoothish": ours("sqrt 2", "1e-30"),
        "python-flint": many(lambda: arb(2).sqrt()),
        "mpmath": many(lambda: mp.sqrt(2)),
        "SymPy": lambda: sympy.sqrt(2).evalf(DIGITS),
        "Numbat": numbat("sqrt(2)"),
        "Typst": typst_says("calc.sqrt(2)"),
    }
    yield "0.1 + 0.2", {
        "smoothish": ours("0.1 + 0.2"),
        "python-flint": few(lambda: arb("0.1") + arb("0.2")),
        "mpmath": few(lambda: repr(mp.mpf("0.1") + mp.mpf("0.2"))[5:-2]),
        "SymPy": lambda: sympy.Rational("0.1") + sympy.Rational("0.2"),
        "Numbat": numbat("0.1 + 0.2"),
        "Typst": typst_says("0.1 + 0.2"),
    }
    yield "∫₀¹ sin(x + eˣ) dx", {
        "smoothish": ours("integral01 (\\x => sin (x + exp x))", "1e-30"),
        "python-flint": many(lambda: acb.integral(lambda t, _: (t + t.exp()).sin(), 0, 1)),
        "mpmath": many(lambda: mp.quad(lambda t: mp.sin(t + mp.exp(t)), [0, 1])),
        "SymPy": lambda: sympy.Integral(smooth, (x, 0, 1)).evalf(DIGITS),
    }
    yield "∫₀¹ max(0, x − 3/5) dx, which is 2/25", {
        "smoothish": ours("integral01 (\\x => max 0 (x - 3/5))"),
        "python-flint": few(lambda: acb.integral(lambda t, analytic: (t - acb("0.6")).real_max(acb(0), analytic), 0, 1)),
        "mpmath": few(lambda: area(mp.mpf(3) / 5)),
        "SymPy": lambda: tail.subs(c, place).doit(),
    }
    yield "its derivative in 3/5, which is −2/5", {
        "smoothish": ours("deriv (\\c => integral01 (\\x => max 0 (x - c))) (3/5)"),
        "mpmath": few(lambda: mp.diff(area, mp.mpf(3) / 5)),
        "SymPy": lambda: sympy.diff(tail.doit(), c).subs(c, place).doit(),
    }
    yield "the slopes of max(0, x) at 0, which are those from 0 to 1", {
        "smoothish": ours("deriv (\\x => max 0 x) 0", "2"),
        "mpmath": few(lambda: mp.diff(lambda t: max(0, t), 0)),
        "SymPy": lambda: sympy.diff(sympy.Max(0, x), x).subs(x, 0),
        "Numbat": numbat("use numerics::diff\nfn f(x) = if x > 0 then x else 0\ndiff(f, 0, 1e-10)"),
    }


def cell(answer):
    if answer is None:
        return "–"
    try:
        return f"`{answer()}`"
    except Exception as refused:
        return f"refused: {type(refused).__name__}"


def main():
    version = versions()
    tools = [tool for tool in TOOLS if version[tool]]
    print("| question |", " | ".join(f"{tool} {version[tool]}" for tool in tools), "|")
    print("|---" * (len(tools) + 1) + "|")
    for question, answers in questions():
        print(f"| {question} |", " | ".join(cell(answers.get(tool)) for tool in tools), "|")


if __name__ == "__main__":
    main()
