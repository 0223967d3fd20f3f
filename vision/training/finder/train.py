"""Trains the finder's eye: a small net that marks the tops of checkers and the playing field in a whole picture.

    python -m vision.training.finder.train OUT.onnx --minutes 40 --photos FOLDER...

Needs torch and onnx besides the project. Half of what it sees is drawn by `vision.training.finder.draw`, half are the labelled set-ups of
FOLDERs except those named in `labels.WITH_GAME`, on which the result is measured.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from vision.pictures import load_picture
from vision.table import Table
from vision.training.finder.draw import degrade, draw
from vision.training.fit import block, descend, export, prepare
from vision.training.labels import WITH_GAME, is_spare, load_labels, set_ups, true_position, true_table
from vision.training.precision import autocast
from vision.training.weights import begin

SIZE = (512, 288)
STRIDE = 4


class Net(nn.Module):
    """(n, 3, h, w) RGB 0..1, sides multiples of 32, to (n, 3, h/4, w/4): checker-top logit, log(radius / 8 px), field logit."""

    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Sequential(block(3, 16, 2), block(16, 32, 2), block(32, 32))
        self.b = nn.Sequential(block(32, 48, 2), block(48, 48))
        self.c = nn.Sequential(block(48, 64, 2), block(64, 64), block(64, 64))
        self.d = nn.Sequential(block(64, 96, 2), block(96, 96), block(96, 96, apart=2), block(96, 64))
        self.up_c, self.up_b = block(64, 48), block(48, 32)
        self.end = nn.Sequential(block(32, 32), nn.Conv2d(32, 3, 1))
        self.up = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        a = self.a(x)
        b = self.b(a)
        c = self.c(b)
        c = self.up_c(c + self.up(self.d(c)))
        b = self.up_b(b + self.up(c))
        out: torch.Tensor = self.end(a + self.up(b))
        return out


class Sample:
    """A picture with its truth in px: checker centres (n, 2), radii (n,), the field's outline, outlines not to be judged."""

    def __init__(self, image: Any, centres: Any, radii: Any, field: Any, unknown: list[Any]) -> None:
        self.image, self.centres, self.radii, self.field, self.unknown = image, centres, radii, field, unknown


def outline(table: Table, x0: float, y0: float, x1: float, y1: float, z: float = 0.0) -> Any:
    s = np.linspace(0, 1, 12)[:, None]
    c = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    ring = np.vstack([c[i] + s * (c[(i + 1) % 4] - c[i]) for i in range(4)])
    return table.camera.project(np.column_stack([ring, np.full(len(ring), z)]))


def truth(table: Table, tops: Any) -> tuple[Any, Any, Any]:
    turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    circle = np.column_stack([np.cos(turn), np.sin(turn), 0 * turn]) * table.measures.checker / 2
    centres = table.camera.project(tops)
    rings = table.camera.project(tops[:, None] + circle)
    radii = np.array([np.sqrt(cv2.contourArea(r.astype(np.float32)) / np.pi) for r in rings])
    w, h = table.measures.inner
    return centres, radii, outline(table, -w / 2, -h / 2, w / 2, h / 2)


def drawn(seed: int) -> Sample:
    d = draw(seed, SIZE)
    tops = d.tops if len(d.tops) else np.zeros((0, 3))
    return Sample(d.image, *truth(d.table, tops), [])


