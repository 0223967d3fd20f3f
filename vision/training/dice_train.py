"""Trains the die reader (or, with --cubes, the cube reader) and writes its ONNX file.

python -m vision.training.dice_train --data DATA --drawn OUT --model vision/models/dice_read.onnx [--minutes 12] [--seed 1]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from vision.training.dice_decoys import decoys
from vision.training.dice_make import CUBE_EDGE, EDGE, LABEL
from vision.training.dice_nets import CUBE_OUT, OUT, CropNet, export
from vision.training.dice_pictures import (
    boards,
    crops,
    nothing_crops,
    photos,
    rendered,
    tempting_crops,
    tempting_in_photos,
    training_folders,
)
from vision.training.dice_samples import sample
from vision.training.dice_scenes import NUMBERS

SIZE, DIE_PX, CUBE_PX = 64, 24.0, 34.0


class Pool:
    """Crops with labels in groups; a batch draws from each group by its share."""

    def __init__(self) -> None:
        self.groups: list[tuple[np.ndarray, np.ndarray, float]] = []
        self.fixed = 0

    def add(self, images: np.ndarray, labels: np.ndarray, share: float) -> None:
        if len(images):
            self.groups.append((images, labels, share))
            print(f"  {len(images)} crops, share {share}", flush=True)

    def add_rendered(self, path: Path, cubes: bool, share: float) -> None:
        """All finished crop folders of the renderer under ``path``; replaces what was added from there before."""
        made = rendered(sorted(p.parent for p in path.glob("train-*/labels.json")))
        rows = [(c if cubes and c is not None else i, r) for i, r, c in made]
        if cubes:
            kept = [r for r in rows if r[1]["kind"] == 2]
            rows = kept + [r for r in rows if r[1]["kind"] != 2][: len(kept) // 3]
        self.groups = self.groups[: self.fixed]
        if rows:
            share *= min(1.0, len(rows) / (300 if cubes else 1500))
            self.add(np.array([r[0] for r in rows]), np.array([r[1] for r in rows], LABEL), share)

    def batch(self, rng: np.random.Generator, n: int, cubes: bool) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        shares = np.array([g[2] for g in self.groups])
        which = rng.choice(len(self.groups), n, p=shares / shares.sum())
        xs, rows, extra = [], np.zeros(n, LABEL), np.zeros((n, 5), np.float32)
        for i, g in enumerate(which):
            images, labels, _ = self.groups[g]
            k = int(rng.integers(len(images)))
            rows[i] = labels[k]
            edges = (CUBE_EDGE, CUBE_PX, (22.0, 60.0), False) if cubes else (EDGE, DIE_PX, (11.0, 40.0), True)
            x, aim, known, beside, px = sample(images[k], labels[k], rng, SIZE, *edges)
            xs.append(x)
            extra[i] = (*aim, known, px)
            if beside:
                rows[i]["kind"] = 0
        t = {"kind": rows["kind"], "value": rows["value"], "tilt": rows["tilt"], "support": rows["support"], "touch": rows["touch"]}
        out = {k: torch.from_numpy(np.ascontiguousarray(v)) for k, v in t.items()}
        out["aim"], out["known"], out["px"] = (torch.from_numpy(np.ascontiguousarray(extra[:, k])) for k in (slice(0, 3), 3, 4))
        return torch.from_numpy(np.array(xs, np.float32)), out


def die_loss(y: torch.Tensor, t: dict[str, torch.Tensor]) -> torch.Tensor:
    die = (t["kind"] == 1).float()
    loss = F.binary_cross_entropy_with_logits(y[:, 0], die)
    sure = die * (t["tilt"] < 40)
    value = F.cross_entropy(y[:, 1:7], (t["value"].long() - 1).clamp(0, 5), reduction="none", label_smoothing=0.01)
    loss = loss + 1.5 * (value * sure).sum() / sure.sum().clamp(min=1)
    visible = (t["tilt"] <= 0) | (t["tilt"] * t["px"] > 160)  # 8 degrees at 20 px: less cannot be told from flat
    has = die * (t["tilt"] >= 0) * t["known"] * visible
    tilt = F.binary_cross_entropy_with_logits(y[:, 7], (t["tilt"] > 3).float(), reduction="none")
    loss = loss + 2.5 * (tilt * has).sum() / has.sum().clamp(min=1)
    has = die * (t["support"] >= 0)
    support = F.cross_entropy(y[:, 8:11], t["support"].long().clamp(0, 2), reduction="none")
    loss = loss + (support * has).sum() / has.sum().clamp(min=1)
    has = die * (t["touch"] >= 0)
    touch = F.binary_cross_entropy_with_logits(y[:, 11], (t["touch"] > 0).float(), reduction="none")
    loss = loss + 0.3 * (touch * has).sum() / has.sum().clamp(min=1)
    aim = F.smooth_l1_loss(y[:, 12:15], t["aim"].float(), reduction="none", beta=0.1).sum(1)
    return loss + 2 * (aim * die).sum() / die.sum().clamp(min=1)


def cube_loss(y: torch.Tensor, t: dict[str, torch.Tensor]) -> torch.Tensor:
    cube = (t["kind"] == 2).float()
    number = torch.tensor([NUMBERS.index(int(v)) if int(v) in NUMBERS else 0 for v in t["value"]])
    loss = F.binary_cross_entropy_with_logits(y[:, 0], cube)
    loss = loss + 1.5 * (F.cross_entropy(y[:, 1:7], number, reduction="none", label_smoothing=0.01) * cube).sum() / cube.sum().clamp(min=1)
    aim = F.smooth_l1_loss(y[:, 7:10], t["aim"].float(), reduction="none", beta=0.1).sum(1)
    return loss + 2 * (aim * cube).sum() / cube.sum().clamp(min=1)


def gather(args: argparse.Namespace, rng: np.random.Generator) -> Pool:
    pool = Pool()
    folders = training_folders(args.data)
    real = list(boards(folders))
    images, labels, cubes, cube_labels = crops(real)
    drawn = sorted(args.drawn.glob("cubes_*.npz" if args.cubes else "crops_*.npz"))
    made = [np.load(p) for p in drawn]
    pool.add(np.concatenate([m["images"] for m in made]), np.concatenate([m["labels"] for m in made]), 0.55)
    empty, empty_labels = nothing_crops(real, rng, 12)
    more = list(boards(sorted(p.parent for p in args.frames.glob("train-*/labels.json")))) if args.frames else []
    if args.cubes:
        pool.add(cubes, cube_labels, 0.25)
        pool.add(empty, empty_labels, 0.1)
        pool.add(*tempting_crops([*real, *more], True), 0.15)
        dice = labels["kind"] == 1
        pool.add(images[dice], labels[dice], 0.05)
        return pool
    pool.add(images, labels, 0.15)
    pool.add(empty, empty_labels, 0.1)
    snaps = list(photos(args.data / "photos" / "labels.jsonl"))
    images, labels, _, _ = crops(snaps)
    pool.add(images, labels, 0.15)
    pool.add(*nothing_crops(snaps, rng, 4), 0.05)
    if args.tempting and args.tempting.exists():
        kept = np.load(args.tempting)
        tempting = kept["a"], kept["b"], kept["c"], kept["d"]
    else:
        tempting = *tempting_crops([*real, *more]), *tempting_in_photos(args.data / "photos" / "labels.jsonl")
        if args.tempting:
            np.savez(args.tempting, a=tempting[0], b=tempting[1], c=tempting[2], d=tempting[3])
    pool.add(*tempting[:2], 0.3)
    pool.add(*tempting[2:], 0.15)
    pool.add(*decoys(rng, 4000), 0.15)
    if more:
        images, labels, _, _ = crops(more)
        pool.add(images, labels, 0.05)
    return pool


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", type=Path, required=True)
    ap.add_argument("--drawn", type=Path, required=True)
    ap.add_argument("--rendered", type=Path, help="crop folders of the renderer; looked through again every 500 steps")
    ap.add_argument("--frames", type=Path, help="whole rendered set-ups")
    ap.add_argument("--tempting", type=Path, help="file that keeps what the finder took for dice, made when it is not there")
    ap.add_argument("--model", type=Path, required=True)
    ap.add_argument("--keep", type=Path, help="write the weights here too")
    ap.add_argument("--begin", type=Path, help="go on from these weights")
    ap.add_argument("--cubes", action="store_true")
    ap.add_argument("--minutes", type=float, default=12)
    ap.add_argument("--steps", type=int, default=0, help="instead of minutes: exactly so many steps, to be made again")
    ap.add_argument("--rate", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    pool = gather(args, rng)
    pool.fixed = len(pool.groups)
    net = CropNet(CUBE_OUT if args.cubes else OUT).to(memory_format=torch.channels_last)
    if args.begin:
        net.load_state_dict(torch.load(args.begin))
    best = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-3)
    ema = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.995), use_buffers=True)
    began, step, mean = time.time(), 0, 0.0
    while True:
        part = step / args.steps if args.steps else (time.time() - began) / 60 / args.minutes
        if part >= 1:
            break
        for g in best.param_groups:
            g["lr"] = args.rate * min(1.0, (step + 1) / 100) * max(0.02, 1 - part) ** 1.2
        if args.rendered and step % 500 == 0:
            pool.add_rendered(args.rendered, args.cubes, 0.6)
        x, t = pool.batch(rng, 64, args.cubes)
        with torch.autocast("cpu", torch.bfloat16):
            y = net(x.to(memory_format=torch.channels_last))
        loss = (cube_loss if args.cubes else die_loss)(y.float(), t)
        best.zero_grad()
        loss.backward()
        best.step()
        ema.update_parameters(net)
        mean = 0.98 * mean + 0.02 * loss.item() if step else loss.item()
        step += 1
        if step % 100 == 0:
            print(f"{step} {mean:.3f} {time.time() - began:.0f} s", flush=True)
        if step % 500 == 0:
            save(ema.module, args)
    save(ema.module, args)
    print(f"{step} steps")


def save(net: torch.nn.Module, args: argparse.Namespace) -> None:
    if args.keep:
        torch.save(net.state_dict(), args.keep)
    was = net.training
    export(net, (1, 4, SIZE, SIZE), str(args.model), {0: "n"})
    net.train(was)


if __name__ == "__main__":
    main()
