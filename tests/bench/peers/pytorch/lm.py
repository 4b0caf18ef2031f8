"""The model of examples/lm."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from peers.pytorch.layers import PADDING, Layer


class LanguageModel(nn.Module):
    def __init__(self, layers, width, heads, hidden, vocabulary, length, attention_dropout,
                 dropout=0.1):
        super().__init__()
        self.scale = math.sqrt(width)
        self.words, self.places = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        for table in (self.words, self.places):
            nn.init.normal_(table.weight, std=1 / self.scale)
        self.layers = nn.ModuleList(
            Layer(width, heads, hidden, dropout, attention_dropout,
                  nn.GELU(approximate="tanh"), before=True)
            for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens):
        places = self.places(torch.arange(tokens.shape[1]))
        x = self.dropout(self.words(tokens) * self.scale + places)
        for layer in self.layers:
            x = layer(x, causal=True)
        return F.linear(self.norm(x), self.words.weight)


class Functions:
    Model = LanguageModel

    def __init__(self, _, vocabulary, **sizes):
        self.vocabulary = vocabulary
        self.model = self.Model(vocabulary=vocabulary, **sizes)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-4, betas=(0.9, 0.98),
                                          eps=1e-9, fused=True)

    def tokens(self, B, S):
        return torch.randint(1, self.vocabulary, (B, S))

    def forward(self, B, S):
        tokens = self.tokens(B, S)

        @torch.inference_mode()
        def run():
            self.model.eval()
            self.model(tokens)

        return run

    def train_step(self, B, S, seed):
        torch.manual_seed(seed)
        tokens, following = self.tokens(B, S), self.tokens(B, S)

        def run():
            self.model.train()
            self.optimizer.zero_grad()
            logits = self.model(tokens)
            F.cross_entropy(logits.flatten(0, 1), following.flatten(),
                            ignore_index=PADDING).backward()
            self.optimizer.step()

        return run
