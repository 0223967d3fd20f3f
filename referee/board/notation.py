"""Standard notation both ways: ``24/18*/13``, ``8/5(2)``, ``bar/21``, ``6/off``.

A *path* is one checker's way in a turn, each point it touches. Reading is tolerant: ``0`` or ``o`` for off, ``25``
or ``b`` for the bar, commas, hyphens for strokes, a roll in front (``62: 24/18 13/11``), a checker's way written in
steps or as one (``24/18 18/13`` or ``24/13``), and the words players write for a turn in which nothing moved.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from referee.board.plays import BAR, OFF, LegalPlays, Move, Play, make
from referee.board.position import Position, Seat

_NOTHING = frozenset({"", "0", "-", "fan", "fans", "dance", "dances", "no play", "no move", "cannot move", "bar/", "pass"})
_ROLL = re.compile(r"^\s*[1-6]\s*-?\s*[1-6]\s*:\s*")
_POINT = r"(?:bar|off|b|o|[0-9]{1,2})"
_PATH = re.compile(rf"({_POINT})((?:[/-]{_POINT}\*?)+)(\*?)(?:\(([1-4])\))?(\*?)", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;]|\.(?=\s|$)")
"""A phone's keyboard makes a full stop of two spaces."""
_STEP = re.compile(rf"[/-]({_POINT})(\*?)", re.IGNORECASE)


class NotationError(ValueError):
    """A text that is not in the notation of plays. Its message is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Path:
    """One checker's way as written: the points touched in order (25 bar, 0 off), and at which of them a hit is marked."""

    points: tuple[int, ...]
    hits: frozenset[int] = frozenset()


class Fault(Enum):
    """Why a written play is not a legal one. The first two mean it cannot be made on the board at all."""

    EMPTY_SOURCE = "empty_source"
    BLOCKED = "blocked"
    ILLEGAL = "illegal"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True)
class Parsed:
    """A written play against a position and a roll.

    ``play`` is the legal play it means, or None, and then ``fault`` says why and ``point`` where (the mover's own
    numbering; None for ILLEGAL and AMBIGUOUS). ``moves`` are always given; for a play that is not legal they are the
    steps as written. ``after`` is the position they lead to, None when they cannot be made.
    """

    moves: tuple[Move, ...]
    play: Play | None = None
    after: Position | None = None
    fault: Fault | None = None
    point: int | None = None


def format_play(play: Play) -> str:
    """Standard notation of a play; "" when nothing was moved."""
    return format_moves(play.moves)


def format_moves(moves: tuple[Move, ...]) -> str:
    """Standard notation of moves: one checker's steps as one, points between named only where it hit, equal ways counted."""
    ways: list[list[Move]] = []
    for move in sorted(moves, key=lambda m: -m.source):
        way = next((w for w in ways if w[-1].target == move.source), None)
        if way is None:
            ways.append([move])
        else:
            way.append(move)
    written: dict[tuple[int, ...], int] = {}
    hits: set[int] = {move.target for move in moves if move.hit}
    for way in ways:
        # A point touched on the way is named only where this checker hit; at its end the mark belongs to the whole group.
        points = (way[0].source, *(m.target for m in way[:-1] if m.hit), way[-1].target)
        written[points] = written.get(points, 0) + 1
    texts = []
    marked: set[int] = set()
    for points, count in sorted(written.items(), reverse=True):
        text = _name(points[0])
        for point in points[1:]:
            hit = point in hits and point not in marked
            text += f"/{_name(point)}{'*' if hit else ''}"
            if hit:
                marked.add(point)
        texts.append(text + (f"({count})" if count > 1 else ""))
    return " ".join(texts)


