"""A camera in the network that does not answer, or falls silent, holds nobody up for long."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from vision.camera.source import CameraSource, SourceError, SourceLost, open_source

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=picture\r\n\r\n"


@pytest.fixture
def camera(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of one that sends so many pictures to each who asks, and then nothing; with none it does not even answer."""
    listener, taken = socket.create_server(("127.0.0.1", 0)), list[socket.socket]()
    noise = np.random.default_rng(1).integers(0, 255, (120, 160, 3)).astype(np.uint8)
    jpeg = cv2.imencode(".jpg", noise)[1].tobytes()
    part = b"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n" % (len(jpeg), jpeg)

    def serve() -> None:
        while True:
            try:
                line, _ = listener.accept()
                if request.param:
                    line.sendall(HEAD + part * request.param)
            except OSError:  # the test is over
                return
            taken.append(line)

    threading.Thread(target=serve, daemon=True).start()
    yield f"127.0.0.1:{listener.getsockname()[1]}/pictures?token=secret"
    for line in (listener, *taken):
        line.close()


@pytest.mark.parametrize("scheme", ["http", "rtsp"])
@pytest.mark.parametrize("camera", [0], indirect=True)
def test_a_camera_that_does_not_answer_is_said_in_time(camera: str, scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.camera.source.OPENING", 1.0)
    begun = time.monotonic()
    with pytest.raises(SourceError, match=r"pictures gives no picture: check its address, and that it is switched on") as said:
        open_source(f"{scheme}://{camera}")
    assert time.monotonic() - begun < 8
    assert "secret" not in str(said.value)


@pytest.mark.parametrize("camera", [0], indirect=True)
def test_whoever_waits_for_an_address_that_hangs_goes_on(camera: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As while a name is looked up, which no limit of FFmpeg's ends."""
    monkeypatch.setattr("vision.camera.source.OPENING", 0.2)
    going = threading.Event()
    monkeypatch.setattr("vision.camera.source.cv2.VideoCapture", lambda *_: going.wait(30))
    begun = time.monotonic()
    try:
        with pytest.raises(SourceError, match="gives no picture"):
            open_source(f"http://{camera}")
    finally:
        going.set()
    assert time.monotonic() - begun < 8


@pytest.mark.parametrize("camera", [40], indirect=True)
def test_a_camera_that_falls_silent_is_let_go_in_time(camera: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.camera.source.READING", 1.0)
    monkeypatch.setattr("vision.camera.source.SILENCE", 0.5)
    source = open_source(f"http://{camera}")
    assert isinstance(source, CameraSource)
    with pytest.raises(SourceLost, match="has sent no picture"):
        for _ in source:
            pass
    source.close()
    source._thread.join(8)
    assert not source._thread.is_alive()
