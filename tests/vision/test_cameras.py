"""The list of cameras: names as the system tells them, and numbers that OpenCV opens."""

from __future__ import annotations

import cv2
import pytest
from cv2_enumerate_cameras import CameraInfo

from vision import cameras as listed
from vision.cameras import cameras


@pytest.mark.parametrize(("system", "first"), [("Linux", 0), ("Windows", cv2.CAP_MSMF), ("Darwin", cv2.CAP_AVFOUNDATION)])
def test_a_number_says_how_opencv_is_to_open_it(monkeypatch: pytest.MonkeyPatch, system: str, first: int) -> None:
    def told(backend: int) -> list[CameraInfo]:
        assert backend == listed.BACKENDS[system]
        return [CameraInfo(2, "Capture card", "", None, None, backend), CameraInfo(0, "HD Webcam", "", None, None, backend)]

    monkeypatch.setattr(listed, "enumerate_cameras", told)
    assert cameras(system) == ((str(first), "HD Webcam"), (str(first + 2), "Capture card"))


def test_a_system_that_does_not_tell_has_an_empty_list() -> None:
    assert cameras("Plan 9") == ()
