"""Whole frames: for every set-up a folder with pictures and labels.json."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from referee.files import write_whole

from . import label, photo, things
from .draw import draw_set_up, made_harder
from .paint import Array, Rng
from .scene import Picture, draw_picture
from .spec import SetUp
from .stage import Stage
from .turns import game_pictures
from .view import Cam, place_camera

SIZES = ((960, 540), (960, 540), (960, 540), (1280, 720), (960, 720), (960, 600))
CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)  # of a window's box about a die, in its sizes
SEAM = 3  # px over which such a window passes into its surroundings


@dataclass(frozen=True, slots=True)
class Wanted:
    """What whole frames are to be like; None where the seed draws it."""

    pictures: int | None = None
    size: tuple[int, int] | None = None
    samples: int | None = None
    quality: int | None = None
    endings: float = 0.0
    stacks: float = 0.0
    sides: int = 0
    bars: int = 0
    piles: bool = False
    rooms: float = 0.0
    alike: float = 0.0
    games: bool = False
    varied: float = 0.0
    fine: int = 0
    least_die: float = 0.0


class Studio:
    """A set-up as one camera sees it, all its pictures taken alike."""

    def __init__(self, s: SetUp, cam: Cam, film: photo.Film, samples: int, fine: int) -> None:
        self._s, self._film, self._samples, self._fine = s, film, samples, fine
        self._gain = 0.0
        self.cam = cam
        self.stage = Stage(s)
        self.wide, self._where = photo.wider(self.cam)
        self.stage.aim(self.wide)

    def take(self, p: Picture, number: int, path: Path, hand: Rng | None = None) -> dict[str, Any]:
        """Renders a picture into ``path``: its label. ``hand``: what draws the hand in it."""
        s, stage, cam = self._s, self.stage, self.cam
        stage.show(p.laid, p.dice, (p.cube.centre, p.cube.turn) if p.cube else None)
        if p.hand and hand is not None:
            reach = np.array(
                [hand.uniform(-0.45, 0.45) * s.board.inner[0], hand.uniform(-0.35, 0.35) * s.board.inner[1], hand.uniform(1.0, 5.0)]
            )
            way = (-np.pi / 2 if reach[1] < 0 else np.pi / 2) + hand.normal(0, 0.35)
            things.hand(stage, reach, float(way), hand)
        seen = stage.render(scratch(), self._samples, s.seed * 10 + number)
        if self._fine:
            _refine(seen, stage, self.wide, p, self._fine, s.seed * 10 + number)
        self.develop(seen, number, path)
        cube = label.cube_label(p.cube, cam) if p.cube is not None else None
        occluded = label.covered(cam.eye, s)
        visible = label.visible_points(cam.eye, s) if occluded else [1.0] * 25
        return {
            "image": path.name,
            "role": p.role,
            "position": label.position_label(p.position),
            "dice": [die for die in (label.die_label(d, cam) for d in p.dice) if die["visible"]],
            "cube": cube if cube is not None and cube["visible"] else None,
            "occluded": occluded,
            "turn": p.turn,
            "visible": visible,
            "hidden_points": [k + 1 for k, v in enumerate(visible[:24]) if v < 0.75],
            "hidden_bar": visible[24] < 0.75,
            "checkers": label.checker_labels(p.laid, s),
        }

    def part(self, p: Picture, number: int, path: Path, shown: Array) -> dict[str, Any] | None:
        """The same of nothing but the part of the picture that shows the places (n, 3), cm; the rest is black. None where that is small."""
        px = self.wide.project(shown)
        x0, y0 = np.clip(np.floor(px.min(0)), 0, self.wide.size).astype(int).tolist()
        x1, y1 = np.clip(np.ceil(px.max(0)), 0, self.wide.size).astype(int).tolist()
        if min(x1 - x0, y1 - y0) <= 24:
            return None
        self.stage.show(p.laid, p.dice, (p.cube.centre, p.cube.turn) if p.cube else None)
        linear = np.zeros((self.wide.size[1], self.wide.size[0], 3), np.float32)
        linear[y0:y1, x0:x1] = self.stage.render(scratch(), self._samples, self._s.seed * 10 + number, (x0, y0, x1, y1))
        self.develop(linear, number, path)
        return {"image": path.name, "position": label.position_label(p.position), "checkers": label.checker_labels(p.laid, self._s)}

    def develop(self, seen: Array, number: int, path: Path) -> None:
        """Writes what was rendered (h, w, 3) as the camera's picture, exposed as the first one."""
        linear = photo.resample(seen, self._where)
        self._gain = self._gain or photo.gain_for(linear, self._film)
        picture = photo.develop(linear, self._film, self._gain, np.random.default_rng([self._s.seed, number, 9]))
        photo.save(str(path), picture, self._film.quality)


