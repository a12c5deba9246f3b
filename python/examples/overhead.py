"""What a question costs beside the same in Rust, in microseconds: `at` of a compiled function, and `eval` of a text.

    python python/examples/overhead.py

Each is the least of several means, so that what else the machine does counts little. Fails where a compiled question takes 50 µs more.
"""

import sys
import timeit

import smoothish
from smoothish._smoothish import seconds_of_at, seconds_of_eval

MOST = 50e-6
COMPILED = [
    ("\\c => deriv (\\c => integral01 (\\x => max 0 (x - c))) c", "0.6", "1e-9"),
    ("\\x => x * sin x", "1/3", "1e-9"),
    ("\\x => firstRoot (\\y => y^2 - x)", "0.5", "1e-9"),
]
TEXTS = [("deriv (\\c => integral01 (\\x => max 0 (x - c))) 0.6", "1e-9"), ("sqrt 2", "1e-9")]


def least(ask, count):
    return min(ask() / count for _ in range(7))


def main():
    worst, count, session = 0.0, 200, smoothish.Session()
    print(f"{'µs with Python':>16}{'µs in Rust':>12}{'more':>8}")
    for text, x, eps in COMPILED:
        f = smoothish.compile(text)
        asked = least(lambda f=f, x=x, eps=eps: timeit.timeit(lambda: f.at(x, eps), number=count), count)
        alone = min(seconds_of_at(f, x, eps, count) for _ in range(7))
        worst = max(worst, asked - alone)
        print(f"{1e6 * asked:16.1f}{1e6 * alone:12.1f}{1e6 * (asked - alone):8.1f}  compiled, at {x}: {text}")
    for text, eps in TEXTS:
        asked = least(lambda text=text, eps=eps: timeit.timeit(lambda: session.eval(text, eps), number=count), count)
        alone = min(seconds_of_eval(session, text, eps, count) for _ in range(7))
        print(f"{1e6 * asked:16.1f}{1e6 * alone:12.1f}{1e6 * (asked - alone):8.1f}  a text: {text}")
    return worst > MOST


if __name__ == "__main__":
    sys.exit(main())
