"""The cube as it is seen: offered, taken, found turned, astray."""

from __future__ import annotations

import pytest

from referee.board.position import START, Position, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.shown.expect import possible
from referee.match.state import Phase
from referee.observations import About, DieState, SeenCube, SeenDoubt
from tests.match.seen_table import (
    AFTER_62,
    FAR,
    LEFT,
    NEAR,
    OPENING,
    Table,
    begun,
    die,
    plays,
    throw,
)
from tests.match.test_between import both_ways


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


@pytest.mark.parametrize("stills", [True, False])
def test_the_doubler_throwing_is_a_take_be_the_throw_in_doubt_or_bad(stills: bool) -> None:
    for state in (DieState.FLAT, DieState.COCKED):
        table = begun(stills)
        table.cube = SeenCube(2, None, NEAR)
        table.see(AFTER_62)
        table.cube = None
        dice = (die(5, LEFT), die(5, LEFT, state, place=60))
        doubts = (SeenDoubt(About.DIE, "state", "", centre=dice[1].centre),) if state is DieState.FLAT else ()
        assert table.see(AFTER_62, *dice, doubts=doubts)[:1] == ["taken"]
        if doubts:  # it is told by what is played with it
            assert table.see(plays(AFTER_62, FAR, 5, 5)[0])[-1] == "played"
        else:
            assert isinstance(table.last, e.RollVoid)


def test_dice_that_the_doubler_lays_down_while_he_waits_are_no_take() -> None:
    table = begun(stills=False)
    table.cube = SeenCube(2, None, NEAR)
    table.see(AFTER_62)
    table.cube = None
    cocked = (die(5, LEFT), die(5, LEFT, DieState.COCKED, place=60))
    assert table.see(AFTER_62, *cocked, looks=2) == []
    assert table.see(AFTER_62, die(5, LEFT), die(5, None, DieState.ON_BAR, place=60), looks=8) == []
    assert table.phase is Phase.DOUBLED


@pytest.mark.parametrize("stills", [True, False])
@pytest.mark.parametrize(("answer", "cube"), [(0, (1, None)), (1, (2, NEAR))], ids=["taken back", "taken"])
def test_a_double_whose_cube_is_put_back_before_the_throw_is_no_take_that_nobody_made(
    stills: bool, answer: int, cube: tuple[int, object]
) -> None:
    table = begun(stills)
    table.cube = SeenCube(2, None, NEAR)
    assert table.see(AFTER_62) == ["doubled"]
    table.cube = SeenCube(1, None)
    assert table.see(AFTER_62) == []
    dice = throw(FAR, 3, 1)
    assert table.see(AFTER_62, *dice) == ["doubt"]
    assert table.see(AFTER_62, *dice) == [], "it is asked once"
    table.answer(answer)
    assert (table.service.state.cube.value, table.service.state.cube.owner) == cube
    assert "rolled" in table.see(AFTER_62, *dice)
    after = plays(AFTER_62, FAR, 3, 1)[0]
    assert table.see(after)[:1] == ["played"]


@pytest.mark.parametrize("stills", [True, False])
def test_play_that_went_on_before_it_was_said_whether_the_double_counts_is_gone_through(stills: bool) -> None:
    table = begun(stills)
    table.cube = SeenCube(2, None, NEAR)
    table.see(AFTER_62)
    table.cube = SeenCube(1, None)
    table.see(AFTER_62)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    after = plays(AFTER_62, FAR, 3, 1)[0]
    table.see(after)
    table.answer(0)
    table.see(after, *throw(NEAR, 6, 5, place=30))
    assert [one.event.type for one in table.service.log if isinstance(one.event, e.Rolled | e.Played | e.Taken)][-3:] == [
        "rolled", "played", "rolled",
    ]  # fmt: skip


def test_a_double_by_word_alone_is_taken_by_the_throw_though_the_cube_was_never_turned() -> None:
    table = begun()
    assert table.say(c.Double) == ["doubled"]
    assert table.see(AFTER_62, *throw(FAR, 3, 1))[:1] == ["taken"]


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


def test_a_cube_offered_while_a_resignation_is_open_is_a_double_once_that_is_refused() -> None:
    table = begun()
    table.service.command(c.Resign(seen_seq=table.service.state.seq, seat=NEAR))
    table.cube = SeenCube(2, None, NEAR)
    assert table.see(AFTER_62) == []
    assert table.see(AFTER_62) == ["doubt"]
    assert table.service.state.resignation is not None
    table.service.command(c.RefuseResignation(seen_seq=table.service.state.seq))
    assert table.see(AFTER_62)[0] == "doubled"


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


def test_a_turn_set_by_a_person_may_begin_with_a_double_by_sight_as_by_hand() -> None:
    table = Table()
    table.see(START)
    table.service.command(c.SetTurn(seen_seq=table.service.state.seq, seat=FAR))
    table.cube = SeenCube(2, None, NEAR)
    assert table.see(START) == ["doubled"]


