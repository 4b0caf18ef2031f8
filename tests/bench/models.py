"""Compiled models: runs a generator as a user's build would, and links its bundle for bench-runner."""

import subprocess
import sys
import time
from dataclasses import dataclass
from typing import NamedTuple

from child import Child, Failure


def say(text):
    """Progress, on standard error."""
    print(f"bench: {text}", file=sys.stderr, flush=True)


def say_without_bf16(consequence):
    say(f"the machine has no instructions for bf16 that beat those of f32: {consequence}")


class Machine(NamedTuple):
    f32: float  # GFLOP/s of multiply-adds
    bf16: float  # of products of bf16 that are added up in f32; 0 if it has no instructions for that
    bandwidth: float  # GB/s read from memory

    def precisions(self):
        """Of products: those that are worth anything on this machine."""
        return ("f32", "bf16") if self.bf16 > self.f32 else ("f32",)

    def peak(self, kind):
        """GFLOP/s, or None."""
        return {"f32": self.f32, "bf16": self.bf16}[kind] or None

    def at_best(self, other):
        """The best of two bursts: other programs may have run during one."""
        return Machine(*map(max, zip(self, other)))

    def __str__(self):
        bf16 = f" and {self.bf16:.0f} in bf16" if self.bf16 else ""
        return f"{self.f32:.0f} GFLOP/s in f32{bf16}, {self.bandwidth:.1f} GB/s read from memory"


@dataclass(frozen=True)
class Model:
    """A model to be compiled, and its twin among the peers."""
    name: str
    generator: str
    settings: dict  # that the generator is told
    peer: str
    peer_settings: dict
    precision: str = "f32"  # of the factors of its products


class Models:
    """`build` is CMake's folder; models and kernels are kept in its folder `name`. `installs`: peers
    that are missing."""

    def __init__(self, build, name, threads, with_peer=True, installs=True):
        self.binaries = build / "bin"
        self.environments = build / "peers"
        self.folder = build / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.threads = threads
        self.with_peer, self.installs = with_peer, installs
        self.libraries = {}

    def machine(self):
        """What the machine can do, measured now."""
        say("measuring the machine")
        with self.runner() as runner:
            return Machine(*map(runner.measure, ("peak", "peak_bf16", "bandwidth")))

    def optimizations(self):
        """Those that can be switched off."""
        return self._generate("translate", ["--list-optimizations"]).split()

    def compile(self, model, variant=None, disable=None, cache=None, more=()):
        """Compiles a model with `more` flags; a variant has a name of its own. Gives the seconds that
        it took."""
        variant = variant or model.name
        say(f"compiling {model.name}" + (f" without {disable}" if disable else ""))
        folder, name = self.folder / variant, model.generator
        flags = ["--output", folder, "--name", name, "--cache", cache or self.folder / "kernels",
                 *more]
        if model.precision != "f32":
            flags += ["--precision", model.precision]
        for setting in model.settings.items():
            flags += ["--set", "=".join(map(str, setting))]
        if disable:
            flags += ["--disable", disable]
        start = time.monotonic()
        self._generate(name, flags)
        seconds = time.monotonic() - start
        self.libraries[variant] = folder / f"{name}.so"
        self._run(["cc", "-shared", "-o", self.libraries[variant], "-Wl,--whole-archive",
                   folder / f"lib{name}.a", "-Wl,--no-whole-archive", "-lm"])
        return seconds

    def need(self, model):
        """Compiles a model if that has not been done."""
        if model.name not in self.libraries:
            self.compile(model)

    def equal(self, a, b):
        """Whether two variants are the same program."""
        return self.libraries[a].read_bytes() == self.libraries[b].read_bytes()

    def runner(self, variant=None):
        """A process that runs what was compiled; without a variant, it knows the machine."""
        command = [str(self.binaries / "bench-runner"), str(self.threads)]
        if variant:
            library = self.libraries[variant]
            command += [str(library), library.stem]
        return Child(command)

    def trainer(self, variant):
        """The command that trains what was compiled of the translation model, without options."""
        library = self.libraries[variant]
        return [self.binaries / "bench-trainer", library, library.stem]

    def _generate(self, generator, flags):
        return self._run([self.binaries / f"{generator}_generator", *flags])

    @staticmethod
    def _run(command):
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise Failure(f"'{' '.join(map(str, command))}' ended with status {done.returncode}")
        return done.stdout
