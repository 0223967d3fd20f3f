"""Framing and the conversation: any bytes, in any pieces, with noise, loss, doubling and reordering."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hardware import protocol
from hardware.box import Box
from hardware.faults import Faults
from hardware.protocol import BoxEvent, Button, Die, Framer, Hello, Lie, Rest, Side, Throw, Unknown, encode, parse
from hardware.session import Heard, NotATower, Session

words = st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="$*"), min_size=1, max_size=8)
payloads = st.lists(words, min_size=1, max_size=5).map(" ".join)
numbers, names = st.integers(0, protocol.WORD_MAX), st.from_regex(r"[A-Za-z0-9_-]{1,16}", fullmatch=True)
stamps, sides = st.builds(protocol.Stamp, numbers, st.integers(1, protocol.WORD_MAX), numbers), st.sampled_from(Side)
dice = st.lists(st.builds(Die, st.integers(1, 6), st.sampled_from(Lie)) | st.just(Die(None, Lie.UNREAD)), min_size=1, max_size=4).map(tuple)
messages: st.SearchStrategy[protocol.Message] = st.one_of(
    st.builds(Hello, names, numbers, numbers, st.sampled_from(Rest), st.booleans()),
    st.builds(Throw, stamps, sides),
    st.builds(protocol.Roll, stamps, sides, dice),
    st.builds(protocol.Lift, stamps, sides),
    st.builds(protocol.Press, stamps, st.sampled_from(Button)),
    st.builds(protocol.Status, stamps, st.integers(0, 2**32 - 1), numbers, numbers, numbers),
    st.builds(protocol.Ack, numbers, st.integers(1, protocol.WORD_MAX)),
    st.just(protocol.Query()),
    st.builds(protocol.ShowLamp, st.sampled_from(protocol.Show)),
    st.builds(protocol.What, names),
)


@given(st.lists(payloads, max_size=8), st.data())
def test_lines_survive_any_cutting(lines: list[str], data: st.DataObject) -> None:
    stream = b"".join(encode(line) for line in lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    framer, got = Framer(), []
    for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        got += framer.feed(stream[a:b])
    assert got == lines
    assert framer.bad == 0


@given(st.binary(max_size=400))
def test_rubbish_is_never_an_exception(noise: bytes) -> None:
    session = Session(0.0)
    session.receive(noise, 0.1)
    Box("b", 1, 0.0).receive(noise, 0.1)


@given(st.binary(max_size=60), payloads)
def test_a_good_line_after_noise_is_read(noise: bytes, line: str) -> None:
    assert Framer().feed(noise + encode(line))[-1] == line


@given(st.text(max_size=70))
def test_parse_answers_anything(payload: str) -> None:
    assert parse(payload) is not None


@given(messages)
def test_a_message_is_read_as_it_was_written(message: protocol.Message) -> None:
    assert [parse(line) for line in Framer().feed(encode(message))] == [message]


@given(payloads, st.integers(0, 500), st.integers(0, 7))
def test_a_spoilt_bit_never_passes_as_another_line(line: str, where: int, bit: int) -> None:
    spoilt = bytearray(encode(line))
    spoilt[where % len(spoilt)] ^= 1 << bit
    assert Framer().feed(bytes(spoilt)) in ([], [line])  # the very line: a flipped "\r"-like change cannot alter the payload


def test_every_line_of_the_protocol_page_is_sound() -> None:
    page = (Path(__file__).parents[2] / "hardware" / "PROTOCOL.md").read_text()
    lines = re.findall(r"^    (?:box|host) +(\$\S.*?\*[0-9A-F]{4})", page, re.M)
    assert len(lines) == 13
    for line in lines:
        payload = Framer().feed(line.encode() + b"\n")
        assert payload, line
        known = not isinstance(parse(payload[0]), Unknown)
        assert known == (payload[0] != "SING 3"), line
        if known:
            assert encode(parse(payload[0]))[:-1].decode() == line


def test_a_line_longer_than_the_limit_is_dropped_and_the_next_one_read() -> None:
    framer = Framer()
    assert framer.feed(b"$" + b"A" * 10_000 + b"\n" + encode("QUERY")) == ["QUERY"]
    assert framer.bad == 1


def test_a_message_a_box_does_not_know_is_answered_and_that_answer_never_is() -> None:
    box = Box("oak", 1, 0.0)
    box.outgoing()
    box.receive(encode("SING loudly"), 0.1)
    assert box.outgoing() == encode("WHAT SING")
    for line in ("WHAT", "WHAT SING", "WHAT SING loudly"):
        box.receive(encode(line), 0.2)
        assert box.outgoing() == b"", line


def test_nor_is_it_by_the_referee() -> None:
    session = Session(0.0)
    session.receive(encode("HELLO oak 1 12 rest=field reads=no"), 0.0)
    session.outgoing()
    session.receive(encode("SING loudly"), 0.1)
    assert session.outgoing() == encode("WHAT SING")
    for line in ("WHAT", "WHAT SING", "WHAT SING loudly"):
        session.receive(encode(line), 0.2)
        assert session.outgoing() == b"", line


def test_a_faulty_line_drops_doubles_spoils_or_delays_what_it_carries() -> None:
    for faults, carried in ((Faults(drop=1.0), b""), (Faults(double=1.0), b"a\na\nb\nb\n"), (Faults(delay=1.0), b"b\na\n")):
        assert faults.pass_on(b"a\nb\n") == carried
    spoilt = Faults(spoil=1.0).pass_on(b"ab\n")
    assert sum((one ^ other).bit_count() for one, other in zip(spoilt, b"ab\n", strict=True)) == 1


def _converse(faults_out: Faults, faults_back: Faults, throws: int, box: Box) -> tuple[list[Heard], Session, float]:
    session, heard, now, sent, greeted = Session(0.0), [], 0.0, 0, False
    while sent < throws or box.waiting:
        now += 0.01
        if sent < throws and box.waiting < 8:
            match sent % 4:
                case 0:
                    box.throw(Side.NEAR, now)
                case 1:
                    box.roll(Side.FAR, (Die(sent % 6 + 1, Lie.FLAT), Die(None, Lie.UNREAD)), now)
                case 2:
                    box.lift(Side.ANY, now)
                case _:
                    box.press(Button.DOUBLE, now)
            sent += 1
        box.tick(now)
        for news in session.receive(faults_out.pass_on(box.outgoing()), now):
            if isinstance(news, Heard):
                # After a HELLO, and only then, the last event may come once more: who stores knows it by its number and its time (2).
                if not (greeted and heard and heard[-1].event.stamp.seq == news.event.stamp.seq and abs(heard[-1].at - news.at) < 1):
                    heard.append(news)
                session.acknowledge(news.event.stamp.boot, news.event.stamp.seq)
            greeted = isinstance(news, Hello)
        session.tick(now) if now < 4 else None
        box.receive(faults_back.pass_on(session.outgoing()), now)
        assert now < 3600, "the conversation does not come to an end"
    return heard, session, now


@settings(max_examples=25, deadline=None)
@example(26989, 0.0, 0.0, 0.1875, 0.1875)  # a HELLO that comes after the first event
@given(st.integers(0, 10**6), st.floats(0, 0.3), st.floats(0, 0.2), st.floats(0, 0.2), st.floats(0, 0.2))
def test_nothing_is_lost_doubled_or_out_of_order(seed: int, drop: float, double: float, spoil: float, delay: float) -> None:
    faults = Faults(drop, double, spoil, delay, seed), Faults(drop, double, spoil, delay, seed + 1)
    heard, session, _ = _converse(*faults, 60, Box("oak", 3, 0.0))
    assert session.counters.lost == 0
    assert [h.event.stamp.seq for h in heard] == list(range(1, len(heard) + 1))
    assert sum(type(h.event).__name__ != "Status" for h in heard) == 60


def _all_said(box: Box, session: Session, now: float) -> float:
    """The box says what it has, and all of it is acknowledged; when that is done."""
    while True:
        box.tick(now)
        for news in session.receive(box.outgoing(), now):
            if isinstance(news, Heard):
                session.acknowledge(news.event.stamp.boot, news.event.stamp.seq)
        session.tick(now)
        box.receive(session.outgoing(), now)
        if not box.waiting:
            return now
        now += 0.02


def test_what_a_box_had_no_room_for_is_counted() -> None:
    """It keeps eight events while nobody listens; what one had lost that was on before may be of any time, and is counted apart."""
    box, session, now = Box("oak", 1, -60.0), Session(0.0), 0.0
    for lost in (0, 5, 10):
        for _ in range(13):
            box.throw(Side.NEAR, now)
        now = _all_said(box, session, now) + 31  # a status comes every half minute
        now = _all_said(box, session, now)
        assert (session.counters.lost, session.counters.before) == (lost, 5)
        session = Session(now, counters=session.counters)  # the line is opened anew
    box, session = Box("oak", 2, now), Session(now + 2, counters=session.counters)  # reset while it was unplugged it counts from nothing
    now = _all_said(box, session, now + 2)
    for _ in range(10):
        box.throw(Side.NEAR, now)
    now = _all_said(box, session, now) + 31
    _all_said(box, session, now)
    assert session.counters.lost == 12


def test_what_a_box_loses_that_began_when_its_line_was_opened_is_counted_from_its_first_status() -> None:
    box, session = Box("oak", 1, 1.5), Session(0.0)  # opening the port resets many boards
    for _ in range(11):
        box.throw(Side.NEAR, 3.0)
    now = _all_said(box, session, 3.0) + 31
    _all_said(box, session, now)
    assert (session.counters.lost, session.counters.before) == (3, 0)


def test_a_number_that_never_came_is_counted() -> None:
    session = Session(0.0)
    hello = protocol.encode(protocol.Hello("oak", 1, 1, protocol.Rest.FIELD, True))
    session.receive(hello, 0.0)
    for number, lost in ((7, 0), (8, 0), (11, 2), (10, 2), (12, 2)):
        assert session.receive(protocol.encode(protocol.Throw(protocol.Stamp(1, number, 0), Side.NEAR)), float(number))
        session.acknowledge(1, number)
        assert session.counters.lost == lost
    session.receive(hello, 20.0)  # its numbers may begin again after this
    assert session.receive(protocol.encode(protocol.Throw(protocol.Stamp(1, 40, 0), Side.NEAR)), 20.0)
    assert session.counters.lost == 2


def test_an_event_is_dated_when_it_happened_however_often_it_was_repeated() -> None:
    box, session = Box("oak", 1, 0.0), Session(0.0)
    session.receive(box.outgoing(), 0.0)
    box.throw(Side.NEAR, 10.0)
    for t in (10.0, 10.2, 10.4):
        box.tick(t)
        lost = box.outgoing()
        assert lost
    box.tick(10.6)
    (heard,) = session.receive(box.outgoing(), 10.6)
    assert isinstance(heard, Heard)
    assert heard.at == pytest.approx(10.0, abs=0.002)


def test_a_box_that_nobody_has_listened_to_for_an_hour_has_room_for_what_is_thrown() -> None:
    box, heard = Box("oak", 1, 0.0), list[BoxEvent]()
    for second in range(3600):
        box.tick(float(second))
        box.outgoing()
    for number in range(7):
        box.throw(Side.NEAR, 3600.0 + number)
    session = Session(3610.0)
    box.receive(encode("QUERY"), 3610.0)
    for step in range(100):
        now = 3610.0 + step / 50
        for news in session.receive(box.outgoing(), now):
            if isinstance(news, Heard):
                heard.append(news.event)
                session.acknowledge(news.event.stamp.boot, news.event.stamp.seq)
        box.receive(session.outgoing(), now)
    assert sum(isinstance(event, Throw) for event in heard) == 7
    assert box.lost == 0


def test_a_box_that_has_counted_to_the_end_is_reset_only_when_all_it_has_said_is_acknowledged() -> None:
    box = Box("oak", 1, 0.0)
    box.seq = protocol.WORD_MAX - 2
    for left in (1, 0):
        box.throw(Side.NEAR, 1.0)
        assert not box.worn_out, f"{left} still to count, and nobody has heard of the last"
    _all_said(box, Session(0.0), 1.0)
    assert box.worn_out
    box.throw(Side.NEAR, 2.0)
    assert (box.seq, box.waiting, box.lost) == (protocol.WORD_MAX, 0, 1), "no number is left for it"


@pytest.mark.parametrize(("age", "news"), [(900, 0), (100, 1)], ids=["older", "younger"])
def test_a_repeat_that_is_read_late_is_the_same_event_and_a_younger_one_is_not(age: int, news: int) -> None:
    session = Session(0.0)
    session.receive(encode("HELLO oak 1 12 rest=field reads=no"), 0.0)
    session.receive(encode("THROW 12 1 500 near"), 1.0)
    session.acknowledge(12, 1)
    assert len(session.receive(encode(f"THROW 12 1 {age} near"), 60.0)) == news, "a busy machine read its line a minute late"


def test_a_throw_like_the_last_one_is_another_where_the_box_was_reset_in_between() -> None:
    """A worn-out EEPROM: its boot has the number it had, and what it says first is the first again."""
    session = Session(0.0)
    for now, age in ((0.0, 0), (60.0, 100)):
        session.receive(encode("HELLO oak 1 12 rest=field reads=no"), now)
        assert len(session.receive(encode(f"THROW 12 1 {age} near"), now + 1.0)) == 1
        session.acknowledge(12, 1)


def test_a_status_that_counts_its_own_repetitions_is_still_the_same_event() -> None:
    session = Session(0.0)
    session.receive(encode("HELLO oak 1 12 rest=field reads=no"), 0.0)
    assert len(session.receive(encode("STATUS 12 1 0 30 0 0 0"), 30.0)) == 1
    session.acknowledge(12, 1)
    session.outgoing()
    assert session.receive(encode("STATUS 12 1 100 30 1 0 0"), 30.1) == []
    assert session.outgoing() == encode("ACK 12 1")


def test_a_reset_starts_a_new_count() -> None:
    session = Session(0.0)
    for boot in (7, 8):
        box = Box("oak", boot, 0.0)
        box.throw(Side.NEAR, 1.0)
        box.tick(1.0)
        news = session.receive(box.outgoing(), 1.0)
        assert isinstance(news[0], Hello)
        assert isinstance(news[1], Heard)
        session.acknowledge(boot, 1)
    assert session.counters.resets == 1


def test_an_earlier_number_that_comes_again_is_a_new_event() -> None:
    """The box counts anew under the boot that was announced; its HELLO was spoilt on the line."""
    session = Session(0.0)
    session.receive(encode("HELLO oak 1 12 rest=field reads=no"), 0.0)
    for seq in (1, 2, 3):
        (heard,) = session.receive(encode(f"THROW 12 {seq} 0 near"), float(seq))
        assert isinstance(heard, Heard)
        session.acknowledge(12, seq)
    session.outgoing()
    assert session.receive(encode("THROW 12 3 500 near"), 3.5) == [], "the last one, repeated"
    assert session.outgoing() == encode("ACK 12 3")
    for line in ("LIFT 12 3 0 near", "ROLL 12 3 0 far 6f 2f", "THROW 12 1 0 far"):
        (again,) = session.receive(encode(line), 4.0)
        assert isinstance(again, Heard)
        assert session.outgoing() == b"", "not acknowledged before it is stored"
        session.acknowledge(12, again.event.stamp.seq)
        session.outgoing()
    (late,) = session.receive(encode("THROW 12 1 0 far"), 60.0)
    assert isinstance(late, Heard), "another throw like the last one, much later"


def test_an_event_of_an_unknown_boot_is_not_accepted() -> None:
    session = Session(0.0)
    box = Box("oak", 7, 0.0)
    box.outgoing()  # its HELLO is lost
    box.throw(Side.NEAR, 1.0)
    box.tick(1.0)
    assert session.receive(box.outgoing(), 1.0) == []
    assert b"QUERY" in session.outgoing()


@pytest.mark.parametrize(
    ("line", "says"),
    [("HELLO b 2 1 rest=field reads=no", "version 2"), ("HELLO b 1 1 rest=inside reads=no", "nobody could see")],
)
def test_a_box_that_cannot_be_used_is_refused_with_a_sentence(line: str, says: str) -> None:
    with pytest.raises(NotATower, match=says):
        Session(0.0).receive(encode(line), 0.0)


def test_a_device_that_is_no_tower_is_given_up() -> None:
    session = Session(0.0)
    session.receive(b"OK\r\nready.\r\n" * 20, 1.0)
    for step in range(49):
        session.tick(step / 10)
    assert session.outgoing() == 5 * encode("QUERY"), "it is asked once a second"
    with pytest.raises(NotATower, match="does not answer as a dice tower"):
        session.tick(5.1)


def test_a_box_that_falls_silent_is_given_up_and_one_that_has_nothing_to_tell_is_not() -> None:
    session = Session(0.0)
    session.receive(encode("HELLO oak 1 12 rest=field reads=no"), 0.0)
    for minute in range(1, 10):
        session.receive(encode(f"STATUS 12 {minute} 0 {30 * minute} 0 0 0"), 30.0 * minute)
        session.acknowledge(12, minute)
        session.tick(30.0 * minute + 29.0)
    session.receive(b"rubbish\n", 290.0)
    session.tick(314.0)
    with pytest.raises(NotATower, match="the tower oak has been silent for 45 s"):
        session.tick(316.0)


@pytest.mark.parametrize(
    "line",
    [
        "THROW 1 0 0 near",
        "THROW 70000 1 0 near",
        "ROLL 1 1 0 near 7f 1f",
        "ROLL 1 1 0 near",
        "BUTTON 1 1 0 win",
        "HELLO b 1 x rest=field reads=no",
    ],
)
def test_values_out_of_range_are_no_message(line: str) -> None:
    assert isinstance(parse(line), Unknown)


def test_rest_words_are_those_of_the_page() -> None:
    assert [r.value for r in Rest] == ["field", "tray", "inside"]
