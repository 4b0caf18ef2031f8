"""A bar chart of GFLOP/s as an SVG file: a group of bars for each row, lines at the peaks."""

import report
from svg import COLORS, Svg, grid

BAR, GAP, LABELS, WIDTH, TOP, BOTTOM = 14, 12, 250, 960, 60, 40  # pixels
LEGEND = 134  # from one name to the next


def bars_of(results):
    """Of each row: whose bar and how long, ours first. Who does not run a row has no bar."""
    for name, of_row in report.by_row(results).items():
        ours = report.ours(of_row)
        lengths = {"Axloom": ours and ours.gflops(ours.ours_ms)}
        lengths |= {result.framework: result.gflops(result.peer_ms) for result in of_row
                    if result.framework}
        yield name, {who: length for who, length in lengths.items() if length}


def draw_bars(svg, groups, colors, place):
    y = TOP + GAP / 2
    for name, bars in groups:
        svg.text(LABELS - 8, y + len(bars) * BAR / 2 + 4, name, "end")
        for who, gflops in bars.items():
            svg.box(LABELS, y, place(gflops) - LABELS, BAR - 1, colors[who])
            svg.text(place(gflops) + 4, y + BAR - 4, f"{gflops:.0f}", size=10)
            y += BAR
        y += GAP


def draw_legend(svg, colors):
    for i, (who, color) in enumerate(colors.items()):
        svg.box(20 + LEGEND * i, 16, 12, 12, color)
        svg.text(36 + LEGEND * i, 26, who)


def write(results, machine, file):
    groups = list(bars_of(results))
    names = dict.fromkeys(who for _, bars in groups for who in ["Axloom", *bars])
    colors = dict(zip(names, COLORS))
    peaks = {kind: machine.peak(kind) for kind in dict.fromkeys(r.row.type for r in results)}
    lengths = [length for _, bars in groups for length in bars.values()]
    longest = max(filter(None, [*peaks.values(), *lengths]), default=1)
    bottom = TOP + sum(len(bars) * BAR + GAP for _, bars in groups)

    def place(gflops):
        return LABELS + gflops / longest * (WIDTH - LABELS - 60)

    svg = Svg()
    for gflops in grid(longest):
        svg.line((place(gflops), TOP), (place(gflops), bottom))
        svg.text(place(gflops), bottom + 16, f"{gflops:g}", "middle")
    draw_bars(svg, groups, colors, place)
    for kind, peak in peaks.items():
        if peak:
            svg.line((place(peak), TOP), (place(peak), bottom), "black", dashes="4 3")
            svg.text(place(peak), TOP - 6, f"peak in {kind}: {peak:.0f}", "middle")
    svg.text(LABELS, bottom + 34, "GFLOP/s")
    draw_legend(svg, colors)
    svg.write(file, WIDTH, bottom + BOTTOM)
