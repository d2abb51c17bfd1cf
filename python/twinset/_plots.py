"""Plots of results, drawn by matplotlib where it is installed."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from twinset.errors import MissingPackageError, UsageError


def _axes(axes: Any) -> Any:
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError:
        raise MissingPackageError(
            "plots are drawn by matplotlib, which is not installed",
            remedy="pip install matplotlib",
        ) from None
    return pyplot.subplots(layout="constrained")[1]


def similarities(values: Sequence[float], threshold: float, title: str, axes: Any) -> Any:
    """Draws how many pairs have which similarity, from the threshold on."""
    axes = _axes(axes)
    low = min(threshold, *values) if len(values) else threshold
    axes.hist(values, bins=20, range=(low, 1.0) if low < 1.0 else (0.0, 1.0))
    axes.axvline(threshold, linestyle="--", color="black", label=f"threshold {threshold:g}")
    axes.set(xlabel="similarity", ylabel="pairs", title=title)
    axes.legend()
    return axes


def of_summary(summary: dict[str, Any], folder: str, which: int, axes: Any) -> Any:
    """Draws what a command found: a drawing of its page, or the curve of ``tune``."""
    if "curve" in summary:
        return _curve(summary, _axes(axes))
    drawings = _drawings(folder)
    if not drawings:
        raise UsageError("this result has no drawing", remedy="give out=, where the page of the result goes")
    if not -len(drawings) <= which < len(drawings):
        titles = ", ".join(drawing["title"] for _, drawing in drawings)
        raise UsageError(f"there is no drawing {which}", remedy=f"there are {len(drawings)}: {titles}")
    kind, drawing = drawings[which]
    axes = _axes(axes)
    (_histogram if kind == "histogram" else _chart)(drawing, axes)
    return axes


def _drawings(folder: str) -> list[tuple[str, dict[str, Any]]]:
    path = os.path.join(folder, "page.json") if folder else ""
    if not path or not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        blocks = json.load(file)["blocks"]
    return [(kind, block[kind]) for block in blocks for kind in ("histogram", "chart") if kind in block]


def _curve(summary: dict[str, Any], axes: Any) -> Any:
    curve = summary["curve"]
    axes.plot([one["similarity"] for one in curve], [one["expected"] for one in curve], label="expected")
    measured = [one for one in curve if one["pairs"]]
    axes.plot(
        [one["similarity"] for one in measured], [one["found"] / one["pairs"] for one in measured],
        "o", label="measured",
    )  # fmt: skip
    axes.axvline(summary["threshold"], linestyle="--", color="black", label=f"threshold {summary['threshold']:g}")
    axes.set(xlabel="similarity", ylabel="share of the pairs that is found", title=summary["flags"])
    axes.legend()
    return axes


def _histogram(drawing: dict[str, Any], axes: Any) -> None:
    bins = drawing.get("bins", [])
    lows = [float(one.get("low", 0)) for one in bins]
    widths = [float(one.get("high", 0)) - low for one, low in zip(bins, lows)]
    axes.bar(lows, [float(one.get("count", 0)) for one in bins], widths, align="edge", edgecolor="white")
    axes.set(xlabel=drawing.get("x_label", ""), ylabel=drawing.get("y_label", ""), title=drawing["title"])
    if drawing.get("log"):
        axes.set_xscale("log")


def _chart(drawing: dict[str, Any], axes: Any) -> None:
    for series in drawing.get("series", []):
        points = series.get("points", [])
        x, y, low, high = ([float(p.get(name, 0)) for p in points] for name in ("x", "y", "low", "high"))
        mark = "o" if series.get("marks", True) else ""
        line = "-" if series.get("line", True) else ""
        (drawn,) = axes.plot(x, y, marker=mark, linestyle=line, label=series.get("name", ""))
        if series.get("band"):
            axes.fill_between(x, low, high, alpha=0.2, color=drawn.get_color())
        elif any("low" in p or "high" in p for p in points):
            axes.vlines(x, low, high, color=drawn.get_color(), alpha=0.5)
        for point in points:
            if point.get("label"):
                place = (float(point.get("x", 0)), float(point.get("y", 0)))
                axes.annotate(point["label"], place, textcoords="offset points", xytext=(4, 4))
    for name in ("x", "y"):
        axis = drawing.get(name, {})
        getattr(axes, f"set_{name}label")(axis.get("label", ""))
        if axis.get("log"):
            getattr(axes, f"set_{name}scale")("log")
        first, last = float(axis.get("low", 0)), float(axis.get("high", 0))
        if first < last and not axis.get("log"):
            margin = (last - first) / 50
            getattr(axes, f"set_{name}lim")(first - margin, last + margin)
    axes.set_title(drawing["title"])
    if len(drawing.get("series", [])) > 1:
        axes.legend()