def make_set_up(seed: int, split: str, out: Path, wanted: Wanted) -> int:
    """Renders one set-up into ``out/NAME`` unless it is there already, or its dice are less wide in the board's middle than wanted; the
    number of pictures made."""
    folder = out / f"{split}-{seed:06d}"
    if (folder / "labels.json").exists():
        return 0
    s = made_harder(draw_set_up(seed, split), wanted.rooms, wanted.alike, wanted.varied)
    rng = np.random.default_rng([seed, 5])
    size = SIZES[int(rng.integers(len(SIZES)))]
    cam = place_camera(s.board, s.view, wanted.size or size)
    if _too_small(s, cam, wanted):
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    film = photo.draw_film(rng, wanted.quality)
    count = wanted.pictures or int(rng.integers(5, 8))
    spp = wanted.samples or int(rng.choice([3, 4, 5]))
    studio = Studio(s, cam, film, spp, wanted.fine)
    frames = [
        studio.take(
            draw_picture(
                s, number, 0.15 if wanted.games else 0.45, wanted.endings, wanted.stacks, games=wanted.games,
                bars=wanted.piles and number > 0,
            ),
            number, folder / f"f{number:02d}.jpg", rng,
        )
        for number in range(count)
    ]  # fmt: skip
    sides = [studio.part(draw_picture(s, n, endings=0.85), n, folder / f"s{n:03d}.jpg", _beside(s)) for n in range(100, 100 + wanted.sides)]
    bars = [studio.part(draw_picture(s, n, bars=True), n, folder / f"b{n:03d}.jpg", _bar(s)) for n in range(200, 200 + wanted.bars)]
    _keep(s, split, cam, folder, frames, [side for side in sides if side], [bar for bar in bars if bar])
    return count


def make_game(seed: int, split: str, out: Path, wanted: Wanted, turns: int, doubles: float) -> int:
    """Renders the first ``turns`` of a game likewise into ``out/game-NAME``: a picture after each throw and after each play."""
    folder = out / f"game-{split}-{seed:06d}"
    if (folder / "labels.json").exists():
        return 0
    s = draw_set_up(seed, split)
    cam = place_camera(s.board, s.view, wanted.size or SIZES[3])
    if _too_small(s, cam, wanted):
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    film = photo.draw_film(np.random.default_rng([seed, 5]), wanted.quality)
    studio = Studio(s, cam, film, wanted.samples or 1, wanted.fine)
    pictures = game_pictures(s, turns, doubles)
    frames = [studio.take(p, number, folder / f"f{number:03d}.jpg") for number, p in enumerate(pictures)]
    for frame, p in zip(frames, pictures, strict=True):  # out of sight or not, it counts
        frame["cube"] = frame["cube"] or (p.cube.label() if p.cube else {"value": 1, "owner": None, "offered_to": None})
    _keep(s, split, cam, folder, frames, [], [])
    return len(frames)


def _too_small(s: SetUp, cam: Cam, wanted: Wanted) -> bool:
    """Whether dice are less wide in the board's middle than wanted."""
    return bool(cam.k[0, 0] * s.dice[0].size / cam.t[2] < wanted.least_die)


def _keep(s: SetUp, split: str, cam: Cam, folder: Path, frames: list[dict[str, Any]], sides: list[Any], bars: list[Any]) -> None:
    """Writes ``labels.json`` beside the pictures, whole or not at all."""
    labels = {
        "session": folder.name,
        "style": s.board.family,
        "split": split,
        "set": split,
        "seed": s.seed,
        "camera": label.camera_label(s, cam),
        "light": s.light,
        "room": s.room,
        "table": s.table.kind,
        "things": [t.name for t in s.things],
        "board": label.board_label(s, cam),
        "frames": frames,
        "sides": sides,
        "bars": bars,
    }
    write_whole(folder / "labels.json", json.dumps(labels))


def _refine(linear: Array, stage: Stage, cam: Cam, p: Picture, samples: int, seed: int) -> None:
    """Renders dice and cube once more into ``linear`` (h, w, 3), with so many light paths a pixel: with one or two the denoiser wipes
    the pips of small and of translucent dice away, which no camera does."""
    for thing in [*p.dice, *([p.cube.as_die] if p.cube else [])]:
        px = cam.project(thing.centre + thing.size * CORNERS)
        x0, y0 = np.clip(np.floor(px.min(0)), 0, cam.size).astype(int)
        x1, y1 = np.clip(np.ceil(px.max(0)), 0, cam.size).astype(int)
        if min(x1 - x0, y1 - y0) <= 2 * SEAM:
            continue
        part = stage.render(scratch(), samples, seed, (int(x0), int(y0), int(x1), int(y1)))
        along = [np.minimum(1, (np.minimum(np.arange(n), np.arange(n)[::-1]) + 1) / (SEAM + 1)) for n in part.shape[:2]]
        share = (along[0][:, None] * along[1])[..., None].astype(np.float32)
        linear[y0:y1, x0:x1] += share * (part - linear[y0:y1, x0:x1])


def _beside(s: SetUp) -> Array:
    """The corners (8, 3), cm, of the place where borne-off checkers lie at the home side."""
    d, way = s.checkers.diameter, 1.0 if s.home == "right" else -1.0
    x, y, z = s.board.inner[0] / 2, 7.0 * d, (-s.board.base, 5 * s.checkers.height)
    return np.array([(way * (x + out), along, up) for out in (0, 5.0 * d) for along in (-y, y) for up in z])


def _bar(s: SetUp) -> Array:
    """The corners (8, 3), cm, of the bar with what may lie on it, as wide as the bar's strip."""
    x, y, top = 1.6 * s.checkers.diameter, 5.8 * s.checkers.diameter, s.board.bar_height + 5 * s.checkers.height
    return np.array([(side * x, way * y, up) for side in (-1, 1) for way in (-1, 1) for up in (0.0, top)])


def scratch() -> str:
    base = "/dev/shm" if os.path.isdir("/dev/shm") else os.environ.get("TMPDIR", ".")
    return os.path.join(base, f"render-{os.getpid()}.exr")
