"""Pictures from files: what may be read, and one sentence for what may not."""

from __future__ import annotations

import math
import re
import struct
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.files import read_most

Image = NDArray[np.uint8]
"""BGR uint8 (height, width, 3)."""

MAX_PIXELS = 100_000_000
MAX_BYTES = 300_000_000
NARROWEST = 16  # px: what is narrower is no picture
SHARP = 0.2  # px: blurring by less changes nothing
SETUP_SIZE = (1280, 720)  # the least (long side, short side) px that is asked for

UNNAMED = "the picture"  # what sentences call one that is no file

BRANDS = 64  # bytes in which a file of boxes (ISO 14496-12) says of what kinds it is
HEIF = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}  # what phones save; OpenCV reads none of them ..
AVIF = {b"avif", b"avis"}  # .. but these, which are of those kinds too

cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # what is wrong with a picture is said once, by us


class PictureError(Exception):
    """The picture cannot be used; the text says why and what to do."""


def load_picture(path: Path | str) -> Image:
    """Reads a picture file as BGR uint8 (height, width, 3), turned as it says that it is to be shown.

    Grey, alpha and 16-bit pictures become plain BGR. Raises `PictureError` with one sentence for a file that is missing, empty,
    cut off, larger than `MAX_PIXELS`, or no picture.
    """
    path = Path(path)
    name = path.name or str(path)
    try:
        if path.is_dir():
            raise PictureError(f"{name} is a folder: name a picture file")
        data = read_most(path, MAX_BYTES)
        if len(data) > MAX_BYTES:
            raise PictureError(f"{name} is larger than {MAX_BYTES // 1_000_000} MB: save it smaller, 1920x1080 is enough")
    except FileNotFoundError:
        raise PictureError(f"{path} is not there: check the name") from None
    except OSError as error:
        raise PictureError(f"{name} cannot be read ({error.strerror or error}): check that you may open it") from None
    return decode_picture(data, name)


def decode_picture(data: bytes, name: str = UNNAMED) -> Image:
    """The same for a picture's bytes; ``name`` is used in the sentences of `PictureError`."""
    if not data:
        raise PictureError(f"{name} is empty (0 bytes): copy it again or take a new picture")
    size, complete = _look(data)
    if size is not None and size[0] * size[1] > MAX_PIXELS:
        raise PictureError(_too_large(name, size))
    if is_heif(data[:BRANDS]):
        raise PictureError(_heif(name))
    if not complete:
        raise PictureError(f"{name} is cut off, its end is missing: copy it again or take a new picture")
    if _is_film(data):
        raise PictureError(f"{name} is a film of many pictures: save the one that is meant by itself, or all of it as an MP4 video")
    turn = _avif_turn(data)
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | (cv2.IMREAD_IGNORE_ORIENTATION if any(turn) else 0))
    except cv2.error:
        image = None
    if image is None:
        raise PictureError(f"{name} is not a picture that can be read: name a JPEG, PNG, WebP, AVIF, BMP or TIFF file")
    if image.shape[0] * image.shape[1] > MAX_PIXELS:
        raise PictureError(_too_large(name, (image.shape[1], image.shape[0])))
    if min(image.shape[:2]) < NARROWEST:
        height, width = image.shape[:2]
        long, short = SETUP_SIZE
        raise PictureError(f"{name} has only {width}x{height} pixels: take one of at least {long}x{short}")
    return np.ascontiguousarray(_turned(image, *turn), np.uint8)


def plain(image: Any) -> Image | None:
    """What a camera gives as BGR uint8: some give grey, or more bits, or more channels, and are not asked for it. None for what is no
    picture."""
    if image.ndim not in (2, 3) or min(image.shape[:2]) < NARROWEST:
        return None
    if image.dtype == np.uint16:
        image = (image >> 8).astype(np.uint8)
    if image.dtype != np.uint8:
        return None
    change = {1: cv2.COLOR_GRAY2BGR, 4: cv2.COLOR_BGRA2BGR}
    channels = image.shape[2] if image.ndim == 3 else 1
    if channels in change:
        image = cv2.cvtColor(image, change[channels])
    return image if image.ndim == 3 and image.shape[2] == 3 else None


def too_small_for_setup(image: Image) -> str | None:
    """A sentence when the picture has fewer pixels than set-up asks for, else None."""
    height, width = image.shape[:2]
    if max(height, width) >= SETUP_SIZE[0] and min(height, width) >= SETUP_SIZE[1]:
        return None
    return f"the picture has only {width}x{height} pixels: dice will be hard to read, use at least {SETUP_SIZE[0]}x{SETUP_SIZE[1]}"


