"""Every code the referee can say has a sentence, and the sentences read well."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import pytest

import referee
from referee.board.notation import Fault
from referee.board.position import START, Position, Seat
from referee.match import events as e
from referee.match.shown.sentences import EVENTS, EXPECTED, PUT_BACK, SENTENCES
from referee.match.shown.wording import event_sentence, put_back, sentence, set_up
from referee.match.state import MatchState
from referee.observations import SeenPosition
from referee.rules.plays import CODES
from referee.rules.reason import because
from tests.match.test_judge import moved

MAKERS = {"because", "refused", "says", "Reason", "Unsure"}


def _codes() -> set[str]:
    """The codes written in our own source where a reason is made."""
    found = {fault.value for fault in Fault} | set(CODES)
    for path in Path(referee.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS and node.args:
                found |= {
                    const.value for const in ast.walk(node.args[0])
                    if isinstance(const, ast.Constant) and isinstance(const.value, str) and const.value.replace("_", "").isalpha()
                    and not isinstance(node.args[0], ast.Call | ast.Attribute | ast.Subscript | ast.Compare)
                }
    return found


def test_every_code_has_a_sentence() -> None:
    codes = _codes()
    assert len(codes) > 60
    assert not {code for code in codes if code not in SENTENCES}


def test_sentences_name_their_values_and_end_as_sentences_do() -> None:
    for table in (SENTENCES, EVENTS, EXPECTED, PUT_BACK):
        for code, text in table.items():
            for _, name, spec, conversion in Formatter().parse(text):
                assert name is None or (name.isidentifier() and not spec and conversion is None), code


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        (because("number_not_played", "S2-12", die=6), "The 6 was not played."),
        (because("wrong_distance", pips=7, source=13, target=6, d1=6, d2=2), "7 pips with one checker on a roll of 6-2."),
        (because("wrong_distance", pips=1, source=2, target=1, d1=4, d2=4), "1 pip with one checker on a roll of 4-4."),
        (because("resigned", seat="near", points=1), "Anna resigned: 1 point"),
        (because("resigned", seat="far", points=4), "Boris resigned: 4 points"),
        (because("double_not_finished", die=4, played=2, possible=4), "Only 2 of the 4 playable 4s were played."),
        (because("double_not_finished", die=4, played=1, possible=4), "Only one of the 4 playable 4s was played."),
        (because("opponent_moved", seat="far", source=6, target=5), "Boris’s checker moved."),
        (because("blocked", point=6), "The 6-point is held by the other player."),
        (because("stale", by="rolled", seq=4), "The match has moved on meanwhile (dice were thrown); look again."),
        (because("brand_new_code"), "Brand new code."),
        (because("unclear", bar="near"), "It is not clear how many checkers are on the bar. What was played?"),
    ],
)
def test_a_sentence_carries_names_and_points(reason: e.Reason, text: str) -> None:
    assert sentence(reason, ("Anna", "Boris")) == text


def test_a_name_with_braces_is_only_a_name() -> None:
    assert event_sentence(e.Rolled(Seat.NEAR, (3, 6)), ("{point}", "")) == "{point} rolled 6-3"
    assert sentence(because("not_on_roll", seat="near"), ("%s{0}", "")) == "It is %s{0}’s turn."


def test_translation_sees_the_template_and_not_the_values() -> None:
    seen: list[str] = []

    def german(text: str) -> str:
        seen.append(text)
        return {"{seat} rolled {dice}": "{seat} hat {dice} geworfen"}.get(text, text)

    assert event_sentence(e.Rolled(Seat.FAR, (1, 2)), ("", "Boris"), german) == "Boris hat 2-1 geworfen"
    assert "{seat} rolled {dice}" in seen


def test_the_checkers_to_put_back_are_listed() -> None:
    moved = Position((-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 4, 0, 0, 0, -3, 1, -5, 0, 0, 0, 0, 1), (1, 0))
    state = MatchState(names=("Anna", "Boris"))
    assert put_back(state, moved) == (
        "Put Anna’s checker from the bar on the 24-point.",
        "Put Anna’s checker from the 18-point on the 13-point.",
    )
    assert put_back(state, START) == ()


def test_what_is_off_is_told_by_the_checkers_on_the_board() -> None:
    state = MatchState(names=("Anna", "Boris"), position=Position((*START.points[:5], 4, *START.points[6:]), (0, 0), (1, 0)))
    assert put_back(state, SeenPosition(START.points, START.bar)) == put_back(state, START) != ()


def test_up_to_six_checkers_that_stand_wrongly_before_a_game_are_listed() -> None:
    steps = ((24, 23), (13, 11), (8, 7), (6, 5), (6, 4), (13, 10), (8, 9), (6, 3))
    state = MatchState(names=("Anna", "Boris"))
    assert [len(set_up(state, moved(START, *steps[:wrong]))) for wrong in range(9)] == [0, 1, 2, 3, 4, 5, 6, 0, 0]
    assert set_up(state, moved(START, (24, 23))) == ("Put Anna’s checker from the 23-point on the 24-point.",)
    assert set_up(state, None) == ()
