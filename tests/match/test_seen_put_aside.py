"""What a person has taken back, answered or left lying is not told again by the camera, nor held against anybody."""

from __future__ import annotations

import pytest

from referee.board.position import START, Position
from referee.match import commands as c
from referee.match import events as e
from referee.match.arbiter.consider import consider
from referee.match.arbiter.memory import Memory
from referee.match.journal import MemoryJournal
from referee.match.state import Phase
from referee.match.table import TableService
from referee.match.witness import Witnesses
from referee.observations import About, DieState, SeenCube, SeenDoubt, TowerThrow
from referee.rules.presets import preset
from tests.match.seen_table import AFTER_62, FAR, NEAR, OPENING, Table, begun, plays, throw
from tests.match.test_seen_cube import closed_board


@pytest.mark.parametrize("stills", [True, False])
def test_a_roll_that_was_taken_back_is_not_announced_again_of_the_same_dice(stills: bool) -> None:
    table = begun(stills)
    dice = throw(FAR, 3, 1)
    assert table.see(AFTER_62, *dice) == ["rolled"]
    assert table.say(c.Undo) == ["undone"]
    assert table.see(AFTER_62, *dice) == ["board_agreed"]
    assert table.see(AFTER_62, *dice) == []
    assert table.see(AFTER_62) == []
    assert table.see(AFTER_62, *throw(FAR, 5, 4, place=40)) == ["rolled"]


@pytest.mark.parametrize("stills", [True, False])
def test_a_throw_that_does_not_count_is_not_announced_once_it_is_seen_clearly(stills: bool) -> None:
    table = begun(stills)
    dice = throw(FAR, 3, 1)
    doubt = SeenDoubt(About.DIE, "state", "it may not lie flat", centre=dice[0].centre)
    table.see(AFTER_62, *dice, doubts=(doubt,))
    table.see(AFTER_62, *dice, doubts=(doubt,))
    asked = table.service.state.doubt
    assert asked is not None and asked.doubt.answers[-1].says.code == "does_not_count"
    table.answer(len(asked.doubt.answers) - 1)
    assert table.see(AFTER_62, *dice) + table.see(AFTER_62, *dice) + table.see(AFTER_62) == []
    assert table.see(AFTER_62, *throw(FAR, 5, 4, place=40)) == ["rolled"]


@pytest.mark.parametrize("who", [Witnesses.ANY, Witnesses.BOTH])
def test_camera_and_tower_differ_is_one_question_that_stays_open(who: Witnesses) -> None:
    table = Table(False)
    table.service = TableService(MemoryJournal(), preset("bray"), consider, Memory(), lambda: table.now)
    table.service.command(c.StartMatch(seen_seq=0, names=("", ""), rules="bray"))
    table.service.set_witnesses(Witnesses.ANY, True)
    table.see(START)
    table.see(START, *OPENING)
    table.see(AFTER_62)
    table.service.set_witnesses(who, True)
    table.service.throw(TowerThrow("oak", 1, 1, (2, 5), (DieState.FLAT, DieState.FLAT), FAR, table.now))
    dice = throw(FAR, 6, 2, place=20)
    assert table.see(AFTER_62, *dice) == ["doubt"]
    for _ in range(4):
        assert table.see(AFTER_62, *dice) == []
        assert table.service.tick() == ()
    assert table.service.state.question == "throw" and table.phase is Phase.TO_ROLL


def test_one_look_that_missed_the_dice_while_a_question_was_open_accuses_nobody() -> None:
    table = begun(False)
    played = plays(AFTER_62, FAR, 3, 1)[0]  # of a roll that nobody saw
    table.see(played, looks=8)
    table.see(played, looks=8)
    dice, final = throw(NEAR, 6, 5), plays(played, NEAR, 6, 5)[0]
    left = next(i for i in range(23, -1, -1) if played.points[i] > final.points[i])
    points = list(played.points)
    points[left] -= 1
    points[next(i for i in range(left - 1, -1, -1) if points[i] >= 0)] += 1  # on its way
    moving = Position(tuple(points), played.bar, played.off)
    table.see(played, *dice)
    table.see(moving, *dice)
    table.see(moving, looks=1)
    table.see(moving, *dice)
    table.see(final, *dice)
    table.see(final)
    table.answer(0)
    assert table.see(final) == ["rolled", "played"]


@pytest.mark.parametrize("owner", [NEAR, FAR])
@pytest.mark.parametrize("stills", [True, False])
def test_a_cube_left_from_the_last_game_doubles_nothing(stills: bool, owner: object) -> None:
    table = Table(stills)
    table.cube = SeenCube(2, NEAR if owner is NEAR else FAR)
    table.see(START)
    table.see(START, *OPENING)
    table.see(AFTER_62)
    table.see(AFTER_62)
    if table.service.state.doubt is not None:
        table.answer(0)  # it counts 1
    table.see(AFTER_62, *throw(FAR, 3, 1))
    after = plays(AFTER_62, FAR, 3, 1)[0]
    table.see(after)
    table.see(after)
    assert table.service.state.cube.value == 1
    table.cube = SeenCube(1, None)
    table.see(after)
    table.cube = SeenCube(2, FAR)
    assert table.see(after)[:2] == ["doubled", "taken"]  # put right once, it doubles as ever


def test_after_an_undo_between_games_the_camera_starts_the_next_one() -> None:
    table = begun(False, length=5)
    table.say(c.Double)
    table.say(c.Drop)
    assert table.say(c.SetScore, score=(3, 0)) and table.say(c.Undo) == ["undone"]
    assert table.see(START) == ["game_started"]
    assert table.see(START, *OPENING) == ["opening_rolled"]


def test_what_was_answered_about_a_play_is_not_asked_again_of_the_same_sight() -> None:
    table = begun(False)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    after = plays(AFTER_62, FAR, 3, 1)[0]
    points = list(after.points)
    points[min(range(24), key=points.__getitem__)] += 1  # far's highest stack is read one short
    short = Position(tuple(points), after.bar, after.off)
    assert table.see(short) + table.see(short) == ["doubt"]
    table.answer(0)
    assert table.see(short) + table.see(short) + table.see(short) == []
    assert isinstance(table.last, e.Played)


def test_a_player_who_threw_early_and_is_closed_out_has_no_roll() -> None:
    table = begun(False, "magriel")
    closed = closed_board()
    table.service.note(e.CubeSet(2, FAR), e.Rolled(FAR, (3, 1)), e.EarlyRoll(NEAR, (5, 4)), e.Played(FAR, (3, 1), "", closed))
    table.cube = SeenCube(2, FAR)
    assert table.see(closed) == ["no_roll"]
    assert table.see(closed, *throw(FAR, 6, 5)) == ["rolled"]
