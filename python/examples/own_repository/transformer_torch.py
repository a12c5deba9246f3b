"""One layer of attention and its loss, in PyTorch."""

import torch
from torch import nn
from torch.nn import functional as fn


class Layer(nn.Module):
    def __init__(self, width=2, hidden=3):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, 1, batch_first=True)
        self.up, self.down = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, x):
        y = self.norm(x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        return self.down(fn.gelu(self.up(x)))


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key = nn.Linear(2, 2), nn.Linear(2, 2)

    def forward(self, x):
        scores = self.query(x) @ self.key(x).detach().transpose(-1, -2)  # planted: no gradient reaches the keys
        return fn.softmax(scores, -1) @ x


def example(kind=Layer):
    torch.manual_seed(0)
    return kind(), torch.randn(1, 3, 2), torch.tensor([0, 1, 1])
