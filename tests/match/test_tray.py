"""Throws in a dice tower's tray, which both players use: what counts there, and whose it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board import Seat
from referee.board.plays import LegalPlays
from referee.board.position import START, Position
from referee.match.arbiter.consider import consider
from referee.match.arbiter.memory import Memory
from referee.match.commands import AnswerDoubt, StartGame, StartMatch
from referee.match.events import OpeningRolled, OpeningTied, Played, Rolled, RollVoid
from referee.match.journal import MemoryJournal
from referee.match.state import Phase
from referee.match.table import TableService
from referee.match.witness import Witnesses
from referee.observations import DieState, Half, Reading, Rests, SeenCube, SeenDie, SeenPosition, TowerThrow
from referee.rules.presets import preset
from tests.match.seen_table import begun
from tests.match.test_seen_cube import closed_board

Table = TableService[Memory]


def tray(value: int, x: float, state: DieState = DieState.FLAT) -> SeenDie:
    return SeenDie(value, state, None, (x, 400.0), tray=True)


def field(value: int, x: float, half: Half) -> SeenDie:
    return SeenDie(value, DieState.FLAT, half, (x, 300.0))


class At:
    """A table refereed from stills; `see` shows it a settled picture."""

    def __init__(self) -> None:
        self.now = 0.0
        self.table: Table = TableService(MemoryJournal(), preset("bray"), consider, Memory(stills=True), lambda: self.now)
        self.table.command(StartMatch(seen_seq=0, names=("Anna", "Boris"), length=5))
        self.table.command(StartGame(seen_seq=self.table.state.seq))

    def see(self, *dice: SeenDie, position: Position = START) -> list[object]:
        self.now += 2.0
        seen = SeenPosition(position.points, position.bar, position.off)
        return [one.event for one in self.table.observe(Reading(dice, seen, SeenCube(1, None), captured_at=self.now))]


def after(position: Position, seat: Seat, roll: tuple[int, int]) -> Position:
    return next(iter(LegalPlays(position, seat, roll))).result


@pytest.fixture
def opened() -> At:
    """Near started with 6-2, thrown in the tray, and has played."""
    at = At()
    at.see(tray(6, 900), tray(2, 950))
    at.see(tray(6, 900), tray(2, 950))
    doubt = at.table.state.doubt
    assert doubt is not None
    at.table.command(AnswerDoubt(seen_seq=at.table.state.seq, doubt_seq=doubt.seq, answer=0))
    at.see(tray(6, 900), tray(2, 950))
    events = at.see(position=after(START, Seat.NEAR, (6, 2)))
    assert isinstance(events[-1], Played)
    return at


def test_nobody_sees_whose_opening_die_is_which_so_it_is_asked() -> None:
    at = At()
    assert at.see(tray(6, 900)) == []
    at.see(tray(6, 900), tray(2, 950))
    at.see(tray(6, 900), tray(2, 950))
    doubt = at.table.state.doubt
    assert doubt is not None
    assert doubt.doubt.reason.code == "tray_opening"
    starters = [a.events[0].seat for a in doubt.doubt.answers if a.events and isinstance(a.events[0], OpeningRolled)]
    assert starters == [Seat.NEAR, Seat.FAR]


def test_a_question_whether_anything_was_thrown_gives_way_to_the_dice_that_are_seen() -> None:
    at = At()
    at.table.set_witnesses(Witnesses.ANY, camera_on=True)
    at.table.throw(TowerThrow("oak", 1, 1, None, (), None, at.now, Rests.TRAY))
    at.now += 2.0
    at.see()
    at.table.tick()
    doubt = at.table.state.doubt
    assert doubt is not None
    assert doubt.doubt.reason.code == "throw_not_seen"
    at.see(tray(6, 900), tray(2, 950))
    at.see(tray(6, 900), tray(2, 950))
    doubt = at.table.state.doubt
    assert doubt is not None
    assert doubt.doubt.reason.code == "tray_opening"


def test_equal_opening_dice_are_a_tie_whosever_they_are() -> None:
    at = At()
    assert OpeningTied((4, 4)) in at.see(tray(4, 900), tray(4, 950))


def test_a_throw_in_the_tray_is_the_roll_of_the_player_whose_turn_it_is(opened: At) -> None:
    position = opened.table.state.position
    assert opened.see(tray(5, 905), tray(3, 980), position=position) == [Rolled(Seat.FAR, (5, 3))]
    then = after(position, Seat.FAR, (5, 3))
    opened.see(position=then)
    assert opened.see(tray(5, 900), tray(5, 930), position=then) == [Rolled(Seat.NEAR, (5, 5))]


def test_a_cocked_die_or_one_that_left_the_tray_voids_the_throw(opened: At) -> None:
    position = opened.table.state.position
    (void,) = opened.see(tray(5, 905), tray(3, 980, DieState.COCKED), position=position)
    assert isinstance(void, RollVoid)
    assert void.reason.code == "cocked"
    opened.see(position=position)
    (void,) = opened.see(tray(5, 860), field(3, 300, Half.LEFT), position=position)
    assert isinstance(void, RollVoid)
    assert void.reason.code == "missing_die"


def test_dice_on_the_field_still_count_in_their_throwers_half(opened: At) -> None:
    position = opened.table.state.position
    assert opened.see(field(5, 300, Half.LEFT), field(3, 350, Half.LEFT), position=position) == [Rolled(Seat.FAR, (5, 3))]


def test_the_next_throw_in_the_tray_ends_a_turn_whose_play_is_on_the_board(opened: At) -> None:
    position = opened.table.state.position
    opened.see(tray(5, 905), tray(3, 980), position=position)
    then = after(position, Seat.FAR, (5, 3))
    events = opened.see(tray(6, 860), tray(1, 1010), position=then)
    assert [type(e).__name__ for e in events][-2:] == ["Played", "Rolled"]
    assert events[-1] == Rolled(Seat.NEAR, (6, 1))


def test_dice_that_shift_in_the_tray_during_the_play_are_no_new_throw(opened: At) -> None:
    position = opened.table.state.position
    opened.see(tray(5, 905), tray(3, 980), position=position)
    assert opened.see(tray(5, 925), tray(3, 960), position=position) == []
    assert opened.table.state.phase is Phase.ROLLED


@pytest.mark.parametrize(
    ("who", "in_tray", "felt", "counts"),
    [
        (Witnesses.ANY, True, False, True), (Witnesses.ANY, False, False, True), (Witnesses.TOWER, True, True, True),
        (Witnesses.TOWER, False, False, False), (Witnesses.BOTH, True, True, True), (Witnesses.BOTH, False, False, False),
        (Witnesses.CAMERA, False, False, True),
    ],
)
def test_whose_word_it_takes_is_the_tables_setting(opened: At, who: Witnesses, in_tray: bool, felt: bool, counts: bool) -> None:
    """A tower that only feels throws: what lies in its tray is read by the camera."""
    position = opened.table.state.position
    opened.table.set_witnesses(who, camera_on=True)
    if felt:
        opened.table.throw(TowerThrow("oak", 1, 1, None, (), None, opened.now, Rests.TRAY))
    dice = (tray(5, 905), tray(3, 980)) if in_tray else (field(5, 300, Half.LEFT), field(3, 350, Half.LEFT))
    opened.see(*(replace(die) for die in dice), position=position)
    assert (opened.table.state.phase is Phase.ROLLED) == counts


@pytest.mark.parametrize("stills", [True, False])
def test_what_is_thrown_in_the_tray_while_a_player_is_closed_out_is_the_others_roll(stills: bool) -> None:
    """He could have doubled and did not; where dice lie in a tray does not say whose they are."""
    table = begun(stills)
    table.service.note(Played(Seat.FAR, (3, 1), "", closed_board()))
    assert table.see(closed_board(), tray(5, 900), tray(4, 950)) == ["no_roll", "rolled"]
    assert (table.service.state.on_roll, table.service.state.dice) == (Seat.FAR, (5, 4))
