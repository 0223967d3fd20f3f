"""Builds a set-up in Blender: board, table, lights once; checkers, dice and cube anew for every picture."""

from __future__ import annotations

from collections.abc import Iterable

import bpy
import numpy as np
from mathutils import Matrix

from . import light, material, mesh, things
from .fieldpaint import paint_field
from .paint import Array, paint, wood
from .position import Laid
from .rest import Die
from .spec import SetUp
from .view import Cam


def fresh() -> None:
    """An empty Blender with Cycles on one core."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    mesh.TRIANGLES.clear()
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.use_persistent_data = True
    c = scene.cycles
    c.device = "CPU"
    c.use_adaptive_sampling = False
    c.use_denoising, c.denoiser, c.denoising_prefilter, c.denoising_quality = True, "OPENIMAGEDENOISE", "FAST", "FAST"
    c.max_bounces, c.diffuse_bounces, c.glossy_bounces, c.transmission_bounces, c.transparent_max_bounces = 6, 1, 2, 6, 6
    c.caustics_reflective = c.caustics_refractive = False
    c.sample_clamp_indirect, c.sample_clamp_direct = 4.0, 30.0
    c.blur_glossy, c.use_light_tree = 0.5, False
    s = scene.render.image_settings
    s.file_format, s.color_mode, s.color_depth, s.exr_codec = "OPEN_EXR", "RGB", "16", "NONE"


class Stage:
    """One set-up, built. ``show`` puts a position on it, ``render`` takes the picture."""

    def __init__(self, s: SetUp) -> None:
        fresh()
        self.s = s
        self.rng = np.random.default_rng([s.seed, 77])
        self.scene = bpy.context.scene
        self.moving: list[bpy.types.Object] = []
        self._build_board()
        self._build_table()
        light.set_lights(s.light, self.rng, s.room)
        c = s.checkers
        self.checker_mesh = []
        for name, p in (("near", c.near), ("far", c.far)):
            m = mesh.checker(name, c.diameter, c.height, c.profile)
            m.materials.append(material.checker("checker " + name, p, c, self.rng))
            self.checker_mesh.append(m)
        self.die_mesh = []
        for k, d in enumerate(s.dice):
            m = mesh.die(f"die {k}", d.size, d.radius, d.ball)
            m.materials.append(material.dice(f"die {k}", d, self.rng))
            self.die_mesh.append(m)
        self.cube_mesh = mesh.die("cube", s.cube.size, s.cube.radius, 0.0)
        self.cube_mesh.materials.append(material.cube("cube", s.cube, self.rng))
        data = bpy.data.cameras.new("camera")
        data.clip_end = 2000
        self.camera = self.put(data, "camera")
        self.scene.camera = self.camera

    def put(
        self, data: object, name: str, at: Iterable[float] = (0, 0, 0), turn: Array | None = None, moving: bool = False
    ) -> bpy.types.Object:
        obj = bpy.data.objects.new(name, data)
        m = np.eye(4)
        if turn is not None:
            m[:3, :3] = turn
        m[:3, 3] = list(at)
        obj.matrix_world = Matrix(m.tolist())
        self.scene.collection.objects.link(obj)
        if moving:
            self.moving.append(obj)
        return obj

    def _box(self, name: str, lo: Iterable[float], hi: Iterable[float], mat: bpy.types.Material, bevel: float | None = None) -> None:
        a, b = np.array(list(lo), float), np.array(list(hi), float)
        m = mesh.box(name, ((b - a) / 2).tolist(), self.s.board.bevel if bevel is None else bevel, self.rng)
        m.materials.append(mat)
        self.put(m, name, (a + b) / 2)

    def _build_board(self) -> None:
        b, rng = self.s.board, self.rng
        w, h = b.inner[0] / 2, b.inner[1] / 2
        rgb, height = paint_field(b, rng)
        bump = {"vinyl": 0.5, "leather": 0.5, "cork": 0.35, "felt": 0.25, "wood": 0.1}.get(b.field.kind, 0.0)
        field = mesh.quad("field", b.inner[0], b.inner[1])
        field.materials.append(material.sheet("field", b.field, material.picture("field", rgb, height), bump))
        self.put(field, "field")
        rail = material.surface("rail", b.rail, rng)
        rw, top, foot = b.rail_width, b.rail_height, -b.base
        left = w + rw + (b.trays[0] + rw if b.trays[0] else 0)
        right = w + rw + (b.trays[1] + rw if b.trays[1] else 0)
        gap = 0.06 if b.hinge_bar else 0.0
        for s in (-1, 1):  # far and near rails, cut where a folding board folds
            y0, y1 = sorted((s * h, s * (h + rw)))
            if b.hinge_bar:
                self._box("rail", (-left, y0, foot), (-gap, y1, top), rail)
                self._box("rail", (gap, y0, foot), (right, y1, top), rail)
            else:
                self._box("rail", (-left, y0, foot), (right, y1, top), rail)
        self._box("rail", (-w - rw, -h, foot), (-w, h, top), rail)
        self._box("rail", (w, -h, foot), (w + rw, h, top), rail)
        if b.hinge_bar:
            self._box("bar", (-b.bar / 2, -h, -0.3), (-gap, h, b.bar_height), rail)
            self._box("bar", (gap, -h, -0.3), (b.bar / 2, h, b.bar_height), rail)
        else:
            self._box("bar", (-b.bar / 2, -h, -0.3), (b.bar / 2, h, b.bar_height), rail)
        self._box(
            "floor",
            (-left + 0.02, -h - rw + 0.02, foot + 0.01),
            (right - 0.02, h + rw - 0.02, -0.02),
            material.flat("underside", (0.2, 0.15, 0.1)),
            0.0,
        )
        tray_mat = material.surface("tray", b.tray, rng) if max(b.trays) else None
        for s, width in ((-1, b.trays[0]), (1, b.trays[1])):
            if not width:
                continue
            x0, x1 = sorted((s * (w + rw), s * (w + rw + width)))
            self._box("tray", (x0, -h, -0.2), (x1, h, 0.0), tray_mat, 0.0)
            e0, e1 = sorted((s * (w + rw + width), s * (w + rw + width + rw)))
            self._box("rail", (e0, -h, foot), (e1, h, top), rail)
            for k in range(b.tray_dividers):
                y = (0.0 if b.tray_dividers == 1 else (k - 0.5) * 2) * self.s.cube.size * 0.75
                self._box("divider", (x0, y - 0.3, 0), (x1, y + 0.3, top * 0.8), rail)
        self._build_metal(h)

    def _build_metal(self, h: float) -> None:
        b, rng = self.s.board, self.rng
        metal = material.flat("metal", b.metal, float(rng.uniform(0.15, 0.45)), 1.0)
        dark = material.flat("slot", (0.1, 0.08, 0.06), 0.5, 0.6)
        screw = mesh.turned("screw", [(0.22, 0), (0.22, 0.03), (0.12, 0.07), (1e-4, 0.08)], 16)
        screw.materials.append(metal)
        slot = mesh.box("slot", (0.16, 0.025, 0.01), 0.0)
        slot.materials.append(dark)
        for k in range(b.hinges):
            y = (k - (b.hinges - 1) / 2) * h * (1.3 if b.hinges == 2 else 0.8)
            lx, ly = min(b.bar * 0.35, rng.uniform(0.8, 1.6)), rng.uniform(0.9, 2.4)
            for s in (-1, 1):
                self._box("hinge", (min(0, s * lx), y - ly, b.bar_height), (max(0, s * lx), y + ly, b.bar_height + 0.06), metal, 0.02)
                for t in (-0.6, 0, 0.6):
                    at = (s * lx * 0.55, y + t * ly, b.bar_height + 0.06)
                    self.put(screw, "screw", at)
                    self.put(slot, "screw", (at[0], at[1], at[2] + 0.08))
            pin = mesh.turned("pin", [(0.14, -ly), (0.14, ly)], 12)
            pin.materials.append(metal)
            self.put(pin, "hinge", (0, y, b.bar_height + 0.08), np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]))
        if b.screws:
            for sx in (-1, 1):
                for sy in (-1, 1):
                    at = (sx * (b.inner[0] / 2 + b.rail_width / 2), sy * (h + b.rail_width / 2), b.rail_height)
                    self.put(screw, "screw", at)
                    self.put(slot, "screw", (at[0], at[1], at[2] + 0.08))

    def _build_table(self) -> None:
        s, rng = self.s, self.rng
        foot = -s.board.base
        size = float(rng.uniform(90, 180)) if s.table_edge else 600.0
        cm = 110.0 if s.table.kind == "wood" else 45.0
        top = mesh.quad("table", size * 1.2, size, 1.0)
        planks = rng.uniform(6, 22) if rng.random() < 0.5 else 0.0
        n = 1024 if s.table.kind == "wood" else 640
        rgb, height = (
            wood(rng, n, n, s.table.rgb, n / cm, None, planks)
            if s.table.kind == "wood"
            else paint(s.table.kind, rng, n, n, s.table.rgb, n / cm)
        )
        top.materials.append(
            material.sheet(
                "table",
                s.table,
                material.picture("table", rgb, height),
                0.1 if s.table.kind in ("wood", "cloth") else 0.0,
                1 / cm,
                s.table.kind != "wood" or not planks,
            )
        )
        a = rng.choice([0, np.pi / 2]) + rng.normal(0, 0.12)
        turn = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
        self.put(top, "table", (rng.normal(0, 6), rng.normal(0, 6), foot - 0.005), turn)
        if s.table_edge:
            floor = mesh.quad("ground", 900, 900, 1.0)
            floor.materials.append(
                material.surface(
                    "ground", type(s.table)("stone" if rng.random() < 0.5 else "wood", tuple(rng.uniform(0.1, 0.7, 3)), 0.6), rng, 90.0
                )
            )
            self.put(floor, "ground", (0, 0, foot - 72))
        things.set_out(self, s, foot, rng)

    def clear(self) -> None:
        for obj in self.moving:
            data, kind = obj.data, obj.type
            shared = data is not None and data.users > 1
            bpy.data.objects.remove(obj)
            if kind == "MESH" and not shared and data not in (*self.checker_mesh, *self.die_mesh, self.cube_mesh):
                bpy.data.meshes.remove(data)
        self.moving = []

    def show(self, laid: list[Laid], dice: list[Die], cube: tuple[Array, Array] | None) -> None:
        """Clears the last picture away and lays checkers, dice and the cube (centre, turn)."""
        self.clear()
        for c in laid:
            cos, sin = np.cos(c.turn), np.sin(c.turn)
            turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
            at = (c.x, c.y, c.z)
            if c.on_edge:
                turn = np.array([[1, 0, 0], [0, 0, -1.0], [0, 1, 0]]) @ turn
                at = (c.x, c.y + self.s.checkers.height / 2, c.z)
            self.put(self.checker_mesh[c.seat], "checker", at, turn, True)
        for d in dice:
            self.put(self.die_mesh[d.owner], "die", d.centre, d.turn, True)
        if cube is not None:
            self.put(self.cube_mesh, "cube", cube[0], cube[1], True)

    def aim(self, cam: Cam) -> None:
        """Sets Blender's camera to a pinhole camera; its distortion is left for afterwards."""
        w, h = cam.size
        data = self.camera.data
        data.sensor_fit, data.sensor_width = "HORIZONTAL", 36.0
        data.lens = cam.k[0, 0] * 36.0 / w
        data.shift_x = (w / 2 - 0.5 - cam.k[0, 2]) / w
        data.shift_y = (cam.k[1, 2] - (h / 2 - 0.5)) / w
        m = np.eye(4)
        m[:3, :3] = cam.r.T @ np.diag([1.0, -1.0, -1.0])
        m[:3, 3] = cam.eye
        self.camera.matrix_world = Matrix(m.tolist())
        r = self.scene.render
        r.resolution_x, r.resolution_y, r.resolution_percentage = w, h, 100

    def render(self, path: str, samples: int, seed: int, window: tuple[int, int, int, int] | None = None) -> Array:
        """Linear (h, w, 3) of the frame, or of the pixels ``window`` (x0, y0, x1, y1) of it; ``path`` is scratch."""
        r = self.scene.render
        self.scene.cycles.samples, self.scene.cycles.seed = samples, seed
        r.use_border = r.use_crop_to_border = window is not None
        if window is not None:
            x0, y0, x1, y1 = window
            w, h = r.resolution_x, r.resolution_y
            r.border_min_x, r.border_max_x = (x0 + 0.02) / w, (x1 + 0.02) / w
            r.border_min_y, r.border_max_y = 1 - (y1 - 0.02) / h, 1 - (y0 - 0.02) / h
        r.filepath = path
        bpy.ops.render.render(write_still=True)
        img = bpy.data.images.load(path)
        w, h = img.size
        data = np.empty(w * h * img.channels, np.float32)
        img.pixels.foreach_get(data)
        out = data.reshape(h, w, img.channels)[::-1, :, :3].copy()
        bpy.data.images.remove(img)
        return out
