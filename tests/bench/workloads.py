"""Sizes and rows of the models of examples/ beside the translation model."""

from dataclasses import dataclass

import sizes
from models import Model
from rows import Row


@dataclass(frozen=True)
class Call:
    """What a row runs."""
    function: str
    values: dict  # beside B and S
    forwards: int = 1  # as many products it has
    projected: int = 0  # vectors of a batch that are projected to the whole vocabulary


@dataclass(frozen=True)
class Workload:
    """A model with the options that both sides understand, and a batch of texts."""
    settings: dict  # layers, width, heads, hidden, vocabulary and others
    texts: int
    length: int
    calls: dict  # by the name of a row
    generator: str = ""  # and the twin's file, if they have other names than the workload
    peer: str = ""

    def forward_flops(self, projected):
        """Products of layers and projection; causal attention counted in full."""
        d, f = self.settings["width"], self.settings["hidden"]
        heads = self.settings["heads"]
        kept = self.settings.get("key_heads", heads) / heads  # of keys and values
        maps = 3 if self.settings.get("family") == "llama" else 2  # of the feed-forward network
        tokens = self.texts * self.length
        layer = 2 * tokens * ((2 + 2 * kept) * d * d + maps * d * f) + 4 * tokens * self.length * d
        projection = 2 * projected * d * self.settings["vocabulary"]
        return self.settings["layers"] * layer + projection

    def rows(self, workload):
        model = Model(workload, self.generator or workload, self.settings, self.peer or workload,
                      self.settings)
        for name, call in self.calls.items():
            yield Row(name, model, call.function,
                      {"B": self.texts, "S": self.length, **call.values},
                      call.forwards * self.forward_flops(call.projected), target=1)


def shape(layers, width, heads, hidden, vocabulary):
    return {"layers": layers, "width": width, "heads": heads, "hidden": hidden,
            "vocabulary": vocabulary}


EMBED = {"embed_forward": Call("embed", {})}
STEP = {"seed": 1, "steps": 1000}
SECTIONS = {"classify_forward": Call("classify", {}), "classify_step": Call("train_step", STEP, 3)}
SENTIMENT = {"sentiment_forward": Call("classify", {}),
             "sentiment_step": Call("train_step", STEP, 3)}
SECTIONS_OPTIONS = {"encoder": "transformer", "classes": 20, "dropout": 0.2,
                    "attention_dropout": 0, "smoothing": 0.1, "clip": 1, "weight_decay": 0.05}
SENTIMENT_OPTIONS = {"encoder": "bert", "classes": 2, "dropout": 0.1, "attention_dropout": 0.1,
                     "smoothing": 0, "clip": 0, "weight_decay": 0.01}


def lm(size, texts, length):
    options = size | {"length": length, "attention_dropout": 0}
    tokens = texts * length
    calls = {"lm_forward": Call("forward", {}, projected=tokens),
             "lm_step": Call("train_step", {"seed": 1}, 3, tokens)}
    return Workload(options, texts, length, calls)


def llama(size, key_heads, texts, length):
    options = size | {"family": "llama", "key_heads": key_heads, "length": length}
    tokens = texts * length
    calls = {"llama_forward": Call("forward", {}, projected=tokens),
             "llama_step": Call("train_step", {"seed": 1}, 3, tokens)}
    return Workload(options, texts, length, calls, generator="lm")


def embed(size, texts, length, places):
    return Workload(size | {"places": places}, texts, length, EMBED)


def classify(size, texts, length, places, options, calls):
    return Workload(size | {"length": length, "places": places} | options, texts, length, calls,
                    peer="classify")


def bert(size, texts, length):
    guessed = texts * length * 15 // 100
    calls = {"bert_forward": Call("encode", {}),
             "bert_step": Call("train_step", STEP | {"M": guessed}, 3, guessed)}
    return Workload(size | {"length": length}, texts, length, calls)


SMALL = shape(1, 32, 2, 64, 64)
MINILM = shape(6, 384, 12, 1536, 30522)

BASE = {
    "embed": embed(MINILM, 32, 64, 512),
    "lm": lm(shape(4, 192, 6, 768, 4000), 16, 128),
    "llama": llama(shape(6, 576, 9, 1536, 49152), 3, 4, 256),
    "classify_sections": classify(shape(3, 192, 4, 768, 8000), 32, 128, 128, SECTIONS_OPTIONS,
                                  SECTIONS),
    "classify_sentiment": classify(MINILM, 32, 64, 512, SENTIMENT_OPTIONS, SENTIMENT),
    "bert": bert(shape(2, 128, 2, 512, 4000), 32, 64),
}
TINY = {
    "embed": embed(SMALL, 4, 8, 16),
    "lm": lm(SMALL, 4, 8),
    "llama": llama(SMALL, 1, 4, 8),
    "classify_sections": classify(SMALL, 4, 8, 8, SECTIONS_OPTIONS, SECTIONS),
    "classify_sentiment": classify(SMALL, 4, 8, 8, SENTIMENT_OPTIONS, SENTIMENT),
    "bert": bert(SMALL, 4, 8),
}


def of(size):
    return TINY if size is sizes.TINY else BASE


def rows(size):
    return [row for name, workload in of(size).items() for row in workload.rows(name)]
