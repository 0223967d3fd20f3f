"""A recording goes on although a question stays open, and nothing is guessed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import START, Position, Seat
from referee.match import events as e
from referee.match.commands import StartMatch
from referee.match.journal import MemoryJournal
from referee.match.state import Phase
from referee.match.table import open_table
from referee.match.unattended import Unattended
from referee.observations import About, DieState, Reading, SeenDie, SeenDoubt, SeenPosition
from tests.match.labels import GAMES, frames_of, reading_of, seen_turns, still_table, true_turns
from tests.match.seen_table import AFTER_62, CENTRED, FAR, LEFT, NEAR, OPENING, RIGHT, Table, begun, die, moved, plays, throw

both = pytest.mark.parametrize("stills", [True, False], ids=["stills", "stream"])
STRANGE = moved(AFTER_62, (6, 4), (8, 2), (13, 3))
"""A board that no turn from `AFTER_62` explains."""


@pytest.mark.parametrize("name", ["first_turns", "short_game"])
def test_play_is_taken_up_again_after_a_throw_nobody_saw(name: str) -> None:
    frames = frames_of(GAMES / f"{name}.jsonl")
    missed = [i for i, frame in enumerate(frames) if frame["role"] == "throw" and (frame["turn"] or {}).get("dice")][3]
    table = still_table()
    alone = Unattended(table)
    for number, frame in enumerate(frames):
        if number != missed:
            alone.observe(reading_of(frame, float(number)))
    kinds = [one.event.type for one in table.log]
    assert "position_set" in kinds
    assert not any(isinstance(one.event, e.Rolled) and one.frame == frames[missed]["image"] for one in table.log)
    truth, seen = true_turns(frames), seen_turns(table.log)
    assert sum(turn not in seen for turn in truth) == 1, "only the turn of the missing throw is lost"
    assert seen[-3:] == truth[-3:]


def asked(stills: bool) -> Table:
    """Nobody answers how the board came to stand so."""
    table = begun(stills).left_alone()
    for _ in range(4):
        table.see(STRANGE)
    assert table.service.state.question == "position"
    return table


def turn(table: Table, before: Position, a: int, b: int, place: float, step: bool = True) -> Position:
    """Near throws and plays, checker by checker."""
    after = plays(before, NEAR, a, b)[0]
    dice = throw(NEAR, a, b, place)
    for board in (before, *((moved(before, (13, 13 - a)),) if step else ()), after):
        table.see(board, *dice)
    table.see(after)
    return after


def illegal(table: Table) -> list[e.Event]:
    return [one.event for one in table.service.log if isinstance(one.event, e.IllegalPlay | e.IllegalPlayStood)]


@both
@pytest.mark.parametrize("left", [(), throw(FAR, 4, 1)], ids=["one throw", "two"])
def test_whose_turn_it_is_is_not_guessed_where_both_throws_lie_there(stills: bool, left: tuple[SeenDie, ...]) -> None:
    table = asked(stills)
    after = plays(STRANGE, NEAR, 5, 4)[0]
    for place in range(0, 250, 50):
        table.see(STRANGE, *throw(NEAR, 5, 4, place=place), *left)
    table.see(after, *throw(NEAR, 5, 4, place=200), *left)
    table.see(after, *left)
    assert table.service.state.question == ("" if not left else "position")
    assert (table.service.state.position == after) is not left


@both
def test_play_is_followed_again_from_a_throw_of_which_a_legal_play_was_seen(stills: bool) -> None:
    table = asked(stills)
    after = turn(table, STRANGE, 5, 4, 0, step=not stills)
    table.see(after, *throw(FAR, 6, 1))
    assert (table.phase, table.service.state.dice, table.service.state.position) == (Phase.ROLLED, (6, 1), after)
    assert not illegal(table)
    last = plays(after, FAR, 6, 1)[0]
    table.see(last)
    assert table.event(e.Played) == e.Played(FAR, (6, 1), table.event(e.Played).play, last)


@both
def test_play_is_followed_again_though_the_board_was_not_always_read(stills: bool) -> None:
    table = asked(stills)
    for hidden in range(3):
        table.see(None, *throw(NEAR, 5, 4, place=40 * hidden))
    after = turn(table, STRANGE, 6, 4, 0, step=not stills)
    table.see(after, *throw(FAR, 6, 1))
    assert (table.phase, table.service.state.dice, table.service.state.position) == (Phase.ROLLED, (6, 1), after)
    assert not illegal(table)


def told_by(before: Position, seat: Seat, a: int, b: int, *others: tuple[int, int]) -> Position:
    """What comes of a roll, and of no other but ``others``."""
    fitting = {(a, b), *others}
    rolls = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
    found = ({roll for roll in rolls if after in plays(before, seat, *roll)} for after in plays(before, seat, a, b))
    place = next(i for i, explained in enumerate(found) if explained == fitting)
    return plays(before, seat, a, b)[place]


def go_on(table: Table, now: Position) -> Position:
    """Turns of which everything is seen, near's the first."""
    for number, (seat, a, b) in enumerate([(NEAR, 6, 1), (FAR, 5, 2), (NEAR, 4, 3)]):
        table.see(now, *throw(seat, a, b, 10 * number))
        now = plays(now, seat, a, b)[0]
        table.see(now)
    assert table.service.state.position == now
    return now


