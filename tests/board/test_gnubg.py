"""Against GNU Backgammon, where it is installed: legal plays of positions from random games, and our IDs."""

from __future__ import annotations

from tests.gnubg import needs_gnubg
from web.cli.bench.plays import ask_gnubg, random_cases


@needs_gnubg
def test_gnubg_counts_the_same_plays() -> None:
    cases = random_cases(60)[:-1]
    answer = ask_gnubg(cases)
    assert answer["gnubg_cases"] == len(cases)
    assert answer["gnubg_disagreements"] == 0
