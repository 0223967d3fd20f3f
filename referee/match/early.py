"""A throw before its turn under rules that leave it to a person: the question, the same whoever saw or felt it. Pure."""

from __future__ import annotations

from referee.board.position import Seat
from referee.match.events import Answer, Doubt, EarlyRoll, RollVoid
from referee.match.state import MatchState, Phase
from referee.rules.citing import cite
from referee.rules.dice import both_read
from referee.rules.reason import because
from referee.rules.ruleset import RuleSet

EARLY = "premature"
"""What the question is about. It does not hold up the turn that is being played."""


def too_early(seat: Seat, dice: tuple[int | None, ...], rules: RuleSet) -> RollVoid:
    """The ruling on ``seat``'s throw before his turn where it does not stand."""
    return RollVoid(seat, dice, because("premature", cite(rules, "premature")))


def early_doubt(seat: Seat, dice: tuple[int | None, ...], rules: RuleSet, felt: bool = False) -> Doubt:
    """Whether ``seat``'s throw stands. ``felt``: the tower's word, not the camera's."""
    void = Answer(because("does_not_count"), (too_early(seat, dice, rules),))
    says = because("premature_felt" if felt else "premature_seen", cite(rules, "premature"), seat=seat.value)
    roll = both_read(dice)
    if roll is None:
        return Doubt(EARLY, says, (void,))
    stands = Answer(because("premature_stands", high=max(roll), low=min(roll)), (EarlyRoll(seat, roll),))
    return Doubt(EARLY, says, (stands, void))


def early_due(state: MatchState) -> bool:
    """Whether the turn of an early thrower has come and nobody has said yet what becomes of his throw."""
    if state.doubt is None or state.question != EARLY or state.on_roll is None:
        return False
    return state.phase is Phase.TO_ROLL and state.doubt.doubt.reason.get("seat") == state.on_roll.value


def decided(state: MatchState) -> bool:
    """Whether somebody has asked or ruled already on a throw made before the turn that is being played was over."""
    if state.early is not None or state.question == EARLY:
        return True
    since = state.last_turn.seq if state.last_turn is not None else 0
    return any(one.reason.code == "premature" and one.seq > since for one in state.rulings)
