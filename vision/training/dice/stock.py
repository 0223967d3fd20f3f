"""Stored crops of dice and cubes that a training draws from: gathered from pictures, kept in files, held where the net is trained."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from vision.dice.crops import stretched
from vision.training.dice.label import LABEL
from vision.training.dice.samples import covered, glare
from vision.training.dice.shown import Dice

Images = NDArray[np.uint8]
Labels = NDArray[Any]
Work = Callable[[Images, Any, np.random.Generator], tuple[Images, Any]]
QUALITY = 80  # of the pictures in a file of crops
MOST = 25_000  # crops in one such file
HIDDEN = 0.15, 0.5  # below, one can still read; above, nobody should; between it is not asked


@dataclass(frozen=True)
class Group:
    """Crops ``images`` (n, 144, 144, 3) with their ``labels`` (n,) of `LABEL`, and their share of what is drawn."""

    name: str
    images: Images
    labels: Labels
    share: float


class Groups(list[Group]):
    """Groups of crops; what is empty is left out."""

    def put(self, name: str, images: Images, labels: Labels, share: float) -> None:
        if len(images):
            self.append(Group(name, images, labels, share))
            print(f"  {len(images)} crops, {name}, share {share:.2f}", flush=True)

    def put_mined(self, path: Path, share: float) -> None:
        """What the finder took for dice, where it was looked for; half of the share goes to what fooled the reader too."""
        if not path.exists():
            return
        mined = np.load(path)
        fooled = mined["fooled"] > 0.03
        self.put(f"{path.stem}, fooled", mined["images"][fooled], mined["labels"][fooled], share / 2)
        self.put(path.stem, mined["images"][~fooled], mined["labels"][~fooled], share / 2)


def keep(groups: Groups, path: Path) -> None:
    """Writes the groups as files ``path`` with 0, 1... after its name, their pictures compressed: to be trained on elsewhere."""
    rows = [(k, image) for k, group in enumerate(groups) for image in group.images]
    labels = np.concatenate([group.labels for group in groups])
    order = np.random.default_rng(1).permutation(len(rows))
    for part, chosen in enumerate(np.array_split(order, -(-len(rows) // MOST))):
        kept = [cv2.imencode(".webp", rows[k][1], [cv2.IMWRITE_WEBP_QUALITY, QUALITY])[1] for k in chosen]
        np.savez(
            path.with_name(f"{path.stem}{part}.npz"), pictures=np.concatenate(kept), ends=np.cumsum([len(one) for one in kept]),
            labels=labels[chosen], groups=np.array([rows[k][0] for k in chosen]),
            names=np.array([group.name for group in groups]), shares=np.array([group.share for group in groups]),
        )  # fmt: skip


def kept(paths: list[Path]) -> Groups:
    """The groups that `keep` wrote, of all these files."""
    found: dict[tuple[str, float], list[tuple[Images, Any]]] = {}
    for part in map(np.load, paths):
        names, shares, pictures, ends = part["names"], part["shares"], part["pictures"], part["ends"]
        for which, row, start, end in zip(part["groups"], part["labels"], [0, *ends[:-1]], ends, strict=True):
            here = found.setdefault((str(names[which]), float(shares[which])), [])
            here.append((np.asarray(cv2.imdecode(pictures[start:end], cv2.IMREAD_COLOR), np.uint8), row))
    groups = Groups()
    for (name, share), crops in found.items():
        groups.put(name, np.array([image for image, _ in crops], np.uint8), np.array([row for _, row in crops], LABEL), share)
    return groups


def worked(image: Images, row: Any, rng: np.random.Generator, edge: float, glares: float, hands: float) -> tuple[Images, Any]:
    """A crop and its label, at times with a lamp mirrored in the die or cube of ``edge`` px, or fingers over it; what is hidden is none."""
    row = row.copy()
    if rng.random() < glares:
        image = glare(image, row["quad"], rng, edge)
    if row["kind"] and rng.random() < hands:
        over, hidden = covered(image, rng, edge)
        if not HIDDEN[0] < hidden < HIDDEN[1]:
            image = over
            row["kind"] *= hidden <= HIDDEN[1]
    return image, row


class Stock:
    """Crops and what is known of them, on the device where a net is trained."""

    def __init__(self, images: Images, labels: Labels, weights: NDArray[Any], device: torch.device) -> None:
        self.images = torch.from_numpy(images).to(device)
        columns = {name: labels[name].astype(np.float32) for name in LABEL.names or () if name != "level"}
        columns["level"] = levels_of(labels)
        self.labels = {name: torch.from_numpy(values).to(device) for name, values in columns.items()}
        self.weights = torch.from_numpy(weights.astype(np.float64)).to(device)

    def draw(self, n: int, dice: Dice) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """n crops (n, 144, 144, 3), bytes, and their labels, a column each."""
        which = dice.drawn(self.weights, n)
        return self.images[which], {name: column[which] for name, column in self.labels.items()}


def stock_of(groups: Groups, work: Work, seed: int, device: torch.device, each: int = 1, makers: int = 1) -> Stock:
    """The crops of all groups, ``each`` times with what ``work`` lays over them; by so many processes."""
    parts, weights = [], []
    for group in groups:
        shuffled = np.random.default_rng(seed).permutation(np.arange(len(group.images)).repeat(each))
        parts += [(group.images[some], group.labels[some]) for some in np.array_split(shuffled, -(-len(shuffled) // 1000))]
        weights.append(np.full(len(shuffled), group.share / len(shuffled)))
    if makers > 1:
        with ProcessPoolExecutor(makers, get_context("spawn")) as pool:
            made = list(pool.map(_laid, parts, repeat(work), range(seed, seed + len(parts))))
    else:
        made = [_laid(part, work, seed + k) for k, part in enumerate(parts)]
    images, labels = (np.concatenate([one[k] for one in made]) for k in (0, 1))
    return Stock(images, labels, np.concatenate(weights), device)


def _laid(part: tuple[Images, Labels], work: Work, seed: int) -> tuple[Images, Labels]:
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    made = [work(image, row, rng) for image, row in zip(*part, strict=True)]
    return np.array([one[0] for one in made], np.uint8), np.array([one[1] for one in made], LABEL)


def levels_of(labels: Labels) -> NDArray[np.float32]:
    """(n, 2, 2): what takes each labelled crop to what it looks like from above."""
    levels = [row["level"] if row["level"].any() else stretched(float(row["elevation"])) for row in labels]
    return np.array(levels, np.float32)
