"""Sizes of the translation model, and how many floating-point operations its functions take."""

import random
from dataclasses import dataclass, replace


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

# Other shapes than the table's, by name.
SHAPES = {
    "8x256": replace(BASE, batch=8, length=256),
    "64x32": replace(BASE, batch=64, length=32),
    "1x512": replace(BASE, batch=1, length=512),
    "big": replace(BASE, width=1024, heads=16, hidden=4096),
    "odd": replace(BASE, width=320, heads=5, hidden=1200, vocabulary=8003),
}
TINY_SHAPES = {
    "1x64": replace(TINY, batch=1, length=64),
    "odd": replace(TINY, width=30, heads=3, hidden=50, vocabulary=67),
}


def drawn(base, seed):
    """A shape with any widths and at most as many tokens as `base`."""
    draw = random.Random(seed).randint
    depth, heads = base.width // base.heads, draw(base.heads // 2, 2 * base.heads)
    length = draw(base.length // 4, 4 * base.length)
    return replace(base, layers=draw(1, base.layers), heads=heads,
                   width=heads * 2 * draw(depth // 4, depth * 3 // 4),
                   hidden=draw(base.hidden // 2, 2 * base.hidden),
                   vocabulary=draw(base.vocabulary // 4, base.vocabulary),
                   batch=max(1, base.batch * base.length // length), length=length)


def shapes(base, seed):
    """All of them, three drawn from the seed included."""
    named = TINY_SHAPES if base is TINY else SHAPES
    return named | {f"random_{i}": drawn(base, f"{seed}, {i}") for i in range(3)}
