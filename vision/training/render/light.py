"""Lamps, windows and the sun over the table. Strengths are relative: the exposure is set afterwards."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Vector

from .paint import Array, Rng

Draw = float | tuple[float, float]
"""A number, or the two between which it is drawn."""


def kelvin(t: float) -> tuple[float, float, float]:
    """A rough linear tint of a lamp of ``t`` kelvin, 6500 = white."""
    x = (t - 6500) / 6500
    return (float(np.clip(1 - 0.45 * x, 0.4, 1.6)), 1.0, float(np.clip(1 + (0.9 if x < 0 else 0.5) * x, 0.25, 1.7)))


def _aim(obj: bpy.types.Object, at: Array) -> None:
    obj.rotation_euler = (Vector(at.tolist()) - obj.location).to_track_quat("-Z", "Y").to_euler()


def _lamp(kind: str, rng: Rng, elevation: float, azimuth: float, distance: float, size: float, strength: float, tint: float) -> None:
    """One lamp that gives the table the irradiance ``strength``."""
    data = bpy.data.lights.new(kind, "POINT" if kind == "bulb" else "SPOT" if kind == "spot" else "AREA")
    data.color = kelvin(tint)
    data.energy = strength * 4 * np.pi * distance**2 * (0.35 if kind == "area" else 1.0)
    obj = bpy.data.objects.new(kind, data)
    e, a = np.radians(elevation), np.radians(azimuth)
    obj.location = (distance * np.cos(e) * np.cos(a), distance * np.cos(e) * np.sin(a), distance * np.sin(e))
    if kind == "area":
        data.shape = "RECTANGLE"
        data.size, data.size_y = size, size * rng.uniform(0.4, 1.2)
    else:
        data.shadow_soft_size = size
    if kind == "spot":
        data.spot_size, data.spot_blend = np.radians(rng.uniform(25, 60)), rng.uniform(0.1, 1)
    _aim(obj, np.array([rng.normal(0, 8), rng.normal(0, 6), 0.0]))
    bpy.context.scene.collection.objects.link(obj)


def _sun(elevation: float, azimuth: float, angle: float, strength: float, tint: float) -> None:
    data = bpy.data.lights.new("sun", "SUN")
    data.energy, data.angle, data.color = strength, np.radians(angle), kelvin(tint)
    obj = bpy.data.objects.new("sun", data)
    e, a = np.radians(elevation), np.radians(azimuth)
    obj.location = (100 * np.cos(e) * np.cos(a), 100 * np.cos(e) * np.sin(a), 100 * np.sin(e))
    _aim(obj, np.zeros(3))
    bpy.context.scene.collection.objects.link(obj)


def _room(rng: Rng) -> Array:
    """A room about the table as linear radiance (64, 128, 3), all directions round, the floor in row 0: walls darker than the ceiling,
    windows and bright panels with soft edges."""
    up, round_ = np.meshgrid(np.linspace(-90, 90, 64), np.linspace(0, 360, 128, endpoint=False), indexing="ij")
    wall, ceiling = rng.uniform(0.05, 0.5), rng.uniform(0.1, 1.0)
    light = np.where(up > 0, wall + (ceiling - wall) * np.clip(up / 90, 0, 1) ** rng.uniform(0.5, 3), wall * 0.4)[..., None] * np.array(
        kelvin(rng.uniform(4000, 8000))
    )
    for _ in range(int(rng.integers(1, 5))):
        high, at, tall, wide, soft = (
            rng.uniform(15, 90),
            rng.uniform(0, 360),
            rng.uniform(8, 35),
            rng.uniform(10, 80),
            rng.uniform(1.5, 8),
        )
        across = np.abs((round_ - at + 180) % 360 - 180) * (np.cos(np.radians(up)) if high > 60 else 1)
        inside = 1 / (1 + np.exp(np.clip(np.maximum(np.abs(up - high) - tall, across - wide) / soft, -30, 30)))
        light = light + inside[..., None] * np.array(kelvin(rng.uniform(4500, 9000))) * rng.uniform(0.4, 5.0)
    return light


def _mirrored(back: bpy.types.Node, tree: bpy.types.NodeTree, rng: Rng) -> None:
    """Puts a painted room behind everything."""
    painted = _room(rng)
    h, w = painted.shape[:2]
    image = bpy.data.images.new("room", w, h, float_buffer=True)
    image.pixels.foreach_set(np.concatenate([painted, np.ones((h, w, 1))], 2).astype(np.float32).ravel())
    image.update()
    node = tree.nodes.new("ShaderNodeTexEnvironment")
    node.image = image
    tree.links.new(node.outputs["Color"], back.inputs[0])
    back.inputs[1].default_value = float(rng.uniform(0.5, 2.5))


def _around(rng: Rng) -> float:
    return float(rng.uniform(0, 360))


def _drawn(number: Draw, rng: Rng) -> float:
    return float(rng.uniform(*number)) if isinstance(number, tuple) else number


@dataclass(frozen=True, slots=True)
class Lamps:
    """Lamps of one ``kind``, as many as ``count`` (not its end) has, and for each how high it hangs (degrees), how far off and how large
    it is (cm), its irradiance and its kelvins. They hang anywhere round the table; in a ``row`` of so many degrees from one to the next."""

    kind: str
    elevation: Draw
    distance: Draw
    size: Draw
    strength: Draw
    tint: Draw
    count: tuple[int, int] | None = None
    row: float | None = None

    def hang(self, rng: Rng) -> None:
        """Hangs them in the scene."""
        first = _around(rng) if self.row is not None else 0.0
        for k in range(1 if self.count is None else int(rng.integers(*self.count))):
            _lamp(
                self.kind, rng, _drawn(self.elevation, rng), _around(rng) if self.row is None else first + self.row * k,
                _drawn(self.distance, rng), _drawn(self.size, rng), _drawn(self.strength, rng), _drawn(self.tint, rng),
            )


@dataclass(frozen=True, slots=True)
class Light:
    """The ``lamps`` over a table, how bright the room is beside them (``ambient``) and its kelvins (``sky``; None: as daylight); whether
    the ``sun`` shines on it."""

    lamps: tuple[Lamps, ...]
    ambient: Draw = 0.25
    sky: Draw | None = None
    sun: bool = False


WAYS = {
    "softboxes": Light((Lamps("area", (35, 80), (100, 220), (40, 110), (0.4, 1.2), (4500, 7000), count=(1, 4)),)),
    "window": Light((Lamps("area", (15, 45), (150, 260), (60, 120), (0.6, 1.3), (5800, 8500), count=(1, 4), row=14),), (0.1, 0.4)),
    "lamp": Light((Lamps("spot", (40, 80), (50, 110), (2, 8), 2.0, (2600, 4000)),), (0.05, 0.2), (3000, 6500)),
    "bulb": Light((Lamps("bulb", (55, 85), (80, 180), (2, 10), 1.5, (2600, 3600)),), (0.1, 0.35), (2800, 5000)),
    "ceiling": Light((Lamps("area", (55, 88), (170, 260), (25, 90), (0.3, 1.0), (3300, 6500), count=(1, 5)),), (0.2, 0.6)),
    "mixed": Light((
        Lamps("area", (15, 50), (140, 240), (60, 120), (0.5, 1.0), (6000, 8500)),
        Lamps("bulb", (45, 80), (70, 170), (2, 8), (0.4, 1.2), (2600, 3600)),
    )),
    "sun": Light((), (0.4, 1.0), (6500, 9000), sun=True),
    "spots": Light((Lamps("spot", (40, 85), (130, 240), (2, 6), (0.4, 1.2), (2800, 5000), count=(2, 6)),), (0.08, 0.3)),
    "evening": Light((Lamps("area", (25, 70), (120, 260), (20, 60), 0.8, (2400, 3300)),), (0.1, 0.3), (2600, 4000)),
    "flash": Light((Lamps("area", (70, 89), (90, 140), (3, 12), 1.4, (5500, 6500)),), (0.15, 0.5)),  # beside the camera
}
"""How a table is lit, by the names of `families.LIGHTS`."""


def set_lights(name: str, rng: Rng, room: bool) -> None:
    """Lights the scene in one of the `WAYS`, every number drawn anew; with ``room`` glossy things mirror a room."""
    way, daylight = WAYS[name], rng.uniform(5500, 8000)
    for lamps in way.lamps:
        lamps.hang(rng)
    if way.sun:
        _sun(rng.uniform(18, 65), _around(rng), rng.uniform(0.5, 3), rng.uniform(3, 7), rng.uniform(4600, 6000))
    ambient = _drawn(way.ambient, rng)
    sky = daylight if way.sky is None else _drawn(way.sky, rng)
    world = bpy.data.worlds.new("room")
    if world.node_tree is None:
        world.use_nodes = True
    back = next(n for n in world.node_tree.nodes if n.type == "BACKGROUND")
    back.inputs[0].default_value = (*kelvin(sky), 1.0)
    back.inputs[1].default_value = ambient
    if room:
        _mirrored(back, world.node_tree, rng)
    bpy.context.scene.world = world
