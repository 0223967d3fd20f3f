"""The labels: the same form for every picture, as plain values ready for JSON."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from referee.board.position import Position

from .paint import Array
from .position import Laid, point_base
from .rest import NORMALS, Die
from .scene import Cube
from .spec import SetUp
from .view import Cam, field_corners


def _px(p: Array) -> list[Any]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in p] if np.ndim(p) == 2 else [round(float(p[0]), 2), round(float(p[1]), 2)]


def seen_share(cam: Cam, points: Array, near: float = 0.12) -> float:
    """Share of surface points (n, 3) that lie within the picture and that nothing hides from the camera."""
    scene, graph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    free, eye = 0, cam.eye
    for p in points[cam.in_picture(points)]:
        way = p - eye
        far = float(np.linalg.norm(way))
        hit, at, *_rest = scene.ray_cast(graph, Vector(eye.tolist()), Vector((way / far).tolist()), distance=far + 1)
        free += (not hit) or float(np.linalg.norm(np.array(at) - eye)) > far - near
    return free / len(points)


def _covered(eye: Array, at: Array) -> bool:
    """Whether a hand or a thing stands between the camera and a point."""
    scene, graph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    way = at - eye
    far = float(np.linalg.norm(way))
    hit, _at, _n, _i, obj, _m = scene.ray_cast(graph, Vector(eye.tolist()), Vector((way / far).tolist()), distance=far)
    return bool(hit and obj is not None and obj.name.split(".")[0] in ("hand", "thing", "clock", "sugar"))


def visible_points(eye: Array, s: SetUp) -> list[float]:
    """How much of each of near's points 1..24, then of the bar, no hand or thing covers: its first five places count."""
    d, h = s.checkers.diameter, s.checkers.height
    out = []
    for point in range(1, 26):
        if point < 25:
            x, y, way = point_base(s.board, s.home, point)
            spots = [np.array([x + dx * d, y + way * (k + 0.5) * d, h]) for k in range(5) for dx in (-0.3, 0.0, 0.3)]
        else:
            spots = [np.array([0.0, y, s.board.bar_height]) for y in np.linspace(-0.4, 0.4, 12) * s.board.inner[1]]
        out.append(round(sum(not _covered(eye, p) for p in spots) / len(spots), 2))
    return out


def covered(eye: Array, s: SetUp) -> bool:
    """Whether a hand or thing hides some of the board from the camera."""
    w, h = s.board.inner
    return any(_covered(eye, np.array([x * w, y * h, 1.0])) for x in np.linspace(-0.49, 0.49, 16) for y in np.linspace(-0.49, 0.49, 12))


def checker_labels(laid: list[Laid], s: SetUp) -> list[list[Any]]:
    """[x, y, z of the top, "near" or "far", point (0 bar, -1 borne off)] each; on edge: z of the highest part."""
    up = s.checkers.height
    place = {"bar": 0, "off": -1}
    return [
        [
            round(c.x, 2),
            round(c.y, 2),
            round(c.z + (s.checkers.diameter / 2 if c.on_edge else up), 2),
            ("near", "far")[c.seat],
            place.get(c.place, c.point),
        ]
        for c in laid
    ]


def top_samples(d: Die, n: int = 5) -> Array:
    """(n * n, 3) points on the most upward face."""
    normal = np.array(NORMALS[d.value], float)
    u = np.roll(normal, 1)
    v = np.cross(normal, u)
    t = np.linspace(-0.8, 0.8, n)
    return np.array([d.centre + d.turn @ (normal + a * u + b * v) * d.size / 2 for a in t for b in t])


def die_label(d: Die, cam: Cam) -> dict[str, Any]:
    quad = d.top_quad()
    return {
        "value": d.value,
        "state": d.state,
        "half": d.half,
        "centre_px": _px(cam.project(quad.mean(0))),
        "top_quad_px": _px(cam.project(quad)),
        "tilt_deg": round(d.tilt, 1),
        "owner": ("near", "far")[d.owner],
        "visible": round(seen_share(cam, top_samples(d)), 2),
        "touches": list(d.touches),
    }


def cube_label(cube: Cube, cam: Cam) -> dict[str, Any]:
    quad = cube.as_die.top_quad()
    return {
        **cube.label(),
        "centre_px": _px(cam.project(quad.mean(0))),
        "top_quad_px": _px(cam.project(quad)),
        "visible": round(seen_share(cam, top_samples(cube.as_die)), 2),
    }


def position_label(p: Position) -> dict[str, Any]:
    return {"points": list(p.points), "bar": list(p.bar), "off": list(p.off)}


def camera_label(s: SetUp, cam: Cam) -> dict[str, Any]:
    return {
        "K": cam.k.tolist(),
        "dist": [float(v) for v in cam.dist],
        "size": list(cam.size),
        "R": np.round(cam.r, 6).tolist(),
        "t_cm": np.round(cam.t, 4).tolist(),
        "mode": s.view.mode,
        "tilt_deg": round(s.view.tilt, 1),
        "azimuth_deg": round(s.view.azimuth, 1),
        "distance_cm": round(float(np.linalg.norm(cam.eye)), 1),
    }


def _colour(name: str, rgb: tuple[float, float, float]) -> dict[str, Any]:
    return {"name": name, "rgb": [round(255 * v) for v in rgb]}


def trays(s: SetUp) -> list[list[float]]:
    """Tray floors as boxes (x0, y0, x1, y1) cm, left then right."""
    b = s.board
    edge, h = b.inner[0] / 2 + b.rail_width, b.inner[1] / 2
    out = []
    if b.trays[0]:
        out.append([round(v, 2) for v in (-edge - b.trays[0], -h, -edge, h)])
    if b.trays[1]:
        out.append([round(v, 2) for v in (edge, -h, edge + b.trays[1], h)])
    return out


def board_label(s: SetUp, cam: Cam) -> dict[str, Any]:
    b, c = s.board, s.checkers
    return {
        "corners_px": _px(cam.project(field_corners(b))),
        "home": s.home,
        "near_colour": _colour(c.near_name, c.near.rgb),
        "far_colour": _colour(c.far_name, c.far.rgb),
        "inner_cm": list(b.inner),
        "bar_cm": b.bar,
        "point_cm": b.pitch,
        "point_len_cm": b.point_length,
        "border_cm": b.border,
        "rail_h_cm": b.rail_height,
        "bar_h_cm": b.bar_height,
        "checker_mm": round(c.diameter * 10, 1),
        "checker_thick_mm": round(c.height * 10, 1),
        "die_mm": round(s.dice[0].size * 10, 1),
        "dice_colours": {"near": _colour(s.dice[0].name, s.dice[0].body.rgb), "far": _colour(s.dice[1].name, s.dice[1].body.rgb)},
        "cube_mm": round(s.cube.size * 10, 1),
        "trays": len(trays(s)),
        "trays_cm": trays(s),
        "cube_place": s.cube.place,
        "checker_kind": c.near.kind,
        "field": b.field.kind,
    }
