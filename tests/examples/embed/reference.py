#!/usr/bin/env python3
"""Sentence embeddings of all-MiniLM-L6-v2 in double precision, from its published weights: writes reference.json, a
list of {"text", "ids", "embedding"}, which EmbedTest.cpp compares with. The units come from Hugging Face's tokenizer.

usage: reference.py WEIGHTS_FOLDER OUTPUT_FOLDER        (made with tokenizers 0.23.3 and numpy)
"""
import json
import math
import pathlib
import struct
import sys

import numpy as np
from tokenizers import BertWordPieceTokenizer

TEXTS = ["A man is eating food.", "A man is eating a piece of bread.", "The stock market fell sharply today.",
         "Café 我 😀!", "x", "One sentence that is a good deal longer than the others, so that whatever stands beside "
         "it in a batch has to be filled up with padding, which must change nothing at all."]
erf = np.vectorize(math.erf)


def load(path):
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header, data = json.loads(file.read(size)), file.read()
    return {name: np.frombuffer(data[slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"]).astype(np.float64)
            for name, entry in header.items() if name != "__metadata__" and entry["dtype"] == "F32"}


def linear(p, name, x):
    return x @ p[name + ".weight"].T + p[name + ".bias"]


def norm(p, name, x):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-12) * p[name + ".weight"] + p[name + ".bias"]


def attention(p, name, x, heads):
    q, k, v = (linear(p, f"{name}.self.{part}", x).reshape(len(x), heads, -1).transpose(1, 0, 2)
               for part in ("query", "key", "value"))
    scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return linear(p, name + ".output.dense", (weights @ v).transpose(1, 0, 2).reshape(len(x), -1))


def embed(p, ids, layers=6, heads=12):
    x = norm(p, "embeddings.LayerNorm", p["embeddings.word_embeddings.weight"][ids]
             + p["embeddings.position_embeddings.weight"][:len(ids)] + p["embeddings.token_type_embeddings.weight"][0])
    for i in range(layers):
        name = f"encoder.layer.{i}"
        x = norm(p, name + ".attention.output.LayerNorm", x + attention(p, name + ".attention", x, heads))
        h = linear(p, name + ".intermediate.dense", x)
        h = linear(p, name + ".output.dense", h * 0.5 * (1 + erf(h / math.sqrt(2))))
        x = norm(p, name + ".output.LayerNorm", x + h)
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


def main():
    weights, folder = map(pathlib.Path, sys.argv[1:])
    p, tokenizer = load(weights / "model.safetensors"), BertWordPieceTokenizer(str(weights / "vocab.txt"))
    rows = []
    for text in TEXTS:
        ids = tokenizer.encode(text).ids
        rows.append({"text": text, "ids": ids, "embedding": [round(float(v), 9) for v in embed(p, ids)]})
        print(len(ids), rows[-1]["embedding"][:5], text)
    (folder / "reference.json").write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n",
                                           encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
