"""The caption of the camera's picture: short, in the language of the page, and what it says of the light."""

from __future__ import annotations

import pytest

from referee.board.position import START
from referee.observations import About, DieState, Reading, SeenDie, SeenDoubt, SeenPosition
from vision.dice.sides import burnt_out
from web.language import words
from web.runtime.said import GLARE, OTHER_WAY, glare, other_way_round, summary


def test_the_caption_stays_short() -> None:
    doubts = tuple(SeenDoubt(About.POINT, "count", "4 or 5 checkers", point, values=(4, 5)) for point in range(1, 13))
    assert summary(Reading((), None, None, doubts)) == (
        "no dice; no position; point 1: 4 or 5 checkers; point 2: 4 or 5 checkers; 10 more in doubt"
    )


def test_the_caption_says_what_is_in_doubt_in_the_language_of_the_page() -> None:
    doubts = [
        SeenDoubt(About.POINT, "count", "4 or 5 checkers", 3, values=(-5, -4)), SeenDoubt(About.POINT, "hidden", "not seen", 3),
        SeenDoubt(About.POINT, "count", "1 of near’s or 1 of far’s checkers", 3, values=(-1, 1)),
        SeenDoubt(About.DIE, "value", "2 or 6", centre=(0, 0), values=(6, 2)), SeenDoubt(About.DIE, "state", "it may lie flat"),
        SeenDoubt(About.DIE, "presence", "this may be a die"), SeenDoubt(About.DIE, "hidden", "a hand may hide dice"),
        SeenDoubt(About.CUBE, "presence", "this may be the cube"), *(SeenDoubt(about, "other", "in English") for about in About),
    ]
    german = words("de")
    for doubt in doubts:
        said = summary(Reading((), None, None, (doubt, doubt, doubt)))
        told = zip(said.split("; "), german.said(said).split("; "), strict=True)
        assert [one for one, other in told if one == other] == [], said
    first = summary(Reading((), None, None, tuple(doubts[:2])))
    assert german.said(first) == "keine Würfel; keine Stellung; Punkt 3: 4 oder 5 Steine; Punkt 3 im Zweifel"


def test_light_that_burns_dice_out_is_told_until_dice_are_seen_well_again() -> None:
    burnt = Reading((), None, None, (burnt_out((5.0, 5.0)),))
    one = SeenDie(3, DieState.FLAT, None, (5.0, 5.0), 0.9)
    assert glare(burnt, False)
    assert glare(Reading((), None, None, ()), True)
    assert not glare(Reading((one,), None, None, ()), True)
    assert "burn" not in summary(burnt)  # which is said once
    assert words("de").said(GLARE) != GLARE


@pytest.mark.parametrize("how", ["colours", "sides", "both"])
def test_a_start_that_is_set_up_the_other_way_round_for_the_next_game_is_said(how: str) -> None:
    near = [*range(12, 0, -1), *range(24, 12, -1)]  # where each point lies once the home boards are on the other side
    points = [START.points[point - 1] for point in near] if how != "colours" else list(START.points)
    seen = Reading((), SeenPosition(tuple(n if how == "sides" else -n for n in points), (0, 0)), None, ())
    assert other_way_round(seen)
    assert not other_way_round(Reading((), SeenPosition(START.points, (0, 0)), None, ()))
    assert not other_way_round(Reading((), None, None, ()))
    assert words("de").said(OTHER_WAY) != OTHER_WAY