def parse_paths(text: str) -> tuple[Path, ...]:
    """The ways written in ``text``, one for each checker; a count gives as many. Raises `NotationError`."""
    body = _ROLL.sub("", text).strip()
    if body.lower().strip("().") in _NOTHING:
        return ()
    paths: list[Path] = []
    for word in _BETWEEN.sub(" ", re.sub(r"\s+\(", "(", body)).split():
        match = _PATH.fullmatch(word)
        if match is None:
            raise NotationError(f"‘{word}’ is not a move; write one like 24/18, 8/5(2), bar/21* or 6/off")
        source, rest, star, count, late_star = match.groups()
        points, hits = [_number(source, word)], set()
        for target, mark in _STEP.findall(rest):
            points.append(_number(target, word))
            if mark:
                hits.add(points[-1])
        if star or late_star:
            hits.add(points[-1])
        if OFF in points[:-1] or BAR in points[1:]:
            raise NotationError(f"‘{word}’ is not a move: no checker moves on from off or back to the bar")
        paths.extend([Path(tuple(points), frozenset(hits))] * int(count or 1))
    return tuple(paths)


def parse_play(text: str, position: Position, seat: Seat, roll: tuple[int, int], **rules: bool) -> Parsed:
    """What ``text`` means for ``seat`` with ``roll``. Raises `NotationError` when it cannot be read at all.

    ``rules`` are those of `LegalPlays`. A hit that is not marked is made all the same, a mark where nobody stands is
    passed over. Where one checker's way is written as one and the way it went makes a difference, the way that agrees
    with the marks is taken; when several do, the fault is AMBIGUOUS.
    """
    paths = parse_paths(text)
    moves, fault, point = _literal(paths, position, seat)
    after = None if fault in (Fault.EMPTY_SOURCE, Fault.BLOCKED) else make(position, seat, moves)
    plays = LegalPlays(position, seat, roll, **rules)
    if not moves and not plays:
        return Parsed((), Play((), position), position)
    marked = frozenset(p for path in paths for p in path.hits)
    if after is not None:
        play = plays.results.get(after)
        if play is not None and marked <= {m.target for m in play.moves}:
            return Parsed(play.moves, play, after)
        same = [p for p in plays if p.result.side(seat) == after.side(seat)] if moves else []
        hits = [{m.target for m in p.moves if m.hit} for p in same]
        fitting = [p for p, made in zip(same, hits, strict=True) if marked <= made] or ([play] if play else same)
        if len(fitting) == 1:
            return Parsed(fitting[0].moves, fitting[0], fitting[0].result)
        if fitting:
            return Parsed(moves, None, after, Fault.AMBIGUOUS)
    return Parsed(moves, None, after, fault or Fault.ILLEGAL, point)


def _literal(paths: tuple[Path, ...], position: Position, seat: Seat) -> tuple[tuple[Move, ...], Fault | None, int | None]:
    """The steps as written, hits where a blot stands, and the first thing that keeps them from being made."""
    steps = [step for path in paths for step in zip(path.points, path.points[1:], strict=False)]
    steps.sort(key=lambda step: -step[0])
    own = {point: position.on_point(seat, point) for point in range(OFF, BAR + 1)}
    theirs = {point: position.on_point(seat.other, 25 - point) for point in range(1, BAR)}
    moves: list[Move] = []
    fault: Fault | None = None
    where: int | None = None
    for source, target in steps:
        hit = target != OFF and theirs[target] == 1
        moves.append(Move(source, target, hit))
        if fault is None and own[source] < 1:
            fault, where = Fault.EMPTY_SOURCE, source
        elif fault is None and target != OFF and theirs[target] > 1:
            fault, where = Fault.BLOCKED, target
        own[source] -= 1
        own[target] += 1
        if hit:
            theirs[target] = 0
    return tuple(moves), fault, where


def _name(point: int) -> str:
    return "bar" if point == BAR else "off" if point == OFF else str(point)


def _number(text: str, word: str) -> int:
    lowered = text.lower()
    if lowered in ("bar", "b"):
        return BAR
    if lowered in ("off", "o"):
        return OFF
    number = int(text)
    if number > BAR:
        raise NotationError(f"‘{word}’ is not a move: points are numbered 1 to 24, the bar is 25 and off is 0")
    return number
