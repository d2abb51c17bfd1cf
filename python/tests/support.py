"""What the tests of the package share."""

from __future__ import annotations

import json
import os
import pathlib
import random
import subprocess
import tempfile
import warnings

PROGRAM = os.environ["TWINSET_PROGRAM"]  # build/twinset


def texts(seed: int, count: int) -> list[str]:
    """Returns texts of few words, many of them alike or equal, some empty."""
    draw = random.Random(seed)
    made: list[str] = []
    while len(made) < count:
        if len(made) > 3 and draw.random() < 0.5:
            copy = draw.choice(made)
            made.append(copy + f" word{draw.randrange(50)}" if draw.random() < 0.5 else copy)
            continue
        made.append(" ".join(f"word{draw.randrange(200)}" for _ in range(draw.randrange(60))))
    return made


def by_command(rows: list[dict], *flags: str, command: str = "dedup", other: list | None = None):
    """Returns (pairs, kept, dropped) of the program over rows, ids being "id"."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)

        def write(name: str, some: list[dict]) -> str:
            (place / name).write_text("".join(json.dumps(row) + "\n" for row in some))
            return str(place / name)

        inputs = [write("a.jsonl", rows)]
        if other is not None:
            inputs += ["--against", write("b.jsonl", other)]
        out = place / "out"
        subprocess.run(
            [PROGRAM, command, *inputs, "--out", str(out), "--quiet", *flags],
            check=True, capture_output=True,
        )
        pairs = [json.loads(line) for line in (out / "pairs.jsonl").read_text().splitlines()]
        return (
            [(p["a"], p["b"], p["similarity"]) for p in pairs],
            (out / "keep.txt").read_text().split(),
            (out / "drop.txt").read_text().split(),
        )


def rounded(rows) -> list[tuple]:
    """Returns rows with their numbers as result files round them."""
    return [tuple(round(v, 6) if isinstance(v, float) else v for v in row) for row in rows]


class quiet_warnings(warnings.catch_warnings):
    """Lets warnings pass that a test does not look at."""

    def __enter__(self):
        entered = super().__enter__()
        warnings.simplefilter("ignore")
        return entered
