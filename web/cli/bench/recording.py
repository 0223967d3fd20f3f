"""Recordings that nobody answers for: turns followed, turns told that never were, legal plays called illegal.

Random games as those of ``arbiter``, one picture a moment, by eyes that are as unsure as on boards never seen, with dice of 14 to 20 pixels
(`vision/models/README.md`). A turn is followed where who rolled what, and what stood in the end, are told in their order; one of which
anything is left open is not. An illegal play of a roll of which a die was overlooked is taken for the legal one of another number.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from difflib import SequenceMatcher

from referee.board.position import Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.journal import MemoryJournal
from referee.match.table import open_table
from referee.match.unattended import Unattended
from web.cli.bench._confusion import Confusion, TrueTurn, pictures, random_game
from web.cli.bench._refereed import tell

UNSURE = Confusion(
    miscount=0.025, needless=0.04, blind_miscount=0.0, die_value=0.02, die_state=0.05, blind_die_state=0.003, missed_die=0.02,
    false_die=0.02, no_cube=0.04, dropped=0.0, lasting=1.0,
)  # fmt: skip
ENDS = (e.Played, e.PlayCorrected, e.IllegalPlayStood)
Told = tuple[Seat, tuple[int, ...], object]
"""A turn: who rolled, what, and the position after it (points and bar; None: left open)."""


def watched(seed: str, illegal: float) -> tuple[list[TrueTurn], tuple[e.Logged, ...]]:
    """A random game, and the log of a table that watched it."""
    rng = random.Random(seed)
    turns, scenes = random_game(rng, illegal)
    table = open_table(MemoryJournal(), stills=True)
    table.command(c.StartMatch(seen_seq=0, names=("", ""), games=1))
    alone = Unattended(table)
    for _, reading in pictures(scenes, rng, UNSURE, 1):
        alone.observe(reading)
    alone.finish(reading.captured_at)
    return turns, tuple(table.log)


def told(log: tuple[e.Logged, ...]) -> tuple[list[Told], set[int]]:
    """The turns that ``log`` tells, and the places among them of those that it calls illegal."""
    turns: list[Told] = []
    called: set[int] = set()
    for event in (one.event for one in log):
        if isinstance(event, e.Rolled | e.OpeningRolled):
            turns.append((event.seat, tuple(sorted(event.dice)), None))
        elif turns and isinstance(event, ENDS):
            turns[-1] = (*turns[-1][:2], (event.position.points, event.position.bar))
            if not isinstance(event, e.Played):
                called.add(len(turns) - 1)
    return turns, called


def run(json_out: bool, turns: int = 4000, seed: int = 1, illegal: float = 0.05) -> int:
    """Measures and prints. ``illegal``: share of the plays. Exit status 1 when a legal play is called illegal."""
    started, game = time.perf_counter(), 0
    count: Counter[str] = Counter()
    while count["turns"] < turns:
        truth, log = watched(f"{seed} {game}", illegal)
        rolled = [(one, tuple(sorted(one.roll))) for one in truth if one.roll is not None]
        true: list[Told] = [(one.seat, roll, (one.final.points, one.final.bar)) for one, roll in rolled]
        seen, called = told(log)
        matches = SequenceMatcher(None, true, seen, autojunk=False).get_matching_blocks()
        followed = [(match.a + i, match.b + i) for match in matches for i in range(match.size)]
        # Of two equal turns of which one was followed it may have been the illegal one.
        lost = set(range(len(true))) - {place for place, _ in followed}
        either = [true[place] for place in lost if rolled[place][0].illegal is not None]
        accused = sum(rolled[place][0].illegal is None and at in called and true[place] not in either for place, at in followed)
        count.update(turns=len(true), followed=len(followed), untrue=sum(turn[2] is not None for turn in seen) - len(followed))
        count.update(accused=accused, questions=sum(isinstance(one.event, e.Doubt) for one in log))
        game += 1
    report = {
        "part": "recording", "seed": seed, "games": game, "turns": count["turns"], "followed": count["followed"], "told_that_never_were":
        count["untrue"], "legal_called_illegal": count["accused"], "questions": count["questions"],
        "seconds": round(time.perf_counter() - started, 1),
    }  # fmt: skip
    sentence = (
        f"{game} games: {count['followed']} of {count['turns']} turns followed ({100 * count['followed'] / count['turns']:.1f} %), "
        f"{count['untrue']} told that never were, {count['accused']} legal plays called illegal, {count['questions']} questions"
    )
    tell(report, None if json_out else sentence, [])
    return 1 if count["accused"] else 0
