"""What a ray meets in a drawn scene: cylinders, boxes, capsules, the field and the table below them.

Board frame and centimetres as everywhere; straight in numpy arrays, for `checkers.trace`.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

# kinds of thing met
NOTHING, CYLINDER, BOX, CAPSULE, FIELD, TABLETOP = 0, 1, 2, 3, 4, 5


@njit(cache=True, fastmath=True)
def meets_cylinder(ox, oy, oz, dx, dy, dz, c, tmax):  # type: ignore[no-untyped-def]  # numba finds the types
    px, py = ox - c[0], oy - c[1]
    a = dx * dx + dy * dy
    b = px * dx + py * dy
    r2 = c[4] * c[4]
    k = px * px + py * py - r2
    if a < 1e-12:
        if k > 0:
            return -1.0, 0
        t0, t1 = -1e30, 1e30
    else:
        disc = b * b - a * k
        if disc <= 0:
            return -1.0, 0
        s = math.sqrt(disc)
        t0, t1 = (-b - s) / a, (-b + s) / a
    if abs(dz) < 1e-9:
        if oz < c[2] or oz > c[3]:
            return -1.0, 0
        z0, z1 = -1e30, 1e30
    else:
        z0, z1 = (c[2] - oz) / dz, (c[3] - oz) / dz
        if z0 > z1:
            z0, z1 = z1, z0
    enter, leave = max(t0, z0), min(t1, z1)
    if enter >= leave or enter < 1e-4 or enter > tmax:
        return -1.0, 0
    return enter, 1 if z0 > t0 else 2  # 1 the flat face, 2 the side


@njit(cache=True, fastmath=True)
def meets_box(ox, oy, oz, dx, dy, dz, b, tmax):  # type: ignore[no-untyped-def]  # numba finds the types
    """b: centre 3, half sizes 3, rotation 9 (rows are the box's axes), bounding radius."""
    px, py, pz = ox - b[0], oy - b[1], oz - b[2]
    along = -(px * dx + py * dy + pz * dz)
    qx, qy, qz = px + along * dx, py + along * dy, pz + along * dz
    if qx * qx + qy * qy + qz * qz > b[15] * b[15]:
        return -1.0, 0
    enter, leave, face = -1e30, 1e30, 0
    for axis in range(3):
        rx, ry, rz = b[6 + 3 * axis], b[7 + 3 * axis], b[8 + 3 * axis]
        o = px * rx + py * ry + pz * rz
        d = dx * rx + dy * ry + dz * rz
        h = b[3 + axis]
        if abs(d) < 1e-9:
            if abs(o) > h:
                return -1.0, 0
            continue
        t0, t1 = (-h - o) / d, (h - o) / d
        f = axis * 2 + 1
        if t0 > t1:
            t0, t1 = t1, t0
            f = axis * 2 + 2
        if t0 > enter:
            enter, face = t0, f
        leave = min(leave, t1)
    if enter >= leave or enter < 1e-4 or enter > tmax:
        return -1.0, 0
    return enter, face


@njit(cache=True, fastmath=True)
def meets_capsule(ox, oy, oz, dx, dy, dz, c, tmax):  # type: ignore[no-untyped-def]  # numba finds the types
    """c: end a 3, end b 3, radius."""
    bax, bay, baz = c[3] - c[0], c[4] - c[1], c[5] - c[2]
    oax, oay, oaz = ox - c[0], oy - c[1], oz - c[2]
    baba = bax * bax + bay * bay + baz * baz
    bard = bax * dx + bay * dy + baz * dz
    baoa = bax * oax + bay * oay + baz * oaz
    rdoa = dx * oax + dy * oay + dz * oaz
    oaoa = oax * oax + oay * oay + oaz * oaz
    r2 = c[6] * c[6]
    a = baba - bard * bard
    b = baba * rdoa - baoa * bard
    k = baba * oaoa - baoa * baoa - r2 * baba
    h = b * b - a * k
    if h < 0 or a < 1e-9:
        return -1.0
    t = (-b - math.sqrt(h)) / a
    y = baoa + t * bard
    if 0 < y < baba:
        return t if 1e-4 < t < tmax else -1.0
    if y <= 0:
        ex, ey, ez = oax, oay, oaz
    else:
        ex, ey, ez = ox - c[3], oy - c[4], oz - c[5]
    b = dx * ex + dy * ey + dz * ez
    k = ex * ex + ey * ey + ez * ez - r2
    h = b * b - k
    if h > 0:
        t = -b - math.sqrt(h)
        if 1e-4 < t < tmax:
            return t
    return -1.0


@njit(cache=True, fastmath=True)
def meets_slab(ox, oy, oz, ix, iy, iz, b, tmax):  # type: ignore[no-untyped-def]  # numba finds the types
    """An upright box along the axes (same row as `meets_box`); ix, iy, iz are one over the direction."""
    t0, t1 = (b[0] - b[3] - ox) * ix, (b[0] + b[3] - ox) * ix
    enter, leave, face = min(t0, t1), max(t0, t1), (1 if t0 < t1 else 2)
    t0, t1 = (b[1] - b[4] - oy) * iy, (b[1] + b[4] - oy) * iy
    near = min(t0, t1)
    if near > enter:
        enter, face = near, (3 if t0 < t1 else 4)
    leave = min(leave, max(t0, t1))
    if enter >= leave:
        return -1.0, 0
    t0, t1 = (b[2] - b[5] - oz) * iz, (b[2] + b[5] - oz) * iz
    near = min(t0, t1)
    if near > enter:
        enter, face = near, (5 if t0 < t1 else 6)
    leave = min(leave, max(t0, t1))
    if enter >= leave or enter < 1e-4 or enter > tmax:
        return -1.0, 0
    return enter, face


CELL, CELLS_X, CELLS_Y = 1.5, 80, 60  # a grid of candidate cylinders over the table, cm


@njit(cache=True, fastmath=True)
def grid_of(cyl, reach):  # type: ignore[no-untyped-def]  # numba finds the types
    """For every cell the cylinders within ``reach`` cm of it: starts (cells + 1), items."""
    starts = np.zeros(CELLS_X * CELLS_Y + 1, np.int64)
    items = np.zeros(CELLS_X * CELLS_Y * 24 + len(cyl) * 2000, np.int64)
    n = 0
    for j in range(CELLS_Y):
        for i in range(CELLS_X):
            x, y = (i + 0.5 - CELLS_X / 2) * CELL, (j + 0.5 - CELLS_Y / 2) * CELL
            for k in range(len(cyl)):
                far = cyl[k, 4] + reach + 0.71 * CELL
                if (cyl[k, 0] - x) ** 2 + (cyl[k, 1] - y) ** 2 < far * far and n < len(items):
                    items[n] = k
                    n += 1
            starts[j * CELLS_X + i + 1] = n
    return starts, items[:n]


@njit(cache=True, fastmath=True)
def cell_of(x, y):  # type: ignore[no-untyped-def]  # numba finds the types
    i, j = int(math.floor(x / CELL + CELLS_X / 2)), int(math.floor(y / CELL + CELLS_Y / 2))  # noqa: RUF046 - a float to numba
    return j * CELLS_X + i if 0 <= i < CELLS_X and 0 <= j < CELLS_Y else -1


@njit(cache=True, fastmath=True)
def blocked(ox, oy, oz, dx, dy, dz, cyl, starts, items, box, upright, cap):  # type: ignore[no-untyped-def]  # numba finds the types
    cell = cell_of(ox, oy)
    if cell >= 0:
        for i in range(starts[cell], starts[cell + 1]):
            if meets_cylinder(ox, oy, oz, dx, dy, dz, cyl[items[i]], 1e9)[0] > 0:
                return True
    ix, iy, iz = 1 / (dx + 1e-12), 1 / (dy + 1e-12), 1 / (dz + 1e-12)
    for i in range(upright):
        if meets_slab(ox, oy, oz, ix, iy, iz, box[i], 1e9)[0] > 0:
            return True
    for i in range(upright, len(box)):
        if meets_box(ox, oy, oz, dx, dy, dz, box[i], 1e9)[0] > 0:
            return True
    for i in range(len(cap)):  # noqa: SIM110 - numba wants the plain loop
        if meets_capsule(ox, oy, oz, dx, dy, dz, cap[i], 1e9) > 0:
            return True
    return False


@njit(cache=True, fastmath=True)
def first_met(ox, oy, oz, dx, dy, dz, cell, cyl, grid, box, upright, cap, field, table_z):  # type: ignore[no-untyped-def]  # numba finds the types
    """What a line of sight that runs down over ``cell`` meets first: how far away, what kind of thing, which of them, which face."""
    best, kind, index, face = 1e9, NOTHING, 0, 0
    for n in range(grid[0][cell], grid[0][cell + 1]):
        i = grid[1][n]
        t, f = meets_cylinder(ox, oy, oz, dx, dy, dz, cyl[i], best)
        if t > 0:
            best, kind, index, face = t, CYLINDER, i, f
    ix, iy, iz = 1 / (dx + 1e-12), 1 / (dy + 1e-12), 1 / (dz + 1e-12)
    for i in range(upright):
        t, f = meets_slab(ox, oy, oz, ix, iy, iz, box[i], best)
        if t > 0:
            best, kind, index, face = t, BOX, i, f
    for i in range(upright, len(box)):
        t, f = meets_box(ox, oy, oz, dx, dy, dz, box[i], best)
        if t > 0:
            best, kind, index, face = t, BOX, i, f
    for i in range(len(cap)):
        t = meets_capsule(ox, oy, oz, dx, dy, dz, cap[i], best)
        if t > 0:
            best, kind, index = t, CAPSULE, i
    t = -oz / dz
    x, y = ox + t * dx, oy + t * dy
    if t < best and abs(x) < field[0] and abs(y) < field[1]:
        best, kind = t, FIELD
    t = (table_z - oz) / dz
    if t < best:
        best, kind = t, TABLETOP
    return best, kind, index, face


@njit(cache=True, fastmath=True)
def hidden_share(eye, spots, cap):  # type: ignore[no-untyped-def]  # numba finds the types
    """Share of ``spots`` (n, 3) that the capsules hide from ``eye``."""
    count = 0
    for i in range(len(spots)):
        dx, dy, dz = spots[i, 0] - eye[0], spots[i, 1] - eye[1], spots[i, 2] - eye[2]
        n = math.sqrt(dx * dx + dy * dy + dz * dz)
        dx, dy, dz = dx / n, dy / n, dz / n
        for k in range(len(cap)):
            if meets_capsule(eye[0], eye[1], eye[2], dx, dy, dz, cap[k], n) > 0:
                count += 1
                break
    return count / max(len(spots), 1)
