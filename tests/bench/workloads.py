"""Which models there are and with which options; the sizes and rows of those of examples/ beside the
translation model."""

from dataclasses import asdict, dataclass

import sizes
from rows import Row


@dataclass(frozen=True)
class Workload:
    """A model with the options that both sides understand, and a batch of texts."""
    settings: dict  # layers, width, heads, hidden, vocabulary and others
    texts: int
    length: int
    functions: dict  # name of a row: function, its values beside B and S, how many forwards it is
    projected: int = 0  # vectors of a batch that are projected to the whole vocabulary

    def forward_flops(self):
        """Products of layers and projection; causal attention counted in full."""
        d, f = self.settings["width"], self.settings["hidden"]
        tokens = self.texts * self.length
        layer = 2 * tokens * (4 * d * d + 2 * d * f) + 4 * tokens * self.length * d
        projection = 2 * self.projected * d * self.settings["vocabulary"]
        return self.settings["layers"] * layer + projection

    def rows(self, model):
        for name, (function, values, forwards) in self.functions.items():
            yield Row(name, model, function, {"B": self.texts, "S": self.length, **values},
                      forwards * self.forward_flops(), target=1)


def shape(layers, width, heads, hidden, vocabulary, **others):
    return {"layers": layers, "width": width, "heads": heads, "hidden": hidden,
            "vocabulary": vocabulary, **others}


LM = {"lm_forward": ("forward", {}, 1), "lm_step": ("train_step", {"seed": 1}, 3)}
EMBED = {"embed_forward": ("embed", {}, 1)}

# By the name of the generator and of the peer.
BASE = {
    "embed": Workload(shape(6, 384, 12, 1536, 30522, places=512), 32, 64, EMBED),
    "lm": Workload(shape(4, 192, 6, 768, 4000, length=128, attention_dropout=0), 16, 128, LM,
                   projected=16 * 128),
}
TINY = {
    "embed": Workload(shape(1, 32, 2, 64, 64, places=16), 4, 8, EMBED),
    "lm": Workload(shape(1, 32, 2, 64, 64, length=16, attention_dropout=0), 4, 8, LM,
                   projected=4 * 8),
}


def of(size):
    return TINY if size is sizes.TINY else BASE


def rows(size):
    return [row for model, workload in of(size).items() for row in workload.rows(model)]


def settings(model, size):
    """What the generator of a model is told."""
    if model == "translate":
        return size.settings()
    return size.attention_settings() if model == "attention" else of(size)[model].settings


def peer_settings(model, size):
    """What its twin in peers/ is told."""
    return asdict(size) if model == "translate" else settings(model, size)