def turns(table: Table) -> list[tuple[Seat, tuple[int, int]]]:
    return [(one.event.seat, one.event.dice) for one in table.service.log if isinstance(one.event, e.Rolled)]


@both
@pytest.mark.parametrize(("read", "code", "values"), [(5, "", ()), (5, "state", ()), (3, "value", (3, 5))], ids=["plain", "state", "value"])
def test_a_throw_of_which_one_die_was_seen_is_told_by_the_board_where_one_roll_alone_fits_both(
    stills: bool, read: int, code: str, values: tuple[int, ...]
) -> None:
    table = begun(stills).left_alone()
    after = told_by(AFTER_62, FAR, 5, 4)
    seen = die(read, LEFT)
    doubts = (SeenDoubt(About.DIE, code, "", centre=seen.centre, values=values),) if code else ()
    table.see(AFTER_62, seen, doubts=doubts, looks=1 if stills else 12)
    table.see(after)
    table.see(after)
    go_on(table, after)
    assert turns(table) == [(FAR, (5, 4)), (NEAR, (6, 1)), (FAR, (5, 2)), (NEAR, (4, 3))]
    said = table.event(e.Ruled)
    assert (said.about, said.reason.code) == ("roll", "nobody_answered_in_part")


@both
@pytest.mark.parametrize(
    ("seen", "roll"), [((), None), ((die(6, LEFT),), None), ((die(1, LEFT),), None), ((die(3, LEFT),), (3, 1))],
    ids=["nothing seen", "none fits", "two fit", "one fits"],
)  # fmt: skip
def test_a_throw_that_dice_and_board_do_not_tell_is_left_open(
    stills: bool, seen: tuple[SeenDie, ...], roll: tuple[int, int] | None
) -> None:
    table = begun(stills).left_alone()
    after = told_by(AFTER_62, FAR, 3, 1, (1, 1))
    table.see(AFTER_62, *seen, looks=1 if stills else 12)
    table.see(after)
    table.see(after)
    go_on(table, after)
    assert turns(table)[0] == ((FAR, roll) if roll is not None else (NEAR, (6, 1)))


@both
def test_what_was_seen_of_a_throw_is_not_lost_to_the_next_one_of_its_player(stills: bool) -> None:
    table = begun(stills)
    then = plays(told_by(AFTER_62, FAR, 3, 1, (1, 1)), NEAR, 6, 1)[0]
    for board, dice in ((AFTER_62, throw(FAR, 1, 1)), (then, throw(FAR, 6, 2, place=90))):
        table.see(board, *dice, doubts=(SeenDoubt(About.DIE, "state", "", centre=dice[0].centre),))
        table.see(None)
    table.see(then, looks=2 if stills else 12)
    doubt = table.event(e.Doubt)
    first = next(one for one in doubt.answers[0].events if isinstance(one, e.Rolled))
    assert (first.seat, first.dice) == (FAR, (1, 1))


def test_nobody_is_charged_with_a_throw_that_was_played_before_it_was_seen() -> None:
    table = asked(stills=False)
    after = plays(STRANGE, NEAR, 5, 4)[0]
    for _ in range(3):
        table.see(after, *throw(NEAR, 5, 4))  # played while nobody could look
    table.see(after)
    last = plays(after, FAR, 6, 1)[0]
    for board, dice in ((after, throw(FAR, 6, 1)), (last, throw(FAR, 6, 1)), (last, ())):
        table.see(board, *dice)
    assert not illegal(table)
    assert (table.service.state.on_roll, table.service.state.position) == (NEAR, last)


@both
@pytest.mark.parametrize("seat", list(Seat))
def test_an_opening_of_which_one_die_was_seen_is_told_by_the_board_where_one_roll_alone_fits_both(stills: bool, seat: Seat) -> None:
    table, look = Table(stills).left_alone(), 1 if stills else 12
    near, far = (5, 3) if seat is NEAR else (3, 5)
    after = next(one for one in plays(START, seat, 5, 3) if one in plays(START, seat, 6, 2))
    table.see(START)
    table.see(START, die(near, RIGHT) if seat is NEAR else die(far, LEFT), looks=look)
    table.see(after)
    table.see(after)
    now = after
    for who, a, b in ((seat.other, 6, 1), (seat, 5, 2), (seat.other, 4, 1)):
        table.see(now, *throw(who, a, b, 20 * b))
        now = plays(now, who, a, b)[0]
        table.see(now)
    assert table.event(e.OpeningRolled) == e.OpeningRolled(seat, (near, far))
    assert table.service.state.position == now
    assert turns(table) == [(seat.other, (6, 1)), (seat, (5, 2)), (seat.other, (4, 1))]


