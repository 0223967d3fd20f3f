"""Who plays, from where, under which rules: what he may play, and where it leads. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from referee.board.difference import explaining_rolls
from referee.board.notation import format_play
from referee.board.plays import LegalPlays, Move, Play, Roll
from referee.board.position import Position, Seat
from referee.match.events import Played, Rolled
from referee.match.state import PLAYING, MatchState
from referee.rules.plays import Illegal, describe_illegal
from referee.rules.ruleset import HitBearingOff, RuleSet


@lru_cache(maxsize=512)
def _legal(position: Position, seat: Seat, roll: Roll, higher_number: bool, rest_frozen: bool) -> Mapping[Position, Play]:
    return LegalPlays(position, seat, roll, higher_number, rest_frozen).results


@dataclass(frozen=True, slots=True)
class Mover:
    """``seat``, who plays from ``before``; ``rules`` as they hold for him there."""

    before: Position
    seat: Seat
    rules: RuleSet

    def results(self, roll: Roll) -> Mapping[Position, Play]:
        """Every legal result of the roll, with its play; empty when nothing can be played."""
        return _legal(self.before, self.seat, roll, self.rules.higher_number, self.rules.rest_frozen)

    def outcomes(self, roll: Roll) -> Collection[Position]:
        """Where the roll may lead: every legal result, or where he plays from when nothing can be played."""
        return self.results(roll) or (self.before,)

    def rolls_to(self, after: Position) -> tuple[Roll, ...]:
        """The rolls, each (lower, higher), that explain a turn of his that led to ``after``."""
        return explaining_rolls(self.before, after, self.seat, self.rules.higher_number, self.rules.rest_frozen)

    def notation(self, roll: Roll, after: Position) -> str:
        """The play that leads to ``after`` in standard notation, empty when nothing was played (or it is not legal)."""
        play = self.results(roll).get(after)
        return format_play(play) if play is not None else ""

    def played(self, roll: Roll, after: Position) -> Played:
        """The legal play of a ``roll`` that leads to ``after``."""
        return Played(self.seat, roll, self.notation(roll, after), after)

    def turn(self, roll: Roll, after: Position) -> tuple[Rolled, Played]:
        """His turn as events: the roll, and the play that leads to ``after``."""
        roll = (max(roll), min(roll))
        return Rolled(self.seat, roll), self.played(roll, after)

    def fault(self, roll: Roll, seen: Position, written: tuple[Move, ...] = ()) -> Illegal:
        """What is wrong with a play that is not legal; ``written``: its moves, where somebody has said them."""
        return describe_illegal(self.before, self.seat, roll, seen, self.rules, tuple((move.source, move.target) for move in written))


def mover(state: MatchState, seat: Seat, rules: RuleSet, before: Position | None = None) -> Mover:
    """``seat``, who plays from ``before`` (None: the position of the match). Checkers that he began without count as off and were never
    borne off: nothing of his is frozen (S4-08) before he has borne one off."""
    before = state.position if before is None else before
    if rules.rest_frozen and before.off[seat.index] <= state.missing[seat.index]:
        rules = replace(rules, hit_bearing_off=HitBearingOff.REST_FREE)
    return Mover(before, seat, rules)


def mover_now(state: MatchState, rules: RuleSet) -> Mover:
    """Who plays the roll that is being played."""
    return mover(state, state.rolled[0], rules)


def results_now(state: MatchState, rules: RuleSet) -> Mapping[Position, Play]:
    """Every legal result of the roll that is being played, with its play."""
    return mover_now(state, rules).results(state.rolled[1])


def outcomes_now(state: MatchState, rules: RuleSet) -> Collection[Position]:
    """Where the roll that is being played may lead."""
    return mover_now(state, rules).outcomes(state.rolled[1])


def plays_now(state: MatchState, rules: RuleSet) -> tuple[Play, ...]:
    """The legal plays of the announced roll; empty when none is being played."""
    if state.play_phase not in PLAYING or state.on_roll is None or state.dice is None or state.position.defects():
        return ()
    if not all(1 <= die <= 6 for die in state.dice):
        return ()
    return tuple(mover(state, state.on_roll, rules).results(state.dice).values())
