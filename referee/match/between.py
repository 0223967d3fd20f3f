"""What people, the tower or a restart have changed since the last reading, and what of it the arbiter's memory must know: of what
they settled the camera still sees the dice and the cube, and would tell it again."""

from __future__ import annotations

from dataclasses import replace

from referee.match.events import Doubled, Event, Role
from referee.match.settle import Mark, Settle, forgotten
from referee.match.state import MatchState, Phase
from referee.observations import About, Half, Reading, SeenDie
from referee.rules.dice import belongs
from referee.rules.plays import closed_out


def caught_up(state: MatchState, reading: Reading, settle: Settle) -> Settle:
    """The memory with which ``reading`` is to be judged, after whatever was said since the one before it."""
    mark = settle.mark
    if mark is None:
        return _taken_up(state, reading, settle)
    now = (state.game, state.turns, state.on_roll)
    put_right = state.phase is Phase.ROLLED and (mark.game, mark.turns) == (state.game, state.turns)
    opened = mark.on_roll is None and state.turns <= mark.turns  # the opening goes on, or its roll was told by hand
    if not opened and not put_right and now not in ((mark.game, mark.turns, mark.on_roll), mark.was):
        # The turn was ended by hand: its dice, where they lie on, are those of a finished turn.
        old = (*settle.old, *settle.announced, *_left_lying(state, reading))
        settle = replace(forgotten(settle), early=settle.early, voided=settle.voided, old=old)
    else:
        settle = _throw_put_aside(state, settle)
    if state.phase is Phase.OPENING and state.ties > mark.ties:
        settle = replace(settle, voided=(), tied=True, unsure_dice=(), unsure_rolls=())  # told by hand: it was seen, or will be
    cube = mark.doubled
    if cube is not None and state.play_phase is Phase.TO_ROLL and mark.turns == state.turns and 2 * state.cube.value == cube.value:
        settle = replace(settle, cube_lay=cube)  # the double was taken back: the cube lies there and says nothing
    return settle


def marked(was: MatchState, state: MatchState, reading: Reading, events: tuple[Event, ...], settle: Settle) -> Settle:
    """The memory after ``reading`` led from ``was`` to ``events`` and they to ``state``; the tower may have a say in that yet."""
    cube = settle.mark.doubled if settle.mark is not None else None
    if any(isinstance(event, Doubled) for event in events):
        cube = reading.cube
    elif state.play_phase is not Phase.DOUBLED:
        cube = None
    elif cube is None and reading.cube is not None and reading.cube.value == 2 * state.cube.value:
        cube = reading.cube  # offered by word, and turned since
    if settle.mark is None and (reading.hand or reading.position is None or any(d.about is About.PICTURE for d in reading.doubts)):
        return settle  # nothing is seen yet of how things lie
    return replace(settle, mark=Mark(state.game, state.turns, state.on_roll, state.ties, cube, (was.game, was.turns, was.on_roll)))


def _taken_up(state: MatchState, reading: Reading, settle: Settle) -> Settle:
    """The first reading of a match that goes on: the last turn's dice may still lie there, and where the board is not the match's the
    dice are not either."""
    if state.reconcile and (reading.position is None or reading.position.points != state.position.points):
        return replace(settle, old=reading.dice)
    if state.play_phase is Phase.OPENING and state.tie is not None:
        return replace(settle, tied=True)
    return replace(settle, old=_left_lying(state, reading))


def _left_lying(state: MatchState, reading: Reading) -> tuple[SeenDie, ...]:
    """Dice of the last turn that still lie where they were thrown: both of them, or none."""
    last = state.last_turn
    if last is None or last.dice is None or state.turns < 1:
        return ()
    if state.on_roll is not None and closed_out(state.position, state.on_roll):
        return ()  # he who played last throws again
    if state.turns == 1:  # the opening: a die in either half
        old = tuple(die for die in reading.dice if die.value == last.dice[die.half is not Half.RIGHT])
        return old if len(old) == 2 else ()
    old = tuple(die for die in reading.dice if belongs(die, last.seat))
    return old if sorted(die.value or 0 for die in old) == sorted(last.dice) else ()


def _throw_put_aside(state: MatchState, settle: Settle) -> Settle:
    """The memory where a person has taken a throw back, or not counted it: its dice are not announced again where they lie."""
    if state.phase not in (Phase.OPENING, Phase.TO_ROLL, Phase.DOUBLED):
        return settle
    if settle.announced:
        return replace(settle, voided=settle.announced, announced=())
    last = state.rulings[-1] if state.rulings else None
    asked = settle.asked[2:3] == ("throw",) and settle.asked[-1] == settle.unsure_dice
    if asked and state.question != "throw" and last is not None and last.type == "roll_void" and last.role is not Role.MACHINE:
        return replace(settle, voided=settle.unsure_dice, unsure_dice=(), unsure_rolls=())
    return settle
