"""What people, the tower or a restart have changed since the last reading, and what of it the arbiter's memory must know: of what
they settled the camera still sees the dice and the cube, and would tell it again."""

from __future__ import annotations

from dataclasses import replace

from referee.board.position import Seat
from referee.match.arbiter.memory import Ahead, Mark, Memory, ThrownOn, TurnMemory
from referee.match.arbiter.settle import Dice, same_place
from referee.match.arbiter.throws import NO_THROW, numbered, roll_of
from referee.match.early import decided
from referee.match.events import Doubled, Event, Role, RollVoid, Taken
from referee.match.judge import as_seen
from referee.match.state import TO_THROW, MatchState, Phase
from referee.observations import About, DieState, Reading, SeenCube
from referee.rules.dice import belongs, right_half
from referee.rules.plays import closed_out


def caught_up(state: MatchState, reading: Reading, memory: Memory) -> Memory:
    """The memory with which ``reading`` is to be judged, after whatever was said since the one before it."""
    memory = _resumed(state, reading, memory) if memory.mark is None else _since(state, reading, memory, memory.mark)
    turn = memory.turn
    if turn.gone or state.phase not in (Phase.TO_ROLL, Phase.DOUBLED) or state.on_roll is None:
        return memory
    # A turn may be over before its dice are seen: it was told by hand, or one of them was overlooked after a restart.
    known, idle = (*turn.old, *turn.voided), right_half(state.on_roll.other)
    new = tuple(die for die in reading.dice if not die.tray and not any(same_place(die, one) for one in known))
    left = left_lying(state, new)
    past = len(left) == len(new) and any(die.half is idle for die in left)
    return replace(memory, turn=turn.with_old(left)) if past else memory


def _since(state: MatchState, reading: Reading, memory: Memory, mark: Mark) -> Memory:
    """The memory after what was said since the reading of ``mark``."""
    turn, then = memory.turn, mark.after
    put_right = state.phase is Phase.ROLLED and (then.game, then.turns) == (state.game, state.turns)
    # The opening goes on, or its roll was told by hand; where somebody was put on roll instead, nothing seen of its throw is of his.
    opened = then.on_roll is None and state.turns <= then.turns and (state.on_roll is None or state.dice is not None)
    if not opened and not put_right and _whose(state) not in (_whose(then), _whose(mark.before)):
        # The turn was ended by hand: its dice, where they lie on, are those of a finished turn.
        old = (*turn.old, *turn.announced, *_both_left(state, reading.dice))
        if not reading.hand and reading.position is not None:
            old = tuple(die for die in old if any(same_place(die, seen) for seen in reading.dice))
        turn = TurnMemory(old=old, early=turn.early, voided=turn.voided, to_make=True)
    else:
        turn = _throw_put_aside(state, memory)
        if state.dice is not None and then.dice is None:  # the roll was told by hand, or by the tower
            turn = replace(turn, thrown_on=ThrownOn.seen(state.position, as_seen(memory.runs.last)))
            if state.on_roll is not None and not state.opening_turn:  # what lay where the other throws was laid there
                there = right_half(state.on_roll.other)
                turn = turn.with_old(tuple(die for die in memory.lay if die.half is there))
    if state.phase is Phase.OPENING and state.ties > then.ties:
        turn = replace(turn, voided=(), tied=True, unsure_throw=NO_THROW)  # told by hand: it was seen, or will be
    cube = mark.doubled
    back = state.play_phase is Phase.TO_ROLL or (state.play_phase is Phase.DOUBLED and then.play_phase is Phase.TO_ROLL)
    if cube is not None and back and then.turns == state.turns and 2 * state.cube.value == cube.value:
        memory = replace(memory, cube=replace(memory.cube, lay=cube))  # double or take was taken back: the cube lies there and says nothing
    return replace(memory, turn=turn)


