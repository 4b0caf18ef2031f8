#!/usr/bin/env python3
"""The language model as in Llama in PyTorch, in double precision: dumps what LanguageModelTest.cpp compares with.

Writes llama.safetensors, with the tensors that lm.py gives.

usage: llama.py OUTPUT_FOLDER        (made with PyTorch 2.15 and numpy 2.4)
"""
import pathlib
import sys

import torch
from torch.nn import functional

from lm import EPSILON, LAYERS, VOCABULARY, WIDTH, write

HEADS, KEY_HEADS, DEPTH, HIDDEN, BASE = 4, 2, 4, 24, 500


def norm(p, name, x):
    return functional.rms_norm(x, (WIDTH,), p[name + ".norm.weight"], EPSILON)


def turned(x):
    """x: [batch, heads, position, depth]; channels i and i + DEPTH / 2 turn by position / BASE^(2i / DEPTH)."""
    first, second = x.chunk(2, -1)
    speed = BASE ** -(torch.arange(0, DEPTH, 2, dtype=x.dtype) / DEPTH)
    angle = torch.arange(x.shape[2], dtype=x.dtype)[:, None] * speed
    sin, cos = angle.sin(), angle.cos()
    return torch.cat((first * cos - second * sin, second * cos + first * sin), -1)


def attention(p, name, x):
    """x: [batch, position, model]"""
    q, k, v = (torch.einsum("bpm,hdm->bhpd", x, p[f"{name}.{part}.weight"]) for part in ("query", "key", "value"))
    k, v = (y.repeat_interleave(HEADS // KEY_HEADS, 1) for y in (turned(k), v))
    heads = functional.scaled_dot_product_attention(turned(q), k, v, is_causal=True)
    return torch.einsum("bhpd,mhd->bpm", heads, p[name + ".output.weight"])


def feed_forward(p, name, x):
    gate, inner = (x @ p[f"{name}.{part}.weight"].T for part in ("gate", "inner"))
    return (functional.silu(gate) * inner) @ p[name + ".outer.weight"].T


def logits_of(p, tokens):
    x = p["embedding.weight"][tokens]
    for i in range(LAYERS):
        x = x + attention(p, f"layer.{i}.attention", norm(p, f"layer.{i}.attention", x))
        x = x + feed_forward(p, f"layer.{i}.feed_forward", norm(p, f"layer.{i}.feed_forward", x))
    return functional.rms_norm(x, (WIDTH,), p["norm.weight"], EPSILON) @ p["embedding.weight"].T


def shapes():
    """Names and shapes, each as [out.., in..]."""
    yield "embedding.weight", (VOCABULARY, WIDTH)
    for i in range(LAYERS):
        name = f"layer.{i}.attention"
        yield name + ".query.weight", (HEADS, DEPTH, WIDTH)
        yield name + ".key.weight", (KEY_HEADS, DEPTH, WIDTH)
        yield name + ".value.weight", (KEY_HEADS, DEPTH, WIDTH)
        yield name + ".output.weight", (WIDTH, HEADS, DEPTH)
        name = f"layer.{i}.feed_forward"
        yield name + ".gate.weight", (HIDDEN, WIDTH)
        yield name + ".inner.weight", (HIDDEN, WIDTH)
        yield name + ".outer.weight", (WIDTH, HIDDEN)
        for block in ("attention", "feed_forward"):
            yield f"layer.{i}.{block}.norm.weight", (WIDTH,)
    yield "norm.weight", (WIDTH,)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write(pathlib.Path(sys.argv[1]) / "llama.safetensors", shapes(), logits_of)
