"""From a rough guess to the camera and the board's measures: least squares on everything that was marked.

The unit is the checker, taken as 4 cm across: one picture cannot tell a small board from a far one, and nothing depends on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.position import START, Position
from referee.observations import Half
from vision.colours import standing
from vision.finder.eye import Marks
from vision.finder.layout import Guess
from vision.finder.tops import ENDS, between, diameters, look_closer, shape_of, width_of
from vision.table import Camera, Measures, Table, column_of

Array = NDArray[np.float64]
How = Literal["as taken", "cut out", "stretched"]
"""What a picture is: one as a camera took it, a part of one, or one that was made wider or higher."""
CHECKER = 4.0
THICK = 0.255 * CHECKER  # as thick as most are; an error of a millimetre moves nothing by more than half of that
LOOSE = 0.8  # the same while the board is only known by its outline
# by how much what is seen is off, one standard deviation: a checker across its column and along it, a place on a given edge (all in
# checkers; four corners tell of 48 such places, which are off alike, so that each counts for little), a checker's width (of its
# logarithm), and how wide a bar looks by what lies to either side (cm)
ACROSS, ALONG, EDGE, WIDTH, SEEN_BAR = 0.05, 0.09, 0.4, 0.15, 0.1
ROUND = 0.05  # by how much a shape is off: more than one alone, since all of a picture are off alike
FEW = 6  # checkers whose places are known: fewer do not tell where a board is
NO_MARK = 9.0  # checkers: how far off a place without a mark is said to be
REACH = 0.5  # checkers: a mark further than this from where a checker should be is not its mark

# unknowns: rotation vector, translation, log(focal length / picture width), k1, bar, pitch, half the height between the rails'
# first checkers' outer edges, gap between neighbours in a column, slack beside the points, border behind them, how far the lens's axis is
# from the picture's middle (of the longer side), and log(how much higher the picture is stretched than wide)
NAMES = ("rx", "ry", "rz", "tx", "ty", "tz", "f", "k1", "bar", "pitch", "half", "gap", "slack", "border", "cx", "cy", "stretch")
# where they are in a row of unknowns
TURN, SHIFT, FOCAL, K1, BOARD, AXIS, STRETCH = slice(0, 3), slice(3, 6), 6, 7, slice(8, 14), slice(14, 16), 16
BAR, HALF, GAP, SLACK, BORDER = map(NAMES.index, ("bar", "half", "gap", "slack", "border"))
AROUND = np.vstack([[0, 0, 0], [0, 0.5, 0], CHECKER * ENDS])  # cm from a checker's top: itself, ahead in its column, its diameters' ends
K2 = 0.01  # of every camera, which tells next to nothing of it
STEP = np.array([1e-5] * 3 + [1e-3] * 3 + [1e-5, 1e-4] + [1e-3] * 6 + [1e-4] * 3)  # of each unknown, by which its slope is taken
# what most boards and cameras are like: mean and standard deviation
PRIOR = {
    "f": (0.0, 0.3), "k1": (-0.04, 0.05), "bar": (4.6, 1.2), "pitch": (4.18, 0.12), "gap": (0.05, 0.05),
    "slack": (0.0, 0.12), "border": (0.0, 0.12),
}
CUT_OUT, STRETCHED = 0.2, 0.2  # the standard deviation of the axis and of the stretch where `How` has it so; else there is none
DEEP = 23.0, 3.0  # the same of "half", of which checkers on both long sides tell better



@dataclass(frozen=True, eq=False)
class Fit:
    """``unknowns`` by NAMES; ``places`` (n, 2) px where the checkers' tops should be, ``across`` (n,) px how large they are;
    ``of_mark`` (n,) the index of each place's mark or -1, ``off`` (n,) its distance in checkers (`NO_MARK`), ``seen`` (n, 2) px
    the mark, or the place without one."""

    unknowns: Array
    size: tuple[int, int]
    mirrored: bool
    places: Array
    across: Array
    of_mark: NDArray[np.int64]
    off: Array
    seen: Array
    cost: float

    @property
    def badness(self) -> float:
        """Small for good fits: checkers missed or off their places first, the rest after."""
        return float(np.minimum(self.off, 0.5).sum()) + 1e-4 * min(self.cost, 1e4)


def camera_of(u: Array, size: tuple[int, int]) -> Camera:
    """The camera of the unknowns ``u`` (by NAMES) for pictures of ``size`` (width, height) px."""
    f = float(np.exp(u[FOCAL])) * max(size)
    lens = _lens(f, size, u[AXIS], float(u[STRETCH]))
    return Camera(lens, np.array([u[K1], K2, 0, 0, 0]), _rotation(u), u[SHIFT].copy(), size)


def _rotation(u: Array) -> Array:
    """(3, 3) how the camera of the unknowns ``u`` is turned."""
    return np.asarray(cv2.Rodrigues(u[TURN])[0], np.float64)


def projected(us: Array, xyz: Array, size: tuple[int, int]) -> Array:
    """(k, n, 3) cm to (k, n, 2) px by the cameras of the unknowns ``us`` (k, 17), each its own: what `Camera.project` makes of them, of all
    cameras at once."""
    f, k1 = np.exp(us[:, FOCAL, None]) * max(size), us[:, K1, None]
    rotations = np.stack([_rotation(u) for u in us])
    with np.errstate(all="ignore"):  # of what lies beside the lens
        x, y, z = np.moveaxis(rotations @ xyz.transpose(0, 2, 1) + us[:, SHIFT, None], 1, 0)
        z[z == 0] = 1
        x, y = x / z, y / z
        r2 = x * x + y * y
        far = f * ((K2 * r2 + k1) * r2 + 1)
        return np.stack([far * x, far * np.exp(us[:, STRETCH, None]) * y], -1) + (_middle(size) + us[:, AXIS] * max(size))[:, None]


def _lens(f: float, size: tuple[int, int], axis: Array, stretch: float) -> Array:
    """(3, 3) the matrix of a camera of focal length ``f`` px that looks past the middle of its pictures by ``axis`` (2,); they are
    higher by the ``stretch``."""
    x, y = _middle(size) + axis * max(size)
    return np.array([[f, 0, x], [0, f * np.exp(stretch), y], [0, 0, 1.0]])


def _middle(size: tuple[int, int]) -> Array:
    """(2,) px, of a picture."""
    return (np.array(size) - 1) / 2


def measures_of(u: Array) -> Measures:
    """The board's measures of the unknowns ``u``; what no picture of a set-up tells is as most boards have it."""
    bar, pitch, half, _, slack, border = u[BOARD]
    return Measures(
        inner=(12 * pitch + bar + 2 * slack, 2 * (half + border)), bar=bar, pitch=pitch, border=border, point_length=0.83 * half,
        rail_height=0.5 * CHECKER, bar_height=0.5 * CHECKER, checker=CHECKER, checker_height=THICK, die=0.35 * CHECKER,
    )


