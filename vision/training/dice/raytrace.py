"""A small ray tracer for training pictures: dice, doubling cubes, checkers, rails and the field, in centimetres.

It is quick (a 128x128 picture in some hundredths of a second) and its labels are exact; what it lacks in realism the
photographs and the full renderings in the training set bring. Needs numba, which only the training environment has.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

DIE, CUBE, CHECKER, BOX = 0, 1, 2, 3
PIPS = np.zeros((7, 6, 2))  # value -> up to six (u, v) in -1..1
PIPS[1, 0] = (0, 0)
PIPS[2, :2] = [(-1, -1), (1, 1)]
PIPS[3, :3] = [(-1, -1), (0, 0), (1, 1)]
PIPS[4, :4] = [(-1, -1), (1, 1), (-1, 1), (1, -1)]
PIPS[5, :5] = [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)]
PIPS[6, :6] = [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)]

BODY = np.dtype([
    ("kind", "i4"), ("pos", "f8", 3), ("rot", "f8", (3, 3)), ("half", "f8", 3), ("round", "f8"), ("ball", "f8"), ("bound", "f8"),
    ("rgb", "f8", 3), ("pip_rgb", "f8", 3), ("gloss", "f8"), ("clear", "f8"), ("faces", "i4", 6), ("turns", "i4", 6),
    ("pip", "f8"), ("spread", "f8"), ("sunk", "f8"), ("ring", "f8", 3), ("noise", "f8"), ("grain", "f8", 3),
])  # fmt: skip


Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """As machine code, which is kept for the next time."""
    made: Function = numba.njit(cache=True, fastmath=True)(function)
    return made


@compiled
def hash3(x: float, y: float, z: float) -> float:
    v = math.sin(x * 127.1 + y * 311.7 + z * 74.7) * 43758.5453
    return v - math.floor(v)


@compiled
def noise3(x: float, y: float, z: float) -> float:
    xi, yi, zi = math.floor(x), math.floor(y), math.floor(z)
    fx, fy, fz = x - xi, y - yi, z - zi
    fx, fy, fz = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy), fz * fz * (3 - 2 * fz)
    total = 0.0
    for i in range(2):
        for j in range(2):
            for k in range(2):
                w = (fx if i else 1 - fx) * (fy if j else 1 - fy) * (fz if k else 1 - fz)
                total += w * hash3(xi + i, yi + j, zi + k)
    return total


@compiled
def distance(b: Any, x: float, y: float, z: float) -> Any:
    """Signed distance from a world point to one body."""
    dx, dy, dz = x - b.pos[0], y - b.pos[1], z - b.pos[2]
    lx = b.rot[0, 0] * dx + b.rot[1, 0] * dy + b.rot[2, 0] * dz
    ly = b.rot[0, 1] * dx + b.rot[1, 1] * dy + b.rot[2, 1] * dz
    lz = b.rot[0, 2] * dx + b.rot[1, 2] * dy + b.rot[2, 2] * dz
    r = b.round
    if b.kind == CHECKER:
        qx, qy = math.hypot(lx, ly) - (b.half[0] - r), abs(lz) - (b.half[2] - r)
        return math.hypot(max(qx, 0.0), max(qy, 0.0)) + min(max(qx, qy), 0.0) - r
    qx, qy, qz = abs(lx) - (b.half[0] - r), abs(ly) - (b.half[1] - r), abs(lz) - (b.half[2] - r)
    d = math.sqrt(max(qx, 0.0) ** 2 + max(qy, 0.0) ** 2 + max(qz, 0.0) ** 2) + min(max(qx, max(qy, qz)), 0.0) - r
    if b.ball > 0:
        d = max(d, math.sqrt(lx * lx + ly * ly + lz * lz) - b.ball)
    return d


@compiled
def mark(b: Any, lx: float, ly: float, lz: float, glyphs: Any) -> tuple[float, float]:
    """How much of the pip's or digit's paint a body point has (0..1), and its distance from the pip's rim in pip radii."""
    u, v, w = lx / b.half[0], ly / b.half[1], lz / b.half[2]
    au, av, aw = abs(u), abs(v), abs(w)
    if au >= av and au >= aw:
        face, s, t = (0 if u > 0 else 1), v, w
    elif av >= aw:
        face, s, t = (2 if v > 0 else 3), u, w
    else:
        face, s, t = (4 if w > 0 else 5), u, v
    if face == 1 or face == 2 or face == 5:
        s = -s  # seen from outside every face is right-handed
    for _ in range(b.turns[face]):
        s, t = t, -s
    if b.kind == CUBE:
        size = glyphs.shape[1]
        col, row = int((s / b.spread * 0.5 + 0.5) * size), int((0.5 - t / b.spread * 0.5) * size)
        if 0 <= col < size and 0 <= row < size:
            return glyphs[b.faces[face], row, col], 9.0
        return 0.0, 9.0
    value = b.faces[face]
    nearest = 9.0
    grow = 1.35 if value == 1 and b.sunk > 0.5 else 1.0
    for k in range(value):
        nearest = min(nearest, math.hypot(s - PIPS[value, k, 0] * b.spread, t - PIPS[value, k, 1] * b.spread) / (b.pip * grow))
    return (1.0 if nearest < 1.0 else 0.0), nearest


