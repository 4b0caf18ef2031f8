"""The model of examples/translate: transformer.py."""

import torch

from peers.pytorch import tensor, transformer
from peers.weights import translate_weights
from sizes import Size


class Functions:
    def __init__(self, job, **size):
        self.job = job
        self.size = Size(**size)
        self.model = transformer.Transformer(self.size)
        transformer.load(self.model, translate_weights(job.parameters(), self.size.layers))
        self.optimizer = transformer.adam(self.model)
        self.memories = {}  # of the sources that `encode` has seen, by their sizes
        if job.compiled:
            self.logits, self.loss = torch.compile(self.logits), torch.compile(self.loss)

    def logits(self, source, target):
        with torch.autocast("cpu", torch.bfloat16, enabled=self.job.type == "bf16"):
            return self.model(source, target)

    def loss(self, source, target, expected):
        return transformer.loss(self.logits(source, target).float(), expected, smoothing=0.1)

    def tokens(self, *extents):
        return torch.randint(1, self.size.vocabulary, extents)

    def arguments(self, function, names, values):
        example = self.job.example(function, **values)
        return [tensor(example[name]).long() for name in names]

    def forward(self, **values):
        texts = self.arguments("forward", ("source", "target_in"), values)

        @torch.inference_mode()
        def run():
            self.model.eval()
            return {"logits": self.logits(*texts)}

        return run

    def train_step(self, **values):
        torch.manual_seed(values["seed"])
        texts = self.arguments("train_step", ("source", "target_in", "target_out"), values)

        def run():
            self.model.train()
            self.optimizer.zero_grad()
            loss = self.loss(*texts)
            loss.backward()
            self.optimizer.step()
            return {"loss": loss}

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
