"""What explains a board that is no legal play of the roll otherwise than by an illegal one: it is asked about. Pure."""

from __future__ import annotations

from itertools import product

from referee.board.plays import Roll
from referee.board.position import Position
from referee.match.arbiter.memory import Memory, Step, ThrownOn, TurnMemory, ask, ask_alone
from referee.match.arbiter.missed import UNSEEN, round_missed, thrown_instead, turn_missed
from referee.match.arbiter.settle import Dice, Sight
from referee.match.arbiter.throws import other_numbers, roll_of
from referee.match.arbiter.underway import hit_beside
from referee.match.arbiter.unseen import changed_doubt, goes_on, has_played, round_doubt, starter_doubt, sweep_doubt, twice_doubt, went_by
from referee.match.events import Answer, Doubt, OpeningTied, PositionSet, Rolled
from referee.match.judge import ANSWERS
from referee.match.mover import mover, mover_now, results_now
from referee.match.said.setup import opened_on
from referee.match.state import MatchState
from referee.match.turn import answer_played, answer_turn, illegal_as_seen, opened, played
from referee.rules.reason import because
from referee.rules.ruleset import RuleSet

SURE = 0.97
"""A die of whose value the reader is less sure than this is not what makes a play illegal: of 1,307 flat dice on boards never seen that
were in no doubt all were read right, 37 of them with less."""


def explained(
    state: MatchState, seen: Position, left: Position | None, sight: Sight, memory: Memory, rules: RuleSet
) -> Step | None:
    """The question about what explains ``seen`` otherwise than by an illegal play: a sweep, the dice thrown again, another play before it,
    turns that went by, a board changed before the throw. ``left``: what stood there before the other began to move, where that can be told.
    None where nothing does."""
    turn, stood = memory.turn, left or seen
    sweep = sweep_doubt(state, stood, rules)
    if sweep is not None:
        return _ask_sweep(state, sweep, seen, memory, rules)

    def asked(doubt: Doubt | None) -> Step | None:
        return ask_alone(memory, state, doubt, seen) if doubt is not None else None

    return (
        asked(_hit_beside(state, seen, sight, rules))
        or thrown_instead(state, seen, sight, memory, rules)
        or asked(_thrown_again(state, seen, turn.again, rules))
        or asked(_misread(state, stood, turn, rules))
        or asked(_told_otherwise(state, stood, turn.announced, rules))
        or asked(starter_doubt(state, seen, rules))
        or asked(changed_doubt(state, stood, rules))
        or (turn_missed(state, seen, sight, memory, rules) if left is None else None)
        or asked(_shifted_before(state, stood, turn.thrown_on, rules))
        or round_missed(state, seen, left, sight, memory, rules)
        or asked(round_doubt(state, seen, rules) if went_by(state.position, stood) else None)
    )


def _ask_sweep(state: MatchState, sweep: Doubt, seen: Position, memory: Memory, rules: RuleSet) -> Step:
    """Whether the game is over; once a person has said that it is not, turns went by, where the board can be played on from."""
    asked = memory.asked
    if not asked.was_of(seen, state) or asked.code not in (sweep.reason.code, *UNSEEN):
        return ask(memory, state, sweep, seen)
    if state.doubt is not None or asked.code in UNSEEN:
        return memory, ()
    question = round_doubt(state, seen, rules)
    return ask(memory, state, question, seen) if len(question.answers) > 1 else (memory, ())


def _hit_beside(state: MatchState, seen: Position, sight: Sight, rules: RuleSet) -> Doubt | None:
    """A legal play but for a checker that was hit and has not been put on the bar: where people lay it beside the bar, or hand it over, it
    was hit all the same. In stills it was put there for good."""
    if sight.still:
        return None
    seat, _ = state.rolled
    after = hit_beside(state.position, seen, seat, results_now(state, rules))
    if after is None:
        return None
    answers = (answer_played(played(state, after, rules)), illegal_as_seen(state, seen, rules))
    return Doubt("play", because("hit_beside", seat=seat.other.value), answers)


