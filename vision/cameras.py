"""The cameras that this computer has, by name."""

from __future__ import annotations

import platform

import cv2
from cv2_enumerate_cameras import enumerate_cameras

BACKENDS = {"Linux": cv2.CAP_V4L2, "Windows": cv2.CAP_MSMF, "Darwin": cv2.CAP_AVFOUNDATION}
"""What OpenCV opens cameras with on each system."""


def cameras(system: str = platform.system()) -> tuple[tuple[str, str], ...]:
    """(``SRC``, name) of each camera, none of which is opened for it; empty where the system does not tell.

    A camera's number holds for one of OpenCV's ways to open it, which OpenCV lets us add to the number; Linux has one way alone.
    """
    backend = BACKENDS.get(system)
    if backend is None:
        return ()
    try:
        found = enumerate_cameras(backend)
    except (OSError, NotImplementedError):
        return ()
    offset = 0 if system == "Linux" else backend
    return tuple((str(offset + one.index), str(one.name or f"camera {one.index}")) for one in sorted(found, key=lambda one: one.index))
