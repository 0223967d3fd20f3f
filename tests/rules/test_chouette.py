"""The chouette: order, cube, both ways of paying, and a sheet that sums to zero."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from referee.board.matchid import LARGEST_CUBE
from referee.rules import preset
from referee.rules.chouette import Chouette, ChouetteGame, Throws, open_chouette, order, tied
from referee.rules.reason import Reason

BOX, CAPTAIN = preset("magriel"), preset("agca")


def table(*line: str, agca: bool = False) -> Chouette:
    found = open_chouette(line or ("Ann", "Ben", "Cleo", "Dan"), CAPTAIN if agca else BOX)
    assert isinstance(found, Chouette)
    return found


def game(value: ChouetteGame | Reason) -> ChouetteGame:
    assert isinstance(value, ChouetteGame), value
    return value


def refused(value: object) -> str:
    assert isinstance(value, Reason)
    return value.code


def points(chouette: Chouette) -> dict[str, int]:
    assert sum(n for _, n in chouette.sheet) == 0
    return dict(chouette.sheet)


def test_the_order_is_thrown_for() -> None:
    rolls = {"Ann": (2,), "Ben": (6,), "Cleo": (4,), "Dan": (1,)}
    assert order(rolls) == ("Ben", "Cleo", "Ann", "Dan")
    assert tied(rolls) == ()
    again: dict[str, Throws] = {"Ann": (2,), "Ben": (6,), "Cleo": (6,), "Dan": (2,), "Eve": (3,)}
    assert tied(again) == (("Ben", "Cleo"), ("Ann", "Dan"))
    again |= {"Ben": (6, 1), "Cleo": (6, 5), "Ann": (2, 3, 4), "Dan": (2, 3, 6)}
    assert tied(again) == ()
    assert order(again) == ("Cleo", "Ben", "Eve", "Dan", "Ann")


def test_a_tie_on_the_opening_throw_turns_the_cube_where_the_set_says_so() -> None:
    twice = game(game(table(agca=True).start().tied()).tied())
    assert (twice.cube, twice.owner) == (4, "")
    assert points(table(agca=True).after(game(twice.won(by_box=True, factor=2))))["Ann"] == 24
    assert refused(table().start().tied()) == "no_auto_double"
    once = open_chouette(("Ann", "Ben", "Cleo"), replace(CAPTAIN, auto_doubles=1))
    assert isinstance(once, Chouette)
    assert refused(game(once.start().tied()).tied()) == "no_more_auto_doubles"
    taken = game(table(agca=True).start().team_doubles(taken=True))
    assert refused(taken.tied()) == "tie_after_double"
    assert refused(game(taken.won(by_box=True, factor=1)).tied()) == "game_is_over"


def test_the_cube_of_a_chouette_ends_where_any_cube_does() -> None:
    last = replace(game(table(agca=True).start()), cube=LARGEST_CUBE)
    assert refused(last.tied()) == refused(last.team_doubles(taken=True)) == "cube_at_end"
    assert refused(last.box_doubles(frozenset())) == "cube_at_end"


def test_under_the_jacoby_rule_gammons_count_once_a_double_was_taken() -> None:
    money = open_chouette(("Ann", "Ben", "Cleo"), preset("money"))
    assert isinstance(money, Chouette)
    assert points(money.after(game(money.start().won(by_box=True, factor=2))))["Ann"] == 2
    doubled = game(money.start().team_doubles(taken=True))
    assert points(money.after(game(doubled.won(by_box=True, factor=2))))["Ann"] == 8


def test_the_box_wins_and_stays() -> None:
    chouette = table()
    after = chouette.after(game(chouette.start().won(by_box=True, factor=2)))
    assert after.line == ("Ann", "Cleo", "Dan", "Ben")
    assert points(after) == {"Ann": 6, "Ben": -2, "Cleo": -2, "Dan": -2}


def test_the_team_wins_and_the_captain_is_the_box() -> None:
    chouette = table()
    after = chouette.after(game(chouette.start().won(by_box=False, factor=1)))
    assert after.line == ("Ben", "Cleo", "Dan", "Ann")
    assert points(after) == {"Ann": -3, "Ben": 1, "Cleo": 1, "Dan": 1}


def test_who_drops_pays_the_box_and_leaves_that_game() -> None:
    chouette = table()
    doubled = game(chouette.start().box_doubles(frozenset({"Ben", "Dan"})))
    assert (doubled.cube, doubled.owner, doubled.team) == (2, "team", (("Ben", 1), ("Dan", 1)))
    after = chouette.after(game(doubled.won(by_box=False, factor=1)))
    assert points(after) == {"Ann": 1 - 2 - 2, "Ben": 2, "Cleo": -1, "Dan": 2}


def test_who_drops_pays_the_captain_who_takes_over_his_share() -> None:
    chouette = table(agca=True)
    doubled = game(chouette.start().box_doubles(frozenset({"Ben", "Dan"})))
    assert doubled.team == (("Ben", 2), ("Dan", 1))
    lost = chouette.after(game(doubled.won(by_box=True, factor=1)))
    assert points(lost) == {"Ann": 6, "Ben": 1 - 4, "Cleo": -1, "Dan": -2}
    gained = chouette.after(game(doubled.won(by_box=False, factor=1)))
    assert points(gained) == {"Ann": -6, "Ben": 5, "Cleo": -1, "Dan": 2}


def test_where_the_captain_decides_his_drop_is_the_teams() -> None:
    dropped = game(table(agca=True).start().box_doubles(frozenset({"Cleo", "Dan"})))
    assert dropped.box_won is True
    assert table(agca=True).after(dropped).line == ("Ann", "Cleo", "Dan", "Ben")


def test_a_captain_who_drops_is_replaced_and_goes_last() -> None:
    chouette = table()
    doubled = game(chouette.start().box_doubles(frozenset({"Cleo", "Dan"})))
    assert doubled.captain == "Cleo"
    assert chouette.after(game(doubled.won(by_box=False, factor=1))).line == ("Cleo", "Dan", "Ben", "Ann")
    assert chouette.after(game(doubled.won(by_box=True, factor=1))).line == ("Ann", "Dan", "Ben", "Cleo")


def test_everybody_drops() -> None:
    chouette = table()
    dropped = game(chouette.start().box_doubles(frozenset()))
    assert dropped.box_won is True
    after = chouette.after(dropped)
    assert points(after) == {"Ann": 3, "Ben": -1, "Cleo": -1, "Dan": -1}
    assert after.line == ("Ann", "Cleo", "Dan", "Ben")
    assert refused(dropped.won(True, 1)) == "game_is_over"
    assert refused(dropped.team_doubles(True)) == "game_is_over"


def test_the_team_doubles_and_the_box_answers() -> None:
    chouette = table()
    dropped = chouette.after(game(chouette.start().team_doubles(taken=False)))
    assert points(dropped) == {"Ann": -3, "Ben": 1, "Cleo": 1, "Dan": 1}
    taken = game(chouette.start().team_doubles(taken=True))
    assert (taken.cube, taken.owner) == (2, "box")
    assert refused(taken.team_doubles(True)) == "other_side_owns"
    again = game(taken.box_doubles(frozenset({"Ben", "Cleo", "Dan"})))
    assert again.cube == 4
    assert refused(again.box_doubles(frozenset({"Ben"}))) == "other_side_owns"
    assert refused(taken.box_doubles(frozenset({"Zoe"}))) == "no_such_player"


def test_coming_and_going_between_games() -> None:
    chouette = table()
    assert refused(chouette.joined("Ben")) == "name_taken"
    assert refused(chouette.joined(" ")) == "no_name"
    assert refused(chouette.left("Zoe")) == "no_such_player"
    played = chouette.after(game(chouette.start().won(True, 1)))
    joined = played.joined("Eve")
    assert isinstance(joined, Chouette)
    assert joined.line[-1] == "Eve"
    left = joined.left("Ann")
    assert isinstance(left, Chouette)
    assert left.box == played.captain
    assert left.points("Ann") == 3  # still on the sheet
    assert points(left)["Eve"] == 0
    back = left.joined("Ann")
    assert isinstance(back, Chouette)
    assert back.points("Ann") == 3


def test_who_may_sit_down() -> None:
    assert refused(open_chouette(("Ann", "Ben"), BOX)) == "too_few_players"
    assert refused(open_chouette(("Ann", "Ben", "Ann"), BOX)) == "name_taken"
    assert refused(open_chouette(("Ann", "Ben", ""), BOX)) == "no_name"
    assert refused(open_chouette(tuple("ABCDEF"), CAPTAIN)) == "chouette_full"
    assert isinstance(open_chouette(tuple("ABCDEF"), BOX), Chouette)
    assert refused(table("A", "B", "C", "D", "E", agca=True).joined("F")) == "chouette_full"
    two = table("A", "B", "C").left("A")
    assert isinstance(two, Chouette)
    assert refused(two.left("B")) == "too_few_players"


@given(st.data(), st.booleans())
def test_whatever_happens_the_sheet_sums_to_zero(data: st.DataObject, agca: bool) -> None:
    chouette = table("A", "B", "C", "D", agca=agca)
    for number in range(data.draw(st.integers(1, 6))):
        now = chouette.start()
        while now.box_won is None:
            names = [name for name, _ in now.team]
            act = data.draw(st.sampled_from(["box", "team", "end"]))
            if act == "box" and now.owner != "team":
                now = game(now.box_doubles(frozenset(data.draw(st.lists(st.sampled_from(names), unique=True)))))
            elif act == "team" and now.owner != "box":
                now = game(now.team_doubles(data.draw(st.booleans())))
            else:
                now = game(now.won(data.draw(st.booleans()), data.draw(st.integers(1, 3))))
        players = set(chouette.line)
        chouette = chouette.after(now)
        assert set(chouette.line) == players
        assert len(chouette.line) == len(players)
        points(chouette)
        if data.draw(st.booleans()) and len(chouette.line) < 5:
            joined = chouette.joined(f"N{number}")
            assert isinstance(joined, Chouette)
            chouette = joined
