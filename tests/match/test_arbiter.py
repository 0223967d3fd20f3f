"""The turn, phase by phase, as the arbiter sees it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.board.plays import LegalPlays
from referee.board.position import START, Position, Seat
from referee.match import events as e
from referee.match.arbiter import consider
from referee.match.commands import AnswerDoubt, StartMatch
from referee.match.journal import MemoryJournal
from referee.match.settle import Settle
from referee.match.state import Phase
from referee.match.table import TableService
from referee.observations import About, DieState, Half, Reading, SeenCube, SeenDie, SeenDoubt, SeenPosition
from referee.rules.presets import preset
from tests.match.labels import GAMES, finished, frames_of, kinds, reading_of, seen_turns, still_table, true_kinds, true_turns
from tests.match.test_judge import moved

NEAR, FAR = Seat.NEAR, Seat.FAR
RIGHT, LEFT = Half.RIGHT, Half.LEFT
CENTRED = SeenCube(1, None)


class Table:
    """A table whose camera is told what it sees, a second later each time."""

    def __init__(self, stills: bool = True, rules: str = "bray", length: int = 0) -> None:
        self.service = TableService(MemoryJournal(), preset(rules), consider, Settle(stills=stills))
        self.service.command(StartMatch(seen_seq=0, names=("", ""), rules=rules, length=length))
        self.looks = 1 if stills else 4
        self.now = 0.0
        self.cube: SeenCube | None = CENTRED

    def see(self, position: Position, *dice: SeenDie, doubts: tuple[SeenDoubt, ...] = (), looks: int = 0) -> list[str]:
        """The types of what was logged."""
        logged: list[str] = []
        for _ in range(looks or self.looks):
            self.now += 0.5
            reading = Reading(dice, SeenPosition(position.points, position.bar), self.cube, doubts, self.now, f"{self.now}")
            logged += [one.event.type for one in self.service.observe(reading) if one.event.type != "dice_lifted"]
        self.now += 5.0
        return logged

    @property
    def last(self) -> e.Event:
        return self.service.log[-1].event

    @property
    def phase(self) -> Phase:
        return self.service.state.phase

    def event(self, kind: type[e.Event]) -> e.Event:
        return next(one.event for one in reversed(self.service.log) if isinstance(one.event, kind))

    def answer(self, place: int | None) -> None:
        state = self.service.state
        assert state.doubt is not None
        self.service.command(AnswerDoubt(seen_seq=state.seq, doubt_seq=state.doubt.seq, answer=place))


def die(value: int, half: Half | None = RIGHT, state: DieState = DieState.FLAT, place: float = 0.0) -> SeenDie:
    left = 800.0 if half is RIGHT else 200.0
    return SeenDie(value, state, half, (left + 30 * value + place, 300.0 + place))


def throw(seat: Seat, a: int, b: int, place: float = 0.0) -> tuple[SeenDie, SeenDie]:
    half = RIGHT if seat is NEAR else LEFT
    return die(a, half, place=place), die(b, half, place=place + 60)


OPENING = (die(6, RIGHT), die(2, LEFT))  # near starts with 6-2
AFTER_62 = moved(START, (24, 18), (13, 11))


def begun(stills: bool = True, rules: str = "bray", length: int = 0) -> Table:
    """A game in which near has played 62 and far is to roll."""
    table = Table(stills, rules, length)
    assert table.see(START) == ["game_started"]
    assert table.see(START, *OPENING) == ["opening_rolled"]
    assert table.see(AFTER_62) == ["played"]
    return table


def plays(position: Position, seat: Seat, a: int, b: int) -> list[Position]:
    return list(LegalPlays(position, seat, (a, b)).results)


# --- whole games ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["first_turns", "short_game"])
def test_a_game_read_perfectly_is_refereed_perfectly(name: str) -> None:
    frames = frames_of(GAMES / f"{name}.jsonl")
    log = finished(still_table(), [reading_of(frame, float(i)) for i, frame in enumerate(frames)])
    assert seen_turns(log) == true_turns(frames)
    counted = kinds(log)
    assert {kind: counted[kind] for kind in true_kinds(frames)} == true_kinds(frames)
    assert counted["doubt"] == 0


@pytest.mark.parametrize("name", ["first_turns", "short_game"])
def test_the_same_on_a_stream(name: str) -> None:
    frames = frames_of(GAMES / f"{name}.jsonl")
    table = still_table(stills=False)
    log = finished(table, [replace(reading_of(frame), captured_at=10.0 * i + 0.4 * k) for i, frame in enumerate(frames) for k in range(4)])
    assert seen_turns(log) == true_turns(frames)
    assert kinds(log)["doubt"] == 0
    assert kinds(log)["roll_void"] == true_kinds(frames)["roll_void"]


@pytest.mark.parametrize("name", ["first_turns", "short_game"])
def test_one_doubtful_point_in_a_picture_costs_no_question(name: str) -> None:
    """In each picture in turn one occupied point is read one off and doubted."""
    frames = frames_of(GAMES / f"{name}.jsonl")
    perfect = [reading_of(frame, float(i)) for i, frame in enumerate(frames)]
    for number in range(2, len(perfect)):
        readings = list(perfect)
        readings[number] = misread(readings[number], number)
        log = finished(still_table(), readings)
        assert [turn.after for turn in seen_turns(log)] == [turn.after for turn in true_turns(frames)], number
        assert kinds(log)["doubt"] == 0, number


def misread(reading: Reading, salt: int) -> Reading:
    assert reading.position is not None
    points = list(reading.position.points)
    places = [i for i, n in enumerate(points) if n]
    place = places[salt % len(places)]
    true = points[place]
    points[place] += 1 if true > 0 else -1
    doubt = SeenDoubt(About.POINT, "count", "", point=place + 1, values=(points[place], true))
    return replace(reading, position=SeenPosition(tuple(points), reading.position.bar), doubts=(doubt,))


@pytest.mark.parametrize("name", ["first_turns", "short_game"])
def test_a_missing_picture_of_a_play_costs_nothing_but_what_it_showed(name: str) -> None:
    """Without a picture between, the play is judged by the next throw's picture."""
    frames = frames_of(GAMES / f"{name}.jsonl")
    for number in range(2, len(frames) - 2):
        if frames[number]["role"] != "after_move" or frames[number + 1]["role"] == "after_move" or frames[number]["turn"]["legal"] is False:
            continue
        kept = [frame for i, frame in enumerate(frames) if i != number]
        log = finished(still_table(), [reading_of(frame, float(i)) for i, frame in enumerate(kept)])
        truth, turns = true_turns(frames), seen_turns(log)
        assert [(t.seat, t.dice) for t in turns] == [(t.seat, t.dice) for t in truth], number
        assert kinds(log)["doubt"] == 0, number


