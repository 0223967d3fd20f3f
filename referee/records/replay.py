"""Plays a record through and says what does not follow the rules: the heart of ``referee check``.

An illegal play that can be made on the board is reported and played as written. The first play of a game that cannot be made at all is
a break: the rest of that game is not judged. A roll with a legal play but none written is unplayed and is not played for the player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, permutations, product

from referee.board import BAR, OFF, Move, Position, Seat, make
from referee.records.fields import holds_unread, may_be_cut
from referee.records.reckoning import Conditions, GameSoFar, cube_at_start, on_a_cube, put_cube, settle_result, turn_cube
from referee.records.record import CUT, Action, Do, Game, Parsed, Record, Side, Step, steps_text
from referee.rules.plays import closed_out, describe_illegal
from referee.rules.presets import preset
from referee.rules.reason import Reason
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import match_point


@dataclass(frozen=True, slots=True)
class Finding:
    """One field of the record that breaks the rules. ``play`` is the field as written; positions with left at near."""

    game: int
    row: int
    side: Side
    play: str
    dice: tuple[int, int]
    before: Position
    after: Position | None
    action: int
    """Which of the game's actions it is, from 1: the place in a format without rows."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game as it came out. ``points`` follow from the moves and the cube, not from what was declared; ``positions`` are
    the board at the start and after every action, left at near, ``cubes`` the cube's value and owner as often; ``judged`` False after a
    break."""

    game: Game
    winner: Side | None
    points: int
    positions: tuple[Position, ...]
    cubes: tuple[tuple[int, Side | None], ...]
    judged: bool
    resigned: bool
    crawford: bool


@dataclass(frozen=True, slots=True)
class Report:
    """What replaying found. ``final_score`` (left, right), not capped. ``remarks``: what was taken to be so though the record does not say
    it, one sentence each."""

    games: tuple[PlayedGame, ...]
    final_score: tuple[int, int]
    illegal: tuple[Finding, ...]
    breaks: tuple[Finding, ...]
    unplayed: tuple[Finding, ...]
    problems: tuple[str, ...]
    complete: bool
    """Judged to its end."""
    rules: RuleSet
    winner: Side | None
    """Who won the match, as the record says or the score tells."""
    remarks: tuple[str, ...]


WORK_LIMIT, GAME_WORK, MOST_GAMES = 110_000, 4_000, 200
"""How much is judged of one record, in legal plays looked at: three times the longest match on record, less than a second's work; of a long
session for each of so many games two to three times what one takes."""

PROBLEM_LIMIT = 200
_ILLEGAL_WORK = 1_500  # naming an illegal play, in the same unit; a long session is not allowed more of them
_TRY_WORK = 4  # trying one way to make the written steps


@dataclass(slots=True)
class _Found:
    """What judging one record has found so far, and the work it was."""

    problems: list[str]
    rules: RuleSet
    stated: bool
    """The rules are known: named by the user or by the file, no default."""
    limit: int
    """No more work than this is done."""
    illegal: list[Finding] = field(default_factory=list)
    breaks: list[Finding] = field(default_factory=list)
    unplayed: list[Finding] = field(default_factory=list)
    work: int = 0


def replay(parsed: Parsed, rules: RuleSet | None = None) -> Report:
    """Judges every game of a record: under ``rules``, else under those the file names, else by the common ones (``bray``)."""
    record = parsed.record
    known = rules or parsed.rules
    variation = record.tag("Variation")
    other = variation.casefold() not in ("", "backgammon")
    limit = 0 if other else max(WORK_LIMIT, GAME_WORK * min(MOST_GAMES, len(record.games)))
    found = _Found(list(parsed.problems), known or preset("bray"), known is not None, limit)
    problems = found.problems
    games: list[PlayedGame] = []
    running = record.games[0].score if record.games else (0, 0)
    first, remarks = _begun_late(record, known)
    crawford_done = first is not None and first.crawford is False
    before: Game | None = None
    for game in ((first, *record.games[1:]) if first is not None else record.games):
        if before is not None and game.number != before.number + 1:
            problems.append(f"game {game.number} follows game {before.number}")
        if record.length and max(game.score) >= record.length and (before is None or game.score != running):
            problems.append(f"game {game.number} begins at {_score(game.score)}, which cannot be in a match to {record.length}")
        if game.score != running:
            problems.append(f"game {game.number} begins at {_score(game.score)}, but the games before it make {_score(running)}")
        before = game
        crawford, crawford_done = _is_crawford(record, game, crawford_done, known)
        played = _play(record, game, crawford, found)
        games.append(played)
        running = game.score_after(played.winner, played.points)
    if record.length and any(s >= record.length for g in games[:-1] for s in g.game.score_after(g.winner, g.points)):
        problems.append("games were played after the match was won")
    if parsed.open_end and record.games:
        _excuse_the_cut(record.games[-1], found)
    whole = found.work < found.limit
    if other:
        problems.append(f"this is {variation}: only backgammon from its own starting position is judged")
    elif not whole:
        problems.append("this is far longer than any match: only its beginning is judged")
    if len(problems) > PROBLEM_LIMIT:
        problems[PROBLEM_LIMIT:] = [f"and {len(problems) - PROBLEM_LIMIT} more"]
    return Report(
        tuple(games), running, tuple(found.illegal), tuple(found.breaks), tuple(found.unplayed), tuple(problems),
        whole, found.rules, record.winner or _winner(record.length, running), remarks,
    )  # fmt: skip


def _excuse_the_cut(last: Game, found: _Found) -> None:
    """What stands last of a file without an end is no play to judge where it may be only part of one."""
    for findings in (found.illegal, found.breaks):
        if findings and (findings[-1].game, findings[-1].action) == (last.number, len(last.actions)) and may_be_cut(last.actions[-1]):
            findings.pop()
            found.problems.append(CUT)


def why_illegal(finding: Finding, rules: RuleSet) -> Reason:
    """The name of an illegal play that was found under ``rules``, with its values and rule."""
    assert finding.after is not None
    return describe_illegal(finding.before, finding.side.seat, finding.dice, finding.after, rules).reason


def _winner(length: int, score: tuple[int, int]) -> Side | None:
    """Who has reached the match's length."""
    return None if not length or max(score) < length else Side.LEFT if score[0] > score[1] else Side.RIGHT


