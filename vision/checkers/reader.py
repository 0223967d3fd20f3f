"""Reads the checkers of a still picture: colour and count of every point and the bar, with honest doubt.

Every point is cut out as a straight strip and a small net says how likely each count of each colour is, and whether
something is in the way. What the rules allow, or what stood there before, is never asked.
"""

from __future__ import annotations

import copy
from typing import Any

from numpy.typing import NDArray

from referee.board.position import START, Position
from vision.checkers.answer import CheckerAnswer, interpret
from vision.checkers.colours import learn_palette, likeness_table, plain_palette
from vision.checkers.looks import CheckerLooks
from vision.checkers.memory import Memory
from vision.checkers.net import BAR_MODEL, CLOSE_MODEL, OFF_MODEL, WIDE_MODEL, CountLook, PointsLook
from vision.checkers.off import likelihoods
from vision.checkers.set_up_light import SetUpLight
from vision.checkers.strips import BARS, CLOSE, OFF, WIDE
from vision.checkers.whose import learn_whose
from vision.table import Table


class CheckerReader:
    """Reads one table, in pictures of its camera's size. ``start`` ((h, w, 3) BGR) is one of the known ``position``; without it only the
    two colours of ``table`` are known, and there will be more doubt."""

    def __init__(self, table: Table, start: NDArray[Any] | None = None, position: Position = START) -> None:
        points = position.points
        picture = start if any(n > 0 for n in points) and any(n < 0 for n in points) else None
        self._wide = PointsLook(WIDE_MODEL, WIDE, table, picture, points)
        self._close = PointsLook(CLOSE_MODEL, CLOSE, table, picture, points)
        self._bar = CountLook(BAR_MODEL, BARS, table, picture if position.bar == (0, 0) else None)
        self._off = CountLook(OFF_MODEL, OFF, table, picture if points == START.points else None)
        seen = self._wide.start
        palette = plain_palette(table.near_rgb, table.far_rgb) if seen is None else learn_palette(seen, points)
        self._lookup = likeness_table(palette)
        self._whose = learn_whose(seen, points) if seen is not None else None
        self._light = SetUpLight.of(table, picture) if picture is not None else None
        self._memory = Memory()

    def moved(self, table: Table) -> CheckerReader:
        """The same reader, with all it has learned, for the board at its new place in the picture."""
        other = copy.copy(self)
        other._wide, other._close = self._wide.moved(table), self._close.moved(table)
        other._bar, other._off = self._bar.moved(table), self._off.moved(table)
        other._light = None if self._light is None else self._light.moved(table)
        other._memory = Memory()
        return other

    def read(self, image: NDArray[Any], stream: bool = False) -> CheckerAnswer:
        """Reads a settled picture (h, w, 3) BGR of this table. In a ``stream`` of them, strips that were plainly read twice and have not
        changed since are not looked at again."""
        image = image if self._light is None else self._light.restored(image)
        strips = self._wide.cutter.cut(image)
        memory = self._memory if stream else Memory()
        memory.see(strips)
        looks = CheckerLooks(self._wide, self._close, self._bar, self._lookup, image, strips, memory)
        odds = self._whose.odds(strips) if self._whose is not None else None
        answers = looks.first()
        apart = self._whose is not None and not self._whose.shared
        answer = interpret(answers, odds, apart=apart)
        if answer.doubts or answer.position.off != (0, 0):
            answers = looks.more(answers, answer)
            off = likelihoods(self._off.answer(image, self._lookup), 1 - float(self._off.cutter.inside.mean()))
            answer = interpret(answers, odds, off, apart)
        memory.keep(answer.doubted)
        return answer
