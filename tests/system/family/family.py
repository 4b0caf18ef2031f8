#!/usr/bin/env python3
"""Attention, blocks and their variants in PyTorch, in double precision: dumps what FamilyTest.cpp compares with.

Writes family.safetensors: for each case its parameters ("case.start.name"; inputs are parameters too), its results
("case.result.name") and the gradient of the sum of all results' squares ("case.gradient.name").

usage: family.py OUTPUT_FOLDER        (made with PyTorch 2.15 and numpy 2.4)
"""
import pathlib
import sys

import numpy as np
import torch
from torch.nn import functional

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "pytorch"))
from transformer import save  # noqa: E402

BATCH, QUERY, KEY, MODEL, HEADS, DEPTH, VALUE, HIDDEN = 2, 5, 6, 8, 2, 4, 3, 12
EPSILON = 1e-5


class Parameters:
    """Draws a parameter when it is first asked for, exact in f32."""

    def __init__(self, seed, epsilon=EPSILON):
        self.random, self.values, self.epsilon = np.random.default_rng(seed), {}, epsilon

    def __call__(self, name, *shape):
        if name not in self.values:
            value = self.random.normal(0, 0.5, shape) + (1 if name.endswith("norm.weight") else 0)
            exact = value.astype(np.float32).astype(np.float64)
            self.values[name] = torch.from_numpy(exact).requires_grad_()
        return self.values[name]

    def linear(self, name, x, *out, bias):
        """x: [..., in] -> [..., out...]"""
        width = x.shape[-1]
        y = torch.tensordot(x, self(name + ".weight", *out, width), dims=([-1], [len(out)]))
        return y + self(name + ".bias", *out) if bias else y

    def norm(self, name, x):
        return functional.layer_norm(x, x.shape[-1:], self(name + ".weight", x.shape[-1]),
                                     self(name + ".bias", x.shape[-1]), self.epsilon)


def padding(keys=KEY):
    """[batch, 1, key]: the second sentence is two keys shorter."""
    return torch.arange(keys)[None, None, :] < keys - 2 * torch.arange(BATCH)[:, None, None]


def look(scores, values, visible):
    """scores: [..., query, key]; a query that sees nothing gets zeros."""
    hidden = scores.masked_fill(~visible, -torch.inf)
    sees = visible.expand(scores.shape).any(-1, keepdim=True)
    weights = torch.where(sees, torch.softmax(torch.where(sees, hidden, 0.0), -1), 0.0)
    return weights @ values, weights


def dot_product(q, k, v, visible, scaled=True):
    scores = q @ k.transpose(-1, -2)
    return look(scores / q.shape[-1] ** 0.5 if scaled else scores, v, visible)


def inputs(p, width=DEPTH):
    return p("q", BATCH, QUERY, DEPTH), p("k", BATCH, KEY, width), p("v", BATCH, KEY, VALUE)


def with_weights(p):
    """A padding mask and a look-ahead mask at once."""
    ahead = torch.arange(KEY)[None, :] <= torch.arange(QUERY)[:, None] + 1
    y, weights = dot_product(*inputs(p), padding() & ahead)
    return {"y": y, "weights": weights}


def additive_mask(p):
    q, k, v = inputs(p)
    scores = q @ k.transpose(-1, -2) / DEPTH**0.5 + torch.where(padding(), 0.0, -1e9)
    return {"y": torch.softmax(scores, -1) @ v}


def nothing_visible(p):
    """The first query of the second sentence sees nothing."""
    query = torch.arange(QUERY)[None, :, None] + torch.zeros(BATCH, 1, 1)
    blind = (query == 0) & (torch.arange(BATCH)[:, None, None] == 1)
    return {"y": dot_product(*inputs(p), (~blind) & padding())[0]}


def unscaled(p):
    return {"y": dot_product(*inputs(p), padding(), scaled=False)[0]}


def additive_scores(p, width=DEPTH):
    q, k, v = inputs(p, width)
    hidden = torch.tanh(p.linear("score.query", q, HIDDEN, bias=False)[:, :, None]
                        + p.linear("score.key", k, HIDDEN, bias=True)[:, None])
    y, weights = look(hidden @ p("score.score.weight", HIDDEN), v, padding())
    return {"y": y, "weights": weights}


def parameter_free(p):
    x = p("x", BATCH, QUERY, MODEL)
    return {"y": dot_product(x, x, x, padding(QUERY))[0]}


def single_head(p):
    x = p("x", BATCH, QUERY, MODEL)
    q, k = (p.linear(f"head.{name}", x, DEPTH, bias=True) for name in ("query", "key"))
    return {"y": dot_product(q, k, p.linear("head.value", x, VALUE, bias=True), padding(QUERY))[0]}


def multi_head(p, name, x, memory, visible, depth=DEPTH, value=VALUE, bias=False):
    """x: [batch, query, model], memory: [batch, key, width], visible: [batch, query, key]"""
    heads = lambda part, m, d: p.linear(f"{name}.{part}", m, HEADS, d, bias=bias).transpose(1, 2)
    y, weights = dot_product(heads("query", x, depth), heads("key", memory, depth),
                             heads("value", memory, value), visible[:, None])
    y = torch.einsum("bhqd,mhd->bqm", y, p(f"{name}.output.weight", x.shape[-1], HEADS, value))
    return (y + p(f"{name}.output.bias", x.shape[-1]) if bias else y), weights


