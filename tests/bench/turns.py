"""Programs that run by themselves, and in turns: what slows the machine for a while then slows all
of them."""

import os
import re
import signal
import subprocess
import sys
import threading

from child import Failure


class Program:
    """A process whose standard output goes to our standard error, line by line. SIGTSTP suspends
    it, at once or, where it handles that itself, soon."""

    def __init__(self, command, environment=None):
        self.command = list(map(str, command))
        self.lines = []
        self.printed = threading.Condition()
        # In a group of its own: SIGTSTP does nothing to groups whose parents are out of sight, as
        # ours may be.
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True,
                                        env=environment, process_group=0)
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            print(line, end="", file=sys.stderr, flush=True)
            with self.printed:
                self.lines.append(line)
                self.printed.notify()
        with self.printed:
            self.lines.append("")  # the end
            self.printed.notify()

    def wait_for(self, pattern):
        """Returns once a line matches, or the program has closed its output."""
        with self.printed:
            self.printed.wait_for(lambda: any(line == "" or re.search(pattern, line)
                                              for line in self.lines))

    def has_ended(self):
        return self.process.poll() is not None

    def suspend(self):
        """Returns when it stands still, or has ended."""
        if self.has_ended():
            return
        self.process.send_signal(signal.SIGTSTP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    def run(self, seconds):
        """Goes on for so long, or to its end where that is None."""
        self.process.send_signal(signal.SIGCONT)
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.suspend()

    def output(self):
        """All that it has printed, once it ends by itself."""
        status = self.process.wait()
        self.reader.join()
        if status != 0:
            raise Failure(f"{self.command[0]} ended with status {status}")
        return "".join(self.lines)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()


def run_in_turns(programs, seconds):
    """One goes on for so long while all others are suspended, until all have ended."""
    for program in programs:
        program.suspend()
    while running := [program for program in programs if not program.has_ended()]:
        for program in running:
            program.run(seconds if len(running) > 1 else None)
