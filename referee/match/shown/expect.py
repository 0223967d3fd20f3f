"""What is expected now, as a code, and which commands make sense: so that pages follow the state and copy no rule."""

from __future__ import annotations

from referee.board.position import Seat
from referee.match.commands import Refused
from referee.match.said.cube import answerer, dropper, no_beaver, no_double
from referee.match.said.hand import press
from referee.match.said.setup import LATEST
from referee.match.state import BETWEEN_GAMES, IN_GAME, PLAYING, MatchState, Phase
from referee.match.timing import stands_unseen
from referee.match.turn import once_it_stands
from referee.rules.correction import Act, Who, closes, who_corrects
from referee.rules.dice import may_mix_dice, may_refuse_first_throw
from referee.rules.plays import closed_out
from referee.rules.ruleset import RuleSet

_CORRECT = {Who.MUST: "correct", Who.OPPONENT: "correct_or_stand", Who.EITHER: "correct_on_demand"}


def expected_code(state: MatchState) -> tuple[str, Seat | None]:
    """The code of what must happen next (a key of `referee.match.shown.sentences.EXPECTED`) and by whom."""
    seat, phase = state.on_roll, state.play_phase
    if not state.seq:
        return "no_match", None
    if phase is Phase.MATCH_OVER:
        return ("match_over", state.winner) if state.length else ("session_over", None)
    if state.phase is Phase.PAUSED:
        return "paused", state.decider
    if state.resignation is not None:
        return "answer_resignation", state.resignation.seat.other
    if state.doubt is not None:
        return "answer_doubt", None
    if phase is Phase.DOUBLED and state.cube.offered_by is not None:
        return "answer_double", state.cube.offered_by.other
    if phase is Phase.HELD:
        if state.held_in_silence is not None:
            return "play", seat
        return _CORRECT[who_corrects(state.played_by)], seat
    if state.reconcile and phase in IN_GAME:
        return "put_back", None
    if phase is Phase.TO_ROLL and seat is not None:
        may = no_double(state, state.played_by) is None
        if closed_out(state.position, seat):
            return ("closed_out_or_double" if may else "closed_out"), seat
        if (drops := answerer(state)) is not None:
            return ("roll_or_drop" if drops is seat else "roll_or_other_drops"), seat
        return ("roll_or_double" if may else "roll"), seat
    return {
        Phase.SETTING_UP: "set_up", Phase.GAME_OVER: "next_game", Phase.OPENING: "open", Phase.ROLLED: "play", Phase.JUDGING: "judging",
    }.get(phase, "roll"), seat


def possible(state: MatchState, rules: RuleSet) -> tuple[str, ...]:
    """Names of the commands that make sense now, snake case, for the buttons of a page."""
    if not state.seq:
        return ("start_match",)
    found: list[str] = []
    phase = state.play_phase
    if phase in BETWEEN_GAMES:
        found.append("start_game")
        if may_mix_dice(rules, between_games=True) is None:
            found.append("mix_dice")
    if phase in IN_GAME:
        found += _in_play(state, rules)
        found += ["set_position", "set_moment", "set_cube", "set_turn", "award_game"]
        if state.turns <= LATEST:
            found.append("setup_error")
    found.append("set_names")  # after the match too: its record goes by them
    if phase is not Phase.MATCH_OVER:
        found += ["set_score", "set_rules", "penalise", "award_match", *(["late"] if state.length else [])]
        if rules.crawford:
            found.append("set_crawford")  # with the score, and a length at which it may be one
        found.append("resume" if state.phase is Phase.PAUSED else "pause")
    if state.may_be_longer:
        found.append("set_length")
    if state.clock is not None and phase is not Phase.MATCH_OVER:
        found += ["start_clock" if state.clock_held or stands_unseen(state) else "stop_clock", "set_clock"]
        if state.on_roll is not None and not isinstance(press(state, state.on_roll, rules), Refused):
            found.append("press_clock")
    if state.doubt is not None:
        found.append("answer_doubt")
    if state.seq > 1:
        found.append("undo")
    return tuple(found)


def refusers(state: MatchState, rules: RuleSet) -> tuple[Seat, ...]:
    """Who may refuse the first throw now."""
    if state.play_phase is not Phase.ROLLED:
        return ()
    opened, money = not state.opening_turn, not state.length
    return tuple(seat for seat in Seat if may_refuse_first_throw(rules, money, opened, state.refused, seat) is None)


def _in_play(state: MatchState, rules: RuleSet) -> list[str]:
    phase = state.play_phase
    found = ["enter_roll"]
    if phase in PLAYING:
        found.append("enter_play")
    finished = phase in (Phase.TO_ROLL, Phase.DOUBLED) and state.standing_turn is not None
    if phase is Phase.HELD or finished:
        found.append("rule")
    if finished and state.phase is Phase.TO_ROLL and not state.gone_on:
        found.append("enter_play")  # another than was entered or seen
    if refusers(state, rules):
        found.append("refuse_first_throw")
    if phase is Phase.TO_ROLL and state.on_roll is not None:
        if no_double(state, rules) is None:
            found.append("double")
        if closed_out(state.position, state.on_roll):
            found.append("pass_turn")
    held = state.held.play if phase is Phase.HELD and state.held is not None else None
    if held is not None and closes(Act.VALID_DOUBLE, rules) and no_double(once_it_stands(state, held), rules) is None:
        found.append("double")  # the other player's: the play stands then
    if phase is Phase.DOUBLED:
        found.append("take")
    if dropper(state) is not None:
        found.append("drop")
    if no_beaver(state, rules) is None:
        found.append("beaver")
    if state.resignation is not None:
        found += ["accept_resignation", "refuse_resignation"]
    elif phase not in (Phase.OPENING, Phase.DOUBLED):
        found.append("resign")
    return found
