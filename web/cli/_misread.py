"""What was misread of a clip whose truth is known: which die as which, which point's count as which, and whether it was doubted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.observations import Reading

Die = tuple[int | None, str]
"""Its value, and how it lies."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What is true from ``at`` seconds on: the ``dice`` that lie there, near's 24 ``points`` and then both bars; None for what is not
    known, as while a hand is at it."""

    at: float
    dice: tuple[Die, ...] | None = None
    points: tuple[int, ...] | None = None


def still_of(frame: Mapping[str, Any]) -> dict[str, Any]:
    """What a clip's truth keeps of a labelled picture; nothing of what its label does not say."""
    dice, position = frame["dice"], frame.get("position")
    kept: dict[str, Any] = {}
    if all("value" in die and "state" in die for die in dice):
        kept["dice"] = [[die["value"], die["state"]] for die in dice]
    if position is not None:
        kept["points"] = [*position["points"], *position["bar"]]
    return kept


def scenes_of(truth: Mapping[str, Any]) -> list[Scene]:
    """The scenes of a clip, in their order; none where its truth was written by an earlier version."""
    stills, moments = truth.get("stills", {}), truth["moments"]
    thrown = {m["still"] for m in moments if m["kind"] == "rest"}
    scenes = []
    for m in moments:
        still, kind = stills.get(m["still"], {}), m["kind"]
        dice = tuple((value, state) for value, state in still["dice"]) if "dice" in still else None
        points = tuple(still["points"]) if "points" in still else None
        if kind == "lamp":
            continue
        if kind in ("lifting", "reaching"):
            dice = points = None
        elif kind == "nudge" or (kind == "moved" and m["still"] in thrown):  # what was nudged may lie another way; or dice are yet to come
            dice = None
        scenes.append(Scene(m["at"], dice, points))
    return scenes


def misread(scenes: Sequence[Scene], readings: Iterable[tuple[float, Reading]]) -> dict[str, Any]:
    """How often each die and each point was read as another, in the ``readings`` at their times (s); of these how many without a doubt."""
    from referee.observations import About

    compared, undoubted = 0, 0
    dice, points = Counter[str](), Counter[str]()
    for at, reading in readings:
        scene = next((one for one in reversed(scenes) if one.at <= at), Scene(at))
        if reading.hand or (scene.dice is None and scene.points is None):
            continue
        compared += 1
        about = {doubt.about for doubt in reading.doubts}
        whole = bool(about & {About.BOARD, About.PICTURE})
        if scene.dice is not None:
            wrong = _dice(scene.dice, tuple((die.value, die.state.value) for die in reading.dice))
            dice.update(wrong)
            undoubted += 0 if whole or About.DIE in about else len(wrong)
        if scene.points is not None and reading.position is not None:
            doubted = {doubt.point for doubt in reading.doubts if doubt.about is About.POINT}
            read = (*reading.position.points, *reading.position.bar)
            for place, (true, seen) in enumerate(zip(scene.points, read, strict=True), start=1):
                if true != seen:
                    points[f"{f'point {place}' if place <= 24 else 'bar'}: {true} read as {seen}"] += 1
                    undoubted += not (whole or (place in doubted if place <= 24 else About.BAR in about))
    return {"compared": compared, "dice": dict(dice), "points": dict(points), "undoubted": undoubted}


def _dice(true: Sequence[Die], seen: Sequence[Die]) -> list[str]:
    """What is wrong with the dice that were ``seen``, a few words each."""
    missed, more = Counter(true) - Counter(seen), Counter(seen) - Counter(true)
    gone, new = (sorted((f"{value or '?'} {state}" for value, state in dice.elements())) for dice in (missed, more))
    both = min(len(gone), len(new))
    return [
        *(f"{a} read as {b}" for a, b in zip(gone, new, strict=False)),
        *(f"{a} not seen" for a in gone[both:]),
        *(f"{b} where there is none" for b in new[both:]),
    ]


def announced_wrong(true: Sequence[Sequence[Any]], announced: Sequence[int]) -> bool:
    """Whether a roll was announced of dice that do not lie there so: other numbers, or a die that lies badly."""
    return bool(Counter(announced) - Counter(value for value, state in true if state == "flat"))
