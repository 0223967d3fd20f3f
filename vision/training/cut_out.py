"""Makes labelled pictures such as trimmed photographs and streams show: the camera looked past the board, and the board was cut out.

    python -m vision.training.cut_out FOLDER --out OUT [--degrees 14]

FOLDER holds labelled set-ups, of each of which OUT gets one, labels and all, whose camera has been turned by so many degrees any way. What
it would have seen beside the picture is of one colour, and its lens's distortion is about the old axis.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import load_picture

Array = NDArray[np.float64]
FILLED = 0.8  # of the picture, by the field
QUALITY = 92  # of the JPEG in which a picture is kept


@dataclass(frozen=True, eq=False)
class Part:
    """What takes a picture to one cut out as large as it: ``homography`` (3, 3) its pixels, ``look`` (3, 3) the turn of its camera, whose
    ``matrix`` (3, 3) is that then."""

    homography: Array
    look: Array
    matrix: Array

    def of(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """That part of a ``picture`` (BGR uint8)."""
        size, beside = picture.shape[1::-1], np.median(picture[::8, ::8].reshape(-1, 3), 0)
        return np.asarray(cv2.warpPerspective(picture, self.homography, size, borderValue=beside.tolist()), np.uint8)

    def px(self, places: Any) -> Any:
        """Where ``places`` px of the picture, of any shape (..., 2), are in its part; lists."""
        at = np.array(places, np.float64)
        return cv2.perspectiveTransform(at.reshape(1, -1, 2), self.homography).reshape(at.shape).round(2).tolist()


def part_about(corners: Array, matrix: Array, size: tuple[int, int], right: float, down: float) -> Part:
    """The part with the field, whose ``corners`` (4, 2) px are these, of what a camera with this ``matrix`` (3, 3), whose pictures are of
    ``size`` px, sees once it is turned by so many degrees."""
    look = np.asarray(cv2.Rodrigues(np.radians([down, right, 0.0]))[0], np.float64)
    aside = matrix @ look @ np.linalg.inv(matrix)
    seen = cv2.perspectiveTransform(corners[None], aside)[0]
    low, high = seen.min(0), seen.max(0)
    scale = FILLED * (np.array(size) / (high - low)).min()
    shift = np.array(size) / 2 - scale * (low + high) / 2
    cut = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1.0]])
    return Part(cut @ aside, look, cut @ matrix)


def moved(labels: Any, part: Part) -> Any:
    """The ``labels`` of a set-up, with all their places in pictures where ``part`` has them."""
    if isinstance(labels, list):
        return [moved(one, part) for one in labels]
    if not isinstance(labels, dict):
        return labels
    places = {name for name, value in labels.items() if name.endswith("_px") and isinstance(value, list)}
    return {name: part.px(value) if name in places else moved(value, part) for name, value in labels.items()}


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("folder", type=Path)
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--degrees", type=float, default=14.0)
    args = ap.parse_args()
    rng = np.random.default_rng(5)
    for path in sorted(args.folder.glob("*/labels.json")):
        labels = json.loads(path.read_text())
        camera, corners = labels["camera"], np.array(labels["board"]["corners_px"], np.float64)
        way = rng.uniform(0, 2 * np.pi)
        part = part_about(corners, np.array(camera["K"]), tuple(camera["size"]), *(args.degrees * np.array([np.cos(way), np.sin(way)])))
        to = args.out / path.parent.name
        to.mkdir(parents=True, exist_ok=True)
        for frame in labels["frames"]:
            cut = part.of(load_picture(path.parent / frame["image"]))
            cv2.imwrite(str(to / frame["image"]), cut, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
        labels = moved(labels, part)
        labels["camera"]["K"] = part.matrix.tolist()
        if "R" in camera:
            labels["camera"] |= {"R": (part.look @ camera["R"]).tolist(), "t_cm": (part.look @ camera["t_cm"]).tolist()}
        (to / "labels.json").write_text(json.dumps(labels))


if __name__ == "__main__":
    main()
