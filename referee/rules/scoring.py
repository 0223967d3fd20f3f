"""What a game is worth, and what a match makes of it."""

from __future__ import annotations

from enum import Enum

from referee.board.position import CHECKERS, Position, Seat
from referee.rules.ruleset import BackgammonIf, GammonIf, RuleSet


class Kind(Enum):
    """How large a win is; `factor` multiplies the cube (a rule set may pay less for a backgammon, see `points_of`)."""

    SINGLE = "single"
    GAMMON = "gammon"
    BACKGAMMON = "backgammon"

    @property
    def factor(self) -> int:
        return {"single": 1, "gammon": 2, "backgammon": 3}[self.value]


def kind_of_win(
    position: Position, winner: Seat, rules: RuleSet, money: bool = False, cube_turned: bool = False, missing: int = 0
) -> Kind:
    """Single, gammon or, in a rule set that has it (S4-10), backgammon by its own conditions, ``winner`` having borne off his last checker.

    ``missing``: checkers the loser began without, which ``position`` counts as off: he can be gammoned all the same.
    """
    if jacoby_holds(rules, money, cube_turned):
        return Kind.SINGLE
    loser = winner.other
    side = position.side(loser)
    none_off = position.off[loser.index] <= missing
    home, bar = any(side[18:24]), side[24] > 0
    if {
        BackgammonIf.NONE_OFF_AND_HOME: none_off and home,
        BackgammonIf.NONE_OFF_AND_HOME_OR_BAR: none_off and (home or bar),
        BackgammonIf.HOME_OR_BAR: home or bar,
    }[rules.backgammon_if]:
        return _called(Kind.BACKGAMMON, rules)
    if none_off or (rules.gammon_if is GammonIf.NONE_OFF_OR_OUTSIDE and any(side[6:])):
        return Kind.GAMMON
    return Kind.SINGLE


def _called(kind: Kind, rules: RuleSet) -> Kind:
    """A backgammon is called a gammon in a rule set in which it pays no more (S4-10)."""
    return Kind.GAMMON if kind is Kind.BACKGAMMON and rules.backgammon_pays <= Kind.GAMMON.factor else kind


def jacoby_holds(rules: RuleSet, money: bool, cube_turned: bool) -> bool:
    """Whether a game counts single whatever its kind: under the Jacoby rule (money) until the cube was turned by a take. A double that
    was dropped ended its game, and an automatic double is nobody's (S0-29, S1-25, S2-22 agree in effect)."""
    return money and rules.jacoby and not cube_turned


def points_of(kind: Kind, cube: int, rules: RuleSet) -> int:
    """The cube's value times what ``kind`` pays."""
    return cube * (rules.backgammon_pays if kind is Kind.BACKGAMMON else kind.factor)


def game_over(position: Position) -> Seat | None:
    """Who has borne off all his checkers; None while the game goes on."""
    return next((seat for seat in Seat if position.off[seat.index] == CHECKERS), None)


def match_point(length: int, score: tuple[int, int]) -> bool:
    """Whether exactly one side needs one point, in a match to more than one."""
    return length > 1 and length - 1 in score and score[0] != score[1]


def crawford_game(length: int, score: tuple[int, int], already_played: bool, rules: RuleSet) -> bool:
    """Whether the game that starts at ``score`` is the Crawford game: the first in which exactly one side needs one point
    (S2-25). It comes once in a match; in a match to one point there is no cube anyway."""
    return rules.crawford and not already_played and match_point(length, score)


def cube_out_of_place(value: int, owner: Seat | None, length: int, crawford: bool) -> str | None:
    """Why the cube may not stand so, as a refusal's code: in the Crawford game and in a match to one point nobody may double, and it is
    at one in the middle. None where it may."""
    if (value, owner) == (1, None):
        return None
    return "crawford_cube" if crawford else "no_cube" if length == 1 else None


def resignable(kind: Kind, rules: RuleSet, money: bool = False, cube_turned: bool = False) -> Kind:
    """What an offer to lose ``kind`` comes to: single while the Jacoby rule holds, no backgammon where the rules have none; else what
    was offered.

    A player may offer any size; the other accepts, or refuses one that is too small for what he can still win, and play goes on.
    """
    if jacoby_holds(rules, money, cube_turned):
        return Kind.SINGLE
    return _called(kind, rules)


def balance(score: tuple[int, int]) -> tuple[int, int]:
    """Money play's points won as each player's plus or minus, which sum to zero (S2-19)."""
    near, far = score
    return near - far, far - near


def forfeited(length: int, penalties: int) -> bool:
    """Whether ``penalties``, all that a player has been given, are more than half the match to ``length``, which is lost by them."""
    return bool(length) and 2 * penalties > length


def late_penalty(minutes: float) -> int:
    """Penalty points for coming late: one at five minutes, one more for every further five."""
    return max(0, int(minutes // 5))
