"""Materials painted with numpy: wood, cork, felt, vinyl, leather, cloth, stone, marble, pearl.

Every painter returns (rgb, height): float32 arrays (h, w, 3) display-referred sRGB 0..1 and (h, w) 0..1. Painted
images render several times faster than procedural shader nodes, which is what counts on one core.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Rng = np.random.Generator
Rgb = tuple[float, float, float]

_N = 512  # side of the periodic noise tiles


def vec(*xyz: float) -> Array:
    """A point or step from its coordinates."""
    return np.array(xyz, float)


def noise(rng: Rng, beta: float, stretch: tuple[float, float] = (1.0, 1.0), low: float = 1.0, n: int = _N) -> Array:
    """A periodic (n, n) tile of noise with mean 0 and deviation 1 whose power falls as 1/f^beta.

    ``stretch`` (x, y) draws it out along an axis; frequencies under ``low`` cycles a tile are left out.
    """
    f = np.fft.fftfreq(n, 1 / n)
    fx, fy = np.meshgrid(np.fft.rfftfreq(n, 1 / n) * stretch[0], f * stretch[1])
    r = np.hypot(fx, fy)
    amp = np.where(r < low, 0.0, np.maximum(r, 1e-3) ** (-beta / 2))
    white = np.fft.rfft2(rng.standard_normal((n, n)))
    out = np.fft.irfft2(white * amp, s=(n, n))
    return np.asarray((out - out.mean()) / (out.std() + 1e-9), np.float32)


def fit(tile: Array, h: int, w: int, rng: Rng | None = None) -> Array:
    """Repeats a periodic tile over (h, w), starting anywhere when ``rng`` is given."""
    if rng is not None:
        tile = np.roll(tile, rng.integers(0, tile.shape[0], 2), (0, 1))
    reps = (-(-h // tile.shape[0]), -(-w // tile.shape[1]))
    return np.asarray(np.tile(tile, reps + (1,) * (tile.ndim - 2))[:h, :w])


def lerp(a: Rgb | Array, b: Rgb | Array, t: Array) -> Array:
    """Mixes two colours (or images) by ``t`` (h, w) in 0..1."""
    t3 = np.clip(t, 0, 1)[..., None].astype(np.float32)
    return np.asarray(np.asarray(a, np.float32) * (1 - t3) + np.asarray(b, np.float32) * t3, np.float32)


def _shade(rgb: Array, by: Array) -> Array:
    return np.asarray(np.clip(rgb * (1 + by[..., None]), 0, 1), np.float32)


def near_colour(rng: Rng, rgb: Rgb, spread: float = 0.04) -> Rgb:
    """A colour close to ``rgb``: pieces of one set never match exactly."""
    v = np.clip(np.asarray(rgb) * (1 + rng.normal(0, spread)) + rng.normal(0, spread * 0.35, 3), 0.005, 1)
    return (float(v[0]), float(v[1]), float(v[2]))


def wood(rng: Rng, h: int, w: int, rgb: Rgb, ppc: float, contrast: float | None = None, planks: float = 0.0) -> tuple[Array, Array]:
    """Wood with its grain along x; ``ppc`` pixels a cm; ``planks`` > 0: boards of that width in cm side by side."""
    k = rng.uniform(0.12, 0.4) if contrast is None else contrast
    y, x = np.mgrid[0:h, 0:w].astype(np.float32) / ppc
    warp = fit(noise(rng, 3.0, (6.0, 1.0)), h, w, rng)
    fibre = fit(noise(rng, 1.0, (24.0, 1.0), 4), h, w, rng)
    pores = fit(noise(rng, 0.6, (14.0, 0.7), 30), h, w, rng)
    shift = np.zeros((h, w), np.float32)
    tone = np.zeros((h, w), np.float32)
    seam = np.zeros((h, w), np.float32)
    if planks > 0:
        row = np.floor(y / planks).astype(int)
        offsets = rng.uniform(0, 50, row.max() + 1).astype(np.float32)
        shift = offsets[row]
        tone = (rng.normal(0, 0.08, row.max() + 1).astype(np.float32))[row]
        edge = np.abs(y / planks - np.round(y / planks)) * planks
        seam = np.exp(-((edge * ppc / 1.2) ** 2)) * 0.6
    rings = np.sin((y + shift) * rng.uniform(1.0, 5.0) + warp * rng.uniform(1.0, 3.5) + 0.02 * x)
    v = 0.5 * rings + 0.5 * fibre * 0.7
    dark = pores < -1.6
    rgb_image = _shade(np.broadcast_to(np.asarray(rgb, np.float32), (h, w, 3)), k * (0.55 * v) + tone - 0.35 * k * dark - seam)
    warmth = np.asarray((0.03, 0.0, -0.03), np.float32) * v[..., None] * k
    height = np.clip(0.5 + 0.12 * fibre - 0.3 * dark - 0.5 * seam, 0, 1)
    return np.clip(rgb_image + warmth, 0, 1), height.astype(np.float32)


def felt(rng: Rng, h: int, w: int, rgb: Rgb, ppc: float) -> tuple[Array, Array]:
    """Felt, flock or suede: fine nap and faint brushed patches."""
    fine = fit(noise(rng, 0.4, (1.0, 1.0), 20), h, w, rng)
    big = fit(noise(rng, 3.0), h, w, rng)
    flat = np.broadcast_to(np.asarray(rgb, np.float32), (h, w, 3))
    return _shade(flat, rng.uniform(0.02, 0.1) * fine + rng.uniform(0.01, 0.06) * big), np.clip(0.5 + 0.15 * fine, 0, 1)


def vinyl(rng: Rng, h: int, w: int, rgb: Rgb, ppc: float) -> tuple[Array, Array]:
    """Pebbled vinyl or leather: bumps of about a millimetre."""
    cells = -np.abs(fit(noise(rng, 1.2, (1, 1), rng.uniform(15, 40)), h, w, rng))
    big = fit(noise(rng, 2.5), h, w, rng)
    flat = np.broadcast_to(np.asarray(rgb, np.float32), (h, w, 3))
    return _shade(flat, rng.uniform(0.03, 0.12) * (cells + 0.8) + rng.uniform(0, 0.05) * big), np.clip(1 + 0.4 * cells, 0, 1)


def cork(rng: Rng, h: int, w: int, rgb: Rgb, ppc: float) -> tuple[Array, Array]:
    """Pressed cork: grains of several tones, some nearly black."""
    a = fit(noise(rng, 1.0, (1, 1), rng.uniform(12, 30)), h, w, rng)
    b = fit(noise(rng, 0.6, (1, 1), 35), h, w, rng)
    v = 0.16 * np.sign(a) * np.abs(a) ** 0.5 + 0.08 * b - 0.35 * (b < -2.0) - 0.2 * (a < -1.9)
    flat = np.broadcast_to(np.asarray(rgb, np.float32), (h, w, 3))
    return _shade(flat, v), np.clip(0.5 + 0.2 * a, 0, 1)


def cloth(rng: Rng, h: int, w: int, rgb: Rgb, ppc: float) -> tuple[Array, Array]:
    """Woven cloth, sometimes with a check or stripes in a second tone."""
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    period = max(2.5, rng.uniform(0.06, 0.3) * ppc)
    weave = np.sin(x * 2 * np.pi / period) * np.sin(y * 2 * np.pi / period)
    fine = fit(noise(rng, 0.5, (1, 1), 10), h, w, rng)
    image = _shade(np.broadcast_to(np.asarray(rgb, np.float32), (h, w, 3)), 0.05 * weave + 0.05 * fine)
    kind = rng.random()
    if kind < 0.3:
        size = rng.uniform(1.0, 6.0) * ppc
        second = near_colour(rng, (rng.random(), rng.random(), rng.random()), 0.1)
        stripes = (np.sin(x * 2 * np.pi / size) > rng.uniform(-0.5, 0.8)).astype(np.float32)
        if kind < 0.15:
            stripes = 0.5 * stripes + 0.5 * (np.sin(y * 2 * np.pi / size) > 0)
        image = lerp(image, _shade(image * 0 + np.asarray(second, np.float32), 0.05 * weave), stripes * rng.uniform(0.3, 1.0))
    return image, np.clip(0.5 + 0.4 * weave, 0, 1).astype(np.float32)


def stone(rng: Rng, h: int, w: int, rgb: Rgb, ppc: float) -> tuple[Array, Array]:
    """Laminate, terrazzo or granite: speckles on a plain ground."""
    a = fit(noise(rng, 0.3, (1, 1), 20), h, w, rng)
    b = fit(noise(rng, 1.8), h, w, rng)
    v = rng.uniform(0.0, 0.06) * a + rng.uniform(0.0, 0.08) * b - rng.uniform(0, 0.3) * (a > 2.0)
    return _shade(np.broadcast_to(np.asarray(rgb, np.float32), (h, w, 3)), v), np.full((h, w), 0.5, np.float32)


def plain(rng: Rng, h: int, w: int, rgb: Rgb, ppc: float) -> tuple[Array, Array]:
    """Paint or plastic, all but even."""
    b = fit(noise(rng, 2.5), h, w, rng)
    return _shade(np.broadcast_to(np.asarray(rgb, np.float32), (h, w, 3)), rng.uniform(0, 0.03) * b), np.full((h, w), 0.5, np.float32)


def marble(rng: Rng, h: int, w: int, rgb: Rgb, ppc: float) -> tuple[Array, Array]:
    """Marbled plastic: dark or light veins."""
    turbulence = np.abs(fit(noise(rng, 2.2), h, w, rng)) + 0.5 * np.abs(fit(noise(rng, 1.6, (1, 1), 8), h, w, rng))
    vein = np.exp(-turbulence * rng.uniform(2, 5))
    other = near_colour(rng, tuple(np.clip(np.asarray(rgb) * rng.choice([0.35, 0.6, 1.5]) + rng.choice([0, 0.2]), 0, 1)), 0.1)
    return lerp(rgb, other, vein * rng.uniform(0.4, 1.0)), np.full((h, w), 0.5, np.float32)


def pearl(rng: Rng, h: int, w: int, rgb: Rgb, ppc: float) -> tuple[Array, Array]:
    """Pearly swirls, as in cast resin."""
    v = np.sin(fit(noise(rng, 2.8), h, w, rng) * rng.uniform(1.5, 4)) * 0.5 + 0.5
    lighter = tuple(np.clip(np.asarray(rgb) * 1.15 + 0.12, 0, 1))
    darker = tuple(np.asarray(rgb) * rng.uniform(0.6, 0.9))
    return lerp(darker, lighter, v), np.full((h, w), 0.5, np.float32)


PAINTERS = {
    "wood": wood,
    "felt": felt,
    "vinyl": vinyl,
    "leather": vinyl,
    "cork": cork,
    "cloth": cloth,
    "stone": stone,
    "plain": plain,
    "marble": marble,
    "pearl": pearl,
}


def paint(kind: str, rng: Rng, h: int, w: int, rgb: Rgb, ppc: float) -> tuple[Array, Array]:
    """Paints ``kind`` (a name of `PAINTERS`) over (h, w) at ``ppc`` pixels a cm."""
    image, height = PAINTERS[kind](rng, h, w, rgb, ppc)
    return np.clip(image, 0, 1).astype(np.float32), height.astype(np.float32)
