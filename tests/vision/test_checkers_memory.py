"""A stream of pictures is read as each of them alone would be, though what has not changed is not looked at again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.found import found_in
from vision.checkers.input import OUTPUTS
from vision.checkers.memory import LOOKS, Memory
from vision.checkers.reader import CheckerReader
from vision.checkers.strips import BAR, STRIPS, WIDE, Image
from vision.pictures import load_picture

BOARDS = Path(__file__).parent.parent / "data" / "boards"
ALL = np.arange(STRIPS)
PLAIN = np.zeros(STRIPS, bool)
RAW = np.arange(STRIPS * OUTPUTS, dtype=np.float64).reshape(STRIPS, OUTPUTS)


def _as_filmed(picture: Image, seed: int, light: float = 1.0) -> Image:
    """The picture as a camera gives it once more: with other noise, and in a little more or less light."""
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(light * picture + noise, 0, 255).astype(np.uint8)


@pytest.fixture(scope="module", params=["train-001000", "train-002000"])
def board(request: pytest.FixtureRequest) -> Path:
    return BOARDS / str(request.param)


def test_a_stream_is_read_as_its_pictures_are(board: Path) -> None:
    start = load_picture(board / "f00.jpg")
    table = found_in(board / "f00.jpg")
    stream, alone = CheckerReader(table, start), CheckerReader(table, start)
    for name in sorted(board.glob("f*.jpg")):
        for look, light in enumerate((1.0, 0.98, 1.03, 1.0)):
            picture = _as_filmed(load_picture(name), look, light)
            seen, still = stream.read(picture, stream=True), alone.read(picture)
            assert seen.position == still.position
            assert [(d.about, d.code, d.point, d.seat) for d in seen.doubts] == [(d.about, d.code, d.point, d.seat) for d in still.doubts]


def _strips(seed: int = 1) -> Image:
    """Strips with something on them, as bright as the dark boards are."""
    rng = np.random.default_rng(seed)
    return rng.integers(20, 60, (STRIPS, WIDE.length, WIDE.width, 3)).astype(np.uint8)


def _looked(memory: Memory, strips: Image, doubted: np.ndarray = PLAIN) -> np.ndarray:
    """Looks at ``strips`` and keeps the answers; which of them were known."""
    known = memory.see(strips)
    asked: list[int] = []

    def ask(fresh: np.ndarray) -> np.ndarray:
        asked.extend(fresh)
        return RAW[fresh]

    assert np.array_equal(memory.answers("wide", ALL, ask), RAW)
    assert np.array_equal(asked, np.flatnonzero(~known))
    memory.keep(doubted)
    return known


def _changed() -> Iterator[tuple[int, Image]]:
    """A strip, and all of them with a dark checker laid on a dark place of it."""
    y, x = np.mgrid[0 : WIDE.length, 0 : WIDE.width]
    for strip in (0, 11, BAR):
        strips = _strips()
        disc = np.hypot(y - 100, x - WIDE.width / 2) < WIDE.scale / 2
        strips[strip][disc] = np.clip(strips[strip][disc].astype(int) + 14, 0, 255)
        yield strip, strips


def test_an_answer_is_believed_after_so_many_looks() -> None:
    memory = Memory()
    for _ in range(LOOKS):
        assert not _looked(memory, _strips()).any()
    assert _looked(memory, _as_filmed(_strips(), 5)).all()


def test_what_changes_is_looked_at_as_often_anew() -> None:
    for strip, strips in _changed():
        memory = Memory()
        for _ in range(LOOKS + 1):
            _looked(memory, _strips())
        others = np.arange(STRIPS) != strip
        for _ in range(LOOKS):
            assert np.array_equal(_looked(memory, strips), others)
        assert _looked(memory, strips).all()


def test_slow_changes_add_up_to_a_change() -> None:
    memory, asked = Memory(), 0
    for step in range(60):
        strips = _strips()
        strips[3, 60:90] += np.uint8(step)  # by one grey level a picture
        asked += int(not _looked(memory, strips)[3])
    assert asked > 3 * LOOKS


def test_what_is_in_doubt_is_looked_at_again() -> None:
    memory, doubted = Memory(), PLAIN.copy()
    doubted[[4, BAR]] = True
    for _ in range(LOOKS + 2):
        known = _looked(memory, _strips(), doubted)
    assert np.array_equal(known, ~doubted)


def test_a_closer_look_is_forgotten_with_what_it_saw() -> None:
    memory, place = Memory(), np.array([11])

    def closer(strips: Image, says: float) -> float:
        """What a closer look at `place` is said to show, where it would show ``says`` now."""
        memory.see(strips)
        answer = memory.answers("close", place, lambda fresh: np.full((len(fresh), OUTPUTS), says))
        memory.keep(PLAIN)
        return float(answer[0, 0])

    assert [closer(_strips(), says) for says in (1.0, 2.0, 3.0)] == [1.0, 2.0, 2.0]
    assert [closer(dict(_changed())[11], says) for says in (4.0, 5.0, 6.0)] == [4.0, 5.0, 5.0]


def test_what_was_not_asked_of_a_known_strip_is_asked_when_it_is_wanted() -> None:
    memory = Memory()
    for _ in range(LOOKS + 1):
        _looked(memory, _strips())
    assert memory.see(_strips()).all()
    assert memory.answers("close", np.array([3, 7]), lambda fresh: RAW[fresh])[:, 0].tolist() == RAW[[3, 7], 0].tolist()
