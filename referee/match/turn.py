"""One turn as events: the opening throw, and what a play was judged to be: `Played`, `IllegalPlay`, a question, a correction. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.board.difference import difference
from referee.board.notation import format_moves
from referee.board.plays import OFF, Move, make
from referee.board.position import Position, Seat
from referee.match import judge
from referee.match.events import (
    Answer,
    Doubt,
    Event,
    IllegalPlay,
    IllegalPlayStood,
    Logged,
    OpeningRolled,
    OpeningTied,
    PlayCorrected,
    Played,
    Rolled,
)
from referee.match.folding import apply
from referee.match.mover import mover, mover_now, results_now
from referee.match.state import MatchState
from referee.observations import Reading
from referee.rules.dice import starter
from referee.rules.reason import Reason, because
from referee.rules.ruleset import RuleSet


def verdict_on(state: MatchState, board: Reading, rules: RuleSet) -> judge.Verdict:
    """Judges the board against the roll being played."""
    return judge.judge(state.position, state.rolled[0], board, tuple(results_now(state, rules)))


def opened(dice: tuple[int, int]) -> OpeningRolled | OpeningTied:
    """The opening throw, (near's die, far's die)."""
    seat = starter(*dice)
    return OpeningTied(dice) if seat is None else OpeningRolled(seat, dice)


def played(state: MatchState, after: Position, rules: RuleSet) -> Played:
    """The legal play of the announced roll that leads to ``after``."""
    return mover_now(state, rules).played(state.rolled[1], after)


def corrected(state: MatchState, after: Position, rules: RuleSet) -> PlayCorrected:
    """The same where another play was held before."""
    play = played(state, after, rules)
    return PlayCorrected(play.seat, play.dice, play.play, play.position)


def illegal(state: MatchState, seen: Position, rules: RuleSet) -> IllegalPlay:
    """The illegal play as it is seen, with what is wrong with it."""
    seat, roll = state.rolled
    return IllegalPlay(seat, roll, seen, mover_now(state, rules).fault(roll, seen).reason, rules.announces_plays)


def illegal_as_seen(state: MatchState, seen: Position, rules: RuleSet) -> Answer:
    """That it was an illegal play, the last answer to a question about one that something else may explain."""
    return Answer(because("illegal_as_seen"), (illegal(state, seen, rules),))


def illegal_stood(state: MatchState, play: IllegalPlay, late: bool = False) -> IllegalPlayStood:
    """The held ``play`` as one that stands; ``late``: found only after the opponent's throw."""
    text = written(state.position, play.seat, play.position)
    return IllegalPlayStood(play.seat, play.dice, text, play.position, play.reason, late, play.announced)


def once_it_stands(state: MatchState, play: IllegalPlay) -> MatchState:
    """The match as it is once the held ``play`` stands. What ended the turn is then what it was held by, whatever came since."""
    stood = apply(state, Logged(state.seq, illegal_stood(state, play), state.at))
    if state.held is None or stood.last_turn is None:
        return stood
    return replace(stood, last_turn=replace(stood.last_turn, seq=state.held.seq, told=state.held.told))


def written(before: Position, seat: Seat, after: Position) -> str:
    """An illegal play in notation, checker by checker; empty when the notation cannot carry it (the other's checkers moved by
    more than hits, or a checker went backwards)."""
    steps = difference(before, after)[seat].steps or ()
    blots = {target for _, target in steps if target != OFF and before.on_point(seat.other, 25 - target) == 1}
    moves: list[Move] = []
    for source, target in steps:
        moves.append(Move(source, target, target in blots))
        blots.discard(target)  # whoever comes next finds it hit
    return format_moves(tuple(moves)) if make(before, seat, tuple(moves)) == after else ""


def says_roll(roll: OpeningRolled | OpeningTied | Rolled) -> Reason:
    """What the answer to a question about a throw says, where it was ``roll``."""
    high, low = max(roll.dice), min(roll.dice)
    if isinstance(roll, OpeningRolled):
        return because("starts", seat=roll.seat.value, high=high, low=low)
    return because("rolled", high=high, low=low)


def answer_played(play: Played) -> Answer:
    """The answer that this was played."""
    return Answer(because("played", play=play.play), (play,))


def answer_turn(roll: OpeningRolled | Rolled, play: Played) -> Answer:
    """The answer that this was rolled, and this played."""
    return Answer(because("rolled_and_played", seat=roll.seat.value, high=max(roll.dice), low=min(roll.dice)), (roll, play))


def play_doubt(state: MatchState, unsure: judge.Unsure, rules: RuleSet) -> Doubt:
    """The question about a play: the likely legal ones as answers, then "illegal, as seen" where all of it was read."""
    answers = [answer_played(played(state, position, rules)) for position in unsure.answers]
    if unsure.seen is not None and not unsure.seen.defects() and unsure.seen not in unsure.answers:
        answers.append(illegal_as_seen(state, unsure.seen, rules))
    return Doubt("play", Reason(unsure.code, unsure.values), tuple(answers))


def with_dance(state: MatchState, rolled: Rolled, rules: RuleSet) -> tuple[Event, ...]:
    """A roll that no camera watches ends the turn at once where it leaves nothing to play."""
    if state.position.defects() or mover(state, rolled.seat, rules).results(rolled.dice):
        return (rolled,)
    return (rolled, Played(rolled.seat, rolled.dice, "", state.position))
