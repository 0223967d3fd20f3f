"""A tower whose dice come to rest inside it, where nobody sees them: its word alone makes a throw, and one die each opens."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.link import LinkState
from hardware.protocol import Rest
from hardware.simulator import Identity, Simulator
from referee.board import Seat
from referee.match.commands import EnterPlay, EnterRoll, StartGame, StartMatch, Undo
from referee.match.events import OpeningRolled
from referee.match.state import Phase
from referee.match.witness import Witnesses
from referee.observations import DieState, Half, Reading, SeenCube, SeenDie, SeenPosition
from referee.records.store import Store
from tests.waiting import until
from tests.web.test_tower_at_table import acknowledged, opening
from web.cli._service import make_house
from web.towerline import TowerLine


@pytest.fixture
def box() -> Iterator[Simulator]:
    simulator = Simulator(Identity("oak", Rest.INSIDE, reads=True), tty=False, repeat_every=0.05).start()
    yield simulator
    simulator.close()


def test_a_whole_game_can_begin_inside_a_tower(tmp_path: Path, box: Simulator) -> None:
    """A box whose dice nobody sees: one die each opens, equal ones are thrown again."""
    with Store(str(tmp_path / "t.db")) as store:
        desk = opening(store)
        line = TowerLine(desk, f"socket://127.0.0.1:{box.port}").start()
        try:
            assert until(lambda: line.link.health.state is LinkState.CONNECTED)
            for command in ("roll near 3", "roll far 3", "roll far 6", "roll near 2"):
                box.command(command)
            assert until(lambda: desk.state.phase is Phase.ROLLED)
        finally:
            line.stop()
    assert [type(one.event).type for one in desk.log][-2:] == ["opening_tied", "opening_rolled"]
    assert (desk.state.on_roll, desk.state.dice) == (Seat.FAR, (2, 6))


@pytest.mark.parametrize("second", ["roll far 5", "roll any 5"])
@pytest.mark.parametrize("again", [False, True], ids=["waits for the other", "throws again"])
def test_the_first_opening_die_is_remembered_when_the_program_is_started_again(
    tmp_path: Path, box: Simulator, second: str, again: bool
) -> None:
    """It may be one that nobody waits for any more: it is asked whether it counts, unless its player has thrown again."""
    address = f"socket://127.0.0.1:{box.port}"
    with Store(str(tmp_path / "t.db")) as store:
        desk = opening(store)
        line = TowerLine(desk, address).start()
        box.command("roll near 6")
        box.command("roll far 6")
        assert until(lambda: desk.state.tie is not None)
        time.sleep(0.3)
        box.command("roll near 3")
        assert until(lambda: box.waiting == 0 and len(store.heard(desk.match)) == 3)
        line.stop()
    with Store(str(tmp_path / "t.db")) as store:
        desk = make_house(store).desk
        line = TowerLine(desk, address).start()
        assert desk.state.phase is Phase.OPENING
        if again:
            box.command("roll near 4")
        box.command(second)
        assert acknowledged(box)
        line.stop()
        known = again and "far" in second
        assert desk.state.phase is (Phase.ROLLED if known else Phase.OPENING)
        if known:
            assert (desk.state.on_roll, desk.state.dice) == (Seat.FAR, (4, 5))
        else:
            assert desk.state.doubt is not None
            answers = [event for answer in desk.state.doubt.doubt.answers for event in answer.events]
            assert OpeningRolled(Seat.FAR, (4 if again else 3, 5)) in answers
            assert desk.state.doubt.doubt.answers[-1].events == (), "or it does not count"


def test_an_opening_die_of_before_is_not_taken_up(tmp_path: Path, box: Simulator) -> None:
    """The opening it was thrown for is over: by hand, or with a tie."""
    address = f"socket://127.0.0.1:{box.port}"
    with Store(str(tmp_path / "t.db")) as store:
        desk = opening(store)
        line = TowerLine(desk, address).start()
        box.command("roll near 3")
        assert until(lambda: box.waiting == 0 and len(store.heard(desk.match)) == 1)
        desk.command(EnterRoll(seen_seq=desk.state.seq, dice=(4, 4)))
        assert desk.state.phase is Phase.OPENING
        line.stop()
    with Store(str(tmp_path / "t.db")) as store:
        desk = make_house(store).desk
        line = TowerLine(desk, address).start()
        box.command("roll far 5")
        assert acknowledged(box)
        line.stop()
        assert (desk.state.phase, desk.state.doubt) == (Phase.OPENING, None)


@pytest.mark.parametrize("who", [Witnesses.ANY, Witnesses.CAMERA])
def test_dice_inside_a_tower_are_its_alone_to_tell(tmp_path: Path, box: Simulator, who: Witnesses) -> None:
    """Dice that lie on the board are none of the game's; once the box is gone they may be."""
    said: list[str] = []
    with Store(str(tmp_path / "t.db")) as store:
        desk = make_house(store, stills=True).desk
        desk.set_witnesses(who, camera_on=True)
        line = TowerLine(desk, f"socket://127.0.0.1:{box.port}", say=said.append).start()
        try:
            assert until(lambda: line.link.health.state is LinkState.CONNECTED)
            line.tick()
            desk.command(StartMatch(seen_seq=0, names=("Anna", "Boris"), length=5))
            desk.command(StartGame(seen_seq=desk.state.seq))
            desk.command(EnterRoll(seen_seq=desk.state.seq, dice=(3, 1)))
            desk.command(EnterPlay(seen_seq=desk.state.seq, play="8/5 6/5"))
            seen = SeenPosition(desk.state.position.points, desk.state.position.bar, desk.state.position.off)
            dice = tuple(SeenDie(value, DieState.FLAT, Half.LEFT, (300.0 + 50 * value, 500.0)) for value in (5, 4))
            for second in range(3):
                desk.observe(Reading(dice, seen, SeenCube(1, None), captured_at=time.monotonic() + second))
            assert desk.state.phase is Phase.TO_ROLL
            assert desk.state.doubt is None
            box.command("roll far 6 2")
            assert acknowledged(box)
            assert (desk.state.phase, desk.state.dice, desk.log[-1].source) == (Phase.ROLLED, (6, 2), "tower")
            assert "its word alone makes a throw" in said[-1]
            desk.command(Undo(seen_seq=desk.state.seq))
            box.command("unplug 60")
            assert until(lambda: line.link.health.state is LinkState.LOST)
            line.tick()
            if who is Witnesses.ANY:
                for second in range(3):
                    desk.observe(Reading(dice, seen, SeenCube(1, None), captured_at=time.monotonic() + second))
                assert desk.state.dice == (5, 4)
        finally:
            line.stop()
