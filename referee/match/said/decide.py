"""What a person's command leads to: events, or a refusal with its reason. Pure; legality is decided here, folding never refuses."""

from __future__ import annotations

from referee.board.notation import Fault, Parsed, format_play
from referee.board.position import CHECKERS, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.folding import ON_A_PLAY
from referee.match.mover import mover
from referee.match.names import LONGEST_EVENT, clean_name, same_name
from referee.match.said.cube import decide_cube
from referee.match.said.hand import decide_hand
from referee.match.said.refusal import Decision, refused, unplayable, written_play, wrong_phase
from referee.match.said.setup import setup_error
from referee.match.said.terms import LARGEST_STAKE, LONGEST_MATCH, LONGEST_UNIT
from referee.match.state import BETWEEN_GAMES, IN_GAME, PLAYING, Held, MatchState, Phase
from referee.match.told import as_told
from referee.match.turn import illegal_stood, once_it_stands, opened, with_dance
from referee.rules.correction import Act, closes
from referee.rules.cube import turned
from referee.rules.dice import may_mix_dice, may_refuse_first_throw
from referee.rules.plays import closed_out
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import crawford_game

_AS_TOLD = (
    c.EnterRoll, c.EnterPlay, c.EnterMoves, c.PassTurn, c.RefuseFirstThrow, c.Double, c.Take, c.Drop, c.Beaver, c.Resign,
    c.AcceptResignation, c.RefuseResignation, c.SetCube, c.SetTurn, c.PressClock, c.SetPosition, c.SetupError,
)  # fmt: skip
"""What players say about the game as they see it."""


def stale(command: c.Command, since: tuple[e.Logged, ...]) -> e.Logged | None:
    """The first of ``since`` (what was logged after the sender looked) that changed what ``command`` changes."""
    return next((one for one in since if one.event.changes & command.changes), None)


def decide(state: MatchState, command: c.Command, rules: RuleSet, log: tuple[e.Logged, ...]) -> Decision:
    """The events ``command`` leads to (what follows of itself is added by `referee.match.follow`), or why not."""
    if not isinstance(command, c.StartMatch) and not state.seq:
        return refused("no_match")
    held = state.held
    if isinstance(command, c.EnterPlay | c.EnterMoves) and (ended := _turn_end(state, command)):
        return _played_instead(state, command, ended, rules)
    if held is not None and state.held_in_silence and isinstance(command, _AS_TOLD) and command.role is not e.Role.DIRECTOR:
        # Who does not know that the play is held goes on from it as played: it stands then.
        return _gone_on(state, held, as_told(state, rules), command, rules, log)
    if held is not None and _closes(held, command, rules):
        return _gone_on(state, held, once_it_stands(state, held.play), command, rules, log)
    match command:
        case c.StartMatch():
            return _start_match(state, command, rules)
        case c.SetNames():
            return _set_names(state, command)
        case c.StartGame():
            return start_game(state, rules)
        case c.EnterRoll():
            return _roll(state, command, rules)
        case c.EnterPlay() | c.EnterMoves():
            return _play(state, command, rules)
        case c.PassTurn():
            return _pass(state, rules)
        case c.MixDice():
            return _mix(state, command.seat, rules)
        case c.SetupError():
            return setup_error(state, command.position, rules)
        case c.RefuseFirstThrow():
            return _refuse(state, command.seat, rules)
        case c.Double() | c.Take() | c.Drop() | c.Beaver() | c.Resign() | c.AcceptResignation() | c.RefuseResignation():
            return decide_cube(state, command, rules, log)
        case _:
            return decide_hand(state, command, rules, log)


def _closes(held: Held, command: c.Command, rules: RuleSet) -> bool:
    """Whether the other player goes on, by a roll or a double of his own, so that the time for putting the play right is over."""
    match command:
        case c.EnterRoll(seat=seat):
            return seat is held.play.seat.other and closes(Act.VALID_ROLL, rules)
        case c.Double(seat=seat):
            return seat is held.play.seat.other and closes(Act.VALID_DOUBLE, rules)
    return False


