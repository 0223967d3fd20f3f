"""Trains the net that tells whether a die leans, and writes its ONNX file.

    python -m vision.training.dice.train_lean --data DATA --drawn OUT --rendered CROPS --start dice_close.onnx --model dice_lean.onnx

OUT holds what dice.make wrote, CROPS what `render --what crops --leaning 0.9` does. With --crops it draws from what dice.train kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import torch
from torch.nn import functional as F

from vision.dice.net import LEAN_EDGE, LEAN_SIZE, SIZE
from vision.training.dice.fit import arguments, fit, told, write
from vision.training.dice.label import A_DIE, EDGE
from vision.training.dice.nets import OUT, CropNet, LeanNet
from vision.training.dice.shown import Dice, Placing, levelled, mirrored, normal, pictured, rotation, shape_of
from vision.training.dice.stock import Groups, Stock, kept, stock_of, worked
from vision.training.dice.train import gather
from vision.training.fit import CORES, prepare
from vision.training.precision import autocast
from vision.training.weights import begin

SHARES = {"rendered": 0.8, "boards": 0.05, "drawn": 0.15}
FINE = 12.0, 50.0  # px: a die's edge in the pictures that are imitated
LEANS = 3.0  # degrees
TURN = 1.5  # degrees, by the cosine of the elevation: how far off set-up has where up is (on 96 boards 1.4 degrees at an elevation of 45,
# 2.5 at 63, 8 at 75); a net that was shown less took flat dice for leaning ones where another side showed than it thought
SEEN = 120.0  # degrees times px from which a lean is asked for: less cannot be told from flat
GLARE = 0.1  # of the dice have a lamp mirrored in their top face


def batch(stock: Stock, n: int, dice: Dice) -> tuple[torch.Tensor, torch.Tensor]:
    """Inputs (n, 4, 96, 96), and of each its tilt, px, the top face's shape (2), whether that is known, its corners (8). A die's place and
    size are known but for what the readers are wrong by."""
    images, t = stock.draw(n, dice)
    turned = TURN / torch.deg2rad(t["elevation"]).cos().clamp(min=0.05)
    spin = torch.deg2rad((dice.normal(1, n) * turned).clamp(-40, 40))
    zoom = dice.normal(0.06, n).exp()
    shift = dice.normal(0.05, n, 2).clamp(-0.15, 0.15)
    px = dice.uniform(math.log(FINE[0]), math.log(FINE[1]), n).exp()
    middle = (LEAN_SIZE * px / LEAN_EDGE).round().clamp(30, LEAN_SIZE * 1.2)
    edge = LEAN_EDGE * middle / LEAN_SIZE
    k = edge / EDGE * zoom
    flip = dice.happens(0.5, n)
    m = mirrored(k[:, None, None] * rotation(spin) @ levelled(t["level"], dice), flip)
    corners = (t["quad"] - t["quad"].mean(1, keepdim=True)) @ m.transpose(1, 2) / edge[:, None, None]
    corners = torch.where(flip[:, None, None], corners.flip(1), corners)
    goal = (middle / 2)[:, None] + shift * edge[:, None]
    x = normal(pictured(images, Placing(m, goal, k, middle), LEAN_SIZE, dice))
    said = (t["elevation"] + dice.normal(2.5, n)).clamp(20, 90)
    plane = torch.deg2rad(said).sin()[:, None, None, None].expand(-1, 1, LEAN_SIZE, LEAN_SIZE)
    truth = torch.stack([t["tilt"], px, *shape_of(t["quad"], m)], 1)
    return torch.cat([x, plane], 1), torch.cat([truth, corners.flatten(1)], 1)


def lean_loss(y: torch.Tensor, t: torch.Tensor) -> torch.Tensor:
    tilt, known = t[:, 0], t[:, 4]
    seen = ((tilt <= 0) | (tilt * t[:, 1] > SEEN)).float()
    leans = F.binary_cross_entropy_with_logits(y[:, 0], (tilt > LEANS).float(), reduction="none")
    loss = 2 * (leans * seen).sum() / seen.sum().clamp(min=1)
    loss = loss + F.smooth_l1_loss(y[:, 1], tilt.clamp(0, 45) / 20, beta=0.1)
    loss = loss + 10 * (F.smooth_l1_loss(y[:, 2:4], t[:, 2:4], reduction="none", beta=0.05).sum(1) * known).mean()
    said, corners = y[:, 4:12].reshape(-1, 4, 2), t[:, 5:13].reshape(-1, 4, 2)
    turned = [F.smooth_l1_loss(said, corners.roll(k, 1), reduction="none", beta=0.05).sum((1, 2)) for k in range(4)]
    return loss + 2 * (torch.stack(turned, 1).min(1)[0] * known).mean()  # a die has no first corner


def leaning_dice(groups: Groups) -> Groups:
    """Of the groups in `SHARES`, those crops that show a die of which it is known how it lies, and from where it is seen."""
    out = Groups()
    for group in groups:
        labels = group.labels
        told = (labels["kind"] == A_DIE) & (labels["tilt"] >= 0) & (labels["elevation"] > 0)
        if group.name in SHARES:
            out.put(group.name, group.images[told], labels[told], SHARES[group.name])
    return out


def losses(stock: Stock, net: LeanNet, size: int, dice: Dice) -> Iterator[torch.Tensor]:
    while True:
        x, t = batch(stock, size, dice)
        with autocast(dice.device):
            y = net.taught(x.to(memory_format=torch.channels_last))
        yield lean_loss(y.float(), t)


def begun(path: Path, x: torch.Tensor) -> LeanNet:
    """The net with the weights of ``path``: its own or, for its body, those of the closer look; ``x`` as in `begin`."""
    net = LeanNet()
    if path.name.startswith("dice_close") and path.suffix == ".onnx":
        closer = CropNet(OUT)
        cut = slice((LEAN_SIZE - SIZE) // 2, (LEAN_SIZE + SIZE) // 2)
        begin(closer, path, x[..., cut, cut])
        net.body.load_state_dict(closer.body.state_dict())
    else:
        begin(net, path, x, partly=path.suffix == ".onnx")  # an ONNX file tells nothing of what is taught besides
    return net


def main() -> None:
    ap = arguments(__doc__, crops=True)
    ap.add_argument("--rendered", type=Path, help="crop folders of the renderer")
    ap.set_defaults(frames=None, cubes=False, close=False)
    args = told(ap)
    rng = prepare(args.seed, CORES)
    groups = leaning_dice(kept(args.crops) if args.crops else gather(args, rng))
    work = partial(worked, edge=EDGE, glares=GLARE, hands=0.0)
    stock, dice = stock_of(groups, work, args.seed, args.device, args.each, args.makers), Dice(args.seed, args.device)
    net = begun(args.start, batch(stock, 64, dice)[0].cpu()) if args.start else LeanNet()
    net = net.to(args.device, memory_format=torch.channels_last)
    shape = (1, 4, LEAN_SIZE, LEAN_SIZE)
    fit(net, losses(stock, net, args.batch, dice), lambda mean: write(mean, shape, args), args, 1e-3)


if __name__ == "__main__":
    main()
