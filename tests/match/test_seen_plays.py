"""A play seen to its end: judged, held, put right, or standing."""

from __future__ import annotations

import pytest

from referee.board.position import START, Position
from referee.match import events as e
from referee.match.arbiter.consider import finish
from referee.match.state import Phase
from referee.observations import About, DieState, SeenCube, SeenDoubt
from tests.match.seen_table import (
    AFTER_62,
    FAR,
    NEAR,
    OPENING,
    RIGHT,
    Table,
    begun,
    die,
    plays,
    throw,
)
from tests.match.test_judge import moved

AFTER_31 = moved(AFTER_62, (17, 20), (19, 20), sign=-1)  # far's 8/5 6/5


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


@pytest.mark.parametrize("stills", [True, False])
def test_so_does_a_throw_in_doubt_once_it_is_played(stills: bool) -> None:
    table, wrong, _ = illegal_table(stills)
    dice = throw(NEAR, 6, 5, place=33)
    assert table.see(wrong, *dice, doubts=(SeenDoubt(About.DIE, "value", "", centre=dice[0].centre, values=(6, 4)),)) == []
    after = plays(wrong, NEAR, 6, 5)[0]
    assert table.see(after) == ["illegal_play_stood", "rolled", "played"]
    assert (table.event(e.IllegalPlayStood).position, table.service.state.position) == (wrong, after)


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


def unclear(*points: int, values: tuple[int, ...] = ()) -> tuple[SeenDoubt, ...]:
    return tuple(SeenDoubt(About.POINT, "count", "", point=point, values=values) for point in points)


def test_what_was_not_legal_however_its_doubtful_point_stood_is_logged_as_put_right() -> None:
    """On a 3-1 far moved three checkers, or two; whether a third came to the point in doubt cannot be told, nor need be."""
    table = begun()
    table.see(AFTER_62, *throw(FAR, 3, 1))
    wrong = moved(AFTER_62, (17, 19), (17, 21), (12, 16), sign=-1)
    assert table.see(wrong, doubts=unclear(16, values=(-1, -2))) == []
    assert table.see(AFTER_31) == ["illegal_play", "play_corrected"]
    assert (table.event(e.IllegalPlay).position, table.event(e.PlayCorrected).position) == (wrong, AFTER_31)
    assert table.service.state.on_roll is NEAR


def test_what_may_have_been_a_legal_play_but_for_its_doubtful_point_is_a_play() -> None:
    table = begun()
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.see(moved(AFTER_62, (12, 16), (12, 16), sign=-1), doubts=unclear(16, values=(-1, -2))) == []
    assert table.see(AFTER_31) == ["played"]


@pytest.mark.parametrize("second", [moved(AFTER_31, (24, 18)), moved(AFTER_62, (12, 16), (12, 16), sign=-1)])
def test_nobody_is_accused_of_what_a_second_look_shows_where_the_first_may_have_been_a_legal_play(second: Position) -> None:
    table = begun()
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.see(AFTER_31, doubts=unclear(17, 19, 20, 21)) == []
    assert table.see(second) == ["doubt"], "the other may have played on meanwhile"
    likeliest = table.event(e.Doubt).answers[0].events[0]
    assert isinstance(likeliest, e.Played) and likeliest.position == AFTER_31


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


@pytest.mark.parametrize(("looks", "asked"), [(1, []), (2, ["doubt"])])
def test_when_a_stream_ends_nothing_follows_from_its_last_look_alone(looks: int, asked: list[str]) -> None:
    table = begun(stills=False)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.see(moved(AFTER_62, (1, 7)), looks=looks) == []
    service = table.service
    assert [event.type for event in finish(service.state, service.memory, service.rules)[1]] == asked


@pytest.mark.parametrize("stills", [True, False])
def test_who_plays_the_opening_roll_that_is_not_his_is_asked_about_and_the_other_not_accused(stills: bool) -> None:
    table = Table(stills)
    table.see(START)
    table.see(START, *OPENING)
    began = plays(START, FAR, 6, 2)[0]
    table.see(began, *OPENING)
    assert table.see(began) == ["doubt"]
    assert table.service.state.question_code == "other_began"
    table.answer(0)
    assert table.phase is Phase.TO_ROLL
    assert table.see(began, *throw(NEAR, 5, 4)) == ["rolled"]


def test_so_is_who_began_without_a_checker_though_nothing_else_may_move_until_one_that_was_hit_is_home() -> None:
    """Of his none was hit: the one that counts as off was never set up."""
    table = Table(rules="agca")
    table.see(START)
    table.see(START, *OPENING)
    points = tuple(n + 1 if n == -5 and place == 18 else n for place, n in enumerate(START.points))
    short = Position(points, START.bar, (0, 1))
    table.service.note(e.SetupStands(short, (0, 1)))
    assert table.see(plays(short, FAR, 6, 2)[0]) == ["doubt"]
    assert table.service.state.question_code == "other_began"


@pytest.mark.parametrize("stills", [True, False])
@pytest.mark.parametrize("answered", [True, False])
def test_the_opening_roll_that_the_wrong_player_began_with_is_put_back_and_played_by_the_right_one(stills: bool, answered: bool) -> None:
    table = Table(stills)
    table.see(START)
    table.see(START, *OPENING)
    assert table.see(plays(START, FAR, 6, 2)[0]) == ["doubt"]
    if answered:
        table.answer(1)
    put_back = table.see(START)
    assert put_back == (["board_agreed"] if answered else [])
    assert table.see(moved(START, (24, 18))) == []  # he moves one after the other
    assert table.see(AFTER_62)[-1] == "played"
    assert table.see(AFTER_62, *throw(FAR, 5, 4)) == ["rolled"]
