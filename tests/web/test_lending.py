"""The camera lent to stream programs: two of them, with a token, the newest pictures, and nobody holds the camera up."""

from __future__ import annotations

import json
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from referee.records.store import Store
from tests.waiting import until
from vision.camera.source import PushSource
from web.access import Access, Pins
from web.app import create_app
from web.cli._service import make_house
from web.house import House
from web.lending import STUCK_S, Lender, NoCamera
from web.live import Full
from web.runtime.eyes import Runtime
from web.server import listen

PINS = Pins("246810", "135791")


def plain(shade: int) -> Any:
    """A picture of one shade of grey, which JPEG keeps."""
    return np.full((48, 64, 3), shade, np.uint8)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with Store(tmp_path / "m.db") as store:
        made = make_house(store, table="hall")
        made.access = Access(tmp_path / "access.json")
        made.access.set_pins(PINS)
        yield made


@pytest.fixture
def director(house: House) -> FlaskClient:
    client = create_app(house).test_client()
    client.post("/api/v1/enter", json={"pin": PINS.director})
    return client


@pytest.fixture
def address(house: House) -> Iterator[str]:
    """Where the real server answers."""
    server = listen(create_app(house), "127.0.0.1", 0, house.places)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    house.lent.end()
    server.task_dispatcher.shutdown()  # a stream that still ends would call a server that is gone
    server.close()


def shade(stream: HTTPResponse) -> int | None:
    """The next picture's shade; None at the end of the stream."""
    boundary = stream.readline()
    if boundary in (b"--picture--\r\n", b""):
        return None
    assert boundary == b"--picture\r\n"
    assert stream.readline() == b"Content-Type: image/jpeg\r\n"
    length = int(stream.readline().split(b": ")[1])
    assert stream.readline() == b"\r\n"
    image = cv2.imdecode(np.frombuffer(stream.read(length), np.uint8), cv2.IMREAD_COLOR)
    assert stream.read(2) == b"\r\n"
    assert image is not None
    return round(float(image.mean()))


def refused(url: str) -> tuple[int, dict[str, Any], Any]:
    with pytest.raises(urllib.error.HTTPError) as found:
        urllib.request.urlopen(url, timeout=30)
    with found.value as answer:
        return answer.code, json.load(answer), answer.headers


def test_only_the_director_lends_and_the_token_is_told_once(house: House, director: FlaskClient) -> None:
    player = create_app(house).test_client()
    player.post("/api/v1/enter", json={"pin": PINS.table})
    for ask in (player.get, player.post, player.delete):
        assert ask("/api/v1/lending").get_json()["error"] == "director_needed"
    made = director.post("/api/v1/lending").get_json()
    assert made["lent"]
    assert made["address"].startswith("http://localhost/t/hall/camera.mjpg?token=")
    assert director.get("/api/v1/lending").get_json() == {"lent": True, "readers": 0, "address": None}
    token = made["address"].split("=")[1]
    assert token not in (house.access._file or Path()).read_text()  # only its hash is kept
    assert Access(house.access._file).reads(token), "a scene would break with every start"
    assert director.delete("/api/v1/lending").get_json()["lent"] is False
    assert not house.access.reads(token)


def test_two_programs_read_and_a_third_is_asked_to_wait(house: House, director: FlaskClient, address: str) -> None:
    url = f"{address}/camera.mjpg?token={house.access.lend()}"
    assert refused(url)[:2] == (404, {"error": "no_picture", "message": "There is no picture yet.", "status": 404})
    house.lent.offer(plain(40))
    below = url.replace("/camera", "/t/hall/camera")
    with urllib.request.urlopen(url, timeout=30) as one, urllib.request.urlopen(below, timeout=30) as two:
        assert one.headers["Content-Type"] == "multipart/x-mixed-replace; boundary=picture"
        assert (shade(one), shade(two)) == (40, 40)
        assert director.get("/api/v1/lending").get_json()["readers"] == 2
        status, body, headers = refused(url)
        assert (status, body["error"]) == (503, "full")
        assert int(headers["Retry-After"]) > 0
        house.lent.offer(plain(200))
        assert (shade(one), shade(two)) == (200, 200)
        house.lent.end()  # the camera has gone
        assert (shade(one), shade(two)) == (None, None)
    deadline = time.monotonic() + 30
    while house.lent.readers and time.monotonic() < deadline:
        time.sleep(0.05)
    assert house.lent.readers == 0