TURNED, MOVED = SeenCube(2, None), SeenCube(1, None, NEAR)


def answers(table: Table) -> list[str]:
    assert table.service.state.doubt is not None
    return [answer.says.code for answer in table.service.state.doubt.doubt.answers]


@pytest.mark.parametrize("stills", [True, False])
@pytest.mark.parametrize("cube", [TURNED, MOVED, SeenCube(1, NEAR)], ids=["turned, not moved", "moved, not turned", "at the other's side"])
def test_a_cube_that_was_only_turned_or_only_moved_may_be_a_double(stills: bool, cube: SeenCube) -> None:
    table = begun(stills)
    table.cube = cube
    table.see(AFTER_62, looks=4)
    assert answers(table)[:2] == ["doubles", "cube_right"]
    table.answer(0)
    assert table.service.state.phase is Phase.DOUBLED
    table.cube = SeenCube(2, NEAR)
    assert table.see(AFTER_62) == ["taken"]


def test_a_cube_that_shows_another_value_is_asked_about_once_more_when_a_throw_came_before_the_answer() -> None:
    table = begun(False, length=5)
    table.cube = TURNED
    table.see(AFTER_62)
    after = plays(AFTER_62, FAR, 3, 1)[0]
    table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.service.state.doubt is None
    table.see(after)
    assert answers(table) == ["cube_right", "cube_as_seen"], "whose double it was is not told any more"
    later = plays(after, NEAR, 5, 4)[0]
    table.see(after, *throw(NEAR, 5, 4, place=20))
    table.see(later, looks=8)
    assert table.service.state.doubt is None, "nobody wants to say"


def test_what_was_said_of_the_cube_is_not_asked_again() -> None:
    table = begun(False, length=5)
    table.cube = TURNED
    table.see(AFTER_62)
    table.answer(1)
    after = plays(AFTER_62, FAR, 3, 1)[0]
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(after, looks=8)
    assert table.service.state.doubt is None


def test_a_cube_that_was_taken_may_lie_where_it_was_offered() -> None:
    table = begun(False)
    table.cube = SeenCube(2, None, NEAR)
    table.see(AFTER_62)
    table.say(c.Take)
    assert table.see(AFTER_62, looks=8) == []
    assert table.see(AFTER_62, *throw(FAR, 3, 1)) == ["rolled"]


@pytest.mark.parametrize(
    ("length", "score", "cube"),
    [(1, (0, 0), SeenCube(1, NEAR)), (1, (0, 0), SeenCube(8, FAR)), (5, (4, 0), SeenCube(1, NEAR)), (5, (4, 4), SeenCube(1, FAR))],
    ids=["one point", "turned", "Crawford", "one point each"],
)
def test_where_nobody_wins_more_by_the_cube_it_may_lie_anywhere(length: int, score: tuple[int, int], cube: SeenCube) -> None:
    table = Table(False, length=length)
    if any(score):
        table.say(c.SetScore, score=score, crawford=score[1] == 0)
    table.cube = cube
    table.see(START)
    table.see(START, *OPENING)
    assert table.see(AFTER_62) == ["played"]
    assert table.see(AFTER_62, looks=8) == []


@pytest.mark.parametrize("thrown", [False, True], ids=["the cube found turned", "the doubler threw"])
def test_a_drop_that_is_said_takes_a_take_back_that_nobody_has_said(thrown: bool) -> None:
    table = begun()
    table.cube = SeenCube(2, None, NEAR) if thrown else SeenCube(2, NEAR)
    table.see(AFTER_62)
    if thrown:
        table.see(AFTER_62, *throw(FAR, 3, 1))
    assert table.event(e.Taken) == e.Taken(NEAR, 2, inferred=True)
    assert "drop" in possible(table.service.state, table.service.rules)
    assert table.say(c.Drop) == ["undone", "dropped", "game_won"]
    assert table.last == e.GameWon(FAR, 1, e.Kind.SINGLE, e.How.DROP)


def test_a_take_that_was_said_or_of_a_turn_before_is_dropped_no_more() -> None:
    table = begun()
    table.say(c.Double)
    table.say(c.Take)
    assert table.say(c.Drop) == []
    table = begun()
    table.cube = SeenCube(2, NEAR)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    table.see(plays(AFTER_62, FAR, 3, 1)[0])
    assert "drop" not in possible(table.service.state, table.service.rules)
    assert table.say(c.Drop) == []


@pytest.mark.parametrize("stills", [True, False])
def test_a_double_that_is_taken_and_then_turned_again_may_be_a_beaver(stills: bool) -> None:
    table = begun(stills, rules="money")
    for cube in (SeenCube(2, None, NEAR), SeenCube(2, NEAR), SeenCube(4, NEAR)):
        table.cube = cube
        for _ in range(2):
            table.see(AFTER_62)
    doubt = table.service.state.doubt
    assert doubt is not None
    assert [answer.says.code for answer in doubt.doubt.answers] == ["beavers", "cube_right", "cube_as_seen"]
    table.answer(0)
    assert table.last == e.Beavered(NEAR, 4)
    cube_now = table.service.state.cube
    assert (cube_now.value, cube_now.owner, cube_now.beavers) == (4, NEAR, 1)
    assert table.see(AFTER_62, *throw(FAR, 3, 1)) == ["rolled"]


