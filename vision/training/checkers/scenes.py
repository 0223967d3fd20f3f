"""Random boards, positions, cameras and lights, drawn by `checkers.trace` and labelled exactly.

    python -m vision.training.checkers.scenes OUT --scenes 300 --seed 1

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
from vision.checkers.strips import off_frame, strip_ground
from vision.table import Table
from vision.training.checkers import trace
from vision.training.checkers.board import TABLE, case, field_row, in_shades, lamps, materials
from vision.training.checkers.lying import Lying, doubling_cube, in_sight, kept_on_bar, on_bar, on_points, spares, thrown
from vision.training.checkers.positions import Layout, random_points
from vision.training.checkers.rays import grid_of
from vision.training.checkers.tables import random_table
from vision.training.checkers.textures import noise_textures
from vision.training.checkers.things import DICE, Solids, hand, lay_beside

Window = tuple[int, int, int, int]  # x0, y0, x1, y1, px


class Scene:
    """One board under one light before one camera, and the pictures of it."""

    def __init__(self, seed: int, varied: float = 0.0) -> None:
        self.rng = rng = np.random.default_rng(seed)
        self.table = random_table(rng)
        self.layout = Layout(rng, self.table.measures)
        self.sharp = float(rng.choice([0.0, rng.uniform(0.3, 1.5)], p=[0.7, 0.3]))  # as phones sharpen
        self.textures = noise_textures(rng)
        self.mats = materials(rng)
        self.field = field_row(rng, self.table.measures)
        self.fixed, self.ground = case(rng, self.table.measures, self.table.home)
        self.lights, self.ambient = lamps(rng)
        apart = np.random.default_rng([seed, 1])  # so that seeds keep their pictures without it
        self.shades, self.spread = apart, float(apart.uniform(0.1, 0.6)) if apart.random() < varied else 0.0
        camera = self.table.camera
        w, h = camera.size
        grid = np.stack(np.meshgrid(np.arange(w, dtype=float), np.arange(h, dtype=float)), -1)
        flat = cv2.undistortPoints(grid.reshape(-1, 1, 2), camera.matrix, camera.dist).reshape(h, w, 2)
        rays = np.concatenate([flat, np.ones((h, w, 1))], -1) @ camera.rotation
        self.rays = rays / np.linalg.norm(rays, axis=-1, keepdims=True)

    def draw(
        self, points: list[int], bar: list[int], clutter: bool, beside: Solids | None = None, window: Window | None = None
    ) -> tuple[Any, list[float]]:
        """One picture (h, w, 3) BGR uint8 and the share in sight of points 1..24 and the bar.

        ``beside`` is what lies beside the home board, drawn at random when not given; outside ``window`` the picture stays black."""
        rng, table, m = self.rng, self.table, self.table.measures
        lying = Lying()
        on_points(rng, table, self.layout, points, lying)
        on_bar(rng, m, bar, lying)
        lying.take(self.fixed)
        if beside is not None:
            lying.take(beside)
        elif rng.random() < 0.3:
            spares(rng, m, lying)
        lying.upright = len(lying.boxes)
        if clutter:
            thrown(rng, m, lying)
        if rng.random() < 0.6:
            doubling_cube(rng, m, clutter, lying)
        if rng.random() < 0.12:
            kept_on_bar(rng, m, lying)
        caps, cap_mats = hand(rng, m) if clutter and rng.random() < 0.25 else ([], [])
        covers = np.array(caps, float).reshape(-1, 7)
        light = self._light(lying, covers, np.array(cap_mats, dtype=np.int64), window)
        return self._develop(light), in_sight(table, lying, covers)

    def _light(self, lying: Lying, caps: Any, cap_mats: Any, window: Window | None) -> Any:
        """The picture in linear light (h, w, 3), black outside ``window``."""
        h, w = self.rays.shape[:2]
        x0, y0, x1, y1 = window or (0, 0, w, h)
        whole = np.zeros((h, w, 3))
        out = np.zeros((y1 - y0, x1 - x0, 3))
        solid, mats = lying.solid()
        looks, own = in_shades(self.shades, self.spread, self.mats, mats) if self.spread else (self.mats, mats)
        top = max(float(solid[:, 3].max()), -self.ground.floor)
        slant = float(np.max(np.linalg.norm(self.rays[..., :2], axis=-1) / np.maximum(-self.rays[..., 2], 0.3)))
        shade = max(float(np.hypot(*light[:2]) + light[6] * 0.71) / light[2] for light in self.lights)
        view, shadow = grid_of(solid, min(top * slant, 12.0)), grid_of(solid, min(top * shade, 12.0))
        spins, seed = self.rng.uniform(0, 6.28, len(mats)), int(self.rng.integers(1 << 30))
        trace.render(
            np.asarray(self.table.camera.eye, float), np.ascontiguousarray(self.rays[y0:y1, x0:x1]), solid, own, spins,
            np.array(lying.boxes, float), np.array(lying.box_mats), np.isin(lying.box_mats, DICE), lying.upright, caps, cap_mats,
            self.field, self.ground.floor - 0.01, TABLE, looks, self.textures, self.lights, self.ambient, 3, seed,
            view, shadow, out,
        )  # fmt: skip
        whole[y0:y1, x0:x1] = out
        return whole

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


def write_scene(folder: Path, seed: int, pictures: int, sides: int = 0, varied: float = 0.0) -> None:
    """A scene's pictures and labels; ``sides`` more pictures show only what lies beside the home board."""
    scene = Scene(seed, varied)
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
    parser.add_argument("--varied", type=float, default=0.0, help="share of scenes whose checkers are each of their own shade")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    for k in range(args.scenes):
        folder = args.out / f"s{args.seed}_{k:05d}"
        if not (folder / "labels.json").exists():
            write_scene(folder, args.seed * 1_000_003 + k, args.pictures, args.sides, args.varied)


if __name__ == "__main__":
    main()
