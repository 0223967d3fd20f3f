"""What the host makes of a box's lines beyond the events themselves: what it counts, and when it does not believe them."""

from __future__ import annotations

import pytest

from hardware.protocol import encode
from hardware.session import Heard, NotATower, Session

HELLO = encode("HELLO oak 1 12 rest=field reads=no")


@pytest.fixture
def session() -> Session:
    """A box that has said what it is, and been asked for nothing more."""
    made = Session(0.0)
    made.receive(HELLO, 0.0)
    return made


def told(session: Session, line: str, now: float) -> int:
    """How many new events a line brings; each is kept."""
    news = session.receive(encode(line), now)
    for one in news:
        assert isinstance(one, Heard)
        session.acknowledge(one.event.stamp.boot, one.event.stamp.seq)
    return len(news)


def test_after_a_reset_nothing_counts_before_the_box_has_said_so(session: Session) -> None:
    """The line with its HELLO was spoilt."""
    assert told(session, "THROW 13 1 0 near", 1.0) == 0
    assert session.outgoing() == encode("QUERY")
    session.receive(encode("HELLO oak 1 13 rest=field reads=no"), 1.1)
    assert told(session, "THROW 13 1 100 near", 1.1) == 1
    assert session.outgoing() == encode("ACK 13 1")


def test_a_box_is_deaf_that_repeats_for_five_seconds_what_was_acknowledged(session: Session) -> None:
    for number, begun in ((1, 1.0), (2, 20.0)):
        assert told(session, f"THROW 12 {number} 0 near", begun) == 1
        for tenth in range(1, 51):  # the first repetition is no sign yet: the two lines have crossed
            assert told(session, f"THROW 12 {number} {100 * tenth} near", begun + tenth / 10) == 0
    with pytest.raises(NotATower, match="does not hear the referee"):
        told(session, "THROW 12 2 5100 near", 25.11)


def test_a_box_is_deaf_that_tells_of_throws_and_never_of_itself() -> None:
    session = Session(0.0)
    assert told(session, "THROW 12 1 0 near", 1.0) == 0
    session.tick(4.9)
    with pytest.raises(NotATower, match="does not hear the referee"):
        session.tick(5.0)


def test_what_came_while_nobody_listened_makes_a_box_neither_silent_nor_deaf(session: Session) -> None:
    assert told(session, "THROW 12 1 0 near", 1.0) == 1
    assert told(session, "THROW 12 1 100 near", 1.1) == 0
    session.stood_still(61.0)
    session.tick(61.0)
    assert told(session, "THROW 12 1 60000 near", 61.0) == 0
    session.tick(105.9)
    with pytest.raises(NotATower, match="silent for 45 s"):
        session.tick(106.1)


def test_the_counters_that_the_page_shows_count_what_they_say(session: Session) -> None:
    assert told(session, "THROW 12 1 0 near", 1.0) == 1
    assert told(session, "THROW 12 1 0 near", 1.05) == 0  # doubled on the line
    assert told(session, "THROW 12 1 100 near", 1.1) == 0
    session.receive(b"$THROW 12 2 0 near*0000\n", 1.2)
    session.receive(HELLO, 1.3)  # it was asked what it is: no reset
    session.receive(encode("SING 3"), 1.4)
    session.receive(encode("HELLO oak 1 13 rest=field reads=no"), 1.5)
    assert told(session, "THROW 13 1 0 near", 1.6) == 1
    counted = session.counters
    assert (counted.lines, counted.bad_lines, counted.events, counted.repeats, counted.unknown, counted.resets) == (8, 1, 2, 2, 1, 1)


def test_what_could_not_be_kept_is_new_when_it_comes_again_and_counts_once(session: Session) -> None:
    for age in (0, 100):
        assert len(session.receive(encode(f"THROW 12 1 {age} near"), 1.0 + age / 1000)) == 1
        session.receive(encode(f"THROW 12 1 {age} near"), 1.0 + age / 1000)  # while it is being stored
        session.forget(12, 1)
    assert told(session, "THROW 12 1 200 near", 1.2) == 1
    assert (session.counters.events, session.counters.lost, session.counters.repeats) == (1, 0, 2)


def test_an_event_whose_number_never_came_is_counted_as_lost(session: Session) -> None:
    for number, lost in ((1, 0), (2, 0), (4, 1), (7, 3)):
        assert told(session, f"THROW 12 {number} 0 near", float(number)) == 1
        assert session.counters.lost == lost


def test_the_number_of_another_event_is_another_event_however_old_it_is(session: Session) -> None:
    """Two boxes have one name, or the count was lost: an acknowledgement would take it from the box unkept."""
    assert told(session, "THROW 12 1 0 near", 1.0) == 1
    assert told(session, "THROW 12 1 500 far", 1.5) == 1
    assert told(session, "LIFT 12 1 900 far", 1.9) == 1


def test_a_box_that_has_lost_nothing_more_has_lost_nothing_more() -> None:
    session = Session(100.0)
    session.receive(HELLO, 100.0)
    for number, lost in ((1, 4), (2, 4), (3, 6), (4, 6)):
        told(session, f"STATUS 12 {number} 0 {200 + 30 * number} 0 0 {lost}", 100.0 + 30 * number)
    assert (session.counters.before, session.counters.lost) == (4, 2)
