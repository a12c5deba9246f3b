"""A mass on a spring above a floor: a step in time, and where it is after some, in JAX."""

import jax
import jax.numpy as jnp


def contact(height):
    """The force of the floor, from how far the mass is below it."""
    return 50.0 * jnp.maximum(-height, 0.0)


def step(state, stiffness, dt=0.05):
    height, speed = state
    speed = speed + dt * (contact(height) - stiffness * (height - 1.0) - 9.81)
    return height + dt * speed, speed


def height_after(stiffness, steps=12):
    state = jax.lax.fori_loop(0, steps, lambda _, state: step(state, stiffness), (jnp.ones_like(stiffness), jnp.zeros_like(stiffness)))
    return state[0]


def rest(height):
    """The potential of a mass at a height, by its distance from the floor."""
    signed = jax.nn.relu(height) - jax.nn.relu(-height)  # planted: it is the height, and its derivative at the floor is 0 here
    return 9.81 * signed
