#!/usr/bin/env python3
"""The paper's Transformer in PyTorch, in double precision: dumps what PyTorchTest.cpp and MockTargetTest.cpp compare with.

Writes transformer.safetensors (without dropout) and transformer_dropout.safetensors: the first parameters, the batch,
the loss of each of ten steps, every gradient of the first step, and all parameters after ten steps of Adam with
the warmup schedule. Dropout masks are not PyTorch's own: they are drawn as runtime/Random.h defines, so that both
sides drop the same elements.

usage: transformer.py OUTPUT_FOLDER        (made with PyTorch 2.15 and numpy 2.4)
"""
import json
import math
import pathlib
import struct
import sys

import numpy as np
import torch

LAYERS, WIDTH, HEADS, DEPTH, VALUE_DEPTH, HIDDEN, VOCABULARY = 2, 16, 2, 8, 12, 32, 23
WARMUP, RATE_FACTOR, SMOOTHING, STEPS, SEED, EPSILON = 10, 1.0, 0.1, 10, 1234, 1e-5
BETA1, BETA2, ADAM_EPSILON = 0.9, 0.98, 1e-9

U32 = np.uint32
COORDINATE = [0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D]


def mix(x):
    """lowbias32, on uint32 scalars or arrays."""
    with np.errstate(over="ignore"):
        x = x ^ (x >> U32(16))
        x = (x * U32(0x7FEB352D)).astype(U32)
        x = x ^ (x >> U32(15))
        x = (x * U32(0x846CA68B)).astype(U32)
        return x ^ (x >> U32(16))


def uniform(step, site, shape):
    """Numbers in [0, 1) over axes in alphabetical order."""
    with np.errstate(over="ignore"):
        one = lambda x: np.asarray(x, U32).reshape(1)
        key0 = mix(one(SEED) ^ U32(0x9E3779B9))
        key1 = mix(key0 + one(step))
        key = mix(key1 ^ (one(site) * U32(0x85EBCA6B)))
        h = np.full(shape, key[0], U32)
        for axis, size in enumerate(shape):
            index = np.arange(size, dtype=U32).reshape([-1 if a == axis else 1 for a in range(len(shape))])
            h = h + index * U32(COORDINATE[axis])
        return (mix(mix(h) ^ key1) >> U32(8)).astype(np.float64) * 2.0**-24


class Dropout:
    """Masks for the sites of one step, in the order in which the program draws them."""

    def __init__(self, rate, step):
        self.rate, self.step, self.site = rate, step, 0

    def __call__(self, x):
        """x: [batch, position, model]; the axes in alphabetical order are batch, model, position ("source", "target")."""
        if self.rate == 0:
            return x
        batch, position, model = x.shape
        keep = uniform(self.step, self.site, (batch, model, position)) >= np.float32(self.rate)
        self.site += 1
        scale = np.float32(1 / (1 - self.rate))
        return x * torch.from_numpy(keep.transpose(0, 2, 1) * float(scale))


def attention(p, name, x, memory, visible):
    """x: [batch, query, model], memory: [batch, key, model], visible: [batch, query, key]"""
    q = torch.einsum("bqm,hdm->bhqd", x, p[name + ".query.weight"])
    k = torch.einsum("bkm,hdm->bhkd", memory, p[name + ".key.weight"])
    v = torch.einsum("bkm,hdm->bhkd", memory, p[name + ".value.weight"])
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(DEPTH)
    weights = torch.softmax(scores.masked_fill(~visible[:, None], -math.inf), -1)
    return torch.einsum("bhqk,bhkd,mhd->bqm", weights, v, p[name + ".output.weight"])


def feed_forward(p, name, x):
    hidden = torch.relu(x @ p[name + ".inner.weight"].T + p[name + ".inner.bias"])
    return hidden @ p[name + ".outer.weight"].T + p[name + ".outer.bias"]


def residual(p, name, x, y, drop):
    return torch.nn.functional.layer_norm(
        x + drop(y), (WIDTH,), p[name + ".norm.weight"], p[name + ".norm.bias"], EPSILON)


def embed(p, tokens, drop):
    position = torch.arange(tokens.shape[1], dtype=torch.float64)[:, None]
    channel = torch.arange(WIDTH)
    angle = position * 10000.0 ** (-(channel - channel % 2).double() / WIDTH)
    encoding = torch.where(channel % 2 == 0, angle.sin(), angle.cos())
    return drop(p["embedding.weight"][tokens] * math.sqrt(WIDTH) + encoding)


