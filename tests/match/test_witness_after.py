"""The camera was believed first, and then the tower reads other dice: which of the two speaks first is a matter of moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from referee.board import LegalPlays, Position, Seat
from referee.match.arbiter.memory import Memory
from referee.match.commands import Accepted, AnswerDoubt, EnterPlay, EnterRoll, SetPosition, StartGame, StartMatch
from referee.match.journal import MemoryJournal
from referee.match.state import Phase
from referee.match.table import TableService, open_table
from referee.match.witness import Witnesses
from referee.observations import DieState, Reading, Rests, SeenDie, SeenPosition, TowerThrow
from tests.match.seen_table import CENTRED, throw
from tests.match.tower_said import inside, playing


class Both:
    """A table with a camera and a tower that reads its dice; far is to roll."""

    def __init__(self, who: Witnesses = Witnesses.ANY) -> None:
        self.now = 100.0
        self.table: TableService[Memory] = open_table(MemoryJournal(), clock=lambda: self.now)
        self.table.set_witnesses(who, camera_on=True)
        for command in (StartMatch(seen_seq=0, names=("", "")), StartGame(seen_seq=1), EnterRoll(seen_seq=2, dice=(6, 2))):
            self.table.command(command)
        self.table.command(EnterPlay(seen_seq=self.table.state.seq, play="24/18 13/11"))
        self.see()

    def see(self, *dice: SeenDie, position: Position | None = None, seconds: float = 1.0) -> None:
        board = position or self.table.state.position
        for _ in range(round(seconds * 5)):
            self.now += 0.2
            self.table.observe(Reading(dice, SeenPosition(board.points, board.bar), CENTRED, captured_at=self.now))
            self.table.tick()

    def read(self, *values: int | None, seat: Seat | None = Seat.FAR, age: float = 0.0, states: Sequence[DieState] = ()) -> None:
        """What the tower says; of no values: that a throw began."""
        lies = tuple(states) or (DieState.FLAT,) * len(values)
        self.table.throw(TowerThrow("oak", 1, 1, values or None, lies, seat, self.now - age, Rests.FIELD, True))

    def answers(self) -> list[tuple[object, object]]:
        assert self.table.state.doubt is not None
        doubt = self.table.state.doubt.doubt
        assert doubt.reason.code == "camera_and_tower"
        return [(one.says.get("high"), one.says.get("low")) for one in doubt.answers]


@pytest.mark.parametrize("begun", [False, True], ids=["silent till then", "had felt it begin"])
@pytest.mark.parametrize("right", [0, 1], ids=["the camera", "the tower"])
def test_other_dice_that_the_tower_reads_when_the_camera_was_believed_are_asked_about(begun: bool, right: int) -> None:
    at = Both()
    if begun:
        at.read()
    lying = throw(Seat.FAR, 6, 2)
    at.see(*lying)
    assert (at.table.state.phase, at.table.state.dice) == (Phase.ROLLED, (6, 2))
    at.read(6, 5)
    assert at.answers() == [(6, 2), (6, 5)]
    at.see(*lying)
    doubt = at.table.state.doubt
    assert doubt is not None
    rows = len(at.table.log)
    assert isinstance(at.table.command(AnswerDoubt(seen_seq=at.table.state.seq, doubt_seq=doubt.seq, answer=right)), Accepted)
    types = [type(one.event).type for one in at.table.log[rows:]]
    assert types == ["doubt_resolved", "rolled"][: 1 + right], "what was right is not rolled again"
    at.see(*lying)
    state = at.table.state
    assert (state.phase, state.on_roll, state.dice, state.doubt) == (Phase.ROLLED, Seat.FAR, ((6, 2), (6, 5))[right], None)
    made = next(iter(LegalPlays(state.position, Seat.FAR, state.dice or (0, 0)).results))
    at.see(*lying, position=made)
    at.see(position=made, seconds=4.0)
    assert (type(at.table.log[-1].event).type, at.table.state.position) == ("played", made)


@pytest.mark.parametrize(
    ("values", "seat", "wait", "age"),
    [
        ((2, 6), Seat.FAR, 0.0, 0.0), ((None, 6), None, 0.0, 0.0), ((6, 5), Seat.NEAR, 0.0, 0.0),
        ((6, 5), Seat.FAR, 4.4, 0.0), ((6, 5), Seat.FAR, 0.4, 4.4),
    ],
    ids=["the same", "one not read", "the other's", "a later one", "an earlier one"],
)  # fmt: skip
def test_what_says_nothing_against_the_camera_asks_nothing(
    values: tuple[int | None, ...], seat: Seat | None, wait: float, age: float
) -> None:
    at = Both()
    at.see(*throw(Seat.FAR, 6, 2), seconds=1.0 + wait)
    at.read(*values, seat=seat, age=age)
    at.see(*throw(Seat.FAR, 6, 2))
    assert at.table.state.doubt is None
    assert (at.table.state.phase, at.table.state.dice) == (Phase.ROLLED, (6, 2))


def test_a_roll_that_a_person_has_said_or_the_tower_has_confirmed_is_not_asked_about() -> None:
    at = Both()
    at.see(*throw(Seat.FAR, 6, 2))
    at.table.command(EnterRoll(seen_seq=at.table.state.seq, dice=(5, 2)))
    at.read(6, 5)
    assert at.table.state.doubt is None
    at = Both()
    at.see(*throw(Seat.FAR, 6, 2))
    at.read(6, 2)
    at.read(6, 5)
    assert at.table.state.doubt is None


def test_where_the_cameras_word_alone_counts_the_tower_asks_nothing() -> None:
    at = Both(Witnesses.CAMERA)
    at.see(*throw(Seat.FAR, 6, 2))
    at.read(6, 5)
    assert at.table.state.doubt is None


def test_both_dice_out_of_one_players_side_are_no_opening() -> None:
    for seat in Seat:
        table = playing(MemoryJournal(), opening=False)
        said = table.throw(replace(inside((6, 2)), seat=seat))
        assert [one.event.type for one in said] == ["roll_void"]
        assert table.state.phase is Phase.OPENING


@pytest.mark.parametrize("who", [Witnesses.BOTH, Witnesses.TOWER])
def test_a_play_does_not_wait_until_the_tower_has_felt_the_others_throw(who: Witnesses) -> None:
    at = Both(who)
    at.table.command(EnterRoll(seen_seq=at.table.state.seq, dice=(3, 1)))
    before, far, near = at.table.state.position, throw(Seat.FAR, 3, 1), throw(Seat.NEAR, 6, 5, place=20)
    after = next(iter(LegalPlays(before, Seat.FAR, (3, 1)).results))
    at.see(*far)
    at.see(*far, position=after)
    at.see(*far, *near, position=after)
    at.see(*near, position=after)  # who is in a hurry has thrown before the other's dice are up
    assert (at.table.state.position, at.table.state.on_roll, at.table.state.dice) == (after, Seat.NEAR, None)
    at.see(*near, position=after, seconds=4.0)
    assert (at.table.state.question == "throw") == (who is Witnesses.BOTH)
    at.table.command(EnterRoll(seen_seq=at.table.state.seq, dice=(6, 5)))
    then = next(iter(LegalPlays(after, Seat.NEAR, (6, 5)).results))
    at.see(*near, position=then)
    at.see(position=then)
    assert (at.table.state.position, at.table.state.turns) == (then, 3)


@pytest.mark.parametrize("seat", [Seat.FAR, None], ids=["of far's side", "of a box with one side"])
@pytest.mark.parametrize("who", [Witnesses.ANY, Witnesses.BOTH])
@pytest.mark.parametrize("first", [False, True], ids=["told by hand, then read", "read, then told by hand"])
def test_a_throw_that_a_person_has_told_as_danced_is_not_held_against_the_others_next(
    first: bool, who: Witnesses, seat: Seat | None
) -> None:
    at = Both(who)
    shut = Position((2, 2, 2, 2, 0, 3, *(0,) * 12, 2, 2, -4, -5, -5, 0), (0, 1))
    at.table.command(SetPosition(seen_seq=at.table.state.seq, position=shut))
    at.see(position=shut)
    at.now += 1.0
    if first:
        at.read(6, 6, seat=seat)
        at.now += 0.4
    at.table.command(EnterRoll(seen_seq=at.table.state.seq, dice=(6, 6)))
    at.now += 0.4
    if not first:
        at.read(6, 6, seat=seat, age=0.6)
    at.see(*throw(Seat.FAR, 6, 6), position=shut, seconds=4.0)
    assert (at.table.state.on_roll, at.table.state.question) == (Seat.NEAR, "")
    at.see(position=shut)
    if who is Witnesses.BOTH:
        at.read(1, 3, seat=None if seat is None else Seat.NEAR)
    at.see(*throw(Seat.NEAR, 3, 1, place=20), position=shut)
    assert (at.table.state.dice, at.table.state.question) == ((3, 1), "")
