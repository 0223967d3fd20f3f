"""From linear light to the picture a webcam or phone stores: lens, exposure, colour, noise, sharpening, JPEG."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from .paint import Array, Rng
from .view import Cam, undistort


@dataclass(frozen=True, slots=True)
class Film:
    """How one camera treats what it sees; the same for all pictures of a set-up."""

    exposure: float  # of the frame's mean, before the curve
    highlights: float  # the most that all but the brightest fiftieth of the frame may be, before the curve
    shoulder: float  # highlights are rolled off above this
    white: tuple[float, float, float]
    saturation: float
    contrast: float
    vignette: float
    blur: float  # px
    sharpen: float
    noise: float
    quality: int
    grey: bool


def draw_film(rng: Rng, quality: int | None = None) -> Film:
    """A camera that meters as real ones do: of its pictures up to a twentieth is burnt out, of one in two less than 1 %, as in
    photographs of boards and of dice on a table."""
    return Film(
        float(rng.choice([rng.uniform(0.1, 0.22), rng.uniform(0.06, 0.3)])),
        float(np.exp(rng.uniform(np.log(0.7), np.log(2.0)))),
        float(rng.uniform(0.5, 0.9)),
        tuple(float(v) for v in np.exp(rng.normal(0, 0.05, 3))),  # type: ignore[arg-type]
        float(rng.uniform(0.75, 1.3)),
        float(rng.uniform(0.9, 1.2)),
        float(rng.uniform(0, 0.35)),
        float(rng.choice([0, 0.3, 0.4, 0.6, 1.0])),
        float(rng.choice([0, 0, 0.3, 0.7, 1.2])),
        float(rng.choice([0.002, 0.006, 0.012, 0.025])),
        int(quality if quality else rng.choice([60, 72, 80, 85, 90, 95])),
        bool(rng.random() < 0.04),
    )


def blurred(a: Array, sigma: float) -> Array:
    """Gaussian blur of (h, w, c)."""
    if sigma <= 0:
        return a
    r = max(1, int(3 * sigma))
    k = np.exp(-0.5 * (np.arange(-r, r + 1) / sigma) ** 2)
    k /= k.sum()
    for axis in (0, 1):
        pad = [(r, r) if i == axis else (0, 0) for i in range(a.ndim)]
        p = np.pad(a, pad, mode="edge")
        n = a.shape[axis]
        a = sum(np.float32(w) * np.take(p, range(i, i + n), axis) for i, w in enumerate(k))  # type: ignore[assignment]
    return a


def gain_for(linear: Array, film: Film) -> float:
    """The exposure that brings the mean to the film's, sparing most highlights."""
    y = linear @ np.array([0.25, 0.65, 0.1], np.float32)
    mean = float(np.exp(np.log(np.maximum(y, 1e-4)).mean()))
    bright = float(np.quantile(y, 0.98))
    return min(film.exposure / max(mean, 1e-4), film.highlights / max(bright, 1e-4))


def develop(linear: Array, film: Film, gain: float, rng: Rng, vignette_at: tuple[Array, Array] | None = None) -> Array:
    """Linear (h, w, 3) to sRGB 0..1 (h, w, 3). ``vignette_at``: each pixel's (x, y) from the frame's middle, -1..1."""
    h, w = linear.shape[:2]
    a = np.clip(linear, 0, 60) * (gain * np.asarray(film.white, np.float32))
    if vignette_at is None:
        y, x = np.mgrid[0:h, 0:w].astype(np.float32)
        vignette_at = ((x / w - 0.5) * 2, (y / h - 0.5) * 2)
    a = a * (1 - film.vignette * (vignette_at[0] ** 2 + vignette_at[1] ** 2)[..., None] / 2)
    glow = blurred(np.clip(a - 1, 0, 8), 3.0)
    a = blurred(a + 0.06 * glow, film.blur)
    shot = rng.standard_normal(a.shape).astype(np.float32)
    a = a + shot * np.sqrt(np.clip(a, 0, 1) * film.noise**2 * 0.6 + (film.noise * 0.25) ** 2)
    grey = (a @ np.array([0.25, 0.65, 0.1], np.float32))[..., None]
    a = grey + film.saturation * (a - grey) if not film.grey else np.repeat(grey, 3, 2)
    s = film.shoulder
    a = np.where(a > s, s + (1 - s) * (1 - np.exp(-(a - s) / (1 - s))), a)
    a = np.clip(a, 0, 1)
    a = np.where(a <= 0.0031308, a * 12.92, 1.055 * np.maximum(a, 1e-9) ** (1 / 2.4) - 0.055)
    a = a - (film.contrast - 1) * np.sin(2 * np.pi * a) / (2 * np.pi)  # an S, that makes nothing black or white which was not
    if film.sharpen:
        a = a + film.sharpen * (a - blurred(a, 1.0))
    return np.asarray(np.clip(a, 0, 1), np.float32)


def save(path: str, srgb: Array, quality: int) -> None:
    """Writes (h, w, 3) 0..1 as JPEG."""
    h, w = srgb.shape[:2]
    data = np.ones((h, w, 4), np.float32)
    data[..., :3] = srgb[::-1]
    img = bpy.data.images.new("out", w, h)
    img.pixels.foreach_set(data.ravel())
    img.file_format = "JPEG"
    img.save(filepath=path, quality=quality)
    bpy.data.images.remove(img)


def wider(cam: Cam) -> tuple[Cam, tuple[Array, Array]]:
    """The undistorted camera that covers everything ``cam`` sees, and where in its picture each pixel of ``cam`` lies (x, y)."""
    w, h = cam.size
    y, x = np.mgrid[0:h, 0:w].astype(np.float64)
    n = np.stack([(x - cam.k[0, 2]) / cam.k[0, 0], (y - cam.k[1, 2]) / cam.k[1, 1]], -1)
    u = undistort(n, cam.dist)
    px = u * (cam.k[0, 0], cam.k[1, 1]) + (cam.k[0, 2], cam.k[1, 2])
    lo = np.floor(px.reshape(-1, 2).min(0)) - 2
    hi = np.ceil(px.reshape(-1, 2).max(0)) + 3
    k = cam.k.copy()
    k[0, 2] -= lo[0]
    k[1, 2] -= lo[1]
    size = (int(hi[0] - lo[0]), int(hi[1] - lo[1]))
    return Cam(k, np.zeros(5), cam.r, cam.t, size), (px[..., 0] - lo[0], px[..., 1] - lo[1])


def resample(image: Array, at: tuple[Array, Array]) -> Array:
    """Bilinear look-up of (h, w, 3) at pixels (x, y)."""
    h, w = image.shape[:2]
    x, y = np.clip(at[0], 0, w - 1.001), np.clip(at[1], 0, h - 1.001)
    x0, y0 = x.astype(int), y.astype(int)
    fx, fy = (x - x0)[..., None].astype(np.float32), (y - y0)[..., None].astype(np.float32)
    top = image[y0, x0] * (1 - fx) + image[y0, x0 + 1] * fx
    low = image[y0 + 1, x0] * (1 - fx) + image[y0 + 1, x0 + 1] * fx
    return np.asarray(top * (1 - fy) + low * fy)
