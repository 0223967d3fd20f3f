"""Where pictures come from: a folder of stills, a video file, a camera, a network address.

`open_source` turns the ``SRC`` of the command line into a stream of `Frame`. Recorded sources end; a live one goes on
until it is closed, gives only its newest picture and raises `SourceLost` when it
falls silent, so that the caller can say so, go on by hand and open it again.
"""

from __future__ import annotations

import contextlib
import math
import queue
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import cv2

from vision.pictures import BRANDS, Image, PictureError, is_heif, load_picture, plain

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".avif", ".tif", ".tiff", ".heic", ".heif", ".hif")  # three to say why not
SIZE = (1920, 1080)  # (width, height) px
PACKED = cv2.VideoWriter.fourcc(*"MJPG")  # each picture a JPEG
OPENING = 10.0  # s in which a camera in the network must answer, ..
READING = 5.0  # .. and send its next picture; FFmpeg would wait for half a minute
DECODERS = 2  # threads that unpack its pictures: each keeps one back, and FFmpeg would take as many as there are cores; one may be too slow
TRIES, FIRST = 10, 3.0  # pictures of a camera, and s, among which the first whole one must be
LATELY = 20  # pictures that tell how many come in a second
RELEASED = 1.0  # s in which a camera that is closed is let go, so that it can be opened again
DAMAGED = 100  # pictures of a film, one after another, after which there may come whole ones
MOST = 0.9  # of a film's length: what is shorter has lost its end
_FILM = re.compile(rb"....(ftyp|moov|mdat|wide)|RIFF....AVI |\x1a\x45\xdf\xa3", re.DOTALL)  # how MP4, AVI and Matroska begin
FROZEN_AFTER = 2.0  # s of bit-identical pictures: no sensor gives those, ..
SQUEEZED_AFTER = 20.0  # .. but what a camera in the network leaves of a quiet scene is one picture until the next that it sends whole
SILENCE = 3.0  # seconds without a picture after which a live camera counts as lost

# A source that cannot be opened is said once, by us.
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


class SourceError(Exception):
    """The source cannot be opened; the text says why and what to do."""


class SourceLost(SourceError):
    """A live source fell silent."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture. ``image`` BGR uint8 (height, width, 3), None when it could not be read (``trouble`` says why).

    ``at`` seconds: from the beginning of a recorded source, monotonic for a live one; a folder's pictures are one
    second apart. ``still``: a settled moment by definition (a picture of a folder).
    """

    image: Image | None
    name: str
    at: float
    still: bool
    trouble: str = ""


class Source:
    """An open source: iterate over it once; ``close`` may be called from another thread.

    ``watcher`` is called with every picture as it comes, also with those that nobody takes, by the thread that reads; it must be quick.
    ``frozen_after``: s of bit-identical pictures after which it is frozen; a recording may hold a picture as long as it likes.
    """

    live = False
    stills = False
    frozen_after = math.inf

    def __init__(self, name: str) -> None:
        self.name = name
        self.watcher: Callable[[Image], None] = lambda _image: None
        self._closed = threading.Event()

    def __iter__(self) -> Iterator[Frame]:
        raise NotImplementedError

    @property
    def rate(self) -> float | None:
        """Pictures a second that have come of late; None where they do not come by themselves, or too few have yet."""
        return None

    def close(self) -> None:
        """Ends the iteration at its next picture."""
        self._closed.set()


class StillsSource(Source):
    """The pictures of a folder in name order, or a single one."""

    stills = True

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.paths = [path]
        if path.is_dir():
            self.paths = sorted((p for p in path.iterdir() if p.suffix.lower() in PICTURES and p.is_file()), key=_in_order)
        if not self.paths:
            raise SourceError(f"{path} holds no pictures ({' '.join(PICTURES)}): name a folder of photographs of the board")

    def __iter__(self) -> Iterator[Frame]:
        for i, path in enumerate(self.paths):
            if self._closed.is_set():
                return
            try:
                image = load_picture(path)
                self.watcher(image)
                yield Frame(image, path.name, float(i), still=True)
            except PictureError as error:
                yield Frame(None, path.name, float(i), still=True, trouble=str(error))


