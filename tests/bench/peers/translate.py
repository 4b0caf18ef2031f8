"""The model of examples/translate: ../transformer.py."""

import torch

import transformer
from sizes import Size


class Functions:
    def __init__(self, **size):
        self.size = Size(**size)
        self.model = transformer.Transformer(self.size)
        self.optimizer = transformer.adam(self.model)
        self.memories = {}  # of the sources that `encode` has seen, by their sizes

    def tokens(self, *extents):
        return torch.randint(1, self.size.vocabulary, extents)

    def forward(self, B, S, T):
        source, target = self.tokens(B, S), self.tokens(B, T)

        @torch.inference_mode()
        def run():
            self.model.eval()
            self.model(source, target)

        return run

    def train_step(self, B, S, T, seed):
        torch.manual_seed(seed)
        source, target, expected = self.tokens(B, S), self.tokens(B, T), self.tokens(B, T)

        def run():
            self.model.train()
            self.optimizer.zero_grad()
            transformer.loss(self.model(source, target), expected, smoothing=0.1).backward()
            self.optimizer.step()

        return run

    def encode(self, B, S, **_):
        source = self.tokens(B, S)

        @torch.inference_mode()
        def run():
            self.model.eval()
            self.memories[B, S] = self.model.memories(source)

        return run

    def decode_step(self, B, S, T, position):
        token, mask = self.tokens(B), self.model.visible(self.tokens(B, S))
        caches = self.model.caches(B, T)

        @torch.inference_mode()
        def run():
            self.model.eval()
            self.model.step(token, position, caches, self.memories[B, S], mask)

        return run
