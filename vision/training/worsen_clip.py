"""Makes a clip worse, as cameras, their stands and rooms do: to measure on it how the referee follows a stream.

    python -m vision.training.worsen_clip CLIP.mp4 --out OUT [--how trembling bumped ...]

CLIP.mp4 is one that `referee replay --make` made; OUT/trembling.mp4 gets it so, with its truth beside it, for `referee replay`.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[Any]
Rng = np.random.Generator


def _moved(picture: Picture, right: float, down: float, degrees: float = 0.0, larger: float = 0.0) -> Picture:
    """By so many px, and turned and magnified about its middle."""
    height, width = picture.shape[:2]
    way = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1 + larger)
    way[:, 2] += np.array((right, down))
    return np.asarray(cv2.warpAffine(picture, way, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE))


def _lit(picture: Picture, gain: Any) -> Picture:
    return np.clip(picture * np.asarray(gain, np.float32), 0, 255).astype(np.uint8)


def _trembling(picture: Picture, at: float) -> Picture:
    """On a soft stand."""
    right = 0.9 * np.sin(2 * np.pi * 1.7 * at) + 0.5 * np.sin(2 * np.pi * 0.31 * at)
    return _moved(picture, right, 0.9 * np.cos(2 * np.pi * 1.3 * at))


def _bumped(picture: Picture, at: float) -> Picture:
    """Somebody knocks against the table every 4.3 s, and the stand swings."""
    since = at % 4.3
    far = 5 * np.exp(-since / 0.35)
    return _moved(picture, far * np.sin(2 * np.pi * 7 * since), far * np.cos(2 * np.pi * 5 * since + 1)) if far > 0.05 else picture


def _sagging(picture: Picture, at: float) -> Picture:
    return _moved(picture, 0.05 * at, 0.12 * at, 0.004 * at)


def _knocked(picture: Picture, at: float) -> Picture:
    """Every 20 s a little, for good."""
    times = int(at / 20)
    return _moved(picture, 4 * times * (1 if times % 2 else -1), 3 * times, 0.25 * times * (-1) ** times)


def _focusing(picture: Picture, at: float) -> Picture:
    """Looks for its focus for 1.2 s of every 9."""
    since = at % 9
    if since >= 1.2:
        return picture
    out = np.sin(np.pi * since / 1.2)
    return np.asarray(cv2.GaussianBlur(_moved(picture, 0, 0, larger=0.012 * out), (0, 0), 0.3 + 4 * out))


def _exposing(picture: Picture, at: float) -> Picture:
    """Looks for its exposure for half of every 29 s."""
    return _lit(picture, 1 + 0.25 * np.sin(2 * np.pi * at / 3.7) * (np.sin(2 * np.pi * at / 29) > 0))


def _banded(picture: Picture, at: float) -> Picture:
    """By mains light."""
    return _lit(picture, 1 + 0.12 * np.sin(2 * np.pi * (np.arange(len(picture))[:, None, None] / 430 + 2.3 * at)))


HOW: dict[str, Callable[[Picture, float], Picture]] = {
    "trembling": _trembling, "bumped": _bumped, "sagging": _sagging, "knocked": _knocked, "focusing": _focusing, "exposing": _exposing,
    "banded": _banded,
    "squeezed": lambda picture, at: np.asarray(cv2.imdecode(cv2.imencode(".jpg", picture, (1, 22))[1], 1)),
}  # fmt: skip
SLOW = {"slow": 3, "slower": 10}  # one picture of so many
STUTTERING = "stuttering"  # every hundredth picture stays for up to 0.8 s


def worse(pictures: Iterator[Picture], how: str, fps: float, rng: Rng) -> Iterator[Picture]:
    """The clip's ``pictures`` (BGR) as such a camera shows them; of a slow one fewer."""
    stays, shown = 0, None
    for count, picture in enumerate(pictures):
        if how in SLOW:
            if count % SLOW[how] == 0:
                yield picture
        elif how == STUTTERING:
            if stays == 0:
                shown, stays = picture, int(rng.integers(3, 24)) if rng.random() < 0.01 else 0
            else:
                stays -= 1
            assert shown is not None
            yield shown
        else:
            yield HOW[how](picture, count / fps)


def _pictures(clip: Path) -> Iterator[Picture]:
    film = cv2.VideoCapture(str(clip))
    while (read := film.read())[0]:
        yield read[1]


def main() -> None:
    every = [*HOW, *SLOW, STUTTERING]
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("clip", type=Path)
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--how", nargs="+", choices=every, default=every)
    args = ap.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    film = cv2.VideoCapture(str(args.clip))
    size, fps = (int(film.get(cv2.CAP_PROP_FRAME_WIDTH)), int(film.get(cv2.CAP_PROP_FRAME_HEIGHT))), film.get(cv2.CAP_PROP_FPS)
    for how in args.how:
        to = args.out / f"{how}.mp4"
        writer = cv2.VideoWriter(str(to), cv2.VideoWriter.fourcc(*"mp4v"), fps / SLOW.get(how, 1), size)
        for picture in worse(_pictures(args.clip), how, fps, np.random.default_rng(1)):
            writer.write(picture)
        writer.release()
        shutil.copy(args.clip.with_suffix(".json"), to.with_suffix(".json"))


if __name__ == "__main__":
    main()
