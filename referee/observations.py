"""What a sensor or a person says. Frozen values without logic; any of them may be wrong.

Pixels are (x right, y down) in the picture as shown, after any EXIF rotation. Times are seconds: ``captured_at`` on
the capturing process's monotonic clock (for a recorded source, seconds from its beginning).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from referee.board.position import Seat

CAMERA, TOWER = "camera", "tower"
"""The devices at a table, as readings and the log name them."""


class DieState(Enum):
    """Where and how a die came to rest."""

    FLAT = "flat"
    COCKED = "cocked"
    ON_CHECKER = "on_checker"
    ON_BAR = "on_bar"
    OFF_BOARD = "off_board"


class Half(Enum):
    """Half of the board as the near player sees it."""

    LEFT = "left"
    RIGHT = "right"


class Touch(Enum):
    """What a die may touch."""

    BAR = "bar"
    RAIL = "rail"
    CHECKER = "checker"
    DIE = "die"


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die in sight, whoever threw it. ``value`` is the face most upward, None when it cannot be told; ``centre`` (px) that of its top
    face; ``confidence`` 0..1 in value, state and that it is a die, ``value_confidence`` in the value alone.

    ``half``: the one in which it is flat, cocked or on a checker; None on the bar or a rail and off the board. ``tray``: it lies in the
    dice tower's tray, which set-up drew; it has no half there, and is flat or cocked.
    """

    value: int | None
    state: DieState
    half: Half | None
    centre: tuple[float, float]
    confidence: float = 1.0
    touches: tuple[Touch, ...] = ()
    tray: bool = False
    value_confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class SeenPosition:
    """The checkers as seen: `Position`'s convention, but ``off`` is None where trays and table cannot be seen."""

    points: tuple[int, ...]
    bar: tuple[int, int]
    off: tuple[int | None, int | None] = (None, None)

    def on_board(self, seat: Seat) -> int:
        """``seat``'s checkers on points and bar."""
        sign = seat.sign
        return sum(max(0, n * sign) for n in self.points) + self.bar[seat.index]


@dataclass(frozen=True, slots=True)
class SeenCube:
    """The doubling cube. ``value`` 1 when it shows 64 in the middle; ``offered_to`` set when it lies on the field; ``centre`` (px) where
    it was seen, which makes it no other cube."""

    value: int
    owner: Seat | None
    offered_to: Seat | None = None
    centre: tuple[float, float] | None = field(default=None, compare=False)


class About(Enum):
    """What a doubt is about."""

    BOARD = "board"
    POINT = "point"
    BAR = "bar"
    OFF = "off"
    DIE = "die"
    CUBE = "cube"
    PICTURE = "picture"


@dataclass(frozen=True, slots=True)
class SeenDoubt:
    """One thing the reader is not sure of. ``values`` carries the code's values (for a count, the likely counts).

    ``point`` is near's number for ``About.POINT``; ``seat`` tells whose bar or tray; ``centre`` names the die.
    """

    about: About
    code: str
    text: str
    point: int | None = None
    seat: Seat | None = None
    centre: tuple[float, float] | None = None
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything read from one settled picture. ``position`` None: it could not be read, and a doubt says why.

    ``captured_at``: seconds of the source's clock; ``frame``: the picture's name; ``hand``: something is over the board.
    """

    dice: tuple[SeenDie, ...]
    position: SeenPosition | None
    cube: SeenCube | None
    doubts: tuple[SeenDoubt, ...] = ()
    captured_at: float = 0.0
    frame: str = ""
    hand: bool = False


class Rests(Enum):
    """Where a tower's dice come to rest: on the field, in a tray in sight, or inside where nobody sees them."""

    FIELD = "field"
    TRAY = "tray"
    INSIDE = "inside"


@dataclass(frozen=True, slots=True)
class TowerThrow:
    """A throw the tower felt, or (``values`` set) read. A die it could not read is None. ``seat`` None: it cannot tell whose. ``reads``:
    it is a tower that says what was thrown after it has felt a throw."""

    device: str
    boot: int
    sequence: int
    values: tuple[int | None, ...] | None
    states: tuple[DieState | None, ...] = ()
    seat: Seat | None = None
    captured_at: float = 0.0
    rests: Rests = Rests.FIELD
    reads: bool = False
