"""What follows of itself from an accepted event: a game or match won, an automatic double, a question answered by what happened."""

from __future__ import annotations

from referee.board.position import CHECKERS, Seat
from referee.match import events as e
from referee.match.early import EARLY
from referee.match.said.cube import offered
from referee.match.state import IN_GAME, MatchState, Phase
from referee.match.turn import illegal_stood, once_it_stands
from referee.rules.cube import crawford_annulled
from referee.rules.dice import tied_cube
from referee.rules.plays import closed_out
from referee.rules.reason import because
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import forfeited, kind_of_win, points_of


def consequences(before: MatchState, event: e.Event, after: MatchState, rules: RuleSet) -> tuple[e.Event, ...]:
    """The events that must be logged with ``event``, which led from ``before`` to ``after``."""
    found: list[e.Event] = []
    if before.doubt is not None and after.doubt is not None and _settles(event, before.doubt.doubt):
        found.append(e.DoubtResolved(before.doubt.doubt.about))
    match event:
        case e.OpeningTied():
            found += _automatic_double(after, rules)
        # A late ruling may find the next double offered already.
        case e.Played() | e.PlayCorrected() | e.IllegalPlayStood() if after.play_phase in (Phase.TO_ROLL, Phase.DOUBLED):
            if event.position.off[event.seat.index] == CHECKERS:
                found.append(won(after, event.seat, rules))
        case e.IllegalPlay() if not event.announced and after.play_phase is Phase.HELD:
            stood, early = once_it_stands(after, event), after.early
            # Nobody is told: it wins the game, or the other has thrown already, and that is his roll as after any other play.
            if event.position.off[event.seat.index] == CHECKERS or (early is not None and _his_turn(stood, early.seat)):
                found.append(illegal_stood(before, event))
        case e.Dropped():
            found.append(e.GameWon(event.seat.other, event.value // 2, e.Kind.SINGLE, e.How.DROP))
        case e.ResignationAccepted() if before.resignation is not None:
            offer = before.resignation
            found.append(e.GameWon(offer.seat.other, offer.points, offer.kind, e.How.RESIGNATION))
        case e.CubeSet() if after.resignation is not None:
            offer = after.resignation  # so many times the cube: with the cube put right it is another number of points
            again = offered(after, offer.seat, offer.kind, rules)
            found += [again] if again.points != offer.points else []
        case e.GameWon():
            found += _match_won(after, event)
        case e.Undone() if after.play_phase in IN_GAME:
            found += _still_stands(before, event.to_seq, after)
        case e.ScoreSet() | e.LengthSet() | e.RulesSet() if after.play_phase in IN_GAME:
            annulled = crawford_annulled(after.cube_facts, rules)  # found out now that this is the Crawford game
            found += [e.Ruled("cube", annulled), e.CubeSet(1, None)] if annulled else []
        case e.Penalised() if after.length and after.phase is not Phase.MATCH_OVER:
            points = after.score[event.seat.other.index]
            if forfeited(after.length, after.penalties[event.seat.index]) or points >= after.length:
                found.append(e.MatchWon(event.seat.other, points, e.Kind.SINGLE))
    if after.early is not None and not found and _his_turn(after, after.early.seat):
        found.append(e.Rolled(after.early.seat, after.early.dice, after.early.premature))
    return tuple(found)


def _settles(event: e.Event, doubt: e.Doubt) -> bool:
    """Whether what happened answers an open question. Whether an early throw stands is not told by the end of the other's turn."""
    if doubt.about == EARLY and not isinstance(event, e.Rolled | e.OpeningRolled | e.NoRoll | e.TurnSet | e.GameWon | e.GameStarted):
        return False
    return bool(event.changes & e.GAME) and not isinstance(event, e.Doubt | e.Undone)


def _his_turn(state: MatchState, seat: Seat) -> bool:
    """Whether ``seat`` is to roll, and can."""
    to_roll = state.play_phase is Phase.TO_ROLL and state.on_roll is seat and state.resignation is None
    return to_roll and CHECKERS not in state.position.off and not closed_out(state.position, seat)


def _still_stands(before: MatchState, to_seq: int, after: MatchState) -> list[e.Event]:
    """A clock that was stopped stands, and a pause lasts, until a person ends it: an undo ends neither, unless it begins with that."""
    begins = before.as_of(to_seq + 1)
    found: list[e.Event] = []
    if after.clock is not None and before.clock_held and not (after.clock_held or begins.clock_held):
        found.append(e.ClockStopped())
    if before.phase is Phase.PAUSED and Phase.PAUSED not in (after.phase, begins.phase):
        found.append(e.Paused(because("by_hand")))
    return found


def won(state: MatchState, winner: Seat, rules: RuleSet) -> e.GameWon:
    """The game that ``winner`` has won by bearing off his last checker."""
    missing = state.missing[winner.other.index]
    kind = kind_of_win(state.position, winner, rules, money=not state.length, cube_turned=state.cube.turned, missing=missing)
    return e.GameWon(winner, points_of(kind, state.cube.value, rules), kind)


def _match_won(state: MatchState, event: e.GameWon) -> tuple[e.Event, ...]:
    score = state.score[event.seat.index]
    if state.length and score >= state.length:
        return (e.MatchWon(event.seat, score, event.kind),)
    if not state.length and state.games and state.game >= state.games:
        near, far = state.score
        leader = event.seat if near == far else Seat.NEAR if near > far else Seat.FAR
        return (e.MatchWon(leader, state.score[leader.index], event.kind),)
    return ()


def _automatic_double(state: MatchState, rules: RuleSet) -> tuple[e.Event, ...]:
    """S0-28, S2-21, S4-09: an opening tie turns the cube in money play, up to the rule set's limit (each doubles once more)."""
    cube = tied_cube(state.cube.value, state.auto_doubles, rules, money=not state.length)
    return (e.AutoDoubled(cube),) if cube != state.cube.value else ()
