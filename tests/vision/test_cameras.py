"""The list of cameras: names as the system tells them, and numbers that OpenCV opens."""

from __future__ import annotations

import subprocess
import sys

import cv2
import pytest
from cv2_enumerate_cameras import CameraInfo

from vision.camera import devices as listed
from vision.camera.devices import Plugged, cameras
from vision.camera.devices import listed as now
from vision.camera.source import SourceLost


@pytest.mark.parametrize(("system", "first"), [("Linux", 0), ("Windows", cv2.CAP_MSMF), ("Darwin", cv2.CAP_AVFOUNDATION)])
def test_a_number_says_how_opencv_is_to_open_it(monkeypatch: pytest.MonkeyPatch, system: str, first: int) -> None:
    def told(backend: int) -> list[CameraInfo]:
        assert backend == listed.BACKENDS[system]
        return [CameraInfo(2, "Capture card", "", None, None, backend), CameraInfo(0, "HD Webcam", "", None, None, backend)]

    monkeypatch.setattr("cv2_enumerate_cameras.enumerate_cameras", told)
    assert cameras(system) == ((str(first), "HD Webcam"), (str(first + 2), "Capture card"))


def test_a_system_that_does_not_tell_has_an_empty_list() -> None:
    assert cameras("Plan 9") == ()


@pytest.mark.parametrize("system", ["Windows", "Darwin"])
def test_one_on_which_nothing_can_be_loaded_that_tells_has_one_too(system: str) -> None:
    """What needs no camera's name, such as the demo, goes on."""
    program = "import sys; sys.modules['cv2_enumerate_cameras'] = None; from vision.camera.devices import cameras; "
    run = subprocess.run([sys.executable, "-c", f"{program}print(cameras('{system}'))"], capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.stderr) == ("()\n", "")


def _there(monkeypatch: pytest.MonkeyPatch, *found: tuple[int, str, int]) -> None:
    """The computer has cameras of these numbers, names and kinds."""
    infos = [CameraInfo(number, name, f"/dev/video{number}", 0x046D, kind, cv2.CAP_V4L2) for number, name, kind in found]
    monkeypatch.setattr("cv2_enumerate_cameras.enumerate_cameras", lambda _backend: infos)
    monkeypatch.setattr(listed, "listed", lambda: now("Linux"))


@pytest.mark.parametrize("src", ["2", "/dev/video2"])
def test_a_camera_that_is_plugged_in_anew_is_found_under_its_new_number(monkeypatch: pytest.MonkeyPatch, src: str) -> None:
    plugged = Plugged(src)
    assert plugged.place() == src, "one that was never opened is what it is called"
    _there(monkeypatch, (0, "HD Webcam", 1), (2, "Brio", 2))
    plugged.note()
    assert plugged.place() == src
    _there(monkeypatch, (0, "HD Webcam", 1), (2, "HD Webcam", 1), (4, "Brio", 2), (5, "Brio", 3))
    assert plugged.place() == plugged.src == "4", "by its name and its kind, whatever has its number now"
    _there(monkeypatch, (2, "Brio", 2), (4, "Brio", 2))
    assert plugged.place() == "4", "another of the same kind came beside it"


def test_a_camera_that_is_not_there_or_may_be_two_is_not_taken_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged = Plugged("2")
    _there(monkeypatch, (0, "HD Webcam", 1), (2, "Brio", 2))
    plugged.note()
    for found in ([(0, "HD Webcam", 1)], [(2, "HD Webcam", 1)], [(0, "HD Webcam", 1), (4, "Brio", 2), (6, "Brio", 2)]):
        _there(monkeypatch, *found)
        with pytest.raises(SourceLost, match=r"camera Brio is unplugged, or .*: \d \(HD Webcam\)"):
            plugged.place()
    _there(monkeypatch)
    assert plugged.place() == "2", "where the system lists none it is looked for as before"


@pytest.mark.parametrize("src", ["http://cam/", "phone", "game.mp4"])
def test_what_is_no_camera_of_this_computer_stays_where_it_is(monkeypatch: pytest.MonkeyPatch, src: str) -> None:
    plugged = Plugged(src)
    _there(monkeypatch, (0, "HD Webcam", 1))
    plugged.note()
    assert plugged.place() == src