@both
@pytest.mark.parametrize("code", ["state", "value"])
def test_a_throw_in_doubt_after_one_of_which_a_die_was_overlooked_is_told_with_it(stills: bool, code: str) -> None:
    table = begun(stills).left_alone()
    middle = told_by(AFTER_62, FAR, 5, 4)
    after = told_by(middle, NEAR, 6, 3)
    dice = throw(NEAR, 6, 3)
    doubt = SeenDoubt(About.DIE, code, "", centre=dice[1].centre, values=(3, 5) if code == "value" else ())
    table.see(AFTER_62, die(5, LEFT), looks=1 if stills else 12)
    table.see(middle, *dice, doubts=(doubt,), looks=1 if stills else 12)
    table.see(after, looks=2 if stills else 12)
    now = after
    for who, a, b in ((FAR, 6, 1), (NEAR, 5, 2), (FAR, 4, 1), (NEAR, 2, 1)):
        table.see(now, *throw(who, a, b, 20 * b))
        now = plays(now, who, a, b)[0]
        table.see(now)
    assert turns(table) == [(FAR, (5, 4)), (NEAR, (6, 3)), (FAR, (6, 1)), (NEAR, (5, 2)), (FAR, (4, 1)), (NEAR, (2, 1))]
    assert not illegal(table)


@both
def test_at_the_end_of_a_recording_no_answer_is_waited_for(stills: bool) -> None:
    table = begun(stills).left_alone()
    after = told_by(AFTER_62, FAR, 5, 4)
    last = plays(after, NEAR, 6, 1)[0]
    table.see(AFTER_62, die(5, LEFT), looks=1 if stills else 12)
    table.see(after)
    table.see(after, *throw(NEAR, 6, 1))
    table.see(last, looks=4)
    assert turns(table) == []
    assert table.alone is not None
    table.alone.finish(table.now)
    assert turns(table) == [(FAR, (5, 4)), (NEAR, (6, 1))]
    assert table.service.state.position == last
    seq = table.service.state.seq
    table.alone.finish(table.now)
    assert table.service.state.seq == seq, "it has ended once"


@pytest.mark.parametrize("looks", [1, 2])
def test_of_what_a_stream_shows_in_its_last_look_alone_nobody_is_accused(looks: int) -> None:
    service = open_table(MemoryJournal())
    service.command(StartMatch(seen_seq=0, names=("", "")))
    alone, dice, now = Unattended(service), throw(FAR, 6, 3), 0.0
    begun_so = next(one for one in plays(AFTER_62, FAR, 5, 4) if one not in plays(AFTER_62, FAR, 6, 3))
    shown: list[tuple[Position, tuple[SeenDie, ...]]] = [(START, ()), (START, OPENING), (AFTER_62, ()), (AFTER_62, dice), (begun_so, dice)]
    for board, lie in (*shown, (begun_so, ())):
        for _ in range(9 if lie or board != begun_so else looks):
            now += 0.2
            alone.observe(Reading(lie, SeenPosition(board.points, board.bar), CENTRED, (), now, f"{now}"))
    alone.finish(now)
    assert [one.event.type for one in service.log].count("illegal_play") == looks - 1


@pytest.mark.parametrize("state", [DieState.COCKED, DieState.FLAT], ids=["void", "tie"])
def test_the_die_of_an_opening_that_does_not_count_tells_nothing_of_the_next(state: DieState) -> None:
    for stills in (True, False):
        table = Table(stills).left_alone()
        table.see(START)
        table.see(START, die(4, RIGHT), looks=2)
        assert table.see(START, die(4, RIGHT), die(4, LEFT, state)) == ["opening_tied" if state is DieState.FLAT else "roll_void"]
        table.see(START)
        left_open(table, moved(START, (13, 7)), FAR)  # by 5-1 or 4-2


def test_the_die_of_a_throw_that_was_cocked_tells_nothing_of_the_next() -> None:
    table = begun(stills=False).left_alone()
    dice = throw(FAR, 4, 3)
    table.see(AFTER_62, dice[0], looks=2)
    table.now -= 5.0  # the other comes to rest at once
    assert table.see(AFTER_62, dice[0], replace(dice[1], state=DieState.COCKED)) == ["roll_void"]
    table.see(AFTER_62)
    left_open(table, told_by(AFTER_62, FAR, 4, 1, (3, 2)), NEAR)


def left_open(table: Table, now: Position, seat: Seat) -> None:
    """A roll that nobody saw led to ``now``; turns of which everything is seen follow, the first that of ``seat``."""
    table.see(now)
    table.see(now)
    rolls = [(seat, (6, 1)), (seat.other, (5, 2))]
    for who, (a, b) in rolls:
        table.see(now, *throw(who, a, b, 20 * b))
        now = plays(now, who, a, b)[0]
        table.see(now)
    told = [one.event for one in table.service.log if isinstance(one.event, e.Rolled | e.OpeningRolled)]
    assert [(event.seat, event.dice) for event in told][-2:] == rolls
    assert len(told) == (2 if seat is FAR else 3)
