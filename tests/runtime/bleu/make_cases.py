#!/usr/bin/env python3
"""Writes cases.json: texts and what sacrebleu makes of them.

    python3 -m venv venv && venv/bin/pip install sacrebleu==2.6.0 && venv/bin/python make_cases.py

The texts are written for this purpose; the random ones come from a fixed seed.
"""
import json
import pathlib
import random

import sacrebleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

SEGMENTS = [
    "Hello, world!",
    "The price is 1,234.56 dollars (about 10.5 % more).",
    "It costs 3.50, not 3,50.",
    "Pages 10-12 and 1990-2000; a well-known state-of-the-art method - really.",
    "He said: \"No.\" She didn't.",
    "Ends with a number 5.",
    "5. Starts with a number",
    ".5 and 5.. and ...and a.b,c.,d",
    "a,b.c 1,a a,1 1.a a.1",
    "&quot;Quoted&quot; &amp; &lt;tagged&gt; &amp;lt;",
    "<skipped> words <skipped>",
    "Tom & Jerry @ home #1 $5 50% ^_^ ~tilde~ `code` {a} [b] <c> a/b a\\b a|b a=b a+b a*b",
    "Die Größe der Straße: 3,5 m² – „schön“, sagte er … äöüß.",
    "Über,all Ä.B é. ß, 5,Ü Ü,5",
    "non\u00a0breaking\u202fspaces\u2003and\u3000others",
    "日本語のテキスト。テスト、です.",
    "tab\tand  several   spaces  ",
    "  leading",
    "",
    "   ",
    "https://example.org/path?query=1&x=2.5",
    "e-mail: some.body@example.com, tel. +49-30-123.",
    "'single' ''double'' can't we'll",
    "10-20-30 -5 5- -",
    "emoji 😀, yes 😀.",
]

REFERENCES = [
    "Klicken Sie auf die Schaltfläche, um das Fenster zu öffnen.",
    "Die Datei konnte nicht gelesen werden: Zugriff verweigert.",
    "Wählen Sie 2 bis 3 Einträge aus (höchstens 10 %).",
    "Das Programm wurde am 3.5.2021 um 12:30 Uhr beendet.",
    "Öffnet ein Dialogfeld, in dem Sie die Größe ändern können.",
]
SYSTEMS = [
    "Klicken Sie auf die Schaltfläche, um das Fenster zu schließen.",
    "Die Datei kann nicht gelesen werden: Zugriff verweigert",
    "Wählen Sie 2 bis 3 Einträge (höchstens 10%).",
    "Das Programm endete am 3.5.2021 um 12:30 Uhr.",
    "Öffnet das Dialogfeld, in dem die Größe geändert werden kann.",
]


def perturbed(seed, count, rate):
    """Random sentences, and copies in which words were dropped, swapped or replaced."""
    rng = random.Random(seed)
    words = ("der die das Haus Auto, fährt schnell. (sehr) 3,5 10-12 ist nicht und oder Größe "
             "öffnen: Menü „Datei“ z.B. & 100% über klicken Sie auf").split()
    systems, references = [], []
    for _ in range(count):
        reference = rng.choices(words, k=rng.randint(1, 20))
        system = list(reference)
        for i in range(len(system)):
            if rng.random() < rate:
                system[i] = rng.choice(words)
        if rng.random() < rate:
            system = system[: rng.randint(0, len(system))]
        systems.append(" ".join(system))
        references.append(" ".join(reference))
    return systems, references


def corpus_case(name, systems, references):
    bleu = sacrebleu.corpus_bleu(systems, [references])
    return {
        "name": name,
        "systems": systems,
        "references": references,
        "score": bleu.score,
        "precisions": bleu.precisions,
        "brevity": bleu.bp,
        "system_length": bleu.sys_len,
        "reference_length": bleu.ref_len,
    }


def main():
    tokenizer = Tokenizer13a()
    corpora = [
        corpus_case("like a translation", SYSTEMS, REFERENCES),
        corpus_case("identical", REFERENCES, REFERENCES),
        corpus_case("nothing in common", ["a b c d e"], ["v w x y z"]),
        corpus_case("no bigram in common", ["a x b y c z"], ["a b c d e f g"]),
        corpus_case("too short for 4-grams", ["ein Haus"], ["ein Haus"]),
        corpus_case("an empty output", ["", "Das Auto fährt sehr schnell."],
                    ["Ein Satz.", "Das Auto fährt sehr schnell weg."]),
        corpus_case("only empty outputs", ["", ""], ["Ein Satz.", "Noch ein Satz."]),
        corpus_case("too long", ["das ist ein sehr sehr langer Satz mit Zusatz"],
                    ["das ist ein sehr kurzer Satz"]),
    ]
    for seed, count, rate in [(1, 40, 0.1), (2, 40, 0.4), (3, 15, 0.8), (4, 100, 0.25)]:
        corpora.append(corpus_case(f"random {seed}", *perturbed(seed, count, rate)))
    cases = {
        "sacrebleu": sacrebleu.__version__,
        "signature": "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp",
        "tokens": [{"text": text, "tokens": tokenizer(text.rstrip()).split()} for text in SEGMENTS],
        "corpora": corpora,
    }
    path = pathlib.Path(__file__).with_name("cases.json")
    path.write_text(json.dumps(cases, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
