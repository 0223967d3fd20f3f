"""What a service meets that is left running all weekend: it starts without its camera, and its log stays short enough to be read."""

from __future__ import annotations

import json
import socket
import threading
import urllib.request
from collections.abc import Callable

from tests.waiting import until
from tests.web.cameras import PICTURES
from tests.web.conftest import Served

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=picture\r\n\r\n"


def camera_said(server: Served) -> tuple[str, str]:
    with urllib.request.urlopen(f"{server.url}api/v1/state", timeout=60) as answer:
        camera = json.load(answer)["camera"]
    return camera["status"], camera["text"]


def test_a_table_is_served_before_its_camera_is_switched_on(serve: Callable[..., Served], database: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as place:
        at = place.getsockname()
    address = f"http://{at[0]}:{at[1]}/video"
    server = serve("serve", "--port", "0", "--db", database, "--camera", f"{address}?token=secret")
    says = f"camera {address} gives no picture: check its address, and that it is switched on and in this network"
    assert until(lambda: camera_said(server)[0] == "lost")
    assert camera_said(server)[1] == f"{says[0].upper()}{says[1:]}."
    assert server.process.stderr is not None
    assert server.process.stderr.readline() == f"referee: {says}\n"

    jpeg = (PICTURES / "f000.jpg").read_bytes()
    part = b"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n" % (len(jpeg), jpeg)
    over = threading.Event()
    with socket.create_server(at) as camera:

        def film() -> None:
            line, _ = camera.accept()
            with line:
                line.sendall(HEAD)
                while not over.wait(0.2):
                    line.sendall(part)

        switched_on = threading.Thread(target=film, daemon=True)
        switched_on.start()
        try:
            assert until(lambda: camera_said(server)[0] in ("looking", "watching"))
        finally:
            over.set()
            switched_on.join(10)
