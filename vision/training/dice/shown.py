"""What a net is shown of stored crops of dice and cubes: at other scales and places, in other colours, with a camera's faults.

Worked out for many at once by PyTorch, on a GPU where there is one. A crop is (144, 144, 3) bytes, BGR; what a net is shown of it is made
on a square sheet of camera pixels that is larger than needed, of which the net's square is then taken.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch.nn import functional as F

from vision.training.dice.label import CROP

PLANE = 0.01  # how far off the level plane is that set-up finds: of 61 boards squares came out 0.015 from square on average
LARGER = 1.2  # a crop is imitated with so many times the net's pixels at most
SIGMA, BLURRED_BELOW = 0.45, 0.75  # camera px; a crop shown smaller than so is softened, or its detail would flicker
LUMA = torch.tensor([[0.114, 0.587, 0.299], [0.5, -0.331264, -0.168736], [-0.081312, -0.418688, 0.5]])  # Y, Cb, Cr of B, G, R (JFIF)
TABLES = torch.tensor([  # of JPEG (ITU T.81, annex K), luminance and chrominance, a row of eight each line
    [[16, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55], [14, 13, 16, 24, 40, 57, 69, 56], [14, 17, 22, 29, 51, 87, 80, 62],
     [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92], [49, 64, 78, 87, 103, 121, 120, 101],
     [72, 92, 95, 98, 112, 100, 103, 99]],
    [[17, 18, 24, 47, 99, 99, 99, 99], [18, 21, 26, 66, 99, 99, 99, 99], [24, 26, 56, 99, 99, 99, 99, 99], [47, 66, 99, 99, 99, 99, 99, 99],
     *[[99] * 8] * 4],
]).float()  # fmt: skip


@dataclass(frozen=True)
class Placing:
    """How each of n crops is shown: ``matrix`` (n, 2, 2) takes it to camera pixels, its middle to ``goal`` (n, 2) px, and makes it
    ``scale`` (n,) times as large; ``middle`` (n,) camera pixels make the net's square."""

    matrix: torch.Tensor
    goal: torch.Tensor
    scale: torch.Tensor
    middle: torch.Tensor


class Dice:
    """Random numbers of a seed, on a device."""

    def __init__(self, seed: int, device: torch.device) -> None:
        self.device = device
        self._given = torch.Generator(device).manual_seed(seed)

    def uniform(self, low: float, high: float, *shape: int) -> torch.Tensor:
        return low + (high - low) * torch.rand(shape, generator=self._given, device=self.device)

    def normal(self, spread: float, *shape: int) -> torch.Tensor:
        return spread * torch.randn(shape, generator=self._given, device=self.device)

    def below(self, most: int, *shape: int) -> torch.Tensor:
        return torch.randint(most, shape, generator=self._given, device=self.device)

    def happens(self, share: float, n: int) -> torch.Tensor:
        """(n,) of which so large a ``share`` is true."""
        return torch.rand(n, generator=self._given, device=self.device) < share

    def some(self, share: float, n: int) -> torch.Tensor:
        """The numbers of those of n things that are chosen."""
        return self.happens(share, n).nonzero()[:, 0]

    def drawn(self, weights: torch.Tensor, n: int) -> torch.Tensor:
        """n numbers of things, each as often as its weight says."""
        return torch.searchsorted(weights.cumsum(0), self.uniform(0, 1, n) * weights.sum()).clamp(max=len(weights) - 1)


def rotation(angle: torch.Tensor) -> torch.Tensor:
    """(n,) radians to (n, 2, 2)."""
    c, s = angle.cos(), angle.sin()
    return torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)


def levelled(level: torch.Tensor, dice: Dice) -> torch.Tensor:
    """The ``level`` (n, 2, 2) of crops as set-up finds it, a little off."""
    return (torch.eye(2, device=level.device) + dice.normal(PLANE, *level.shape)) @ level


def mirrored(matrix: torch.Tensor, flip: torch.Tensor) -> torch.Tensor:
    """``matrix`` (n, 2, 2), with left and right exchanged afterwards where ``flip`` (n,) says so."""
    sign = torch.where(flip, -1.0, 1.0)
    return matrix * torch.stack([sign, torch.ones_like(sign)], 1)[..., None]