def _thrown_again(state: MatchState, seen: Position, roll: Roll | None, rules: RuleSet) -> Doubt | None:
    """The play is illegal for the announced roll and legal for the ``roll`` that the dice showed, or were to be played as, after they had
    moved."""
    if roll is None:
        return None
    if not other_numbers(state, roll):  # brushed aside; or taken up unseen and thrown again, where the other is closed out
        return twice_doubt(state, seen, rules)
    mine = mover_now(state, rules)
    if seen not in mine.results(roll):
        return None
    answers = (
        Answer(because("thrown_again", high=max(roll), low=min(roll)), (Rolled(mine.seat, roll), mine.played(roll, seen))),
        illegal_as_seen(state, seen, rules),
    )
    return Doubt("play", because("dice_moved", "", high=max(roll), low=min(roll)), answers)


def _misread(state: MatchState, seen: Position, turn: TurnMemory, rules: RuleSet) -> Doubt | None:
    """The play is illegal for the announced roll and legal with another number on a die of whose value the reader was not quite sure, or
    which was not seen before checkers had been moved: it may have been knocked over."""
    seat, dice = state.rolled
    answers: list[Answer] = []
    late, mine = turn.thrown_on.late, mover_now(state, rules)
    unsure = {die.value for die in turn.announced if late or die.value_confidence < SURE}
    for place, number in product([place for place in (0, 1) if dice[place] in unsure], range(1, 7)):
        roll = (number, dice[1]) if place == 0 else (dice[0], number)
        event = opened(roll) if state.opening_turn else Rolled(seat, (max(roll), min(roll)))
        if number == dice[place] or isinstance(event, OpeningTied) or event.seat is not seat:
            continue
        if seen in mine.outcomes(roll):
            answers.append(answer_turn(event, mine.played(event.dice, seen)))
    if not answers:
        return None
    return Doubt("play", because("misread"), (*answers[: ANSWERS - 1], illegal_as_seen(state, seen, rules)))


def _told_otherwise(state: MatchState, seen: Position, announced: Dice, rules: RuleSet) -> Doubt | None:
    """The play is illegal for the roll that a person has told and legal for the one that was read on its dice: he may have meant the
    throw of the other, who does not wait until they are taken up."""
    roll, mine = roll_of(announced), mover_now(state, rules)
    if roll is None or state.opening_turn or not other_numbers(state, roll) or seen not in mine.outcomes(roll):
        return None
    return Doubt("play", because("misread"), (answer_turn(*mine.turn(roll, seen)), illegal_as_seen(state, seen, rules)))


def _shifted_before(state: MatchState, seen: Position, thrown_on: ThrownOn, rules: RuleSet) -> Doubt | None:
    """The play is legal from the position in which its dice were thrown, which somebody had changed since the last play: the one who
    threw may not have known."""
    seat, before = state.on_roll, thrown_on.position
    if seat is None or state.dice is None:
        return None
    stood = seen if thrown_on.shifted else before  # it was read in part, or somebody has changed it since
    if stood is not None and has_played(state.position, stood, seat.other):
        unknown = Doubt("play", because("position_differs"), (*goes_on(state, seen, (seat.other,)), illegal_as_seen(state, seen, rules)))
    else:
        unknown = None
    if before is None or before.defects():
        return unknown
    mine = mover(state, seat, rules, before)
    if seen not in mine.outcomes(state.dice):
        return unknown
    play = mine.played(state.dice, seen)
    if state.opening_turn:
        set_up = opened_on(state, before, play, rules)
        return Doubt("play", because("set_up_otherwise"), (*set_up, illegal_as_seen(state, seen, rules))) if set_up else unknown
    answers = (
        Answer(because("board_was_so", play=play.play), (PositionSet(before), play)),
        illegal_as_seen(state, seen, rules),
    )
    return Doubt("play", because("board_shifted"), answers)