@compiled
def march(bodies: Any, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, far: float, skip: int) -> tuple[int, float]:
    """The first body a ray meets before ``far`` and the way to it; -1 when none."""
    best, best_t = -1, far
    for i in range(bodies.shape[0]):
        if i == skip:
            continue
        b = bodies[i]
        px, py, pz = b.pos[0] - ox, b.pos[1] - oy, b.pos[2] - oz
        along = px * dx + py * dy + pz * dz
        off = px * px + py * py + pz * pz - along * along
        if off > b.bound * b.bound or along + b.bound < 0:
            continue
        t = max(0.0, along - math.sqrt(b.bound * b.bound - off))
        end = along + b.bound
        for _ in range(60):
            if t > best_t or t > end:
                break
            d = distance(b, ox + dx * t, oy + dy * t, oz + dz * t)
            if d < 0.002:
                if t < best_t:
                    best, best_t = i, t
                break
            t += d
    return best, best_t


@compiled
def surroundings(lights: Any, dx: float, dy: float, dz: float) -> float:
    """What a glossy surface mirrors: a dim room with the lamps in it."""
    value = 0.12 + 0.25 * max(0.0, dz)
    for k in range(lights.shape[0]):
        c = dx * lights[k, 0] + dy * lights[k, 1] + dz * lights[k, 2]
        edge = (c - lights[k, 4]) / max(1e-3, 1 - lights[k, 4])
        if edge > 0:
            value += lights[k, 3] * min(1.0, 4 * edge) * 2.5
    return value


