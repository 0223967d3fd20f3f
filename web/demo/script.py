"""What people do at the demo's table besides playing: they start the match, and drop a double by a button."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from referee.match import commands as said
from referee.match.commands import Command, Refused
from web.desk import Desk

HERE = Path(__file__).parent
PICTURES = HERE / "pictures"
_BUTTONS: dict[str, type[Command]] = {"drop": said.Drop, "start_game": said.StartGame}
_ON_TOWER = frozenset({"drop"})

log = logging.getLogger(__name__)


class Demo:
    """Speaks to the desk as the people at the table do. ``box``: a tower's simulator takes its commands, and its buttons are
    pressed instead of the page's."""

    def __init__(self, desk: Desk, box: Callable[[str], None] | None) -> None:
        self._desk, self._box = desk, box
        self._script: dict[str, Any] = json.loads((HERE / "script.json").read_text(encoding="utf-8"))
        self._presses = {press["after"]: press for press in self._script["presses"]}

    def begin(self) -> None:
        """Starts the match."""
        script = self._script
        near, far = script["names"]
        self._say(said.StartMatch(seen_seq=0, names=(near, far), length=script["length"], rules=script["rules"], event=script["event"]))

    def after(self, frame: str) -> None:
        """Presses what is pressed while this picture is on the table, if the match is still where it was pressed."""
        press = self._presses.get(frame)
        if press is None or self._desk.state.phase.value != press["while"]:
            return
        name = press["command"]
        if self._box is not None and name in _ON_TOWER:
            self._box(f"button {name}")
        else:
            self._say(_BUTTONS[name](seen_seq=self._desk.state.seq))

    def _say(self, command: Command) -> None:
        outcome = self._desk.command(command)
        if isinstance(outcome, Refused):
            log.warning("the demo’s %s was refused: %s", type(command).__name__, outcome.reason.code)
