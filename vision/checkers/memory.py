"""What the nets have said of strips that have not changed since: in a stream of pictures of one board, most have not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vision.checkers.input import OUTPUTS
from vision.checkers.strips import STRIPS, Image, block_means

Outputs = NDArray[np.float64]
"""What a net says of strips, (n, outputs), or of one."""

SAME = 8.0  # grey levels that no block's mean may differ by; of 6,090 labelled strips on which the count changed none did by less than 28
DARK = 8.0  # grey levels that keep the darkest blocks from counting in how much brighter a picture is
LOOKS = 2  # so often a strip is looked at as it is now before an answer is believed again: a play is never ruled on by one look


class Memory:
    """The nets' answers to the strips of one table at one place in the picture, as long as a strip looks the same.

    Only what the nets said is kept, each answer as it was, where nothing was left in doubt: what they mean together is weighed anew each
    time, and so the same as if all had been asked for."""

    def __init__(self) -> None:
        self._blocks: NDArray[np.float32] | None = None
        self._now: NDArray[np.float32] | None = None
        self._looks = np.zeros(STRIPS, np.int64)
        self._same = self._known = np.zeros(STRIPS, bool)
        self._kept: dict[str, dict[int, Outputs]] = {}
        self._asked: defaultdict[str, dict[int, Outputs]] = defaultdict(dict)

    def see(self, strips: Image) -> NDArray[np.bool_]:
        """Takes the ``strips`` (25, length, width, 3) of the next picture: which of them need not be looked at."""
        self._now = block_means(strips)
        self._asked.clear()
        if self._blocks is not None:
            before = self._blocks + DARK
            brighter = np.median((self._now + DARK) / before, axis=(1, 2), keepdims=True)  # as cameras adapt to a hand or a cloud
            self._same = np.asarray(np.abs(self._now + DARK - brighter * before).max((1, 2, 3)) < SAME)
        self._known = self._same & (self._looks >= LOOKS)
        return self._known

    def answers(self, look: str, which: NDArray[np.int64], ask: Callable[[NDArray[np.int64]], Outputs]) -> Outputs:
        """A ``look``'s answers (n, outputs) to the strips ``which``, those kept where they are known; `ask` is called with the others."""
        kept, asked = self._kept.get(look, {}), self._asked[look]
        asked |= {int(strip): kept[strip] for strip in which if self._known[strip] and strip in kept}
        fresh = np.array([strip for strip in which if int(strip) not in asked], np.int64)
        if len(fresh):
            asked |= dict(zip(fresh.tolist(), ask(fresh), strict=True))
        return np.array([asked[int(strip)] for strip in which]) if len(which) else np.zeros((0, OUTPUTS))

    def keep(self, doubted: NDArray[np.bool_]) -> None:
        """Keeps the answers to the picture last seen; ``doubted`` (25,): strips whose answers are not worth keeping."""
        assert self._now is not None, "`see` comes first"
        if self._blocks is None:
            self._blocks = self._now.copy()
        self._blocks[~self._known] = self._now[~self._known]
        self._looks = np.where(doubted, 0, np.where(self._same, self._looks + 1, 1))
        for look in self._kept.keys() | self._asked.keys():
            before = {strip: answer for strip, answer in self._kept.get(look, {}).items() if self._same[strip]}
            now = before | self._asked[look]
            self._kept[look] = {strip: answer for strip, answer in now.items() if not doubted[strip]}
