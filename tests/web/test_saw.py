"""The bundle "what it saw": what is packed is what comes out of it."""

from __future__ import annotations

from web.saw import Saw, pack, unpack


def test_many_pictures_keep_their_order_beside_their_readings() -> None:
    numbers = range(1001)
    saw = Saw("{}", (".png", b"start"), [(f"{n}.jpg", str(n).encode()) for n in numbers], [str(n) for n in numbers], "Throw", "{}")
    back = unpack(pack(saw))
    assert [data.decode() for _, data in back.pictures] == list(back.lines) == [str(n) for n in numbers]
    assert (back.board, back.start, back.said, back.set_up) == (saw.board, saw.start, saw.said, saw.set_up)
