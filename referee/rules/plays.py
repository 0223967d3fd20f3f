"""Names what is wrong with a play that is not legal, and says which checkers to put back.

Codes are explained in `CODES`; their values are always given in the order named there. Points are in the numbering of the
player whose checker it is, 25 his bar and 0 off.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations
from types import MappingProxyType

from referee.board.difference import Change, difference
from referee.board.plays import BAR, OFF, LegalPlays, Move, Play, make, moves_of_die
from referee.board.position import Position, Seat
from referee.rules.citing import cite
from referee.rules.reason import Reason, Value, because
from referee.rules.ruleset import RuleSet

Pairs = tuple[tuple[int, int], ...]

CODES = MappingProxyType(
    {
        # the fourteen acts of the list of examples, with their number there
        "own_on_bar": (1, "source: a checker that could be borne off was put on the bar"),
        "opponent_borne_off": (2, "seat, source: the opponent’s checker was taken off instead of the mover’s"),
        "opponent_entered": (3, "seat, target: the opponent’s checker was entered from the bar, not the mover’s"),
        "hit_checker_off": (4, "seat, point: the hit checker was put off the board"),
        "hit_checker_on_point": (5, "seat, point, target: the hit checker was put on a point"),
        "opponent_moved": (6, "seat, source, target: the opponent’s checker was moved"),
        "pressed_without_roll": (7, "the clock was pressed without rolling although a play was possible"),
        "not_hit_on_bar": (8, "seat, source: a checker that was not hit was put on the bar"),
        "borne_off_early": (9, "source: a checker was borne off while others were outside"),
        "borne_off_number": (9, "source, d1, d2: neither number bears off from there"),
        "borne_off_besides": (9, "source, d1, d2: a number bears off from there, and not with the rest of the play"),
        "entered_wrong": (10, "target, d1, d2: neither number enters there"),
        "hit_left": (11, "seat, point: a checker was hit and left in its place"),
        "no_move": (12, "d1, d2: nothing was moved although there was a play"),
        "forced_hit_not_barred": (13, "seat, point: entering had to hit, and the hit checker is not on the bar"),
        "roll_owed": (14, "the clock was pressed by mistake; the roll is still owed"),
        # plays of the mover's own checkers
        "number_not_played": (0, "die: it could be played and was not"),
        "higher_not_played": (0, "die, played: only one number could be played, and it must be the higher"),
        "both_not_played": (0, "d1, d2: both numbers could be played, and must be"),
        "double_not_finished": (0, "die, played, possible: more of the four could be played"),
        "wrong_distance": (0, "pips, source, target, d1, d2: a checker went a distance that is not on the dice"),
        "played_twice": (0, "die: it was played more often than rolled"),
        "too_many_moves": (0, "moved, d1, d2: more checkers were moved than there are numbers"),
        "too_many_pips": (0, "pips, d1, d2: more was moved than the dice allow"),
        "blocked_between": (0, "source, target: the checker had no open point to touch between"),
        "moved_backwards": (0, "source, target"),
        "bar_first": (0, "a checker was on the bar and another was moved"),
        "put_on_bar": (0, "source: the mover put his own checker on the bar"),
        "rest_frozen": (0, "source: a checker hit while bearing off is not home yet, and another was moved"),
        "no_play": (0, "d1, d2: there was no legal play, and checkers were moved"),
        "not_legal": (0, "d1, d2: no play of the roll leads here"),
    }
)
"""Every code: the number of the act it names in the list of examples (0: none), and what its values are."""


@dataclass(frozen=True, slots=True)
class PutBack:
    """Take ``seat``'s checker from ``source`` and put it on ``target``, in his own numbering (25 bar, 0 off)."""

    seat: Seat
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Illegal:
    """Why a play is not legal. ``put_back``: to the position before the turn, or, where the mover's own checkers made a
    legal play, what alone is wrong."""

    reason: Reason
    put_back: tuple[PutBack, ...]

    @property
    def code(self) -> str:
        return self.reason.code

    @property
    def values(self) -> tuple[tuple[str, Value], ...]:
        return self.reason.values

    @property
    def act(self) -> int:
        """Its number in the list of examples, 0 when it is not in it."""
        return CODES[self.code][0]


