"""GNU Backgammon's position ID: 14 characters for where the checkers stand, seen by one player.

Format: 80 bits, least significant first, base64 without padding. For each of two players, for his points 1..24 and
his bar, as many ones as checkers there and then a zero. The player not on roll comes first.
"""

from __future__ import annotations

import base64
import binascii

from referee.board.position import CHECKERS, Position, Seat

_BYTES = 10


class IdError(ValueError):
    """A text that is no position ID, match ID or XGID. Its message is one sentence for the user."""


def position_to_id(position: Position, seat: Seat) -> str:
    """The position ID seen from ``seat``, the player on roll."""
    bits = used = 0
    for player in (seat.other, seat):
        for count in position.side(player):
            bits |= ((1 << count) - 1) << used
            used += count + 1
    return base64.b64encode(bits.to_bytes(_BYTES, "little")).decode("ascii")[:14]


def position_from_id(text: str, seat: Seat) -> Position:
    """The position whose ID seen from ``seat`` is ``text``. Raises `IdError` when it is not one."""
    bits = int.from_bytes(decode(text, 14, "position ID"), "little")
    counts = [0] * 50
    place = 0
    for _ in range(8 * _BYTES):
        if place == 50:
            break
        if bits & 1:
            counts[place] += 1
        else:
            place += 1
        bits >>= 1
    if place < 50 or bits:
        raise IdError(f"‘{text}’ is no position ID: its bits do not make two players’ checkers")
    other, mover = tuple(counts[:25]), tuple(counts[25:])
    for side in (other, mover):
        if sum(side) > CHECKERS:
            raise IdError(f"‘{text}’ gives one player {sum(side)} checkers; nobody has more than {CHECKERS}")
    try:
        return Position.from_sides(mover, other) if seat is Seat.NEAR else Position.from_sides(other, mover)
    except ValueError:
        raise IdError(f"‘{text}’ puts checkers of both players on one point") from None


def decode(text: str, length: int, name: str) -> bytes:
    """The bytes of an ID of ``length`` base64 characters; padding is tolerated. Raises `IdError`."""
    stripped = text.strip().rstrip("=")
    try:
        if len(stripped) != length:
            raise ValueError
        return base64.b64decode(stripped + "=" * (-length % 4), validate=True)
    except (ValueError, binascii.Error):
        raise IdError(f"‘{text}’ is no {name}: it needs {length} characters of A-Z a-z 0-9 + /") from None
