"""One turn as events: the opening throw, and what a play was judged to be: `Played`, `IllegalPlay`, a question, a correction. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import lru_cache

from referee.board.difference import difference
from referee.board.notation import format_moves, format_play
from referee.board.plays import BAR, OFF, LegalPlays, Move, Play, Roll, make
from referee.board.position import Position, Seat
from referee.match import judge
from referee.match.events import (
    Answer,
    Doubt,
    Event,
    IllegalPlay,
    IllegalPlayStood,
    OpeningRolled,
    OpeningTied,
    PlayCorrected,
    Played,
    Rolled,
)
from referee.match.state import PLAYING, MatchState
from referee.observations import Reading
from referee.rules.dice import starter
from referee.rules.plays import describe_illegal
from referee.rules.reason import Reason, because
from referee.rules.ruleset import HitBearingOff, RuleSet


@lru_cache(maxsize=512)
def _legal(position: Position, seat: Seat, roll: Roll, higher_number: bool, rest_frozen: bool) -> Mapping[Position, Play]:
    return LegalPlays(position, seat, roll, higher_number, rest_frozen).results


def mover_rules(state: MatchState, seat: Seat, rules: RuleSet, before: Position | None = None) -> RuleSet:
    """``rules`` as they hold for ``seat`` to play from ``before`` (None: the position of the match). Checkers that he began without
    count as off and were never borne off: nothing of his is frozen (S4-08) before he has borne one off."""
    off = (state.position if before is None else before).off[seat.index]
    if not rules.rest_frozen or off > state.missing[seat.index]:
        return rules
    return replace(rules, hit_bearing_off=HitBearingOff.REST_FREE)


def legal_results(position: Position, seat: Seat, roll: Roll, rules: RuleSet) -> Mapping[Position, Play]:
    """Every legal result of the roll under the rule set, with its play; empty when nothing can be played."""
    return _legal(position, seat, roll, rules.higher_number, rules.rest_frozen)


def results_now(state: MatchState, rules: RuleSet) -> Mapping[Position, Play]:
    """`legal_results` of the roll that is being played."""
    seat, roll = state.rolled
    return legal_results(state.position, seat, roll, mover_rules(state, seat, rules))


def outcomes(position: Position, seat: Seat, roll: Roll, rules: RuleSet) -> Collection[Position]:
    """Where the roll may lead: every legal result, or ``position`` itself when nothing can be played."""
    return legal_results(position, seat, roll, rules) or (position,)


def outcomes_now(state: MatchState, rules: RuleSet) -> Collection[Position]:
    """`outcomes` of the roll that is being played."""
    return results_now(state, rules) or (state.position,)


def notation(before: Position, seat: Seat, roll: Roll, after: Position, rules: RuleSet) -> str:
    """The play that leads to ``after`` in standard notation, empty when nothing was played (or it is not legal)."""
    play = legal_results(before, seat, roll, rules).get(after)
    return format_play(play) if play is not None else ""


def verdict_on(state: MatchState, board: Reading, rules: RuleSet) -> judge.Verdict:
    """Judges the board against the roll being played."""
    return judge.judge(state.position, state.rolled[0], board, tuple(results_now(state, rules)))


def plays_now(state: MatchState, rules: RuleSet) -> tuple[Play, ...]:
    """The legal plays of the announced roll; empty when none is being played."""
    if state.play_phase not in PLAYING or state.on_roll is None or state.dice is None or state.position.defects():
        return ()
    if not all(1 <= die <= 6 for die in state.dice):
        return ()
    return tuple(mover_rules(state, state.on_roll, rules).plays(state.position, state.on_roll, state.dice))


def opened(dice: tuple[int, int]) -> OpeningRolled | OpeningTied:
    """The opening throw, (near's die, far's die)."""
    seat = starter(*dice)
    return OpeningTied(dice) if seat is None else OpeningRolled(seat, dice)


def played_from(before: Position, seat: Seat, roll: Roll, after: Position, rules: RuleSet) -> Played:
    """The legal play of a ``roll`` that leads from ``before`` to ``after``; ``rules`` as they hold for ``seat`` (`mover_rules`)."""
    return Played(seat, roll, notation(before, seat, roll, after, rules), after)


def played(state: MatchState, after: Position, rules: RuleSet) -> Played:
    """The legal play of the announced roll that leads to ``after``."""
    seat, roll = state.rolled
    return played_from(state.position, seat, roll, after, mover_rules(state, seat, rules))


def corrected(state: MatchState, after: Position, rules: RuleSet) -> PlayCorrected:
    """The same where another play was held before."""
    play = played(state, after, rules)
    return PlayCorrected(play.seat, play.dice, play.play, play.position)


def illegal(state: MatchState, seen: Position, rules: RuleSet) -> IllegalPlay:
    """The illegal play as it is seen, with what is wrong with it."""
    seat, roll = state.rolled
    reason = name_illegal(state.position, seat, roll, seen, mover_rules(state, seat, rules))
    return IllegalPlay(seat, roll, seen, reason, rules.announces_plays)


def illegal_as_seen(state: MatchState, seen: Position, rules: RuleSet) -> Answer:
    """That it was an illegal play, the last answer to a question about one that something else may explain."""
    return Answer(because("illegal_as_seen"), (illegal(state, seen, rules),))


def name_illegal(before: Position, seat: Seat, roll: Roll, seen: Position, rules: RuleSet, written: tuple[Move, ...] = ()) -> Reason:
    """What is wrong with a play that is not legal; ``written``: its moves, where somebody has said them."""
    return describe_illegal(before, seat, roll, seen, rules, tuple((move.source, move.target) for move in written)).reason


def illegal_stood(play: IllegalPlay, before: Position, late: bool = False) -> IllegalPlayStood:
    """The held ``play`` from ``before`` as one that stands; ``late``: found only after the opponent's throw."""
    text = written(before, play.seat, play.position)
    return IllegalPlayStood(play.seat, play.dice, text, play.position, play.reason, late, play.announced)


