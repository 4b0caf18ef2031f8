"""Sizes of the translation model, and how many floating-point operations its functions take."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Size:
    layers: int
    width: int
    heads: int
    hidden: int
    vocabulary: int
    batch: int
    length: int  # of source and of target
    longest: int = 2048  # that the model is compiled for

    def settings(self):
        """Options of the model in examples/translate."""
        return {"layers": self.layers, "width": self.width, "heads": self.heads,
                "hidden": self.hidden, "vocabulary": self.vocabulary, "length": self.longest,
                "batch": self.batch}

    def attention_settings(self):
        """Options of Attention.cpp."""
        return {"heads": self.heads, "depth": self.width // self.heads}

    def values(self, **others):
        """Values of the model's size symbols."""
        return {"B": self.batch, "S": self.length, "T": self.length, **others}

    def forward_flops(self):
        """Of encoder, decoder and all logits; causal attention counted in full."""
        d, f, tokens = self.width, self.hidden, self.batch * self.length
        encoder = 4 * d * d + 2 * d * f
        decoder = 8 * d * d + 2 * d * f
        linear = self.layers * (encoder + decoder) + d * self.vocabulary
        attention = self.layers * 3 * 4 * tokens * self.length * d
        return 2 * tokens * linear + attention

    def decode_flops(self, batch, seen):
        """Of one position of the target that sees `seen` positions, its own included."""
        d, f = self.width, self.hidden
        linear = self.layers * (6 * d * d + 2 * d * f) + d * self.vocabulary
        return batch * (2 * linear + self.layers * 4 * (seen + self.length) * d)


BASE = Size(layers=6, width=512, heads=8, hidden=2048, vocabulary=32000, batch=32, length=64)
TINY = Size(layers=1, width=32, heads=2, hidden=64, vocabulary=64, batch=16, length=8, longest=64)
