"""The board file: a `Table` found by set-up, kept as JSON for later readings, and the picture in which it was found: what checkers, points
and the things about the board look like is learned from it anew."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.board.position import START, Position
from referee.files import read_most, write_whole
from referee.observations import Half
from vision.pictures import Image, PictureError, decode_picture
from vision.table import WIDEST_BORDER, Camera, Measures, Table, tray_of

FORMAT = "backgammon-referee board"
VERSION = 1
MOST_PX = 20_000  # of a picture's side
FAR_CM = 10_000.0  # of the camera from the board
BESIDE = 1.5  # of the picture's size from its middle: no corner of a board that it shows is farther off
SMALLEST = 2.0  # px across a checker
BENT = 100.0  # of a coefficient of distortion; those of lenses are below 1, of a fit that went astray below 10
AGAIN = "make it again with `referee setup`"
MAX_BYTES = 100_000_000  # of the file, a picture in it
QUALITY = 95  # of the picture, a JPEG: what is lost is far below a camera's noise
BLOCK = 16  # px, rows that it keeps apart from the next; their colours are smoothed at the border


class BoardFileError(Exception):
    """The board file cannot be read or written; the text says why and what to do."""


@dataclass(frozen=True, eq=False)
class SetUpLook:
    """The ``picture`` ((h, w, 3) BGR uint8) in which a board was found while ``position`` stood on it. ``begun``: the game had, and thrown
    dice may lie in it."""

    picture: Image
    position: Position = START
    begun: bool = False

    def jpeg(self) -> bytes:
        """The picture as it is kept."""
        return bytes(cv2.imencode(".jpg", self.picture, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))[1].tobytes())

    def is_of(self, image: Image) -> bool:
        """Whether ``image`` is the very picture that was kept as this, and no later one of a table where nothing has been moved."""
        parts = (slice(0, 2 * BLOCK), slice(0, BLOCK)), (slice(None), slice(None))  # of another picture a strip tells at once
        return all(np.array_equal(decode_picture(SetUpLook(image[kept]).jpeg())[told], self.picture[told]) for kept, told in parts)


def board_text(table: Table, look: SetUpLook | None = None) -> str:
    """``table``, found at the ``look``, as the text of a board file."""
    camera, measures = table.camera, table.measures
    value: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "camera": {
            "matrix": camera.matrix.tolist(),
            "dist": camera.dist.reshape(-1).tolist(),
            "rotation": camera.rotation.tolist(),
            "translation": camera.translation.reshape(-1).tolist(),
            "size": list(camera.size),
        },
        "measures": {name: getattr(measures, name) for name in Measures.__dataclass_fields__},
        "home": table.home.value,
        "near_rgb": list(table.near_rgb),
        "far_rgb": list(table.far_rgb),
        "trays": [[list(corner) for corner in tray] for tray in table.trays],
    }
    if look is not None:
        stood = look.position
        value["look"] = {
            "position": {"points": list(stood.points), "bar": list(stood.bar), "off": list(stood.off)},
            "begun": look.begun,
            "jpeg": base64.b64encode(look.jpeg()).decode("ascii"),
        }
    return json.dumps(value, indent=1) + "\n"


def save_table(table: Table, path: Path | str, look: SetUpLook | None = None) -> None:
    """Writes ``table``, found at the ``look``, to ``path``. Raises `BoardFileError` when the file cannot be written, and then it is as it
    was."""
    try:
        write_whole(Path(path), board_text(table, look))
    except OSError as error:
        raise BoardFileError(f"{path} cannot be written ({error.strerror or error}): choose another place") from None


def load_table(path: Path | str) -> Table:
    """The table that `save_table` wrote. Raises `BoardFileError` with one sentence for anything else."""
    return load_board(path)[0]


def load_board(path: Path | str) -> tuple[Table, SetUpLook | None]:
    """What `save_table` wrote; no look where the file has none, as one of an earlier version or of a drawn tray. Raises
    `BoardFileError` with one sentence for anything else."""
    name = Path(path).name
    try:
        data = read_most(Path(path), MAX_BYTES)
        if len(data) > MAX_BYTES:
            raise BoardFileError(f"{name} is not a board file: {AGAIN}")
        return board_from_text(data.decode(), name)
    except FileNotFoundError:
        raise BoardFileError(f"there is no board file {path}: make one with `referee setup`") from None
    except OSError as error:
        raise BoardFileError(f"{name} cannot be read ({error.strerror or error}): check that you may open it") from None
    except UnicodeDecodeError:
        raise BoardFileError(f"{name} is not a board file: {AGAIN}") from None


def table_from_text(text: str, name: str = "the board file") -> Table:
    """The table of a board file's ``text``; ``name`` is said of it. Raises `BoardFileError`."""
    return board_from_text(text, name)[0]


