"""Checks that a page of documentation says what the code says.

    check.py text PAGE                       blocks of code, equations and links
    check.py commands PAGE HEADING BUILD     the commands under a heading, run in the folder BUILD

text: a block of code occurs, line by line, in the file that was linked last before it; code in the second
column of a table with three, in the file that the third column links. Every link leads to something.
commands: each `$ command` ends well or, if it is to show a mistake, prints one; what it prints is what
the page shows, except for numbers in lines that tell a loss or a percentage: training rounds differently
on different machines, and the programs check these numbers themselves.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import textwrap

LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)\)")
CODE = re.compile(r"(`+)(.+?)\1")


def occurs(code, path):
    """Whether consecutive lines of a file are the code, whatever the indentation of both."""
    wanted = textwrap.dedent(code).rstrip().splitlines()
    lines = path.read_text().splitlines()
    return any(
        textwrap.dedent("\n".join(lines[i : i + len(wanted)])).rstrip().splitlines() == wanted
        for i in range(len(lines) - len(wanted) + 1)
    )


def blocks(text):
    """Kind, content and the text before each fenced block."""
    for block in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S):
        yield block[1], block[2], text[: block.start()]


def links(text):
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return LINK.findall(CODE.sub("", prose))


def code_faults(page, text):
    for kind, code, before in blocks(text):
        if kind == "console":
            continue
        path = page.parent / links(before)[-1]
        if not occurs(code, path):
            yield f"{path} does not contain:\n{code}"


def table_faults(page, text):
    for row in re.findall(r"^\|(.*)\|$", text, re.M):
        cells = re.split(r"(?<!\\)\|", row)
        target = LINK.search(cells[-1])
        if len(cells) != 3 or not target:
            continue
        lines = [code.replace("\\|", "|").strip() for _, code in CODE.findall(cells[1])]
        if not lines:
            yield f"no code beside {cells[0].strip()}"
        for line in lines:
            if line not in (page.parent / target[1]).read_text():
                yield f"{target[1]} does not contain: {line}"


def link_faults(page, text):
    for target in links(text):
        if "://" not in target and not (page.parent / target).exists():
            yield f"the link {target} leads nowhere"


def text_faults(page):
    text = page.read_text()
    for faults in (code_faults, table_faults, link_faults):
        yield from faults(page, text)
    if not CODE.search(text):
        yield f"{page} has no code"


def comparable(output):
    """What does not depend on the machine: no folders before `examples/`, no numbers of a training."""
    lines = re.sub(r"[^\s(]*/(?=examples/)", "", output).splitlines()
    return [re.sub(r"\d+\.\d+", "#", line) if re.search(" loss | % ", line) else line for line in lines]


def command_faults(page, heading, build):
    text = page.read_text()
    section = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not section:
        yield f"{page} has no heading '{heading}'"
        return
    commands = []  # [command, lines that the page shows]
    for kind, block, _ in blocks(section[1]):
        if kind == "console":
            for line in block.splitlines():
                if line.startswith("$ "):
                    commands.append([line[2:], []])
                else:
                    commands[-1][1].append(line)
    if not commands:
        yield f"there are no commands under '{heading}'"
    for command, shown in commands:
        run = subprocess.run(
            ["bash", "-c", command.replace("build/release", shlex.quote(build))],
            capture_output=True,
            text=True,
            cwd=page.parent.parent,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
        mistake = "error:" in "".join(shown)
        output = run.stderr if mistake and not run.stdout else run.stdout
        if comparable(output) != comparable("\n".join(shown)) or (run.returncode and not mistake):
            yield f"$ {command}\nexit code {run.returncode}\n{run.stdout}{run.stderr}"
            yield "but the page shows\n" + "\n".join(shown)


what, page, *rest = sys.argv[1:]
page = pathlib.Path(page)
faults = list(text_faults(page) if what == "text" else command_faults(page, *rest))
print("\n".join(faults) if faults else "the page says what the code says")
sys.exit(1 if faults else 0)