def describe_illegal(
    before: Position, seat: Seat, roll: tuple[int, int], after: Position, rules: RuleSet, written: Pairs = ()
) -> Illegal:
    """Names the play by which ``seat`` with ``roll`` got from ``before`` to ``after``, which must not be a legal result. ``written``: the
    moves as somebody said them; they tell which checker went where, which the positions may leave open.

    The first of these that fits: nothing moved; the mover's own checkers are right and the opponent's wrong; the
    opponent's checkers were touched; then the mover's own.
    """
    roll = max(roll), min(roll)  # as rolls are said
    plays = rules.plays(before, seat, roll)
    same = [play for play in plays if play.result.side(seat) == after.side(seat)]
    if after == before:
        reason = because("no_move", cite(rules, "all_numbers"), d1=roll[0], d2=roll[1])
        return Illegal(reason, ())
    unmoved = not plays and before.side(seat) == after.side(seat)
    if same or unmoved:
        made = min(same, key=lambda play: _apart(play.result, after, seat.other)) if same else Play((), before)
        found = _theirs_wrong(before, seat, made, after, plays, rules)
        right = made.result
    else:
        found = _theirs_touched(before, seat, after, rules) or _mine_wrong(before, seat, roll, after, plays, rules, written)
        right = before
    return Illegal(found, put_back(after, right))


def pressed_without_roll(position: Position, seat: Seat, rules: RuleSet, by_mistake: bool = False) -> Reason | None:
    """The ruling on a clock pressed by a player who had not rolled: None when he is closed out and need not roll. ``by_mistake``: he took
    a throw that did not count for one that did."""
    if closed_out(position, seat):
        return None
    return because("roll_owed" if by_mistake else "pressed_without_roll", cite(rules, "all_numbers"))


def closed_out(position: Position, seat: Seat) -> bool:
    """Whether ``seat`` has a checker on the bar and no number to enter with."""
    return position.on_point(seat, BAR) > 0 and all(position.on_point(seat.other, p) > 1 for p in range(1, 7))


def put_back(after: Position, right: Position) -> tuple[PutBack, ...]:
    """The checkers to move by hand so that ``after`` becomes ``right``."""
    found: list[PutBack] = []
    for seat, change in difference(after, right).items():
        found.extend(PutBack(seat, source, target) for source, target in zip(change.left, change.arrived, strict=False))
    return tuple(found)


def _apart(one: Position, other: Position, seat: Seat) -> int:
    return sum(abs(one.on_point(seat, p) - other.on_point(seat, p)) for p in range(OFF, BAR + 1))


def _theirs_wrong(before: Position, seat: Seat, made: Play, after: Position, plays: LegalPlays, rules: RuleSet) -> Reason:
    """The mover's checkers are right; something is wrong with the opponent's."""
    other = seat.other
    wrong = difference(made.result, after)[other]
    for move in made.moves:
        if move.hit and BAR in wrong.left:
            point = 25 - move.target
            if move.source == BAR and all(any(m.hit and m.source == BAR for m in play.moves) for play in plays):
                return because("forced_hit_not_barred", cite(rules, "hit"), seat=other.value, point=point)
            if point in wrong.arrived:
                return because("hit_left", cite(rules, "hit"), seat=other.value, point=point)
            if OFF in wrong.arrived:
                return because("hit_checker_off", cite(rules, "hit"), seat=other.value, point=point)
            target = wrong.arrived[0] if wrong.arrived else OFF
            return because("hit_checker_on_point", cite(rules, "hit"), seat=other.value, point=point, target=target)
    return _touched(wrong, before.on_point(seat, BAR) > 0 and after.on_point(seat, BAR) > 0, rules)


