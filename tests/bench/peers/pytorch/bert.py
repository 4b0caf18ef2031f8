"""The model of examples/bert: pretraining."""

import torch
import torch.nn.functional as F
from torch import nn

from peers.pytorch.layers import Bert


class Pretraining(nn.Module):
    def __init__(self, vocabulary, width, **sizes):
        super().__init__()
        self.encoder = Bert(vocabulary=vocabulary, width=width, **sizes)
        self.transform, self.norm = nn.Linear(width, width), nn.LayerNorm(width, eps=1e-12)
        self.bias = nn.Parameter(torch.zeros(vocabulary))
        self.pooler, self.next = nn.Linear(width, width), nn.Linear(width, 2)

    def forward(self, tokens, segments, targets):
        """Logits of the words at `targets`, which count through all texts, and of the relation."""
        x = self.encoder(tokens, segments)
        guess = self.norm(F.gelu(self.transform(x.flatten(0, 1)[targets])))
        words = F.linear(guess, self.encoder.words.weight, self.bias)
        return words, self.next(torch.tanh(self.pooler(x[:, 0])))


class Functions:
    def __init__(self, _, vocabulary, length, **sizes):
        self.vocabulary = vocabulary
        self.model = Pretraining(vocabulary, places=length, **sizes)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-4, fused=True)

    def texts(self, B, S):
        return torch.randint(1, self.vocabulary, (B, S)), torch.randint(0, 2, (B, S))

    def encode(self, B, S):
        texts = self.texts(B, S)

        @torch.inference_mode()
        def run():
            self.model.eval()
            self.model.encoder(*texts)

        return run

    def train_step(self, B, S, M, seed, steps):
        torch.manual_seed(seed)
        texts, targets = self.texts(B, S), torch.randint(0, B * S, (M,))
        labels, relation = torch.randint(0, self.vocabulary, (M,)), torch.randint(0, 2, (B,))

        def run():
            self.model.train()
            self.optimizer.zero_grad()
            words, following = self.model(*texts, targets)
            (F.cross_entropy(words, labels) + F.cross_entropy(following, relation)).backward()
            self.optimizer.step()

        return run
