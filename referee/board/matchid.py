"""Everything about a match in one line: GNU Backgammon's match ID, the GNUBGID, and the XGID, both ways.

All three write from one chair that does not change: the *bottom* player, who is `Seat.NEAR` here, and the *top*
player, `Seat.FAR`. In a match ID top is player 0 and bottom player 1.

Match ID: 72 bits, least significant first, base64. Bits 0-3 log2 of the cube, 4-5 its owner (3 centred), 6 on roll,
7 Crawford game, 8-10 state, 11 to decide, 12 double offered, 13-14 resignation offered, 15-17 and 18-20 dice,
21-35 match length, 36-50 and 51-65 scores, 66 set when the Jacoby rule is off.

XGID: ``XGID=<26 characters>:cube:owner:turn:dice:bottom:top:rules:length:limit``; the 26 are top's bar, the bottom
player's points 1..24 and bottom's bar, capitals for bottom's checkers.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, replace
from enum import Enum

from referee.board.ids import IdError, decode, position_from_id, position_to_id
from referee.board.position import CHECKERS, Position, Seat

LARGEST_CUBE = 2**15
"""The most that a match ID can say (four bits), so that every moment can be told to other programs: no cube is turned, set or followed
beyond it."""

_XGID = re.compile(r"[-A-Pa-p]{26}(?::[^:\s]+){8}(?::\d+)?")
"""One among what eXtreme Gammon copies with it: the players, the score, the board, of which a page may have lost the line ends."""
_GNUBG = re.compile(r"Position.ID\s*:\s*(\S{14})\s+Match.ID\s*:\s*(\S{12})", re.I)
"""As GNU Backgammon shows it above and beside its board."""


class GameState(Enum):
    """What a match ID says of its game. DROPPED: it ended with a double declined; RESIGNED: with a resignation."""

    NONE = 0
    PLAYING = 1
    OVER = 2
    RESIGNED = 3
    DROPPED = 4


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """What stands beside the checkers. Bottom is `Seat.NEAR`.

    ``length`` 0: money. ``cube_owner`` None: in the middle. ``to_decide`` differs from ``on_roll`` while a double or a
    resignation is answered. ``resigned``: the points offered as 1, 2 or 3 times the cube, 0 none. ``dice`` None: not
    rolled. ``score`` is (bottom, top). ``beaver`` and ``limit`` (log2 of the highest cube) are in XGIDs only.
    """

    length: int = 0
    score: tuple[int, int] = (0, 0)
    cube: int = 1
    cube_owner: Seat | None = None
    on_roll: Seat = Seat.NEAR
    to_decide: Seat | None = None
    dice: tuple[int, int] | None = None
    crawford: bool = False
    doubled: bool = False
    resigned: int = 0
    jacoby: bool = False
    beaver: bool = False
    state: GameState = GameState.PLAYING
    limit: int = 10


_PLAYER = {Seat.FAR: 0, Seat.NEAR: 1}
_SEAT = {0: Seat.FAR, 1: Seat.NEAR}


def match_to_id(info: MatchInfo) -> str:
    """The match ID. Raises `IdError` for numbers it has no room for."""
    if not (0 <= info.length < 1 << 15 and all(0 <= s < 1 << 15 for s in info.score)):
        raise IdError("a match ID holds lengths and scores up to 32767")
    dice = sorted(info.dice or (0, 0), reverse=True)
    fields = (
        (_log2(info.cube), 4),
        (3 if info.cube_owner is None else _PLAYER[info.cube_owner], 2),
        (_PLAYER[info.on_roll], 1),
        (info.crawford, 1),
        (info.state.value, 3),
        (_PLAYER[info.to_decide or info.on_roll], 1),
        (info.doubled, 1),
        (info.resigned, 2),
        (dice[0], 3),
        (dice[1], 3),
        (info.length, 15),
        (info.score[1], 15),
        (info.score[0], 15),
        (not info.jacoby, 1),
    )
    bits = used = 0
    for value, width in fields:
        bits |= int(value) << used
        used += width
    return base64.b64encode(bits.to_bytes(9, "little")).decode("ascii")


def match_from_id(text: str) -> MatchInfo:
    """What a match ID says. Raises `IdError` when it is not one."""
    bits = int.from_bytes(decode(text, 12, "match ID"), "little")

    def take(width: int) -> int:
        nonlocal bits
        value = bits & ((1 << width) - 1)
        bits >>= width
        return value

    cube, owner, on_roll, crawford, state, decides, doubled, resigned = (take(w) for w in (4, 2, 1, 1, 3, 1, 1, 2))
    dice = take(3), take(3)
    length, top, bottom, no_jacoby = take(15), take(15), take(15), take(1)
    if owner == 2 or state > 4 or max(dice) > 6 or (0 in dice and any(dice)):
        raise IdError(f"‘{text}’ is no match ID: its owner, state or dice are not possible ones")
    return MatchInfo(
        length=length,
        score=(bottom, top),
        cube=1 << cube,
        cube_owner=None if owner == 3 else _SEAT[owner],
        on_roll=_SEAT[on_roll],
        to_decide=None if decides == on_roll else _SEAT[decides],
        dice=dice if any(dice) else None,
        crawford=bool(crawford),
        doubled=bool(doubled),
        resigned=resigned,
        jacoby=not no_jacoby,
        state=GameState(state),
    )


def moment_from_text(text: str) -> tuple[Position, MatchInfo]:
    """Position and match of an XGID or a GNUBGID. Raises `IdError`."""
    is_xgid = not _GNUBG.search(text) and ("XGID" in text.upper() or text.count(":") > 1)
    return xgid_from_text(text) if is_xgid else gnubgid_from_text(text)


def gnubgid_to_text(position: Position, info: MatchInfo) -> str:
    """``PositionID:MatchID``, the position seen from the player on roll."""
    return f"{position_to_id(position, info.on_roll)}:{match_to_id(info)}"


def gnubgid_from_text(text: str) -> tuple[Position, MatchInfo]:
    """Position and match of a GNUBGID, or of the two IDs beside GNU Backgammon's board. Raises `IdError`."""
    if shown := _GNUBG.search(text):
        text = ":".join(shown.groups())
    checkers, colon, match = text.strip().removeprefix("GNUBGID").strip().partition(":")
    if not colon:
        raise IdError(f"‘{text}’ is no GNUBGID: it needs a position ID, a colon and a match ID")
    info = match_from_id(match)
    return position_from_id(checkers, info.on_roll), info


