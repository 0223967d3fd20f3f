"""Counts what the eyes read right, in doubt and wrong, against labelled pictures. Pure: labels and reading lines in, counts out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import dist, sqrt
from typing import Any

FLAT = "flat"
SMALL, LEAST = 20.0, 14.0  # px: dice below the one are counted apart; below the other they are smaller than the readers are made for
REACH = 1.2  # die widths between a die and what was read of it
GROUPS = {
    "": "nothing in the way, dice of 20 px or more",
    "small_": "nothing in the way, a die below 20 px, none below 14 px",
    "tiny_": "nothing in the way, a die below 14 px",
    "covered_": "a hand or thing over the board",
}
LINES = (
    ("position exact", "position", "frames"), ("points right", "points_right", "points"), ("good throw read right", "throw", "throws"),
    ("bad die caught", "bad_caught", "bad"), ("flat die called bad", "flat_bad", "flat"), ("value of a flat die right", "value", "flat"),
    ("state of a die right", "state", "dice"), ("die not reported", "missed", "dice"),
    ("dice that are none, a frame", "phantom", "frames"),
    ("cube right", "cube", "cubes"), ("everything right", "right", "frames"), ("right, yet a doubt said", "needless", "right"),
    ("position wrong, no doubt", "position_blind", "frames"), ("borne-off wrong, no doubt", "off_blind", "frames"),
    ("throw misread, no doubt", "throw_blind", "throws"), ("bad die accepted, no doubt", "bad_blind", "bad"),
    ("cube wrong, no doubt", "cube_blind", "cubes"), ("picture with an undoubted error", "blind", "frames"),
)  # fmt: skip


def width_of(die: dict[str, Any]) -> float:
    """The longest side of the die's upper face, px; 40 where the label has no outline."""
    quad = die.get("top_quad_px") or []
    return max(dist(quad[k], quad[k - 1]) for k in range(4)) if len(quad) == 4 else 40.0


def group_of(frame: dict[str, Any]) -> str:
    """Which of GROUPS a labelled picture belongs to."""
    if frame.get("occluded"):
        return "covered_"
    smallest = min(map(width_of, frame["dice"]), default=SMALL)
    return "" if smallest >= SMALL else "small_" if smallest >= LEAST else "tiny_"


def count(frame: dict[str, Any], line: dict[str, Any]) -> Counter[str]:
    """The counts of one picture: its label ``frame`` against the ``line`` that `referee read --json` would print."""
    about = {doubt["about"] for doubt in line["doubt"]}
    here: Counter[str] = Counter(frames=1)
    exact = _position(frame, line, about, here)
    dice = _dice(frame, line, about, here)
    cube = _cube(frame, line, about, here)
    here["right"] = exact and dice and cube
    here["needless"] = here["right"] and bool(about)
    here["blind"] = bool(here["position_blind"] or here["off_blind"] or here["throw_blind"] or here["bad_blind"] or here["cube_blind"])
    group = group_of(frame)
    return Counter({group + key: int(n) for key, n in here.items() if n})


def _unsure(about: set[str], *what: str) -> bool:
    return bool(about & {*what, "picture", "board"})


def _position(frame: dict[str, Any], line: dict[str, Any], about: set[str], here: Counter[str]) -> bool:
    seen, true = line["position"], frame["position"]
    exact = seen is not None and seen["points"] == true["points"] and seen["bar"] == true["bar"]
    off_right = seen is None or all(a is None or a == b for a, b in zip(seen["off"], true["off"], strict=True))
    sure = not _unsure(about, "point", "bar", "off")
    here["points"] = 24
    here["points_right"] = sum(a == b for a, b in zip(seen["points"], true["points"], strict=True)) if seen is not None else 0
    here["position"], here["position_blind"] = exact, not exact and sure
    here["off_blind"] = not off_right and sure
    return exact


