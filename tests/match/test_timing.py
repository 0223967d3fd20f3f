"""Whose time runs, phase by phase, at a table with a clock."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import START, Position, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.commands import Accepted
from referee.match.journal import Journal, MemoryJournal
from referee.match.shown.expect import possible
from referee.match.shown.views import clock_view
from referee.match.state import Phase
from referee.match.table import TableService
from referee.rules.presets import preset
from referee.rules.reason import because
from referee.rules.ruleset import ClockMode, RefereeSpeaks, RuleSet, TurnEnd
from tests.match.random_play import never

RULES = preset("usbgf")  # simple delay of 12 s, 2 minutes a point
NEAR, FAR = Seat.NEAR, Seat.FAR


class Timed:
    """A table on which time passes only when told."""

    def __init__(self, rules: RuleSet = RULES, journal: Journal | None = None) -> None:
        self.now = 1000.0
        self.table = TableService(journal or MemoryJournal(), rules, never, None, clock=lambda: self.now)

    def do(self, kind: type[c.Command], /, after: float = 0.0, **values: object) -> None:
        self.now += after
        outcome = self.table.command(kind(seen_seq=self.table.state.seq, **values))  # type: ignore[arg-type]
        assert isinstance(outcome, Accepted), outcome

    def begin(self) -> None:
        self.do(c.StartMatch, names=("Anna", "Boris"), length=5, rules=self.table.rules.name)
        self.do(c.StartGame, after=60)
        self.do(c.EnterRoll, after=60, dice=(3, 1))

    @property
    def shown(self) -> tuple[list[float], str | None]:
        view = clock_view(self.table.state, self.now, self.table.stands_since)
        assert view is not None
        return view["remaining"], view["running"]


def test_nothing_runs_before_the_opening_roll_and_then_the_starter_pays() -> None:
    at = Timed()
    at.begin()
    assert at.shown == ([600.0, 600.0], "near")
    at.do(c.EnterPlay, after=20, play="8/5 6/5")
    assert at.shown == ([592.0, 600.0], "far"), "twelve seconds are free"
    at.do(c.Double, after=10)
    assert at.shown == ([592.0, 600.0], "near"), "who must decide pays"
    at.do(c.Take, after=42)
    assert at.shown == ([562.0, 600.0], "far")


def test_both_stand_while_a_question_is_open_or_the_match_is_paused() -> None:
    at = Timed()
    at.begin()
    at.now += 15
    at.table.note(e.Doubt("play", because("several")))
    at.now += 100
    assert at.shown == ([597.0, 600.0], None)
    doubt = at.table.state.doubt
    assert doubt is not None
    at.do(c.AnswerDoubt, doubt_seq=doubt.seq, answer=None)
    at.now += 5
    assert at.shown == ([592.0, 600.0], "near"), "the free seconds of the turn are not given twice"
    at.do(c.Pause)
    at.now += 100
    at.do(c.Resume)
    assert at.shown == ([592.0, 600.0], "near")


def test_the_offender_pays_for_putting_his_play_right() -> None:
    at = Timed(replace(RULES, referee_speaks=RefereeSpeaks.ALWAYS))
    at.begin()
    at.do(c.EnterPlay, after=13, play="8/5", hold=True)
    assert at.table.state.phase is Phase.HELD
    at.now += 10
    assert at.shown == ([589.0, 600.0], "near")


def test_an_undo_takes_the_time_back() -> None:
    at = Timed()
    at.begin()
    at.do(c.EnterPlay, after=20, play="8/5 6/5")
    at.do(c.EnterRoll, after=100, dice=(6, 6))
    at.do(c.Undo, to_seq=3)
    assert at.shown == ([600.0, 600.0], "near")
    at.now += 13
    assert at.shown == ([599.0, 600.0], "near")


def test_between_games_nobody_pays() -> None:
    at = Timed()
    at.begin()
    at.do(c.Resign, after=20, seat=NEAR)
    at.do(c.AcceptResignation, after=14)
    assert at.shown == ([592.0, 598.0], None)
    at.do(c.StartGame, after=500)
    assert at.shown == ([592.0, 598.0], None)


def test_a_fallen_flag_is_logged_once() -> None:
    at = Timed(replace(RULES, clock=replace(RULES.clock, overtime_s=0.0)))
    at.begin()
    at.now += 611
    assert at.table.tick() == ()
    at.now += 2
    assert [one.event for one in at.table.tick()] == [e.Flagged(NEAR)]
    assert at.table.tick() == ()
    at.do(c.SetClock, remaining=(60.0, 60.0))
    assert at.shown == ([60.0, 60.0], None)
    at.do(c.StartClock, after=30)
    assert at.shown == ([60.0, 60.0], "near")


def test_a_press_ends_the_turn_only_where_the_rules_say_so() -> None:
    at = Timed(replace(RULES, turn_end=TurnEnd.CLOCK))
    at.begin()
    at.do(c.PressClock, seat=NEAR)
    assert at.table.state.phase is Phase.JUDGING
    other = Timed()
    other.begin()
    refused = other.table.command(c.PressClock(seen_seq=3, seat=NEAR))
    assert isinstance(refused, c.Refused)
    assert refused.reason.code == "clock_ends_no_turn"


def test_a_press_without_a_roll_is_named_and_a_closed_out_player_may() -> None:
    at = Timed(replace(RULES, turn_end=TurnEnd.CLOCK))
    at.begin()
    at.do(c.SetPosition, position=START)
    at.do(c.SetTurn, seat=NEAR)
    at.do(c.PressClock, seat=NEAR)
    assert at.table.state.rulings[-1].reason.code == "pressed_without_roll"
    assert at.table.state.on_roll is NEAR, "it is still his turn, and his time"
    closed = Position((0,) * 18 + (-2,) * 6, (1, 0), (14, 3))
    at.do(c.SetPosition, position=closed)
    at.do(c.SetTurn, seat=NEAR)
    at.do(c.PressClock, seat=NEAR)
    assert at.table.state.on_roll is NEAR.other


def test_a_press_after_a_play_that_was_entered_accuses_nobody() -> None:
    at = Timed(replace(RULES, turn_end=TurnEnd.CLOCK))
    at.begin()
    at.do(c.EnterPlay, play="8/5 6/5")
    refused = at.table.command(c.PressClock(seen_seq=at.table.state.seq, seat=FAR))
    assert isinstance(refused, c.Refused)
    assert refused.reason.code == "turn_has_ended"
    assert "press_clock" not in possible(at.table.state, at.table.rules)
    at.do(c.EnterRoll, dice=(6, 2))
    assert "press_clock" in possible(at.table.state, at.table.rules)


def test_to_players_who_are_not_told_the_turn_is_over_and_the_others_time_runs() -> None:
    at = Timed(replace(preset("wbgf-responsible"), clock=RULES.clock))
    at.begin()
    at.do(c.EnterPlay, after=10, play="8/5", hold=True)
    assert at.shown == ([600.0, 600.0], "far")
    at.now += 10
    at.do(c.EnterRoll, after=10, dice=(5, 2))
    assert at.shown == ([600.0, 592.0], "far"), "his free seconds began with the play and are not given twice"


def test_a_match_that_begins_at_a_score_has_the_reserve_of_that_score() -> None:
    at = Timed()
    at.do(c.StartMatch, names=("Anna", "Boris"), length=5, rules="usbgf")
    at.do(c.SetScore, score=(2, 1))
    assert at.shown == ([420.0, 420.0], None), "a minute less for each point already scored"
    at.do(c.StartGame)
    at.do(c.EnterRoll, dice=(3, 1))
    at.do(c.SetScore, after=20, score=(2, 2))
    assert at.shown == ([412.0, 420.0], "near"), "later a score put right changes no clock"


@pytest.mark.parametrize(("stop", "go_on"), [(c.StopClock, c.StartClock), (c.Pause, c.Resume)])
def test_a_move_that_begins_while_the_clock_stands_has_its_free_seconds(stop: type[c.Command], go_on: type[c.Command]) -> None:
    at = Timed()
    at.begin()
    at.do(c.EnterPlay, play="8/5 6/5")
    at.do(c.EnterRoll, dice=(2, 1))
    at.do(c.EnterPlay, play="13/11 24/23")
    at.do(stop, after=20)
    assert at.shown == ([592.0, 600.0], None)
    for _ in range(2):
        at.do(c.EnterRoll, after=10, dice=(2, 1))
        at.do(c.EnterPlay, after=10, play="13/11 24/23")
    at.do(go_on, after=60)
    at.now += 12
    assert at.shown == ([592.0, 600.0], "near"), "the move that was stopped is charged, the new one has twelve seconds free"
    at.now += 3
    assert at.shown == ([589.0, 600.0], "near")


@pytest.mark.parametrize("between", [(), (c.StartGame,), (c.StartGame, c.Pause)])
def test_clocks_set_when_nobodys_time_runs_can_be_started_and_run_with_the_next_turn(between: tuple[type[c.Command], ...]) -> None:
    at = Timed()
    at.do(c.StartMatch, names=("Anna", "Boris"), length=5, rules=at.table.rules.name)
    for command in between:
        at.do(command)
    at.do(c.SetClock, remaining=(60.0, 60.0))
    at.do(c.StartClock)
    if not between:
        at.do(c.StartGame)
    at.do(c.EnterRoll, after=60, dice=(3, 1))
    if c.Pause in between:
        at.do(c.Resume, after=60)
    at.now += 20
    assert at.shown == ([52.0, 60.0], "near")


def test_a_clock_stopped_in_a_move_and_started_in_it_goes_on_with_what_is_left() -> None:
    at = Timed()
    at.begin()
    at.do(c.StopClock, after=5)
    at.do(c.StartClock, after=100)
    at.now += 10
    assert at.shown == ([597.0, 600.0], "near")


@pytest.mark.parametrize(
    ("mode", "near", "far"),
    [(ClockMode.SIMPLE_DELAY, 600.0, 546.0), (ClockMode.BRONSTEIN, 600.0, 546.0), (ClockMode.FISCHER, 609.5, 546.0)],
)
def test_free_seconds_are_given_once_in_a_move_however_often_a_resignation_is_refused(mode: ClockMode, near: float, far: float) -> None:
    at = Timed(replace(RULES, clock=replace(RULES.clock, mode=mode)))
    at.begin()
    at.do(c.EnterPlay, play="8/5 6/5")
    before = at.shown[0]
    for _ in range(5):
        at.do(c.Resign, after=11, seat=FAR)
        at.do(c.RefuseResignation, after=0.5)
    at.do(c.EnterRoll, dice=(6, 2))
    at.do(c.EnterPlay, after=11, play="24/18 13/11")
    used = [after - was for after, was in zip(at.shown[0], before, strict=True)]
    assert used == pytest.approx([near - 600.0, far - 600.0]), "66 s for the move, 2.5 s for the answers, twelve of each free"
    at.now += 12
    assert at.shown[1] == "near"
    if mode is ClockMode.SIMPLE_DELAY:
        assert at.shown[0][0] == pytest.approx(near), "a move of his own has its own twelve"


def test_the_doubler_goes_on_with_what_he_has_left_of_his_free_seconds() -> None:
    at = Timed()
    at.begin()
    at.do(c.EnterPlay, play="8/5 6/5")
    at.do(c.Double, after=10)
    at.do(c.Take, after=10)
    at.now += 10
    assert at.shown == ([600.0, 592.0], "far")


@pytest.mark.parametrize("remaining", [(-1.0, 5.0), (float("nan"), 5.0), (1e9, 5.0)])
def test_an_impossible_time_is_refused(remaining: tuple[float, float]) -> None:
    at = Timed()
    at.begin()
    refused = at.table.command(c.SetClock(seen_seq=3, remaining=remaining))
    assert isinstance(refused, c.Refused)
    assert refused.reason.code == "bad_time"


@pytest.mark.parametrize(("command", "more"), [(c.SetClock, {"remaining": (60.0, 60.0)}), (c.StartClock, {}), (c.StopClock, {})])
def test_with_the_match_the_clock_is_over(command: type[c.Command], more: dict[str, tuple[float, float]]) -> None:
    at = Timed()
    at.begin()
    at.do(c.AwardMatch, seat=Seat.NEAR)
    refused = at.table.command(command(seen_seq=at.table.state.seq, **more))
    assert isinstance(refused, c.Refused)
    assert refused.reason.code == "match_over"


@pytest.mark.parametrize("to_seq", [None, 3])
def test_an_undo_starts_no_clock_that_was_stopped(to_seq: int | None) -> None:
    at = Timed()
    at.begin()
    at.do(c.EnterPlay, after=20, play="8/5 6/5")
    at.do(c.StopClock, after=13)
    at.do(c.EnterRoll, after=50, dice=(6, 6))
    at.do(c.Undo, after=50, to_seq=to_seq)
    stood = at.shown
    assert stood[1] is None
    at.now += 100
    assert at.shown == stood
    at.do(c.StartClock)
    assert at.shown[1] is not None


def test_an_undo_that_begins_with_the_stop_or_the_pause_takes_that_back() -> None:
    at = Timed()
    at.begin()
    at.do(c.StopClock, after=5)
    at.do(c.Undo, after=5)
    assert at.shown[1] == "near"
    at.do(c.Pause)
    at.do(c.Undo, to_seq=at.table.state.seq - 1)
    assert at.table.state.phase is Phase.ROLLED


def test_setting_the_others_clock_gives_no_overtime_again_and_takes_no_flag_back() -> None:
    at = Timed()
    at.begin()
    at.do(c.SetClock, remaining=(5.0, 600.0))
    at.do(c.StartClock)
    at.now += 12 + 5 + 20  # the free seconds, his time and of the 60 s of overtime 20
    assert at.shown == ([40.0, 600.0], "near")
    at.do(c.SetClock, remaining=(40.0, 90.0))
    at.do(c.StartClock)
    at.now += 12 + 40
    at.table.tick(at.now)
    assert at.table.state.flagged is NEAR, "his overtime had begun"
    at.do(c.SetClock, remaining=(0.0, 80.0))
    assert at.table.state.flagged is NEAR, "he has no time still"
    at.do(c.SetClock, remaining=(100.0, 80.0))
    assert at.table.state.flagged is None
    at.do(c.StartClock)
    at.now += 12 + 100 + 50
    assert at.shown == ([10.0, 80.0], "near"), "with more than the overtime he has that before him"


def test_where_the_press_ends_the_turn_the_others_time_runs_from_it() -> None:
    at = Timed(replace(preset("bray"), clock=RULES.clock, turn_end=TurnEnd.CLOCK))
    at.begin()
    at.do(c.PressClock, after=20, seat=NEAR)
    assert at.shown == ([592.0, 600.0], "far"), "what it takes to enter or see the play is not his"
    at.do(c.EnterPlay, after=20, play="8/5 6/5")
    assert at.shown == ([592.0, 592.0], "far"), "free seconds began with the press and are not given twice"
    at.do(c.EnterRoll, dice=(6, 2))
    at.do(c.PressClock, after=4, seat=FAR)
    assert at.shown == ([592.0, 588.0], "near")
    at.do(c.EnterPlay, after=6, play="24/18", hold=True)
    assert at.shown[1] == "far", "who has to put his play right pays for it"
