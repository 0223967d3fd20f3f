"""Whole games of honest players before a camera, interrupted as evenings are: nobody is ever accused."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest

from referee.board.notation import format_play
from referee.board.plays import LegalPlays
from referee.match import commands as c
from referee.match.arbiter.consider import consider
from referee.match.arbiter.memory import Memory
from referee.match.folding import fold
from referee.match.journal import MemoryJournal
from referee.match.state import Phase
from referee.match.table import TableService
from referee.observations import Reading
from referee.rules.presets import preset
from web.cli.bench._confusion import Confusion, Scene, random_game
from web.cli.bench._players import PACES, Habits, filmed, watched
from web.cli.bench._refereed import Refereed, truth_of

SHARE = 0.03  # of the looks at the board before which something comes between
PERFECT = Confusion(**dict.fromkeys(Confusion.__dataclass_fields__, 0.0))
CALM = Habits(**dict.fromkeys(Habits.__dataclass_fields__, 0.0))


class Interrupted(Refereed):
    """A game at a table at which ``what`` happens now and then."""

    def __init__(self, seed: int, what: str) -> None:
        rng = random.Random(seed)
        turns, scenes = random_game(rng, 0.0)
        super().__init__(turns, truth_of(turns, scenes), stills=False)
        self.what, self.rng = what, random.Random(f"{what} {seed}")
        self.times = 0
        self.readings = watched(filmed(turns, scenes, PACES["calm"], CALM, rng), rng, PERFECT, CALM)

    def watch(self, readings: Iterable[tuple[Scene, Reading]]) -> None:
        super().watch(self._between(readings))

    def _between(self, readings: Iterable[tuple[Scene, Reading]]) -> Iterable[tuple[Scene, Reading]]:
        for scene, reading in readings:
            if self.rng.random() < SHARE:
                self.times += bool(self._happens(scene))
            yield scene, reading

    def _happens(self, scene: Scene) -> bool:
        """Whether anything did."""
        state, true = self.table.state, self.turns[min(scene.turn, len(self.turns) - 1)]
        match self.what:
            case "started anew":
                journal = MemoryJournal()
                journal.append(self.table.log)
                self.table = TableService(journal, preset("bray"), consider, Memory())
            case "slept":
                self.table.slept()
            case "played on in a pause":
                self.say(c.Resume if state.phase is Phase.PAUSED else c.Pause)
            case "rolls told by hand":
                told = scene.what == "throw" and self.turn == scene.turn > 0 and true.roll is not None
                return told and self.say(c.EnterRoll, dice=true.roll)
            case "plays told by hand":
                made = self.turn == scene.turn and state.phase is Phase.ROLLED and scene.position == true.final
                if not made or true.roll is None or sorted(state.dice or ()) != sorted(true.roll):
                    return False
                play = LegalPlays(true.before, true.seat, true.roll).results.get(true.final)
                return self.say(c.EnterPlay, play=format_play(play) if play is not None else "")
        return True

    def say(self, kind: type[c.Command], **values: Any) -> bool:
        return isinstance(self.table.command(kind(seen_seq=self.table.state.seq, **values)), c.Accepted)


@pytest.mark.parametrize("what", ["started anew", "slept", "played on in a pause", "rolls told by hand", "plays told by hand"])
def test_a_game_that_is_interrupted_accuses_nobody(what: str) -> None:
    game = Interrupted(2, what)
    game.watch(game.readings)
    assert game.times > 2
    assert game.tally.alarms == 0, game.tally.faults
    assert fold(game.table.log) == game.table.state
    if what != "played on in a pause":  # of which a person is asked what was played
        assert not game.tally.faults
