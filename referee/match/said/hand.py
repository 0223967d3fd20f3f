"""Corrections by hand, answers to doubts, rulings, pauses. Pure."""

from __future__ import annotations

from referee.board.matchid import LARGEST_CUBE
from referee.board.notation import Fault, Parsed, format_play
from referee.board.position import Position, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.log import effective
from referee.match.mover import mover, plays_now
from referee.match.said.cube import takes_more_back
from referee.match.said.moment import take_over
from referee.match.said.refusal import Decision, already, refused, unplayable, written_play, wrong_phase
from referee.match.said.terms import set_length, set_rules
from referee.match.state import IN_GAME, PLAYING, MatchState, Phase
from referee.match.timing import press_ends_turn, stands_unseen, whose_time
from referee.match.turn import illegal_stood
from referee.rules.correction import impossible
from referee.rules.plays import pressed_without_roll
from referee.rules.reason import because
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import crawford_game, cube_out_of_place, game_over, late_penalty, points_of

LONGEST_NOTE = 300  # characters
LARGEST_SCORE = 9999  # points that a person may set
LONGEST_TIME = 86_400  # s on a clock: a day
MOST_MINUTES = 1_440.0  # that a player may be late: a day


def decide_hand(state: MatchState, command: c.Command, rules: RuleSet, log: tuple[e.Logged, ...]) -> Decision:
    """Everything that sets right, answers or rules."""
    match command:
        case c.Undo():
            return _undo(state, command, log)
        case c.SetPosition():
            return _position(state, command.position, rules)
        case c.SetMoment():
            return take_over(state, command.text, command.bottom, rules)
        case c.SetScore():
            return _score(state, command, rules)
        case c.SetLength():
            return set_length(state, command.length, command.crawford, rules)
        case c.SetRules():
            return set_rules(state, command, rules)
        case c.SetCube():
            if not 1 <= command.value <= LARGEST_CUBE or command.value & (command.value - 1):
                return refused("bad_cube", value=command.value, most=LARGEST_CUBE)
            if fault := cube_out_of_place(command.value, command.owner, state.length, state.crawford):
                return refused(fault)
            return _in_game(state, e.CubeSet(command.value, command.owner))
        case c.SetTurn():
            if command.dice is not None and not all(1 <= die <= 6 for die in command.dice):
                return refused("bad_dice")
            return _in_game(state, e.TurnSet(command.seat, command.dice))
        case c.AnswerDoubt():
            return _answer(state, command, log)
        case c.Rule():
            return _rule(state, command, rules)
        case c.AwardGame():
            if command.points is not None and not 0 <= command.points <= LARGEST_SCORE:
                return refused("bad_points", points=command.points)
            points = points_of(command.kind, state.cube.value, rules) if command.points is None else command.points
            ruled = e.Ruled("game", because("awarded", seat=command.seat.value), _note(command.note))
            return _in_game(state, ruled, e.GameWon(command.seat, points, command.kind, e.How.RULING))
        case c.AwardMatch() | c.Penalise() | c.Late():
            return _director(state, command)
        case c.PressClock() | c.StartClock() | c.StopClock() | c.SetClock():
            return _clock(state, command, rules)
        case c.Pause():
            if state.phase is Phase.PAUSED:
                return already("paused_already")
            return refused("match_over") if state.phase is Phase.MATCH_OVER else (e.Paused(because("by_hand")),)
        case c.Resume():
            return (e.Resumed(),) if state.phase is Phase.PAUSED else already("not_paused")
    raise TypeError(f"no such command: {command!r}")


def _in_game(state: MatchState, *events: e.Event) -> Decision:
    return events if state.play_phase in IN_GAME else wrong_phase(state)


def _position(state: MatchState, position: Position, rules: RuleSet) -> Decision:
    why = impossible(position)
    if why is not None:
        return c.Refused(why)
    if game_over(position) is not None:
        return refused("game_would_be_over")
    if state.play_phase is Phase.JUDGING:
        play = next((play for play in plays_now(state, rules) if play.result == position), None)
        if play is not None:  # the play that is asked about, told by where it led
            return (e.Played(*state.rolled, format_play(play), position),)
    return _in_game(state, e.PositionSet(position))