def _gone_on(
    state: MatchState, held: Held, after: MatchState, command: c.Command, rules: RuleSet, log: tuple[e.Logged, ...]
) -> Decision:
    """``command`` on the match ``after`` the held play has stood."""
    if after.position.off[held.play.seat.index] == CHECKERS:  # it took the last checker off: it wins the game, and nothing goes on
        return (illegal_stood(state, held.play),)
    decision = decide(after, command, rules, log)
    return decision if isinstance(decision, c.Refused) else (illegal_stood(state, held.play), *decision)


def _turn_end(state: MatchState, command: c.EnterPlay | c.EnterMoves) -> int:
    """What ended the last turn, to him who says ``command``, where nothing is being played: the number of that event, 0 for none. A play
    that is held without the players' knowledge has ended it like any other: nothing may tell them apart."""
    if state.held is not None and state.held_in_silence:
        return state.held.seq if state.phase is Phase.HELD and command.role is not e.Role.DIRECTOR else 0
    last = state.standing_turn
    return last.seq if last is not None and state.phase is Phase.TO_ROLL else 0


def _played_instead(state: MatchState, command: c.EnterPlay | c.EnterMoves, ended: int, rules: RuleSet) -> Decision:
    """What was really played in the turn that event number ``ended`` has ended: that is taken back, and this entered."""
    if state.gone_on:
        on_the_play = (one for one in state.rulings if one.type == e.Ruled.type and one.seq >= ended - 1 and one.reason.code in ON_A_PLAY)
        return refused("play_ruled" if any(on_the_play) else "gone_on")
    decision = _play(state.as_of(ended - 1), command, rules)
    return decision if isinstance(decision, c.Refused) else (e.Undone(ended - 1), *decision)


def _start_match(state: MatchState, command: c.StartMatch, rules: RuleSet) -> Decision:
    if state.seq:
        return refused("match_running")
    if not 0 <= command.length <= LONGEST_MATCH:
        return refused("bad_length", length=command.length, most=LONGEST_MATCH)
    if command.games < 0:
        return refused("bad_games", games=command.games)
    if not 1 <= command.stake <= LARGEST_STAKE:
        return refused("bad_stake", most=LARGEST_STAKE)
    names = _two_names(command.names)
    written = (command.event, command.round, command.place, command.transcriber)
    event, stage, place, transcriber = (clean_name(text, LONGEST_EVENT) for text in written)
    if isinstance(names, c.Refused):
        return names
    return (
        e.MatchStarted(
            names, command.length, rules.name, rules.aids if command.aids is None else command.aids, command.games,
            event, stage, place, transcriber, rules, command.stake, clean_name(command.unit, LONGEST_UNIT),
        ),
    )


def _set_names(state: MatchState, command: c.SetNames) -> Decision:
    names = _two_names(command.names)
    if isinstance(names, c.Refused):
        return names
    return (e.NamesSet(names, state.event if command.event is None else clean_name(command.event, LONGEST_EVENT)),)


def _two_names(names: tuple[str, str]) -> tuple[str, str] | c.Refused:
    near, far = (clean_name(name) for name in names)
    return refused("same_names", name=near) if near and same_name(near, far) else (near, far)


def _mix(state: MatchState, seat: Seat, rules: RuleSet) -> Decision:
    why = may_mix_dice(rules, state.play_phase in BETWEEN_GAMES)
    return c.Refused(why) if why is not None else (e.DiceMixed(seat),)


def next_game(state: MatchState, rules: RuleSet) -> e.GameStarted:
    """The next game of the match: its number, the score it begins at, and whether it is the Crawford game (S2-25)."""
    crawford = crawford_game(state.length, state.score, state.crawford_before, rules)
    return e.GameStarted(state.game + 1, state.score, crawford)


def start_game(state: MatchState, rules: RuleSet) -> Decision:
    """The next game, from the starting position."""
    if state.play_phase is Phase.MATCH_OVER:
        return refused("match_over")
    if state.play_phase not in BETWEEN_GAMES:
        return refused("game_running", game=state.game)
    return (next_game(state, rules),)


