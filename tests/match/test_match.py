"""A match refereed by hand: what each command leads to, and how games, cube and score hang together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.position import START, Position, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.commands import Accepted, Refused
from referee.match.journal import MemoryJournal
from referee.match.shown.views import table_view
from referee.match.shown.wording import sentence
from referee.match.state import Phase
from referee.match.table import TableService
from referee.rules.presets import preset
from tests.match.hand import FAR, NEAR, Hand
from tests.match.random_play import never


def test_the_opening_goes_to_the_higher_die_and_ties_are_thrown_again() -> None:
    hand = Hand()
    assert hand.do(c.EnterRoll, dice=(4, 4)) == [e.OpeningTied((4, 4))]
    assert hand.table.state.phase is Phase.OPENING
    assert hand.do(c.EnterRoll, dice=(2, 6)) == [e.OpeningRolled(FAR, (2, 6))]
    assert hand.do(c.EnterPlay, play="24/18 13/11") == [e.Played(FAR, (2, 6), "24/18 13/11", hand.table.state.position)]
    assert (hand.table.state.on_roll, hand.table.state.phase) == (NEAR, Phase.TO_ROLL)


def test_the_three_move_game_of_the_booklet() -> None:
    """Black 62: 24/18 13/11, White 55: 8/3(2) 6/1(2)*, Black 63 dances, White doubles, Black drops: one point."""
    hand = Hand()
    hand.open(6, 2, "24/18 13/11")
    hand.roll(5, 5)
    hand.do(c.EnterPlay, play="8/3(2) 6/1(2)*")
    rolled = hand.do(c.EnterRoll, dice=(6, 3))
    assert rolled[1:] == [e.Played(NEAR, (6, 3), "", hand.table.state.position)], "nothing can be played: the turn is over"
    hand.do(c.Undo)
    assert hand.table.state.dice is None, "the roll and the dance that followed are one thing"
    hand.roll(6, 3)
    assert hand.do(c.Double) == [e.Doubled(FAR, 2)]
    assert hand.do(c.Drop) == [e.Dropped(NEAR, 2), e.GameWon(FAR, 1, e.Kind.SINGLE, e.How.DROP)]
    assert hand.table.state.score == (0, 1)
    assert hand.do(c.StartGame) == [e.GameStarted(2, (0, 1))]


def test_the_cube_is_offered_before_the_roll_by_who_has_it() -> None:
    hand = Hand()
    assert hand.refused(c.Double) == "wrong_phase"
    hand.roll(3, 1)
    assert hand.refused(c.Double) == "double_before_roll"
    hand.do(c.EnterPlay, play="8/5 6/5")
    assert hand.refused(c.Take) == "no_double"
    assert hand.refused(c.Double, seat=NEAR) == "not_on_roll"
    hand.do(c.Double)
    assert hand.table.state.cube.value == 1, "until it is taken"
    assert hand.refused(c.Resign, seat=NEAR) == "answer_the_double"
    hand.do(c.Take)
    assert (hand.table.state.cube.value, hand.table.state.cube.owner) == (2, NEAR)
    hand.roll(3, 1)
    hand.do(c.EnterPlay, play="8/5 6/5")
    hand.do(c.Double)
    assert hand.do(c.EnterRoll, dice=(4, 2)) == [e.Taken(FAR, 4, inferred=True), e.Rolled(NEAR, (4, 2))], "the throw is a take"
    hand.do(c.EnterPlay, play="8/4 6/4")
    hand.roll(4, 2)
    hand.do(c.EnterPlay, play="8/4 6/4")
    assert hand.refused(c.Double) == "not_your_cube"


@pytest.mark.parametrize(
    ("near", "far", "play", "kind", "points"),
    [
        ({1: 1}, {1: 1}, "1/off", e.Kind.SINGLE, 2),
        ({1: 1}, {6: 15}, "1/off", e.Kind.GAMMON, 4),
        ({1: 1}, {6: 14, 25: 1}, "1/off", e.Kind.BACKGAMMON, 6),
        ({1: 1}, {6: 14, 19: 1}, "1/off", e.Kind.BACKGAMMON, 6),
        ({1: 1}, {6: 14, 18: 1}, "1/off", e.Kind.GAMMON, 4),
        ({1: 1}, {6: 13, 19: 1}, "1/off", e.Kind.SINGLE, 2),
    ],
)
def test_a_game_counts_single_gammon_or_backgammon_times_the_cube(
    near: dict[int, int], far: dict[int, int], play: str, kind: e.Kind, points: int
) -> None:
    hand = Hand(length=9)
    hand.open()
    hand.do(c.SetCube, value=2, owner=NEAR)
    hand.set(near, far, NEAR, (6, 5))
    won = hand.do(c.EnterPlay, play=play)
    assert won[-1] == e.GameWon(NEAR, points, kind)
    assert hand.table.state.score == (points, 0)
    assert hand.table.state.phase is Phase.GAME_OVER


def test_the_match_ends_when_its_length_is_reached_and_points_are_not_capped() -> None:
    hand = Hand(length=3)
    hand.open()
    hand.do(c.SetCube, value=4, owner=NEAR)
    hand.set({1: 1}, {1: 1}, NEAR, (6, 5))
    assert hand.do(c.EnterPlay, play="1/off")[-1] == e.MatchWon(NEAR, 4, e.Kind.SINGLE)
    assert hand.refused(c.StartGame) == "match_over"
    assert hand.refused(c.EnterRoll, dice=(2, 1)) == "wrong_phase"


def _win(hand: Hand, seat: Seat) -> list[e.Event]:
    """A plain point for ``seat``: the other resigns, which is accepted."""
    hand.open()
    hand.do(c.Resign, seat=seat.other)
    return hand.do(c.AcceptResignation)


def test_one_crawford_game_and_the_cube_is_back_after_it() -> None:
    hand = Hand(length=3)
    _win(hand, NEAR)
    assert hand.do(c.StartGame) == [e.GameStarted(2, (1, 0))]
    _win(hand, NEAR)
    assert hand.do(c.StartGame) == [e.GameStarted(3, (2, 0), crawford=True)]
    hand.open()
    assert hand.refused(c.Double) == "crawford"
    hand.do(c.Resign, seat=NEAR)
    hand.do(c.AcceptResignation)
    assert hand.do(c.StartGame) == [e.GameStarted(4, (2, 1))], "never again, though a side is still a point away"
    hand.open()
    hand.do(c.Double)
    hand.do(c.Take)


def test_no_crawford_game_when_both_are_a_point_away_or_the_match_is_one_point() -> None:
    hand = Hand(length=3, start=False)
    hand.do(c.SetScore, score=(2, 2))
    assert hand.do(c.StartGame) == [e.GameStarted(1, (2, 2))]
    single = Hand(length=1)
    assert not single.table.state.crawford
    single.open()
    assert single.refused(c.Double) == "no_cube"


def test_resignations_are_offered_refused_and_accepted_in_any_size() -> None:
    hand = Hand(length=9)
    hand.open()
    assert hand.refused(c.AcceptResignation) == "no_resignation"
    assert hand.do(c.Resign, seat=FAR, kind=e.Kind.GAMMON) == [e.Resigned(FAR, 2, e.Kind.GAMMON)]
    assert hand.refused(c.Resign, seat=FAR) == "resignation_open"
    hand.do(c.RefuseResignation)
    assert hand.table.state.phase is Phase.TO_ROLL
    hand.do(c.Resign, seat=FAR, kind=e.Kind.BACKGAMMON)
    assert hand.do(c.AcceptResignation)[-1] == e.GameWon(NEAR, 3, e.Kind.BACKGAMMON, e.How.RESIGNATION)


def test_money_play_has_automatic_doubles_jacoby_and_beavers_as_agreed() -> None:
    hand = Hand(0, replace(preset("money"), auto_doubles=1))
    assert hand.do(c.EnterRoll, dice=(2, 2)) == [e.OpeningTied((2, 2)), e.AutoDoubled(2)]
    assert hand.do(c.EnterRoll, dice=(5, 5)) == [e.OpeningTied((5, 5))], "once a game"
    hand.open()
    hand.set({1: 1}, {6: 15}, NEAR, (6, 5))
    assert hand.do(c.EnterPlay, play="1/off")[-1] == e.GameWon(NEAR, 2, e.Kind.SINGLE), "a gammon counts single: nobody doubled"
    hand.do(c.StartGame)
    hand.open()
    hand.do(c.Double)
    assert hand.do(c.Beaver) == [e.Beavered(NEAR, 4)]
    assert hand.do(c.Beaver) == [e.Beavered(FAR, 8)], "a raccoon"
    assert (hand.table.state.cube.value, hand.table.state.cube.owner, hand.table.state.on_roll) == (8, NEAR, FAR)
    match = Hand(5)
    match.open()
    match.do(c.Double)
    assert match.refused(c.Beaver) == "no_beavers"


def test_a_closed_out_player_does_not_roll_but_may_double() -> None:
    hand = Hand()
    hand.open()
    closed = dict.fromkeys(range(1, 7), 2) | {8: 3}
    hand.set(closed, {25: 1, 6: 14}, FAR)
    hand.do(c.Double)
    hand.do(c.Take)
    assert hand.do(c.EnterRoll, dice=(4, 1), seat=NEAR) == [e.NoRoll(FAR), e.Rolled(NEAR, (4, 1))]
    other = Hand()
    other.open()
    assert other.refused(c.PassTurn) == "not_closed_out"
    other.set(closed, {25: 1, 6: 14}, FAR)
    assert other.do(c.PassTurn) == [e.NoRoll(FAR)]


def test_an_illegal_play_is_refused_with_its_reason_or_held_and_put_right() -> None:
    hand = Hand()
    hand.roll(6, 2)
    outcome = hand.say(c.EnterPlay, play="24/18")
    assert isinstance(outcome, Refused)
    assert [why.code for why in outcome.detail] == ["number_not_played"]
    assert sentence(outcome.detail[0]) == "The 2 was not played."
    assert hand.refused(c.EnterPlay, play="7/5") == "empty_source"
    assert hand.refused(c.EnterPlay, play="24/18 13/12/x") == "not_notation"
    held = hand.do(c.EnterPlay, play="24/18", hold=True)
    assert isinstance(held[0], e.IllegalPlay)
    assert hand.table.state.phase is Phase.HELD
    assert hand.table.state.position == START, "what is held is not committed"
    shown = table_view(hand.table.state, hand.table.rules)["held"]
    assert (shown["text"], shown["put_back"]) == ("The 2 was not played.", ["Put Anna’s checker from the 18-point on the 24-point."])
    assert isinstance(hand.do(c.EnterPlay, play="24/16")[0], e.PlayCorrected)
    assert hand.table.state.on_roll is FAR


def test_what_is_wrong_with_a_play_is_said_of_the_moves_as_they_were_typed() -> None:
    """Another way to the same board may be wrong, too, by other numbers: of those he has said nothing."""
    hand = Hand()
    hand.roll(4, 2)
    for play, pips in (("8/4 6/5", 1), ("8/5 6/4", 3)):
        outcome = hand.say(c.EnterPlay, play=play)
        assert isinstance(outcome, Refused)
        assert [(why.code, why.get("pips")) for why in outcome.detail] == [("wrong_distance", pips)]


def test_a_director_may_let_a_play_stand_or_set_the_last_one_right() -> None:
    hand = Hand()
    hand.roll(6, 2)
    hand.do(c.EnterPlay, play="24/18", hold=True)
    stood = hand.do(c.Rule, stands=True, note="nobody saw it in time")
    assert [type(event) for event in stood] == [e.Ruled, e.IllegalPlayStood]
    assert hand.table.state.position.on_point(NEAR, 18) == 1
    assert hand.table.state.on_roll is FAR
    again = hand.do(c.Rule, stands=False, play="24/16")
    assert isinstance(again[1], e.PlayCorrected)
    assert (hand.table.state.position.on_point(NEAR, 16), hand.table.state.on_roll) == (1, FAR)
    assert hand.table.state.turns == 1


def test_a_roll_read_wrongly_is_entered_again() -> None:
    hand = Hand()
    hand.roll(6, 2)
    assert hand.do(c.EnterRoll, dice=(2, 6)) == [e.OpeningRolled(FAR, (2, 6))], "in the opening the dice say who starts"
    hand.do(c.EnterPlay, play="24/18 13/11")
    hand.roll(5, 5)
    hand.do(c.EnterRoll, dice=(5, 4))
    assert hand.table.state.dice == (5, 4)


def test_a_doubt_is_answered_once_and_by_what_it_was() -> None:
    hand = Hand()
    hand.open()
    plays = tuple(e.Answer(e.Reason("rolled", (("high", a), ("low", b))), (e.Rolled(FAR, (a, b)),)) for a, b in ((6, 1), (6, 2)))
    hand.table.note(e.Doubt("roll", e.Reason("roll_unseen"), plays))
    doubt = hand.table.state.doubt
    assert doubt is not None
    assert hand.refused(c.AnswerDoubt, doubt_seq=doubt.seq, answer=2) == "no_such_answer"
    assert hand.refused(c.AnswerDoubt, doubt_seq=doubt.seq - 1, answer=0) == "no_such_doubt"
    assert hand.do(c.AnswerDoubt, doubt_seq=doubt.seq, answer=1) == [e.DoubtResolved("roll", 1), e.Rolled(FAR, (6, 2))]
    assert hand.refused(c.AnswerDoubt, doubt_seq=doubt.seq, answer=1) == "no_such_doubt"
    hand.table.note(e.Doubt("play", e.Reason("several")))
    assert e.DoubtResolved("play") in hand.do(c.EnterPlay, play="24/18 13/11"), "what happens answers the question"


def test_a_command_is_stale_when_what_it_changes_has_changed_and_only_then() -> None:
    hand = Hand()
    hand.open()
    seen = hand.table.state.seq
    hand.table.note(e.DeviceLost("camera", e.Reason("camera_lost")))
    hand.table.note(e.Doubt("play", e.Reason("several")))
    assert isinstance(hand.table.command(c.EnterRoll(seen_seq=seen, dice=(4, 2))), Accepted), "neither changed the roll"
    late = hand.table.command(c.EnterRoll(seen_seq=seen, dice=(6, 5)))
    assert isinstance(late, Refused)
    assert (late.reason.code, late.reason.get("by")) == ("stale", "rolled")
    assert isinstance(hand.table.command(c.SetScore(seen_seq=seen, score=(1, 1))), Accepted), "the score is another matter"
    assert isinstance(hand.table.command(c.SetScore(seen_seq=seen, score=(2, 2))), Refused)
    assert hand.refused(c.EnterRoll, dice=(7, 0)) == "bad_dice"
    future = hand.table.command(c.Undo(seen_seq=10_000))
    assert isinstance(future, Refused)
    assert future.reason.code == "unknown_seq"


def test_a_throw_entered_by_somebody_who_did_not_see_the_double_is_no_take() -> None:
    hand = Hand()
    hand.open()
    seen = hand.table.state.seq
    hand.do(c.Double)
    late = hand.table.command(c.EnterRoll(seen_seq=seen, dice=(6, 5)))
    assert isinstance(late, Refused)
    assert (late.reason.code, late.reason.get("by")) == ("stale", "doubled")
    assert hand.table.state.cube.value == 1, "nobody has taken"


def test_undo_takes_back_what_a_person_did_with_what_followed_from_it() -> None:
    hand = Hand(length=1)
    hand.open()
    hand.set({1: 1}, {1: 1}, NEAR, (6, 5))
    before = hand.table.state
    hand.do(c.EnterPlay, play="1/off")
    assert hand.table.state.phase is Phase.MATCH_OVER
    hand.do(c.Undo)
    assert (hand.table.state.phase, hand.table.state.score) == (Phase.ROLLED, (0, 0))
    assert replace(hand.table.state, seq=before.seq, reconcile=before.reconcile) == before
    hand.do(c.Undo)
    assert hand.table.state.dice is None or hand.table.state.position != before.position
    for _ in range(20):
        if isinstance(hand.say(c.Undo), Refused):
            break
    assert hand.table.state.phase is Phase.SETTING_UP
    assert hand.table.state.names == ("Anna", "Boris"), "the match itself is not undone"
    assert hand.refused(c.Undo) == "nothing_to_undo"


def test_corrections_that_cannot_be_are_refused() -> None:
    hand = Hand(length=5)
    hand.open()
    assert hand.refused(c.SetPosition, position=Position((3,) + (0,) * 23)) == "not_thirty"
    assert hand.refused(c.SetCube, value=3) == "bad_cube"
    assert hand.refused(c.SetCube, value=0) == "bad_cube"
    assert hand.refused(c.SetScore, score=(-1, 0)) == "bad_score"
    assert hand.refused(c.SetScore, score=(5, 0)) == "score_over"
    assert hand.refused(c.AwardGame, seat=NEAR, points=-2) == "bad_points"
    assert hand.refused(c.StartMatch, names=("C", "D")) == "match_running"
    assert hand.refused(c.Undo, to_seq=hand.table.state.seq) == "nothing_to_undo"
    fresh = TableService(MemoryJournal(), preset("bray"), never, None)
    refused = fresh.command(c.EnterRoll(seen_seq=0, dice=(3, 1)))
    assert isinstance(refused, Refused)
    assert refused.reason.code == "no_match"
    unknown = fresh.command(c.StartMatch(seen_seq=0, names=("", ""), rules="nobody's"))
    assert isinstance(unknown, Refused)
    assert unknown.reason.code == "no_rule_set"


def test_an_awarded_game_counts_and_is_logged_with_the_reason() -> None:
    hand = Hand(length=5)
    hand.open()
    events = hand.do(c.AwardGame, seat=FAR, points=2, note="late", role=e.Role.DIRECTOR)
    assert events == [e.Ruled("game", e.Reason("awarded", (("seat", "far"),)), "late"), e.GameWon(FAR, 2, e.Kind.SINGLE, e.How.RULING)]


def test_a_single_game_without_a_length_ends_the_session() -> None:
    hand = Hand(0, games=1)
    hand.open()
    hand.do(c.Double)
    assert [type(event) for event in hand.do(c.Drop)] == [e.Dropped, e.GameWon, e.MatchWon]


def test_penalty_points_go_to_the_other_and_more_than_half_the_match_forfeits_it() -> None:
    hand = Hand(length=5, start=False)
    assert hand.do(c.Penalise, seat=NEAR, points=1)[1:] == [e.Penalised(NEAR, 1)]
    assert hand.table.state.score == (0, 1)
    assert hand.refused(c.Penalise, seat=NEAR, points=0) == "bad_penalty"
    hand.do(c.StartGame)
    hand.open()
    assert hand.do(c.Penalise, seat=NEAR, points=2)[1:] == [e.Penalised(NEAR, 2), e.MatchWon(FAR, 3, e.Kind.SINGLE)]
    assert hand.refused(c.AwardMatch, seat=NEAR) == "match_over"
    assert Hand(length=4).do(c.Penalise, seat=NEAR, points=2)[1:] == [e.Penalised(NEAR, 2)], "half the match is not more than half"


def test_a_match_may_be_awarded() -> None:
    hand = Hand(length=5)
    hand.open()
    assert hand.do(c.AwardMatch, seat=FAR, note="not there")[-1] == e.MatchWon(FAR, 0, e.Kind.SINGLE)
    assert hand.table.state.phase is Phase.MATCH_OVER


def test_the_board_must_agree_after_a_person_changed_the_match_until_he_goes_on() -> None:
    hand = Hand()
    hand.roll(6, 2)
    hand.do(c.EnterPlay, play="24/18", hold=True)
    hand.do(c.Rule, stands=True)
    assert not hand.table.state.reconcile, "the board shows what stands"
    hand.do(c.Rule, stands=False, play="24/16")
    assert hand.table.state.reconcile
    hand.table.note(e.BoardAgreed())
    assert not hand.table.state.reconcile
    hand.do(c.Undo, to_seq=3)
    assert hand.table.state.reconcile
    hand.do(c.EnterPlay, play="24/16")
    assert not hand.table.state.reconcile


def test_the_first_throw_may_be_refused_once_by_each_where_the_rules_know_it() -> None:
    hand = Hand(0, replace(preset("traditional"), first_throw_refusal=True))
    assert hand.refused(c.RefuseFirstThrow, seat=NEAR) == "wrong_phase"
    hand.roll(6, 1)
    assert hand.do(c.RefuseFirstThrow, seat=FAR) == [e.FirstThrowRefused(FAR, 2)]
    assert (hand.table.state.phase, hand.table.state.cube.value, hand.table.state.cube.owner) == (Phase.OPENING, 2, None)
    hand.roll(6, 1)
    assert hand.refused(c.RefuseFirstThrow, seat=FAR) == "already_refused"
    hand.do(c.RefuseFirstThrow, seat=NEAR)
    hand.open()
    hand.roll(6, 1)
    assert hand.refused(c.RefuseFirstThrow, seat=NEAR) == "already_played"
    match = Hand(5, replace(preset("traditional"), first_throw_refusal=True))
    match.roll(6, 1)
    assert match.refused(c.RefuseFirstThrow, seat=FAR) == "no_refusal"


def test_a_play_that_has_not_been_made_cannot_be_let_stand() -> None:
    hand = Hand()
    hand.roll(6, 2)
    assert hand.refused(c.Rule, stands=True) == "nothing_to_rule"
    assert hand.table.state.phase is Phase.ROLLED


@pytest.mark.parametrize("answer", [c.Take, c.Drop])
def test_a_double_is_not_answered_by_who_had_not_seen_the_position_it_is_ruled_to_be_from(answer: type[c.Command]) -> None:
    hand = Hand()
    hand.open()
    hand.do(c.Double, seat=FAR)
    seen = hand.table.state.seq
    hand.do(c.Rule, stands=False, play="24/23 13/10")
    outcome = hand.table.command(answer(seen_seq=seen))
    assert isinstance(outcome, Refused)
    assert outcome.reason.code == "stale"
    hand.do(answer)
