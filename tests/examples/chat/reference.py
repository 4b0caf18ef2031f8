#!/usr/bin/env python3
"""SmolLM2-135M-Instruct in double precision, from the files that examples/chat/fetch writes: makes reference.json,
which ChatTest.cpp compares with. The units come from Hugging Face's tokenizer.

  prompts       "text" and its "ids"; of what follows, the "logits" of each STRIDE-th unit
  conversation  "question" and its "ids" in the template; the "answer" of the likeliest units, and the least "lead"
                that one of them has on the second likeliest

usage: reference.py WEIGHTS_FOLDER OUTPUT_FOLDER        (made with tokenizers 0.23.3 and numpy 2.4)
"""
import json
import pathlib
import struct
import sys

import numpy as np
from tokenizers import Tokenizer

LAYERS, HEADS, KEY_HEADS, DEPTH, BASE, EPSILON = 30, 9, 3, 64, 1e5, 1e-5
TEXTS = ["The", "def factorial(n):\n    return 1 if n < 2 else", "Der Himmel ist blau, weil 我 😀",
         "Once upon a time there was a fox who lived at the edge of a forest, and each morning, long before the sun "
         "had risen over the 1234 trees, it went down to the"]
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
QUESTION = "What is the capital of Germany?"
STRIDE = 64


def load(path):
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header, data = json.loads(file.read(size)), file.read()
    return {name: np.frombuffer(data[slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"]).astype(np.float64)
            for name, entry in header.items() if name != "__metadata__"}


def norm(p, name, x):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON) * p[name + ".weight"]


def rotated(x):
    """x: [heads, position, depth]"""
    first, second = np.split(x, 2, -1)
    angle = np.arange(x.shape[1])[:, None] * BASE ** -(np.arange(0, DEPTH, 2) / DEPTH)
    sin, cos = np.sin(angle), np.cos(angle)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], -1)


def attention(p, name, x):
    q, k, v = ((x @ p[f"{name}.{part}_proj.weight"].T).reshape(len(x), -1, DEPTH).transpose(1, 0, 2) for part in "qkv")
    k, v = (np.repeat(y, HEADS // KEY_HEADS, 0) for y in (rotated(k), v))
    scores = rotated(q) @ k.transpose(0, 2, 1) / np.sqrt(DEPTH)
    scores[:, np.triu(np.ones((len(x), len(x)), bool), 1)] = -np.inf
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return (weights @ v).transpose(1, 0, 2).reshape(len(x), -1) @ p[name + ".o_proj.weight"].T


def feed_forward(p, name, x):
    gate, up = (x @ p[f"{name}.{part}_proj.weight"].T for part in ("gate", "up"))
    return (gate / (1 + np.exp(-gate)) * up) @ p[name + ".down_proj.weight"].T


def logits(p, ids):
    """Of what follows."""
    x = p["model.embed_tokens.weight"][ids]
    for i in range(LAYERS):
        name = f"model.layers.{i}."
        x = x + attention(p, name + "self_attn", norm(p, name + "input_layernorm", x))
        x = x + feed_forward(p, name + "mlp", norm(p, name + "post_attention_layernorm", x))
    return norm(p, "model.norm", x[-1]) @ p["model.embed_tokens.weight"].T


def answer(p, ids, end):
    """The likeliest units up to the end, and the least lead of one."""
    said, lead = [], np.inf
    while not said or said[-1] != end:
        found = logits(p, ids + said)
        second, first = np.sort(found)[-2:]
        said.append(int(found.argmax()))
        lead = min(lead, float(first - second))
    return said[:-1], lead


def main():
    weights, folder = map(pathlib.Path, sys.argv[1:])
    p, tokenizer = load(weights / "model.safetensors"), Tokenizer.from_file(str(weights / "tokenizer.json"))
    prompts = []
    for text in TEXTS:
        ids = tokenizer.encode(text).ids
        found = logits(p, ids)
        prompts.append({"text": text, "ids": ids, "logits": [round(float(v), 5) for v in found[::STRIDE]]})
        print(len(ids), found.std(), repr(tokenizer.decode([int(found.argmax())])), repr(text))
    ids = tokenizer.encode(f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\n{QUESTION}<|im_end|>\n"
                           "<|im_start|>assistant\n").ids
    said, lead = answer(p, ids, tokenizer.token_to_id("<|im_end|>"))
    conversation = {"question": QUESTION, "ids": ids, "answer": said, "text": tokenizer.decode(said),
                    "lead": round(lead, 4)}
    print(conversation)
    rows = ",\n".join(json.dumps(prompt) for prompt in prompts)
    (folder / "reference.json").write_text(
        f'{{"prompts": [\n{rows}\n],\n"conversation": {json.dumps(conversation)}}}\n', encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
