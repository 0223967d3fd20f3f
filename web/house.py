"""What one running service is made of: the desk, the live hub, the eyes, the rule sets on offer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from referee.match.state import Phase
from referee.records.pictures import Pictures
from referee.rules import RuleSet
from web.access import Access, Rank
from web.analysis import Analyst
from web.desk import Desk
from web.language import words
from web.lending import Lender
from web.live import Hub
from web.scripts import made_of
from web.snapshot import state_snapshot


class Eyes(Protocol):
    """What the pages know of the camera; `web.runtime.eyes` has the real ones."""

    @property
    def picture(self) -> bytes | None:
        """The latest picture as JPEG, with what was read drawn over it."""
        ...

    def whole(self) -> bytes | None:
        """The latest picture as it came, as JPEG."""
        ...

    def saw(self) -> bytes | None:
        """The bundle "what it saw" (`web.saw`), None before the first picture."""
        ...

    def status(self) -> dict[str, Any]:
        """``{"status": none | starting | looking | watching | lost | ended, "text": ..., "source": which camera it is, as it may be shown
        to everybody, or None, "picture": its number or None, "board": whether it is found, "tray": its four corners as shares of the whole
        picture, or None, "die": how many px a die is wide and whether that is enough, or None}``."""
        ...


class CameraError(Exception):
    """The camera cannot be had; one sentence says why and what to do."""


class NoPicture(CameraError):
    """What a phone sent is no picture that can be used."""


class Chooser(Eyes, Protocol):
    """Eyes whose camera can be chosen on the set-up page; `web.runtime.camera` has the real ones."""

    def choose(self, src: str | None) -> None:
        """Takes a camera's number or address, `phone`, or none. Raises `CameraError`."""
        ...

    def cameras(self) -> tuple[tuple[str, str], ...]:
        """What can be chosen by number, with its name."""
        ...

    def push(self, data: bytes, age: float = 0.0) -> None:
        """A picture from the phone, taken ``age`` seconds ago. Raises `CameraError`, of the kind `NoPicture` for what is none."""
        ...

    def look_again(self, corners: Sequence[tuple[float, float]] = (), near_at: Any = None) -> None:
        """Finds the board anew. Raises `CameraError`."""
        ...

    def forget(self, match: int) -> None:
        """``match`` is deleted, and what is known of its board with it."""
        ...

    def set_tray(self, corners: Sequence[tuple[float, float]]) -> None:
        """Where the tower's dice come to rest: four corners as shares of the picture, none for no tray. Raises `CameraError`."""
        ...


NO_EYES: dict[str, Any] = {"status": "none", "text": "", "source": None, "picture": None, "board": False, "tray": None, "die": None}


class Tower(Protocol):
    """What the pages know of the dice tower; `web.towerline` has the real one."""

    def status(self) -> dict[str, Any]:
        """Its link's state, identity and counters."""
        ...

    def tick(self) -> None:
        """Notes a tower that went or came back."""
        ...

    def stop(self) -> None: ...


@dataclass
class House:
    """Held by the Flask app as its extension ``referee``. ``rule_sets``: those offered, each with its title; ``table``: the table's name
    in the addresses of its pages; ``places``: how many streams may be open at once; ``public_pictures``: the camera's pictures also go to
    people without a PIN; ``address``: what a phone in the network opens; ``peers``: behind our TLS front, the real address of the sender
    on each local port."""

    desk: Desk
    rule_sets: tuple[tuple[RuleSet, str], ...]
    table: str
    access: Access
    places: int
    public_pictures: bool = False
    eyes: Eyes | None = None
    tower: Tower | None = None
    chooser: Chooser | None = None
    pictures: Pictures = field(init=False)
    address: str = ""
    peers: dict[str, str] = field(default_factory=dict)
    lent: Lender = field(default_factory=Lender)
    analyst: Analyst = field(default_factory=Analyst)
    hub: Hub = field(init=False)

    def __post_init__(self) -> None:
        self.pictures = Pictures(self.desk.store.path)
        self.hub = Hub(self.state, self._camera, self.places)
        self.desk.watch(self.hub.announce)

    def tidy(self) -> tuple[int, ...]:
        """Makes room where the pictures take more than they may: the oldest finished matches lose theirs first, then those that were left
        unfinished, never the one on the table. Returns those that did. A match that was deleted keeps none, though the program should
        have ended before its pictures were."""
        for match in self.desk.store.deleted():
            self.pictures.remove(match)
        if self.pictures.used() <= self.pictures.limit:
            return ()
        others = [info for info in self.desk.store.matches() if info.id != self.desk.match]
        return self.pictures.prune(info.id for info in sorted(others, key=lambda info: info.state.phase is not Phase.MATCH_OVER))

    def page(self, name: str) -> str:
        """The whole address of the page ``name`` for somebody in the network."""
        return f"{self.address}/t/{self.table}/{name}"

    def shows_pictures(self, audience: Rank) -> bool:
        """Whether ``audience`` may see what the camera sees, live or kept as evidence."""
        return audience >= Rank.TABLE or self.public_pictures

    def _camera(self, audience: Rank, language: str) -> dict[str, Any]:
        seen = self.eyes.status() if self.eyes is not None else NO_EYES
        if not self.shows_pictures(audience):
            seen = seen | {"picture": None}
        tower, said = self.tower.status() if self.tower is not None else None, words(language).said
        if tower is not None:
            tower = tower | {"text": said(tower["text"])}
        return seen | {"text": said(seen["text"]), "tower": tower}

    def state(self, audience: Rank, language: str, ago: float = 0.0) -> dict[str, Any]:
        """What the table looks like to ``audience``, or looked like so many seconds ago."""
        camera = self._camera(audience, language)
        shown = state_snapshot(self.desk, camera, audience, pictures=self.shows_pictures(audience), words=words(language), ago=ago)
        return shown | {"table": self.table, "program": made_of()}
