"""What the surfaces of drawn boards look like: noise, the pips of a die, the pattern of the field."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

TEXTURES, SIDE = 12, 256


@njit(cache=True, fastmath=True)
def texture(textures, which, u, v):  # type: ignore[no-untyped-def]  # numba finds the types
    n = textures.shape[1]
    fu, fv = u - math.floor(u), v - math.floor(v)
    x, y = fu * n, fv * n
    i, j = int(x), int(y)
    ax, ay = x - i, y - j
    i, j = i % n, j % n
    i2, j2 = (i + 1) % n, (j + 1) % n
    t = textures[which]
    return (t[j, i] * (1 - ax) + t[j, i2] * ax) * (1 - ay) + (t[j2, i] * (1 - ax) + t[j2, i2] * ax) * ay


@njit(cache=True, fastmath=True)
def pip(value, u, v):  # type: ignore[no-untyped-def]  # numba finds the types
    """Whether (u, v) in -1..1 of a die's face lies in one of its pips."""
    r2, s = 0.04, 0.5
    if value % 2 == 1 and u * u + v * v < r2:
        return True
    if value >= 2 and ((u - s) ** 2 + (v - s) ** 2 < r2 or (u + s) ** 2 + (v + s) ** 2 < r2):
        return True
    if value >= 4 and ((u - s) ** 2 + (v + s) ** 2 < r2 or (u + s) ** 2 + (v - s) ** 2 < r2):
        return True
    return value == 6 and ((u - s) ** 2 + v * v < r2 or (u + s) ** 2 + v * v < r2)


@njit(cache=True, fastmath=True)
def field_material(x, y, f):  # type: ignore[no-untyped-def]  # numba finds the types
    """Material of the field at (x, y). f: half w, half h, bar half, pitch, slack, border, length, base share, outline,
    ornament half w, half h, chevrons, then materials ground, odd, even, outline, ornament a, ornament b."""
    ax = abs(x)
    if ax < f[2]:
        return int(f[12])
    inner = f[0] - f[2]
    c = (ax - f[2] - f[4]) / f[3]
    k = math.floor(c)
    if 0 <= k < 6:
        off = (c - k - 0.5) * f[3]
        depth = f[1] - abs(y) - f[5]
        if 0 <= depth < f[6]:
            half = 0.5 * f[3] * f[7] * (1 - depth / f[6])
            if abs(off) < half:
                if half - abs(off) < f[8]:
                    return int(f[15])
                parity = (int(k) + (1 if x > 0 else 0) + (1 if y > 0 else 0)) % 2
                if f[11] > 0 and int(depth / f[11]) % 3 == 2:
                    return int(f[16])
                return int(f[13]) if parity else int(f[14])
    if f[9] > 0:
        q = abs(ax - f[2] - inner / 2) / f[9] + abs(y) / f[10]
        if q < 1:
            return int(f[16]) if int(q * 4) % 2 == 0 else int(f[17])
    return int(f[12])


def noise_textures(rng: Any) -> Any:
    """Tileable grey textures (`TEXTURES`, `SIDE`, `SIDE`) 0..1: clouds, wood grain, marble veins, speckle."""
    axis = np.fft.fftfreq(SIDE) * SIDE
    ky, kx = np.meshgrid(axis, axis, indexing="ij")

    def clouds(power: float, stretch: float) -> Any:
        spectrum = np.fft.fft2(rng.standard_normal((SIDE, SIDE)))
        k = np.sqrt(kx**2 + (ky * stretch) ** 2)
        k[0, 0] = 1
        field = np.real(np.fft.ifft2(spectrum / k**power))
        field -= field.mean()
        return field / field.std()

    textures = []
    for i in range(TEXTURES):
        style = i % 4
        if style == 0:
            t = clouds(rng.uniform(0.9, 1.8), 1.0)
        elif style == 1:
            t = np.sin(clouds(1.6, rng.uniform(0.05, 0.2)) * rng.uniform(4, 10)) + 0.4 * clouds(0.8, 0.1)
        elif style == 2:
            t = 2 - 4 * np.abs(np.tanh(clouds(1.7, 1.0) * rng.uniform(1.5, 4)))
        else:
            t = clouds(rng.uniform(0.0, 0.6), 1.0)
        t = (t - t.mean()) / t.std()
        textures.append(np.clip(0.5 + 0.28 * t, 0, 1))
    return np.stack(textures).astype(np.float32)
