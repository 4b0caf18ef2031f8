"""The model of examples/embed."""

import torch
import torch.nn.functional as F

from peers.pytorch.layers import Bert, mean_of_real


class Functions:
    def __init__(self, _, vocabulary, **sizes):
        self.vocabulary = vocabulary
        self.model = Bert(vocabulary, **sizes).eval()

    def embed(self, B, S):
        tokens = torch.randint(1, self.vocabulary, (B, S))
        segments = torch.zeros_like(tokens)

        @torch.inference_mode()
        def run():
            F.normalize(mean_of_real(self.model(tokens, segments), tokens), dim=-1)

        return run
