"""A layer of the Transformer in idiomatic PyTorch, and what the models of examples/ make of it."""

import torch
import torch.nn.functional as F
from torch import nn

PADDING = 0


class Layer(nn.Module):
    """Self-attention and a feed-forward block; the norm is before each, or after the sum."""

    def __init__(self, width, heads, hidden, dropout, attention_dropout, activation, before=False):
        super().__init__()
        self.heads, self.before, self.attention_dropout = heads, before, attention_dropout
        self.all = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), activation,
                                          nn.Linear(hidden, width))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def attend(self, x, mask, causal):
        split = (y.unflatten(-1, (self.heads, -1)).transpose(1, 2) for y in self.all(x).chunk(3, -1))
        y = F.scaled_dot_product_attention(
            *split, attn_mask=mask, is_causal=causal,
            dropout_p=self.attention_dropout if self.training else 0)
        return self.output(y.transpose(1, 2).flatten(-2))

    def residual(self, i, x, sublayer):
        if self.before:
            return x + self.dropout(sublayer(self.norms[i](x)))
        return self.norms[i](x + self.dropout(sublayer(x)))

    def forward(self, x, mask=None, causal=False):
        x = self.residual(0, x, lambda h: self.attend(h, mask, causal))
        return self.residual(1, x, self.feed_forward)


def visible(tokens):
    """[batch, position] -> [batch, 1, 1, position]"""
    return (tokens != PADDING)[:, None, None, :]


def mean_of_real(x, tokens):
    """x: [batch, position, width] -> [batch, width]"""
    real = (tokens != PADDING)[..., None]
    return (x * real).sum(1) / real.sum(1)


class Bert(nn.Module):
    """The encoder of BERT: word, place and segment vectors, normalized, and layers."""

    def __init__(self, vocabulary, places, layers, width, heads, hidden, dropout=0.1,
                 attention_dropout=0.1):
        super().__init__()
        self.words, self.places = nn.Embedding(vocabulary, width), nn.Embedding(places, width)
        self.segments = nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(
            Layer(width, heads, hidden, dropout, attention_dropout, nn.GELU())
            for _ in range(layers))

    def forward(self, tokens, segments):
        places = self.places(torch.arange(tokens.shape[1]))
        x = self.dropout(self.norm(self.words(tokens) + places + self.segments(segments)))
        mask = visible(tokens)
        for layer in self.layers:
            x = layer(x, mask)
        return x
