"""Debian's control files: stanzas of fields.

    Package: hello
    Description-en: one line
     what goes on after a line break
     begins with a space
     .
     and this is the next paragraph
"""


def stanzas(path):
    """{field: text} of each stanza of a file. A text's further lines are without their space."""
    with open(path, encoding="utf-8", errors="replace") as file:
        fields, field = {}, None
        for line in file:
            if not line.strip():
                if fields:
                    yield fields
                fields, field = {}, None
            elif line.startswith(" "):
                if field:
                    fields[field] += "\n" + line[1:].rstrip("\n")
            else:
                field, _, text = line.partition(":")
                fields[field] = text.strip()
        if fields:
            yield fields


def lines(description):
    """The lines of a description; an empty line ends a paragraph."""
    return ["" if line.strip() == "." else line for line in description.split("\n")]
