"""Standard notation, written and read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.board import START, Fault, LegalPlays, NotationError, Position, Seat, format_play, parse_paths, parse_play
from tests.board.positions import near_of, positions, rolls

NEAR, FAR = Seat.NEAR, Seat.FAR


@given(positions(), rolls(), st.sampled_from(Seat))
def test_what_is_written_is_read_again(position: Position, roll: tuple[int, int], seat: Seat) -> None:
    plays = list(LegalPlays(position, seat, roll))
    texts = [format_play(play) for play in plays]
    assert len(set(texts)) == len(texts)
    for play, text in list(zip(plays, texts, strict=True))[:60]:
        parsed = parse_play(text, position, seat, roll)
        assert parsed.play is not None
        assert parsed.after == parsed.play.result == play.result


@given(positions(), rolls(), st.sampled_from(Seat))
def test_single_steps_are_read_too(position: Position, roll: tuple[int, int], seat: Seat) -> None:
    for play in list(LegalPlays(position, seat, roll))[:40]:
        steps = " ".join(f"{m.source}/{m.target}{'*' if m.hit else ''}" for m in play.moves)
        assert parse_play(steps, position, seat, roll).after == play.result


@pytest.mark.parametrize(
    "text",
    ["24/18 13/11", "62: 24/18, 13/11", "13/11 24/18", "24-18 13-11", " 24/18,13/11 ", "13/11;24/18", "24/18. 13/11. ", "26: 24/18* 13/11"],
)
def test_the_ways_people_write_one_play(text: str) -> None:
    parsed = parse_play(text, START, NEAR, (6, 2))
    assert parsed.play is not None
    assert format_play(parsed.play) == "24/18 13/11"


@pytest.mark.parametrize(
    ("near", "far", "roll", "text", "meant"),
    [
        (near_of(p6=2), near_of(), (6, 5), "6/0 6/1", "6/1 6/off"),
        (near_of(p6=2), near_of(), (6, 6), "6/off(2)", "6/off(2)"),
        (near_of(bar=1), near_of(), (4, 1), "25/21 21/20", "bar/20"),
        (near_of(bar=1, p6=1), near_of(), (4, 1), "BAR/21 6/5", "bar/21 6/5"),
        (near_of(bar=1, p6=1), near_of(), (4, 1), "b/21, 6/5", "bar/21 6/5"),
        (near_of(p24=1), near_of(p7=1), (6, 5), "24/18*/13", "24/18*/13"),
        (near_of(p24=1), near_of(p7=1), (6, 5), "24/13*", "24/13"),  # a mark where nobody stands
        (near_of(p24=1), near_of(p7=1, p6=2), (6, 5), "24/13", "24/18*/13"),  # only one way, and it hits
        (near_of(p8=2), near_of(p20=1, p23=2), (3, 3), "8/5*(2)", "8/5*(2)"),
        (near_of(p8=2), near_of(p20=1), (3, 3), "8/5(2)* 5/2(2)", "8/5*/2 8/2"),
        (near_of(p8=2, p6=2), near_of(p20=1), (3, 1), "8/5* 6/5", "8/5* 6/5"),
    ],
)
def test_meanings(near: tuple[int, ...], far: tuple[int, ...], roll: tuple[int, int], text: str, meant: str) -> None:
    parsed = parse_play(text, Position.from_sides(near, far), NEAR, roll)
    assert parsed.play is not None, parsed
    assert format_play(parsed.play) == meant


def test_two_ways_that_differ_are_told_apart_by_the_mark() -> None:
    position = Position.from_sides(near_of(p24=1), near_of(p7=1))  # a blot on near's 18
    roll = (6, 5)
    hit, passed = parse_play("24/18*/13", position, NEAR, roll), parse_play("24/13", position, NEAR, roll)
    assert hit.after != passed.after
    assert hit.play is not None
    assert passed.play is not None


@pytest.mark.parametrize("text", ["", "0", "fan", "bar/", "dance", "(no play)", "54: "])
def test_nothing_played(text: str) -> None:
    closed = Position.from_sides(near_of(bar=1), near_of(p1=2, p2=2, p3=2, p4=2, p5=2, p6=2))
    parsed = parse_play(text, closed, NEAR, (5, 4))
    assert parsed.play is not None
    assert parsed.after == closed
    assert parse_play(text, START, NEAR, (5, 4)).fault is Fault.ILLEGAL


def test_an_illegal_play_keeps_its_moves() -> None:
    parsed = parse_play("62: 24/18 13/10", START, NEAR, (6, 2))
    assert parsed.play is None
    assert parsed.fault is Fault.ILLEGAL
    assert [(m.source, m.target) for m in parsed.moves] == [(24, 18), (13, 10)]
    assert parsed.after is not None
    assert parsed.after.on_point(NEAR, 10) == 1


@pytest.mark.parametrize(("text", "fault", "point"), [("12/6", Fault.EMPTY_SOURCE, 12), ("24/19 13/11", Fault.BLOCKED, 19)])
def test_a_play_that_cannot_be_made(text: str, fault: Fault, point: int) -> None:
    parsed = parse_play(text, START, NEAR, (6, 5))
    assert (parsed.play, parsed.after, parsed.fault, parsed.point) == (None, None, fault, point)
    assert parsed.moves


@pytest.mark.parametrize(
    "text", ["24", "24/", "/18", "24/26", "off/3", "24/bar", "6/off/3", "24/18(5)", "24/18(0)", "hello", "24//18", "1/2/"]
)
def test_what_is_no_notation_is_said_in_one_sentence(text: str) -> None:
    with pytest.raises(NotationError, match=r"^‘.*’ is not a move[;:] [^\n]+$"):
        parse_paths(text)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parsed = parse_play(text, START, NEAR, (3, 1))
    except NotationError:
        return
    assert (parsed.play is None) == (parsed.fault is not None)


@given(st.lists(st.tuples(st.integers(1, 25), st.integers(0, 24)), min_size=1, max_size=5), positions(), rolls())
def test_any_steps_are_placed_or_refused(steps: list[tuple[int, int]], position: Position, roll: tuple[int, int]) -> None:
    parsed = parse_play(" ".join(f"{a}/{b}" for a, b in steps), position, FAR, roll)
    assert parsed.moves
    if parsed.after is not None:
        assert not parsed.after.defects()
