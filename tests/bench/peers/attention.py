"""Attention alone."""

import torch
from torch.nn.functional import scaled_dot_product_attention


class Functions:
    def __init__(self, heads, depth):
        self.heads, self.depth = heads, depth

    def _heads(self, B, T):
        return torch.randn(B, self.heads, T, self.depth)

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
