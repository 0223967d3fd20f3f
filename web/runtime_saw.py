"""Makes the bundle "what it saw" (`web.saw`) from what the eyes hold."""

from __future__ import annotations

import json
from pathlib import Path

import cv2

from referee.observations import Reading
from vision.boardfile import board_text
from vision.source import Image
from vision.table import Table
from web.cli._reading import reading_line
from web.saw import Saw, pack


def saw_of(image: Image, reading: Reading | None, table: Table | None, start: Image | None, said: str) -> bytes:
    """The bundle of one picture (BGR uint8) with its ``reading``, the board where it was found and the set-up picture."""
    name = f"{(Path(reading.frame).stem if reading is not None else '') or 'picture'}.png"
    lines = [json.dumps(reading_line(reading, name))] if reading is not None else []
    first = (".png", _png(start)) if start is not None else None
    return pack(Saw(board_text(table) if table is not None else "", first, [(name, _png(image))], lines, said))


def _png(image: Image) -> bytes:
    return bytes(cv2.imencode(".png", image, (cv2.IMWRITE_PNG_COMPRESSION, 3))[1].tobytes())
