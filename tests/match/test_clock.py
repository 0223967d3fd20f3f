"""The clock: simple delay, Bronstein and Fischer, and exactly what sets them apart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.board import Seat
from referee.match.clock import Clock, new_clock, reserve_of
from referee.rules import ClockMode, ClockRules, preset

NEAR, FAR = Seat.NEAR, Seat.FAR
DELAY = 12.0
TIMED = [ClockMode.SIMPLE_DELAY, ClockMode.BRONSTEIN, ClockMode.FISCHER]
turns = st.lists(st.integers(0, 60).map(float), min_size=1, max_size=12)


def clock(mode: ClockMode, reserve: float = 600.0, overtime: float = 0.0) -> Clock:
    return Clock(ClockRules(mode, delay_s=DELAY, overtime_s=overtime), (reserve, reserve))


def begun(clock: Clock, seat: Seat, at: float) -> Clock:
    """A new move: ``seat``'s time runs from ``at``."""
    return clock.end_turn(at).run(seat, at)


def pressed(clock: Clock, at: float) -> Clock:
    """The player whose turn it is ends it and the other's move begins."""
    return clock if clock.turn is None else begun(clock, clock.turn.other, at)


def played(clock: Clock, seconds: list[float]) -> Clock:
    """Near and far in turn use these seconds; both stand afterwards."""
    now, clock = 0.0, begun(clock, NEAR, 0.0)
    for used in seconds:
        now += used
        clock = pressed(clock, now)
    return clock.end_turn(now)


@given(turns)
def test_delay_and_bronstein_charge_the_same_and_fischer_adds_what_is_not_used(seconds: list[float]) -> None:
    delay, bronstein, fischer = (played(clock(mode), seconds) for mode in TIMED)
    near, far = seconds[::2], seconds[1::2]
    charged = tuple(600 - sum(max(0, used - DELAY) for used in side) for side in (near, far))
    # The player on turn at the end has used nothing; under Fischer his seconds are added all the same.
    extra = [DELAY * (len(near) + (len(seconds) % 2 == 0)), DELAY * (len(far) + (len(seconds) % 2 == 1))]
    assert delay.reserve == pytest.approx(charged)
    assert bronstein.reserve == pytest.approx(charged)
    assert fischer.reserve == pytest.approx((600 - sum(near) + extra[0], 600 - sum(far) + extra[1]))


@given(st.floats(0, 11.99), st.floats(0, 11.99))
def test_only_simple_delay_cannot_flag_inside_the_free_seconds(reserve: float, used: float) -> None:
    delay = begun(clock(ClockMode.SIMPLE_DELAY, reserve), NEAR, 100.0)
    bronstein = begun(clock(ClockMode.BRONSTEIN, reserve), NEAR, 100.0)
    assert delay.reading(100.0 + used).flagged is None
    assert (bronstein.reading(100.0 + used).flagged is NEAR) == ((100.0 + used) - 100.0 >= reserve)


def test_a_bronstein_clock_with_five_seconds_flags_after_five() -> None:
    running = begun(clock(ClockMode.BRONSTEIN, 5.0), NEAR, 0.0)
    assert running.reading(4.999).flagged is None
    assert pressed(running, 4.9).reading(4.9).remaining[0] == pytest.approx(5.0)
    assert pressed(running, 5.0).flagged is NEAR
    delayed = begun(clock(ClockMode.SIMPLE_DELAY, 5.0), NEAR, 0.0)
    assert (delayed.reading(16.999).flagged, delayed.reading(17.0).flagged) == (None, NEAR)


def test_what_a_running_clock_shows() -> None:
    delay = begun(clock(ClockMode.SIMPLE_DELAY), FAR, 10.0)
    assert (delay.reading(15.0).remaining, delay.reading(15.0).free_left) == ((600.0, 600.0), 7.0)
    assert (delay.reading(30.0).remaining, delay.reading(30.0).free_left) == ((600.0, 592.0), 0.0)
    bronstein = begun(clock(ClockMode.BRONSTEIN), FAR, 10.0)
    assert bronstein.reading(15.0).remaining == (600.0, 595.0)
    assert pressed(bronstein, 15.0).reading(15.0).remaining == (600.0, 600.0)
    assert delay.reading(15.0).running is FAR
    assert delay.stop(15.0).reading(99.0).running is None


@given(st.sampled_from(TIMED), st.floats(0, 30), st.floats(0, 500), st.floats(0, 30))
def test_a_stop_within_a_turn_costs_nothing_and_gives_nothing(mode: ClockMode, first: float, pause: float, second: float) -> None:
    whole = pressed(begun(clock(mode), NEAR, 0.0), first + second)
    stopped = begun(clock(mode), NEAR, 0.0).stop(first)
    assert stopped.reading(first + pause) == stopped.reading(first)
    parts = pressed(stopped.run(NEAR, first + pause), first + pause + second)
    assert parts.reserve == pytest.approx(whole.reserve)
    assert stopped.stop(first + pause) == stopped


@pytest.mark.parametrize("mode", TIMED)
def test_an_illegal_play_is_played_again_without_new_free_seconds(mode: ClockMode) -> None:
    held = begun(clock(mode), NEAR, 0.0).run(FAR, 20.0)
    before = held.reading(20.0).remaining[0]
    again = held.run(NEAR, 25.0)
    assert again.reading(30.0).remaining[0] == pytest.approx(before - 5.0)
    assert again.run(FAR, 30.0).reading(30.0).remaining[0] == pytest.approx(before - 5.0)
    assert again.run(NEAR, 27.0) == again, "whatever is logged in his turn"