def _theirs_touched(before: Position, seat: Seat, after: Position, rules: RuleSet) -> Reason | None:
    """What was done to the opponent's checkers beyond hitting them."""
    change = difference(before, after)[seat.other]
    hit = [p for p in change.left if p != BAR and before.on_point(seat.other, p) == 1 and after.on_point(seat, 25 - p) > 0]
    left, arrived = list(change.left), list(change.arrived)
    for point in hit:
        if BAR in arrived:
            arrived.remove(BAR)
            left.remove(point)
        elif OFF in arrived:
            return because("hit_checker_off", cite(rules, "hit"), seat=seat.other.value, point=point)
        elif arrived:
            return because("hit_checker_on_point", cite(rules, "hit"), seat=seat.other.value, point=point, target=arrived[0])
    # A blot passed over and put on the bar was hit on the way; whether it could be is the mover's affair.
    moved = difference(before, after)[seat]
    for point in [p for p in left if p != BAR and before.on_point(seat.other, p) == 1 and _passed(moved, 25 - p)]:
        if BAR in arrived:
            arrived.remove(BAR)
            left.remove(point)
    if not left and not arrived:
        return None
    return _touched(Change(seat.other, tuple(left), tuple(arrived)), after.on_point(seat, BAR) > 0, rules)


def _passed(moved: Change, point: int) -> bool:
    return any(target < point < source for source in moved.left for target in moved.arrived)


def _touched(change: Change, waiting: bool, rules: RuleSet) -> Reason:
    """``change`` is what happened wrongly to the opponent's checkers; ``waiting``: the mover still has one on the bar."""
    seat, left, arrived = change.seat.value, change.left, change.arrived
    if OFF in arrived and left:
        return because("opponent_borne_off", cite(rules, "illegal"), seat=seat, source=left[-1])
    if BAR in left and arrived:
        if waiting:
            return because("opponent_entered", cite(rules, "bar_first"), seat=seat, target=arrived[0])
        return because("opponent_moved", cite(rules, "illegal"), seat=seat, source=BAR, target=arrived[0])
    if BAR in arrived and left:
        return because("not_hit_on_bar", cite(rules, "hit"), seat=seat, source=left[0])
    source, target = (left[0] if left else OFF), (arrived[0] if arrived else OFF)
    return because("opponent_moved", cite(rules, "illegal"), seat=seat, source=source, target=target)


def _mine_wrong(
    before: Position, seat: Seat, roll: tuple[int, int], after: Position, plays: LegalPlays, rules: RuleSet, written: Pairs
) -> Reason:
    """What is wrong with the mover's own checkers."""
    dice = _dice_of(roll)
    change = difference(before, after)[seat]
    pairs = written if _makes(written, change) else _pairs(change, dice)
    d1, d2 = roll
    waiting = before.on_point(seat, BAR) > 0
    for source, target in pairs:
        if target == BAR:
            off = any(m.source == source and m.target == OFF for die in dice for m in moves_of_die(before, seat, die))
            return because("own_on_bar" if off else "put_on_bar", cite(rules, "bearing_off" if off else "forward"), source=source)
    if not plays:
        return because("no_play", cite(rules, "entering" if waiting else "blocked"), d1=d1, d2=d2)
    if after.on_point(seat, BAR) > 0 and any(source != BAR or BAR - target in _sums(dice) - set(dice) for source, target in pairs):
        return because("bar_first", cite(rules, "bar_first"))
    for source, target in pairs:
        if target > source:
            return because("moved_backwards", cite(rules, "forward"), source=source, target=target)
    partial = _reached(before, seat, dice, after, rules)
    if partial is not None:
        return _numbers_left(before, seat, roll, partial, plays, rules)
    if rules.rest_frozen and before.off[seat.index] and any(after.on_point(seat, p) for p in range(7, BAR + 1)):
        for source, _ in pairs:
            if source <= 6:
                return because("rest_frozen", cite(rules, "hit_bearing_off"), source=source)
    for source, target in pairs:
        if source == BAR and BAR - target not in _sums(dice):
            return because("entered_wrong", cite(rules, "entering"), target=target, d1=d1, d2=d2)
        if target == OFF and (wrong := _borne_off_wrong(before, seat, source, after, roll, rules)) is not None:
            return wrong
    return _distances(before, seat, roll, dice, pairs, rules)


