"""What the page says of the camera and of what was read, in a sentence each."""

from __future__ import annotations

from referee.observations import About, Reading
from vision.gate import Health

CODES = {
    Health.FROZEN: "camera_frozen",
    Health.DARK: "camera_dark",
    Health.OVEREXPOSED: "camera_dark",
    Health.BLURRED: "camera_blurred",
}
HEALTH = {
    Health.FROZEN: "The camera sends the same picture again and again: check it and its cable.",
    Health.DARK: "The picture is too dark to read: put on a light.",
    Health.OVEREXPOSED: "The picture is too bright to read: turn the light or the camera's exposure down.",
    Health.BLURRED: "The picture is blurred: check the camera's focus and that nothing covers it.",
    Health.RESTLESS: "Something before the camera is never at rest: take it off the board, or fix the camera so that it does not shake.",
}
ENDED = "The recording has ended; go on by hand."
NOTHING_FOUND = "The recording has ended, and no board was found in it: choose another, or go on by hand."


def starting(source: str) -> str:
    return "Waiting for the phone's first picture." if source == "phone" else f"Opening {source}."


def summary(reading: Reading) -> str:
    """What was read, in one line for the caption under the picture."""
    dice = "-".join(str(die.value or "?") for die in reading.dice)
    parts = [f"dice {dice}" if dice else "no dice", "position read" if reading.position is not None else "no position"]
    if reading.hand:
        parts.append("a hand over the board")
    doubts = [d for d in reading.doubts if (d.about, d.code) != (About.CUBE, "hidden")]  # many tables have no cube
    if doubts:
        more = f" and {len(doubts) - 2} more" if len(doubts) > 2 else ""
        what = ", ".join(_doubt(d.about, d.point, d.text) for d in doubts[:2]) + more
        parts.append(f"in doubt: {what}")
    return "; ".join(parts)


def _doubt(about: About, point: int | None, text: str) -> str:
    place = f"point {point}" if about is About.POINT else about.value
    return f"{place} ({text})" if text else place