def xgid_board(position: Position) -> str:
    """The 26 characters of an XGID that tell the board, near at the bottom."""
    return "".join(map(_letter, (-position.bar[1], *position.points, position.bar[0])))


def xgid_to_text(position: Position, info: MatchInfo) -> str:
    """The XGID, ``XGID=`` in front.

    Programs disagree on what stands where when the top player is on roll, so the player on roll is always written at
    the bottom; read back, the two players may have changed chairs. Beaver and raccoon offers are written as doubles.
    """
    if info.on_roll is Seat.FAR:
        position, info = turned(position), turned_info(info)
    dice = "D" if info.doubled else "00" if info.dice is None else f"{info.dice[0]}{info.dice[1]}"
    owner = {None: 0, Seat.NEAR: 1, Seat.FAR: -1}[info.cube_owner]
    rules = int(info.crawford) if info.length else int(info.jacoby) + 2 * int(info.beaver)
    fields = (_log2(info.cube), owner, 1, dice, info.score[0], info.score[1], rules, info.length, info.limit)
    return "XGID=" + ":".join((xgid_board(position), *map(str, fields)))


def xgid_from_text(text: str) -> tuple[Position, MatchInfo]:
    """Position and match of an XGID, with or without ``XGID=`` and what else is copied with it. Raises `IdError`.

    Capitals are always the bottom player's checkers, whoever is on roll, and the first score is his.
    """
    found = _XGID.search(text)
    fields = (found[0] if found else text).split(":")
    if len(fields) < 9 or len(fields[0]) != 26:
        raise IdError(f"‘{text}’ is no XGID: it needs 26 characters and nine fields with colons between")
    try:
        counts = [_count(c) for c in fields[0]]
        cube, owner, turn = (int(f) for f in fields[1:4])
        bottom, top, rules, length = (int(f) for f in fields[5:9])
        limit = int(fields[9]) if len(fields) > 9 else 10
        dice = _dice(fields[4])
        on_roll = {1: Seat.NEAR, -1: Seat.FAR}[turn]
        cube_owner = {0: None, 1: Seat.NEAR, -1: Seat.FAR}[owner]
        if not 0 <= cube < LARGEST_CUBE.bit_length() or min(bottom, top, length, limit) < 0 or not 0 <= rules <= 3:
            raise ValueError
    except (ValueError, KeyError):
        raise IdError(f"‘{text}’ is no XGID: a field between the colons is not a possible one") from None
    if counts[0] > 0 or counts[25] < 0:
        raise IdError(f"‘{text}’ is no XGID: the bar of one player holds the other’s checkers")
    sides = [sum(n for n in counts if n > 0), sum(-n for n in counts if n < 0)]
    if max(sides) > CHECKERS:
        raise IdError(f"‘{text}’ gives one player {max(sides)} checkers; nobody has more than {CHECKERS}")
    position = Position(tuple(counts[1:25]), (counts[25], -counts[0]), (CHECKERS - sides[0], CHECKERS - sides[1]))
    doubled = fields[4] in ("D", "B", "R")
    return position, MatchInfo(
        length=length,
        score=(bottom, top),
        cube=1 << cube,
        cube_owner=cube_owner,
        on_roll=on_roll,
        to_decide=on_roll.other if doubled else None,
        dice=dice,
        crawford=bool(length and rules & 1),
        doubled=doubled,
        jacoby=bool(not length and rules & 1),
        beaver=bool(not length and rules & 2),
        limit=limit,
    )


def turned(position: Position) -> Position:
    """The same checkers with the two players' chairs exchanged."""
    return Position(tuple(-n for n in reversed(position.points)), position.bar[::-1], position.off[::-1])


def turned_info(info: MatchInfo) -> MatchInfo:
    """The same match with the two players' chairs exchanged."""
    return replace(
        info,
        score=info.score[::-1],
        cube_owner=info.cube_owner and info.cube_owner.other,
        on_roll=info.on_roll.other,
        to_decide=info.to_decide and info.to_decide.other,
    )


def _log2(cube: int) -> int:
    if cube < 1 or cube & (cube - 1) or cube > LARGEST_CUBE:
        raise IdError(f"a cube of {cube} is not one of 1, 2, 4, 8 and so on up to {LARGEST_CUBE}")
    return cube.bit_length() - 1


def _letter(count: int) -> str:
    return "-" if count == 0 else chr(ord("A") + count - 1) if count > 0 else chr(ord("a") - count - 1)


def _count(letter: str) -> int:
    if letter == "-":
        return 0
    if "A" <= letter <= "P":
        return ord(letter) - ord("A") + 1
    if "a" <= letter <= "p":
        return ord("a") - ord(letter) - 1
    raise ValueError(letter)


def _dice(text: str) -> tuple[int, int] | None:
    if text in ("00", "D", "B", "R"):
        return None
    first, second = (int(c) for c in text)
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise ValueError(text)
    return first, second
