"""Attention alone."""

import torch
from torch.nn.functional import scaled_dot_product_attention

from peers.pytorch import tensor


class Functions:
    def __init__(self, job, **_):
        self.job = job
        self.type = torch.bfloat16 if job.type == "bf16" else torch.float32

    def arguments(self, function, names, values):
        example = self.job.example(function, **values)
        return [tensor(example[name]).to(self.type) for name in names]

    def forward(self, function, causal, values):
        q, k, v = self.arguments(function, ("q", "k", "v"), values)

        @torch.inference_mode()
        def run():
            return {"y": scaled_dot_product_attention(q, k, v, is_causal=causal)}

        return run

    def gradient(self, function, causal, values):
        *operands, incoming = self.arguments(function, ("q", "k", "v", "incoming"), values)
        q, k, v = (x.requires_grad_() for x in operands)

        def run():
            y = scaled_dot_product_attention(q, k, v, is_causal=causal)
            dq, dk, dv = torch.autograd.grad(y, (q, k, v), incoming)
            return {"y": y, "dq": dq, "dk": dk, "dv": dv}

        return run

    def attention(self, **values):
        return self.forward("attention", False, values)

    def attention_gradient(self, **values):
        return self.gradient("attention_gradient", False, values)

    def causal_attention(self, **values):
        return self.forward("causal_attention", True, values)

    def causal_attention_gradient(self, **values):
        return self.gradient("causal_attention_gradient", True, values)