def loss_of(p, source, target_in, target_out, drop):
    x = embed(p, source, drop)
    source_visible = (source != 0)[:, None, :]
    for i in range(LAYERS):
        name = f"encoder.{i}"
        x = residual(p, name + ".attention", x, attention(
            p, name + ".attention", x, x, source_visible.expand(-1, x.shape[1], -1)), drop)
        x = residual(p, name + ".feed_forward", x, feed_forward(p, name + ".feed_forward", x), drop)
    y = embed(p, target_in, drop)
    length = target_in.shape[1]
    visible = torch.ones(length, length, dtype=torch.bool).tril() & (target_in != 0)[:, None, :]
    for i in range(LAYERS):
        name = f"decoder.{i}"
        y = residual(p, name + ".attention", y, attention(p, name + ".attention", y, y, visible), drop)
        y = residual(p, name + ".cross_attention", y, attention(
            p, name + ".cross_attention", y, x, source_visible.expand(-1, length, -1)), drop)
        y = residual(p, name + ".feed_forward", y, feed_forward(p, name + ".feed_forward", y), drop)
    logits = y @ p["embedding.weight"].T
    return torch.nn.functional.cross_entropy(
        logits.reshape(-1, VOCABULARY), target_out.reshape(-1), ignore_index=0, label_smoothing=SMOOTHING)


def shapes():
    """Names and shapes, each as [out.., in..]."""
    yield "embedding.weight", (VOCABULARY, WIDTH)
    for side, blocks in (("encoder", ["attention"]), ("decoder", ["attention", "cross_attention"])):
        for i in range(LAYERS):
            for block in blocks:
                name = f"{side}.{i}.{block}"
                yield name + ".query.weight", (HEADS, DEPTH, WIDTH)
                yield name + ".key.weight", (HEADS, DEPTH, WIDTH)
                yield name + ".value.weight", (HEADS, VALUE_DEPTH, WIDTH)
                yield name + ".output.weight", (WIDTH, HEADS, VALUE_DEPTH)
            name = f"{side}.{i}.feed_forward"
            yield name + ".inner.weight", (HIDDEN, WIDTH)
            yield name + ".inner.bias", (HIDDEN,)
            yield name + ".outer.weight", (WIDTH, HIDDEN)
            yield name + ".outer.bias", (WIDTH,)
            for block in blocks + ["feed_forward"]:
                yield f"{side}.{i}.{block}.norm.weight", (WIDTH,)
                yield f"{side}.{i}.{block}.norm.bias", (WIDTH,)


def parameters():
    """Random values for every parameter, biases and norms included, exact in f32."""
    random = np.random.default_rng(7)
    values = {}
    for name, shape in shapes():
        scale = 0.1 if len(shape) == 1 else 1 / math.sqrt(WIDTH)
        value = random.normal(0, scale, shape) + (1 if name.endswith("norm.weight") else 0)
        values[name] = torch.from_numpy(value.astype(np.float32).astype(np.float64)).requires_grad_()
    return values


def batch():
    """Three sentence pairs of different lengths, padded with 0; every label is a real token somewhere."""
    random = np.random.default_rng(11)
    source, target = np.zeros((3, 7), np.int64), np.zeros((3, 7), np.int64)
    for row, (s, t) in enumerate(((7, 6), (4, 7), (1, 3))):
        source[row, :s] = random.integers(4, VOCABULARY, s)
        target[row, 0], target[row, 1:t] = 2, random.integers(4, VOCABULARY, t - 1)
    return source, target[:, :-1].copy(), target[:, 1:].copy()


def train(rate):
    p, (source, target_in, target_out) = parameters(), batch()
    dump = {f"start.{name}": value.detach().numpy().copy() for name, value in p.items()}
    dump |= {"source": source, "target_in": target_in, "target_out": target_out}
    optimizer = torch.optim.Adam(list(p.values()), lr=0, betas=(BETA1, BETA2), eps=ADAM_EPSILON)
    losses = []
    for step in range(STEPS):
        n = step + 1
        optimizer.param_groups[0]["lr"] = RATE_FACTOR * WIDTH**-0.5 * min(n**-0.5, n * WARMUP**-1.5)
        loss = loss_of(p, *map(torch.from_numpy, (source, target_in, target_out)), Dropout(rate, step))
        optimizer.zero_grad()
        loss.backward()
        if step == 0:
            dump |= {f"gradient.{name}": value.grad.numpy().copy() for name, value in p.items()}
        optimizer.step()
        losses.append(loss.item())
    dump |= {f"end.{name}": value.detach().numpy() for name, value in p.items()}
    return dump | {"losses": np.array(losses)}


def save(path, tensors):
    """A safetensors file of f32 and i32."""
    header, blobs, offset = {}, [], 0
    for name, value in tensors.items():
        real = value.dtype == np.float64
        blob = np.ascontiguousarray(value.astype("<f4" if real else "<i4")).tobytes()
        header[name] = {"dtype": "F32" if real else "I32", "shape": list(value.shape),
                        "data_offsets": [offset, offset + len(blob)]}
        blobs.append(blob)
        offset += len(blob)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(blobs))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    for rate, name in ((0.0, "transformer"), (0.1, "transformer_dropout")):
        tensors = train(rate)
        save(folder / (name + ".safetensors"), tensors)
        print(name, "losses", " ".join(f"{loss:.6f}" for loss in tensors["losses"]))