def test_a_real_program_reads_it(house: House, address: str) -> None:
    """FFmpeg, which most stream programs read with, here inside OpenCV."""
    noise = np.random.default_rng(1)
    going = threading.Event()

    def camera() -> None:
        while not going.wait(0.05):
            house.lent.offer(noise.integers(180, 220, (480, 640, 3)).astype(np.uint8))

    house.lent.offer(plain(200))
    threading.Thread(target=camera, daemon=True).start()
    try:
        program = cv2.VideoCapture(f"{address}/camera.mjpg?token={house.access.lend()}", cv2.CAP_FFMPEG)
        shades = [round(float(image.mean())) for came, image in (program.read() for _ in range(5)) if came]
        program.release()
    finally:
        going.set()
    assert len(shades) == 5
    assert all(190 <= one <= 210 for one in shades), shades


@pytest.mark.parametrize("token", ["", "?token=", "?token=guess", "?token=%FF"])
def test_without_the_token_nobody_reads(house: House, director: FlaskClient, token: str) -> None:
    house.lent.offer(plain(40))
    for _ in range(2):  # before anything was lent, and after
        answer = director.get(f"/camera.mjpg{token}")
        assert answer.status_code == 403
        assert answer.get_json()["error"] == "no_token"
        house.access.lend()


@pytest.mark.parametrize("how", ["ended", "made anew", "new PINs"])
def test_a_program_whose_token_counts_no_more_is_cut_off(house: House, address: str, how: str) -> None:
    house.lent.offer(plain(40))
    with urllib.request.urlopen(f"{address}/camera.mjpg?token={house.access.lend()}", timeout=30) as stream:
        assert shade(stream) == 40
        {"ended": house.access.end_lending, "made anew": house.access.lend, "new PINs": house.access.set_pins}[how]()
        house.lent.offer(plain(200))
        assert shade(stream) is None


def test_a_reader_that_does_not_read_holds_nobody_up_and_misses_pictures(house: House, address: str) -> None:
    """Whoever waited for him would wait until the server gave his line up, and he would read of its end."""
    picture = np.random.default_rng(1).integers(0, 256, (720, 1280, 3)).astype(np.uint8)
    house.lent.offer(plain(40))
    with urllib.request.urlopen(f"{address}/camera.mjpg?token={house.access.lend()}", timeout=60) as stream:
        assert shade(stream) == 40
        offered = 0
        while offered < 200 and until(lambda: house.lent._made[0] == house.lent._count, 1.0):  # lines and buffers hold some
            house.lent.offer(picture)
            offered += 1
        assert offered < 200
        for _ in range(100):
            house.lent.offer(picture)
        house.lent.offer(plain(200))
        seen = []
        while not seen or seen[-1] != 200:
            seen.append(shade(stream))
            assert seen[-1] is not None
        assert len(seen) < offered + 50


