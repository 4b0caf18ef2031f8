"""What has been measured, as tables."""

import frameworks
import rows
from table import number, show

NOTHING = "-"  # where somebody does not run a row


def show_results(results):
    """Rows beside PyTorch."""
    show(["row", "ms", "GFLOP/s", "of peak", "PyTorch ms", "GFLOP/s", "ratio", "asked for"],
         [[result.row.name, number(result.ours_ms, 2), number(result.gflops(result.ours_ms)),
           number(result.share(), unit=" %"),
           number(result.peer_ms, 2), number(result.gflops(result.peer_ms)),
           number(result.ratio(), 2), number(result.row.target or None)]
          for result in results])


def brief(result):
    """A line for a row that has just been measured."""
    facts = [("ours", result.ours_ms, 2, " ms"), ("of the peak", result.share(), 0, " %"),
             (result.framework, result.peer_ms, 2, " ms"), ("ratio", result.ratio(), 2)]
    return f"{result.row.name}: " + ", ".join(f"{name} {number(*value)}"
                                              for name, *value in facts if value[0])


def show_shapes(shapes, seed):
    """What the names of shapes stand for."""
    columns = ("layers", "width", "heads", "hidden", "vocabulary", "batch", "source", "target")
    show([f"shapes; random ones from --seed {seed}", *columns],
         [[name, *(str(getattr(size, column)) for column in columns)]
          for name, size in shapes.items()])


def by_row(results):
    """Lists of results, one list for each row."""
    found = {}
    for result in results:
        found.setdefault(result.row.name, []).append(result)
    return found


def ours(results):
    """Of a row beside several peers, the result in which our time is the median; or None."""
    measured = sorted((result for result in results if result.ours_ms),
                      key=lambda result: result.ours_ms)
    return measured[len(measured) // 2] if measured else None


def cell(value, *style):
    return number(value, *style) or NOTHING


def speed_line(name, results, peers):
    mine = ours(results) or rows.Result(results[0].row)
    speeds = {result.framework: result.gflops(result.peer_ms) for result in results}
    ratios = [result.ratio() for result in results if result.ratio()]
    return [name, cell(mine.gflops(mine.ours_ms)), cell(mine.share(), 1, " %"),
            *(cell(speeds.get(peer)) for peer in peers), cell(min(ratios, default=None), 2)]


def difference_line(name, results, peers):
    found = {result.framework: result.difference for result in results}
    return [name, f"{results[0].row.tolerance:.0e}",
            *(NOTHING if found.get(peer) is None else f"{found[peer]:.0e}" for peer in peers)]


def show_peers(results):
    """Rows beside all peers, in GFLOP/s, and how far the peers' results are from ours."""
    measured = {result.framework for result in results}
    peers = [framework.name for framework in frameworks.ALL if framework.name in measured]
    of_rows = by_row(results).items()
    show(["GFLOP/s", "Axloom", "of peak", *peers, "ratio to the best"],
         [speed_line(name, of_row, peers) for name, of_row in of_rows])
    if peers:
        show(["difference to our results", "tolerance", *peers],
             [difference_line(name, of_row, peers) for name, of_row in of_rows])
