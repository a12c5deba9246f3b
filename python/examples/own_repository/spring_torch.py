"""A mass on a spring above a floor: a step in time, and where it is after some, in PyTorch."""

import torch


def step(height, speed, stiffness, dt=0.05):
    speed = speed + dt * (50.0 * torch.relu(-height) - stiffness * (height - 1.0) - 9.81)
    return height + dt * speed, speed


def height_after(stiffness, steps=12):
    height, speed = torch.ones_like(stiffness), torch.zeros_like(stiffness)
    for _ in range(steps):
        height, speed = step(height, speed, stiffness)
    return height


def height_after_step(height, speed, stiffness, dt=0.05):
    with torch.no_grad():
        speed = speed - dt * stiffness * (height - 1.0)  # planted: the force has no part in the derivative
    return height + dt * speed
