"""Throws that the tower tells of before their turn: what stands, what is asked about, and when it is gone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board import LegalPlays, Seat, format_play
from referee.match.commands import AcceptResignation, EnterPlay, EnterRoll, Resign, StartGame
from referee.match.events import DiceLifted, Doubt, EarlyRoll, GameWon, Kind, Logged, OpeningRolled, Played, Rolled
from referee.match.folding import apply
from referee.match.journal import MemoryJournal
from referee.match.shown.wording import log_line
from referee.match.state import Phase
from referee.match.table import open_table
from referee.match.witness import Witness, Witnesses, camera_looks, camera_says, time_passes, tower_says
from referee.observations import Rests
from referee.rules.presets import preset
from tests.match.tower_said import BRAY, ROLL, inside, look, opening, playing, playing_on, throw


def test_a_throw_before_its_turn_that_the_tower_alone_tells_of_stands_or_is_asked_about() -> None:
    """It cannot see whether the other has taken up his dice: it never says that a player threw too soon."""
    for rules, kind in (("bray", EarlyRoll), ("traditional", Doubt), ("magriel", Doubt)):
        for who in (Witness(camera_on=False), Witness(Witnesses.BOTH, camera_on=False), Witness(Witnesses.TOWER)):
            _, events = tower_says(playing_on(rules), throw((4, 4), seat=Seat.NEAR), preset(rules), who, 10.0)
            assert [type(e) for e in events] == [kind]


def test_dice_thrown_when_the_other_has_taken_up_his_are_no_offence() -> None:
    """Quick players throw before the play is judged."""
    for rules in ("bray", "traditional", "magriel"):
        for said in (throw(None, seat=Seat.NEAR), throw((4, 4), seat=Seat.NEAR), throw((4, 4), seat=Seat.NEAR, rests=Rests.INSIDE)):
            _, events = tower_says(playing_on(rules, DiceLifted(Seat.FAR)), said, preset(rules), Witness(), 10.0)
            assert [e for e in events if not isinstance(e, EarlyRoll)] == []


def test_whether_a_throw_came_too_soon_is_the_cameras_to_see() -> None:
    for rules in ("bray", "traditional", "magriel"):
        for values in (None, (4, 4)):
            assert tower_says(playing_on(rules), throw(values, seat=Seat.NEAR), preset(rules), Witness(), 10.0)[1] == ()


@pytest.mark.parametrize("who", [Witnesses.TOWER, Witnesses.BOTH])
@pytest.mark.parametrize("seat", [Seat.NEAR, None])
def test_a_throw_felt_before_the_play_was_judged_is_felt(who: Witnesses, seat: Seat | None) -> None:
    """However long the judging takes, nobody has to answer whether it counts."""
    state, roll = playing_on("bray", DiceLifted(Seat.FAR)), (Rolled(Seat.NEAR, (4, 3)),)
    witness, _ = tower_says(state, throw(None, seat=seat), BRAY, Witness(who), 10.0)
    witness, events = time_passes(state, BRAY, witness, 20.0)
    state = apply(state, Logged(state.seq + 1, Played(Seat.FAR, (6, 2), "", state.position)))
    assert (events, time_passes(state, BRAY, witness, 20.0)[1]) == ((), ())
    witness, events, _ = camera_says(roll, witness, 20.0)
    assert events == roll
    assert camera_says(roll, witness, 30.0)[1] == (), "it was felt once"


def test_a_throw_read_early_that_the_camera_misses_is_asked_about_when_its_turn_comes() -> None:
    state = playing_on("bray")
    witness, _ = tower_says(state, throw((4, 4), seat=Seat.NEAR), BRAY, Witness(), 10.0)
    witness, events = time_passes(state, BRAY, camera_looks(look(20.0), witness), 20.0)
    assert events == ()
    after = apply(state, Logged(state.seq + 1, Played(Seat.FAR, (6, 2), "", state.position)))
    witness, events = time_passes(after, BRAY, witness, 20.5)
    assert events == ()
    _, (doubt,) = time_passes(after, BRAY, camera_looks(look(24.0), witness), 24.0)
    assert isinstance(doubt, Doubt)
    assert [answer.events for answer in doubt.answers] == [(Rolled(Seat.NEAR, (4, 4)),), ()]


def test_a_throw_felt_early_is_gone_with_its_turn() -> None:
    state = playing_on("bray")
    witness, _ = tower_says(state, throw((4, 4), seat=Seat.NEAR), BRAY, Witness(), 10.0)
    differing = camera_says((Rolled(Seat.NEAR, (4, 3)),), witness, 11.0)[1]
    assert isinstance(differing[0], Doubt), "both have read it"
    for event in (Rolled(Seat.NEAR, (4, 3)), GameWon(Seat.FAR, 1, Kind.SINGLE)):
        witness, _ = time_passes(apply(state, Logged(state.seq + 1, event)), BRAY, witness, 12.0)
        assert witness.ahead is None


def test_an_opening_die_reported_late_is_no_throw_before_its_turn() -> None:
    for rules in ("bray", "traditional", "magriel"):
        state = opening(rules)
        state = apply(state, Logged(state.seq + 1, OpeningRolled(Seat.NEAR, (6, 2)), 11.0))
        for values in (None, (2,)):
            assert tower_says(state, throw(values, at=10.5), preset(rules), Witness(), 11.2)[1] == ()
    witness, _ = tower_says(state, throw((2,), at=10.5), BRAY, Witness(), 11.2)
    assert camera_says(ROLL, witness, 12.0)[1] == ROLL


def test_an_early_throw_that_stands_is_the_roll_when_its_turn_comes() -> None:
    journal = MemoryJournal()
    table = playing(journal)
    table.throw(replace(inside((4, 3)), seat=Seat.FAR))
    table = open_table(journal, clock=lambda: 10.0)  # the program was ended meanwhile
    near = next(iter(LegalPlays(table.state.position, Seat.NEAR, (3, 1))))
    table.command(EnterPlay(seen_seq=table.state.seq, play=format_play(near)))
    assert table.log[-1].event == Rolled(Seat.FAR, (4, 3)), "whether it came too soon nobody saw"
    said = [log_line(one, table.state) for one in table.log]
    assert not [text for text in said if "before the other turn" in text], said
    assert "Boris has thrown 4-3; it is the next roll" in said


def test_an_early_throw_is_gone_with_its_game() -> None:
    table = playing(MemoryJournal())
    table.throw(replace(inside((6, 6)), seat=Seat.FAR))
    table.command(Resign(seen_seq=table.state.seq, seat=Seat.NEAR))
    table.command(AcceptResignation(seen_seq=table.state.seq))
    table.command(StartGame(seen_seq=table.state.seq))
    table.command(EnterRoll(seen_seq=table.state.seq, dice=(3, 1)))
    play = next(iter(LegalPlays(table.state.position, Seat.NEAR, (3, 1))))
    table.command(EnterPlay(seen_seq=table.state.seq, play=format_play(play)))
    table.tick()
    assert (table.state.phase, table.state.game) == (Phase.TO_ROLL, 2)
