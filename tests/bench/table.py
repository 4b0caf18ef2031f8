"""Plain aligned tables."""


def number(value, digits=1, unit=""):
    return "" if value is None else f"{value:,.{digits}f}{unit}"


def show(header, rows):
    """Prints a table; the first column is text, the others are numbers."""
    lines = [header, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    for line in lines:
        first, *others = (cell.ljust(width) if i == 0 else cell.rjust(width)
                          for i, (cell, width) in enumerate(zip(line, widths)))
        print("  ".join([first, *others]).rstrip())
    print(flush=True)
