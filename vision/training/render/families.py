"""Style families of boards, views, lights and colours by name.

A family is a name and ranges, so that some can be kept for testing only (`TEST_FAMILIES`, `TEST_VIEWS`).
"""

from __future__ import annotations

from dataclasses import dataclass

from .paint import Rgb


def _rgb(code: str) -> Rgb:
    return (int(code[:2], 16) / 255, int(code[2:4], 16) / 255, int(code[4:], 16) / 255)


def _pairs(text: str) -> tuple[tuple[Rgb, Rgb], ...]:
    return tuple((_rgb(p.split("/")[0]), _rgb(p.split("/")[1])) for p in text.split())


def _colours(text: str) -> tuple[Rgb, ...]:
    return tuple(_rgb(c) for c in text.split())


WOODS = _colours("caa472 d9bb8c b98650 8a5a35 6e4428 4d2e1c 33201a e3cfa6 a0522d 7b3f24")
NEUTRAL = _colours("ece7dc d8d0c0 b8b0a2 8f8a82 5b5856 333336 1c1c1f f4f2ee")
STRONG = _colours("b01419 7a1020 1e3f8f 12264f 0f5a3a 15803f c9a227 d77a1e 5d2a6e 1b7f86 e0d0a0 2b2b2e efe8d8 84b0c9 c98a9a")


@dataclass(frozen=True, slots=True)
class Family:
    """Ranges of one style; every colour is then varied a little."""

    field: tuple[str, ...]
    field_rgb: tuple[Rgb, ...]
    point: tuple[str, ...]
    pairs: tuple[tuple[Rgb, Rgb], ...]
    rail: tuple[str, ...]
    rail_rgb: tuple[Rgb, ...]
    checkers: tuple[str, ...]
    trays: tuple[int, ...] = (0, 1, 2)
    hinge_bar: tuple[bool, ...] = (True, False)
    ornaments: tuple[str, ...] = ("",)
    size: tuple[float, float] = (35.5, 44.0)  # checkers, mm
    gloss: tuple[float, float] = (0.3, 0.7)