def shape_of(quad: torch.Tensor, change: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """How far top faces of which the corners ``quad`` (n, 4, 2) are seen through ``change`` (n, 2, 2) are from a square: how much wider
    than tall, how slanting, in -1..1, and 1 where that is known. None of it depends on how a die is turned about its own upright."""
    a, b = quad[:, 1] - quad[:, 0] + quad[:, 2] - quad[:, 3], quad[:, 2] - quad[:, 1] + quad[:, 3] - quad[:, 0]
    sides = change @ torch.stack([a, b], 2)
    spread = sides @ sides.transpose(1, 2)
    size = spread[:, 0, 0] + spread[:, 1, 1]
    known = size > 1e-6
    by = known / size.clamp(min=1e-6)
    return (spread[:, 0, 0] - spread[:, 1, 1]) * by, 2 * spread[:, 0, 1] * by, known.float()


def sheet_of(size: int) -> int:
    """The side of the sheet, px, for a net of ``size``: whole JPEG blocks of colour."""
    return math.ceil(size * LARGER / 16) * 16


def pictured(images: torch.Tensor, placing: Placing, size: int, dice: Dice) -> torch.Tensor:
    """Stored crops (n, 144, 144, 3) as a camera with so few pixels, another light and its faults would show them: (n, 3, size, size),
    0..255, BGR."""
    side, n = sheet_of(size), len(images)
    x = _sampled(images.permute(0, 3, 1, 2).float(), placing, side)
    x = recoloured(x, dice)
    few = dice.some(0.35, n)
    x[few] = _blurred(x[few], dice.uniform(0.4, 1.1, len(few)) * (placing.middle[few] / size).clamp(min=0.6))
    few = dice.some(0.12, n)
    if len(few):
        x[few] = _shaken(x[few], dice)
    x = worsened(x, dice)
    return _taken(x, placing.middle, size)


def normal(x: torch.Tensor) -> torch.Tensor:
    """(n, 3, h, w): mean 0, spread about 1 over each crop."""
    mean, spread = x.mean((1, 2, 3), keepdim=True), x.std((1, 2, 3), keepdim=True, correction=0)
    return (x - mean) / (spread + 8)


def _sampled(x: torch.Tensor, placing: Placing, side: int) -> torch.Tensor:
    """(n, 3, side, side): each camera pixel one look, or the mean of nine, as far apart as the softening of a crop shown smaller wants."""
    soft = placing.scale < BLURRED_BELOW
    out = x.new_empty(len(x), 3, side, side)
    for which, looks in (((~soft).nonzero()[:, 0], 1), (soft.nonzero()[:, 0], 3)):
        out[which] = _looks(x[which], torch.linalg.inv(placing.matrix[which]), placing.goal[which], side, looks)
    return out


def _looks(x: torch.Tensor, back: torch.Tensor, goal: torch.Tensor, side: int, looks: int) -> torch.Tensor:
    """(n, 3, side, side): each camera pixel the mean of ``looks`` by ``looks``; ``back`` (n, 2, 2) takes camera pixels to the crops'."""
    apart = SIGMA * math.sqrt(1.5)  # nine points so far apart have that spread
    near = (torch.arange(looks, device=x.device) - looks // 2) * apart
    along = (torch.arange(side, device=x.device)[:, None] + near).flatten()
    there = torch.stack(torch.meshgrid(along, along, indexing="xy"), -1) - goal[:, None, None]
    grid = (there @ back.transpose(1, 2)[:, None] + CROP / 2 + 0.5) * (2 / CROP) - 1
    return F.avg_pool2d(F.grid_sample(x, grid, "bilinear", "reflection", align_corners=False), looks)


def recoloured(x: torch.Tensor, dice: Dice) -> torch.Tensor:
    """(n, 3, h, w) in other light and, at times, other colours."""
    n = len(x)
    few = dice.some(0.3, n)
    orders = torch.tensor([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]], device=x.device)
    x[few] = x[few].gather(1, orders[dice.below(6, len(few))][:, :, None, None].expand(-1, -1, *x.shape[2:]))
    few = dice.some(0.06, n)
    x[few] = 255 - x[few]
    few = dice.some(0.2, n)
    x[few] = torch.einsum("nij,njhw->nihw", _hues_turned(dice.uniform(0, 2 * math.pi, len(few))), x[few])
    few = dice.some(0.1, n)
    x[few] = x[few].mean(1, keepdim=True).expand(-1, 3, -1, -1)
    x = 255 * (x / 255).clamp(1e-4, 1) ** dice.uniform(0.65, 1.5, n)[:, None, None, None]
    x = x * ((1 + dice.normal(0.06, n, 3)) * dice.uniform(0.6, 1.35, n, 1))[:, :, None, None] + dice.normal(8, n)[:, None, None, None]
    few = dice.some(0.1, n)  # too bright: light dice wash out
    bright = torch.quantile(x[few][:, :, ::3, ::3].flatten(1), 0.98, dim=1).clamp(min=60) if len(few) else x.new_zeros(0)
    x[few] = (x[few] * (dice.uniform(235, 330, len(few)) / bright)[:, None, None, None]).clamp(max=255)
    return x


def _hues_turned(angle: torch.Tensor) -> torch.Tensor:
    """(n, 3, 3): turns colours about the grey axis by ``angle`` (n,) radians (Rodrigues)."""
    third = math.sqrt(1 / 3)
    cross = torch.tensor([[0, -third, third], [third, 0, -third], [-third, third, 0]], device=angle.device)
    c, s = angle.cos()[:, None, None], angle.sin()[:, None, None]
    return c * torch.eye(3, device=angle.device) + s * cross + (1 - c) / 3


def _blurred(x: torch.Tensor, sigma: torch.Tensor) -> torch.Tensor:
    """(n, 3, h, w), softened by ``sigma`` (n,) px, up to about 2."""
    taps = torch.arange(-4.0, 5.0, device=x.device)
    weights = torch.exp(-(taps**2) / (2 * sigma[:, None] ** 2))
    weights = (weights / weights.sum(1, keepdim=True))[..., None, None, None]
    for axes in ((0, 0, 4, 4), (4, 4, 0, 0)):
        padded, out = F.pad(x, axes, "reflect"), torch.zeros_like(x)
        for k in range(9):
            here = padded[:, :, k : k + x.shape[2]] if axes[0] == 0 else padded[..., k : k + x.shape[3]]
            out += weights[:, k] * here
        x = out
    return x


def _shaken(x: torch.Tensor, dice: Dice) -> torch.Tensor:
    """(n, 3, h, w), blurred along a short way, as by a camera that shook."""
    n, side = len(x), x.shape[2]
    angle, far = dice.uniform(0, math.pi, n), dice.uniform(0.5, 3.5, n)
    way = torch.stack([angle.cos(), angle.sin()], 1) * far[:, None] * (2 / side)
    plain = torch.eye(2, 3, device=x.device).expand(n, 2, 3)
    out = torch.zeros_like(x)
    for part in (-0.5, -0.17, 0.17, 0.5):
        moved = torch.cat([plain[..., :2], (part * way)[..., None]], 2)
        out += F.grid_sample(x, F.affine_grid(moved, list(x.shape), align_corners=False), "bilinear", "border", align_corners=False) / 4
    return out


def worsened(x: torch.Tensor, dice: Dice) -> torch.Tensor:
    """(n, 3, h, w) with noise and JPEG, at times much of it; 0..255."""
    n = len(x)
    few = dice.some(0.1, n)  # pips that hardly differ from the die: what is left of them must stand out from the noise
    mean = x[few].mean((1, 2, 3), keepdim=True)
    x[few] = mean + (x[few] - mean) * dice.uniform(0.25, 0.7, len(few), 1, 1, 1)
    spread = torch.where(dice.happens(0.85, n), dice.uniform(0.5, 7, n), dice.uniform(7, 16, n)) * dice.happens(0.6, n)
    x = (x + dice.normal(1, *x.shape) * spread[:, None, None, None]).clamp(0, 255)
    few = dice.some(0.4, n)
    x[few] = jpeg(x[few], dice.uniform(45, 96, len(few)))
    return x


def jpeg(x: torch.Tensor, quality: torch.Tensor) -> torch.Tensor:
    """(n, 3, h, w), 0..255, BGR, as JPEG of ``quality`` (n,), with half as fine colours, keeps it; sides are whole blocks of 16."""
    device = x.device
    matrix = LUMA.to(device)
    ycc = torch.einsum("ij,njhw->nihw", matrix, x)
    scale = torch.where(quality < 50, 50 / quality, 2 - quality / 50)  # libjpeg's
    tables = (TABLES.to(device)[None] * scale[:, None, None, None]).round().clamp(1, 255)
    k = torch.arange(8.0, device=device)
    basis = torch.cos((2 * k[None] + 1) * k[:, None] * math.pi / 16) / 2
    basis[0] /= math.sqrt(2)

    def kept(plane: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
        n, h, w = plane.shape
        blocks = plane.reshape(n, h // 8, 8, w // 8, 8).permute(0, 1, 3, 2, 4)
        steps = table[:, None, None]
        back = basis.T @ ((basis @ blocks @ basis.T / steps).round() * steps) @ basis
        return back.permute(0, 1, 3, 2, 4).reshape(n, h, w)

    light = kept(ycc[:, 0] - 128, tables[:, 0]) + 128
    halves = F.avg_pool2d(ycc[:, 1:], 2)
    colours = torch.stack([kept(halves[:, c], tables[:, 1]) for c in (0, 1)], 1)
    colours = F.interpolate(colours, scale_factor=2, mode="bilinear", align_corners=False)
    back = torch.linalg.inv(matrix)
    return torch.einsum("ij,njhw->nihw", back, torch.cat([light[:, None], colours], 1)).round().clamp(0, 255)


def _taken(x: torch.Tensor, middle: torch.Tensor, size: int) -> torch.Tensor:
    """The first ``middle`` (n,) px of each sheet, both ways, as ``size`` px."""
    steps = (torch.arange(size, device=x.device) + 0.5) / size
    along = middle[:, None] * steps * (2 / x.shape[2]) - 1
    grid = torch.stack([along[:, None, :].expand(-1, size, -1), along[:, :, None].expand(-1, -1, size)], -1)
    return F.grid_sample(x, grid, "bilinear", "border", align_corners=False)

