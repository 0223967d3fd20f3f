"""Random boards, positions, cameras and lights, drawn by `checkers_trace` and labelled exactly.

    python -m vision.training.checkers_scenes OUT --scenes 300 --seed 1

writes one folder a scene: ``labels.json`` (camera, board, frames with ``position`` and ``visible``, the share in sight of
what matters on points 1..24 and the bar) and its pictures, the first in the starting position.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.board.position import START
from referee.observations import Half
from vision.checkers_strips import off_frame, strip_ground
from vision.table import Table
from vision.training import checkers_trace as trace
from vision.training.checkers_paints import apart, colour, material
from vision.training.checkers_positions import Layout, random_points
from vision.training.checkers_tables import random_table
from vision.training.checkers_textures import noise_textures
from vision.training.checkers_things import Ground, Solids, hand, lay_beside

Rng = np.random.Generator
Window = tuple[int, int, int, int]  # x0, y0, x1, y1, px


class Scene:
    """One board under one light before one camera, and the pictures of it."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = np.random.default_rng(seed)
        self.table = random_table(rng)
        self.layout = Layout(rng, self.table.measures)
        self.sharp = float(rng.choice([0.0, rng.uniform(0.3, 1.5)], p=[0.7, 0.3]))  # as phones sharpen
        self.textures = noise_textures(rng)
        self._materials()
        self._lights()
        camera = self.table.camera
        w, h = camera.size
        grid = np.stack(np.meshgrid(np.arange(w, dtype=float), np.arange(h, dtype=float)), -1)
        flat = cv2.undistortPoints(grid.reshape(-1, 1, 2), camera.matrix, camera.dist).reshape(h, w, 2)
        rays = np.concatenate([flat, np.ones((h, w, 1))], -1) @ camera.rotation
        self.rays = rays / np.linalg.norm(rays, axis=-1, keepdims=True)

    def _materials(self) -> None:
        rng, m = self.rng, self.table.measures
        low = rng.random() < 0.3
        ground = colour(rng)
        near = apart(rng, [ground], 0.12 if low else 0.35)
        far = apart(rng, [ground, near] if rng.random() < 0.8 else [near], 0.15 if low else 0.4)
        if rng.random() < 0.2:  # all of wood
            wood = np.array([0.9, 0.66, 0.42])
            shades = rng.permutation([rng.uniform(0.75, 1.08), rng.uniform(0.3, 0.6), rng.uniform(0.35, 1.0)])
            near, far, ground = (np.clip(wood * shade + rng.normal(0, 0.04, 3), 0, 1) for shade in shades)
        odd, even = apart(rng, [ground], 0.1), apart(rng, [ground], 0.1)
        if rng.random() < 0.25:
            odd = np.clip(near + rng.normal(0, 0.05, 3), 0, 1)  # triangles of the checkers' own colour
        if rng.random() < 0.25:
            even = np.clip(far + rng.normal(0, 0.05, 3), 0, 1)
        checker = {
            "RIM": float(rng.uniform(0.02, 0.15)),
            "GROOVE": float(rng.choice([0, rng.uniform(0.1, 0.9)])),
            "GROOVE_R": float(rng.uniform(0.35, 0.85)),
            "DIMPLE": float(rng.choice([0, rng.uniform(0, 0.5)], p=[0.6, 0.4])),
        }
        if rng.random() < 0.35:  # an inlay, a star or a coloured middle
            checker |= {
                "MOTIF": float(rng.choice([1, 4, 5, 6, 8])),
                "MOTIF_R0": float(rng.choice([0.0, rng.uniform(0.3, 0.6)])),
                "MOTIF_R1": float(rng.uniform(0.5, 0.9)),
            }
        rows = []
        for tone in (near, far):
            row = material(rng, tone, **checker)
            row[trace.THIRD : trace.THIRD + 3] = list(np.clip(colour(rng), 0.02, 0.97) ** 2.2)
            row[trace.TSCALE] = float(rng.uniform(1.5, 9))
            rows.append(row)
        rows += [
            material(rng, c, GLOSS=0.0) if rng.random() < 0.7 else material(rng, c)
            for c in (ground, odd, even, colour(rng), colour(rng), colour(rng))
        ]
        rail = colour(rng)
        if rng.random() < 0.35:  # a bar of a checker's own colour
            rail = np.clip((near if rng.random() < 0.5 else far) + rng.normal(0, 0.04, 3), 0, 1)
        skin = np.array([0.9, 0.68, 0.55]) * rng.uniform(0.35, 1.05)
        rows += [
            material(rng, rail),
            material(rng, rail * 0.5),
            material(rng, [0.7, 0.6, 0.35], GLOSS=1.0, SHINE=60.0),
            material(rng, colour(rng)),  # 8 rail 9 tray 10 hinge 11 table
            material(rng, skin, AMOUNT=0.2),
            material(rng, colour(rng)),
            material(rng, colour(rng)),
        ]  # 12 skin 13 sleeve 14 cup
        for _ in range(2):  # 15 16 dice
            row = material(rng, colour(rng), AMOUNT=0.0)
            row[trace.THIRD : trace.THIRD + 3] = [0.9] * 3 if sum(row[:3]) < 0.8 else [0.02] * 3
            rows.append(row)
        rows.append(material(rng, colour(rng)))  # 17 cube
        self.mats = np.array(rows)
        outline = float(rng.choice([0, 0.12, 0.25], p=[0.6, 0.25, 0.15]))
        ornament = (float(rng.uniform(2, 7)), float(rng.uniform(2, 6))) if rng.random() < 0.25 else (0.0, 1.0)
        slack = (m.inner[0] - m.bar - 12 * m.pitch) / 4
        self.field = np.array(
            [
                m.inner[0] / 2,
                m.inner[1] / 2,
                m.bar / 2,
                m.pitch,
                slack,
                m.border,
                m.point_length,
                rng.uniform(0.8, 1.0),
                outline,
                ornament[0],
                ornament[1],
                float(rng.choice([0, rng.uniform(0.6, 2)], p=[0.85, 0.15])),
                2,
                3,
                4,
                5,
                6,
                7,
            ]
        )
        self.fixed = Solids()

        def box(x0: float, x1: float, y0: float, y1: float, z0: float, z1: float, mat: int) -> None:
            self.fixed.block([(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2], [(x1 - x0) / 2, (y1 - y0) / 2, (z1 - z0) / 2], mat)

        w, h, rh, thick = m.inner[0] / 2, m.inner[1] / 2, m.rail_height, rng.uniform(1.0, 2.5)
        floor = -rng.uniform(0.5, 2.5)
        sides = [float(rng.choice([0, rng.uniform(4.5, 6.5)])) for _ in range(2)]
        box(-w - thick - sides[0], w + thick + sides[1], h, h + thick, floor, rh, 8)
        box(-w - thick - sides[0], w + thick + sides[1], -h - thick, -h, floor, rh, 8)
        for sign, tray in ((-1, sides[0]), (1, sides[1])):
            x0, x1 = sorted((sign * w, sign * (w + thick)))
            box(x0, x1, -h, h, floor, rh, 8)
            if tray:
                x0, x1 = sorted((sign * (w + thick), sign * (w + thick + tray)))
                box(x0, x1, -h, h, floor, 0.0, 9)
                x0, x1 = sorted((sign * (w + thick + tray), sign * (w + 2 * thick + tray)))
                box(x0, x1, -h - thick, h + thick, floor, rh, 8)
        for sign in (-1, 1):
            x0, x1 = sorted((sign * 0.04, sign * m.bar / 2))
            box(x0, x1, -h, h, -0.5, m.bar_height, 8)
        if rng.random() < 0.6:
            for y in (-h * 0.6, h * 0.6):
                box(-0.9, 0.9, y - 1.4, y + 1.4, 0, m.bar_height + 0.05, 10)
        if rng.random() < 0.2:  # felt where hit checkers lie
            for y in (-h * 0.6, h * 0.6):
                box(-m.bar * 0.45, m.bar * 0.45, y - h * 0.3, y + h * 0.3, 0, m.bar_height + 0.04, 13)
        self.floor = floor
        tray = sides[int(self.table.home is Half.RIGHT)]
        self.ground = Ground(m, 1.0 if self.table.home is Half.RIGHT else -1.0, tray, thick, floor)

    def _lights(self) -> None:
        rng = self.rng
        lights = []
        warm = np.array([1.0, rng.uniform(0.8, 1.0), rng.uniform(0.6, 1.1)])
        for i in range(int(rng.integers(1, 4))):
            direction = np.array([rng.normal(0, 0.6), rng.normal(0, 0.6), 1.0])
            direction /= np.linalg.norm(direction)
            power = rng.uniform(0.5, 1.2) if i == 0 else rng.uniform(0.1, 0.6)
            lights.append([*direction, *(warm * power), float(rng.choice([0.05, 0.25, 0.6])), 0.0])
        self.lights = np.array(lights)
        self.lights[:, :3] /= np.linalg.norm(self.lights[:, :3], axis=1, keepdims=True)
        self.ambient = warm * rng.uniform(0.12, 0.7)

    def draw(
        self, points: list[int], bar: list[int], clutter: bool, beside: Solids | None = None, window: Window | None = None
    ) -> tuple[Any, list[float]]:
        """One picture (h, w, 3) BGR uint8 and the share in sight of points 1..24 and the bar.

        ``beside`` is what lies beside the home board, drawn at random when not given; outside ``window`` the picture stays black."""
        rng, table, m = self.rng, self.table, self.table.measures
        d, thick = m.checker, m.checker_height
        cylinders, mats = [], []
        slots: list[Any] = []
        for p in range(1, 25):
            count = points[p - 1]
            x, y, way = table.point_base(p)
            opposite = abs(points[24 - p])
            room = (m.inner[1] - 2 * m.border) / d - min(opposite, 5) - 0.2
            spots = self.layout.column(rng, abs(count), room)
            limit = (m.pitch - d) / 2 + max(0.06, self.layout.aside) * d
            places = []
            for along, across, layer in spots:
                c = [
                    x + way * float(np.clip(across * d, -limit, limit)) if not layer else x + way * across * d,
                    y + way * along * d,
                    layer * thick,
                    (layer + 1) * thick,
                    d / 2,
                ]
                cylinders.append(c)
                mats.append(0 if count > 0 else 1)
                places.append([c[0], c[1], c[3]])
            used = len({round(s[0], 1) for s in spots if s[2] == 0})
            if used < 5:
                places.append([x, y + way * (used + 0.5) * d, 0.0])
            slots.append((places, d * 0.38))
        along = 0.0
        places = []
        step = d * rng.uniform(1.0, 1.25)
        for seat, sign in ((0, 1), (1, -1)):
            if rng.random() < 0.15:
                sign = -sign
            for k in range(bar[seat]):
                y = along + sign * (0.5 * step + k * step) + rng.normal(0, 0.1)
                cylinders.append([rng.normal(0, min(0.1 * d, 0.3)), y, m.bar_height, m.bar_height + thick, d / 2])
                mats.append(seat)
                places.append([0.0, y, m.bar_height + thick])
        places += [[0.0, k * d, m.bar_height] for k in (-1.5, -0.5, 0.5, 1.5)]
        slots.append((places, d * 0.3))
        boxes, box_mats = list(self.fixed.boxes), list(self.fixed.box_mats)
        if beside is not None:
            cylinders += beside.cylinders
            mats += beside.cylinder_mats
            boxes += beside.boxes
            box_mats += beside.box_mats
        elif rng.random() < 0.3:  # borne off, or a spare checker on the table
            for _ in range(int(rng.integers(1, 8))):
                side = rng.choice([-1, 1])
                stack = rng.uniform(m.inner[0] / 2 + 4.5, m.inner[0] / 2 + 9)
                cylinders.append([side * stack, rng.uniform(-0.5, 0.5) * m.inner[1], 0.0, thick * int(rng.integers(1, 5)), d / 2])
                mats.append(int(rng.integers(0, 2)))
        upright = len(boxes)
        dice = [0.0] * upright

        def cube(size: float, x: float, y: float, z: float, mat: int, tilt: float = 0.0) -> None:
            turn = cv2.Rodrigues(np.array([0, 0, rng.uniform(0, 6.3)]))[0] @ cv2.Rodrigues(np.array([tilt, 0, 0]))[0]
            order = np.eye(3)[rng.permutation(3)] * rng.choice([-1, 1], (3, 1))
            boxes.append([x, y, z + size / 2, *([size / 2] * 3), *(order @ turn.T).ravel(), size])
            box_mats.append(mat)
            dice.append(1.0 if mat != 17 else 0.0)

        if clutter:
            for i in range(int(rng.choice([0, 1, 2, 2, 2, 4]))):
                if rng.random() < 0.25 and len(cylinders):
                    c = cylinders[int(rng.integers(0, len(cylinders)))]
                    cube(m.die, c[0] + rng.normal(0, 0.5), c[1] + rng.normal(0, 0.5), c[3], 15 + i % 2)
                else:
                    cube(
                        m.die,
                        rng.uniform(-0.48, 0.48) * m.inner[0],
                        rng.uniform(-0.48, 0.48) * m.inner[1],
                        0.0,
                        15 + i % 2,
                        float(rng.choice([0, rng.uniform(0, 0.6)])),
                    )
        if rng.random() < 0.6:
            spot = rng.random()
            if spot < 0.6 or not clutter:
                y = rng.choice([0.0, rng.uniform(-0.45, 0.45)]) * m.inner[1]
                if any(abs(c[0]) < 1 and abs(c[1] - y) < d / 2 + m.die for c in cylinders):
                    y = rng.choice([-1, 1]) * (m.inner[1] / 2 - m.die)  # nobody stands the cube on a checker
                cube(m.die * 1.9, rng.normal(0, 0.1), y, m.bar_height, 17)
            else:
                cube(m.die * 1.9, rng.uniform(-0.45, 0.45) * m.inner[0], rng.uniform(-0.15, 0.15) * m.inner[1], 0.0, 17)
        if rng.random() < 0.12:  # dice kept on the bar
            for _ in range(int(rng.integers(1, 5))):
                y = rng.uniform(-0.4, 0.4) * m.inner[1]
                if not any(abs(c[0]) < 1 and abs(c[1] - y) < d / 2 + m.die for c in cylinders):
                    cube(m.die, rng.normal(0, 0.2), y, m.bar_height, int(rng.integers(15, 17)))
        caps, cap_mats = hand(rng, m) if clutter and rng.random() < 0.25 else ([], [])
        caps_array = np.array(caps, float).reshape(-1, 7)
        h, w = self.rays.shape[:2]
        x0, y0, x1, y1 = window or (0, 0, w, h)
        whole = np.zeros((h, w, 3))
        out, ids = np.zeros((y1 - y0, x1 - x0, 3)), np.zeros((y1 - y0, x1 - x0), np.int32)
        cylinders = cylinders or [[0.0, 0.0, -9.0, -8.9, 0.1]]
        mats = mats or [0]
        eye = np.asarray(table.camera.eye, float)
        solid = np.array(cylinders, float)
        top = max(float(solid[:, 3].max()), -self.floor)
        slant = float(np.max(np.linalg.norm(self.rays[..., :2], axis=-1) / np.maximum(-self.rays[..., 2], 0.3)))
        shade = max(float(np.hypot(*light[:2]) + light[6] * 0.71) / light[2] for light in self.lights)
        view, shadow = trace.grid_of(solid, min(top * slant, 12.0)), trace.grid_of(solid, min(top * shade, 12.0))
        trace.render(
            eye,
            np.ascontiguousarray(self.rays[y0:y1, x0:x1]),
            solid,
            np.array(mats),
            rng.uniform(0, 6.28, len(mats)),
            np.array(boxes, float),
            np.array(box_mats),
            np.array(dice),
            upright,
            caps_array,
            np.array(cap_mats, dtype=np.int64),
            self.field,
            self.floor - 0.01,
            11,
            self.mats,
            self.textures,
            self.lights,
            self.ambient,
            3,
            int(rng.integers(1 << 30)),
            view,
            shadow,
            out,
            ids,
        )
        whole[y0:y1, x0:x1] = out
        visible = []
        none = np.zeros((0, 16))
        ring = [(r * np.cos(a), r * np.sin(a)) for r in (0.0, 0.55, 1.0) for a in np.linspace(0, 6.28, 8)]
        for places, radius in slots:
            worst = 0.0
            for px, py, pz in places:
                spots3 = np.array([[px + radius * a, py + radius * b, pz] for a, b in ring])
                if len(caps_array):
                    worst = max(worst, float(trace.hidden_share(eye, spots3, caps_array, none)))
                q = table.camera.project(np.array([px, py, pz]))
                if not (2 < q[0] < w - 2 and 2 < q[1] < h - 2):
                    worst = 1.0
            visible.append(round(1 - worst, 3))
        return self._develop(whole), visible

    def _develop(self, light: Any) -> Any:
        rng = self.rng
        h, w = light.shape[:2]
        if not hasattr(self, "exposure"):
            self.exposure = rng.uniform(0.35, 0.85) / max(float(np.percentile(light, rng.uniform(80, 99))), 1e-3)
            a = rng.uniform(-0.35, 0.35, 2)
            gx, gy = np.meshgrid(np.linspace(-1, 1, w), np.linspace(-1, 1, h))
            self.shade = np.clip(1 + a[0] * gx + a[1] * gy, 0.4, 1.6) * (1 - rng.choice([0.1, 0.2, 0.4]) * rng.random() * (gx**2 + gy**2))
            self.blur, self.noise, self.quality = rng.choice([0.0, 0.6, 1.0]), rng.choice([1.0, 3.0, 6.0]), int(rng.integers(60, 97))
        image = np.clip(light * self.exposure * self.shade[..., None], 0, 1) ** (1 / 2.2) * 255
        image = image[..., ::-1].astype(np.float32)
        if self.blur:
            image = cv2.GaussianBlur(image, (0, 0), float(self.blur))
        if self.sharp:
            image += self.sharp * (image - cv2.GaussianBlur(image, (0, 0), 1.5))
        image += cv2.GaussianBlur(rng.standard_normal(image.shape, dtype=np.float32), (0, 0), 0.6) * float(self.noise) * 1.5
        return np.clip(image, 0, 255).astype(np.uint8)

    def labels(self) -> dict[str, Any]:
        t, m = self.table, self.table.measures
        return {
            "camera": {
                "K": t.camera.matrix.tolist(),
                "dist": t.camera.dist.tolist(),
                "size": list(t.camera.size),
                "R": t.camera.rotation.tolist(),
                "t_cm": t.camera.translation.ravel().tolist(),
            },
            "board": {
                "home": t.home.value,
                "near_colour": {"rgb": list(t.near_rgb)},
                "far_colour": {"rgb": list(t.far_rgb)},
                "inner_cm": list(m.inner),
                "bar_cm": m.bar,
                "point_cm": m.pitch,
                "border_cm": m.border,
                "point_len_cm": m.point_length,
                "rail_h_cm": m.rail_height,
                "bar_h_cm": m.bar_height,
                "checker_mm": m.checker * 10,
                "checker_thick_mm": m.checker_height * 10,
                "die_mm": m.die * 10,
            },
            "frames": [],
            "sides": [],
        }


def window_of(table: Table) -> Window:
    """The part of the picture that shows what lies beside the home board."""
    ground = strip_ground(off_frame(table), margin=12)
    px = np.concatenate([table.camera.project(ground[::20, ::12].reshape(-1, 3) + [0, 0, z]) for z in (-2.5, 5.0)])
    x0, y0 = np.clip(px.min(0).astype(int), 0, table.camera.size)
    x1, y1 = np.clip(px.max(0).astype(int) + 1, 0, table.camera.size)
    return int(x0), int(y0), int(x1), int(y1)


def write_scene(folder: Path, seed: int, pictures: int, sides: int = 0) -> None:
    """A scene's pictures and labels; ``sides`` more pictures show only what lies beside the home board."""
    scene = Scene(seed)
    folder.mkdir(parents=True, exist_ok=True)
    labels = scene.labels()
    for k in range(pictures + 1):
        points, bar = (list(START.points), [0, 0]) if k == 0 else random_points(scene.rng)
        image, visible = scene.draw(points, bar, k > 0, Solids() if sides and not k else None)
        name = f"f{k:02d}.jpg"
        cv2.imwrite(str(folder / name), image, [cv2.IMWRITE_JPEG_QUALITY, scene.quality])
        labels["frames"].append(
            {
                "image": name,
                "role": "calibration" if k == 0 else "throw",
                "position": {"points": points, "bar": bar} | ({"off": [0, 0]} if sides and not k else {}),
                "visible": visible,
                "occluded": min(visible) < 0.85,
            }
        )
    x0, y0, x1, y1 = window = window_of(scene.table)
    for k in range(pictures + 1, pictures + 1 + sides * (min(x1 - x0, y1 - y0) > 24)):
        points, bar = random_points(scene.rng)
        beside, lying = lay_beside(scene.rng, scene.ground)
        image, _ = scene.draw(points, bar, False, beside, window)
        name = f"s{k:02d}.jpg"
        cv2.imwrite(str(folder / name), image, [cv2.IMWRITE_JPEG_QUALITY, scene.quality])
        off = [sum(c[3] == seat for c in lying) for seat in ("near", "far")]
        labels["sides"].append({"image": name, "position": {"off": off}, "checkers": lying})
    (folder / "labels.json").write_text(json.dumps(labels))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=300)
    parser.add_argument("--pictures", type=int, default=5)
    parser.add_argument("--sides", type=int, default=0, help="pictures more of what lies beside the home board, the rest black")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    for k in range(args.scenes):
        folder = args.out / f"s{args.seed}_{k:05d}"
        if not (folder / "labels.json").exists():
            write_scene(folder, args.seed * 1_000_003 + k, args.pictures, args.sides)


if __name__ == "__main__":
    main()