def photographs(folders: list[Path]) -> tuple[list[Sample], list[Sample]]:
    """(training, held out) samples of labelled set-ups, at most 960 px wide."""
    train: list[Sample] = []
    held: list[Sample] = []
    for folder in set_ups(folders):
        labels = load_labels(folder)
        table = true_table(folder, labels)
        m = table.measures
        frames = [f for f in labels["frames"] if not f["occluded"]]
        keep_out = folder.name in WITH_GAME or is_spare(folder)
        for frame in frames[:: max(1, len(frames) // 8)]:
            image: Any = load_picture(folder / frame["image"])
            k = 960 / image.shape[1]
            image = cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
            position = true_position(frame)
            tops, unknown = [], []
            for point, count in enumerate(position.points, start=1):
                if abs(count) > 5:  # where the sixth lies is not labelled
                    x, y, way = table.point_base(point)
                    ys = sorted((y, y + way * m.checker * 6.5))
                    unknown.append(outline(table, x - m.checker * 0.55, ys[0], x + m.checker * 0.55, ys[1], m.checker_height) * k)
                else:
                    tops += [table.checker_centre(point, i) for i in range(abs(count))]
            w, h = m.inner[0] / 2, m.inner[1] / 2
            if not tops:
                continue
            if any(position.bar):
                unknown.append(outline(table, -m.bar / 2, -h, m.bar / 2, h, m.bar_height) * k)
            if any(position.off):
                unknown += [outline(table, s * (w + 0.3), -h - 8, s * (w + 20), h + 8, 0) * k for s in (-1, 1)]
            centres, radii, field = truth(table, np.array(tops))
            (held if keep_out else train).append(Sample(image, centres * k, radii * k, field * k, unknown))
    return train, held


def cut(rng: np.random.Generator, s: Sample, plain: bool = False) -> Sample:
    """A turned, mirrored, zoomed piece of SIZE."""
    h, w = s.image.shape[:2]
    zoom = SIZE[0] / w if plain else SIZE[0] / w * rng.uniform(0.95, 1.7 if w > SIZE[0] else 1.15)
    turn = 0.0 if plain else rng.choice([0, 0, 0, np.pi, np.pi / 2, -np.pi / 2]) + rng.normal(0, 0.15)
    flip = -1.0 if not plain and rng.random() < 0.5 else 1.0
    c, n = np.cos(turn) * zoom, np.sin(turn) * zoom
    a = np.array([[c * flip, -n], [n * flip, c]])
    middle = np.array([w / 2, h / 2]) if plain else s.field.mean(0) + rng.uniform(-0.25, 0.25, 2) * (w, h)
    shift = np.array(SIZE) / 2 - a @ middle
    move = lambda p: p @ a.T + shift  # noqa: E731
    edge = int(rng.choice([cv2.BORDER_REPLICATE, cv2.BORDER_REFLECT, cv2.BORDER_CONSTANT]))
    image = cv2.warpAffine(s.image, np.column_stack([a, shift]), SIZE, flags=cv2.INTER_LINEAR, borderMode=edge)
    unknown = [move(u) for u in s.unknown]
    if edge == cv2.BORDER_REFLECT:  # what is mirrored in from beyond the picture is not labelled
        seen = move(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float64))
        unknown.append(np.vstack([[[-2000, -2000], [3000, -2000], [3000, 3000], [-2000, 3000], [-2000, -2000]], seen, seen[:1]]))
    return Sample(image, move(s.centres), s.radii * zoom, move(s.field), unknown)


def targets(s: Sample) -> Any:
    """(5, h/4, w/4): heat, log radius, field, judged, positive."""
    w, h = SIZE[0] // STRIDE, SIZE[1] // STRIDE
    out = np.zeros((5, h, w), np.float32)
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    to_map = lambda p: (p + 0.5) / STRIDE - 0.5  # noqa: E731
    for (x, y), r in zip(to_map(s.centres), s.radii, strict=True):
        sigma = max(0.4 * r / STRIDE, 0.6)
        if -3 < x < w + 3 and -3 < y < h + 3:
            x0, x1, y0, y1 = (int(np.clip(v, 0, lim)) for v, lim in ((x - 9, w), (x + 10, w), (y - 9, h), (y + 10, h)))
            g = np.exp(-((xx[y0:y1, x0:x1] - x) ** 2 + (yy[y0:y1, x0:x1] - y) ** 2) / (2 * sigma**2))
            part = out[0, y0:y1, x0:x1]
            out[1, y0:y1, x0:x1][g > part] = np.log(r / 8)
            np.maximum(part, g, out=part)
    cv2.fillPoly(out[2], [np.round(np.clip(to_map(s.field), -2000, 2000) * 16).astype(np.int32)], 1.0, cv2.LINE_8, 4)
    out[3] = 1
    for u in s.unknown:
        cv2.fillPoly(out[3], [np.round(np.clip(to_map(u), -3000, 3000) * 16).astype(np.int32)], 0.0, cv2.LINE_8, 4)
    out[4] = out[0] > 0.5
    return out


def to_input(image: Any) -> Any:
    return np.ascontiguousarray(image[..., ::-1].transpose(2, 0, 1)).astype(np.float32) / 255


def loss_of(out: torch.Tensor, want: torch.Tensor) -> torch.Tensor:
    heat, radius, field, judged, positive = want.unbind(1)
    p = torch.sigmoid(out[:, 0])
    # a focal loss towards the soft target: quality focal loss (Li and others, 2020)
    bce = F.binary_cross_entropy_with_logits(out[:, 0], heat, reduction="none")
    first = (bce * (p - heat).abs().pow(1.5) * judged).sum() / (positive.sum() + 20)
    second = ((out[:, 1] - radius).abs() * positive).sum() / (positive.sum() + 1)
    third = F.binary_cross_entropy_with_logits(out[:, 2], field)
    return 4 * first + 0.5 * second + third


def losses(net: Net, train: list[Sample], rng: np.random.Generator, seed: int, batch: int) -> Iterator[torch.Tensor]:
    """Of batches without end, every second picture of them a photograph to ``train`` on, where there are any; the others are drawn."""
    pool: list[Sample] = []
    for first in itertools.count(seed * 10_000_000, 2):
        pool = [*pool, drawn(first), drawn(first + 1)][-400:]
        xs, ys = [], []
        for i in range(batch):
            from_photo = train and i % 2 == 0
            s = train[rng.integers(len(train))] if from_photo else pool[-1 - i // 2] if i < 4 else pool[rng.integers(len(pool))]
            c = cut(rng, s)
            xs.append(to_input(degrade(rng, c.image)))
            ys.append(targets(c))
        with autocast():
            out = net(torch.from_numpy(np.stack(xs)).to(memory_format=torch.channels_last))
        yield loss_of(out.float(), torch.from_numpy(np.stack(ys)))


def measure(net: nn.Module, samples: list[Sample]) -> str:
    """How many checkers are found, and marked where none is, and how far off, on whole pictures of 640 px."""
    net.eval()
    hit = total = extra = 0
    miss: list[float] = []
    for s in samples:
        k = 640 / s.image.shape[1]
        image = cv2.resize(s.image, (640, 352), interpolation=cv2.INTER_AREA)
        with torch.no_grad():
            heat = torch.sigmoid(net(torch.from_numpy(to_input(image))[None])[0, 0]).numpy()
        top = (heat == cv2.dilate(heat, np.ones((3, 3)))) & (heat > 0.35)
        ys, xs = np.nonzero(top)
        peaks = np.column_stack([(xs + 0.5) * STRIDE - 0.5, ((ys + 0.5) * STRIDE - 0.5) * s.image.shape[0] * k / 352])
        want, radii = s.centres * k, s.radii * k
        gap = np.linalg.norm(peaks[:, None] - want[None], axis=2) / radii if len(peaks) else np.full((0, len(want)), 9.0)
        best = gap.min(0) if len(peaks) else np.full(len(want), 9.0)
        hit, total = hit + int((best < 0.5).sum()), total + len(want)
        miss += best[best < 0.5].tolist()
        extra += int((gap.min(1) > 0.6).sum()) if len(peaks) else 0
    off = float(np.mean(miss)) if miss else 9.0
    return f"found {hit / max(1, total):.4f}, none there {extra / max(1, len(samples)):.2f} a picture, off {off:.3f} radii"


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("out", type=Path)
    ap.add_argument("--photos", type=Path, nargs="*", default=[])
    ap.add_argument("--minutes", type=float, default=40)
    ap.add_argument("--batch", type=int, default=8)
    ap.add_argument("--start", type=Path, help="go on from these weights, a .pt file or an .onnx file")
    ap.add_argument("--rate", type=float, default=2.5e-3)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    rng = prepare(args.seed)
    train, held = photographs(args.photos)
    print(f"{len(train)} photographs to train on, {len(held)} held out", flush=True)
    net = Net().to(memory_format=torch.channels_last)
    if args.start:
        begin(net, args.start, torch.from_numpy(np.stack([to_input(cut(rng, s).image) for s in train[:: max(1, len(train) // 16)]])))
    tried = held[::5] or [cut(np.random.default_rng(0), drawn(seed), True) for seed in range(10)]

    def save(mean: nn.Module) -> None:
        torch.save(mean.state_dict(), args.out.with_suffix(".pt"))
        export(mean, (torch.zeros(1, 3, 384, 640),), args.out, ["picture"], ["maps"], any_size=True)

    for step, words, mean in descend(net, losses(net, train, rng, args.seed, args.batch), args.minutes, args.rate, 60):
        if step % 300 == 0:
            print(words, measure(mean, tried), flush=True)
            save(mean)
    print("all held out:", measure(mean, held or tried))
    save(mean)


if __name__ == "__main__":
    main()
