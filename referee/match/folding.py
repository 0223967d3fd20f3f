"""How each kind of event changes the state: a match is the fold of its events.

Total: whatever is logged is folded, in any order. Whether an event may happen was decided before it was logged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from typing import Any

from referee.board.position import START, Position, Seat
from referee.match import events as e
from referee.match.state import (
    IN_GAME,
    LAST_RULINGS,
    Cube,
    Early,
    Held,
    MatchState,
    OpenDoubt,
    Phase,
    Resignation,
    Ruling,
    Turn,
)
from referee.match.timing import clock_after
from referee.rules.reason import Reason
from referee.rules.scoring import match_point


def apply(state: MatchState, logged: e.Logged) -> MatchState:
    """The state after ``logged``. Pure and total. Its ``before`` is the state it was folded on, so that an undo can be undone as well."""
    if state.phase is Phase.PAUSED and not isinstance(logged.event, e.Resumed | e.MatchStarted | e.Undone):
        # Play goes on by hand: the event is folded on the phase that was interrupted, and the pause stays.
        played = _folded(replace(state, phase=state.play_phase, resume=None), logged)
        after = played
        if played.phase is not Phase.MATCH_OVER:  # with the match a pause is over too
            after = replace(played, phase=Phase.PAUSED, resume=played.phase if played.phase is not Phase.PAUSED else played.resume)
    else:
        after = _folded(state, logged)
    return replace(
        after, seq=logged.seq, at=logged.at, before=state, clock=clock_after(state, logged, after),
        reconcile=_to_reconcile(state, logged, after),
        undone_to=logged.event.to_seq if isinstance(logged.event, e.Undone) else None, gone_on=_gone_on(state, logged.event, after),
    )


def fold(events: Iterable[e.Logged]) -> MatchState:
    """`apply` over all ``events`` in order, from an empty match."""
    return reduce(apply, events, MatchState())


def _to_reconcile(before: MatchState, logged: e.Logged, after: MatchState) -> bool:
    """Whether the board must be seen to agree before anything is judged: after an undo, a position set or a play put right or ruled by a
    person, or a match taken up again, until it is seen or the person goes on."""
    match logged.event:
        case e.Undone() | e.PositionSet():
            return after.play_phase in IN_GAME
        case e.PlayCorrected() | e.IllegalPlayStood() if logged.source == "person":
            return after.position != (before.held.play.position if before.held else before.position)
        case e.Played() if before.rulings and (before.rulings[-1].seq, before.rulings[-1].reason.code) == (before.seq, "this_play"):
            return after.position != before.position
        case e.Reopened():
            return after.reconcile or after.play_phase in IN_GAME
        case e.MatchStarted() | e.GameStarted() | e.BoardAgreed() | e.SetupStands():
            return False
        case e.OpeningRolled() | e.Rolled() | e.NoRoll() | e.Played() | e.Doubled() | e.PlayCorrected() | e.IllegalPlayStood():
            return False
    return after.reconcile and after.play_phase in IN_GAME  # a game that is over needs no board of its own


ON_A_PLAY = frozenset({"stands", "counts", "this_play"})
"""What is ruled on a play, which is logged next."""


def _gone_on(before: MatchState, event: e.Event, after: MatchState) -> bool:
    """Whether, to the players, the play of the last turn can no longer be entered otherwise: it was ruled on, or the match went on. Clocks
    that were stopped to talk it over, and run again, are no matter."""
    if isinstance(event, e.Undone):
        return after.gone_on
    ended = after.last_turn is not before.last_turn or isinstance(event, e.IllegalPlay)
    if ended and not isinstance(event, e.GameStarted):
        return any((one.seq, one.type) == (before.seq, e.Ruled.type) and one.reason.code in ON_A_PLAY for one in before.rulings[-1:])
    if isinstance(event, e.ClockStopped | e.ClockStarted):
        turn = before.held or before.last_turn
        return before.gone_on or (isinstance(event, e.ClockStarted) and turn is not None and before.as_of(turn.seq - 1).clock_held)
    ruled = isinstance(event, e.Ruled) and event.about == "play"
    return before.gone_on or ruled or bool(event.changes - {e.Fact.DOUBT}) or isinstance(event, e.EarlyRoll)


def _folded(state: MatchState, logged: e.Logged) -> MatchState:
    event = logged.event
    match event:
        case e.MatchStarted():
            return MatchState(
                names=event.names, length=event.length, games=event.games, rules=event.rules, aids=event.aids, event=event.event,
                round=event.round, place=event.place, transcriber=event.transcriber, rule_set=event.rule_set,
                stake=event.stake, unit=event.unit, lost=state.lost,
            )
        case e.GameStarted():
            return _fresh_game(
                state, phase=Phase.OPENING, game=event.game, score=event.score, crawford=event.crawford,
                crawford_played=state.crawford_played or event.crawford,
            )
        case e.GameWon():
            score = _added(state.score, event.seat, event.points)
            return _settled(state, phase=Phase.GAME_OVER, score=score, winner=event.seat, on_roll=None, dice=None, early=None)
        case e.MatchWon():
            return _settled(state, phase=Phase.MATCH_OVER, winner=event.seat, on_roll=None, dice=None, early=None)
        case e.OpeningTied():
            return _settled(state, phase=Phase.OPENING, on_roll=None, dice=None, opening_turn=False, tie=event.dice, ties=state.ties + 1)
        case e.AutoDoubled():
            return replace(state, cube=replace(state.cube, value=event.value), auto_doubles=state.auto_doubles + 1)
        case e.FirstThrowRefused():
            refused = (state.refused[0] or event.seat is Seat.NEAR, state.refused[1] or event.seat is Seat.FAR)
            turned = replace(state, cube=replace(state.cube, value=event.value))
            return _settled(turned, phase=Phase.OPENING, on_roll=None, dice=None, opening_turn=False, refused=refused)
        case e.OpeningRolled() | e.Rolled():
            opening, early = isinstance(event, e.OpeningRolled), _early_after(state, event.seat)
            return _settled(state, phase=Phase.ROLLED, on_roll=event.seat, dice=event.dice, opening_turn=opening, early=early)
        case e.RollVoid():
            return _ruled(state, logged, event.seat, event.reason, state.played_by.announces_dice, event.dice)
        case e.EarlyRoll():
            return replace(state, early=Early(event.seat, event.dice, event.premature))
        case e.NoRoll():
            return _turn_over(state, logged, event.seat, None, state.position, "", True)
        case e.DiceLifted():
            return replace(state, phase=Phase.JUDGING) if state.phase is Phase.ROLLED else state
        case e.Played() | e.PlayCorrected():
            return _turn_over(state, logged, event.seat, event.dice, event.position, event.play, True)
        case e.IllegalPlay():
            held = Held(logged.seq, event, logged.source == "person")
            return _ruled(replace(state, phase=Phase.HELD, held=held), logged, event.seat, event.reason, event.announced)
        case e.IllegalPlayStood():
            over = _turn_over(state, logged, event.seat, event.dice, event.position, event.play, False)
            return _ruled(over, logged, event.seat, event.reason, event.announced and not event.late)
        case e.Doubled() | e.Taken() | e.Dropped() | e.Beavered():
            return _cube(state, event)
        case e.Resigned():
            return replace(state, resignation=Resignation(event.seat, event.points, event.kind))
        case e.ResignationAccepted() | e.ResignationRefused():
            return replace(state, resignation=None)
        case _:
            return _around(state, logged)


def _around(state: MatchState, logged: e.Logged) -> MatchState:
    """Doubts, corrections by hand, pauses, devices."""
    event = logged.event
    match event:
        case e.Doubt():
            return replace(state, doubt=OpenDoubt(logged.seq, event, logged.frame))
        case e.DoubtResolved():
            return replace(state, doubt=None)
        case e.Ruled():
            return _ruled(state, logged, None, event.reason)
        case e.Undone():
            return replace(state.as_of(event.to_seq), lost=state.lost)
        case e.PositionSet():
            # Who is given more checkers than he began with lacks no more than are off now, and those are borne off from here on.
            missing = (min(state.missing[0], event.position.off[0]), min(state.missing[1], event.position.off[1]))
            return replace(state, position=event.position, missing=missing, held=None, phase=_to_play_again(state))
        case e.SetupStands():
            return replace(state, position=event.position, missing=event.missing, held=None, phase=_to_play_again(state))
        case e.ClockStarted():
            return replace(state, clock_held=False)
        case e.ClockStopped():
            return replace(state, clock_held=True)
        case e.ClockSet():
            flag = state.flagged  # of one without any time still it stays, when the other's was set
            return replace(state, clock_held=True, flagged=flag if flag is not None and event.remaining[flag.index] <= 0 else None)
        case e.Flagged():
            return replace(state, flagged=event.seat)
        case e.NamesSet():
            return replace(state, names=event.names, event=event.event)
        case e.ScoreSet():
            return _scored(state, event.crawford, score=event.score)
        case e.LengthSet():
            flag = state.flagged if 0 < event.length <= state.length else None  # there is more time with more points
            on = Phase.GAME_OVER if state.phase is Phase.MATCH_OVER else state.phase  # won at too short a length, it goes on
            return _scored(replace(state, flagged=flag, phase=on), event.crawford, length=event.length)
        case e.RulesSet():
            flag = state.flagged if event.rule_set.clock == state.played_by.clock else None
            state = replace(state, flagged=flag, aids=event.aids, stake=event.stake, unit=event.unit)
            return _scored(state, event.crawford, rules=event.rules, rule_set=event.rule_set)
        case e.Penalised():
            given = _added(state.penalties, event.seat, event.points)
            return replace(state, score=_added(state.score, event.seat.other, event.points), penalties=given)
        case e.CubeSet():
            phase = Phase.TO_ROLL if state.phase is Phase.DOUBLED else state.phase
            first = 2 ** (state.auto_doubles + sum(state.refused))  # what it shows in the middle before anybody doubles
            return replace(state, phase=phase, cube=Cube(event.value, event.owner, turned=event.owner is not None or event.value > first))
        case e.TurnSet():
            phase = Phase.ROLLED if event.dice else Phase.TO_ROLL
            return _settled(state, phase=phase, on_roll=event.seat, dice=event.dice, opening_turn=False)
        case e.Paused():
            return _ruled(replace(state, phase=Phase.PAUSED, resume=state.phase), logged, None, event.reason)
        case e.Resumed():
            if state.phase is not Phase.PAUSED:
                return state
            return replace(state, phase=state.play_phase, resume=None)
        case e.DeviceLost():
            lost = state.lost if event.device in state.lost else (*state.lost, event.device)
            return _ruled(replace(state, lost=lost), logged, None, event.reason)
        case e.DeviceBack():
            return replace(state, lost=tuple(device for device in state.lost if device != event.device))
        case _:
            return state


def _fresh_game(state: MatchState, **changes: Any) -> MatchState:
    return replace(
        state, opening_turn=False, refused=(False, False), auto_doubles=0, tie=None, ties=0, turns=0, cube=Cube(), on_roll=None, dice=None,
        early=None, position=START, missing=(0, 0), last_turn=None, held=None, doubt=None,
        resignation=None, winner=None, **changes,
    )


def _settled(state: MatchState, **changes: Any) -> MatchState:
    """What ends a held play, an unanswered resignation, and a double that was open or could be turned again."""
    return replace(state, held=None, resignation=None, cube=replace(state.cube, offered_by=None, beavers=0), **changes)


def _turn_over(
    state: MatchState, logged: e.Logged, seat: Seat, dice: tuple[int, int] | None, position: Position, play: str, legal: bool
) -> MatchState:
    """The turn passes to the other seat, unless the game had ended meanwhile (a late ruling changes the record alone)."""
    late, state = state.late_turn(seat), replace(state, cube=replace(state.cube, unsaid=False))
    before, told = late.before if late is not None else state.position, logged.source == "person"
    turn = Turn(logged.seq, seat, dice, before, position, play, legal, told)
    if late is not None or state.phase in (Phase.GAME_OVER, Phase.MATCH_OVER):
        return replace(state, last_turn=turn, position=position, held=None)
    return _settled(
        state, phase=Phase.TO_ROLL, on_roll=seat.other, dice=None, position=position, last_turn=turn, turns=state.turns + 1,
        opening_turn=False, early=_early_after(state, seat),
    )


def _to_play_again(state: MatchState) -> Phase:
    """The phase once a person has set the board: a play that was held is no longer, and its roll is to be played."""
    return Phase.ROLLED if state.phase in (Phase.HELD, Phase.JUDGING) else state.phase


def _early_after(state: MatchState, seat: Seat) -> Early | None:
    """What is left of a throw before its turn once ``seat`` has rolled or his turn is over."""
    return state.early if state.early is not None and state.early.seat is not seat else None


def _cube(state: MatchState, event: e.Doubled | e.Taken | e.Dropped | e.Beavered) -> MatchState:
    cube = state.cube
    match event:
        case e.Doubled():
            return replace(state, phase=Phase.DOUBLED, on_roll=event.seat, cube=replace(cube, offered_by=event.seat, beavers=0))
        case e.Taken():
            cube = Cube(event.value, event.seat, turned=True, unsaid=event.inferred)
        case e.Beavered():
            owner = event.seat if cube.beavers % 2 == 0 else event.seat.other
            cube = Cube(event.value, owner, turned=True, beavers=cube.beavers + 1)
        case e.Dropped():  # the game is lost at half of it
            return replace(state, cube=replace(cube, offered_by=None))
    return replace(state, phase=Phase.TO_ROLL if state.phase in IN_GAME else state.phase, cube=cube)


def _ruled(
    state: MatchState, logged: e.Logged, seat: Seat | None, reason: Reason, announced: bool = True, dice: tuple[int | None, ...] = ()
) -> MatchState:
    ruling = Ruling(logged.seq, logged.event.type, seat, reason, logged.role, announced, dice)
    return replace(state, rulings=(*state.rulings, ruling)[-LAST_RULINGS:])


def _scored(state: MatchState, crawford: bool, **set_by_hand: Any) -> MatchState:
    """The match with another score or length, or under other rules, and whether this is the Crawford game then. Where one side needs a
    point and this (or, between games, the next) is not the Crawford game, that has been played; where nobody needs just one, it cannot
    have been."""
    after = replace(state, **set_by_hand)
    over = match_point(after.length, after.score) or (state.crawford_before and after.length - 1 in after.score)
    return replace(after, crawford=crawford, crawford_played=state.phase in IN_GAME if crawford else over)


def _added(score: tuple[int, int], seat: Seat, points: int) -> tuple[int, int]:
    near, far = score
    return (near + points, far) if seat is Seat.NEAR else (near, far + points)
