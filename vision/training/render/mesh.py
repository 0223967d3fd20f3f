"""Meshes from numpy: boxes with worn edges, turned shapes, dice, letters. One Blender unit is a centimetre."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from .paint import Array
from .rest import NORMALS


def make(name: str, verts: Array, faces: Sequence[Sequence[int]], uv: Array | None = None, angle: float | None = 40.0) -> bpy.types.Mesh:
    """A mesh; ``uv`` (loops, 2) in the order of the faces' corners; smooth where faces meet under ``angle`` degrees."""
    m = bpy.data.meshes.new(name)
    m.from_pydata(np.asarray(verts, float).tolist(), [], [list(f) for f in faces])
    if uv is not None:
        layer = m.uv_layers.new(name="uv")
        layer.data.foreach_set("uv", np.asarray(uv, np.float32).ravel())
    if angle is not None:
        m.polygons.foreach_set("use_smooth", np.ones(len(m.polygons), bool))
        m.set_sharp_from_angle(angle=np.radians(angle))
    m.update()
    return m


def box(name: str, half: Sequence[float], bevel: float = 0.05, rng: np.random.Generator | None = None) -> bpy.types.Mesh:
    """A box about its middle with chamfered edges. Its uv is in centimetres, u along the longest side."""
    hx, hy, hz = half
    b = min(bevel, 0.45 * min(half))
    verts: list[Array] = []
    index: dict[tuple[int, int, int, int], int] = {}
    for sx in (-1, 1):
        for sy in (-1, 1):
            for sz in (-1, 1):
                corner = np.array([sx * hx, sy * hy, sz * hz])
                inner = corner - b * np.array([sx, sy, sz])
                for axis in range(3):  # the corner as seen by the face across `axis`
                    p = inner.copy()
                    p[axis] = corner[axis]
                    index[sx, sy, sz, axis] = len(verts)
                    verts.append(p)
    faces = []
    for axis in range(3):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        for s in (-1, 1):
            loop = []
            for a, c in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                key = [0, 0, 0]
                key[axis], key[i], key[j] = s, a, c
                loop.append(index[key[0], key[1], key[2], axis])
            faces.append(loop if s > 0 else loop[::-1])
        for a in (-1, 1):  # the edges along `axis`
            for c in (-1, 1):
                ends = []
                for s in (-1, 1):
                    key = [0, 0, 0]
                    key[axis], key[i], key[j] = s, a, c
                    ends.append((index[key[0], key[1], key[2], i], index[key[0], key[1], key[2], j]))
                loop = [ends[0][0], ends[1][0], ends[1][1], ends[0][1]]
                faces.append(loop[::-1] if a * c > 0 else loop)
    for sx in (-1, 1):
        for sy in (-1, 1):
            for sz in (-1, 1):
                loop = [index[sx, sy, sz, k] for k in range(3)]
                faces.append(loop if sx * sy * sz > 0 else loop[::-1])
    v = np.array(verts)
    long = int(np.argmax(half))
    offset = rng.uniform(0, 60, 2) if rng is not None else np.zeros(2)
    uv = []
    for f in faces:
        n = np.abs(np.cross(v[f[1]] - v[f[0]], v[f[2]] - v[f[0]]))
        axes = [k for k in range(3) if k != int(np.argmax(n))]
        if long in axes:
            axes = [long] + [k for k in axes if k != long]
        uv += [v[k][axes] + offset for k in f]
    return make(name, v, faces, np.array(uv))


