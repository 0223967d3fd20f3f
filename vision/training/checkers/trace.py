"""A small ray caster for training pictures: checkers, dice, hands and a board under soft lights, straight in numpy arrays.

It is no match for a path tracer, but draws a picture a second on one core, so that boards, colours, cameras, stacks and
lights can be varied without end. Board frame and centimetres as everywhere; colours are linear light, RGB.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from vision.training.checkers.rays import BOX, CAPSULE, CYLINDER, FIELD, NOTHING, TABLETOP, blocked, cell_of, first_met
from vision.training.checkers.textures import field_material, pip, texture

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


@njit(cache=True, fastmath=True)
def _checker(x, y, z, cyl, mat, spin, face):  # type: ignore[no-untyped-def]  # numba finds the types
    """The surface of a checker at a point of it: its normal, where in the texture, and whether the inlay is there."""
    u, v = x, y
    nx, ny, nz = 0.0, 0.0, 1.0
    third = False
    cx, cy = x - cyl[0], y - cyl[1]
    r = cyl[4]
    rr = math.sqrt(cx * cx + cy * cy) / r
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
    return nx, ny, nz, u, v, third


@njit(cache=True, fastmath=True)
def _side(x, y, z, b, die, face):  # type: ignore[no-untyped-def]  # numba finds the types
    """The same of a box, or a die with its pips."""
    u, v = x, y
    third = False
    axis = (face - 1) // 2
    sign = -1.0 if face % 2 == 1 else 1.0
    nx, ny, nz = sign * b[6 + 3 * axis], sign * b[7 + 3 * axis], sign * b[8 + 3 * axis]
    if die:
        lx, ly, lz = x - b[0], y - b[1], z - b[2]
        p = (axis + 1) % 3
        q = (axis + 2) % 3
        pu = (lx * b[6 + 3 * p] + ly * b[7 + 3 * p] + lz * b[8 + 3 * p]) / b[3 + p]
        pv = (lx * b[6 + 3 * q] + ly * b[7 + 3 * q] + lz * b[8 + 3 * q]) / b[3 + q]
        value = axis + 1 if sign < 0 else 6 - axis
        third = pip(value, pu, pv)
    elif b[3] < b[4]:
        u, v = y, x  # grain along the longer side
    return nx, ny, nz, u, v, third


@njit(cache=True, fastmath=True)
def _limb(x, y, z, c):  # type: ignore[no-untyped-def]  # numba finds the types
    """The normal of a capsule."""
    bx, by, bz = c[3] - c[0], c[4] - c[1], c[5] - c[2]
    k = ((x - c[0]) * bx + (y - c[1]) * by + (z - c[2]) * bz) / (bx * bx + by * by + bz * bz)
    k = min(1.0, max(0.0, k))
    return (x - c[0] - k * bx) / c[6], (y - c[1] - k * by) / c[6], (z - c[2] - k * bz) / c[6]


@njit(cache=True, fastmath=True)
def _paint(mat, third, textures, u, v):  # type: ignore[no-untyped-def]  # numba finds the types
    """The colour of a material at a place of its texture."""
    w = 0.0
    if mat[AMOUNT] > 0:
        w = mat[AMOUNT] * texture(textures, int(mat[TEX]), u / mat[TSCALE], v / mat[TSCALE])
    cr, cg, cb = mat[0] + (mat[3] - mat[0]) * w, mat[1] + (mat[4] - mat[1]) * w, mat[2] + (mat[5] - mat[2]) * w
    if third:
        cr, cg, cb = mat[THIRD], mat[THIRD + 1], mat[THIRD + 2]
    return cr, cg, cb


@njit(cache=True, fastmath=True)
def _lit(  # type: ignore[no-untyped-def]  # numba finds the types
    x, y, z, nx, ny, nz, dx, dy, dz, mat, lights, ambient, samples, cyl, light_grid, box, upright, cap
):  # fmt: skip
    """The light (r, g, b) that falls on a place and what it mirrors of the lamps, by ``samples`` rays to each."""
    sky = 0.55 + 0.45 * nz
    lr, lg, lb = ambient[0] * sky, ambient[1] * sky, ambient[2] * sky
    sr, sg, sb = 0.0, 0.0, 0.0
    px, py, pz = x + nx * 2e-3, y + ny * 2e-3, z + nz * 2e-3
    for i in range(len(lights)):
        free = 0
        for _ in range(samples):
            ex = lights[i, 0] + lights[i, 6] * (np.random.random() - 0.5)
            ey = lights[i, 1] + lights[i, 6] * (np.random.random() - 0.5)
            ez = lights[i, 2]
            e = math.sqrt(ex * ex + ey * ey + ez * ez)
            if not blocked(px, py, pz, ex / e, ey / e, ez / e, cyl, light_grid[0], light_grid[1], box, upright, cap):
                free += 1
        if free == 0:
            continue
        share = free / samples
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
    return lr, lg, lb, sr, sg, sb


@njit(cache=True, fastmath=True)
def render(  # type: ignore[no-untyped-def]  # numba finds the types
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
):
    """Fills ``out`` (h, w, 3) linear light for ``rays`` (h, w, 3) unit vectors from ``eye``.

    lights (n, 7): direction to the light 3, colour 3, spread. The first ``upright`` boxes lie along the axes. The grids
    (`grid_of`) reach as far as a line of sight, or of light, runs below the highest checker.
    """
    np.random.seed(seed)
    height, width = out.shape[0], out.shape[1]
    ox, oy, oz = eye[0], eye[1], eye[2]
    for row in range(height):
        for col in range(width):
            dx, dy, dz = rays[row, col, 0], rays[row, col, 1], rays[row, col, 2]
            if dz > -1e-3:
                continue
            t = -oz / dz
            cell = cell_of(ox + t * dx, oy + t * dy)
            if cell < 0:
                continue
            best, kind, index, face = first_met(ox, oy, oz, dx, dy, dz, cell, cyl, view_grid, box, upright, cap, field, table_z)
            if kind == NOTHING:
                continue
            x, y, z = ox + best * dx, oy + best * dy, oz + best * dz
            nx, ny, nz = 0.0, 0.0, 1.0
            u, v = x, y
            third = False
            if kind == CYLINDER:
                mat = mats[cyl_mat[index]]
                nx, ny, nz, u, v, third = _checker(x, y, z, cyl[index], mat, cyl_spin[index], face)
            elif kind == BOX:
                mat = mats[box_mat[index]]
                nx, ny, nz, u, v, third = _side(x, y, z, box[index], box_die[index], face)
            elif kind == CAPSULE:
                mat = mats[cap_mat[index]]
                nx, ny, nz = _limb(x, y, z, cap[index])
            elif kind == FIELD:
                mat = mats[field_material(x, y, field)]
            else:
                mat = mats[table_mat]
            size = math.sqrt(nx * nx + ny * ny + nz * nz)
            nx, ny, nz = nx / size, ny / size, nz / size
            cr, cg, cb = _paint(mat, third, textures, u, v)
            rays_each = samples if kind != TABLETOP else 1
            lr, lg, lb, sr, sg, sb = _lit(
                x, y, z, nx, ny, nz, dx, dy, dz, mat, lights, ambient, rays_each, cyl, light_grid, box, upright, cap
            )
            out[row, col, 0] = cr * lr + sr
            out[row, col, 1] = cg * lg + sg
            out[row, col, 2] = cb * lb + sb
