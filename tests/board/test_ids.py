"""Position IDs, match IDs, GNUBGIDs and XGIDs, both ways."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.board import (
    START,
    GameState,
    IdError,
    MatchInfo,
    Position,
    Seat,
    gnubgid_from_text,
    gnubgid_to_text,
    match_from_id,
    match_to_id,
    position_from_id,
    position_to_id,
    turned,
    xgid_from_text,
    xgid_to_text,
)
from tests.board.positions import positions

NEAR, FAR = Seat.NEAR, Seat.FAR


@st.composite
def infos(draw: st.DrawFn) -> MatchInfo:
    seats = st.sampled_from(Seat)
    on_roll = draw(seats)
    return MatchInfo(
        length=draw(st.integers(0, 32767)),
        score=draw(st.tuples(st.integers(0, 32767), st.integers(0, 32767))),
        cube=2 ** draw(st.integers(0, 15)),
        cube_owner=draw(st.none() | seats),
        on_roll=on_roll,
        to_decide=draw(st.sampled_from([None, on_roll.other])),
        dice=draw(st.none() | st.integers(1, 6).flatmap(lambda a: st.integers(1, a).map(lambda b: (a, b)))),
        crawford=draw(st.booleans()),
        doubled=draw(st.booleans()),
        resigned=draw(st.integers(0, 3)),
        jacoby=draw(st.booleans()),
        state=draw(st.sampled_from(GameState)),
    )


@given(positions(), st.sampled_from(Seat))
def test_position_ids_round_trip(position: Position, seat: Seat) -> None:
    text = position_to_id(position, seat)
    assert len(text) == 14
    assert position_from_id(text, seat) == position
    assert position_from_id(text, seat.other) == turned(position)


def test_known_position_ids() -> None:
    assert position_to_id(START, NEAR) == position_to_id(START, FAR) == "4HPwATDgc/ABMA"
    on_bar = Position.from_sides((*START.side(NEAR)[:23], 1, 1), START.side(FAR))
    assert position_to_id(on_bar, NEAR) == "4HPwATDgc/ABUA"
    assert position_from_id("4HPwATDgc/ABUA==", NEAR) == on_bar


@given(infos())
def test_match_ids_round_trip(info: MatchInfo) -> None:
    text = match_to_id(info)
    assert len(text) == 12
    again = match_from_id(text)
    assert replace(again, dice=None) == replace(info, dice=None)
    assert again.dice is None if info.dice is None else sorted(again.dice or ()) == sorted(info.dice)


def test_known_match_ids() -> None:
    money = MatchInfo(dice=(3, 1))
    assert match_to_id(money) == "cIkFAAAAAAAE"
    assert match_from_id("cIkFAAAAAAAE") == money


@given(positions(), infos())
def test_gnubgids_round_trip(position: Position, info: MatchInfo) -> None:
    assert gnubgid_from_text(gnubgid_to_text(position, info))[0] == position


def test_an_xgid_and_the_gnubgid_another_program_gives_for_it() -> None:
    xgid = "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10"
    position, info = xgid_from_text(xgid)
    assert (info.length, info.score, info.cube, info.cube_owner, info.on_roll, info.dice) == (7, (3, 6), 2, FAR, NEAR, (2, 1))
    assert gnubgid_from_text("b9sBCIC5bYDQAA:QYnoAGAAGAAE") == (position, replace(info, dice=(1, 2), jacoby=False))
    assert xgid_to_text(position, info) == xgid


@given(positions(), infos())
def test_xgids_round_trip_with_the_player_on_roll_below(position: Position, info: MatchInfo) -> None:
    info = replace(info, resigned=0, state=GameState.PLAYING, jacoby=info.jacoby and not info.length)
    info = replace(info, crawford=info.crawford and info.length > 0, dice=None if info.doubled else info.dice)
    info = replace(info, to_decide=info.on_roll.other if info.doubled else None)
    text = xgid_to_text(position, info)
    assert text.split(":")[3] == "1"
    there, again = xgid_from_text(text)
    assert there == (position if info.on_roll is NEAR else turned(position))
    assert xgid_to_text(there, again) == text
    if info.on_roll is NEAR:
        assert again == info


@pytest.mark.parametrize(
    "text",
    ["", "4HPwATDgc/AB", "4HPwATDgc/ABM!", "//////////////", "AAAAAAAAAAAA//", "4HPwATDgc/ABMA4HPw", "AAAAAAAAAAAAAA=A", "e///////AAAAAA"],
)
def test_what_is_no_position_id(text: str) -> None:
    with pytest.raises(IdError, match=r"^‘.*’ [^\n]+$"):
        position_from_id(text, NEAR)


@pytest.mark.parametrize("text", ["", "cIkFAAAAAAA", "cIkFAAAAAAAEE", "////////////", "4HPwATDgc/ABMA"])
def test_what_is_no_match_id(text: str) -> None:
    with pytest.raises(IdError, match=r"^‘.*’ is no match ID[^\n]+$"):
        match_from_id(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "XGID=",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:99:0:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:2:21:0:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:3:1:21:0:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:99:0:1:21:0:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:x:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:21:-3:0:0:7:10",
        "XGID=Bb----E-C---eE---c-e----B-:0:0:1:21:0:0:0:7:10",
        "XGID=-p----E-C---eE---c-e----B-:0:0:1:21:0:0:0:7:10",
        "XGID=?b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:2",
    ],
)
def test_what_is_no_xgid(text: str) -> None:
    with pytest.raises(IdError, match=r"^‘.*’ [^\n]+$"):
        xgid_from_text(text)


def test_numbers_an_id_has_no_room_for() -> None:
    for info in (MatchInfo(length=40000), MatchInfo(cube=3), MatchInfo(cube=2**16), MatchInfo(score=(-1, 0))):
        with pytest.raises(IdError):
            match_to_id(info)


@given(st.text(max_size=60))
def test_any_text_is_an_id_or_refused(text: str) -> None:
    for read in (match_from_id, xgid_from_text, gnubgid_from_text, lambda t: position_from_id(t, NEAR)):
        try:
            read(text)
        except IdError as error:
            assert "\n" not in str(error) or "\n" in text