def _dice(frame: dict[str, Any], line: dict[str, Any], about: set[str], here: Counter[str]) -> bool:
    all_right, sure = True, not _unsure(about, "die")
    for true, seen in _pairs(frame["dice"], line["dice"]):
        if true is None:
            here["phantom"] += 1
            all_right = False
            continue
        flat = true["state"] == FLAT
        here["dice"] += 1
        here["flat" if flat else "bad"] += 1
        if seen is None:
            here["missed"] += 1
            all_right = False
            continue
        same_state, same_value = seen["state"] == true["state"], seen["value"] == true["value"]
        here["state"] += same_state
        all_right = all_right and same_state and (same_value or not flat)
        if flat:
            here["value"] += same_value
            here["flat_bad"] += seen["state"] != FLAT
        else:
            here["bad_caught"] += seen["state"] != FLAT or not sure
            here["bad_blind"] += seen["state"] == FLAT and sure
    if len(frame["dice"]) == 2 and _good(frame["dice"]):
        called = _good(line["dice"])
        values = sorted(d["value"] for d in frame["dice"]) == sorted(d["value"] or 0 for d in line["dice"])
        here["throws"] = 1
        here["throw"], here["throw_blind"] = called and values, called and not values and sure
    return all_right


def _cube(frame: dict[str, Any], line: dict[str, Any], about: set[str], here: Counter[str]) -> bool:
    true, seen = frame.get("cube"), line["cube"]
    if not true:
        # A cube seen where there is none is as wrong as one misread.
        here["cube_blind"] = seen is not None and not _unsure(about, "cube")
        return seen is None
    right = seen is not None and all(seen[key] == true.get(key) for key in ("value", "owner", "offered_to"))
    here["cubes"], here["cube"], here["cube_blind"] = 1, right, not right and not _unsure(about, "cube")
    return right


def _good(dice: list[dict[str, Any]]) -> bool:
    """Two dice, both flat, in one half of the board."""
    return len(dice) == 2 and all(d["state"] == FLAT for d in dice) and dice[0].get("half") == dice[1].get("half") is not None


def _pairs(truth: list[dict[str, Any]], seen: list[dict[str, Any]]) -> list[tuple[dict[str, Any] | None, dict[str, Any] | None]]:
    """True and seen dice, nearest first; None where one has no other."""
    gaps = sorted(
        (dist(t["centre_px"], s["centre"]), i, j)
        for i, t in enumerate(truth) for j, s in enumerate(seen)
        if dist(t["centre_px"], s["centre"]) <= REACH * max(width_of(t), 12.0)
    )  # fmt: skip
    of_true: dict[int, int] = {}
    for _, i, j in gaps:
        if i not in of_true and j not in of_true.values():
            of_true[i] = j
    none: dict[str, Any] | None = None
    known = [(t, seen[of_true[i]] if i in of_true else none) for i, t in enumerate(truth)]
    return [*known, *((none, s) for j, s in enumerate(seen) if j not in of_true.values())]


def report(total: Counter[str]) -> list[dict[str, Any]]:
    """One row a line and group: what, how many of how many, the share and its 95 % interval (Wilson)."""
    rows = []
    for group, heading in GROUPS.items():
        if not total[group + "frames"]:
            continue
        for title, part, whole in LINES:
            n, of = total[group + part], total[group + whole]
            share = round(n / of, 5) if of else None
            rows.append({"group": heading, "what": title, "n": n, "of": of, "share": share, "interval": wilson(n, of)})
    return rows


def wilson(part: int, whole: int) -> tuple[float, float] | None:
    """The 95 % interval of a share."""
    if not whole:
        return None
    z, p = 1.96, min(1.0, part / whole)
    middle, half = p + z * z / (2 * whole), z * sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole))
    return round(max(0.0, (middle - half) / (1 + z * z / whole)), 5), round(min(1.0, (middle + half) / (1 + z * z / whole)), 5)


def words(rows: Iterable[dict[str, Any]]) -> list[str]:
    """The report to read."""
    lines, group = [], ""
    for row in rows:
        if row["group"] != group:
            group = row["group"]
            lines.append(group)
        share = ""
        if row["share"] is not None:
            low, high = row["interval"]
            share = f" = {100 * row['share']:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
        lines.append(f"  {row['what']:34s} {row['n']}/{row['of']}{share}")
    return lines
