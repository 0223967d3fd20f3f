"""Cycles materials from painted pictures."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from . import mesh
from .paint import Array, Rgb, Rng, paint
from .spec import CheckerSpec, CubeSpec, DiceSpec, Paint


def linear(rgb: Rgb) -> tuple[float, float, float, float]:
    v = np.asarray(rgb, float)
    lin = np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
    return (float(lin[0]), float(lin[1]), float(lin[2]), 1.0)


def picture(name: str, rgb: Array, alpha: Array | None = None) -> bpy.types.Image:
    """A Blender image from (h, w, 3) sRGB and (h, w), row 0 at the bottom; alpha is carried along, not multiplied in."""
    h, w = rgb.shape[:2]
    data = np.ones((h, w, 4), np.float32)
    data[..., :3] = rgb
    if alpha is not None:
        data[..., 3] = alpha
    img = bpy.data.images.new(name, w, h, alpha=True)
    img.alpha_mode = "CHANNEL_PACKED"
    img.pixels.foreach_set(data.ravel())
    img.update()
    return img


class Nodes:
    """A material under construction."""

    def __init__(self, name: str) -> None:
        self.mat = bpy.data.materials.new(name)
        if self.mat.node_tree is None:
            self.mat.use_nodes = True
        self.tree = self.mat.node_tree
        self.bsdf = next(n for n in self.tree.nodes if n.type == "BSDF_PRINCIPLED")
        self.out = next(n for n in self.tree.nodes if n.type == "OUTPUT_MATERIAL")

    def add(self, kind: str, **values: Any) -> Any:
        node = self.tree.nodes.new(kind)
        for k, v in values.items():
            setattr(node, k, v)
        return node

    def link(self, a: Any, b: Any) -> None:
        self.tree.links.new(a, b)

    def set(self, **values: Any) -> None:
        for k, v in values.items():
            self.bsdf.inputs[k.replace("_", " ")].default_value = v

    def finish(self, p: Paint) -> None:
        self.set(Roughness=p.rough, Metallic=p.metal, Coat_Weight=p.coat, Coat_Roughness=0.08, Specular_IOR_Level=0.5)
        if p.kind in ("felt", "cloth"):
            self.set(Sheen_Weight=0.25, Specular_IOR_Level=0.15)

    def bump(self, height: Any, strength: float, distance: float) -> None:
        node = self.add("ShaderNodeBump")
        node.inputs["Strength"].default_value = strength
        node.inputs["Distance"].default_value = distance
        self.link(height, node.inputs["Height"])
        self.link(node.outputs["Normal"], self.bsdf.inputs["Normal"])


def sheet(name: str, p: Paint, image: bpy.types.Image, bump: float = 0.0, scale: float = 1.0, mirror: bool = False) -> bpy.types.Material:
    """A surface showing ``image`` by its uv times ``scale``."""
    n = Nodes(name)
    tex = n.add("ShaderNodeTexImage", image=image, interpolation="Linear", extension="MIRROR" if mirror else "REPEAT")
    if scale != 1.0:
        uv = n.add("ShaderNodeUVMap")
        mul = n.add("ShaderNodeVectorMath", operation="SCALE")
        mul.inputs["Scale"].default_value = scale
        n.link(uv.outputs[0], mul.inputs[0])
        n.link(mul.outputs[0], tex.inputs[0])
    n.link(tex.outputs["Color"], n.bsdf.inputs["Base Color"])
    n.finish(p)
    if bump:
        n.bump(tex.outputs["Alpha"], bump, 0.04)
    return n.mat


def surface(name: str, p: Paint, rng: Rng, cm: float = 40.0) -> bpy.types.Material:
    """A painted material whose picture spans ``cm`` centimetres, for meshes with uv in centimetres."""
    px = 512
    rgb, height = paint(p.kind, rng, px, px, p.rgb, px / cm)
    bump = {"vinyl": 0.5, "leather": 0.6, "cork": 0.3, "felt": 0.25, "cloth": 0.4, "wood": 0.15}.get(p.kind, 0.0)
    return sheet(name, p, picture(name, rgb, height), bump, 1.0 / cm, True)


def flat(name: str, rgb: Rgb, rough: float = 0.5, metal: float = 0.0, **more: Any) -> bpy.types.Material:
    n = Nodes(name)
    n.set(Base_Color=linear(rgb), Roughness=rough, Metallic=metal, **more)
    return n.mat


def checker(name: str, p: Paint, c: CheckerSpec, rng: Rng) -> bpy.types.Material:
    """Each checker shows another part of the material; an inlay sits in the middle of each."""
    n = Nodes(name)
    px = 256
    rgb, height = paint(p.kind, rng, px, px, p.rgb, px / 12.0)
    tex = n.add("ShaderNodeTexImage", image=picture(name, rgb, height), extension="REPEAT")
    uv, info = n.add("ShaderNodeUVMap"), n.add("ShaderNodeObjectInfo")
    shift = n.add("ShaderNodeVectorMath", operation="MULTIPLY_ADD")
    scale = n.add("ShaderNodeVectorMath", operation="SCALE")
    scale.inputs["Scale"].default_value = c.diameter / 12.0
    n.link(uv.outputs[0], scale.inputs[0])
    n.link(info.outputs["Random"], shift.inputs[0])
    shift.inputs[1].default_value = (7.31, 13.7, 0.0)
    n.link(scale.outputs[0], shift.inputs[2])
    n.link(shift.outputs[0], tex.inputs[0])
    colour = tex.outputs["Color"]
    if c.inlay:
        y, x = (np.mgrid[0:128, 0:128] + 0.5) / 64 - 1
        r, a = np.hypot(x, y), np.arctan2(y, x)
        kind = c.inlay[0]
        mask = {
            "ring": np.clip(8 - 64 * np.abs(r - 0.68), 0, 1),
            "rings": np.clip(5 - 64 * np.abs(r - 0.75), 0, 1) + np.clip(4 - 64 * np.abs(r - 0.35), 0, 1),
            "dot": np.clip(64 * (0.3 - r), 0, 1),
            "star": np.clip(64 * (0.45 + 0.15 * np.cos(6 * a) - r), 0, 1),
            "logo": np.clip(64 * (0.3 - np.abs(x)), 0, 1) * np.clip(64 * (0.12 - np.abs(y)), 0, 1),
        }[kind].clip(0, 1)
        over = n.add(
            "ShaderNodeTexImage",
            image=picture(name + "inlay", np.broadcast_to(np.asarray(c.inlay[1], np.float32), (128, 128, 3)), mask.astype(np.float32)),
        )
        mix = n.add("ShaderNodeMix", data_type="RGBA")
        n.link(over.outputs["Alpha"], mix.inputs[0])
        n.link(colour, mix.inputs[6])
        n.link(over.outputs["Color"], mix.inputs[7])
        colour = mix.outputs[2]
    if c.varied:
        shade = n.add("ShaderNodeMapRange")
        n.link(info.outputs["Random"], shade.inputs["Value"])
        shade.inputs["To Min"].default_value, shade.inputs["To Max"].default_value = 1.0 - c.varied, 1.0
        own = n.add("ShaderNodeHueSaturation")
        n.link(shade.outputs["Result"], own.inputs["Value"])
        n.link(colour, own.inputs["Color"])
        colour = own.outputs["Color"]
    n.link(colour, n.bsdf.inputs["Base Color"])
    n.finish(p)
    if p.kind == "pearl" and p.metal == 0 and rng.random() < 0.5:
        n.set(Subsurface_Weight=0.0, Coat_Weight=0.6)
    return n.mat


PIP_PLACES = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def _atlas(faces: list[Array]) -> Array:
    return np.concatenate([np.concatenate(faces[:3], 1), np.concatenate(faces[3:], 1)], 0)


def dice(name: str, d: DiceSpec, rng: Rng) -> bpy.types.Material:
    """Body with pips that are hollows of another colour; clear dice refract and show the pips below."""
    px = 96
    y, x = (np.mgrid[0:px, 0:px] + 0.5) / px - 0.5
    big = rng.uniform(1.0, 1.5) if rng.random() < 0.3 else 1.0
    swap = rng.random(6) < 0.5
    faces = []
    for value in range(1, 7):
        mask = np.zeros((px, px))
        for a, b in PIP_PLACES[value]:
            a, b = (-a, b) if swap[value - 1] and value in (2, 3) else (b, a) if swap[value - 1] and value == 6 else (a, b)
            rad = d.pip_radius * (big if value == 1 else 1.0)
            mask = np.maximum(mask, np.clip((rad - np.hypot(x - a * d.pip_spread, y - b * d.pip_spread)) * px + 0.5, 0, 1))
        faces.append(mask)
    mask = _atlas(faces).astype(np.float32)
    body = paint(d.body.kind, rng, 2 * px, 3 * px, d.body.rgb, px / d.size)[0]
    if d.clear:  # light passes the skin twice
        body = np.asarray(body**0.6, np.float32)
    image = body * (1 - mask[..., None]) + np.asarray(d.pip, np.float32) * mask[..., None]
    n = Nodes(name)
    tex = n.add("ShaderNodeTexImage", image=picture(name, image, 1 - mask))
    n.link(tex.outputs["Color"], n.bsdf.inputs["Base Color"])
    n.finish(d.body)
    n.bump(tex.outputs["Alpha"], 0.8 if rng.random() < 0.75 else 0.1, 0.1)
    if d.clear:
        clear = n.add("ShaderNodeMath", operation="MULTIPLY")
        clear.inputs[1].default_value = d.clear
        n.link(tex.outputs["Alpha"], clear.inputs[0])
        n.link(clear.outputs[0], n.bsdf.inputs["Transmission Weight"])
        n.set(IOR=1.49, Roughness=min(d.body.rough, 0.12))
        _let_light_through(n, d.body.rgb)
    return n.mat


def _let_light_through(n: Nodes, rgb: Rgb) -> None:
    """Coloured shadows without caustics: for shadow rays the body is a tinted pane."""
    path, mix, pane, fac = (
        n.add("ShaderNodeLightPath"),
        n.add("ShaderNodeMixShader"),
        n.add("ShaderNodeBsdfTransparent"),
        n.add("ShaderNodeMath", operation="MULTIPLY"),
    )
    pane.inputs[0].default_value = linear(rgb)
    fac.inputs[1].default_value = 0.7
    n.link(path.outputs["Is Shadow Ray"], fac.inputs[0])
    n.link(fac.outputs[0], mix.inputs[0])
    n.link(n.bsdf.outputs[0], mix.inputs[1])
    n.link(pane.outputs[0], mix.inputs[2])
    n.link(mix.outputs[0], n.out.inputs["Surface"])


def cube(name: str, c: CubeSpec, rng: Rng) -> bpy.types.Material:
    """The doubling cube: 2, 4, 8, 16, 32, 64 on the places of the values 1..6."""
    px = 96
    faces = []
    framed = rng.random() < 0.25
    high = rng.uniform(0.38, 0.62)
    for value in (2, 4, 8, 16, 32, 64):
        m = mesh.ink(str(value), c.font, px, px, high)
        m = np.rot90(m, int(rng.integers(4)))
        if framed:
            y, x = np.abs((np.mgrid[0:px, 0:px] + 0.5) / px - 0.5)
            m = np.maximum(m, np.clip((0.02 - np.abs(np.maximum(x, y) - 0.4)) * px, 0, 1))
        faces.append(m)
    mask = _atlas(faces).astype(np.float32)
    body = paint(c.body.kind, rng, 2 * px, 3 * px, c.body.rgb, px / c.size)[0]
    n = Nodes(name)
    tex = n.add(
        "ShaderNodeTexImage", image=picture(name, body * (1 - mask[..., None]) + np.asarray(c.ink, np.float32) * mask[..., None], 1 - mask)
    )
    n.link(tex.outputs["Color"], n.bsdf.inputs["Base Color"])
    n.finish(c.body)
    if rng.random() < 0.6:
        n.bump(tex.outputs["Alpha"], 0.6, 0.05)
    return n.mat
