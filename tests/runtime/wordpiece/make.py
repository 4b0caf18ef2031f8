#!/usr/bin/env python3
"""Writes what WordPieceTest.cpp compares with: strings.json, a list of {"bytes": hexadecimal, "ids": [...]} as Hugging
Face's tokenizer of uncased BERT makes them, and vocab.txt, those units of a published vocabulary that occur, and the
characters of SINGLE.

usage: make.py VOCABULARY OUTPUT_FOLDER        (made with tokenizers 0.23.3 and the vocab.txt of all-MiniLM-L6-v2)
"""
import json
import pathlib
import sys

from tokenizers import BertWordPieceTokenizer

STRINGS = [
    "A man is eating food.", "The stock market fell sharply today.", "HELLO World", "", " ", "\t\r\n", "a\tb\nc\rd",
    "unaffable unbelievably electroencephalography", "don't can't it's", "e-mail: someone@example.org, +49 (0) 30/1234",
    "$5.00 <tag> = `code` ^ ~ | a_b __init__", "3.14159 2,718 1e-9", "Café naïve résumé Ångström Zürich",
    "e\u0301 n\u0303 a\u0308\u0323", "Ελληνικά ΣΊΣΥΦΟΣ", "Привет, мир! Ёж", "İstanbul ılık", "ﬁne ﬂow", "straße STRASSE",
    "我爱自然语言处理", "日本語のテキストとカタカナ", "東京Tower2020年", "한국어 문장입니다", "ภาษาไทยไม่มีช่องว่าง", "नमस्ते दुनिया",
    "שָׁלוֹם עולם", "مرحبا بالعالم", "emoji 😀 and 👩‍👩‍👧 and 🇩🇪 ok", "heart ❤️ sun ☀", "math ∑ ∞ ≤ √2 × ÷ ± ½ ²", "a\u00a0b\u2003c\u3000d",
    "zero\u200bwidth joiner\u200dhere\ufeff bom", "soft\u00adhyphen", "bell\u0007 null\u0000 escape\u001b[0m del\u007f",
    "vertical\u000btab form\u000cfeed next\u0085line", "line\u2028separator paragraph\u2029separator",
    "“quotes” ‘single’ «guillemets» – — … ¿qué? ¡sí!", "replacement \ufffd character", "private \ue000 use", "x" * 100,
    "x" * 101, "word " + "y" * 150 + " word", "𠀀𠀁 rare ideographs", "㐀㐁 extension a", "豈更 compatibility", "ÀÈÌÒÙ àèìòù Ññ Çç",
    "Dvořák Łódź Škoda Đorđe", "ǅ ǈ titlecase", "K Kelvin Å", "① ② Ⅷ", "١٢٣ digits", "_underscores_ and__more_", "[CLS] is text [MASK]",
    "C++ C# .NET node.js", "10% off!!! #1 @home & more*", "tab\there  two  spaces", "C\u0327a va", "\u0301lone mark",
]
SINGLE = "ภาษาไทยไม่มีช่องว่าง😀"  # with marks, which a text loses with its accents
BYTES = [b"broken \xff byte", b"cut \xe2\x82", b"overlong \xc0\xaf here", b"surrogate \xed\xa0\x80 pair", b"\x80\x80start", b"latin1 caf\xe9 ol\xe9",
         b"mid\xf0\x9f\x98dle", b"five \xf8\x88\x80\x80\x80 bytes"]


def main():
    vocabulary, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    texts = [text.encode() for text in STRINGS] + BYTES
    decode = lambda raw: raw.decode("utf-8", errors="replace")
    whole = BertWordPieceTokenizer(vocabulary, lowercase=True)
    units = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    for raw in texts:
        units += whole.encode(decode(raw), add_special_tokens=False).tokens
    units = list(dict.fromkeys(units + [begin + letter for letter in SINGLE for begin in ("", "##")]))
    (folder / "vocab.txt").write_text("".join(unit + "\n" for unit in units), encoding="utf-8")
    small = BertWordPieceTokenizer(str(folder / "vocab.txt"), lowercase=True)
    small._tokenizer.encode_special_tokens = True  # [MASK] in a text is text
    rows = [{"bytes": raw.hex(), "ids": small.encode(decode(raw), add_special_tokens=False).ids} for raw in texts]
    (folder / "strings.json").write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n", encoding="utf-8")
    print(len(rows), "strings,", len(units), "units")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
