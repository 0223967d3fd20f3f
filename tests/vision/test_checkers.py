"""What the checker reader promises: the right counts on a plain picture, doubt where something is in the way."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.board.position import CHECKERS, START
from referee.observations import About, Half
from vision.checkers.answer import BASE_RATES, TEMPERATURE, Answers, CheckerAnswer, interpret
from vision.checkers.doubts import count_text
from vision.checkers.input import HIDDEN, OUTPUTS
from vision.checkers.reader import CheckerReader
from vision.checkers.strips import BAR, WIDE, StripCutter
from vision.table import Camera, Measures, Table

NEAR, FAR = (200, 225, 235), (40, 30, 120)  # BGR
GROUND, ODD, EVEN, RAIL = (70, 110, 60), (60, 60, 70), (150, 200, 210), (40, 60, 90)


def overhead_table(tilt: float = 12.0) -> Table:
    angle = np.radians(180 - tilt)
    rotation = np.array([[1, 0, 0], [0, np.cos(angle), -np.sin(angle)], [0, np.sin(angle), np.cos(angle)]])
    matrix = np.array([[1100.0, 0, 640], [0, 1100, 360], [0, 0, 1]])
    camera = Camera(matrix, np.zeros(5), rotation, np.array([0.0, 0.5, 84.0]), (1280, 720))
    return Table(camera, Measures((54.0, 43.0), 4.2, 4.15, checker=4.0), Half.RIGHT, NEAR[::-1], FAR[::-1])


def draw(table: Table, points: tuple[int, ...], bar: tuple[int, int] = (0, 0), shift: float = 0.0) -> np.ndarray:
    """A plain drawing of a position: flat colours, cylinder sides and a shadow."""
    m = table.measures
    image = np.full((720, 1280, 3), 90, np.uint8)

    def fill(xyz: list[tuple[float, float, float]], colour: tuple[int, int, int]) -> None:
        cv2.fillPoly(image, [np.int32(table.camera.project(np.array(xyz)) * 16)], colour, cv2.LINE_AA, 4)

    def disc(x: float, y: float, z: float, colour: tuple[int, int, int], radius: float) -> None:
        turn = np.linspace(0, 2 * np.pi, 40)
        fill([(x + radius * np.cos(a), y + radius * np.sin(a), z) for a in turn], colour)

    w, h = m.inner[0] / 2, m.inner[1] / 2
    fill([(-w - 2, -h - 2, 1), (w + 2, -h - 2, 1), (w + 2, h + 2, 1), (-w - 2, h + 2, 1)], RAIL)
    fill([(-w, -h, 0), (w, -h, 0), (w, h, 0), (-w, h, 0)], GROUND)
    for p in range(1, 25):
        x, y, way = table.point_base(p)
        fill([(x - 1.9, y, 0), (x + 1.9, y, 0), (x, y + way * m.point_length, 0)], ODD if p % 2 else EVEN)
    fill([(-m.bar / 2, -h, 1), (m.bar / 2, -h, 1), (m.bar / 2, h, 1), (-m.bar / 2, h, 1)], RAIL)

    def checker(x: float, y: float, z: float, colour: tuple[int, int, int]) -> None:
        disc(x + 0.25, y - 0.2, z, (25, 35, 30), m.checker / 2)
        side, rim = tuple(int(0.6 * c) for c in colour), tuple(int(0.85 * c) for c in colour)
        for step in range(6):
            disc(x, y, z + m.checker_height * step / 6, side, m.checker / 2)  # type: ignore[arg-type]
        disc(x, y, z + m.checker_height, rim, m.checker / 2)  # type: ignore[arg-type]
        disc(x, y, z + m.checker_height, colour, m.checker * 0.44)

    for p in range(1, 25):
        for k in range(abs(points[p - 1])):
            x, y, _ = table.checker_centre(p, k % 5)
            checker(x + shift, y, (k // 5) * m.checker_height, NEAR if points[p - 1] > 0 else FAR)
    for seat, sign in ((0, 1), (1, -1)):
        for k in range(bar[seat]):
            checker(0.0, sign * (k + 0.6) * m.checker, m.bar_height, NEAR if seat == 0 else FAR)
    noise = np.random.default_rng(5).normal(0, 3, image.shape)
    return np.clip(cv2.GaussianBlur(image, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)


MIDGAME = (-3, 0, 1, 0, 3, 4, 0, 2, 0, 0, 0, -4, 4, 0, 0, 0, -2, 0, -4, 0, 0, -2, 0, 1)


@pytest.fixture(scope="module")
def table() -> Table:
    return overhead_table()


@pytest.fixture(scope="module")
def reader(table: Table) -> CheckerReader:
    return CheckerReader(table, draw(table, START.points))


def test_a_plain_position_is_read(table: Table, reader: CheckerReader) -> None:
    answer = reader.read(draw(table, MIDGAME))
    doubted = {d.point for d in answer.doubts}
    assert answer.position.bar == (0, 0)
    assert all(answer.position.points[p] == MIDGAME[p] for p in range(24) if p + 1 not in doubted)
    assert len(doubted) <= 2
    assert not answer.hand


def test_checkers_on_the_bar_are_counted(table: Table, reader: CheckerReader) -> None:
    answer = reader.read(draw(table, MIDGAME, bar=(1, 1)))
    assert answer.position.bar == (1, 1) or any(d.about is About.BAR for d in answer.doubts)


def test_what_a_thing_covers_is_not_read_as_empty(table: Table, reader: CheckerReader) -> None:
    image = draw(table, MIDGAME)
    px = table.camera.project(np.array([table.checker_centre(p, 2) for p in (5, 6)])).mean(0)
    cv2.line(image, (int(px[0]), int(px[1]) + 200), (int(px[0]), int(px[1]) - 40), (120, 150, 210), 110)
    answer = reader.read(image)
    assert {5, 6} <= {d.point for d in answer.doubts if d.about is About.POINT}


@pytest.mark.parametrize("point", [3, 10, 11])
def test_a_lamps_glare_that_was_there_at_set_up_is_no_hand(table: Table, reader: CheckerReader, point: int) -> None:
    across, down = np.meshgrid(np.arange(1280), np.arange(720))
    x, y = table.camera.project(np.array([table.checker_centre(point, 0)]))[0]
    glare = 400 * np.exp(-((across - x) ** 2 + (down - y) ** 2) / (2 * 40**2))[..., None]

    def lit(points: tuple[int, ...]) -> np.ndarray:
        return np.clip(draw(table, points) + glare, 0, 255).astype(np.uint8)

    def hidden(answer: CheckerAnswer) -> bool:
        return answer.hand or any(doubt.code == "hidden" for doubt in answer.doubts)

    assert hidden(reader.read(lit(MIDGAME)))
    assert not hidden(CheckerReader(table, lit(START.points)).read(lit(MIDGAME)))


def test_probabilities_are_of_all_counts(table: Table, reader: CheckerReader) -> None:
    answer = reader.read(draw(table, MIDGAME))
    assert answer.probabilities.shape == (24, 31)
    assert np.allclose(answer.probabilities.sum(1), 1)
    doubted = {d.point for d in answer.doubts}
    best = answer.probabilities.argmax(1) - 15
    assert all(best[p] == answer.position.points[p] for p in range(24) if p + 1 not in doubted)


def test_the_reader_follows_a_board_that_moved(table: Table, reader: CheckerReader) -> None:
    moved = overhead_table(20.0)
    answer = reader.moved(moved).read(draw(moved, MIDGAME))
    doubted = {d.point for d in answer.doubts}
    assert all(answer.position.points[p] == MIDGAME[p] for p in range(24) if p + 1 not in doubted)


@pytest.mark.parametrize("contrast", [0.25, 0.1])
def test_a_faint_board_is_read_in_a_stream_as_alone(table: Table, contrast: float) -> None:
    def faint(points: tuple[int, ...]) -> np.ndarray:
        noise = np.random.default_rng(1).normal(0, 3, (720, 1280, 3))
        return np.clip(110 + (draw(table, points) - 110.0) * contrast + noise, 0, 255).astype(np.uint8)

    lost = (1, -2, 0, 2, 0, 3, 0, 2, 0, 0, 0, -5, -3, 0, 0, 0, -1, 0, -5, 0, 0, 0, 0, 2)  # not fifteen each: something must be in doubt
    reader, image = CheckerReader(table, faint(START.points)), faint(lost)
    alone = reader.read(image)
    assert alone.doubts, "nothing here was looked at again"
    for _ in range(4):  # what was looked at closer is not looked at again once it is known
        streamed = reader.read(image, stream=True)
        assert (streamed.position, streamed.doubts) == (alone.position, alone.doubts)
        assert np.allclose(streamed.probabilities, alone.probabilities, atol=1e-6)


def test_strips_run_from_the_rail_and_are_turned_the_same_way(table: Table) -> None:
    cutter = StripCutter(table)
    image = draw(table, START.points)
    strips = cutter.cut(image)
    for point, colour in ((6, NEAR), (19, FAR)):  # five checkers each, on opposite sides
        row = int((WIDE.before + 4.5) * WIDE.scale)
        assert np.abs(strips[point - 1, row, 28].astype(int) - colour).max() < 25
        assert np.abs(strips[point - 1, row + 28, 28].astype(int) - colour).max() > 25
    assert strips[BAR].shape[0] == WIDE.length


def test_counts_in_words() -> None:
    assert count_text((4, 5)) == "4 or 5 checkers"
    assert count_text((0, -1)) == "none or 1 checker"
    assert count_text((2, -2)) == "2 of near’s or 2 of far’s checkers"


def _told(position: tuple[int, ...], bar: tuple[int, int], unsure: dict[int, dict[int, float]]) -> np.ndarray:
    """The first net's answers that make strips as likely to show ``position`` (24 signed counts) and ``bar`` as can be, but for points
    that are ``unsure``: of these how likely each count is."""
    raw = np.full((BAR + 1, OUTPUTS), -20.0)
    for p, n in enumerate(position):
        for count, likely in unsure.get(p + 1, {n: 1.0}).items():
            raw[p, count + CHECKERS] = TEMPERATURE * np.log(likely) - BASE_RATES[count + CHECKERS]
    for seat, n in enumerate(bar):
        raw[BAR, HIDDEN + 1 + 6 * seat + n] = 0.0
    return raw


@pytest.mark.parametrize(("other", "doubted"), [(10, True), (9, False)])
def test_whether_a_stack_has_a_layer_more_is_not_told_by_the_other_points_alone(other: int, doubted: bool) -> None:
    """A player hit after he had borne five off has one layer less than all the others make of it."""
    near = (3, 2, 0, 2, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 2)
    raw = _told((*near, 0, -14 + other, -other), (0, 1), {24: {-5: 0.7, -other: 0.3}})
    answer = interpret(Answers(raw, np.zeros(0, np.int64), np.zeros((0, OUTPUTS))))
    assert answer.position.points[23] == -other and answer.position.bar == (0, 1)
    assert [(d.point, set(d.values)) for d in answer.doubts] == [(24, {-5, -other})] * doubted
