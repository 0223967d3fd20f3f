"""A small ray caster for training pictures: checkers, dice, hands and a board under soft lights, straight in numpy arrays.

It is no match for a path tracer, but draws a picture a second on one core, so that boards, colours, cameras, stacks and
lights can be varied without end. Board frame and centimetres as everywhere; colours are linear light, RGB.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from vision.training.checkers_textures import field_material, pip, texture

# columns of a material row
BASE, SECOND, TEX, TSCALE, AMOUNT, GLOSS, SHINE, RIM, GROOVE, GROOVE_R, DIMPLE, MOTIF, MOTIF_R0, MOTIF_R1, THIRD = (
    0,
    3,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
    13,
    14,
    15,
    16,
    17,
    18,
)
MATERIAL = 21
# kinds of thing hit
NOTHING, CYLINDER, BOX, CAPSULE, FIELD, TABLETOP = 0, 1, 2, 3, 4, 5


@njit(cache=True, fastmath=True)
def _cylinder(ox, oy, oz, dx, dy, dz, c, tmax):  # type: ignore[no-untyped-def]
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
def _box(ox, oy, oz, dx, dy, dz, b, tmax):  # type: ignore[no-untyped-def]
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
def _capsule(ox, oy, oz, dx, dy, dz, c, tmax):  # type: ignore[no-untyped-def]
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
def _slab(ox, oy, oz, ix, iy, iz, b, tmax):  # type: ignore[no-untyped-def]
    """An upright box along the axes (same row as `_box`); ix, iy, iz are one over the direction."""
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
def grid_of(cyl, reach):  # type: ignore[no-untyped-def]
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
def _cell(x, y):  # type: ignore[no-untyped-def]
    i, j = int(math.floor(x / CELL + CELLS_X / 2)), int(math.floor(y / CELL + CELLS_Y / 2))  # noqa: RUF046 - a float to numba
    return j * CELLS_X + i if 0 <= i < CELLS_X and 0 <= j < CELLS_Y else -1


@njit(cache=True, fastmath=True)
def _blocked(ox, oy, oz, dx, dy, dz, cyl, starts, items, box, upright, cap):  # type: ignore[no-untyped-def]
    cell = _cell(ox, oy)
    if cell >= 0:
        for i in range(starts[cell], starts[cell + 1]):
            if _cylinder(ox, oy, oz, dx, dy, dz, cyl[items[i]], 1e9)[0] > 0:
                return True
    ix, iy, iz = 1 / (dx + 1e-12), 1 / (dy + 1e-12), 1 / (dz + 1e-12)
    for i in range(upright):
        if _slab(ox, oy, oz, ix, iy, iz, box[i], 1e9)[0] > 0:
            return True
    for i in range(upright, len(box)):
        if _box(ox, oy, oz, dx, dy, dz, box[i], 1e9)[0] > 0:
            return True
    for i in range(len(cap)):  # noqa: SIM110 - numba wants the plain loop
        if _capsule(ox, oy, oz, dx, dy, dz, cap[i], 1e9) > 0:
            return True
    return False


@njit(cache=True, fastmath=True)
def render(  # type: ignore[no-untyped-def]
    eye,
    rays,
    cyl,
    cyl_mat,
    cyl_spin,
    box,
    box_mat,
    box_die,
    upright,
    cap,
    cap_mat,
    field,
    table_z,
    table_mat,
    mats,
    textures,
    lights,
    ambient,
    samples,
    seed,
    view_grid,
    light_grid,
    out,
    ids,
):
    """Fills ``out`` (h, w, 3) linear light and ``ids`` (h, w) (what kind of thing) for ``rays`` (h, w, 3) unit vectors from ``eye``.

    lights (n, 8): direction to the light 3, colour 3, spread, unused. The first ``upright`` boxes lie along the axes. The grids
    (`grid_of`) reach as far as a line of sight, or of light, runs below the highest checker.
    """
    np.random.seed(seed)
    height, width = out.shape[0], out.shape[1]
    ox, oy, oz = eye[0], eye[1], eye[2]
    for row in range(height):
        for col in range(width):
            dx, dy, dz = rays[row, col, 0], rays[row, col, 1], rays[row, col, 2]
            best, kind, index, face = 1e9, 0, 0, 0
            if dz > -1e-3:
                continue
            t = -oz / dz
            cell = _cell(ox + t * dx, oy + t * dy)
            if cell < 0:
                continue
            for n in range(view_grid[0][cell], view_grid[0][cell + 1]):
                i = view_grid[1][n]
                t, f = _cylinder(ox, oy, oz, dx, dy, dz, cyl[i], best)
                if t > 0:
                    best, kind, index, face = t, 1, i, f
            ix, iy, iz = 1 / (dx + 1e-12), 1 / (dy + 1e-12), 1 / (dz + 1e-12)
            for i in range(upright):
                t, f = _slab(ox, oy, oz, ix, iy, iz, box[i], best)
                if t > 0:
                    best, kind, index, face = t, 2, i, f
            for i in range(upright, len(box)):
                t, f = _box(ox, oy, oz, dx, dy, dz, box[i], best)
                if t > 0:
                    best, kind, index, face = t, 2, i, f
            for i in range(len(cap)):
                t = _capsule(ox, oy, oz, dx, dy, dz, cap[i], best)
                if t > 0:
                    best, kind, index = t, 3, i
            t = -oz / dz
            x, y = ox + t * dx, oy + t * dy
            if t < best and abs(x) < field[0] and abs(y) < field[1]:
                best, kind = t, 4
            t = (table_z - oz) / dz
            if t < best:
                best, kind = t, 5
            ids[row, col] = kind
            if kind == 0:
                continue
            x, y, z = ox + best * dx, oy + best * dy, oz + best * dz
            nx, ny, nz = 0.0, 0.0, 1.0
            u, v = x, y
            third = False
            if kind == 1:
                m = cyl_mat[index]
                mat = mats[m]
                cx, cy = x - cyl[index, 0], y - cyl[index, 1]
                r = cyl[index, 4]
                rr = math.sqrt(cx * cx + cy * cy) / r
                spin = cyl_spin[index]
                cs, sn = math.cos(spin), math.sin(spin)
                if face == 1:
                    tilt = 0.0
                    if rr > 1 - mat[RIM]:
                        tilt += 0.9 * (rr - 1 + mat[RIM]) / max(mat[RIM], 1e-3)
                    g = (rr - mat[GROOVE_R]) / 0.05
                    tilt += mat[GROOVE] * g * math.exp(-g * g)
                    if rr < mat[GROOVE_R]:
                        tilt -= mat[DIMPLE] * rr
                    if rr > 1e-3:
                        nx, ny = tilt * cx / (rr * r), tilt * cy / (rr * r)
                    if mat[MOTIF] > 0 and mat[MOTIF_R0] < rr < mat[MOTIF_R1]:
                        if mat[MOTIF] == 1:
                            third = True
                        else:
                            angle = math.atan2(cy, cx) + spin
                            third = math.cos(mat[MOTIF] * angle) > rr * 1.6 - 0.6
                else:
                    nx, ny, nz = cx / r, cy / r, 0.0
                u, v = cs * cx - sn * cy + spin * 7, sn * cx + cs * cy + spin * 3 + z
            elif kind == 2:
                m = box_mat[index]
                mat = mats[m]
                b = box[index]
                axis = (face - 1) // 2
                sign = -1.0 if face % 2 == 1 else 1.0
                nx, ny, nz = sign * b[6 + 3 * axis], sign * b[7 + 3 * axis], sign * b[8 + 3 * axis]
                if box_die[index] > 0:
                    lx, ly, lz = x - b[0], y - b[1], z - b[2]
                    p = (axis + 1) % 3
                    q = (axis + 2) % 3
                    pu = (lx * b[6 + 3 * p] + ly * b[7 + 3 * p] + lz * b[8 + 3 * p]) / b[3 + p]
                    pv = (lx * b[6 + 3 * q] + ly * b[7 + 3 * q] + lz * b[8 + 3 * q]) / b[3 + q]
                    value = axis + 1 if sign < 0 else 6 - axis
                    third = pip(value, pu, pv)
                elif b[3] < b[4]:
                    u, v = y, x  # grain along the longer side
            elif kind == 3:
                m = cap_mat[index]
                mat = mats[m]
                c = cap[index]
                bx, by, bz = c[3] - c[0], c[4] - c[1], c[5] - c[2]
                k = ((x - c[0]) * bx + (y - c[1]) * by + (z - c[2]) * bz) / (bx * bx + by * by + bz * bz)
                k = min(1.0, max(0.0, k))
                nx, ny, nz = (x - c[0] - k * bx) / c[6], (y - c[1] - k * by) / c[6], (z - c[2] - k * bz) / c[6]
            elif kind == 4:
                m = field_material(x, y, field)
                mat = mats[m]
            else:
                m = table_mat
                mat = mats[m]
            size = math.sqrt(nx * nx + ny * ny + nz * nz)
            nx, ny, nz = nx / size, ny / size, nz / size
            w = 0.0
            if mat[AMOUNT] > 0:
                w = mat[AMOUNT] * texture(textures, int(mat[TEX]), u / mat[TSCALE], v / mat[TSCALE])
            cr, cg, cb = mat[0] + (mat[3] - mat[0]) * w, mat[1] + (mat[4] - mat[1]) * w, mat[2] + (mat[5] - mat[2]) * w
            if third:
                cr, cg, cb = mat[THIRD], mat[THIRD + 1], mat[THIRD + 2]
            sky = 0.55 + 0.45 * nz
            lr, lg, lb = ambient[0] * sky, ambient[1] * sky, ambient[2] * sky
            sr, sg, sb = 0.0, 0.0, 0.0
            px, py, pz = x + nx * 2e-3, y + ny * 2e-3, z + nz * 2e-3
            for i in range(len(lights)):
                free = 0
                for _ in range(samples if kind != 5 else 1):
                    ex = lights[i, 0] + lights[i, 6] * (np.random.random() - 0.5)
                    ey = lights[i, 1] + lights[i, 6] * (np.random.random() - 0.5)
                    ez = lights[i, 2]
                    e = math.sqrt(ex * ex + ey * ey + ez * ez)
                    if not _blocked(px, py, pz, ex / e, ey / e, ez / e, cyl, light_grid[0], light_grid[1], box, upright, cap):
                        free += 1
                if free == 0:
                    continue
                share = free / (samples if kind != 5 else 1)
                cosine = nx * lights[i, 0] + ny * lights[i, 1] + nz * lights[i, 2]
                if cosine > 0:
                    lr += lights[i, 3] * cosine * share
                    lg += lights[i, 4] * cosine * share
                    lb += lights[i, 5] * cosine * share
                if mat[GLOSS] > 0:
                    hx, hy, hz = lights[i, 0] - dx, lights[i, 1] - dy, lights[i, 2] - dz
                    hn = math.sqrt(hx * hx + hy * hy + hz * hz)
                    hc = (nx * hx + ny * hy + nz * hz) / hn
                    if hc > 0:
                        s = mat[GLOSS] * share * hc ** mat[SHINE]
                        sr += lights[i, 3] * s
                        sg += lights[i, 4] * s
                        sb += lights[i, 5] * s
            out[row, col, 0] = cr * lr + sr
            out[row, col, 1] = cg * lg + sg
            out[row, col, 2] = cb * lb + sb


@njit(cache=True, fastmath=True)
def hidden_share(eye, spots, cap, box):  # type: ignore[no-untyped-def]
    """Share of ``spots`` (n, 3) that the capsules and boxes hide from ``eye``."""
    count = 0
    for i in range(len(spots)):
        dx, dy, dz = spots[i, 0] - eye[0], spots[i, 1] - eye[1], spots[i, 2] - eye[2]
        n = math.sqrt(dx * dx + dy * dy + dz * dz)
        dx, dy, dz = dx / n, dy / n, dz / n
        seen = True
        for k in range(len(cap)):
            if _capsule(eye[0], eye[1], eye[2], dx, dy, dz, cap[k], n) > 0:
                seen = False
                break
        if seen:
            for k in range(len(box)):
                if _box(eye[0], eye[1], eye[2], dx, dy, dz, box[k], n)[0] > 0:
                    seen = False
                    break
        if not seen:
            count += 1
    return count / max(len(spots), 1)
