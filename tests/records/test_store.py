"""The journal's store: durable, append-only, ours alone, and plain about everything that goes wrong."""

from __future__ import annotations

import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.board.position import Seat
from referee.match import commands as c
from referee.match import events as e
from referee.match.folding import apply, fold
from referee.match.journal import Conflict, Heard, JournalError
from referee.match.state import MatchState, Phase
from referee.match.table import TableService
from referee.records.store import Store
from referee.rules.presets import preset
from tests.match.random_play import never, next_command, play_match
from tests.records.writer import digest
from web.cli.convert import command as convert

ROOT = Path(__file__).parents[2]


def _table(store: Store) -> TableService[None]:
    return TableService(store.latest(), preset("bray"), never, None)


def _played(path: Path) -> Store:
    """A store with a short match in it, a few dozen rows."""
    store = Store(path)
    play_match(0, 1, boldness=2.0, table=_table(store))
    return store


def test_a_match_comes_back_in_the_same_state(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        table = play_match(1, 3, boldness=0.5, table=_table(store))
        log, state = table.log, table.state
    with Store(f"sqlite:///{tmp_path / 'a.db'}") as store:
        again = _table(store)
        assert again.log == log
        assert again.state == state
        assert again.state.phase is Phase.MATCH_OVER


def listed(state: MatchState) -> tuple[object, ...]:
    """What a list of matches tells."""
    over = state.phase is Phase.MATCH_OVER
    return state.names, state.length, state.rules, state.score, state.game, state.event, state.round, over, state.winner if over else None


@pytest.mark.parametrize("seed", range(6))
def test_the_list_tells_a_match_as_its_whole_log_does(tmp_path: Path, seed: int) -> None:
    """Also where a person set things right, punished, paused, and undid any of it."""
    dice = random.Random(seed)
    with Store(tmp_path / "a.db") as store:
        table = _table(store)
        table.command(c.StartMatch(seen_seq=0, names=("Anna", "Boris"), length=5 * (seed % 3), games=4))
        for _ in range(250):
            command = next_command(table, dice, boldness=1.0)
            if dice.random() < 0.1 or command is None:
                seq, score = table.state.seq, (dice.randint(0, 4), dice.randint(0, 4))
                command = dice.choice([
                    c.Undo(seen_seq=seq, to_seq=dice.randint(1, seq)), c.Undo(seen_seq=seq), c.SetScore(seen_seq=seq, score=score),
                    c.Penalise(seen_seq=seq, seat=Seat.FAR, points=1),
                    c.SetNames(seen_seq=seq, names=("Anna", f"Bo {seq}"), event=f"E{seq}"),
                    c.Pause(seen_seq=seq), c.Resume(seen_seq=seq), c.AwardGame(seen_seq=seq, seat=Seat.NEAR),
                ])  # fmt: skip
            table.command(command)
            if dice.random() < 0.2:
                assert [listed(info.state) for info in store.matches()] == [listed(table.state)]
        assert [listed(info.state) for info in store.matches()] == [listed(table.state)]


def test_the_list_of_many_matches_takes_a_part_of_the_time_that_reading_them_takes(tmp_path: Path) -> None:
    log = play_match(0, length=25).log
    with Store(tmp_path / "a.db") as store:
        for _ in range(6):
            store.new_match().append(log)
        begun = time.process_time()
        assert len(store.matches()) == 6
        told = time.process_time() - begun
        for match in range(1, 7):
            assert fold(store.journal(match).read()).winner is not None
        assert told < (time.process_time() - begun - told) / 2


def test_several_matches_in_one_store(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        first = play_match(0, 1, boldness=2.0, table=_table(store))
        second = play_match(2, 1, boldness=2.0, table=TableService(store.new_match(), preset("bray"), never, None))
        assert [listed(info.state) for info in store.matches()] == [listed(first.state), listed(second.state)]
        assert store.latest().read() == second.log
        store.delete(1)
        assert [info.id for info in store.matches()] == [2]
        with pytest.raises(JournalError, match="no match 1"):
            store.journal(1)
        assert store.new_match().match == 3, "the number of a deleted match is not used again"


def test_killed_at_any_moment_it_continues_the_same_match(tmp_path: Path) -> None:
    """SIGKILL in the middle of writing, again and again: every state that was told is there, and play goes on from it."""
    path, moments = tmp_path / "killed.db", random.Random(7)
    told_rows = 0
    for life in range(8):
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.records.writer", str(path), str(life)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(moments.randrange(2, 18))]
        time.sleep(moments.random() * 0.02)  # into the next row, or the one after
        process.kill()
        told += process.stdout.read().splitlines(keepends=True)
        process.wait()
        told = [line for line in told if line.endswith("\n")]
        assert len(told) > 1, "it never came up again"
        told_rows += len(told)
        with Store(path) as store:
            # The match that was being written: a state told by the child is that of the same match, or of the one before.
            states = {}
            for info in store.matches():
                log = store.journal(info.id).read()
                state = fold(())
                for logged in (None, *log):
                    state = state if logged is None else apply(state, logged)
                    states[digest(state)] = state.seq
            for line in told:
                seq, mark = line.split()
                assert states.get(mark) == int(seq), f"a state that was told is gone: {line}"
    assert told_rows > 40, "the writer hardly wrote"


@pytest.mark.skipif(os.name != "posix", reason="cannot: links need rights that not everybody has here")
def test_a_link_to_a_database_is_the_same_database(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "m.db")
    with Store(tmp_path / "m.db"), pytest.raises(JournalError, match="in use by another referee"):
        Store(tmp_path / "link.db")


def test_a_second_process_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with _played(path):
        code = "import sys; from referee.records.store import Store\ntry: Store(sys.argv[1])\n"
        code += "except Exception as error: print(type(error).__name__, error)"
        run = subprocess.run([sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True)
        assert run.stdout.startswith("JournalError"), run
        assert "in use by another referee" in run.stdout
    with Store(path):
        pass  # let go, it opens


@pytest.mark.parametrize("kind", ["text", "foreign", "cut", "short", "png"])
def test_a_foreign_or_damaged_file_is_named_and_left_alone(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.db"
    if kind == "foreign":
        other = sqlite3.connect(path)
        other.execute("CREATE TABLE recipes (name TEXT)")
        other.commit()
        other.close()
    elif kind == "cut":
        _played(path).close()
        data = path.read_bytes()
        path.write_bytes(data[:9000])
    else:
        path.write_bytes({"text": b"hello " * 100, "short": b"SQLite format 3\0", "png": b"\x89PNG\r\n" + bytes(500)}[kind])
    before = path.read_bytes()
    with pytest.raises(JournalError) as raised:
        Store(path).latest()
    assert str(raised.value).count(".") <= 3
    assert str(path) in str(raised.value)
    assert path.read_bytes() == before


def test_a_log_changed_behind_our_back_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    _played(path).close()
    db = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute("UPDATE events SET payload = '{}' WHERE seq = 3")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute("DELETE FROM events WHERE seq = 3")
    db.execute("DROP TRIGGER events_stay")
    db.execute("UPDATE events SET source = 'nobody' WHERE seq = 3")
    db.commit()
    db.close()
    with Store(path) as store:
        with pytest.raises(JournalError, match=r"Row 3 of match 1 in a.db was changed"):
            store.journal(1).read()
        fresh = store.latest()
        assert fresh.match == 2, "a new match: the damaged one cannot go on"
        TableService(fresh, preset("bray"), never, None).command(c.StartMatch(seen_seq=0, names=("C", "D")))
        assert store.latest().match == 2
        broken, sound = store.matches()
        assert "Row 3 of match 1" in broken.problem
        assert (broken.state.seq, broken.state.names) == (2, ("Anna", "Boris")), "what comes before the damage is still known"
        assert (sound.problem, sound.state.names) == ("", ("C", "D")), "the other matches can still be used"


def test_a_row_of_a_newer_program_is_not_guessed_at(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Store(path) as store:
        _table(store).command(c.StartMatch(seen_seq=0, names=("A", "B")))
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER events_stay")
    db.execute("UPDATE events SET type = 'teleported'")
    db.commit()
    db.close()
    with Store(path) as store, pytest.raises(JournalError, match="‘teleported’ of version 1"):
        store.journal(1).read()


@pytest.mark.parametrize("column", ["type", "version", "captured", "at", "source", "role", "frame", "payload", "evidence_file", "before"])
@pytest.mark.parametrize("value", [b"\xff\xfe", 3.5, "x", '{"a":' + "[" * 3000, -1, "\ud800"], ids=lambda v: repr(v)[:8])
def test_whatever_is_put_into_a_row_the_match_is_listed_as_damaged(tmp_path: Path, column: str, value: object) -> None:
    path = tmp_path / "a.db"
    with Store(path) as store:
        table = _table(store)
        table.command(c.StartMatch(seen_seq=0, names=("A", "B"), length=3))
        table.command(c.StartGame(seen_seq=1))
        table.command(c.EnterRoll(seen_seq=2, dice=(3, 1)))
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER events_stay")
    given = value.encode("utf-8", "surrogatepass") if value == "\ud800" and isinstance(value, str) else value
    db.execute(f"UPDATE events SET {column} = ? WHERE seq = 2", (given,))
    db.commit()
    db.close()
    with Store(path) as store:
        (info,) = store.matches()
        assert info.problem.startswith("Row ")
        if column in ("payload", "role"):  # nothing in Python's or JSON's own words
            assert re.search(r"(holds|lacks) .+\.$|was changed; the match cannot be used\. Restore a copy\.$", info.problem), info.problem
        assert info.state.names == (("A", "B") if column != "before" else ("", "")), "as far as it is sound"
        with pytest.raises(JournalError):
            store.journal(1).read()
    result = CliRunner().invoke(convert, [str(path), str(tmp_path / "out.mat")])
    assert (result.exit_code, "\nError: Row " in result.stderr) == (2, True), result.output


def test_a_match_that_is_being_written_can_be_read(tmp_path: Path) -> None:
    with _played(tmp_path / "a.db") as store:
        with Store(tmp_path / "a.db", reading=True) as looking:
            assert looking.latest().read() == store.latest().read()
            with pytest.raises(JournalError):
                looking.new_match()
        result = CliRunner().invoke(convert, [str(tmp_path / "a.db"), str(tmp_path / "out.mat")])
        assert result.exit_code == 0, result.output
        _table(store).command(c.SetScore(seen_seq=len(store.latest().read()), score=(0, 0)))


def test_looking_needs_no_right_to_write(tmp_path: Path) -> None:
    """While another program holds the file to write into it, and a commit waits for that: who looks is answered at once."""
    with _played(tmp_path / "a.db") as store:
        table = _table(store)
        table.hear(Heard("tower-7", 4, 17, "$THROW"))
        log = table.log
        other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        waits = threading.Thread(target=lambda: table.note(e.ClockStopped()))
        waits.start()
        time.sleep(0.2)
        begun = time.monotonic()
        assert [info.id for info in store.matches()] == [1]
        assert store.journal(1).read() == log
        assert len(store.heard(1)) == 1
        assert store.kept("tower-7", 4, 17) is not None
        assert waits.is_alive()
        assert time.monotonic() - begun < 3.0
        other.execute("COMMIT")
        other.close()
        waits.join()
        assert store.journal(1).read() == table.log
        assert type(table.log[-1].event) is e.ClockStopped


@pytest.mark.skipif(not hasattr(os, "link"), reason="cannot: this system has no hard links")
def test_a_database_under_two_names_is_refused(tmp_path: Path) -> None:
    _played(tmp_path / "a.db").close()
    os.link(tmp_path / "a.db", tmp_path / "b.db")
    for name in ("a.db", "b.db"):
        with pytest.raises(JournalError, match="second name"):
            Store(tmp_path / name)
    (tmp_path / "b.db").unlink()
    with Store(tmp_path / "a.db"):
        pass


def test_when_the_disk_is_full_nothing_is_accepted_or_shown(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        table = _table(store)
        table.command(c.StartMatch(seen_seq=0, names=("A", "B"), length=3))
        shown: list[tuple[e.Logged, ...]] = []
        table.subscribe(lambda state, logged: shown.append(logged))
        with store._engine.connect() as db:  # SQLite's own limit on the file's pages stands in for the disk's
            pages = db.exec_driver_sql("PRAGMA page_count").scalar()
        for _ in range(2000):
            with store._engine.connect() as db:
                db.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
            before = table.state
            outcome = table.command(c.SetScore(seen_seq=before.seq, score=(1, 1)))
            if isinstance(outcome, c.Refused):
                break
        assert isinstance(outcome, c.Refused)
        assert outcome.reason.code == "store_failed"
        assert "full" in str(outcome.reason.get("text"))
        assert table.state == before
        assert "full" in table.trouble
        assert shown[-1] == ()
        with store._engine.connect() as db:
            db.exec_driver_sql("PRAGMA max_page_count = 100000")
        assert isinstance(table.command(c.SetScore(seen_seq=before.seq, score=(1, 1))), c.Accepted)
        assert table.trouble == ""
    with Store(tmp_path / "a.db") as store:
        assert _table(store).state == table.state


def test_whether_something_can_be_kept_again_is_found_out_by_writing(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        table = _table(store)
        table.command(c.StartMatch(seen_seq=0, names=("A", "B"), length=3))
        journal, files = store.latest(), sorted(tmp_path.iterdir())
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        was = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))  # room for a row or two, and no more
        try:
            with pytest.raises(JournalError, match="is full; make room"):
                journal.try_out()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            signal.signal(signal.SIGXFSZ, was)
        journal.try_out()
        assert sorted(tmp_path.iterdir()) == files
        with store._engine.connect() as db:
            db.exec_driver_sql("PRAGMA query_only = ON")
        with pytest.raises(JournalError, match="read-only"):
            journal.try_out()
    with Store(tmp_path / "a.db") as store:
        assert _table(store).state == table.state


def test_when_the_store_is_read_only_nothing_is_accepted(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        table = _table(store)
        table.command(c.StartMatch(seen_seq=0, names=("A", "B"), length=3))
        with store._engine.connect() as db:  # SQLite answers as it does for a file that may not be written
            db.exec_driver_sql("PRAGMA query_only = ON")
        outcome = table.command(c.StartGame(seen_seq=1))
        assert isinstance(outcome, c.Refused)
        assert "read-only" in str(outcome.reason.get("text"))
        assert table.state.seq == 1


def test_an_append_that_does_not_follow_is_refused_whole(tmp_path: Path) -> None:
    with _played(tmp_path / "a.db") as store:
        journal = store.latest()
        last = len(journal.read())
        with pytest.raises(Conflict):
            journal.append([e.Logged(last + 2, e.BoardAgreed())])
        with pytest.raises(Conflict):
            journal.append([e.Logged(last, e.BoardAgreed())])
        assert len(journal.read()) == len(store.latest().read()) == last


def test_what_a_device_said_is_kept_once(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        table = _table(store)
        table.command(c.StartMatch(seen_seq=0, names=("A", "B"), length=3))
        for _ in range(3):
            table.hear(Heard("tower-7", 4, 17, "$THROW"), Heard("tower-7", 4, 18, "$LIFT"))
        table.hear(Heard("tower-7", 5, 17, "$THROW"))
        assert [(h.boot, h.sequence) for h in store.heard(1)] == [(4, 17), (4, 18), (5, 17)]


@pytest.mark.parametrize(
    "where",
    ["postgresql://x/y", "sqlite://", "sqlite:///:memory:", "://", "sqlite:m.db", "sqlite:/m.db", "file:m.db", "sqlite:///m.db?mode=ro",
     "sqlite:///%00.db"],
)
def test_an_address_that_is_no_file_is_refused_with_a_sentence(where: str) -> None:
    with pytest.raises(JournalError, match="sqlite:///"):
        Store(where)


def test_a_folder_is_not_a_database(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="is a folder"):
        Store(tmp_path)


def test_a_home_of_nobody_is_no_place_for_a_database() -> None:
    with pytest.raises(JournalError, match=r"~nobody-of-this-name/m\.db begins with ~"):
        Store("~nobody-of-this-name/m.db")


def test_a_copy_of_a_running_store_opens(tmp_path: Path) -> None:
    """The file with its write-ahead log, as a crash or a backup finds them."""
    with _played(tmp_path / "a.db") as store:
        state = _table(store).state
        (tmp_path / "copy").mkdir()
        for file in tmp_path.glob("a.db*"):
            shutil.copy(file, tmp_path / "copy")
    with Store(tmp_path / "copy" / "a.db") as copy:
        assert _table(copy).state == state


def test_nothing_is_lost_where_the_file_is_moved_away_while_it_is_open(tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "a.db", tmp_path / "b.db"
    with _played(path) as store:
        table, kept = _table(store), store.latest().read()
        path.rename(elsewhere)
        refused = table.command(c.StartMatch(seen_seq=table.state.seq, names=("Eve", "Finn"), length=1))
        assert isinstance(refused, c.Refused)
        with pytest.raises(JournalError, match="was moved, renamed or deleted while it was open: put it back"):
            store.matches()
        assert not path.exists(), "no other file is begun in its place"
    if path.with_name("a.db-wal").exists():
        with pytest.raises(JournalError, match=r"its last rows are, in a\.db-wal: put it back"):
            Store(path)
    elsewhere.rename(path)
    with Store(path) as store:
        assert store.latest().read() == kept
