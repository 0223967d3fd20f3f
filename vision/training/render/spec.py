"""What a set-up is made of: frozen values drawn from a seed, before anything is built."""

from __future__ import annotations

from dataclasses import dataclass

from .paint import Rgb


@dataclass(frozen=True, slots=True)
class Paint:
    """A material: a painter's name, its colour and its finish."""

    kind: str
    rgb: Rgb
    rough: float = 0.5
    coat: float = 0.0
    metal: float = 0.0


@dataclass(frozen=True, slots=True)
class Points:
    """How the twenty-four points look. ``base`` is their width as a part of the pitch, ``curve`` bends their sides."""

    odd: Paint
    even: Paint
    base: float
    curve: float
    outline: Rgb | None
    outline_cm: float
    tip: str  # "", "dot", "ring", "diamond"


@dataclass(frozen=True, slots=True)
class BoardSpec:
    """Measures in cm as in `vision.table.Measures`, and what the board is made of."""

    family: str
    inner: tuple[float, float]
    bar: float
    pitch: float
    border: float
    point_length: float
    rail_height: float
    bar_height: float
    rail_width: float
    base: float  # from the field down to the table
    hinge_bar: bool  # two rails that meet at hinges, not one raised bar
    hinges: int
    metal: Rgb
    trays: tuple[float, float]  # widths left and right, 0 = none
    tray_dividers: int
    screws: bool
    bevel: float
    field: Paint
    rail: Paint
    tray: Paint
    points: Points
    ornament: str
    ornament_rgb: tuple[Rgb, Rgb]
    middle_line: bool


@dataclass(frozen=True, slots=True)
class CheckerSpec:
    diameter: float
    height: float
    profile: str  # flat, rounded, dimple, ring, groove
    near: Paint
    far: Paint
    inlay: tuple[str, Rgb] | None
    near_name: str
    far_name: str
    mess: float  # how carelessly they are laid, cm
    varied: float = 0.0  # by what share a checker may be darker than the lightest of its player


@dataclass(frozen=True, slots=True)
class DiceSpec:
    """One player's dice."""

    size: float
    radius: float  # of the edges, part of the size
    ball: float  # rounding by a sphere: its radius, part of the size; 0 = none
    body: Paint
    clear: float  # 0 opaque .. 1 glass
    pip: Rgb
    pip_radius: float  # part of the size
    pip_spread: float  # distance of the outer pips from the middle, part of the size
    name: str


@dataclass(frozen=True, slots=True)
class CubeSpec:
    size: float
    radius: float
    body: Paint
    ink: Rgb
    font: int
    place: str  # bar, rail, tray, side


@dataclass(frozen=True, slots=True)
class ViewSpec:
    """A camera: tilt off the vertical, azimuth from near's chair, roll, all degrees; ``fill`` of the frame."""

    mode: str
    tilt: float
    azimuth: float
    roll: float
    fov: float  # of the width, degrees
    fill: float
    shift: tuple[float, float]
    dist: tuple[float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Thing:
    """Something beside the board: its middle in cm, how far it reaches, its turn in rad."""

    name: str
    x: float
    y: float
    radius: float
    turn: float


@dataclass(frozen=True, slots=True)
class SetUp:
    """One table: everything but the positions."""

    seed: int
    board: BoardSpec
    checkers: CheckerSpec
    dice: tuple[DiceSpec, DiceSpec]
    cube: CubeSpec
    view: ViewSpec
    home: str
    light: str
    table: Paint
    table_edge: bool
    things: tuple[Thing, ...]
    room: bool = False  # a painted room with bright windows stands around the table, for glossy checkers to mirror