def _roll(state: MatchState, command: c.EnterRoll, rules: RuleSet) -> Decision:
    dice, phase = command.dice, state.play_phase
    if len(dice) != 2 or not all(type(die) is int and 1 <= die <= 6 for die in dice):
        return refused("bad_dice")
    if phase is Phase.OPENING:
        return (opened(dice),)
    if phase not in IN_GAME or state.on_roll is None:
        return wrong_phase(state)
    before: tuple[e.Event, ...] = ()
    if phase in PLAYING:
        if command.seat not in (None, state.on_roll):
            return refused("not_on_roll", seat=state.on_roll.value)
        if state.opening_turn:  # near's die and far's; where it is said who threw, he begins with them
            high, low = max(dice), min(dice)
            return (opened(dice if command.seat is None else (high, low) if command.seat is Seat.NEAR else (low, high)),)
        return with_dance(state, e.Rolled(state.on_roll, dice), rules)
    seat = command.seat or state.on_roll
    if phase is Phase.DOUBLED and state.cube.offered_by is not None:
        if seat is not state.cube.offered_by:
            return refused("answer_the_double", seat=state.cube.offered_by.other.value)
        before = (e.Taken(seat.other, state.cube.value * 2, inferred=True),)  # the doubler's next valid throw is a take
    elif seat is not state.on_roll:
        if not closed_out(state.position, state.on_roll):
            return refused("not_on_roll", seat=state.on_roll.value)
        before = (e.NoRoll(state.on_roll),)
    return (*before, *with_dance(state, e.Rolled(seat, dice), rules))


def _refuse(state: MatchState, seat: Seat, rules: RuleSet) -> Decision:
    if state.play_phase not in PLAYING:
        return wrong_phase(state)
    why = may_refuse_first_throw(rules, not state.length, not state.opening_turn, state.refused, seat)
    return c.Refused(why) if why is not None else (e.FirstThrowRefused(seat, turned(state.cube.value)),)


def _play(state: MatchState, command: c.EnterPlay | c.EnterMoves, rules: RuleSet) -> Decision:
    moves = command.moves if isinstance(command, c.EnterMoves) else ()
    text = command.play if isinstance(command, c.EnterPlay) else " ".join(f"{source}/{target}" for source, target in moves)
    parsed = _read_play(state, text, rules)
    if not isinstance(parsed, Parsed):
        return parsed
    seat, dice = state.rolled
    if parsed.play is not None:
        made = e.PlayCorrected if state.play_phase is Phase.HELD else e.Played
        return (made(seat, dice, format_play(parsed.play), parsed.play.result),)
    if parsed.fault is Fault.ILLEGAL and parsed.after is not None:
        why = mover(state, seat, rules).fault(dice, parsed.after, parsed.moves).reason
        # Where the set has the referee keep silent a refusal would say it aloud: the play is taken as made, and marked for the director.
        if (command.hold or not rules.announces_plays) and not parsed.after.defects():
            return (e.IllegalPlay(seat, dice, parsed.after, why, rules.announces_plays),)
        return c.Refused(refused("illegal_play").reason, (why,))
    return unplayable(parsed)


def _read_play(state: MatchState, text: str, rules: RuleSet) -> Parsed | c.Refused:
    """``text`` against the roll that is being played."""
    if state.play_phase not in PLAYING or state.on_roll is None or state.dice is None:
        return refused("no_roll_yet") if state.play_phase in IN_GAME else wrong_phase(state)
    return written_play(text, mover(state, state.on_roll, rules), state.dice)


def _pass(state: MatchState, rules: RuleSet) -> Decision:
    seat = state.on_roll
    if seat is None or state.play_phase not in IN_GAME:
        return wrong_phase(state)
    if state.play_phase is Phase.TO_ROLL and closed_out(state.position, seat):
        return (e.NoRoll(seat),)
    if state.play_phase in PLAYING:
        return _play(state, c.EnterPlay(seen_seq=state.seq, play=""), rules)
    return refused("not_closed_out", seat=seat.value)