def _director(state: MatchState, command: c.AwardMatch | c.Penalise | c.Late) -> Decision:
    if state.play_phase is Phase.MATCH_OVER:
        return refused("match_over")
    seat = command.seat
    if isinstance(command, c.AwardMatch):
        if command.on_time and state.flagged is not seat.other:
            return refused("time_left", other=seat.other.value)
        code = "lost_on_time" if command.on_time else "match_awarded"
        ruled = e.Ruled("match", because(code, seat=seat.value, other=seat.other.value), _note(command.note))
        return (ruled, e.MatchWon(seat, state.score[seat.index], e.Kind.SINGLE))
    if isinstance(command, c.Late):
        return _late(state, command)
    if not 1 <= command.points <= LARGEST_SCORE:
        return refused("bad_penalty", points=command.points)
    penalty = because("penalty", seat=seat.value, points=command.points)
    return (e.Ruled("score", penalty, _note(command.note)), e.Penalised(seat, command.points))


def _late(state: MatchState, command: c.Late) -> Decision:
    """Penalty points for coming late, by the minutes; there are none in money play."""
    if not state.length:
        return refused("only_in_matches")
    if not 0 <= command.minutes <= MOST_MINUTES:
        return refused("bad_minutes")
    points = late_penalty(command.minutes)
    if not points:
        return refused("not_late")
    said = because("late", seat=command.seat.value, minutes=int(command.minutes), points=points)
    return (e.Ruled("score", said, _note(command.note)), e.Penalised(command.seat, points))


def press(state: MatchState, seat: Seat, rules: RuleSet) -> Decision:
    """The clock is pressed: it ends the turn of who has rolled, or is closed out; else the roll is owed, by mistake where a throw that
    did not count was taken for one that did. A play entered by a person has ended its turn: a press after it may be that player's."""
    if not press_ends_turn(state, rules):
        return refused("clock_ends_no_turn")
    if state.on_roll is not seat or state.phase not in (Phase.TO_ROLL, Phase.ROLLED, Phase.HELD):
        return refused("not_your_clock", seat=seat.value)
    if state.phase is Phase.HELD:
        return refused("put_right_first")
    if state.phase is Phase.ROLLED:
        return (e.DiceLifted(seat),)
    since = state.last_turn.seq if state.last_turn is not None else 0
    void = any(one.type == e.RollVoid.type and one.seat is seat and one.seq > since for one in state.rulings)
    owed = pressed_without_roll(state.position, seat, rules, by_mistake=void)
    if owed is None:
        return (e.NoRoll(seat),)
    if state.last_turn is not None and state.last_turn.told:
        return refused("turn_has_ended", seat=seat.other.value)
    return (e.Ruled("clock", owed),)


def _clock(state: MatchState, command: c.Command, rules: RuleSet) -> Decision:
    if state.clock is None:
        return refused("no_clock")
    if state.play_phase is Phase.MATCH_OVER:
        return refused("match_over")
    match command:
        case c.PressClock():
            return press(state, command.seat, rules)
        case c.SetClock():
            if not all(0 <= seconds <= LONGEST_TIME for seconds in command.remaining):  # NaN is refused too
                return refused("bad_time")
            return (e.ClockSet(command.remaining),)
        case c.StartClock():
            seat = whose_time(state)  # nobody's between games or in a pause: it runs as soon as it is somebody's
            if not (state.clock_held or stands_unseen(state)):
                return already("clock_runs") if seat is not None else refused("clock_stands")
            return (e.ClockStarted(seat),)
        case _:
            if state.clock_held:
                return already("clock_stopped")
            return (e.ClockStopped(),)


def _undo(state: MatchState, command: c.Undo, log: tuple[e.Logged, ...]) -> Decision:
    to_seq = command.to_seq
    if to_seq is None:
        # The last thing that changed the game.
        causes = [
            one for one in effective(log)
            if one.event.changes and one.source != "referee" and not isinstance(one.event, e.MatchStarted)
        ]
        if not causes:
            return refused("nothing_to_undo")
        to_seq = causes[-1].seq - 1
    if not 1 <= to_seq < state.seq:
        return refused("nothing_to_undo")
    goes, held = log[to_seq].event, state.as_of(to_seq).held
    if command.role is not e.Role.DIRECTOR and isinstance(goes, e.IllegalPlayStood) and not goes.announced and held is not None:
        to_seq = held.seq - 1  # to players that it stood is the play itself
    to_seq = _whole(to_seq, log)
    while to_seq > 1 and state.as_of(to_seq).play_phase is Phase.JUDGING and _of_the_judging(log[to_seq - 1]):
        to_seq -= 1  # the dice are to be put back as well
    if not command.rulings and any(one.seq > to_seq and _by_director(one) for one in effective(log)):
        return refused("director_ruled")
    return (e.Undone(to_seq),)


