"""What the log says beside what happened: who ruled and why, which roll was put right, the score a match was won with."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from referee.board.position import START, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.log import as_it_was, replaced_rolls
from referee.match.shown.sentences import CAME
from referee.match.told import told_log
from referee.rules.presets import preset
from referee.rules.ruleset import RefereeSpeaks, RuleSet
from tests.match.hand import Hand
from web.archive import dice_statistics, steps
from web.snapshot import log_lines

NEAR, FAR = Seat.NEAR, Seat.FAR
DIRECTOR = e.Role.DIRECTOR


def test_the_log_as_it_was_is_cut_where_it_was_written_since() -> None:
    """What has a time to come was written before the computer's clock was set back."""
    now = datetime.now(UTC)
    written = [(now - timedelta(seconds=s)).isoformat(timespec="milliseconds") for s in (-900, 60, 25, 15, 0)]
    log = tuple(e.Logged(i + 1, e.GameStarted(1, (0, 0)), captured=at) for i, at in enumerate(written))
    assert [len(as_it_was(log, ago, now, -ago)) for ago in (20, 5, 30, 600)] == [3, 4, 2, 1]


def last(hand: Hand, kind: str) -> str:
    """The log's last line of this kind, which the table's pages and those of kept matches have alike."""
    table = [line["text"] for line in log_lines(hand.table.log, hand.table.state) if line["type"] == kind]
    kept = [step["text"] for step in steps(hand.table.log, pictures=False) if step["type"] == kind]
    assert table == kept
    return table[-1]


def test_a_ruling_is_logged_with_who_made_it_and_why() -> None:
    hand = Hand(5)
    hand.do(c.Penalise, seat=NEAR, points=1, note="phone rang", role=DIRECTOR)
    assert last(hand, "ruled") == "Ruled: penalty points against Anna: 1 (by the director: phone rang)"
    hand.do(c.Penalise, seat=FAR, points=1, role=DIRECTOR)
    assert last(hand, "ruled") == "Ruled: penalty points against Boris: 1 (by the director)"
    hand.do(c.Penalise, seat=FAR, points=1, note="{note} late again", role=e.Role.REFEREE)
    assert last(hand, "ruled") == "Ruled: penalty points against Boris: 1 ({note} late again)"


@pytest.mark.parametrize(
    ("kind", "values", "type_", "text"),
    [
        (c.SetNames, {"names": ("Ann", "Bo")}, "names_set", "The names were set to Ann and Bo"),
        (c.SetNames, {"names": ("Ann", "Bo"), "event": "Cup"}, "names_set", "The names were set to Ann and Bo, the event to Cup"),
        (c.SetScore, {"score": (2, 1)}, "score_set", "The score was set to Anna 2, Boris 1"),
        (c.SetCube, {"value": 2, "owner": NEAR}, "cube_set", "The cube was set to 2, Anna owns it"),
        (c.SetPosition, {"position": START}, "position_set", "The position was set by hand"),
        (c.SetTurn, {"seat": FAR}, "turn_set", "Boris was set on roll"),
        (c.SetClock, {"remaining": (600.0, 65.5)}, "clock_set", "The clock was set: Anna 10:00, Boris 1:06"),
    ],
)
def test_every_correction_is_a_line_with_the_directors_role(
    kind: type[c.Command], values: dict[str, object], type_: str, text: str
) -> None:
    hand = Hand(5, "usbgf")
    hand.open()
    hand.do(kind, **values)
    assert last(hand, type_) == text
    hand.do(kind, role=DIRECTOR, **values)
    assert last(hand, type_) == f"{text} (by the director)"


def test_why_a_play_was_ruled_on_is_not_told_where_illegal_plays_are_not() -> None:
    for rules, told in (("wbgf-responsible", ""), ("wbgf", "the 6 was not played")):
        hand = Hand(5, rules)
        hand.roll(6, 2)
        hand.do(c.EnterPlay, play="24/18", hold=True)
        hand.do(c.Rule, stands=True, note="the 6 was not played", role=DIRECTOR)
        notes = [one.event.note for one in told_log(hand.table.log, hand.table.state) if isinstance(one.event, e.Ruled)]
        assert notes == [told]


def test_a_roll_put_right_before_it_was_played_is_said_and_not_counted() -> None:
    hand = Hand(5)
    hand.roll(4, 2)
    hand.do(c.EnterPlay, play="8/4 6/4")
    hand.do(c.EnterRoll, dice=(2, 1), seat=FAR)
    hand.do(c.EnterRoll, dice=(6, 5), seat=FAR)
    assert last(hand, "rolled") == "Boris rolled 6-5. This replaces 2-1."
    hand.do(c.EnterPlay, play="24/13")
    hand.do(c.EnterRoll, dice=(5, 5), seat=NEAR)
    assert last(hand, "rolled") == "Anna rolled 5-5"
    found = dice_statistics(hand.table.log)
    assert (found["far"]["rolls"], found["far"]["counts"]) == (1, [0, 1, 0, 0, 1, 1])
    assert (found["near"]["rolls"], found["near"]["doubles"], found["near"]["counts"]) == (1, 1, [0, 0, 0, 1, 2, 0])