def _score(score: tuple[int, int]) -> str:
    return f"{score[0]}-{score[1]}"


def _begun_late(record: Record, rules: RuleSet | None) -> tuple[Game | None, tuple[str, ...]]:
    """The first game of a record that begins at match point in the middle of a match, as it is taken: the Crawford game or one after it;
    and a sentence about it. None where the record or its score says which it is."""
    first = record.games[0] if record.games else None
    if first is None or first.number == 1 or first.crawford is not None or not _has_crawford(record, rules):
        return None, ()
    if not match_point(record.length, first.score):
        after = max(first.score) == record.length - 1  # of both: there was one game at match point before
        return (replace(first, crawford=False) if after else None), ()
    if first.number == 2 or (min(first.score) == 0 and sum(first.score) >= first.number - 1):
        return replace(first, crawford=True), ()  # who is behind has won no game at match point
    turned = any(action.do is Do.DOUBLE for action in first.actions)
    begins = f"game {first.number} begins at {_score(first.score)}, and the games before it are not in the file"
    taken = "somebody doubled in it, so it is taken for one after that" if turned else "nobody doubled in it, so it is taken for that"
    return replace(first, crawford=not turned), (f"{begins}: nobody can know whether it is the Crawford game; {taken}",)


def _has_crawford(record: Record, rules: RuleSet | None) -> bool:
    """Whether the match has a Crawford game: known ``rules`` say it; without, the record does."""
    return record.length > 1 and (rules.crawford if rules else record.crawford is not False)


def _is_crawford(record: Record, game: Game, done: bool, rules: RuleSet | None) -> tuple[bool, bool]:
    """Whether this is the Crawford game, and whether it has been by now: the first with exactly one side at match point."""
    if not _has_crawford(record, rules):
        return False, done
    if game.crawford is not None and record.crawford is not False:
        return game.crawford, done or game.crawford
    at_point = match_point(record.length, game.score) and max(game.score) < record.length
    return at_point and not done, done or at_point


_BESIDE_PLAY = (Do.SET_POSITION, Do.SET_CUBE, Do.RESIGN, Do.UNREAD)


def _play(record: Record, game: Game, crawford: bool, found: _Found) -> PlayedGame:
    if not on_a_cube(game.cube):
        found.problems.append(f"game {game.number} begins with the cube at {game.cube}, which no cube shows")
    state = GameSoFar(cube=cube_at_start(game, record.length))
    state.cubes.append((state.cube, state.owner))
    conditions = Conditions(record.length, crawford, record.jacoby, found.rules, found.stated)
    told = unread = False
    for action in game.actions:
        problems = [] if unread else found.problems  # what cannot be read may have turned the cube: its faults are nobody's
        where = f"game {game.number}, row {action.row}" if action.row else f"game {game.number}"
        if state.over and action.do not in _BESIDE_PLAY:
            if not told:
                found.problems.append(f"{where}: {action.side.value} played on after the game was won")
            told = True
        elif action.do is Do.ROLL:
            _roll(state, game, action, where, found)
        elif action.do is Do.SET_POSITION:
            if action.position is not None:
                _put(state, action.position, where, found)
                state.last, state.placed, state.winner, state.off = None, True, None, action.position.off
        elif action.do is Do.SET_CUBE:
            put_cube(state, action, where, problems)
        elif action.do is Do.UNREAD:
            if state.judged and not state.over:
                found.problems.append(f"{where}: what stands here cannot be read: the rest of the game is not judged")
            state.judged, unread = False, True
        elif action.do is not Do.RESIGN:
            turn_cube(state, action, where, conditions, problems)
        state.positions.append(state.position)
        state.cubes.append((state.cube, state.owner))
    settle_result(state, game, conditions, [] if unread else found.problems)
    if unread and game.winner is not None:
        state.winner, state.points = game.winner, game.points
    positions, cubes = tuple(state.positions), tuple(state.cubes)
    return PlayedGame(game, state.winner, state.points, positions, cubes, state.judged, state.resigned, crawford)


