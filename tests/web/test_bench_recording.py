"""The benchmark of recordings in small: nobody is accused, and next to nothing is lost or made up."""

from __future__ import annotations

import json

from click.testing import CliRunner

from referee.match import events as e
from web.cli.bench import command
from web.cli.bench.recording import told, watched


def test_a_recording_that_nobody_answers_for_accuses_nobody_and_is_followed() -> None:
    done = CliRunner().invoke(command, ["recording", "--turns", "250", "--seed", "3", "--json"])
    report = json.loads(done.output)
    assert done.exit_code == 0
    assert report["legal_called_illegal"] == 0
    assert report["followed"] >= 0.95 * report["turns"]
    assert report["told_that_never_were"] <= 0.01 * report["turns"]


def test_a_turn_that_was_left_open_is_none_that_was_followed() -> None:
    truth, log = watched("1 4", 0.05)
    whole, _ = told(log)
    cut = next(place for place in range(len(log) - 1, 0, -1) if isinstance(log[place].event, e.Played))
    short, _ = told(log[:cut])
    assert short[-1][2] is None
    assert short[:-1] == whole[: len(short) - 1]
    assert len(whole) <= len(truth)