def _by_director(one: e.Logged) -> bool:
    """Whether an event is a director's ruling."""
    return isinstance(one.event, e.Ruled) and one.role is e.Role.DIRECTOR


def _of_the_judging(one: e.Logged) -> bool:
    """Whether an event is but the end of the play, or a look or a question at what was played."""
    return isinstance(one.event, e.DiceLifted | e.Doubt) or (isinstance(one.event, e.DoubtResolved) and one.source != "person")


def _whole(to_seq: int, log: tuple[e.Logged, ...]) -> int:
    """``to_seq``, or earlier: what follows of itself is not struck out without its cause, nor half of what a person did at once."""
    while to_seq > 1:
        last, first = log[to_seq - 1], log[to_seq]  # the last that stays, the first that goes
        at_once = (last.at, last.captured) == (first.at, first.captured) and not isinstance(last.event, e.Undone)
        follows = first.source == "referee" or (first.source == "person" and last.source in ("person", "referee"))
        if not (at_once and follows):
            break
        to_seq -= 1
    return to_seq


def _score(state: MatchState, command: c.SetScore, rules: RuleSet) -> Decision:
    if state.play_phase is Phase.MATCH_OVER:  # it would be won at another score than it was; the way back is to undo
        return refused("match_over")
    if not all(0 <= points <= LARGEST_SCORE for points in command.score):
        return refused("bad_score")
    if state.length and max(command.score) >= state.length:
        return refused("score_over", length=state.length)
    crawford = command.crawford
    if crawford and not crawford_game(state.length, command.score, False, rules):
        return refused("no_crawford")
    if crawford is None:
        crawford = crawford_game(state.length, command.score, state.crawford_before, rules)
    return (e.ScoreSet(command.score, crawford),)


def _answer(state: MatchState, command: c.AnswerDoubt, log: tuple[e.Logged, ...]) -> Decision:
    if state.doubt is None or state.doubt.seq != command.doubt_seq:
        return refused("no_such_doubt")
    doubt = state.doubt.doubt
    if command.answer is None:
        return (e.DoubtResolved(doubt.about),)
    if not 0 <= command.answer < len(doubt.answers):
        return refused("no_such_answer")
    events = doubt.answers[command.answer].events
    if any(isinstance(event, e.Undone) and takes_more_back(event.to_seq, log) for event in events):
        return refused("gone_on")
    return (e.DoubtResolved(doubt.about, command.answer), *events)


def _rule(state: MatchState, command: c.Rule, rules: RuleSet) -> Decision:
    """The held play stands or is set right; the play being made is let stand; or the last turn is ruled again before the
    next play."""
    phase, last = state.play_phase, state.standing_turn
    held = state.held.play if state.held else None
    if held is not None and phase is Phase.HELD and command.stands:
        return (_ruled("stands", held.seat, command), illegal_stood(state, held))
    if phase in PLAYING and state.on_roll is not None and state.dice is not None:
        before, seat, dice = state.position, state.on_roll, state.dice
    elif phase in (Phase.TO_ROLL, Phase.DOUBLED) and last is not None and last.dice is not None:
        before, seat, dice = last.before, last.seat, last.dice
    else:
        return refused("nothing_to_rule")
    his = mover(state, seat, rules, before)
    parsed = written_play(command.play, his, dice)
    if not isinstance(parsed, Parsed):
        return parsed
    if command.stands and not command.play.strip() and phase not in PLAYING:
        return (_ruled("stands", seat, command),)  # as it was accepted
    if parsed.play is not None:
        if phase in (Phase.ROLLED, Phase.JUDGING):  # nothing was played yet that could be put right
            return (_ruled("this_play", seat, command), e.Played(seat, dice, format_play(parsed.play), parsed.play.result))
        return (_ruled("counts", seat, command), e.PlayCorrected(seat, dice, format_play(parsed.play), parsed.play.result))
    if command.stands and not command.play.strip():
        return refused("nothing_to_rule")  # what is to stand has not been played, or was not said
    if not command.stands or parsed.after is None or parsed.fault is Fault.AMBIGUOUS or parsed.after.defects():
        return unplayable(parsed)
    why = his.fault(dice, parsed.after, parsed.moves).reason
    stays = e.IllegalPlayStood(seat, dice, command.play.strip(), parsed.after, why, announced=rules.announces_plays)
    return (_ruled("stands", seat, command), stays)


def _ruled(what: str, seat: Seat, command: c.Rule) -> e.Ruled:
    return e.Ruled("play", because(what, seat=seat.value), _note(command.note))


def _note(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode().split())[:LONGEST_NOTE]
