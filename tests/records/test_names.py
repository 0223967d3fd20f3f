"""Players' names come back from the two-column formats as they were, or the loss of them is said."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.match.names import clean_name, same_name
from referee.records.formats import NAMES_LOST, WRITERS, lost_in, read_bytes
from referee.records.gnubg import run_script
from referee.records.record import Do, Record
from tests.gnubg import needs_gnubg

STOOD = read_bytes(Path(__file__).with_name("illegal_play_stood.txt").read_bytes()).record
LONG = ("Maximilian Alexander Schmidt-M", "Bartholomew Fitzgerald-Jones Jr")
ODD = (
    ("#1 Anna", "; Boris"), ('; [Event "x"]', "#2"), ("Game 7", "A Game 1"), ("Max Takes", "Doubles Wins 2 points"), ("1) Anna", "(31)"),
    ("Anna\\", "\\"), ("علی\u200cرضا", "👩\u200d👧"),
)  # fmt: skip

_words = st.sampled_from(["#", ";", "Game 7", "31:", "Takes", "Wins 2 points", "1)", " ", "5 point match", "Ž", "Illegal play (", ")", ";"])
_names = (st.text(max_size=70) | st.lists(_words, max_size=8).map("".join)).map(clean_name).filter(bool)


def named(left: str, right: str) -> Record:
    return replace(STOOD, names=(left, right))


def back(record: Record, ending: str) -> Record:
    """The record out of its file; it must hold the same games, but that .mat puts the board that an illegal play left."""
    found = read_bytes(WRITERS[ending](record).encode())
    assert found.problems == ()
    played = [(a.side, a.do, a.dice) for a in found.record.games[0].actions if a.do is not Do.SET_POSITION]
    assert played == [(a.side, a.do, a.dice) for a in record.games[0].actions if a.do is not Do.SET_POSITION]
    if ending == ".txt":
        assert [a.position for a in found.record.games[0].actions] == [a.position for a in record.games[0].actions]
    return found.record


@settings(max_examples=150, deadline=None)
@given(_names, _names)
@example(*LONG)
@example("x" * 26, "y")
@example("x" * 60, "x" * 59 + "y")
@example("Anna: a", "Žižka " * 9)
@example("Game 7", "31: 8/5 Takes")
def test_every_name_comes_back_or_its_loss_is_said(left: str, right: str) -> None:
    if same_name(left, right):
        return
    record = named(left, right)
    for ending in (".mat", ".txt"):
        found = back(record, ending)
        assert (found.names == record.names) is (NAMES_LOST not in lost_in(record, ending)), ending
        assert all(found.names) and back(found, ending).names == found.names, "what was written once is written again"
    assert NAMES_LOST not in lost_in(record, ".sgf") + lost_in(record, ".json")


@pytest.mark.parametrize("names", [LONG, *ODD])
def test_names_of_31_bytes_and_of_odd_beginnings_are_no_loss(names: tuple[str, str]) -> None:
    for ending in (".mat", ".txt"):
        assert back(named(*names), ending).names == names
        assert NAMES_LOST not in lost_in(named(*names), ending)


@needs_gnubg
def test_gnubg_reads_the_same_names(tmp_path: Path) -> None:
    script = ["import json"]
    wanted = []
    for number, names in enumerate([LONG, *ODD]):
        for ending in (".mat", ".txt"):
            path = tmp_path / f"{number}{ending}"
            path.write_text(WRITERS[ending](named(*names)), encoding="utf-8")
            wanted.append([*names, 4 if ending == ".txt" else 6])  # the illegal play is a roll and a board, in .mat with the cube
            script += [
                f"gnubg.command('import mat {path}')",
                "m = gnubg.match(analysis=0, boards=0, statistics=0)",
                "print('@@' + json.dumps([*(m['match-info'][p]['name'] for p in 'XO'), len(m['games'][0]['game'])]))",
            ]
    said = run_script("\n".join(script), tmp_path, 60.0)
    assert [json.loads(line[2:]) for line in said.splitlines() if line.startswith("@@")] == wanted