def _put(state: GameSoFar, position: Position, where: str, found: _Found) -> None:
    """The board as the record gives it, which may be none: then no roll on it is judged."""
    state.position = position
    if defects := position.defects():
        why = "; ".join(defects).replace(Seat.NEAR.value, Side.LEFT.value).replace(Seat.FAR.value, Side.RIGHT.value)
        found.problems.append(f"{where}: the board is put where {why}: what is played on it is not judged")


def _roll(state: GameSoFar, game: Game, action: Action, where: str, found: _Found) -> None:
    assert action.dice is not None
    side, dice = action.side, action.dice
    if state.offered is not None and state.judged:
        found.problems.append(f"{where}: {side.value} rolled while a double waited for its answer")
        state.offered = None
    state.beaver = None
    if found.work >= found.limit:
        state.judged = False
    if not state.judged or state.position.defects():
        return
    if state.last is side and not closed_out(state.position, side.other.seat):  # who cannot enter need not roll
        found.problems.append(f"{where}: {side.value} rolled twice running")
    if state.untouched and dice[0] == dice[1] and game.cube == 1 and not found.rules.first_throw_refusal:
        found.problems.append(f"{where}: {side.value} begins with {dice[0]}{dice[1]}, but the first throw is two different numbers")
    state.last = side
    before = state.position
    legal = found.rules.plays(before, side.seat, dice)
    found.work += 8 + len(legal)

    def finding(after: Position | None = None) -> Finding:
        return Finding(game.number, action.row, side, action.text or _written(action), dice, before, after, len(state.positions))

    if action.position is not None:
        _put(state, action.position, where, found)
        if action.position not in legal:
            found.work += (_ILLEGAL_WORK + 4 * len(legal)) * found.limit // WORK_LIMIT
            found.illegal.append(finding(action.position))
        return
    if not action.steps:
        if legal and holds_unread(action):
            found.breaks.append(finding())
            state.judged = False
        elif legal:
            found.unplayed.append(finding())
        return
    first: Position | None = None
    for position in made_by(before, side.seat, dice, action.steps):
        found.work += _TRY_WORK
        first = first or position
        if position is not None and position in legal:
            state.position = position
            return
    if first is None or holds_unread(action):  # of what cannot be read nobody is accused
        found.breaks.append(finding())
        state.judged = False
        return
    state.position = first
    found.work += (_ILLEGAL_WORK + 4 * len(legal)) * found.limit // WORK_LIMIT
    found.illegal.append(finding(first))


def _written(action: Action) -> str:
    """A roll and its steps in words, for a record that has no text of its own."""
    assert action.dice is not None
    return f"{action.dice[0]}{action.dice[1]}: {steps_text(action.steps or ())}".strip()


def made_by(before: Position, seat: Seat, dice: tuple[int, int], steps: tuple[Step, ...]) -> Iterator[Position | None]:
    """What ``steps`` can mean, as written first: one position a try, None for a try that cannot be made on the board.

    A step over both dice may touch down on either number's point; steps are also tried in another order than written,
    because some programs sort them. More steps than a double has are tried as written and highest first.
    """
    if len(steps) > 4:
        yield _make(before, seat, steps)
        yield _make(before, seat, sorted(steps, reverse=True))
        return
    tried: set[tuple[Step, ...]] = set()
    for order in permutations(steps):
        for way in product(*(_ways(step, dice) for step in order)):
            single = tuple(s for part in way for s in part)
            if single not in tried:
                tried.add(single)
                yield _make(before, seat, single)


def _ways(step: Step, dice: tuple[int, int]) -> Iterator[tuple[Step, ...]]:
    """A step as written, then as single moves over the points between."""
    yield (step,)
    source, target = step
    if dice[0] == dice[1]:
        if source - target > dice[0]:
            stops = [*range(source, target, -dice[0]), target]
            yield tuple(pairwise(stops))
        return
    for first in dice:
        stop = source - first
        if stop > target:
            yield (source, stop), (stop, target)


def _make(before: Position, seat: Seat, steps: Sequence[Step]) -> Position | None:
    """The position after single steps in order, hitting every blot landed on; None when one cannot be made."""
    position = before
    for source, target in steps:
        if not position.on_point(seat, source):
            return None
        blots = 0
        if target != OFF:
            blots = position.on_point(seat.other, 25 - target)
            if blots > 1:
                return None
        if source == OFF or target == BAR:
            return None
        position = make(position, seat, (Move(source, target, blots == 1),))
    return position
