"""The models of examples/classify."""

import torch
import torch.nn.functional as F
from torch import nn

from peers.pytorch.layers import Bert, Layer, mean_of_real, visible


class Transformer(nn.Module):
    """The encoder that is trained from scratch."""

    def __init__(self, vocabulary, places, layers, width, heads, hidden, dropout,
                 attention_dropout):
        super().__init__()
        self.words, self.places = nn.Embedding(vocabulary, width), nn.Embedding(places, width)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(
            Layer(width, heads, hidden, dropout, attention_dropout, nn.ReLU())
            for _ in range(layers))

    def forward(self, tokens, _):
        x = self.dropout(self.words(tokens) + self.places(torch.arange(tokens.shape[1])))
        mask = visible(tokens)
        for layer in self.layers:
            x = layer(x, mask)
        return x


class Classifier(nn.Module):
    def __init__(self, encoder, classes, width, dropout, **sizes):
        super().__init__()
        kind = Bert if encoder == "bert" else Transformer
        self.encoder = kind(width=width, dropout=dropout, **sizes)
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(width, classes)

    def forward(self, tokens):
        x = self.encoder(tokens, torch.zeros_like(tokens))
        return self.head(self.dropout(mean_of_real(x, tokens)))


class Functions:
    def __init__(self, _, vocabulary, classes, length, smoothing, clip, weight_decay, **sizes):
        self.vocabulary, self.classes = vocabulary, classes
        self.smoothing, self.clip = smoothing, clip
        self.model = Classifier(vocabulary=vocabulary, classes=classes, **sizes)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-4,
                                           weight_decay=weight_decay, fused=True)

    def classify(self, B, S):
        tokens = torch.randint(1, self.vocabulary, (B, S))

        @torch.inference_mode()
        def run():
            self.model.eval()
            F.log_softmax(self.model(tokens), -1)

        return run

    def train_step(self, B, S, seed, steps):
        torch.manual_seed(seed)
        tokens = torch.randint(1, self.vocabulary, (B, S))
        labels = torch.randint(0, self.classes, (B,))

        def run():
            self.model.train()
            self.optimizer.zero_grad()
            F.cross_entropy(self.model(tokens), labels, label_smoothing=self.smoothing).backward()
            if self.clip > 0:
                nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
            self.optimizer.step()

        return run
