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
    source: int  # positions of each text, padding included
    target: int
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
        return {"B": self.batch, "S": self.source, "T": self.target, **others}

    def forward_flops(self):
        """Of encoder, decoder and all logits; causal attention counted in full."""
        d, f, source, target = self.width, self.hidden, self.source, self.target
        # The decoder's keys and values of the source included, of which its own layers have less.
        layer = 6 * d * d + 2 * d * f
        linear = self.layers * (source + target) * layer + target * d * self.vocabulary
        pairs = source * source + target * target + target * source
        return self.batch * (2 * linear + self.layers * 4 * pairs * d)

    def decode_flops(self, batch, seen):
        """Of one position of the target that sees `seen` positions, its own included."""
        d, f = self.width, self.hidden
        linear = self.layers * (6 * d * d + 2 * d * f) + d * self.vocabulary
        return batch * (2 * linear + self.layers * 4 * (seen + self.source) * d)


BASE = Size(layers=6, width=512, heads=8, hidden=2048, vocabulary=32000, batch=32, source=64,
            target=64)
TINY = Size(layers=1, width=32, heads=2, hidden=64, vocabulary=64, batch=16, source=8, target=8,
            longest=64)

# Other shapes than the table's, by name.
SHAPES = {
    "8x256": replace(BASE, batch=8, source=256, target=256),
    "64x32": replace(BASE, batch=64, source=32, target=32),
    "1x512": replace(BASE, batch=1, source=512, target=512),
    "1x16": replace(BASE, batch=1, source=16, target=16),
    "big": replace(BASE, width=1024, heads=16, hidden=4096),
    "odd": replace(BASE, width=320, heads=5, hidden=1200, vocabulary=8003),
    # Batches that training on the corpus of examples/translate makes, with the model's defaults: a
    # tenth, half and nine tenths of the way through an epoch, by length.
    "corpus_short": replace(BASE, batch=170, source=7, target=12),
    "corpus_middle": replace(BASE, batch=81, source=17, target=25),
    "corpus_long": replace(BASE, batch=25, source=80, target=59),
}
TINY_SHAPES = {
    "1x64_48": replace(TINY, batch=1, source=64, target=48),
    "odd": replace(TINY, width=30, heads=3, hidden=50, vocabulary=67),
}


def drawn(base, seed):
    """A shape with any widths and at most as many tokens as `base`."""
    draw = random.Random(seed).randint
    depth, heads = base.width // base.heads, draw(base.heads // 2, 2 * base.heads)
    length = draw(base.source // 4, 4 * base.source)
    return replace(base, layers=draw(1, base.layers), heads=heads,
                   width=heads * 2 * draw(depth // 4, depth * 3 // 4),
                   hidden=draw(base.hidden // 2, 2 * base.hidden),
                   vocabulary=draw(base.vocabulary // 4, base.vocabulary),
                   batch=max(1, base.batch * base.source // length), source=length, target=length)


def shapes(base, seed):
    """All of them, three drawn from the seed included."""
    named = TINY_SHAPES if base is TINY else SHAPES
    return named | {f"random_{i}": drawn(base, f"{seed}, {i}") for i in range(3)}
