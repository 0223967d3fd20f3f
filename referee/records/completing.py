"""A record for other formats and programs: with what its own did not say and its play tells, and no further than that is known."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from referee.board import OFF, Position
from referee.records.reckoning import no_more_than_it_took
from referee.records.record import Action, Do, Game, Parsed, Record
from referee.records.replay import PlayedGame, Report, replay
from referee.rules.ruleset import RuleSet


def completed(parsed: Parsed, report: Report | None = None) -> Record:
    """The record with what its format does not say and its play tells, so that every other format can say it: which game is the Crawford
    game and which ended by a resignation, the cube at the start, the board that an illegal play left; the result that only the words of a
    resignation give, or of which only what the match took is written; one step a die. ``report``: what replaying has found, where it is
    known."""
    report = report or replay(parsed)
    return replace(parsed.record, games=tuple(_completed(played, report, parsed.record.length) for played in report.games))


def _completed(played: PlayedGame, report: Report, length: int) -> Game:
    game, stood = played.game, {one.action: one.after for one in report.illegal if one.game == played.game.number}
    actions = (replace(action, position=stood[place]) if place in stood else action for place, action in enumerate(game.actions, start=1))
    steps = (_die_by_die(action, *around, report.rules) for action, around in zip(actions, pairwise(played.positions), strict=True))
    game = replace(game, actions=tuple(steps))
    if game.winner is None and played.resigned:
        game = replace(game, winner=played.winner, points=played.points)
    if game.winner is not None and game.winner is played.winner and no_more_than_it_took(game, length, played.points):
        game = replace(game, points=played.points)  # else a gammon would be read as a single game, and the match be open
    resigned = played.resigned if game.resigned is None else game.resigned
    crawford = True if played.crawford else game.crawford
    return replace(game, cube=played.cubes[0][0], resigned=resigned, crawford=crawford)


def _die_by_die(action: Action, before: Position, after: Position, rules: RuleSet) -> Action:
    """``action`` with one step a die where it was written with less, as ``24/14``; what is no legal play stays as it is."""
    dice = action.dice or (0, 0)
    if not action.steps or all(a - b in dice or (b == OFF and a < max(dice)) for a, b in action.steps) or before.defects():
        return action
    play = rules.plays(before, action.side.seat, dice).results.get(after)
    return replace(action, steps=tuple((m.source, m.target) for m in play.moves)) if play else action


def as_far_as_known(record: Record, report: Report) -> Record:
    """``record`` without what was played after a break, or after something that could not be read: nobody knows on which board that was."""
    broken = {finding.game: finding.action - 1 for finding in report.breaks}

    def known(game: Game) -> Game:
        unread = next((i for i, action in enumerate(game.actions) if action.do is Do.UNREAD), len(game.actions))
        return replace(game, actions=game.actions[: min(unread, broken.get(game.number, unread))])

    return replace(record, games=tuple(map(known, record.games)))
