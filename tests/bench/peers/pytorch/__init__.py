"""PyTorch, eager or compiled. A module for each model, whose class Functions takes the job and the
model's sizes.

Settings as PyTorch's performance guides advise for CPUs: fused Adam, inference mode, autocast for
bf16; compiled with torch.compile's defaults. Frozen parameters gain nothing here."""

import importlib

import torch


def name(job):
    return f"PyTorch {torch.__version__} {'compile' if job.compiled else 'eager'}"


def functions(job):
    torch.set_num_threads(job.threads)
    torch.manual_seed(0)
    return importlib.import_module(f"peers.pytorch.{job.model}").Functions(job, **job.sizes)


def tensor(array):
    """A tensor that may be written, of an array in a file."""
    return torch.from_numpy(array.copy())


def array(result):
    return result.detach().float().numpy()
