"""The playing field as one painted picture: ground, twenty-four points, ornaments, borders."""

from __future__ import annotations

import numpy as np

from .paint import Array, Rgb, Rng, lerp, near_colour, paint
from .position import point_base
from .spec import BoardSpec


def _soft(signed_cm: Array, ppc: float) -> Array:
    """Coverage 0..1 from a signed distance in cm (positive inside)."""
    return np.clip(signed_cm * ppc + 0.5, 0, 1).astype(np.float32)


class Canvas:
    """A picture of the field, ``ppc`` pixels a cm, row 0 at the near edge (y smallest), as Blender stores images."""

    def __init__(self, board: BoardSpec, ppc: float, rng: Rng) -> None:
        self.ppc = ppc
        self.w, self.h = round(board.inner[0] * ppc), round(board.inner[1] * ppc)
        y, x = np.mgrid[0 : self.h, 0 : self.w].astype(np.float32)
        self.x = (x + 0.5) / ppc - board.inner[0] / 2
        self.y = (y + 0.5) / ppc - board.inner[1] / 2
        self.rgb, self.height = paint(board.field.kind, rng, self.h, self.w, board.field.rgb, ppc)

    def lay(self, cover: Array, image: Array | Rgb, window: tuple[slice, slice] | None = None) -> None:
        win = window or (slice(None), slice(None))
        self.rgb[win] = lerp(self.rgb[win], image, cover)

    def window(self, x0: float, x1: float, y0: float, y1: float) -> tuple[slice, slice]:
        """The rows and columns that cover a box in board centimetres."""
        cx, cy = self.w / 2, self.h / 2
        r = (max(0, int(y0 * self.ppc + cy)), min(self.h, int(y1 * self.ppc + cy) + 2))
        c = (max(0, int(x0 * self.ppc + cx)), min(self.w, int(x1 * self.ppc + cx) + 2))
        return slice(*r), slice(*c)


def paint_field(board: BoardSpec, rng: Rng, ppc: float = 22.0) -> tuple[Array, Array]:
    """(rgb (h, w, 3), height (h, w)) of the whole inner field; near edge in row 0."""
    c = Canvas(board, ppc, rng)
    _ornament(c, board, rng)
    p = board.points
    sheets = [paint(q.kind, rng, c.w if q.kind == "wood" else c.h, c.h if q.kind == "wood" else c.w, q.rgb, ppc) for q in (p.odd, p.even)]
    sheets = [(s.swapaxes(0, 1), t.T) if q.kind == "wood" else (s, t) for (s, t), q in zip(sheets, (p.odd, p.even), strict=True)]
    for point in range(1, 25):
        bx, by, way = point_base(board, "right", point)
        half = board.pitch * p.base / 2
        length = board.point_length - board.border * 0.5
        win = c.window(bx - half - 0.4, bx + half + 0.4, min(by, by + way * length) - 1.2, max(by, by + way * length) + 1.2)
        x, y = c.x[win], c.y[win]
        along = (y - by) * way / length
        width = half * np.clip(1 - along, 0, None) ** p.curve
        slope = np.hypot(1.0, half / length)
        inside = np.minimum((width - np.abs(x - bx)) / slope, (y - by) * way)
        cover = _soft(inside, ppc)
        odd = (point + (point > 12)) % 2 == 0
        which = sheets[0 if odd else 1]
        h, w = x.shape
        oy, ox = int(rng.integers(0, max(1, which[0].shape[0] - h))), int(rng.integers(0, max(1, which[0].shape[1] - w)))
        piece = which[0][oy : oy + h, ox : ox + w]
        if piece.shape[:2] != (h, w):
            piece = np.broadcast_to(np.asarray((p.odd if odd else p.even).rgb, np.float32), (h, w, 3))
        piece = np.clip(piece * (1 + rng.normal(0, 0.05 if p.odd.kind == "wood" else 0.01)), 0, 1)
        c.lay(cover, piece, win)
        if p.outline is not None:
            c.lay(_soft(p.outline_cm / 2 - np.abs(inside), ppc) * (y * way > by * way - 0.05), p.outline, win)
        if p.tip:
            ty = by + way * (length + 0.25)
            r = np.hypot(x - bx, y - ty) if p.tip != "diamond" else (np.abs(x - bx) * 1.6 + np.abs(y - ty))
            shape = _soft(0.32 - r, ppc) if p.tip != "ring" else _soft(0.08 - np.abs(r - 0.3), ppc)
            c.lay(shape, board.ornament_rgb[0], win)
    if board.middle_line:
        c.lay(_soft(rng.uniform(0.1, 1.5) - np.abs(c.y), ppc), near_colour(rng, board.ornament_rgb[1], 0.1))
    # a shadow of wear: dirt where hands and dice go
    wear = np.exp(-((c.y / (board.inner[1] * 0.3)) ** 2)) * rng.uniform(-0.05, 0.06)
    return np.clip(c.rgb * (1 + wear[..., None]), 0, 1), c.height


def _ornament(c: Canvas, board: BoardSpec, rng: Rng) -> None:
    kind, (one, two) = board.ornament, board.ornament_rgb
    if not kind:
        return
    middle = board.bar / 2 + (board.inner[0] - board.bar) / 4
    half_w = (board.inner[0] - board.bar) / 4
    size = rng.uniform(1.6, 4.2)
    thin = rng.uniform(0.08, 0.25)
    stretch = rng.uniform(0.6, 1.6)
    petals = int(rng.choice([4, 6, 8, 12]))
    for s in (-1, 1):
        x, y = c.x - s * middle, c.y
        if kind == "line":
            c.lay(_soft(thin / 2 - np.abs(y), c.ppc) * (np.abs(x) < half_w), one)
        elif kind == "frame":
            box = np.minimum(half_w - 0.5 - np.abs(x), board.inner[1] / 2 - 0.5 - np.abs(y))
            c.lay(_soft(thin - np.abs(box), c.ppc), one)
            c.lay(_soft(thin / 2 - np.abs(box - 3 * thin), c.ppc), two)
        elif kind == "diamond":
            r = size - (np.abs(x) * stretch + np.abs(y))
            c.lay(_soft(r, c.ppc), two)
            c.lay(_soft(thin - np.abs(r - 0.4), c.ppc), one)
            if rng.random() < 0.6:
                c.lay(_soft(size * 0.4 - (np.abs(x) * stretch + np.abs(y)), c.ppc), one)
        elif kind == "rosette":
            r, a = np.hypot(x, y), np.arctan2(y, x)
            if rng.random() < 0.5:
                box = size * 1.7 - np.maximum(np.abs(x), np.abs(y))
                c.lay(_soft(box, c.ppc), two)
                c.lay(_soft(thin - np.abs(box - 0.3), c.ppc), one)
            star = size * (0.75 + 0.25 * np.cos(petals * a))
            c.lay(_soft(star - r, c.ppc), one)
            c.lay(_soft(star * 0.55 - r, c.ppc), near_colour(rng, two, 0.2))
            c.lay(_soft(thin - np.abs(r - size * 1.15), c.ppc), one)
        elif kind == "logo":
            box = np.minimum(1.1 - np.abs(x), 0.55 - np.abs(y))
            c.lay(_soft(box, c.ppc), one)
            strokes = (np.sin(x * 9 + 1.5 * np.sin(y * 6)) > 0.2) & (np.abs(y) < 0.25) & (np.abs(x) < 0.8)
            c.lay(strokes.astype(np.float32), two)
