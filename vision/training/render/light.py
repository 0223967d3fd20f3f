"""Lamps, windows and the sun over the table. Strengths are relative: the exposure is set afterwards."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Vector

from .paint import Array, Rng


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


def set_lights(name: str, rng: Rng, room: bool = False) -> None:
    """Lights the scene after one of `families.LIGHTS`, every number drawn anew; with ``room`` glossy things mirror a room."""

    def around() -> float:
        return float(rng.uniform(0, 360))

    ambient, sky = 0.25, rng.uniform(5500, 8000)
    if name == "softboxes":
        for _ in range(int(rng.integers(1, 4))):
            _lamp(
                "area",
                rng,
                rng.uniform(35, 80),
                around(),
                rng.uniform(100, 220),
                rng.uniform(40, 110),
                rng.uniform(0.4, 1.2),
                rng.uniform(4500, 7000),
            )
    elif name == "window":
        a = around()
        for k in range(int(rng.integers(1, 4))):
            _lamp(
                "area",
                rng,
                rng.uniform(15, 45),
                a + 14 * k,
                rng.uniform(150, 260),
                rng.uniform(60, 120),
                rng.uniform(0.6, 1.3),
                rng.uniform(5800, 8500),
            )
        ambient = rng.uniform(0.1, 0.4)
    elif name == "lamp":
        _lamp("spot", rng, rng.uniform(40, 80), around(), rng.uniform(50, 110), rng.uniform(2, 8), 2.0, rng.uniform(2600, 4000))
        ambient, sky = rng.uniform(0.05, 0.2), rng.uniform(3000, 6500)
    elif name == "bulb":
        _lamp("bulb", rng, rng.uniform(55, 85), around(), rng.uniform(80, 180), rng.uniform(2, 10), 1.5, rng.uniform(2600, 3600))
        ambient, sky = rng.uniform(0.1, 0.35), rng.uniform(2800, 5000)
    elif name == "ceiling":
        for _ in range(int(rng.integers(1, 5))):
            _lamp(
                "area",
                rng,
                rng.uniform(55, 88),
                around(),
                rng.uniform(170, 260),
                rng.uniform(25, 90),
                rng.uniform(0.3, 1.0),
                rng.uniform(3300, 6500),
            )
        ambient = rng.uniform(0.2, 0.6)
    elif name == "mixed":
        _lamp(
            "area",
            rng,
            rng.uniform(15, 50),
            around(),
            rng.uniform(140, 240),
            rng.uniform(60, 120),
            rng.uniform(0.5, 1.0),
            rng.uniform(6000, 8500),
        )
        _lamp(
            "bulb",
            rng,
            rng.uniform(45, 80),
            around(),
            rng.uniform(70, 170),
            rng.uniform(2, 8),
            rng.uniform(0.4, 1.2),
            rng.uniform(2600, 3600),
        )
    elif name == "sun":
        _sun(rng.uniform(18, 65), around(), rng.uniform(0.5, 3), rng.uniform(3, 7), rng.uniform(4600, 6000))
        ambient, sky = rng.uniform(0.4, 1.0), rng.uniform(6500, 9000)
    elif name == "spots":
        for _ in range(int(rng.integers(2, 6))):
            _lamp(
                "spot",
                rng,
                rng.uniform(40, 85),
                around(),
                rng.uniform(130, 240),
                rng.uniform(2, 6),
                rng.uniform(0.4, 1.2),
                rng.uniform(2800, 5000),
            )
        ambient = rng.uniform(0.08, 0.3)
    elif name == "evening":
        _lamp("area", rng, rng.uniform(25, 70), around(), rng.uniform(120, 260), rng.uniform(20, 60), 0.8, rng.uniform(2400, 3300))
        ambient, sky = rng.uniform(0.1, 0.3), rng.uniform(2600, 4000)
    else:  # flash: beside the camera
        _lamp("area", rng, rng.uniform(70, 89), around(), rng.uniform(90, 140), rng.uniform(3, 12), 1.4, rng.uniform(5500, 6500))
        ambient = rng.uniform(0.15, 0.5)
    world = bpy.data.worlds.new("room")
    if world.node_tree is None:
        world.use_nodes = True
    back = next(n for n in world.node_tree.nodes if n.type == "BACKGROUND")
    back.inputs[0].default_value = (*kelvin(sky), 1.0)
    back.inputs[1].default_value = ambient
    if room:
        _mirrored(back, world.node_tree, rng)
    bpy.context.scene.world = world