def is_heif(head: bytes) -> bool:
    """Whether a file that begins with ``head``, its first `BRANDS` bytes, is a HEIC or HEIF picture, which is not read."""
    if head[4:8] != b"ftyp":
        return False
    end = min(len(head), int.from_bytes(head[:4], "big"))
    brands = {head[8:12], *(head[at : at + 4] for at in range(16, end - 3, 4))}
    return bool(brands & HEIF) and not brands & AVIF


def _is_film(data: bytes) -> bool:
    """Whether there is more than one picture in a WebP, PNG or AVIF file, of which OpenCV would show the first."""
    control = data.find(b"acTL", 0, max(0, data.find(b"IDAT"))) if data.startswith(b"\x89PNG") else -1
    if control >= 0:
        return int.from_bytes(data[control + 4 : control + 8], "big") > 1
    if data[:4] == b"RIFF" and data[8:16] == b"WEBPVP8X":
        return data.count(b"ANMF") > 1 and bool(data[20] & 2)
    return data[4:12] == b"ftypavis"


def _avif_turn(data: bytes) -> tuple[int, str]:
    """How an AVIF picture is to be shown: quarter turns to the left, then which of its sides ("rows" or "columns") change places ("" for
    none). These are boxes of the format itself (ISO 23008-12, 6.5.10 and 6.5.12), which OpenCV leaves to its caller; EXIF beside them may
    say the same and is not heeded then."""
    if data[4:8] != b"ftyp":
        return 0, ""
    meta = max(data.find(b"meta", 0, 4 * BRANDS), 4)
    inside = data[meta : meta - 4 + int.from_bytes(data[meta - 4 : meta], "big")]
    turn, mirror = (re.search(rb"\0\0\0\x09" + box + rb"(.)", inside, re.DOTALL) for box in (b"irot", b"imir"))
    return turn[1][0] & 3 if turn else 0, ("rows", "columns")[mirror[1][0] & 1] if mirror else ""


def _turned(image: NDArray[Any], quarters: int, mirror: str) -> NDArray[Any]:
    """``image`` shown as `_avif_turn` has it."""
    image = np.rot90(image, quarters)
    return image[::-1] if mirror == "rows" else image[:, ::-1] if mirror == "columns" else image


def _heif(name: str) -> str:
    return (
        f"{name} is a HEIC picture, which is not read: save it as JPEG, "
        "and have the phone’s camera take JPEG (iPhone: Settings, Camera, Formats, Most Compatible)"
    )


def _too_large(name: str, size: tuple[int, int]) -> str:
    (width, height), most = size, MAX_PIXELS // 1_000_000
    return f"{name} has {width}x{height} pixels, more than {most} megapixels: save it smaller, 1920x1080 is enough"


def _look(data: bytes) -> tuple[tuple[int, int] | None, bool]:
    """(width, height) from the header where it is quickly told, and whether the file has its end."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        if len(data) < 24:
            return None, False
        return struct.unpack(">II", data[16:24]), b"IEND" in data[-4096:]
    if data.startswith(b"\xff\xd8"):
        return _look_jpeg(data)
    if data.startswith(b"BM") and len(data) >= 26:
        width, height = struct.unpack("<ii", data[18:26])
        return (abs(width), abs(height)), True
    return None, True


def _look_jpeg(data: bytes) -> tuple[tuple[int, int] | None, bool]:
    """Walks the segments (ITU T.81 B.1) up to the first scan."""
    at, size = 2, None
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        if marker == 0xD9:
            break
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC) and at + 9 <= len(data):
            size = (int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big"))
        at += 2 + length
        if marker == 0xDA:
            return size, data.find(b"\xff\xd9", at) >= 0
    return size, False


def smaller(image: Image, size: tuple[int, int]) -> Image:
    """``image`` (h, w, 3) at ``size`` (width, height), not larger than it is: nearly what averaging areas gives, in a third of the time."""
    height, width = image.shape[:2]
    while 2 * size[0] <= width and 2 * size[1] <= height and width % 2 == 0 and height % 2 == 0:
        height, width = height // 2, width // 2
        image = np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    spread = math.sqrt(max(0.0, (width / size[0]) ** 2 - 1) / 12)  # of an area, less what linear resizing averages itself
    if spread > SHARP:
        image = np.asarray(cv2.GaussianBlur(image, (3, 3), spread), np.uint8)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8)
