"""Makes the bundle "what it saw" (`web.saw`) from what the eyes hold."""

from __future__ import annotations

import json
from pathlib import Path

import cv2

from referee.match.shown.views import position_view
from referee.observations import Reading
from vision.boardfile import board_text
from vision.pictures import Image
from vision.reader import SetUp
from vision.table import Table
from web.readings import reading_line
from web.saw import Saw, pack


def saw_of(image: Image, reading: Reading | None, table: Table | None, set_up: SetUp | None, said: str) -> bytes:
    """The bundle of one picture (BGR uint8) with its ``reading``, the board where it was found and what was there at set-up."""
    name = f"{(Path(reading.frame).stem if reading is not None else '') or 'picture'}.png"
    lines = [json.dumps(reading_line(reading, name))] if reading is not None else []
    first, stood = None, ""
    if set_up is not None:
        first = (".png", _png(set_up.look.picture))
        board = json.loads(board_text(set_up.table))
        stood = json.dumps({"board": board, "position": position_view(set_up.look.position), "begun": set_up.look.begun})
    return pack(Saw(board_text(table) if table is not None else "", first, [(name, _png(image))], lines, said, stood))


def _png(image: Image) -> bytes:
    return bytes(cv2.imencode(".png", image, (cv2.IMWRITE_PNG_COMPRESSION, 3))[1].tobytes())
