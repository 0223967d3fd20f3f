"""Rulings about the cube, the score and the set-up, at the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.notation import format_play
from referee.board.position import START, Position, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.journal import MemoryJournal
from referee.match.mover import plays_now
from referee.match.names import clean_name
from referee.match.shown.views import scoreboard_view, table_view
from referee.match.shown.wording import event_sentence, put_back, sentence, set_up
from referee.match.state import Phase
from referee.match.table import TableService
from referee.observations import DieState, SeenCube
from referee.records.export import record_of
from referee.records.record import Do, Parsed
from referee.records.replay import replay
from referee.rules.presets import preset
from referee.rules.ruleset import RefereeSpeaks, SetupUntil
from tests.match.hand import Hand
from tests.match.random_play import never
from tests.match.seen_table import AFTER_62, LEFT, Table, begun, die
from tests.match.test_judge import moved
from web.archive import steps
from web.snapshot import log_lines

NEAR, FAR = Seat.NEAR, Seat.FAR


def test_a_double_in_what_turns_out_to_be_the_crawford_game_is_annulled() -> None:
    for answered in (True, False):
        hand = Hand(length=5)
        hand.open()
        hand.do(c.Double)
        if answered:
            hand.do(c.Take)
        logged = hand.do(c.SetScore, score=(4, 2))
        assert [one.reason.code for one in logged if isinstance(one, e.Ruled)] == ["crawford_annulled"]
        assert logged[-1] == e.CubeSet(1, None)
        state = hand.table.state
        assert state.crawford and state.cube.value == 1 and state.cube.owner is None
        assert state.play_phase is Phase.TO_ROLL
        record = record_of(hand.table.log)
        assert all(action.do is Do.ROLL for action in record.games[0].actions)
        assert replay(Parsed(record)).problems == ()


def test_a_score_put_right_before_anyone_doubled_annuls_nothing() -> None:
    hand = Hand(length=5)
    hand.open()
    assert [type(one) for one in hand.do(c.SetScore, score=(4, 2))] == [e.ScoreSet]


def test_money_play_shows_what_each_is_up_or_down() -> None:
    hand = Hand(length=0, rules="money")
    hand.do(c.SetScore, score=(5, 2))
    assert scoreboard_view(hand.table.state)["money"] == {"stake": 1, "unit": "", "points": [3, -3], "amounts": [3, -3]}
    assert scoreboard_view(Hand(length=5).table.state)["money"] is None
    staked = Hand(length=0, rules="money", start=False, stake=5, unit="EUR")
    staked.do(c.SetScore, score=(0, 4))
    assert scoreboard_view(staked.table.state)["money"] == {"stake": 5, "unit": "EUR", "points": [-4, 4], "amounts": [-20, 20]}
    assert "5 EUR a point" in event_sentence(staked.table.log[0].event)


def test_checkers_set_up_wrongly_are_named_before_the_first_throw() -> None:
    hand = Hand(start=False)
    points = list(START.points)
    points[5], points[4] = 4, 1
    assert set_up(hand.table.state, Position(tuple(points))) == ("Put Anna’s checker from the 5-point on the 6-point.",)
    assert set_up(hand.table.state, START) == ()
    assert set_up(hand.table.state, None) == ()
    heap = Position((15,) + (0,) * 22 + (-15,))
    assert set_up(hand.table.state, heap) == (), "nobody is setting up yet"
    hand.do(c.StartGame)
    assert set_up(hand.table.state, Position(tuple(points))) == (), "the game has begun"


# --- coming late, mixing the dice ------------------------------------------------------------------------------------------


def test_a_player_who_comes_late_is_given_points_by_the_minutes() -> None:
    hand = Hand(length=9)
    logged = hand.do(c.Late, seat=FAR, minutes=12)
    assert [type(one) for one in logged] == [e.Ruled, e.Penalised]
    assert sentence(logged[0].reason, ("Anna", "Boris")) == "Ruled: Boris came 12 minutes late; penalty points: 2."  # type: ignore[attr-defined]
    assert hand.table.state.score == (2, 0)
    assert hand.refused(c.Late, seat=FAR, minutes=4.9) == "not_late"
    assert hand.refused(c.Late, seat=FAR, minutes=float("nan")) == "bad_minutes"
    assert isinstance(hand.do(c.Late, seat=FAR, minutes=15)[-1], e.MatchWon), "five of nine points: the match is lost"
    assert Hand(length=0, rules="money").refused(c.Late, seat=FAR, minutes=30) == "only_in_matches"


def test_the_dice_are_mixed_on_demand_before_a_game_and_never_in_it() -> None:
    hand = Hand(length=0, rules="traditional", start=False)
    assert "mix_dice" in table_view(hand.table.state, hand.table.rules)["can"]
    assert hand.do(c.MixDice, seat=FAR) == [e.DiceMixed(FAR)]
    assert "pick one each in turn" in event_sentence(hand.table.log[-1].event, ("Anna", "Boris"))
    hand.do(c.StartGame)
    assert hand.refused(c.MixDice, seat=FAR) == "mid_game"
    assert Hand(start=False).refused(c.MixDice, seat=FAR) == "no_mixing"


# --- a starting position that was set up wrongly ------------------------------------------------------------------------------

FAULTY = moved(START, (13, 11))


def test_a_faulty_set_up_found_in_time_is_put_right() -> None:
    hand = Hand()
    hand.open()
    right = hand.table.state.position
    logged = hand.do(c.SetupError)
    assert [type(one) for one in logged] == [e.Ruled, e.PositionSet]
    state = hand.table.state
    assert (state.position, state.reconcile) == (right, True), "nothing is judged until the board agrees"
    assert put_back(state, moved(right, (13, 11))) == ("Put Anna’s checker from the 11-point on the 13-point.",)


@pytest.mark.parametrize(("rules", "turns"), [("bray", 2), ("agca", 0)])
def test_found_too_late_it_stands_as_the_board_is(rules: str, turns: int) -> None:
    hand = Hand(rules=rules)
    hand.open()
    for _ in range(turns):
        state = hand.table.state
        assert state.on_roll is not None
        hand.roll(6, 2)
        hand.do(c.EnterPlay, play="24/18 13/11")
    assert hand.refused(c.SetupError) == "setup_stands"
    board = moved(hand.table.state.position, (13, 11))
    logged = hand.do(c.SetupError, position=board)
    assert logged[-1] == e.SetupStands(board, (0, 0))
    assert (hand.table.state.position, hand.table.state.reconcile) == (board, False)


def test_who_began_with_too_few_checkers_can_be_gammoned_all_the_same() -> None:
    hand = Hand(rules="agca", length=0)
    hand.open()
    points = list(hand.table.state.position.points)
    place = next(i for i, n in enumerate(points) if n < -1)
    points[place] += 1
    board = Position(tuple(points), (0, 0), (0, 1))
    assert hand.do(c.SetupError, position=board)[-1] == e.SetupStands(board, (0, 1))
    last = Position((1, *(0,) * 10, -14, *(0,) * 12), (0, 0), (14, 1))
    hand.do(c.SetPosition, position=last)
    hand.do(c.SetTurn, seat=NEAR, dice=(6, 5))
    won = hand.do(c.EnterPlay, play="1/off")[-1]
    assert isinstance(won, e.GameWon)
    assert (won.kind, won.points) == (e.Kind.GAMMON, 2)


def test_who_is_given_all_his_checkers_after_all_saves_the_gammon_by_bearing_one_off() -> None:
    hand = Hand(rules="agca", length=0)
    hand.open()
    points = list(hand.table.state.position.points)
    points[next(i for i, n in enumerate(points) if n < -1)] += 1
    hand.do(c.SetupError, position=Position(tuple(points), (0, 0), (0, 1)))
    hand.do(c.SetPosition, position=Position((1, *(0,) * 17, -14, *(0,) * 4, -1), (0, 0), (14, 0)))
    hand.do(c.SetTurn, seat=FAR, dice=(2, 1))
    hand.do(c.EnterPlay, play="6/4 1/off")
    hand.roll(6, 5)
    won = hand.do(c.EnterPlay, play="1/off")[-1]
    assert isinstance(won, e.GameWon)
    assert (won.kind, won.points) == (e.Kind.SINGLE, 1)


def test_who_began_with_too_few_checkers_is_not_frozen_before_he_has_borne_one_off() -> None:
    """S4-08 is about who is hit while bearing off; what was never set up was never borne off."""
    hand = Hand(rules="agca", length=0)
    hand.open()
    hand.roll(2, 1)
    hand.do(c.EnterPlay, play="13/11 6/5")
    points = list(hand.table.state.position.points)
    points[5] -= 1
    board = Position(tuple(points), (0, 0), (1, 0))
    assert hand.do(c.SetupError, position=board)[-1] == e.SetupStands(board, (1, 0))
    hand.roll(2, 1)
    assert len(plays_now(hand.table.state, hand.table.rules)) == 23
    assert isinstance(hand.do(c.EnterPlay, play="6/4 6/5")[-1], e.Played)
    hit = Position((0, 1, 1, *(0,) * 8, -15, *(0,) * 12), (1, 0), (12, 0))
    hand.do(c.SetPosition, position=hit)
    hand.do(c.SetTurn, seat=NEAR, dice=(6, 1))
    assert {format_play(play) for play in plays_now(hand.table.state, hand.table.rules)} == {"bar/18"}, "hit while bearing off, he is"


def test_a_wrong_board_that_the_camera_sees_is_asked_about_with_that_answer() -> None:
    table = Table()
    table.say(c.StartGame)
    odd = Position(tuple(n if i not in (5, 3) else {5: 3, 3: 2}[i] for i, n in enumerate(START.points)))
    assert table.see(odd) + table.see(odd) == ["doubt"]
    asked = table.last
    assert isinstance(asked, e.Doubt)
    assert [answer.says.code for answer in asked.answers] == ["set_up_wrongly", "goes_on", "goes_on"]
    table.answer(0)
    assert table.service.state.reconcile
    assert table.see(START) == ["board_agreed"]


@pytest.mark.parametrize("until", [SetupUntil.FIRST_MOVE, SetupUntil.SECOND_TURN, 5])
def test_until_when_is_the_rule_sets_affair(until: SetupUntil | int) -> None:
    hand = Hand(rules=replace(preset("bray"), name="club", setup_error_until=until))
    found = []
    for turn in range(5):
        found.append(not isinstance(hand.say(c.SetupError), c.Refused))
        if turn == 0:
            hand.open()
        else:
            hand.roll(6, 2)
            hand.do(c.EnterPlay, play=format_play(plays_now(hand.table.state, hand.table.rules)[0]))
    assert found == {SetupUntil.FIRST_MOVE: [1, 0, 0, 0, 0], SetupUntil.SECOND_TURN: [1, 1, 1, 0, 0], 5: [1, 1, 1, 1, 1]}[until]


# --- what cannot be set by hand ---------------------------------------------------------------------------------------------


def test_positions_that_cannot_be_are_refused() -> None:
    hand = Hand()
    hand.open()
    shut = Position((*(2,) * 6, *(0,) * 12, *(-2,) * 6), (1, 1), (2, 2))
    assert hand.refused(c.SetPosition, position=shut) == "both_closed_out"
    swept = Position((0,) * 24, (0, 0), (15, 15))
    assert hand.refused(c.SetPosition, position=swept) == "game_would_be_over"
    won = Position((0,) * 11 + (-15,) + (0,) * 12, (0, 0), (15, 0))
    assert hand.refused(c.SetPosition, position=won) == "game_would_be_over"
    assert hand.refused(c.SetPosition, position=Position((0,) * 24)) == "not_thirty"


def test_the_crawford_game_is_one_only_at_its_score() -> None:
    hand = Hand(length=5)
    for score in ((0, 0), (3, 2), (4, 4)):
        assert hand.refused(c.SetScore, score=score, crawford=True) == "no_crawford"
    hand.do(c.SetScore, score=(4, 2), crawford=True)
    assert hand.table.state.crawford
    hand.do(c.SetScore, score=(4, 2), crawford=False)
    assert not hand.table.state.crawford
    assert Hand(length=5, rules=replace(preset("bray"), name="x", crawford=False)).refused(
        c.SetScore, score=(4, 2), crawford=True
    ) == "no_crawford"


def test_two_players_have_two_names_that_can_be_seen() -> None:
    for names in (("Anna", "Anna"), ("Anna", "An\u200bna"), ("Anna", "\uff21nna"), (" Anna", "ANNA "), ("علی\u200cرضا", "علیرضا")):
        outcome = Table().service.command(c.StartMatch(seen_seq=1, names=names))
        assert isinstance(outcome, c.Refused)
        fresh = TableService(MemoryJournal(), preset("bray"), never, None)
        refused = fresh.command(c.StartMatch(seen_seq=0, names=names))
        assert isinstance(refused, c.Refused) and refused.reason.code == "same_names", names
    for text in ("\u200b", "\u200d", "\u2800", "\u3164", "\u202e ", "\x00", "\u0301"):
        assert clean_name(text) == "", text.encode("unicode_escape")
    for text in ("Anna", "Zoë", "李娜", "O'Neil", "अनन्या", "7", "علی\u200cرضا", "👩\u200d👩\u200d👧"):
        assert clean_name(text) == text
    for text in ("An\u200dna", "Anna\u200d", "\u200cAnna"):
        assert clean_name(text) == "Anna", "no letter is joined to another there"


@pytest.mark.parametrize(
    ("on_time", "said"), [(True, "Ruled: Boris’s time ran out; the match is Anna’s."), (False, "Ruled: the match is Anna’s.")]
)
def test_once_a_flag_has_fallen_a_director_says_whether_the_match_is_lost_on_time(on_time: bool, said: str) -> None:
    hand = Hand(length=5)
    assert hand.refused(c.AwardMatch, seat=NEAR, on_time=True) == "time_left"
    hand.table.note(e.Flagged(FAR))
    assert hand.refused(c.AwardMatch, seat=FAR, on_time=True) == "time_left", "hers has not run out"
    ruled = hand.do(c.AwardMatch, seat=NEAR, on_time=on_time)[0]
    assert isinstance(ruled, e.Ruled)
    assert sentence(ruled.reason, ("Anna", "Boris")) == said


def test_what_was_agreed_at_set_up_is_what_is_played() -> None:
    hand = Hand(length=0, rules="traditional", choices=(("auto_doubles", "unlimited"), ("first_throw_refusal", True)))
    assert hand.table.rules.auto_doubles is None and hand.table.rules.first_throw_refusal
    hand.roll(4, 4)
    hand.roll(4, 4)
    assert hand.table.state.cube.value == 4
    plain = Hand(length=0, rules="traditional")
    plain.roll(4, 4)
    assert plain.table.state.cube.value == 1
    fresh = TableService(MemoryJournal(), preset("bray"), never, None)
    refused = fresh.command(c.StartMatch(seen_seq=0, names=("A", "B"), choices=(("crawford", False),)))
    assert isinstance(refused, c.Refused) and refused.reason.code == "bad_choice"
    refused = fresh.command(c.StartMatch(seen_seq=0, names=("A", "B"), stake=0))
    assert isinstance(refused, c.Refused) and refused.reason.code == "bad_stake"


# --- an illegal play that players are not told of -----------------------------------------------------------------------------


def test_who_is_not_told_of_an_illegal_play_goes_on_and_it_stands() -> None:
    hand = Hand(rules="wbgf-responsible")
    hand.roll(3, 1)
    hand.do(c.EnterPlay, play="8/5", hold=True)
    assert hand.table.state.phase is Phase.HELD
    logged = hand.do(c.EnterRoll, dice=(5, 2))
    assert [type(one) for one in logged] == [e.IllegalPlayStood, e.Rolled]
    assert logged[-1] == e.Rolled(FAR, (5, 2))


def test_a_refusal_does_not_tell_that_a_play_is_held() -> None:
    hand = Hand(rules="wbgf-responsible")
    hand.roll(3, 1)
    seq = hand.table.state.seq
    hand.do(c.EnterPlay, play="8/5", hold=True)
    assert hand.refused(c.EnterPlay, play="7/4 6/5") == "empty_source", "as after any play"
    outcome = hand.table.command(c.EnterPlay(seen_seq=seq, play="8/5 6/5"))
    assert isinstance(outcome, c.Refused)
    assert outcome.reason.get("by") == "played"
    told = hand.table.command(c.EnterPlay(seen_seq=seq, play="8/5 6/5", role=e.Role.DIRECTOR))
    assert isinstance(told, c.Refused) and told.reason.get("by") == "illegal_play"
    assert [type(one) for one in hand.do(c.Rule, stands=False, play="8/5 6/5", role=e.Role.DIRECTOR)] == [e.Ruled, e.PlayCorrected]


def test_a_play_that_was_accepted_is_ruled_to_stand_and_nothing_is_changed_by_it() -> None:
    hand = Hand()
    hand.open()
    before = hand.table.state.position
    (ruled,) = hand.do(c.Rule, stands=True, note="seen", role=e.Role.DIRECTOR)
    assert isinstance(ruled, e.Ruled) and (ruled.reason.code, ruled.note) == ("stands", "seen")
    assert (hand.table.state.position, hand.table.state.on_roll) == (before, FAR)
    assert hand.refused(c.Rule, stands=False, play="8/1", role=e.Role.DIRECTOR) == "blocked", "what nobody can have played is not ruled"
    assert hand.refused(c.Rule, stands=True, play="xx", role=e.Role.DIRECTOR) == "not_notation"


# --- who puts an illegal play right, and until when --------------------------------------------------------------------------


def test_by_hand_too_the_others_roll_or_double_closes_the_time_for_correction() -> None:
    hand = Hand()
    hand.roll(3, 1)
    hand.do(c.EnterPlay, play="8/5", hold=True)
    assert [type(one) for one in hand.do(c.EnterRoll, dice=(5, 2), seat=FAR)] == [e.IllegalPlayStood, e.Rolled]
    assert hand.table.state.on_roll is FAR
    doubled = Hand()
    doubled.roll(3, 1)
    doubled.do(c.EnterPlay, play="8/5", hold=True)
    assert [type(one) for one in doubled.do(c.Double, seat=FAR)] == [e.IllegalPlayStood, e.Doubled]
    not_so = Hand(rules=replace(preset("usbgf"), referee_speaks=RefereeSpeaks.ALWAYS))
    not_so.roll(3, 1)
    not_so.do(c.EnterPlay, play="8/5", hold=True)
    assert not_so.refused(c.Double, seat=FAR) == "not_on_roll", "there a double does not close it"


@pytest.mark.parametrize(
    ("rules", "who", "said"),
    [
        ("bray", "must", "Anna: put the play right"),
        ("wbgf-responsible", "opponent", "Boris decides whether Anna’s play is put right or stands"),
        ("magriel", "either", "Either player may have Anna’s play put right"),
    ],
)
def test_it_is_said_who_decides_on_a_correction(rules: str, who: str, said: str) -> None:
    hand = Hand(rules=replace(preset(rules), referee_speaks=RefereeSpeaks.ALWAYS))
    hand.roll(3, 1)
    hand.do(c.EnterPlay, play="8/5", hold=True)
    view = table_view(hand.table.state, hand.table.rules)
    assert (view["held"]["who"], view["expected"]["text"]) == (who, said)


def test_a_dead_cube_is_remarked_on_the_matchs_page_and_nowhere_else() -> None:
    hand = Hand(length=3)
    hand.open()
    hand.do(c.SetScore, score=(1, 0))
    hand.do(c.SetCube, value=2, owner=NEAR)
    hand.do(c.SetTurn, seat=NEAR)
    hand.do(c.Double)
    texts = [step["text"] for step in steps(hand.table.log, pictures=False)]
    assert texts[-1] == "Anna doubles to 4. Anna gains nothing by it: the cube as it stood won the match already."
    assert hand.table.state.rulings == ()
    alive = Hand(length=9)
    alive.open()
    alive.do(c.Double)
    assert steps(alive.table.log, pictures=False)[-1]["text"] == "Boris doubles to 2"


def test_a_cube_that_lies_wrong_is_put_right_or_counts_as_it_lies() -> None:
    for answer, value in ((0, 1), (1, 8)):
        table = begun()
        table.cube = SeenCube(8, FAR)
        table.see(AFTER_62)
        table.see(AFTER_62)
        asked = table.event(e.Doubt)
        assert isinstance(asked, e.Doubt)
        assert [one.says.code for one in asked.answers] == ["cube_right", "cube_as_seen"]
        table.answer(answer)
        assert table.service.state.cube.value == value
        codes = [ruling.reason.code for ruling in table.service.state.rulings]
        assert ("cube_put_right" in codes) == (answer == 0)


def test_in_the_crawford_game_a_cube_that_lies_wrong_can_only_be_put_right() -> None:
    table = begun()
    table.service.note(e.ScoreSet((2, 0), crawford=True))
    table.cube = SeenCube(8, FAR)
    table.see(AFTER_62)
    table.see(AFTER_62)
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert [one.says.code for one in asked.answers] == ["cube_right"]


def test_where_only_the_faulty_die_is_thrown_again_it_is_said() -> None:
    for rules, said in (("bray", "A die is cocked; throw again."), ("agca", "A die is cocked; throw that one again.")):
        table = begun(rules=rules)
        table.see(AFTER_62, die(5, LEFT), die(3, LEFT, DieState.COCKED))
        void = table.event(e.RollVoid)
        assert isinstance(void, e.RollVoid)
        assert sentence(void.reason) == said


def test_a_board_set_by_hand_while_a_play_is_held_ends_the_holding() -> None:
    hand = Hand()
    hand.roll(3, 1)
    hand.do(c.EnterPlay, play="8/5", hold=True)
    held = table_view(hand.table.state, hand.table.rules)["held"]
    assert held["moves"] == [{"seat": "near", "source": 5, "target": 8}], "in the numbers of whose checker it is"
    hand.do(c.SetPosition, position=START)
    assert (hand.table.state.phase, hand.table.state.held) == (Phase.ROLLED, None)
    hand.do(c.EnterPlay, play="8/5 6/5")
    assert hand.table.state.on_roll is FAR


def test_a_referee_that_only_logs_announces_no_throw_either() -> None:
    for rules, said in (("bray", True), ("usbgf", False)):
        table = begun(rules=rules)
        table.see(AFTER_62, die(5, LEFT), die(3, LEFT, DieState.COCKED))
        state = table.service.state
        assert [ruling.announced for ruling in state.rulings] == [said]
        assert bool(table_view(state, table.service.rules)["rulings"]) == said
        assert len(table_view(state, table.service.rules, director=True)["rulings"]) == 1
        assert [line["aloud"] for line in log_lines(table.service.log, state) if line["type"] == "roll_void"] == [said]