def marked(was: MatchState, state: MatchState, reading: Reading, events: tuple[Event, ...], memory: Memory) -> Memory:
    """The memory after ``reading`` led from ``was`` to ``events`` and they to ``state``; the tower may have a say in that yet."""
    cube, told = memory.mark.doubled if memory.mark is not None else None, any(isinstance(event, Doubled | Taken) for event in events)
    if told:
        cube = reading.cube or cube
    elif state.play_phase is not Phase.DOUBLED:
        taken = state.play_phase is Phase.TO_ROLL and memory.mark is not None and _whose(memory.mark.after) == _whose(state)
        cube = cube if taken and cube is not None and cube.value == state.cube.value else None
    elif cube is None and reading.cube is not None and reading.cube.value == 2 * state.cube.value:
        cube = reading.cube  # offered by word, and turned since
    if memory.mark is None and (reading.hand or reading.position is None or any(d.about is About.PICTURE for d in reading.doubts)):
        return memory  # nothing is seen yet of how things lie
    return replace(memory, mark=Mark(was, state, cube))


def _whose(state: MatchState) -> tuple[object, ...]:
    """What tells whether it is still the same player's turn."""
    return state.game, state.turns, state.on_roll


def _resumed(state: MatchState, reading: Reading, memory: Memory) -> Memory:
    """The first reading of a match that goes on: the last turn's dice may still lie there, and where the board is not the match's the
    dice are not either."""
    if reading.cube is not None and _turned_back(state, reading.cube):
        memory = replace(memory, cube=replace(memory.cube, lay=reading.cube))
    if state.reconcile and (reading.position is None or reading.position.points != state.position.points):
        return replace(memory, turn=replace(memory.turn, old=reading.dice))
    lay = _lay_before(state, reading)
    turn, ahead = memory.turn, _perhaps_ahead(state, reading, lay)
    # Of a throw made too soon it was ruled, or is asked, whether it counts: what is played with it does not tell that.
    turn = replace(turn, voided=reading.dice if _put_aside_before(state, reading.dice) else ahead.dice if decided(state) else ())
    if state.play_phase is Phase.OPENING and state.tie is not None:
        turn = replace(turn, tied=True)
    else:
        to_make = state.last_turn is not None and state.last_turn.told
        turn = replace(turn, old=lay, ahead=ahead, to_make=to_make)
    return replace(memory, turn=turn)


def _turned_back(state: MatchState, cube: SeenCube) -> bool:
    """Whether the double that ``cube`` shows, or its take, was told in this turn, and a person has taken that back."""
    if cube.value != 2 * state.cube.value:
        return False
    was, offers = state.before, state.play_phase is Phase.TO_ROLL
    while was is not None and (was.game, was.turns) == (state.game, state.turns):
        if was.cube.value == cube.value or (offers and was.play_phase is Phase.DOUBLED):
            return True
        was = was.before
    return False


def _put_aside_before(state: MatchState, dice: Dice) -> bool:
    """Whether ``dice`` that lie there when a match is taken up are of the last throw, and that does not count: one of them lies as badly as
    it did, or a person has not counted it, or has taken it back. They are told no second time."""
    if state.play_phase not in TO_THROW:
        return False
    flat = [die for die in dice if die.state is DieState.FLAT]
    his = [die for die in flat if die.half is not None and (state.on_roll is None or belongs(die, state.on_roll))]
    whole = len(his) > 1 if state.on_roll is not None else len({die.half for die in his}) > 1
    last = next((one for one in reversed(state.rulings) if one.type == RollVoid.type), None)
    then = state.as_of(last.seq) if last is not None else state
    if last is not None and then.seq == last.seq and then.awaits == state.awaits:
        if last.role is Role.MACHINE:
            return not whole and any(die.state.value == last.reason.code for die in dice)
        return len(his) == len(last.dice) and any(die.value in last.dice for die in his)
    while then.before is not None and then.awaits == state.awaits:
        then = then.before
    undone = (then.game, then.turns) == (state.game, state.turns) and then.dice is not None
    return undone and whole and len(numbered(tuple(his), then.dice or ())) == len(his)


