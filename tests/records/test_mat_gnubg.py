"""What we export, GNU Backgammon imports, and finds the same games, points and final positions in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from referee.board.ids import position_to_id
from referee.board.position import Position, Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.folding import apply
from referee.match.journal import MemoryJournal
from referee.match.state import MatchState
from referee.match.table import open_table
from referee.records.export import record_of
from referee.records.gnubg import run_script
from referee.records.mat import write_mat
from tests.gnubg import needs_gnubg
from tests.match.random_play import play_match

SCRIPT = """
import json
for path in {paths!r}:
    gnubg.command('import mat "%s"' % path)
    gnubg.command('export match mat "%s.again"' % path)
    match = gnubg.match(analysis=0, boards=1, statistics=0)
    found = []
    for game in match['games']:
        boards = [(a['player'], a['board'], a['move']) for a in game['game'] if a.get('action') == 'move']
        info = game['info']
        found.append([info['score-X'], info['score-O'], info.get('winner'), info.get('points-won'), boards])
    print('@@' + json.dumps([match['match-info']['match-length'], found]))
"""


def _read_by_gnubg(paths: list[str], home: Path) -> list[Any]:
    said = run_script(SCRIPT.format(paths=paths), home, 120.0)
    found = [json.loads(line[2:]) for line in said.splitlines() if line.startswith("@@")]
    assert len(found) == len(paths), said[-2000:]
    return found


def _games(log: tuple[e.Logged, ...]) -> list[tuple[tuple[int, int], Seat, int, int, tuple[Position, Seat] | None]]:
    """Score before, winner, points, number of plays, and the position the last play was made from with its player."""
    found = []
    state, start, plays, last = MatchState(), (0, 0), 0, None
    for logged in log:
        event = logged.event
        if isinstance(event, e.GameStarted):
            start, plays, last = event.score, 0, None
        if isinstance(event, e.Played):
            plays, last = plays + 1, (state.position, event.seat)
        if isinstance(event, e.GameWon):
            found.append((start, event.seat, event.points, plays, last))
        state = apply(state, logged)
    return found


@needs_gnubg
def test_gnubg_finds_the_same_match_in_our_exports(tmp_path: Path) -> None:
    matches = {}
    for seed, (length, rules) in enumerate([(5, "bray"), (3, "bray"), (5, "strato"), (1, "bray"), (0, "money"), (0, "money")]):
        path = tmp_path / f"{seed}.mat"
        table = play_match(seed + 100, length, rules, games=0 if length else 4)
        path.write_bytes(write_mat(record_of(table.log)).encode())
        matches[str(path)] = table
    seen: set[type[e.Event] | e.Kind] = set()
    for (path, table), (length, games) in zip(matches.items(), _read_by_gnubg(list(matches), tmp_path), strict=True):
        ours = _games(table.log)
        seen |= {type(one.event) for one in table.log} | {one.event.kind for one in table.log if isinstance(one.event, e.GameWon)}
        seen |= {e.NoRoll for one in table.log if isinstance(one.event, e.Played) and not one.event.play}
        assert length == table.state.length
        assert len(games) == len(ours)
        for number, (game, (score, winner, points, plays, last)) in enumerate(zip(games, ours, strict=True), start=1):
            near, far, won, worth, boards = game
            where = f"{path} game {number}"
            assert (won, worth) == ("X" if winner is Seat.NEAR else "O", points), where
            # gnubg counts money games from a score of its own, without the automatic doubles of earlier ones
            assert not length or (near, far) == score, where
            assert len(boards) == plays, where
            if last is not None:
                position, seat = last
                assert boards[-1][0] == ("X" if seat is Seat.NEAR else "O"), where
                assert boards[-1][1] == position_to_id(position, seat), where
        _same_bytes(Path(path).read_text(), Path(path + ".again").read_text())
    needed = {e.Doubled, e.Taken, e.Dropped, e.Beavered, e.Resigned, e.ResignationRefused, e.NoRoll, *e.Kind}
    assert not needed - seen, "the random matches must hold every kind of action"


def _same_bytes(ours: str, theirs: str) -> None:
    """gnubg writes what it read from us byte for byte, save a win beside a roll that was never played, which we put on its own line."""
    theirs_lines = []
    for line in theirs.splitlines():
        field, wins, points = line.rpartition("Wins")
        if wins and field.rstrip().endswith(":"):
            roll = field.rstrip() + " "
            theirs_lines += [roll if len(roll) > 33 else f"{roll:<33s}", "Wins" + points]
        else:
            theirs_lines.append(line.strip() if line.lstrip().startswith("Wins") else line)
    ours_lines = [line.strip() if line.lstrip().startswith("Wins") else line for line in ours.splitlines()]
    assert ours_lines == theirs_lines


@needs_gnubg
def test_a_double_that_was_put_right_by_hand_counts_in_gnubg_as_it_counted_at_the_table(tmp_path: Path) -> None:
    """Withdrawn with the cube or the turn, it is not in the record; the cube put where a take puts it is one."""
    played = ((c.EnterRoll, {"dice": (6, 1)}), (c.EnterPlay, {"play": "13/7 8/7"}))
    given_up = ((c.Resign, {"seat": Seat.FAR}), (c.AcceptResignation, {}))
    ways: list[tuple[int, tuple[tuple[type[c.Command], dict[str, Any]], ...]]] = [
        (2, ((c.SetCube, {"value": 2, "owner": Seat.FAR}), *played, *given_up)),
        (1, ((c.SetCube, {"value": 1, "owner": None}), *played, *given_up)),
        (1, ((c.SetTurn, {"seat": Seat.NEAR}), *played, *given_up)),
        (1, ((c.SetTurn, {"seat": Seat.FAR}), *given_up)),
        (1, ((c.AwardGame, {"seat": Seat.NEAR}),)),
    ]
    begin = (
        (c.StartMatch, {"names": ("Anna", "Boris"), "length": 5}), (c.StartGame, {}), (c.EnterRoll, {"dice": (3, 1)}),
        (c.EnterPlay, {"play": "8/5 6/5"}), (c.EnterRoll, {"dice": (6, 2)}), (c.EnterPlay, {"play": "24/18 13/11"}), (c.Double, {}),
    )
    paths = []
    for number, (points, way) in enumerate(ways):
        table = open_table(MemoryJournal())
        for command, values in (*begin, *way):
            outcome = table.command(command(seen_seq=table.state.seq, **values))
            assert isinstance(outcome, c.Accepted), (command, outcome)
        assert table.state.score == (points, 0)
        paths.append(str(tmp_path / f"{number}.mat"))
        Path(paths[-1]).write_text(write_mat(record_of(table.log)))
    read = [games[0][2:4] for _length, games in _read_by_gnubg(paths, tmp_path)]
    assert read == [["X", points] for points, _way in ways]