def written(before: Position, seat: Seat, after: Position) -> str:
    """An illegal play in notation, checker by checker; empty when the notation cannot carry it (the other's checkers moved by
    more than hits, or a checker went backwards)."""
    change = difference(before, after)[seat]
    if len(change.left) != len(change.arrived) or not change.left:
        return ""
    moves = []
    for source, target in zip(change.left, change.arrived, strict=True):
        if target >= source or source == OFF or target == BAR:
            return ""
        hit = target != OFF and before.on_point(seat.other, 25 - target) == 1
        moves.append(Move(source, target, hit))
    made = tuple(dict.fromkeys(moves)) if any(move.hit for move in moves) else tuple(moves)
    try:
        agrees = make(before, seat, made) == after
    except ValueError:
        return ""
    return format_moves(made) if agrees else ""


def play_doubt(state: MatchState, unsure: judge.Unsure, rules: RuleSet) -> Doubt:
    """The question about a play: the likely legal ones as answers, then "illegal, as seen" where all of it was read."""
    answers = []
    for position in unsure.answers:
        play = played(state, position, rules)
        answers.append(Answer(because("played", play=play.play), (play,)))
    if unsure.seen is not None and not unsure.seen.defects() and unsure.seen not in unsure.answers:
        answers.append(illegal_as_seen(state, unsure.seen, rules))
    return Doubt("play", Reason(unsure.code, unsure.values), tuple(answers))


def with_dance(state: MatchState, rolled: Rolled, rules: RuleSet) -> tuple[Event, ...]:
    """A roll that no camera watches ends the turn at once where it leaves nothing to play."""
    if state.position.defects() or mover_rules(state, rolled.seat, rules).plays(state.position, rolled.seat, rolled.dice):
        return (rolled,)
    return (rolled, Played(rolled.seat, rolled.dice, "", state.position))