# --- the opening -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stills", [True, False])
def test_nothing_begins_before_the_starting_position(stills: bool) -> None:
    table = Table(stills)
    assert table.see(AFTER_62, *OPENING) == []
    assert table.see(START, doubts=(SeenDoubt(About.POINT, "count", "", point=6, values=(4, 5)),)) == []
    assert table.see(START) == ["game_started"]


@pytest.mark.parametrize("stills", [True, False])
def test_a_tie_is_thrown_again_by_both(stills: bool) -> None:
    table = Table(stills)
    table.see(START)
    assert table.see(START, die(4, RIGHT), die(4, LEFT)) == ["opening_tied"]
    assert table.see(START, die(4, RIGHT), die(4, LEFT)) == []
    assert table.see(START, die(1, RIGHT), die(4, LEFT)) == [], "far has not thrown again yet"
    assert table.see(START, die(1, RIGHT), die(3, LEFT, place=50)) == ["opening_rolled"]
    assert table.last == e.OpeningRolled(FAR, (1, 3))


@pytest.mark.parametrize("stills", [True, False])
def test_one_die_at_rest_waits_for_the_other(stills: bool) -> None:
    table = Table(stills)
    table.see(START)
    assert table.see(START, die(6, RIGHT)) == []
    assert table.see(START, die(6, RIGHT), die(2, LEFT, DieState.COCKED)) == ["roll_void"]
    assert table.event(e.RollVoid).seat is FAR  # type: ignore[attr-defined]
    assert table.see(START, die(6, RIGHT), die(2, LEFT, place=40)) == ["opening_rolled"]


