"""Readings as the JSON lines of `referee read`."""

from __future__ import annotations

import json
from typing import Any

from referee.board.ids import IdError
from referee.board.matchid import xgid_from_text
from referee.board.position import POINTS, Position
from referee.match.shown.views import position_view
from referee.observations import About, Reading, SeenDie, SeenDoubt


def reading_line(reading: Reading, image: str) -> dict[str, Any]:
    """One picture's line."""
    position, cube = reading.position, reading.cube
    seen_cube = None
    if cube is not None:
        owner, offered = cube.owner.value if cube.owner else None, cube.offered_to.value if cube.offered_to else None
        seen_cube = {"value": cube.value, "owner": owner, "offered_to": offered}
    return {
        "image": image,
        "dice": [_die(d) for d in reading.dice],
        "position": position_view(position) if position is not None else None,
        "cube": seen_cube,
        "doubt": [_doubt(d) for d in reading.doubts],
    }


def picture_doubt(code: str, text: str) -> Reading:
    """The reading of a picture that cannot be read."""
    return Reading((), None, None, (SeenDoubt(About.PICTURE, code, text),))


def _die(die: SeenDie) -> dict[str, Any]:
    return {
        "value": die.value, "state": die.state.value, "half": die.half.value if die.half else None,
        "centre": [round(float(v), 1) for v in die.centre], "confidence": round(float(die.confidence), 3),
        "touches": [t.value for t in die.touches],
        **({"tray": True} if die.tray else {}),
    }


def _doubt(doubt: SeenDoubt) -> dict[str, Any]:
    out: dict[str, Any] = {"about": doubt.about.value}
    if doubt.point is not None:
        out["point"] = doubt.point
    if doubt.seat is not None:
        out["seat"] = doubt.seat.value
    if doubt.centre is not None:
        out["centre"] = [round(float(v), 1) for v in doubt.centre]
    elif doubt.about is About.DIE:  # one that may be hidden
        out["centre"] = None
    return {**out, "code": doubt.code, "text": doubt.text, "values": list(doubt.values)}


def position_from_text(text: str) -> Position:
    """A position as the position JSON or an XGID. Raises ValueError with one sentence."""
    text = text.strip()
    if text.upper().startswith("XGID"):
        try:
            return xgid_from_text(text)[0]
        except IdError as error:
            raise ValueError(str(error)) from None
    try:
        value = json.loads(text)
        points, bar, off = (tuple(value.get(key, rest)) for key, rest in (("points", ()), ("bar", (0, 0)), ("off", (0, 0))))
        if any(type(n) is not int for n in points + bar + off):
            raise TypeError
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise ValueError('the position is neither an XGID nor like {"points": [24 numbers], "bar": [0, 0], "off": [0, 0]}') from None
    if len(points) != POINTS or len(bar) != 2 or len(off) != 2:
        raise ValueError("the position needs 24 points, and two numbers each for bar and off")
    position = Position(points, (bar[0], bar[1]), (off[0], off[1]))
    if defects := position.defects():
        raise ValueError(f"the position cannot be right: {', '.join(defects)}")
    return position
