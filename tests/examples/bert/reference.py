#!/usr/bin/env python3
"""A step of BERT's pretraining in PyTorch, in double precision: dumps what ModelTest.cpp compares with.

Writes reference.safetensors: parameters ("start.name"), a batch ("batch.name"), the loss and its gradients ("loss",
"gradient.name"), the sums that `evaluate` gives ("evaluate.name") and the logits of `fill` ("logits").

usage: reference.py OUTPUT_FOLDER        (made with PyTorch 2.15 and numpy 2.4)
"""
import pathlib
import sys

import numpy as np
import torch
from torch.nn import functional

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "system" / "pytorch"))
from transformer import save  # noqa: E402

WORDS, LENGTH, LAYERS, MODEL, HEADS, HIDDEN = 50, 16, 2, 16, 2, 24
DEPTH = MODEL // HEADS
EPSILON = 1e-12
PADDING, START, SEPARATOR, MASK = 0, 2, 3, 4


def parameters():
    random = np.random.default_rng(7)
    shapes = {"embedding.word.weight": (WORDS, MODEL), "embedding.position.weight": (LENGTH, MODEL),
              "embedding.segment.weight": (2, MODEL)}
    norms = ["embedding.norm", "masked_words.norm"]
    for i in range(LAYERS):
        layer = f"encoder.{i}."
        for part in ("query", "key", "value"):
            shapes[f"{layer}attention.{part}.weight"] = (HEADS, DEPTH, MODEL)
            shapes[f"{layer}attention.{part}.bias"] = (HEADS, DEPTH)
        shapes[layer + "attention.output.weight"] = (MODEL, HEADS, DEPTH)
        shapes[layer + "attention.output.bias"] = (MODEL,)
        shapes[layer + "feed_forward.inner.weight"] = (HIDDEN, MODEL)
        shapes[layer + "feed_forward.inner.bias"] = (HIDDEN,)
        shapes[layer + "feed_forward.outer.weight"] = (MODEL, HIDDEN)
        shapes[layer + "feed_forward.outer.bias"] = (MODEL,)
        norms += [layer + "attention.norm", layer + "feed_forward.norm"]
    shapes.update({"pooler.weight": (MODEL, MODEL), "pooler.bias": (MODEL,),
                   "masked_words.transform.weight": (MODEL, MODEL), "masked_words.transform.bias": (MODEL,),
                   "masked_words.bias": (WORDS,),
                   "next_sentence.weight": (2, MODEL), "next_sentence.bias": (2,)})
    shapes.update({f"{norm}.{part}": (MODEL,) for norm in norms for part in ("weight", "bias")})
    found = {}
    for name, shape in shapes.items():
        value = random.normal(0, 0.3, shape) + (1 if name.endswith("norm.weight") else 0)
        exact = value.astype(np.float32).astype(np.float64)
        found[name] = torch.from_numpy(exact).requires_grad_()
    return found


def batch():
    """Three pairs; the last is full, the others end with padding."""
    random = np.random.default_rng(8)
    tokens, segments = np.zeros((3, LENGTH), int), np.zeros((3, LENGTH), int)
    targets, labels = [], []
    for row, (first, second) in enumerate([(3, 4), (2, 2), (7, 6)]):
        end = first + second + 3
        tokens[row, :end] = random.integers(5, WORDS, end)
        tokens[row, 0], tokens[row, first + 1], tokens[row, end - 1] = START, SEPARATOR, SEPARATOR
        segments[row, first + 2:end] = 1
        for place in (2, first + 3):
            targets.append(row * LENGTH + place)
            labels.append(int(tokens[row, place]))
        tokens[row, 2] = MASK
    return {"tokens": tokens, "segments": segments, "relation": np.array([0, 1, 1]),
            "targets": np.array(targets), "labels": np.array(labels)}


def norm(p, name, x):
    return functional.layer_norm(x, (MODEL,), p[name + ".weight"], p[name + ".bias"], EPSILON)


def linear(p, name, x):
    return x @ p[name + ".weight"].T + p[name + ".bias"]


def layer(p, name, x, visible):
    def heads(part):  # [batch, heads, position, depth]
        return (torch.einsum("bsm,hdm->bhsd", x, p[f"{name}.attention.{part}.weight"])
                + p[f"{name}.attention.{part}.bias"][:, None])
    scores = heads("query") @ heads("key").transpose(-1, -2) / DEPTH**0.5
    seen = torch.softmax(scores.masked_fill(~visible[:, None, None], -torch.inf), -1) @ heads("value")
    attended = (torch.einsum("bhsd,mhd->bsm", seen, p[name + ".attention.output.weight"])
                + p[name + ".attention.output.bias"])
    y = norm(p, name + ".attention.norm", x + attended)
    hidden = functional.gelu(linear(p, name + ".feed_forward.inner", y))
    return norm(p, name + ".feed_forward.norm", y + linear(p, name + ".feed_forward.outer", hidden))


def forward(p, b):
    """Logits of the hidden words and of the relations."""
    x = norm(p, "embedding.norm", p["embedding.word.weight"][b["tokens"]] + p["embedding.position.weight"]
             + p["embedding.segment.weight"][b["segments"]])
    for i in range(LAYERS):
        x = layer(p, f"encoder.{i}", x, b["tokens"] != PADDING)
    relations = linear(p, "next_sentence", torch.tanh(linear(p, "pooler", x[:, 0])))
    hidden = x.reshape(-1, MODEL)[b["targets"]]
    guess = norm(p, "masked_words.norm", functional.gelu(linear(p, "masked_words.transform", hidden)))
    return guess @ p["embedding.word.weight"].T + p["masked_words.bias"], relations


def main(folder):
    p, arrays = parameters(), batch()
    b = {name: torch.from_numpy(value) for name, value in arrays.items()}
    words, relations = forward(p, b)
    loss = functional.cross_entropy(words, b["labels"]) + functional.cross_entropy(relations, b["relation"])
    loss.backward()
    tensors = {"loss": loss, "logits": words}
    tensors["evaluate.loss"] = functional.cross_entropy(words, b["labels"], reduction="sum")
    tensors["evaluate.next_loss"] = functional.cross_entropy(relations, b["relation"], reduction="sum")
    tensors["evaluate.words_right"] = (words.argmax(-1) == b["labels"]).sum().double()
    tensors["evaluate.next_right"] = (relations.argmax(-1) == b["relation"]).sum().double()
    for name, value in p.items():
        tensors["start." + name] = value
        tensors["gradient." + name] = value.grad
    stored = {name: value.detach().numpy() for name, value in tensors.items()}
    stored.update({"batch." + name: value for name, value in arrays.items()})
    save(folder / "reference.safetensors", stored)
    print(f"loss {loss.item():.6f}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
