"""Rulings on players before a live camera, in a hurry or not: false accusations, wrong rolls, throws called void, questions.

Games are played at random, with the habits of real tables (`web.cli.bench._players`), and read at the gate's rhythm by eyes that misread as
`web.cli.bench._confusion.Confusion` states, but that none calls a flat die cocked without a doubt: nothing could be made of that. A person
answers each question truly, as in the benchmark of the arbiter.
"""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from typing import TypeVar

import click

from web.cli.bench._confusion import Confusion
from web.cli.bench._players import PACES, Habits, Pace, filmed, watched
from web.cli.bench._refereed import Tally, refereed, tell

Shares = TypeVar("Shares", Habits, Confusion)
EYES = replace(Confusion(), blind_die_state=0.0)


def play(turns: int, seed: int, pace: Pace, habits: Habits, confusion: Confusion, illegal: float) -> Tally:
    """What comes of random games at this ``pace`` before a live camera."""
    return refereed(
        turns, seed, illegal, False, lambda game, scenes, rng: watched(filmed(game, scenes, pace, habits, rng), rng, confusion, habits)
    )


def run(
    json_out: bool,
    turns: int = 2_000,
    seed: int = 1,
    pace: str = "all",
    illegal: float = 0.01,
    habits: float = 1.0,
    eyes: float = 1.0,
    show: int = 0,
) -> int:
    """Measures and prints. ``pace``: slow, calm, fast or all; ``illegal``: share of the plays that are; ``habits``, ``eyes``: what the
    shares of `Habits` and `Confusion` are multiplied by. ``show`` so many faults.
    Exit status 1 when more than one ruling in a hundred turns is wrong."""
    if pace != "all" and pace not in PACES:
        raise click.UsageError(f"--pace is {', '.join(PACES)} or all")
    ways, seen = _times(Habits(), habits), _times(EYES, eyes)
    worst = 0
    for name in PACES if pace == "all" else (pace,):
        started = time.perf_counter()
        tally = play(turns, seed, PACES[name], ways, seen, illegal)
        wrong = tally.alarms + tally.wrong_rolls + tally.wrong_voids + tally.silent + tally.missed
        report = {
            "part": "players", "pace": name, "habits": habits, "eyes": eyes, "seed": seed, "turns": tally.turns, "readings": tally.readings,
            "wrong_in_1000_turns": round(1000 * wrong / tally.turns, 2), "legal": tally.legal, "legal_called_illegal": tally.alarms,
            "wrong_rolls": tally.wrong_rolls, "good_throws_void": tally.wrong_voids, "wrong_and_not_asked": tally.silent,
            "illegal": tally.illegal, "illegal_called": tally.caught, "illegal_called_after_a_question": tally.by_question,
            "illegal_of_a_roll_not_made_out": tally.unannounced, "illegal_let_pass": tally.missed,
            "bad_throws": tally.true_voids, "voided": tally.voids,
            "questions_in_100_turns": round(100 * tally.questions / tally.turns, 2), "asked_about": dict(tally.about.most_common()),
            "put_right_by_hand": tally.by_hand, "seconds": round(time.perf_counter() - started, 1),
        }
        tell(report, None if json_out else _sentence(report), tally.faults[:show])
        worst = max(worst, int(wrong > 0.01 * tally.turns))
    return worst


def _times(shares: Shares, factor: float) -> Shares:
    """Every share multiplied, up to a half; how long a fault lasts is none."""
    return replace(shares, **{name: min(0.5, factor * share) for name, share in asdict(shares).items() if name != "lasting"})


def _sentence(report: dict[str, object]) -> str:
    return (
        f"{report['pace']}: {report['turns']} turns, {report['readings']} readings in {report['seconds']} s: "
        f"{report['legal_called_illegal']} of {report['legal']} legal plays called illegal, {report['wrong_rolls']} wrong rolls accepted, "
        f"{report['good_throws_void']} good throws called void, {report['wrong_and_not_asked']} positions wrong with nothing asked "
        f"({report['wrong_in_1000_turns']} in 1000 turns); {report['illegal_called']} of {report['illegal']} illegal plays called at once "
        f"and {report['illegal_called_after_a_question']} after a question, {report['illegal_let_pass']} let pass; "
        f"{report['questions_in_100_turns']} questions in 100 turns: {report['asked_about']}"
    )
