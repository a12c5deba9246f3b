"""What other tools answer to the questions of the chapter "Beside other tools".

    python3 -m venv peers && peers/bin/pip install python-flint mpmath sympy
    peers/bin/python benches/peers/others.py
"""

import flint
import mpmath
import sympy

DIGITS = 30


def show(question, answers):
    print(question)
    for tool, answer in answers.items():
        try:
            print(f"  {tool}: {answer()}")
        except Exception as refused:
            print(f"  {tool}: {type(refused).__name__}: {refused}")


def main():
    print(f"python-flint {flint.__version__} with FLINT {flint.__FLINT_VERSION__}", end=", ")
    print(f"mpmath {mpmath.__version__}, SymPy {sympy.__version__}")
    flint.ctx.dps = DIGITS
    mpmath.mp.dps = DIGITS
    x, c = sympy.symbols("x c", real=True)
    arb, acb, mp = flint.arb, flint.acb, mpmath
    show("the square root of 2", {
        "python-flint": lambda: arb(2).sqrt(),
        "mpmath": lambda: mp.sqrt(2),
        "SymPy": lambda: sympy.sqrt(2).evalf(DIGITS),
    })
    smooth = sympy.sin(x + sympy.exp(x))
    show("the integral of sin(x + exp x) over [0, 1]", {
        "python-flint": lambda: acb.integral(lambda t, _: (t + t.exp()).sin(), 0, 1),
        "mpmath": lambda: mp.quad(lambda t: mp.sin(t + mp.exp(t)), [0, 1]),
        "SymPy": lambda: sympy.Integral(smooth, (x, 0, 1)).evalf(DIGITS),
    })
    mpmath.mp.dps = 15
    flint.ctx.dps = 15
    place = sympy.Rational(3, 5)
    tail = sympy.Integral(sympy.Max(0, x - c), (x, 0, 1))
    area = lambda c: mp.quad(lambda t: max(0, t - c), [0, 1])
    show("the integral of max(0, x - 3/5) over [0, 1], which is 2/25", {
        "python-flint": lambda: acb.integral(lambda t, analytic: (t - acb("0.6")).real_max(acb(0), analytic), 0, 1),
        "mpmath": lambda: area(mp.mpf(3) / 5),
        "SymPy": lambda: tail.subs(c, place).doit(),
    })
    show("its derivative in the number 3/5, which is -2/5", {
        "mpmath": lambda: mp.diff(area, mp.mpf(3) / 5),
        "SymPy": lambda: sympy.diff(tail.doit(), c).subs(c, place).doit(),
    })
    series = flint.arb_series([0, 1])
    show("the derivative of max(0, x) at 0, where the slopes are those from 0 to 1", {
        "python-flint": lambda: abs(series),
        "mpmath": lambda: mp.diff(lambda t: max(0, t), 0),
        "SymPy": lambda: sympy.diff(sympy.Max(0, x), x).subs(x, 0),
    })


if __name__ == "__main__":
    main()
