"""PyTorch's side of the benchmark: python peer.py THREADS PEER layers=6 width=512 ...

Answers the same lines as bench-runner: `call FUNCTION COUNT NAME=VALUE...` by the milliseconds of
each of COUNT calls. `name` is answered by what it is. PEER is a module of peers/, whose class
Functions takes the sizes and has a method for each function that can be called: it prepares its
tensors and gives a function without arguments."""

import importlib
import sys
import time

import torch


def milliseconds(run, count):
    start = time.perf_counter()
    for _ in range(count):
        run()
    return (time.perf_counter() - start) * 1e3 / count


def value(text):
    """A number, or else a name."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def named(words):
    return {name: value(text) for name, text in (word.split("=") for word in words)}


def main():
    torch.set_num_threads(int(sys.argv[1]))
    torch.manual_seed(0)
    peer = importlib.import_module(f"peers.{sys.argv[2]}")
    functions = peer.Functions(**named(sys.argv[3:]))
    prepared = {}
    for line in sys.stdin:
        command, *words = line.split()
        if command == "name":
            print(f"PyTorch {torch.__version__} eager", flush=True)
            continue
        function, count, *values = words
        key = (function, *values)
        if key not in prepared:
            prepared[key] = getattr(functions, function)(**named(values))
        print(milliseconds(prepared[key], int(count)), flush=True)


if __name__ == "__main__":
    main()
