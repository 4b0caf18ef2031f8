#!/usr/bin/env python3
"""Writes the files that Hugging Face has of a SmolLM2, from its GGUF: model.safetensors, all in
f32, and tokenizer.json.

usage: convert.py FILE.gguf FOLDER
"""
import json
import math
import os
import re
import struct
import sys

from gguf import Gguf, GgufError

EXPECTED = {
    "general.architecture": "llama",
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.pre": "smollm",  # each digit alone, then the words of GPT-2
}
CONTROL = 3  # a token that no text is cut into

# The star is the number of a layer.
NAMES = {
    "token_embd.weight": "model.embed_tokens.weight",
    "blk.*.attn_norm.weight": "model.layers.*.input_layernorm.weight",
    "blk.*.attn_q.weight": "model.layers.*.self_attn.q_proj.weight",
    "blk.*.attn_k.weight": "model.layers.*.self_attn.k_proj.weight",
    "blk.*.attn_v.weight": "model.layers.*.self_attn.v_proj.weight",
    "blk.*.attn_output.weight": "model.layers.*.self_attn.o_proj.weight",
    "blk.*.ffn_norm.weight": "model.layers.*.post_attention_layernorm.weight",
    "blk.*.ffn_gate.weight": "model.layers.*.mlp.gate_proj.weight",
    "blk.*.ffn_up.weight": "model.layers.*.mlp.up_proj.weight",
    "blk.*.ffn_down.weight": "model.layers.*.mlp.down_proj.weight",
    "output_norm.weight": "model.norm.weight",
}
# Whose rows are rotated, and the key of how many heads they have.
ROTATED = {
    "blk.*.attn_q.weight": "llama.attention.head_count",
    "blk.*.attn_k.weight": "llama.attention.head_count_kv",
}


def pattern_of(name):
    return re.sub(r"^blk\.\d+", "blk.*", name)


def name_of(name):
    """blk.7.attn_q.weight -> model.layers.7.self_attn.q_proj.weight"""
    pattern = pattern_of(name)
    if pattern not in NAMES:
        raise GgufError(f"tensor '{name}' is none of a SmolLM2")
    return NAMES[pattern].replace("*", name.split(".")[1])


def halved(rows, heads):
    """The two rows that are rotated together lie side by side in GGUF, and half a head apart at
    Hugging Face."""
    depth = len(rows) // heads
    return [row for head in range(0, len(rows), depth) for first in (head, head + 1)
            for row in rows[first:head + depth:2]]


def numbers_of(name, gguf):
    tensor = gguf.tensors[name]
    rows, heads = tensor.rows(), ROTATED.get(pattern_of(name))
    return tensor.numbers(halved(rows, gguf.metadata[heads]) if heads else rows)


def write_safetensors(path, gguf):
    header, end = {"__metadata__": {"format": "pt"}}, 0
    for name, tensor in gguf.tensors.items():
        begin, end = end, end + 4 * math.prod(tensor.shape)
        header[name_of(name)] = {
            "dtype": "F32", "shape": tensor.shape, "data_offsets": [begin, end]
        }
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)  # so that the numbers are aligned
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for name in gguf.tensors:
            numbers_of(name, gguf).tofile(file)


def tokenizer_of(metadata):
    tokens, kinds = metadata["tokenizer.ggml.tokens"], metadata["tokenizer.ggml.token_type"]
    byte_level = {
        "type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True
    }
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{
            "id": id, "content": token, "single_word": False, "lstrip": False, "rstrip": False,
            "normalized": False, "special": True
        } for id, (token, kind) in enumerate(zip(tokens, kinds)) if kind == CONTROL],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [{"type": "Digits", "individual_digits": True}, byte_level],
        },
        "post_processor": None,
        "decoder": byte_level,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {token: id for id, token in enumerate(tokens)},
            "merges": metadata["tokenizer.ggml.merges"],
        },
    }


def convert(path, folder):
    gguf = Gguf(path)
    for key, expected in EXPECTED.items():
        found = gguf.metadata.get(key)
        if found != expected:
            raise GgufError(f"'{path}' is no SmolLM2: expected {key} '{expected}', found '{found}'")
    write_safetensors(os.path.join(folder, "model.safetensors"), gguf)
    with open(os.path.join(folder, "tokenizer.json"), "w", encoding="utf-8") as file:
        json.dump(tokenizer_of(gguf.metadata), file, ensure_ascii=False, indent=1)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        convert(*sys.argv[1:])
    except (GgufError, OSError) as error:
        sys.exit(f"convert: error: {error}")


if __name__ == "__main__":
    main()
