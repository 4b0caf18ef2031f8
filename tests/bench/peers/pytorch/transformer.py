"""The model of examples/translate in idiomatic PyTorch: one projection for Q, K and V,
scaled_dot_product_attention with the same masks, shared embeddings, Post-LN."""

import math

import torch
import torch.nn.functional as F
from torch import nn

PADDING = 0


def projection(inputs, outputs, parts=1, bias=False):
    """Linear maps side by side, each with Glorot's initial values and no offset."""
    layer = nn.Linear(inputs, parts * outputs, bias=bias)
    for weight in layer.weight.chunk(parts):
        nn.init.xavier_uniform_(weight)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


class Attention(nn.Module):
    """Multi-head attention; Q, K, V of self-attention and K, V of cross-attention in one product."""

    def __init__(self, width, heads, cross=False):
        super().__init__()
        self.heads, self.cross = heads, cross
        if cross:
            self.query = projection(width, width)
            self.memory = projection(width, width, parts=2)
        else:
            self.all = projection(width, width, parts=3)
        self.output = projection(width, width)

    def split(self, x):  # [batch, position, width] -> [batch, heads, position, depth]
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def project(self, memory):
        """Keys and values of the source, [batch, heads, source, depth] each."""
        return [self.split(x) for x in self.memory(memory).chunk(2, -1)]

    def attend(self, q, k, v, mask):
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.output(y.transpose(1, 2).flatten(-2))

    def forward(self, x, mask, memory=None):
        if self.cross:
            return self.attend(self.split(self.query(x)), *self.project(memory), mask)
        return self.attend(*(self.split(y) for y in self.all(x).chunk(3, -1)), mask)

    def step(self, x, position, cache):
        """One position of self-attention; its key and value join those in the cache."""
        q, k, v = (self.split(y) for y in self.all(x).chunk(3, -1))
        for stored, new in zip(cache, (k, v)):
            stored[:, :, position] = new[:, :, 0]
        return self.attend(q, *(stored[:, :, :position + 1] for stored in cache), None)


class Layer(nn.Module):
    """A layer of the encoder, or of the decoder if it has cross-attention."""

    def __init__(self, size, dropout, decoder):
        super().__init__()
        self.self_attention = Attention(size.width, size.heads)
        self.cross_attention = Attention(size.width, size.heads, cross=True) if decoder else None
        self.feed_forward = nn.Sequential(projection(size.width, size.hidden, bias=True),
                                          nn.ReLU(),
                                          projection(size.hidden, size.width, bias=True))
        self.norms = nn.ModuleList(nn.LayerNorm(size.width) for _ in range(3 if decoder else 2))
        self.dropout = nn.Dropout(dropout)

    def join(self, i, x, y):
        return self.norms[i](x + self.dropout(y))

    def forward(self, x, mask, memory=None, memory_mask=None):
        x = self.join(0, x, self.self_attention(x, mask))
        if self.cross_attention:
            x = self.join(1, x, self.cross_attention(x, memory_mask, memory))
        return self.join(-1, x, self.feed_forward(x))

    def step(self, x, position, cache, memory, memory_mask):
        x = self.join(0, x, self.self_attention.step(x, position, cache))
        cross = self.cross_attention
        x = self.join(1, x, cross.attend(cross.split(cross.query(x)), *memory, memory_mask))
        return self.join(2, x, self.feed_forward(x))


class Transformer(nn.Module):
    def __init__(self, size, dropout=0.1):
        super().__init__()
        self.scale = math.sqrt(size.width)
        self.embedding = nn.Embedding(size.vocabulary, size.width)
        nn.init.normal_(self.embedding.weight, std=1 / self.scale)
        self.register_buffer("places", self.sinusoids(size.longest, size.width))
        self.encoder = nn.ModuleList(Layer(size, dropout, False) for _ in range(size.layers))
        self.decoder = nn.ModuleList(Layer(size, dropout, True) for _ in range(size.layers))
        self.dropout = nn.Dropout(dropout)

    @staticmethod
    def sinusoids(length, width):
        angle = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
        return torch.stack((angle.sin(), angle.cos()), -1).flatten(-2)

    def embed(self, tokens, first=0):
        places = self.places[first:first + tokens.shape[1]]
        return self.dropout(self.embedding(tokens) * self.scale + places)

    @staticmethod
    def visible(tokens):  # [batch, position] -> [batch, 1, 1, position]
        return (tokens != PADDING)[:, None, None, :]

    def encode(self, source):
        x, mask = self.embed(source), self.visible(source)
        for layer in self.encoder:
            x = layer(x, mask)
        return x

    def decode(self, memory, source, target):
        length = target.shape[1]
        causal = torch.ones(length, length, dtype=torch.bool).tril()
        mask, memory_mask = causal & self.visible(target), self.visible(source)
        y = self.embed(target)
        for layer in self.decoder:
            y = layer(y, mask, memory, memory_mask)
        return y

    def logits(self, y):
        return F.linear(y, self.embedding.weight)

    def forward(self, source, target):
        """[batch, source], [batch, target] -> [batch, target, vocabulary]"""
        return self.logits(self.decode(self.encode(source), source, target))

    def memories(self, source):
        """What decoding steps need of the source: keys and values of each layer."""
        memory = self.encode(source)
        return [layer.cross_attention.project(memory) for layer in self.decoder]

    def caches(self, batch, capacity):
        """Room for the keys and values of the target, for each layer."""
        heads = self.decoder[0].self_attention.heads
        depth = self.embedding.embedding_dim // heads
        return [[torch.zeros(batch, heads, capacity, depth) for _ in range(2)]
                for _ in self.decoder]

    def step(self, token, position, caches, memories, memory_mask):
        """One position of the target: [batch] -> [batch, vocabulary]"""
        y = self.embed(token[:, None], position)
        for layer, cache, memory in zip(self.decoder, caches, memories):
            y = layer.step(y, position, cache, memory, memory_mask)
        return self.logits(y[:, 0])


def load(model, weights):
    """Takes the arrays of peers.weights."""
    state = {name: torch.tensor(weight) for name, weight in weights.items()}
    model.load_state_dict(state | {"places": model.places})


def loss(logits, expected, smoothing, reduction="mean"):
    """Cross entropy of the tokens that are no padding."""
    return F.cross_entropy(logits.flatten(0, -2), expected.flatten(), ignore_index=PADDING,
                           label_smoothing=smoothing, reduction=reduction)


def adam(model):
    return torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9, fused=True)
