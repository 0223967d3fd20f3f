"""Commands about the cube and about resigning. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.board.position import Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.log import effective
from referee.match.said.refusal import Decision, refused, wrong_phase
from referee.match.state import IN_GAME, PLAYING, MatchState, Phase, Resignation
from referee.rules import cube as rules_cube
from referee.rules.reason import Reason, because
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import points_of, resignable


def decide_cube(state: MatchState, command: c.Command, rules: RuleSet, log: tuple[e.Logged, ...]) -> Decision:
    """Double, take, drop, beaver, resign and the answer to it."""
    if state.play_phase not in IN_GAME or state.play_phase is Phase.OPENING:
        return wrong_phase(state)
    match command:
        case c.Double():
            return _double(state, command, rules)
        case c.Beaver():
            return _beaver(state, rules)
        case c.Take():
            seat = answerer(state)
            return refused("no_double") if seat is None or state.play_phase is not Phase.DOUBLED else (e.Taken(seat, _offered(state)),)
        case c.Drop():
            match drops(state):
                case (e.Undone(to_seq=to_seq), *_) if takes_more_back(to_seq, log):
                    return refused("gone_on")
                case decision:
                    return decision or refused("no_double")
        case c.Resign():
            if state.resignation is not None:
                return c.Refused(_unanswered(state.resignation))
            if state.play_phase is Phase.DOUBLED and state.cube.offered_by is not None:
                return refused("answer_the_double", seat=state.cube.offered_by.other.value)
            return (offered(state, command.seat, command.kind, rules),)
        case _:
            if state.resignation is None:
                return refused("no_resignation")
            answering = state.resignation.seat.other
            accepted = isinstance(command, c.AcceptResignation)
            return (e.ResignationAccepted(answering) if accepted else e.ResignationRefused(answering),)


def takes_more_back(to_seq: int, log: tuple[e.Logged, ...]) -> bool:
    """Whether more than play would be taken back with what came after event ``to_seq``, to log a drop there."""
    return any(one.seq > to_seq and _is_no_play(one) for one in effective(log))


def _is_no_play(one: e.Logged) -> bool:
    """Whether an event is of the match and not of the turn that ends with a drop, and would be lost with it."""
    ruled = isinstance(one.event, e.Ruled) and one.role is e.Role.DIRECTOR
    return ruled or isinstance(one.event, e.ClockSet) or bool(one.event.changes & {e.Fact.SCORE, e.Fact.MATCH})


def offered(state: MatchState, seat: Seat, kind: e.Kind, rules: RuleSet) -> e.Resigned:
    """The offer of ``seat`` to lose a ``kind`` with the cube as it lies: one, two or three times its value (S2-24)."""
    kind = _resignable(state, kind, rules)
    return e.Resigned(seat, points_of(kind, state.cube.value, rules), kind)


def resignations(state: MatchState, rules: RuleSet) -> tuple[e.Kind, ...]:
    """What a player may offer to lose now, the smallest first."""
    return tuple(kind for kind in e.Kind if _resignable(state, kind, rules) is kind)


def _resignable(state: MatchState, kind: e.Kind, rules: RuleSet) -> e.Kind:
    return resignable(kind, rules, money=not state.length, cube_turned=state.cube.turned)


def _unanswered(offer: Resignation) -> Reason:
    """An offer to resign names so many points: it is answered before the cube is turned."""
    return because("resignation_open", seat=offer.seat.value)


def no_double(state: MatchState, rules: RuleSet) -> Reason | None:
    """Why the seat on roll may not double now; None when he may."""
    if state.on_roll is None or state.play_phase not in (Phase.TO_ROLL, Phase.DOUBLED, *PLAYING):
        return wrong_phase(state).reason
    if state.resignation is not None:
        return _unanswered(state.resignation)
    asked = replace(state.cube_facts, offered_by=state.cube.offered_by)
    return rules_cube.no_double(asked, state.on_roll, state.play_phase in PLAYING, rules)


def no_beaver(state: MatchState, rules: RuleSet) -> Reason | None:
    """Why the double may not be turned again at once now; None when it may."""
    if state.resignation is not None:
        return _unanswered(state.resignation)
    asked = state.cube_facts if answerer(state) is not None else replace(state.cube_facts, offered_by=None)
    return rules_cube.no_beaver(asked, rules)


def answerer(state: MatchState) -> Seat | None:
    """Who may drop, or turn the cube again at once: the one who was doubled, after a beaver the doubler, and so on; a beaver is
    answered as any double is, and taken by the roll."""
    if state.play_phase is Phase.DOUBLED and state.cube.offered_by is not None:
        return state.cube.offered_by.other
    if state.play_phase is Phase.TO_ROLL and state.cube.beavers and state.on_roll is not None:
        return state.on_roll if state.cube.beavers % 2 else state.on_roll.other
    return None


def dropper(state: MatchState) -> Seat | None:
    """Who may drop: besides the `answerer` the one of whom nobody has said that he took the double of this turn."""
    if state.cube.unsaid and state.play_phase in (Phase.TO_ROLL, *PLAYING) and state.doubled_now is not None:
        return state.cube.owner
    return answerer(state)


def drops(state: MatchState) -> tuple[()] | tuple[e.Dropped] | tuple[e.Undone, e.Dropped]:
    """What a drop leads to now; nothing where nobody may drop."""
    seat, drop, double = answerer(state), dropper(state), state.doubled_now
    if drop not in (None, seat) and double is not None:
        return e.Undone(double.seq), e.Dropped(drop, state.cube.value)  # nobody had said that it was taken
    return (e.Dropped(seat, _offered(state)),) if seat is not None else ()


def _offered(state: MatchState) -> int:
    """What is to be answered: twice the cube, or what a beaver has turned it to already."""
    return state.cube.value * (2 if state.play_phase is Phase.DOUBLED else 1)


def _double(state: MatchState, command: c.Double, rules: RuleSet) -> Decision:
    if state.on_roll is not None and command.seat not in (None, state.on_roll):
        return refused("not_on_roll", seat=state.on_roll.value)
    why = no_double(state, rules)
    if why is not None:
        return c.Refused(why)
    assert state.on_roll is not None
    return (e.Doubled(state.on_roll, state.cube.value * 2),)


def _beaver(state: MatchState, rules: RuleSet) -> Decision:
    """S2-23: the taker turns the cube at once and keeps it; the doubler may at once turn it again (raccoon)."""
    why, seat = no_beaver(state, rules), answerer(state)
    if why is not None:
        return c.Refused(why)
    assert seat is not None
    return (e.Beavered(seat, 2 * _offered(state)),)