@compiled
def local(b: Any, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A world direction in a body's axes."""
    return (
        b.rot[0, 0] * x + b.rot[1, 0] * y + b.rot[2, 0] * z,
        b.rot[0, 1] * x + b.rot[1, 1] * y + b.rot[2, 1] * z,
        b.rot[0, 2] * x + b.rot[1, 2] * y + b.rot[2, 2] * z,
    )


@compiled
def shine_through(
    b: Any, lx: float, ly: float, lz: float, dx: float, dy: float, dz: float, nx: float, ny: float, nz: float, base: Any, albedo: Any,
    clear: float, glyphs: Any,
) -> None:  # fmt: skip
    """What shines through a clear die joins its ``albedo``: the far faces' pips, then the ground, both tinted."""
    m = 0.7
    rx = b.rot[0, 0] * dx + b.rot[1, 0] * dy + b.rot[2, 0] * dz - m * (nx * b.rot[0, 0] + ny * b.rot[1, 0] + nz * b.rot[2, 0]) * 0.3
    ry = b.rot[0, 1] * dx + b.rot[1, 1] * dy + b.rot[2, 1] * dz - m * (nx * b.rot[0, 1] + ny * b.rot[1, 1] + nz * b.rot[2, 1]) * 0.3
    rz = b.rot[0, 2] * dx + b.rot[1, 2] * dy + b.rot[2, 2] * dz - m * (nx * b.rot[0, 2] + ny * b.rot[1, 2] + nz * b.rot[2, 2]) * 0.3
    way = 1e9
    if abs(rx) > 1e-6:
        way = min(way, ((b.half[0] if rx > 0 else -b.half[0]) - lx) / rx)
    if abs(ry) > 1e-6:
        way = min(way, ((b.half[1] if ry > 0 else -b.half[1]) - ly) / ry)
    if abs(rz) > 1e-6:
        way = min(way, ((b.half[2] if rz > 0 else -b.half[2]) - lz) / rz)
    k, _ = mark(b, lx + rx * way, ly + ry * way, lz + rz * way, glyphs)
    for c in range(3):
        through = (base[c] * (1 - k) + b.pip_rgb[c] * 0.6 * k) * (0.15 + 0.85 * b.rgb[c])
        albedo[c] = albedo[c] * (1 - clear) + through * clear


@compiled
def paint(
    b: Any, hit: int, lx: float, ly: float, lz: float, dx: float, dy: float, dz: float, nx: float, ny: float, nz: float, base: Any,
    albedo: Any, glyphs: Any,
) -> tuple[float, float]:  # fmt: skip
    """Fills in the ``albedo`` of a body where it is met; its normal's x and y there, which a checker's ring bends."""
    speck = 1.0
    if b.noise > 0:
        speck = 1 + b.noise * 2 * (noise3(lx * b.grain[0] + hit * 7.3, ly * b.grain[1], lz * b.grain[2]) - 0.5)
    if b.kind == DIE or b.kind == CUBE:
        clear = b.clear
        painted, rim = mark(b, lx, ly, lz, glyphs)
        for c in range(3):
            albedo[c] = b.rgb[c] * speck * (1 - painted) + b.pip_rgb[c] * painted
        if painted > 0.5:
            clear = 0.0
            if b.kind == DIE and b.sunk > 0:
                dark = 1 - 0.5 * b.sunk * max(0.0, rim - 0.6)
                for c in range(3):
                    albedo[c] *= dark
        if clear > 0:
            shine_through(b, lx, ly, lz, dx, dy, dz, nx, ny, nz, base, albedo, clear, glyphs)
        return nx, ny
    if b.kind == CHECKER:
        r = math.hypot(lx, ly) / b.half[0]
        if b.ring[0] > 0 and abs(r - b.ring[0]) < b.ring[1]:
            speck *= b.ring[2]
            nx += 0.25 * (r - b.ring[0]) / b.ring[1] * lx / max(1e-6, r * b.half[0])
            ny += 0.25 * (r - b.ring[0]) / b.ring[1] * ly / max(1e-6, r * b.half[0])
    for c in range(3):
        albedo[c] = b.rgb[c] * speck
    return nx, ny


@compiled
def light(
    bodies: Any, lights: Any, ambient: Any, hit: int, x: float, y: float, z: float, nx: float, ny: float, nz: float, lit: Any
) -> None:
    """Fills in the light that falls on a place of body ``hit`` (-1 the ground): from all sides, less in corners, and from the lamps."""
    near = 9.0
    for i in range(bodies.shape[0]):
        if i != hit:
            near = min(near, distance(bodies[i], x + nx * 0.3, y + ny * 0.3, z + nz * 0.3))
    if hit >= 0:
        near = min(near, z + nz * 0.3)
    shade = 0.45 + 0.55 * min(1.0, max(0.0, near / 0.3))
    for c in range(3):
        lit[c] = ambient[c] * shade * (0.75 + 0.25 * nz)
    for k in range(lights.shape[0]):
        spread = math.sqrt(max(0.0, 1 - lights[k, 4] ** 2))
        sx = lights[k, 0] + spread * (2 * np.random.random() - 1)
        sy = lights[k, 1] + spread * (2 * np.random.random() - 1)
        sz = lights[k, 2] + spread * (2 * np.random.random() - 1)
        n = math.sqrt(sx * sx + sy * sy + sz * sz)
        sx, sy, sz = sx / n, sy / n, sz / n
        cosine = sx * nx + sy * ny + sz * nz
        if cosine <= 0 or sz <= 0:
            continue
        block, _ = march(bodies, x + nx * 0.02, y + ny * 0.02, z + nz * 0.02, sx, sy, sz, 30.0, -1 if hit < 0 else hit)
        for c in range(3):
            amount = lights[k, 3] * lights[k, 5 + c] * cosine
            if block >= 0:
                amount *= bodies[block].clear * bodies[block].rgb[c] * 0.9
            lit[c] += amount


@compiled
def trace(
    bodies: Any,
    ground: Any,
    to_ground: Any,
    eye: Any,
    axes: Any,
    focal: float,
    lights: Any,
    ambient: Any,
    size: int,
    glyphs: Any,
    seed: int,
) -> Any:
    """Linear light (size, size, 3) float32. ``axes`` rows are the camera's right, down and forward; ``lights`` rows are
    direction (3), strength, cosine of its half-width, r, g, b; ``to_ground`` 2x3 maps (x, y, 1) cm to ground pixels."""
    np.random.seed(seed)
    out = np.zeros((size, size, 3), np.float32)
    gh, gw = ground.shape[0], ground.shape[1]
    base, albedo, lit = np.zeros(3), np.zeros(3), np.zeros(3)
    for row in range(size):
        for col in range(size):
            cx = (col + np.random.random() - size / 2) / focal
            cy = (row + np.random.random() - size / 2) / focal
            dx = axes[0, 0] * cx + axes[1, 0] * cy + axes[2, 0]
            dy = axes[0, 1] * cx + axes[1, 1] * cy + axes[2, 1]
            dz = axes[0, 2] * cx + axes[1, 2] * cy + axes[2, 2]
            n = math.sqrt(dx * dx + dy * dy + dz * dz)
            dx, dy, dz = dx / n, dy / n, dz / n
            floor = -eye[2] / dz if dz < -1e-4 else 1e4
            hit, t = march(bodies, eye[0], eye[1], eye[2], dx, dy, dz, floor, -1)
            x, y, z = eye[0] + dx * t, eye[1] + dy * t, eye[2] + dz * t
            gx = eye[0] + dx * floor
            gy = eye[1] + dy * floor
            gi = int(to_ground[1, 0] * gx + to_ground[1, 1] * gy + to_ground[1, 2]) % gh
            gj = int(to_ground[0, 0] * gx + to_ground[0, 1] * gy + to_ground[0, 2]) % gw
            for c in range(3):
                base[c] = albedo[c] = ground[gi, gj, c]
            gloss = 0.0
            nx, ny, nz = 0.0, 0.0, 1.0
            if hit >= 0:
                b = bodies[hit]
                e = 0.01
                d0 = distance(b, x, y, z)
                nx, ny, nz = distance(b, x + e, y, z) - d0, distance(b, x, y + e, z) - d0, distance(b, x, y, z + e) - d0
                n = max(1e-9, math.sqrt(nx * nx + ny * ny + nz * nz))
                nx, ny, nz = nx / n, ny / n, nz / n
                lx, ly, lz = local(b, x - b.pos[0], y - b.pos[1], z - b.pos[2])
                gloss = b.gloss
                nx, ny = paint(b, hit, lx, ly, lz, dx, dy, dz, nx, ny, nz, base, albedo, glyphs)
            light(bodies, lights, ambient, hit, x, y, z, nx, ny, nz, lit)
            back = dx * nx + dy * ny + dz * nz
            mirror = 0.0
            if gloss > 0:
                mirror = gloss * (0.04 + 0.96 * (1 - min(1.0, abs(back))) ** 5)
                seen = surroundings(lights, dx - 2 * back * nx, dy - 2 * back * ny, dz - 2 * back * nz)
            for c in range(3):
                value = albedo[c] * lit[c]
                if gloss > 0:
                    value = value * (1 - mirror) + seen * mirror
                out[row, col, c] = value
    return out


def srgb(linear: NDArray[Any], exposure: float) -> NDArray[Any]:
    """Linear light to 8-bit sRGB-like values with a soft shoulder."""
    value = np.clip(linear * exposure, 0, None)
    value = value / (1 + np.maximum(value - 0.8, 0))
    return np.asarray(np.clip(value, 0, 1) ** (1 / 2.2) * 255, np.uint8)
