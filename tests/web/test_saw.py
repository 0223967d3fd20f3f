"""The bundle "what it saw": what is packed is what comes out of it."""

from __future__ import annotations

import io
import random
import zipfile

import pytest

from web.saw import Saw, SawError, pack, unpack


def test_many_pictures_keep_their_order_beside_their_readings() -> None:
    numbers = range(1001)
    saw = Saw("{}", (".png", b"start"), [(f"{n}.jpg", str(n).encode()) for n in numbers], [str(n) for n in numbers], "Throw", "{}")
    back = unpack(pack(saw))
    assert [data.decode() for _, data in back.pictures] == list(back.lines) == [str(n) for n in numbers]
    assert (back.board, back.start, back.said, back.set_up) == (saw.board, saw.start, saw.said, saw.set_up)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_bundle_is_read_or_refused_however_it_is_packed(method: int) -> None:
    """Whoever sends one in may have packed it anew."""
    rng, packed = random.Random(method), io.BytesIO()
    bundle = pack(Saw("{}", None, [("a.png", rng.randbytes(200) + bytes(2000))], ["{}"]))
    with zipfile.ZipFile(io.BytesIO(bundle)) as ours, zipfile.ZipFile(packed, "w", method) as theirs:
        for name in ours.namelist():
            theirs.writestr(name, ours.read(name))
    whole, refused = packed.getvalue(), 0
    assert len(unpack(whole).pictures[0][1]) == 2200
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        try:
            unpack(bytes(damaged))
        except SawError:
            refused += 1
    assert refused > 100
