"""How far the checker reader's confidence can be believed, measured on set-ups it was never trained on.

    python -m vision.training.checkers.calibrate --data FOLDER... [--models vision/models]

Prints the temperature and the shares of the two nets that suit their answers best, a reliability table of the reader as it is,
and for some thresholds how many pictures are wrong without a doubt and how many are doubted needlessly.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import START
from vision.checkers import answer, doubts
from vision.checkers.answer import Answers, CheckerAnswer, interpret
from vision.checkers.input import COUNTS, PICTURE
from vision.checkers.looks import look_again
from vision.checkers.net import CLOSE_MODEL, KNOWN, WIDE_MODEL, place_model
from vision.checkers.strips import BAR, CLOSE, WIDE
from vision.nets import OnnxRuntimeNet
from vision.training.checkers.data import Sample, all_maps, samples_of
from vision.training.labels import HELD_OUT, is_spare, set_ups

STEPS = ((0, 0.5), (0.5, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 0.98), (0.98, 0.99), (0.99, 0.999), (0.999, 1.01))


@dataclass(frozen=True, eq=False)
class Picture:
    """The nets' raw answers (25, outputs) and (24, outputs) for one picture, and the truth."""

    wide: NDArray[np.float64]
    close: NDArray[np.float64]
    points: NDArray[np.int64]
    bar: tuple[int, int]
    visible: NDArray[np.float32]


def plausible(sample: Sample) -> bool:
    """Whether a drawn position could stand on a board: nobody has more than fifteen checkers."""
    near = sample.points[sample.points > 0].sum() + sample.bar[0]
    far = -sample.points[sample.points < 0].sum() + sample.bar[1]
    return bool(near <= 15 and far <= 15)


def answers(models: Path, name: str, sample: Sample) -> NDArray[np.float64]:
    """The raw answers (n, outputs) of the points' net of this name to one sample."""
    maps = all_maps(sample).astype(np.float32)
    place, net = (_net(models / file) for file in (place_model(name), name))
    known = dict(zip(KNOWN, place.ask({"place": maps[:, PICTURE:]}, KNOWN), strict=True))
    return np.asarray(net.ask({"strips": maps[:, :PICTURE], **known}, ["answers"])[0], np.float64)


@cache
def _net(path: Path) -> OnnxRuntimeNet:
    return OnnxRuntimeNet(path)


def pictures(folders: list[Path], models: Path, held: bool) -> list[Picture]:
    """All pictures kept for calibrating (or of the held-out styles), seen through the same wrong tables every time."""
    found = []
    for folder in set_ups(folders):
        if folder.name in HELD_OUT if held else is_spare(folder):
            wide, close = (samples_of(folder, np.random.default_rng(11), 1, cut=cut) for cut in (WIDE, CLOSE))
            found += [
                Picture(answers(models, WIDE_MODEL, a), answers(models, CLOSE_MODEL, b), a.points, a.bar, a.visible)
                for a, b in zip(wide, close, strict=True)
                if plausible(a) and tuple(a.points) != START.points
            ]
    return found


def softmax(logits: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
    e = np.exp((logits - logits.max(-1, keepdims=True)) / temperature)
    return np.asarray(e / e.sum(-1, keepdims=True))


def fit(seen: list[Picture]) -> None:
    """Prints which shares of the two nets, over the points that get a closer look, make the truth likeliest."""
    wide, close, truth = [], [], []
    for picture in seen:
        for p in look_again(picture.wide):
            if picture.visible[p] > 0.85:
                wide.append(picture.wide[p, :COUNTS])
                close.append(picture.close[p, :COUNTS])
                truth.append(picture.points[p] + 15)
    a, b, true = np.array(wide), np.array(close), np.array(truth)

    def surprise(first: float, second: float) -> tuple[float, float]:
        likely = softmax(first * a + second * b + answer.BASE_RATES, answer.TEMPERATURE)
        right = likely.argmax(1) == true
        return float(-np.log(likely[np.arange(len(true)), true] + 1e-9).mean()), float(right.mean())

    steps = [0.1 * k for k in range(13)]
    best = min(((surprise(f, s), f, s) for f, s in product(steps, steps)), key=lambda x: x[0][0])
    print(f"closer looks {len(true)}: best shares {best[1]:.1f} {best[2]:.1f}, surprise {best[0][0]:.4f}, right {100 * best[0][1]:.2f} %")
    as_set = answer.FIRST_SHARE, answer.CLOSER_SHARE
    for name, f, s in (("first net alone", 1.0, 0.0), ("second alone", 0.0, 1.0), ("as set", *as_set)):
        print(f"  {name}: surprise {surprise(f, s)[0]:.4f}, right {100 * surprise(f, s)[1]:.2f} %")
    a = np.concatenate([p.wide[:BAR, :COUNTS][p.visible[:BAR] > 0.85] for p in seen])
    true = np.concatenate([p.points[p.visible[:BAR] > 0.85] + 15 for p in seen])
    for t in (0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4):
        likely = softmax(a + answer.BASE_RATES, t)
        print(f"  first net, temperature {t}: surprise {-np.log(likely[np.arange(len(true)), true] + 1e-9).mean():.4f}")


def table(said: NDArray[np.float64], right: NDArray[np.bool_]) -> None:
    for low, high in STEPS:
        some = (said >= low) & (said < high)
        if some.any():
            print(f"  said {low:.3f}-{min(high, 1):.3f}: {some.sum()} points, right {100 * right[some].mean():.2f} %")


def _read(picture: Picture) -> CheckerAnswer:
    """What the reader makes of a picture's answers alone."""
    again = look_again(picture.wide)
    return interpret(Answers(picture.wide, again, picture.close[again]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--models", type=Path, default=Path("vision/models"))
    parser.add_argument("--held", action="store_true", help="the held-out styles instead of the spare set-ups")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    seen = pictures(args.data, args.models, args.held)
    fit(seen)
    read = [_read(picture) for picture in seen]
    clear = np.stack([p.visible[:BAR] > 0.85 for p in seen])
    likely = np.stack([a.probabilities for a in read])
    right = likely.argmax(2) - 15 == np.stack([p.points for p in seen])
    print(f"pictures {len(seen)}, clear points {clear.sum()}, right {100 * right[clear].mean():.2f} %")
    table(likely.max(2)[clear], right[clear])
    whole = [(p, a) for p, a in zip(seen, read, strict=True) if (p.visible > 0.85).all()]
    for sure in (0.8, 0.9, 0.95, 0.98, 0.99):
        doubts.SURE = sure
        exact = wrong = needless = 0
        for picture, _ in whole:
            found = _read(picture)
            same = found.position.points == tuple(picture.points) and found.position.bar == tuple(picture.bar)
            exact, wrong = exact + same, wrong + (not same and not found.doubts)
            needless += same and bool(found.doubts)
        print(f"  sure {sure}: of {len(whole)} open pictures exact {exact}, wrong undoubted {wrong}, needless doubt {needless}")
    covered, visible = np.stack([a.covered for a in read]), np.stack([p.visible for p in seen])
    hidden, free = (visible < 0.5) & (visible >= 0), visible > 0.85
    for limit in (0.05, 0.1, 0.2, 0.3, 0.5):
        print(
            f"  covered above {limit}: {100 * (covered[hidden] > limit).mean():.1f} % of hidden, "
            f"{100 * (covered[free] > limit).mean():.2f} % of open strips"
        )


if __name__ == "__main__":
    main()
