"""What the page says of the camera and of what was read, in a sentence each."""

from __future__ import annotations

from referee.board.position import START
from referee.observations import About, Reading, SeenDoubt
from vision.camera.gate import Health

CODES = {
    Health.FROZEN: "camera_frozen",
    Health.DARK: "camera_dark",
    Health.OVEREXPOSED: "camera_dark",
    Health.COVERED: "camera_covered",
    Health.BLURRED: "camera_blurred",
}
HEALTH = {
    Health.FROZEN: "The camera sends the same picture again and again: check it and its cable.",
    Health.DARK: "The picture is too dark to read: put on a light.",
    Health.OVEREXPOSED: "The picture is too bright to read: turn the light or the camera’s exposure down.",
    Health.COVERED: "There is nothing to be seen in the picture: check that nothing covers the camera.",
    Health.BLURRED: "The picture is blurred: check the camera’s focus and that nothing covers it.",
    Health.RESTLESS: "Something before the camera is never at rest: take it off the board, or fix the camera so that it does not shake.",
}
LOST = "The board or the camera was moved and is not found again: put it back, or press Look again on the set-up page."
ENDED = "The recording has ended; go on by hand."
WAITS = "The recording goes on when a match is started."
NOTHING_FOUND = "The recording has ended, and no board was found in it: choose another, or go on by hand."
_BURNT = (About.DIE, "burnt_out")
GLARE = "the light burns dice out: turn it or the camera’s exposure down"
SLOW = "the camera sends few pictures a second, so that throws are announced late: give it more light, or a better line"
OTHER_WAY = (
    "the start is set up the other way round: press Look again on the set-up page, and choose there where the near player sits "
    "if you have changed checkers"
)
_SAID_ELSEWHERE = {(About.CUBE, "hidden"), _BURNT}  # many tables have no cube; of the other see `GLARE`
_DOUBTS = {
    (About.DIE, "presence"): "something may be a die",
    (About.DIE, "state"): "a die may lie flat or not",
    (About.DIE, "hidden"): "a hand may hide dice",
    (About.CUBE, "presence"): "something may be the cube",
}
_IN_DOUBT = {
    About.BOARD: "the board in doubt",
    About.BAR: "the bar in doubt",
    About.OFF: "the checkers off in doubt",
    About.DIE: "a die in doubt",
    About.CUBE: "the cube in doubt",
    About.PICTURE: "the picture in doubt",
}


def starting(source: str) -> str:
    return "Waiting for the phone’s first picture." if source == "phone" else f"Opening {source}."


def ended(found: bool, why: str) -> str:
    """What is said at a recording's end; ``found``: its board was. ``why`` nothing was read of its last picture, a sentence or nothing:
    nobody could read it before the recording ended."""
    text = ENDED if found else NOTHING_FOUND
    return f"{text} {why}" if why else text


def summary(reading: Reading) -> str:
    """What was read, in one line for the caption under the picture."""
    dice = "-".join(str(die.value or "?") for die in reading.dice)
    parts = [f"dice {dice}" if dice else "no dice", "position read" if reading.position is not None else "no position"]
    if reading.hand:
        parts.append("a hand over the board")
    doubts = [d for d in reading.doubts if (d.about, d.code) not in _SAID_ELSEWHERE]
    parts += map(_doubt, doubts[:2])
    if more := len(doubts[2:]):
        parts.append(f"{more} more in doubt")
    return "; ".join(parts)


def other_way_round(reading: Reading) -> bool:
    """Whether the starting position stands there with the colours exchanged, or with the home boards on the other side, or both."""
    points, seen = START.points, reading.position.points if reading.position is not None else ()
    mirrored = (*points[11::-1], *points[:11:-1])
    return seen in (tuple(-n for n in points), mirrored, tuple(-n for n in mirrored))


def glare(reading: Reading, before: bool) -> bool:
    """Whether the light burns dice out, by the last ``reading`` that showed any; ``before``: whether it did up to now."""
    return any((d.about, d.code) == _BURNT for d in reading.doubts) or (before and not reading.dice)


def _doubt(doubt: SeenDoubt) -> str:
    """One thing in doubt, in words that other languages have too; the reader's own are for those who read its lines."""
    point, likely = doubt.point, sorted({abs(value) for value in doubt.values})
    few, many = likely if len(likely) == 2 else (None, None)
    if doubt.about is About.POINT:
        return f"point {point}: {few} or {many} checkers" if doubt.code == "count" and many else f"point {point} in doubt"
    if doubt.about is About.DIE and doubt.code == "value" and many:
        return f"a die: {few} or {many}"
    return _DOUBTS.get((doubt.about, doubt.code)) or _IN_DOUBT[doubt.about]
