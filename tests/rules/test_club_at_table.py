"""A club's own rule set at the table: offered, played under, and kept with the match."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from referee.match import commands as c
from referee.match.commands import Accepted, Refused
from referee.records.store import Store
from web.cli._service import club_sets, make_house

CLUB = 'name = "Thursday club"\nbase = "bray"\nbackgammon_pays = 2\n'


def test_a_match_is_played_under_the_clubs_own_set_and_goes_on_so(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(CLUB)
    with Store(tmp_path / "a.db") as store:
        house = make_house(store, sets=club_sets([str(tmp_path / "club.toml")]))
        rules, title = house.rule_sets[0]
        assert (rules.name, title) == ("Thursday club", "Thursday club: the club’s own")
        done = house.desk.command(c.StartMatch(seen_seq=0, names=("A", "B"), rules="Thursday club"))
        assert isinstance(done, Accepted)
        assert house.desk.service.rules.backgammon_pays == 2
        other = house.desk.command(c.StartMatch(seen_seq=1, names=("A", "C"), rules="Thursday club"))
        assert isinstance(other, Accepted), "a second match, in a log of its own"
    with Store(tmp_path / "a.db") as store:
        again = make_house(store)
        assert (again.desk.state.rules, again.desk.service.rules.backgammon_pays) == ("Thursday club", 2), "the file is not needed any more"
        gone = again.desk.command(c.StartMatch(seen_seq=1, names=("A", "D"), rules="Thursday club"))
        assert isinstance(gone, Refused) and gone.reason.code == "no_rule_set"


def test_a_set_that_cannot_be_offered_is_named(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text('name = "bray"')
    (tmp_path / "one.toml").write_text(CLUB)
    (tmp_path / "two.toml").write_text(CLUB)
    (tmp_path / "bad.toml").write_text("crawford = 3")
    for files in (["club.toml"], ["one.toml", "two.toml"], ["bad.toml"], ["none.toml"]):
        with pytest.raises(click.UsageError):
            club_sets([str(tmp_path / file) for file in files])
