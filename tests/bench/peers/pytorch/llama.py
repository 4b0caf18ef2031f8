"""The model of examples/lm as in Llama."""

import torch
import torch.nn.functional as F
from torch import nn

from peers.pytorch import lm


class Attention(nn.Module):
    """Heads of queries share those of keys and values."""

    def __init__(self, width, heads, key_heads):
        super().__init__()
        self.depth, self.kept = width // heads, key_heads * (width // heads)
        self.all = nn.Linear(width, width + 2 * self.kept, bias=False)
        self.output = nn.Linear(width, width, bias=False)

    def forward(self, x, sin, cos):
        kept = (x.shape[-1], self.kept, self.kept)
        q, k, v = (y.unflatten(-1, (-1, self.depth)).transpose(1, 2)
                   for y in self.all(x).split(kept, -1))
        q, k = (y * cos + turned(y) * sin for y in (q, k))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.output(y.transpose(1, 2).flatten(-2))


class FeedForward(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.both = nn.Linear(width, 2 * hidden, bias=False)
        self.outer = nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        gate, inner = self.both(x).chunk(2, -1)
        return self.outer(F.silu(gate) * inner)


def turned(x):
    first, second = x.chunk(2, -1)
    return torch.cat((-second, first), -1)


class Llama(nn.Module):
    def __init__(self, layers, width, heads, key_heads, hidden, vocabulary, length, family):
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        nn.init.normal_(self.words.weight, std=width**-0.5)
        self.attention = nn.ModuleList(Attention(width, heads, key_heads) for _ in range(layers))
        self.feed_forward = nn.ModuleList(FeedForward(width, hidden) for _ in range(layers))
        self.norms = nn.ModuleList(nn.RMSNorm(width, eps=1e-5) for _ in range(2 * layers + 1))
        depth = width // heads
        speed = 10000 ** -(torch.arange(0, depth, 2) / depth)
        angle = torch.outer(torch.arange(length), torch.cat((speed, speed)))
        self.register_buffer("sin", angle.sin())
        self.register_buffer("cos", angle.cos())

    def forward(self, tokens):
        x = self.words(tokens)
        sin, cos = self.sin[:tokens.shape[1]], self.cos[:tokens.shape[1]]
        for i, (attention, feed_forward) in enumerate(zip(self.attention, self.feed_forward)):
            x = x + attention(self.norms[2 * i](x), sin, cos)
            x = x + feed_forward(self.norms[2 * i + 1](x))
        return F.linear(self.norms[-1](x), self.words.weight)


class Functions(lm.Functions):
    Model = Llama
