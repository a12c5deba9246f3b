"""The gradients of all models, each in one line; and that what is planted in some is found, with its place."""

import pytest
import smoothish

def line_of(module, text):
    """A file of the repository and the line of it that has a text, as reports write them."""
    with open(module.__file__) as lines:
        return f"{module.__file__}:{next(number for number, line in enumerate(lines, start=1) if text in line)}"


def told(error):
    """All that a GradientError says."""
    return "\n".join([str(error.value), *error.value.report.borders, *error.value.report.notes])


def test_transformer_of_jax(check_grad):
    pytest.importorskip("jax")
    import transformer_jax as model

    parameters, x, targets = model.example()
    check_grad(model.loss, (parameters, x, targets), argnums=0)


def test_stopped_keys_of_jax_are_found(check_grad):
    pytest.importorskip("jax")
    import transformer_jax as model

    parameters, x, _ = model.example()
    weights = {name: parameters[name] for name in ("query", "key", "value")}
    with pytest.raises(smoothish.GradientError) as error:
        smoothish.check_grad(model.frozen_loss, (weights, x), argnums=0)
    assert error.value.report.cause == "stop_gradient" and "['key']" in error.value.report.coordinate
    assert line_of(model, "jax.lax.stop_gradient") in told(error)


def test_transformer_of_torch():
    pytest.importorskip("torch")
    import transformer_torch as model
    from smoothish.torch import check_module
    from torch.nn import functional as fn

    layer, x, targets = model.example()
    check_module(layer, (x,), loss=lambda out: fn.cross_entropy(out[0], targets))


def test_detached_keys_of_torch_are_found():
    pytest.importorskip("torch")
    import transformer_torch as model
    from smoothish.torch import check_module

    layer, x, _ = model.example(model.Frozen)
    with pytest.raises(smoothish.GradientError) as error:
        check_module(layer, (x,), loss=lambda out: (out**2).sum())
    assert error.value.report.cause == "stop_gradient" and "key" in error.value.report.coordinate
    assert line_of(model, ".detach()") in told(error)


def test_spring_of_jax(check_grad):
    jax = pytest.importorskip("jax")
    import spring_jax as model

    check_grad(model.height_after, jax.numpy.float32(20.0))


def test_the_clamp_of_jax_is_found():
    jax = pytest.importorskip("jax")
    import spring_jax as model

    with pytest.raises(smoothish.GradientError) as error:
        smoothish.check_grad(model.rest, jax.numpy.float32(0.0))
    assert error.value.report.cause == "kink"
    assert line_of(model, "jax.nn.relu(height) - jax") in told(error)


def test_spring_of_torch():
    torch = pytest.importorskip("torch")
    import spring_torch as model
    from smoothish.torch import check_grad

    check_grad(model.height_after, torch.tensor(20.0))


def test_the_force_without_gradient_of_torch_is_found():
    torch = pytest.importorskip("torch")
    import spring_torch as model
    from smoothish.torch import check_grad

    with pytest.raises(smoothish.GradientError) as error:
        check_grad(model.height_after_step, (torch.tensor(1.5), torch.tensor(0.25), torch.tensor(20.0)))
    assert error.value.report.cause == "stop_gradient"
    assert line_of(model, "# planted") in told(error)
