"""A peer's side of the benchmark: python peer.py JOB, where JOB is that of job.py in JSON.

Answers the same lines as bench-runner: `call FUNCTION COUNT NAME=VALUE...` by the milliseconds of
each of COUNT calls. `name` is answered by what it is, and `compare FUNCTION NAME=VALUE...` by how
far its results are from ours, as a fraction of the largest number in ours. A module of peers/ has

    name(job)       what it is, with its version
    functions(job)  an object with a method for each function that can be called: it prepares the
                    arguments and gives a function without arguments, which gives results by name
    array(result)   a result as an array of NumPy"""

import importlib
import os
import sys
import time

import numpy

from job import Job


def milliseconds(run, count):
    start = time.perf_counter()
    for _ in range(count):
        run()
    return (time.perf_counter() - start) * 1e3 / count


def named(words):
    return {name: int(value) for name, value in (word.split("=") for word in words)}


class Peer:
    def __init__(self, job):
        self.job = job
        self.module = importlib.import_module(f"peers.{job.peer}")
        self.functions = self.module.functions(job)
        self.prepared = {}

    def run(self, function, values):
        """What runs a function with these values."""
        key = (function, *sorted(values.items()))
        if key not in self.prepared:
            self.prepared[key] = getattr(self.functions, function)(**values)
        return self.prepared[key]

    def compare(self, function, values):
        """The largest difference of a result to ours; not-a-number if there is one in it."""
        ours = self.job.example(function, **values)
        results = self.run(function, values)()
        return numpy.max([abs(self.module.array(result) - ours[name]).max() / abs(ours[name]).max()
                          for name, result in results.items()])

    def answer(self, command, words):
        if command == "name":
            return self.module.name(self.job)
        function, *words = words
        if command == "compare":
            return self.compare(function, named(words))
        count, *words = words
        return milliseconds(self.run(function, named(words)), int(count))


def main():
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no answer
    peer = Peer(Job.parse(sys.argv[1]))
    for line in sys.stdin:
        command, *words = line.split()
        print(peer.answer(command, words), file=answers)


if __name__ == "__main__":
    main()
