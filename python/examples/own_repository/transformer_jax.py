"""One layer of attention and its loss, in JAX."""

import jax
import jax.numpy as jnp


def layer_norm(x, gain):
    centred = x - x.mean(-1, keepdims=True)
    return gain * centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)


def attention(parameters, x):
    queries, keys, values = (x @ parameters[name] for name in ("query", "key", "value"))
    scores = queries @ keys.T / jnp.sqrt(jnp.float32(x.shape[-1]))
    return jax.nn.softmax(scores, axis=-1) @ values


def loss(parameters, x, targets):
    x = x + attention(parameters, layer_norm(x, parameters["gain"]))
    logits = jax.nn.gelu(x @ parameters["up"]) @ parameters["down"]
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), targets[:, None], 1))


def frozen_attention(parameters, x):
    queries, keys, values = (x @ parameters[name] for name in ("query", "key", "value"))
    keys = jax.lax.stop_gradient(keys)  # planted: a cache of keys that was meant for inference
    return jax.nn.softmax(queries @ keys.T, axis=-1) @ values


def frozen_loss(parameters, x):
    return jnp.sum(frozen_attention(parameters, x) ** 2)


def example(key=0):
    keys = jax.random.split(jax.random.key(key), 7)
    shapes = {"query": (2, 2), "key": (2, 2), "value": (2, 2), "up": (2, 3), "down": (3, 2)}
    parameters = {name: jax.random.normal(k, shape) for k, (name, shape) in zip(keys, shapes.items(), strict=False)}
    return {**parameters, "gain": jnp.ones(2)}, jax.random.normal(keys[5], (3, 2)), jnp.array([0, 1, 1])
