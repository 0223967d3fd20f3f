"""The eyes of the service: a thread that follows a source of pictures, reads what has settled and tells the desk.

Source -> (gate) -> reader -> `Desk.observe`. The latest picture, with what was read drawn over it, is kept for the page. A source
that cannot be opened or falls silent is said on the page and tried again; the match goes on by hand meanwhile.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from referee.board.position import START, Position
from referee.match.events import DeviceLost, Logged
from referee.match.state import IN_GAME, Phase
from referee.observations import CAMERA, Reading
from referee.records.pictures import Pictures
from referee.rules.reason import because
from vision.annotate import annotate, close_up
from vision.boardfile import BoardFileError, SetUpLook, save_table
from vision.camera.devices import Plugged
from vision.camera.gate import Health, settled
from vision.camera.sharpness import too_soft
from vision.camera.source import Frame, Source, SourceError, open_source, without_secrets
from vision.finder import BoardNotFound, Side
from vision.following import MOVED, Following, Where
from vision.pictures import Image
from vision.reader import Reader
from vision.table import Table, TrayError, carried_over, tray_at
from web.desk import Desk
from web.house import CameraError
from web.known import known_position
from web.language import as_sentence
from web.lending import Lender
from web.memory import share_memory
from web.runtime.cautions import Cautions
from web.runtime.pace import Pace
from web.runtime.said import CODES, HEALTH, LOST, WAITS, ended, starting, summary
from web.runtime.saw import saw_of
from web.runtime.seats import Aim, Seats, kept
from web.runtime.shown import Shown, jpeg, tray_corners, unsure_dice

log = logging.getLogger(__name__)

WAIT_S = 0.2  # between looks whether the match of a recording is on
RETRY_S = 3.0  # between attempts to open a lost camera again
LOOK_S = 1.5  # between attempts to find the board
PREVIEW_S = 0.5  # between preview pictures of a live source


@dataclass(frozen=True, slots=True)
class _Board:
    """The board that was found, which ``eyes`` follow, and what is said beside each reading of it. ``table``: it as of the last reading.
    ``read``: the last picture and its reading; None where nothing was read in it. Whoever asks for it has one moment of all of them."""

    eyes: Following
    cautions: Cautions
    table: Table
    read: tuple[Image, Reading] | None = None


class Runtime:
    """Follows ``src`` from `start` to `stop`. ``changed`` is called when the picture or the status has changed. ``board_file``:
    where the board is kept when a person draws the tower's tray; without a ``table`` its tray is taken up from there; ``lent``: who
    else is given the camera's pictures; ``seats``: who sits where, as another camera has seen it; ``look``: at which the
    table was found; ``tell`` is called with why there are no pictures."""

    def __init__(
        self, desk: Desk, src: str, changed: Callable[[], None] = lambda: None, *,
        table: Table | None = None, look: SetUpLook | None = None, pace: Pace | None = None,
        opener: Callable[[], Source] | None = None, pictures: Pictures | None = None, board_file: Path | None = None,
        lent: Lender | None = None, seats: Seats | None = None, tell: Callable[[str], None] = lambda _text: None,
    ) -> None:
        self._desk, self._tell, self._pace = desk, tell, pace
        self._plugged = Plugged(src)
        self._opener = opener if opener is not None else lambda: open_source(self._plugged.place())
        self._pictures, self._lent = pictures, lent or Lender()
        self._aim: Aim = Aim()
        self._seats = seats if seats is not None else Seats()
        self._board_file = board_file
        self._before = table or self._seats.of(desk.match) or kept(board_file)
        self._board = _Board(Following(Reader(table, look), self._known), Cautions(), table) if table is not None else None
        self._silent: tuple[str, str] | None = None  # what was said of a source of which no picture has come since
        self._missed = ""  # why no board was found in the last picture, or it could not be read
        self._stop = threading.Event()
        self._guard = threading.Lock()
        self._shown = Shown(("starting", starting(without_secrets(src))), changed)
        self._source: Source | None = None
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)
        if table is not None:
            desk.home = table.home

    @property
    def _table(self) -> Table | None:
        """The board as of the last reading; None before it is found."""
        board = self._board
        return board.table if board is not None else None

    # for the pages -----------------------------------------------------------------------------------------------------

    @property
    def picture(self) -> bytes | None:
        """The latest picture as JPEG."""
        return self._shown.jpeg

    @property
    def src(self) -> str:
        """Where the source is: a camera that was plugged in anew may have another number."""
        return self._plugged.src

    def status(self) -> dict[str, Any]:
        """See `web.house.Eyes`."""
        (status, text), table = self._shown.said, self._table
        seen = {"status": status, "text": text, "picture": self._shown.number, "source": without_secrets(self.src)}
        if table is None:
            return seen | {"board": False, "tray": None, "die": None}
        return seen | {"board": True, "tray": tray_corners(table), "die": {"px": round(table.die_px), "enough": table.die_large_enough}}

    def whole(self) -> bytes | None:
        """The latest picture as it came, as JPEG, with what was found drawn over it."""
        image, board = self._shown.image, self._board
        if image is None:
            return None
        if board is None or board.read is None:  # where it stood is not where it is
            return jpeg(image)
        return jpeg(annotate(image, board.table, stood=START if self._desk.state.phase is Phase.SETTING_UP else None))

    def saw(self) -> bytes | None:
        """The bundle of what was last read (`web.saw`), or of what is in sight where nothing was; None before the first picture."""
        board, image, said = self._board, self._shown.image, self._shown.said[1]
        if image is None:
            return None
        if board is None:
            return saw_of(image, None, None, None, said)
        image, reading = board.read or (image, None)
        return saw_of(image, reading, board.table, board.eyes.reader.set_up, said)

    def look_again(self, corners: Sequence[tuple[float, float]] = (), near_at: Side | None = None) -> None:
        """Finds the board anew in the next picture. ``corners``: its four inner corners, as shares of the whole picture's
        width and height (0..1), when a person shows them; ``near_at``: where near sits, when a person says it. Raises `CameraError` at a
        recording's end."""
        if self._shown.said[0] == "ended":  # no picture comes in which to look
            raise CameraError("The recording has ended, and no other picture comes: choose another camera, or start the referee again")
        image, aim = self._shown.image, Aim(None, near_at)
        if corners and image is not None:
            height, width = image.shape[:2]
            first, second, third, fourth = ((x * width, y * height) for x, y in corners)
            aim = Aim((first, second, third, fourth), near_at)
        self._keep_seats()
        with self._guard:
            self._before = self._table or self._before
            self._aim, self._board = aim, None
        if self._shown.said != self._silent:
            self._shown.say("looking", "Looking for the board.")

    def _keep_seats(self) -> None:
        """Writes down who sits where, which takes a while: not while the pages wait for `_guard`."""
        board = self._board
        if board is not None and self._desk.state.game:
            self._seats.keep(self._desk.match, board.table, board.eyes.reader.set_up)

    def set_tray(self, corners: Sequence[tuple[float, float]]) -> None:
        """Where the dice tower's dice come to rest: four corners as shares of the whole picture, none for no tray. Kept in the board
        file. Raises `CameraError`."""
        board = self._board
        if board is None:
            raise CameraError("The board is not found yet; draw the tray when its lines fit")
        size = np.array(board.table.camera.size, np.float64)
        try:
            drawn = board.eyes.with_trays((tray_at(board.table, np.array(corners) * size),) if corners else ())
            table = drawn.reader.table
            if self._board_file is not None:
                save_table(table, self._board_file, drawn.reader.look)
        except (TrayError, BoardFileError) as error:
            raise CameraError(str(error)) from None
        with self._guard:
            now = self._board
            if now is None or now.eyes is not board.eyes:
                raise CameraError("The board is being looked for anew; draw the tray again when its lines fit")
            self._board = replace(now, eyes=drawn, table=table)
        self._shown.changed()

    # life --------------------------------------------------------------------------------------------------------------

    def start(self) -> Runtime:
        share_memory()
        self._thread.start()
        return self

    def stop(self) -> None:
        """Ends the thread; waits a little for it."""
        self._stop.set()
        source = self._source
        if source is not None:
            source.close()
        if self._thread.is_alive():
            self._thread.join(timeout=3.0)  # a camera that is being opened may take longer: what comes of it is nobody's any more
        self._lent.end()
        self._keep_seats()

    def use(self, source: Source) -> None:
        """Follows this source, which is already open, at first."""
        self._source = source

    def _run(self) -> None:
        while not self._stop.is_set() and self._follow():
            self._stop.wait(RETRY_S)

    def _follow(self) -> bool:
        """Reads the source to its end. Whether it is to be opened again: it was lost, or something went wrong."""
        at_end = False
        try:
            source = self._source if self._source is not None else self._opener()
            self._source = source
            self._plugged.note()
            if self._stop.is_set():
                return False
            source.watcher = self._lent.offer
            for frame in self._settled(source):
                self._silent = None
                self._take(frame, source)
            if self._stop.is_set():  # turned off, not at its end: nothing follows from the last look
                return False
            self._desk.finish()
            at_end = True
            self._shown.say("ended", ended(self._board is not None, self._missed))
            return False
        except SourceError as error:
            why = self._silent = ("lost", as_sentence(str(error)))
            if why != self._shown.said:  # once, however often it is tried again
                self._tell(str(error))
            self._shown.say(*why)
            self._lost("camera_lost")
            return True
        except Exception:
            log.exception("a fault while reading pictures")
            self._shown.say("lost", "The reader has a fault, which is in the log of the program; play goes on by hand.")
            self._lost("reader_fault")
            return self._source is None or self._source.live  # a recording would begin again
        finally:
            if self._source is not None:
                self._source.watcher = lambda _image: None
                self._source.close()
            self._source = None
            if not at_end and not self._stop.is_set():  # a recording's last picture stays; after a stop its place is another's
                self._lent.end()

    # pictures ----------------------------------------------------------------------------------------------------------

    def _settled(self, source: Source) -> Iterator[Frame]:
        """The frames worth reading. Whether or not one is, it may be shown as a preview; a camera that is not well is said."""
        shown = -PREVIEW_S

        def watcher(frame: Frame, health: Health) -> None:
            nonlocal shown
            if health in CODES:
                self._shown.say("lost", HEALTH[health])
                self._lost(CODES[health])
            elif health is Health.RESTLESS and self._shown.said[0] != "lost":
                self._shown.say("looking", HEALTH[health])
            if frame.image is not None and frame.at - shown >= PREVIEW_S:
                shown = frame.at
                self._show(frame.image, None)

        return settled(self._paced(source), lambda: self._table, source.frozen_after, watcher)

    def _paced(self, source: Source) -> Iterator[Frame]:
        """Its frames; a film's as fast as they were taken. A recording shows its board and then waits for the match it is of."""
        begun, on = time.monotonic(), source.live
        for frame in source:
            since = time.monotonic()
            # while its board is looked for it goes on
            while not on and (board := self._board) is not None and board.read is not None and not self._desk.state.on:
                self._shown.say("watching", WAITS)
                if self._stop.wait(WAIT_S):
                    return
            begun += time.monotonic() - since
            on = on or self._desk.state.on
            if not source.live and not source.stills and not self._wait(frame.at, begun):
                return
            yield frame

    def _take(self, frame: Frame, source: Source) -> None:
        """Reads a frame, finding the board first where that is to be done, and tells the desk."""
        if frame.image is None:
            self._missed = f"{frame.trouble}."  # begins with the file's name, which stays as it is
            self._shown.say("watching", self._missed)
            return
        self._missed, begun = "", time.monotonic()
        if self._board is None and (not self._find(frame.image, source) or not frame.still):
            return  # dice in the very picture of set-up are read, and lay there already: what a camera sends next tells what is thrown
        board = self._board
        if board is None:  # a person has just asked to look again
            return
        eyes = board.eyes
        at = frame.at if source.live else begun  # a recording counts from its beginning; the match has one clock
        reading = eyes.read(frame.image, frame.name, at)
        with self._guard:
            board = self._board
            if board is None or board.eyes is not eyes or self._stop.is_set():
                return  # it was looked for anew meanwhile, or a tray was drawn; or the camera was turned off
            was, now = board.table, eyes.reader.table
            self._board = replace(board, read=(frame.image, reading), table=now) if reading is not None else replace(board, read=None)
        if reading is not None and (eyes.where is Where.FOUND or was.camera.size != now.camera.size):
            self._desk.seen_elsewhere(carried_over(was, now))
        if reading is not None and (eyes.where is Where.FOUND or self._seats.of(self._desk.match) is None):
            self._keep_seats()
        self._show(frame.image, reading)
        if reading is None:
            self._away(eyes.where)
        elif not now.camera.fits(frame.image):  # the camera is there and sees nothing, which the one doubt says
            self._shown.say("lost", as_sentence(reading.doubts[0].text))
            self._lost("camera_resized")
        else:
            cautions = board.cautions.of(reading, frame.image, eyes.reader, self._desk.state, source.rate)
            self._shown.say("watching", "; ".join([*cautions, MOVED.get(eyes.where) or summary(reading)]))
            self._desk.regain(CAMERA)
            self._rest(frame.name, self._observe(reading, frame.image), begun)

    def _away(self, where: Where) -> None:
        """Says that the board is away, or lost."""
        if where is not Where.LOST:
            self._shown.say("looking", MOVED[where])
            return
        self._shown.say("lost", LOST)
        self._lost("camera_moved")

    def _rest(self, name: str, events: tuple[Logged, ...], begun: float) -> None:
        """Leaves the recording's picture called ``name``, which led to ``events``, on the page for as long as its pace has it."""
        if self._pace is not None and self._wait(self._pace.after(events), begun):
            self._pace.go_on(name)

    def _observe(self, reading: Reading, image: Image) -> tuple[Logged, ...]:
        pictures, places = self._pictures, unsure_dice(reading, (image.shape[1], image.shape[0]))
        if pictures is None:
            return self._desk.observe(reading, None, places)
        return self._desk.observe(reading, lambda: pictures.keep(self._desk.match, jpeg(image)), places)

    def _wait(self, seconds: float, since: float) -> bool:
        """Waits until ``seconds`` after ``since``. Whether to go on."""
        return not self._stop.wait(max(0.0, since + seconds - time.monotonic()))

    def _known(self) -> Position:
        return known_position(self._desk.state)

    def _find(self, image: Image, source: Source) -> bool:
        if self._shown.said[0] in ("starting", "lost"):
            self._shown.say("looking", "Looking for the board.")
        aim, begun, last = self._aim, self._desk.state.play_phase in IN_GAME, self._seats.of(self._desk.match)
        try:
            reader = self._seats.begin(image, self._known(), aim, self._desk.match, self._before, begun)
        except BoardNotFound as error:
            self._show(image, None)
            self._missed = as_sentence(str(error))
            self._shown.say("looking", self._missed)
            if source.live:
                self._stop.wait(LOOK_S)
            return False
        table = reader.table
        board = _Board(Following(reader, self._known), Cautions(too_soft(image, table), reader.dice_lay), table)
        with self._guard:
            if self._aim is not aim or self._stop.is_set():  # a person has asked for another search meanwhile, or another camera
                return False
            self._desk.home = table.home
            self._board = board
        if last is not None:
            self._desk.seen_elsewhere(carried_over(last, table))
        self._desk.changed()
        return True

    def _lost(self, code: str) -> None:
        """Logs once that the match goes on without its camera."""
        if not self._stop.is_set():
            self._desk.lose(DeviceLost(CAMERA, because(code)))

    def _show(self, image: Image, reading: Reading | None) -> None:
        table = self._table
        self._shown.show(image, close_up(image, table, reading) if reading is not None and table is not None else image)