# --- throws ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stills", [True, False])
@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (die(3, LEFT, DieState.COCKED), "cocked"),
        (die(3, LEFT, DieState.ON_CHECKER), "on_checker"),
        (die(3, None, DieState.ON_BAR), "on_bar"),
        (die(3, None, DieState.OFF_BOARD), "off_board"),
        (die(3, RIGHT), "wrong_half"),
        (None, "missing_die"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_bad_throw_is_void_once_and_thrown_again(stills: bool, bad: SeenDie | None, code: str) -> None:
    table = begun(stills)
    thrown = (die(5, LEFT), *((bad,) if bad else ()))
    assert table.see(AFTER_62, *thrown) == ["roll_void"]
    assert table.last.reason.code == code  # type: ignore[attr-defined]
    assert table.see(AFTER_62, *thrown) == []
    assert table.see(AFTER_62, *throw(FAR, 3, 1, place=20)) == ["rolled"]
    assert table.last == e.Rolled(FAR, (3, 1))


def test_a_die_on_a_checker_counts_where_the_rule_set_says_so() -> None:
    table = begun(rules="strato")
    assert table.see(AFTER_62, die(5, LEFT), die(3, LEFT, DieState.ON_CHECKER)) == ["rolled"]


def test_only_the_faulty_die_is_thrown_again_where_the_rule_set_says_so() -> None:
    both, faulty = begun(), begun(rules="agca")
    for table in (both, faulty):
        table.see(AFTER_62, die(5, LEFT), die(3, LEFT, DieState.COCKED))
    again = (die(5, LEFT), die(2, LEFT, place=90))
    assert both.see(AFTER_62, *again) == []
    assert faulty.see(AFTER_62, *again) == ["rolled"]


@pytest.mark.parametrize("stills", [True, False])
def test_dice_beside_the_board_are_nobodys_throw(stills: bool) -> None:
    table = begun(stills)
    spare = (die(6, None, DieState.OFF_BOARD), die(1, None, DieState.OFF_BOARD))
    assert table.see(AFTER_62, *spare) == []
    assert table.see(AFTER_62, *spare, *throw(FAR, 3, 1)) == ["rolled"]


def test_a_third_die_that_is_hardly_believed_is_passed_over() -> None:
    table = begun()
    phantom = replace(die(6, LEFT, place=70), confidence=0.3)
    assert table.see(AFTER_62, *throw(FAR, 3, 1), phantom) == ["rolled"]


def test_three_dice_in_one_half_are_no_throw_to_accept() -> None:
    table = begun()
    assert "rolled" not in table.see(AFTER_62, *throw(FAR, 3, 1), die(6, LEFT, place=70))


def value_doubt(seen: SeenDie, *values: int) -> SeenDoubt:
    return SeenDoubt(About.DIE, "value", "", centre=seen.centre, values=values)


@pytest.mark.parametrize("stills", [True, False])
def test_a_die_in_doubt_is_looked_at_again_before_anything_is_said(stills: bool) -> None:
    table = begun(stills)
    dice = throw(FAR, 3, 1)
    assert table.see(AFTER_62, *dice, doubts=(value_doubt(dice[0], 3, 5),), looks=1) == []
    assert table.see(AFTER_62, *dice) == ["rolled"]


@pytest.mark.parametrize("stills", [True, False])
def test_a_die_that_stays_in_doubt_is_asked_about(stills: bool) -> None:
    table = begun(stills)
    dice = throw(FAR, 3, 1)
    assert table.see(AFTER_62, *dice, doubts=(value_doubt(dice[0], 3, 5),), looks=4) == ["doubt"]
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert [answer.events[0] for answer in asked.answers[:2]] == [e.Rolled(FAR, (3, 1)), e.Rolled(FAR, (5, 1))]
    table.answer(1)
    assert (table.phase, table.service.state.dice) == (Phase.ROLLED, (5, 1))
    assert table.see(plays(AFTER_62, FAR, 5, 1)[0]) == ["played"]


def test_a_die_in_doubt_is_told_by_the_play() -> None:
    table = begun()
    dice = throw(FAR, 3, 1)
    table.see(AFTER_62, *dice, doubts=(value_doubt(dice[0], 3, 5),))
    after = next(p for p in plays(AFTER_62, FAR, 5, 1) if p not in plays(AFTER_62, FAR, 3, 1))
    assert table.see(after) == ["rolled", "played"]
    assert table.event(e.Rolled) == e.Rolled(FAR, (5, 1))


def test_a_throw_in_doubt_that_is_thrown_again_was_void() -> None:
    table = begun()
    doubt = SeenDoubt(About.DIE, "state", "", centre=die(5, LEFT).centre)
    table.see(AFTER_62, die(5, LEFT, DieState.COCKED), die(2, LEFT), doubts=(doubt,))
    assert table.see(AFTER_62, *throw(FAR, 3, 1, place=25)) == ["roll_void", "rolled"]


def test_what_was_seen_while_a_throw_was_asked_about_is_no_play_of_the_next_throw() -> None:
    """A throw in doubt is taken up and thrown again: the empty board between the two is not the new roll left unplayed."""
    table = begun(stills=False)
    first = throw(FAR, 5, 1)
    doubt = SeenDoubt(About.DIE, "state", "it may not lie flat", centre=first[1].centre)
    assert table.see(AFTER_62, *first, doubts=(doubt,), looks=6) == ["doubt"]
    table.see(AFTER_62)
    clear = table.see(AFTER_62, *throw(FAR, 6, 5, place=40))
    assert clear[-1] == "rolled"
    assert "illegal_play" not in table.see(AFTER_62, *throw(FAR, 6, 5, place=40), looks=8)
    assert table.phase is Phase.ROLLED


@pytest.mark.parametrize("stills", [True, False])
def test_a_disturbed_die_is_no_new_roll(stills: bool) -> None:
    table = begun(stills)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.see(AFTER_62, die(3, LEFT), die(4, LEFT, place=130)) == []
    assert table.service.state.dice == (3, 1)
    assert table.see(plays(AFTER_62, FAR, 3, 1)[0]) == ["played"]


@pytest.mark.parametrize(("rules", "expected"), [("bray", True), ("traditional", False)])
def test_a_premature_throw_stands_or_is_thrown_again(rules: str, expected: bool) -> None:
    table = begun(rules=rules)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    after = plays(AFTER_62, FAR, 3, 1)[0]
    early = throw(NEAR, 5, 2)
    assert table.see(after, *throw(FAR, 3, 1), *early) == ([] if expected else ["roll_void"])
    assert table.see(after, *early) == (["played", "rolled"] if expected else ["played"])
    if expected:
        assert table.last == e.Rolled(NEAR, (5, 2), premature=True)


# --- plays -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stills", [True, False])
def test_while_the_dice_lie_nothing_is_judged(stills: bool) -> None:
    table = begun(stills)
    dice = throw(FAR, 3, 1)
    table.see(AFTER_62, *dice)
    for halfway in (moved(AFTER_62, (12, 20), sign=-1), moved(AFTER_62, (13, 2)), AFTER_62):
        assert table.see(halfway, *dice) == []


def illegal_table(stills: bool = True, rules: str = "bray") -> tuple[Table, Position, Position]:
    """Far threw 3-1 and moved two checkers 4 and 2 points: held. With it the wrong and a right position."""
    table = begun(stills, rules)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    wrong = moved(AFTER_62, (17, 19), (17, 21), sign=-1)
    assert table.see(wrong) == ["illegal_play"]
    return table, wrong, plays(AFTER_62, FAR, 3, 1)[0]


@pytest.mark.parametrize("stills", [True, False])
def test_an_illegal_play_is_held_and_put_right(stills: bool) -> None:
    table, wrong, right = illegal_table(stills)
    assert table.phase is Phase.HELD
    assert table.see(wrong) == []
    assert table.see(AFTER_62) == [], "checkers put back"
    assert table.see(right) == ["play_corrected"]
    assert table.service.state.on_roll is NEAR


@pytest.mark.parametrize("stills", [True, False])
def test_the_dice_may_be_put_back_while_it_is_put_right(stills: bool) -> None:
    table, _, right = illegal_table(stills)
    assert table.see(AFTER_62, *throw(FAR, 3, 1)) == []
    assert table.see(right, *throw(FAR, 3, 1)) == []
    assert table.see(right) == ["play_corrected"]


@pytest.mark.parametrize("stills", [True, False])
def test_the_next_valid_throw_closes_the_window(stills: bool) -> None:
    table, wrong, _ = illegal_table(stills)
    cocked = (die(5, RIGHT), die(2, RIGHT, DieState.COCKED))
    assert table.see(wrong, *cocked) == []
    assert table.see(wrong, *throw(NEAR, 6, 5, place=33)) == ["illegal_play_stood", "rolled"]
    stood = table.event(e.IllegalPlayStood)
    assert isinstance(stood, e.IllegalPlayStood)
    assert (stood.position, stood.late) == (wrong, False)


def test_a_double_closes_the_window_where_the_rule_set_says_so() -> None:
    table, wrong, _ = illegal_table()
    table.cube = SeenCube(2, None, FAR)
    assert table.see(wrong) == ["illegal_play_stood", "doubled"]


def test_thrown_before_it_was_said_is_logged_without_alarm() -> None:
    table = begun()
    table.see(AFTER_62, *throw(FAR, 3, 1))
    wrong = moved(AFTER_62, (17, 19), (17, 21), sign=-1)
    assert table.see(wrong, *throw(NEAR, 5, 2)) == ["illegal_play_stood", "rolled"]
    stood = table.event(e.IllegalPlayStood)
    assert isinstance(stood, e.IllegalPlayStood)
    assert stood.late


def test_under_responsible_moves_an_illegal_play_is_not_announced() -> None:
    table, _, _ = illegal_table(rules="wbgf-responsible")
    held = table.event(e.IllegalPlay)
    assert isinstance(held, e.IllegalPlay)
    assert not held.announced


def test_one_illegal_reading_of_a_stream_is_not_enough() -> None:
    table = begun(stills=False)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    right = plays(AFTER_62, FAR, 3, 1)[0]
    table.see(moved(AFTER_62, (17, 19), (17, 21), sign=-1), looks=1)
    assert table.see(right) == ["played"]


def test_a_play_in_doubt_is_asked_about_and_later_sight_settles_it() -> None:
    table = begun(stills=False)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    right = plays(AFTER_62, FAR, 3, 1)[0]
    hidden = tuple(SeenDoubt(About.POINT, "hidden", "", point=point) for point in range(1, 25))
    assert table.see(right, doubts=hidden) == ["doubt"]
    assert table.see(right) == ["doubt_resolved", "played"]


def test_a_play_left_in_doubt_by_stills_is_read_off_the_next_picture() -> None:
    table = begun()
    table.see(AFTER_62, *throw(FAR, 3, 1))
    right = plays(AFTER_62, FAR, 3, 1)[0]
    hidden = tuple(SeenDoubt(About.POINT, "hidden", "", point=point) for point in range(1, 25))
    assert table.see(right, doubts=hidden) == []
    assert table.see(right, *throw(NEAR, 6, 5)) == ["played", "rolled"]


def test_a_play_never_read_is_settled_by_the_other_players_next_play() -> None:
    """The points that tell two plays apart stay in doubt until the other has played on."""
    table = begun()
    table.see(AFTER_62, *throw(FAR, 3, 1))
    one, other = plays(AFTER_62, FAR, 3, 1)[:2]
    apart = tuple(SeenDoubt(About.POINT, "hidden", "", point=i + 1) for i in range(24) if one.points[i] != other.points[i])
    assert table.see(one, doubts=apart) == []
    assert table.see(one, *throw(NEAR, 5, 2), doubts=apart) == ["doubt"]
    answer = plays(one, NEAR, 5, 2)[0]
    assert table.see(answer) == ["doubt_resolved", "played", "rolled", "played"]
    assert table.service.state.position == answer
    assert table.see(answer, *throw(FAR, 6, 6, place=40)) == ["rolled"]


# --- rolls nobody saw, sweeps, people -------------------------------------------------------------------------------------


@pytest.mark.parametrize("stills", [True, False])
def test_a_roll_nobody_saw_is_asked_about_and_never_guessed(stills: bool) -> None:
    table = begun(stills)
    after = next(p for p in plays(AFTER_62, FAR, 6, 1) if p not in plays(AFTER_62, FAR, 4, 3))
    logged = table.see(after, looks=12 if not stills else 0) + table.see(after)
    assert logged == ["doubt"]
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert asked.about == "roll"
    assert "rolled" not in table.see(after, *throw(NEAR, 6, 5)), "nothing goes on before the answer"
    wanted = next(i for i, a in enumerate(asked.answers) if any(isinstance(v, e.Rolled) and sorted(v.dice) == [1, 6] for v in a.events))
    table.answer(wanted)
    assert table.service.state.position == after
    assert "rolled" in table.see(after, *throw(NEAR, 6, 5)), "what was seen while the question was open is gone through"


def test_an_unseen_roll_is_forgotten_when_the_position_is_back() -> None:
    table = begun()
    after = plays(AFTER_62, FAR, 6, 1)[0]
    table.see(after)
    assert table.see(after) == ["doubt"]
    assert table.see(AFTER_62) == ["doubt_resolved"]


def test_a_question_put_aside_is_not_asked_again_of_the_same_sight() -> None:
    table = begun()
    after = plays(AFTER_62, FAR, 6, 1)[0]
    table.see(after)
    assert table.see(after) == ["doubt"]
    table.answer(None)
    assert table.see(after) + table.see(after) == []


def test_two_turns_that_nobody_saw_are_asked_about_together() -> None:
    table = begun()
    middle = plays(AFTER_62, FAR, 6, 1)[0]
    after = plays(middle, NEAR, 5, 4)[0]
    table.see(after)
    table.see(after)
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert asked.answers
    for answer in asked.answers:
        positions = [event.position for event in answer.events if isinstance(event, e.Played | e.PlayCorrected)]
        assert positions[-1] == after


def test_a_sweep_is_asked_about_once() -> None:
    table = begun()
    swept = Position((0,) * 24, (0, 0), (15, 15))
    assert table.see(swept) + table.see(swept) == ["doubt"]
    asked = table.event(e.Doubt)
    assert isinstance(asked, e.Doubt)
    assert asked.about == "game_over"
    assert table.see(swept) == []
    assert table.see(AFTER_62) == ["doubt_resolved"]


def test_sweeping_up_with_the_dice_gone_is_no_illegal_play() -> None:
    table = begun()
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.see(Position((0,) * 24, (0, 0), (15, 15))) == ["doubt"]
    table.answer(0)
    assert table.phase is Phase.GAME_OVER


# --- the cube --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stills", [True, False])
def test_a_double_is_offered_and_taken(stills: bool) -> None:
    table = begun(stills)
    table.cube = SeenCube(2, None, NEAR)
    assert table.see(AFTER_62) == ["doubled"]
    assert table.last == e.Doubled(FAR, 2)
    table.cube = SeenCube(2, NEAR)
    assert table.see(AFTER_62) == ["taken"]
    assert table.see(AFTER_62, *throw(FAR, 3, 1)) == ["rolled"]


def test_the_doubler_throwing_is_a_take() -> None:
    table = begun()
    table.cube = SeenCube(2, None, NEAR)
    table.see(AFTER_62)
    table.cube = None
    assert table.see(AFTER_62, *throw(FAR, 3, 1)) == ["taken", "rolled"]
    taken = table.event(e.Taken)
    assert isinstance(taken, e.Taken)
    assert taken.inferred


def test_a_cube_found_turned_on_the_other_side_was_offered_and_taken() -> None:
    table = begun()
    table.cube = SeenCube(2, NEAR)
    assert table.see(AFTER_62, *throw(FAR, 3, 1)) == ["doubled", "taken", "rolled"]
    assert all(one.event.inferred for one in table.service.log if isinstance(one.event, e.Doubled | e.Taken))


def test_a_cube_anywhere_else_is_asked_about_and_changes_nothing() -> None:
    table = begun()
    table.cube = SeenCube(8, FAR)
    assert table.see(AFTER_62) == []
    assert table.see(AFTER_62) == ["doubt"]
    assert "rolled" in table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.service.state.cube.value == 1


def test_nobody_doubles_before_the_first_play() -> None:
    table = Table()
    table.see(START)
    table.cube = SeenCube(2, None, FAR)
    assert "doubled" not in table.see(START)


def closed_board() -> Position:
    """Near is closed out: a checker on the bar, far's home board shut."""
    return Position((2, 3, 3, 3, 3, 0, *(0,) * 12, -2, -2, -2, -2, -2, -2), (1, 0), (0, 3))


@pytest.mark.parametrize(("cube", "expected"), [(SeenCube(2, FAR), ["no_roll", "rolled"]), (SeenCube(1, None), ["no_roll", "rolled"])])
def test_a_closed_out_player_does_not_roll(cube: SeenCube, expected: list[str]) -> None:
    table = begun()
    position = closed_board()
    table.service.note(
        e.CubeSet(cube.value, cube.owner), e.Played(FAR, (3, 1), "", position)
    )
    table.cube = cube
    assert table.see(position, *throw(FAR, 3, 1, place=15)) == expected


def test_a_closed_out_player_may_double() -> None:
    table = begun()
    table.service.note(e.Played(FAR, (3, 1), "", closed_board()))
    table.cube = SeenCube(2, None, FAR)
    assert table.see(closed_board()) == ["doubled"]