def _lay_before(state: MatchState, reading: Reading) -> Dice:
    """Dice that lie there when a match is taken up, and are no throw. Before the opening: two in one half, left of the last game. Before a
    throw: both of the last turn; failing that what lies where only the last player throws, whatever is read on it, and after the opening
    one die in either half. While a roll is played: what lies in the other's half beside it, unless he has moved; failing that both of the
    last turn, unless anything was moved."""
    seat, dice, both = state.on_roll, reading.dice, _both_left(state, reading.dice)
    unmoved = reading.position is None or reading.position.points == state.position.points
    if state.phase is Phase.OPENING and reading.position is not None and unmoved:
        halves = {die.half for die in dice if die.half is not None}
        return dice if len(dice) == 2 and len(halves) == 1 else ()
    if state.phase not in (Phase.TO_ROLL, Phase.DOUBLED):
        begun = state.phase is Phase.ROLLED and not state.opening_turn and state.early is None and not other_has_moved(state, reading)
        mine = numbered(tuple(die for die in dice if seat is not None and belongs(die, seat)), state.dice or ())
        if begun and seat is not None and reading.position is not None and len(mine) == 2:
            return tuple(die for die in dice if die.half is right_half(seat.other))  # hardly anybody throws while a roll lies there
        return both if unmoved else ()
    if both or seat is None or _last_dice(state) is None:
        return both
    idle, his = (tuple(die for die in dice if die.half is right_half(one)) for one in (seat.other, seat))
    return (*idle, *his) if state.turns == 1 and len(his) == len(idle) == 1 else idle


def _perhaps_ahead(state: MatchState, reading: Reading, lay: Dice) -> Ahead:
    """What the other may have thrown in a hurry while a roll lies there that was thrown before the match was taken up: his dice, of those
    that ``lay`` there, may as well have been laid down. They make no throw, but what he moves of it is none of the play."""
    stood, seat = as_seen(reading), state.on_roll
    if state.phase is not Phase.ROLLED or seat is None or stood is None:
        return Ahead()
    dice = tuple(die for die in lay if die.half is right_half(seat.other) and die.state is DieState.FLAT)
    return Ahead(dice, stood=stood) if roll_of(dice) is not None else Ahead()


def other_has_moved(state: MatchState, reading: Reading) -> bool:
    """Whether checkers of the other player stand where only a play of his own can have brought them: the roll's turn is over, and dice
    that show the same numbers are another throw."""
    seat, seen = state.on_roll, reading.position
    if seat is None or seen is None:
        return False
    sign = seat.other.sign
    return any(now * sign > max(0, before * sign) for now, before in zip(seen.points, state.position.points, strict=True))


def _both_left(state: MatchState, dice: Dice) -> Dice:
    """Both dice of the last turn where they were thrown, on the board or in the tray; or none."""
    left = left_lying(state, dice)
    return left if len(left) == 2 else ()


def _last_dice(state: MatchState) -> tuple[int, int] | None:
    """What was thrown for the last turn, where it is the other player's to throw now; after the opening (near's die, far's)."""
    last = state.last_turn
    if last is None or state.on_roll is not last.seat.other or closed_out(state.position, state.on_roll):
        return None
    return last.dice


def left_lying(state: MatchState, dice: Dice) -> Dice:
    """Those of ``dice`` that show what the last player rolled, where he threw it."""
    roll = _last_dice(state)
    if roll is None or state.on_roll is None:
        return ()
    if state.turns > 1 or any(die.tray for die in dice):
        return numbered(tuple(die for die in dice if belongs(die, state.on_roll.other)), roll)
    near, far = (tuple(die for die in dice if die.half is right_half(seat)) for seat in Seat)  # the opening: a die in either half
    return (*numbered(near, roll[:1]), *numbered(far, roll[1:]))


def _throw_put_aside(state: MatchState, memory: Memory) -> TurnMemory:
    """The memory of the turn where a person has taken a throw back, or not counted it: its dice are not announced again where they lie."""
    turn, asked, last = memory.turn, memory.asked, state.rulings[-1] if state.rulings else None
    if state.phase not in TO_THROW:
        return turn
    if turn.announced:
        return replace(turn, voided=turn.announced, announced=())
    about_it = asked.about == "throw" and asked.of == turn.unsure_throw.dice
    if about_it and state.question != "throw" and last is not None and last.type == "roll_void" and last.role is not Role.MACHINE:
        return replace(turn, voided=turn.unsure_throw.dice, unsure_throw=NO_THROW)
    return turn
