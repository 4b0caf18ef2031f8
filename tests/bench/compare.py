"""Measures rows: ours beside one peer at a time, each in a process of its own, taking turns. A peer
starts from our parameters, gets our arguments, and its results are compared with ours."""

import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path

import frameworks
import report
import rows
from child import Child, Failure
from environments import environment, python_with
from job import Job
from models import say

HERE = Path(__file__).resolve().parent


class Comparison:
    """`peers`: frameworks. One that fails is left out, unless it is `required`."""

    def __init__(self, models, peers, repetitions, required=False):
        self.models, self.peers, self.repetitions = models, peers, repetitions
        self.required = required

    def results(self, selected):
        """The results of rows, in their order."""
        found = []
        for name in dict.fromkeys(row.model.name for row in selected):
            of_model = [row for row in selected if row.model.name == name]
            self.models.need(of_model[0].model)
            with tempfile.TemporaryDirectory(dir=self.models.folder) as folder:
                found += self._of_model(of_model, folder)
        return sorted(found, key=lambda result: selected.index(result.row))

    def _of_model(self, selected, folder):
        if self.peers:
            self.write_examples(selected, folder)
        found = []
        for framework in self.peers:
            for kind in framework.types:
                chosen = [row for row in selected if row.type == kind and framework.runs(row)]
                if chosen:
                    found += self._beside(framework, chosen, folder)
        measured = [result.row for result in found]
        alone = [row for row in selected if row.is_ours() and row not in measured]
        return found + (self._alone(alone) if alone else [])

    def write_examples(self, selected, folder):
        """Our parameters, and arguments and results of what is to be compared."""
        job = self._job(frameworks.PYTORCH, selected[0], folder)
        with self.models.runner(selected[0].model.name) as ours:
            ours.ask(f'parameters "{job.parameters_file()}"')
            for row in selected:
                if row.tolerance:
                    ours.ask(f'example "{job.example_file(row.function, row.values)}" '
                             f"{row.function} {row.arguments()}")

    def _alone(self, chosen):
        with self.models.runner(chosen[0].model.name) as ours:
            return [self._measured(row, ours) for row in chosen]

    def _beside(self, framework, chosen, folder):
        """Rows of one model and one type beside a peer."""
        found = []
        try:
            with contextlib.ExitStack() as stack:
                children = [stack.enter_context(self.start(framework, chosen[0], folder))]
                if chosen[0].is_ours():
                    children.append(stack.enter_context(
                        self.models.runner(chosen[0].model.name)))
                for row in chosen:
                    found.append(self._result(framework, row, *children))
        except Failure as failure:
            if self.required:
                raise Failure(f"{framework.name}: {failure} (--no-peer leaves it out)") from failure
            say(f"{framework.name} is left out of {chosen[len(found)].name}: {failure}")
        return found

    def _result(self, framework, row, peer, ours=None):
        version, difference = peer.ask("name"), None
        if row.tolerance:
            difference = float(peer.ask(f"compare {row.function} {row.arguments()}"))
        return self._measured(row, ours, peer, framework=framework.name, peer=version,
                              difference=difference)

    def _measured(self, row, ours, theirs=None, **known):
        """Measures a row. Gives its result, with the medians of our time, of the machine's peak
        beside it, and of the peer's time."""
        say(f"measuring {row.name}")
        questions = {}
        if ours:
            questions |= {"ours_ms": rows.warm_up(row, ours), "peak": (ours, row.peak())}
        if theirs:
            questions["peer_ms"] = rows.warm_up(row, theirs)
        medians = rows.medians(questions.values(), self.repetitions)
        result = rows.Result(row, **known, **dict(zip(questions, medians)))
        say(report.brief(result))
        return result

    def _job(self, framework, row, folder):
        return Job(framework.peer, row.model.peer, row.model.peer_settings, folder,
                   self.models.threads, row.type, framework.compiled)

    def start(self, framework, row, folder):
        """The process that answers as bench-runner does."""
        say(f"starting {framework.name}")
        job = self._job(framework, row, folder)
        if framework.reads_onnx and not job.onnx_file().exists():
            self._export(job, row)
        return Child([self._python(framework.packages, framework.peer), str(HERE / "peer.py"),
                      job.text()], self._environment())

    def _export(self, job, row):
        command = [self._python(frameworks.EXPORT, "pytorch"), str(HERE / "onnx_export.py"),
                   job.text(), *row.arguments().split()]
        if subprocess.run(command, env=self._environment(), stdout=sys.stderr).returncode != 0:
            raise Failure("PyTorch could not export the model")

    def _python(self, packages, name):
        return python_with(packages, self.models.environments / name, self.models.installs)

    def _environment(self):
        return environment(self.models.threads)
