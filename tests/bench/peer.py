"""PyTorch's side of the benchmark: python peer.py THREADS layers=6 width=512 ...

Answers the same lines as bench-runner: `call FUNCTION COUNT NAME=VALUE...` by the milliseconds of
each of COUNT calls. `name` is answered by what it is."""

import sys
import time

import torch
from torch.nn.functional import scaled_dot_product_attention

import transformer
from sizes import Size


class Functions:
    """What can be called. Each method prepares its tensors and gives a function without arguments."""

    def __init__(self, size):
        self.size = size
        self.model = transformer.Transformer(size)
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

    def _heads(self, B, T):
        return torch.randn(B, self.size.heads, T, self.size.width // self.size.heads)

    def attention(self, B, T, causal=False):
        q, k, v = (self._heads(B, T) for _ in range(3))

        @torch.inference_mode()
        def run():
            scaled_dot_product_attention(q, k, v, is_causal=causal)

        return run

    def attention_gradient(self, B, T, causal=False):
        q, k, v = (self._heads(B, T).requires_grad_() for _ in range(3))
        incoming = self._heads(B, T)

        def run():
            y = scaled_dot_product_attention(q, k, v, is_causal=causal)
            torch.autograd.grad(y, (q, k, v), incoming)

        return run

    def causal_attention(self, **values):
        return self.attention(causal=True, **values)

    def causal_attention_gradient(self, **values):
        return self.attention_gradient(causal=True, **values)


def milliseconds(run, count):
    start = time.perf_counter()
    for _ in range(count):
        run()
    return (time.perf_counter() - start) * 1e3 / count


def numbers(words):
    return {name: int(value) for name, value in (word.split("=") for word in words)}


def main():
    torch.set_num_threads(int(sys.argv[1]))
    torch.manual_seed(0)
    functions = Functions(Size(**numbers(sys.argv[2:])))
    prepared = {}
    for line in sys.stdin:
        command, *words = line.split()
        if command == "name":
            print(f"PyTorch {torch.__version__} eager", flush=True)
            continue
        function, count, *values = words
        key = (function, *values)
        if key not in prepared:
            prepared[key] = getattr(functions, function)(**numbers(values))
        print(milliseconds(prepared[key], int(count)), flush=True)


if __name__ == "__main__":
    main()