def _borne_off_wrong(before: Position, seat: Seat, source: int, after: Position, roll: tuple[int, int], rules: RuleSet) -> Reason | None:
    """What is wrong with bearing off the checker on ``source``; None where that is nothing."""
    dice = _dice_of(roll)
    hit = _missed_hit(before, seat, source, after, dice)
    if hit:
        return because("hit_left", cite(rules, "hit"), seat=seat.other.value, point=25 - hit)
    if any(after.on_point(seat, p) for p in range(7, BAR + 1)):
        return because("borne_off_early", cite(rules, "bearing_off"), source=source)
    if not any(_walks(before, seat, source, OFF, order) for order in _orders(dice)):
        return because("borne_off_number", cite(rules, "bear_off_number"), source=source, d1=roll[0], d2=roll[1])
    return None


def _distances(before: Position, seat: Seat, roll: tuple[int, int], dice: tuple[int, ...], pairs: Pairs, rules: RuleSet) -> Reason:
    """The moves all go forward and onto the board, and cannot be made with the dice."""
    d1, d2 = roll
    sums = _sums(dice)
    if len(pairs) > len(dice):
        return because("too_many_moves", cite(rules, "distance"), moved=len(pairs), d1=d1, d2=d2)
    for source, target in pairs:
        if target != OFF and source - target not in sums:
            return because("wrong_distance", cite(rules, "distance"), pips=source - target, source=source, target=target, d1=d1, d2=d2)
    spent = [source - target for source, target in pairs if target != OFF]
    for die in dict.fromkeys(dice):
        if spent.count(die) > dice.count(die):
            return because("played_twice", cite(rules, "distance"), die=die)
    if sum(spent) > sum(dice):
        return because("too_many_pips", cite(rules, "distance"), pips=sum(spent), d1=d1, d2=d2)
    for source, target in pairs:
        if not any(_walks(before, seat, source, target, order) for order in _orders(dice)):
            return because("blocked_between", cite(rules, "blocked"), source=source, target=target)
    off = [source for source, target in pairs if target == OFF]
    if off:  # each number bears one off somewhere, and not from these points together
        by = [{die for die in dice if _walks(before, seat, source, target, (die,))} for source, target in pairs]
        if d1 != d2 and len(off) < len(pairs) and len(by[0]) == 1 and all(others == by[0] for others in by):
            return because("played_twice", cite(rules, "distance"), die=by[0].pop())
        return because("borne_off_besides", cite(rules, "bear_off_number"), source=off[-1], d1=d1, d2=d2)
    return because("not_legal", cite(rules, "illegal"), d1=d1, d2=d2)


def _numbers_left(
    before: Position, seat: Seat, roll: tuple[int, int], played: tuple[Move, ...], plays: LegalPlays, rules: RuleSet
) -> Reason:
    """The moves made are good as far as they go, and more or other numbers had to be played."""
    possible = max(len(play.moves) for play in plays)
    if roll[0] == roll[1]:
        return because("double_not_finished", cite(rules, "all_numbers"), die=roll[0], played=len(played), possible=possible)
    high, low = roll
    if possible < 2:
        return because("higher_not_played", cite(rules, "higher_number"), die=high, played=low)
    here = make(before, seat, played)
    for die, other in ((high, low), (low, high)):
        used = played in {(m,) for m in moves_of_die(before, seat, other, rules.rest_frozen)}
        if used and moves_of_die(here, seat, die, rules.rest_frozen):
            return because("number_not_played", cite(rules, "all_numbers"), die=die)
    return because("both_not_played", cite(rules, "all_numbers"), d1=high, d2=low)