def _in_order(path: Path) -> tuple[list[str | int], str]:
    """By its name as people number things and folders show them: 2 comes before 10."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"([0-9]+)", path.name)], path.name


class VideoSource(Source):
    """A video file, every frame of it that can be read, with the file's own times; one that breaks off ends with a frame that says so."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self._capture = _film(path)
        self._first = _next(self._capture)
        if self._first is None:
            self._capture.release()
            if _FILM.match(_head(path)):
                raise SourceError(f"{path} is a video without a picture that can be read, it may be cut off: copy it again or record anew")
            raise SourceError(f"{path} is not a video that can be read: name a video file, a folder of pictures, or a camera")
        self.fps = self._capture.get(cv2.CAP_PROP_FPS) or 30.0

    def __iter__(self) -> Iterator[Frame]:
        index, image, last = 0, self._first, -1.0
        self._first = None
        try:
            while image is not None and not self._closed.is_set():
                at = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
                if not at > last:  # some containers carry no times
                    at = last + 1.0 / self.fps if last >= 0 else 0.0
                last = at
                self.watcher(image)
                yield Frame(image, f"{index:06d}", at, still=False)
                index += 1
                image = self._later()
            if not self._closed.is_set() and (trouble := self._broken_off(index, last)):
                yield Frame(None, f"{index:06d}", last, still=False, trouble=trouble)
        finally:
            self._capture.release()

    def _later(self) -> Image | None:
        """The next picture that can be read; what is damaged before it is passed over."""
        return next((image for _ in range(DAMAGED) if (image := _next(self._capture)) is not None), None)

    def _broken_off(self, frames: int, last: float) -> str:
        """What is said where there were but so many ``frames``, to ``last`` s, of a longer film; nothing of a whole one."""
        promised = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        whole = promised / self.fps
        if frames >= MOST * promised or last >= MOST * whole:  # both may be told roughly
            return ""
        return _breaks_off(Path(self.name).name, f"{last:.0f}", f"{whole:.0f}")


def _breaks_off(name: str, last: str, whole: str) -> str:
    """``last`` and ``whole``: seconds."""
    return f"{name} breaks off after {last} of {whole} s: it is cut off or damaged, copy it again"


class LiveSource(Source):
    """Pictures that come by themselves; only the newest is kept. When none came for `SILENCE` seconds the iteration raises `SourceLost`;
    the first may take as long as it needs."""

    live = True
    frozen_after = FROZEN_AFTER

    def __init__(self, name: str, clock: Callable[[], float]) -> None:
        super().__init__(name)
        self._clock = clock
        self._fresh = threading.Condition()
        self._count = 0
        self._image: Image | None = None
        self._at = 0.0
        self._came: deque[float] = deque(maxlen=LATELY)

    @property
    def rate(self) -> float | None:
        with self._fresh:
            came = tuple(self._came)
        return (len(came) - 1) / (came[-1] - came[0]) if len(came) == LATELY and came[-1] > came[0] else None

    def _put(self, image: Image, at: float) -> None:
        """``image`` was taken ``at`` seconds of the clock."""
        with self._fresh:
            self._count, self._image, self._at = self._count + 1, image, max(self._at, at)
            self._came.append(self._at)
            self._fresh.notify_all()
        self.watcher(image)

    def close(self) -> None:
        super().close()
        with self._fresh:
            self._fresh.notify_all()

    def _silent(self) -> SourceLost:
        """What is said when it has fallen silent."""
        raise NotImplementedError

    def _newer(self, given: int) -> bool:
        """Whether there is a newer picture than the one that was ``given``, or there will be none."""
        return self._count > given or self._closed.is_set()

    def __iter__(self) -> Iterator[Frame]:
        given = 0
        while not self._closed.is_set():
            with self._fresh:
                timeout = SILENCE if given else None
                if not self._fresh.wait_for(partial(self._newer, given), timeout=timeout):
                    raise self._silent()
                count, image, at = self._count, self._image, self._at
            if self._closed.is_set() or image is None:
                return
            given = count
            yield Frame(image, f"{count:06d}", at, still=False)


class CameraSource(LiveSource):
    """A live camera or network stream, read by a thread of its own so that the newest picture is always at hand."""

    def __init__(self, name: str, opener: Callable[[], Any]) -> None:
        super().__init__(name, time.monotonic)
        self._capture: Any = None
        image = None
        with contextlib.suppress(cv2.error):  # raised for what no driver makes sense of
            self._capture = opener()
            image = _first(self._capture) if self._capture is not None else None
        if image is None:
            if self._capture is not None:
                self._capture.release()
            raise self._mute()
        self._put(image, self._clock())
        self._thread = threading.Thread(target=self._grab, name=f"camera {name}", daemon=True)
        self._thread.start()

    def _mute(self) -> SourceError:
        """What is said when it gives no first picture."""
        return SourceError(
            f"camera {self.name} gives no picture: check that it is plugged in, not used by another program, and that the system’s "
            "privacy settings let programs use it, or try another number or address"
        )

    def _silent(self) -> SourceLost:
        return SourceLost(
            f"camera {self.name} has sent no picture for {SILENCE:.0f} s: check its cable and power; play goes on by hand"
        )

    def close(self) -> None:
        super().close()
        self._thread.join(RELEASED)

    def _grab(self) -> None:
        while not self._closed.is_set():
            if (image := _next(self._capture)) is not None:
                self._put(image, self._clock())
            elif self._closed.wait(0.05):
                break
        self._capture.release()


class NetworkSource(CameraSource):
    """A camera at an address ``src``."""

    frozen_after = SQUEEZED_AFTER

    def __init__(self, src: str) -> None:
        super().__init__(without_secrets(src), lambda: _network_camera(src))

    def _mute(self) -> SourceError:
        return SourceError(f"camera {self.name} gives no picture: check its address, and that it is switched on and in this network")