def turned(name: str, profile: Sequence[tuple[float, float]], n: int = 40, angle: float = 35.0) -> bpy.types.Mesh:
    """A body of revolution about z from (radius, z) pairs, bottom to top; uv is the plan view, 0..1 over the widest part."""
    a = np.linspace(0, 2 * np.pi, n, endpoint=False)
    rings = [np.stack([r * np.cos(a), r * np.sin(a), np.full(n, z)], 1) for r, z in profile]
    verts = np.concatenate(rings)
    faces: list[list[int]] = []
    for k in range(len(profile) - 1):
        for i in range(n):
            j = (i + 1) % n
            faces.append([k * n + i, k * n + j, (k + 1) * n + j, (k + 1) * n + i])
    if profile[0][0] > 1e-3:
        faces.append(list(range(n))[::-1])
    if profile[-1][0] > 1e-3:
        faces.append([(len(profile) - 1) * n + i for i in range(n)])
    widest = max(r for r, _z in profile)
    uv = np.array([verts[k, :2] / (2 * widest) + 0.5 for f in faces for k in f])
    return make(name, verts, faces, uv, angle)


def checker(name: str, d: float, h: float, profile: str) -> bpy.types.Mesh:
    """A checker standing on z = 0."""
    r, e = d / 2, 0.06
    side = [(r - e, 0.0), (r - 0.02, 0.02), (r, e), (r, h - e), (r - 0.02, h - 0.02), (r - e, h)]
    if profile == "rounded":
        t = np.linspace(-1, 1, 9)
        side = [(r - 0.22 * h * (1 - np.sqrt(1 - 0.98 * k * k)) * 3, h / 2 + h / 2 * k) for k in t]
    ends: dict[str, list[tuple[float, float]]] = {
        "flat": [],
        "rounded": [(r * 0.5, h + 0.01)],
        "dimple": [(r * 0.78, h), (r * 0.72, h - 0.04), (r * 0.5, h - 0.11), (r * 0.25, h - 0.15)],
        "ring": [(r * 0.85, h), (r * 0.82, h - 0.08), (r * 0.74, h - 0.08), (r * 0.71, h)],
        "groove": [(r * 0.9, h), (r * 0.88, h - 0.1), (r * 0.45, h - 0.1), (r * 0.42, h - 0.01), (r * 0.2, h)],
    }
    return turned(name, side + ends[profile] + [(1e-4, side[-1][1] if not ends[profile] else ends[profile][-1][1])], 40)


def die(name: str, size: float, radius: float, ball: float, n: int = 4) -> bpy.types.Mesh:
    """A die about its middle, its faces where `rest.NORMALS` says; uv atlas of 3 x 2 cells, value v in cell v - 1."""
    r = max(2 * radius, 0.01)
    t = np.unique(np.concatenate([np.linspace(-1, -1 + r, n), [-0.45 * (1 - r), 0.0, 0.45 * (1 - r)], np.linspace(1 - r, 1, n)]))
    if ball:
        t = np.unique(np.concatenate([t, np.linspace(-0.95, 0.95, 15)]))
    m = len(t)
    verts: list[Array] = []
    faces: list[list[int]] = []
    uv: list[Array] = []
    for value, normal in NORMALS.items():
        nrm = np.array(normal, float)
        u = np.roll(nrm, 1)
        v = np.cross(nrm, u)
        a, b = np.meshgrid(t, t, indexing="ij")
        p = nrm + a.reshape(-1, 1) * u + b.reshape(-1, 1) * v
        inner = np.clip(p, -(1 - r), 1 - r)
        out = p - inner
        p = inner + r * out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-6)
        if ball:
            length = np.linalg.norm(p, axis=1, keepdims=True)
            p = p * np.minimum(1, 2 * ball / length)
        start = len(verts)
        verts += list(p * size / 2)
        cell = np.array([(value - 1) % 3, (value - 1) // 3])
        place = (cell + 0.02 + 0.96 * (np.stack([a.ravel(), b.ravel()], 1) + 1) / 2) / (3, 2)
        for i in range(m - 1):
            for j in range(m - 1):
                f = [i * m + j, (i + 1) * m + j, (i + 1) * m + j + 1, i * m + j + 1]
                faces.append([start + k for k in f])
                uv += [place[k] for k in f]
    mesh = make(name, np.array(verts), faces, np.array(uv), None)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), bool))
    # the six sheets meet without sharing corners: give the seams the normals of the body itself
    p = np.array(verts) / (size / 2)
    inner = np.clip(p, -(1 - r), 1 - r)
    normals = p - inner
    if ball:
        on_ball = np.linalg.norm(p, axis=1) > 2 * ball * 0.998
        normals[on_ball] = p[on_ball]
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-6)
    mesh.normals_split_custom_set_from_vertices(normals.tolist())
    return mesh


