#!/usr/bin/env python3
"""A step of BERT's pretraining and one of its classifier in PyTorch, in double precision: dumps what ModelTest.cpp
compares with.

Writes reference.safetensors: parameters ("start.name"), a batch ("batch.name"), the loss and its gradients ("loss",
"gradient.name"), the sums that `evaluate` gives ("evaluate.name") and the logits of `fill` ("logits"); and
classifier.safetensors: the same of the classifier, but for sums and logits what `classify` gives ("log_probabilities").

usage: reference.py OUTPUT_FOLDER        (made with PyTorch 2.15 and numpy 2.4)
"""
import pathlib
import sys

import numpy as np
import torch
from torch.nn import functional

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "system" / "pytorch"))
from transformer import save  # noqa: E402

WORDS, LENGTH, LAYERS, MODEL, HEADS, HIDDEN, CLASSES = 50, 16, 2, 16, 2, 24, 3
DEPTH = MODEL // HEADS
EPSILON = 1e-12
PADDING, START, SEPARATOR, MASK = 0, 2, 3, 4


PRETRAINING = {"masked_words.transform.weight": (MODEL, MODEL), "masked_words.transform.bias": (MODEL,),
               "masked_words.bias": (WORDS,), "next_sentence.weight": (2, MODEL), "next_sentence.bias": (2,)}
CLASSIFIER = {"head.weight": (CLASSES, MODEL), "head.bias": (CLASSES,)}


def parameters(seed, heads, head_norms=()):
    """Those of the encoder, its pooler and what stands on them."""
    random = np.random.default_rng(seed)
    shapes = {"embedding.word.weight": (WORDS, MODEL), "embedding.position.weight": (LENGTH, MODEL),
              "embedding.segment.weight": (2, MODEL)}
    norms = ["embedding.norm", *head_norms]
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
    shapes.update({"pooler.weight": (MODEL, MODEL), "pooler.bias": (MODEL,)} | heads)
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


def texts():
    """Four texts, one for each class and another; the second is full, the others end with padding."""
    random = np.random.default_rng(10)
    tokens = np.zeros((4, LENGTH), int)
    for row, length in enumerate((7, LENGTH, 3, 11)):
        tokens[row, 1:length - 1] = random.integers(5, WORDS, length - 2)
        tokens[row, 0], tokens[row, length - 1] = START, SEPARATOR
    return {"tokens": tokens, "labels": np.array([2, 0, 1, 2])}


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


def encode(p, tokens, segments):
    """What the encoder makes of each position, and the pooler of the first."""
    x = norm(p, "embedding.norm", p["embedding.word.weight"][tokens] + p["embedding.position.weight"]
             + p["embedding.segment.weight"][segments])
    for i in range(LAYERS):
        x = layer(p, f"encoder.{i}", x, tokens != PADDING)
    return x, torch.tanh(linear(p, "pooler", x[:, 0]))


def pretraining(p, b):
    x, pooled = encode(p, b["tokens"], b["segments"])
    relations = linear(p, "next_sentence", pooled)
    hidden = x.reshape(-1, MODEL)[b["targets"]]
    guess = norm(p, "masked_words.norm", functional.gelu(linear(p, "masked_words.transform", hidden)))
    words = guess @ p["embedding.word.weight"].T + p["masked_words.bias"]
    loss = functional.cross_entropy(words, b["labels"]) + functional.cross_entropy(relations, b["relation"])
    return {"loss": loss, "logits": words,
            "evaluate.loss": functional.cross_entropy(words, b["labels"], reduction="sum"),
            "evaluate.next_loss": functional.cross_entropy(relations, b["relation"], reduction="sum"),
            "evaluate.words_right": (words.argmax(-1) == b["labels"]).sum().double(),
            "evaluate.next_right": (relations.argmax(-1) == b["relation"]).sum().double()}


def classifier(p, b):
    """All of a text is its first segment."""
    logits = linear(p, "head", encode(p, b["tokens"], torch.zeros_like(b["tokens"]))[1])
    return {"loss": functional.cross_entropy(logits, b["labels"]),
            "log_probabilities": torch.log_softmax(logits, -1)}


def dump(path, model, p, arrays):
    tensors = model(p, {name: torch.from_numpy(value) for name, value in arrays.items()})
    tensors["loss"].backward()
    for name, value in p.items():
        tensors["start." + name] = value
        tensors["gradient." + name] = value.grad
    stored = {name: value.detach().numpy() for name, value in tensors.items()}
    stored.update({"batch." + name: value for name, value in arrays.items()})
    save(path, stored)
    print(f"{path.name}: loss {tensors['loss'].item():.6f}")


def main(folder):
    dump(folder / "reference.safetensors", pretraining, parameters(7, PRETRAINING, ["masked_words.norm"]), batch())
    dump(folder / "classifier.safetensors", classifier, parameters(9, CLASSIFIER), texts())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