def heads_with_bias(p):
    x = p("x", BATCH, QUERY, MODEL)
    y, weights = multi_head(p, "attention", x, x, padding(QUERY), bias=True)
    return {"y": y, "weights": weights}


def wide_heads(p):
    x = p("x", BATCH, QUERY, MODEL)
    return {"y": multi_head(p, "attention", x, x, padding(QUERY), MODEL, MODEL)[0]}


def cross_attention(p):
    """Another length and another width on the side that is looked at."""
    x, memory = p("x", BATCH, QUERY, MODEL), p("memory", BATCH, KEY, 10)
    return {"y": multi_head(p, "attention", x, memory, padding())[0]}


ACTIVATIONS = {"relu": torch.relu, "gelu": functional.gelu,
               "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh")}


def feed_forward(p, name, x, activation):
    hidden = ACTIVATIONS[activation](p.linear(name + ".inner", x, HIDDEN, bias=True))
    return p.linear(name + ".outer", hidden, x.shape[-1], bias=True)


def convolution(p, name, x, out, taps, real=1):
    """x: [batch, position, in], zero where not real; of several taps each is a linear map of its own."""
    maps = [name] if taps == 1 else [f"{name}.{tap}" for tap in range(taps)]
    weight = torch.stack([p(f"{tap}.weight", out, x.shape[-1]) for tap in maps], -1)
    y = functional.conv1d((x * real).transpose(1, 2), weight, p(f"{maps[0]}.bias", out), padding=taps // 2)
    return y.transpose(1, 2)


def convolutions(taps):
    def case(p):
        hidden = torch.relu(convolution(p, "inner", p("x", BATCH, QUERY, MODEL), HIDDEN, taps))
        return {"y": convolution(p, "outer", hidden, MODEL, taps)}
    return case


def residual(p, name, x, sublayer, placement):
    norm = lambda z: p.norm(name + ".norm", z)
    if placement == "before":
        return x + sublayer(norm(x))
    y = sublayer(x)
    if placement == "of_sublayer":
        return x + norm(y)
    if placement == "of_sum_and_back":
        return (x + y) + norm(x + y)
    return norm(x + y)


def encoder_block(placement, activation, taps=1):
    def feed(p, h):
        if taps == 1:
            return feed_forward(p, "block.feed_forward", h, activation)
        real = padding(QUERY).transpose(1, 2)
        hidden = ACTIVATIONS[activation](
            convolution(p, "block.feed_forward.inner", h, HIDDEN, taps, real))
        return convolution(p, "block.feed_forward.outer", hidden, MODEL, taps, real)

    def case(p):
        x = p("x", BATCH, QUERY, MODEL)
        x = residual(p, "block.attention", x,
                     lambda h: multi_head(p, "block.attention", h, h, padding(QUERY))[0], placement)
        return {"y": residual(p, "block.feed_forward", x, lambda h: feed(p, h), placement)}
    return case


def decoder_block(placement):
    """Cross-attention looks at an expression of the encoder's output."""
    def case(p):
        y, memory = p("y", BATCH, QUERY, MODEL), torch.tanh(p("memory", BATCH, KEY, MODEL)) * 2
        causal = torch.ones(QUERY, QUERY, dtype=torch.bool).tril().expand(BATCH, -1, -1)
        y = residual(p, "block.attention", y,
                     lambda h: multi_head(p, "block.attention", h, h, causal)[0], placement)
        y = residual(p, "block.cross_attention", y,
                     lambda h: multi_head(p, "block.cross_attention", h, memory, padding())[0], placement)
        return {"y": residual(p, "block.feed_forward", y,
                              lambda h: feed_forward(p, "block.feed_forward", h, "relu"), placement)}
    return case


PLACEMENTS = ("after", "before", "of_sublayer", "of_sum_and_back")
CASES = {
    "with_weights": with_weights, "additive_mask": additive_mask, "nothing_visible": nothing_visible,
    "unscaled": unscaled, "additive_scores": additive_scores, "parameter_free": parameter_free,
    "single_head": single_head, "heads_with_bias": heads_with_bias, "wide_heads": wide_heads,
    "cross_attention": cross_attention, "convolutions_1": convolutions(1), "convolutions_3": convolutions(3),
    **{f"encoder_{placement}": encoder_block(placement, activation) for placement, activation
       in zip(PLACEMENTS, ("relu", "gelu", "gelu_tanh", "relu"))},
    **{f"decoder_{placement}": decoder_block(placement) for placement in PLACEMENTS},
    "encoder_convolutions": encoder_block("before", "relu", taps=3),
    "additive_scores_widths": lambda p: additive_scores(p, 10),
}


def run(seed, case):
    p = Parameters(seed)
    results = case(p)
    sum((y * y).sum() for y in results.values()).backward()
    return ({f"start.{name}": value.detach().numpy() for name, value in p.values.items()}
            | {f"result.{name}": value.detach().numpy() for name, value in results.items()}
            | {f"gradient.{name}": value.grad.numpy() for name, value in p.values.items()})


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    dump = {f"{name}.{key}": value for seed, (name, case) in enumerate(CASES.items())
            for key, value in run(seed, case).items()}
    save(pathlib.Path(sys.argv[1]) / "family.safetensors", dump)
    print(len(CASES), "cases,", len(dump), "tensors")
