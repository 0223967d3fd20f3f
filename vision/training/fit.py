"""What trainers share: what those of the checkers' nets are told, a layer, the way down a loss, and the ONNX file."""

from __future__ import annotations

import argparse
import copy
import os
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

CORES = os.cpu_count() or 1


def arguments(doc: str | None, minutes: float, rate: float) -> argparse.ArgumentParser:
    """What every one of them can be told; ``minutes`` and ``rate`` are its usual ones."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--minutes", type=float, default=minutes)
    parser.add_argument("--views", type=int, nargs="+", default=[4], help="wrong tables drawn for each set-up, one number a folder")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--start", type=Path, help="weights to go on from: a .pt file that was written beside the model, or an .onnx file")
    return parser


def prepare(seed: int, threads: int = 1) -> np.random.Generator:
    """Chance, which begins with ``seed`` everywhere; one of PyTorch's ``threads`` where batches are made in other processes meanwhile."""
    torch.set_num_threads(threads)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    return np.random.default_rng(seed)


def block(inside: int, outside: int, stride: int | tuple[int, int] = 1, edge: int = 1, apart: int = 1) -> nn.Sequential:
    """A convolution with its normalisation, of places so far ``apart``."""
    convolution = nn.Conv2d(inside, outside, 3, stride, edge * apart, apart, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outside), nn.ReLU(inplace=True))


def descend(net: nn.Module, losses: Iterator[torch.Tensor], minutes: float, rate: float, warm: int) -> Iterator[tuple[int, str, nn.Module]]:
    """Steps down the ``losses``, each of a fresh batch, for ``minutes``; ``warm`` steps lead up to the full ``rate``.

    Yields after every 100 steps and at the end: the number of steps, how it goes in words, and the running mean of the weights."""
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-3)
    mean = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.99), use_buffers=True)
    began, step, smooth = time.time(), 0, 0.0

    def words() -> str:
        return f"step {step} {time.time() - began:.0f} s loss {smooth:.4f}"

    while (done := (time.time() - began) / (60 * minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / warm) * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * done)))
        loss = next(losses)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        mean.update_parameters(net)
        smooth = loss.item() if not step else smooth * 0.98 + 0.02 * loss.item()
        step += 1
        if step % 100 == 0:
            yield step, words(), mean.module
    if step % 100:
        yield step, words(), mean.module


def export(
    net: nn.Module, inputs: tuple[torch.Tensor, ...], path: Path, names: list[str], answers: list[str], any_size: bool = False
) -> None:
    """Writes a net as an ONNX file that takes any number of the ``inputs``, called by their ``names``, and gives its ``answers``; with
    ``any_size`` inputs of other sides too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    free = {name: {0: "n"} | ({2: f"{name}_h", 3: f"{name}_w"} if any_size else {}) for name in (*names, *answers)}
    torch.onnx.export(
        copy.deepcopy(net).cpu().eval(),
        inputs,
        str(path),
        input_names=names,
        output_names=answers,
        dynamic_axes=free,
        opset_version=13,
        dynamo=False,
    )
