"""What the dice trainers share: arguments, the loop over batches, and writing the ONNX file."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from torch import nn

from vision.training.fit import export

SAVED = 120  # s between what is kept of a training that may be stopped


def arguments(doc: str | None, crops: bool = False) -> argparse.ArgumentParser:
    """What every trainer of dice can be told; with ``crops`` one that is shown stored crops, see `told`."""
    ap = argparse.ArgumentParser(description=doc)
    ap.add_argument("--data", type=Path, required=not crops, help="labelled pictures: photoreal/, demo-game/, photos/")
    ap.add_argument("--drawn", type=Path, required=not crops, help="what dice.make and dice.mine wrote")
    ap.add_argument("--frames", type=Path, help="whole rendered set-ups")
    ap.add_argument("--model", type=Path, required=not crops, help="the ONNX file to write")
    ap.add_argument("--keep", type=Path, help="write the weights here too")
    ap.add_argument("--start", type=Path, help="go on from these weights (--keep), or from an ONNX file")
    ap.add_argument("--minutes", type=float, default=12)
    ap.add_argument("--steps", type=int, default=0, help="instead of minutes: exactly so many steps, to be made again")
    ap.add_argument("--rate", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=1)
    if not crops:
        return ap
    ap.add_argument("--crops", type=Path, nargs="+", help="train on these files of crops, and look for no other ones")
    ap.add_argument("--each", type=int, default=1, help="so many copies of every crop, with other things laid over them")
    ap.add_argument("--makers", type=int, default=1, help="processes that lay them")
    ap.add_argument("--batch", type=int, default=64, help="crops a step")
    ap.add_argument("--device", type=torch.device, default="cpu", help="cuda: a GPU, on which a hundred times as many crops are seen")
    return ap


def told(ap: argparse.ArgumentParser) -> argparse.Namespace:
    """What a trainer that is shown stored crops was told; ends the program with a sentence where it lacks something."""
    args = ap.parse_args()
    if not args.crops and not (args.data and args.drawn):
        ap.error("name files of crops with --crops, or pictures with --data and --drawn")
    if not args.model and not vars(args).get("keep_crops"):
        ap.error("name the ONNX file to write with --model")
    return args


def fit(net: nn.Module, losses: Iterator[torch.Tensor], save: Callable[[nn.Module], None], args: argparse.Namespace, decay: float) -> None:
    """Steps down the ``losses``, each of a fresh batch, and saves the running mean of the weights now and then and at the end."""
    descent = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=decay)
    ema = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True)
    mean = torch.zeros(())
    began, step = time.time(), 0
    saved = began
    while True:
        part = step / args.steps if args.steps else (time.time() - began) / 60 / args.minutes
        if part >= 1:
            break
        for g in descent.param_groups:
            g["lr"] = args.rate * min(1.0, (step + 1) / 100) * max(0.02, 1 - part)
        loss = next(losses)
        descent.zero_grad()
        loss.backward()
        descent.step()
        ema.update_parameters(net)
        mean = 0.98 * mean + 0.02 * loss.detach() if step else loss.detach()
        step += 1
        if step % 100 == 0:
            print(f"{step} {float(mean):.3f} {time.time() - began:.0f} s", flush=True)
        if time.time() - saved > SAVED:
            save(ema.module)
            saved = time.time()
    save(ema.module)
    print(f"{step} steps")


def write(net: nn.Module, shape: tuple[int, ...], args: argparse.Namespace, any_size: bool = False) -> None:
    """The ONNX file, and the weights where ``--keep`` says so."""
    if args.keep:
        torch.save(net.state_dict(), args.keep)
    export(net, (torch.zeros(shape),), args.model, ["x"], ["y"], any_size)
