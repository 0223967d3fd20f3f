"""Rulings on random games read by eyes that misread: legal plays called illegal, illegal ones missed, questions asked.

Games are played at random to their end, one play in twenty illegal; the readings are drawn from the model that
`web.cli.bench._confusion.Confusion` states, with its rates. A person answers each question truly: by one of its answers where the truth
is among them, else by setting position and turn by hand. What the camera saw goes through the same table service as live play.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, replace

import click

from web.cli.bench._confusion import Confusion, pictures
from web.cli.bench._refereed import Tally, refereed, tell

ILLEGAL = 0.05


def play(turns: int, seed: int, confusion: Confusion, stills: bool) -> Tally:
    """What comes of random games seen in stills, or in three readings a moment."""
    return refereed(turns, seed, ILLEGAL, stills, lambda _, scenes, rng: pictures(scenes, rng, confusion, 1 if stills else 3))


def run(json_out: bool, turns: int = 10_000, seed: int = 1, mode: str = "both", show: int = 0, perfect: bool = False) -> int:
    """Measures and prints. ``mode``: stills (one picture a moment), stream (three readings a moment) or both. ``show`` so many faults.
    ``perfect`` 1: eyes without faults. Exit status 1 when a legal play is called illegal, fewer than 99 % of the illegal ones whose
    roll was made out and that were not finished in time are called, or more than 2 questions in 100 turns are asked."""
    if mode not in ("both", "stills", "stream"):
        raise click.UsageError("--mode is stills, stream or both")
    rates = Confusion()
    confusion = replace(rates, **dict.fromkeys(asdict(rates), 0.0)) if perfect else rates
    worst = 0
    for stills in (True, False) if mode == "both" else (mode == "stills",):
        started = time.perf_counter()
        tally = play(turns, seed, confusion, stills)
        took = time.perf_counter() - started
        report = {
            "part": "arbiter", "mode": "stills" if stills else "stream", "seed": seed, "turns": tally.turns, "readings": tally.readings,
            "legal": tally.legal, "legal_called_illegal": tally.alarms, "illegal": tally.illegal, "illegal_called": tally.caught,
            "illegal_called_after_a_question": tally.by_question,
            "illegal_of_a_roll_not_made_out": tally.unannounced, "illegal_finished_in_time": tally.in_time,
            "wrong_and_not_asked": tally.silent, "questions": tally.questions,
            "questions_in_100_turns": round(100 * tally.questions / tally.turns, 2), "put_right_by_hand": tally.by_hand,
            "bad_throws": tally.true_voids, "voided": tally.voids, "asked_about": dict(tally.about.most_common()),
            "seconds": round(took, 1), "ms_a_reading": round(1000 * took / max(1, tally.readings), 2), "model": asdict(confusion),
        }
        tell(report, None if json_out else _sentence(report), tally.faults[:show])
        called = tally.caught + tally.by_question >= 0.99 * (tally.illegal - tally.unannounced - tally.in_time)
        good = tally.alarms == 0 and called and tally.questions <= 0.02 * tally.turns
        worst = max(worst, 0 if good else 1)
    return worst


def _sentence(report: Mapping[str, object]) -> str:
    return (
        f"{report['mode']}: {report['turns']} turns, {report['readings']} readings in {report['seconds']} s: "
        f"{report['legal_called_illegal']} of {report['legal']} legal plays called illegal, "
        f"{report['illegal_called']} of {report['illegal']} illegal plays called at once and "
        f"{report['illegal_called_after_a_question']} after a question ({report['illegal_of_a_roll_not_made_out']} of a roll not seen, "
        f"{report['illegal_finished_in_time']} finished in time), "
        f"{report['questions']} questions ({report['questions_in_100_turns']} in 100 turns: {report['asked_about']}), "
        f"{report['wrong_and_not_asked']} positions wrong with nothing asked"
    )
