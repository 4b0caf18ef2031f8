#!/usr/bin/env python3
"""Writes what ByteBpeTest.cpp compares with, cases.json: the parts of some `tokenizer.json`, and the ids that Hugging Face's
library gives for TEXTS, all of which is text, and the texts of these ids where they are others.

usage: make.py OUTPUT_FOLDER                                   (made with tokenizers 0.23.3)
"""
import json
import pathlib
import sys

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

TEXTS = [
    "", " ", "Hello world", " the cat  sat   on the mat.", "I'm sure they'll say it's what we've seen; you're right, I'd go. Don't!",
    "I'M SURE THEY'LL SAY IT'S WHAT WE'VE SEEN; YOU'RE RIGHT, I'D GO.", "'s'S'ſ'st'sſ ''s 'x 're'RE'rE 'lL'l 'vE'v",
    "don’t it’s", "1 12 123 1234 12345678", "v2.0 costs $1,234.56 on 2024-01-31", "½ ² Ⅷ ① ١٢٣ १२३ 〇一二", "a1b22c333", "x= 10\n",
    "line\nline\r\nline\r\rline\n\n\nline", "\n", "\r\n", " \n", "\n ", "  \n  \n  x", "a \n b", "a\t\tb \t c", "if x:\n\treturn y;\n\n    }\n",
    "end ", "end  ", "end\n\n", "end \n ", "  two", "\tone", "!!!\n\nyes", "?! \n", "a.b,c (d) [e] {f} <g> #h @i /j \\k _l_", "// ----- //\r\n\r\n",
    "a\u00a0b\u2003c\u3000 d\u00a0\u00a0e", "a\u0085b\u000bc\u000cd\u2028e\u2029f", "zero\u200bwidth\u200d \ufeffmark\u00ad", "\u0000\u0001\u001c\u001f\u007f\u0080",
    "Ünïcödé naïve Straße", "e\u0301te\u0301 n\u0303 a\u0323\u0302 \u0301", "\u1100\u1161\u11a8 가각 \u212b \u2126 \u0958", "Ελληνικά Привет мир", "我爱自然语言处理。", "日本語とカタカナ 2020年",
    "नमस्ते दुनिया", "ภาษาไทย", "שָׁלוֹם", "مرحبا بالعالم", "😀 👩‍👩‍👧🇩🇪 ❤️", "∑ ∞≤√2 × ÷ ±", "ǅ ʰ ª º", "𝒜𝟘 𠀀 𐍈", "<|end|> and <|end|>", "<tool> x</tool><tool>\n <tool >",
    "Pu\u1e45Pun\u0307", "<|end|><tool><|end|tool>", "the the the the", "aaaaaaaaaaaaa", "                    deep",
]
LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN2 = LLAMA3.replace("{1,3}", "")
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LACKING = "\x00\x1fe!"  # what some vocabularies have no units for


def byte_level(use_regex=True, space=False):
    return {"type": "ByteLevel", "add_prefix_space": space, "trim_offsets": True, "use_regex": use_regex}


def digits(individual):
    return {"type": "Digits", "individual_digits": individual}


def split(expression):
    return {"type": "Split", "pattern": {"Regex": expression}, "behavior": "Isolated", "invert": False}


def sequence(*steps):
    return {"type": "Sequence", "pretokenizers": list(steps)}


def added(identifier, content, special, normalized=False, **options):
    return {"id": identifier, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": normalized,
            "special": special, **options}


def byte_letters(text):
    return set(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False).pre_tokenize_str(text)[0][0])


def trained():
    """A model whose units go across words, so that each cut in the wrong place shows."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    texts = [text for text in TEXTS if "<" not in text]  # which the added tokens have
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=560, initial_alphabet=alphabet, show_progress=False))
    return json.loads(tokenizer.to_str())["model"]


def without(model, text):
    """The model without the bytes of a text and all that is made of them."""
    letters = byte_letters(text)
    known = lambda unit: not letters & set(unit)
    return {"vocab": {unit: i for unit, i in model["vocab"].items() if known(unit)},
            "merges": [pair for pair in model["merges"] if all(map(known, pair))]}


def variants(model):
    size = len(model["vocab"])
    end = added(size, "<|end|>", True)
    tools = [added(size + 1, "<tool>", False), added(size + 2, "</tool>", False), added(size + 3, "<|end|tool>", False)]
    composed = [added(size + 4, "Pun\u0307", False, normalized=True), added(size + 5, "<|", False, normalized=True)]
    nfc = {"type": "NFC"}
    lacking = without(model, LACKING)
    yield "GPT-2", {"pre_tokenizer": byte_level(), "added_tokens": [end]}, {}
    yield "a space first", {"pre_tokenizer": byte_level(space=True)}, {}
    yield "no words", {"pre_tokenizer": byte_level(use_regex=False)}, {}
    yield "no words, a space first", {"pre_tokenizer": byte_level(use_regex=False, space=True), "added_tokens": [end] + tools}, {}
    yield "GPT-2's expression", {"pre_tokenizer": sequence(split(GPT2), byte_level(use_regex=False))}, {}
    yield "SmolLM2", {"pre_tokenizer": sequence(digits(True), byte_level()), "added_tokens": [end]}, {}
    yield "groups of digits", {"pre_tokenizer": sequence(digits(False), byte_level(use_regex=False, space=True))}, {}
    yield "Llama 3", {"pre_tokenizer": sequence(split(LLAMA3), byte_level(use_regex=False)), "added_tokens": [end]}, {"ignore_merges": True}
    yield "Qwen 2.5", {"normalizer": nfc, "pre_tokenizer": sequence(split(QWEN2), byte_level(use_regex=False)),
                       "added_tokens": [end] + tools}, {}
    yield "composed tokens", {"normalizer": {"type": "Sequence", "normalizers": [nfc, nfc]}, "pre_tokenizer": sequence(byte_level()),
                              "added_tokens": [end] + tools + composed}, {}
    yield "bytes vanish", {"pre_tokenizer": byte_level()}, lacking
    yield "bytes are unknown", {"pre_tokenizer": byte_level()}, {**lacking, "unk_token": "?"}


def main():
    model = trained()
    rows = []
    for name, parts, changes in variants(model):
        file = {"version": "1.0", **parts, "decoder": byte_level(), "model": {**model, **changes}}
        tokenizer = Tokenizer.from_str(json.dumps(file))
        tokenizer.encode_special_tokens = True
        results = []
        for text in TEXTS:
            ids = tokenizer.encode(text, add_special_tokens=False).ids
            decoded = tokenizer.decode(ids, skip_special_tokens=True)
            results.append({"ids": ids, **({"decoded": decoded} if decoded != text else {})})
        rows.append({"name": name, "parts": parts, "changes": changes, "results": results})
    cases = {"model": model, "texts": TEXTS}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in cases.items()]
    lines.append('"variants": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]")
    path = pathlib.Path(sys.argv[1]) / "cases.json"
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(len(TEXTS), "texts,", len(rows), "tokenizers")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