class PushSource(LiveSource):
    """Pictures that somebody hands in, such as a phone's over the network."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__("phone", clock)

    def push(self, image: Image, age: float = 0.0) -> None:
        """Hands in a picture that was taken ``age`` seconds ago."""
        self._put(image, self._clock() - age)

    def _silent(self) -> SourceLost:
        return SourceLost(
            f"the phone has sent no picture for {SILENCE:.0f} s: wake it and open its camera page again; play goes on by hand"
        )


def is_text(name: str) -> bool:
    """Whether a file's name is Unicode. Some systems allow any bytes, and OpenCV breaks down over them."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_camera(src: str) -> bool:
    """Whether ``SRC`` names a camera, which may be plugged in or switched on later: by its number, device name or address."""
    return is_text(src) and ("://" in src or _number(src) is not None or src.startswith("/dev/video"))


def _number(src: str) -> int | None:
    return int(src) if src.isascii() and src.isdecimal() and len(src) <= 4 else None


def open_source(src: str) -> Source:
    """Opens ``SRC``: a folder of pictures, a picture, a video, a camera's number or device name, an ``rtsp://`` or ``http://`` address.

    Of a local camera pictures of `SIZE` are asked. Raises `SourceError` with what is wrong and what to do.
    """
    if not is_text(src) and not Path(src).is_dir():
        raise SourceError(f"{src!a} has letters in its name that no program for videos can read: give it another name")
    if "://" in src:
        return NetworkSource(src)
    if is_camera(src):
        number = _number(src)
        return CameraSource(src, lambda: _local_camera(src if number is None else number))
    path = Path(src)
    if path.is_dir():
        return StillsSource(path)
    if path.is_file():
        try:
            path.open("rb").close()
        except OSError as error:
            raise SourceError(f"{src} cannot be read ({error.strerror or error}): check that you may open it") from None
        return StillsSource(path) if is_picture(path) else VideoSource(path)
    if src == "phone":
        raise SourceError("a phone is the camera of a table only: start one with `referee serve --https --camera phone`")
    raise SourceError(
        f"there is no {src}: name a folder of pictures, a video file, a camera number such as 0, or an rtsp:// or http:// address"
    )


def without_secrets(src: str) -> str:
    """``SRC`` as it may be shown to everybody: an address without the name, password and token that are in it."""
    if "://" not in src:
        return src
    try:
        parts = urlsplit(src)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return src.partition("://")[0] + "://..."
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"


def is_picture(path: Path) -> bool:
    """Whether the file is a single picture, by its ending or, where that says nothing, by what is in it; a film of pictures is none."""
    if not path.is_file():
        return False
    if path.suffix.lower() in PICTURES or is_heif(_head(path)):  # which the videos' reader would take for a film of its tiles
        return True
    if not (is_text(str(path)) and cv2.haveImageReader(str(path))):
        return False
    film = _film(path)
    _next(film)
    more = _next(film)
    film.release()
    return more is None


def _head(path: Path) -> bytes:
    """How the file begins; nothing of one that cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(BRANDS)
    except OSError:
        return b""


def _film(path: Path) -> Any:
    """The file as a video. Of a name alone what is before a colon would be taken for a protocol."""
    return cv2.VideoCapture(str(path.absolute()))


def _next(capture: Any) -> Image | None:
    """The next picture of an OpenCV capture; None when it gives none, or none that can be made one."""
    try:
        ok, image = capture.read() if capture.isOpened() else (False, None)
    except cv2.error:  # raised for what is packed in a way of its own
        return None
    return plain(image) if ok else None


def _first(capture: Any) -> Image | None:
    """The first picture of a camera that can be read: the very first of many a webcam is broken. None when there is none soon."""
    begun = time.monotonic()
    for _ in range(TRIES):
        if (image := _next(capture)) is not None or time.monotonic() - begun > FIRST:
            return image
    return None


def _local_camera(device: int | str) -> Any:
    """Opened for `SIZE`. On Linux OpenCV takes pictures that are not packed, of which a USB camera sends five a second in this size and
    thirty packed (https://github.com/opencv/opencv/issues/9540); a camera that packs none stays as it was."""
    capture = cv2.VideoCapture(device)
    if sys.platform == "linux":
        capture.set(cv2.CAP_PROP_FOURCC, PACKED)
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
    return capture


def _network_camera(src: str) -> Any:
    """The camera at an address, None when it does not answer in time. A thread of its own opens it: looking up a name heeds no limit,
    and who waits here can be interrupted."""
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, int(1000 * OPENING), cv2.CAP_PROP_READ_TIMEOUT_MSEC, int(1000 * READING)]
    limits += [cv2.CAP_PROP_N_THREADS, DECODERS]
    opened: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=lambda: opened.put(cv2.VideoCapture(src, cv2.CAP_FFMPEG, limits)), name="opens", daemon=True).start()
    try:
        return opened.get(timeout=OPENING + 1.0)
    except queue.Empty:
        return None
