"""A moment of the match as one line of text, GNUBGID or XGID, and a moment taken over from such a line. Pure.

The player who sits near is the bottom one of both.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.board.ids import IdError
from referee.board.matchid import (
    GameState,
    MatchInfo,
    gnubgid_to_text,
    moment_from_text,
    turned,
    turned_info,
    xgid_to_text,
)
from referee.board.position import Position, Seat
from referee.match import events as e
from referee.match.commands import Refused
from referee.match.said.refusal import Decision, refused, wrong_phase
from referee.match.state import IN_GAME, MatchState, Phase
from referee.rules.correction import impossible
from referee.rules.cube import CubeFacts, no_double
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import crawford_game, cube_out_of_place, game_over


@dataclass(frozen=True, slots=True)
class MomentIds:
    """The two lines for one moment; empty when they have no room for it."""

    gnubgid: str
    xgid: str


def ids_of(state: MatchState) -> MomentIds:
    """The moment the match stands at."""
    return ids_for(state.position, _info(state))


def ids_for(position: Position, info: MatchInfo) -> MomentIds:
    """The two lines for any moment, the player at near its bottom one."""
    if position.defects():
        return MomentIds("", "")
    try:
        return MomentIds(gnubgid_to_text(position, info), xgid_to_text(position, info))
    except IdError:
        return MomentIds("", "")


def _info(state: MatchState) -> MatchInfo:
    on_roll = state.on_roll or Seat.NEAR
    doubled = state.play_phase is Phase.DOUBLED and state.cube.offered_by is not None
    offer = state.resignation
    rules = state.played_by
    return MatchInfo(
        length=state.length,
        score=state.score,
        cube=state.cube.value,
        cube_owner=state.cube.owner,
        on_roll=on_roll,
        to_decide=on_roll.other if doubled else offer.seat.other if offer is not None else None,
        dice=state.dice,
        crawford=state.crawford,
        doubled=doubled,
        resigned=offer.kind.factor if offer is not None else 0,
        jacoby=not state.length and rules.jacoby,
        beaver=not state.length and rules.beavers > 0,
        state=GameState.PLAYING if state.play_phase in IN_GAME else GameState.OVER if state.game else GameState.NONE,
    )


def take_over(state: MatchState, text: str, bottom: Seat, rules: RuleSet) -> Decision:
    """The running game is put to the moment ``text`` tells: position, cube, score, who is on roll and what he rolled. ``bottom``: who
    the line's bottom player is."""
    if state.play_phase not in IN_GAME:
        return wrong_phase(state)
    try:
        position, info = moment_from_text(text)
    except IdError as error:
        return refused("not_an_id", text=str(error))
    if bottom is Seat.FAR:
        position, info = turned(position), turned_info(info)
    if info.length != state.length:
        return refused("id_of_another_length", length=info.length)
    if (why := impossible(position)) is not None:
        return Refused(why)
    if game_over(position) is not None:
        return refused("game_would_be_over")
    if info.length and max(info.score) >= info.length:
        return refused("score_over", length=info.length)
    crawford = info.crawford and crawford_game(info.length, info.score, False, rules)
    if fault := cube_out_of_place(info.cube, info.cube_owner, info.length, crawford):
        return refused(fault)
    if info.doubled:
        cube = CubeFacts(info.cube, info.cube_owner, length=info.length, crawford=crawford)
        why = no_double(cube, info.on_roll, info.dice is not None, rules)
        if why is not None:
            return Refused(why)
    events: list[e.Event] = [
        e.ScoreSet(info.score, crawford), e.PositionSet(position), e.CubeSet(info.cube, info.cube_owner), e.TurnSet(info.on_roll, info.dice)
    ]
    if info.doubled:
        events.append(e.Doubled(info.on_roll, info.cube * 2))
    return tuple(events)
