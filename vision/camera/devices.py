"""The cameras that this computer has, by name; and one of them found again where it was plugged in anew."""

from __future__ import annotations

import platform
from dataclasses import dataclass

import cv2

from vision.camera.source import SourceLost

BACKENDS = {"Linux": cv2.CAP_V4L2, "Windows": cv2.CAP_MSMF, "Darwin": cv2.CAP_AVFOUNDATION}
"""What OpenCV opens cameras with on each system."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A camera as the system lists it: what opens it, which number it has there, its name, and its maker and kind where they are told."""

    src: str
    number: int
    name: str
    kind: tuple[int | None, int | None] = (None, None)

    @property
    def mark(self) -> tuple[object, ...]:
        """What stays the same wherever it is plugged in."""
        return self.name, self.kind


def cameras(system: str = platform.system()) -> tuple[tuple[str, str], ...]:
    """(``SRC``, name) of each camera, none of which is opened for it; empty where the system does not tell."""
    return tuple((one.src, one.name) for one in listed(system))


def listed(system: str = platform.system()) -> tuple[Listed, ...]:
    """The cameras by their numbers. A camera's number holds for one of OpenCV's ways to open it, which OpenCV lets us add to the number;
    Linux has one way alone."""
    backend = BACKENDS.get(system)
    if backend is None:
        return ()
    try:
        from cv2_enumerate_cameras import enumerate_cameras

        found = enumerate_cameras(backend)
    except (ImportError, OSError, NotImplementedError):  # nothing tells here, or on a Windows without media features it cannot be loaded
        return ()
    offset = 0 if system == "Linux" else backend
    return tuple(
        Listed(str(offset + one.index), one.index, str(one.name or f"camera {one.index}"), (one.vid, one.pid))
        for one in sorted(found, key=lambda one: one.index)
    )


class Plugged:
    """The camera that was opened as ``src``: one of this computer's may come back under another number when it was unplugged. What is none
    of them, such as an address, is always where it was."""

    def __init__(self, src: str) -> None:
        self.src = src
        self._mark: tuple[object, ...] | None = None

    def note(self) -> None:
        """It has been opened where it is: which of the computer's cameras is it?"""
        self._mark = next((one.mark for one in listed() if self._is_at(one)), None)

    def place(self) -> str:
        """Where it is to be opened now. Raises `SourceLost` where it is not there, or several may be it."""
        if self._mark is None:
            return self.src
        here = listed()
        same = [one for one in here if one.mark == self._mark]
        if not here or any(self._is_at(one) for one in same):
            return self.src
        if len(same) == 1:
            self.src = same[0].src
            return self.src
        name, there = self._mark[0], ", ".join(f"{one.src} ({one.name})" for one in here)
        raise SourceLost(
            f"camera {name} is unplugged, or cannot be told from another: plug it in where it was, or choose one of these: {there}"
        )

    def _is_at(self, camera: Listed) -> bool:
        """Whether ``camera`` is what the number or the device's name now stands for."""
        return self.src in (camera.src, str(camera.number), f"/dev/video{camera.number}")
