"""Pictures as SVG files."""

import math
from html import escape

COLORS = ("#d62728", "#1f77b4", "#17becf", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b")
STEPS = (1, 2, 2.5, 5, 10)  # between lines of a grid, times powers of ten


def grid(longest):
    """Where the lines of a grid are: at most ten."""
    rough = longest / 10
    power = 10 ** math.floor(math.log10(rough))
    step = next(s * power for s in STEPS if s * power >= rough)
    return [i * step for i in range(1, int(longest / step) + 1)]


class Svg:
    def __init__(self):
        self.parts = []

    def text(self, x, y, text, anchor="start", size=12):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
                          f'font-size="{size}">{escape(text)}</text>')

    def box(self, x, y, width, height, color):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
                          f'height="{height}" fill="{color}"/>')

    def line(self, begin, end, color="#dddddd", dashes=""):
        self.lines([begin, end], color, dashes=dashes)

    def lines(self, points, color, width=1, opacity=1, dashes=""):
        """From point to point."""
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{places}" fill="none" stroke="{color}" '
                          f'stroke-width="{width}" '
                          f'stroke-opacity="{opacity}" stroke-dasharray="{dashes}"/>')

    def write(self, file, width, height):
        parts = "\n".join(self.parts)
        with open(file, "w", encoding="utf8") as picture:
            picture.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
                          f'height="{height}" font-family="sans-serif">\n<rect width="100%" '
                          f'height="100%" fill="white"/>\n{parts}\n</svg>\n')
