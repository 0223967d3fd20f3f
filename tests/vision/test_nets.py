"""Threads that read at once, as where one camera takes the place of another: no table may be given what another's camera saw."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from referee.observations import Reading
from vision.finder import find_table
from vision.pictures import load_picture
from vision.reader import Reader

BOARDS = Path(__file__).parent.parent / "data" / "boards"


def _readings(folder: Path, times: int) -> list[Reading]:
    """What a thread of its own sees: the board found, and every picture of it read ``times`` times."""
    start = load_picture(folder / "f00.jpg")
    reader = Reader(find_table(start), start)
    pictures = [load_picture(path) for path in sorted(folder.glob("f*.jpg"))]
    return [reader.read(picture.copy()) for _ in range(times) for picture in pictures]


def test_tables_read_at_once_are_read_as_each_alone() -> None:
    folders = [BOARDS / "train-001000", BOARDS / "train-002000"]
    alone = [_readings(folder, 1) for folder in folders]
    with ThreadPoolExecutor(len(folders)) as threads:
        together = list(threads.map(lambda folder: _readings(folder, 3), folders))
    for one, many in zip(alone, together, strict=True):
        assert many == one * 3
