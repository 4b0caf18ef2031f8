#!/usr/bin/env python3
"""The decoder-only language model in PyTorch, in double precision: dumps what LanguageModelTest.cpp compares with.

Writes lm.safetensors: the first parameters, the batch, all logits, the loss of each of ten steps, every gradient of the
first step, and all parameters after ten steps of Adam with the warmup schedule.

usage: lm.py OUTPUT_FOLDER        (made with PyTorch 2.15 and numpy 2.4)
"""
import math
import pathlib
import sys

import numpy as np
import torch
from torch.nn import functional

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "pytorch"))
from transformer import save  # noqa: E402

LAYERS, WIDTH, HEADS, DEPTH, HIDDEN, VOCABULARY, PLACES = 2, 16, 2, 8, 32, 23, 12
WARMUP, STEPS, EPSILON = 10, 10, 1e-5
BETA1, BETA2, ADAM_EPSILON = 0.9, 0.98, 1e-9


def norm(p, name, x):
    return functional.layer_norm(x, (WIDTH,), p[name + ".norm.weight"], p[name + ".norm.bias"], EPSILON)


def attention(p, name, x):
    """x: [batch, position, model]"""
    q, k, v = (torch.einsum("bpm,hdm->bhpd", x, p[f"{name}.{part}.weight"]) for part in ("query", "key", "value"))
    heads = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    return torch.einsum("bhpd,mhd->bpm", heads, p[name + ".output.weight"])


def feed_forward(p, name, x):
    hidden = functional.gelu(x @ p[name + ".inner.weight"].T + p[name + ".inner.bias"], approximate="tanh")
    return hidden @ p[name + ".outer.weight"].T + p[name + ".outer.bias"]


def logits_of(p, tokens):
    x = p["embedding.weight"][tokens] * math.sqrt(WIDTH) + p["embedding.positions.weight"][:tokens.shape[1]]
    for i in range(LAYERS):
        x = x + attention(p, f"layer.{i}.attention", norm(p, f"layer.{i}.attention", x))
        x = x + feed_forward(p, f"layer.{i}.feed_forward", norm(p, f"layer.{i}.feed_forward", x))
    x = functional.layer_norm(x, (WIDTH,), p["norm.weight"], p["norm.bias"], EPSILON)
    return x @ p["embedding.weight"].T


def shapes():
    """Names and shapes, each as [out.., in..]."""
    yield "embedding.weight", (VOCABULARY, WIDTH)
    yield "embedding.positions.weight", (PLACES, WIDTH)
    for i in range(LAYERS):
        name = f"layer.{i}.attention"
        for part in ("query", "key", "value"):
            yield f"{name}.{part}.weight", (HEADS, DEPTH, WIDTH)
        yield name + ".output.weight", (WIDTH, HEADS, DEPTH)
        name = f"layer.{i}.feed_forward"
        yield name + ".inner.weight", (HIDDEN, WIDTH)
        yield name + ".inner.bias", (HIDDEN,)
        yield name + ".outer.weight", (WIDTH, HIDDEN)
        yield name + ".outer.bias", (WIDTH,)
        for block in ("attention", "feed_forward"):
            yield f"layer.{i}.{block}.norm.weight", (WIDTH,)
            yield f"layer.{i}.{block}.norm.bias", (WIDTH,)
    yield "norm.weight", (WIDTH,)
    yield "norm.bias", (WIDTH,)


def parameters(shapes):
    """Random values for every parameter, biases and norms included, exact in f32."""
    random = np.random.default_rng(7)
    values = {}
    for name, shape in shapes:
        scale = 0.1 if name.endswith("bias") or len(shape) == 1 else 1 / math.sqrt(WIDTH)
        value = random.normal(0, scale, shape) + (1 if name.endswith("norm.weight") else 0)
        values[name] = torch.from_numpy(value.astype(np.float32).astype(np.float64)).requires_grad_()
    return values


def batch():
    """Three windows, the last of which ends with padding."""
    stream = np.random.default_rng(11).integers(3, VOCABULARY, (3, PLACES - 1))
    stream[2, 6:] = 0
    return torch.from_numpy(stream[:, :-1].copy()), torch.from_numpy(stream[:, 1:].copy())


def write(path, shapes, logits_of):
    p, (tokens_in, tokens_out) = parameters(shapes), batch()
    dump = {f"start.{name}": value.detach().numpy().copy() for name, value in p.items()}
    dump |= {"tokens_in": tokens_in.numpy(), "tokens_out": tokens_out.numpy()}
    dump["logits"] = logits_of(p, tokens_in).detach().numpy()
    optimizer = torch.optim.Adam(list(p.values()), lr=0, betas=(BETA1, BETA2), eps=ADAM_EPSILON)
    losses = []
    for step in range(1, STEPS + 1):
        optimizer.param_groups[0]["lr"] = WIDTH**-0.5 * min(step**-0.5, step * WARMUP**-1.5)
        loss = functional.cross_entropy(logits_of(p, tokens_in).flatten(0, 1), tokens_out.flatten(), ignore_index=0)
        optimizer.zero_grad()
        loss.backward()
        if step == 1:
            dump |= {f"gradient.{name}": value.grad.numpy().copy() for name, value in p.items()}
        optimizer.step()
        losses.append(loss.item())
    dump |= {f"end.{name}": value.detach().numpy() for name, value in p.items()} | {"losses": np.array(losses)}
    save(path, dump)
    print("losses", " ".join(f"{loss:.6f}" for loss in losses))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write(pathlib.Path(sys.argv[1]) / "lm.safetensors", shapes(), logits_of)
