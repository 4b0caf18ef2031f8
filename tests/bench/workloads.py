"""Sizes and rows of the models of examples/ beside the translation model."""

from dataclasses import dataclass

import sizes
from models import Model
from rows import Row


@dataclass(frozen=True)
class Workload:
    """A model with the options that both sides understand, and a batch of texts."""
    settings: dict  # layers, width, heads, hidden, vocabulary and others
    texts: int
    length: int
    functions: dict  # name of a row: function, its values beside B and S, how many forwards it is
    projected: int = 0  # vectors of a batch that are projected to the whole vocabulary
    peer: str = ""  # its twin's file, if that has another name than the generator

    def forward_flops(self):
        """Products of layers and projection; causal attention counted in full."""
        d, f = self.settings["width"], self.settings["hidden"]
        tokens = self.texts * self.length
        layer = 2 * tokens * (4 * d * d + 2 * d * f) + 4 * tokens * self.length * d
        projection = 2 * self.projected * d * self.settings["vocabulary"]
        return self.settings["layers"] * layer + projection

    def rows(self, generator):
        model = Model(generator, generator, self.settings, self.peer or generator, self.settings)
        for name, (function, values, forwards) in self.functions.items():
            yield Row(name, model, function, {"B": self.texts, "S": self.length, **values},
                      forwards * self.forward_flops(), target=1)


def shape(layers, width, heads, hidden, vocabulary):
    return {"layers": layers, "width": width, "heads": heads, "hidden": hidden,
            "vocabulary": vocabulary}


LM = {"lm_forward": ("forward", {}, 1), "lm_step": ("train_step", {"seed": 1}, 3)}
EMBED = {"embed_forward": ("embed", {}, 1)}
STEP = {"seed": 1, "steps": 1000}
SECTIONS = {"classify_forward": ("classify", {}, 1), "classify_step": ("train_step", STEP, 3)}
SENTIMENT = {"sentiment_forward": ("classify", {}, 1), "sentiment_step": ("train_step", STEP, 3)}
SECTIONS_OPTIONS = {"encoder": "transformer", "classes": 20, "dropout": 0.2,
                    "attention_dropout": 0, "smoothing": 0.1, "clip": 1, "weight_decay": 0.05}
SENTIMENT_OPTIONS = {"encoder": "bert", "classes": 2, "dropout": 0.1, "attention_dropout": 0.1,
                     "smoothing": 0, "clip": 0, "weight_decay": 0.01}


def lm(size, texts, length):
    options = size | {"length": length, "attention_dropout": 0}
    return Workload(options, texts, length, LM, projected=texts * length)


def embed(size, texts, length, places):
    return Workload(size | {"places": places}, texts, length, EMBED)


def classify(size, texts, length, places, options, functions):
    return Workload(size | {"length": length, "places": places} | options, texts, length,
                    functions, peer="classify")


def bert(size, texts, length):
    guessed = texts * length * 15 // 100
    functions = {"bert_forward": ("encode", {}, 1),
                 "bert_step": ("train_step", STEP | {"M": guessed}, 3)}
    return Workload(size | {"length": length}, texts, length, functions, projected=guessed)


SMALL = shape(1, 32, 2, 64, 64)
MINILM = shape(6, 384, 12, 1536, 30522)

# By the name of the generator.
BASE = {
    "embed": embed(MINILM, 32, 64, 512),
    "lm": lm(shape(4, 192, 6, 768, 4000), 16, 128),
    "classify_sections": classify(shape(3, 192, 4, 768, 8000), 32, 128, 128, SECTIONS_OPTIONS,
                                  SECTIONS),
    "classify_sentiment": classify(MINILM, 32, 64, 512, SENTIMENT_OPTIONS, SENTIMENT),
    "bert": bert(shape(2, 128, 2, 512, 4000), 32, 64),
}
TINY = {
    "embed": embed(SMALL, 4, 8, 16),
    "lm": lm(SMALL, 4, 8),
    "classify_sections": classify(SMALL, 4, 8, 8, SECTIONS_OPTIONS, SECTIONS),
    "classify_sentiment": classify(SMALL, 4, 8, 8, SENTIMENT_OPTIONS, SENTIMENT),
    "bert": bert(SMALL, 4, 8),
}


def of(size):
    return TINY if size is sizes.TINY else BASE


def rows(size):
    return [row for generator, workload in of(size).items() for row in workload.rows(generator)]
