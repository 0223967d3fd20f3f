"""Pictures as people have them, and the files that are none."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.pictures import PictureError, load_picture, smaller, too_small_for_setup

RNG = np.random.default_rng(3)
SMOOTH = cv2.GaussianBlur(RNG.integers(0, 256, (60, 90, 3)).astype(np.uint8), (0, 0), 6)


def _encoded(ending: str, image: np.ndarray) -> bytes:
    ok, data = cv2.imencode(ending, image)
    assert ok
    return data.tobytes()


def with_orientation(jpeg: bytes, value: int) -> bytes:
    """The JPEG with an EXIF segment that holds one tag, Orientation (274)."""
    tiff = b"II*\0" + struct.pack("<IHHHII", 8, 1, 274, 3, 1, value) + b"\0\0\0\0"
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


@pytest.mark.parametrize(("value", "turn"), [(3, cv2.ROTATE_180), (6, cv2.ROTATE_90_CLOCKWISE), (8, cv2.ROTATE_90_COUNTERCLOCKWISE)])
def test_a_phones_picture_is_turned_as_its_exif_says(tmp_path: Path, value: int, turn: int) -> None:
    path = tmp_path / "phone.jpg"
    path.write_bytes(with_orientation(_encoded(".jpg", SMOOTH), value))
    upright = cv2.rotate(SMOOTH, turn)
    loaded = load_picture(path)
    assert loaded.shape == upright.shape
    assert np.abs(loaded.astype(int) - upright).mean() < 4


@pytest.mark.parametrize(
    "image",
    [SMOOTH[..., 0], np.dstack([SMOOTH, np.full((60, 90), 200, np.uint8)]),
     SMOOTH.astype(np.uint16) * 257, SMOOTH[..., 1].astype(np.uint16) * 257],
    ids=["grey", "alpha", "16 bit", "grey 16 bit"],
)
def test_every_kind_becomes_plain_bgr(tmp_path: Path, image: np.ndarray) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(_encoded(".png", image))
    loaded = load_picture(path)
    assert loaded.shape == (60, 90, 3)
    assert loaded.dtype == np.uint8
    wanted = image if image.dtype == np.uint8 else image // 257
    wanted = np.repeat(wanted[..., None], 3, axis=2) if wanted.ndim == 2 else wanted[..., :3]
    assert np.abs(loaded.astype(int) - wanted).max() <= 1


def _png_header(width: int, height: int) -> bytes:
    chunk = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk)) + b"\0\0\0\0IEND\xaeB`\x82"


def heif(brand: bytes, *also: bytes) -> bytes:
    """How a picture of a phone begins, and nothing that could be shown."""
    box = b"ftyp" + brand + bytes(4) + b"".join(also)
    return struct.pack(">I", len(box) + 4) + box + struct.pack(">I", 400) + b"meta" + bytes(392)


def _film(ending: str) -> bytes:
    """What phones and chats make of a short film."""
    film = cv2.Animation()
    film.frames, film.durations = [SMOOTH, 255 - SMOOTH, SMOOTH], np.full(3, 100, np.int32)
    ok, data = cv2.imencodeanimation(ending, film)
    assert ok
    return data.tobytes()


BAD = {
    "moving.webp": (_film(".webp"), "a film of many pictures"),
    "moving.png": (_film(".png"), "a film of many pictures"),
    "moving.avif": (_film(".avif"), "a film of many pictures"),
    "empty.jpg": (b"", "empty"),
    "cut.jpg": (_encoded(".jpg", SMOOTH)[:-200], "cut off"),
    "cut.png": (_encoded(".png", SMOOTH)[:-300], "cut off"),
    "letter.jpg": (b"Dear Sir, here is no picture.\n" * 40, "not a picture"),
    "header.jpg": (b"\xff\xd8\xff", "cut off"),
    "iphone.heic": (heif(b"heic", b"mif1", b"heic", b"miaf"), "Most Compatible"),
    "galaxy.jpg": (heif(b"mif1", b"mif1", b"heic"), "save it as JPEG"),
    "avif": (heif(b"avif", b"avif", b"mif1"), "not a picture that can be read"),
    "huge.png": (_png_header(20000, 20000), "megapixels"),
    "tiny.png": (_encoded(".png", SMOOTH[:4, :4]), "4x4"),
}


def test_an_avif_picture_is_read(tmp_path: Path) -> None:
    path = tmp_path / "phone.avif"
    path.write_bytes(_encoded(".avif", SMOOTH))
    assert np.abs(load_picture(path).astype(int) - SMOOTH).mean() < 4


@pytest.mark.parametrize("kind", [".png", ".webp", ".avif", ".avif without EXIF"])
@pytest.mark.parametrize("value", range(1, 9))
def test_every_kind_is_turned_as_it_says(tmp_path: Path, kind: str, value: int) -> None:
    ending, _, bare = kind.partition(" ")
    plain = with_orientation(_encoded(".jpg", SMOOTH), value)
    exif = np.frombuffer(plain[12 : 12 + 26], np.uint8)
    ok, written = cv2.imencodeWithMetadata(ending, SMOOTH, [cv2.IMAGE_METADATA_EXIF], [exif])
    assert ok
    path, like = tmp_path / f"phone{ending}", tmp_path / "phone.jpg"
    path.write_bytes(written.tobytes().replace(b"Exif", b"none") if bare else written.tobytes())
    like.write_bytes(plain)
    loaded, wanted = load_picture(path), load_picture(like)
    assert loaded.shape == wanted.shape
    assert np.abs(loaded.astype(int) - wanted).mean() < 4


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_picture_is_refused_in_one_sentence(tmp_path: Path, name: str) -> None:
    data, said = BAD[name]
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(PictureError) as refused:
        load_picture(path)
    text = str(refused.value)
    assert name in text
    assert said in text
    assert "\n" not in text
    assert ": " in text, "says what to do"


def test_a_damaged_picture_is_said_by_us_alone(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    damaged = tmp_path / "damaged.tif"
    damaged.write_bytes(b"II*\0" + b"\xff" * 500)
    with pytest.raises(PictureError):
        load_picture(damaged)
    assert capfd.readouterr() == ("", "")


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="is not there"):
        load_picture(tmp_path / "none.jpg")
    with pytest.raises(PictureError, match="folder"):
        load_picture(tmp_path)


def test_set_up_asks_for_enough_pixels_whichever_way_the_phone_is_held() -> None:
    assert too_small_for_setup(np.zeros((720, 1280, 3), np.uint8)) is None
    assert too_small_for_setup(np.zeros((1280, 720, 3), np.uint8)) is None
    assert "640x480" in (too_small_for_setup(np.zeros((480, 640, 3), np.uint8)) or "")


@pytest.mark.parametrize(
    ("size", "to"), [((1280, 720), (900, 506)), ((1920, 1080), (640, 360)), ((1001, 563), (420, 236)), ((90, 60), (90, 60))]
)
def test_a_smaller_picture_is_what_averaging_areas_gives(size: tuple[int, int], to: tuple[int, int]) -> None:
    image = np.asarray(cv2.resize(SMOOTH, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    image = np.clip(image + np.random.default_rng(5).normal(0, 8, image.shape), 0, 255).astype(np.uint8)
    small = smaller(image, to)
    areas = cv2.resize(image, to, interpolation=cv2.INTER_AREA)
    assert small.shape == (to[1], to[0], 3)
    assert np.abs(small.astype(int) - areas).mean() < 3
    middle = [cv2.GaussianBlur(p, (0, 0), 5)[20:-20, 20:-20].astype(int) for p in (small, areas)]
    assert np.abs(middle[0] - middle[1]).max() <= 2  # nothing is shifted
