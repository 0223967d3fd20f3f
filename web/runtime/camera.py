"""Which camera the table has: chosen at start or on the set-up page, a phone's among them.

The eyes are heavy to load, so they are loaded when a camera is first wanted.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.records.pictures import Pictures
from web.desk import Desk
from web.house import NO_EYES, CameraError, NoPicture
from web.lending import Lender

if TYPE_CHECKING:
    from vision.boardfile import SetUpLook
    from vision.camera.source import PushSource, Source
    from vision.table import Table
    from web.runtime.eyes import Runtime
    from web.runtime.seats import Seats

PHONE = "phone"
_SAFE = re.compile(r"\d{1,4}|/dev/video\d{1,2}|(rtsp|rtsps|http|https)://\S{1,400}", re.ASCII)


class CameraChoice:
    """Holds the `Runtime` that is on. ``changed`` is called when the picture or its status has changed, ``tell`` with why
    there are no pictures; the tower's tray is kept in ``board_file``."""

    def __init__(
        self, desk: Desk, changed: Callable[[], None], pictures: Pictures | None = None, board_file: Path | None = None,
        lent: Lender | None = None, tell: Callable[[str], None] = lambda _text: None,
    ) -> None:
        self._desk, self._changed, self._pictures, self._lent, self._tell = desk, changed, pictures, lent, tell
        self._board_file = board_file
        self._guard = threading.Lock()
        self._phone: PushSource | None = None
        self._eyes: Runtime | None = None
        self._seats: Seats | None = None
        self._src: str | None = None
        self._wishes = 0  # how often somebody has chosen: an address may take long to answer, and the last choice counts

    # for the pages: see `web.house.Eyes`

    @property
    def picture(self) -> bytes | None:
        eyes = self._eyes
        return eyes.picture if eyes is not None else None

    def status(self) -> dict[str, Any]:
        eyes = self._eyes
        if eyes is None:
            return dict(NO_EYES)
        return eyes.status()

    def whole(self) -> bytes | None:
        """The latest picture as it came, as JPEG."""
        eyes = self._eyes
        return eyes.whole() if eyes is not None else None

    def saw(self) -> bytes | None:
        """See `Runtime.saw`."""
        eyes = self._eyes
        return eyes.saw() if eyes is not None else None

    # choosing

    def use(
        self, src: str, source: Source | None, table: Table | None = None, look: SetUpLook | None = None, wish: int | None = None
    ) -> None:
        """Follows ``source``, already open (None: ``src``, which may be there later), instead of what was followed before. Raises
        `CameraError` where something else was chosen since the ``wish`` of that number."""
        from vision.camera.source import PushSource
        from web.runtime.eyes import Runtime

        with self._guard:
            if wish is not None and wish != self._wishes:
                if source is not None:
                    source.close()
                raise CameraError("Another camera was chosen meanwhile")
            self._end()
            self._src, self._seats = src, self._seats or self._kept_seats()
            opener = self._new_phone if src == PHONE else None
            eyes = Runtime(
                self._desk, src, self._changed, table=table, look=look, opener=opener, pictures=self._pictures, board_file=self._board_file,
                lent=self._lent, seats=self._seats, tell=self._tell,
            )
            if source is not None:
                eyes.use(source)
            self._phone = source if isinstance(source, PushSource) else None
            self._eyes = eyes.start()
            self._desk.set_camera(True)
        self._changed()

    def _new_phone(self) -> PushSource:
        from vision.camera.source import PushSource

        self._phone = PushSource()
        return self._phone

    def choose(self, src: str | None) -> None:
        """What a person chose on a page: a camera's number, device or address, `phone`, or none. Raises `CameraError`."""
        if src is not None:
            from vision.camera.source import PushSource, SourceError, open_source
        with self._guard:
            self._wishes += 1
            wish = self._wishes
        if src is None:
            with self._guard:
                self._end()
            self._changed()
        elif src == PHONE:
            self.use(PHONE, PushSource(), wish=wish)
        elif _SAFE.fullmatch(src):
            if self._eyes is not None and src in (self._src, self._eyes.src):  # it can be opened once only
                with self._guard:
                    self._end()
                self._changed()
            try:
                self.use(src, open_source(src), wish=wish)
            except SourceError as error:
                raise CameraError(str(error)) from None
        else:
            raise CameraError("Name a camera by its number, such as 0, or by its rtsp:// or http:// address")

    def cameras(self) -> tuple[tuple[str, str], ...]:
        """The cameras of this computer: number and name."""
        from vision.camera.devices import cameras

        return cameras()

    def push(self, data: bytes, age: float = 0.0) -> None:
        """A picture from the phone, taken ``age`` seconds ago. One that sends when nobody has chosen a camera yet was the camera before the
        program was started anew, and is it again. Raises `CameraError`: no phone is wanted, or (`NoPicture`) it is none."""
        from vision.pictures import PictureError, decode_picture

        phone = self._phone
        if phone is None and (self._eyes is not None or self._wishes):
            raise CameraError("The table does not use a phone as its camera; choose it on the set-up page")
        try:
            image = decode_picture(data)
        except PictureError as error:
            raise NoPicture(str(error)) from None
        if phone is None:
            self.choose(PHONE)
            phone = self._phone
        if phone is not None:
            phone.push(image, age)

    def look_again(self, corners: Sequence[tuple[float, float]] = (), near_at: Any = None) -> None:
        """See `Runtime.look_again`. Raises `CameraError`, also when there is no camera."""
        eyes = self._eyes
        if eyes is None:
            raise CameraError("There is no camera; choose one first")
        eyes.look_again(corners, near_at)

    def set_tray(self, corners: Sequence[tuple[float, float]]) -> None:
        """See `Runtime.set_tray`. Raises `CameraError`."""
        eyes = self._eyes
        if eyes is None:
            raise CameraError("There is no camera; choose one first")
        eyes.set_tray(corners)

    def forget(self, match: int) -> None:
        """``match`` is deleted: where its board stood goes with it."""
        with self._guard:
            if self._seats is None and self._seats_file.exists():
                self._seats = self._kept_seats()
            if self._seats is not None:
                self._seats.forget(match)

    @property
    def _seats_file(self) -> Path:
        store = self._desk.store.path
        return store.with_name(store.name + ".seats")

    def _kept_seats(self) -> Seats:
        from web.runtime.seats import Seats

        return Seats(self._seats_file, self._pictures)

    def stop(self) -> None:
        with self._guard:
            self._end()

    def _end(self) -> None:
        if self._eyes is not None:
            self._eyes.stop()
        self._eyes = self._phone = self._src = None
        self._desk.set_camera(False)