def _reached(before: Position, seat: Seat, dice: tuple[int, ...], after: Position, rules: RuleSet) -> tuple[Move, ...] | None:
    """The single moves, each good by itself and fewer than the dice or as many, that lead to the mover's checkers in ``after``."""
    wanted = after.side(seat)
    if len(dice) == 4:
        return _reached_by_double(before, seat, dice[0], after, rules)
    for order in _orders(dice):
        ends: dict[Position, tuple[Move, ...]] = {before: ()}
        for die in order:
            following: dict[Position, tuple[Move, ...]] = {}
            for here, moves in ends.items():
                for move in moves_of_die(here, seat, die, rules.rest_frozen):
                    if before.on_point(seat, move.source) > after.on_point(seat, move.source) or moves:
                        following.setdefault(make(here, seat, (move,)), (*moves, move))
            for here, moves in following.items():
                if here.side(seat) == wanted:
                    return moves
            ends = following
    return None


def _reached_by_double(before: Position, seat: Seat, die: int, after: Position, rules: RuleSet) -> tuple[Move, ...] | None:
    """With one number the counts say how many moves start from each point: those that left and those that came and went on."""
    starts = [0] * (BAR + 7)
    for point in range(BAR, OFF, -1):
        starts[point] = before.on_point(seat, point) - after.on_point(seat, point) + starts[point + die]
    if min(starts) < 0 or sum(starts) > 4:
        return None
    here: Position = before
    moves: tuple[Move, ...] = ()
    for source in (p for p in range(BAR, OFF, -1) for _ in range(starts[p])):
        move = next((m for m in moves_of_die(here, seat, die, rules.rest_frozen) if m.source == source), None)
        if move is None:
            return None
        here, moves = make(here, seat, (move,)), (*moves, move)
    return moves if here.side(seat) == after.side(seat) else None


def _dice_of(roll: tuple[int, int]) -> tuple[int, ...]:
    """The numbers a roll gives to play: two, or four of a double."""
    return (roll[0],) * 4 if roll[0] == roll[1] else roll


def _orders(dice: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return (dice,) if len(set(dice)) == 1 else (dice, dice[::-1])


def _sums(dice: tuple[int, ...]) -> set[int]:
    """Every distance one checker can go with some of the dice."""
    return {dice[0], dice[1], sum(dice)} if len(dice) == 2 else {dice[0] * k for k in range(1, 5)}


def _walks(before: Position, seat: Seat, source: int, target: int, order: tuple[int, ...]) -> bool:
    """Whether a checker on ``source``, moving alone, comes to ``target`` with the first numbers of ``order``."""
    here, point = before, source
    for die in order if len(set(order)) == 1 else (order if source - target == sum(order) else order[:1]):
        move = next((m for m in moves_of_die(here, seat, die) if m.source == point), None)
        if move is None:
            return False
        here, point = make(here, seat, (move,)), move.target
        if point == target:
            return True
    return False


def _missed_hit(before: Position, seat: Seat, source: int, after: Position, dice: tuple[int, ...]) -> int:
    """A checker gone from the board may stand on the blot it hit, hidden from sight: the point, in the mover's numbering; or 0."""
    if source <= 6:
        return 0
    for die in dice:
        point = source - die
        if point > OFF and before.on_point(seat.other, 25 - point) == 1 and after.on_point(seat.other, 25 - point) == 1:
            return point
    return 0


def _makes(written: Pairs, change: Change) -> bool:
    """Whether the moves, each of another checker, are what has changed."""
    left, arrived = (sorted(one) for one in zip(*written, strict=True)) if written else ([], [])
    return left == sorted(change.left) and arrived == sorted(change.arrived)


def _pairs(change: Change, dice: tuple[int, ...]) -> Pairs:
    """Which checker went where: by most distances that are on the dice, and then the highest borne off."""
    left, arrived = change.left, change.arrived
    if len(left) != len(arrived) or len(left) > 5:
        return tuple(zip(left, arrived, strict=False))
    sums = _sums(dice)

    def strangeness(targets: Iterable[int]) -> tuple[int, int]:
        found = stayed = 0
        for source, target in zip(left, targets, strict=True):
            pips = source - target
            stayed += source if OFF < target < BAR else 0
            if pips in dice or (target == OFF and 0 < source <= max(dice)):
                continue
            found += 1 if pips in sums else 3 if pips > 0 else 6
        return found, stayed

    return tuple(zip(left, min(permutations(arrived), key=strangeness), strict=True))
