"""A chouette: one player, the box, against a team led by its captain, with one cube and a score sheet that sums to zero.

Pure values. What cannot be done is returned as a `Reason`; nothing is raised for what people at the table may try.
Names are the players' own; every name is used once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.rules.citing import cite
from referee.rules.cube import at_end
from referee.rules.reason import Reason, because
from referee.rules.ruleset import DropPays, RuleSet, TeamDecides
from referee.rules.scoring import jacoby_holds

FEWEST = 3
S4_MOST = 5
"""S4-12 knows chouettes of up to five."""


@dataclass(frozen=True, slots=True)
class Payment:
    """``loser`` pays ``winner`` so many points."""

    loser: str
    winner: str
    points: int


@dataclass(frozen=True, slots=True)
class Chouette:
    """``line``: the players present in order: the box, the captain, the others as they will come up. ``sheet``: everybody's
    running points, also of those who left; they sum to zero."""

    rules: RuleSet
    line: tuple[str, ...]
    sheet: tuple[tuple[str, int], ...]

    @property
    def box(self) -> str:
        return self.line[0]

    @property
    def captain(self) -> str:
        return self.line[1]

    def points(self, name: str) -> int:
        return dict(self.sheet)[name]

    def start(self) -> ChouetteGame:
        """The next game: everybody but the box is on the team, the cube at one in the middle."""
        return ChouetteGame(self.rules, self.box, tuple((name, 1) for name in self.line[1:]))

    def after(self, game: ChouetteGame) -> Chouette:
        """The sheet and the order after a finished game (S0-31, S4-13): a box that won stays and the captain goes last; a box
        that lost goes last and the captain is the box. A captain who dropped and was replaced goes last as well."""
        assert game.box_won is not None
        rest = [name for name in self.line[1:] if name not in game.replaced]
        if game.box_won:
            leader = game.captain if game.captain in rest else None
            line = [self.box, *(name for name in rest if name != leader), *game.replaced, *([leader] if leader else [])]
        else:
            line = [game.captain, *(name for name in rest if name != game.captain), *game.replaced, self.box]
        return replace(self, line=tuple(line), sheet=self.sheet_in(game))

    def sheet_in(self, game: ChouetteGame) -> tuple[tuple[str, int], ...]:
        """The sheet with what is paid in ``game`` so far: who drops pays at once, though the others play on."""
        sheet = dict(self.sheet)
        for payment in game.payments:
            sheet[payment.loser] -= payment.points
            sheet[payment.winner] += payment.points
        return tuple(sheet.items())

    def joined(self, name: str) -> Chouette | Reason:
        """``name`` comes in between games, last in the line; one who left before goes on with his points."""
        if name in self.line:
            return because("name_taken", name=name)
        if not name.strip():
            return because("no_name")
        most = _most(self.rules)
        if most is not None and len(self.line) >= most:
            return because("chouette_full", "S4-12", most=most)
        sheet = self.sheet if name in dict(self.sheet) else (*self.sheet, (name, 0))
        return replace(self, line=(*self.line, name), sheet=sheet)

    def left(self, name: str) -> Chouette | Reason:
        """``name`` goes between games; the others move up and his points stay on the sheet."""
        if name not in self.line:
            return because("no_such_player", name=name)
        if len(self.line) <= 2:
            return because("too_few_players", "S0-30", fewest=2)
        return replace(self, line=tuple(n for n in self.line if n != name))


@dataclass(frozen=True, slots=True)
class ChouetteGame:
    """One game. ``team``: who still plays, the captain first, each with the shares he plays for (his own and those he took
    over). ``owner``: "" the middle, "box" or "team". ``box_won`` None while it goes on. ``replaced``: captains who dropped."""

    rules: RuleSet
    box: str
    team: tuple[tuple[str, int], ...]
    cube: int = 1
    owner: str = ""
    payments: tuple[Payment, ...] = ()
    replaced: tuple[str, ...] = ()
    box_won: bool | None = None
    first_captain: str = ""
    ties: int = 0
    """Opening ties that turned the cube."""

    @property
    def captain(self) -> str:
        """Who moves for the team; after all dropped, who did last."""
        return self.team[0][0] if self.team else self.first_captain

    def tied(self) -> ChouetteGame | Reason:
        """The opening throw was a tie: the cube turns, in the middle, as often as the rule set has it (S0-28, S4-09)."""
        limit = self.rules.auto_doubles
        if self.box_won is not None:
            return because("game_is_over")
        if self.owner:
            return because("tie_after_double", cite(self.rules, "auto_double"))
        if limit is not None and self.ties >= limit:
            return because("no_more_auto_doubles" if limit else "no_auto_double", cite(self.rules, "auto_double"), most=limit)
        return at_end(2 * self.cube) or replace(self, cube=2 * self.cube, ties=self.ties + 1)

    def box_doubles(self, takers: frozenset[str]) -> ChouetteGame | Reason:
        """The box doubles and each member answers, ``takers`` taking (S0-32); where the captain decides, his answer is the
        team's unless a partner retires (S4-12: then only those who refuse are told apart).

        One who drops leaves the game and pays what the cube showed: the box, or the captain, who plays on for his share.
        """
        refused = self._may_double("box")
        if refused is not None:
            return refused
        names = [name for name, _ in self.team]
        if not takers <= set(names):
            return because("no_such_player", name=min(takers - set(names)))
        if self.rules.team_decides is TeamDecides.CAPTAIN and self.captain not in takers:
            takers = frozenset()
        if not takers:
            paid = tuple(Payment(name, self.box, self.cube * shares) for name, shares in self.team)
            return replace(self, team=(), payments=(*self.payments, *paid), box_won=True, first_captain=self.captain)
        staying = [(name, shares) for name, shares in self.team if name in takers]
        leaving = [(name, shares) for name, shares in self.team if name not in takers]
        captain = staying[0][0]
        to = self.box if self.rules.chouette_drop_pays is DropPays.BOX else captain
        paid = tuple(Payment(name, to, self.cube * shares) for name, shares in leaving)
        if to == captain:
            over = sum(shares for _, shares in leaving)
            staying[0] = (captain, staying[0][1] + over)
        gone = (*self.replaced, self.captain) if self.captain != captain else self.replaced
        return replace(self, team=tuple(staying), cube=2 * self.cube, owner="team", payments=(*self.payments, *paid), replaced=gone)

    def team_doubles(self, taken: bool) -> ChouetteGame | Reason:
        """The team doubles in concert; the box takes, or drops and pays every share what the cube showed."""
        refused = self._may_double("team")
        if refused is not None:
            return refused
        if taken:
            return replace(self, cube=2 * self.cube, owner="box")
        return self._paid(False, 1)

    def won(self, by_box: bool, factor: int) -> ChouetteGame | Reason:
        """Played to the end (or resigned): the cube times ``factor`` (1 to 3) for every share; once only where the Jacoby rule holds
        and nobody has taken a double."""
        if self.box_won is not None:
            return because("game_is_over")
        return self._paid(by_box, 1 if jacoby_holds(self.rules, True, bool(self.owner)) else factor)

    def _paid(self, by_box: bool, factor: int) -> ChouetteGame:
        points = [(name, self.cube * factor * shares) for name, shares in self.team]
        paid = tuple(Payment(name, self.box, n) if by_box else Payment(self.box, name, n) for name, n in points)
        return replace(self, payments=(*self.payments, *paid), box_won=by_box)

    def _may_double(self, side: str) -> Reason | None:
        if self.box_won is not None:
            return because("game_is_over")
        if self.owner not in ("", side):
            return because("other_side_owns", cite(self.rules, "cube_owner"))
        return at_end(2 * self.cube)


Throws = tuple[int, ...]
"""What one player threw for the order, with what he threw again to break ties."""


def order(rolls: Mapping[str, Throws]) -> tuple[str, ...]:
    """The line by one die each, the highest first: box, captain, the rest (S0-30); who tied stand as they threw again."""
    return tuple(sorted(rolls, key=lambda name: rolls[name], reverse=True))


def tied(rolls: Mapping[str, Throws]) -> tuple[tuple[str, ...], ...]:
    """The groups who threw the same and throw again among themselves."""
    numbers = sorted(set(rolls.values()), reverse=True)
    groups = (tuple(name for name in rolls if rolls[name] == number) for number in numbers)
    return tuple(group for group in groups if len(group) > 1)


def open_chouette(line: tuple[str, ...], rules: RuleSet) -> Chouette | Reason:
    """A chouette of the players in ``line``, everybody at nought."""
    if len(line) < FEWEST:
        return because("too_few_players", "S0-30", fewest=FEWEST)
    most = _most(rules)
    if most is not None and len(line) > most:
        return because("chouette_full", "S4-12", most=most)
    if any(not name.strip() for name in line):
        return because("no_name")
    twice = next((name for name in line if line.count(name) > 1), None)
    if twice is not None:
        return because("name_taken", name=twice)
    return Chouette(rules, line, tuple((name, 0) for name in line))


def _most(rules: RuleSet) -> int | None:
    return S4_MOST if rules.team_decides is TeamDecides.CAPTAIN else None