FAMILIES: dict[str, Family] = {
    "tournament_vinyl": Family(
        ("vinyl", "felt"),
        _colours("d8d0c0 b8b0a2 5b5856 1e3f8f 0f5a3a ece7dc 84b0c9"),
        ("vinyl", "plain"),
        _pairs("b01419/1c1c1f 12264f/c9a227 333336/efe8d8 0f5a3a/efe8d8 7a1020/b8b0a2 1b7f86/d77a1e"),
        ("vinyl", "leather"),
        _colours("1c1c1f 333336 4d2e1c 12264f 5b5856"),
        ("plain", "pearl", "marble"),
        (2, 2, 1),
        ornaments=("", "", "logo", "line"),
    ),
    "casino_felt": Family(
        ("felt",),
        _colours("0f5a3a 15803f 1e3f8f 7a1020 12264f 5d2a6e 1b7f86"),
        ("felt", "plain"),
        _pairs("efe8d8/7a1020 efe8d8/1c1c1f c9a227/efe8d8 d8d0c0/12264f 84b0c9/efe8d8"),
        ("wood",),
        WOODS,
        ("plain", "pearl", "marble"),
        ornaments=("", "line", "diamond"),
    ),
    "walnut_cork": Family(
        ("cork",),
        _colours("caa472 b98650 a0794a d9bb8c"),
        ("cork", "wood", "felt"),
        _pairs("4d2e1c/e3cfa6 33201a/d9bb8c 7a1020/efe8d8 1c1c1f/efe8d8 0f5a3a/e3cfa6"),
        ("wood",),
        WOODS,
        ("plain", "wood", "marble"),
        (0, 0, 1),
    ),
    "marquetry": Family(
        ("wood",),
        WOODS[:6],
        ("wood",),
        _pairs("33201a/e3cfa6 6e4428/d9bb8c 4d2e1c/caa472 1c1c1f/e3cfa6 a0522d/e3cfa6"),
        ("wood",),
        WOODS,
        ("wood", "wood", "plain"),
        (0, 0, 0, 2),
        (True,),
        ("", "rosette", "diamond", "frame"),
        (28.0, 40.0),
        (0.12, 0.5),
    ),
    "eastern_inlay": Family(
        ("wood",),
        _colours("6e4428 8a5a35 33201a a0522d 4d2e1c"),
        ("wood", "plain"),
        _pairs("c9a227/33201a e3cfa6/1c1c1f efe8d8/7a1020 d9bb8c/0f5a3a"),
        ("wood",),
        WOODS[3:],
        ("wood", "plain"),
        (0,),
        (True,),
        ("rosette", "diamond", "rosette", "frame"),
        (26.0, 38.0),
        (0.08, 0.35),
    ),
    "ebony_print": Family(
        ("wood", "plain"),
        _colours("1c1c1f 33201a 241a18 2b2b2e"),
        ("wood", "plain"),
        _pairs("b98650/8a5a35 caa472/6e4428 b8b0a2/5b5856 d9bb8c/7b3f24"),
        ("wood",),
        WOODS[:4],
        ("plain",),
        (0, 0, 1),
        (True,),
        ("diamond", "rosette", ""),
        (28.0, 40.0),
        (0.1, 0.5),
    ),
    "leather_case": Family(
        ("leather", "felt"),
        _colours("6e4428 8a5a35 7a1020 12264f e3cfa6 0f5a3a b98650"),
        ("leather",),
        _pairs("e3cfa6/33201a efe8d8/7a1020 c9a227/1c1c1f d8d0c0/12264f b98650/efe8d8"),
        ("leather",),
        _colours("4d2e1c 6e4428 1c1c1f 7a1020 8a5a35 12264f"),
        ("plain", "pearl", "marble"),
        (0, 2, 2),
        (True, False),
        ("", "logo", "line"),
    ),
    "plain_modern": Family(
        ("plain", "felt", "stone"),
        NEUTRAL,
        ("plain",),
        _pairs("333336/d8d0c0 84b0c9/12264f c98a9a/5b5856 d77a1e/333336 efe8d8/8f8a82 1b7f86/ece7dc"),
        ("plain", "wood"),
        NEUTRAL + WOODS[:3],
        ("plain",),
        ornaments=("", "", "logo", "frame"),
    ),
    "painted_any": Family(
        ("plain", "felt", "vinyl", "wood", "cork", "stone", "leather", "cloth"),
        STRONG + NEUTRAL,
        ("plain", "felt", "vinyl", "wood", "leather"),
        (),
        ("wood", "plain", "leather", "vinyl"),
        WOODS + NEUTRAL + STRONG,
        ("plain", "pearl", "marble", "wood"),
        ornaments=("", "line", "diamond", "rosette", "logo", "frame"),
        size=(27.0, 46.0),
        gloss=(0.05, 0.8),
    ),
    "grey_on_grey": Family(
        ("felt", "vinyl", "plain"),
        NEUTRAL,
        ("felt", "vinyl", "plain"),
        _pairs("8f8a82/5b5856 b8b0a2/8f8a82 333336/5b5856 d8d0c0/b8b0a2 caa472/b98650"),
        ("vinyl", "wood", "plain"),
        NEUTRAL + WOODS[:3],
        ("plain", "wood"),
    ),
    "pocket_plastic": Family(
        ("plain",),
        _colours("efe8d8 7a1020 0f5a3a 1e3f8f 1c1c1f c9a227 4d2e1c"),
        ("plain",),
        _pairs("b01419/efe8d8 1c1c1f/efe8d8 efe8d8/0f5a3a c9a227/7a1020 1e3f8f/efe8d8"),
        ("plain",),
        _colours("1c1c1f 4d2e1c 7a1020 333336 8f8a82"),
        ("plain",),
        (0, 0, 2),
        (True,),
        ("", "line"),
        (26.0, 36.0),
        (0.1, 0.4),
    ),
    # kept for testing
    "burgundy_club": Family(
        ("felt", "leather"),
        _colours("5a1226 6d1a2d 471020"),
        ("felt", "leather"),
        _pairs("d8b98a/2a2a30 e8dcc0/3d5a4c b8b0a2/1c1c1f"),
        ("wood",),
        _colours("5d3018 3f2418 8a4f2a"),
        ("pearl", "plain", "marble"),
        (2, 1, 0),
        ornaments=("", "line", "logo"),
    ),
    "olive_marquetry": Family(
        ("wood",),
        _colours("9a7a44 b08a4e 7d6238"),
        ("wood",),
        _pairs("3a2a1c/e9d9ae 5b4a20/d8c48c 7b3f24/efe3c0"),
        ("wood",),
        _colours("7d6238 5a4526 a5824c"),
        ("wood", "plain"),
        (0, 0, 2),
        (True,),
        ("rosette", "diamond", "frame"),
        (32.0, 40.0),
        (0.1, 0.45),
    ),
    "teal_carbon": Family(
        ("vinyl", "plain"),
        _colours("0f4f57 14343c 1d6a70"),
        ("vinyl", "plain"),
        _pairs("e8e2d0/11181c e08a4a/d8d0c0 9fb7b0/22272b"),
        ("plain", "vinyl"),
        _colours("1a1c1f 2c3034 4a4f52"),
        ("plain", "marble", "pearl"),
        (2, 2, 0),
        (True, False),
        ("", "logo", "frame"),
    ),
}