def test_a_line_that_closes_as_something_is_sent_is_no_fault(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """The thread that waits for what comes has closed it, and another has yet to send."""
    server = listen(create_app(house), "127.0.0.1", 0, house.places)
    here, there = socket.socketpair()
    with here:
        channel = server.channel_class(server, there, ("127.0.0.1", 1), server.adj, map={})
        channel.outbufs[0].append(b"what is left to say")
        channel.handle_close()
        channel.handle_write()
    server.close()
    assert not caplog.records
    assert channel.will_close


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="cannot: only Linux lets a program say how long a line may be dead")
def test_a_line_that_is_gone_gives_its_place_back(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.port.SILENT_S", 1)
    server = listen(create_app(house), "127.0.0.1", 0, house.places)
    threading.Thread(target=server.run, daemon=True).start()
    noise = np.random.default_rng(1).integers(0, 256, (720, 1280, 3)).astype(np.uint8)
    house.lent.offer(noise)
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", int(server.effective_port)))
        line.sendall(f"GET /camera.mjpg?token={house.access.lend()} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        deadline = time.monotonic() + 60
        came = False
        while not came or house.lent.readers:
            assert time.monotonic() < deadline, "its place is still taken"
            came = came or house.lent.readers == 1
            house.lent.offer(noise)
            time.sleep(0.05)
    server.close()


def test_a_program_that_hangs_loses_its_place() -> None:
    now = 1000.0
    lender = Lender(readers=1, clock=lambda: now)
    with pytest.raises(NoCamera):
        lender.follow()
    lender.offer(plain(40))
    hanging = lender.follow()
    next(hanging)
    with pytest.raises(Full):
        lender.follow()
    now += STUCK_S + 1
    other = lender.follow()
    lender.offer(plain(200))
    assert next(hanging) == b"--picture--\r\n"
    hanging.close()
    assert lender.readers == 1
    other.close()
    assert lender.readers == 0


def test_a_program_that_goes_on_reading_keeps_its_place() -> None:
    now = 1000.0
    lender = Lender(clock=lambda: now)
    lender.offer(plain(40))
    reader = lender.follow()
    for shade in (80, 120, 160):
        next(reader)
        now += STUCK_S - 1
        lender.offer(plain(shade))
    next(reader)
    other = lender.follow()
    lender.offer(plain(200))
    assert next(reader).startswith(b"--picture\r\nContent-Type: image/jpeg")
    for one in (reader, other):
        one.close()


def test_a_new_picture_is_passed_on_as_it_comes() -> None:
    """A reader that waits is woken, and looks again neither once a second nor all the time."""
    looked: list[float] = []

    def clock() -> float:
        looked.append(time.monotonic())
        return looked[-1]

    lender = Lender(clock=clock)
    lender.offer(plain(40))
    reader = lender.follow()
    next(reader)
    begun = time.monotonic()
    for shade in (80, 120, 160, 200, 240):
        coming = threading.Timer(0.06, lender.offer, [plain(shade)])
        coming.start()
        next(reader)
        coming.join()
    reader.close()
    assert time.monotonic() - begun < 2.5
    assert len(looked) < 100


def test_the_last_picture_of_a_recording_stays_lent(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.lending.AGAIN_S", 0.2)
    cv2.imwrite(str(tmp_path / "f000.png"), plain(120))
    eyes = Runtime(house.desk, str(tmp_path), lent=house.lent).start()
    try:
        deadline = time.monotonic() + 60
        while eyes.status()["status"] != "ended":
            assert time.monotonic() < deadline
            time.sleep(0.05)
        reader = house.lent.follow()
        first, again = next(reader), next(reader)
        assert first.startswith(b"--picture\r\nContent-Type: image/jpeg")
        assert again == first, "a browser shows a picture only when the next one begins"
        eyes.stop()
        assert list(reader)[-1] == b"--picture--\r\n"
        with pytest.raises(NoCamera):
            house.lent.follow()
    finally:
        eyes.stop()


def test_the_cameras_own_pictures_are_lent_until_it_goes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.camera.source.SILENCE", 0.5)
    phone = PushSource()
    eyes = Runtime(house.desk, "phone", opener=lambda: PushSource(), lent=house.lent)
    eyes.use(phone)
    eyes.start()
    try:
        reader = None
        deadline = time.monotonic() + 60
        while reader is None:
            assert time.monotonic() < deadline
            phone.push(plain(120))
            try:
                reader = house.lent.follow()
            except NoCamera:
                time.sleep(0.05)
        assert b"image/jpeg" in next(reader)
        assert list(reader)[-1] == b"--picture--\r\n"  # the phone fell silent
    finally:
        eyes.stop()
