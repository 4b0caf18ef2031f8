#!/usr/bin/env python3
"""The classifiers of examples/classify in PyTorch, in double precision: dumps what ClassifierTest.cpp compares with.

Writes transformer.safetensors, pooling_all.safetensors and bert.safetensors: the first parameters, a batch of tokens
and labels, the logarithms of the probabilities, the loss of each step, every clipped gradient of the first step, and
all parameters after ten steps of AdamW, with gradients clipped by their global norm and a rate that rises and falls
linearly.

usage: classifier.py OUTPUT_FOLDER        (made with PyTorch 2.15 and numpy 2.4)
"""
import pathlib
import sys

import numpy as np
import torch
from torch.nn import functional

tests = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(tests / "pytorch"), str(tests / "family")]
from family import DEPTH, MODEL, Parameters, feed_forward, multi_head, residual  # noqa: E402
from transformer import save  # noqa: E402

LAYERS, WORDS, PLACES, CLASSES = 2, 11, 9, 5
STEPS, WARMUP, RATE, DECAY, CLIP, SMOOTHING = 10, 4, 0.01, 0.05, 2.0, 0.1
EPSILON = 1e-3  # large: keys' biases have no gradient but rounding, and Adam should not lift that

TOKENS = np.array([[3, 4, 9, 10, 1, 2, 7], [5, 8, 3, 0, 0, 0, 0], [10, 0, 0, 0, 0, 0, 0]], np.int64)
LABELS = np.array([4, 0, 2], np.int64)


def encode(p, tokens, bert):
    """tokens: [batch, position] -> [batch, position, model]"""
    x = p("embedding.word.weight", WORDS, MODEL)[tokens]
    x = x + p("embedding.position.weight", PLACES, MODEL)[: tokens.shape[1]]
    if bert:
        x = p.norm("embedding.norm", x + p("embedding.segment.weight", 2, MODEL)[0])
    visible = (tokens != 0)[:, None, :].expand(-1, tokens.shape[1], -1)
    for i in range(LAYERS):
        name = f"encoder.{i}.attention"
        x = residual(p, name, x, lambda h, name=name: multi_head(
            p, name, h, h, visible, DEPTH, DEPTH, bias=True)[0], "after")
        name = f"encoder.{i}.feed_forward"
        x = residual(p, name, x, lambda h, name=name: feed_forward(
            p, name, h, "gelu" if bert else "relu"), "after")
    return x


def logits(p, tokens, bert, pools_padding):
    x, real = encode(p, tokens, bert), (tokens != 0)[..., None]
    pooled = x.mean(1) if pools_padding else (x * real).sum(1) / real.sum(1)
    return p.linear("head", pooled, CLASSES, bias=True)


def train(seed, bert, pools_padding):
    p = Parameters(seed, epsilon=1e-12 if bert else 1e-5)
    tokens, labels = torch.from_numpy(TOKENS), torch.from_numpy(LABELS)
    result = torch.log_softmax(logits(p, tokens, bert, pools_padding), -1)
    dump = {f"start.{name}": value.detach().numpy().copy() for name, value in p.values.items()}
    dump |= {"tokens": TOKENS, "labels": LABELS, "steps": np.array(STEPS)}
    dump |= {"log_probabilities": result.detach().numpy()}
    parameters = list(p.values.values())
    optimizer = torch.optim.AdamW(parameters, lr=RATE, eps=EPSILON, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda done: min((done + 1) / WARMUP, (STEPS - done) / (STEPS - WARMUP)))
    losses, norms = [], []
    for step in range(STEPS):
        loss = functional.cross_entropy(
            logits(p, tokens, bert, pools_padding), labels, label_smoothing=SMOOTHING)
        optimizer.zero_grad()
        loss.backward()
        norms.append(torch.nn.utils.clip_grad_norm_(parameters, CLIP).item())
        if step == 0:
            dump |= {f"gradient.{name}": value.grad.numpy().copy()
                     for name, value in p.values.items()}
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    print("losses", *(f"{loss:.4f}" for loss in losses), "norms", *(f"{norm:.2f}" for norm in norms))
    assert max(norms) > CLIP > min(norms), "some steps should be clipped and some not"
    dump |= {f"end.{name}": value.detach().numpy() for name, value in p.values.items()}
    return dump | {"losses": np.array(losses)}


CASES = {"transformer": (False, False), "pooling_all": (False, True), "bert": (True, False)}

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for seed, (name, case) in enumerate(CASES.items()):
        save(pathlib.Path(sys.argv[1]) / (name + ".safetensors"), train(seed, *case))