@both_ways
def test_a_double_that_is_turned_again_before_a_take_was_seen_is_a_beaver_where_there_are_any(stills: bool) -> None:
    for rules, logged, value in (("money", ["beavered"], 4), ("traditional", [], 1)):
        table = begun(stills, rules=rules)
        table.cube = SeenCube(2, None, NEAR)
        assert table.see(AFTER_62) == ["doubled"]
        table.cube = SeenCube(4, NEAR)
        assert table.see(AFTER_62) == logged
        assert table.service.state.cube.value == value


@pytest.mark.parametrize("stills", [True, False])
def test_a_cube_that_its_player_turns_in_front_of_himself_may_be_a_double(stills: bool) -> None:
    table = begun(stills)
    table.cube = SeenCube(2, FAR)
    for _ in range(2):
        table.see(AFTER_62)
    doubt = table.service.state.doubt
    assert doubt is not None
    assert doubt.doubt.answers[0].says.code == "doubles"
    table.answer(0)
    assert table.last == e.Doubled(FAR, 2)


@both_ways
@pytest.mark.parametrize(
    ("set_so", "cube", "code", "rule"),
    [
        ({"score": (4, 0)}, SeenCube(2, None, NEAR), "cube_in_crawford", "S2-25"),
        ({"value": 2, "owner": NEAR}, SeenCube(4, None, NEAR), "cube_not_owned", "S2-20"),
        ({}, SeenCube(2, None, FAR), "cube_out_of_turn", "S2-20"),
    ],
    ids=["in the Crawford game", "the other's cube", "out of turn"],
)
def test_of_a_cube_offered_by_who_may_not_double_it_is_said_why(
    stills: bool, set_so: dict[str, object], cube: SeenCube, code: str, rule: str
) -> None:
    table = begun(stills, length=5)
    if set_so:
        table.say(c.SetScore if "score" in set_so else c.SetCube, **set_so)
    table.cube = cube
    table.see(AFTER_62)
    table.see(AFTER_62)
    doubt = table.event(e.Doubt)
    assert (doubt.reason.code, doubt.reason.rule) == (code, rule)
    assert [answer.says.code for answer in doubt.answers] == ["cube_right"]
    assert table.service.state.cube.offered_by is None


@pytest.mark.parametrize(("kind", "more"), [
    (c.Penalise, {"seat": NEAR, "points": 1, "role": e.Role.DIRECTOR}),
    (c.SetNames, {"names": ("Ann", "Bob")}), (c.SetScore, {"score": (2, 2)}),
])  # fmt: skip
@pytest.mark.parametrize("asked_first", [False, True])
def test_that_the_double_was_dropped_is_no_answer_that_takes_more_back_than_play(
    asked_first: bool, kind: type[c.Command], more: dict[str, object]
) -> None:
    table = begun(length=7)
    table.say(c.Double)
    table.see(AFTER_62, *throw(FAR, 3, 1))
    swept = Position((0,) * 24, (0, 0), (15, 15))
    if asked_first:
        assert table.see(swept) == ["doubt"]
    assert table.say(kind, **more)
    if not asked_first:
        assert table.see(swept) == ["doubt"]
    said = (table.service.state.score, table.service.state.names)
    table.answer(0)
    assert (table.service.state.score, table.service.state.names, table.service.state.question) == (*said, "game_over")
    for _ in range(1 if asked_first else 2):  # where it came last the question is taken back first
        assert table.say(c.Undo, rulings=True)
    assert table.say(c.Drop)
    assert (table.service.state.score, table.service.state.names) == ((0, 1), ("", ""))


CLEARED = Position((0,) * 24, (0, 0), (15, 15))


@pytest.mark.parametrize(
    ("said", "drops"),
    [((), (NEAR, 2)), ((c.Take,), None), ((c.Beaver,), (FAR, 4)), ((c.Beaver, c.Beaver), (NEAR, 8))],
    ids=["nothing", "taken", "beavered", "turned a third time"],
)
def test_when_the_board_is_cleared_away_the_double_is_dropped_by_whoever_may_drop(
    said: tuple[type[c.Command], ...], drops: tuple[Seat, int] | None
) -> None:
    table = begun(rules="money")
    for word in (c.Double, *said):
        assert table.say(word)
    for _ in range(3):
        table.see(CLEARED)
    doubt = table.service.state.doubt
    assert doubt is not None
    assert doubt.doubt.reason.code == "swept"
    found = [answer.events for answer in doubt.doubt.answers if answer.says.code == "dropped"]
    assert found == ([] if drops is None else [(e.Dropped(*drops),)])
