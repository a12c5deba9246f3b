"""The network and the valley of benches/gradients.rs in JAX and CasADi: medians in microseconds."""
import statistics
import time

SIZES = [64, 64, 64, 1]
COUNT = sum((a + 1) * b for a, b in zip(SIZES, SIZES[1:]))
POINT = [((i * 7919 % 1009) - 504) / 4096 for i in range(COUNT)]
INPUT = [((i * 37 % 17) - 8) / 16 for i in range(SIZES[0])]
VALLEY = [0.5 + 0.125 * i for i in range(10)]

def median(run, runs):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6

def show(name, value, gradient, hessian):
    print(f"{name}: value {value:.1f} µs, gradient {gradient:.1f} µs; Hessian of Rosenbrock's function {hessian:.2f} µs")

try:
    import jax, jax.numpy as jnp
    jax.config.update("jax_enable_x64", True)
    def network(w):
        x, at = jnp.array(INPUT), 0
        for before, after in zip(SIZES, SIZES[1:]):
            rows = w[at:at + (before + 1) * after].reshape(after, before + 1)
            x, at = rows[:, 0] + rows[:, 1:] @ x, at + (before + 1) * after
            if after > 1:
                x = jnp.tanh(x)
        return (x * x)[0]
    def valley(x):
        return jnp.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)
    w, x = jnp.array(POINT), jnp.array(VALLEY)
    runs = [jax.jit(network), jax.jit(jax.grad(network)), jax.jit(jax.hessian(valley))]
    times = [median(lambda: f(a).block_until_ready(), 301) for f, a in zip(runs, [w, w, x])]
    show(f"JAX {jax.__version__}, jit", *times)
except ImportError:
    print("JAX is not installed")

try:
    import casadi, numpy
    w = casadi.MX.sym("w", COUNT)
    x, at = casadi.DM(INPUT), 0
    for before, after in zip(SIZES, SIZES[1:]):
        rows = casadi.reshape(w[at:at + (before + 1) * after], before + 1, after).T
        x, at = rows[:, 0] + casadi.mtimes(rows[:, 1:], x), at + (before + 1) * after
        if after > 1:
            x = casadi.tanh(x)
    v = casadi.SX.sym("v", 10)
    valley = sum(100 * (v[i + 1] - v[i] ** 2) ** 2 + (1 - v[i]) ** 2 for i in range(9))
    def prepared(f, at):
        # without the conversion of Python's numbers
        memory, result = f.buffer()
        at, out = numpy.array(at), numpy.zeros(f.size_out(0))
        out = numpy.zeros(f.nnz_out(0))
        memory.set_arg(0, memoryview(at)); memory.set_res(0, memoryview(out))
        prepared.keep = getattr(prepared, "keep", []) + [at, out, memory]
        return result
    runs = [
        prepared(casadi.Function("f", [w], [x * x]), POINT),
        prepared(casadi.Function("g", [w], [casadi.gradient(x * x, w)]), POINT),
        prepared(casadi.Function("h", [v], [casadi.hessian(valley, v)[0]]), VALLEY),
    ]
    show(f"CasADi {casadi.__version__}", *[median(run, 301) for run in runs])
except ImportError:
    print("CasADi is not installed")