def table_of(fit: Fit) -> Table:
    """The table of a fit; its checkers' colours are yet to be looked at, and black here."""
    home = Half.LEFT if fit.mirrored else Half.RIGHT
    return Table(camera_of(fit.unknowns, fit.size), measures_of(fit.unknowns), home, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def places_of(u: Array, slots: NDArray[np.int64], mirrored: bool) -> Array:
    """(..., n, 3) cm tops, for the unknowns ``u`` (..., 17), of the checkers in ``slots`` (n, 3): column 0..11 from near's home side, way
    (1 near, -1 far), index."""
    bar, pitch, half, gap, _, _ = np.moveaxis(u[..., BOARD, None], -2, 0)
    column, way, index = slots.T
    x = 6 * pitch + bar / 2 - (column + 0.5) * pitch - np.where(column > 5, bar, 0.0)
    y = -way * (half - CHECKER / 2 - index * (CHECKER + gap))
    return np.stack([-x if mirrored else x, y, np.full(x.shape, THICK)], -1)


def slots_of(position: Position) -> NDArray[np.int64]:
    """(n, 3) column, way, index of every checker whose place is known."""
    return np.array([(*column_of(point), i) for point, i, _ in standing(position)], np.int64).reshape(-1, 3)


def start_unknowns(guess: Guess, size: tuple[int, int], focal: float) -> Array:
    """Unknowns from a guess, for a camera whose focal length is ``focal`` picture widths."""
    pitch = PRIOR["pitch"][0]
    half = CHECKER / guess.step / 2 + CHECKER / 2
    u = np.array([0, 0, 0, 0, 0, 100, np.log(focal), -0.04, guess.bar * pitch, pitch, half, 0.03, 0.0, 0.0, 0.0, 0.0, 0.0])
    flat = places_of(u, slots_of(START), guess.mirrored) * [1, 1, 0]
    lens = _lens(focal * max(size), size, np.zeros(2), 0.0)
    _, rvecs, tvecs, _ = cv2.solvePnPGeneric(flat, guess.places(START)[0], lens, np.zeros(5), flags=cv2.SOLVEPNP_IPPE)
    for rvec, tvec in zip(rvecs, tvecs, strict=True):  # best first
        rotation, _ = cv2.Rodrigues(rvec)
        if (rotation.T @ tvec)[2, 0] < 0:  # the eye is above the board
            u[TURN], u[SHIFT] = rvec[:, 0], tvec[:, 0] - rotation @ [0, 0, THICK]
            break
    return u


def match(px: Array, scale: Array, marks: Marks, reach: float = REACH) -> tuple[NDArray[np.int64], Array]:
    """Each place's own mark (-1: none) and its distance in checkers; ``px`` (n, 2) places, ``scale`` (n,) px a checker."""
    of = np.full(len(px), -1, np.int64)
    off = np.full(len(px), NO_MARK)
    if not len(marks.xy):
        return of, off
    gap = np.linalg.norm(px[:, None] - marks.xy[None], axis=2) / np.maximum(scale, 1e-3)[:, None]
    for i in np.argsort(gap.min(1)):  # nearest first, one to one
        for j in np.argsort(gap[i])[:3]:
            if gap[i, j] < reach and j not in of:
                of[i], off[i] = j, gap[i, j]
                break
    return of, off


@dataclass(frozen=True, eq=False)
class Shown:
    """What a fit is made to: the ``marks`` in a picture of ``size`` (width, height) px of checkers in these ``slots`` (n, 3), see
    `slots_of`; the field's ``corners`` (4, 2) px in order round, when a person gave them; and how far from round the checkers at the
    marks are (``shapes`` (m, 2)), when that was looked at; the ``bar``'s width in cm, when the picture told it otherwise;
    and ``how`` the picture was made."""

    marks: Marks
    size: tuple[int, int]
    slots: NDArray[np.int64]
    corners: Array | None = None
    shapes: Array | None = None
    bar: float | None = None
    how: How = "as taken"

    def places(self, u: Array, mirrored: bool) -> tuple[Array, Array]:
        """((n, 2) px where the unknowns ``u`` have the checkers' tops, (n,) px across each)."""
        camera, tops = camera_of(u, self.size), places_of(u, self.slots, mirrored)
        return camera.project(tops), width_of(diameters(camera, tops, CHECKER))


def refine(
    shown: Shown, u: Array, mirrored: bool, rounds: int = 4, first: tuple[Array, Array] | None = None, loose: bool = False
) -> Fit:
    """Matches marks and solves, in turn, from the unknowns ``u`` on. ``first``: the places and sizes px by which the first match is made,
    when better ones are known than ``u`` says. ``loose``: marks may at first be farther from their places."""
    cost, marks = np.inf, shown.marks
    for turn in range(rounds):
        px, scale = first if turn == 0 and first is not None else shown.places(u, mirrored)
        of, _ = match(px, scale, marks, max(REACH, LOOSE - 0.1 * turn) if loose else REACH)
        if (of >= 0).sum() < (FEW if shown.corners is None else 1):
            break
        u, cost = _solve(shown, u, mirrored, of, scale)
    px, scale = shown.places(u, mirrored)
    of, off = match(px, scale, marks)
    seen = np.where((of >= 0)[:, None], marks.xy[of], px) if len(marks.xy) else px
    return Fit(u, shown.size, mirrored, px, scale, of, off, seen, cost)


def shapes_seen(image: NDArray[np.uint8], fit: Fit, marks: Marks) -> Array:
    """(m, 2) how far from round the checkers at the ``marks`` in ``image`` (BGR uint8) are, when the board lies about as ``fit`` has it."""
    camera = camera_of(fit.unknowns, fit.size)
    across = diameters(camera, np.column_stack([camera.on_plane(marks.xy, THICK), np.full(len(marks.xy), THICK)]), CHECKER)
    nowhere = ~np.isfinite(across).all((1, 2)) | (width_of(across) < 1)  # far off the board
    across[nowhere] = np.eye(2) * np.median(fit.across)
    return look_closer(image, marks.xy, across)


@dataclass(frozen=True, eq=False)
class _Edge:
    """Places on the field's edge, by the corners a person gave: ``places`` (m, 2) in halves of the field's width and height from its
    middle, ``px`` (m, 2) where the corners have them, ``scale`` px a checker there."""

    places: Array
    px: Array
    scale: float

    def off(self, camera: Camera, m: Measures) -> Array:
        """(m,) checkers by which the edge of a field with the measures ``m`` is seen beside its places; along it tells nothing."""
        cm = np.column_stack([self.places * (np.array(m.inner) / 2), np.zeros(len(self.places))])
        on_a_short_side = np.abs(np.abs(self.places[:, 0]) - 1) < 1e-6
        at, ahead = camera.project(np.stack([cm, cm + np.where(on_a_short_side[:, None], [0, 0.5, 0], [0.5, 0, 0])]))
        ahead -= at
        ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
        d = (at - self.px) / self.scale
        return np.asarray(d[:, 0] * ahead[:, 1] - d[:, 1] * ahead[:, 0])


def _given_edge(u: Array, size: tuple[int, int], given: Array, scale: float) -> _Edge:
    """The field's edge by the ``given`` corners (4, 2) px, when the board lies about as ``u`` has it."""
    camera, m = camera_of(u, size), measures_of(u)
    w, h = m.inner[0] / 2, m.inner[1] / 2
    ring = np.array([[-w, h, 0], [w, h, 0], [w, -h, 0], [-w, -h, 0]])
    corners = camera.project(ring)
    turns = [np.linalg.norm(np.roll(given, k, axis=0) - corners, axis=1).sum() for k in range(4)]
    wanted = np.roll(given, int(np.argmin(turns)), axis=0)
    s = np.linspace(0.04, 0.96, 12)[:, None]
    cm, px = (np.vstack([of[i] + s * (of[(i + 1) % 4] - of[i]) for i in range(4)]) for of in (ring, wanted))
    return _Edge(cm[:, :2] / (np.array(m.inner) / 2), px, scale)


def _solve(shown: Shown, u: Array, mirrored: bool, of: NDArray[np.int64], scale: Array) -> tuple[Array, float]:
    """The unknowns, from ``u`` on, that fit the marks ``of`` the places best, and what is left; distances are measured in checkers, of
    which each place has ``scale`` (n,) px."""
    size, shapes = shown.size, shown.shapes
    edge = None if shown.corners is None else _given_edge(u, size, shown.corners, float(np.median(scale)))
    has = np.nonzero(of >= 0)[0]
    seen, radius = shown.marks.xy[of[has]], shown.marks.radius[of[has]]
    prior = np.array([PRIOR.get(n, (0.0, np.inf)) for n in NAMES])
    if shown.bar is not None:
        prior[BAR] = shown.bar, SEEN_BAR
    prior[AXIS], prior[STRETCH] = (0.0, CUT_OUT), (0.0, STRETCHED)
    free = np.ones(len(NAMES), bool)
    free[AXIS], free[STRETCH] = shown.how == "cut out", shown.how == "stretched"
    free[[SLACK, BORDER]] = edge is not None  # checkers tell nothing of them
    u = np.where(free, u, prior[:, 0])
    if len(set(shown.slots[:, 1].tolist())) == 1:
        prior[HALF] = DEEP

    def residuals(vs: Array) -> Array:
        around = places_of(vs, shown.slots[has], mirrored)[:, :, None] + AROUND
        px = projected(vs, around.reshape(len(vs), -1, 3), size).reshape(*around.shape[:-1], 2)
        across, along = _beside(px, seen, scale[has])
        ellipses = between(px[:, :, 2:])
        width = np.log(width_of(ellipses) / (2 * radius))
        parts = [across / ACROSS, along / ALONG, width / WIDTH, ((vs - prior[:, 0]) / prior[:, 1])[:, free]]
        if shapes is not None:
            parts.append(((shape_of(ellipses) - shapes[of[has]]) / ROUND).reshape(len(vs), -1))
        if edge is not None:
            parts.append(np.stack([edge.off(camera_of(v, size), measures_of(v)) for v in vs]) / EDGE)
        r = np.concatenate(parts, 1)
        return np.asarray(np.sign(r) * np.sqrt(2 * (np.sqrt(1 + (r / 2) ** 2) - 1)) * 2)  # pseudo-Huber

    return _least_squares(residuals, u, free)


def _beside(px: Array, seen: Array, scale: Array) -> tuple[Array, Array]:
    """((k, n), (k, n)) checkers by which tops and what is `AROUND` them, projected to ``px`` (k, n, 6, 2), are off where they are ``seen``
    (n, 2): across their columns and along them. ``scale`` (n,): px a checker."""
    ahead = px[:, :, 1] - px[:, :, 0]
    ahead /= np.hypot(ahead[..., 0], ahead[..., 1])[..., None]
    gap = (px[:, :, 0] - seen) / scale[:, None]
    return gap[..., 0] * ahead[..., 1] - gap[..., 1] * ahead[..., 0], (gap * ahead).sum(2)


def _least_squares(residuals: Callable[[Array], Array], u: Array, free: NDArray[np.bool_]) -> tuple[Array, float]:
    """Levenberg-Marquardt from ``u`` on in the unknowns that are ``free`` (17,): all of them, and the sum of their ``residuals``' squares,
    which are asked for (k, 17) unknowns at a time."""
    r = residuals(u[None])[0]
    cost, damp = float(r @ r), 1e-3
    steps, move = np.diag(STEP)[free], np.zeros(len(u))
    for _ in range(25):
        jacobian = np.ascontiguousarray(((residuals(u + steps) - r) / STEP[free, None]).T)
        a, g = jacobian.T @ jacobian, jacobian.T @ r
        better = False
        for _ in range(6):
            move[free] = np.linalg.solve(a + damp * np.diag(np.diag(a) + 1e-12), -g)
            trial = residuals((u + move)[None])[0]
            if np.isfinite(trial).all() and trial @ trial < cost:
                better = True
                break
            damp *= 6
        if not better:
            break
        gain = cost - float(trial @ trial)
        u, r, cost, damp = u + move, trial, float(trial @ trial), damp / 4
        if gain < 1e-4 * cost:
            break
    return u, cost


def turned(fit: Fit) -> Fit:
    """The same fit of the starting position seen from the other chair, whose points are these from the other end."""
    slots = slots_of(START).tolist()
    order = [slots.index([column, -way, index]) for column, way, index in slots]
    u = fit.unknowns.copy()
    u[TURN] = cv2.Rodrigues(_rotation(u) @ np.diag([-1.0, -1.0, 1.0]))[0][:, 0]
    of = {name: getattr(fit, name)[order] for name in ("places", "across", "of_mark", "off", "seen")}
    return replace(fit, unknowns=u, mirrored=not fit.mirrored, **of)


def widened(u: Array, way: int, checkers: int) -> Array:
    """The unknowns ``u`` of a board whose first checkers lie ``checkers`` further out on one side: ``way`` -1 near's, 1 far's."""
    out = u.copy()
    step = checkers * (CHECKER + u[GAP])
    out[HALF] += step / 2
    out[SHIFT] += _rotation(u) @ [0.0, way * step / 2, 0.0]
    return out


def spread(u: Array, bar: float, way: float) -> Array:
    """The unknowns ``u`` of a board whose bar is ``bar`` cm wide and whose half towards ``way`` (1 right, -1 left) stays in its place."""
    out = u.copy()
    out[SHIFT] -= _rotation(u) @ [way * (bar - u[BAR]) / 2, 0.0, 0.0]
    out[BAR] = bar
    return out