TEST_FAMILIES = ("burgundy_club", "olive_marquetry", "teal_carbon")
"""Never rendered into training data."""

# mode: tilt from the vertical, azimuth about near's chair, both as ranges in degrees
VIEWS: dict[str, tuple[tuple[float, float], tuple[float, float]]] = {
    "overhead": ((0, 10), (-8, 8)),
    "long": ((10, 38), (-14, 14)),
    "long_low": ((36, 58), (-12, 12)),
    "corner": ((14, 50), (20, 60)),
    "short": ((12, 44), (66, 82)),
    "tripod": ((8, 30), (-30, 30)),
    # kept for testing
    "clamp": ((3, 18), (-4, 4)),
    "side_desk": ((18, 34), (24, 50)),
}
TEST_VIEWS = ("clamp", "side_desk")
LIGHTS = ("softboxes", "window", "lamp", "bulb", "ceiling", "mixed", "sun", "spots", "evening", "flash")
THINGS = ("cup", "mug", "clock", "flip", "card", "pen", "phone", "sugar", "book", "coins", "box")

CHECKER_COLOURS: dict[str, Rgb] = {
    "white": (0.91, 0.9, 0.88),
    "black": (0.06, 0.06, 0.065),
    "ivory": (0.89, 0.83, 0.69),
    "red": (0.66, 0.07, 0.08),
    "dark red": (0.4, 0.05, 0.08),
    "navy": (0.07, 0.1, 0.28),
    "blue": (0.12, 0.27, 0.62),
    "green": (0.07, 0.36, 0.2),
    "brown": (0.33, 0.19, 0.11),
    "butterscotch": (0.8, 0.53, 0.16),
    "orange": (0.82, 0.4, 0.08),
    "yellow": (0.88, 0.75, 0.2),
    "grey": (0.5, 0.5, 0.51),
    "silver": (0.74, 0.74, 0.76),
    "gold": (0.72, 0.52, 0.19),
    "pink": (0.85, 0.55, 0.6),
    "purple": (0.35, 0.14, 0.45),
    "teal": (0.08, 0.45, 0.47),
    "sand": (0.76, 0.66, 0.48),
    "dark grey": (0.2, 0.2, 0.21),
}
CHECKER_WOODS: dict[str, Rgb] = {
    "light wood": (0.85, 0.69, 0.45),
    "dark wood": (0.3, 0.18, 0.11),
    "middle wood": (0.62, 0.4, 0.22),
    "red wood": (0.48, 0.2, 0.12),
    "black wood": (0.13, 0.1, 0.09),
}

DICE_COLOURS: dict[str, tuple[Rgb, float]] = {
    "white": ((0.93, 0.93, 0.92), 0.0),
    "black": ((0.03, 0.03, 0.035), 0.0),
    "ivory": ((0.9, 0.83, 0.66), 0.0),
    "red": ((0.7, 0.04, 0.06), 0.0),
    "clear red": ((0.8, 0.03, 0.05), 0.85),
    "clear blue": ((0.04, 0.14, 0.75), 0.85),
    "clear green": ((0.03, 0.5, 0.16), 0.85),
    "clear amber": ((0.9, 0.5, 0.06), 0.85),
    "smoke": ((0.22, 0.22, 0.24), 0.85),
    "glass": ((0.9, 0.93, 0.94), 0.9),
    "purple": ((0.3, 0.08, 0.45), 0.0),
    "clear purple": ((0.4, 0.08, 0.6), 0.8),
    "blue": ((0.06, 0.16, 0.6), 0.0),
    "green": ((0.04, 0.33, 0.14), 0.0),
    "wood": ((0.75, 0.55, 0.33), 0.0),
    "dark wood": ((0.3, 0.17, 0.1), 0.0),
    "yellow": ((0.9, 0.75, 0.12), 0.0),
    "orange": ((0.9, 0.38, 0.06), 0.0),
    "pink": ((0.88, 0.5, 0.58), 0.0),
    "grey": ((0.45, 0.45, 0.47), 0.0),
    "marble": ((0.86, 0.85, 0.83), 0.0),
    "red pearl": ((0.6, 0.08, 0.12), 0.0),
    "blue pearl": ((0.1, 0.2, 0.5), 0.0),
}
PIPS: tuple[Rgb, ...] = ((0.95, 0.95, 0.93), (0.02, 0.02, 0.02), (0.85, 0.68, 0.25), (0.65, 0.05, 0.05), (0.1, 0.15, 0.5))