def quad(name: str, w: float, h: float, scale: float = 0.0) -> bpy.types.Mesh:
    """A rectangle about the origin facing up; uv 0..1, or in centimetres over ``scale`` when given."""
    v = np.array([(-w / 2, -h / 2, 0), (w / 2, -h / 2, 0), (w / 2, h / 2, 0), (-w / 2, h / 2, 0)])
    uv = v[:, :2] / scale if scale else v[:, :2] / (w, h) + 0.5
    return make(name, v, [[0, 1, 2, 3]], uv, None)


FONTS = ("", "Inter.woff2", "DejaVuSansMono.woff2", "NotoSansMath-Regular.woff2", "NotoSansHebrew-Regular.woff2", "Inter.woff2")
TRIANGLES: dict[tuple[str, int], Array] = {}


def glyphs(text: str, font: int) -> Array:
    """(n, 3, 2) triangles of a text in one of a few fonts, its height 1, centred. The last font leans."""
    if (text, font) in TRIANGLES:
        return TRIANGLES[text, font]
    curve = bpy.data.curves.new("text", "FONT")
    curve.body = text
    if FONTS[font]:
        curve.font = bpy.data.fonts.load(bpy.utils.system_resource("DATAFILES", path="fonts") + "/" + FONTS[font], check_existing=True)
    curve.offset = 0.012 if font % 2 else 0.0
    curve.shear = 0.25 if font == 5 else 0.0
    curve.resolution_u = 4
    obj = bpy.data.objects.new("text", curve)
    m = obj.to_mesh()
    m.calc_loop_triangles()
    v = np.array([p.co[:2] for p in m.vertices]).reshape(-1, 2)
    tri = np.array([t.vertices[:] for t in m.loop_triangles]).reshape(-1, 3)
    obj.to_mesh_clear()
    bpy.data.objects.remove(obj)
    bpy.data.curves.remove(curve)
    lo, hi = v.min(0), v.max(0)
    out: Array = ((v - (lo + hi) / 2) / (hi[1] - lo[1]))[tri]
    TRIANGLES[text, font] = out
    return out


def ink(text: str, font: int, w: int, h: int, height: float = 0.6, over: int = 3) -> Array:
    """A mask (h, w) 0..1 with the text in its middle, ``height`` of the picture high or as wide as fits."""
    tri = glyphs(text, font)
    wide = float(np.abs(tri[..., 0]).max() * 2)
    scale = min(height * h, 0.85 * w / wide) * over
    t = tri * scale + np.array([w, h]) * over / 2
    out = np.zeros((h * over, w * over), np.float32)
    for a, b, c in t:
        x0, y0 = np.floor(np.minimum(np.minimum(a, b), c)).astype(int).clip(0)
        x1, y1 = np.ceil(np.maximum(np.maximum(a, b), c)).astype(int) + 1
        x1, y1 = min(x1, w * over), min(y1, h * over)
        if x1 <= x0 or y1 <= y0:
            continue
        px = np.stack(np.meshgrid(np.arange(x0, x1) + 0.5, np.arange(y0, y1) + 0.5), -1)
        side = [(q[0] - p[0]) * (px[..., 1] - p[1]) - (q[1] - p[1]) * (px[..., 0] - p[0]) for p, q in ((a, b), (b, c), (c, a))]
        hit = np.logical_or(np.all([s >= 0 for s in side], 0), np.all([s <= 0 for s in side], 0))
        out[y0:y1, x0:x1] = np.maximum(out[y0:y1, x0:x1], hit)
    return np.asarray(out.reshape(h, over, w, over).mean((1, 3)))
