"""Compiled models: runs a generator as a user's build would, and links its bundle for bench-runner."""

import subprocess
import sys
import time
from pathlib import Path

from child import Child, Failure


def say(text):
    """Progress, on standard error."""
    print(f"bench: {text}", file=sys.stderr, flush=True)


class Models:
    """`build` is CMake's folder; models and kernels are kept in its folder `bench`."""

    def __init__(self, build, threads):
        self.binaries = Path(build).resolve() / "bin"
        self.folder = Path(build).resolve() / "bench"
        self.threads = threads
        self.libraries = {}

    def optimizations(self):
        """Those that can be switched off."""
        return self._generate("translate", ["--list-optimizations"]).split()

    def compile(self, model, name, settings, disable=None, cache=None):
        """Compiles `model` with these settings as `name`. Gives the seconds that it took."""
        say(f"compiling {name}")
        flags = ["--output", self.folder / name, "--name", name,
                 "--cache", cache or self.folder / "kernels"]
        for setting in settings.items():
            flags += ["--set", "=".join(map(str, setting))]
        if disable:
            flags += ["--disable", disable]
        start = time.monotonic()
        self._generate(model, flags)
        seconds = time.monotonic() - start
        library = self.folder / name / f"{name}.so"
        self._run(["cc", "-shared", "-o", library, "-Wl,--whole-archive",
                   self.folder / name / f"lib{name}.a", "-Wl,--no-whole-archive", "-lm"])
        self.libraries[name] = library
        return seconds

    def has(self, name):
        """Whether it has been compiled."""
        return name in self.libraries

    def runner(self, name=None):
        """A process that runs the model compiled as `name`; without one, it knows the machine."""
        command = [str(self.binaries / "bench-runner"), str(self.threads)]
        return Child(command + [str(self.libraries[name]), name] if name else command)

    def _generate(self, model, flags):
        return self._run([self.binaries / f"{model}_generator", *flags])

    @staticmethod
    def _run(command):
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise Failure(f"'{' '.join(map(str, command))}' ended with status {done.returncode}")
        return done.stdout