def test_an_opening_put_right_or_a_turn_set_with_other_dice_replaces_the_roll_and_a_tie_or_the_others_turn_does_not() -> None:
    hand = Hand(5)
    hand.roll(3, 3)
    hand.roll(4, 2)
    assert replaced_rolls(hand.table.log) == {}
    hand.roll(2, 5)
    assert last(hand, "opening_rolled") == "Boris starts with 5-2. This replaces 4-2."
    hand.do(c.SetTurn, seat=FAR, dice=(6, 1))
    assert last(hand, "turn_set") == "Boris was set on roll with 6-1. This replaces 5-2."
    assert sum(map(sum, (dice_statistics(hand.table.log)[seat]["counts"] for seat in ("near", "far")))) == 0
    hand.do(c.EnterPlay, play="24/18 8/7")
    hand.do(c.EnterRoll, dice=(2, 1), seat=NEAR)
    before = len(replaced_rolls(hand.table.log))
    hand.do(c.SetTurn, seat=FAR)  # the position was played by hand: what was rolled was rolled
    assert len(replaced_rolls(hand.table.log)) == before


def test_a_beaver_and_a_raccoon_are_called_by_their_names() -> None:
    hand = Hand(0, "money", choices=(("beavers", 3),))
    hand.open()
    hand.do(c.Double)
    said = []
    for _ in range(3):
        hand.do(c.Beaver)
        said.append(last(hand, "beavered"))
    assert said == [
        "Anna beavers: turns the cube at once to 4",
        "Boris raccoons: turns the cube at once to 8",
        "Anna beavers: turns the cube at once to 16",
    ]


@pytest.mark.parametrize("lifted", [False, True])
def test_a_play_ruled_while_it_is_made_corrects_none(lifted: bool) -> None:
    hand = Hand(5)
    hand.roll(3, 1)
    if lifted:
        hand.table.note(e.DiceLifted(NEAR))
    logged = hand.do(c.Rule, stands=False, play="8/5 6/5", note="he said so", role=DIRECTOR)
    assert [type(one) for one in logged] == [e.Ruled, e.Played]
    assert last(hand, "ruled") == "Ruled: this is Anna’s play (by the director: he said so)"
    assert last(hand, "played") == "Anna played 8/5 6/5"
    assert hand.table.state.reconcile, "the board may show another play"
    hand.do(c.Rule, stands=False, play="24/23 13/10", role=DIRECTOR)
    assert last(hand, "ruled") == "Ruled: Anna’s play is set right (by the director)"
    assert last(hand, "play_corrected") == "Anna corrected to 24/23 13/10"


def test_a_match_won_by_points_says_the_score_and_an_awarded_one_no_number() -> None:
    hand = Hand(5)
    hand.open()
    hand.do(c.SetScore, score=(4, 4))
    hand.do(c.Resign, seat=NEAR)
    hand.do(c.AcceptResignation)
    assert last(hand, "match_won") == "Boris wins the match, 5-4"
    for length in (7, 0):
        hand = Hand(length)
        hand.open()
        hand.do(c.SetScore, score=(0, 1))
        hand.do(c.AwardMatch, seat=NEAR, role=DIRECTOR)
        assert last(hand, "match_won") == "Anna wins the match"


def test_what_came_first_has_words_for_every_event_that_can_come_first() -> None:
    assert {name for name, one in e.EVENT_TYPES.items() if one.changes} | {"other"} == set(CAME)


@pytest.mark.parametrize("silent", [preset("wbgf-responsible"), replace(preset("usbgf"), referee_speaks=RefereeSpeaks.LOG_ONLY)])
def test_a_play_typed_in_is_not_judged_aloud_where_the_referee_keeps_silent(silent: RuleSet) -> None:
    assert not silent.announces_plays
    for kind, said in ((c.EnterPlay, {"play": "24/21 6/5"}), (c.EnterMoves, {"moves": ((24, 21), (6, 5))}), (c.EnterPlay, {"play": ""})):
        hand = Hand(5, silent)
        hand.roll(4, 1)
        (held,) = hand.do(kind, **said)
        assert isinstance(held, e.IllegalPlay) and not held.announced
        assert hand.do(c.EnterRoll, dice=(5, 2), seat=FAR)[-1] == e.Rolled(FAR, (5, 2))


def test_what_is_no_play_is_refused_under_every_set() -> None:
    hand = Hand(5, "wbgf-responsible")
    hand.roll(4, 1)
    assert hand.refused(c.EnterPlay, play="24/20 23/22") == "empty_source"
    assert hand.refused(c.EnterPlay, play="13/12 13/1") == "blocked"
    assert hand.refused(c.EnterPlay, play="castles") == "not_notation"
    hand = Hand(5, "wbgf")
    hand.roll(4, 1)
    assert hand.refused(c.EnterPlay, play="24/21 6/5") == "illegal_play"