@pytest.mark.parametrize("mode", TIMED)
def test_overtime_is_given_once(mode: ClockMode) -> None:
    running = clock(mode, 20.0, overtime=60.0).run(NEAR, 0.0)  # his free seconds are used up
    assert running.reading(19.0).overtime == (False, False)
    inside = running.reading(30.0)
    assert (inside.overtime, inside.flagged) == ((True, False), None)
    assert inside.remaining[0] == pytest.approx(50.0)
    assert running.reading(79.999).flagged is None
    later = running.run(FAR, 30.0).run(NEAR, 30.0)
    assert later.reading(30.0).remaining[0] == pytest.approx(50.0)
    assert later.reading(80.0).flagged is NEAR
    assert running.reading(80.0).flagged is NEAR


def test_a_flag_stays_until_a_person_sets_the_clock() -> None:
    flagged = pressed(begun(clock(ClockMode.SIMPLE_DELAY, 5.0), NEAR, 0.0), 60.0)
    assert flagged.flagged is NEAR
    assert pressed(flagged, 61.0).reading(300.0).flagged is NEAR
    assert flagged.set(30.0, 30.0, 300.0).reading(400.0).flagged is None
    assert flagged.set(30.0, 30.0, 300.0).reserve == (30.0, 30.0)
    assert flagged.set(0.0, 30.0, 300.0).flagged is NEAR, "the other's time was put right"
    fallen = begun(clock(ClockMode.SIMPLE_DELAY, 5.0), NEAR, 0.0).stop(17.0)
    assert (fallen.flagged, fallen.add(60.0, 17.0).flagged, fallen.add(-60.0, 17.0).flagged) == (NEAR, None, NEAR)


@given(
    st.sampled_from(TIMED),
    st.lists(st.tuples(st.sampled_from(["start", "press", "stop", "resume", "end"]), st.floats(0, 100)), max_size=20),
)
def test_a_reserve_is_never_negative_and_time_never_runs_back(mode: ClockMode, acts: list[tuple[str, float]]) -> None:
    value, now = clock(mode, 50.0, overtime=10.0), 0.0
    for act, seconds in acts:
        now += seconds
        match act:
            case "start":
                value = begun(value, NEAR, now)
            case "press":
                value = pressed(value, now)
            case "stop":
                value = value.stop(now)
            case "resume":
                value = value.run(value.turn or NEAR, now)
            case _:
                value = value.end_turn(now)
        shown = value.reading(now)
        assert min(shown.remaining) >= 0
        left = [r.remaining[0] + (0 if r.overtime[0] else 10) for r in (value.reading(now - 5), shown)]
        assert left[0] >= left[1] - 1e-9
        if shown.running is not None and shown.flagged is None:  # the flag falls when what is shown has run out
            place = shown.running.index
            all_left = shown.remaining[place] + shown.free_left + (0 if shown.overtime[place] else 10)
            assert value.reading(now + all_left - 1e-6).flagged is None
            assert value.reading(now + all_left + 1e-6).flagged is shown.running


@given(st.sampled_from(TIMED), st.floats(0, 70), turns, st.floats(0.01, 600), st.floats(0, 100))
def test_a_longer_match_gives_each_just_that_more_and_overtime_is_not_begun_by_who_has_more_than_it(
    mode: ClockMode, reserve: float, used: list[float], more: float, running: float
) -> None:
    value, now = begun(clock(mode, reserve, overtime=30.0), NEAR, 0.0), 0.0
    for seconds in used:
        now += seconds
        value = pressed(value, now)
    now += running
    before, longer = value.reading(now), value.add(more, now)
    after = longer.reading(now)
    assert after.flagged is None or before.flagged is not None
    if before.flagged is None:
        for place in (0, 1):
            had, has = (shown.remaining[place] + (0 if shown.overtime[place] else 30) for shown in (before, after))
            assert has == pytest.approx(had + more)
    begins = [one and left > 30.0 for one, left in zip(longer.overtime, longer.reserve, strict=True)]
    assert not any(begins), "the overtime itself is before him"


def test_the_reserve_of_a_match() -> None:
    usbgf = preset("usbgf").clock
    assert reserve_of(usbgf, 11) == 22 * 60
    assert reserve_of(usbgf, 11, (3, 2)) == 17 * 60
    assert reserve_of(usbgf, 3, (9, 9)) == 0
    assert reserve_of(replace(usbgf, minus_per_point_scored=0.0), 11, (3, 2)) == 22 * 60
    clock = new_clock(usbgf, 7)
    assert clock is not None
    assert clock.reserve == (840.0, 840.0)
    assert new_clock(usbgf, 0) is None
    assert new_clock(preset("bray").clock, 7) is None


def test_a_record_with_a_delay_below_nothing_charges_no_time_that_nobody_used() -> None:
    clock = new_clock(ClockRules(ClockMode.SIMPLE_DELAY, delay_s=-60.0), 1)
    assert clock is not None
    ended = clock.run(Seat.NEAR, 0.0).run(Seat.FAR, 0.0).end_turn(0.0)
    assert ended.reserve == (120.0, 120.0)
