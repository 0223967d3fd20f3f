"""Makes labelled pictures worse, as cameras and streams do: to measure the readers on them.

    python -m vision.training.worsen FOLDER --out OUT [--how jpeg30 blur ...]

FOLDER holds labelled set-ups; OUT/jpeg30 gets all of them so, the picture of set-up too.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import load_picture

Picture = NDArray[np.uint8]
Rng = np.random.Generator
QUALITY = 92  # of the JPEG in which a worse picture is kept


def _jpeg(picture: Picture, quality: int) -> Picture:
    packed = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, quality))[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _noisy(picture: Picture, rng: Rng, sigma: float) -> Picture:
    """With noise of so many grey levels, half as much of it in grains of two pixels."""
    height, width = picture.shape[:2]
    grains = cv2.resize(rng.normal(0, sigma / 2, (height // 2, width // 2, 3)), (width, height))
    return np.clip(picture + rng.normal(0, sigma, picture.shape) + grains, 0, 255).astype(np.uint8)


def _sharpened(picture: Picture, rng: Rng) -> Picture:
    seen = picture.astype(np.float64)
    return np.clip(seen + 1.2 * (seen - cv2.GaussianBlur(seen, (0, 0), 1.5)), 0, 255).astype(np.uint8)


def _enlarged(picture: Picture, rng: Rng) -> Picture:
    small = cv2.resize(picture, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, picture.shape[1::-1], interpolation=cv2.INTER_CUBIC), np.uint8)


HOW: dict[str, Callable[[Picture, Rng], Picture]] = {
    "jpeg30": lambda picture, rng: _jpeg(picture, 30),
    "jpeg15": lambda picture, rng: _jpeg(picture, 15),
    "blur": lambda picture, rng: np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2), np.uint8),
    "noise": lambda picture, rng: _noisy(picture, rng, 8.0),
    "sharp": _sharpened,
    "enlarged": _enlarged,  # taken with 0.6 of the pixels
    "smeared": lambda picture, rng: np.asarray(cv2.bilateralFilter(_noisy(picture, rng, 5.0), 7, 25, 3), np.uint8),  # noise taken away
}


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("folder", type=Path)
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--how", nargs="+", choices=HOW, default=list(HOW))
    args = ap.parse_args()
    rng = np.random.default_rng(4)
    for how in args.how:
        for labels in sorted(args.folder.glob("*/labels.json")):
            to = args.out / how / labels.parent.name
            to.mkdir(parents=True, exist_ok=True)
            for frame in json.loads(labels.read_text())["frames"]:
                worse = HOW[how](load_picture(labels.parent / frame["image"]), rng)
                cv2.imwrite(str(to / frame["image"]), worse, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
            shutil.copy(labels, to)


if __name__ == "__main__":
    main()
