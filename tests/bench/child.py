"""A process that answers lines: both sides of a comparison are one, so that they can take turns."""

import contextlib
import subprocess
import time

SETTLE_SECONDS = 0.05  # until the threads of the side that ran last have gone to sleep


class Failure(Exception):
    """What went wrong, as a sentence for the user."""


class Child:
    def __init__(self, command, environment=None):
        self.command = command
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)

    def ask(self, line):
        """The answer to a line."""
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended: so says the answer
        answer = self.process.stdout.readline().strip()
        if not answer:
            raise Failure(f"'{' '.join(self.command)}' ended with status {self.process.wait()} "
                          f"when asked: {line}")
        if answer.startswith("error: "):
            raise Failure(f"{self.command[0]}, asked '{line}': {answer[len('error: '):]}")
        return answer

    def measure(self, line):
        """The number that a line is answered with, once everything else has come to rest."""
        time.sleep(SETTLE_SECONDS)
        return float(self.ask(line))

    def close(self):
        with contextlib.suppress(BrokenPipeError):  # it has ended, and left a line unread
            self.process.stdin.close()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