def board_from_text(text: str, name: str = "the board file") -> tuple[Table, SetUpLook | None]:
    """The same with the look at which it was found."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise BoardFileError(f"{name} is not a board file: {AGAIN}")
    if value.get("version") != VERSION:
        raise BoardFileError(f"{name} was written by another version of the program: {AGAIN}")
    try:
        table = _table(value)
        _check_place(table)
        return table, _look(value["look"], table.camera) if "look" in value else None
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, PictureError):
        raise BoardFileError(f"{name} is damaged: {AGAIN}") from None


def _table(value: dict[str, Any]) -> Table:
    raw, kept = value["camera"], value["measures"]
    camera = Camera(
        matrix=_numbers(raw["matrix"], (3, 3)),
        dist=_numbers(raw["dist"], (5,)),
        rotation=_numbers(raw["rotation"], (3, 3)),
        translation=_numbers(raw["translation"], (3,)),
        size=(int(raw["size"][0]), int(raw["size"][1])),
    )
    _check_camera(camera)
    nearest, furthest = _numbers(kept.get("rails", (0.0, WIDEST_BORDER)), (2,))  # files of the first versions say nothing of them
    measures = Measures(
        inner=(_size(kept["inner"][0]), _size(kept["inner"][1])),
        rails=(float(nearest), float(furthest)),
        **{name: _number(name, kept[name]) for name in Measures.__dataclass_fields__ if name not in ("inner", "rails")},
    )
    _check_measures(measures)
    near, far = _numbers(value["near_rgb"], (3,)), _numbers(value["far_rgb"], (3,))
    trays = tuple(tray_of(_numbers(raw, (4, 2))) for raw in value["trays"])
    return Table(camera, measures, Half(value["home"]), (near[0], near[1], near[2]), (far[0], far[1], far[2]), trays)


def _look(value: Any, camera: Camera) -> SetUpLook:
    stood = value["position"]
    points, bar, off = (tuple(int(n) for n in stood[part]) for part in ("points", "bar", "off"))
    position = Position(points, (bar[0], bar[1]), (off[0], off[1]))
    if position.defects():
        raise ValueError("not a position")
    picture = decode_picture(base64.b64decode(value["jpeg"], validate=True))
    if not camera.fits(picture):
        raise ValueError("another camera’s picture")
    return SetUpLook(picture, position, bool(value["begun"]))


def _check_camera(camera: Camera) -> None:
    """Raises ValueError for what is no camera, or one that does not look down on a board before it."""
    focal = camera.matrix[0, 0], camera.matrix[1, 1]
    lens = min(focal) > 0 and max(focal) <= 100 * MOST_PX and np.array_equal(camera.matrix[2], (0, 0, 1))
    lens = lens and np.abs(camera.dist).max() <= BENT
    turned = np.allclose(camera.rotation @ camera.rotation.T, np.eye(3), atol=1e-3) and np.linalg.det(camera.rotation) > 0
    stands = camera.eye[2] > 0 and camera.translation[2] > 0 and np.abs(camera.translation).max() <= FAR_CM
    if not (lens and turned and stands and min(camera.size) > 0 and max(camera.size) <= MOST_PX):
        raise ValueError("not a camera")


def _check_measures(m: Measures) -> None:
    """Raises ValueError for what is no board: with a checker or a die of another order the readers would search for minutes."""
    board = 0.02 <= m.checker / m.inner[0] <= 0.12 and 12 * m.pitch + m.bar <= 1.05 * m.inner[0] and m.pitch / m.checker >= 0.5
    if not (board and 0.15 <= m.die / m.checker <= 1 and 0.05 <= m.checker_height / m.checker <= 1 and m.point_length <= m.inner[1]):
        raise ValueError("not a board")
    if not -20.0 <= m.rails[0] <= m.rails[1] <= 20.0:
        raise ValueError("not where rails stand")


def _check_place(table: Table) -> None:
    """Raises ValueError where the board is not in its camera's picture, as in a file that was edited: the readers would look for it far and
    wide."""
    beside = np.abs(table.corners() / table.camera.size - 0.5)
    if not (beside.max() <= BESIDE and table.checker_px >= SMALLEST):  # neither holds of what is no number
        raise ValueError("not in its picture")


def _numbers(value: Any, shape: tuple[int, ...]) -> np.ndarray[Any, np.dtype[np.float64]]:
    array = np.asarray(value, np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError("not numbers")
    return array


def _number(name: str, value: Any) -> float:
    if name not in ("border", "rail_height", "bar_height"):
        return _size(value)
    number = float(value)
    if not -20.0 <= number <= 20.0:  # a fit may put the border a little behind the rail
        raise ValueError("not a height in cm")
    return number


def _size(value: Any) -> float:
    number = float(value)
    if not 0.1 <= number <= 200.0:
        raise ValueError("not a size in cm")
    return number
