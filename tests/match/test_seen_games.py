"""Whole games read off labelled pictures, and what a missing or doubtful picture costs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.observations import About, Reading, SeenDoubt, SeenPosition
from tests.match.labels import GAMES, finished, frames_of, kinds, reading_of, seen_turns, still_table, true_kinds, true_turns


@pytest.mark.parametrize("name", ["first_turns", "short_game"])
def test_a_game_read_perfectly_is_refereed_perfectly(name: str) -> None:
    frames = frames_of(GAMES / f"{name}.jsonl")
    log = finished(still_table(), [reading_of(frame, float(i)) for i, frame in enumerate(frames)])
    assert seen_turns(log) == true_turns(frames)
    counted = kinds(log)
    assert {kind: counted[kind] for kind in true_kinds(frames)} == true_kinds(frames)
    assert counted["doubt"] == 0


@pytest.mark.parametrize("name", ["first_turns", "short_game"])
def test_the_same_on_a_stream(name: str) -> None:
    frames = frames_of(GAMES / f"{name}.jsonl")
    table = still_table(stills=False)
    log = finished(table, [replace(reading_of(frame), captured_at=5.0 * i + 0.4 * k) for i, frame in enumerate(frames) for k in range(4)])
    assert seen_turns(log) == true_turns(frames)
    assert kinds(log)["doubt"] == 0
    assert kinds(log)["roll_void"] == true_kinds(frames)["roll_void"]


@pytest.mark.parametrize("name", ["first_turns", "short_game"])
def test_one_doubtful_point_in_a_picture_costs_no_question(name: str) -> None:
    """In each picture in turn one occupied point is read one off and doubted."""
    frames = frames_of(GAMES / f"{name}.jsonl")
    perfect = [reading_of(frame, float(i)) for i, frame in enumerate(frames)]
    for number in range(2, len(perfect)):
        readings = list(perfect)
        readings[number] = misread(readings[number], number)
        log = finished(still_table(), readings)
        assert [turn.after for turn in seen_turns(log)] == [turn.after for turn in true_turns(frames)], number
        assert kinds(log)["doubt"] == 0, number


def misread(reading: Reading, salt: int) -> Reading:
    assert reading.position is not None
    points = list(reading.position.points)
    places = [i for i, n in enumerate(points) if n]
    place = places[salt % len(places)]
    true = points[place]
    points[place] += 1 if true > 0 else -1
    doubt = SeenDoubt(About.POINT, "count", "", point=place + 1, values=(points[place], true))
    return replace(reading, position=SeenPosition(tuple(points), reading.position.bar), doubts=(doubt,))


@pytest.mark.parametrize("name", ["first_turns", "short_game"])
def test_a_missing_picture_of_a_play_costs_nothing_but_what_it_showed(name: str) -> None:
    """Without a picture between, the play is judged by the next throw's picture."""
    frames = frames_of(GAMES / f"{name}.jsonl")
    for number in range(2, len(frames) - 2):
        if frames[number]["role"] != "after_move" or frames[number + 1]["role"] == "after_move" or frames[number]["turn"]["legal"] is False:
            continue
        kept = [frame for i, frame in enumerate(frames) if i != number]
        log = finished(still_table(), [reading_of(frame, float(i)) for i, frame in enumerate(kept)])
        truth, turns = true_turns(frames), seen_turns(log)
        assert [(t.seat, t.dice) for t in turns] == [(t.seat, t.dice) for t in truth], number
        assert kinds(log)["doubt"] == 0, number


@pytest.mark.parametrize(("name", "dice_seen"), [("first_turns", True), ("first_turns", False), ("short_game", False)])
def test_turns_under_a_hand_are_asked_about_and_charged_to_nobody(name: str, dice_seen: bool) -> None:
    """In a few pictures in turn a hand lies over the board: one point is not seen, and dice may be."""
    frames = [frame for frame in frames_of(GAMES / f"{name}.jsonl") if (frame["turn"] or {}).get("legal") is not False]
    perfect = [reading_of(frame, float(i)) for i, frame in enumerate(frames)]
    for first in range(2, len(perfect) - 4, 3):
        for many in (2, 3):
            hidden = [under_a_hand(reading, dice_seen) for reading in perfect[first : first + many]]
            log = finished(still_table(), [*perfect[:first], *hidden, *perfect[first + many :]])
            assert not kinds(log)["illegal_play"], (first, many)


def under_a_hand(reading: Reading, dice_seen: bool) -> Reading:
    doubts = (SeenDoubt(About.POINT, "hidden", "", point=12), SeenDoubt(About.DIE, "hidden", ""))
    return replace(reading, doubts=doubts, hand=True, dice=reading.dice if dice_seen else ())
