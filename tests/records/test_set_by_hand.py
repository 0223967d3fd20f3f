"""Boards and cubes that were set by hand: games that begin elsewhere, and those in which something was put right."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.board import START, LegalPlays, Position
from referee.match import commands as c
from referee.records.completing import completed
from referee.records.formats import BY_HAND_LOST, CUBE_LOST, POSITION_LOST, WRITERS, lost_in, read_bytes
from referee.records.record import Action, Do, Game, Owner, Parsed, Record, Side
from referee.records.replay import replay
from referee.records.whole import Whole
from tests.gnubg import needs_gnubg, obeyed
from tests.match.hand import Hand

NACKGAMMON = Position((-2, -2, 0, 0, 0, 4, 0, 3, 0, 0, 0, -4, 4, 0, 0, 0, -3, 0, -4, 0, 0, 0, 2, 2), (0, 0), (0, 0))
ODDS = Position((-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 1), (0, 0), (1, 0))
"""The left player gives odds: one of his checkers is off."""
BOARDS = (START, NACKGAMMON, ODDS)
COLUMNS = (".mat", ".txt")


def by_hand(dice: random.Random, largest: int = 4096) -> Record:
    """A game in which boards and cubes, up to the ``largest``, are set by hand, at its beginning and later, and legal plays are made."""
    actions, position, side, cube, owner = list[Action](), START, Side.LEFT, 1, Owner.MIDDLE
    seen = list(BOARDS)
    for _ in range(dice.randint(1, 30)):
        what = dice.random()
        if what < 0.15:
            position = dice.choice(seen)
            actions.append(Action(side, Do.SET_POSITION, position=position))
        elif what < 0.3:
            cube = 1 << dice.randint(0, largest.bit_length() - 1)
            owner = dice.choice((Owner.LEFT, Owner.RIGHT)) if cube > 1 else Owner.MIDDLE
            actions.append(Action(side, Do.SET_CUBE, value=cube, owner=owner))
        elif what < 0.4 and owner in (Owner.MIDDLE, Owner.of(side)) and actions and actions[-1].do is Do.ROLL:
            cube, owner = 2 * cube, Owner.of(side.other)
            actions += [Action(side, Do.DOUBLE, value=cube), Action(side.other, Do.TAKE, value=cube)]
        else:
            first = not any(action.do is Do.ROLL for action in actions)
            roll = tuple(dice.sample(range(1, 7), 2)) if first else (dice.randint(1, 6), dice.randint(1, 6))
            plays = list(LegalPlays(position, side.seat, (roll[0], roll[1])))
            play = dice.choice(plays) if plays else None
            steps = tuple((move.source, move.target) for move in play.moves) if play else ()
            actions.append(Action(side, Do.ROLL, dice=(roll[0], roll[1]), steps=steps))
            position = play.result if play else position
            seen.append(position)
            side = side.other
    won = Game(1, (0, 0), tuple(actions), Side.LEFT, cube, True)
    return Record(("Anna", "Boris"), 25, (won,), crawford=True)


def told(record: Record) -> list[object]:
    """Who rolled what, on which board and at which cube; then how the board and the cube stood."""
    played = replay(Parsed(record)).games[0]
    found: list[object] = [
        (action.side, sorted(action.dice or ()), position, cube)
        for action, position, cube in zip(played.game.actions, played.positions, played.cubes, strict=False)
        if action.do is Do.ROLL
    ]
    return [*found, played.positions[-1], played.cubes[-1]]


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=False))
def test_columns_bring_back_what_was_set_by_hand(dice: random.Random) -> None:
    record = by_hand(dice)
    changed = any(action.do in (Do.SET_POSITION, Do.SET_CUBE) for action in record.games[0].actions)
    for ending in COLUMNS:
        text = WRITERS[ending](record)
        back = read_bytes(text.encode())
        assert back.problems == ()
        assert told(back.record) == told(record), text
        lost = lost_in(record, ending)
        assert (BY_HAND_LOST in lost) is changed and not {CUBE_LOST, POSITION_LOST} & set(lost)


@needs_gnubg
@pytest.mark.parametrize("ending", COLUMNS)
def test_gnubg_finds_it_there(ending: str, tmp_path: Path) -> None:
    records = [by_hand(random.Random(seed), 64) for seed in range(60)]
    for number, record in enumerate(records):
        (tmp_path / f"{number}{ending}").write_text(WRITERS[ending](record), encoding="utf-8")
    obeyed("".join(f"import mat {number}{ending}\nsave match {number}.sgf\n" for number in range(len(records))), tmp_path)
    for number, record in enumerate(records):
        assert told(read_bytes((tmp_path / f"{number}.sgf").read_bytes()).record) == told(record), WRITERS[ending](record)


def test_a_table_that_plays_another_game_brings_home_records_without_a_fault() -> None:
    hand = Hand(length=5)
    hand.do(c.SetPosition, position=NACKGAMMON)
    hand.open()
    hand.do(c.EnterPlay, play="8/5 6/5")
    for ending in WRITERS:
        report = replay(read_bytes(Whole.of(hand.table.log).written(ending).encode()))
        assert not (report.illegal or report.breaks or report.unplayed or report.problems), ending
        assert report.games[0].positions[-1] == hand.table.state.position
        assert (BY_HAND_LOST in Whole.of(hand.table.log).lost(ending)) is (ending in COLUMNS)


@needs_gnubg
def test_an_illegal_play_that_no_steps_tell_leaves_its_board_in_mat_too(tmp_path: Path) -> None:
    """A checker of the other player was picked up and put elsewhere."""
    moved = list(START.points)
    moved[11], moved[14] = -4, -1
    after = Position(tuple(moved), (0, 0), (0, 0))
    actions = (
        Action(Side.LEFT, Do.ROLL, dice=(6, 2), position=after),
        Action(Side.RIGHT, Do.ROLL, dice=(3, 1), steps=((10, 7), (8, 7))),
    )
    text = WRITERS[".mat"](Record(("a", "b"), 5, (Game(1, (0, 0), actions),)))
    (tmp_path / "in.mat").write_text(text)
    obeyed("import mat in.mat\nsave match out.sgf\n", tmp_path)
    for back in (read_bytes(text.encode()), read_bytes((tmp_path / "out.sgf").read_bytes())):
        report = replay(back)
        assert report.breaks == () and report.games[0].positions[-1].on_point(Side.RIGHT.seat, 7) == 2
    assert [one.dice for one in report.illegal] == [(6, 2)], "as GNU Backgammon keeps one"


@needs_gnubg
@pytest.mark.parametrize("ending", [".mat", ".txt", ".sgf"])
def test_gnubg_finds_the_board_that_an_illegal_double_left(ending: str, tmp_path: Path) -> None:
    """By itself it makes another play of steps that are no play of the dice."""
    rows = "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2) 22: 13/10 13/10             43: 13/9 13/10\n"
    record = completed(read_bytes(f" 5 point match\n\n Game 1\n a : 0    b : 0\n{rows}".encode()))
    (tmp_path / f"in{ending}").write_text(WRITERS[ending](record))
    obeyed(f"{'load match' if ending == '.sgf' else 'import mat'} in{ending}\nsave match out.sgf\n", tmp_path)
    assert told(read_bytes((tmp_path / "out.sgf").read_bytes()).record) == told(record)


def test_a_game_in_which_the_checkers_were_lost_is_still_written() -> None:
    """Steps that cannot be, and then a roll that was not played."""
    rows = "  1) 62: 1/9 1/9 1/9             31: 8/5 6/5\n  2) 64:  \n  3)         33:\n"
    parsed = read_bytes(f" 5 point match\n\n Game 1\n a : 0    b : 0\n{rows}      Wins 1 point\n".encode())
    for ending in WRITERS:
        assert len(read_bytes(WRITERS[ending](parsed.record).encode()).record.games) == 1


def test_what_columns_cannot_say_of_it_is_said() -> None:
    middle = Action(Side.LEFT, Do.SET_CUBE, value=4, owner=Owner.MIDDLE)
    owned = Action(Side.LEFT, Do.SET_CUBE, value=1, owner=Owner.RIGHT)
    short = Action(Side.LEFT, Do.SET_POSITION, position=Position(ODDS.points))
    for action, said in ((middle, CUBE_LOST), (owned, CUBE_LOST), (short, POSITION_LOST)):
        record = Record(("a", "b"), 5, (Game(1, (0, 0), (action,)),))
        assert [said in lost_in(record, ending) for ending in WRITERS] == [True, False, True, False]
