"""How far the checker reader's confidence can be believed, measured on set-ups it was never trained on.

    python -m vision.training.checkers_calibrate --data FOLDER... [--model vision/models/checkers.onnx]

Prints the temperature that suits the net's answers best, a reliability table, and for some thresholds how many pictures are
wrong without a doubt and how many are doubted needlessly.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers_colours import likeness_table
from vision.checkers_input import BAR_COUNTS, COUNTS, HIDDEN, net_input
from vision.checkers_strips import BAR, LENGTH, WIDTH
from vision.training.checkers_data import HELD_OUT, MARGIN, Sample, is_spare, samples_of


def plausible(sample: Sample) -> bool:
    """Whether a drawn position could stand on a board: nobody has more than fifteen checkers."""
    near = sample.points[sample.points > 0].sum() + sample.bar[0]
    far = -sample.points[sample.points < 0].sum() + sample.bar[1]
    return bool(near <= 15 and far <= 15)


def answers(net: cv2.dnn.Net, sample: Sample) -> NDArray[np.float64]:
    """The net's raw answers (25, outputs) for one sample."""
    crop = (slice(None), slice(MARGIN, MARGIN + LENGTH), slice(MARGIN, MARGIN + WIDTH))
    strips, lookup = np.ascontiguousarray(sample.strips[crop]), likeness_table(sample.palette)
    maps = net_input(strips, sample.inside[crop], sample.drift, lookup, sample.start[crop], sample.occupied[crop])
    net.setInput(maps.astype(np.float32))
    return np.asarray(net.forward(), np.float64)


def softmax(logits: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
    e = np.exp((logits - logits.max(-1, keepdims=True)) / temperature)
    return np.asarray(e / e.sum(-1, keepdims=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--model", type=Path, default=Path("vision/models/checkers.onnx"))
    parser.add_argument("--held", action="store_true", help="the held-out styles instead of the spare set-ups")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    net = cv2.dnn.readNetFromONNX(str(args.model))
    rng = np.random.default_rng(11)
    raw, truth, bars, seen = [], [], [], []
    for folder in args.data:
        for labels in sorted(folder.glob("*/labels.json")):
            wanted = labels.parent.name in HELD_OUT if args.held else is_spare(labels.parent)
            for sample in samples_of(labels.parent, rng, 1) if wanted else []:
                if plausible(sample):
                    raw.append(answers(net, sample))
                    truth.append(sample.points)
                    bars.append(sample.bar)
                    seen.append(sample.visible)
    logits, counts, visible = np.stack(raw), np.stack(truth), np.stack(seen)
    clear = visible[:, :BAR] > 0.85
    points, classes = logits[:, :BAR, :COUNTS], counts + 15

    def surprise(temperature: float) -> float:
        true = np.take_along_axis(softmax(points, temperature), classes[..., None], 2)[..., 0]
        return float(-np.log(true[clear] + 1e-9).mean())

    best = min((0.1 * k for k in range(5, 30)), key=surprise)
    print(f"pictures {len(logits)}, clear points {clear.sum()}, best temperature {best:.1f}")
    chances = softmax(points, best)
    top, right = chances.max(2), chances.argmax(2) == classes
    for low, high in ((0, 0.5), (0.5, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 0.98), (0.98, 0.99), (0.99, 1.01)):
        some = clear & (top >= low) & (top < high)
        if some.any():
            print(f"  said {low:.2f}-{min(high, 1):.2f}: {some.sum()} points, right {100 * right[some].mean():.1f} %")
    near = softmax(logits[:, BAR, HIDDEN + 1 : HIDDEN + 1 + BAR_COUNTS], best)
    far = softmax(logits[:, BAR, HIDDEN + 1 + BAR_COUNTS :], best)
    wanted_bars = np.minimum(np.array(bars), BAR_COUNTS - 1)
    bar_right = (near.argmax(1) == wanted_bars[:, 0]) & (far.argmax(1) == wanted_bars[:, 1])
    bar_top = np.minimum(near.max(1), far.max(1))
    covered = 1 / (1 + np.exp(-logits[..., HIDDEN]))
    open_frames = (visible > 0.85).all(1)
    print(f"points right {100 * right[clear].mean():.2f} %, bars right {100 * bar_right[visible[:, BAR] > 0.85].mean():.1f} %")
    for sure in (0.7, 0.8, 0.85, 0.9, 0.95, 0.98):
        ok = right.all(1) & bar_right
        doubted = (top < sure).any(1) | (bar_top < sure) | (covered > 0.3).any(1)
        n = max(int(open_frames.sum()), 1)
        wrong, needless = int((~ok & ~doubted & open_frames).sum()), int((ok & doubted & open_frames).sum())
        print(
            f"  sure {sure}: of {n} open pictures exact {int((ok & open_frames).sum())}, wrong undoubted {wrong}, needless doubt {needless}"
        )
    hidden, free = (visible < 0.5) & (visible >= 0), visible > 0.85
    for limit in (0.05, 0.1, 0.2, 0.3, 0.5):
        print(
            f"  covered above {limit}: {100 * (covered[hidden] > limit).mean():.1f} % of hidden, "
            f"{100 * (covered[free] > limit).mean():.2f} % of open strips"
        )


if __name__ == "__main__":
    main()
